"""Leaf operations: one record each (kernel, shape inference, gradient, flags), and the public functions.

A file per family; each loads on first use.
"""
