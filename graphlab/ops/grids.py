"""Regular patterns: evenly spaced values, grids, identity matrices, one-hot vectors, masks of lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.state import state
from graphlab.core.tensor import Tensor, wrap
from graphlab.ops import inference, written_out
from graphlab.ops.creation import ones, range, zeros
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.over_values import of_composites


def _lin_space(start: Any, stop: Any, num: Any) -> Any:
    count = int(num)
    if count <= 0:
        raise InvalidArgumentError(None, None, f"Requires num > 0: {count}")
    return np.linspace(start, stop, count, dtype=start.dtype)


def _one_hot(indices: Any, depth: Any, on_value: Any, off_value: Any, axis: int) -> Any:
    count = int(depth)
    if count < 0:
        raise InvalidArgumentError(None, None, f"depth must be non-negative, got: {count}")
    rank = indices.ndim
    if not -1 <= axis <= rank:
        raise InvalidArgumentError(
            None, None, f"Expected axis to be -1 or between [0, {rank + 1}).  But received: {axis}"
        )
    hot = np.expand_dims(indices, axis) == np.arange(count).reshape([-1] + [1] * (0 if axis == -1 else rank - axis))
    return np.where(hot, on_value, off_value).astype(on_value.dtype, copy=False)


def _lin_space_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    for arg, what in zip(args, ("start", "stop"), strict=False):
        inference.with_rank(arg.shape, 0, what)
    return (inference.size_of_value(args[2], "num", least=1),)


def _one_hot_shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    shape, depth, axis = args[0].shape, args[1].value, attrs["axis"]
    if axis < -1:
        raise ValueError(f"axis must be at least -1, not {axis}.")
    if depth is not None:
        depth = inference.size_of_value(args[1], "depth")
    if shape is None or axis > len(shape):
        return None  # the run says which axes there are
    at = len(shape) if axis == -1 else axis
    return (*shape[:at], None if depth is None else int(depth), *shape[at:])


def _lin_space_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import division, math
    from graphlab.ops.casting import cast
    from graphlab.ops.reduction import reduce_sum

    num = op.inputs[2]
    steps = cast(range(num), dy.dtype)
    last = math.maximum(cast(math.subtract(num, 1), dy.dtype), 1)
    share = division.realdiv(steps, last)
    return [reduce_sum(math.multiply(dy, 1 - share)), reduce_sum(math.multiply(dy, share)), None]


LIN_SPACE = define("LinSpace", "start: T, stop: T, num: Tidx -> output: T", kernel=_lin_space, infer=_lin_space_shape,
                   gradient=_lin_space_grad, types={"T": FLOAT, "Tidx": INDEX}, defaults={"Tidx": dtypes.int32},
                   can_fail=True)  # fmt: skip


ONE_HOT = define("OneHot", "indices: TI, depth: int32, on_value: T, off_value: T -> output: T", kernel=_one_hot,
                 infer=_one_hot_shape, gradient=NOT_DIFFERENTIABLE, attrs={"axis": -1},
                 types={"TI": INDEX | {dtypes.uint8, dtypes.int8}}, defaults={"TI": dtypes.int64}, can_fail=True,
                 fp=False, name="one_hot")  # fmt: skip


@public("linspace")
def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Any:
    """Makes ``num`` evenly spaced values from ``start`` to ``stop``, both included.

    Args:
      start: a tensor of a floating-point dtype (integers are taken as float64).
      stop: a tensor of that dtype, which broadcasts with ``start``.
      num: how many values, at least 1.
      name: a name for the nodes' scope.
      axis: where the new axis stands, when ``start`` and ``stop`` are not scalars.

    Raises:
      ValueError: if ``num`` is less than 1.

    >>> import graphlab as tf
    >>> tf.linspace(10.0, 12.0, 3).numpy()
    array([10., 11., 12.], dtype=float32)
    """
    from graphlab.ops import array, array_shape, division, math, selection
    from graphlab.ops.broadcasting import broadcast_dynamic_shape
    from graphlab.ops.casting import cast
    from graphlab.ops.comparison import equal

    with name_scope(name, "linspace"):
        start = convert_to_tensor(start, name="start")
        stop = convert_to_tensor(stop, name="stop", dtype=start.dtype)
        num = convert_to_tensor(num, name="num", dtype_hint=dtypes.int32)
        known = static.value(num)
        if not num.dtype.is_integer:
            raise TypeError(f"num must be an integer, not a tensor of dtype {num.dtype.name}.")
        if len(num._raw_shape() or ()):
            raise misfit(f"num must be a scalar, not a tensor of shape {num.shape}.")
        if known is not None and int(known) < 0:
            raise misfit(f"num must be at least 0, not {int(known)}.")
        whole = inference.broadcast(start._raw_shape(), stop._raw_shape())
        if state.graph is not None and whole is not None:
            return written_out.linspace(start, stop, num, inference.axis_in(axis, len(whole) + 1))
        count = cast(num, dtypes.int32)
        if start.dtype.is_integer:
            start, stop = cast(start, dtypes.float64), cast(stop, dtypes.float64)
        if whole is None or None in whole:
            sizes: Any = broadcast_dynamic_shape(array_shape.shape(start), array_shape.shape(stop))
        else:
            sizes = list(whole)
        start, stop = array_shape.broadcast_to(start, sizes), array_shape.broadcast_to(stop, sizes)
        place: Any
        form: Any
        if whole is None:
            rank = array_shape.size(sizes)
            place = division.floormod(axis, rank + 1)
            form = array.concat([ones([place], dtypes.int32), [-1], ones([rank - place], dtypes.int32)], 0)
        else:
            place = inference.axis_in(axis, len(whole) + 1)
            form = [-1 if i == place else 1 for i in np.arange(len(whole) + 1)]
        first, last = array.expand_dims(start, place), array.expand_dims(stop, place)
        gaps = math.maximum(count - 1, 1)
        step = (last - first) / cast(gaps, first.dtype)
        places = array.reshape(cast(range(count), first.dtype), form)
        values = first + step * places
        # The last value is the bound itself, not what rounding makes of it.
        is_last = equal(places, cast(count - 1, first.dtype))
        is_first = equal(places, cast(0, first.dtype))
        values = selection.where(is_first, first, values)
        return selection.where(math_and(is_last, is_first), last, values)


def math_and(is_last: Any, is_first: Any) -> Any:
    """Where the last value stands, unless it is the first as well."""
    from graphlab.ops.comparison import logical_and, logical_not

    return logical_and(is_last, logical_not(is_first))


def _no_size(size: Any) -> Exception:
    text = f"num_rows and num_columns must be scalars that hold whole numbers, not {size!r:.100}."
    complex_ = state.graph is None and isinstance(size, Tensor) and size.dtype.is_complex
    return InvalidArgumentError(None, None, text) if complex_ else TypeError(text)


def _size(size: Any, name: str) -> Any:
    from graphlab.ops.casting import cast

    return cast(size, dtypes.int32) if isinstance(size, Tensor) else convert_to_tensor(size, dtypes.int32, name=name)


@public("eye", "linalg.eye")
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Any:
    """Makes an identity matrix, or a batch of them.

    Args:
      num_rows: the number of rows, an int32 scalar.
      num_columns: the number of columns; that of rows by default.
      batch_shape: the leading dimensions, a list or vector of int32.
      dtype: the dtype of the result.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.eye(2).numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    from graphlab.ops import array, math
    from graphlab.ops.diagonal import matrix_diag, set_diag

    target = dtypes.as_dtype(dtype)
    simple = type(num_rows) is int and num_columns is None and batch_shape is None
    if simple and state.graph is None and num_rows >= 0 and (target.is_floating or target.is_integer):
        return wrap(np.eye(num_rows, dtype=target.np))
    with name_scope(name, "eye"):
        square = num_columns is None
        columns = num_rows if square else num_columns
        batch = [] if batch_shape is None else list(batch_shape) if isinstance(batch_shape, str) else batch_shape
        if isinstance(batch, (bool, int, float, np.number)):
            raise TypeError(f"batch_shape must be a list, not {batch!r}.")
        if (
            state.graph is not None
            and isinstance(num_rows, int)
            and isinstance(columns, Tensor)
            and columns.dtype is not dtypes.int32
        ):
            raise TypeError(
                f"num_columns must be int32, as num_rows is, but is {columns.dtype.name}. Write tf.cast(x, tf.int32)."
            )
        for side in (num_rows, columns):
            if isinstance(side, Tensor):
                if not (side.dtype.is_integer or side.dtype.is_floating):
                    raise _no_size(side)
                if side._raw_shape() not in (None, ()):
                    raise misfit(f"num_rows and num_columns must be scalars, not of shape {side.shape}.")
            elif not isinstance(side, (int, np.integer)):
                raise _no_size(side)
        plain = isinstance(num_rows, (int, np.integer)) and isinstance(columns, (int, np.integer))
        if plain:
            if num_rows < 0 or columns < 0:
                raise misfit(f"Sizes can't be negative: {num_rows}, {columns}.")
            size: Any = min(num_rows, columns)
        else:
            num_rows = _size(num_rows, "num_rows")
            columns = num_rows if square else _size(columns, "num_columns")
            size = math.minimum(num_rows, columns)

        def whole(*last: Any) -> Any:
            if isinstance(batch, (list, tuple)) and plain:
                return [*batch, *last]
            return array.concat([convert_to_tensor(batch, dtypes.int32, name="shape"), list(last)], axis=0)

        diagonal = ones(whole(size), dtype=target)
        if square:
            return matrix_diag(diagonal)
        return set_diag(zeros(whole(num_rows, columns), dtype=target), diagonal)


