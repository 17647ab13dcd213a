"""Graphs: names, captures, constants, GraphDef, the checker."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphlab as tf
from graphlab.graph.check import GraphError, check
from graphlab.graph.func_graph import FuncGraph, origin


def nodes(function: Any, *specs: Any) -> list[tuple[str, str, list[str]]]:
    graph = tf.function(function).get_concrete_function(*specs).graph
    check(graph)
    return [(n.name, n.op, n.input) for n in graph.as_graph_def().node]


PAIR = tf.TensorSpec([2])
_variable = tf.Variable([1.0, 2.0], name="v")
_small, _large = tf.constant([3.0, 4.0]), tf.constant(np.ones(200, np.float32))


def _assign_then_read(a: Any) -> Any:
    _variable.assign_add(a)
    return _variable + 1.0


_inner = tf.function(lambda x: x * 2.0)

# What TensorFlow 2.21 gives for the same functions.
GRAPHDEFS: list[tuple[str, Any, list[Any], list[tuple[str, str, list[str]]]]] = [
    (
        "operands",
        lambda a, b: a + b,
        [PAIR, PAIR],
        [
            ("a", "Placeholder", []),
            ("b", "Placeholder", []),
            ("add", "AddV2", ["a", "b"]),
            ("Identity", "Identity", ["add"]),
        ],
    ),
    (
        "variable on the right",
        lambda a: a + _variable,
        [PAIR],
        [
            ("a", "Placeholder", []),
            ("add/ReadVariableOp/resource", "Placeholder", []),
            ("add/ReadVariableOp", "ReadVariableOp", ["add/ReadVariableOp/resource"]),
            ("add", "AddV2", ["a", "add/ReadVariableOp"]),
            ("Identity", "Identity", ["add", "^NoOp"]),
            ("NoOp", "NoOp", ["^add/ReadVariableOp"]),
        ],
    ),
    (
        "variable on the left",
        lambda a: _variable * a,
        [PAIR],
        [
            ("a", "Placeholder", []),
            ("ReadVariableOp/resource", "Placeholder", []),
            ("ReadVariableOp", "ReadVariableOp", ["ReadVariableOp/resource"]),
            ("mul", "Mul", ["ReadVariableOp", "a"]),
            ("Identity", "Identity", ["mul", "^NoOp"]),
            ("NoOp", "NoOp", ["^ReadVariableOp"]),
        ],
    ),
    (
        "a small constant from outside",
        lambda a: a + _small,
        [PAIR],
        [
            ("a", "Placeholder", []),
            ("add/y", "Const", []),
            ("add", "AddV2", ["a", "add/y"]),
            ("Identity", "Identity", ["add"]),
        ],
    ),
    (
        "a large one is captured",
        lambda a: a + _large,
        [tf.TensorSpec([200])],
        [
            ("a", "Placeholder", []),
            ("add/y", "Placeholder", []),
            ("add", "AddV2", ["a", "add/y"]),
            ("Identity", "Identity", ["add"]),
        ],
    ),
    (
        "a read after a write waits for it",
        _assign_then_read,
        [PAIR],
        [
            ("a", "Placeholder", []),
            ("AssignAddVariableOp/resource", "Placeholder", []),
            ("AssignAddVariableOp", "AssignAddVariableOp", ["AssignAddVariableOp/resource", "a"]),
            ("ReadVariableOp", "ReadVariableOp", ["AssignAddVariableOp/resource", "^AssignAddVariableOp"]),
            ("add/y", "Const", []),
            ("add", "AddV2", ["ReadVariableOp", "add/y"]),
            ("Identity", "Identity", ["add", "^NoOp"]),
            ("NoOp", "NoOp", ["^AssignAddVariableOp", "^ReadVariableOp"]),
        ],
    ),
    (
        "a nested function",
        lambda a: _inner(a) + 1.0,
        [PAIR],
        [
            ("a", "Placeholder", []),
            ("PartitionedCall", "PartitionedCall", ["a"]),
            ("add/y", "Const", []),
            ("add", "AddV2", ["PartitionedCall", "add/y"]),
            ("Identity", "Identity", ["add"]),
        ],
    ),
    (
        "reduction, reshape, slice",
        lambda x: tf.reduce_mean(x, 0) + tf.reshape(x, [-1])[1:],
        [tf.TensorSpec([2, 1])],
        [
            ("x", "Placeholder", []),
            ("Mean/reduction_indices", "Const", []),
            ("Mean", "Mean", ["x", "Mean/reduction_indices"]),
            ("Reshape/shape", "Const", []),
            ("Reshape", "Reshape", ["x", "Reshape/shape"]),
            ("strided_slice/stack", "Const", []),
            ("strided_slice/stack_1", "Const", []),
            ("strided_slice/stack_2", "Const", []),
            (
                "strided_slice",
                "StridedSlice",
                ["Reshape", "strided_slice/stack", "strided_slice/stack_1", "strided_slice/stack_2"],
            ),
            ("add", "AddV2", ["Mean", "strided_slice"]),
            ("Identity", "Identity", ["add"]),
        ],
    ),
    (
        "structured results",
        lambda: (1, None, [tf.constant(2.0)]),
        [],
        [
            ("Const", "Const", []),
            ("Const_1", "Const", []),
            ("Identity", "Identity", ["Const_1"]),
            ("Identity_1", "Identity", ["Const"]),
        ],
    ),
]


@pytest.mark.parametrize(("function", "specs", "expected"), [g[1:] for g in GRAPHDEFS], ids=[g[0] for g in GRAPHDEFS])
def test_graphdef_is_tensorflows(function: Any, specs: list[Any], expected: list[tuple[str, str, list[str]]]) -> None:
    assert nodes(function, *specs) == expected


def test_names_count_without_regard_to_case() -> None:
    graph = tf.Graph()
    assert [graph.unique_name(n) for n in ("add", "Add", "add", "a/b", "a", "a/b")] == [
        "add",
        "Add_1",
        "add_2",
        "a/b",
        "a",
        "a/b_1",
    ]


def test_name_scopes_nest_and_count() -> None:
    graph = tf.Graph()
    with graph.as_default():
        with tf.name_scope("outer"):
            first = tf.constant(1.0)
            with tf.name_scope("inner"):
                second = tf.constant(1.0) + first
        with tf.name_scope("outer"):
            third = tf.constant(1.0)
    assert [t.op.name for t in (first, second, third)] == ["outer/Const", "outer/inner/add", "outer_1/Const"]


def test_a_plain_graph_prints_as_protobuf_text() -> None:
    graph = tf.Graph()
    with graph.as_default():
        tf.constant(2.5, name="c")
    text = str(graph.as_graph_def())
    for part in ('name: "c"', 'op: "Const"', "type: DT_FLOAT", "float_val: 2.5", "producer: 2474"):
        assert part in text


def test_the_library_holds_the_functions_a_graph_calls() -> None:
    graph = tf.function(lambda a: _inner(a)).get_concrete_function(PAIR).graph
    (function,) = graph.as_graph_def().library.function
    assert [n.op for n in function.node_def] == ["Const", "Mul", "Identity"]
    assert function.node_def[1].input == ["x", "mul/y:output:0"]


def test_a_capture_and_its_tensor_have_one_origin() -> None:
    outside = tf.constant(np.ones(3, np.float32))
    outer = FuncGraph("outer")
    with outer.build():
        inner = FuncGraph("inner")
        with inner.build():
            placeholder = inner.own(outside)
    assert placeholder is not outside
    assert origin(placeholder) is outside
    assert inner.own(outside) is placeholder


def test_a_tensor_of_a_graph_that_is_not_around_is_out_of_scope() -> None:
    graph = FuncGraph("one")
    with graph.build():
        made_here = tf.constant(1.0) + 2.0
    with FuncGraph("other").build(), pytest.raises(TypeError, match="made_here = tf"):
        made_here + 1.0
    with pytest.raises(TypeError, match="out of scope"):
        made_here + 1.0


def test_tensors_and_operations_are_found_by_name() -> None:
    graph = tf.Graph()
    with graph.as_default():
        total = tf.add(1.0, 2.0, name="total")
    assert graph.get_tensor_by_name("total:0") is total
    assert graph.get_operation_by_name("total").get_attr("T") is tf.float32
    with pytest.raises(KeyError, match="nothing"):
        graph.get_operation_by_name("nothing")
    with pytest.raises(ValueError, match="total:0"):
        graph.get_tensor_by_name("total")


def test_a_finalized_graph_takes_no_more() -> None:
    graph = tf.Graph()
    graph.finalize()
    with graph.as_default(), pytest.raises(RuntimeError, match="finalized"):
        tf.constant(1)


def _broken_order(graph: FuncGraph) -> None:
    graph.ops.reverse()


def _broken_dtype(graph: FuncGraph) -> None:
    graph.ops[-1].attrs["T"] = tf.int32


def _broken_name(graph: FuncGraph) -> None:
    graph.ops[-1].name = graph.ops[0].name


def _broken_output(graph: FuncGraph) -> None:
    other = FuncGraph("other")
    with other.build():
        graph.outputs = [tf.constant(1.0) + 1.0]


@pytest.mark.parametrize("damage", [_broken_order, _broken_dtype, _broken_name, _broken_output])
def test_the_checker_sees_damage(damage: Any) -> None:
    graph = FuncGraph("f")
    with graph.build():
        x = graph.argument(tf.float32, (2,), "x")
        graph.outputs = [x * 2.0 + x]
    check(graph)
    damage(graph)
    with pytest.raises(GraphError):
        check(graph)


def test_control_dependencies_are_kept() -> None:
    v = tf.Variable(1.0)

    def f(x: Any) -> Any:
        with tf.control_dependencies([v.assign(2.0)]):
            return tf.identity(x, name="late")

    by_name = {name: inputs for name, _, inputs in nodes(f, tf.TensorSpec([]))}
    assert by_name["late"] == ["x", "^AssignVariableOp"]
