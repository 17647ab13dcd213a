# Written by tools/generate_index.py: do not edit.
from graphlab.ops.bits import decode_base64 as decode_base64
from graphlab.ops.bits import decode_raw as decode_raw
from graphlab.ops.bits import encode_base64 as encode_base64

__all__ = [
    "decode_base64",
    "decode_raw",
    "encode_base64",
]
