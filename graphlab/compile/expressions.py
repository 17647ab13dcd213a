"""Python text for ops that need no kernel call: operators, and calls of NumPy with attributes worked in.

Each entry gets the operation and returns the text with ``{0}``, ``{1}`` for its inputs and the names it binds, or None
when the general call of the kernel is right.  A name that starts with ``?`` belongs to this operation alone; the
emitter makes it unique.  What a text computes is bit for bit what the kernel computes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.static import value
from graphlab.graph.operation import Operation

Expression = tuple[str, dict[str, Any]] | None

PLAIN: Final = frozenset((
    dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.int8, dtypes.int16, dtypes.uint8, dtypes.uint16,
    dtypes.uint32, dtypes.uint64, dtypes.complex64, dtypes.complex128, dtypes.float16,
))  # fmt: skip
_FLOATS: Final = frozenset((dtypes.float32, dtypes.float64))
_COMMON: Final = frozenset((dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64))


def _operator(text: str, among: Any = PLAIN) -> Callable[[Operation], Expression]:
    def expression(op: Operation) -> Expression:
        return (text, {}) if op.attrs["T"] in among else None

    return expression


def _known(shape: Any) -> bool:
    return shape is not None and None not in shape


def _shape(tensor: Any) -> Any:
    return tensor._raw_shape()


def _equality(text: str) -> Callable[[Operation], Expression]:
    def expression(op: Operation) -> Expression:
        # An array's == returns False for shapes that do not broadcast; only where they surely do is it the ufunc.
        if op.attrs["T"] not in _COMMON or not all(_known(t._raw_shape()) for t in (*op.inputs, *op.outputs)):
            return None
        return (text, {}) if op.attrs["incompatible_shape_error"] else None

    return expression


def _matmul(op: Operation) -> Expression:
    attrs = op.attrs
    if attrs["T"] not in PLAIN or attrs["T"] is dtypes.float16 or attrs["T"].is_unsigned:
        return None
    for tensor in op.inputs:
        shape = tensor._raw_shape()
        if shape is None or len(shape) != 2:
            return None
    if attrs["T"].is_complex and (attrs.get("adj_x") or attrs.get("adj_y")):
        return None
    flip = [attrs.get("transpose_a") or attrs.get("adj_x"), attrs.get("transpose_b") or attrs.get("adj_y")]
    left = "{0}.T" if flip[0] else "{0}"
    right = "{1}.T" if flip[1] else "{1}"
    a, b = op.inputs[0]._shape, op.inputs[1]._shape
    inner = a[0 if flip[0] else 1], b[1 if flip[1] else 0]
    if inner[0] is None or inner[0] != inner[1]:
        return None
    return f"{left} @ {right}", {}


def _axes(op: Operation) -> tuple[int, ...] | None:
    """The reduced axes, ascending, if they and the rank are known and there is something to reduce."""
    axes, shape = value(op.inputs[1]), _shape(op.inputs[0])
    if axes is None or not shape:
        return None
    rank = len(shape)
    found = axes.reshape(-1).tolist()
    picked = tuple(sorted({axis % rank for axis in found}))
    if len(picked) != len(found) or any(not -rank <= axis < rank for axis in found):
        return None
    return picked


def _adds_up(shape: Sequence[int | None], axes: tuple[int, ...]) -> bool:
    """Whether two or more elements, or none, make each sum: NumPy makes 0.0 of a single -0.0."""
    return any(shape[axis] not in (None, 1) for axis in axes)


def _reduction(ufunc: Any, initial: bool = False) -> Callable[[Operation], Expression]:
    name = f"_reduce_{ufunc.__name__}"

    def expression(op: Operation) -> Expression:
        dtype, axes, shape = op.attrs["T"], _axes(op), _shape(op.inputs[0])
        if dtype not in _COMMON or not axes:
            return None
        if ufunc is np.add and dtype.is_floating and not _adds_up(shape, axes):
            return None
        keep = bool(op.attrs["keep_dims"])
        axis = "None" if len(axes) == len(shape) else str(axes[0] if len(axes) == 1 else axes)
        if not initial:
            tail = f", _dtype_{dtype.name}, None, True" if keep else f", _dtype_{dtype.name}"
            return f"{name}({{0}}, {axis}{tail})", {name: ufunc.reduce, f"_dtype_{dtype.name}": dtype.np}
        if not _known(shape) or 0 in shape:
            return None
        return f"{name}({{0}}, {axis}{', None, None, True' if keep else ''})", {name: ufunc.reduce}

    return expression


def _mean(op: Operation) -> Expression:
    dtype, axes, shape = op.attrs["T"], _axes(op), _shape(op.inputs[0])
    if dtype not in _FLOATS or not axes or not _known(shape) or 0 in shape or not _adds_up(shape, axes):
        return None
    count = dtype.np.type(math.prod(shape[axis] for axis in axes))
    axis = "None" if len(axes) == len(shape) else str(axes[0] if len(axes) == 1 else axes)
    keep = ", None, True" if op.attrs["keep_dims"] else ""
    return (
        f"_divide(_reduce_add({{0}}, {axis}, _dtype_{dtype.name}{keep}), ?n)",
        {"_divide": np.true_divide, "_reduce_add": np.add.reduce, f"_dtype_{dtype.name}": dtype.np, "?n": count},
    )


def _relu(op: Operation) -> Expression:
    dtype = op.attrs["T"]
    if dtype not in _COMMON:
        return None
    return "np_maximum({0}, ?z)", {"np_maximum": np.maximum, "?z": np.array(0, dtype.np)}


def _relu_grad(op: Operation) -> Expression:
    return ("{0} * ({1} > 0)", {}) if op.attrs["T"] in _FLOATS and _shape(op.inputs[0]) != () else None


def _one(text: str) -> Callable[[Operation], Expression]:
    """A formula with the number 1 of the dtype."""

    def expression(op: Operation) -> Expression:
        dtype = op.attrs["T"]
        return (text, {"?one": np.array(1, dtype.np)}) if dtype in _FLOATS else None

    return expression


def _static_shape(op: Operation) -> Expression:
    """Reshape, ExpandDims and Squeeze where sizes are known before and after."""
    shape, before = _shape(op.outputs[0]), _shape(op.inputs[0])
    if not _known(shape) or not _known(before) or op.inputs[0].dtype not in PLAIN:
        return None
    if math.prod(shape) != math.prod(before) or (len(op.inputs) > 1 and value(op.inputs[1]) is None):
        return None
    return "{0}.reshape(?shape)", {"?shape": shape}


def _transpose(op: Operation) -> Expression:
    perm, shape = value(op.inputs[1]), _shape(op.inputs[0])
    if perm is None or shape is None or op.inputs[0].dtype not in PLAIN or sorted(perm.tolist()) != [*range(len(perm))]:
        return None
    if len(perm) != len(shape) or not len(perm):
        return None
    return "{0}.transpose(?perm)", {"?perm": tuple(perm.tolist())}


def _strided_slice(op: Operation) -> Expression:
    from graphlab.ops.slicing import _MASKS, _index

    shape = _shape(op.inputs[0])
    begin, end, strides = (value(t) for t in op.inputs[1:4])
    if not shape or not _known(shape) or op.inputs[0].dtype not in PLAIN or begin is None:
        return None
    if end is None or strides is None:
        return None
    try:
        key = _index(shape, begin, end, strides, {name: op.attrs[name] for name in _MASKS})
    except Exception:  # noqa: BLE001 - the error belongs to the run, where it may never happen
        return None
    return "{0}[?key]", {"?key": key[0] if len(key) == 1 else key}


def _slice(op: Operation) -> Expression:
    shape, result = _shape(op.inputs[0]), _shape(op.outputs[0])
    begin = value(op.inputs[1])
    if not shape or not _known(shape) or not _known(result) or op.inputs[0].dtype not in PLAIN:
        return None
    if begin is None or value(op.inputs[2]) is None:
        return None
    key = tuple(slice(b, b + n) for b, n in zip(begin.tolist(), result, strict=True))
    if any(not 0 <= part.start <= part.stop <= n for part, n in zip(key, shape, strict=True)):
        return None  # the kernel says what is wrong
    return "{0}[?key]", {"?key": key[0] if len(key) == 1 else key}


def _bias_add(op: Operation) -> Expression:
    shapes = [t._raw_shape() for t in op.inputs]
    if op.attrs["data_format"] == "NCHW" or op.attrs["T"] not in PLAIN or not all(map(_known, shapes)):
        return None
    if len(shapes[0]) < 2 or len(shapes[1]) != 1 or shapes[0][-1] != shapes[1][0]:
        return None
    return "{0} + {1}", {}


def _broadcast_to(op: Operation) -> Expression:
    shape, before = _shape(op.outputs[0]), _shape(op.inputs[0])
    if not _known(shape) or not _known(before) or value(op.inputs[1]) is None or op.inputs[0].dtype not in PLAIN:
        return None
    if math.prod(before) == 1 and math.prod(shape) <= 4096 and len(before) <= len(shape):
        # An array of its own costs less than NumPy's broadcast_to, which is Python.
        return "_filled(?shape, {0}, ?dtype)", {"_filled": _filled, "?shape": shape, "?dtype": op.inputs[0].dtype.np}
    return None


def _filled(shape: Any, item: Any, dtype: Any) -> Any:
    result = np.empty(shape, dtype)
    result[...] = item
    return result


def _fill(op: Operation) -> Expression:
    shape, dtype = _shape(op.outputs[0]), op.inputs[1].dtype
    if not _known(shape) or value(op.inputs[0]) is None or dtype not in PLAIN or _shape(op.inputs[1]) != ():
        return None
    return "_filled(?shape, {1}, ?dtype)", {"_filled": _filled, "?shape": shape, "?dtype": dtype.np}


def _like(function: Any) -> Callable[[Operation], Expression]:
    def expression(op: Operation) -> Expression:
        shape, dtype = _shape(op.outputs[0]), op.inputs[0].dtype
        if not _known(shape) or dtype not in PLAIN:
            return None
        return f"_{function.__name__}(?shape, ?dtype)", {
            f"_{function.__name__}": function,
            "?shape": shape,
            "?dtype": dtype.np,
        }

    return expression


def _cast(op: Operation) -> Expression:
    source, target = op.inputs[0].dtype, op.outputs[0].dtype
    plain = source is dtypes.bool or (source in PLAIN and not source.is_complex)
    if not plain or target not in PLAIN or (source.is_floating and target.is_integer):
        return None
    return "{0}.astype(?dtype)", {"?dtype": target.np}


def _select(op: Operation) -> Expression:
    return ("_where({0}, {1}, {2})", {"_where": np.where}) if op.inputs[1].dtype in PLAIN else None


def _select_whole(op: Operation) -> Expression:
    shapes = {t._shape for t in op.inputs}
    shape = shapes.pop()
    return None if shapes or shape is None or None in shape else _select(op)


def _read(op: Operation) -> Expression:
    return "_read({0})", {"_read": op.record.kernel}


TABLE: Final[dict[str, Callable[[Operation], Expression]]] = {
    "AddV2": _operator("{0} + {1}"),
    "Sub": _operator("{0} - {1}"),
    "Mul": _operator("{0} * {1}"),
    "RealDiv": _operator("{0} / {1}", _FLOATS),
    "Neg": _operator("-{0}", _COMMON),
    "Less": _operator("{0} < {1}", _COMMON),
    "LessEqual": _operator("{0} <= {1}", _COMMON),
    "Greater": _operator("{0} > {1}", _COMMON),
    "GreaterEqual": _operator("{0} >= {1}", _COMMON),
    "Equal": _equality("{0} == {1}"),
    "NotEqual": _equality("{0} != {1}"),
    "MatMul": _matmul,
    "BatchMatMulV2": _matmul,
    "Sum": _reduction(np.add),
    "Max": _reduction(np.maximum, initial=True),
    "Min": _reduction(np.minimum, initial=True),
    "Mean": _mean,
    "Relu": _relu,
    "ReluGrad": _relu_grad,
    "TanhGrad": _one("{1} * (?one - {0} * {0})"),
    "SigmoidGrad": _one("{1} * {0} * (?one - {0})"),
    "Reshape": _static_shape,
    "ExpandDims": _static_shape,
    "Squeeze": _static_shape,
    "Transpose": _transpose,
    "Slice": _slice,
    "StridedSlice": _strided_slice,
    "BiasAdd": _bias_add,
    "BroadcastTo": _broadcast_to,
    "Fill": _fill,
    "ZerosLike": _like(np.zeros),
    "OnesLike": _like(np.ones),
    "Cast": _cast,
    "Select": _select_whole,
    "SelectV2": _select,
    "ReadVariableOp": _read,
}
