# Written by tools/generate_index.py: do not edit.
from graphlab.ops.array import check_numerics as check_numerics

__all__ = [
    "check_numerics",
]
