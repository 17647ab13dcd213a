"""RaggedTensors from nested lists and as plain tensors: ``tf.ragged.constant`` and the op behind ``to_tensor``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant as as_constant
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, misfit, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import INDEX, Arg, define
from graphlab.core.shape import RawShape as Shape
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor
from graphlab.ops import inference
from graphlab.ops.inference import Attrs
from graphlab.ops.ragged import RaggedTensor


def _to_tensor(
    shape: Any,
    values: Any,
    default_value: Any,
    row_partition_tensors: Sequence[Any],
    row_partition_types: Sequence[str],
) -> Any:
    """Rows side by side, what is missing filled up."""
    splits = [part.tolist() for part in row_partition_tensors]
    sizes = [len(splits[0]) - 1]
    sizes += [max((b - a for a, b in pairwise(level)), default=0) for level in splits]
    inner = values.shape[1:]
    full = [*sizes, *inner]
    if not shape.ndim and int(shape) != -1:
        raise InvalidArgumentError(None, None, f"The shape must be a vector, or -1 for any, but is {int(shape)}.")
    wanted = shape.tolist() if shape.ndim else [-1] * len(full)
    if len(wanted) != len(full):
        raise InvalidArgumentError(
            None, None, f"The shape {wanted} has another rank than the ragged tensor, {len(full)}."
        )
    full = [have if want < 0 else want for have, want in zip(full, wanted, strict=True)]
    out = np.empty(full, values.dtype)
    out[...] = default_value

    def fill(level: int, row: int, target: Any) -> None:
        start, stop = splits[level][row], splits[level][row + 1]
        count = min(stop - start, target.shape[0])
        if level == len(splits) - 1:
            region = tuple(slice(0, min(a, b)) for a, b in zip(target.shape[1:], inner, strict=True))
            target[(slice(0, count), *region)] = values[(slice(start, start + count), *region)]
            return
        for index in range(count):
            fill(level + 1, start + index, target[index])

    for row in range(min(len(splits[0]) - 1, full[0])):
        fill(0, row, out[row])
    return out


def _dense_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    wanted = inference.shape_of_value(args[0]) if args[0].shape != () else None
    if args[0].shape == () and (args[0].value is None or int(args[0].value) != -1):
        raise ValueError("The shape must be a vector, or -1 for any.")
    values, default = args[1].shape, args[2].shape
    if values is not None and default is not None and len(default) >= max(len(values), 1):
        raise ValueError(
            f"The default value has shape {inference.show(default)}, which does not fit values of shape "
            f"{inference.show(values)}."
        )
    if values is None:
        return wanted
    parts = args[3:]
    rows = parts[0].shape[0] if parts[0].shape else None
    full: list[int | None] = [None if rows is None else rows - 1, *[None] * len(parts), *values[1:]]
    if wanted is None:
        return tuple(full)
    return tuple(have if want is None else want for have, want in zip(full, wanted, strict=True))


def _dense_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array, creation
    from graphlab.ops.array_shape import shape
    from graphlab.ops.segment import unsorted_segment_sum

    # Where each value went: the same op on the numbers of the values (from 1), 0 where the default stands.
    _, values, _, *splits = op.inputs
    count = shape(values)[0]
    numbers = creation.range(1, count + 1)
    lead = shape(dy)[: 1 + len(splits)]
    placed = bind(TO_TENSOR, (lead, numbers, 0, splits), {"row_partition_types": op.attrs["row_partition_types"]})
    rows = array.reshape(dy, array.concat([[-1], shape(values)[1:]], 0))
    summed = unsorted_segment_sum(rows, array.reshape(placed, [-1]), count + 1)
    return [None, summed[1:], summed[0], *[None] * len(splits)]


TO_TENSOR = define(
    "RaggedTensorToTensor",
    "shape: Tshape, values: T, default_value: T, row_partition_tensors: num_row_partition_tensors*Tindex -> result: T",
    kernel=_to_tensor, infer=_dense_shape, gradient=_dense_grad, types={"Tshape": INDEX, "Tindex": INDEX},
    defaults={"Tshape": dtypes.int64, "Tindex": dtypes.int64}, attrs={"row_partition_types": ()}, can_fail=True,
    fp=False,
)  # fmt: skip


@public("ragged.constant")
def constant(
    pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None, name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:  # fmt: skip
    """Makes a RaggedTensor of nested lists.

    Args:
      pylist: nested lists; scalars are equally deep.
      dtype: the type of the values; by default what the scalars say, float32 if there are none.
      ragged_rank: the number of ragged axes; by default all but the innermost.
      inner_shape: the sizes of the axes that are not ragged, inside of the ragged ones; by default read from the lists.
      name: a name for the nodes.
      row_splits_dtype: int32 or int64.

    Returns:
      A RaggedTensor; a tensor when the list is flat.

    Raises:
      ValueError: scalars are not equally deep, or not as deep as ``ragged_rank`` and ``inner_shape`` need.
      TypeError: the values are not of ``inner_shape``.

    >>> import graphlab as tf
    >>> tf.ragged.constant([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>
    """
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    splits_kind = dtypes.as_dtype(row_splits_dtype)
    with name_scope(name, "RaggedConstant"):
        return _constant(_listed(pylist), kind, ragged_rank, _inner_shape(inner_shape), splits_kind)


def _listed(pylist: Any) -> Any:
    """Arrays as lists, wherever they stand.  ValueError for a tensor or a dict, which are no lists."""
    if isinstance(pylist, (np.ndarray, np.generic)):
        return pylist.tolist()
    if isinstance(pylist, SymbolicTensor) and pylist.shape.rank:
        list(pylist)  # says what is wrong
    if isinstance(pylist, EagerTensor) and pylist.shape.num_elements() == 0:
        return pylist.numpy().tolist()
    if isinstance(pylist, (Tensor, dict)):
        raise ValueError(f"pylist must be nested lists of Python values, not {pylist!r:.100}.")
    return [_listed(part) for part in pylist] if isinstance(pylist, (list, tuple)) else pylist


def _inner_shape(shape: Any) -> Sequence[int] | None:
    """The sizes in an argument.  TypeError: it is no list; ValueError: it has none of the sizes it needs."""
    if isinstance(shape, EagerTensor) and shape.shape.rank and shape.shape.num_elements() != 0:
        raise ValueError(f"inner_shape must be a list of ints, not {shape!r:.100}.")
    if shape is None:
        return None
    if isinstance(shape, (list, tuple)) or type(shape) is str:
        parts = tuple(shape)
        wrong = next((part for part in parts if not isinstance(part, (int, np.integer))), None)
        if wrong is not None:
            raise ValueError(f"inner_shape must be a list of ints, but has {wrong!r:.100}.")
        return list(map(int, parts)) if isinstance(shape, list) else tuple(map(int, parts))
    if hasattr(shape, "as_list"):
        return tuple(shape.as_list())
    raise TypeError(f"inner_shape must be a list of ints, not {shape!r:.100}.")


def _constant(pylist: Any, kind: Any, ragged_rank: Any, inner: Sequence[int] | None, splits_kind: Any) -> Any:
    depth = _depth(pylist)
    listed = isinstance(pylist, (list, tuple))
    if ragged_rank is not None:
        if isinstance(ragged_rank, EagerTensor) and ragged_rank.dtype.is_complex:
            raise misfit(f"ragged_rank must be an int, not {ragged_rank!r:.100}.")
        if ragged_rank < 0:
            raise ValueError(f"ragged_rank must not be negative, but is {ragged_rank}.")
        if listed and _has_scalars(pylist) and ragged_rank >= depth:
            raise ValueError(f"The scalars are {depth} deep: ragged_rank must be below that, not {ragged_rank}.")
        if ragged_rank > (_lowest(pylist) if listed else 0):
            raise ValueError(f"pylist is not deep enough for ragged_rank={ragged_rank}: {pylist!r:.100}.")
    if ragged_rank is not None and inner is not None and listed and depth - ragged_rank != len(inner) + 1:
        raise ValueError(
            f"The scalars are {depth} deep, which does not fit ragged_rank={ragged_rank} and an inner_shape of "
            f"{len(inner)} sizes."
        )
    rank = ragged_rank
    if rank is None:
        rank = max(depth - 1, 0) if inner is None else max(depth - 1 - len(inner), 0)
    rank = int(rank)
    if rank == 0:
        if inner is not None and len(inner) != depth:
            raise ValueError(f"The scalars are {depth} deep, which does not fit inner_shape={list(inner)}.")
        return convert_to_tensor(pylist, kind) if inner is None else as_constant(pylist, kind, inner)
    if isinstance(inner, list):
        raise TypeError(f"inner_shape must be a tuple, not a list: write {tuple(inner)}.")
    splits: list[list[int]] = []
    level = list(pylist)
    for _ in range(rank):
        ends = [0]
        flat: list[Any] = []
        for row in level:
            flat += list(row)
            ends.append(len(flat))
        splits.append(ends)
        level = flat
    if not level and kind is None:
        kind = dtypes.float32
    values: Any = convert_to_tensor(level, kind) if inner is None else as_constant(level, kind, (len(level), *inner))
    for ends in reversed(splits):
        values = RaggedTensor(values, convert_to_tensor(ends, splits_kind))
    return values


def _has_scalars(value: Any) -> bool:
    return any(map(_has_scalars, value)) if isinstance(value, (list, tuple)) else True


def _lowest(value: Any) -> int:
    """How deep lists are nested, empty ones included."""
    return 1 + max(map(_lowest, value), default=0) if isinstance(value, (list, tuple)) else 0


def _depth(value: Any) -> int:
    """How deep the scalars of nested lists are.  ValueError if not equally deep."""
    depths: set[int] = set()
    lowest = 0

    def walk(item: Any, level: int) -> None:
        nonlocal lowest
        if isinstance(item, (list, tuple)):
            lowest = max(lowest, level + 1)
            for part in item:
                walk(part, level + 1)
        else:
            depths.add(level)

    walk(value, 0)
    if len(depths) > 1 or (depths and lowest > max(depths)):
        raise ValueError("all scalar values must have the same nesting depth")
    return depths.pop() if depths else lowest
