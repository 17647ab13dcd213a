"""Assertions about ranks, shapes and dtypes: decided while tracing where they can be, else an ``Assert`` op."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.specs import CompositeTensor
from graphlab.core.tensor import Tensor
from graphlab.ops.debugging import Assert, nothing
from graphlab.ops.over_values import of_composites


def _name(tensor: Any) -> str:
    return getattr(tensor, "name", "") if not hasattr(tensor, "_a") else ""


def _label(tensor: Any) -> str:
    return f"Tensor {_name(tensor)}".rstrip()


def _shaped(value: Any, sparse: bool = True) -> Any:
    """A tensor, or a SparseTensor as it is if that is allowed: it has a shape as well."""
    if sparse and isinstance(value, CompositeTensor) and hasattr(value, "dense_shape"):
        return value
    return convert_to_tensor(value, name="x")


def _known_rank(rank: Any) -> int | None:
    """A rank argument as an int if it is known.  ValueError if it is no integer scalar."""
    tensor = convert_to_tensor(rank, name="rank")
    if not tensor.dtype.is_integer:
        raise TypeError(f"A rank must be an integer, not {tensor.dtype.name}.")
    value = static.value(tensor)
    if value is None:
        return None
    if np.ndim(value):
        raise ValueError("Rank must be a scalar.")
    return int(value)


def _ranked(
    default: str, what: str, holds: Any, x: Any, ranks: list[Any], message: str | None, name: str | None
) -> Any:
    """``holds(rank, ranks)`` now if all are known, else when the program runs."""
    from graphlab.ops.array_shape import rank as rank_of
    from graphlab.ops.array_shape import shape

    with name_scope(name, default):
        x = _shaped(x, sparse=default != "assert_rank_at_least")
        raw = x.shape._dims
        known = [_known_rank(rank) for rank in ranks]
        lead = f"{message}.  " if message else ""
        if raw is not None and None not in known:
            if not holds(len(raw), known):
                shown = f"({', '.join(map(str, known))})" if len(known) > 1 else str(known[0])
                raise ValueError(
                    f"{lead}{_label(x)} must have rank {what}{shown}.  Received rank {len(raw)}, shape {x.shape}"
                )
            return nothing("static_checks_determined_all_ok")
        condition = holds(rank_of(x), [convert_to_tensor(rank, dtypes.int32) for rank in ranks])
        text = f"{_label(x)} must have rank {what}"
        return Assert(condition, [*([message] if message else []), text, *ranks, "Received shape: ", shape(x)])


@public("debugging.assert_rank", "assert_rank")
def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """Asserts that a tensor has a rank.

    Args:
      x: a tensor or SparseTensor.
      rank: an int or integer scalar.
      message: what the error says first.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      ValueError: if it is known now that ``x`` has another rank.
      tf.errors.InvalidArgumentError: if that turns out when the program runs.

    >>> import graphlab as tf
    >>> tf.debugging.assert_rank([1, 2], 1)
    """
    from graphlab.ops.comparison import equal

    def holds(have: Any, wanted: list[Any]) -> Any:
        return have == wanted[0] if isinstance(have, int) else equal(have, wanted[0])

    return _ranked("assert_rank", "", holds, x, [rank], message, name)


@public("debugging.assert_rank_at_least")
def assert_rank_at_least(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """Asserts that a tensor has at least a rank.

    Args:
      x: a tensor.
      rank: an int or integer scalar.
      message: what the error says first.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      ValueError: if it is known now that the rank of ``x`` is lower.
      tf.errors.InvalidArgumentError: if that turns out when the program runs.

    >>> import graphlab as tf
    >>> tf.debugging.assert_rank_at_least([[1, 2]], 1)
    """
    from graphlab.ops.comparison import greater_equal

    def holds(have: Any, wanted: list[Any]) -> Any:
        return have >= wanted[0] if isinstance(have, int) else greater_equal(have, wanted[0])

    return _ranked("assert_rank_at_least", "at least ", holds, x, [rank], message, name)


@public("debugging.assert_rank_in")
def assert_rank_in(x: Any, ranks: Any, message: str | None = None, name: str | None = None) -> Any:
    """Asserts that a tensor has one of several ranks.

    Args:
      x: a tensor or SparseTensor.
      ranks: a list of ints or integer scalars.
      message: what the error says first.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      ValueError: if it is known now that ``x`` has another rank.
      tf.errors.InvalidArgumentError: if that turns out when the program runs.

    >>> import graphlab as tf
    >>> tf.debugging.assert_rank_in([1, 2], (1, 2))
    """
    from graphlab.ops.array import stack
    from graphlab.ops.comparison import equal
    from graphlab.ops.reduction import reduce_any

    def holds(have: Any, wanted: list[Any]) -> Any:
        return have in wanted if isinstance(have, int) else reduce_any(equal(have, stack(wanted)))

    return _ranked("assert_rank_in", "in ", holds, x, list(ranks), message, name)


@public("debugging.assert_scalar")
def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Any:
    """Asserts that a tensor is a scalar as far as is known now.

    Args:
      tensor: a tensor.
      message: what the error says first.
      name: a name for the nodes.

    Returns:
      The tensor.

    Raises:
      ValueError: if it is no scalar, or nothing is known of its shape.

    >>> import graphlab as tf
    >>> tf.debugging.assert_scalar(5).numpy()
    np.int32(5)
    """
    with name_scope(name, "assert_scalar"):
        tensor = convert_to_tensor(tensor, name="name_scope")
        if tensor._raw_shape() != ():
            lead = f"{message}  " if message else ""
            raise ValueError(f"{lead}Expected scalar shape{_of(tensor)}, saw shape: {tensor.shape}.")
        return tensor


def _of(tensor: Any) -> str:
    return f" for {_name(tensor)}" if _name(tensor) else ""


@public("debugging.assert_type")
@of_composites
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Any:
    """Asserts that a tensor has a dtype.

    Args:
      tensor: a tensor.
      tf_type: the dtype.
      message: what the error says first.
      name: a name for the node.

    Raises:
      TypeError: if it has another.

    >>> import graphlab as tf
    >>> tf.debugging.assert_type(tf.constant(1), tf.int32)
    """
    wanted = dtypes.as_dtype(tf_type)
    with name_scope(name, "assert_type"):
        tensor = convert_to_tensor(tensor)
        if tensor.dtype is not wanted:
            lead = f"{message}  " if message else ""
            raise TypeError(f"{lead}{_name(tensor) or 'tensor'} must be of type {wanted!r}; got {tensor.dtype!r}")
        return nothing("statically_determined_correct_type")


@public("debugging.assert_integer")
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Asserts that a tensor has an integer dtype.

    Args:
      x: a tensor.
      message: what the error says first.
      name: a name for the node.

    Raises:
      TypeError: if it has not.

    >>> import graphlab as tf
    >>> tf.debugging.assert_integer(tf.constant(1))
    """
    with name_scope(name, "assert_integer"):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            lead = f"{message}  " if message else ""
            raise TypeError(
                f'{lead}Expected "x" to be integer type.  Found: {_name(x) or "tensor"} of dtype {x.dtype!r}'
            )
        nothing("statically_determined_was_integer")


