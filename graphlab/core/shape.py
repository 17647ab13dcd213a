"""Shapes of tensors, known and unknown.

Inside the runtime a shape is *raw*: a tuple of ``int | None`` (None: that dimension is unknown), or None when the rank
itself is unknown.  The functions on raw shapes here are what shape inference is written with.  ``TensorShape`` is the
public class around a raw shape; nothing converts to it before a user looks.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, SupportsIndex, TypeAlias, overload

from graphlab.core.export import public

RawShape: TypeAlias = tuple[int | None, ...] | None


def raw(shape: Any) -> RawShape:
    """Converts what users write for a shape (TensorShape, sequence, array, int or None) to a raw shape.

    Raises:
      TypeError: if it is no shape, or a dimension is neither an integer nor None.
      ValueError: if a dimension is negative.
    """
    if shape is None:
        return None
    if isinstance(shape, TensorShape):
        return shape._dims
    kind = type(shape)
    if kind is tuple or kind is list:
        return tuple([d if type(d) is int and d >= 0 else _dimension(d) for d in shape])
    if isinstance(shape, str):
        raise TypeError(f"{shape!r} is not a shape. Write a sequence of dimensions, such as (2, None), or None.")
    try:
        dims = tuple(shape)
    except TypeError:
        return (_dimension(shape),)
    return tuple([_dimension(d) for d in dims])


def _dimension(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, Dimension):
        return value.value
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"A dimension must be an integer or None, but {value!r} is of type {type(value).__name__}."
        ) from None
    if number < 0:
        raise ValueError(f"A dimension cannot be negative ({number}). Write None for one that is not known.")
    return number


def text(shape: RawShape) -> str:
    """``(2, None)``, or ``<unknown>``: as shapes stand in messages."""
    return "<unknown>" if shape is None else str(shape)


def from_raw(shape: RawShape) -> TensorShape:
    """The public shape for a raw one, without the checks of the constructor."""
    new = object.__new__(TensorShape)
    new._dims = shape
    return new


def numel(shape: RawShape) -> int | None:
    """Number of elements, or None while a dimension is unknown."""
    if shape is None or None in shape:
        return None
    return math.prod(shape)  # type: ignore[arg-type]


def is_fully_defined(shape: RawShape) -> bool:
    """True if the rank and every dimension are known."""
    return shape is not None and None not in shape


def is_compatible(a: RawShape, b: RawShape) -> bool:
    """True if some fully known shape fits both."""
    if a is None or b is None or a == b:
        return True
    return len(a) == len(b) and all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


def is_subtype(a: RawShape, b: RawShape) -> bool:
    """True if every shape that fits ``a`` fits ``b``."""
    if b is None or a == b:
        return True
    return a is not None and len(a) == len(b) and all(y is None or x == y for x, y in zip(a, b, strict=True))


def merge(a: RawShape, b: RawShape) -> RawShape:
    """What is known when both are known to describe one tensor.  ValueError if they contradict each other."""
    if a is None:
        return b
    if b is None or a == b:
        return a
    if not is_compatible(a, b):
        raise ValueError(f"Shapes {a} and {b} are not compatible: {_contradiction(a, b)}.")
    return tuple([y if x is None else x for x, y in zip(a, b, strict=True)])


def _contradiction(a: tuple[int | None, ...], b: tuple[int | None, ...]) -> str:
    if len(a) != len(b):
        return f"their ranks are {len(a)} and {len(b)}"
    axis = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x is not None and y is not None and x != y)
    return f"axis {axis} is {a[axis]} in one and {b[axis]} in the other"


def most_general(a: RawShape, b: RawShape) -> RawShape:
    """The most specific shape that both fit."""
    if a is None or b is None or len(a) != len(b):
        return None
    return a if a == b else tuple([x if x == y else None for x, y in zip(a, b, strict=True)])


def concat(a: RawShape, b: RawShape) -> RawShape:
    """Dimensions of ``a``, then those of ``b``."""
    return None if a is None or b is None else a + b


def broadcast(a: RawShape, b: RawShape) -> RawShape:
    """The shape of an elementwise operation on two operands.  ValueError if they do not broadcast."""
    if a == b and (a is None or None not in a):
        return a
    if a is None or b is None:
        return None
    if len(a) < len(b):
        short, long = a, b
    else:
        short, long = b, a
    lead = len(long) - len(short)
    dims = list(long[:lead])
    for x, y in zip(short, long[lead:], strict=True):
        if x in (y, 1):
            dims.append(y)
        elif y == 1 or y is None:
            dims.append(x)
        elif x is None:
            dims.append(y)
        else:
            axis = len(dims) - len(long)
            raise ValueError(
                f"Shapes {a} and {b} do not broadcast: axis {axis} has size {a[axis]} in one and {b[axis]} in the "
                "other. Sizes must be equal, or one of them 1."
            )
    return tuple(dims)


@public("compat.v1.Dimension")
class Dimension:
    """One dimension, as ``TensorShape.dims`` lists it: an integer or unknown.

    Arithmetic with an unknown dimension is unknown; comparisons with one give None.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = _dimension(value)

    @property
    def value(self) -> int | None:
        """The size, or None."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """True if the two are equal or one is unknown."""
        return is_compatible((self._value,), (_dimension(other),))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless ``is_compatible_with(other)``."""
        merge((self._value,), (_dimension(other),))

    def merge_with(self, other: Any) -> Dimension:
        """The known one of the two.  ValueError if they differ."""
        merged = merge((self._value,), (_dimension(other),))
        return Dimension(merged[0] if merged else None)

    def _combine(self, function: Any, other: Any) -> Any:
        try:
            value = _dimension(other)
        except TypeError:
            return NotImplemented
        return None if self._value is None or value is None else function(self._value, value)

    def _arithmetic(self, function: Any, other: Any) -> Any:
        result = self._combine(function, other)
        return result if result is NotImplemented else Dimension(result)

    def __add__(self, other: Any) -> Any:
        return self._arithmetic(operator.add, other)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        return self._arithmetic(operator.mul, other)

    __rmul__ = __mul__

    def __sub__(self, other: Any) -> Any:
        return self._arithmetic(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return self._arithmetic(lambda x, y: y - x, other)

    def __floordiv__(self, other: Any) -> Any:
        return self._arithmetic(operator.floordiv, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._arithmetic(lambda x, y: y // x, other)

    def __mod__(self, other: Any) -> Any:
        return self._arithmetic(operator.mod, other)

    def __rmod__(self, other: Any) -> Any:
        return self._arithmetic(lambda x, y: y % x, other)

    def __lt__(self, other: Any) -> Any:
        return self._combine(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._combine(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._combine(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._combine(operator.ge, other)

    def __eq__(self, other: object) -> Any:
        return self._combine(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self._combine(operator.ne, other)

    def __hash__(self) -> int:
        if self._value is None:
            raise ValueError("An unknown dimension cannot be hashed.")
        return hash(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __int__(self) -> int:
        return self._value  # type: ignore[return-value]  # int() raises TypeError for None, as TensorFlow does

    __index__ = __int__

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __reduce__(self) -> tuple[type[Dimension], tuple[int | None]]:
        return Dimension, (self._value,)


@public("TensorShape")
class TensorShape:
    """The shape of a tensor, of which the rank or some dimensions may be unknown.

    Args:
      dims: a sequence of dimensions (each an integer ≥ 0, or None for unknown); an integer for a vector of that length;
        or None for a shape of unknown rank.

    Raises:
      TypeError: if a dimension is neither an integer nor None.
      ValueError: if a dimension is negative.

    >>> import graphlab as tf
    >>> shape = tf.TensorShape([32, None])
    >>> shape, shape.rank, shape[0], shape == (32, None)
    (TensorShape([32, None]), 2, 32, True)
    >>> shape.is_compatible_with([32, 10]), shape.num_elements()
    (True, None)
    """

    __slots__ = ("_dims", "__weakref__")
    _dims: RawShape

    def __init__(self, dims: Any) -> None:
        self._dims = raw(dims)

    @property
    def rank(self) -> int | None:
        """Number of dimensions, or None."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions as ``Dimension`` objects, or None if the rank is unknown."""
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self) -> list[int | None]:
        """The dimensions as integers or None.  ValueError if the rank is unknown."""
        if self._dims is None:
            raise ValueError("A shape of unknown rank has no list of dimensions.")
        return list(self._dims)

    def is_fully_defined(self) -> bool:
        """True if the rank and every dimension are known."""
        return is_fully_defined(self._dims)

    def num_elements(self) -> int | None:
        """Number of elements, or None while a dimension is unknown."""
        return numel(self._dims)

    def is_compatible_with(self, other: Any) -> bool:
        """True if some fully known shape fits both."""
        return is_compatible(self._dims, raw(other))

    def is_subtype_of(self, other: Any) -> bool:
        """True if ``other`` is a TensorShape that every shape fitting this one fits too."""
        return isinstance(other, TensorShape) and is_subtype(self._dims, other._dims)

    def merge_with(self, other: Any) -> TensorShape:
        """What is known from both.  ValueError if they contradict each other."""
        return from_raw(merge(self._dims, raw(other)))

    def concatenate(self, other: Any) -> TensorShape:
        """These dimensions, then those of ``other``."""
        return from_raw(concat(self._dims, raw(other)))

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The most specific shape that both fit: unequal dimensions become None, unequal ranks an unknown rank."""
        return from_raw(most_general(self._dims, raw(other)))

    def most_specific_common_supertype(self, others: Sequence[Any]) -> TensorShape | None:
        """As ``most_specific_compatible_shape`` for several; None if one of them is no TensorShape."""
        dims = self._dims
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            dims = most_general(dims, other._dims)
        return from_raw(dims)

    def with_rank(self, rank: int | None) -> TensorShape:
        """This shape, known to have that rank.  ValueError if it has another."""
        if rank is None or self.rank == rank:
            return self
        if self._dims is None:
            return from_raw((None,) * operator.index(rank))
        raise ValueError(f"Shape {self} must have rank {rank}, but its rank is {self.rank}.")

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape.  ValueError if its rank is known and less."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank {rank} or more.")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape.  ValueError if its rank is known and greater."""
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank {rank} or less.")
        return self

    def assert_has_rank(self, rank: int | None) -> None:
        """Raises ValueError if the rank is known to be another."""
        self.with_rank(rank)

    def assert_same_rank(self, other: Any) -> None:
        """Raises ValueError if the ranks are known to differ."""
        dims = raw(other)
        if self._dims is not None and dims is not None and len(dims) != len(self._dims):
            raise ValueError(f"Shapes {self} and {dims} must have the same rank.")

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless ``is_compatible_with(other)``."""
        merge(self._dims, raw(other))

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless ``is_fully_defined()``."""
        if not is_fully_defined(self._dims):
            raise ValueError(f"Shape {self} is not fully defined.")

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("A shape of unknown rank has no length.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[int | None]:
        if self._dims is None:
            raise ValueError("A shape of unknown rank cannot be iterated over.")
        return iter(self._dims)

    @overload
    def __getitem__(self, key: SupportsIndex) -> int | None: ...
    @overload
    def __getitem__(self, key: slice) -> TensorShape: ...
    def __getitem__(self, key: Any) -> Any:
        if self._dims is not None:
            return from_raw(self._dims[key]) if isinstance(key, slice) else self._dims[key]
        if not isinstance(key, slice):
            return None
        if key.step not in (None, 1):
            raise ValueError("A shape of unknown rank cannot be sliced with a step.")
        start, stop = key.start or 0, key.stop
        return from_raw(None if stop is None or stop < 0 or start < 0 else (None,) * max(0, stop - start))

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return from_raw(concat(raw(other), self._dims))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TensorShape):
            return self._dims == other._dims
        try:
            return self._dims == raw(other)
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def __str__(self) -> str:
        return text(self._dims)

    def __reduce__(self) -> tuple[type[TensorShape], tuple[RawShape]]:
        return TensorShape, (self._dims,)


UNKNOWN: Final = from_raw(None)
SCALAR: Final = from_raw(())


def as_shape(shape: Any) -> TensorShape:
    """``shape`` itself if it is a TensorShape, else one made of it."""
    return shape if isinstance(shape, TensorShape) else from_raw(raw(shape))


def broadcast_all(shapes: Iterable[RawShape]) -> RawShape:
    """``broadcast`` over any number of shapes; ``()`` for none."""
    result: RawShape = ()
    for shape in shapes:
        result = broadcast(result, shape)
    return result
