"""Products of matrices, and of batches of matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError, NoKernelError
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, FLOAT, INDEX, REQUIRED, SIGNED, UNSIGNED, Arg, define
from graphlab.core.operators import quick_matmul
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor
from graphlab.ops import inference
from graphlab.ops.inference import Shape
from graphlab.ops.linalg_operators import is_operator

# NumPy's product is TensorFlow's for these: eagerly, outside of tapes, nothing else needs to be looked at.
_FAST = frozenset((np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32), np.dtype(np.int64)))
_TYPES = FLOAT | INDEX | UNSIGNED | COMPLEX

# ------------------------------------------------------------------------------------------------------------- kernels


def _product(a: Any, b: Any) -> Any:
    """``a @ b`` in the dtype of its arguments; halves are multiplied as float32, whose sums they can't hold."""
    if a.shape[-1] != b.shape[-2]:
        message = f"Matrix size-incompatible: In[0]: {list(a.shape)}, In[1]: {list(b.shape)}"
        raise InvalidArgumentError(None, None, message)
    if a.dtype.itemsize == 2 and a.dtype.kind in "fV":
        return np.matmul(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
    return np.matmul(a, b)


def _no_unsigned(a: Any) -> None:
    """TensorFlow declares unsigned integers and has no kernel for them."""
    if a.dtype.kind == "u":
        raise NoKernelError(None, None, f"Could not find device for node: MatMul has no kernel for {a.dtype}.")


def _matmul(a: Any, b: Any, transpose_a: bool, transpose_b: bool, grad_a: bool, grad_b: bool) -> Any:
    _no_unsigned(a)
    if a.ndim != 2 or b.ndim != 2:
        which = 0 if a.ndim != 2 else 1
        message = f"In[{which}] and In[{1 - which}] has different ndims: {list(a.shape)} vs. {list(b.shape)}"
        if a.ndim == b.ndim:
            message = f"In[{which}] is not a matrix: its shape is {list((a, b)[which].shape)}"
        raise InvalidArgumentError(None, None, message)
    return _product(a.T if transpose_a else a, b.T if transpose_b else b)


def _adjoint(x: Any) -> Any:
    x = np.swapaxes(x, -1, -2)
    return np.conj(x) if x.dtype.kind == "c" else x


def _batch_matmul(x: Any, y: Any, adj_x: bool, adj_y: bool, grad_x: bool, grad_y: bool) -> Any:
    _no_unsigned(x)
    for i, array in enumerate((x, y)):
        if array.ndim < 2:
            raise InvalidArgumentError(None, None, f"In[{i}] ndims must be >= 2: {array.ndim}")
    return _product(_adjoint(x) if adj_x else x, _adjoint(y) if adj_y else y)


def _batch_matmul_to(
    x: Any,
    y: Any,
    adj_x: bool,
    adj_y: bool,
    grad_x: bool,
    grad_y: bool,
    Tout: DType,
) -> Any:
    return _batch_matmul(x.astype(Tout.np), y.astype(Tout.np), adj_x, adj_y, grad_x, grad_y)


# ----------------------------------------------------------------------------------------------------------- inference


def _flip(shape: tuple[int | None, ...], flip: bool) -> tuple[int | None, int | None]:
    return (shape[-1], shape[-2]) if flip else (shape[-2], shape[-1])


def _matmul_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    rows, inner = _flip(inference.with_rank(args[0].shape, 2, "A matrix"), attrs["transpose_a"])
    other, columns = _flip(inference.with_rank(args[1].shape, 2, "A matrix"), attrs["transpose_b"])
    inference.merge_dim(inner, other, "The inner sizes of a matrix product")
    return (rows, columns)


def _batch_matmul_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    x = inference.at_least_rank(args[0].shape, 2, "A batch of matrices")
    y = inference.at_least_rank(args[1].shape, 2, "A batch of matrices")
    if x is None or y is None:
        return None
    rows, inner = _flip(x, attrs["adj_x"])
    other, columns = _flip(y, attrs["adj_y"])
    inference.merge_dim(inner, other, "The inner sizes of a matrix product")
    batch = inference.broadcast(x[:-2], y[:-2])
    return None if batch is None else (*batch, rows, columns)


# ----------------------------------------------------------------------------------------------------------- gradients


def _matmul_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.complex import conj

    a, b = op.inputs
    ta, tb = op.attrs["transpose_a"], op.attrs["transpose_b"]
    if a.dtype.is_complex:
        a, b = conj(a), conj(b)

    def product(x: Any, y: Any, tx: bool, ty: bool) -> Any:
        return bind(MAT_MUL, (x, y), {"transpose_a": tx, "transpose_b": ty})

    by_a = by_b = None
    if op.needs(0):
        by_a = product(b, dy, tb, True) if ta else product(dy, b, False, not tb)
    if op.needs(1):
        by_b = product(dy, a, True, ta) if tb else product(a, dy, not ta, False)
    return [by_a, by_b]


def _batch_matmul_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.casting import cast

    x, y = op.inputs
    ax, ay = op.attrs["adj_x"], op.attrs["adj_y"]

    def product(u: Any, v: Any, au: bool, av: bool) -> Any:
        if u.dtype is not v.dtype:
            u, v = cast(u, dy.dtype), cast(v, dy.dtype)
        return bind(BATCH_MAT_MUL, (u, v), {"adj_x": au, "adj_y": av})

    def by_x() -> Any:
        return product(y, dy, ay, True) if ax else product(dy, y, False, not ay)

    def by_y() -> Any:
        return product(dy, x, True, ax) if ay else product(x, dy, not ax, False)

    if state.graph is not None:
        return _unbatched_in_graph([cast(by_x(), x.dtype), cast(by_y(), y.dtype)], x, y)
    return [
        _unbatched(cast(gradient(), t.dtype), t) if op.needs(i) else None
        for i, (gradient, t) in enumerate(((by_x, x), (by_y, y)))
    ]


def _unbatched_in_graph(gradients: list[Any], x: Any, y: Any) -> list[Any]:
    """The gradients of two factors, summed over the axes of the batch along which they were broadcast."""
    from graphlab.ops import array, array_shape, reduction
    from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS, known

    shapes = x._raw_shape(), y._raw_shape()
    if all(s is not None and known(s[:-2]) for s in shapes) and shapes[0][:-2] == shapes[1][:-2]:
        return gradients
    sizes = array_shape.shape(x), array_shape.shape(y)
    axes = bind(BROADCAST_GRADIENT_ARGS, (sizes[0][:-2], sizes[1][:-2]))
    return [array.reshape(reduction.reduce_sum(g, a), size) for g, a, size in zip(gradients, axes, sizes, strict=True)]


def _unbatched(g: Any, x: Any) -> Any:
    """``g`` summed over the batch axes along which ``x`` was broadcast."""
    from graphlab.ops import array, array_shape, reduction
    from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS, known, sum_to

    if known(x._raw_shape()) and known(g._raw_shape()):
        return sum_to(g, x._raw_shape())
    if x._raw_shape() is not None and g._raw_shape() is not None and len(x._raw_shape()) == len(g._raw_shape()) == 2:
        return g
    mine, whole = array_shape.shape(x), array_shape.shape(g)
    axes, _ = bind(BROADCAST_GRADIENT_ARGS, (mine[:-2], whole[:-2]))
    return array.reshape(reduction.reduce_sum(g, axes), mine)


MAT_MUL = define(
    "MatMul", "a: T, b: T -> product: T", kernel=_matmul, infer=_matmul_shape, gradient=_matmul_grad,
    types={"T": _TYPES}, attrs={"transpose_a": False, "transpose_b": False, "grad_a": False, "grad_b": False},
    can_fail=True,
)  # fmt: skip
BATCH_MAT_MUL = define(
    "BatchMatMulV2", "x: T, y: T -> output: T", kernel=_batch_matmul, infer=_batch_matmul_shape,
    gradient=_batch_matmul_grad, types={"T": _TYPES | {dtypes.int16}},
    attrs={"adj_x": False, "adj_y": False, "grad_x": False, "grad_y": False}, can_fail=True, name="MatMul",
)  # fmt: skip
BATCH_MAT_MUL_TO = define(
    "BatchMatMulV3", "x: Ta, y: Tb -> output: Tout", kernel=_batch_matmul_to, infer=_batch_matmul_shape,
    gradient=_batch_matmul_grad,
    types={"Ta": FLOAT | SIGNED | COMPLEX | {dtypes.uint8}, "Tb": FLOAT | SIGNED | COMPLEX | {dtypes.uint8}},
    attrs={"adj_x": False, "adj_y": False, "grad_x": False, "grad_y": False, "Tout": REQUIRED}, can_fail=True,
    name="MatMul",
)  # fmt: skip


@public("linalg.matmul", "matmul")
def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Any:
    """Multiplies matrices, or batches of matrices (which broadcast).

    Args:
      a: a tensor of rank 2 or more.
      b: a tensor of the dtype of ``a``.
      transpose_a: transpose the matrices of ``a`` first.
      transpose_b: transpose the matrices of ``b`` first.
      adjoint_a: transpose and conjugate the matrices of ``a`` first.
      adjoint_b: transpose and conjugate the matrices of ``b`` first.
      a_is_sparse: a hint that ``a`` holds many zeros; the result is the same.
      b_is_sparse: a hint that ``b`` holds many zeros.
      output_type: the dtype of the result, in which it is computed; that of ``a`` by default.
      grad_a: a mark for compilers that ``a`` is a gradient.
      grad_b: a mark for compilers that ``b`` is a gradient.
      name: a name for the node.

    Raises:
      ValueError: if both transpose and adjoint are asked for one argument, or (while tracing) shapes don't fit.
      tf.errors.InvalidArgumentError: if shapes don't fit; vectors are no matrices.

    >>> import graphlab as tf
    >>> tf.matmul([[1, 2], [3, 4]], [[5], [6]]).numpy()
    array([[17],
           [39]], dtype=int32)
    """
    del a_is_sparse, b_is_sparse
    if a.__class__ is EagerTensor and not (transpose_a or transpose_b or adjoint_a or adjoint_b or output_type):
        quick = quick_matmul(a, b)
        if quick is not None:
            return quick
    if is_operator(a) or is_operator(b):
        return _with_operator(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b)
    if transpose_a and adjoint_a:
        raise ValueError("Only one of `transpose_a` and `adjoint_a` can be True.")
    if transpose_b and adjoint_b:
        raise ValueError("Only one of `transpose_b` and `adjoint_b` can be True.")
    if hasattr(a, "nested_row_splits") or hasattr(b, "nested_row_splits"):
        return _of_ragged(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, name)
    with name_scope(name, "MatMul") as scope:
        a = convert_to_tensor(a, name="a")
        b = convert_to_tensor(b, dtype_hint=a.dtype, name="b")
        node = scope or name
        ranks = [None if t._raw_shape() is None else len(t._raw_shape()) for t in (a, b)]
        if output_type is not None and dtypes.as_dtype(output_type) is not a.dtype:
            batched = True
        else:
            batched = any(r is None or r > 2 for r in ranks)
        if batched:
            a, adj_a = _as_adjoint(a, transpose_a, adjoint_a)
            b, adj_b = _as_adjoint(b, transpose_b, adjoint_b)
            attrs: dict[str, Any] = {"adj_x": adj_a, "adj_y": adj_b, "grad_x": grad_a, "grad_y": grad_b}
            if output_type is not None and dtypes.as_dtype(output_type) is not a.dtype:
                return bind(BATCH_MAT_MUL_TO, (a, b), {**attrs, "Tout": dtypes.as_dtype(output_type)}, node)
            return bind(BATCH_MAT_MUL, (a, b), attrs, node)
        if a.dtype.is_complex and (adjoint_a or adjoint_b):
            from graphlab.ops.complex import conj

            a, b = (conj(a) if adjoint_a else a), (conj(b) if adjoint_b else b)
        attrs = {
            "transpose_a": bool(transpose_a or adjoint_a),
            "transpose_b": bool(transpose_b or adjoint_b),
            "grad_a": grad_a,
            "grad_b": grad_b,
        }
        return bind(MAT_MUL, (a, b), attrs, node)


def _with_operator(a: Any, b: Any, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool) -> Any:
    """The product where one or both are linear operators."""
    if transpose_a or transpose_b:
        raise ValueError("Linear operators can't be transposed, only their adjoints be taken.")
    if is_operator(a):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b)
    from graphlab.ops.diagonal import adjoint

    return adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a))


