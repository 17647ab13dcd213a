"""Speed, measured against hand-written NumPy in the same run: `make bench`."""
