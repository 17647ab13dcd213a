# Written by tools/generate_index.py: do not edit.
from graphlab.compile.options import get_experimental_options as get_experimental_options
from graphlab.compile.options import get_jit as get_jit
from graphlab.compile.options import set_experimental_options as set_experimental_options
from graphlab.compile.options import set_jit as set_jit

__all__ = [
    "get_experimental_options",
    "get_jit",
    "set_experimental_options",
    "set_jit",
]
