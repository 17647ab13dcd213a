# Written by tools/generate_index.py: do not edit.
from graphlab.control.conjugate_gradient import conjugate_gradient as conjugate_gradient

__all__ = [
    "conjugate_gradient",
]
