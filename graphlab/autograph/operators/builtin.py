"""Builtins that mean something for tensors of a graph: ``len``, ``range``, ``int``, ``max`` and their like.

For everything else, and while no graph is being built, each is Python's own.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Final

from graphlab.autograph import staging
from graphlab.autograph.names import is_internal
from graphlab.autograph.operators import sequences
from graphlab.core import dtypes
from graphlab.core.state import state

_staged = staging.is_staged
_NOTHING: Final = object()


def len_(value: Any) -> Any:
    """``len``: the size of the first axis, as a Python int where it is known.

    Raises:
      ValueError: the tensor has shape ().
    """
    if not _staged(value):
        return value.length() if value.__class__ is sequences.Elements else builtins.len(value)
    tensor = staging.tensor(value)
    shape = tensor._raw_shape()
    if shape == ():
        raise ValueError(f"len() needs a tensor that has an axis, but this one has shape (): {tensor}.")
    if shape is not None and shape[0] is not None:
        return shape[0]
    return staging.op("shape")(tensor)[0]


def range_(*args: Any) -> Any:
    """``range``: ``tf.range`` if a bound is a tensor."""
    if any(_staged(a) for a in args):
        return staging.op("range")(*args)
    return builtins.range(*args)


def int_(value: Any = 0, *args: Any, **kwargs: Any) -> Any:
    """``int``: a cast to int32, also of eager tensors (in ``tf.init_scope``), as in TensorFlow.

    Where conversion is turned off (in a ``tf.py_function``), it is Python's own.
    """
    if not args and not kwargs and staging.is_tensor(value) and state.autograph is not False:
        tensor = staging.tensor(value)
        if tensor.dtype.name == "string":
            return staging.op("strings.to_number")(tensor, out_type=dtypes.int32)
        return staging.op("cast")(tensor, dtypes.int32)
    return builtins.int(value, *args, **kwargs)


def float_(value: Any = 0.0) -> Any:
    """``float``: a cast to float32, also of eager tensors, as in TensorFlow; Python's own as ``int`` is."""
    if staging.is_tensor(value) and state.autograph is not False:
        tensor = staging.tensor(value)
        if tensor.dtype.name == "string":
            return staging.op("strings.to_number")(tensor, out_type=dtypes.float32)
        return staging.op("cast")(tensor, dtypes.float32)
    return builtins.float(value)


def bool_(value: Any = False) -> Any:
    """``bool``: a cast to bool."""
    if _staged(value):
        return staging.op("cast")(staging.tensor(value), dtypes.bool)
    return builtins.bool(value)


def abs_(value: Any) -> Any:
    """``abs``."""
    return staging.op("abs")(value) if _staged(value) else builtins.abs(value)


def any_(value: Any) -> Any:
    """``any``: ``tf.reduce_any``."""
    return staging.op("reduce_any")(_vector(value, "any")) if _staged(value) else builtins.any(value)


def all_(value: Any) -> Any:
    """``all``: ``tf.reduce_all``."""
    return staging.op("reduce_all")(_vector(value, "all")) if _staged(value) else builtins.all(value)


def sum_(value: Any, /, start: Any = 0) -> Any:
    """``sum``: ``tf.reduce_sum`` over the first axis."""
    if _staged(value):
        total = staging.op("reduce_sum")(staging.tensor(value), 0)
        return total if start.__class__ is int and start == 0 else total + start
    return builtins.sum(value, start)


def max_(*args: Any, **kwargs: Any) -> Any:
    """``max``: ``tf.reduce_max`` of one tensor, ``tf.maximum`` of several."""
    return _extreme(builtins.max, "max", "maximum", args, kwargs)


def min_(*args: Any, **kwargs: Any) -> Any:
    """``min``: ``tf.reduce_min`` of one tensor, ``tf.minimum`` of several."""
    return _extreme(builtins.min, "min", "minimum", args, kwargs)


