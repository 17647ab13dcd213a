# Written by tools/generate_index.py: do not edit.
from graphlab.core.shape import Dimension as Dimension

__all__ = [
    "Dimension",
]
