"""What functions that look at whole tensors do with RaggedTensors: turned rows, picked elements, parts, products.

``FUNCTIONS`` has them by the name of the public function, and ``OPS`` by the type of the op that a public function runs
without looking at its arguments. Both are asked only after a RaggedTensor was found where a tensor is wanted, so they
cost others nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.ops.lazily import ops
from graphlab.ops.ragged import RaggedTensor
from graphlab.ops.ragged_rows import axis_of, by_rows, picked_rows, rank_of, reduced

Inputs = Sequence[Any]
Attrs = Mapping[str, Any]


def is_ragged(value: Any) -> bool:
    """Whether it is a RaggedTensor."""
    return isinstance(value, RaggedTensor)


def innermost(x: Any, function: Callable[[Any], Any]) -> Any:
    """A function of the RaggedTensor whose values are a tensor, with all outer rows around its result."""
    return x.with_values(innermost(x.values, function)) if is_ragged(x.values) else function(x)


def through_tensor(x: Any, function: Callable[[Any], Any]) -> Any:
    """A function of tensors that keeps shapes: rows are filled up for it, and what filled them is left out again."""
    return _cut(function(x.to_tensor()), x)


def _cut(dense: Any, rows: Any) -> Any:
    """The elements of a tensor that are in the rows of a RaggedTensor."""
    kept = rows.with_flat_values(ops.ones(ops.shape(rows.flat_values)[:1], dtypes.bool)).to_tensor()
    found = ops.boolean_mask(dense, kept)
    found.set_shape([rows.flat_values.shape[0], *[None] * (rank_of(found) - 1)])
    return rows.with_flat_values(found)


# ------------------------------------------------------------------------------------------------------ turned, counted


def _turned(x: Any, axis: int) -> Any:
    if not is_ragged(x):
        return ops.reverse(x, [axis])
    if axis == 0:
        return picked_rows(x, ops.range(x.nrows() - 1, -1, -1))
    if axis > 1:
        return x.with_values(_turned(x.values, axis - 1))
    rows = x.value_rowids()
    both = ops.gather(x.row_splits[1:] + x.row_splits[:-1], rows)
    return x.with_values(picked_rows(x.values, both - 1 - ops.range(x.row_splits[-1])))


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """Rows, or the elements of each row, from the last to the first."""
    with name_scope(name, "Reverse"):
        for at in ops.get_static_value(convert_to_tensor(axis, dtypes.int32)).tolist():
            tensor = _turned(tensor, axis_of(at, rank_of(tensor)))
        return tensor


def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:  # fmt: skip
    """Running sums along an axis."""
    with name_scope(name, "RaggedCumSum"):
        at = axis_of(axis, rank_of(x))
        return through_tensor(x, lambda dense: ops.cumsum(dense, at, exclusive, reverse))


def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """The softmax of each row."""
    rank = rank_of(logits)
    if axis_of(-1 if axis is None else axis, rank) != rank - 1:
        raise ValueError(f"The softmax of a RaggedTensor is along its last axis, not {axis}.")

    def rows(x: Any) -> Any:
        if rank_of(x.values) > 1:
            return x.with_values(ops.nn.softmax(x.values))
        ids, count = x.value_rowids(), x.nrows()
        top = ops.stop_gradient(ops.gather(ops.math.unsorted_segment_max(x.values, ids, count), ids))
        powers = ops.exp(x.values - top)
        return x.with_values(powers / ops.gather(ops.math.unsorted_segment_sum(powers, ids, count), ids))

    with name_scope(name, "RaggedSoftmax"):
        return innermost(logits, rows)


def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The logarithm of sums of powers, over rows or places."""
    return reduced("LogSumExp", input_tensor, axis, keepdims, name)


def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The mean of squares without the square of the mean, as TensorFlow has it for RaggedTensors."""
    with name_scope(name, "RaggedReduceVariance"):
        dtype = input_tensor.dtype
        if not (dtype.is_floating or dtype.is_complex or dtype.is_integer):
            raise TypeError(f"The input must be real or complex, but has dtype {dtype!r}.")
        mean = ops.reduce_mean(input_tensor, axis, keepdims)
        return ops.reduce_mean(ops.square(input_tensor), axis, keepdims) - ops.square(mean)


def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The square root of the variance."""
    with name_scope(name, "RaggedReduceStd"):
        return ops.sqrt(reduce_variance(input_tensor, axis, keepdims))


