"""Blocks: moving the elements of small blocks between the spatial axes and the batch or the channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import attribute, bind, misfit, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, NOT_DIFFERENTIABLE, REQUIRED, Arg, Op, define
from graphlab.core.state import state
from graphlab.ops import inference
from graphlab.ops.inference import Shape

# ------------------------------------------------------------------------------------------------------------- kernels


def _check_blocks(block_shape: Any) -> None:
    if np.ndim(block_shape) != 1:
        raise InvalidArgumentError(
            None, None, f"block_shape must be a vector, but has shape {list(np.shape(block_shape))}"
        )


def _space_to_batch(x: Any, block_shape: Any, paddings: Any) -> Any:
    _check_blocks(block_shape)
    blocks, pads = block_shape.tolist(), paddings.tolist()
    count = len(blocks)
    if x.ndim < 1 + count or paddings.shape != (count, 2):
        message = f"block_shape {blocks} and paddings {pads} don't fit an input of shape {list(x.shape)}"
        raise InvalidArgumentError(None, None, message)
    x = np.pad(x, [(0, 0), *pads, *([(0, 0)] * (x.ndim - 1 - count))], constant_values=x.dtype.type(0))
    for n, block in zip(x.shape[1:], blocks, strict=False):
        if block < 1 or n % block:
            raise InvalidArgumentError(None, None, f"padded size {n} is not divisible by the block size {block}")
    split = [n for size, block in zip(x.shape[1 : 1 + count], blocks, strict=True) for n in (size // block, block)]
    x = x.reshape(x.shape[0], *split, *x.shape[1 + count :])
    inner = [2 + 2 * i for i in range(count)]
    outer = [1 + 2 * i for i in range(count)]
    x = x.transpose([*inner, 0, *outer, *range(1 + 2 * count, x.ndim)])
    return (
        x.reshape(-1, *x.shape[1 + count :])
        if x.size
        else x.reshape(int(np.prod(x.shape[: 1 + count])), *x.shape[1 + count :])
    )


def _batch_to_space(x: Any, block_shape: Any, crops: Any) -> Any:
    _check_blocks(block_shape)
    blocks, cut = block_shape.tolist(), crops.tolist()
    count = len(blocks)
    size = int(np.prod(blocks))
    if x.ndim < 1 + count or crops.shape != (count, 2):
        message = f"block_shape {blocks} and crops {cut} don't fit an input of shape {list(x.shape)}"
        raise InvalidArgumentError(None, None, message)
    if size < 1 or len(x) % size:
        raise InvalidArgumentError(None, None, f"Input batch dimension ({len(x)}) is not divisible by {size}")
    batch, sizes, rest = len(x) // size, x.shape[1 : 1 + count], x.shape[1 + count :]
    x = x.reshape(*blocks, batch, *sizes, *rest)
    order = [count, *[axis for i in range(count) for axis in (count + 1 + i, i)], *range(2 * count + 1, x.ndim)]
    x = x.transpose(order).reshape(batch, *(n * b for n, b in zip(sizes, blocks, strict=True)), *rest)
    for n, pair in zip(x.shape[1:], cut, strict=False):
        if min(pair) < 0 or sum(pair) > n:
            raise InvalidArgumentError(None, None, f"crops {pair} don't fit a size of {n}")
    return x[(slice(None), *(slice(a, n - b) for n, (a, b) in zip(x.shape[1:], cut, strict=False)))]


def _space_to_depth(x: Any, block_size: int, data_format: str) -> Any:
    x = _last(x, data_format)
    batch, height, width, channels = x.shape
    if height % block_size or width % block_size:
        message = f"Image width {width} and height {height} should be divisible by block_size: {block_size}"
        raise InvalidArgumentError(None, None, message)
    x = x.reshape(batch, height // block_size, block_size, width // block_size, block_size, channels)
    x = x.transpose(0, 1, 3, 2, 4, 5)
    x = x.reshape(batch, height // block_size, width // block_size, channels * block_size * block_size)
    return _back(x, data_format)


def _depth_to_space(x: Any, block_size: int, data_format: str) -> Any:
    x = _last(x, data_format)
    batch, height, width, channels = x.shape
    if channels % (block_size * block_size):
        message = f"Input depth dimension {channels} should be divisible by: {block_size * block_size}"
        raise InvalidArgumentError(None, None, message)
    depth = channels // (block_size * block_size)
    x = x.reshape(batch, height, width, block_size, block_size, depth).transpose(0, 1, 3, 2, 4, 5)
    return _back(x.reshape(batch, height * block_size, width * block_size, depth), data_format)


def _last(x: Any, data_format: str) -> Any:
    if x.ndim != 4:
        raise InvalidArgumentError(None, None, f"Input rank should be 4, not {x.ndim}")
    return np.moveaxis(x, 1, -1) if data_format == "NCHW" else x


def _back(x: Any, data_format: str) -> Any:
    return np.moveaxis(x, -1, 1) if data_format == "NCHW" else x


def _unravel(indices: Any, dims: Any) -> Any:
    if np.ndim(dims) != 1:
        raise InvalidArgumentError(None, None, f"dims must be a vector, but has shape {list(np.shape(dims))}")
    sizes = tuple(dims.tolist())
    total = int(np.prod(sizes))
    if not np.size(indices):
        raise InvalidArgumentError(None, None, "indices must not be empty")
    if np.any((indices < 0) | (indices >= total)):
        raise InvalidArgumentError(None, None, f"index is out of bound as with dims {list(sizes)}")
    return np.stack(np.unravel_index(indices, sizes)).astype(indices.dtype)


# --------------------------------------------------------------------------------------------- inference and gradients


def _moved_shape(args: Sequence[Arg], to_batch: bool) -> Shape:
    number = inference.with_rank(args[1].shape, 1, "block_shape")[0]
    rows, pair = inference.with_rank(args[2].shape, 2, "paddings" if to_batch else "crops")
    inference.merge_dim(number, rows, "The number of blocks and of their " + ("paddings" if to_batch else "crops"))
    inference.merge_dim(pair, 2, "The size of their last axis and 2")
    shape, blocks, amounts = args[0].shape, args[1].value, args[2].value
    if shape is None:
        return None
    if blocks is None:
        count = args[1].shape[0] if args[1].shape else None
        return (None,) * len(shape) if count is None else (*(None,) * (1 + count), *shape[1 + count :])
    count = len(blocks)
    inference.at_least_rank(shape, 1 + count)
    if any(block < 1 for block in blocks.tolist()):
        raise ValueError(f"Block sizes must be positive, not {blocks.tolist()}.")
    result = list(shape)
    for i, block in enumerate(blocks.tolist(), 1):
        n = shape[i]
        if n is None or amounts is None:
            result[i] = None
            continue
        change = int(sum(amounts[i - 1]))
        if to_batch:
            if (n + change) % block:
                raise ValueError(
                    f"The padded size {n + change} of axis {i} is not divisible by its block size {block}."
                )
            result[i] = (n + change) // block
        else:
            result[i] = n * block - change
    size = int(np.prod(blocks))
    if shape[0] is not None:
        if not to_batch and shape[0] % size:
            raise ValueError(f"The batch of {shape[0]} is not divisible by {size}.")
        result[0] = shape[0] * size if to_batch else shape[0] // size
    return tuple(result)


def _space_to_batch_shape(args: Sequence[Arg], _attrs: Mapping[str, Any]) -> Shape:
    return _moved_shape(args, True)


def _batch_to_space_shape(args: Sequence[Arg], _attrs: Mapping[str, Any]) -> Shape:
    return _moved_shape(args, False)


def _space_to_depth_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    return _deep_shape(args[0].shape, attrs, True)


def _depth_to_space_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    return _deep_shape(args[0].shape, attrs, False)


def _deep_shape(shape: Shape, attrs: Mapping[str, Any], to_depth: bool) -> Shape:
    n = attrs["block_size"]
    result: list[int | None] = []
    for size, letter in zip(inference.with_rank(shape, 4, "An image"), attrs["data_format"], strict=True):
        if size is None or letter == "N":
            result.append(size)
            continue
        factor = n * n if letter == "C" else n
        grows = (letter == "C") is to_depth
        if not grows and size % factor:
            raise ValueError(f"A size of {size} is not divisible by {factor}.")
        result.append(size * factor if grows else size // factor)
    return tuple(result)


def _space_to_batch_grad(op: Any, dy: Any) -> list[Any]:
    return [bind(BATCH_TO_SPACE, (dy, op.inputs[1], op.inputs[2])), None, None]


def _batch_to_space_grad(op: Any, dy: Any) -> list[Any]:
    return [bind(SPACE_TO_BATCH, (dy, op.inputs[1], op.inputs[2])), None, None]


def _space_to_depth_grad(op: Any, dy: Any) -> Any:
    return depth_to_space(dy, op.attrs["block_size"], op.attrs["data_format"])


def _depth_to_space_grad(op: Any, dy: Any) -> Any:
    return space_to_depth(dy, op.attrs["block_size"], op.attrs["data_format"])


SPACE_TO_BATCH = define(
    "SpaceToBatchND", "input: T, block_shape: Tblock_shape, paddings: Tpaddings -> output: T", kernel=_space_to_batch,
    infer=_space_to_batch_shape, gradient=_space_to_batch_grad, types={"Tblock_shape": INDEX, "Tpaddings": INDEX},
    defaults={"Tblock_shape": dtypes.int32, "Tpaddings": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip
BATCH_TO_SPACE = define(
    "BatchToSpaceND", "input: T, block_shape: Tblock_shape, crops: Tcrops -> output: T", kernel=_batch_to_space,
    infer=_batch_to_space_shape, gradient=_batch_to_space_grad, types={"Tblock_shape": INDEX, "Tcrops": INDEX},
    defaults={"Tblock_shape": dtypes.int32, "Tcrops": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip
SPACE_TO_DEPTH = define("SpaceToDepth", "input: T -> output: T", kernel=_space_to_depth, infer=_space_to_depth_shape,
                        gradient=_space_to_depth_grad, attrs={"block_size": REQUIRED, "data_format": "NHWC"},
                        kinds={"block_size": int},
                        can_fail=True, fp=False)  # fmt: skip
DEPTH_TO_SPACE = define("DepthToSpace", "input: T -> output: T", kernel=_depth_to_space, infer=_depth_to_space_shape,
                        gradient=_depth_to_space_grad, attrs={"block_size": REQUIRED, "data_format": "NHWC"},
                        kinds={"block_size": int},
                        can_fail=True, fp=False)  # fmt: skip
UNRAVEL_INDEX = define(
    "UnravelIndex", "indices: Tidx, dims: Tidx -> output: Tidx", kernel=_unravel,
    infer=lambda args, _attrs: None if args[0].shape is None or args[1].shape is None else (
        args[1].shape[0], *args[0].shape),
    gradient=NOT_DIFFERENTIABLE, types={"Tidx": INDEX}, defaults={"Tidx": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _as_it_is(value: Any) -> Any:
    """Eagerly a float is not taken for a default dtype: the op says which dtypes it takes."""
    return convert_to_tensor(value) if value.__class__ is float and state.graph is None else value


@public("space_to_batch", "nn.space_to_batch")
def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """Moves the elements of blocks into the batch: an image becomes several smaller ones.

    Args:
      input: a tensor, batch first.
      block_shape: a vector: the size of a block on each of the axes after the batch.
      paddings: a matrix: how many zeros before and after each of these axes come first.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if a padded size is not divisible by its block size (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.space_to_batch(tf.reshape([1, 2, 3, 4], [1, 2, 2, 1]), [2, 2], [[0, 0], [0, 0]]).numpy().ravel()
    array([1, 2, 3, 4], dtype=int32)
    """
    return bind(SPACE_TO_BATCH, (input, _as_it_is(block_shape), _as_it_is(paddings)), None, name)


@public("space_to_batch_nd")
def space_to_batch_nd(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """As ``tf.space_to_batch``.

    Args:
      input: a tensor, batch first.
      block_shape: a vector: the size of a block on each of the axes after the batch.
      paddings: a matrix: how many zeros before and after each of these axes come first.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.space_to_batch_nd(tf.ones([1, 2, 2, 1]), [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([4, 1, 1, 1])
    """
    return space_to_batch(input, block_shape, paddings, name)


@public("batch_to_space")
def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """The inverse of ``tf.space_to_batch``.

    Args:
      input: a tensor, batch first.
      block_shape: a vector: the size of a block on each of the axes after the batch; an int for both of two.
      crops: a matrix: how many elements are cut off before and after each of these axes in the end.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the batch is not divisible (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.batch_to_space(tf.reshape([1, 2, 3, 4], [4, 1, 1, 1]), [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([1, 2, 2, 1])
    """
    if isinstance(block_shape, int):
        block_shape = np.array([block_shape, block_shape], np.int64)
    return bind(BATCH_TO_SPACE, (input, _as_it_is(block_shape), _as_it_is(crops)), None, name)


def _block_size(op: Op, size: Any) -> Any:
    number: Any = attribute(op, "block_size", int, size)
    if isinstance(number, int) and number < 2:
        raise misfit(f"block_size must be at least 2, but is {int(number)}.")
    return number


@public("nn.space_to_depth")
def space_to_depth(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Any:
    """Moves the elements of square blocks into the channels.

    Args:
      input: a tensor of rank 4.
      block_size: the side of a block.
      data_format: ``"NHWC"`` or ``"NCHW"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.space_to_depth(tf.ones([1, 4, 4, 1]), 2).shape
    TensorShape([1, 2, 2, 4])
    """
    block_size = _block_size(SPACE_TO_DEPTH, block_size)
    return bind(SPACE_TO_DEPTH, (input,), {"block_size": block_size, "data_format": data_format}, name)


@public("nn.depth_to_space")
def depth_to_space(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Any:
    """The inverse of ``tf.nn.space_to_depth``.

    Args:
      input: a tensor of rank 4.
      block_size: the side of a block.
      data_format: ``"NHWC"`` or ``"NCHW"``.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.nn.depth_to_space(tf.ones([1, 2, 2, 4]), 2).shape
    TensorShape([1, 4, 4, 1])
    """
    block_size = _block_size(DEPTH_TO_SPACE, block_size)
    return bind(DEPTH_TO_SPACE, (input,), {"block_size": block_size, "data_format": data_format}, name)


@public("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Any, Any]:
    """Returns the paddings that make sizes divisible by block sizes, and the crops that take them off again.

    Args:
      input_shape: a vector of int32, the sizes.
      block_shape: a vector of int32, the block sizes.
      base_paddings: a matrix of paddings that there are to be at least; zeros by default.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> paddings, crops = tf.required_space_to_batch_paddings([5], [2])
    >>> paddings.numpy().tolist(), crops.numpy().tolist()
    ([[0, 1]], [[0, 1]])
    """
    from graphlab.ops import array, creation, division

    with name_scope(name, "required_space_to_batch_paddings"):
        sizes = convert_to_tensor(input_shape, dtypes.int32, name="input_shape")
        blocks = convert_to_tensor(block_shape, dtypes.int32, name="block_shape")
        for part, what in ((sizes, "input_shape"), (blocks, "block_shape")):
            inference.with_rank(part._raw_shape(), 1, what)
        number = blocks._raw_shape()[0] if blocks._raw_shape() is not None else None
        if number == 0:
            return creation.zeros([0, 2], dtypes.int32), creation.zeros([0, 2], dtypes.int32)
        if sizes._raw_shape() is not None:
            inference.merge_dim(sizes._raw_shape()[0], number, "The lengths of input_shape and block_shape")
        known = [static.value(t) for t in (sizes, blocks)]
        base = None if base_paddings is None else convert_to_tensor(base_paddings, dtypes.int32)
        if base is None and all(value is not None for value in known):
            creation.zeros([len(known[0]), 2], dtypes.int32)
            after = -known[0] % known[1]
            both = np.stack([np.zeros_like(after), after], 1)
            return convert_to_tensor(both, name="paddings"), convert_to_tensor(both, name="crops")
        if base is None:
            base = array.stack([creation.zeros_like(sizes), creation.zeros_like(sizes)], axis=1)
        start, end = base[:, 0], base[:, 1]
        extra = division.floormod(blocks - division.floormod(sizes + start + end, blocks), blocks)
        paddings = array.stack([start, end + extra], axis=1, name="paddings")
        crops = array.stack([creation.zeros_like(extra), extra], axis=1, name="crops")
        return paddings, crops


@public("unravel_index")
def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Any:
    """Returns the coordinates of elements that are given by their place in row-major order.

    Args:
      indices: a tensor of int32 or int64.
      dims: the shape they are places in.
      name: a name for the node.

    Returns:
      A tensor with a row for each axis.

    Raises:
      tf.errors.InvalidArgumentError: for a place out of range.

    >>> import graphlab as tf
    >>> tf.unravel_index([2, 5], [3, 3]).numpy()
    array([[0, 1],
           [2, 2]], dtype=int32)
    """
    return bind(UNRAVEL_INDEX, (_as_it_is(indices), dims), None, name)
