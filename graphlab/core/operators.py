"""The quick way of operators on eager tensors: arrays straight to NumPy where that is TensorFlow's arithmetic.

An operator takes it while nothing is active, or while all that listens is one gradient tape of this thread, to which it
then tells the operation itself.  Everything else goes through the public functions, as it does for symbolic tensors.

NumPy warns of overflow and the like unless its error state, a context variable, says otherwise.  Setting it back and
forth costs a third of a small addition; running the ufunc in a context that has it set already costs a twentieth.  Only
one thread at a time can be in a context: another that comes meanwhile takes the general way.
"""

from __future__ import annotations

import contextvars
import importlib
from typing import Any, Final

import numpy as np

from graphlab.core.floats import IGNORE, fp_enter
from graphlab.core.state import ACTIVE, state
from graphlab.core.tensor import EagerTensor, Tensor

_quiet: Final = contextvars.Context()
_quiet.run(fp_enter, IGNORE)
quietly: Final = _quiet.run
"""``quietly(ufunc, *arrays)``: without floating-point warnings.  RuntimeError while another thread is at it."""

variable: Final[list[Any]] = [None]
"""The class of variables, whose value an operator may read itself (``graphlab.eager.variable`` puts it here)."""

_BINARY: Final = """
def operator(self, other):
    live = None
    if ACTIVE:
        now = state.__dict__
        if now["graph"] is not None:
            return general(self, other)
        tapes = now["tapes"]
        if tapes:
            tape = tapes[-1]
            live = tape.quick
            if live is None or tape is not tapes[0]:
                return general(self, other)
    kind = other.__class__
    if kind is cls:
        a = self._a
        b = other._a
        d = a.dtype
        if b.dtype is not d or not {dtypes}{test}:
            return general(self, other)
        try:
            r = quietly(ufunc, a, b)
        except (ValueError, RuntimeError):
            return general(self, other)
    elif kind is float or kind is int:
        a = self._a
        d = a.dtype
        if d is not f32{number}:
            return general(self, other)
        try:
            r = quietly(ufunc, {pair})
            if live is not None:
                b = d.type(other)
                other = cls()
                other._a = b
        except (ValueError, OverflowError, RuntimeError):
            return general(self, other)
    elif kind is variable[0]:
        return operator(self, other.value())
    else:
        return general(self, other)
    result = cls()
    result._a = r
    if live is not None and (d is f32 or d is f64):
        if id(self) in live or id(other) in live:
            live[id(result)] = (record or find(), d, {order}, result)
    return result
"""

_COMPARISON: Final = """
def operator(self, other):
    if not ACTIVE:
        a = self._a
        if other.__class__ is cls:
            b = other._a
            if b.dtype is a.dtype and (b.dtype is f32 or b.dtype is i32):
                try:
                    r = quietly(ufunc, a, b)
                except (ValueError, RuntimeError):
                    return general(self, other)
                result = cls()
                result._a = r
                return result
        elif (other.__class__ is float and a.dtype is f32) or (
            other.__class__ is int and -2147483648 <= other <= 2147483647 and a.dtype is i32
        ):
            try:
                r = quietly(ufunc, a, other)
            except (ValueError, OverflowError, RuntimeError):
                return general(self, other)
            result = cls()
            result._a = r
            return result
    return general(self, other)
"""

_ALL: Final = "(d is f32 or d is i32 or d is f64 or d is i64)"
_FLOATS: Final = "(d is f32 or d is f64)"


def _environment(name: str, ufunc: Any, **more: Any) -> dict[str, Any]:
    return {
        "ACTIVE": ACTIVE, "state": state, "variable": variable, "cls": EagerTensor,
        "quietly": quietly, "general": Tensor.__dict__[name], "ufunc": ufunc, "f32": np.dtype(np.float32),
        "i32": np.dtype(np.int32), "f64": np.dtype(np.float64), "i64": np.dtype(np.int64), "record": None, **more,
    }  # fmt: skip


def _compiled(name: str, source: str, env: dict[str, Any]) -> Any:
    exec(compile(source, "<graphlab operators>", "exec"), env)  # noqa: S102 - the templates above
    operator = env["operator"]
    operator.__name__ = name
    return operator


