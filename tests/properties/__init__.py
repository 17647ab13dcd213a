"""Properties of every op: shapes, dtypes, broadcasting, values and gradients, for inputs drawn by hypothesis."""
