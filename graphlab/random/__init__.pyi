# Written by tools/generate_index.py: do not edit.
from graphlab.random import experimental as experimental
from graphlab.ops.random_stateless import Algorithm as Algorithm
from graphlab.ops.random_stateless import fold_in as fold_in
from graphlab.ops.random_seed import set_seed as set_seed
from graphlab.ops.random_stateless import split as split
from graphlab.ops.random_stateless import stateless_normal as stateless_normal
from graphlab.ops.random_stateless import stateless_truncated_normal as stateless_truncated_normal
from graphlab.ops.random_stateless import stateless_uniform as stateless_uniform

__all__ = [
    "Algorithm",
    "experimental",
    "fold_in",
    "set_seed",
    "split",
    "stateless_normal",
    "stateless_truncated_normal",
    "stateless_uniform",
]
