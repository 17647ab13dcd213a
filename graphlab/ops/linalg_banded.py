"""Matrices of few diagonals: tridiagonal products and systems, banded triangular systems, tridiagonal eigenvalues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.ops import inference
from graphlab.ops.inference import Attrs
from graphlab.ops.linalg import FIELD, product, sum_batch

# ------------------------------------------------------------------------------------------------------------- kernels


def _refuse(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _tridiagonal_product(superdiag: Any, maindiag: Any, subdiag: Any, rhs: Any) -> Any:
    """Diagonals of shape ``[..., 1, n]``: the last element of the upper and the first of the lower one are not used."""
    if len({part.ndim for part in (superdiag, maindiag, subdiag, rhs)}) > 1:
        raise _refuse("All input tensors must have the same rank.")
    expected = (*rhs.shape[:-2], 1, rhs.shape[-2]) if rhs.ndim >= 2 else None
    for name, part in (("superdiagonal", superdiag), ("main diagonal", maindiag), ("subdiagonal", subdiag)):
        if part.shape != expected:
            raise _refuse(f"Invalid {name} shape: {list(part.shape)}, for a right side of {list(rhs.shape)}.")
    upper, main, lower = (np.swapaxes(part, -1, -2) for part in (superdiag, maindiag, subdiag))
    result = main * rhs
    result[..., :-1, :] += upper[..., :-1, :] * rhs[..., 1:, :]
    result[..., 1:, :] += lower[..., 1:, :] * rhs[..., :-1, :]
    return result


def _tridiagonal_solve(diagonals: Any, rhs: Any, partial_pivoting: bool, perturb_singular: bool) -> Any:
    """Elimination row by row, all matrices of the batch at once; NaN for a matrix that can't be inverted."""
    n = rhs.shape[-2] if rhs.ndim >= 2 else -1
    if diagonals.shape != (*rhs.shape[:-2], 3, n):
        raise _refuse(f"The diagonals {list(diagonals.shape)} do not fit the right side {list(rhs.shape)}.")
    if not rhs.size:
        return np.empty_like(rhs)
    upper, main, lower = (np.moveaxis(diagonals, -2, 0)[k] for k in range(3))
    smallest = _smallest_pivot(diagonals) if perturb_singular else None
    rows = _eliminated(upper, main, lower, np.array(rhs), partial_pivoting, smallest)
    return _substituted_back(*rows)


def _smallest_pivot(diagonals: Any) -> Any:
    limits = np.finfo(diagonals.dtype)
    largest = np.abs(diagonals).max((-1, -2))
    return np.maximum(largest * limits.eps, np.sqrt(limits.tiny)).astype(diagonals.real.dtype)


def _eliminated(upper: Any, main: Any, lower: Any, rhs: Any, pivoting: bool, smallest: Any) -> tuple[Any, Any, Any]:
    """The upper triangle (main diagonal and, with exchanged rows, two above), the right side, where it is singular."""
    n = rhs.shape[-2]
    triangle = np.zeros((3, *main.shape), main.dtype)
    singular = np.zeros(main.shape[:-1], bool)
    pivot, beside = main[..., 0], upper[..., 0] if n > 1 else np.zeros_like(main[..., 0])
    for i in range(n - 1):
        below, diagonal = lower[..., i + 1], main[..., i + 1]
        right = upper[..., i + 1] if i + 2 < n else np.zeros_like(diagonal)
        swap = (np.abs(below) > np.abs(pivot)) if pivoting else np.zeros(pivot.shape, bool)
        top = np.where(swap, below, pivot)
        first = np.where(swap, diagonal, beside)
        second = np.where(swap, right, np.zeros_like(right))
        top, singular = _checked(top, singular, smallest)
        factor = np.where(swap, pivot, below) / top
        upper_row, lower_row = rhs[..., i, :].copy(), rhs[..., i + 1, :].copy()
        upper_row, lower_row = (
            np.where(swap[..., None], lower_row, upper_row),
            np.where(swap[..., None], upper_row, lower_row),
        )
        rhs[..., i, :] = upper_row
        rhs[..., i + 1, :] = lower_row - factor[..., None] * upper_row
        triangle[0][..., i], triangle[1][..., i], triangle[2][..., i] = top, first, second
        pivot = np.where(swap, beside, diagonal) - factor * first
        beside = np.where(swap, np.zeros_like(right), right) - factor * second
    triangle[0][..., n - 1], singular = _checked(pivot, singular, smallest)
    return triangle, rhs, singular


