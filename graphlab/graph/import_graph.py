"""``tf.import_graph_def``: the nodes of a GraphDef as operations of the graph that is being built."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from graphlab.core.convert import convert_to_tensor
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.op import LIST, REQUIRED, Op
from graphlab.core.state import building, state
from graphlab.core.tensor import Tensor
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.graph import Graph
from graphlab.graph.operation import Operation
from graphlab.graph.tensor_proto import make_ndarray

# Where the records are that are made in tables.
_PLACES: Final = {
    **dict.fromkeys(("Const", "Placeholder"), "graphlab.graph.graph"),
    **dict.fromkeys(
        ("If", "Case", "While", "StatelessIf", "StatelessCase", "StatelessWhile"), "graphlab.control.structured"
    ),
}
_STRUCTURED: Final = ("If", "Case", "While", "StatefulPartitionedCall")


def record_of(kind: str, bodies: Sequence[FuncGraph] = ()) -> Op:
    """The record of an op type; for one that runs graphs, that with their effect.

    Raises:
      ValueError: there is no such op.
    """
    from graphlab._index import OPS

    place = _PLACES.get(kind) or OPS.get(kind)
    if place is None:
        raise ValueError(f"Op type not registered {kind!r}: this runtime has no such op.")
    module = importlib.import_module(place)
    found = [op for op in _records(vars(module)) if op.type == kind]
    if not found:
        raise ValueError(f"Op type not registered {kind!r}: this runtime has no such op.")
    if kind in _STRUCTURED:
        effect = "io" if any(body.has_effects for body in bodies) else "read"
        return next((op for op in found if op.effect == effect), found[0])
    return found[0]


def _records(names: Mapping[str, Any]) -> Iterator[Op]:
    for value in list(names.values()):
        if isinstance(value, Op):
            yield value
        elif isinstance(value, dict):
            yield from (item for item in value.values() if isinstance(item, Op))


class _Importer:
    """Adds nodes to a graph, and makes the graphs of the library's functions when nodes name them."""

    def __init__(self, definition: Any) -> None:
        self._functions = {function.signature.name: function for function in definition.library.function}
        self._graphs: dict[str, FuncGraph] = {}

    # -- attributes ----------------------------------------------------------------------------------------------------

    def value(self, attr: Any, wanted: Any = None) -> Any:
        """An AttrValue, of this library or of TensorFlow, as records have it; ``wanted`` is a value of that kind."""
        kind = attr.WhichOneof("value")
        if kind == "list":
            return self._list(attr.list)
        found: Any = getattr(attr, kind) if kind else None
        if kind == "s":
            return found.decode() if isinstance(wanted, str) or wanted is REQUIRED else found
        if kind == "type":
            return DType(found)
        if kind == "shape":
            return _sizes(found)
        if kind == "tensor":
            return np.asarray(found if isinstance(found, np.ndarray) else make_ndarray(found))
        if kind == "func":
            return self.graph(found if isinstance(found, str) else found.name)
        return found

    def _list(self, values: Any) -> list[Any]:
        if isinstance(values, list):
            return [self.value(item) for item in values]
        if values is None:
            return []
        shapes = [_sizes(shape) for shape in values.shape]
        functions = [self.graph(func.name) for func in values.func]
        types = [DType(kind) for kind in values.type]
        return [*values.s, *values.i, *values.f, *values.b, *types, *shapes, *functions]

    def _attributes(self, node: Any) -> tuple[Op, dict[str, Any]]:
        bodies = []
        for attr in node.attr.values():
            value = self.value(attr) if attr.WhichOneof("value") in ("func", "list") else None
            bodies += [body for body in (value if isinstance(value, list) else [value]) if isinstance(body, FuncGraph)]
        record = record_of(node.op, bodies)
        attrs = dict(record.attrs)
        for key, attr in node.attr.items():
            if key in attrs or key in record.type_attrs or key in _counted(record) or record.type in _PLAIN:
                attrs[key] = self.value(attr, record.attrs.get(key))
        missing = [key for key, value in attrs.items() if value is REQUIRED]
        if missing:
            raise ValueError(f"NodeDef {node.name!r} missing attr {missing[0]!r} of the op {node.op}.")
        return record, attrs

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def add(self, graph: Graph, node: Any, name: str, tensors: list[Any], control: list[Operation]) -> Operation:
        """One node."""
        record, attrs = self._attributes(node)
        if record.type == "Const":
            made = graph.constant(attrs["value"], f"{name}/").op
        elif record.type == "Placeholder":
            made = graph.append(record, name, [], attrs)
            made.outputs[0]._shape = attrs["shape"]
        else:
            _complete(record, attrs, tensors)
            _check(record, attrs, tensors, node)
            made = graph.append(record, name, tensors, attrs)
        for before in control:
            if before not in made.control_inputs:
                made.control_inputs = [*made.control_inputs, before]
        return made  # type: ignore[no-any-return]

    def graph(self, name: str) -> FuncGraph:
        """A function of the library."""
        found = self._graphs.get(name)
        if found is not None:
            return found
        if name not in self._functions:
            raise ValueError(f"The function {name!r} is not in the library of the GraphDef.")
        definition = self._functions[name]
        graph = FuncGraph(name.removeprefix("__inference_"), None)
        with graph.build():
            tensors: dict[str, Any] = {}
            for argument in definition.signature.input_arg:
                tensors[argument.name] = graph.argument(DType(argument.type), None, argument.name)
            made: dict[str, Operation] = {}

            def find(reference: str) -> Any:
                if ":" not in reference:
                    return tensors[reference]
                owner, output, offset = reference.split(":")
                op = made[owner]
                return op.outputs[_first(op, output) + int(offset)]

            for node in _ordered(definition.node_def, set(tensors)):
                data, control = _inputs(node)
                before = [made[x] for x in control if x in made]
                made[node.name] = self.add(graph, node, graph.unique(node.name), [find(x) for x in data], before)
            for argument in definition.signature.output_arg:
                graph.outputs.append(find(definition.ret[argument.name]))
        graph.loop_variables = len(graph.inputs)
        self._graphs[name] = graph
        return graph


