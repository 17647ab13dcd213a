"""``tf.math.sobol_sample``: points that fill a cube evenly, by I. M. Sobol's sequence.

The sequence is that of I. A. Antonov and V. M. Saleev (1979): from one point to the next, each coordinate changes by
one of its direction numbers, which one being the same for all. The direction numbers are those that S. Joe and
F. Y. Kuo ("Constructing Sobol sequences with better two-dimensional projections", 2008) publish for 21201 dimensions,
of which TensorFlow has 21200; ``data/`` has them with their licence, and ``tools/sobol_numbers.py`` says how they are
stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, Arg, define
from graphlab.core.state import state
from graphlab.ops.inference import Attrs, Shape, size_of_value, with_rank

DATA: Final = "data/joe_kuo_6_21201.bin"
# How many of the table's rows have a polynomial of degree 1, 2, ….
ROWS: Final = (1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630, 756, 1800, 2048, 7710, 7776)
DIMENSIONS: Final = 21200
BITS: Final = 31


def row_widths(degree: int) -> list[int]:
    """The bits of what a row has: inner coefficients, then the numbers but the first, without their last bit, a 1."""
    return [degree - 1, *range(1, degree)]


@cache
def _directions() -> Any:
    """The direction numbers: int64, [DIMENSIONS, BITS]; the highest bit of number ``j`` is bit ``j``."""
    file = resources.files("graphlab.ops").joinpath(DATA).read_bytes()
    bits = np.unpackbits(np.frombuffer(file, np.uint8), bitorder="little").astype(np.int64)
    numbers = np.ones((1 + sum(ROWS), BITS), np.int64)  # the first dimension has no polynomial: its numbers are all 1
    row, bit = 1, 0
    for degree, count in enumerate(ROWS, 1):
        widths = row_widths(degree)
        group = bits[bit : bit + count * sum(widths)].reshape(count, -1)
        values, at = [], 0
        for width in widths:
            values.append(group[:, at : at + width] @ (1 << np.arange(width)))
            at += width
        coefficients, found = values[0], numbers[row : row + count]
        for place, value in enumerate(values[1:], 1):
            found[:, place] = value << 1 | 1
        # P. Bratley, B. L. Fox: "Algorithm 659", 1988.
        for place in range(degree, BITS):
            new = found[:, place - degree] ^ found[:, place - degree] << degree
            for back in range(1, degree):
                new ^= (coefficients >> (degree - 1 - back) & 1) * found[:, place - back] << back
            found[:, place] = new
        row, bit = row + count, bit + group.size
    return numbers[:DIMENSIONS]


def _fail(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _samples(dim: Any, num_results: Any, skip: Any, dtype: DType) -> Any:
    for name, value in (("dim", dim), ("num_results", num_results), ("skip", skip)):
        if value.ndim:
            raise _fail(f"{name} must be a scalar, not of shape {list(value.shape)}")
    width, count, first = int(dim), int(num_results), int(skip)
    if not 1 <= width <= DIMENSIONS:
        raise _fail(f"dim must be at least one and at most {DIMENSIONS}, got {width}")
    if count < 1:
        raise _fail(f"num_results must be at least one, got {count}")
    if first < 0:
        raise _fail(f"skip must be non-negative, got {first}")
    if first + count >= 2**31 - 1:
        raise _fail(f"num_results + skip must be less than {2**31 - 1}, got {first + count}")
    digits = (first + count).bit_length()
    steps = (_directions()[:width, :digits] << np.arange(digits - 1, -1, -1)).T
    # The point with number n is the sum, without carry, of the directions that n's Gray code names.
    number = first + 1
    gray = number ^ number >> 1
    places = np.array([gray >> digit & 1 for digit in range(digits)], bool)
    points = np.empty((count, width), np.int64)
    points[0] = np.bitwise_xor.reduce(steps[places], axis=0)
    later = np.arange(number + 1, number + count)
    # What changes is the number's lowest bit that is 1.
    points[1:] = steps[np.log2(later & -later).astype(np.intp)]
    np.bitwise_xor.accumulate(points, axis=0, out=points)
    return np.ldexp(points.astype(dtype.np), -digits)


def _shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    for arg, name in zip(args, ("dim", "num_results", "skip"), strict=True):
        with_rank(arg.shape, 0, name)
    return size_of_value(args[1], "num_results"), size_of_value(args[0], "dim")


SOBOL_SAMPLE = define(
    "SobolSample", "dim: int32, num_results: int32, skip: int32 -> samples: dtype", kernel=_samples, infer=_shape,
    gradient=NOT_DIFFERENTIABLE, attrs={"dtype": dtypes.float32}, can_fail=True, fp=False,
)  # fmt: skip


@public("math.sobol_sample")
def sobol_sample(
    dim: Any, num_results: Any, skip: Any = 0, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """Points of the Sobol sequence, which fill the unit cube more evenly than random ones.

    Args:
      dim: how many coordinates a point has, an int or int32 scalar from 1 to 21200.
      num_results: how many points, an int or int32 scalar of at least 1.
      skip: how many points of the sequence to leave out first, an int or int32 scalar.
      dtype: float32 or float64.
      name: a name for the nodes.

    Returns:
      A tensor of shape ``[num_results, dim]`` with values from 0 to below 1. The point of zeros, with which the
      sequence begins, is left out.

    Raises:
      tf.errors.InvalidArgumentError: for a number out of range, or another dtype (TypeError while tracing).

    >>> import graphlab as tf
    >>> tf.math.sobol_sample(dim=2, num_results=3).numpy()
    array([[0.5 , 0.5 ],
           [0.75, 0.25],
           [0.25, 0.75]], dtype=float32)
    """
    kind = dtypes.as_dtype(dtype)
    if kind not in (dtypes.float32, dtypes.float64):
        message = f"dtype must be float32 or float64, not {kind.name}."
        raise TypeError(message) if state.graph is not None else _fail(message)
    with name_scope(name, "sobol"):
        return bind(SOBOL_SAMPLE, (dim, num_results, skip), {"dtype": kind})
