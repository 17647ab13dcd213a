# Written by tools/generate_index.py: do not edit.
from graphlab.ops.nn import general_dropout as general_dropout
from graphlab.ops.nn import stateless_dropout as stateless_dropout

__all__ = [
    "general_dropout",
    "stateless_dropout",
]
