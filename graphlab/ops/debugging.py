"""Assertions: ``tf.debugging.assert_*`` and ``tf.debugging.Assert``.

An assertion about values that are known while tracing is decided at once: if it holds nothing is added to the graph, if
not the error is raised by the trace.  Otherwise it is an ``Assert`` op, an effect: it runs in program order whether or
not anything depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public, resolve
from graphlab.core.op import NOT_DIFFERENTIABLE, define
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import state
from graphlab.core.tensor import Tensor
from graphlab.ops.over_values import of_composites

# -------------------------------------------------------------------------------------------------------------- the op


def first_elements(array: Any, number: int) -> str:
    """The first elements of an array, as text."""
    from graphlab.ops.printing import summary

    flat = np.asarray(array).reshape(-1)
    count = len(flat) if number < 0 else number
    parts = [
        item.decode("utf-8", "replace") if isinstance(item, bytes) else summary(flat[i : i + 1], 1)[1:-1].decode()
        for i, item in enumerate(flat[:count])
    ]
    return " ".join(parts) + ("..." if len(flat) > count else "")


def _assert(condition: Any, data: Sequence[Any], summarize: int) -> None:
    if np.size(condition) != 1:
        shape = list(np.shape(condition))
        raise InvalidArgumentError(None, None, f"The condition of an assertion is a scalar, not of shape {shape}.")
    if not np.all(condition):
        shown = " ".join(f"[{first_elements(array, summarize)}]" for array in data)
        raise InvalidArgumentError(None, None, f"assertion failed: {shown}")


ASSERT = define(
    "Assert", "condition: bool, data: *T ->", kernel=_assert, gradient=NOT_DIFFERENTIABLE, attrs={"summarize": 3},
    effect="io", fp=False,
)  # fmt: skip


def nothing(name: str) -> Any:
    """What an assertion gives that holds for certain: None, or an operation that does nothing."""
    if state.graph is None:
        return None
    return resolve("no_op")(name)


@public("debugging.Assert", "Assert")
def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Any:  # noqa: N802
    """Raises an error when the program runs and a condition is false.

    Args:
      condition: a bool scalar.
      data: a list of tensors and Python values that the error shows.
      summarize: how many elements of each tensor are shown; by default 3, -1 for all.
      name: a name for the node.

    Returns:
      None; while tracing the operation.

    Raises:
      tf.errors.InvalidArgumentError: if the condition is false (in a traced function: when it runs).

    >>> import graphlab as tf
    >>> tf.debugging.Assert(tf.constant(1.0) > 0, ["x must be positive"])
    """
    if state.graph is None:
        value = np.asarray(convert_to_tensor(condition, dtypes.bool)._a)
        if value.size != 1:
            raise ValueError("The truth value of a condition with more than one element is ambiguous: reduce it first.")
        if not value.all():
            shown = "\n".join(_text(item, 3 if summarize is None else summarize) for item in data)
            raise InvalidArgumentError(None, None, f"Expected '{condition}' to be true. Summarized data: {shown}")
        return None
    attrs = {"summarize": 3 if summarize is None else summarize}
    if isinstance(data, (list, tuple)) and not data:
        raise ValueError("`data` is empty: an assertion in a graph has at least one value that its error shows.")
    with name_scope(name, "Assert"):
        tensors = [convert_to_tensor(item) for item in data]
        given = [t if isinstance(item, Tensor) else item for item, t in zip(data, tensors, strict=True)]
        if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
            return bind(ASSERT, (condition, given), attrs, "Assert")
        return _guarded(convert_to_tensor(condition, dtypes.bool), given, attrs)


def _guarded(condition: Any, data: Any, attrs: dict[str, Any]) -> Any:
    """The op in the branch where the condition is false: what it would show is needed there only."""
    from graphlab.ops.array import identity

    def holds() -> Any:
        with state.graph.control_dependencies([resolve("no_op")()]):
            return identity(condition)

    def fails() -> Any:
        with state.graph.control_dependencies([bind(ASSERT, (condition, data), attrs, "Assert")]):
            return identity(condition)

    return resolve("cond")(condition, holds, fails, name="AssertGuard").op


def _text(item: Any, number: int) -> str:
    return item if isinstance(item, str) else first_elements(convert_to_tensor(item)._a, number)


# ------------------------------------------------------------------------------------------------------ two arguments


def describe(tensor: Any, label: str) -> str:
    """What the error says in front of a tensor's values."""
    if state.graph is None:
        return f"{label} (shape={tuple(tensor.shape)} dtype={tensor.dtype.name}) = "
    return f"{label} ({getattr(tensor, 'name', None) or 'a constant'}) = "


def _compared(
    default: str,
    symbol: str,
    relation: Callable[[Any, Any], Any],
    x: Any,
    y: Any,
    message: str | None,
    summarize: int | None,
    name: str | None,
) -> Any:
    from graphlab.ops.reduction import reduce_all

    message = message or ""
    with name_scope(name, default):
        if x is y and symbol == "==" and isinstance(x, Tensor | CompositeTensor):
            return nothing("NoOp")
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype_hint=x.dtype, name="y")
        a, b = static.value(x), static.value(y)
        if state.graph is None or (a is not None and b is not None):
            a, b = np.asarray(a), np.asarray(b)
            held = relation(a, b)
            if not held.all():
                raise InvalidArgumentError(None, None, _difference(symbol, a, b, held, message, summarize))
            return nothing("NoOp")
        holds = reduce_all(resolve(f"math.{_NAMES[symbol]}")(x, y))
        text = f"Condition x {symbol} y did not hold element-wise:"
        data = [text, describe(x, "x"), x, describe(y, "y"), y]
        return Assert(holds, [message, *data] if message else data, summarize, name="Assert")


