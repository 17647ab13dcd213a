"""Slices: ``x[...]`` with everything it may hold, ``tf.slice``, ``tf.strided_slice``, ``tf.boolean_mask``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import constant, convert_to_tensor, make
from graphlab.core.dispatch import bind, name_scope, whole_number
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, Arg, define
from graphlab.core.state import ACTIVE, state
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor, wrap
from graphlab.ops import gradients_written_out as gradients
from graphlab.ops import inference, written_out
from graphlab.ops.inference import Attrs, Shape

newaxis = None
PUBLIC = {"newaxis": "newaxis"}

_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
_NO_MASKS = dict.fromkeys(_MASKS, 0)

# ------------------------------------------------------------------------------------------------------------- kernels


def _index(shape: Sequence[int], begin: Any, end: Any, strides: Any, masks: dict[str, int]) -> tuple[Any, ...]:
    """The NumPy index that a strided slice of an array of that shape means."""
    begins, ends, steps = begin.tolist(), end.tolist(), strides.tolist()
    if not len(begins) == len(ends) == len(steps):
        raise InvalidArgumentError(None, None, "begin, end and strides must have the same length.")
    key: list[Any] = []
    dense = sum(1 for i in range(len(begins)) if not masks["new_axis_mask"] >> i & 1)
    if masks["ellipsis_mask"]:
        dense -= 1
        if masks["ellipsis_mask"] & (masks["ellipsis_mask"] - 1):
            raise InvalidArgumentError(None, None, "Multiple ellipses in a slice are not allowed.")
    if dense > len(shape):
        message = f"Index out of range using input dim {len(shape)}; input has only {len(shape)} dims"
        raise InvalidArgumentError(None, None, message)
    axis = 0
    for i, (start, stop, step) in enumerate(zip(begins, ends, steps, strict=True)):
        bit = 1 << i
        if masks["ellipsis_mask"] & bit:
            key.append(Ellipsis)
            axis += len(shape) - dense
            continue
        if masks["new_axis_mask"] & bit:
            key.append(None)
            continue
        if step == 0:
            raise InvalidArgumentError(None, None, f"strides[{i}] must be non-zero")
        if masks["shrink_axis_mask"] & bit:
            size = shape[axis]
            if masks["begin_mask"] & bit:
                start = 0
            if not -size <= start < size:
                raise InvalidArgumentError(None, None, f"slice index {start} of dimension {axis} out of bounds.")
            if step < 0:
                raise InvalidArgumentError(None, None, "only stride 1 allowed on non-range indexing.")
            key.append(start)
        else:
            first = None if masks["begin_mask"] & bit else start
            last = None if masks["end_mask"] & bit else stop
            key.append(slice(first, last, step))
        axis += 1
    return tuple(key)


def _strided_slice(x: Any, begin: Any, end: Any, strides: Any, **masks: int) -> Any:
    x = np.asarray(x)
    result = x[_index(x.shape, begin, end, strides, masks)]
    return result if isinstance(result, (np.ndarray, np.generic)) else _boxed(result)


def _boxed(value: Any) -> Any:
    box = np.empty((), object)
    box[()] = value
    return box


def _strided_slice_grad(shape: Any, begin: Any, end: Any, strides: Any, dy: Any, **masks: int) -> Any:
    sizes = tuple(shape.tolist())
    result = np.zeros(sizes, dy.dtype)
    result[_index(sizes, begin, end, strides, masks)] = dy
    return result


def _slice(x: Any, begin: Any, size: Any) -> Any:
    begins, sizes = begin.tolist(), size.tolist()
    if len(begins) != x.ndim or len(sizes) != x.ndim:
        message = f"begin and size must have one element for each of the {x.ndim} dimensions, not {len(begins)} and "
        raise InvalidArgumentError(None, None, message + f"{len(sizes)}.")
    key = []
    for i, (start, count, have) in enumerate(zip(begins, sizes, x.shape, strict=True)):
        if count == -1:
            count = have - start
        if not 0 <= start <= have:
            raise InvalidArgumentError(None, None, f"Expected begin[{i}] in [0, {have}], but got {start}")
        if not 0 <= count <= have - start:
            raise InvalidArgumentError(None, None, f"Expected size[{i}] in [0, {have - start}], but got {count}")
        key.append(slice(start, start + count))
    return np.asarray(x)[tuple(key)]


# ----------------------------------------------------------------------------------------------------------- inference


def _known(arg: Arg) -> list[int | None] | None:
    """The elements of a vector of indices, None for those that are computed; None if not even their number is known."""
    value = arg.value
    if value is not None:
        return value.tolist()  # type: ignore[no-any-return]
    partial = arg.partial
    return None if partial is None else list(partial)


def _strided_slice_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape = args[0].shape
    number: int | None = None
    for arg, what in zip(args[1:4], ("begin", "end", "strides"), strict=True):
        number = inference.merge_dim(
            number, inference.with_rank(arg.shape, 1, what)[0], f"The lengths of begin and {what}"
        )
    begins, ends, steps = (_known(arg) for arg in args[1:4])
    if shape is None or begins is None or ends is None or steps is None:
        return None
    count = len(begins)
    masks = {name: attrs[name] for name in _MASKS}
    new = [bool(masks["new_axis_mask"] >> i & 1) for i in range(count)]
    dots = [bool(masks["ellipsis_mask"] >> i & 1) for i in range(count)]
    dense = sum(not n and not d for n, d in zip(new, dots, strict=True))
    if sum(dots) > 1:
        raise ValueError("Multiple ellipses in a slice are not allowed.")
    if dense > len(shape):
        raise ValueError(f"Too many indices: the tensor has {len(shape)} dimensions, the slice indexes {dense}.")
    result: list[int | None] = []
    axis = 0
    for i in range(count):
        bit = 1 << i
        if dots[i]:
            result += shape[axis : axis + len(shape) - dense]
            axis += len(shape) - dense
        elif new[i]:
            result.append(1)
        else:
            start = None if masks["begin_mask"] & bit else begins[i]
            stop = None if masks["end_mask"] & bit else ends[i]
            size, step = shape[axis], steps[i]
            if step == 0:
                raise ValueError(f"strides[{i}] must be non-zero")
            if masks["shrink_axis_mask"] & bit:
                if size is not None and start is not None and not -size <= start < size:
                    raise ValueError(f"slice index {start} of dimension {axis} out of bounds.")
            elif (
                size is None
                or step is None
                or (start is None and not masks["begin_mask"] & bit)
                or (stop is None and not masks["end_mask"] & bit)
            ):
                result.append(None)
            else:
                result.append(len(range(*slice(start, stop, step).indices(size))))
            axis += 1
    return (*result, *shape[axis:])


def _strided_slice_grad_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return inference.shape_of_value(args[0])


def _slice_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape, begin, size = args[0].shape, args[1].value, args[2].value
    lengths = [inference.with_rank(arg.shape, 1, "begin and size")[0] for arg in args[1:]]
    count = inference.merge_dim(lengths[0], lengths[1], "The lengths of begin and size")
    if shape is not None:
        inference.merge_dim(count, len(shape), "The length of begin and the rank")
    if size is None:
        partial = args[2].partial
        if partial is not None:
            return partial
        return None if shape is None else (None,) * len(shape)
    sizes = size.tolist()
    shape = inference.with_rank(shape, len(sizes), "A sliced tensor")
    result: list[int | None] = []
    for i, count in enumerate(sizes):
        have = shape[i]
        start = None if begin is None else int(begin[i])
        if count == -1:
            result.append(None if have is None or start is None else have - start)
        else:
            if count < -1:
                raise ValueError(f"A size must be -1 or more, not {count}.")
            result.append(count)  # the run says whether it fits
    return tuple(result)


# ----------------------------------------------------------------------------------------------------------- gradients


def _masks_of(op: Any) -> dict[str, int]:
    return {name: op.attrs[name] for name in _MASKS}


def _constant(tensor: Any) -> bool:
    return isinstance(tensor, SymbolicTensor) and tensor.op.type == "Const"


def _slice_of_x_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.array_shape import shape

    x, begin, end, strides = op.inputs
    known = x._raw_shape()
    if state.graph is not None:
        # Of what is a constant TensorFlow makes another one, for the gradient.
        whole = shape(x, out_type=begin.dtype)
        given = [whole, begin, end, strides]
        if begin.dtype is dtypes.int32 or all(map(_constant, given)):
            given = [t.op.attrs["value"] if _constant(t) else t for t in given]
        return [bind(STRIDED_SLICE_GRAD, (*given, dy), _masks_of(op)), None, None, None]
    if known is None or None in known:
        sizes: Any = shape(x, out_type=begin.dtype)
    else:
        sizes = convert_to_tensor(np.array(known, begin.dtype.np), begin.dtype)
    return [bind(STRIDED_SLICE_GRAD, (sizes, begin, end, strides, dy), _masks_of(op)), None, None, None]


def _slice_grad_grad(op: Any, g: Any) -> list[Any]:
    _, begin, end, strides, _ = op.inputs
    return [None, None, None, None, bind(STRIDED_SLICE, (g, begin, end, strides), _masks_of(op))]


def _slice_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, array_shape, math
    from graphlab.ops.padding import pad

    x, begin, _ = op.inputs
    if state.graph is not None:
        return [gradients.slice_of(op, dy), None, None]
    start = static.value(begin)
    shapes = x._raw_shape(), dy._raw_shape()
    if start is not None and all(s is not None and None not in s for s in shapes):
        after = [n - b - m for n, b, m in zip(shapes[0], start.tolist(), shapes[1], strict=True)]
        return [pad(dy, np.array([start.tolist(), after], np.int32).T.reshape(-1, 2)), None, None]
    sizes = array_shape.shape(x, out_type=begin.dtype)
    rest = math.subtract(math.subtract(sizes, array_shape.shape(dy, out_type=begin.dtype)), begin)
    return [pad(dy, array.stack([begin, rest], axis=1)), None, None]


# ------------------------------------------------------------------------------------------------------------- records

STRIDED_SLICE = define(
    "StridedSlice", "input: T, begin: Index, end: Index, strides: Index -> output: T", kernel=_strided_slice,
    infer=_strided_slice_shape, gradient=_slice_of_x_grad, attrs=_NO_MASKS, types={"Index": INDEX | {dtypes.int16}},
    can_fail=True, alias=True, fp=False,
)  # fmt: skip
STRIDED_SLICE_GRAD = define(
    "StridedSliceGrad", "shape: Index, begin: Index, end: Index, strides: Index, dy: T -> output: T",
    kernel=_strided_slice_grad, infer=_strided_slice_grad_shape, gradient=_slice_grad_grad, attrs=_NO_MASKS,
    types={"Index": INDEX}, defaults={"Index": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip
SLICE = define(
    "Slice", "input: T, begin: Index, size: Index -> output: T", kernel=_slice, infer=_slice_shape,
    gradient=_slice_grad, types={"Index": INDEX}, can_fail=True, alias=True, fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _check(item: Any) -> None:
    if isinstance(item, (int, np.integer)) and not isinstance(item, (bool, np.bool_)):
        return
    dtype = getattr(item, "dtype", None)
    shape = item._raw_shape() if isinstance(item, Tensor) else getattr(item, "shape", None)
    if dtype in (dtypes.int32, dtypes.int64, dtypes.int16) or (isinstance(item, np.ndarray) and item.dtype.kind == "i"):
        if shape is None or len(shape) == 0:
            return
    elif hasattr(item, "__index__") and not hasattr(item, "dtype") and not isinstance(item, (bool, float)):
        return
    raise TypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are "
        f"valid indices, got {item!r}"
    )


def _is_bool(key: Any) -> bool:
    if isinstance(key, (bool, np.bool_)):
        return True
    dtype = getattr(key, "dtype", None)
    return dtype is dtypes.bool or (isinstance(key, np.ndarray) and key.dtype == np.bool_)


def getitem(tensor: Any, key: Any) -> Any:
    """``tensor[key]``.

    Args:
      tensor: a tensor.
      key: an integer or scalar tensor (removes the axis), a slice whose parts may be tensors, ``...``, ``tf.newaxis``,
        a tuple of these; or a bool tensor or array (``tf.boolean_mask``).

    Raises:
      TypeError: for another key.
      tf.errors.InvalidArgumentError: for an index out of range (ValueError while tracing).
    """
    if _is_bool(key):
        return boolean_mask(tensor, key)
    items = key if isinstance(key, (list, tuple)) else (key,)
    if not ACTIVE and tensor.__class__ is EagerTensor:
        return _eager(tensor, items)
    *parts, masks = _parts(items)
    with name_scope(None, "strided_slice") as scope:
        return bind(STRIDED_SLICE, (tensor, *_stacked(*parts)), masks, scope or "strided_slice")


def slice_arguments(items: Sequence[Any]) -> tuple[Any, Any, Any, dict[str, int]]:
    """The vectors ``begin``, ``end`` and ``strides`` and the masks of StridedSlice for the parts of a key."""
    *parts, masks = _parts(items)
    begin, end, strides = _stacked(*parts)
    return begin, end, strides, masks


def _parts(items: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any], dict[str, int]]:
    """The elements of these vectors, and the masks."""
    begins: list[Any] = []
    ends: list[Any] = []
    steps: list[Any] = []
    masks = dict(_NO_MASKS)
    for i, item in enumerate(items):
        bit = 1 << i
        begin, end, step = 0, 0, 1
        if isinstance(item, slice):
            for part in (item.start, item.stop, item.step):
                if part is not None:
                    _check(part)
            kind = next((_kind(part) for part in (item.start, item.stop, item.step) if _kind(part)), None)
            begin = _or(item.start, 0, kind)
            end = _or(item.stop, 0, kind)
            step = _or(item.step, 1, kind)
            masks["begin_mask"] |= bit if item.start is None else 0
            masks["end_mask"] |= bit if item.stop is None else 0
        elif item is Ellipsis:
            masks["ellipsis_mask"] |= bit
        elif item is None:
            masks["new_axis_mask"] |= bit
        else:
            _check(item)
            begin, end = item, item + 1
            if _kind(item) is dtypes.int64:
                step = constant(1, dtypes.int64)
            masks["shrink_axis_mask"] |= bit
        begins.append(begin)
        ends.append(end)
        steps.append(step)
    return begins, ends, steps, masks


def _kind(part: Any) -> Any:
    """The dtype of a tensor, None for Python and NumPy integers."""
    return part.dtype if isinstance(part, Tensor) or hasattr(type(part), "__tf_tensor__") else None


def _or(part: Any, otherwise: int, dtype: Any) -> Any:
    """A part of a slice, or what stands for a missing one: a tensor beside tensors."""
    if part is not None:
        return part
    return otherwise if dtype is None else constant(otherwise, dtype)


def _stacked(begins: list[Any], ends: list[Any], steps: list[Any]) -> list[Any]:
    """The three vectors; all int32, or all int64 when one part is."""
    everything = begins + ends + steps
    dtype = dtypes.int32
    for item in everything:
        if getattr(item, "dtype", None) in (dtypes.int64, np.int64):
            dtype = dtypes.int64
    if not any(isinstance(item, Tensor) or hasattr(type(item), "__tf_tensor__") for item in everything):
        arrays = [np.array([_fits(int(item)) for item in part], dtype.np) for part in (begins, ends, steps)]
        if state.graph is None:
            return [wrap(array) for array in arrays]
        return [constant(array, name=f"stack_{i}" if i else "stack") for i, array in enumerate(arrays)]
    from graphlab.ops.array import packed
    from graphlab.ops.casting import cast

    def element(item: Any) -> Any:
        if isinstance(item, Tensor) or hasattr(type(item), "__tf_tensor__"):
            return cast(item, dtype)
        return int(item)

    vectors = []
    for i, part in enumerate((begins, ends, steps)):
        elements = [element(item) for item in part]
        if all(isinstance(item, int) for item in elements):
            vectors.append(constant(elements, dtype, name=f"stack_{i}" if i else "stack"))
        else:
            vectors.append(packed(elements, dtype, name=f"stack_{i}" if i else "stack"))
    return vectors


def _eager(tensor: EagerTensor, items: Sequence[Any]) -> EagerTensor:
    """Eagerly the key is NumPy's, after a check of its parts."""
    key: list[Any] = []
    for item in items:
        if isinstance(item, slice):
            parts = [_plain(part) for part in (item.start, item.stop, item.step)]
            if parts[2] == 0:
                raise InvalidArgumentError(None, None, f"strides[{len(key)}] must be non-zero [Op:StridedSlice]")
            key.append(slice(*parts))
        elif item is Ellipsis or item is None:
            key.append(item)
        else:
            key.append(_plain(item))
    array = np.asarray(tensor._a)
    try:
        result = array[tuple(key)]
    except IndexError as error:
        for item in key:
            if isinstance(item, int):
                _fits(item)
        raise InvalidArgumentError(None, None, _out_of_range(array, key, error)) from None
    return wrap(result if isinstance(result, (np.ndarray, np.generic)) else _boxed(result))


