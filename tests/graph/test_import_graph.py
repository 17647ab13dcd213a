"""``tf.import_graph_def``: a graph that was written as data runs again, with the same nodes and results."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphlab as tf

VECTOR = tf.TensorSpec([3], tf.float32)
MATRIX = tf.TensorSpec([4, 2], tf.float32)
NUMBER = tf.TensorSpec([], tf.int32)
X = np.array([1.0, -2.0, 3.0], np.float32)
M = np.arange(8, dtype=np.float32).reshape(4, 2)


def straight(x: Any) -> Any:
    return tf.nn.relu(x * 2.0) + 1.0


def branches(x: Any, n: Any) -> Any:
    if n > 2:
        y = x * 2.0
    else:
        y = tf.reduce_sum(x) + x
    return y - 1.0


def loops(x: Any, n: Any) -> Any:
    total = tf.zeros([3])
    for i in tf.range(n):
        if i % 2 == 0:
            total += x
        else:
            total *= 2.0
    return total


inner = tf.function(lambda x: x * x + 1.0)


def calls(x: Any) -> Any:
    return inner(x) + inner(x * 2.0)


def several(x: Any) -> Any:
    parts = tf.split(x, 2)
    values, places = tf.math.top_k(x[:, 0], 2)
    return [*parts, values, places, tf.unstack(x)[1]]


def lists(n: Any) -> Any:
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    for i in tf.range(n):
        array = array.write(i, tf.cast(i, tf.float32) ** 2)
    return array.stack()


def texts(x: Any) -> Any:
    return tf.strings.join([tf.as_string(x), tf.constant(["a", "b", "c"])], "-")


def indexed(x: Any) -> Any:
    return x[1:, ::-1], tf.transpose(x), tf.reshape(x, [-1]), tf.concat([x, x], 1), x[..., tf.newaxis]


def mapped(x: Any) -> Any:
    return tf.map_fn(lambda row: tf.reduce_max(row), x), tf.scan(lambda a, b: a + b, x)


def gradients(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sin(x) ** 2)
    return tape.gradient(y, x)


def switched(n: Any) -> Any:
    return tf.switch_case(n, [lambda: tf.constant(1.0), lambda: tf.constant(2.0), lambda: tf.constant(3.0)])


def random(x: Any) -> Any:
    return tf.random.stateless_uniform([3], seed=[1, 2]) + x


CASES = [
    (straight, [VECTOR], [X]),
    (branches, [VECTOR, NUMBER], [X, 5]),
    (branches, [VECTOR, NUMBER], [X, 1]),
    (loops, [VECTOR, NUMBER], [X, 4]),
    (calls, [VECTOR], [X]),
    (several, [MATRIX], [M]),
    (lists, [NUMBER], [4]),
    (texts, [VECTOR], [X]),
    (indexed, [MATRIX], [M]),
    (mapped, [MATRIX], [M]),
    (gradients, [VECTOR], [X]),
    (switched, [NUMBER], [1]),
    (random, [VECTOR], [X]),
]


def _parts(function: Callable[..., Any], specs: list[Any]) -> tuple[Any, Any, list[str], list[str]]:
    concrete = tf.function(function).get_concrete_function(*specs)
    return (
        concrete,
        concrete.graph.as_graph_def(),
        [t.name for t in concrete.graph.inputs],
        [t.name for t in concrete.outputs],
    )


@pytest.mark.parametrize(("function", "specs", "values"), CASES, ids=lambda part: getattr(part, "__name__", ""))
def test_an_imported_graph_gives_the_same(function: Callable[..., Any], specs: list[Any], values: list[Any]) -> None:
    concrete, definition, inputs, outputs = _parts(function, specs)

    def imported(*args: Any) -> Any:
        return tf.import_graph_def(definition, dict(zip(inputs, args, strict=True)), outputs)

    expected = tf.nest.flatten(concrete(*[tf.constant(v) for v in values]))
    found = tf.function(imported, input_signature=specs)(*[tf.constant(v) for v in values])
    assert [f.numpy().tolist() for f in found] == [e.numpy().tolist() for e in expected]


@pytest.mark.parametrize(("function", "specs", "values"), CASES, ids=lambda part: getattr(part, "__name__", ""))
def test_nodes_keep_names_and_inputs(function: Callable[..., Any], specs: list[Any], values: list[Any]) -> None:
    _, definition, _, _ = _parts(function, specs)
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(definition, name="")
    again = graph.as_graph_def()
    told = [(node.name, node.op, [name for name in node.input if name[0] != "^"]) for node in definition.node]
    assert [(node.name, node.op, [name for name in node.input if name[0] != "^"]) for node in again.node] == told


def test_gradients_and_variables_go_through_imported_nodes() -> None:
    variable = tf.Variable(3.0)

    @tf.function
    def scaled(x: Any) -> Any:
        variable.assign_add(1.0)
        return x * variable

    definition = scaled.get_concrete_function(tf.TensorSpec([], tf.float32)).graph.as_graph_def()
    handles = [node.name for node in definition.node if node.op == "Placeholder" and node.name != "x"]

    @tf.function
    def imported(x: Any) -> Any:
        inputs = {"x": x, **dict.fromkeys(handles, variable.handle)}
        return tf.import_graph_def(definition, inputs, ["Identity:0"])[0]

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = imported(x)
    assert (y.numpy(), variable.numpy(), tape.gradient(y, x).numpy()) == (8.0, 4.0, 4.0)


def test_nodes_may_stand_in_any_order_but_not_in_circles() -> None:
    _, definition, _, _ = _parts(straight, [VECTOR])
    definition.node.reverse()
    graph = tf.Graph()
    with graph.as_default():
        (result,) = tf.import_graph_def(definition, return_elements=["Identity:0"])
    assert result.name == "import/Identity:0"
    definition.node[-1].input.append("^Identity")
    with graph.as_default(), pytest.raises(ValueError, match="circle"):
        tf.import_graph_def(definition)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda node: setattr(node, "op", "Nothing"), "Op type not registered 'Nothing'"),
        (lambda node: node.input.append("gone"), "Unknown input node 'gone'"),
        (lambda node: node.input.append("x"), "expected 2 inputs"),
    ],
)
def test_what_does_not_fit_is_refused(change: Callable[[Any], None], message: str) -> None:
    _, definition, _, _ = _parts(straight, [VECTOR])
    change(next(node for node in definition.node if node.op == "Mul"))
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        tf.import_graph_def(definition)
