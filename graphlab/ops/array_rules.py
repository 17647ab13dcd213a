"""Kernels and shape rules of the ops in ``array.py``."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from graphlab.core.errors import InvalidArgumentError
from graphlab.core.op import Arg
from graphlab.core.shape import as_shape
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape


def reshape(tensor: Any, shape: Any) -> Any:
    """The kernel of Reshape."""
    if shape.ndim > 1:
        raise InvalidArgumentError(None, None, f"A shape must be a vector, but has shape {list(shape.shape)}.")
    sizes = shape.reshape(-1).tolist()  # eagerly a number may stand for the vector of it
    size = tensor.size
    if sizes.count(-1) > 1:
        raise InvalidArgumentError(None, None, f"Only one size may be -1, but the shape is {sizes}.")
    if any(n < -1 for n in sizes):
        raise InvalidArgumentError(None, None, f"Sizes must be 0 or more, or one of them -1, but the shape is {sizes}.")
    if -1 in sizes:
        known = prod(n for n in sizes if n != -1)
        if (size % known if known else size) != 0:
            message = f"Input to reshape is a tensor with {size} values, but the requested shape {sizes} requires a "
            raise InvalidArgumentError(None, None, message + f"multiple of {known}.")
        if not known:  # of nothing: as if the sizes of 0 were not there
            left = prod(n for n in tensor.shape if n) // prod(n for n in sizes if n > 0)
            sizes = [left if n == -1 else n for n in sizes]
    elif prod(sizes) != size:
        message = f"Input to reshape is a tensor with {size} values, but the requested shape {sizes} has {prod(sizes)}."
        raise InvalidArgumentError(None, None, message)
    return tensor.reshape(sizes)


def expand_dims(x: Any, dim: Any) -> Any:
    """The kernel of ExpandDims."""
    if dim.size != 1:
        raise InvalidArgumentError(None, None, f"The axis must be one number, but has shape {list(dim.shape)}.")
    return np.expand_dims(x, int(dim.reshape(())))


def squeeze(x: Any, squeeze_dims: Sequence[int]) -> Any:
    """The kernel of Squeeze."""
    if not squeeze_dims:
        return np.squeeze(x)
    try:
        return np.squeeze(
            x, tuple({axis % x.ndim for axis in squeeze_dims if -x.ndim <= axis < x.ndim or _out(axis, x)})
        )
    except ValueError:
        message = f"Only dimensions of size 1 can be squeezed, but axes {list(squeeze_dims)} of shape {list(x.shape)} "
        raise InvalidArgumentError(None, None, message + "are not all 1.") from None


def _out(axis: int, x: Any) -> bool:
    message = f"Axis {axis} is out of range for a tensor of rank {x.ndim}."
    raise InvalidArgumentError(None, None, message)


def _permutation(x: Any, perm: Any) -> list[int]:
    if perm.ndim != 1:
        raise InvalidArgumentError(None, None, f"perm must be a vector, but has shape {list(perm.shape)}.")
    axes: list[int] = perm.tolist()
    rank = x.ndim
    if len(axes) != rank or sorted(a + rank if a < 0 else a for a in axes) != list(range(rank)):
        raise InvalidArgumentError(None, None, f"{axes} is not a permutation of the {rank} axes of the tensor.")
    return axes


def transpose(x: Any, perm: Any) -> Any:
    """The kernel of Transpose."""
    return np.transpose(x, _permutation(x, perm))


def conjugate_transpose(x: Any, perm: Any) -> Any:
    """The kernel of ConjugateTranspose."""
    return np.conj(np.transpose(x, _permutation(x, perm)))


def concat(values: Sequence[Any], axis: Any) -> Any:
    """The kernel of ConcatV2."""
    if any(value.ndim == 0 for value in values):
        raise InvalidArgumentError(None, None, "Scalars can't be concatenated. Write tf.stack.")
    return np.concatenate(values, int(axis.reshape(())))


def concat_offset(concat_dim: Any, shapes: Sequence[Any]) -> Any:
    """The kernel of ConcatOffset."""
    axis = int(concat_dim)
    rank = len(shapes[0])
    axis = axis + rank if axis < 0 else axis
    offsets, at = [], 0
    for shape in shapes:
        offset = np.zeros(rank, shape.dtype)
        offset[axis] = at
        at += int(shape[axis])
        offsets.append(offset)
    return offsets


def pack(values: Sequence[Any], axis: int) -> Any:
    """The kernel of Pack."""
    return np.stack(values, axis)


def unpack(value: Any, axis: int, num: int) -> Any:
    """The kernel of Unpack."""
    rank = value.ndim
    if not -rank <= axis < rank:
        raise InvalidArgumentError(None, None, f"Axis {axis} is out of range for a tensor of rank {rank}.")
    if not num:  # nothing is asked for
        return []
    if value.shape[axis] != num:
        raise InvalidArgumentError(None, None, f"Axis {axis} has size {value.shape[axis]}, not {num}.")
    return [value[(slice(None),) * (axis % rank) + (i,)] for i in range(num)]


def split(split_dim: Any, value: Any, num_split: int) -> Any:
    """The kernel of Split."""
    axis = int(split_dim)
    rank = value.ndim
    if not -rank <= axis < rank:
        raise InvalidArgumentError(None, None, f"Axis {axis} is out of range for a tensor of rank {rank}.")
    if num_split < 1 or value.shape[axis] % num_split:
        message = f"Axis {axis} of size {value.shape[axis]} can't be split evenly into {num_split} parts."
        raise InvalidArgumentError(None, None, message)
    return np.split(value, num_split, axis)


def split_v(value: Any, size_splits: Any, split_dim: Any, num_split: int) -> Any:
    """The kernel of SplitV."""
    axis, sizes = int(split_dim), size_splits.tolist()
    rank = value.ndim
    if not -rank <= axis < rank:
        raise InvalidArgumentError(None, None, f"Axis {axis} is out of range for a tensor of rank {rank}.")
    total = value.shape[axis]
    if len(sizes) != num_split or sizes.count(-1) > 1:
        raise InvalidArgumentError(None, None, f"{num_split} sizes are needed, at most one of them -1, not {sizes}.")
    if -1 in sizes:
        rest = total - sum(n for n in sizes if n != -1)
        sizes = [rest if n == -1 else n for n in sizes]
    if sum(sizes) != total or any(n < 0 for n in sizes):
        raise InvalidArgumentError(
            None, None, f"Sizes {size_splits.tolist()} don't add up to the {total} of axis {axis}."
        )
    return np.split(value, np.cumsum(sizes[:-1]), axis)


def inverse(x: Any) -> Any:
    """The kernel of InvertPermutation."""
    if x.ndim != 1:
        raise InvalidArgumentError(None, None, f"A permutation is a vector, not of shape {list(x.shape)}.")
    count = len(x)
    if sorted(x.tolist()) != list(range(count)):
        raise InvalidArgumentError(None, None, f"{x.tolist()} is not a permutation of 0 to {count - 1}.")
    y = np.empty_like(x)
    y[x] = np.arange(count, dtype=x.dtype)
    return y


def inverse_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The shape rule of InvertPermutation."""
    return inference.with_rank(args[0].shape, 1, "A permutation")


