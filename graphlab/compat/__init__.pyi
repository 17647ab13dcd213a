# Written by tools/generate_index.py: do not edit.
from graphlab.compat import v1 as v1

__all__ = [
    "v1",
]
