# Written by tools/generate_index.py: do not edit.
from graphlab.ops.random_stateless import Algorithm as Algorithm
from graphlab.ops.random_stateless import fold_in as stateless_fold_in
from graphlab.ops.random_stateless import stateless_shuffle as stateless_shuffle
from graphlab.ops.random_stateless import split as stateless_split

__all__ = [
    "Algorithm",
    "stateless_fold_in",
    "stateless_shuffle",
    "stateless_split",
]
