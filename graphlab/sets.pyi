# Written by tools/generate_index.py: do not edit.
from graphlab.ops.sets import difference as difference
from graphlab.ops.sets import intersection as intersection
from graphlab.ops.sets import size as size
from graphlab.ops.sets import union as union

__all__ = [
    "difference",
    "intersection",
    "size",
    "union",
]
