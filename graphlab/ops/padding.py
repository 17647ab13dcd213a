"""Padding, repeating, reversing and rolling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError, UnimplementedError
from graphlab.core.export import public
from graphlab.core.op import INDEX, REQUIRED, Arg, define
from graphlab.core.state import state
from graphlab.ops import gradients_written_out as gradients
from graphlab.ops import inference, written_out
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.over_values import of_composites

# ------------------------------------------------------------------------------------------------------------- kernels


def _pairs(x: Any, paddings: Any) -> list[tuple[int, int]]:
    if paddings.shape != (x.ndim, 2):
        message = f"paddings must have shape [{x.ndim}, 2], but has {list(paddings.shape)}"
        raise InvalidArgumentError(None, None, message)
    if (paddings < 0).any():
        raise InvalidArgumentError(None, None, f"Paddings must be non-negative: {paddings.tolist()}")
    return [(before, after) for before, after in paddings.tolist()]


def _pad(x: Any, paddings: Any) -> Any:
    return np.pad(x, _pairs(x, paddings), constant_values=b"" if x.dtype == object else x.dtype.type(0))


def _pad_v2(x: Any, paddings: Any, constant_values: Any) -> Any:
    if np.ndim(constant_values):
        raise InvalidArgumentError(None, None, f"constant_values must be a scalar, not {list(constant_values.shape)}")
    return np.pad(x, _pairs(x, paddings), constant_values=constant_values)


def _mirror_pad(x: Any, paddings: Any, mode: str) -> Any:
    pairs = _pairs(x, paddings)
    less = 1 if mode == "REFLECT" else 0
    for size, pair in zip(x.shape, pairs, strict=True):
        if max(pair) > size - less:
            message = f"paddings must be no greater than {'the dimension size' if not less else 'the size less 1'}: "
            raise InvalidArgumentError(None, None, message + f"{pair} for a size of {size}")
    return np.pad(x, pairs, mode="reflect" if less else "symmetric")


def _mirror_pad_grad(dy: Any, paddings: Any, mode: str) -> Any:
    pairs = _pairs(dy, paddings)
    skip = 1 if mode == "REFLECT" else 0
    for axis, (before, after) in enumerate(pairs):
        dy = np.moveaxis(dy, axis, 0)
        size = len(dy) - before - after
        folded = dy[before : before + size].copy()
        folded[skip : skip + before] += dy[:before][::-1]
        folded[size - skip - after : size - skip] += dy[before + size :][::-1]
        dy = np.moveaxis(folded, 0, axis)
    return dy


def _tile(x: Any, multiples: Any) -> Any:
    repeats = multiples.tolist()
    if len(repeats) != x.ndim:
        message = f"Expected multiples argument to be a vector of length {x.ndim} but got length {len(repeats)}"
        raise InvalidArgumentError(None, None, message)
    if any(n < 0 for n in repeats):
        raise InvalidArgumentError(None, None, f"Expected multiples to be non-negative: {repeats}")
    if x.dtype == np.uint16:
        raise UnimplementedError(None, None, "TileOp : The input data type is not supported, DataType : uint16")
    return np.tile(x, repeats)


def _reverse(x: Any, axis: Any) -> Any:
    if np.ndim(axis) != 1:
        raise InvalidArgumentError(None, None, f"'dims' must be 1-dimension, not {np.ndim(axis)}")
    axes = axis.tolist()
    if not np.ndim(x) or not np.size(x):  # has nothing to reverse, and TensorFlow does not look at the axes
        return x
    for at in axes:
        if not -x.ndim <= at < x.ndim:
            raise InvalidArgumentError(None, None, f"'axis' {at} is out of bounds for a tensor of rank {x.ndim}")
    if len({at % x.ndim for at in axes}) != len(axes):
        raise InvalidArgumentError(None, None, f"axis {axes} specified more than once.")
    return np.flip(x, tuple(axes))


def _roll(x: Any, shift: Any, axis: Any) -> Any:
    if x.ndim < 1:
        raise InvalidArgumentError(None, None, "input must be 1-D or higher")
    if np.shape(shift) != np.shape(axis) or np.ndim(shift) > 1:
        raise InvalidArgumentError(None, None, "shift and axis must have the same size")
    try:
        return np.roll(x, shift.reshape(-1).tolist(), axis.reshape(-1).tolist())
    except np.exceptions.AxisError:
        raise InvalidArgumentError(None, None, f"axis {axis.tolist()} is out of range") from None


def _reverse_sequence(x: Any, seq_lengths: Any, seq_dim: int, batch_dim: int) -> Any:
    if seq_dim < 0 or batch_dim < 0:
        raise InvalidArgumentError(None, None, f"Axes must be at least 0, but are {seq_dim} and {batch_dim}.")
    moved = np.moveaxis(x, (batch_dim, seq_dim), (0, 1))
    if seq_lengths.ndim != 1 or len(seq_lengths) != len(moved):
        message = f"Length of seq_lengths != input.dims({batch_dim}), ({seq_lengths.size} vs. {len(moved)})"
        raise InvalidArgumentError(None, None, message)
    result = moved.copy()
    for i, length in enumerate(seq_lengths.tolist()):
        if not 0 <= length <= moved.shape[1]:
            message = f"seq_lengths({i}) must be in [0, {moved.shape[1]}], but is {length}"
            raise InvalidArgumentError(None, None, message)
        result[i, :length] = moved[i, :length][::-1]
    return np.moveaxis(result, (0, 1), (batch_dim, seq_dim))


# ----------------------------------------------------------------------------------------------------------- inference


def _pad_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape, paddings = args[0].shape, args[1].value
    if paddings is None:
        rows, columns = inference.with_rank(args[1].shape, 2, "paddings")
        inference.merge_dim(columns, 2, "The columns of paddings and 2")
        if shape is None:
            return None if rows is None else (None,) * rows
        inference.merge_dim(rows, len(shape), "The rows of paddings and the rank")
        return (None,) * len(shape)
    if paddings.ndim != 2 or paddings.shape[1] != 2:
        raise ValueError(f"paddings must have shape [rank, 2], but has {list(paddings.shape)}.")
    shape = inference.with_rank(shape, len(paddings), "A padded tensor")
    if (paddings < 0).any():
        raise ValueError(f"Paddings must be non-negative: {paddings.tolist()}.")
    return tuple(None if n is None else n + sum(pair) for n, pair in zip(shape, paddings.tolist(), strict=True))


def _mirror_pad_grad_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape, paddings = args[0].shape, args[1].value
    if shape is None or paddings is None:
        return shape if shape is None else (None,) * len(shape)
    return tuple(None if n is None else n - sum(pair) for n, pair in zip(shape, paddings.tolist(), strict=True))


def _tile_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    inference.with_rank(args[1].shape, 1, "multiples")
    shape, multiples = args[0].shape, args[1].value
    repeats: Any
    if multiples is not None:
        repeats = multiples.tolist()
    else:
        repeats = args[1].partial
        if repeats is None:
            return None if shape is None else (None,) * len(shape)
    shape = inference.with_rank(shape, len(repeats), "A tiled tensor")
    # A negative multiple is the run's to refuse.
    return tuple(None if n is None or m is None or m < 0 else n * m for n, m in zip(shape, repeats, strict=True))


def _roll_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape, shift, axis = (arg.shape for arg in args)
    inference.at_least_rank(shape, 1, "The input")
    for part, what in ((shift, "shift"), (axis, "axis")):
        if part is not None and len(part) > 1:
            raise ValueError(f"{what} must be a scalar or a vector, but has shape {inference.show(part)}.")
    inference.merge(shift, axis)
    return shape


def _reverse_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    inference.with_rank(args[1].shape, 1, "axis")
    shape, axis = args[0].shape, args[1].value
    if shape is not None and axis is not None:
        axes = [inference.axis_in(at, len(shape)) for at in axis.reshape(-1).tolist()]
        if len(set(axes)) != len(axes):
            raise ValueError(f"axis {axis.tolist()} names an axis twice.")
    return shape


def _reverse_sequence_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape = args[0].shape
    lengths = inference.with_rank(args[1].shape, 1, "seq_lengths")[0]
    if shape is None:
        return None
    batch = inference.axis_in(attrs["batch_dim"], len(shape))
    if batch != attrs["batch_dim"]:
        raise ValueError(f"batch_axis must be at least 0, not {attrs['batch_dim']}.")
    if attrs["seq_dim"] >= 0:  # the run refuses those below
        inference.axis_in(attrs["seq_dim"], len(shape))
    size = inference.merge_dim(shape[batch], lengths, "The size of the batch and the number of lengths")
    return (*shape[:batch], size, *shape[batch + 1 :])


# ----------------------------------------------------------------------------------------------------------- gradients


def _pad_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.array_shape import shape_of
    from graphlab.ops.slicing import getitem, slice_

    x, paddings = op.inputs[:2]
    if state.graph is not None:
        return [gradients.pad(op, dy)] + [None] * (len(op.inputs) - 1)
    known = static.value(paddings)
    begin = known[:, 0] if known is not None else getitem(paddings, (slice(None), 0))
    size: Any = shape_of(x)
    if not isinstance(size, tuple):
        from graphlab.ops.array_shape import shape

        size = shape(x, out_type=paddings.dtype)
    elif known is not None:
        size = np.array(size, known.dtype)
    return [slice_(dy, begin, size)] + [None] * (len(op.inputs) - 1)


def _tile_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, array_shape, creation, reduction

    x, multiples = op.inputs
    if state.graph is not None:
        return [gradients.tile(op, dy), None]
    repeats = static.value(multiples)
    shape = x._raw_shape()
    if repeats is not None and shape is not None and None not in shape:
        split = [n for pair in zip(repeats.tolist(), shape, strict=True) for n in pair]
        return [reduction.reduce_sum(array.reshape(dy, split), list(range(0, len(split), 2))), None]
    sizes = array_shape.shape(x, out_type=multiples.dtype)
    both = array.reshape(array.stack([multiples, sizes], axis=1), [-1])
    axes = creation.range(0, array_shape.size(both), 2)
    return [array.reshape(reduction.reduce_sum(array.reshape(dy, both), axes), sizes), None]


def _mirror_pad_gradient(op: Any, dy: Any) -> list[Any]:
    return [bind(MIRROR_PAD_GRAD, (dy, op.inputs[1]), {"mode": op.attrs["mode"]}), None]


def _mirror_pad_grad_gradient(op: Any, g: Any) -> list[Any]:
    return [bind(MIRROR_PAD, (g, op.inputs[1]), {"mode": op.attrs["mode"]}), None]


def _reverse_grad(op: Any, dy: Any) -> list[Any]:
    return [bind(REVERSE, (dy, op.inputs[1])), None]


def _roll_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.math import negative

    _, shift, axis = op.inputs
    return [bind(ROLL, (dy, negative(shift), axis)), None, None]


def _reverse_sequence_grad(op: Any, dy: Any) -> list[Any]:
    attrs = {"seq_dim": op.attrs["seq_dim"], "batch_dim": op.attrs["batch_dim"]}
    return [bind(REVERSE_SEQUENCE, (dy, op.inputs[1]), attrs), None]


PAD = define("Pad", "input: T, paddings: Tpaddings -> output: T", kernel=_pad, infer=_pad_shape, gradient=_pad_grad,
             types={"Tpaddings": INDEX}, defaults={"Tpaddings": dtypes.int32}, can_fail=True, fp=False)  # fmt: skip
PAD_V2 = define("PadV2", "input: T, paddings: Tpaddings, constant_values: T -> output: T", kernel=_pad_v2,
                infer=_pad_shape, gradient=_pad_grad, types={"Tpaddings": INDEX},
                defaults={"Tpaddings": dtypes.int32}, can_fail=True, fp=False)  # fmt: skip
MIRROR_PAD = define("MirrorPad", "input: T, paddings: Tpaddings -> output: T", kernel=_mirror_pad, infer=_pad_shape,
                    gradient=_mirror_pad_gradient, types={"Tpaddings": INDEX}, attrs={"mode": REQUIRED},
                    defaults={"Tpaddings": dtypes.int32}, can_fail=True, fp=False)  # fmt: skip
MIRROR_PAD_GRAD = define("MirrorPadGrad", "input: T, paddings: Tpaddings -> output: T", kernel=_mirror_pad_grad,
                         infer=_mirror_pad_grad_shape, gradient=_mirror_pad_grad_gradient, types={"Tpaddings": INDEX},
                         attrs={"mode": REQUIRED}, defaults={"Tpaddings": dtypes.int32}, can_fail=True)  # fmt: skip
TILE = define("Tile", "input: T, multiples: Tmultiples -> output: T", kernel=_tile, infer=_tile_shape,
              gradient=_tile_grad, types={"Tmultiples": INDEX}, defaults={"Tmultiples": dtypes.int32}, can_fail=True,
              fp=False)  # fmt: skip
REVERSE = define("ReverseV2", "tensor: T, axis: Tidx -> output: T", kernel=_reverse, infer=_reverse_shape,
                 gradient=_reverse_grad, types={"Tidx": INDEX}, defaults={"Tidx": dtypes.int32}, can_fail=True,
                 alias=True, fp=False)  # fmt: skip
ROLL = define("Roll", "input: T, shift: Tshift, axis: Taxis -> output: T", kernel=_roll, infer=_roll_shape,
              gradient=_roll_grad, types={"Tshift": INDEX, "Taxis": INDEX}, can_fail=True, fp=False)  # fmt: skip
REVERSE_SEQUENCE = define(
    "ReverseSequence", "input: T, seq_lengths: Tlen -> output: T", kernel=_reverse_sequence,
    infer=_reverse_sequence_shape,
    gradient=_reverse_sequence_grad, types={"Tlen": INDEX},
    defaults={"Tlen": dtypes.int64}, attrs={"seq_dim": REQUIRED, "batch_dim": 0}, kinds={"seq_dim": int},
    can_fail=True, fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("pad")
def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None) -> Any:
    """Adds elements before and after, on each axis.

    Args:
      tensor: a tensor of any dtype.
      paddings: a matrix of int32 or int64 with a row for each axis: how many before, how many after.
      mode: ``"CONSTANT"``, ``"REFLECT"`` (mirrored without the edge) or ``"SYMMETRIC"`` (mirrored with it).
      constant_values: the scalar that fills, for CONSTANT.
      name: a name for the node.

    Raises:
      ValueError: for another mode.
      tf.errors.InvalidArgumentError: if the paddings don't fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.pad([[1, 2]], [[1, 0], [0, 2]]).numpy()
    array([[0, 0, 0, 0],
           [1, 2, 0, 0]], dtype=int32)
    >>> tf.pad([1, 2, 3], [[2, 1]], "REFLECT").numpy()
    array([3, 2, 1, 2, 3, 2], dtype=int32)
    """
    mode = mode.upper()
    if mode == "CONSTANT":
        if isinstance(constant_values, (int, float)) and not constant_values:
            return bind(PAD, (tensor, paddings), None, name)
        return bind(PAD_V2, (tensor, paddings, constant_values), None, name)
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"Value of argument `mode` expected to be one of CONSTANT, REFLECT or SYMMETRIC, not {mode}.")
    return bind(MIRROR_PAD, (tensor, paddings), {"mode": mode}, name)


@public("tile")
def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """Repeats a tensor as a whole along each axis.

    Args:
      input: a tensor of rank 1 or more.
      multiples: a vector of int32 or int64: how often, for each axis.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if there is not one multiple for each axis (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.tile([[1, 2]], [2, 2]).numpy()
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]], dtype=int32)
    """
    return bind(TILE, (input, multiples), None, name)


@public("reverse")
@of_composites
def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """Reverses the order of elements along axes.

    Args:
      tensor: a tensor of any dtype.
      axis: a vector of axes.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: for an axis out of range or given twice (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.reverse([[1, 2], [3, 4]], [0]).numpy()
    array([[3, 4],
           [1, 2]], dtype=int32)
    """
    return bind(REVERSE, (tensor, axis), None, name)


@public("roll")
def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Any:
    """Shifts elements along axes; what leaves at one end comes in at the other.

    Args:
      input: a tensor of rank 1 or more.
      shift: how far, an integer scalar or a vector of them.
      axis: the axis, or a vector of as many axes.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.roll([0, 1, 2, 3, 4], 2, 0).numpy()
    array([3, 4, 0, 1, 2], dtype=int32)
    """
    return bind(ROLL, (input, shift, axis), None, name)


@public("reverse_sequence")
def reverse_sequence(
    input: Any, seq_lengths: Any, seq_axis: int | None = None, batch_axis: int | None = None, name: str | None = None
) -> Any:
    """Reverses the first elements, as many as given, of each member of a batch.

    Args:
      input: a tensor of rank 2 or more.
      seq_lengths: a vector of int32 or int64, a length for each member.
      seq_axis: the axis to reverse along.
      batch_axis: the axis of the batch; 0 by default.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy()
    array([[2, 1, 3],
           [6, 5, 4]], dtype=int32)
    """
    if seq_axis is None:
        raise TypeError("reverse_sequence needs seq_axis, the axis to reverse along.")
    attrs = {"seq_dim": seq_axis, "batch_dim": 0 if batch_axis is None else batch_axis}
    return bind(REVERSE_SEQUENCE, (input, seq_lengths), attrs, name)


@public("repeat")
def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Any:
    """Repeats each element along an axis.

    Args:
      input: a tensor of any dtype.
      repeats: how often, an integer scalar, or a vector with a number for each element of the axis.
      axis: the axis; None: the elements of the flattened tensor.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.repeat(["a", "b"], [2, 1]).numpy().tolist()
    [b'a', b'a', b'b']
    """
    from graphlab.ops import array, array_shape, creation, grids, math, reduction
    from graphlab.ops.casting import cast
    from graphlab.ops.slicing import boolean_mask, getitem

    if axis is not None and not isinstance(axis, int):
        raise TypeError(f"axis must be an int, not {axis!r:.100}.")
    if axis is None:
        input, axis = array.reshape(input, [-1]), 0
    with name_scope(name, "Repeat"):
        data = convert_to_tensor(input, name="data")
        counts = convert_to_tensor(repeats, dtype_hint=dtypes.int32, name="repeats")
        if not counts.dtype.is_integer:
            raise TypeError(f"repeats must hold integers, but has dtype {counts.dtype.name}.")
        if counts.dtype not in (dtypes.int32, dtypes.int64):
            counts = cast(counts, dtypes.int32)
        shape, known = data._raw_shape(), counts._raw_shape()
        at: Any
        if shape is None:
            rank = array_shape.rank(data)
            at = axis if axis >= 0 else rank + axis
        else:
            rank = len(shape)
            at = inference.axis_in(axis, rank)
        if isinstance(axis, bool):
            text = f"axis must be an int, not {axis}."
            raise InvalidArgumentError(None, None, text) if state.graph is None else TypeError(text)
        if state.graph is not None and shape is not None and known is not None and len(known) <= 1:
            scalar = known in ((), (1,))
            if not scalar and None not in (shape[at], known[0]) and shape[at] != known[0]:
                message = f"repeats has {known[0]} elements, but axis {at} has size {shape[at]}."
                raise ValueError(message)
            return written_out.repeat(data, counts, at, scalar)
        sizes = array_shape.shape(data, out_type=counts.dtype)

        def repeated(times: Any) -> Any:
            """Each element followed by its copies, on a new axis."""
            if shape is not None:
                multiples: Any = array.stack([times if i == at + 1 else 1 for i in range(rank + 1)])
            else:
                before, after = creation.ones([at + 1], counts.dtype), creation.ones([rank - at - 1], counts.dtype)
                multiples = array.concat([before, array.reshape(times, [1]), after], 0)
            return tile(array.expand_dims(data, at + 1), multiples)

        if known is not None and (len(known) == 0 or known == (1,)):
            count = array.reshape(counts, [])
            length = array.reshape(getitem(sizes, at) * count, [1])
            whole = array.concat([getitem(sizes, slice(None, at)), length, getitem(sizes, slice(at + 1, None))], 0)
            return array.reshape(repeated(count), whole)
        if known is None or len(known) != 1:
            raise ValueError(f"repeats must be a scalar or a vector, but has shape {inference.show(known)}.")
        if shape is not None and shape[at] is not None and known[0] is not None and shape[at] != known[0]:
            raise ValueError(f"repeats has {known[0]} elements, but axis {at} has size {shape[at]}.")
        if shape is None and axis < 0:
            raise ValueError("A vector of repeats on a negative axis needs a tensor of known rank.")
        longest = math.maximum(reduction.reduce_max(counts), 0)
        mask = grids.sequence_mask(counts, longest)
        return boolean_mask(repeated(longest), mask, axis=at)