def _fits(index: int) -> int:
    """The index.  ValueError if it does not fit 64 bits, TypeError while tracing."""
    if -(2**63) <= index < 2**63:
        return index
    kind = ValueError if state.graph is None else TypeError
    raise kind(f"The index {index} does not fit 64 bits.")


def _plain(part: Any) -> int | None:
    if part is None or type(part) is int:
        return part
    _check(part)
    if isinstance(part, Tensor) or hasattr(type(part), "__tf_tensor__"):
        return int(make(part)._a)
    return int(part)


def _out_of_range(array: Any, key: Sequence[Any], error: IndexError) -> str:
    dense = sum(1 for item in key if item is not None and item is not Ellipsis)
    if dense > array.ndim:
        return f"Index out of range using input dim {array.ndim}; input has only {array.ndim} dims [Op:StridedSlice]"
    if sum(item is Ellipsis for item in key) > 1:
        return "Multiple ellipses in a slice are not allowed. [Op:StridedSlice]"
    axis = 0
    for item in key:
        if item is Ellipsis:
            axis += array.ndim - dense
        elif item is not None:
            if isinstance(item, int) and not -array.shape[axis] <= item < array.shape[axis]:
                return f"slice index {item} of dimension {axis} out of bounds. [Op:StridedSlice]"
            axis += 1
    return str(error)


