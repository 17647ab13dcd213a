"""Diagonals and bands of matrices, and diagonal tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, FLOAT, INDEX, Arg, define
from graphlab.core.tensor import Tensor
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.linalg_operators import is_operator

_ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")

# ------------------------------------------------------------------------------------------------------------- kernels


def _bounds(k: Any) -> tuple[int, int]:
    values = k.reshape(-1).tolist()
    if len(values) not in (1, 2):
        raise InvalidArgumentError(
            None, None, f"diag_index must be a scalar or vector with one or two elements: {values}"
        )
    low, high = values[0], values[-1]
    if low > high:
        raise InvalidArgumentError(
            None, None, f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
        )
    return low, high


def _length(rows: int, columns: int, d: int) -> int:
    return min(rows + min(d, 0), columns - max(d, 0))


def _offset(d: int, length: int, longest: int, align: str) -> int:
    """How far to the right a shorter diagonal stands in its row of the compact form."""
    superdiagonal, subdiagonal = align.split("_")
    side = superdiagonal if d >= 0 else subdiagonal
    return longest - length if side == "RIGHT" else 0


def _checked(rows: int, columns: int, low: int, high: int) -> None:
    for d in (low, high):
        if not (-rows < d < columns or d == 0):
            raise InvalidArgumentError(
                None, None, f"diag index {d} is out of bounds for matrices of {rows} x {columns}"
            )


def _diag_part(x: Any, k: Any, padding_value: Any, align: str) -> Any:
    if x.ndim < 2:
        raise InvalidArgumentError(None, None, f"input must be at least 2-dim, received shape: {list(x.shape)}")
    low, high = _bounds(k)
    rows, columns = x.shape[-2:]
    _checked(rows, columns, low, high)
    longest = max(_length(rows, columns, d) for d in (low, high, 0 if low <= 0 <= high else low))
    compact = np.empty((*x.shape[:-2], high - low + 1, longest), x.dtype)
    compact[...] = padding_value
    for i, d in enumerate(range(high, low - 1, -1)):
        length = _length(rows, columns, d)
        start = _offset(d, length, longest, align)
        compact[..., i, start : start + length] = np.diagonal(x, d, -2, -1)
    return compact[..., 0, :] if low == high else compact


def _write(x: Any, diagonal: Any, low: int, high: int, align: str) -> None:
    rows, columns = x.shape[-2:]
    longest = diagonal.shape[-1]
    for i, d in enumerate(range(high, low - 1, -1)):
        length = _length(rows, columns, d)
        start = _offset(d, length, longest, align)
        at = np.arange(length)
        x[..., at + max(-d, 0), at + max(d, 0)] = diagonal[..., i, start : start + length]


def _matrix_diag(diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, align: str) -> Any:
    if diagonal.ndim < 1:
        raise InvalidArgumentError(None, None, "diagonal must be at least 1-dim, received a scalar")
    low, high = _bounds(k)
    if low == high:
        diagonal = diagonal[..., None, :]
    elif diagonal.ndim < 2 or diagonal.shape[-2] != high - low + 1:
        raise InvalidArgumentError(
            None, None, f"The number of diagonals is not {high - low + 1}: {list(diagonal.shape)}"
        )
    longest = diagonal.shape[-1]
    rows, columns = int(num_rows), int(num_cols)
    min_rows, min_columns = longest - min(high, 0), longest + max(low, 0)
    if rows == -1 and columns == -1:
        rows = columns = max(min_rows, min_columns)
    rows = min_rows if rows == -1 else rows
    columns = min_columns if columns == -1 else columns
    if rows < min_rows or columns < min_columns or (rows != min_rows and columns != min_columns):
        message = f"The sizes {rows} x {columns} don't fit diagonals {low} to {high} of {longest} elements"
        raise InvalidArgumentError(None, None, message)
    result = np.empty((*diagonal.shape[:-2], rows, columns), diagonal.dtype)
    result[...] = padding_value
    _write(result, diagonal, low, high, align)
    return result


def _set_diag(x: Any, diagonal: Any, k: Any, align: str) -> Any:
    if x.ndim < 2:
        raise InvalidArgumentError(None, None, f"input must be at least 2-dim, received shape: {list(x.shape)}")
    low, high = _bounds(k)
    rows, columns = x.shape[-2:]
    _checked(rows, columns, low, high)
    longest = max(_length(rows, columns, d) for d in (low, high, 0 if low <= 0 <= high else low))
    wanted = (*x.shape[:-2], *(() if low == high else (high - low + 1,)), longest)
    if diagonal.shape != wanted:
        message = f"Expected a diagonal of shape {list(wanted)}, but received {list(diagonal.shape)}"
        raise InvalidArgumentError(None, None, message)
    result = x.copy()
    _write(result, diagonal[..., None, :] if low == high else diagonal, low, high, align)
    return result


def _band_part(x: Any, num_lower: Any, num_upper: Any) -> Any:
    if x.ndim < 2:
        raise InvalidArgumentError(None, None, f"input must be at least 2-dim, received shape: {list(x.shape)}")
    rows, columns = x.shape[-2:]
    lower, upper = inference.number(num_lower, "num_lower"), inference.number(num_upper, "num_upper")
    if lower > rows or upper > columns:
        message = f"num_lower and num_upper must be at most {rows} and {columns}, not {lower} and {upper}"
        raise InvalidArgumentError(None, None, message)
    d = np.arange(columns) - np.arange(rows)[:, None]
    inside = ((d >= -lower) | (lower < 0)) & ((d <= upper) | (upper < 0))
    return np.where(inside, x, x.dtype.type(0))


def _diag(diagonal: Any) -> Any:
    if diagonal.ndim < 1:
        raise InvalidArgumentError(None, None, "The input of tensor_diag must be at least rank 1")
    return np.diag(diagonal.reshape(-1)).reshape(diagonal.shape * 2)


def _tensor_diag_part(x: Any) -> Any:
    half = x.ndim // 2
    if x.ndim == 0:
        return x
    if x.ndim % 2 or x.shape[:half] != x.shape[half:]:
        raise InvalidArgumentError(None, None, f"The two halves of the shape must be equal: {list(x.shape)}")
    size = int(np.prod(x.shape[:half]))
    return np.diagonal(x.reshape(size, size)).reshape(x.shape[:half])


# ----------------------------------------------------------------------------------------------------------- inference


def _known_bounds(arg: Arg) -> tuple[int, int] | None:
    k = arg.value
    try:
        return None if k is None else _bounds(k)
    except InvalidArgumentError as error:
        raise ValueError(str(error)) from None


def _diag_part_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape, bounds = inference.at_least_rank(args[0].shape, 2, "A batch of matrices"), _known_bounds(args[1])
    if shape is None or bounds is None:
        return None
    low, high = bounds
    rows, columns = shape[-2:]
    longest = None
    if rows is not None and columns is not None:
        longest = max(_length(rows, columns, d) for d in (low, high, 0 if low <= 0 <= high else low))
    return (*shape[:-2], *(() if low == high else (high - low + 1,)), longest)


def _matrix_diag_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape, bounds = inference.at_least_rank(args[0].shape, 1, "A diagonal"), _known_bounds(args[1])
    if shape is None or bounds is None:
        return None
    low, high = bounds
    batch = shape[:-1] if low == high else shape[:-2]
    sizes = [args[2].value, args[3].value]
    longest = shape[-1]
    if longest is None or any(size is None for size in sizes):
        return (*batch, None, None)
    rows, columns = int(sizes[0]), int(sizes[1])
    least = longest - min(high, 0), longest + max(low, 0)
    if rows == columns == -1:
        return (*batch, max(least), max(least))
    whole = least[0] if rows == -1 else rows, least[1] if columns == -1 else columns
    if whole[0] < least[0] or whole[1] < least[1] or (whole[0] != least[0] and whole[1] != least[1]):
        raise ValueError(f"The sizes {rows} x {columns} don't fit diagonals {low} to {high} of {longest} elements.")
    return (*batch, *whole)


def _tensor_diag_part_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape = args[0].shape
    if shape is None:
        return None
    if len(shape) % 2 or not shape:
        raise ValueError(f"The rank must be even and not 0, but the shape is {inference.show(shape)}.")
    half = len(shape) // 2
    return inference.merge(shape[:half], shape[half:])


def _tensor_diag_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape = inference.at_least_rank(args[0].shape, 1, "A diagonal")
    return None if shape is None else shape * 2


# ----------------------------------------------------------------------------------------------------------- gradients


def _matrix_diag_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import reduction

    k, align = op.inputs[1], op.attrs["align"]
    by_padding = None
    if op.needs(4):
        outside = set_diag(dy, _zeros_of(bind(DIAG_PART, (dy, k, _zero(dy)), {"align": align})), k=k, align=align)
        by_padding = reduction.reduce_sum(outside)
    return [bind(DIAG_PART, (dy, k, _zero(dy)), {"align": align}), None, None, None, by_padding]


def _zero(x: Any) -> Any:
    return np.zeros((), x.dtype.np)


def _zeros_of(x: Any) -> Any:
    from graphlab.ops.creation import zeros_like

    return zeros_like(x)


def _diag_part_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array_shape, creation

    x, k, _ = op.inputs
    zeros = creation.zeros(array_shape.shape_of(x), dy.dtype)
    return [set_diag(zeros, dy, k=k, align=op.attrs["align"]), None, None]


def _set_diag_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape = inference.at_least_rank(args[0].shape, 2, "The input")
    diagonal, k = inference.at_least_rank(args[1].shape, 1, "diagonal"), args[2].value
    if shape is None or diagonal is None or k is None:
        return shape
    band = np.reshape(k, -1)
    inference.merge(shape[:-2], diagonal[: -1 if band[0] == band[-1] else -2])
    return shape


def _set_diag_grad(op: Any, dy: Any) -> list[Any]:
    _, diagonal, k = op.inputs
    align = op.attrs["align"]
    return [
        set_diag(dy, _zeros_of(diagonal), k=k, align=align),
        bind(DIAG_PART, (dy, k, _zero(dy)), {"align": align}),
        None,
    ]


def _band_part_grad(op: Any, dy: Any) -> list[Any]:
    return [bind(BAND_PART, (dy, op.inputs[1], op.inputs[2])), None, None]


def _tensor_diag_gradient(_op: Any, dy: Any) -> Any:
    return tensor_diag_part(dy)


def _tensor_diag_part_gradient(_op: Any, dy: Any) -> Any:
    return tensor_diag(dy)


MATRIX_DIAG = define(
    "MatrixDiagV3", "diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T -> output: T",
    kernel=_matrix_diag, infer=_matrix_diag_shape, gradient=_matrix_diag_grad, attrs={"align": "RIGHT_LEFT"},
    can_fail=True, fp=False, name="diag",
)  # fmt: skip
DIAG_PART = define("MatrixDiagPartV3", "input: T, k: int32, padding_value: T -> diagonal: T", kernel=_diag_part,
                   infer=_diag_part_shape, gradient=_diag_part_grad, attrs={"align": "RIGHT_LEFT"}, can_fail=True,
                   fp=False, name="diag_part")  # fmt: skip
SET_DIAG = define("MatrixSetDiagV3", "input: T, diagonal: T, k: int32 -> output: T", kernel=_set_diag,
                  infer=_set_diag_shape, gradient=_set_diag_grad, attrs={"align": "RIGHT_LEFT"}, can_fail=True,
                  fp=False, name="set_diag")  # fmt: skip
BAND_PART = define("MatrixBandPart", "input: T, num_lower: Tindex, num_upper: Tindex -> band: T", kernel=_band_part,
                   infer=inference.unchanged, gradient=_band_part_grad, types={"Tindex": INDEX},
                   defaults={"Tindex": dtypes.int64}, can_fail=True, fp=False)  # fmt: skip
TENSOR_DIAG = define("Diag", "diagonal: T -> output: T", kernel=_diag, infer=_tensor_diag_shape,
                     gradient=_tensor_diag_gradient, types={"T": FLOAT | COMPLEX | INDEX},
                     can_fail=True, fp=False)  # fmt: skip
TENSOR_DIAG_PART = define("DiagPart", "input: T -> diagonal: T", kernel=_tensor_diag_part,
                          infer=_tensor_diag_part_shape, gradient=_tensor_diag_part_gradient,
                          types={"T": FLOAT | COMPLEX | INDEX}, can_fail=True, fp=False)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _aligned(align: str) -> dict[str, str]:
    if align not in _ALIGNMENTS:
        raise ValueError(f"align must be one of {', '.join(_ALIGNMENTS)}, not {align!r}.")
    return {"align": align}


@public("linalg.diag")
def matrix_diag(
    diagonal: Any,
    name: str | None = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Makes matrices of given diagonals.

    Args:
      diagonal: a tensor whose last axis is a diagonal; with several, the last two axes are the diagonals in compact
        form, the uppermost first.
      name: a name for the node.
      k: which diagonal (0 is the main one, positive ones are above it), or a pair: the lowest and the highest.
      num_rows: the number of rows; the smallest that fits by default.
      num_cols: the number of columns; the smallest that fits by default.
      padding_value: what stands elsewhere.
      align: how diagonals shorter than the longest stand in the compact form: for those above and those below the main
        one, ``"RIGHT_LEFT"``, ``"LEFT_RIGHT"``, ``"LEFT_LEFT"`` or ``"RIGHT_RIGHT"``.

    Raises:
      tf.errors.InvalidArgumentError: if the sizes don't fit.

    >>> import graphlab as tf
    >>> tf.linalg.diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    with name_scope(name, "diag") as scope:
        given, diagonal = diagonal, convert_to_tensor(diagonal, name="diagonal")
        if diagonal.dtype is dtypes.bool:
            padding_value = _padding(given, padding_value)
        return bind(MATRIX_DIAG, (diagonal, k, num_rows, num_cols, padding_value), _aligned(align), scope or name)


def _padding(given: Any, padding_value: Any) -> Any:
    """What fills up bools: beside a tensor a number will do, as in TensorFlow."""
    if isinstance(given, Tensor) or isinstance(padding_value, (bool, Tensor)):
        return padding_value if isinstance(padding_value, Tensor) else bool(padding_value)
    raise TypeError(f"padding_value must be a bool, not {padding_value!r}. Write padding_value=False.")


@public("linalg.diag_part")
def diag_part(
    input: Any, name: str | None = "diag_part", k: Any = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> Any:
    """Returns diagonals of matrices.

    Args:
      input: a tensor of rank 2 or more.
      name: a name for the node.
      k: which diagonal, or a pair: the lowest and the highest.
      padding_value: what fills the places beside diagonals shorter than the longest.
      align: how those stand, see ``tf.linalg.diag``.

    Raises:
      tf.errors.InvalidArgumentError: if there is no such diagonal.

    >>> import graphlab as tf
    >>> tf.linalg.diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    if is_operator(input):
        return input.diag_part()
    with name_scope(name, "diag_part") as scope:
        given, input = input, convert_to_tensor(input, name="input")
        if input.dtype is dtypes.bool:
            padding_value = _padding(given, padding_value)
        return bind(DIAG_PART, (input, k, padding_value), _aligned(align), scope or name)


