"""Strategies: shapes from a short text, and the arrays in them.

A text has one part for each input, `"...ij, ...jk"`.  A small letter is a size from 0 to 3, the same wherever it stands; a
capital one is at least 1; a digit is that size.  `...` stands for further axes in front, which the inputs broadcast; `*`
for further axes that all inputs share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

Shape = tuple[int, ...]
Maker = Callable[[np.random.Generator, Shape, np.dtype], np.ndarray]

SIZES = st.sampled_from([2, 3, 1, 0])
POSITIVE_SIZES = st.sampled_from([2, 3, 1, 4])


@st.composite
def batches(draw: Any) -> Shape:
    return tuple(draw(st.lists(SIZES, max_size=2)))


@st.composite
def part_of(draw: Any, batch: Shape) -> Shape:
    """A shape that broadcasts to `batch`: without some of its first axes, with ones among the others."""
    rest = batch[draw(st.integers(0, len(batch))) :]
    return tuple(1 if draw(st.booleans()) else size for size in rest)


@st.composite
def shapes(draw: Any, text: str) -> list[Shape]:
    """A shape for each part of the text."""
    batch = draw(batches()) if "..." in text or "*" in text else ()
    sizes: dict[str, int] = {}
    result = []
    for part in (part.strip() for part in text.split(",")):
        front: Shape = ()
        if part.startswith("..."):
            front, part = draw(part_of(batch)), part.removeprefix("...")
        elif part.startswith("*"):
            front, part = batch, part.removeprefix("*")
        for letter in part:
            if letter not in sizes:
                digit = letter.isdigit()
                sizes[letter] = int(letter) if digit else draw(POSITIVE_SIZES if letter.isupper() else SIZES)
        result.append(front + tuple(sizes[letter] for letter in part))
    return result


@st.composite
def inputs(draw: Any, text: str, makers: Sequence[Maker], dtype: str) -> list[np.ndarray]:
    """An array for each part of the text; the last maker serves the parts that are left."""
    found = draw(shapes(text)) if text else []
    random = np.random.default_rng(draw(st.integers(0, 2**16)))
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else object if dtype == "string" else dtype)
    return [makers[min(i, len(makers) - 1)](random, shape, kind) for i, shape in enumerate(found)]


# --------------------------------------------------------------------------------------------------------------- values


def _array(values: Any, dtype: np.dtype) -> np.ndarray:
    return np.asarray(values).astype(dtype)


def real(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    """Numbers of both signs; whole ones for whole dtypes, true or false for bool, words for strings."""
    if dtype.kind == "c":
        return _array(random.normal(size=shape) + 1j * random.normal(size=shape), dtype)
    if dtype.kind == "b":
        return random.random(shape) < 0.5
    if dtype.kind == "O":
        return words(random, shape, dtype)
    if dtype.kind in "iu":
        return _array(random.integers(0 if dtype.kind == "u" else -5, 6, shape), dtype)
    return _array(random.normal(size=shape) * 1.5, dtype)


def positive(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    if dtype.kind in "iu":
        return _array(random.integers(1, 6, shape), dtype)
    return _array(random.uniform(0.5, 2.0, shape), dtype)


def above_one(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    return _array(random.uniform(1.2, 3.0, shape), dtype)


def unit(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    return _array(random.uniform(-0.9, 0.9, shape), dtype)


def share(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    """Numbers between 0 and 1."""
    return _array(random.uniform(0.1, 0.9, shape), dtype)


def around_one(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    """Numbers between 0 and 2."""
    return _array(random.uniform(0.2, 1.8, shape), dtype)


def distinct(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    """Numbers far enough apart that no small step changes their order; none near a whole number or zero."""
    size = int(np.prod(shape))
    values = random.permutation(size).reshape(shape)
    return _array(values if dtype.kind in "iu" else values * 0.37 - 1.13, dtype)


def distribution(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    x = random.uniform(0.5, 2.0, shape)
    return _array(x / x.sum(-1, keepdims=True), dtype)


def words(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    array = np.empty(shape, object)
    texts = [b"ab", b"", "ñandú".encode(), b" x y ", b"12", b"a"]
    for place in np.ndindex(shape):
        array[place] = texts[random.integers(len(texts))]
    return array


def whole(low: int, high: int, dtype: str = "int32") -> Maker:
    """Whole numbers of a range, its end excluded."""
    return lambda random, shape, _: random.integers(low, max(high, low + 1), shape).astype(dtype)


def given(make: Callable[[np.random.Generator, Shape], Any]) -> Maker:
    """Whatever a function makes of a shape, in the dtype it has."""
    return lambda random, shape, _: np.asarray(make(random, shape))


def text(*choices: bytes) -> Maker:
    def make(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
        array = np.empty(shape, object)
        for place in np.ndindex(shape):
            array[place] = choices[random.integers(len(choices))]
        return array

    return make


def symmetric(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    """Matrices that are symmetric and positive, with eigenvalues well apart."""
    n = shape[-1]
    x = random.normal(size=shape) * 0.2
    return _array(x @ np.swapaxes(x, -1, -2) + np.diag(np.arange(1.0, n + 1)), dtype)


def invertible(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    n = shape[-1]
    return _array(random.normal(size=shape) * 0.3 + np.diag(np.arange(1.0, n + 1)), dtype)


def dominant(row: int) -> Maker:
    """Bands of a matrix, one for each row; that at ``row``, the main diagonal, outweighs the others."""

    def make(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
        values = random.normal(size=shape) * 0.3
        values[..., row, :] += 3
        return _array(values, dtype)

    return make


def singular_values_apart(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    return _array(random.normal(size=shape) * 0.2 + np.eye(*shape[-2:]) * np.arange(1.0, shape[-1] + 1), dtype)
