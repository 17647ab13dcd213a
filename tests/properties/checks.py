"""The properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import graphlab as tf
from graphlab.compile import Executable
from tests.properties.entry import Entry

# What a trace is told of its inputs, and what it must be told for an entry that says so.
TOLD: dict[str, Callable[[Any], Any]] = {
    "sizes": lambda a: list(a.shape),
    "ranks": lambda a: [None] * a.ndim,
    "nothing": lambda a: None,
}
ENOUGH = {"": ("sizes", "ranks", "nothing"), "ranks": ("sizes", "ranks"), "sizes": ("sizes",)}

REFUSED = (tf.errors.InvalidArgumentError, ValueError)


def flat(result: Any) -> list[Any]:
    return [tf.convert_to_tensor(value) for value in tf.nest.flatten(result)]


def graph_function(function: Callable[..., Any], arrays: Sequence[np.ndarray], told: str) -> Any:
    """The function, traced for inputs of which this much is told."""
    specs = [tf.TensorSpec(TOLD[told](a), tf.as_dtype(a.dtype) if a.dtype != object else tf.string) for a in arrays]
    return tf.function(function, autograph=False).get_concrete_function(*specs)


def types_of(graph: Any) -> Iterator[str]:
    """The op types of a graph and of the graphs in its operations."""
    for operation in graph.get_operations():
        yield operation.type
        for value in operation.node_attrs().values() if hasattr(operation, "node_attrs") else operation.attrs.values():
            for body in value if isinstance(value, list | tuple) else [value]:
                if hasattr(body, "get_operations"):
                    yield from types_of(body)


def same_bits(a: Any, b: Any) -> bool:
    a, b = (np.asarray(x, object if isinstance(x, bytes) else None) for x in (a, b))
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()


def outcome(function: Callable[..., Any], *inputs: Any) -> list[Any] | None:
    """The results; None if the call is refused."""
    try:
        return flat(function(*inputs))
    except REFUSED:
        return None


def check_forward(entry: Entry, arrays: Sequence[np.ndarray]) -> set[str]:
    """Eager and traced results are the same bits, and what inference said of them is true; the op types in the graphs."""
    function = entry.function
    seen: set[str] = set()
    tensors = [tf.constant(a) for a in arrays]
    eager = outcome(function, *tensors)
    for told in ENOUGH[entry.known]:
        try:
            concrete = graph_function(lambda *x: flat(function(*x)), arrays, told)
        except REFUSED as error:
            if eager is not None:
                raise AssertionError(f"tracing with {told} is refused") from error
            continue
        traced = outcome(concrete, *tensors)
        seen.update(types_of(concrete.graph))
        if eager is None or traced is None:
            assert eager is traced is None, f"only one of two is refused: eager {eager}, traced with {told} {traced}"
            continue
        assert len(traced) == len(eager)
        for said, got, expected in zip(concrete.structured_outputs, traced, eager, strict=True):
            assert said.dtype == got.dtype == expected.dtype
            assert got.shape == expected.shape, f"traced with {told}: {got.shape}, eagerly {expected.shape}"
            assert said.shape.is_compatible_with(got.shape), f"inference says {said.shape}, the run gives {got.shape}"
            if told == "sizes" and not entry.by_value:
                assert said.shape == got.shape, f"inference knows only {said.shape} of {got.shape}"
            if not entry.random:
                assert same_bits(got, expected), f"traced with {told}: {got}, eagerly {expected}"
        if told == "sizes" and not entry.random:
            check_plain(concrete, tensors, traced)
    if eager is not None:
        check_broadcast(entry, arrays, eager)
        check_numpy(entry, arrays, eager)
    return seen


def check_plain(concrete: Any, tensors: Sequence[Any], traced: Sequence[Any]) -> None:
    """No pass of the compiler changes a bit."""
    graph = concrete.graph
    outer = [tensor._a for tensor, _ in graph.captures]
    plain = Executable(graph, plain=True).call([t._a for t in tensors] + outer)
    for got, expected in zip(plain, traced, strict=True):
        assert same_bits(got, expected), f"without the passes: {got}, with them {expected}"


def check_broadcast(entry: Entry, arrays: Sequence[np.ndarray], results: Sequence[Any]) -> None:
    if entry.broadcast:
        assert tuple(results[0].shape) == np.broadcast_shapes(*[a.shape for a in arrays])


TOLERANCE = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "complex64": 1e-5}


def check_numpy(entry: Entry, arrays: Sequence[np.ndarray], results: Sequence[Any]) -> None:
    """The values are NumPy's, computed in float64."""
    if entry.numpy is None:
        return
    wide = [a.astype(np.float64) if a.dtype.kind in "fV" else a for a in arrays]
    with np.errstate(all="ignore"):
        expected = entry.numpy(*wide)
    expected = expected if isinstance(expected, list) else [expected]
    tolerance = max(
        [TOLERANCE.get(r.dtype.name, 1e-10) for r in results] + [TOLERANCE.get(a.dtype.name, 0) for a in arrays]
    )
    for got, value in zip(results, expected, strict=True):
        assert tuple(got.shape) == np.shape(value)
        if got.dtype == tf.string:
            assert np.asarray(got.numpy(), object).tolist() == np.asarray(value, object).tolist()
            continue
        seen = np.asarray(got)
        seen = seen.astype(np.complex128 if seen.dtype.kind == "c" else np.float64)
        np.testing.assert_allclose(seen, value, rtol=tolerance, atol=tolerance)


