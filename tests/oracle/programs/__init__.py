"""The programs: one module or more for each topic, `<topic>.py` and `<topic>_<subject>.py`."""

import importlib
import pkgutil

from tests.oracle.program import Program

# The first six are the kinds of behaviour that were asked for by name.
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


def topic_of(module: str) -> str:
    """The topic that a module belongs to: its name begins with it.

    Raises:
      ValueError: it begins with none, or with several.
    """
    found = [topic for topic in TOPICS if module == topic or module.startswith(topic + "_")]
    if len(found) != 1:
        raise ValueError(f"programs/{module}.py: its name must begin with one of {', '.join(TOPICS)}")
    return found[0]


def modules() -> list[str]:
    """The names of all modules with programs, topic by topic."""
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    return sorted(names, key=lambda name: (TOPICS.index(topic_of(name)), name))


def of_module(name: str) -> list[Program]:
    """The programs of a module, in the order of its file."""
    module = importlib.import_module(f".{name}", __name__)
    return [value for value in vars(module).values() if isinstance(value, Program)]


def of_topic(topic: str) -> list[Program]:
    """The programs of a topic."""
    return [program for name in modules() if topic_of(name) == topic for program in of_module(name)]
