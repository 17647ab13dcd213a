"""A node of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core.export import public
from graphlab.core.op import Op
from graphlab.core.position import Position, describe
from graphlab.core.shape import RawShape
from graphlab.core.tensor import SymbolicTensor


@public("Operation")
class Operation:
    """One op in a graph: its inputs are tensors of the same graph, its outputs are made by it.

    Attributes:
      type: the op type, ``"AddV2"``.
      name: unique in the graph, ``"add"``.
      inputs, outputs: tensors, lists spread out.
      attrs: all attributes, dtypes of type variables included.
      control_inputs: operations that must run before this one.
      position: where in the user's code it was made (``graphlab.core.position``).
      record: the op's record.
    """

    __slots__ = (
        "__weakref__", "attrs", "control_inputs", "device", "folded", "graph", "inputs", "name", "outputs", "position",
        "record", "type",
    )  # fmt: skip

    def __init__(
        self, graph: Any, record: Op, name: str, inputs: list[Any], attrs: dict[str, Any], position: Position
    ) -> None:
        self.graph = graph
        self.record = record
        self.type = record.type
        self.name = name
        self.inputs = inputs
        self.attrs = attrs
        self.position = position
        self.outputs: list[SymbolicTensor] = []
        self.control_inputs: list[Operation] = []
        self.folded: dict[int, Any] | None = None
        self.device = ""

    def add_output(self, dtype: Any, shape: RawShape) -> SymbolicTensor:
        """Gives the operation one more result."""
        tensor = SymbolicTensor(self, len(self.outputs), dtype, shape)
        self.outputs.append(tensor)
        return tensor

    @property
    def node_def(self) -> Any:
        """This node as a NodeDef."""
        from graphlab.graph.graphdef import node_def

        return node_def(self, control=self.control_inputs)

    def get_attr(self, name: str) -> Any:
        """An attribute's value: text as bytes, a constant's array as a TensorProto.

        Raises:
          ValueError: the op has no such attribute.
        """
        try:
            value = self.attrs[name]
        except KeyError:
            raise ValueError(f"Operation {self.name!r} ({self.type}) has no attr named {name!r}.") from None
        if isinstance(value, str):
            return value.encode()
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value)
        if isinstance(value, (np.ndarray, np.generic)):
            from graphlab.graph.tensor_proto import make_tensor_proto

            return make_tensor_proto(value, self.attrs.get("dtype"))
        return value

    def colocation_groups(self) -> list[bytes]:
        """Which operations it is to run beside: itself."""
        return [f"loc:@{self.name}".encode()]

    def values(self) -> tuple[SymbolicTensor, ...]:
        """The results."""
        return tuple(self.outputs)

    def where(self) -> str:
        """The user's lines that made it, as in a traceback; empty if unknown."""
        return describe(self.position)

    @property
    def effect(self) -> str | None:
        """The effect of this very node: a structured op has one if a body has."""
        return self.record.effect

    def __str__(self) -> str:
        return str(self.node_def)

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"