def moments(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """Mean and variance."""
    del shift
    with name_scope(name, "moments"):
        return ops.reduce_mean(x, axes, keepdims), reduce_variance(x, axes, keepdims)


def reduce_join(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: str | None = None
) -> Any:
    """The strings of each row joined."""

    def joined(values: Any, ids: Any, count: Any) -> Any:
        return ops.strings.unsorted_segment_join(values, ids, count, separator)

    def whole(values: Any, at: Any = None) -> Any:
        return ops.strings.reduce_join(values, at, separator=separator)

    return reduced("Join", inputs, axis, keepdims, name, (joined, whole))


def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = dtypes.int32,
    name: str | None = None, axis: int | None = None, binary_output: bool = False,
) -> Any:  # fmt: skip
    """How often each number is there: in all rows, or in each."""
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    with name_scope(name, "bincount"):
        values, parts = arr.flat_values, None if weights is None else weights.flat_values
        rest = {"dtype": dtype, "binary_output": binary_output}
        if axis != -1:
            return ops.math.bincount(values, parts, minlength, maxlength, **rest)
        if arr.ragged_rank != 1:
            raise ValueError("The numbers in each row are counted for RaggedTensors of ragged rank 1.")
        if values.dtype not in (dtypes.int32, dtypes.int64):
            values = ops.cast(values, dtypes.int32)
        ops.debugging.assert_non_negative(values, message="Input must be non-negative.")
        size = ops.reduce_max(ops.concat([ops.cast([-1], values.dtype), values], 0)) + 1
        if minlength is not None:
            size = ops.maximum(size, ops.cast(minlength, values.dtype))
        if maxlength is not None:
            size = ops.minimum(size, ops.cast(maxlength, values.dtype))
        rows = ops.cast(arr.nrows(), values.dtype)
        inside = values < size
        places = ops.boolean_mask(ops.cast(arr.value_rowids(), values.dtype) * size + values, inside)
        if parts is not None:
            parts = ops.boolean_mask(parts, inside)
        found = ops.math.bincount(places, parts, rows * size, rows * size, **rest)
        return ops.reshape(found, ops.stack([rows, size]))


# --------------------------------------------------------------------------------------------------- elements and parts


def _where(inputs: Inputs, _attrs: Attrs, name: str | None) -> Any:
    (condition,) = inputs
    with name_scope(name, "RaggedWhere"):
        places = condition.with_flat_values(ops.cast(condition.flat_values, dtypes.bool)).to_sparse()
        return ops.boolean_mask(places.indices, places.values)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """The places where a condition holds."""
    return NotImplemented if x is not None or y is not None else _where((condition,), {}, name)