def _checked(pivot: Any, singular: Any, smallest: Any) -> tuple[Any, Any]:
    if smallest is None:
        zero = pivot == 0
        return np.where(zero, np.ones_like(pivot), pivot), singular | zero
    small = np.abs(pivot) < smallest
    return np.where(small, np.where(pivot.real < 0, -smallest, smallest), pivot).astype(pivot.dtype), singular


def _substituted_back(triangle: Any, rhs: Any, singular: Any) -> Any:
    n = rhs.shape[-2]
    for i in range(n - 1, -1, -1):
        row = rhs[..., i, :]
        for k in (1, 2):
            if i + k < n:
                row = row - triangle[k][..., i, None] * rhs[..., i + k, :]
        rhs[..., i, :] = row / triangle[0][..., i, None]
    rhs[singular] = np.nan if rhs.dtype.kind == "f" else 0  # TensorFlow has no NaN for complex numbers here
    return rhs


def _banded_solve(matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    for name, part in (("The bands", matrix), ("The right side", rhs)):
        if part.ndim < 2:
            raise _refuse(f"{name} must have at least 2 axes, not {part.ndim}.")
        if not part.size:
            raise _refuse(f"{name} must not be empty: shape {list(part.shape)}.")
    if matrix.shape[-1] != rhs.shape[-2]:
        raise _refuse(f"The bands {list(matrix.shape)} do not fit the right side {list(rhs.shape)}.")
    if (matrix[..., 0 if lower else -1, :] == 0).any():
        raise _refuse("Input matrix is not invertible.")
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    x = np.array(np.broadcast_to(rhs, batch + rhs.shape[-2:]))
    bands = np.broadcast_to(matrix, batch + matrix.shape[-2:])
    k, n = bands.shape[-2:]
    bands = np.conj(bands) if adjoint else bands
    for step in range(n):
        forward = lower != adjoint
        i = step if forward else n - 1 - step
        for d in range(1, min(k, step + 1)):  # the element d places from the diagonal, towards what is solved
            j = i - d if forward else i + d
            at = bands[..., d if lower else k - 1 - d, j if adjoint else i]  # bands keep elements in their row's place
            x[..., i, :] -= at[..., None] * x[..., j, :]
        x[..., i, :] /= bands[..., 0 if lower else k - 1, i, None]
    return x


# ----------------------------------------------------------------------------------------------------------- inference


def _product_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    rhs = inference.at_least_rank(args[3].shape, 2, "The right side")
    rows = None if rhs is None else rhs[-2]
    for arg in args[:3]:
        diagonal = inference.at_least_rank(arg.shape, 2, "A diagonal")
        if diagonal is not None:
            inference.merge_dim(diagonal[-2], 1, "The rows of a diagonal")
            rows = inference.merge_dim(rows, diagonal[-1], "The lengths of diagonals and right side")
            if rhs is not None and len(rhs) != len(diagonal):
                raise ValueError("All input tensors must have the same rank.")
    return rhs


def _tridiagonal_solve_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    diagonals = inference.at_least_rank(args[0].shape, 2, "The diagonals")
    rhs = inference.at_least_rank(args[1].shape, 2, "The right side")
    if diagonals is not None:
        inference.merge_dim(diagonals[-2], 3, "The number of diagonals")
    if diagonals is None or rhs is None:
        return rhs if rhs is not None else None
    if len(diagonals) != len(rhs):
        raise ValueError(f"Ranks differ: diagonals {inference.show(diagonals)}, right side {inference.show(rhs)}.")
    rows = inference.merge_dim(diagonals[-1], rhs[-2], "The lengths of diagonals and right side")
    batch = [inference.merge_dim(a, b, "Batch axes") for a, b in zip(diagonals[:-2], rhs[:-2], strict=True)]
    return (*batch, rows, rhs[-1])


def _banded_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    bands = inference.at_least_rank(args[0].shape, 2, "The bands")
    rhs = inference.at_least_rank(args[1].shape, 2, "The right side")
    if bands is None or rhs is None:
        return None
    rows = inference.merge_dim(bands[-1], rhs[-2], "Rows of the matrix and of the right side")
    if None not in (bands[-2], rows) and bands[-2] > rows:  # type: ignore[operator]
        raise ValueError(f"Number of bands {bands[-2]} cannot exceed the size of the matrix {rows}.")
    batch = inference.broadcast(bands[:-2], rhs[:-2])
    return None if batch is None else (*batch, rows, rhs[-1])


# ----------------------------------------------------------------------------------------------------------- gradients


def _shifted(x: Any, by: int) -> Any:
    """The rows moved down (1) or up (-1) by as many places, zeros coming in; made without knowing their number."""
    from graphlab.ops.array import concat
    from graphlab.ops.creation import zeros_like

    if not by:
        return x
    if by > 0:
        return concat([zeros_like(x[..., :1, :]), x[..., :-1, :]], -2)
    return concat([x[..., 1:, :], zeros_like(x[..., :1, :])], -2)


def _three(dy: Any, x: Any) -> list[Any]:
    """The gradients of the three diagonals of a matrix A, for ``y = A @ x``: shape ``[..., 1, n]``."""
    from graphlab.ops.array import expand_dims
    from graphlab.ops.complex import conj
    from graphlab.ops.reduction import reduce_sum

    return [expand_dims(reduce_sum(dy * conj(_shifted(x, by)), -1), -2) for by in (-1, 0, 1)]


def adjoint_diagonals(upper: Any, main: Any, lower: Any) -> tuple[Any, Any, Any]:
    """The diagonals ``[..., 1, n]`` of the adjoint matrix: upper and lower one change places."""
    from graphlab.ops.complex import conj
    from graphlab.ops.diagonal import matrix_transpose

    def moved(diagonal: Any, by: int) -> Any:
        return matrix_transpose(_shifted(matrix_transpose(conj(diagonal)), by))

    return moved(lower, -1), conj(main), moved(upper, 1)


def _product_grad(op: Any, dy: Any) -> list[Any]:
    upper, main, lower, rhs = op.inputs
    return [*_three(dy, rhs), bind(TRIDIAGONAL_PRODUCT, (*adjoint_diagonals(upper, main, lower), dy))]


def _options(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in ("partial_pivoting", "perturb_singular")}


def _solve_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.array import concat

    diagonals, x = op.inputs[0], op.outputs[0]
    parts = (diagonals[..., k : k + 1, :] for k in range(3))
    transposed = concat(list(adjoint_diagonals(*parts)), -2)
    dr = bind(TRIDIAGONAL_SOLVE, (transposed, dy), _options(op))
    return [-concat(_three(dr, x), -2), dr]


def _banded_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.array import concat, reshape
    from graphlab.ops.array_shape import shape
    from graphlab.ops.diagonal import diag_part

    bands, rhs = op.inputs
    x = op.outputs[0]
    lower, adjoint = op.attrs["lower"], op.attrs["adjoint"]
    dr = bind(BANDED_SOLVE, (bands, dy), {"lower": lower, "adjoint": not adjoint})
    dm = -product(x, dr, right=True) if adjoint else -product(dr, x, right=True)
    raw = bands._raw_shape()
    count = raw[-2] if raw is not None and raw[-2] is not None else shape(bands)[-2]
    db = diag_part(dm, k=(1 - count, 0) if lower else (0, count - 1), align="LEFT_RIGHT")
    if not isinstance(count, int) or count == 1:  # one diagonal alone comes without an axis of its own
        db = reshape(db, concat([shape(dm)[:-2], shape(bands)[-2:]], 0))
    return [sum_batch(db, bands), sum_batch(dr, rhs)]


TRIDIAGONAL_PRODUCT = define(
    "TridiagonalMatMul", "superdiag: T, maindiag: T, subdiag: T, rhs: T -> output: T", kernel=_tridiagonal_product,
    infer=_product_shape, gradient=_product_grad, types={"T": FIELD}, can_fail=True,
)  # fmt: skip
TRIDIAGONAL_SOLVE = define(
    "TridiagonalSolve", "diagonals: T, rhs: T -> output: T", kernel=_tridiagonal_solve, infer=_tridiagonal_solve_shape,
    gradient=_solve_grad, types={"T": FIELD}, attrs={"partial_pivoting": True, "perturb_singular": False},
    can_fail=True,
)  # fmt: skip
BANDED_SOLVE = define(
    "BandedTriangularSolve", "matrix: T, rhs: T -> output: T", kernel=_banded_solve, infer=_banded_shape,
    gradient=_banded_grad, types={"T": FIELD}, attrs={"lower": True, "adjoint": False}, can_fail=True,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions

_FORMATS = ("compact", "sequence", "matrix")


def _known(tensor: Any, axis: int) -> int | None:
    raw = tensor._raw_shape()
    return None if raw is None or len(raw) < -axis else raw[axis]


def _of_matrix(matrix: Any) -> Any:
    """The three diagonals of square matrices, in one tensor.  ValueError if they are known not to be square."""
    from graphlab.ops.diagonal import diag_part

    matrix = convert_to_tensor(matrix, name="diagonals")
    rows, columns = _known(matrix, -2), _known(matrix, -1)
    if rows is not None and columns is not None and rows != columns:
        raise ValueError(f"Expected last two dimensions of diagonals to be same, got {rows} and {columns}")
    return diag_part(matrix, k=(-1, 1), padding_value=0.0, align="LEFT_RIGHT")


def _check_format(diagonals_format: str) -> None:
    if diagonals_format not in _FORMATS:
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")


@public("linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None) -> Any:
    """Multiplies tridiagonal matrices by matrices.

    Args:
      diagonals: the diagonals above, on and below the main one. ``"compact"``: a tensor of shape ``[..., 3, n]``, in
        which the last element of the first and the first element of the third row are not used; ``"sequence"``: three
        tensors of shape ``[..., n]``, laid out likewise; ``"matrix"``: the matrices, ``[..., n, n]``, of which the
        other elements are not looked at. float32, float64, complex64 or complex128.
      rhs: a tensor of the dtype of ``diagonals`` and of shape ``[..., n, k]``.
      diagonals_format: ``"compact"``, ``"sequence"`` or ``"matrix"``.
      name: a name for the node.

    Returns:
      The products, shape ``[..., n, k]``.

    Raises:
      ValueError: the format is another one, or the matrices are not square.
      tf.errors.InvalidArgumentError: the shapes don't fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.linalg.tridiagonal_matmul(tf.constant([[1., 1., 0.], [2., 2., 2.], [0., 3., 3.]]), tf.ones([3, 1])).numpy()
    array([[3.],
           [6.],
           [5.]], dtype=float32)
    """
    from graphlab.ops.array import expand_dims

    _check_format(diagonals_format)
    if diagonals_format == "sequence":
        upper, main, lower = diagonals
        parts = [convert_to_tensor(part, name="diagonal") for part in (upper, main, lower)]
    else:
        whole = _of_matrix(diagonals) if diagonals_format == "matrix" else convert_to_tensor(diagonals)
        parts = [whole[..., k, :] for k in range(3)]
    return bind(TRIDIAGONAL_PRODUCT, (*(expand_dims(part, -2) for part in parts), rhs), None, name)


@public("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Any:
    """Solves systems of linear equations with tridiagonal matrices.

    Args:
      diagonals: the diagonals above, on and below the main one. ``"compact"``: a tensor of shape ``[..., 3, n]``, in
        which the last element of the first and the first element of the third row are not used; ``"sequence"``: three
        tensors, the outer ones of shape ``[..., n]`` laid out likewise or of shape ``[..., n - 1]``; ``"matrix"``: the
        matrices, ``[..., n, n]``. float32, float64, complex64 or complex128.
      rhs: a tensor of the dtype of ``diagonals`` and of shape ``[..., n]`` or ``[..., n, k]``.
      diagonals_format: ``"compact"``, ``"sequence"`` or ``"matrix"``.
      transpose_rhs: ``rhs`` is ``[..., k, n]`` and is transposed first; has no effect on vectors.
      conjugate_rhs: take the conjugate of ``rhs``.
      name: a name for the node.
      partial_pivoting: exchange rows, for the sake of accuracy.
      perturb_singular: move pivots near zero away from it, so that the solution is finite.

    Returns:
      The solutions, of the shape of ``rhs``; NaN where a matrix can't be inverted.

    Raises:
      ValueError: the format is another one, shapes don't fit, or singular matrices are to be perturbed without
        pivoting.

    >>> import graphlab as tf
    >>> tf.linalg.tridiagonal_solve(([1., 1.], [2., 2., 2.], [0., 0.]), [1., 2., 2.], "sequence").numpy()
    array([0.25, 0.5 , 1.  ], dtype=float32)
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    _check_format(diagonals_format)
    options = {"partial_pivoting": partial_pivoting, "perturb_singular": perturb_singular}
    if diagonals_format == "sequence":
        compact = _of_sequence(diagonals)
    elif diagonals_format == "matrix":
        compact = _of_matrix(diagonals)
    else:
        compact = convert_to_tensor(diagonals, name="diagonals")
    return _solved(compact, convert_to_tensor(rhs, name="rhs"), transpose_rhs, conjugate_rhs, options, name)


def _of_sequence(diagonals: Any) -> Any:
    """The three diagonals as one tensor, the outer ones lengthened where they are shorter."""
    from graphlab.ops.array import stack
    from graphlab.ops.padding import pad

    if not isinstance(diagonals, (list, tuple)) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    upper, main, lower = (convert_to_tensor(part) for part in diagonals)
    n = _known(main, -1)
    for name, part in (("superdiagonal", upper), ("subdiagonal", lower)):
        raw, whole = part._raw_shape(), main._raw_shape()
        if raw is None or whole is None:
            continue
        batch = len(raw) == len(whole) and all(a == b or None in (a, b) for a, b in zip(raw, whole[:-1], strict=False))
        if not batch or (n is not None and raw[-1] not in (None, n, n - 1)):
            raise ValueError(
                f"Tensors {name} and main diagonal have incompatible shapes: {inference.show(raw)} and "
                f"{inference.show(whole)}"
            )

    def longer(part: Any, widths: list[int]) -> Any:
        length = _known(part, -1)
        if n is None or length is None or length == n:
            return part
        return pad(part, [[0, 0]] * (len(part._raw_shape()) - 1) + [widths])

    return stack([longer(upper, [0, 1]), main, longer(lower, [1, 0])], axis=-2)


def _solved(compact: Any, rhs: Any, transpose: bool, conjugate: bool, options: dict[str, Any], name: str | None) -> Any:
    from graphlab.ops.array import expand_dims, squeeze
    from graphlab.ops.complex import conj
    from graphlab.ops.diagonal import matrix_transpose

    shape, right = compact._raw_shape(), rhs._raw_shape()
    vectors = False
    if shape is not None:
        if len(shape) < 2:
            raise ValueError(f"Expected diagonals to have rank at least 2, got {len(shape)}")
        if shape[-2] not in (None, 3):
            raise ValueError(f"Expected 3 diagonals got {shape[-2]}")
        if right is not None:
            if len(right) not in (len(shape) - 1, len(shape)):
                raise ValueError(f"Expected the rank of rhs to be {len(shape) - 1} or {len(shape)}, got {len(right)}")
            vectors = len(right) == len(shape) - 1
            batch = right[: len(shape) - 2]
            if any(a != b and None not in (a, b) for a, b in zip(shape[:-2], batch, strict=True)):
                raise ValueError(f"Batch shapes {shape[:-2]} and {batch} are incompatible")
    if vectors:
        rhs = expand_dims(conj(rhs) if conjugate else rhs, -1)
    elif transpose:
        rhs = matrix_transpose(rhs, conjugate=conjugate)
    elif conjugate:
        rhs = conj(rhs)
    n, rows = _known(compact, -1), _known(rhs, -2)
    if n is not None and rows is not None and n != rows:
        raise ValueError(f"Expected number of left-hand sided and right-hand sides to be equal, got {n} and {rows}")
    result = bind(TRIDIAGONAL_SOLVE, (compact, rhs), options, name)
    return squeeze(result, -1) if vectors else result


@public("linalg.banded_triangular_solve")
def banded_triangular_solve(
    bands: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """Solves systems of linear equations with triangular matrices of few diagonals; batch axes broadcast.

    Args:
      bands: float32, float64, complex64 or complex128, shape ``[..., m, n]``: the m diagonals from the highest to the
        lowest, each element in the place of its row. The main diagonal comes first in lower matrices, last in upper
        ones. What sticks out of the matrix is not looked at.
      rhs: a tensor of the dtype of ``bands`` and of shape ``[..., n, k]``.
      lower: whether the matrices are lower or upper triangles.
      adjoint: solve with the adjoint of the matrix.
      name: a name for the nodes.

    Returns:
      The solutions, shape ``[..., n, k]``.

    Raises:
      tf.errors.InvalidArgumentError: if a matrix can't be inverted, something is empty, or the shapes don't fit
        (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.linalg.banded_triangular_solve([[2., 2., 2.], [0., 1., 1.]], [[2.], [3.], [3.]]).numpy()
    array([[1.],
           [1.],
           [1.]], dtype=float32)
    """
    with name_scope(name, "banded_triangular_solve"):
        return bind(BANDED_SOLVE, (bands, rhs), {"lower": lower, "adjoint": adjoint})


@public("linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """Computes eigenvalues of one Hermitian tridiagonal matrix, and its eigenvectors.

    Args:
      alpha: the main diagonal, shape ``[n]``, floating-point or complex; only its real part counts.
      beta: the diagonal above it, of the dtype of ``alpha`` and of shape ``[n - 1]``; the one below is its conjugate.
      eigvals_only: leave the eigenvectors out.
      select: which eigenvalues: ``"a"`` all, ``"v"`` those in the interval ``(low, high]``, ``"i"`` those from the
        number ``low`` to the number ``high`` in rising order, counted from 0.
      select_range: ``(low, high)`` for ``"v"`` and ``"i"``.
      tol: how exact the result need be. It is as exact as the dtype allows whatever is asked for.
      name: a name for the nodes.

    Returns:
      The eigenvalues in rising order, real, shape ``[m]``; unless ``eigvals_only``, the pair of them and the
      eigenvectors as columns, shape ``[n, m]``.

    Raises:
      ValueError: ``select`` is another word, or the dtypes differ.
      tf.errors.InvalidArgumentError: the range is empty, or the shapes don't fit.

    >>> import graphlab as tf
    >>> tf.linalg.eigh_tridiagonal([2., 2.], [1.]).numpy().round(4)
    array([1., 3.], dtype=float32)
    """
    with name_scope(name, "eigh_tridiagonal"):
        alpha, beta = convert_to_tensor(alpha, name="alpha"), convert_to_tensor(beta, name="beta")
        if alpha.dtype is not beta.dtype:
            raise ValueError("'alpha' and 'beta' must have the same type.")
        if not (alpha.dtype.is_floating or alpha.dtype.is_complex):
            raise ValueError(f"The dtype {alpha.dtype.name} is neither floating-point nor complex.")
        if select not in ("a", "i", "v"):
            raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
        return _tridiagonal_eigen(alpha, beta, eigvals_only, select, select_range)


def _tridiagonal_eigen(alpha: Any, beta: Any, eigvals_only: bool, select: str, select_range: Any) -> Any:
    from graphlab.ops.casting import cast
    from graphlab.ops.complex import conj, real
    from graphlab.ops.diagonal import matrix_diag
    from graphlab.ops.linalg_decompositions import eigh, eigvalsh

    kind, kept = alpha.dtype.real_dtype, alpha.dtype
    length = _known(alpha, -1)
    if length is not None and length <= 1:
        return real(alpha)
    if kept in (dtypes.float16, dtypes.bfloat16):
        alpha, beta = cast(alpha, dtypes.float32), cast(beta, dtypes.float32)
    alpha = cast(real(alpha), alpha.dtype)
    matrix = matrix_diag(alpha) + matrix_diag(conj(beta), k=-1) + matrix_diag(beta, k=1)
    if eigvals_only:
        return cast(_selected([real(eigvalsh(matrix))], select, select_range)[0], kind)
    values, vectors = eigh(matrix)
    values, vectors = _selected([real(values), vectors], select, select_range)
    return cast(values, kind), cast(vectors, kept)


def _selected(parts: list[Any], select: str, select_range: Any) -> list[Any]:
    """Eigenvalues, and the columns that belong to them, that are asked for."""
    from graphlab.ops.comparison import greater, less_equal, logical_and
    from graphlab.ops.creation import range as numbers
    from graphlab.ops.debugging import assert_less, assert_less_equal
    from graphlab.ops.gather_scatter import gather
    from graphlab.ops.selection import where

    if select == "a":
        return parts
    low, high = select_range[0], select_range[1]
    values = parts[0]
    if select == "i":
        low, high = convert_to_tensor(low, dtypes.int32), convert_to_tensor(high, dtypes.int32)
        assert_less_equal(low, high, message="Got empty index range in select_range.")
        at = numbers(low, high + 1)
    else:
        low, high = convert_to_tensor(low, values.dtype), convert_to_tensor(high, values.dtype)
        assert_less(low, high, message="Got empty interval in select_range.")
        at = where(logical_and(greater(values, low), less_equal(values, high)))[:, 0]
    return [gather(part, at, axis=-1) for part in parts]