_PLAIN: Final = ("Const", "Placeholder")


def _counted(record: Op) -> set[Any]:
    return {param.count for param in (*record.inputs, *record.outputs) if param.count} | {
        param.type for param in (*record.inputs, *record.outputs) if param.kind >= LIST and isinstance(param.type, str)
    }


def _sizes(shape: Any) -> Any:
    if isinstance(shape, tuple):
        return shape[0]
    if shape.unknown_rank:
        return None
    return tuple(None if dim.size < 0 else int(dim.size) for dim in shape.dim)


def _complete(record: Op, attrs: dict[str, Any], tensors: Sequence[Any]) -> None:
    """Sets the types that a node leaves out to those of its inputs."""
    if all(param.kind < LIST for param in record.inputs):
        for param, tensor in zip(record.inputs, tensors, strict=False):
            if isinstance(param.type, str):
                attrs.setdefault(param.type, tensor.dtype)


def _check(record: Op, attrs: Mapping[str, Any], tensors: Sequence[Any], node: Any) -> None:
    """ValueError for a tensor of another dtype than the node says."""
    wanted: list[Any] = []
    for param in record.inputs:
        kind = attrs.get(param.type, param.type) if isinstance(param.type, str) else param.type
        if param.kind >= LIST:
            length = param.length(attrs)
            wanted += list(kind) if isinstance(kind, list) else [kind] * length
        else:
            wanted.append(kind)
    if len(wanted) != len(tensors):
        raise ValueError(f"NodeDef expected {len(wanted)} inputs, but {node.name} of {node.op} has {len(tensors)}.")
    for index, (dtype, tensor) in enumerate(zip(wanted, tensors, strict=True)):
        if isinstance(dtype, DType) and tensor.dtype is not dtype:
            raise ValueError(
                f"Input {index} of node {node.name} was passed {tensor.dtype.name} from {tensor.name} incompatible "
                f"with expected {dtype.name}."
            )


def _first(op: Operation, output: str) -> int:
    """The index of the first tensor of a named result."""
    index = 0
    for param in op.record.outputs:
        if param.name == output:
            return index
        index += param.length(op.attrs) if param.kind >= LIST else 1
    return 0


def _inputs(node: Any) -> tuple[list[str], list[str]]:
    data = [name for name in node.input if not name.startswith("^")]
    return data, [name[1:] for name in node.input if name.startswith("^")]


def _ordered(nodes: Sequence[Any], known: set[str]) -> list[Any]:
    """The nodes, each behind those that it uses; otherwise as they stand.

    Raises:
      ValueError: for an input that is no node, and for a circle.
    """
    by_name = {node.name: node for node in nodes}
    found: dict[str, Any] = {}
    for start in nodes:
        path: list[tuple[Any, Iterator[str]]] = [(start, iter(start.input))] if start.name not in found else []
        active = {start.name}
        while path:
            node, rest = path[-1]
            for reference in rest:
                name = reference.lstrip("^").split(":")[0]
                if name in found or name in known:
                    continue
                if name not in by_name:
                    raise ValueError(f"Node {node.name!r}: Unknown input node {reference!r}")
                if name in active:
                    raise ValueError(f"The nodes of the GraphDef form a circle through {name!r}.")
                active.add(name)
                path.append((by_name[name], iter(by_name[name].input)))
                break
            else:
                path.pop()
                found[node.name] = node
    return list(found.values())


