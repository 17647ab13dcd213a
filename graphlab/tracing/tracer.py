"""Running a Python function once with symbolic arguments: from a key to a FuncGraph."""

from __future__ import annotations

import inspect
import threading
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from graphlab.core import nest
from graphlab.core.convert import make
from graphlab.core.errors import Positioned
from graphlab.core.position import boundary
from graphlab.core.specs import TypeSpec
from graphlab.core.state import building, state
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.eager import variable as variables
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation
from graphlab.tracing.signature import Bound, Key
from graphlab.tracing.trace_types import TraceType, argument_name, bounded


class Frame:
    """A trace under way in this thread.

    Attributes:
      owner: what is being traced (a Function); compared by identity.
      key: the key it is traced for.
      graph: its graph.
      may_create: variables may be made.
      created: the variables that were made.
    """

    __slots__ = ("created", "graph", "key", "may_create", "owner")

    def __init__(self, owner: Any, key: Key, graph: FuncGraph, may_create: bool) -> None:
        self.owner, self.key, self.graph, self.may_create = owner, key, graph, may_create
        self.created: list[Any] = []


class _Stack(threading.local):
    def __init__(self) -> None:
        self.frames: list[Frame] = []


_stack: Final = _Stack()


def frames() -> list[Frame]:
    """The traces under way in this thread, innermost last."""
    return _stack.frames


def under_condition(frame: Frame) -> bool:
    """True if this thread is inside a branch or loop body of the graph that ``frame`` builds."""
    graph = state.graph
    return graph is not None and graph is not frame.graph and _inside(graph, frame.graph)


def _inside(graph: Any, outer: Any) -> bool:
    traced = {id(frame.graph) for frame in _stack.frames}
    nested = False
    while graph is not None and graph is not outer:
        nested = nested or id(graph) not in traced
        graph = graph.outer
    return graph is outer and nested


def _on_creation(variable: Any) -> None:
    """Notes a variable made while tracing, or refuses it.  ValueError if this trace may make none."""
    if not _stack.frames:
        return
    frame = _stack.frames[-1]
    if not frame.may_create:
        raise ValueError(
            "This tf.function made a tf.Variable on a call that is not its first, or makes one on every call. The body "
            "is traced twice on first use, to tell creation from use. Make each tf.Variable once: outside the "
            "function, or under `if self.v is None:`."
        )
    frame.created.append(variable)


variables.creation_hooks.append(_on_creation)


def trace(
    owner: Any,
    graph: FuncGraph,
    python_function: Callable[..., Any],
    key: Key,
    bound: Bound,
    may_create: bool,
    ran: dict[tuple[str, int, int, str], int],
    called: dict[int, Any],
) -> list[Any]:
    """Traces a function.

    Args:
      owner: the Function, to tell recursion.
      graph: an empty graph, which gets inputs, operations, outputs and structures; after an error, what came before it.
      python_function: what to call with the placeholders.
      key: the types of the arguments.
      bound: the call whose layout the arguments have.
      may_create: whether variables may be made.
      ran: gets how often each Python effect ran, and each function began (``autograph.effects``), also on an error.
      called: gets the functions that were called, by the id of their code, likewise.

    Returns:
      The variables that were made.
    """
    name = graph.name
    frame = Frame(owner, key, graph, may_create)
    frames_, depth, outer = _stack.frames, len(_stack.frames), (state.ran, state.called)
    try:
        frames_.append(frame)
        state.ran, state.called = ran, called
        with graph.build():
            args, kwargs = bound.split(key.placeholders(graph))
            if may_create:
                graph.argument_values = _arrays(key, bound)
            before = _leaves(bound, args, kwargs)
            result = _run(python_function, args, kwargs)
            _unchanged(name, key, before, _leaves(bound, args, kwargs))
            _finish(graph, result, name)
    finally:
        graph.argument_values = None
        state.ran, state.called = outer
        del frames_[depth:]
    graph.structured_input_signature = key.structured(argument_name)
    graph.variables_created = frame.created
    return frame.created


def _arrays(key: Key, bound: Bound) -> list[Any] | None:
    """The arrays of a first call's tensors: initial values of variables may depend on them.  None if there are none."""
    if any(isinstance(value, (TypeSpec, TraceType)) for value in nest.flatten(bound.values)):
        return None
    with building(None):
        tensors = key.to_tensors(bound.values)
    return [tensor._a for tensor in tensors] if all(isinstance(t, EagerTensor) for t in tensors) else None


def _run(python_function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    return python_function(*args, **kwargs)


boundary(_run.__code__)


def _leaves(bound: Bound, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, tuple[Any, list[Any]]]:
    """For each argument that is a container: its structure, with nothing in it, and what is in it."""
    names = bound.layout.names
    given = zip(names, [*args, *kwargs.values()], strict=True)
    found = {}
    for name, value in given:
        if nest.is_nested(value):
            flat = nest.flatten(value)
            found[name] = (nest.pack_sequence_as(value, [None] * len(flat)), flat)
    return found


def _unchanged(name: str, key: Key, before: dict[str, Any], after: dict[str, Any]) -> None:
    """ValueError if the function changed a list or dict that it was given: the caller's own one stays as it was."""
    for argument, (structure, flat) in before.items():
        structure_, flat_ = after[argument]
        if len(flat) != len(flat_) or any(a is not b for a, b in zip(flat, flat_, strict=True)):
            break
        try:
            nest.assert_same_structure(structure, structure_)
        except (ValueError, TypeError):
            break
    else:
        return
    raise ValueError(
        f"{name}() changed its argument {key.path(argument)!r} while it was traced. A traced function may not change "
        "its arguments, since later calls would not: change a copy, and return it."
    )


def _finish(graph: FuncGraph, result: Any, name: str) -> None:
    """Turns what the function returned into outputs: tensors behind Identity nodes, in the structure it came in."""
    from graphlab.ops.array import identity

    flat: list[Any] = []
    for leaf in nest.flatten(result, expand_composites=True):
        if leaf is None:
            flat.append(None)
            continue
        if isinstance(leaf, Operation):
            raise _not_returnable(name, leaf)
        try:
            refused = isinstance(leaf, (TypeSpec, set, frozenset)) or callable(leaf)
            tensor = None if refused else leaf if isinstance(leaf, Tensor) else make(leaf)
        except (TypeError, ValueError) as error:
            if isinstance(error, Positioned):
                raise
            tensor = None
        if tensor is None:
            raise _not_returnable(name, leaf)
        flat.append(identity(tensor))
    structured = nest.pack_sequence_as(result, flat, expand_composites=True)
    graph.outputs = [tensor for tensor in flat if tensor is not None]
    graph.structured_outputs = structured


def _not_returnable(name: str, value: Any) -> TypeError:
    if inspect.iscoroutine(value):
        value.close()
        what = "a coroutine: a graph cannot wait. Call the coroutine outside and pass its result"
    elif isinstance(value, types.GeneratorType):
        what = "a generator: a graph cannot pause. Return a list, or a tf.TensorArray"
    elif isinstance(value, Operation):
        what = (
            f"the operation {value.name!r} ({value.type}), which has no value. It runs whether it is returned or not: "
            "leave out the return"
        )
    else:
        what = f"{bounded(value)} of type {type(value).__name__}, which is no tensor"
    return TypeError(f"A tf.function returns tensors, structures of them, or None; but {name!r} returned {what}.")
