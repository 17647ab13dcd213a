"""Values that are known while tracing.

Shape inference asks for the value of an input such as Reshape's ``shape``.  It is known when it is a constant, or
computed from constants and static shapes by pure ops; for vectors of dimensions it may be known in part
(``[tf.shape(x)[0], 3]``).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from graphlab.core.floats import quiet
from graphlab.core.op import MIXED
from graphlab.core.shape import RawShape

_SMALL: Final = 256
_FEW: Final = 16  # elements of what gives a result whose shape depends on values
_UNKNOWN: Final = object()


def _size(array: Any) -> int:
    return int(getattr(array, "size", 1))


def value(tensor: Any) -> Any:
    """The array of a tensor whose value is known while tracing, else None."""
    array = getattr(tensor, "_a", None)
    if array is not None:
        return None if tensor.dtype.np is None else array
    return _symbolic(tensor, 0)


def _symbolic(tensor: Any, depth: int) -> Any:
    op = tensor.op
    if op is None:
        return None
    kind = op.type
    if kind == "Const":
        return op.attrs["value"]
    known = op.folded
    if known is None:
        known = op.folded = {}
    found = known.get(tensor.index, _UNKNOWN)
    if found is _UNKNOWN:
        found = known[tensor.index] = _fold(tensor, op, kind, depth)
    return found


def _fold(tensor: Any, op: Any, kind: str, depth: int) -> Any:
    if kind in ("Shape", "Size", "Rank"):
        shape = op.inputs[0]._raw_shape()
        if kind == "Rank":
            return None if shape is None else np.array(len(shape), np.int32)
        if shape is None or None in shape:
            return None
        dtype = tensor.dtype.np
        return np.array(shape, dtype) if kind == "Shape" else np.array(int(np.prod(shape, dtype=np.int64)), dtype)
    record = op.record
    if depth > 50 or record is None or not record.pure or not op.inputs:
        return None
    if any(param.kind == MIXED for param in record.outputs):
        return None  # a call, a branch, a loop: nobody knows how long it takes
    if kind in ("Placeholder", "CheckNumerics", "StopGradient", "PreventGradient") or tensor.dtype.np is None:
        return None
    shape = tensor._raw_shape()
    known = shape is not None and None not in shape
    if known and np.prod(shape) > _SMALL:
        return None
    arrays = []
    for item in op.inputs:
        array = item._a if hasattr(item, "_a") else _symbolic(item, depth + 1)
        if array is None or _size(array) > (_SMALL if known else _FEW):
            return None
        arrays.append(array)
    try:
        with quiet():
            result = record.choose(op.attrs)(*record.grouped(arrays, op.attrs))
            return np.asarray(result if record.single else result[tensor.index], tensor.dtype.np)
    except Exception:  # noqa: BLE001 - the error belongs to the run, where it may never happen
        return None


def partial_value(tensor: Any) -> RawShape:
    """The elements of an integer vector as a raw shape, None for those not known; None if its length is not known."""
    array = value(tensor)
    if array is not None:
        if array.ndim != 1:
            return None
        return tuple(int(n) if n >= 0 else None for n in array)
    op = getattr(tensor, "op", None)
    if op is None:
        return None
    found = _partial(op)
    if found is None:
        shape = tensor._raw_shape()
        if shape is not None and len(shape) == 1 and shape[0] is not None:
            return (None,) * shape[0]  # type: ignore[no-any-return]
    return found


def _partial(op: Any) -> RawShape:
    kind, inputs = op.type, op.inputs
    if kind == "Shape":
        return inputs[0]._raw_shape()  # type: ignore[no-any-return]
    if kind in ("Identity", "Cast"):
        return partial_value(inputs[0])
    if kind == "Pack":
        return tuple(_scalar(item) for item in inputs)
    if kind == "ConcatV2":
        parts: list[int | None] = []
        for item in inputs[:-1]:
            part = partial_value(item)
            if part is None:
                return None
            parts += part
        return tuple(parts)
    if kind == "StridedSlice":
        return _sliced(op)
    return None


def _scalar(tensor: Any) -> int | None:
    array = value(tensor)
    if array is not None:
        number = int(array)
        return number if number >= 0 else None
    op = getattr(tensor, "op", None)
    if op is not None and op.type == "StridedSlice" and op.attrs["shrink_axis_mask"] == 1:
        whole = partial_value(op.inputs[0])
        begin = value(op.inputs[1])
        if whole is not None and begin is not None and -len(whole) <= int(begin[0]) < len(whole):
            return whole[int(begin[0])]
    if op is not None and op.type in ("Identity", "Cast"):
        return _scalar(op.inputs[0])
    return None


def _sliced(op: Any) -> RawShape:
    whole = partial_value(op.inputs[0])
    bounds = [value(item) for item in op.inputs[1:4]]
    attrs = op.attrs
    if whole is None or any(bound is None or len(bound) != 1 for bound in bounds):
        return None
    if attrs["shrink_axis_mask"] or attrs["new_axis_mask"] or attrs["ellipsis_mask"]:
        return None
    begin = None if attrs["begin_mask"] else int(bounds[0][0])
    end = None if attrs["end_mask"] else int(bounds[1][0])
    result: tuple[int | None, ...] = whole[begin : end : int(bounds[2][0])]
    return result
