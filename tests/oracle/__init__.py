"""Values recorded from real TensorFlow, and the tests that hold graphlab to them (see README.md)."""
