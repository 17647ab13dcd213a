"""`as_graph_def()` shows the names, ops and inputs that TensorFlow gives to the nodes of small functions.

Everything is compared node by node, in order, library of functions included; of loops what is left without the counters
that TensorFlow adds. Where a function is another one on purpose, `docs/differences.md` says so.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.graphdefs.counters import without_counters, without_unused
from tests.oracle.graphdefs.functions import GRAPHS
from tests.oracle.graphdefs.table import KINDS, Graph, graph_of

RECORDED = Path(__file__).parent / "recorded" / "graphdefs"


def recorded(case: Graph) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDED / f"{case.kind}.json").read_text(encoding="utf-8"))[case.name]
    return record


def of_kinds(*kinds: str) -> list[Any]:
    return [pytest.param(case, id=f"{case.kind}-{case.name}") for case in GRAPHS if case.kind in kinds]


def lines(nodes: list[Any]) -> str:
    return "\n".join(f"{name} = {op}({', '.join(inputs)})" for name, op, inputs in nodes)


def library_lines(library: list[Any]) -> str:
    return "\n\n".join(
        f"{name}({', '.join(inputs)}) -> {', '.join(outputs)}\n{lines(nodes)}\nret {ret}"
        for name, inputs, outputs, nodes, ret in library
    )


EXACT = ("straight", "one_call", "effects", "captures", "scopes", "calls")


@pytest.mark.parametrize("case", of_kinds(*EXACT))
def test_nodes(case: Graph) -> None:
    assert lines(graph_of(case)["nodes"]) == lines(recorded(case)["nodes"])


@pytest.mark.parametrize("case", of_kinds("calls", "one_call", "effects"))
def test_library(case: Graph) -> None:
    assert library_lines(graph_of(case)["library"]) == library_lines(recorded(case)["library"])


@pytest.mark.parametrize("case", of_kinds("own_call"))
def test_calls_of_our_own(case: Graph) -> None:
    """A row of docs/differences.md: other nodes, between the same arguments and the same number of results."""
    ours, theirs = graph_of(case)["nodes"], recorded(case)["nodes"]
    assert lines(ours) != lines(theirs), "the same now: it belongs to the functions that are compared exactly"
    for op in ("Placeholder", "Identity"):
        assert [name for name, kind, _ in ours if kind == op and "/" not in name] == [
            name for name, kind, _ in theirs if kind == op and "/" not in name
        ]


# The rules of gradients are ours: their nodes differ in name and number (a row of docs/differences.md).
OF_GRADIENTS = ("gradients/", "gradient_tape/")


def parts(nodes: list[Any]) -> tuple[list[Any], list[Any]]:
    """What comes before the first node of a gradient, and the nodes of gradients."""
    first = next(i for i, (name, _, _) in enumerate(nodes) if name.startswith(("ones", *OF_GRADIENTS)))
    return nodes[:first], nodes[first:]


@pytest.mark.parametrize("case", of_kinds("gradients"))
def test_gradients(case: Graph) -> None:
    """What is differentiated is the same; what a gradient adds stands below the same scopes, sums and results aside."""
    (ours, our_gradients), (theirs, their_gradients) = parts(graph_of(case)["nodes"]), parts(recorded(case)["nodes"])
    assert lines(ours) == lines(theirs)

    def scopes(nodes: list[Any]) -> set[str]:
        return {name.partition("/")[0] for name, op, _ in nodes if op not in ("AddN", "PartitionedCall")}

    assert scopes(our_gradients) <= scopes(their_gradients) | {"ones", "ones_1"}
    results = [op for _, op, _ in their_gradients].count("Identity")
    assert 0 < [op for _, op, _ in our_gradients].count("Identity") <= results


@pytest.mark.parametrize("case", of_kinds("gradient_nodes"))
def test_nodes_of_gradients(case: Graph) -> None:
    assert lines(graph_of(case)["nodes"]) == lines(recorded(case)["nodes"])


@pytest.mark.parametrize("case", of_kinds("own_gradients"))
def test_gradients_of_our_own(case: Graph) -> None:
    """A row of docs/differences.md: what is differentiated is the same, its gradient has other nodes."""
    ours, theirs = graph_of(case)["nodes"], recorded(case)["nodes"]
    assert lines(ours) != lines(theirs), "the same now: it belongs to the gradients that are compared exactly"
    assert lines(parts(ours)[0]) == lines(parts(theirs)[0])
    results = [name for name, op, _ in theirs if op == "Identity" and "/" not in name]
    assert [name for name, op, _ in ours if op == "Identity" and "/" not in name] == results


# Rows of docs/differences.md: where the graph is another one, only its ops are compared.
OWN_WAY = {
    "if_with_early_return": "that a branch has returned is a result of TensorFlow's branches",
    "while_loop_with_a_limit": "TensorFlow's loops have the counter first, ours only where there is a limit, and last",
    "loop_with_break": "what follows a break is the other branch of its condition, not one of its own",
    "loop_with_assignments": "a loop without variables has one that nothing reads",
}


def whole(graph: dict[str, Any]) -> str:
    return f"{lines(graph['nodes'])}\n\n{library_lines(graph['library'])}"


@pytest.mark.parametrize("case", of_kinds("branches", "loops"))
def test_control_flow(case: Graph) -> None:
    """The graph and its bodies, node by node, without what TensorFlow adds to count iterations."""
    ours, theirs = without_unused_parts(graph_of(case)), without_counters(recorded(case))
    if case.name in OWN_WAY:
        assert ops(ours) == ops(theirs)
    else:
        assert whole(ours) == whole(theirs)


def without_unused_parts(graph: dict[str, Any]) -> dict[str, Any]:
    library = [
        [name, inputs, outputs, without_unused(nodes, [value for _, value in ret]), ret]
        for name, inputs, outputs, nodes, ret in graph["library"]
    ]
    return {"nodes": without_unused(graph["nodes"], []), "library": sorted(library)}


def ops(graph: dict[str, Any]) -> list[str]:
    """The ops around the branch or loop, apart from those that only pass values on."""
    return sorted(op for _, op, _ in graph["nodes"] if op not in ("Const", "Identity", "NoOp"))


def test_the_table_of_counts_is_current() -> None:
    text = (Path(__file__).parent / "graphdefs" / "README.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    assert [row[:2] for row in rows[1:]] == [
        [kind, str(sum(case.kind == kind for case in GRAPHS))] for kind in KINDS
    ]  # fmt: skip
    for kind in ("branches", "loops"):
        own = sum(case.kind == kind and case.name in OWN_WAY for case in GRAPHS)
        assert f"of {own} the ops around it" in next(row[2] for row in rows if row[0] == kind)


def test_every_graph_is_recorded() -> None:
    for kind in KINDS:
        record = json.loads((RECORDED / f"{kind}.json").read_text(encoding="utf-8"))
        assert list(record) == ["header", *(case.name for case in GRAPHS if case.kind == kind)]
    exactly = [case for case in GRAPHS if case.kind in EXACT]
    assert len(exactly) >= 100
