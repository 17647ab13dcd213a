"""A GraphDef as bytes, in protobuf's binary form, and back."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.graph import graphdef as d
from graphlab.graph.tensor_proto import Dim, TensorProto, TensorShapeProto, make_ndarray, make_tensor_proto
from graphlab.graph.wire import Writer, fields, floats, numbers, signed

# The fields of a TensorProto that hold values one by one: number, and how they are written.
_VALUES: Final[dict[str, tuple[int, str | None]]] = {
    "half_val": (13, None), "float_val": (5, "f"), "double_val": (6, "d"), "int_val": (7, None),
    "scomplex_val": (9, "f"), "int64_val": (10, None), "bool_val": (11, None), "dcomplex_val": (12, "d"),
    "uint32_val": (16, None), "uint64_val": (17, None),
}  # fmt: skip
_STRINGS: Final = 8
_BY_NUMBER: Final = {number: (name, code) for name, (number, code) in _VALUES.items()}


# -------------------------------------------------------------------------------------------------------------- writing


def _shape(sizes: Any) -> bytes:
    out = Writer()
    if sizes is None:
        out.whole(3, True)
    for size in sizes or ():
        dim = Writer()
        dim.whole(1, -1 if size is None else size)
        out.message(2, dim.done())
    return out.done()


def tensor_bytes(array: Any) -> bytes:
    """An array as a TensorProto in bytes."""
    array = np.asarray(array)
    proto = make_tensor_proto(array, dtypes.of_numpy(array.dtype))
    out = Writer()
    out.whole(1, proto.dtype)
    out.message(2, _shape(array.shape))
    out.text(4, proto.tensor_content)
    for name, (number, code) in _VALUES.items():
        out.packed(number, [int(v) if code is None else v for v in getattr(proto, name)], code)
    for text in getattr(proto, "string_val"):  # noqa: B009 - the fields are made by name
        out.text(_STRINGS, text, always=True)
    return out.done()


def _function_name(name: str) -> bytes:
    out = Writer()
    out.text(1, name)
    return out.done()


def _list(items: list[d.AttrValue]) -> bytes:
    out = Writer()
    for item in items:
        if item.s is not None:
            out.text(2, item.s, always=True)
        elif item.shape is not None:
            out.message(7, _shape(item.shape[0]))
        elif item.tensor is not None:
            out.message(8, tensor_bytes(item.tensor))
        elif item.func is not None:
            out.message(9, _function_name(item.func))
    out.packed(3, [item.i for item in items if item.i is not None])
    out.packed(4, [item.f for item in items if item.f is not None], "f")
    out.packed(5, [int(item.b) for item in items if item.b is not None])
    out.packed(6, [item.type for item in items if item.type is not None])
    return out.done()


def attr_bytes(value: d.AttrValue) -> bytes:
    """An AttrValue."""
    out = Writer()
    kind = value.WhichOneof("value")
    if kind == "s":
        out.text(2, value.s or b"", always=True)
    elif kind == "i":
        out.whole(3, value.i or 0, always=True)
    elif kind == "f":
        out.single(4, value.f or 0.0, always=True)
    elif kind == "b":
        out.whole(5, bool(value.b), always=True)
    elif kind == "type":
        out.whole(6, value.type or 0, always=True)
    elif kind == "shape":
        out.message(7, _shape(value.shape[0]))
    elif kind == "tensor":
        out.message(8, tensor_bytes(value.tensor))
    elif kind == "func":
        out.message(10, _function_name(value.func or ""))
    else:
        out.message(1, _list(value.list or []))
    return out.done()


def node_bytes(node: d.NodeDef) -> bytes:
    """A NodeDef."""
    out = Writer()
    out.text(1, node.name)
    out.text(2, node.op)
    for name in node.input:
        out.text(3, name, always=True)
    out.text(4, node.device)
    for key, value in sorted(node.attr.items()):
        out.entry(5, key, attr_bytes(value))
    return out.done()


def _function(function: d.FunctionDef) -> bytes:
    signature = Writer()
    signature.text(1, function.signature.name)
    for field, arguments in ((2, function.signature.input_arg), (3, function.signature.output_arg)):
        for argument in arguments:
            inner = Writer()
            inner.text(1, argument.name)
            inner.whole(3, argument.type)
            signature.message(field, inner.done())
    out = Writer()
    out.message(1, signature.done())
    for node in function.node_def:
        out.message(3, node_bytes(node))
    for key, value in sorted(function.ret.items()):
        out.entry(4, key, value)
    return out.done()


def graph_bytes(graph: d.GraphDef) -> bytes:
    """A GraphDef."""
    out = Writer()
    for node in graph.node:
        out.message(1, node_bytes(node))
    if graph.library.function:
        library = Writer()
        for function in graph.library.function:
            library.message(1, _function(function))
        out.message(2, library.done())
    versions = Writer()
    versions.whole(1, graph.versions.producer)
    out.message(4, versions.done())
    return out.done()


# -------------------------------------------------------------------------------------------------------------- reading


def _entry(data: bytes) -> tuple[str, bytes]:
    key, value = "", b""
    for field, found in fields(data):
        if field == 1:
            key = found.decode()
        elif field == 2:
            value = found
    return key, value


def _read_shape(data: bytes) -> Any:
    sizes: list[int | None] = []
    for field, value in fields(data):
        if field == 3 and value:
            return None
        if field == 2:
            size = next((signed(item) for number, item in fields(value) if number == 1), 0)
            sizes.append(None if size < 0 else size)
    return tuple(sizes)


def _read_tensor(data: bytes) -> Any:
    proto = TensorProto(0, TensorShapeProto())
    for field, value in fields(data):
        if field == 1:
            proto.dtype = value
        elif field == 2:
            proto.tensor_shape = TensorShapeProto([Dim(-1 if size is None else size) for size in _read_shape(value)])
        elif field == 4:
            proto.tensor_content = value
        elif field == _STRINGS:
            getattr(proto, "string_val").append(value)  # noqa: B009
        elif field in _BY_NUMBER:
            name, code = _BY_NUMBER[field]
            getattr(proto, name).extend(numbers(value) if code is None else floats(value, code))
    return make_ndarray(proto)


def _read_name(data: bytes) -> str:
    return next((value.decode() for field, value in fields(data) if field == 1), "")


def _read_list(data: bytes) -> list[d.AttrValue]:
    found: list[d.AttrValue] = []
    for field, value in fields(data):
        if field == 2:
            found.append(d.AttrValue(s=value))
        elif field == 3:
            found += [d.AttrValue(i=item) for item in numbers(value)]
        elif field == 4:
            found += [d.AttrValue(f=item) for item in floats(value, "f")]
        elif field == 5:
            found += [d.AttrValue(b=bool(item)) for item in numbers(value)]
        elif field == 6:
            found += [d.AttrValue(type=item) for item in numbers(value)]
        elif field == 7:
            found.append(d.AttrValue(shape=(_read_shape(value),)))
        elif field == 8:
            found.append(d.AttrValue(tensor=_read_tensor(value)))
        elif field == 9:
            found.append(d.AttrValue(func=_read_name(value)))
    return found


def _read_attr(data: bytes) -> d.AttrValue:
    for field, value in fields(data):
        if field == 1:
            return d.AttrValue(list=_read_list(value))
        if field == 2:
            return d.AttrValue(s=value)
        if field == 3:
            return d.AttrValue(i=signed(value))
        if field == 4:
            return d.AttrValue(f=floats(value, "f")[0])
        if field == 5:
            return d.AttrValue(b=bool(value))
        if field == 6:
            return d.AttrValue(type=value)
        if field == 7:
            return d.AttrValue(shape=(_read_shape(value),))
        if field == 8:
            return d.AttrValue(tensor=_read_tensor(value))
        if field == 10:
            return d.AttrValue(func=_read_name(value))
    return d.AttrValue()


def _read_node(data: bytes) -> d.NodeDef:
    node = d.NodeDef("", "")
    for field, value in fields(data):
        if field == 1:
            node.name = value.decode()
        elif field == 2:
            node.op = value.decode()
        elif field == 3:
            node.input.append(value.decode())
        elif field == 4:
            node.device = value.decode()
        elif field == 5:
            key, attr = _entry(value)
            node.attr[key] = _read_attr(attr)
    return node


def _read_function(data: bytes) -> d.FunctionDef:
    function = d.FunctionDef(d.OpDef(""))
    for field, value in fields(data):
        if field == 1:
            for number, part in fields(value):
                if number == 1:
                    function.signature.name = part.decode()
                elif number in (2, 3):
                    told = dict(fields(part))
                    argument = d.ArgDef(told.get(1, b"").decode(), told.get(3, 0))
                    (function.signature.input_arg if number == 2 else function.signature.output_arg).append(argument)
        elif field == 3:
            function.node_def.append(_read_node(value))
        elif field == 4:
            key, text = _entry(value)
            function.ret[key] = text.decode()
    return function


def read_graph(data: bytes) -> d.GraphDef:
    """A GraphDef from its bytes.

    Raises:
      ValueError: the bytes are no GraphDef, or a part of one.
    """
    graph = d.GraphDef()
    graph.versions.producer = 0
    for field, value in fields(data):
        if field == 1:
            graph.node.append(_read_node(value))
        elif field == 2:
            graph.library.function += [_read_function(part) for number, part in fields(value) if number == 1]
        elif field == 4:
            graph.versions.producer = next((item for number, item in fields(value) if number == 1), 0)
    return graph
