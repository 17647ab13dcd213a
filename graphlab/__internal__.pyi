# Written by tools/generate_index.py: do not edit.
from graphlab.core.specs import CompositeTensor as CompositeTensor

__all__ = [
    "CompositeTensor",
]
