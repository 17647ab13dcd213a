# Written by tools/generate_index.py: do not edit.
from graphlab.types import experimental as experimental

__all__ = [
    "experimental",
]
