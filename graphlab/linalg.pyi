# Written by tools/generate_index.py: do not edit.
from graphlab.ops.diagonal import adjoint as adjoint
from graphlab.ops.diagonal import band_part as band_part
from graphlab.ops.diagonal import matrix_diag as diag
from graphlab.ops.diagonal import diag_part as diag_part
from graphlab.ops.einsum import einsum as einsum
from graphlab.ops.creation import eye as eye
from graphlab.ops.selection import global_norm as global_norm
from graphlab.ops.nn import l2_normalize as l2_normalize
from graphlab.ops.matmul import matmul as matmul
from graphlab.ops.diagonal import matrix_transpose as matrix_transpose
from graphlab.ops.matmul import matvec as matvec
from graphlab.ops.diagonal import set_diag as set_diag
from graphlab.ops.diagonal import tensor_diag as tensor_diag
from graphlab.ops.diagonal import tensor_diag_part as tensor_diag_part
from graphlab.ops.einsum import tensordot as tensordot
from graphlab.ops.diagonal import trace as trace

__all__ = [
    "adjoint",
    "band_part",
    "diag",
    "diag_part",
    "einsum",
    "eye",
    "global_norm",
    "l2_normalize",
    "matmul",
    "matrix_transpose",
    "matvec",
    "set_diag",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
]
