# Written by tools/generate_index.py: do not edit.
from graphlab.linalg import experimental as experimental
from graphlab.eager.linear_operator.base import LinearOperator as LinearOperator
from graphlab.eager.linear_operator.wrappers import LinearOperatorAdjoint as LinearOperatorAdjoint
from graphlab.eager.linear_operator.blocks import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from graphlab.eager.linear_operator.blocks import LinearOperatorBlockLowerTriangular as LinearOperatorBlockLowerTriangular
from graphlab.eager.linear_operator.circulant import LinearOperatorCirculant as LinearOperatorCirculant
from graphlab.eager.linear_operator.circulant import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from graphlab.eager.linear_operator.circulant import LinearOperatorCirculant3D as LinearOperatorCirculant3D
from graphlab.eager.linear_operator.wrappers import LinearOperatorComposition as LinearOperatorComposition
from graphlab.eager.linear_operator.simple import LinearOperatorDiag as LinearOperatorDiag
from graphlab.eager.linear_operator.simple import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from graphlab.eager.linear_operator.structured import LinearOperatorHouseholder as LinearOperatorHouseholder
from graphlab.eager.linear_operator.identity import LinearOperatorIdentity as LinearOperatorIdentity
from graphlab.eager.linear_operator.wrappers import LinearOperatorInversion as LinearOperatorInversion
from graphlab.eager.linear_operator.kronecker import LinearOperatorKronecker as LinearOperatorKronecker
from graphlab.eager.linear_operator.kronecker import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
from graphlab.eager.linear_operator.simple import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
from graphlab.eager.linear_operator.structured import LinearOperatorPermutation as LinearOperatorPermutation
from graphlab.eager.linear_operator.identity import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from graphlab.eager.linear_operator.structured import LinearOperatorToeplitz as LinearOperatorToeplitz
from graphlab.eager.linear_operator.structured import LinearOperatorTridiag as LinearOperatorTridiag
from graphlab.eager.linear_operator.identity import LinearOperatorZeros as LinearOperatorZeros
from graphlab.ops.diagonal import adjoint as adjoint
from graphlab.ops.diagonal import band_part as band_part
from graphlab.ops.linalg_banded import banded_triangular_solve as banded_triangular_solve
from graphlab.ops.linalg import cholesky as cholesky
from graphlab.ops.linalg import cholesky_solve as cholesky_solve
from graphlab.ops.linalg_functions import cross as cross
from graphlab.ops.linalg import det as det
from graphlab.ops.diagonal import matrix_diag as diag
from graphlab.ops.diagonal import diag_part as diag_part
from graphlab.ops.linalg_decompositions import eig as eig
from graphlab.ops.linalg_decompositions import eigh as eigh
from graphlab.ops.linalg_banded import eigh_tridiagonal as eigh_tridiagonal
from graphlab.ops.linalg_decompositions import eigvals as eigvals
from graphlab.ops.linalg_decompositions import eigvalsh as eigvalsh
from graphlab.ops.einsum import einsum as einsum
from graphlab.ops.linalg_functions import expm as expm
from graphlab.ops.grids import eye as eye
from graphlab.ops.selection import global_norm as global_norm
from graphlab.ops.linalg import inv as inv
from graphlab.ops.nn import l2_normalize as l2_normalize
from graphlab.ops.linalg import logdet as logdet
from graphlab.ops.linalg_roots import logm as logm
from graphlab.ops.linalg_least_squares import lstsq as lstsq
from graphlab.ops.linalg_decompositions import lu as lu
from graphlab.ops.linalg_lu import lu_matrix_inverse as lu_matrix_inverse
from graphlab.ops.linalg_lu import lu_reconstruct as lu_reconstruct
from graphlab.ops.linalg_lu import lu_solve as lu_solve
from graphlab.ops.matmul import matmul as matmul
from graphlab.ops.linalg_least_squares import matrix_rank as matrix_rank
from graphlab.ops.diagonal import matrix_transpose as matrix_transpose
from graphlab.ops.matmul import matvec as matvec
from graphlab.ops.linalg_functions import norm as norm
from graphlab.ops.linalg_functions import normalize as normalize
from graphlab.ops.linalg_least_squares import pinv as pinv
from graphlab.ops.linalg_decompositions import qr as qr
from graphlab.ops.diagonal import set_diag as set_diag
from graphlab.ops.linalg import slogdet as slogdet
from graphlab.ops.linalg import solve as solve
from graphlab.ops.linalg_roots import sqrtm as sqrtm
from graphlab.ops.linalg_decompositions import svd as svd
from graphlab.ops.diagonal import tensor_diag as tensor_diag
from graphlab.ops.diagonal import tensor_diag_part as tensor_diag_part
from graphlab.ops.einsum import tensordot as tensordot
from graphlab.ops.diagonal import trace as trace
from graphlab.ops.linalg import triangular_solve as triangular_solve
from graphlab.ops.linalg_banded import tridiagonal_matmul as tridiagonal_matmul
from graphlab.ops.linalg_banded import tridiagonal_solve as tridiagonal_solve

__all__ = [
    "LinearOperator",
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorBlockLowerTriangular",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorComposition",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder",
    "LinearOperatorIdentity",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular",
    "LinearOperatorPermutation",
    "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz",
    "LinearOperatorTridiag",
    "LinearOperatorZeros",
    "adjoint",
    "band_part",
    "banded_triangular_solve",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eig",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvalsh",
    "einsum",
    "experimental",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "logm",
    "lstsq",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "sqrtm",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]
