"""Each op of `ops/families/` gives what TensorFlow gave, for each of its dtypes: eager = traced = recorded.

A graph that is traced with known shapes and one that knows the ranks only must both give it.

Values are compared exactly, floats to `values.TOLERANCE` or to the tolerance that the case states. Where the op has a
gradient, that of a weighted sum of its outputs is compared too, with the tape around the op and with the tape inside a
traced function.
"""

import functools
import json
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.ops.families import FAMILIES, of_family
from tests.oracle.ops.running import differences, gradient, run, run_unknown, shape_differences
from tests.oracle.ops.table import GRADIENT_DTYPES, Case
from tests.oracle.values import TOLERANCE

RECORDED = Path(__file__).parent / "recorded" / "ops"


@functools.cache
def recorded(family: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDED / f"{family}.json").read_text(encoding="utf-8"))
    return record


def every_case() -> list[Any]:
    """Each case with each dtype that TensorFlow has a kernel for."""
    return [
        pytest.param(family, case, dtype, id=f"{family}-{case.name}-{dtype}")
        for family in FAMILIES
        for case in of_family(family)
        for dtype in case.dtypes
        if f"{case.name} {dtype}" in recorded(family)
    ]


def report(case: Case, found: list[str]) -> None:
    assert not found, f"{case.name} is not what TensorFlow gives:\n  " + "\n  ".join(found)


@pytest.mark.parametrize(("family", "case", "dtype"), every_case())
def test_op(family: str, case: Case, dtype: str) -> None:
    record = recorded(family)[f"{case.name} {dtype}"]
    rtol = TOLERANCE | dict(case.rtol)
    found: list[str] = []
    for name in case.inputs:
        if name not in record:  # no kernel for just these inputs
            continue
        found += differences(run(case, name, dtype), record[name], rtol, f"{name}, eager")
        traced = record.get(f"{name} traced", record[name])
        if case.traced and traced is not None:
            found += differences(run(case, name, dtype, traced=True), traced, rtol, f"{name}, traced")
    report(case, found)


@pytest.mark.parametrize(("family", "case", "dtype"), [p for p in every_case() if p.values[2] in GRADIENT_DTYPES])
def test_gradient(family: str, case: Case, dtype: str) -> None:
    record = recorded(family)[f"{case.name} {dtype}"]
    rtol = TOLERANCE | dict(case.rtol)
    found: list[str] = []
    for name in case.gradient_names():
        key = f"{name} gradient"
        if key not in record:
            continue
        found += differences(gradient(case, name, dtype), record[key], rtol, f"{name}, eager gradient")
        if case.traced:
            expected = record.get(f"{key} traced", record[key])
            found += differences(gradient(case, name, dtype, traced=True), expected, rtol, f"{name}, traced gradient")
    report(case, found)


@pytest.mark.parametrize(("family", "case", "dtype"), every_case())
def test_unknown_sizes(family: str, case: Case, dtype: str) -> None:
    """A graph that knows only the ranks gives the same, and infers at least what TensorFlow infers."""
    record = recorded(family)[f"{case.name} {dtype}"]
    rtol = TOLERANCE | dict(case.rtol)
    found: list[str] = []
    for name in case.inputs:
        expected = record.get(f"{name} unknown")
        if expected is None:
            continue
        outputs, shapes = run_unknown(case, name, dtype)
        wrong = list(differences(outputs, record[name], rtol, f"{name}, unknown sizes"))
        found += wrong or shape_differences(shapes, expected, f"{name}, inferred shape")
    report(case, found)


def missing_dtypes() -> list[Any]:
    """Each case with each dtype that the op does not have by its definition (not only for want of a kernel)."""
    return [
        pytest.param(case, dtype, errors, id=f"{family}-{case.name}-{dtype}")
        for family in FAMILIES
        for case in of_family(family)
        for dtype, errors in recorded(family).get(f"{case.name} missing", {}).items()
        if len(errors) == 2
    ]


@pytest.mark.parametrize(("case", "dtype", "errors"), missing_dtypes())
def test_dtype_that_an_op_does_not_have(case: Case, dtype: str, errors: list[str]) -> None:
    found: list[str] = []
    name = next(iter(case.inputs))
    found += differences(run(case, name, dtype), errors[0], TOLERANCE, f"{name}, eager")
    if case.traced:
        found += differences(run(case, name, dtype, traced=True), errors[1], TOLERANCE, f"{name}, traced")
    report(case, found)


def test_table_of_ops() -> None:
    """Every family is recorded as it is written; the number of ops, of ops by dtype, of gradients."""
    print(f"{'family':16}{'ops':>6}{'× dtypes':>10}{'gradients':>11}")
    for family in FAMILIES:
        cases, record = of_family(family), recorded(family)
        names = [f"{case.name} {dtype}" for case in cases for dtype in case.dtypes]
        assert len(set(names)) == len(names)
        known = {key for key in record if not key.endswith(" missing")} - {"header"}
        absent = {f"{c.name} {dtype}" for c in cases for dtype in record.get(f"{c.name} missing", ())}
        assert known | absent == set(names), f"record {family} anew (see README.md)"
        by_dtype = {(key.split(".")[0].split(" ")[0], key.rsplit(" ")[-1]) for key in known}
        gradients = sum(name.endswith(" gradient") for key in known for name in record[key])
        print(f"{family:16}{len({op for op, _ in by_dtype}):6}{len(by_dtype):10}{gradients:11}")
