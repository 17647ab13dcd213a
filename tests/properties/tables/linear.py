"""Products, decompositions, diagonals and Fourier transforms."""

import numpy as np

import graphlab as tf
from tests.properties.drawing import dominant, invertible, real, singular_values_apart, symmetric
from tests.properties.entry import COMPLEX, FLOATS, WIDE, entry, raw, variants

PRODUCTS = [
    entry("MatMul", tf.matmul, "ab, bc", dtypes=(*FLOATS, *COMPLEX), numpy=np.matmul),
    *variants(
        "MatMul",
        {"transpose_a": (lambda x, y: tf.matmul(x, y, transpose_a=True), lambda x, y: x.T @ y)}, "ba, bc", dtypes=WIDE,
    ),
    *variants(
        "MatMul",
        {"transpose_b": (lambda x, y: tf.matmul(x, y, transpose_b=True), lambda x, y: x @ y.T)}, "ab, cb", dtypes=WIDE,
    ),
    entry("BatchMatMulV2", tf.matmul, "...2ab, ...2bc", dtypes=(*WIDE, *COMPLEX), numpy=np.matmul),
    entry("BatchMatMulV2", lambda x, y: tf.matmul(x, y, adjoint_a=True), "2ba, 2bc", dtypes=(*WIDE, *COMPLEX), variant="adjoint"),
    entry("BatchMatMulV3", lambda x, y: tf.matmul(x, y, output_type=tf.int32), "ab, bc", dtypes=("int8",), numpy=np.matmul),
    *variants(
        "Einsum",
        {"ab,bc->ac": (lambda x, y: tf.einsum("ab,bc->ac", x, y), np.matmul), "ab,bc->b": lambda x, y: tf.einsum("ab,bc->b", x, y)},
        "ab, bc", dtypes=(*WIDE, *COMPLEX),
    ),
    entry("Einsum", lambda x, y: tf.einsum("...ij,...jk->...ik", x, y), "...ab, ...bc", dtypes=WIDE, numpy=np.matmul, variant="batch"),
    entry("Cross", tf.linalg.cross, "*3, *3", dtypes=(*WIDE, "int32"), numpy=np.cross),
]  # fmt: skip

DECOMPOSITIONS = [
    entry(
        "Cholesky",
        lambda x: tf.linalg.cholesky((x + tf.linalg.matrix_transpose(x)) / 2.0),
        "*NN",
        symmetric,
        dtypes=WIDE,
        numpy=np.linalg.cholesky,
    ),
    entry("MatrixDeterminant", tf.linalg.det, "*NN", invertible, dtypes=(*WIDE, *COMPLEX), numpy=np.linalg.det),
    entry(
        "LogMatrixDeterminant",
        lambda x: tf.linalg.slogdet(x)[1],
        "*NN",
        invertible,
        dtypes=WIDE,
        numpy=lambda x: np.linalg.slogdet(x)[1],
    ),
    entry("MatrixInverse", tf.linalg.inv, "*NN", invertible, dtypes=(*WIDE, *COMPLEX), numpy=np.linalg.inv),
    entry(
        "MatrixSolve", tf.linalg.solve, "*NN, *Nb", invertible, real, dtypes=(*WIDE, *COMPLEX), numpy=np.linalg.solve
    ),
    entry("MatrixTriangularSolve", tf.linalg.triangular_solve, "*NN, *Nb", invertible, real, dtypes=WIDE),
    entry(
        "MatrixTriangularSolve",
        lambda x, y: tf.linalg.triangular_solve(x, y, lower=False, adjoint=True),
        "*NN, *Nb",
        invertible,
        real,
        dtypes=WIDE,
        variant="adjoint",
    ),
    entry("TridiagonalMatMul", raw("TridiagonalMatMul"), "13, 13, 13, 32", dtypes=(*WIDE, *COMPLEX)),
    entry("TridiagonalSolve", raw("TridiagonalSolve"), "33, 32", dominant(1), real, dtypes=(*WIDE, *COMPLEX)),
    entry("BandedTriangularSolve", raw("BandedTriangularSolve"), "23, 32", dominant(0), real, dtypes=(*WIDE, *COMPLEX)),
    entry("MatrixExponential", tf.linalg.expm, "*NN", dtypes=WIDE, slack=1e-4),
    entry("MatrixLogarithm", tf.linalg.logm, "*NN", symmetric, dtypes=("complex128",)),
    entry("MatrixSquareRoot", tf.linalg.sqrtm, "*NN", symmetric, dtypes=WIDE),
    entry("Qr", tf.linalg.qr, "*33", invertible, dtypes=WIDE, known="sizes"),
    entry("Qr", lambda x: tf.linalg.qr(x)[1], "*43", singular_values_apart, dtypes=WIDE, known="sizes", variant="tall"),
    entry("Svd", lambda x: tf.linalg.svd(x, compute_uv=False), "*32", singular_values_apart, dtypes=WIDE),
    entry(
        "Svd",
        lambda x: [tf.abs(m) for m in tf.linalg.svd(x)],
        "*22",
        singular_values_apart,
        dtypes=WIDE,
        variant="vectors",
    ),
    entry(
        "SelfAdjointEigV2",
        lambda x: tf.linalg.eigvalsh((x + tf.linalg.matrix_transpose(x)) / 2.0),
        "*NN",
        symmetric,
        dtypes=WIDE,
        numpy=np.linalg.eigvalsh,
    ),
    entry(
        "SelfAdjointEigV2",
        lambda x: [tf.abs(m) for m in tf.linalg.eigh((x + tf.linalg.matrix_transpose(x)) / 2.0)],
        "*33",
        symmetric,
        dtypes=WIDE,
        variant="vectors",
    ),
    entry("Eig", lambda x: tf.math.real(tf.linalg.eigvals(x)), "*NN", symmetric, dtypes=WIDE),
    entry("Lu", tf.linalg.lu, "*NN", invertible, dtypes=WIDE),
]