@public("linalg.set_diag")
def set_diag(input: Any, diagonal: Any, name: str | None = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    """Returns matrices with their diagonals replaced.

    Args:
      input: a tensor of rank 2 or more.
      diagonal: the new diagonals, as ``tf.linalg.diag_part`` returns them.
      name: a name for the node.
      k: which diagonal, or a pair: the lowest and the highest.
      align: how diagonals shorter than the longest stand, see ``tf.linalg.diag``.

    Raises:
      tf.errors.InvalidArgumentError: if the sizes don't fit.

    >>> import graphlab as tf
    >>> tf.linalg.set_diag([[1, 2], [3, 4]], [7, 8]).numpy()
    array([[7, 2],
           [3, 8]], dtype=int32)
    """
    return bind(SET_DIAG, (input, diagonal, k), _aligned(align), name)


@public("linalg.band_part")
def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Any:
    """Returns matrices with everything outside a band around the main diagonal set to 0.

    Args:
      input: a tensor of rank 2 or more.
      num_lower: how many diagonals below the main one stay; negative: all.
      num_upper: how many above it; negative: all.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if there are not so many.

    >>> import graphlab as tf
    >>> tf.linalg.band_part([[1, 2], [3, 4]], -1, 0).numpy()
    array([[1, 0],
           [3, 4]], dtype=int32)
    """
    return bind(BAND_PART, (input, num_lower, num_upper), None, name)


@public("linalg.tensor_diag")
def tensor_diag(diagonal: Any, name: str | None = None) -> Any:
    """Makes a tensor of twice the rank that is ``diagonal`` where both halves of the index are equal, and 0 elsewhere.

    Args:
      diagonal: a tensor of rank 1 or more.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.linalg.tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    return bind(TENSOR_DIAG, (diagonal,), None, name)


@public("linalg.tensor_diag_part")
def tensor_diag_part(input: Any, name: str | None = None) -> Any:
    """Returns the elements for which both halves of the index are equal.

    Args:
      input: a tensor of even rank whose shape has two equal halves.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    return bind(TENSOR_DIAG_PART, (input,), None, name)


@public("linalg.trace")
def trace(x: Any, name: str | None = None) -> Any:
    """Returns the sum of the main diagonal of matrices.

    Args:
      x: a tensor of rank 2 or more.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.linalg.trace([[1, 2], [3, 4]]).numpy()
    np.int32(5)
    """
    if is_operator(x):
        return x.trace()
    from graphlab.ops.reduction import reduce_sum

    with name_scope(name, "Trace") as scope:
        return reduce_sum(diag_part(convert_to_tensor(x, name="x")), [-1], name=scope or None)


@public("linalg.matrix_transpose")
def matrix_transpose(a: Any, name: str | None = "matrix_transpose", conjugate: bool = False) -> Any:
    """Exchanges the last two axes.

    Args:
      a: a tensor of rank 2 or more.
      name: a name for the nodes' scope.
      conjugate: also take complex conjugates.

    Raises:
      ValueError: for a lower rank.

    >>> import graphlab as tf
    >>> tf.linalg.matrix_transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    from graphlab.ops import array, array_shape, creation

    with name_scope(name, "matrix_transpose"):
        a = convert_to_tensor(a, name="a")
        shape = a._raw_shape()
        if shape is not None:
            rank = len(shape)
            if rank < 2:
                raise ValueError(
                    f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {a} with shape: {a.shape}"
                )
            order: Any = [*range(rank - 2), rank - 1, rank - 2]
        else:
            ranks = array_shape.rank(a)
            front = creation.range(0, ranks - 2, name="Range")
            order = array.concat([front, [ranks - 1, ranks - 2]], 0)
        return array.transpose(a, order, conjugate=conjugate)


@public("linalg.adjoint")
def adjoint(matrix: Any, name: str | None = None) -> Any:
    """Transposes matrices and takes complex conjugates.

    Args:
      matrix: a tensor of rank 2 or more.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.linalg.adjoint([[1 + 1j, 2 - 2j]]).numpy()
    array([[1.-1.j],
           [2.+2.j]])
    """
    if is_operator(matrix):
        return matrix.adjoint()
    with name_scope(name, "adjoint"):
        return matrix_transpose(convert_to_tensor(matrix, name="matrix"), conjugate=True)
