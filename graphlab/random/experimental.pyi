# Written by tools/generate_index.py: do not edit.
from graphlab.ops.random_stateless import Algorithm as Algorithm
from graphlab.ops.random_generator import Generator as Generator
from graphlab.ops.random_generator import create_rng_state as create_rng_state
from graphlab.ops.random_generator import get_global_generator as get_global_generator
from graphlab.ops.index_shuffle import index_shuffle as index_shuffle
from graphlab.ops.random_generator import set_global_generator as set_global_generator
from graphlab.ops.random_stateless import fold_in as stateless_fold_in
from graphlab.ops.random_stateless import stateless_shuffle as stateless_shuffle
from graphlab.ops.random_stateless import split as stateless_split

__all__ = [
    "Algorithm",
    "Generator",
    "create_rng_state",
    "get_global_generator",
    "index_shuffle",
    "set_global_generator",
    "stateless_fold_in",
    "stateless_shuffle",
    "stateless_split",
]