def _extreme(python: Any, name: str, pairwise: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kwargs or not any(_staged(a) for a in args):
        return python(*args, **kwargs)
    if builtins.len(args) == 1:
        return staging.op(f"reduce_{name}")(_vector(args[0], name))
    result = args[0]
    for other in args[1:]:
        result = staging.op(pairwise)(result, other)
    return result


_WHOLE: Final = {"sorted": "sort"}


def _vector(value: Any, name: str) -> Any:
    tensor = staging.tensor(value)
    shape = tensor._raw_shape()
    if shape is not None and builtins.len(shape) != 1:
        raise ValueError(
            f"{name}() of a tensor goes over one axis, but this one has shape {tensor.shape}. "
            f"Write tf.{_WHOLE.get(name, f'reduce_{name}')}."
        )
    return tensor


def sorted_(value: Any, /, **kwargs: Any) -> Any:
    """``sorted``: ``tf.sort``; a ``key`` is mapped over the elements first.

    Raises:
      ValueError: the tensor has not one axis.
    """
    if not _staged(value):
        return builtins.sorted(value, **kwargs)
    tensor = _vector(value, "sorted")
    direction = "DESCENDING" if kwargs.get("reverse") else "ASCENDING"
    key = kwargs.get("key")
    if key is None:
        return staging.op("sort")(tensor, direction=direction)
    order = staging.op("argsort")(staging.op("map_fn")(key, tensor), direction=direction, stable=True)
    return staging.op("gather")(tensor, order)


def enumerate_(value: Any, start: Any = 0) -> Any:
    """``enumerate``."""
    if value.__class__ is sequences.Elements or _staged(value):
        return sequences.enumerated(value, start)
    return builtins.enumerate(value, start)


def zip_(*values: Any, **kwargs: Any) -> Any:
    """``zip``."""
    if any(v.__class__ is sequences.Elements or _staged(v) for v in values):
        return sequences.zipped(values)
    return builtins.zip(*values, **kwargs)  # noqa: B905  # the user's own call


def map_(function: Any, *values: Any) -> Any:
    """``map``."""
    from graphlab.autograph.conversion import convert_call

    function = convert_call(function)
    if any(v.__class__ is sequences.Elements or _staged(v) for v in values):
        return sequences.mapped(function, values)
    return builtins.map(function, *values)


def filter_(function: Any, value: Any) -> Any:
    """``filter``: the elements of a tensor for which a function is true, as a tensor."""
    from graphlab.autograph.conversion import convert_call

    if function is not None:
        function = convert_call(function)
    if not _staged(value):
        return builtins.filter(function, value)
    tensor = staging.tensor(value)
    keep = tensor if function is None else staging.op("map_fn")(function, tensor, fn_output_signature=dtypes.bool)
    return staging.op("boolean_mask")(tensor, staging.op("cast")(keep, dtypes.bool))


def next_(iterator: Any, default: Any = _NOTHING) -> Any:
    """``next``: Python's own, which iterators of datasets understand too."""
    return builtins.next(iterator) if default is _NOTHING else builtins.next(iterator, default)


def locals_() -> dict[str, Any]:
    """``locals``: the variables of the whole function, also from a body made of one of its constructs."""
    return _visible(sys._getframe(1))


def vars_() -> dict[str, Any]:
    """``vars()``: as ``locals``."""
    return _visible(sys._getframe(1))


def dir_() -> list[str]:
    """``dir()``: the names of the function's variables."""
    return builtins.sorted(_visible(sys._getframe(1)))


def eval_(source: Any) -> Any:
    """``eval`` with the variables of the whole function."""
    frame = sys._getframe(1)
    return builtins.eval(source, frame.f_globals, _visible(frame))  # noqa: S307  # the user's own call


def exec_(source: Any) -> None:
    """``exec`` with the variables of the whole function."""
    frame = sys._getframe(1)
    builtins.exec(source, frame.f_globals, _visible(frame))  # noqa: S102  # the user's own call


def _visible(frame: FrameType) -> dict[str, Any]:
    """The variables of the user's function that a frame belongs to."""
    from graphlab.autograph.conversion import is_body

    found: dict[str, Any] = {}
    at: FrameType | None = frame
    while at is not None:
        code: CodeType = at.f_code
        for name, value in at.f_locals.items():
            if not is_internal(name) and not is_body(value):
                found.setdefault(name, value)
        if not is_body(code):
            break
        at = _caller(at)
    return found


def _caller(frame: FrameType) -> FrameType | None:
    """The nearest frame of the function that the body is nested in."""
    from graphlab.autograph.conversion import is_body, owner

    wanted = owner(frame.f_code)
    at = frame.f_back
    while at is not None and not (owner(at.f_code) is wanted and (is_body(at.f_code) or at.f_code is wanted)):
        at = at.f_back
    return at


OVERLOADS: Final[dict[Callable[..., Any], Callable[..., Any]]] = {
    builtins.len: len_,
    builtins.range: range_,
    builtins.int: int_,
    builtins.float: float_,
    builtins.bool: bool_,
    builtins.abs: abs_,
    builtins.any: any_,
    builtins.all: all_,
    builtins.sum: sum_,
    builtins.max: max_,
    builtins.min: min_,
    builtins.sorted: sorted_,
    builtins.enumerate: enumerate_,
    builtins.zip: zip_,
    builtins.map: map_,
    builtins.filter: filter_,
    builtins.next: next_,
}
"""Builtins that are something else in converted code."""
