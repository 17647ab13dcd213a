"""GraphDef: a graph as plain data that prints as protobuf text.

The classes mirror TensorFlow's messages field by field, without protobuf.  Control inputs are those that TensorFlow's
automatic control dependencies give: on the last write for a read, on the last write and the reads since for a write, on
the printing or checking before for printing and checks, and results wait (through one ``NoOp``) for every stateful
operation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.graph.func_graph import FuncGraph, origin
from graphlab.graph.operation import Operation

PRODUCER = 2474  # the graph version of TensorFlow 2.21

_ENUM = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}


def enum_name(dtype: DType) -> str:
    """``DT_FLOAT`` for float32."""
    return "DT_" + _ENUM.get(dtype.name, dtype.name.upper())


def quoted(text: Any) -> str:
    """A text or bytes as protobuf text writes them."""
    raw = text.encode() if isinstance(text, str) else bytes(text)
    out = []
    for byte in raw:
        char = chr(byte)
        if char in '"\\':
            out.append("\\" + char)
        elif char == "\n":
            out.append("\\n")
        elif 32 <= byte < 127:
            out.append(char)
        else:
            out.append(f"\\{byte:03o}")
    return '"' + "".join(out) + '"'


@dataclass(eq=False)
class AttrValue:
    """The value of an attribute; the field that is set says its kind."""

    s: bytes | None = None
    i: int | None = None
    f: float | None = None
    b: bool | None = None
    type: int | None = None
    shape: Any = None
    tensor: Any = None
    func: str | None = None
    list: Any = None

    def __eq__(self, other: object) -> bool:
        from graphlab.graph.graphdef_bytes import attr_bytes

        return isinstance(other, AttrValue) and attr_bytes(self) == attr_bytes(other)

    __hash__ = None  # type: ignore[assignment]

    def WhichOneof(self, name: str) -> str | None:  # noqa: N802 - protobuf's name
        """The name of the field that is set, of ``"value"``."""
        if name != "value":
            raise ValueError(f"AttrValue has no oneof {name!r}.")
        kinds = ("s", "i", "f", "b", "type", "shape", "tensor", "func")
        return next((kind for kind in kinds if getattr(self, kind) is not None), "list")

    def lines(self, indent: str) -> list[str]:
        """Protobuf text."""
        if self.s is not None:
            return [f"{indent}s: {quoted(self.s)}"]
        if self.i is not None:
            return [f"{indent}i: {self.i}"]
        if self.f is not None:
            return [f"{indent}f: {self.f:g}"]
        if self.b is not None:
            return [f"{indent}b: {'true' if self.b else 'false'}"]
        if self.type is not None:
            return [f"{indent}type: {enum_name(DType(self.type))}"]
        if self.func is not None:
            return [f"{indent}func {{", f"{indent}  name: {quoted(self.func)}", f"{indent}}}"]
        if self.shape is not None:
            return [f"{indent}shape {{", *_shape_lines(self.shape[0], indent + "  "), f"{indent}}}"]
        if self.tensor is not None:
            return [f"{indent}tensor {{", *_tensor_lines(self.tensor, indent + "  "), f"{indent}}}"]
        inner = [line for item in self.list or () for line in item.lines(indent + "  ")]
        return [f"{indent}list {{", *inner, f"{indent}}}"]


def _shape_lines(shape: Any, indent: str) -> list[str]:
    if shape is None:
        return [f"{indent}unknown_rank: true"]
    lines = []
    for dim in shape:
        lines += [f"{indent}dim {{", f"{indent}  size: {-1 if dim is None else dim}", f"{indent}}}"]
    return lines


def _tensor_lines(array: Any, indent: str) -> list[str]:
    dtype = dtypes.of_numpy(array.dtype)
    lines = [f"{indent}dtype: {enum_name(dtype)}", f"{indent}tensor_shape {{"]
    lines += _shape_lines(array.shape, indent + "  ")
    lines.append(f"{indent}}}")
    if array.size == 1:
        item = array.reshape(-1)[0]
        if dtype is dtypes.string:
            lines.append(f"{indent}string_val: {quoted(item)}")
        elif dtype.is_bool:
            lines.append(f"{indent}bool_val: {'true' if item else 'false'}")
        elif dtype is dtypes.int64:
            lines.append(f"{indent}int64_val: {item}")
        elif dtype.is_integer:
            lines.append(f"{indent}int_val: {item}")
        elif dtype is dtypes.float32:
            lines.append(f"{indent}float_val: {float(item):g}")
        elif dtype is dtypes.float64:
            lines.append(f"{indent}double_val: {float(item):g}")
        else:
            lines.append(f"{indent}tensor_content: {quoted(np.asarray(array).tobytes())}")
    elif dtype is dtypes.string:
        lines += [f"{indent}string_val: {quoted(item)}" for item in array.reshape(-1)]
    elif array.size:
        lines.append(f"{indent}tensor_content: {quoted(np.ascontiguousarray(array).tobytes())}")
    return lines


@dataclass
class NodeDef:
    """A node: name, op type, inputs (``"x"``, ``"split:1"``, ``"^init"`` for control), device and attributes."""

    name: str
    op: str
    input: list[str] = field(default_factory=list)
    device: str = ""
    attr: dict[str, AttrValue] = field(default_factory=dict)

    def lines(self, kind: str = "node", indent: str = "") -> list[str]:
        """Protobuf text."""
        lines = [f"{indent}{kind} {{", f"{indent}  name: {quoted(self.name)}", f"{indent}  op: {quoted(self.op)}"]
        lines += [f"{indent}  input: {quoted(item)}" for item in self.input]
        if self.device:
            lines.append(f"{indent}  device: {quoted(self.device)}")
        for key, value in self.attr.items():
            lines += [
                f"{indent}  attr {{",
                f"{indent}    key: {quoted(key)}",
                f"{indent}    value {{",
                *value.lines(indent + "      "),
                f"{indent}    }}",
                f"{indent}  }}",
            ]
        lines.append(f"{indent}}}")
        return lines

    def __str__(self) -> str:
        body = [line[2:] for line in self.lines()[1:-1]]
        return "\n".join(body) + "\n"


@dataclass
class ArgDef:
    """An argument of a function in the library."""

    name: str
    type: int


@dataclass
class OpDef:
    """The signature of a function in the library."""

    name: str
    input_arg: list[ArgDef] = field(default_factory=list)
    output_arg: list[ArgDef] = field(default_factory=list)


@dataclass
class FunctionDef:
    """A function in the library: its signature, its nodes, and which tensors its results are."""

    signature: OpDef
    node_def: list[NodeDef] = field(default_factory=list)
    ret: dict[str, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """Protobuf text."""
        lines = ["  function {", "    signature {", f"      name: {quoted(self.signature.name)}"]
        for kind, arguments in (("input_arg", self.signature.input_arg), ("output_arg", self.signature.output_arg)):
            for argument in arguments:
                lines += [
                    f"      {kind} {{",
                    f"        name: {quoted(argument.name)}",
                    f"        type: {enum_name(DType(argument.type))}",
                    "      }",
                ]
        lines.append("    }")
        for node in self.node_def:
            lines += node.lines("node_def", "    ")
        for key, value in self.ret.items():
            lines += ["    ret {", f"      key: {quoted(key)}", f"      value: {quoted(value)}", "    }"]
        lines.append("  }")
        return lines


@dataclass
class FunctionDefLibrary:
    """The functions that a graph's nodes name."""

    function: list[FunctionDef] = field(default_factory=list)


