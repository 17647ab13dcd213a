# Written by tools/generate_index.py: do not edit.
from graphlab.ops.bits import bitwise_and as bitwise_and
from graphlab.ops.bits import bitwise_or as bitwise_or
from graphlab.ops.bits import bitwise_xor as bitwise_xor
from graphlab.ops.bits import invert as invert
from graphlab.ops.bits import left_shift as left_shift
from graphlab.ops.bits import right_shift as right_shift

__all__ = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]
