"""Assertions about one tensor: its sign, and whether it is finite."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import static
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.tensor import Tensor
from graphlab.ops.debugging import Assert, describe, first_elements, nothing


def _signed(
    default: str, symbol: str, first: bool, x: Any, message: str | None, summarize: int | None, name: str | None
) -> Any:
    """``x`` against 0; ``first`` when zero stands on the left of the comparison that is made."""
    from graphlab.ops.comparison import less, less_equal
    from graphlab.ops.reduction import reduce_all

    message = message or ""
    with name_scope(name, default):
        x = convert_to_tensor(x, name="x")
        zero = constant(np.zeros((), x.dtype.np))
        relation = less if symbol in "<>" else less_equal
        text = f"Condition x {symbol} 0 did not hold element-wise:"
        known = static.value(x)
        if known is not None:
            array = np.asarray(known)
            if not np.all(_RELATIONS[symbol](array, 0)):
                shown = first_elements(array, 3 if summarize is None else summarize)
                lines = [*([message] if message else []), text, describe(x, "x") + shown]
                raise InvalidArgumentError(None, None, "\n".join(lines))
            return nothing("NoOp")
        with name_scope(None, "assert_less" if relation is less else "assert_less_equal"):
            holds = reduce_all(relation(zero, x) if first else relation(x, zero))
            return Assert(holds, [message, text, describe(x, "x"), x], summarize)


_RELATIONS = {">": np.greater, "<": np.less, ">=": np.greater_equal, "<=": np.less_equal}


@public("debugging.assert_positive")
def assert_positive(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Asserts that every element is greater than 0.

    Args:
      x: a tensor of a real dtype.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_positive([1.0, 2.0])
    """
    return _signed("assert_positive", ">", True, x, message, summarize, name)


@public("debugging.assert_negative")
def assert_negative(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
    """Asserts that every element is less than 0.

    Args:
      x: a tensor of a real dtype.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_negative([-1.0, -2.0])
    """
    return _signed("assert_negative", "<", False, x, message, summarize, name)


@public("debugging.assert_non_negative")
def assert_non_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Asserts that every element is at least 0.

    Args:
      x: a tensor of a real dtype.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_non_negative([0.0, 1.0])
    """
    return _signed("assert_non_negative", ">=", True, x, message, summarize, name)


@public("debugging.assert_non_positive")
def assert_non_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Asserts that every element is at most 0.

    Args:
      x: a tensor of a real dtype.
      message: what the error says first.
      summarize: how many elements the error shows; by default 3.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      tf.errors.InvalidArgumentError: if it does not hold; while tracing if that is known then.

    >>> import graphlab as tf
    >>> tf.debugging.assert_non_positive([0.0, -1.0])
    """
    return _signed("assert_non_positive", "<=", False, x, message, summarize, name)


@public("debugging.assert_all_finite")
def assert_all_finite(x: Any, message: str, name: str | None = None) -> Any:
    """Passes a tensor on, and raises an error when it has NaN or infinity in it.

    Args:
      x: a tensor of a floating-point dtype.
      message: what the error says first.
      name: a name for the node.

    Returns:
      ``x``.

    Raises:
      tf.errors.InvalidArgumentError: if an element is not finite.

    >>> import graphlab as tf
    >>> tf.debugging.assert_all_finite([1.0, 2.0], "x").numpy()
    array([1., 2.], dtype=float32)
    """
    from graphlab.ops.array import check_numerics

    with name_scope(name, "VerifyFinite"):
        return check_numerics(convert_to_tensor(x, name="t"), message)


@public("debugging.is_numeric_tensor")
def is_numeric_tensor(tensor: Any) -> bool:
    """Tells whether an object is a tensor of a numeric dtype.

    Args:
      tensor: any object.

    >>> import graphlab as tf
    >>> tf.debugging.is_numeric_tensor(tf.constant(1)), tf.debugging.is_numeric_tensor(1)
    (True, False)
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric
