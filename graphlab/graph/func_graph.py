"""FuncGraph: the graph of a traced function, with arguments, captures and results."""

from __future__ import annotations

from typing import Any

from graphlab.core.shape import RawShape
from graphlab.core.state import building, state
from graphlab.core.storage import handle_data
from graphlab.core.tensor import EagerTensor, SymbolicTensor, out_of_scope
from graphlab.graph.graph import PLACEHOLDER, Graph
from graphlab.graph.operation import Operation

# Eager constants of at most this many elements are written into GraphDef as Const nodes.
SMALL_CONSTANT = 128


class FuncGraph(Graph):
    """The graph of a function.

    Attributes:
      name: the function's name.
      inputs: placeholders of the arguments, without those of captures.
      captures: ``(outer tensor, placeholder)`` pairs, in the order of first use.
      outputs: the flat results; an entry may be None where the function returns None.
      structured_input_signature, structured_outputs: set by tracing.
      outer: the graph in which it was traced; None when that was eager.
      started_from: of the condition or body of a loop while that is traced, what its variables are at the start.
      called_with: of a traced function that an error stopped inside another, the tensors of the call; else None.
      loop_variables: of the condition or body of a loop, how many of its inputs are loop variables; the others are
        captures.
    """

    building_function = True

    def __init__(self, name: str, outer: Graph | None = None) -> None:
        super().__init__()
        self.name = name
        self.outer = state.graph if outer is None else outer
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.structured_input_signature: Any = None
        self.structured_outputs: Any = None
        self._captures: dict[int, tuple[Any, SymbolicTensor]] = {}
        self._origins: dict[int, Any] = {}
        self.executable: Any = None
        self.derived: dict[Any, Any] = {}
        self.variables_created: list[Any] = []
        # Arrays for ``inputs`` while a first call is traced: initial values of variables may depend on them.
        self.argument_values: list[Any] | None = None
        self.watched_variables: list[Any] = []
        self.attrs: dict[str, Any] = {}
        self.loop_variables: int | None = None
        self.started_from: list[Any] | None = None
        self.called_with: list[Any] | None = None
        self.cloned_from: tuple[FuncGraph, dict[int, SymbolicTensor]] | None = None
        if self.outer is not None:
            self.seed = self.outer.seed

    def __repr__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"

    def build(self) -> building:
        """Makes this the graph that operations of this thread are added to."""
        return building(self)

    def argument(self, dtype: Any, shape: RawShape, name: str) -> SymbolicTensor:
        """Adds an argument."""
        tensor = self.placeholder(dtype, shape, name)
        self.inputs.append(tensor)
        return tensor

    @property
    def captures(self) -> list[tuple[Any, SymbolicTensor]]:
        """``(outer tensor, placeholder)`` pairs."""
        return list(self._captures.values())

    @property
    def external_captures(self) -> list[Any]:
        """The captured outer tensors."""
        return [outer for outer, _ in self._captures.values()]

    @property
    def internal_captures(self) -> list[SymbolicTensor]:
        """The placeholders of the captures."""
        return [inner for _, inner in self._captures.values()]

    @property
    def parameters(self) -> list[SymbolicTensor]:
        """All placeholders a call fills: arguments, then captures."""
        return self.inputs + self.internal_captures

    def own(self, tensor: Any, name: str | None = None) -> SymbolicTensor:
        """The tensor of this graph that stands for ``tensor``, captured if it comes from outside."""
        if tensor.__class__ is SymbolicTensor and tensor.op.graph is self:
            return tensor
        found = self._captures.get(id(tensor))
        if found is not None:
            return found[1]
        if isinstance(tensor, EagerTensor):
            return self._capture(tensor, name)
        graph = self.outer
        while graph is not None:
            if tensor.op.graph is graph:
                return self._capture(tensor, name)
            # A gradient that the program wrote itself holds tensors of the graph it was traced in, not of its clone.
            twin = graph.of_clone(tensor) if isinstance(graph, FuncGraph) else None
            if twin is not None:
                return self.own(twin, name)
            graph = graph.outer
        raise out_of_scope(tensor, self)

    def _capture(self, tensor: Any, name: str | None) -> SymbolicTensor:
        dtype = tensor.dtype
        shape = tensor._raw_shape()
        small = False
        if isinstance(tensor, EagerTensor):
            small = dtype.np is not None and getattr(tensor._a, "size", 1) <= SMALL_CONSTANT
            full = name or self._scope + ("Const" if small else "Placeholder")
        else:
            full = (name.rpartition("/")[0] + "/" if name else self._scope) + tensor.op.name.rpartition("/")[2]
        node = Operation(self, PLACEHOLDER, self.unique(full), [], {"dtype": dtype, "shape": shape}, ())
        if small:
            node.attrs["value"] = tensor._a
        inner = node.add_output(dtype, shape)
        if dtype.name == "resource":
            inner.handle_data = handle_data(tensor)  # type: ignore[attr-defined]
        self._add(node)
        self._captures[id(tensor)] = (tensor, inner)
        self._origins[id(inner)] = tensor
        return inner

    def capture(self, tensor: Any, name: str | None = None) -> SymbolicTensor:
        """As ``own``."""
        return self.own(tensor, name)

    def replace_capture(self, old: Any, new: Any) -> None:
        """Makes a placeholder stand for another outer tensor."""
        pair = self._captures.pop(id(old))
        self._captures[id(new)] = (new, pair[1])
        self._origins[id(pair[1])] = new

    def add_output(self, tensor: Any) -> int:
        """Adds a result (used by gradients: a value the backward needs) and returns its index."""
        inner = self.own(tensor)
        for index, output in enumerate(self.outputs):
            if output is inner:
                return index
        self.outputs.append(inner)
        self.executable = None
        return len(self.outputs) - 1

    @property
    def has_effects(self) -> bool:
        """True if a call of it must not be skipped."""
        return any(op.record.effect not in (None, "read") for op in self.ops)

    @property
    def reads_or_writes(self) -> bool:
        """True if it is not a pure function of its inputs."""
        return any(not op.record.pure for op in self.ops)

    def clone(self, name: str | None = None) -> FuncGraph:
        """A copy with its own operations, same names."""
        copy = FuncGraph(name or self.name, self.outer)
        copy.outer = self.outer
        mapping: dict[int, SymbolicTensor] = {}
        operations: dict[int, Operation] = {}
        for op in self.ops:
            node = Operation(copy, op.record, op.name, [mapping[id(t)] for t in op.inputs], dict(op.attrs), op.position)
            node.control_inputs = [operations[id(c)] for c in op.control_inputs if id(c) in operations]
            operations[id(op)] = node
            for output in op.outputs:
                new = node.add_output(output.dtype, output._shape)
                if output.__dict__:
                    new.__dict__.update(output.__dict__)
                mapping[id(output)] = new
            copy.ops.append(node)
            copy._by_name[node.name] = node
        copy._names = dict(self._names)
        copy.gradient_of = dict(self.gradient_of)
        copy.inputs = [mapping[id(t)] for t in self.inputs]
        copy.outputs = [mapping[id(t)] for t in self.outputs]
        for outer, inner in self._captures.values():
            copy._captures[id(outer)] = (outer, mapping[id(inner)])
            copy._origins[id(mapping[id(inner)])] = outer
        copy.structured_input_signature = self.structured_input_signature
        copy.structured_outputs = self.structured_outputs
        copy.seed, copy.op_seeds = self.seed, self.op_seeds
        copy.attrs = dict(self.attrs)
        lists = copy.attrs.get("accumulators")  # of a loop's body: which value goes to which list
        if lists:
            copy.attrs["accumulators"] = {id(mapping[key]): place for key, place in lists.items() if key in mapping}
        copy.loop_variables = self.loop_variables
        copy.cloned_from = (self, mapping)
        return copy

    def of_clone(self, tensor: Any) -> Any:
        """The tensor of this graph that stands for one of a graph it was cloned from; None if there is none."""
        if self.cloned_from is None:
            return None
        source, mapping = self.cloned_from
        if tensor.op.graph is not source:
            tensor = source.of_clone(tensor)
        return None if tensor is None else mapping.get(id(tensor))

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables it captures."""
        found = []
        for outer, _ in self._captures.values():
            cell = getattr(outer, "_a", None)
            variable = getattr(cell, "variable", None)
            variable = variable() if variable is not None else None
            if variable is not None:
                found.append(variable)
        return tuple(found)

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """The trainable variables it captures."""
        return tuple(v for v in self.variables if v.trainable)


def origin(tensor: Any) -> Any:
    """The tensor that a capture's placeholder stands for, through all graphs; ``tensor`` itself if it is no capture."""
    while tensor.__class__ is SymbolicTensor:
        origins = getattr(tensor.op.graph, "_origins", None)
        outer = origins.get(id(tensor)) if origins else None
        if outer is None:
            return tensor
        tensor = outer
    return tensor
