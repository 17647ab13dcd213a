# Written by tools/generate_index.py: do not edit.
from graphlab.core.nest import assert_same_structure as assert_same_structure
from graphlab.core.nest import flatten as flatten
from graphlab.core.nest import is_nested as is_nested
from graphlab.core.nest import map_structure as map_structure
from graphlab.core.nest import pack_sequence_as as pack_sequence_as

__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]
