"""TensorFlow 2 programs on a NumPy runtime that shows its work."""

__version__ = "2.21.0"
