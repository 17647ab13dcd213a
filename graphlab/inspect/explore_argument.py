"""One argument that is explored: a tensor with dtype and shape, a Python value, or something that stays as it is."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.specs import TensorSpec
from graphlab.core.tensor import EagerTensor, Tensor, wrap
from graphlab.inspect.subject import without_address
from graphlab.inspect.values import Json, value_data
from graphlab.messages import message, render
from graphlab.messages.message import plain
from graphlab.tracing.reasons import tensor_text

KINDS: Final = ("tensor", "int", "float", "bool", "str", "None")
DTYPES: Final = (
    "bool", "int8", "int32", "int64", "uint8", "bfloat16", "float16", "float32", "float64", "complex64", "string",
)  # fmt: skip
MAX_RANK: Final = 4
MAX_SIZE: Final = 8
_LONGEST: Final = 200
_PYTHON: Final = {int: "int", float: "float", bool: "bool", str: "str", type(None): "None"}
_DEFAULTS: Final[dict[str, Any]] = {"int": 1, "float": 1.0, "bool": True, "str": "a", "None": None}


class Argument:
    """A leaf of a call's arguments.

    Attributes:
        path: Where it stands: `x`, `d['a'][0]`.
        kind: One of `KINDS`, or `fixed` for what cannot be chosen.
        dtype: The dtype of a tensor, by name, and `shape` its sizes.
        values: The value chosen for each kind of Python value.
    """

    def __init__(self, path: str, leaf: Any) -> None:
        self.path = path
        self.dtype, self.shape = "float32", list[int]()
        self.values = dict(_DEFAULTS)
        self._leaf = leaf
        self._example: Any = None
        if isinstance(leaf, np.ndarray | np.generic) and not isinstance(leaf, float | bool):
            leaf = wrap(np.asarray(leaf))
        if type(leaf) is TensorSpec:
            self.kind, self.dtype = "tensor", leaf.dtype.name
            self.shape = [2 if size is None else size for size in _sizes(leaf)]
        elif isinstance(leaf, EagerTensor) and leaf.dtype.name not in ("resource", "variant"):
            self.kind, self.dtype, self.shape = "tensor", leaf.dtype.name, [int(size) for size in leaf._a.shape]
            self._example = leaf
        elif type(leaf) in _PYTHON:
            self.kind = _PYTHON[type(leaf)]
            self.values[self.kind] = leaf
        else:
            self.kind = "fixed"
        self._dtypes = DTYPES if self.dtype in DTYPES else (self.dtype, *DTYPES)
        self._most = [max(MAX_SIZE, 2 * size) for size in self.shape]
        self._rank = max(MAX_RANK, len(self.shape))

    # --------------------------------------------------------------------------------------------------------- choosing

    def choose(self, kind: str | None = None, dtype: str | None = None, shape: Any = None, value: Any = None) -> None:
        """Takes a choice.

        Raises:
            ValueError: It is not one of those there are.
        """
        if self.kind == "fixed":
            raise ValueError(f"{self.path} cannot be chosen.")
        if kind is not None and kind not in KINDS:
            raise ValueError(f"There is no kind {kind!r}; there are {', '.join(KINDS)}.")
        if dtype is not None and dtype not in self._dtypes:
            raise ValueError(f"There is no dtype {dtype!r} to choose; there are {', '.join(self._dtypes)}.")
        sizes = self.shape
        if shape is not None:
            sizes = [int(size) for size in shape]
            if len(sizes) > self._rank or any(not 0 <= size <= self.most(axis) for axis, size in enumerate(sizes)):
                raise ValueError(f"{sizes} is not a shape to choose for {self.path}.")
        self.kind, self.dtype, self.shape = kind or self.kind, dtype or self.dtype, sizes
        if value is not None and self.kind in _DEFAULTS and self.kind != "None":
            self.values[self.kind] = _converted(self.kind, value)

    def most(self, axis: int) -> int:
        """The greatest size of an axis."""
        return self._most[axis] if axis < len(self._most) else MAX_SIZE

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape) if self.kind == "tensor" else 0

    def leaf(self, *, value: bool) -> Any:
        """What stands in the call: a spec, or with `value` a tensor; a Python value; what was given."""
        if self.kind == "fixed":
            return self._leaf
        if self.kind != "tensor":
            return self.values[self.kind]
        if not value:
            return TensorSpec(self.shape, dtypes.as_dtype(self.dtype))
        example = self._example
        if example is not None and example.dtype.name == self.dtype and list(example._a.shape) == self.shape:
            return example
        return wrap(_filled(self.dtype, tuple(self.shape)))

    # ---------------------------------------------------------------------------------------------------------- showing

    @property
    def text(self) -> str:
        """The argument in a few characters."""
        if self.kind == "tensor":
            return tensor_text(self.dtype, tuple(self.shape))
        if self.kind == "fixed":
            if isinstance(self._leaf, Tensor):
                return value_data(getattr(self._leaf, "_a", None))["spec"]  # type: ignore[no-any-return]
            return _short(without_address(repr(self._leaf)))
        return _short(repr(self.values[self.kind]))

    def data(self, lang: str) -> Json:
        """The argument with what can be chosen and the labels of that."""

        def say(id_: str, **values: Any) -> str:
            return plain(render(message(id_, **values), lang))

        path = self.path
        number = self.values[self.kind] if self.kind in ("int", "float") else 0
        return {
            "path": path,
            "kind": self.kind,
            "kinds": [] if self.kind == "fixed" else list(KINDS),
            "text": self.text,
            "dtype": self.dtype,
            "dtypes": list(self._dtypes),
            "shape": list(self.shape),
            "most": [self.most(axis) for axis in range(self._rank)],
            "rank": self._rank,
            "value": _short(self.values["str"]) if self.kind == "str" else self.values.get(self.kind),
            "range": _range(self.kind, number),
            "labels": {
                "kind": say("explore.kind", path=path),
                "dtype": say("explore.dtype", path=path),
                "rank": say("explore.rank", path=path),
                "sizes": [say("explore.size", path=path, n=axis) for axis in range(self._rank)],
                "value": say("explore.value", path=path),
                "fixed": say("explore.fixed", path=path),
            },
        }


def _sizes(spec: TensorSpec) -> list[int | None]:
    return [] if spec.shape.rank is None else spec.shape.as_list()


def _range(kind: str, number: float) -> list[float] | None:
    if kind not in ("int", "float") or not math.isfinite(number) or abs(number) > 1e9:
        return None
    low, high = min(-10, math.floor(2 * number)), max(10, math.ceil(2 * number))
    return [low, high, 1 if kind == "int" else 0.1]


def _converted(kind: str, value: Any) -> Any:
    if kind == "bool":
        return bool(value)
    if kind == "int":
        return int(value)
    return float(value) if kind == "float" else str(value)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _filled(dtype: str, shape: tuple[int, ...]) -> Any:
    """Small numbers of a dtype, the same for a shape every time: 0.5, 1, 1.5, 2, 2.5, and again."""
    numbers = np.arange(math.prod(shape)).reshape(shape) % 5 + 1
    if dtype == "string":
        found = np.empty(shape, object)
        found[...] = np.array([b"", b"a", b"b", b"c", b"d", b"e"], object)[numbers]
        return found
    kind = dtypes.as_dtype(dtype).as_numpy_dtype
    if dtype == "bool":
        return numbers % 2 == 1
    fractions = "float" in dtype or "complex" in dtype
    return (numbers / 2 if fractions else numbers).astype(kind)
