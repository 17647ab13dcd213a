# Written by tools/generate_index.py: do not edit.
from graphlab.ops.ragged_conversion import constant as constant

__all__ = [
    "constant",
]
