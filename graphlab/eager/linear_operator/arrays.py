"""What the operators compute with: batches brought together, products of shapes, dense systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.shape import TensorShape
from graphlab.eager.variable import Variable
from graphlab.ops import linalg
from graphlab.ops.array import concat
from graphlab.ops.array_shape import broadcast_to
from graphlab.ops.array_shape import shape as shape_of
from graphlab.ops.broadcasting import broadcast_dynamic_shape, broadcast_static_shape
from graphlab.ops.diagonal import matrix_transpose


def square(vector: Any) -> TensorShape:
    """The shape ``[..., n, n]`` for a tensor ``[..., n]``."""
    known = TensorShape(vector.shape)
    return known.concatenate(known[-1:])


def square_sizes(vector: Any) -> Any:
    """The same as a tensor."""
    sizes = shape_of(vector)
    return concat([sizes, sizes[-1:]], 0)


def tensor(value: Any, name: str | None = None) -> Any:
    """A tensor made of what a user gave; a variable stays one, so that its later values count."""
    return value if isinstance(value, Variable) else convert_to_tensor(value, name=name)


def adjoint(x: Any) -> Any:
    """Transposed and conjugated."""
    return matrix_transpose(x, conjugate=True)


def dims(shape: TensorShape) -> Any:
    """A shape as an int32 tensor.  It must be known."""
    return convert_to_tensor(np.array(shape.as_list(), np.int32))


def joined_shape(*shapes: TensorShape) -> TensorShape:
    """What batch shapes broadcast to."""
    result = TensorShape([])
    for shape in shapes:
        result = broadcast_static_shape(result, shape)
    return result


def joined_dims(*shapes: Any) -> Any:
    """What batch shapes, given as tensors, broadcast to."""
    result = convert_to_tensor(np.array([], np.int32))
    for shape in shapes:
        result = broadcast_dynamic_shape(result, shape)
    return result


def with_batch(x: Any, batch: TensorShape, batch_dims: Any, tail: int = 2) -> Any:
    """``x`` repeated for a batch; ``tail`` axes at its end belong to the element."""
    known = TensorShape(x.shape)
    if batch.rank == 0 or (batch.is_fully_defined() and known.rank is not None and known[:-tail] == batch):
        return x
    sizes = shape_of(x)
    result = broadcast_to(x, concat([broadcast_dynamic_shape(batch_dims, sizes[:-tail]), sizes[-tail:]], 0))
    if known.rank is not None and batch.rank is not None:
        result.set_shape(broadcast_static_shape(known[:-tail], batch).concatenate(known[-tail:]))
    return result


def same_batch(a: Any, b: Any) -> tuple[Any, Any]:
    """Two batches of matrices, each repeated so that both have the batch shape that they broadcast to."""
    first, second = TensorShape(a.shape), TensorShape(b.shape)
    if first.rank is not None and second.rank is not None:
        if first.rank == 2 and second.rank == 2:
            return a, b
        if first.is_fully_defined() and second.is_fully_defined() and first[:-2] == second[:-2]:
            return a, b
    return (
        with_batch(a, second[:-2], shape_of(b)[:-2]),
        with_batch(b, first[:-2], shape_of(a)[:-2]),
    )


def dense_solve(matrix: Any, rhs: Any, adjoint: bool = False) -> Any:
    """``tf.linalg.solve`` with broadcast batches."""
    matrix, rhs = same_batch(matrix, rhs)
    return linalg.solve(matrix, rhs, adjoint=adjoint)


def cholesky_solve(factor: Any, rhs: Any) -> Any:
    """Solves with ``factor @ factor^H``, broadcast."""
    half = linalg.triangular_solve(factor, rhs)
    return linalg.triangular_solve(factor, half, adjoint=True)


def known_value(value: Any) -> Any:
    """The array behind a number, array or tensor if it is known while tracing, else None."""
    if isinstance(value, Variable):
        return None
    return static.value(convert_to_tensor(value))


def int_tensor(value: Any, name: str) -> Any:
    """An integer tensor.  TypeError for other dtypes."""
    result = convert_to_tensor(value, name=name)
    if not result.dtype.is_integer:
        raise TypeError(f"Argument {name} must be integer type.  Found: {result}")
    return result


def number(value: float, dtype: Any) -> Any:
    """A scalar tensor."""
    return convert_to_tensor(np.array(value, dtypes.as_dtype(dtype).np))
