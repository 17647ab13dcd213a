"""Leaf operations: one record each (kernel, shape inference, gradient, flags) and the public functions, a file per family."""