def gather_nd(
    params: Any, indices: Any, batch_dims: Any = 0, name: str | None = None, bad_indices_policy: str = ""
) -> Any:
    """Elements, or rows, at coordinates."""
    del bad_indices_policy
    if batch_dims or is_ragged(indices):
        raise ValueError("RaggedTensors are taken at the coordinates in a tensor, without batch_dims.")
    with name_scope(name, "RaggedGatherNd"):
        indices = convert_to_tensor(indices, dtype_hint=params.row_splits.dtype, name="indices")
        depth = indices.shape[-1]
        if depth is None or depth > rank_of(params):
            raise ValueError(f"The last axis of indices has size {depth}: it is to be known, and not above the rank.")
        lead = ops.shape(indices)[:-1]
        columns = [ops.cast(c, params.row_splits.dtype) for c in ops.unstack(ops.reshape(indices, [-1, depth]), axis=1)]
        place, *rest = columns
        while rest and is_ragged(params):
            length = ops.gather(params.row_lengths(), place)
            ops.debugging.assert_non_negative(rest[0], message="An index is below 0.")
            ops.debugging.assert_less(rest[0], length, message="An index is beyond the end of its row.")
            place, rest = ops.gather(params.row_splits, place) + rest[0], rest[1:]
            params = params.values
        if rest:
            return ops.reshape(
                ops.gather_nd(params, ops.stack([place, *rest], 1)),
                ops.concat([lead, ops.shape(params)[1 + len(rest) :]], 0),
            )
        found = picked_rows(params, place)
        if indices.shape.rank == 2:
            return found
        if is_ragged(found):
            raise ValueError("Rows of different lengths are taken at coordinates in a matrix.")
        return ops.reshape(found, ops.concat([lead, ops.shape(params)[1:]], 0))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Axes of size 1 left out."""
    with name_scope(name, "RaggedSqueeze"):
        rank = rank_of(input)
        if axis is None or axis == []:
            wanted = [at for at, size in enumerate(input.shape.as_list()) if size == 1]
        else:
            wanted = [axis_of(at, rank) for at in (axis if isinstance(axis, list | tuple) else [axis])]
        for at in sorted(set(wanted), reverse=True):
            input = _squeezed(input, at)
        return input


def _squeezed(x: Any, axis: int) -> Any:
    if not is_ragged(x):
        return ops.squeeze(x, [axis])
    if axis > 1:
        return x.with_values(_squeezed(x.values, axis - 1))
    lengths = ops.reshape(x.nrows(), [1]) if axis == 0 else x.row_lengths()
    ops.debugging.assert_equal(
        lengths, ops.ones_like(lengths), message=f"The axis {axis} has another size than 1, and can't be squeezed."
    )
    return x.values


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str | None = None
) -> list[Any]:
    """Parts along an axis."""
    with name_scope(name, "RaggedSplit"):
        at = axis_of(axis, rank_of(value))
        if 1 <= at <= value.ragged_rank:
            raise ValueError(f"The axis {at} has rows of different lengths, and can't be split.")
        if at:
            inner = ops.split(value.flat_values, num_or_size_splits, at - value.ragged_rank, num)
            return [value.with_flat_values(part) for part in inner]
        return [picked_rows(value, part) for part in ops.split(ops.range(value.nrows()), num_or_size_splits, 0, num)]


def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list[Any]:
    """The rows, or elements, of each partition."""
    with name_scope(name, "RaggedDynamicPartition"):
        if not is_ragged(data):
            data = convert_to_tensor(data)
        if is_ragged(partitions):
            if not is_ragged(data):
                data = RaggedTensor.from_tensor(data)
            ops.debugging.assert_equal(
                data.row_splits, partitions.row_splits, message="data and partitions have rows of different lengths."
            )
            return dynamic_partition(data.values, partitions.values, num_partitions)
        if not is_ragged(data):
            return ops.dynamic_partition(data, partitions, num_partitions)  # type: ignore[no-any-return]
        found = ops.dynamic_partition(ops.range(data.nrows()), partitions, num_partitions)
        return [picked_rows(data, part) for part in found]


def _segments(kind: str) -> Callable[[Inputs, Attrs, str | None], Any]:
    def segments(inputs: Inputs, _attrs: Attrs, name: str | None) -> Any:
        data, ids, count = inputs
        with name_scope(name, f"Ragged{kind}"):
            if is_ragged(ids):
                if not is_ragged(data):
                    raise ValueError("Ragged segment_ids need ragged data.")
                ops.debugging.assert_equal(
                    data.row_splits, ids.row_splits, message="data and segment_ids have rows of different lengths."
                )
                return segments((data.values, ids.values, count), {}, None)
            return by_rows(getattr(ops.math, kind), data, convert_to_tensor(ids), count)

    return segments


def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The mean of the elements with each id."""
    return _segments("unsorted_segment_mean")((data, segment_ids, num_segments), {}, name)


def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The sum of the elements with each id, divided by the root of their number."""
    return _segments("unsorted_segment_sqrt_n")((data, segment_ids, num_segments), {}, name)


# ------------------------------------------------------------------------------------------------------- further shapes


def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: Any = None, dtype: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A vector for each element."""
    with name_scope(name, "RaggedOneHot"):
        if axis is not None and axis_of(axis, rank_of(indices) + 1) != rank_of(indices):
            raise ValueError("axis must be -1 for a RaggedTensor.")
        return indices.with_flat_values(ops.one_hot(indices.flat_values, depth, on_value, off_value, -1, dtype))


def _reshape(inputs: Inputs, _attrs: Attrs, name: str | None) -> Any:
    x, shape = inputs
    return ops.reshape(x.flat_values, shape, name=name)


