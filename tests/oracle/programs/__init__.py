"""The programs, one module for each topic."""

import importlib

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


def of_topic(topic: str) -> list[Program]:
    """The programs of a topic, in the order of its file."""
    module = importlib.import_module(f".{topic}", __name__)
    return [value for value in vars(module).values() if isinstance(value, Program)]