@dataclass
class VersionDef:
    """The version of TensorFlow's graphs that this follows."""

    producer: int = PRODUCER


@public("compat.v1.GraphDef")
@dataclass
class GraphDef:
    """A graph as data.  ``str()`` gives protobuf text, ``SerializeToString()`` bytes, which TensorFlow reads.

    >>> import graphlab as tf
    >>> square = tf.function(lambda x: x * x).get_concrete_function(1.0)
    >>> definition = square.graph.as_graph_def()
    >>> tf.compat.v1.GraphDef.FromString(definition.SerializeToString()) == definition
    True
    """

    node: list[NodeDef] = field(default_factory=list)
    versions: VersionDef = field(default_factory=VersionDef)
    library: FunctionDefLibrary = field(default_factory=FunctionDefLibrary)

    def __str__(self) -> str:
        lines: list[str] = []
        for node in self.node:
            lines += node.lines()
        if self.library.function:
            lines.append("library {")
            for function in self.library.function:
                lines += function.lines()
            lines.append("}")
        lines += ["versions {", f"  producer: {self.versions.producer}", "}"]
        return "\n".join(lines) + "\n"

    def SerializeToString(self) -> bytes:  # noqa: N802 - protobuf's name, as the next ones
        """The graph in protobuf's binary form, which TensorFlow reads."""
        from graphlab.graph.graphdef_bytes import graph_bytes

        return graph_bytes(self)

    @classmethod
    def FromString(cls, data: bytes) -> GraphDef:  # noqa: N802
        """A graph from its binary form.  ValueError if the bytes are none."""
        from graphlab.graph.graphdef_bytes import read_graph

        return read_graph(bytes(data))

    def ParseFromString(self, data: bytes) -> int:  # noqa: N802
        """Becomes the graph that is in the bytes; returns how many these are.  ValueError if they are none."""
        found = self.FromString(data)
        self.node, self.versions, self.library = found.node, found.versions, found.library
        return len(data)

    def __repr__(self) -> str:
        return str(self)


