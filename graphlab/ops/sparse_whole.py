"""What functions that look at whole tensors do with SparseTensors, by the name of the public function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from graphlab.core import dtypes
from graphlab.core.dispatch import name_scope
from graphlab.ops.lazily import ops


def shape(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """The sizes."""
    with name_scope(name, "Shape"):
        return ops.cast(input.dense_shape, dtypes.int32 if out_type is None else out_type)


def size(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """How many elements there are, zeros included."""
    with name_scope(name, "Size"):
        return ops.reduce_prod(ops.cast(input.dense_shape, dtypes.int32 if out_type is None else out_type), 0)


def rank(input: Any, name: str | None = None) -> Any:
    """The number of axes."""
    with name_scope(name, "Rank"):
        return ops.size(input.dense_shape)


def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Any:
    """TypeError unless the values have a dtype."""
    return ops.debugging.assert_type(tensor.values, tf_type, message, name)


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Any:
    """How often each number is among the values, of all or of each row; zeros that are not there do not count."""
    if not arr.dtype.is_integer:
        arr = arr.with_values(ops.cast(arr.values, dtypes.int32))
    if axis == -1:
        counts = ops.sparse.bincount(
            arr, weights, axis=-1, minlength=minlength, maxlength=maxlength, binary_output=binary_output, name=name
        )
        found = ops.sparse.to_dense(counts)
        return found if weights is not None else ops.cast(found, dtype)
    parts = weights.values if hasattr(weights, "dense_shape") else weights
    return ops.math.bincount(arr.values, parts, minlength, maxlength, dtype, name, axis, binary_output)


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function for function in (assert_type, bincount, rank, shape, size)
}