def check_numerics(tensor: Any, message: str) -> Any:
    """The kernel of CheckNumerics."""
    if not np.all(np.isfinite(tensor)):
        nan, inf = bool(np.any(np.isnan(tensor))), bool(np.any(np.isinf(tensor)))
        found = "NaN and Inf" if nan and inf else "NaN" if nan else "Inf"
        raise InvalidArgumentError(None, None, f"{message} : Tensor had {found} values")
    return tensor


def ensure_shape(x: Any, shape: Any) -> Any:
    """The kernel of EnsureShape."""
    if not as_shape(shape).is_compatible_with(x.shape):
        raise InvalidArgumentError(
            None, None, f"Shape of tensor {list(x.shape)} is not compatible with expected shape {as_shape(shape)}."
        )
    return x


def reshape_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The shape rule of Reshape."""
    shape = inference.shape_of_value(args[1])
    if shape is None:
        return None
    have = inference.elements(args[0].shape)
    value = args[1].value
    if value is not None:
        if value.tolist().count(-1) > 1:
            raise ValueError(f"Only one size may be -1, but the shape is {value.tolist()}.")
        known = prod(n for n in shape if n is not None)
        if None in shape and have is not None:
            if have % known if known else have:
                raise ValueError(f"{have} values don't fit shape {value.tolist()}: {known} must divide their number.")
            return tuple((have // known if known else 0) if n is None else n for n in shape)
        if have is not None and None not in shape and known != have:
            raise ValueError(
                f"Cannot reshape a tensor with {have} elements to shape {inference.show(shape)} ({known})."
            )
    elif have is not None and shape.count(None) == 1:
        # One size that is computed: it is what is left, unless it turns out to be wrong at run time.
        known = prod(n for n in shape if n is not None)
        if known and have % known == 0:
            return tuple(have // known if n is None else n for n in shape)
    return shape


def expand_dims_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The shape rule of ExpandDims."""
    shape, dim = args[0].shape, args[1].value
    if shape is None:
        return None
    if dim is None:
        return (None,) * (len(shape) + 1)
    axis = inference.axis_in(int(dim.reshape(())), len(shape) + 1)
    return (*shape[:axis], 1, *shape[axis:])