def _of_ragged(
    a: Any, b: Any, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool, name: str | None
) -> Any:
    from graphlab.ops import ragged_whole

    if transpose_a or adjoint_a or (hasattr(b, "nested_row_splits") and (transpose_b or adjoint_b)):
        raise ValueError("Matrices of a RaggedTensor can't be transposed: their rows have different lengths.")
    if transpose_b or adjoint_b:
        from graphlab.ops.diagonal import adjoint, matrix_transpose

        b = (adjoint if adjoint_b else matrix_transpose)(b)
    return ragged_whole.matmul(a, b, name)


def _as_adjoint(x: Any, transpose: bool, adjoint: bool) -> tuple[Any, bool]:
    """The batched op knows adjoints only: a transpose is the adjoint of the conjugate."""
    if not transpose:
        return x, bool(adjoint)
    if x.dtype.is_complex:
        from graphlab.ops.complex import conj

        x = conj(x)
    return x, True


@public("linalg.matvec")
def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Multiplies matrices by vectors.

    Args:
      a: a tensor of rank 2 or more.
      b: a tensor of the dtype of ``a`` and one rank less: the vectors.
      transpose_a: transpose the matrices first.
      adjoint_a: transpose and conjugate the matrices first.
      a_is_sparse: a hint that ``a`` holds many zeros; the result is the same.
      b_is_sparse: a hint that ``b`` holds many zeros.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.linalg.matvec([[1, 2], [3, 4]], [5, 6]).numpy()
    array([17, 39], dtype=int32)
    """
    from graphlab.ops.array import expand_dims, squeeze

    if is_operator(a):
        if transpose_a:
            raise ValueError("Linear operators can't be transposed, only their adjoints be taken.")
        return a.matvec(b, adjoint=adjoint_a)
    with name_scope(name, "MatVec"):
        product = matmul(
            a,
            expand_dims(b, axis=-1),
            transpose_a=transpose_a,
            adjoint_a=adjoint_a,
            a_is_sparse=a_is_sparse,
            b_is_sparse=b_is_sparse,
        )
        return squeeze(product, axis=-1)