def _broadcast_to(inputs: Inputs, _attrs: Attrs, name: str | None) -> Any:
    from graphlab.ops.ragged_broadcasting import broadcast_to

    x, shape = inputs
    if not hasattr(shape, "row_partitions"):
        return NotImplemented
    with name_scope(name, "RaggedBroadcastTo"):
        return broadcast_to(x, shape)


def matmul(a: Any, b: Any, name: str | None = None) -> Any:
    """The product of each matrix of ``a`` with that of ``b``; those of ``a`` may have different numbers of rows."""
    with name_scope(name, "RaggedMatMul"):
        a, b = (x if is_ragged(x) else convert_to_tensor(x) for x in (a, b))
        if min(rank_of(a), rank_of(b)) < 3:
            raise ValueError("Matrices in RaggedTensors are multiplied in batches: a and b have a rank of 3 or more.")
        dense = []
        for x in (a, b):
            if not is_ragged(x):
                dense.append(x)
                continue
            if x.ragged_rank >= rank_of(x) - 1:
                message = "The matrices in `a` and `b` may not be ragged in their innermost dimension."
                raise InvalidArgumentError(None, None, message)
            dense.append(x.to_tensor())
        if is_ragged(b) and b.ragged_rank == rank_of(b) - 2:
            rows = b.row_lengths(b.ragged_rank)
            rows = rows.flat_values if is_ragged(rows) else rows
            inner = ops.shape(dense[0], out_type=rows.dtype)[-1]
            ops.debugging.assert_equal(rows, ops.zeros_like(rows) + inner, message="The matrices do not fit.")
        product = ops.matmul(dense[0], dense[1])
        if not is_ragged(a):
            return product
        return _cut(product, a)


def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Any:
    """TypeError unless the values have a dtype."""
    return ops.debugging.assert_type(tensor.flat_values, tf_type, message, name)


def _asserted(name: str) -> Callable[..., Any]:
    def asserted(x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        """The comparison of values, if rows have the same lengths."""
        given = [value for value in (x, y) if is_ragged(value)]
        if len(given) == 2:
            for a, b in zip(x.nested_row_splits, y.nested_row_splits, strict=True):
                ops.debugging.assert_equal(a, b, message="The RaggedTensors have rows of different lengths.")
        flat = [value.flat_values if is_ragged(value) else value for value in (x, y)]
        return getattr(ops.debugging, name)(*flat, *rest, **named)

    return asserted


_ASSERTIONS: Final = (
    "assert_equal", "assert_greater", "assert_greater_equal", "assert_less", "assert_less_equal", "assert_near",
    "assert_none_equal",
)  # fmt: skip

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (
        assert_type, bincount, cumsum, dynamic_partition, gather_nd, moments, one_hot, reduce_join, reduce_logsumexp,
        reduce_std, reduce_variance, reverse, softmax, split, squeeze, unsorted_segment_mean, unsorted_segment_sqrt_n,
        where,
    )
} | {name: _asserted(name) for name in _ASSERTIONS}  # fmt: skip

OPS: Final[Mapping[str, Callable[[Inputs, Attrs, str | None], Any]]] = {
    "BroadcastTo": _broadcast_to,
    "Reshape": _reshape,
    "Where": _where,
    "Split": lambda inputs, attrs, name: split(inputs[1], attrs["num_split"], inputs[0], name=name),
    "SplitV": lambda inputs, attrs, name: split(inputs[0], inputs[1], inputs[2], attrs["num_split"], name),
    "Squeeze": lambda inputs, attrs, name: squeeze(inputs[0], attrs["squeeze_dims"], name),
    "ReverseV2": lambda inputs, _attrs, name: reverse(inputs[0], inputs[1], name),
    "DynamicPartition": lambda inputs, attrs, name: dynamic_partition(
        inputs[0], inputs[1], attrs["num_partitions"], name
    ),
    "GatherNd": lambda inputs, _attrs, name: gather_nd(inputs[0], inputs[1], name=name),
    "UnsortedSegmentSum": _segments("unsorted_segment_sum"),
    "UnsortedSegmentProd": _segments("unsorted_segment_prod"),
    "UnsortedSegmentMax": _segments("unsorted_segment_max"),
    "UnsortedSegmentMin": _segments("unsorted_segment_min"),
}
