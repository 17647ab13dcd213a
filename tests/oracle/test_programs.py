"""Each program of `programs/` gives what TensorFlow gave: values, dtypes, shapes, errors, traces, order of effects.

Float results agree to `values.TOLERANCE`, everything else exactly. A program that means the same eagerly is run a
second time with every tf.function run as the Python function it was made of.
"""

import ast
import collections
import inspect
import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import programs
from tests.oracle.program import Program
from tests.oracle.under_test import tf
from tests.oracle.values import TOLERANCE, differences, encode

RECORDED = Path(__file__).parent / "recorded" / "programs"
NAMED_TOPICS = programs.TOPICS[:6]


def every_program() -> list[Any]:
    return [
        pytest.param(topic, program, id=f"{topic}-{program.name}")
        for topic in programs.TOPICS
        for program in programs.of_topic(topic)
    ]


def recorded(topic: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDED / f"{topic}.json").read_text(encoding="utf-8"))
    return record


def check(program: Program, result: Any, expected: Any) -> None:
    found = list(differences(encode(result), expected, TOLERANCE | program.rtol))
    assert not found, f"{program.name} is not what TensorFlow gives:\n  " + "\n  ".join(found)


@pytest.mark.parametrize(("topic", "program"), every_program())
def test_traced(topic: str, program: Program) -> None:
    check(program, program.function(), recorded(topic)[program.name])


@pytest.mark.parametrize(("topic", "program"), [p for p in every_program() if p.values[1].eager])
def test_eager(topic: str, program: Program) -> None:
    tf.config.run_functions_eagerly(True)
    try:
        result = program.function()
    finally:
        tf.config.run_functions_eagerly(False)
    check(program, result, recorded(topic)[program.name])


def statements(function: ast.FunctionDef) -> int:
    """The statements of a function and of what is defined in it, docstrings and definitions apart."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    body = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and not isinstance(node, kinds)]
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in body)


@pytest.mark.parametrize(("topic", "program"), every_program())
def test_is_a_program(topic: str, program: Program) -> None:
    """Each has a sentence that says what it shows, five statements or more, and a traced function."""
    source = textwrap.dedent(inspect.getsource(program.function))
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert ast.get_docstring(function)
    assert statements(function) >= 5
    assert "tf.function" in source


def test_table_of_topics() -> None:
    """Every topic is well represented, and there is a record for each program and a program for each record."""
    table = collections.Counter({topic: len(programs.of_topic(topic)) for topic in programs.TOPICS})
    print("\n".join(f"{topic:24}{count:4}" for topic, count in table.items()), f"\n{'all':24}{table.total():4}")
    assert all(table[topic] >= 8 for topic in NAMED_TOPICS)
    assert min(table.values()) >= 0.05 * table.total()
    assert table.total() >= 100
    for topic in programs.TOPICS:
        names = [program.name for program in programs.of_topic(topic)]
        assert len(set(names)) == len(names)
        assert ["header", *names] == list(recorded(topic)), f"record {topic} anew (see README.md)"
