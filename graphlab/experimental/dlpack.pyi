# Written by tools/generate_index.py: do not edit.
from graphlab.eager.interchange import from_dlpack as from_dlpack
from graphlab.eager.interchange import to_dlpack as to_dlpack

__all__ = [
    "from_dlpack",
    "to_dlpack",
]