def _binary(name: str, ufunc: Any, record: tuple[str, str], swapped: bool, dtypes: str, test: str) -> Any:
    """One operator, generated: a branch on what it is would cost a tenth of the whole."""
    env = _environment(name, ufunc)

    def find() -> Any:
        env["record"] = getattr(importlib.import_module(f"graphlab.ops.{record[0]}"), record[1])
        return env["record"]

    env["find"] = find
    whole = " and not (d is i32 and kind is int)" if dtypes is _ALL else ""
    source = _BINARY.format(
        dtypes=dtypes,
        test=test,
        number=whole,
        pair="other, a" if swapped else "a, other",
        order="other, self" if swapped else "self, other",
    )
    return _compiled(name, source, env)


def _negative(self: Any) -> Any:
    if not ACTIVE:
        a = self._a
        if a.dtype is _F32 or a.dtype is _I32:
            result = EagerTensor()
            result._a = -a
            return result
    return _general_negative(self)


_F32: Final = np.dtype(np.float32)
_I32: Final = np.dtype(np.int32)
_general_negative: Final = Tensor.__dict__["__neg__"]
_general_getitem: Final = Tensor.__dict__["__getitem__"]
_KEYS: Final = frozenset((int, type(None), type(...)))
_OBJECT: Final = np.dtype(object)


def _getitem(self: Any, key: Any) -> Any:
    """Parts by Python numbers and slices of them are views, as NumPy makes them."""
    if ACTIVE:
        return _general_getitem(self, key)
    kind = key.__class__
    if kind is slice:
        first, last, step = key.start, key.stop, key.step
        if (first is not None and first.__class__ is not int) or (last is not None and last.__class__ is not int):
            return _general_getitem(self, key)
        if step is not None and step.__class__ is not int:
            return _general_getitem(self, key)
    elif kind is tuple:
        for part in key:
            if part.__class__ is slice:
                end = part.start
                if end is None or end.__class__ is int:
                    end = part.stop
                    if end is None or end.__class__ is int:
                        end = part.step
                        if end is None or end.__class__ is int:
                            continue
            elif part.__class__ in _KEYS:
                continue
            return _general_getitem(self, key)
    elif kind is not int:
        return _general_getitem(self, key)
    try:
        a = self._a
        if a.dtype is _OBJECT:
            return _general_getitem(self, key)
        part = a[key]
    except (IndexError, ValueError, TypeError, AttributeError):
        return _general_getitem(self, key)
    result = EagerTensor()
    result._a = part
    return result


def _nothing(self: Any, other: Any) -> None:
    return None


def _function(ufunc: Any, record: tuple[str, str], dtypes: str = _ALL, test: str = "") -> Any:
    """As the operator of two tensors; None where the general way must be taken."""
    quick = _binary("__add__", ufunc, record, False, dtypes, test)
    quick.__globals__["general"] = _nothing
    return quick


_MATRICES: Final = " or a.ndim != 2 or b.ndim != 2"
quick_add: Final = _function(np.add, ("math", "ADD_V2"))
quick_subtract: Final = _function(np.subtract, ("math", "SUB"))
quick_multiply: Final = _function(np.multiply, ("math", "MUL"))
quick_matmul: Final = _function(np.matmul, ("matmul", "MAT_MUL"), _ALL, _MATRICES)
"""For public functions whose first argument is an eager tensor: the result, or None."""


def install() -> None:
    """Gives EagerTensor its quick operators."""
    set_ = setattr
    for name, ufunc, record in (
        ("add", np.add, ("math", "ADD_V2")),
        ("sub", np.subtract, ("math", "SUB")),
        ("mul", np.multiply, ("math", "MUL")),
    ):
        set_(EagerTensor, f"__{name}__", _binary(f"__{name}__", ufunc, record, False, _ALL, ""))
        set_(EagerTensor, f"__r{name}__", _binary(f"__r{name}__", ufunc, record, True, _ALL, ""))
    division = ("division", "REAL_DIV")
    set_(EagerTensor, "__truediv__", _binary("__truediv__", np.true_divide, division, False, _FLOATS, ""))
    product = _binary("__matmul__", np.matmul, ("matmul", "MAT_MUL"), False, _ALL, _MATRICES)
    set_(EagerTensor, "__matmul__", product)
    for name, compare in (
        ("lt", np.less),
        ("le", np.less_equal),
        ("gt", np.greater),
        ("ge", np.greater_equal),
    ):
        dunder = f"__{name}__"
        set_(EagerTensor, dunder, _compiled(dunder, _COMPARISON, _environment(dunder, compare)))
    set_(EagerTensor, "__neg__", _negative)
    set_(EagerTensor, "__getitem__", _getitem)


install()
