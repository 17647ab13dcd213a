"""Cases of ops as data, and the one rule that makes their inputs.

A case is an op type of TensorFlow, a call through a public name, and named tuples of inputs. An input is a function of
the dtype under test, so that one table serves all dtypes: `x(2, 3)` is a 2×3 array of ordinary numbers of that dtype.
"""

import dataclasses
import itertools
from collections.abc import Callable, Mapping
from typing import Any

import ml_dtypes
import numpy as np

FLOATS = ("float16", "bfloat16", "float32", "float64")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTS = SIGNED + UNSIGNED
COMPLEX = ("complex64", "complex128")
REAL = FLOATS + INTS
NUMBERS = REAL + COMPLEX
BOOL = ("bool",)
STRING = ("string",)
ANY = NUMBERS + BOOL + STRING
# For ops that only move values about, one dtype of each width and kind says enough.
MOVED = ("float16", "float32", "float64", "int8", "int32", "int64", "uint16", "complex64", "bool", "string")
NONE = ("none",)  # the op has no dtype of its own: the inputs say theirs

Input = Callable[[str], Any]
Inputs = Mapping[str, tuple[Input, ...]]

# Not asked for a gradient: what is there only for its special values, or has no elements.
WITHOUT_GRADIENT = ("special", "empty", "overflow", "zero")
GRADIENT_DTYPES = ("float32", "float64")


@dataclasses.dataclass(frozen=True)
class Case:
    """One op called in one way.

    Args:
      op: TensorFlow's op type; for a public function made of several ops, that function's name.
      call: takes the module under test and the inputs.
      inputs: the inputs by name.
      dtypes: the dtypes to try; those that TensorFlow has no kernel for are recorded as such.
      variant: tells several calls of one op apart.
      gradient: whether it has a gradient with respect to its inputs of the dtype under test.
      rtol: tolerance by dtype name, in place of the usual one.
      traced: whether it can be called in a tf.function.
    """

    op: str
    call: Callable[..., Any]
    inputs: Inputs
    dtypes: tuple[str, ...]
    variant: str = ""
    gradient: bool = False
    rtol: Mapping[str, float] = dataclasses.field(default_factory=dict)
    traced: bool = True

    @property
    def name(self) -> str:
        return f"{self.op}.{self.variant}" if self.variant else self.op

    def arrays(self, name: str, dtype: str) -> list[Any]:
        return [make(dtype) for make in self.inputs[name]]

    def gradient_names(self) -> list[str]:
        return [name for name in self.inputs if self.gradient and not name.startswith(WITHOUT_GRADIENT)]


def op(
    name: str, call: Callable[..., Any], inputs: Inputs, dtypes: tuple[str, ...], variant: str = "", **rest: Any
) -> Case:
    """One case."""
    return Case(name, call, inputs, dtypes, variant, **rest)


def variants(
    name: str, calls: Mapping[str, Callable[..., Any]], inputs: Inputs, dtypes: tuple[str, ...], **rest: Any
) -> list[Case]:
    """The same op called in several ways with the same inputs."""
    return [Case(name, call, inputs, dtypes, variant, **rest) for variant, call in calls.items()]


def each(calls: Mapping[str, Callable[..., Any]], inputs: Inputs, dtypes: tuple[str, ...], **rest: Any) -> list[Case]:
    """Several ops with the same inputs."""
    return [Case(name, call, inputs, dtypes, **rest) for name, call in calls.items()]


# ----------------------------------------------------------------------------------------------------- values by dtype

_FLOATS = (0.5, -1.25, 2.0, 3.5, -0.75, 0.25, -2.5, 1.0, 1.75, -3.0)
_INTS = (3, -2, 7, 0, 5, -4, 1, 6, -1, 2)
_WORDS = ("ab", "", "Zeta", "ñandú", " x ", "12", "-3.5", "ab")


def numpy_dtype(dtype: str) -> np.dtype:
    if dtype == "bfloat16":
        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(object if dtype == "string" else dtype)


def _cycle(dtype: str) -> tuple[Any, ...]:
    kind = "f" if dtype == "bfloat16" else numpy_dtype(dtype).kind
    if kind == "f":
        return _FLOATS
    if kind == "c":
        return tuple(complex(a, b) for a, b in zip(_FLOATS, _FLOATS[3:] + _FLOATS[:3], strict=True))
    if kind == "i":
        return _INTS
    if kind == "u":
        return tuple(map(abs, _INTS))
    if kind == "b":
        return (True, False, False, True, True, False)
    return tuple(word.encode() for word in _WORDS)