def squeeze_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    """The shape rule of Squeeze."""
    shape, dims = args[0].shape, attrs["squeeze_dims"]
    if shape is None:
        return None
    if not dims:
        return None if None in shape else tuple(n for n in shape if n != 1)
    gone = {inference.axis_in(axis, len(shape)) for axis in dims}
    for axis in gone:
        if shape[axis] not in (1, None):
            raise ValueError(f"Cannot squeeze axis {axis} of shape {inference.show(shape)}: its size is not 1.")
    return tuple(n for i, n in enumerate(shape) if i not in gone)


def transpose_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The shape rule of Transpose and ConjugateTranspose."""
    shape, perm = args[0].shape, args[1].value
    (count,) = inference.with_rank(args[1].shape, 1, "perm")
    if count is not None:
        shape = inference.with_rank(shape, count, f"A tensor with a perm of {count} axes")
    if perm is None:
        return None if shape is None else (None,) * len(shape)
    axes = perm.tolist()
    shape = inference.with_rank(shape, len(axes), "A transposed tensor")
    axes = [inference.axis_in(axis, len(shape)) for axis in axes]
    if sorted(axes) != list(range(len(shape))):  # an error of the run
        return (None,) * len(shape)
    return tuple(shape[axis] for axis in axes)


def concat_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The shape rule of ConcatV2."""
    inference.with_rank(args[-1].shape, 0, "axis")
    shapes = [arg.shape for arg in args[:-1]]
    ranks = {len(shape) for shape in shapes if shape is not None}
    if len(ranks) > 1:
        raise ValueError(f"Ranks must be equal to concatenate, but shapes are {[inference.show(s) for s in shapes]}.")
    if not ranks:
        return None
    rank = ranks.pop()
    if rank == 0:
        raise ValueError("Scalars can't be concatenated. Write tf.stack.")
    value = args[-1].value
    if value is None:
        return (None,) * rank
    axis = inference.axis_in(int(value.reshape(())), rank)
    sizes: list[int | None] = [None] * rank
    total: Any = 0
    for shape in shapes:
        if shape is None:
            total = None
            continue
        total = None if total is None or shape[axis] is None else total + shape[axis]
        for i in range(rank):
            if i != axis:
                sizes[i] = inference.merge_dim(sizes[i], shape[i], f"Sizes of axis {i} of concatenated tensors")
    sizes[axis] = total
    return tuple(sizes)


def pack_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    """The shape rule of Pack."""
    shape = inference.same_shape(args, attrs)
    if shape is None:
        return None
    axis = inference.axis_in(attrs["axis"], len(shape) + 1)
    return (*shape[:axis], len(args), *shape[axis:])


def unpack_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    """The shape rule of Unpack."""
    shape, num = args[0].shape, attrs["num"]
    if shape is None:
        return [None] * num
    axis = inference.axis_in(attrs["axis"], len(shape))
    inference.merge_dim(shape[axis], num, f"The size of axis {axis} and num")
    return [(*shape[:axis], *shape[axis + 1 :])] * num


def split_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    """The shape rule of Split."""
    dim, shape, num = args[0].value, args[1].shape, attrs["num_split"]
    if num < 1:
        raise ValueError(f"The number of parts must be at least 1, not {num}.")
    if shape is None:
        return [None] * num
    if dim is None:
        return [(None,) * len(shape)] * num
    axis = inference.axis_in(int(dim), len(shape))
    size = shape[axis]
    if size is not None and size % num:
        raise ValueError(f"Axis {axis} of size {size} can't be split evenly into {num} parts.")
    return [(*shape[:axis], None if size is None else size // num, *shape[axis + 1 :])] * num


def split_v_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    """The shape rule of SplitV."""
    shape, dim, num = args[0].shape, args[2].value, attrs["num_split"]
    if shape is None:
        return [None] * num
    if dim is None:
        return [(None,) * len(shape)] * num
    axis = inference.axis_in(int(dim), len(shape))
    value = args[1].value
    sizes: list[int | None] = [None] * num if value is None else [None if n == -1 else n for n in value.tolist()]
    total = shape[axis]
    if total is not None and sizes.count(None) <= 1 and value is not None:
        given = sum(n for n in sizes if n is not None)
        if given > total or (given < total and None not in sizes):
            raise ValueError(f"Sizes {value.tolist()} don't add up to the {total} of axis {axis}.")
        sizes = [total - given if n is None else n for n in sizes]
    return [(*shape[:axis], n, *shape[axis + 1 :]) for n in sizes]


def ensured_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    """The shape rule of EnsureShape."""
    return inference.merge(args[0].shape, as_shape(attrs["shape"])._dims)
