"""Backpropagation of an eager tape on arrays.

When no other tape listens and no graph is built, nobody can see the steps of a gradient, only its end.  Then the
gradients of common operations are computed from arrays at once, with the very operations that the general way (the
gradient functions of the op records, written with public ops) would run, in the same order; other operations go the
general way in between.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.floats import fp_now, fp_quiet, fp_restore
from graphlab.core.static import value as static_value
from graphlab.core.tensor import EagerTensor, wrap
from graphlab.graph.backprop import OpView, differentiable, key_of, pulled, total

_F32: Final = np.dtype(np.float32)
_F64: Final = np.dtype(np.float64)

# A rule gets the entry, the gradient of its first result and which inputs need one; it returns one array (or None) per
# input, or NotImplemented where the general way must be taken.
Rule = Callable[[Any, Any, list[bool]], Any]


def view(entry: Any) -> OpView:
    """An entry of a tape as an OpView.

    Quick operations leave ``(record, dtype, x, y, result)``, with None for ``y`` if they have one input.
    """
    if entry.__class__ is not tuple:
        return entry  # type: ignore[no-any-return]
    record, dtype, x, y, result = entry
    element = dtypes.of_numpy(dtype)
    attrs = {**record.attrs, **dict.fromkeys(record.type_attrs or ("dtype",), element)}
    return OpView(record, attrs, [x] if y is None else [x, y], [result])


def summed(g: Any, shape: tuple[int, ...]) -> Any:
    """``g`` summed over the axes along which an argument of ``shape`` was broadcast."""
    have = g.shape
    if have == shape:
        return g
    lead = len(have) - len(shape)
    axes = [*range(lead), *[i + lead for i, n in enumerate(shape) if n == 1 and have[i + lead] != 1]]
    if axes:
        g = np.add.reduce(g, tuple(axes), g.dtype)
    return g if g.shape == shape else g.reshape(shape)


def _add(x: Any, y: Any, dy: Any) -> Any:
    return lambda: dy, lambda: dy


def _sub(x: Any, y: Any, dy: Any) -> Any:
    return lambda: dy, lambda: np.negative(dy)


def _mul(x: Any, y: Any, dy: Any) -> Any:
    return lambda: np.multiply(dy, y), lambda: np.multiply(x, dy)


def _div(x: Any, y: Any, dy: Any) -> Any:
    return (
        lambda: np.true_divide(dy, y),
        lambda: np.multiply(dy, np.true_divide(np.true_divide(np.negative(x), y), y)),
    )


def _binary(parts: Callable[[Any, Any, Any], Any]) -> Rule:
    def rule(entry: OpView, dy: Any, needed: list[bool]) -> Any:
        x, y = entry.inputs[0]._a, entry.inputs[1]._a
        by_x, by_y = parts(x, y, dy)
        return summed(by_x(), x.shape) if needed[0] else None, summed(by_y(), y.shape) if needed[1] else None

    return rule


def _matmul(entry: OpView, dy: Any, needed: list[bool]) -> Any:
    a, b = entry.inputs[0]._a, entry.inputs[1]._a
    if a.ndim != 2 or b.ndim != 2 or entry.attrs.get("adj_x") or entry.attrs.get("adj_y"):
        return NotImplemented
    if "transpose_a" not in entry.attrs:
        return NotImplemented
    ta, tb = entry.attrs["transpose_a"], entry.attrs["transpose_b"]
    by_a = by_b = None
    if needed[0]:
        if ta:
            by_a = np.matmul(b.T if tb else b, dy.T)
        else:
            by_a = np.matmul(dy, b if tb else b.T)
    if needed[1]:
        if tb:
            by_b = np.matmul(dy.T, a.T if ta else a)
        else:
            by_b = np.matmul(a if ta else a.T, dy)
    return by_a, by_b


def _unary(compute: Callable[[Any, Any, Any], Any]) -> Rule:
    """A gradient from the input, the result and its gradient."""

    def rule(entry: OpView, dy: Any, needed: list[bool]) -> Any:
        return (compute(entry.inputs[0]._a, entry.outputs[0]._a, dy),)

    return rule


def _relu(x: Any, y: Any, dy: Any) -> Any:
    return dy * (y > 0).astype(dy.dtype)


def _spread(entry: OpView, dy: Any) -> Any:
    """``dy`` with the reduced axes put back as size 1; None if there is something unusual."""
    x, axes = entry.inputs[0]._a, static_value(entry.inputs[1])
    if axes is None or not x.ndim:
        return None
    gone = {axis % x.ndim for axis in axes.reshape(-1).tolist()}
    return dy.reshape([1 if i in gone else n for i, n in enumerate(x.shape)])


def _sum(entry: OpView, dy: Any, needed: list[bool]) -> Any:
    kept = _spread(entry, dy)
    if kept is None:
        return NotImplemented
    shape = entry.inputs[0]._a.shape
    return (kept if kept.shape == shape else np.broadcast_to(kept, shape)), None


def _mean(entry: OpView, dy: Any, needed: list[bool]) -> Any:
    kept = _spread(entry, dy)
    if kept is None:
        return NotImplemented
    x = entry.inputs[0]._a
    factor = x.dtype.type(x.size // max(math.prod(entry.outputs[0]._a.shape), 1))
    # Dividing before the broadcast gives the same numbers as dividing after it.
    part = np.true_divide(kept, factor)
    return (part if part.shape == x.shape else np.broadcast_to(part, x.shape)), None


def _reshape(entry: OpView, dy: Any, needed: list[bool]) -> Any:
    return dy.reshape(entry.inputs[0]._a.shape), None


def _cross_entropy(entry: OpView, dy: Any, needed: list[bool]) -> Any:
    return np.multiply(dy[:, None], entry.outputs[1]._a), None


def _bias_add(entry: OpView, dy: Any, needed: list[bool]) -> Any:
    if entry.attrs["data_format"] == "NCHW":
        return NotImplemented
    return dy, np.add.reduce(dy, tuple(range(dy.ndim - 1)), dy.dtype) if needed[1] else None


def _same(entry: OpView, dy: Any, needed: list[bool]) -> Any:
    return (dy,)


RULES: Final[dict[str, Rule]] = {
    "AddV2": _binary(_add),
    "Sub": _binary(_sub),
    "Mul": _binary(_mul),
    "RealDiv": _binary(_div),
    "MatMul": _matmul,
    "BiasAdd": _bias_add,
    "Neg": _unary(lambda x, y, dy: np.negative(dy)),
    "Exp": _unary(lambda x, y, dy: np.multiply(dy, y)),
    "Log": _unary(lambda x, y, dy: np.multiply(dy, np.reciprocal(x))),
    "Square": _unary(lambda x, y, dy: np.multiply(dy, np.multiply(x, x.dtype.type(2)))),
    "Tanh": _unary(lambda x, y, dy: dy * (y.dtype.type(1) - y * y)),
    "Sigmoid": _unary(lambda x, y, dy: dy * y * (y.dtype.type(1) - y)),
    "Relu": _unary(_relu),
    "Sum": _sum,
    "Mean": _mean,
    "Reshape": _reshape,
    "ExpandDims": _reshape,
    "SparseSoftmaxCrossEntropyWithLogits": _cross_entropy,
    "ReadVariableOp": _same,
    "Identity": _same,
}


# The record of Mul, found once: an import statement takes a microsecond each time.
_product: Final[list[Any]] = [None]


def array_backprop(entries: Any, seeds: Any, live: Container[int], wanted: set[int]) -> dict[int, Any]:
    """As ``graph.backprop.backprop`` for the entries of an eager tape (last first), with no tape listening.

    Gradients on the way are arrays; those of sparse or unusual kinds stay tensors.
    """
    parts: dict[int, Any] = {}
    done: dict[int, Any] = {}
    for target, gradient in seeds:
        _collect(parts, key_of(target), _raw(gradient))
    product = _product[0]
    if product is None:
        from graphlab.ops.math import MUL

        product = _product[0] = MUL
    multiply, array, pop = np.multiply, np.ndarray, parts.pop
    held_by, held = 0, None  # the newest gradient: mostly the next entry is the one that takes it
    before = fp_now()
    try:
        fp_quiet()
        for entry in entries:
            if entry.__class__ is tuple:
                record, _, x, y, result = entry
                key = id(result)
                if key == held_by:
                    dy = held
                    held_by = 0
                else:
                    if held_by:
                        parts[held_by] = held
                        held_by = 0
                    dy = pop(key, None)
                    if dy.__class__ is not array:
                        if dy is None:
                            continue
                        if dy.__class__ is list:
                            dy = _total(dy)
                if key in wanted:
                    done[key] = dy
                if record is product and dy.__class__ is array:
                    # The most common case in the shortest way.
                    a, b = x._a, y._a
                    key = id(x)
                    other = id(y)
                    if other in live:
                        if key in live:
                            gradient = multiply(dy, b)
                            if gradient.shape != a.shape:
                                gradient = summed(gradient, a.shape)
                            _collect(parts, key, gradient)
                        gradient = multiply(a, dy)
                        if gradient.shape != b.shape:
                            gradient = summed(gradient, b.shape)
                        key = other
                    else:
                        gradient = multiply(dy, b)
                        if gradient.shape != a.shape:
                            gradient = summed(gradient, a.shape)
                    if key in parts:
                        _collect(parts, key, gradient)
                    else:
                        held_by, held = key, gradient
                    continue
                needed = [id(x) in live] if y is None else [id(x) in live, id(y) in live]
                rule = RULES.get(record.type)
                if rule is not None and dy.__class__ is array and (dy.dtype is _F32 or dy.dtype is _F64):
                    inputs = [x] if y is None else [x, y]
                    gradients = rule(OpView(record, record.attrs, inputs, [result]), dy, needed)
                    if gradients is not NotImplemented:
                        for tensor, gradient, need in zip(inputs, gradients, needed, strict=True):
                            if need:
                                _collect(parts, id(tensor), gradient)
                        continue
                entry = view(entry)
                dys = [dy]
            elif entry is not None:
                if held_by:
                    parts[held_by] = held
                    held_by = 0
                dys = []
                some = False
                for output in entry.outputs:
                    key = id(output) if output.__class__ is EagerTensor else key_of(output)
                    dy = pop(key, None)
                    if dy is not None:
                        some = True
                        if dy.__class__ is list:
                            dy = _total(dy)
                        if key in wanted:
                            done[key] = dy
                    dys.append(dy)
                if not some:
                    continue
            else:  # what was watched from the beginning
                continue
            inputs = entry.inputs
            needed = [(id(t) if t.__class__ is EagerTensor else key_of(t)) in live and _flows(t) for t in inputs]
            if True not in needed:
                continue
            gradients = _by_rule(entry, dys, needed)
            if gradients is NotImplemented:
                fp_restore(before)
                try:
                    gradients = pulled(entry, [_tensor(dy) for dy in dys], needed)
                finally:
                    fp_quiet()
            if gradients is None:
                continue
            for tensor, gradient, need in zip(inputs, gradients, needed, strict=True):
                if gradient is not None and need:
                    _collect(parts, id(tensor) if tensor.__class__ is EagerTensor else key_of(tensor), _raw(gradient))
    finally:
        fp_restore(before)
    if held_by:
        parts[held_by] = held
    for key, found in parts.items():
        if key in wanted:
            values = found if found.__class__ is list else [found]
            done[key] = _total([*values, done[key]] if key in done else values)
    return {key: _tensor(found) for key, found in done.items()}


def _flows(tensor: Any) -> bool:
    """True if gradients flow through this tensor: quickly for an array of float32."""
    array = getattr(tensor, "_a", None)
    return (array.__class__ is np.ndarray and array.dtype is _F32) or differentiable(tensor.dtype)


def _by_rule(entry: OpView, dys: list[Any], needed: list[bool]) -> Any:
    rule = RULES.get(entry.type)
    dy = dys[0]
    if rule is None or not isinstance(dy, (np.ndarray, np.generic)):
        return NotImplemented
    dtype = dy.dtype
    if dtype is not _F32 and dtype is not _F64:
        return NotImplemented
    if len(dys) > 1 and any(other is not None for other in dys[1:]):
        return NotImplemented
    return rule(entry, dy, needed)


def _collect(parts: dict[int, Any], key: int, gradient: Any) -> None:
    have = parts.get(key)
    if have is None:
        parts[key] = gradient
    elif have.__class__ is list:
        have.append(gradient)
    else:
        parts[key] = [have, gradient]


def _total(values: list[Any]) -> Any:
    """The sum of the gradients that meet at a tensor, in the order of ``AddN``."""
    if len(values) == 1:
        return values[0]
    first = values[0]
    if all(isinstance(v, (np.ndarray, np.generic)) and v.shape == first.shape for v in values):
        for value in values[1:]:
            first = np.add(first, value)
        return first
    return _raw(total([_tensor(value) for value in values]))


def _raw(gradient: Any) -> Any:
    """The array of a tensor; handles, lists, slices and symbolic tensors stay as they are."""
    if gradient.__class__ is EagerTensor and isinstance(gradient._a, (np.ndarray, np.generic)):
        return gradient._a
    return gradient


def _tensor(value: Any) -> Any:
    """A tensor around an array; what is no array stays as it is."""
    return wrap(value) if isinstance(value, (np.ndarray, np.generic)) else value
