"""Each program of `programs/` gives what TensorFlow gave: values, dtypes, shapes, errors, traces, order of effects.

Float results agree to `values.TOLERANCE`, everything else exactly. A program that means the same eagerly is run a
second time with every tf.function run as the Python function it was made of.
"""

import ast
import collections
import functools
import inspect
import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import programs, table
from tests.oracle.program import Program
from tests.oracle.under_test import tf
from tests.oracle.values import TOLERANCE, differences, encode

RECORDED = Path(__file__).parent / "recorded" / "programs"
# How many programs there are to be, and what share of them each topic has at least.
ENOUGH = 1000
SHARE = 0.05


def every_program() -> list[Any]:
    return [
        pytest.param(module, program, id=f"{module}-{program.name}")
        for module in programs.modules()
        for program in programs.of_module(module)
    ]


@functools.cache
def recorded(module: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDED / f"{module}.json").read_text(encoding="utf-8"))
    return record


def check(program: Program, result: Any, expected: Any) -> None:
    found = list(differences(encode(result), expected, TOLERANCE | program.rtol))
    assert not found, f"{program.name} is not what TensorFlow gives:\n  " + "\n  ".join(found)


@pytest.mark.parametrize(("module", "program"), every_program())
def test_traced(module: str, program: Program) -> None:
    check(program, program.function(), recorded(module)[program.name])


@pytest.mark.parametrize(("module", "program"), [p for p in every_program() if p.values[1].eager])
def test_eager(module: str, program: Program) -> None:
    tf.config.run_functions_eagerly(True)
    try:
        result = program.function()
    finally:
        tf.config.run_functions_eagerly(False)
    check(program, result, recorded(module)[program.name])


def statements(function: ast.FunctionDef) -> int:
    """The statements of a function and of what is defined in it, docstrings and definitions apart."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    body = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and not isinstance(node, kinds)]
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in body)


@pytest.mark.parametrize(("module", "program"), every_program())
def test_is_a_program(module: str, program: Program) -> None:
    """Each has a sentence that says what it shows, five statements or more, and a traced function."""
    source = textwrap.dedent(inspect.getsource(program.function))
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert ast.get_docstring(function)
    assert statements(function) >= 5
    assert "tf.function" in source


@pytest.mark.parametrize("module", programs.modules())
def test_the_record_is_of_these_programs(module: str) -> None:
    """There is a record for each program, and a program for each record, in the same order."""
    names = [program.name for program in programs.of_module(module)]
    assert ["header", *names] == list(recorded(module)), f"record {module} anew (see README.md)"


def test_there_are_enough_programs_about_every_topic() -> None:
    counts = {topic: len(programs.of_topic(topic)) for topic in programs.TOPICS}
    total = sum(counts.values())
    few = {topic: count for topic, count in counts.items() if count < SHARE * total}
    assert total >= ENOUGH
    assert not few, f"less than {SHARE:.0%} of {total} programs"


@pytest.mark.parametrize("topic", programs.TOPICS)
def test_names_within_a_topic_differ(topic: str) -> None:
    names = collections.Counter(program.name for program in programs.of_topic(topic))
    assert not {name: count for name, count in names.items() if count > 1}


def test_the_records_are_of_modules_that_exist() -> None:
    assert sorted(path.stem for path in RECORDED.glob("*.json")) == sorted(programs.modules())


def test_the_table_in_the_readme_is_current() -> None:
    assert table.current(), "run `python -m tests.oracle.table`"
