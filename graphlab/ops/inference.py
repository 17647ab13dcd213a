"""Shape rules that several op families share.

They work on raw shapes: a tuple of sizes (None: unknown), or None (unknown rank).

A rule raises ValueError when the known parts of the shapes can't fit, whatever the unknown parts turn out to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from graphlab.core.errors import InvalidArgumentError
from graphlab.core.shape import RawShape, broadcast, merge

if TYPE_CHECKING:
    from graphlab.core.op import Arg

__all__ = ["broadcast", "merge"]

Shape: TypeAlias = RawShape
Attrs: TypeAlias = Mapping[str, Any]


def unchanged(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The shape of the first input."""
    return args[0].shape


def scalar(_args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """A scalar, whatever the inputs."""
    return ()


def unknown(_args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """Nothing is known before the run."""
    return None


def broadcast_all(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """The inputs broadcast against each other."""
    shape = args[0].shape
    for arg in args[1:]:
        shape = broadcast(shape, arg.shape)
    return shape


def merge_dim(a: int | None, b: int | None, what: str = "Dimensions") -> int | None:
    """What is known when two sizes are equal.  ValueError if they can't be."""
    if a is None or b is None or a == b:
        return b if a is None else a
    raise ValueError(f"{what} must be equal, but are {a} and {b}.")


def same_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    """All inputs and the output have one shape."""
    shape = args[0].shape
    for arg in args[1:]:
        shape = merge(shape, arg.shape)
    return shape


def with_rank(shape: Shape, rank: int, what: str = "The input") -> tuple[int | None, ...]:
    """``shape``, known to have a rank.  ValueError if it has another one."""
    if shape is None:
        return (None,) * rank
    if len(shape) != rank:
        raise ValueError(f"{what} must have rank {rank}, but has shape {show(shape)}.")
    return shape


def at_least_rank(shape: Shape, rank: int, what: str = "The input") -> Shape:
    """``shape`` itself.  ValueError if its rank is lower than ``rank``."""
    if shape is not None and len(shape) < rank:
        raise ValueError(f"{what} must have at least rank {rank}, but has shape {show(shape)}.")
    return shape


def elements(shape: Shape) -> int | None:
    """How many elements a shape has; None if a size is unknown (0 even then, when another size is 0)."""
    if shape is None:
        return None
    if 0 in shape:
        return 0
    count = 1
    for size in shape:
        if size is None:
            return None
        count *= size
    return count


def number(value: Any, what: str) -> int:
    """The number that a kernel's scalar argument holds.

    Raises:
      InvalidArgumentError: it is no scalar.
    """
    if getattr(value, "ndim", 0):
        raise InvalidArgumentError(None, None, f"{what} must be a scalar, but has shape {show(value.shape)}.")
    return int(value)


def size_of_value(arg: Arg, what: str, least: int = 0) -> int | None:
    """The number that a scalar argument holds, if it is known while tracing.  ValueError if it is below ``least``."""
    with_rank(arg.shape, 0, what)
    value = arg.value
    if value is None:
        return None
    if int(value) < least:
        raise ValueError(f"{what} must be at least {least}, but is {int(value)}.")
    return int(value)


def shape_of_value(arg: Arg) -> Shape:
    """The shape that a 1-D integer argument spells, as far as it is known while tracing (-1 is an unknown size)."""
    with_rank(arg.shape, 1, "A shape")
    value = arg.value
    if value is not None:
        made = getattr(arg.tensor, "op", None)  # what is computed is refused when it runs
        if any(n < -1 for n in value) and (made is None or made.type == "Const"):
            raise ValueError(f"A dimension cannot be negative: {value.tolist()} is no shape.")
        return tuple(None if n < 0 else int(n) for n in value)
    partial = arg.partial
    if partial is not None:
        return partial
    if arg.shape is not None and len(arg.shape) == 1 and arg.shape[0] is not None:
        return (None,) * arg.shape[0]
    return None


def axis_in(axis: int, rank: int) -> int:
    """``axis`` counted from the front.  ValueError if it is out of range."""
    if not -rank <= axis < rank:
        raise ValueError(f"Axis {axis} is out of range for rank {rank}: it must be in [{-rank}, {rank}).")
    return axis + rank if axis < 0 else axis


def show(shape: Shape) -> str:
    """``[2,?]`` for messages."""
    return "<unknown>" if shape is None else "[" + ",".join("?" if n is None else str(n) for n in shape) + "]"
