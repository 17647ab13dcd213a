"""The programs: a topic is the module of its name and those that begin with it, `gradients.py` and `gradients_loops.py`."""

import importlib
from pathlib import Path

from tests.oracle.program import Program

# The first six are the kinds of behaviour that must each have at least eight programs.
TOPICS = (
    "control_flow",
    "gradients",
    "variables",
    "structures",
    "errors",
    "effects",
    "retracing",
    "shapes_and_indexing",
    "strings_and_random",
    "functional_control",
    "autograph",
    "numerics",
    "nested_calls",
)


def modules_of(topic: str) -> list[str]:
    """The names of a topic's modules, the one of its own name first."""
    return [topic, *sorted(path.stem for path in Path(__file__).parent.glob(f"{topic}_*.py"))]


def of_topic(topic: str) -> list[Program]:
    """The programs of a topic, in the order of its files."""
    modules = [importlib.import_module(f".{name}", __name__) for name in modules_of(topic)]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Program)]