DIAGONALS = [
    entry("Diag", tf.linalg.tensor_diag, "ab", dtypes=(*WIDE, "int32")),
    entry("DiagPart", tf.linalg.tensor_diag_part, "aa", dtypes=(*WIDE, "int32"), numpy=np.diag),
    *variants(
        "MatrixDiagV3",
        {"main": tf.linalg.diag, "k": lambda x: tf.linalg.diag(x, k=-1)},
        "*A",
        dtypes=(*FLOATS, "int32"),
    ),
    entry(
        "MatrixDiagV3",
        lambda x: tf.linalg.diag(x, k=(-1, 1), padding_value=tf.cast(2, x.dtype)),
        "*33",
        dtypes=WIDE,
        variant="band",
    ),
    *variants(
        "MatrixDiagPartV3",
        {"main": tf.linalg.diag_part, "band": lambda x: tf.linalg.diag_part(x, k=(-1, 0))},
        "*AA",
        dtypes=(*FLOATS, "int32"),
    ),
    entry("MatrixSetDiagV3", tf.linalg.set_diag, "*AA, *A", dtypes=(*FLOATS, "int32")),
    entry(
        "MatrixBandPart",
        lambda x: tf.linalg.band_part(x, 1, 0),
        "*ab",
        dtypes=(*FLOATS, "int32"),
        numpy=lambda x: np.tril(np.triu(x, -1)),
    ),
]

TRANSFORMS = [
    *[
        entry(op, call, f"*{'A' * axes}", dtypes=COMPLEX, numpy=numpy)
        for op, call, axes, numpy in (
            ("FFT", tf.signal.fft, 1, np.fft.fft),
            ("IFFT", tf.signal.ifft, 1, np.fft.ifft),
            ("FFT2D", tf.signal.fft2d, 2, np.fft.fft2),
            ("IFFT2D", tf.signal.ifft2d, 2, np.fft.ifft2),
            ("FFT3D", tf.signal.fft3d, 3, lambda x: np.fft.fftn(x, axes=(-3, -2, -1))),
            ("IFFT3D", tf.signal.ifft3d, 3, lambda x: np.fft.ifftn(x, axes=(-3, -2, -1))),
        )
    ],
    *[
        entry(op, lambda x, call=call: tf.math.imag(call(tf.complex(x, x * x))), f"*{'A' * axes}", dtypes=WIDE, variant="of reals")
        for op, call, axes in (
            ("FFT", tf.signal.fft, 1), ("IFFT", tf.signal.ifft, 1), ("FFT2D", tf.signal.fft2d, 2),
            ("IFFT2D", tf.signal.ifft2d, 2), ("FFT3D", tf.signal.fft3d, 3), ("IFFT3D", tf.signal.ifft3d, 3),
        )
    ],
    *[
        entry(op, lambda x, call=call: tf.math.imag(call(x)), f"*{'A' * axes}", dtypes=WIDE, order=order, reason=reason)
        for op, call, axes, order, reason in (
            ("RFFT", tf.signal.rfft, 1, 2, ""),
            ("RFFT2D", tf.signal.rfft2d, 2, 2, ""),
            ("RFFT3D", tf.signal.rfft3d, 3, 0, "TensorFlow has no gradient of it"),
        )
    ],
    *[
        entry(op, lambda x, call=call: call(tf.complex(x, x * x)), f"*{'A' * (axes - 1)}3", dtypes=WIDE, order=order, reason=reason)
        for op, call, axes, order, reason in (
            ("IRFFT", tf.signal.irfft, 1, 2, ""),
            ("IRFFT2D", tf.signal.irfft2d, 2, 2, ""),
            ("IRFFT3D", tf.signal.irfft3d, 3, 0, "TensorFlow has no gradient of it"),
        )
    ],
]  # fmt: skip

ENTRIES = [*PRODUCTS, *DECOMPOSITIONS, *DIAGONALS, *TRANSFORMS]
