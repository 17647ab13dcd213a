# Written by tools/generate_index.py: do not edit.
from graphlab.ops.creation import eye as eye
from graphlab.ops.selection import global_norm as global_norm
from graphlab.ops.nn import l2_normalize as l2_normalize
from graphlab.ops.matmul import matmul as matmul
from graphlab.ops.matmul import matvec as matvec

__all__ = [
    "eye",
    "global_norm",
    "l2_normalize",
    "matmul",
    "matvec",
]
