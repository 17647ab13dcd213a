"""An entry of the tables: an op, a call that runs it, and what its inputs are."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import graphlab as tf
from graphlab._index import OPS
from graphlab.core.dispatch import bind
from graphlab.core.op import Op
from tests.properties.drawing import Maker, real

FLOATS = ("float32", "float64", "float16", "bfloat16")
WIDE = ("float32", "float64")
SIGNED = ("int32", "int64", "int8", "int16")
REAL = (*FLOATS, "int32", "int64", "uint8")
NUMBERS = (*REAL, "complex64", "complex128")
ANY = (*NUMBERS, "bool", "string")
STRING = ("string",)
NONE = ("float64",)  # the makers say the dtypes
COMPLEX = ("complex64", "complex128")


@dataclasses.dataclass(frozen=True)
class Entry:
    """One op called in one way.

    Args:
      op: the op type, which must be in the graph of the call.
      call: takes tensors, gives a tensor or a structure of them; or a public name.
      text: the shapes of the inputs (`drawing.shapes`).
      makers: what makes each input.
      dtypes: the dtypes to draw from.
      numpy: the NumPy counterpart, given float64 (or wider) arrays.
      broadcast: the result has the shape that the inputs broadcast to.
      known: what a trace must know of the inputs: "" (nothing), "ranks" or "sizes".
      by_value: the values decide the result's shape, so inference may know less than the run.
      order: how often it is differentiated numerically: 2, 1 or 0 (see `reason`).
      reason: why `order` is less than 2 although the op has a gradient.
      random: the values differ from run to run.
      step: of the numeric differences.
      slack: how far, relatively, a gradient may be from them.
      variant: tells entries of one op apart.
    """

    op: str
    call: Any
    text: str = "..."
    makers: Sequence[Maker] = (real,)
    dtypes: Sequence[str] = FLOATS
    numpy: Callable[..., Any] | None = None
    broadcast: bool = False
    known: str = ""
    by_value: bool = False
    order: int = 2
    reason: str = ""
    random: bool = False
    step: float = 1e-5
    slack: float = 2e-5
    variant: str = ""

    @property
    def name(self) -> str:
        return f"{self.op}-{self.variant}" if self.variant else self.op

    @property
    def function(self) -> Callable[..., Any]:
        return attrgetter(self.call)(tf) if isinstance(self.call, str) else self.call


def entry(op: str, call: Any, text: str = "...", *makers: Maker, **rest: Any) -> Entry:
    return Entry(op, call, text, makers or (real,), **rest)


def variants(op: str, calls: Mapping[str, Any], text: str, *makers: Maker, **rest: Any) -> list[Entry]:
    """The same op and inputs, called in several ways; a pair is the call and its NumPy counterpart."""
    made = []
    for variant, call in calls.items():
        call, numpy = call if isinstance(call, tuple) else (call, None)
        made.append(Entry(op, call, text, makers or (real,), numpy=numpy, variant=variant, **rest))
    return made


def record(op_type: str) -> Op:
    """The record of an op."""
    module = importlib.import_module(OPS.get(op_type, "graphlab.control.python_ops"))
    return next(value for value in vars(module).values() if isinstance(value, Op) and value.type == op_type)


def raw(op_type: str, inputs: Callable[..., Sequence[Any]] = lambda *x: x, **attrs: Any) -> Callable[..., Any]:
    """A call of an op that no public function calls in this way; `inputs` arranges the tensors as its inputs."""
    return lambda *tensors: bind(record(op_type), inputs(*tensors), attrs)


def slope(call: Callable[..., Any], *places: int) -> Callable[..., Any]:
    """The gradient of the sum of the call's squares by the inputs at the places: what runs the ops of gradients."""

    def function(*inputs: Any) -> Any:
        sources = [inputs[i] for i in places or range(len(inputs))]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            results = [result for result in tf.nest.flatten(call(*inputs)) if result.dtype.is_floating]
            total = tf.add_n([tf.reduce_sum(result * result) for result in results])
        return [tf.convert_to_tensor(g) for g in tape.gradient(total, sources)]

    return function