@public("import_graph_def", "graph_util.import_graph_def")
def import_graph_def(
    graph_def: Any, input_map: Mapping[str, Any] | None = None, return_elements: Sequence[str] | None = None,
    name: str | None = None, op_dict: Any = None, producer_op_list: Any = None,
) -> Any:  # fmt: skip
    """Adds the nodes of a GraphDef to the graph that is being built.

    Args:
      graph_def: what ``as_graph_def()`` gives, here or in TensorFlow.
      input_map: tensors that take the place of some of its tensors, by their names in it (``"x"`` or ``"x:0"``).
      return_elements: the names of operations (``"add"``) and tensors (``"add:0"``) to return.
      name: what comes in front of the names of nodes; by default ``"import"``, and nothing for ``""``.
      op_dict: not used.
      producer_op_list: not used.

    Returns:
      The operations and tensors asked for; None if nothing was.

    Raises:
      TypeError: for what is no GraphDef, and names that are no text.
      ValueError: for names that are not in it, an op that this runtime does not have, or tensors of other dtypes.

    >>> import graphlab as tf
    >>> square = tf.function(lambda x: x * x).get_concrete_function(tf.TensorSpec([], tf.float32))
    >>> definition = square.graph.as_graph_def()
    >>> @tf.function
    ... def imported(x):
    ...     return tf.import_graph_def(definition, {"x": x}, ["Identity:0"])[0]
    >>> imported(3.0).numpy()
    np.float32(9.0)
    """
    del op_dict, producer_op_list
    if not hasattr(graph_def, "node") or not hasattr(graph_def, "library"):
        raise TypeError("Argument `graph_def` must be a GraphDef proto.")
    wanted = [] if return_elements is None else list(return_elements)
    if not all(isinstance(part, str) for part in wanted):
        raise TypeError(f"Argument `return_elements` must be a list of strings. Obtained {return_elements}.")
    graph = state.graph
    if graph is None:
        graph = Graph()
        with building(graph):
            found = _added(graph, graph_def, input_map or {}, wanted, name)
    else:
        found = _added(graph, graph_def, input_map or {}, wanted, name)
    return None if return_elements is None else found


def _added(
    graph: Graph, definition: Any, input_map: Mapping[str, Any], wanted: list[str], name: str | None
) -> list[Any]:
    replaced: dict[str, Any] = {}
    for key, value in input_map.items():
        tensor = value if isinstance(value, Tensor) else convert_to_tensor(value)
        replaced[key if ":" in key else f"{key}:0"] = graph.own(tensor)
    with graph.scope("import" if name is None else name or None) as scope:
        pass
    importer = _Importer(definition)
    made: dict[str, Operation] = {}
    unused = set(replaced)

    def tensor_of(reference: str) -> Any:
        full = reference if ":" in reference else f"{reference}:0"
        if full in replaced:
            unused.discard(full)
            return replaced[full]
        return _result(made[full.rpartition(":")[0]], full)

    for node in _ordered(definition.node, set()):
        data, control = _inputs(node)
        unique = graph.unique(scope + node.name)
        made[node.name] = importer.add(
            graph, node, unique, [tensor_of(x) for x in data], [made[x] for x in control if x in made]
        )
    unused -= {key for key in replaced if key.rpartition(":")[0] in made}
    if unused:
        raise ValueError(f"Attempted to map inputs that were not found in graph_def: [{', '.join(sorted(unused))}]")
    return [_returned(part, made, replaced) for part in wanted]


def _result(op: Operation, reference: str) -> Any:
    index = int(reference.rpartition(":")[2])
    if index >= len(op.outputs):
        raise ValueError(
            f"Invalid return output {index} of node {reference.rpartition(':')[0]!r}, which has {len(op.outputs)} "
            "output(s)"
        )
    return op.outputs[index]


def _returned(part: str, made: Mapping[str, Operation], replaced: Mapping[str, Any]) -> Any:
    if ":" not in part:
        if part not in made:
            raise ValueError(f"Requested return node '{part}' not found in graph def")
        return made[part]
    if part in replaced:
        return replaced[part]
    owner = part.rpartition(":")[0]
    if owner not in made:
        raise ValueError(f"Requested return tensor '{part}' not found in graph def")
    return _result(made[owner], part)
