"""`as_graph_def()` shows the names, ops and inputs that TensorFlow gives to the nodes of small functions.

Straight lines, captures, scopes and nested calls are compared node by node, in order, library of functions included. Of
branches it is the graph around them and the ops in them; of loops, whose counters are TensorFlow's own affair, the op.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.graphdefs.functions import GRAPHS
from tests.oracle.graphdefs.table import KINDS, Graph, graph_of

RECORDED = Path(__file__).parent / "recorded" / "graphdefs"


def recorded(case: Graph) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDED / f"{case.kind}.json").read_text(encoding="utf-8"))[case.name]
    return record


# Composites whose inner nodes are not TensorFlow's yet; a name goes from here when its nodes are.
NOT_YET = {
    "argsort",
    "boolean_mask",
    "clip_by_norm",
    "linspace",
    "reduce_logsumexp",
    "softmax_cross_entropy",
    "softmax_first_axis",
    "sort",
    "swish",
    "tile_and_repeat",
}


def of_kinds(*kinds: str) -> list[Any]:
    not_yet = pytest.mark.xfail(strict=False, reason="its inner nodes are not TensorFlow's yet")
    return [
        pytest.param(case, id=f"{case.kind}-{case.name}", marks=[not_yet] if case.name in NOT_YET else [])
        for case in GRAPHS
        if case.kind in kinds
    ]


def lines(nodes: list[Any]) -> str:
    return "\n".join(f"{name} = {op}({', '.join(inputs)})" for name, op, inputs in nodes)


def library_lines(library: list[Any]) -> str:
    return "\n\n".join(
        f"{name}({', '.join(inputs)}) -> {', '.join(outputs)}\n{lines(nodes)}\nret {ret}"
        for name, inputs, outputs, nodes, ret in library
    )


# The rules of gradients are ours: inside `gradients/`, nodes differ in name and number (a row of docs/differences.md).
OF_GRADIENTS = "gradients/"


def without_gradients(nodes: list[Any]) -> list[Any]:
    return [node for node in nodes if not node[0].startswith(OF_GRADIENTS) and node[1] != "Identity"]


@pytest.mark.parametrize("case", of_kinds("straight", "one_call", "captures", "scopes", "calls"))
def test_nodes(case: Graph) -> None:
    ours, theirs = graph_of(case)["nodes"], recorded(case)["nodes"]
    if any(name.startswith(OF_GRADIENTS) for name, _, _ in theirs):
        assert any(name.startswith(OF_GRADIENTS) for name, _, _ in ours)
        ours, theirs = without_gradients(ours), without_gradients(theirs)
    assert lines(ours) == lines(theirs)


@pytest.mark.parametrize("case", of_kinds("calls"))
def test_library(case: Graph) -> None:
    assert library_lines(graph_of(case)["library"]) == library_lines(recorded(case)["library"])


@pytest.mark.parametrize("case", of_kinds("branches"))
def test_branches(case: Graph) -> None:
    assert lines(graph_of(case)["nodes"]) == lines(recorded(case)["nodes"])


@pytest.mark.parametrize("case", of_kinds("branches"))
def test_ops_of_branches(case: Graph) -> None:
    """The bodies have the same ops, apart from those that only pass values on; their names are another matter."""

    def ops(library: list[Any]) -> list[list[str]]:
        passing = ("Const", "Identity", "NoOp")
        return sorted(sorted(op for _, op, _ in nodes if op not in passing) for _, _, _, nodes, _ in library)

    assert ops(graph_of(case)["library"]) == ops(recorded(case)["library"])


@pytest.mark.parametrize("case", of_kinds("loops"))
def test_ops_of_loops(case: Graph) -> None:
    def loops(nodes: list[Any]) -> list[str]:
        return [f"{name}: {op}" for name, op, _ in nodes if "While" in op]

    assert loops(graph_of(case)["nodes"]) == loops(recorded(case)["nodes"])


def test_every_graph_is_recorded() -> None:
    for kind in KINDS:
        record = json.loads((RECORDED / f"{kind}.json").read_text(encoding="utf-8"))
        assert list(record) == ["header", *(case.name for case in GRAPHS if case.kind == kind)]
    assert len(GRAPHS) >= 100