def _value(value: Any, names: dict[int, str]) -> AttrValue | None:
    if isinstance(value, bool):
        return AttrValue(b=value)
    if isinstance(value, int):
        return AttrValue(i=value)
    if isinstance(value, float):
        return AttrValue(f=value)
    if isinstance(value, DType):
        return AttrValue(type=value.as_datatype_enum)
    if isinstance(value, str):
        return AttrValue(s=value.encode())
    if isinstance(value, bytes):
        return AttrValue(s=value)
    if isinstance(value, FuncGraph):
        return AttrValue(func=names.get(id(value), value.name))
    if isinstance(value, (np.ndarray, np.generic)):
        return AttrValue(tensor=np.asarray(value))
    if isinstance(value, (list, tuple)):
        items = [_value(item, names) for item in value]
        return AttrValue(list=[item for item in items if item is not None])
    return None


def _stateful(op: Operation) -> bool:
    # Random ops have a state, but nothing waits for them.
    return op.record.effect is not None


def _resources(op: Operation) -> list[int]:
    return [id(origin(t)) for t in op.inputs if t.dtype is dtypes.resource]


def control_edges(graph: Any) -> tuple[dict[int, list[Operation]], list[Operation]]:
    """Control inputs by ``id(op)``, and the operations that results wait for."""
    edges: dict[int, list[Operation]] = {}
    writes: dict[int, Operation] = {}
    reads: dict[int, list[Operation]] = {}
    run: list[Operation] = []
    for op in graph.ops:
        edges[id(op)] = list(op.control_inputs)
        if not graph.building_function or not _stateful(op):
            continue
        run.append(op)
        only_reads = op.record.effect == "read"
        # What has effects but no resource, such as printing and checks, is in order as if it wrote one resource.
        for resource in _resources(op) or [0]:
            wanted = [writes[resource]] if resource in writes else []
            if only_reads:
                reads.setdefault(resource, []).append(op)
            else:
                wanted += reads.pop(resource, [])
                writes[resource] = op
            for before in wanted:
                if before is not op and before not in edges[id(op)]:
                    edges[id(op)].append(before)
    return edges, run


def _reference(tensor: Any) -> str:
    return tensor.op.name if tensor.index == 0 else f"{tensor.op.name}:{tensor.index}"


def node_def(op: Operation, names: dict[int, str] | None = None, control: Iterable[Operation] = ()) -> NodeDef:
    """One operation as a NodeDef."""
    kind = op.type
    attrs = dict(op.attrs)
    if kind == "Placeholder" and "value" in attrs:
        kind = "Const"
        attrs = {"value": attrs["value"], "dtype": attrs["dtype"]}
    inputs = [_reference(t) for t in op.inputs] + [f"^{c.name}" for c in control]
    node = NodeDef(op.name, kind, inputs, op.device)
    for key, value in attrs.items():
        if key in dtypes._BY_NAME:  # a list of one given dtype has no attribute for it
            continue
        if key == "shape" and kind == "Placeholder":
            node.attr[key] = AttrValue(shape=(value,))
            continue
        if key == "output_shapes" and kind in ("While", "StatelessWhile"):
            node.attr[key] = AttrValue(list=[AttrValue(shape=(s,)) for s in value])
            continue
        found = _value(value, names or {})
        if found is not None:
            node.attr[key] = found
    return node


def _bodies(op: Operation) -> list[FuncGraph]:
    found = []
    for value in op.attrs.values():
        if isinstance(value, FuncGraph):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += [item for item in value if isinstance(item, FuncGraph)]
    return found


def graph_def(graph: Any) -> GraphDef:
    """A graph with the library of the functions that it uses."""
    from graphlab.graph.library import Library

    return Library(graph).definition()
