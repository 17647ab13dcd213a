# Written by tools/generate_index.py: do not edit.
from graphlab.ops.creation import eye as eye

__all__ = [
    "eye",
]