# ------------------------------------------------------------------------------------------------------------ gradients


def is_float(array: np.ndarray) -> bool:
    return tf.as_dtype(array.dtype).is_floating if array.dtype != object else False


class Scalar:
    """The sum of a call's float results, each with weights of its own, as a function of the float inputs alone."""

    def __init__(self, entry: Entry, arrays: Sequence[np.ndarray], random: np.random.Generator) -> None:
        self.function = entry.function
        self.arrays = list(arrays)
        self.places = [i for i, a in enumerate(arrays) if is_float(a)]
        self.kind = arrays[self.places[0]].dtype if self.places else None
        results = [r for r in flat(self.function(*[tf.constant(a) for a in arrays])) if r.dtype.is_floating]
        self.weights = [tf.constant(random.normal(size=r.shape), r.dtype) for r in results]

    @property
    def sources(self) -> list[np.ndarray]:
        return [self.arrays[i] for i in self.places]

    def __call__(self, *sources: Any) -> Any:
        inputs = [tf.constant(a) for a in self.arrays]
        for place, source in zip(self.places, sources, strict=True):
            inputs[place] = source
        results = [r for r in flat(self.function(*inputs)) if r.dtype.is_floating]
        return tf.add_n(
            [
                tf.reduce_sum(tf.cast(r * tf.reshape(w, tf.shape(r)), tf.float64))
                for r, w in zip(results, self.weights, strict=True)
            ]
        )


def gradients(function: Callable[..., Any], sources: Sequence[Any]) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(sources)
        value = function(*sources)
    found = tape.gradient(value, list(sources), unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return [tf.convert_to_tensor(g) for g in found]


def along(function: Callable[..., Any], x: Sequence[np.ndarray], direction: Sequence[np.ndarray], step: float) -> float:
    """The central difference of a scalar function."""
    ends = []
    for sign in (1, -1):
        moved = [tf.constant((a + sign * step * d).astype(a.dtype)) for a, d in zip(x, direction, strict=True)]
        ends.append(float(function(*moved)))
    return (ends[0] - ends[1]) / (2 * step)


def check_slope(
    entry: Entry, function: Callable[..., Any], x: Sequence[np.ndarray], random: np.random.Generator
) -> None:
    direction = [random.normal(size=a.shape) for a in x]
    exact = gradients(function, [tf.constant(a) for a in x])
    assert [tuple(g.shape) for g in exact] == [a.shape for a in x]
    assert [g.dtype for g in exact] == [tf.as_dtype(a.dtype) for a in x]
    value = sum(float(np.sum(g.numpy() * d)) for g, d in zip(exact, direction, strict=True))
    numeric = along(function, x, direction, entry.step)
    scale = 1.0 + max(abs(value), abs(numeric))
    assert abs(value - numeric) <= entry.slack * scale, f"the gradient is {value}, differences give {numeric}"


def check_gradient(entry: Entry, arrays: Sequence[np.ndarray], order: int, seed: int) -> None:
    """The gradient is the slope, eagerly and in a graph."""
    random = np.random.default_rng(seed)
    scalar = Scalar(entry, arrays, random)
    u = [tf.constant(random.normal(size=a.shape), tf.as_dtype(a.dtype)) for a in scalar.sources]

    def of_order(*x: Any) -> Any:
        if order == 1:
            return scalar(*x)
        found = gradients(scalar, list(x))
        return tf.add_n([tf.reduce_sum(tf.cast(g * v, tf.float64)) for g, v in zip(found, u, strict=True)])

    check_slope(entry, of_order, scalar.sources, random)
    check_traced_gradient(entry, of_order, scalar.sources)


def check_traced_gradient(entry: Entry, function: Callable[..., Any], x: Sequence[np.ndarray]) -> None:
    """A graph gives the eager gradient, whatever it knows of the shapes."""
    tensors = [tf.constant(a) for a in x]
    eager = gradients(function, tensors)
    loose = 1e-3 if any(a.dtype == np.float32 for a in x) else 1e-8
    for told in ENOUGH[entry.known]:
        concrete = graph_function(lambda *t: gradients(function, list(t)), x, told)
        for said, got, expected in zip(concrete.structured_outputs, concrete(*tensors), eager, strict=True):
            assert said.shape.is_compatible_with(got.shape)
            assert got.shape == expected.shape, f"gradient traced with {told}: {got.shape}, eagerly {expected.shape}"
            np.testing.assert_allclose(got, expected, rtol=loose, atol=loose, err_msg=f"gradient traced with {told}")
