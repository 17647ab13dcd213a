# Written by tools/generate_index.py: do not edit.
from graphlab.eager.extension_type import as_dict as as_dict

__all__ = [
    "as_dict",
]
