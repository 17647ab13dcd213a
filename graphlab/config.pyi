# Written by tools/generate_index.py: do not edit.
from graphlab.tracing.function import functions_run_eagerly as experimental_functions_run_eagerly
from graphlab.tracing.function import run_functions_eagerly as experimental_run_functions_eagerly
from graphlab.tracing.function import functions_run_eagerly as functions_run_eagerly
from graphlab.tracing.function import run_functions_eagerly as run_functions_eagerly

__all__ = [
    "experimental_functions_run_eagerly",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "run_functions_eagerly",
]
