"""Asks TensorFlow what its ops give."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.oracle.ops.families import FAMILIES, of_family
from tests.oracle.ops.running import differences, gradient, run
from tests.oracle.ops.table import GRADIENT_DTYPES, Case
from tests.oracle.values import TOLERANCE

# How a dtype fails that an op does not have: by its definition, or for want of a kernel.
MISSING = ("InvalidArgumentError", "TypeError", "NotFoundError", "UnimplementedError")
MISTAKES = ("AttributeError", "NameError", "KeyError")


def record_dtype(case: Case, dtype: str) -> dict[str, Any]:
    """What the case gives in one dtype, by name of its inputs; a traced call only where it gives something else."""
    results: dict[str, Any] = {}
    for name in case.inputs:
        eager = run(case, name, dtype)
        results[name] = nearest(eager)
        if case.traced:
            traced = run(case, name, dtype, traced=True)
            if not same(traced, eager, case):
                results[name + " traced"] = nearest(traced)
    if any(result in MISTAKES for result in results.values()):
        raise ValueError(f"{case.name} is called wrongly: {results}")
    if dtype in GRADIENT_DTYPES:
        for name in case.gradient_names():
            if isinstance(results[name], str) or name + " traced" in results:
                continue
            eager = gradient(case, name, dtype)
            results[name + " gradient"] = nearest(eager)
            if case.traced:
                traced = gradient(case, name, dtype, traced=True)
                if not same(traced, eager, case):
                    results[name + " gradient traced"] = nearest(traced)
    return results


def nearest(result: Any) -> Any:
    """Of an error, the nearest of its classes."""
    return result.split(" < ")[0] if isinstance(result, str) else result


def same(traced: Any, eager: Any, case: Case) -> bool:
    return traced == eager or not list(differences(traced, eager, TOLERANCE | dict(case.rtol)))


def missing(results: dict[str, Any]) -> list[str]:
    """How a dtype fails that the op does not have, eagerly and traced; empty if it has it."""
    if not all(result in MISSING for result in results.values()):
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
