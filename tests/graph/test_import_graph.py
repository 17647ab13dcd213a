"""``tf.import_graph_def``: a graph that was written as data runs again, with the same nodes and results."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.graph.graphdef import GraphDef
from tests.graph.import_cases import CASES, VECTOR, straight

RECORDED = json.loads((Path(__file__).parent / "recorded" / "graphs.json").read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("case", RECORDED, ids=[case["name"] for case in RECORDED])
def test_graphs_that_tensorflow_wrote_run(case: dict[str, Any]) -> None:
    definition = GraphDef.FromString(base64.b64decode(case["graph"]))

    def imported(*args: Any) -> Any:
        return tf.import_graph_def(definition, dict(zip(case["inputs"], args, strict=True)), case["outputs"])

    args = [tf.constant(value, dtype) for value, dtype in zip(case["values"], case["dtypes"], strict=True)]
    results = tf.function(imported)(*args)
    for result, expected in zip(results, case["results"], strict=True):
        if result.dtype == tf.string:
            assert [text.decode() for text in result.numpy()] == expected
        else:
            np.testing.assert_allclose(result.numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["straight", "texts", "random"])
def test_bytes_are_those_that_tensorflow_writes(name: str) -> None:
    case = next(case for case in RECORDED if case["name"] == name)
    written = base64.b64decode(case["graph"])
    assert GraphDef.FromString(written).SerializeToString() == written


@pytest.mark.parametrize(("function", "specs", "values"), CASES, ids=lambda part: getattr(part, "__name__", ""))
def test_bytes_read_again_are_the_same_graph(function: Callable[..., Any], specs: list[Any], values: list[Any]) -> None:
    definition = _parts(function, specs)[1]
    again = GraphDef.FromString(definition.SerializeToString())
    assert sorted(str(again).split("\n")) == sorted(str(definition).split("\n"))
    parsed = GraphDef()
    assert parsed.ParseFromString(definition.SerializeToString()) == len(definition.SerializeToString())
    assert parsed == again


VALUES = {
    "float16": [1.5, -0.25], "float32": [1.5, float("inf")], "float64": [1e300, -2.5], "bfloat16": [1.5, -3.0],
    "int8": [-3, 4], "uint8": [3, 200], "int16": [-3, 4], "int32": [-3, 4], "int64": [-(2**40), 4], "uint32": [3, 2**31],
    "uint64": [3, 2**63], "bool": [True, False], "string": [b"a\xff", b""], "complex64": [1 + 2j, -1j],
    "complex128": [1 + 2j, -1j],
}  # fmt: skip


@pytest.mark.parametrize("shape", [[], [2], [1, 2], [0], [2, 0]])
@pytest.mark.parametrize("dtype", VALUES)
def test_constants_of_each_dtype_are_kept(dtype: str, shape: list[int]) -> None:
    values = VALUES[dtype]
    array = values[0] if not shape else [values] if shape == [1, 2] else values
    constant = tf.zeros(shape, dtype) if 0 in shape else tf.constant(array, dtype)
    definition = tf.function(lambda: tf.identity(constant)).get_concrete_function().graph.as_graph_def()
    node = next(node for node in definition.node if node.op == "Const")
    again = next(node for node in GraphDef.FromString(definition.SerializeToString()).node if node.op == "Const")
    before, after = node.attr["value"].tensor, again.attr["value"].tensor
    assert (after.dtype, after.shape, after.tolist()) == (before.dtype, before.shape, before.tolist())


@pytest.mark.parametrize("data", [b"\x0a", b"\x0a\x05ab", b"\xff" * 12, b"\x0b\x01"])
def test_bytes_that_are_no_graph_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"message|bytes"):
        GraphDef.FromString(data)
