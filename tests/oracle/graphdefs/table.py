"""What a function of `functions.py` is, and its graph as plain data."""

import dataclasses
import re
from collections.abc import Callable
from typing import Any

from tests.oracle.under_test import tf

# Functions in the library have names with a number that is unique in the process: __inference_f_12, cond_true_34,
# __inference___backward_f_12_34.
UNIQUE = re.compile(r"_\d+(?=$|___redundant|_\d+$)")
KINDS = (
    "straight",
    "one_call",
    "own_call",
    "effects",
    "captures",
    "scopes",
    "calls",
    "branches",
    "loops",
    "gradients",
    "gradient_nodes",
    "own_gradients",
)


@dataclasses.dataclass(frozen=True)
class Graph:
    """A function whose graph is compared.

    Args:
      build: returns the tf.function and the arguments for `get_concrete_function`.
      kind: which of the kinds of graphs it is.
    """

    build: Callable[[], tuple[Any, list[Any]]]
    kind: str

    @property
    def name(self) -> str:
        return self.build.__name__


def graph(kind: str) -> Callable[[Callable[[], tuple[Any, list[Any]]]], Graph]:
    """Marks a function that builds a tf.function and gives its arguments."""
    return lambda build: Graph(build, kind)


def nodes(definition: Any) -> list[list[Any]]:
    """The nodes in order; control inputs, whose order has no meaning, are sorted behind the others."""
    return [[numbered(node.name), node.op, sorted(map(numbered, node.input), key=control_key)] for node in definition]


def control_key(name: str) -> tuple[bool, str]:
    return (True, name) if name.startswith("^") else (False, "")


# Of an argument for a captured tensor without a name: the number of that tensor stands in its place.
NUMBERED = re.compile(r"^((?:.*_)?while_)?\d{2,}(_0)?$")


def numbered(name: str) -> str:
    """A placeholder for a captured tensor without a name is called by the number of that tensor."""
    return NUMBERED.sub(r"\1#\2", name)


def masked(name: str) -> str:
    return UNIQUE.sub("_#", name)


def redundant(name: str) -> str:
    """The name of an argument that only fills a place has the number of its function."""
    return masked(name) if "___redundant" in name else name


def graph_of(case: Graph) -> dict[str, Any]:
    """The nodes, and the functions of the library by name, their unique numbers masked."""
    function, arguments = case.build()
    definition = function.get_concrete_function(*arguments).graph.as_graph_def()
    library = [
        [
            masked(body.signature.name),
            [redundant(numbered(argument.name)) for argument in body.signature.input_arg],
            [numbered(argument.name) for argument in body.signature.output_arg],
            nodes(body.node_def),
            sorted([numbered(key), numbered(value)] for key, value in body.ret.items()),
        ]
        for body in definition.library.function
    ]
    return {"nodes": nodes(definition.node), "library": sorted(library)}


def spec(*shape: int | None, dtype: Any = None, name: str | None = None) -> Any:
    return tf.TensorSpec(shape, dtype or tf.float32, name=name)