@public("strided_slice")
def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Any:
    """Takes a slice with steps, as ``input_[begin:end:strides]`` for each axis.

    Args:
      input_: a tensor of any dtype.
      begin: a vector of int32 or int64, the first index on each axis.
      end: a vector of that dtype, the index after the last.
      strides: a vector of that dtype, the steps; None: all 1.
      begin_mask: bit i set: ``begin[i]`` is ignored, the slice starts at the first element.
      end_mask: bit i set: ``end[i]`` is ignored, the slice goes to the last element.
      ellipsis_mask: bit i set: position i stands for as many whole axes as are left.
      new_axis_mask: bit i set: position i inserts an axis of size 1.
      shrink_axis_mask: bit i set: position i takes the one index ``begin[i]`` and removes the axis.
      var: a variable; the slice of a variable is made from its value.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for an index out of range or a step 0 (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.strided_slice([1, 2, 3, 4, 5], [0], [5], [2]).numpy()
    array([1, 3, 5], dtype=int32)
    """
    del var
    if strides is None:
        from graphlab.ops.creation import ones_like

        strides = ones_like(begin)
    masks = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }
    return bind(STRIDED_SLICE, (input_, begin, end, strides), masks, name)


@public("slice")
def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """Takes the block that starts at ``begin`` and has ``size`` elements on each axis.

    Args:
      input_: a tensor of any dtype.
      begin: a vector of int32 or int64, the first index on each axis (from 0).
      size: a vector of that dtype, the number of elements; -1: all that are left.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the block does not fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy()
    array([[2, 3],
           [5, 6]], dtype=int32)
    """
    return bind(SLICE, (input_, begin, size), None, name)


