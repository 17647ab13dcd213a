# Written by tools/generate_index.py: do not edit.
from graphlab.autograph.api import Feature as Feature
from graphlab.autograph.api import do_not_convert as do_not_convert
from graphlab.autograph.api import set_loop_options as set_loop_options

__all__ = [
    "Feature",
    "do_not_convert",
    "set_loop_options",
]
