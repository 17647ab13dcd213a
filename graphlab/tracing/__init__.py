"""``tf.function``: trace types, the cache, concrete functions, and a record of each trace that says why it was made."""
