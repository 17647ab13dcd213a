# Written by tools/generate_index.py: do not edit.
from graphlab.ops.printing import string_format as format

__all__ = [
    "format",
]