@public("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str | None = "boolean_mask") -> Any:
    """Keeps the elements for which a mask is True.

    Args:
      tensor: a tensor of any dtype.
      mask: a bool tensor of rank 1 or more, known while tracing; its shape is that of ``tensor`` from ``axis`` on.
      axis: the first axis of ``tensor`` that the mask covers, an int or an integer scalar; 0 by default.
      name: a name for the nodes' scope.

    Returns:
      A tensor in which one axis, of the elements kept, stands for those that the mask covers.

    Raises:
      ValueError: if the mask is a scalar, of unknown rank, or its shape does not fit.

    >>> import graphlab as tf
    >>> tf.boolean_mask([[1, 2], [3, 4], [5, 6]], [True, False, True]).numpy()
    array([[1, 2],
           [5, 6]], dtype=int32)
    """
    from graphlab.ops import array, array_shape
    from graphlab.ops.casting import cast
    from graphlab.ops.gather_scatter import gather
    from graphlab.ops.reduction import reduce_prod
    from graphlab.ops.selection import where

    with name_scope(name, "boolean_mask"):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, name="mask")
        shape, covered = tensor._raw_shape(), mask._raw_shape()
        if covered is None:
            raise ValueError("The rank of the mask must be known while tracing, even if its sizes are not.")
        if not covered:
            raise ValueError("The mask cannot be a scalar.")
        if isinstance(axis, Tensor):
            if not axis.dtype.is_integer or axis._raw_shape():
                raise TypeError(f"axis must be an int, not {axis!r:.100}.")
        elif axis is not None:
            if isinstance(axis, float):
                raise TypeError(f"axis must be an int, not {axis!r}.")
            axis = whole_number(axis, "axis")
        at: Any = axis if type(axis) is int else 0 if axis is None else static.value(axis)
        if at is None:  # known only when the graph runs
            at = cast(axis, dtypes.int32)
            at = where(at < 0, at + array_shape.rank(tensor), at)
        else:
            at = int(at)
        if isinstance(at, Tensor):
            shape = None
        elif shape is not None:
            at = inference.axis_in(at, len(shape))
            if len(shape) < at + len(covered):
                raise ValueError(
                    f"A mask of shape {inference.show(covered)} does not fit {inference.show(shape)} from axis {at} on."
                )
            inference.merge(shape[at : at + len(covered)], covered)
        elif at < 0:
            raise ValueError("A negative axis needs a tensor of known rank.")
        rank = len(covered)
        if state.graph is not None and not isinstance(at, Tensor):
            flat = written_out.masked_rows(tensor, at, rank)
        elif shape is not None and None not in shape:
            count = inference.elements(shape[at : at + rank])
            flat = array.reshape(tensor, [*shape[:at], count, *shape[at + rank :]])
        else:
            sizes = array_shape.shape(tensor)
            count = array.reshape(reduce_prod(getitem(sizes, slice(at, at + rank)), [0]), [1])
            flat = array.reshape(
                tensor,
                array.concat([getitem(sizes, slice(None, at)), count, getitem(sizes, slice(at + rank, None))], 0),
            )
        indices = array.squeeze(where(array.reshape(mask, [-1])), axis=[1])
        return gather(flat, indices, axis=at)
