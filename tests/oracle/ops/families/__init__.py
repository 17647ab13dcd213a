"""The tables of op cases, one module for each family of ops."""

import importlib

from tests.oracle.ops.table import Case

FAMILIES = (
    "arithmetic",
    "unary",
    "comparison",
    "reductions",
    "linear_algebra",
    "linear_systems",
    "linear_operators",
    "shapes",
    "slicing",
    "gather_scatter",
    "creation",
    "casts",
    "sorting",
    "nn",
    "strings",
    "random",
    "further",
    "ragged",
    "ragged_whole",
    "crossed",
)


def of_family(family: str) -> list[Case]:
    """The cases of a family, in the order of its file."""
    cases: list[Case] = importlib.import_module(f".{family}", __name__).CASES
    return cases