_NAMES = {"==": "equal", "!=": "not_equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}


def _difference(symbol: str, x: Any, y: Any, held: Any, message: str, summarize: int | None) -> str:
    """What the error of a comparison says: where it fails, and the values there."""
    limit = 3 if summarize is None else summarize
    lines = [message] if message else []
    lines.append(f"Condition x {symbol} y did not hold.")
    if x.ndim or y.ndim:
        where = np.argwhere(~held)
        count = len(where) if limit < 0 else min(limit, len(where))
        index = tuple(where[:count].T)
        lines.append(f"Indices of first {count} different values:\n{where[:count]}")
        for label, array in (("x", x), ("y", y)):
            found = np.broadcast_to(array, held.shape)[index]
            lines.append(f"Corresponding {label} values:\n{found}")
    for label, array in (("x", x), ("y", y)):
        count = array.size if limit < 0 else min(limit, array.size)
        lines.append(f"First {count} elements of {label}:\n{array.reshape(-1)[:count]}")
    return "\n".join(lines)


def _numeric(ufunc: Any) -> Callable[[Any, Any], Any]:
    def relation(a: Any, b: Any) -> Any:
        try:
            return np.asarray(ufunc(a, b))
        except ValueError:
            raise InvalidArgumentError(
                None, None, f"Incompatible shapes: {list(a.shape)} vs. {list(b.shape)}"
            ) from None

    return relation


@public("debugging.assert_equal", "assert_equal")
@of_composites
def assert_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Asserts that ``x == y`` holds for every element, with broadcasting.

    Args:
      x: a tensor.
      y: a tensor of the dtype of ``x``.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_equal([1, 2], [1, 2])
    """
    return _compared("assert_equal", "==", _numeric(np.equal), x, y, message, summarize, name)


@public("debugging.assert_none_equal")
@of_composites
def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Any:
    """Asserts that ``x != y`` holds for every element, with broadcasting.

    Args:
      x: a tensor.
      y: a tensor of the dtype of ``x``.
      summarize: how many elements the error shows; by default 3.
      message: what the error says first.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_none_equal([1, 2], [3, 4])
    """
    return _compared("assert_none_equal", "!=", _numeric(np.not_equal), x, y, message, summarize, name)


@public("debugging.assert_less", "assert_less")
@of_composites
def assert_less(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Asserts that ``x < y`` holds for every element, with broadcasting.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_less([1, 2], 3)
    """
    return _compared("assert_less", "<", _numeric(np.less), x, y, message, summarize, name)


@public("debugging.assert_less_equal")
@of_composites
def assert_less_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Asserts that ``x <= y`` holds for every element, with broadcasting.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_less_equal([1, 2], 2)
    """
    return _compared("assert_less_equal", "<=", _numeric(np.less_equal), x, y, message, summarize, name)


@public("debugging.assert_greater", "assert_greater")
@of_composites
def assert_greater(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Asserts that ``x > y`` holds for every element, with broadcasting.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_greater([1, 2], 0)
    """
    return _compared("assert_greater", ">", _numeric(np.greater), x, y, message, summarize, name)


@public("debugging.assert_greater_equal")
@of_composites
def assert_greater_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Asserts that ``x >= y`` holds for every element, with broadcasting.

    Args:
      x: a tensor of a real dtype.
      y: a tensor of the dtype of ``x``.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_greater_equal([1, 2], 1)
    """
    return _compared("assert_greater_equal", ">=", _numeric(np.greater_equal), x, y, message, summarize, name)


@public("debugging.assert_near")
@of_composites
def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Any:
    """Asserts that ``|x - y| <= atol + rtol * |y|`` holds for every element, with broadcasting.

    Args:
      x: a tensor of a floating-point or complex dtype.
      y: a tensor of the dtype of ``x``.
      rtol: by default ten times the distance from 1 to the next number of the dtype.
      atol: the same.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      ValueError: if the dtype has no such distance and no tolerances are given.
      tf.errors.InvalidArgumentError: if it does not hold.

    >>> import graphlab as tf
    >>> tf.debugging.assert_near(1.0, 1.0000001)
    """
    from graphlab.ops import math
    from graphlab.ops.comparison import less
    from graphlab.ops.reduction import reduce_all

    with name_scope(name, "assert_near"):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype, name="y")
        default = None if rtol is not None and atol is not None else 10 * _epsilon(x.dtype)
        kind = x.dtype.real_dtype
        rtol = convert_to_tensor(default if rtol is None else rtol, kind, name="rtol")
        atol = convert_to_tensor(default if atol is None else atol, kind, name="atol")
        holds = reduce_all(less(math.abs(x - y), atol + rtol * math.abs(y)))
        tolerance = "x and y not equal to tolerance"
        if state.graph is None:
            tolerance += f" rtol = {rtol._a}, atol = {atol._a}"
        data: list[Any] = [tolerance, describe(x, "x"), x, describe(y, "y"), y]
        return Assert(holds, [message, *data] if message else data, summarize, name="Assert")


def _epsilon(dtype: Any) -> float:
    if not (dtype.is_floating or dtype.is_complex):
        raise ValueError(f"assert_near compares floating-point numbers, not {dtype.name}: give rtol and atol.")
    if dtype is dtypes.bfloat16:
        return 2.0**-7
    return float(np.finfo(dtype.np).eps)


# -------------------------------------------------------------------------------------------------------- one argument
