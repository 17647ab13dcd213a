"""``tf.map_fn`` over RaggedTensors and SparseTensors, and to them: their elements, and results put together to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.control.tensor_array import TensorArray
from graphlab.control.while_loop import while_loop
from graphlab.core import dtypes, nest
from graphlab.core.convert import convert_to_tensor, make
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.ops.lazily import ops


class Elements:
    """The parts of a RaggedTensor or SparseTensor along its first axis, read as those of a TensorArray."""

    __slots__ = ("_whole",)

    def __init__(self, whole: CompositeTensor) -> None:
        self._whole: Any = whole

    def read(self, index: Any) -> Any:
        """The part at ``index``, a scalar."""
        whole = self._whole
        if hasattr(whole, "nested_row_splits"):
            return whole[index]
        start = ops.concat([[ops.cast(index, dtypes.int64)], ops.zeros_like(whole.dense_shape[1:])], 0)
        size = ops.concat([ops.ones([1], dtypes.int64), whole.dense_shape[1:]], 0)
        part = ops.sparse.slice(whole, start, size)
        return ops.SparseTensor(part.indices[:, 1:], part.values, whole.dense_shape[1:])


def element_spec(whole: Any) -> TypeSpec | None:
    """The spec of a composite's parts; None for a tensor."""
    if not isinstance(whole, CompositeTensor):
        return None
    return _spec_of_parts(whole)


def _spec_of_parts(whole: Any) -> TypeSpec:
    shape = whole.shape[1:]
    if hasattr(whole, "nested_row_splits"):
        return ops.RaggedTensorSpec(shape, whole.dtype, whole.ragged_rank - 1, whole.row_splits.dtype)  # type: ignore[no-any-return]
    return ops.SparseTensorSpec(shape, whole.dtype)  # type: ignore[no-any-return]


class Results:
    """What becomes one composite: the parts of the results, an array of each kind.

    Args:
      spec: the spec of one result: a RaggedTensorSpec (a tensor, if its ragged rank is 0) or SparseTensorSpec.
      size: how many results there will be.

    Raises:
      TypeError: another spec.
    """

    __slots__ = ("arrays", "spec")

    def __init__(self, spec: TypeSpec, size: Any) -> None:
        if not isinstance(spec, ops.RaggedTensorSpec | ops.SparseTensorSpec):
            raise TypeError(f"map_fn takes dtypes and specs of tensors as output signature, not {spec!r}.")
        self.spec: Any = spec

        def parts(dtype: Any, inner: Sequence[int | None]) -> TensorArray:
            return TensorArray(dtype, size, infer_shape=False, element_shape=[None, *inner])

        dims = None if spec.shape.rank is None else spec.shape.as_list()
        if hasattr(spec, "ragged_rank"):
            kind = spec.row_splits_dtype
            inner = dims[spec.ragged_rank + 1 :] if dims is not None else []
            self.arrays = [parts(spec.dtype, inner), TensorArray(kind, size, element_shape=[])]
            self.arrays += [parts(kind, []) for _ in range(spec.ragged_rank)]
        else:
            rank = 1 if dims is None else len(dims)
            self.arrays = [parts(dtypes.int64, [rank]), parts(spec.dtype, []), TensorArray(dtypes.int64, size)]
            self.arrays.append(TensorArray(dtypes.int64, size, element_shape=[]))

    def taken_apart(self, value: Any) -> list[Any]:
        """The parts of one result.

        Raises:
          ValueError: it is no such value as the spec says.
        """
        spec = self.spec
        if hasattr(spec, "ragged_rank"):
            if not spec.ragged_rank:
                value = convert_to_tensor(value)
                given: Any = TensorSpec(value.shape, value.dtype)
                if value.dtype is spec.dtype and spec.shape.is_compatible_with(value.shape):
                    return [value, ops.shape(value, out_type=spec.row_splits_dtype)[0]]
            else:
                given = getattr(value, "_type_spec", value)
                if hasattr(value, "nested_row_splits") and spec.ragged_rank == value.ragged_rank:
                    value = value.with_row_splits_dtype(spec.row_splits_dtype)
                    if value.dtype is spec.dtype and spec.shape.is_compatible_with(value.shape):
                        return [value.flat_values, value.nrows(), *value.nested_row_lengths()]
        else:
            given = getattr(value, "_type_spec", value)
            if isinstance(value, ops.SparseTensor) and value.dtype is spec.dtype:
                count = ops.size(value.values, out_type=dtypes.int64)
                return [value.indices, value.values, value.dense_shape, count]
        raise ValueError(f"Error in map_fn: Expected `fn` to return a {spec!r}, but it returned a {given!r}.")

    def joined(self, done: Sequence[TensorArray], size: Any) -> Any:
        """The composite of all results."""
        if hasattr(self.spec, "ragged_rank"):
            values, lengths, *levels = (a.stack() if i == 1 else a.concat() for i, a in enumerate(done))
            found = ops.RaggedTensor.from_nested_row_lengths(values, [lengths, *levels], validate=False)
            if isinstance(size, int):
                found.row_splits.set_shape([size + 1])
            dims = [None] * (self.spec.ragged_rank + 1) if self.spec.shape.rank is None else self.spec.shape.as_list()
            return uniform_where_known(found, dims[: self.spec.ragged_rank])
        places, values, shapes, counts = done
        # Each place is that in its result, with the number of the result in front.
        rows = ops.cast(size, dtypes.int64)
        number = ops.expand_dims(ops.repeat(ops.range(rows), counts.stack()), 1)
        whole = ops.concat([[rows], ops.reduce_max(shapes.stack(), 0)], 0)
        return ops.SparseTensor(ops.concat([number, places.concat()], 1), values.concat(), whole)


def uniform_where_known(rows: Any, lengths: Sequence[int | None]) -> Any:
    """The same rows, of which the spec of a result says how long those of each level are, where it does."""
    if not hasattr(rows, "nested_row_splits"):
        return rows
    values = uniform_where_known(rows.values, lengths[1:])
    if not lengths or lengths[0] is None:
        return rows.with_values(values)
    return type(rows)(values, rows.row_splits, ops.constant(lengths[0], rows.row_splits.dtype))


def mapped(
    fn: Callable[..., Any],
    size: Any,
    outputs: Sequence[Any],
    structure: Any,
    element: Callable[[Any], Any],
    checked: Any,
) -> list[Any]:
    """The loop of ``tf.map_fn`` where some results are composites: all results, flat."""
    counts = [len(o.arrays) if isinstance(o, Results) else 1 for o in outputs]
    start = [array for o in outputs for array in (o.arrays if isinstance(o, Results) else [o])]

    def body(index: Any, *done: Any) -> Any:
        result = fn(element(index))
        nest.assert_same_structure(structure, result, check_types=False)
        written: list[TensorArray] = []
        rest = list(done)
        for output, count, value in zip(outputs, counts, nest.flatten(result), strict=True):
            arrays, rest = rest[:count], rest[count:]
            parts = output.taken_apart(value) if isinstance(output, Results) else [checked(value, arrays[0])]
            written += [array.write(index, part) for array, part in zip(arrays, parts, strict=True)]
        return (index + 1, *written)

    _, *done = while_loop(lambda i, *_: i < size, body, (make(np.array(0, np.int32)), *start))
    found = []
    for output, count in zip(outputs, counts, strict=True):
        arrays, done = done[:count], done[count:]
        found.append(output.joined(arrays, size) if isinstance(output, Results) else arrays[0].stack())
    return found