@public("one_hot")
@of_composites
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """Makes, for each index, a vector that is ``on_value`` there and ``off_value`` elsewhere.

    Args:
      indices: a tensor of int32, int64, int8 or uint8; an index out of range gives ``off_value`` everywhere.
      depth: the length of the vectors, an int32 scalar.
      on_value: a scalar; 1 by default.
      off_value: a scalar; 0 by default.
      axis: where the new axis stands; the last one by default.
      dtype: the dtype of the result; that of the values, or float32, by default.
      name: a name for the node.

    Raises:
      TypeError: if ``dtype`` and the dtypes of the values differ.

    >>> import graphlab as tf
    >>> tf.one_hot([0, 2], 3).numpy()
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    with name_scope(name, "one_hot") as scope:
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        on = None if on_value is None else convert_to_tensor(on_value, dtype_hint=wanted)
        on_dtype = None if on is None else on.dtype
        off = None if off_value is None else convert_to_tensor(off_value, dtype_hint=wanted)
        off_dtype = None if off is None else off.dtype
        for kind, what in ((on_dtype, "on_value"), (off_dtype, "off_value")):
            if wanted is not None and kind is not None and kind is not wanted:
                raise TypeError(f"dtype {kind.name} of {what} does not match dtype parameter {wanted.name}")
        if wanted is None:
            wanted = on_dtype or off_dtype or dtypes.float32
        if on_dtype is not None and off_dtype is not None and on_dtype is not off_dtype:
            raise TypeError(f"dtype {on_dtype.name} of on_value does not match dtype {off_dtype.name} of off_value")
        on = convert_to_tensor(1, dtype=wanted, name="on_value") if on is None else on
        off = convert_to_tensor(0, dtype=wanted, name="off_value") if off is None else off
        return bind(ONE_HOT, (indices, depth, on, off), {"axis": -1 if axis is None else axis}, scope or name)


@public("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool, name: str | None = None) -> Any:
    """Makes, for each length, a vector whose first elements, so many, are True.

    Args:
      lengths: a tensor of an integer dtype.
      maxlen: the length of the vectors, a scalar; the largest of ``lengths`` by default.
      dtype: the dtype of the result.
      name: a name for the nodes' scope.

    Raises:
      ValueError: if ``maxlen`` is no scalar.

    >>> import graphlab as tf
    >>> tf.sequence_mask([1, 3], 3).numpy()
    array([[ True, False, False],
           [ True,  True,  True]])
    """
    from graphlab.ops import array, math, reduction
    from graphlab.ops.casting import CAST, cast
    from graphlab.ops.comparison import less

    with name_scope(name, "SequenceMask"):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            longest = reduction.reduce_max(lengths, reduction.all_axes(lengths))
            maxlen = math.maximum(constant(0, longest.dtype), longest)
        else:
            maxlen = convert_to_tensor(maxlen)
        shape = maxlen._raw_shape()
        if shape is not None and len(shape) != 0:
            raise ValueError("Argument `maxlen` must be scalar for sequence_mask")
        columns = range(constant(0, maxlen.dtype), maxlen, constant(1, maxlen.dtype), name="Range")
        rows = bind(CAST, (array.expand_dims(lengths, -1),), {"DstT": maxlen.dtype})
        result = less(columns, rows)
        target = dtypes.as_dtype(dtype)
        return result if target is dtypes.bool else cast(result, target)


@public("meshgrid")
def meshgrid(*args: Any, **kwargs: Any) -> list[Any]:
    """Makes coordinate grids of several vectors.

    Args:
      *args: vectors of one dtype.
      **kwargs: ``indexing``: ``"xy"`` (the default: the first two axes swapped, as in pictures) or ``"ij"``; ``name``.

    Returns:
      A list of tensors, one for each vector, all of one shape.

    Raises:
      ValueError: for another indexing.
      TypeError: for another keyword.

    >>> import graphlab as tf
    >>> x, y = tf.meshgrid([1, 2, 3], [4, 5])
    >>> x.numpy().tolist(), y.numpy().tolist()
    ([[1, 2, 3], [1, 2, 3]], [[4, 4, 4], [5, 5, 5]])
    """
    from graphlab.ops import array, array_shape
    from graphlab.ops.casting import cast
    from graphlab.ops.comparison import logical_and

    indexing = kwargs.pop("indexing", "xy")
    name = kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'")
    with name_scope(name, "meshgrid"):
        count = len(args)
        vectors = [_vector(arg) for arg in args]
        places = np.arange(count)
        columns = [array.reshape(v, [-1 if at == i else 1 for at in places]) for i, v in enumerate(vectors)]
        sizes: list[Any] = [array_shape.size(vector) for vector in vectors]
        if not vectors:
            return []
        if indexing == "xy" and count > 1:
            sizes[:2] = sizes[1::-1]
            columns[0] = array.reshape(columns[0], [1, -1] + [1] * (count - 2))
            columns[1] = array.reshape(columns[1], [-1, 1] + [1] * (count - 2))
        if state.graph is None or vectors[0].dtype is dtypes.bool:
            grid = ones(array.stack(sizes), vectors[0].dtype)
        else:
            grid = written_out.ones(sizes, vectors[0].dtype)
        if grid.dtype is dtypes.bool:  # of other numbers the whole part counts
            columns = [c if c.dtype is dtypes.bool else cast(cast(c, dtypes.int32), dtypes.bool) for c in columns]
        return [
            logical_and(column, ones(array.stack(sizes), dtypes.bool)) if column.dtype is dtypes.bool else column * grid
            for column in columns
        ]


def _vector(value: Any) -> Any:
    """An argument of ``meshgrid``; what is no tensor is refused as a list of tensors that cannot be stacked."""
    from graphlab.ops.array import stack

    try:
        return convert_to_tensor(value)
    except (TypeError, ValueError):
        return stack(value)