@public("debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> DType:
    """Asserts that tensors have one floating-point dtype, and returns it.

    Args:
      tensors: tensors; Nones are left out.
      dtype: the dtype they must have, or None.

    Returns:
      The dtype; float32 when nothing says another.

    Raises:
      ValueError: if they differ, or it is no floating-point dtype.

    >>> import graphlab as tf
    >>> tf.debugging.assert_same_float_dtype([tf.constant(1.0)])
    tf.float32
    """
    found = None if dtype is None else dtypes.as_dtype(dtype)
    first: Any = None
    for tensor in tensors or ():
        if tensor is None:
            continue
        if found is None:
            found, first = tensor.dtype, tensor
        elif tensor.dtype is not found:
            other = f" as {first!r}" if first is not None else ""
            raise ValueError(f"{tensor!r}, type={tensor.dtype!r}, must be of the same type ({found!r}){other}.")
    if found is None:
        return dtypes.float32
    if not found.is_floating:
        raise ValueError(f"Expected floating point type, got {found!r}.")
    return found


@public("debugging.assert_proper_iterable")
def assert_proper_iterable(values: Any) -> None:
    """Asserts that an object is an iterable of values: no tensor, array, string.

    Args:
      values: any object.

    Raises:
      TypeError: if it is not.

    >>> import graphlab as tf
    >>> tf.debugging.assert_proper_iterable([1, 2])
    """
    if isinstance(values, (Tensor, np.ndarray, str, bytes)) or hasattr(type(values), "__tf_tensor__"):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not isinstance(values, Iterable):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


_ANY = (None, ".")


def _parsed(spec: Any) -> tuple[bool, list[Any]]:
    """Whether any axes may come first, and the sizes or symbols of the others."""
    if isinstance(spec, (int, np.integer)):
        return False, [int(spec)]
    if isinstance(spec, str) and spec.startswith("..."):
        return True, list(spec[3:])
    if hasattr(spec, "as_list"):
        return False, list(spec.as_list())
    symbols = list(spec)
    if symbols and (symbols[0] is Ellipsis or symbols[0] in ("...", "*")):
        return True, symbols[1:]
    return False, symbols


def _number(symbol: Any) -> int | None:
    if isinstance(symbol, (int, np.integer)):
        return int(symbol)
    if isinstance(symbol, str) and symbol.isdigit():
        return int(symbol)
    return None


@public("debugging.assert_shapes")
def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> None:
    """Asserts that the shapes of several tensors fit together.

    Args:
      shapes: a dictionary from tensors to shapes, or a list of pairs. A shape is a sequence (or a string, a letter an
        axis) of sizes and symbols: a symbol stands for the same size everywhere, ``None`` and ``"."`` for any; ``...``
        or ``"*"`` in front for any axes.
      data: tensors that the error shows when the program runs; by default the shape.
      summarize: how many elements of them are shown; by default 3.
      message: what the error says first.
      name: a name for the nodes.

    Returns:
      None; while tracing an operation, for ``tf.control_dependencies``.

    Raises:
      ValueError: if it is known now that a shape does not fit.
      tf.errors.InvalidArgumentError: if that turns out when the program runs.

    >>> import graphlab as tf
    >>> x, y = tf.ones([2, 3]), tf.ones([3])
    >>> tf.debugging.assert_shapes([(x, ("N", "D")), (y, "D")])
    """
    from graphlab.ops.array_shape import shape as shape_of
    from graphlab.ops.comparison import equal

    if isinstance(shapes, dict):
        shapes = list(shapes.items())
    lead = f"{message}.  " if message else ""
    with name_scope(name, "assert_shapes"):
        sizes: dict[Any, tuple[Any, str]] = {}
        checks: list[Any] = []
        for tensor, spec in shapes:
            tensor = _shaped(tensor)
            prefix, symbols = _parsed(spec)
            rank = assert_rank_at_least if prefix else assert_rank
            checks.append(rank(tensor, len(symbols), message))
            raw = tensor.shape._dims
            label = f"{_label(tensor)} shape={tensor.shape} dtype={tensor.dtype.name}"
            for position, symbol in enumerate(symbols):
                axis = position - len(symbols) if prefix else position
                if symbol in _ANY:
                    continue
                known = None if raw is None else raw[axis]
                size = shape_of(tensor)[axis] if known is None else known
                number = _number(symbol)
                wanted, source = (
                    (number, "Specified explicitly") if number is not None else sizes.get(symbol, (None, ""))
                )
                if wanted is None:
                    sizes[symbol] = (size, f"Specified by {label} dimension {axis}")
                    continue
                if isinstance(size, int) and isinstance(wanted, int):
                    if size != wanted:
                        raise ValueError(
                            f"{lead}{source}.  {label} dimension {axis} must have size {wanted}.  Received size "
                            f"{size}, shape {tensor.shape}"
                        )
                    continue
                shown = [*([message] if message else []), f"{source}.  {label} dimension {axis} must have size", wanted,
                         "Received shape: ", shape_of(tensor)]  # fmt: skip
                checks.append(Assert(equal(size, wanted), data or shown, summarize))
        found = [check for check in checks if check is not None]
        if found:
            from graphlab.core.export import resolve

            resolve("group")(*found)