def _array(values: Any, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    if dtype == "string":
        array = np.empty(len(values), object)
        array[:] = values
        return array.reshape(shape)
    return np.array(values, numpy_dtype(dtype)).reshape(shape)


def x(*shape: int, start: int = 0, only: str = "") -> Input:
    """Ordinary values: signed, with fractions if the dtype has them; cycled through from `start`."""

    def make(dtype: str) -> np.ndarray:
        dtype = only or dtype
        size = int(np.prod(shape))
        values = list(itertools.islice(itertools.cycle(_cycle(dtype)), start, start + size))
        return _array(values, dtype, shape)

    return make


def y(*shape: int) -> Input:
    """A second operand: other values than `x`, none of them zero."""

    def make(dtype: str) -> np.ndarray:
        values = [value for value in _cycle(dtype)[1:] + _cycle(dtype)[:1] if value or dtype in ("bool", "string")]
        size = int(np.prod(shape))
        return _array(list(itertools.islice(itertools.cycle(values), size)), dtype, shape)

    return make


def positive(*shape: int) -> Input:
    """Values above zero."""
    return lambda dtype: np.abs(y(*shape)(dtype))


def unit(*shape: int) -> Input:
    """Values between -1 and 1, both excluded."""

    def make(dtype: str) -> np.ndarray:
        return _array(x(*shape)(dtype) / 4, dtype, shape)

    return make


def distinct(*shape: int) -> Input:
    """Values of which no two are equal, in no order."""

    def make(dtype: str) -> np.ndarray:
        size = int(np.prod(shape))
        order = [(7 * i + 3) % 31 for i in range(size)]
        return _array([value if dtype in UNSIGNED else value - 10 for value in order], dtype, shape)

    return make


def special(*more: float) -> Input:
    """The values where dtypes show their edges."""

    def make(dtype: str) -> np.ndarray:
        if dtype in INTS:
            limits = np.iinfo(dtype)
            values = [limits.min, limits.max, 0, 1, 2, limits.max // 2, *(() if dtype in UNSIGNED else (-1,))]
        elif dtype in FLOATS:
            values = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, *more]
        elif dtype in COMPLEX:
            values = [0, 1, -1, 1j, -1j, complex(np.nan, 0), complex(np.inf, 0), complex(-0.0, 0.0)]
        else:
            return x(4)(dtype)
        return _array(values, dtype, (len(values),))

    return make


def column(make: Input) -> Input:
    """The input as a column, to be broadcast against a row."""
    return lambda dtype: make(dtype)[:, np.newaxis]


def given(values: Any, dtype: str = "int32") -> Input:
    """The same array for every dtype under test: indices, sizes, axes."""
    return lambda _: np.array(values, object if dtype == "string" else numpy_dtype(dtype))


def like(values: Any) -> Input:
    """These values in the dtype under test; strings are written with digits."""

    def make(dtype: str) -> np.ndarray:
        flat = np.ravel(np.array(values))
        return _array([b"%d" % value for value in flat] if dtype == "string" else flat, dtype, np.shape(values))

    return make


def unary(make: Callable[..., Input] = x, *more: float) -> dict[str, tuple[Input, ...]]:
    """Inputs of an op with one operand."""
    inputs = {
        "vector": (make(5),),
        "matrix": (make(2, 3),),
        "scalar": (make(),),
        "empty": (make(0),),
        "empty2": (make(2, 0),),
    }
    return inputs | {"special": (special(*more),)}


def binary(
    first: Callable[..., Input] = x, second: Callable[..., Input] = y, *more: float
) -> dict[str, tuple[Input, ...]]:
    """Inputs of an op with two operands that are broadcast."""
    return {
        "vectors": (first(5), second(5)),
        "scalars": (first(), second()),
        "row": (first(2, 3), second(3)),
        "column": (first(2, 1), second(1, 3)),
        "left": (first(), second(2, 2)),
        "empty": (first(0), second(0)),
        "empty2": (first(2, 0), second(1)),
        "special": (column(special(*more)), special(*more)),
    }
