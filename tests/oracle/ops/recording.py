"""Asks TensorFlow what its ops give."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.oracle.ops.families import FAMILIES, of_family
from tests.oracle.ops.running import differences, gradient, nearest, run, run_unknown, shape_differences
from tests.oracle.ops.table import GRADIENT_DTYPES, Case
from tests.oracle.values import TOLERANCE, show

REFUSED = ("InvalidArgumentError", "TypeError")  # a dtype that an op does not have, by its definition
NO_KERNEL = ("NotFoundError", "UnimplementedError")  # nobody wrote it
MISTAKES = ("AttributeError", "NameError", "KeyError")


def record_dtype(case: Case, dtype: str) -> dict[str, Any]:
    """What the case gives in one dtype, by name of its inputs; a traced call only where it gives something else.

    Where a graph of unknown sizes gives the same, the shapes it infers are recorded. None stands for a traced call where TensorFlow contradicts itself: one of two calls fails. That is not compared.
    """
    results: dict[str, Any] = {}
    for name in case.inputs:
        eager = nearest(run(case, name, dtype))
        if eager in MISTAKES:
            raise ValueError(f"{case.name} is called wrongly: {eager}")
        if eager in NO_KERNEL:
            continue
        results[name] = eager
        if case.traced:
            traced = nearest(run(case, name, dtype, traced=True))
            if isinstance(traced, str) != isinstance(eager, str):
                print(f"{case.name} {dtype}, {name}: {show(eager)} eagerly, {show(traced)} traced")
                results[f"{name} traced"] = None
            elif not same(traced, eager, case):
                results[f"{name} traced"] = traced
            unknown, shapes = run_unknown(case, name, dtype)
            if not isinstance(eager, str) and same(nearest(unknown), eager, case):
                wrong = list(shape_differences([output[1] for output in eager], shapes, name))
                if wrong:
                    print(f"{case.name} {dtype}: TensorFlow infers a wrong shape: {wrong}")
                else:
                    results[f"{name} unknown"] = shapes
    if dtype in GRADIENT_DTYPES:
        for name in case.gradient_names():
            if not isinstance(results.get(name, ""), str) and f"{name} traced" not in results:
                results |= record_gradient(case, name, dtype)
    return results


def record_gradient(case: Case, name: str, dtype: str) -> dict[str, Any]:
    eager = nearest(gradient(case, name, dtype))
    if isinstance(eager, str) and eager != "LookupError":
        print(f"{case.name} {dtype}, {name}: TensorFlow fails at the gradient with {eager}; it is not recorded")
        return {}
    results = {f"{name} gradient": eager}
    if case.traced:
        traced = nearest(gradient(case, name, dtype, traced=True))
        if not same(traced, eager, case):
            results[f"{name} gradient traced"] = traced
    return results


def same(traced: Any, eager: Any, case: Case) -> bool:
    return not list(differences(traced, eager, TOLERANCE | dict(case.rtol)))


def missing(results: dict[str, Any]) -> list[str]:
    """How a dtype fails that the op does not have, eagerly and traced; empty if it has it."""
    if not results:
        return [NO_KERNEL[0]]
    if not all(result in REFUSED for result in results.values()):
        return []
    eager, traced = ([r for n, r in results.items() if n.endswith(" traced") == flag] for flag in (False, True))
    return [eager[0], traced[0] if traced else eager[0]]


def record(folder: Path, write: Callable[..., None], families: list[str]) -> int:
    failed = 0
    for family in families or FAMILIES:
        data: dict[str, Any] = {}
        for case in of_family(family):
            absent = {}
            for dtype in case.dtypes:
                key = f"{case.name} {dtype}"
                if key in data:
                    raise ValueError(f"{family}: two cases are called {key}")
                try:
                    results = record_dtype(case, dtype)
                except Exception as error:  # noqa: BLE001, the next cases can be recorded
                    traceback.print_exception(error, limit=-4)
                    print(f"*** {family}, {key}: {type(error).__name__}: {error}")
                    failed += 1
                    continue
                if missing(results):
                    absent[dtype] = missing(results)
                else:
                    data[key] = results
            if absent:
                data[f"{case.name} missing"] = absent
        write(folder / f"{family}.json", data)
        print(f"{family}: {len(data)} ops by dtype")
    return failed
