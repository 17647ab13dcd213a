"""Calls a public function with one argument replaced, eagerly and traced, and says what came of it in one line."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import numpy as np

from tests.oracle.odd.calls import CALLS
from tests.oracle.odd.methods import METHODS
from tests.oracle.program import Raised
from tests.oracle.under_test import tf
from tests.oracle.values import encode_tensor

NAN = object()
LONGEST = 12  # results with more elements are recorded without their values

# What takes the place of an argument, by name.  Arrays become tensors.
ODD: dict[str, Any] = {
    "None": None,
    "True": True,
    "3": 3,
    "-1": -1,
    "-7": -7,
    "7": 7,
    "2.5": 2.5,
    "'odd'": "odd",
    "[]": [],
    "[0, 5]": [0, 5],
    "[[1, 2], [3]]": [[1, 2], [3]],
    "[1, 'a']": [1, "a"],
    "2**70": 2**70,
    "{}": {},
    "scalar": np.float32(0.5),
    "rank 3": np.ones((2, 3, 4), np.float32),
    "[4]": np.ones(4, np.float32),
    "[0]": np.ones(0, np.float32),
    "[0, 3]": np.ones((0, 3), np.float32),
    "int32": np.array([0, 1, 2], np.int32),
    "int64 scalar": np.int64(1),
    "float64": np.ones((2, 3), np.float64),
    "bool": np.array([True, False]),
    "string": np.array([b"a", b"b"], object),
    "complex": np.ones((2, 3), np.complex64),
    "nan": NAN,
}


# The arguments of every ordinary call.
ARGUMENTS: dict[str, tuple[Any, ...]] = {**CALLS, **{name: arguments for name, (_, arguments) in METHODS.items()}}


def function(name: str) -> Any:
    """What is called; what it works on is made anew."""
    return METHODS[name][0]() if name in METHODS else attrgetter(name)(tf)


def calls_of(name: str) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Every odd call of a function: its name, positional and named arguments."""
    ordinary = ARGUMENTS[name]
    yield "ordinary", ordinary, {}
    yield "none", (), {}
    yield "unknown keyword", ordinary, {"odd": 1}
    for place, good in enumerate(ordinary):
        for odd, value in ODD.items():
            if value is NAN:
                if not isinstance(good, np.ndarray | np.floating) or good.dtype.kind != "f":
                    continue
                value = np.full_like(good, np.nan)
            if name in CALLS and isinstance(good, tuple(map(type, (print, abs, lambda: 0)))):
                continue
            yield f"{place}: {odd}", (*ordinary[:place], value, *ordinary[place + 1 :]), {}


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic)


def call(name: str, arguments: tuple[Any, ...], named: dict[str, Any], traced: bool) -> Any:
    """The result; arrays among the arguments are tensors, also those in a list."""
    flat: list[Any] = []

    def place(value: Any) -> Any:
        if _is_array(value):
            flat.append(value)
            return ("tensor", len(flat) - 1)
        if isinstance(value, list) and any(_is_array(item) for item in value):
            return ("list", [place(item) for item in value])
        return ("python", value)

    places = [place(value) for value in arguments]

    def take(entry: Any, tensors: tuple[Any, ...]) -> Any:
        kind, value = entry
        if kind == "tensor":
            return tensors[value]
        return [take(item, tensors) for item in value] if kind == "list" else value

    called = function(name)

    def run(*tensors: Any) -> Any:
        return called(*[take(entry, tensors) for entry in places], **named)

    tensors = [tf.constant(value) for value in flat]
    return tf.function(run, autograph=False)(*tensors) if traced else run(*tensors)


def outcome(name: str, arguments: tuple[Any, ...], named: dict[str, Any], traced: bool) -> str:
    """The class of the error, or the result as text."""
    try:
        return text(name, call(name, arguments, named, traced))
    except Exception as error:  # noqa: BLE001, since its class is the result
        return Raised(error).classes[0]


def message(name: str, arguments: tuple[Any, ...], named: dict[str, Any], traced: bool) -> str:
    """The error's text, for a report."""
    try:
        call(name, arguments, named, traced)
    except Exception as error:  # noqa: BLE001, likewise
        return str(error).splitlines()[0][:200] if str(error) else ""
    return ""


def text(name: str, result: Any) -> str:
    if isinstance(result, tf.RaggedTensor) and name in METHODS:
        return f"ragged {result.dtype.name}{result.to_list()!r}".replace(" ", "")
    if isinstance(result, tf.Variable):
        result = result.read_value()
    if isinstance(result, list | tuple):
        return "[" + ", ".join(text(name, item) for item in result) + "]"
    if not isinstance(result, tf.Tensor):
        return (
            repr(result) if result is None or isinstance(result, bool | int | str | tf.DType) else type(result).__name__
        )
    dtype, shape, flat = encode_tensor(result)
    said = f"{dtype}{shape}".replace(" ", "")
    if name.startswith(("random.", "nn.dropout", "nn.nce_loss", "nn.sampled_softmax_loss")) or len(flat) > LONGEST:
        return said
    if dtype in ("string", "bool") or "int" in dtype:
        return said + repr(flat).replace(" ", "")
    return said + "".join(_about(value) for value in flat)


def _about(value: Any) -> str:
    """A float to three digits, so that texts may be compared."""
    if isinstance(value, list):
        return "".join(map(_about, value)) + "i"
    number = float(value)
    return f" {number + 0.0:.3g}" if abs(number) > 1e-6 or number != number else " 0"
