"""Graph: a list of operations in program order, with TensorFlow's naming rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from graphlab.core.convert import make
from graphlab.core.dispatch import complete, prepare, shape_results, tell
from graphlab.core.dtypes import DType, of_numpy
from graphlab.core.export import public
from graphlab.core.op import MIXED, Arg, Op, define
from graphlab.core.position import here
from graphlab.core.shape import RawShape, TensorShape
from graphlab.core.state import building, state
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor
from graphlab.graph.devices import device_entry, placed
from graphlab.graph.operation import Operation


def _no_kernel(*arrays: Any, **attrs: Any) -> Any:
    raise AssertionError("the emitter places this op itself")


CONST = define("Const", "-> output: dtype", kernel=_no_kernel, attrs={"value": None, "dtype": None})
PLACEHOLDER = define("Placeholder", "-> output: dtype", kernel=_no_kernel, attrs={"dtype": None, "shape": None})


@public("Graph")
class Graph:
    """A graph of operations, in the order in which the program made them.

    >>> import graphlab as tf
    >>> g = tf.Graph()
    >>> with g.as_default():
    ...     c = tf.constant(1.0) + tf.constant(2.0)
    >>> [op.name for op in g.get_operations()]
    ['Const', 'Const_1', 'add']
    """

    building_function = False

    def __init__(self) -> None:
        self.ops: list[Operation] = []
        self.outer: Graph | None = None
        self.seed: int | None = None
        self.op_seeds = 0
        self.gradient_of: dict[str, Operation] = {}  # by name of an operation that computes part of its gradient
        self.within = ""
        self.shown_names: dict[str, str] = {}
        self._names: dict[str, int] = {}
        self._by_name: dict[str, Operation] = {}
        self._scope = ""
        self._control: list[tuple[list[Operation], set[int]]] = []  # what to wait for; what waits for it already
        self._devices: tuple[Any, ...] = ()  # what the `with` blocks around say, outermost first
        self._collections: dict[Any, list[Any]] = {}
        self.finalized = False
        # A body that an error left half-built, and how many operations were here then.
        self.stopped_inside: tuple[Graph, int] | None = None

    # -- names ---------------------------------------------------------------------------------------------------------

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """A name not used in this graph yet, inside the current scope: ``add``, ``add_1``, ...; case does not count."""
        return self.unique(self._scope + name, mark_as_used)

    def unique(self, full: str, mark: bool = True) -> str:
        """As ``unique_name`` for a name that holds its scope already."""
        names = self._names
        key = full.lower()
        count = names.get(key, 0)
        if mark:
            names[key] = count + 1
        if not count:
            return full
        while True:
            candidate = f"{full}_{count}"
            lowered = candidate.lower()
            if lowered not in names:
                break
            count += 1
        if mark:
            names[lowered] = 1
            names[key] = count + 1
        return candidate

    @contextmanager
    def scope(self, name: str | None) -> Iterator[str]:
        """Opens a name scope; yields its full name with the slash (``""`` for the root)."""
        before = self._scope
        if not name:
            full = ""
        elif name.endswith("/"):
            full = name
        else:
            full = self.unique(before + name) + "/"
        self._scope = full
        try:
            yield full
        finally:
            self._scope = before

    name_scope = scope

    def get_name_scope(self) -> str:
        """The current scope, without the slash."""
        return self._scope.rstrip("/")

    # -- building ------------------------------------------------------------------------------------------------------

    def bind(
        self,
        op: Op,
        inputs: Sequence[Any],
        attrs: Mapping[str, Any] | None = None,
        name: str | None = None,
        hinted: bool = False,
    ) -> Any:
        """Appends an op; see ``graphlab.core.dispatch.bind``."""
        full = complete(op, attrs)
        for key, allowed in op.choices.items():
            if full[key] not in allowed:
                raise ValueError(f"Attr {key!r} of {op.type!r} is {full[key]!r}, which is not one of {allowed}.")
        base = name or op.label
        if base.__class__ is not str and not isinstance(base, str):
            raise TypeError(f"A name must be a string, not {base!r:.100}.")
        if base.endswith("/"):
            unique = base[:-1]
        else:
            unique = self.unique(self._scope + base)
        for value in inputs:
            if not isinstance(value, Tensor):
                before = self._scope
                self._scope = unique + "/"
                try:
                    if hinted:
                        first = make(inputs[0], None, None, "x")
                        inputs = (first, make(inputs[1], None, first.dtype, "y"))
                    tensors = prepare(op, inputs, full, make, eager=False)
                finally:
                    self._scope = before
                break
        else:
            tensors = prepare(op, inputs, full, make, eager=False)
        operation = self.append(op, unique, tensors, full)
        if not op.outputs:
            return operation
        outputs = operation.outputs
        if op.single:
            if state.tapes:
                tell(op, full, list(operation.inputs), outputs)
            return outputs[0]
        own = list(outputs)  # a forward accumulator asks for the gradient at once, which may add results
        if state.tapes:
            tell(op, full, list(operation.inputs), outputs)
        return shape_results(op, own, full)

    def append(self, op: Op, name: str, tensors: list[Any], attrs: dict[str, Any]) -> Operation:
        """Adds a node with prepared inputs under a name that is unique already."""
        owned = [
            t if t.__class__ is SymbolicTensor and t.op.graph is self else self._argument(op, name, tensors, i)
            for i, t in enumerate(tensors)
        ]
        node = Operation(self, op, name, owned, attrs, here(2))
        shapes = self._infer(op, owned, attrs)
        for index, dtype in enumerate(op.output_dtypes(attrs)):
            node.add_output(dtype, shapes[index] if shapes is not None else None)
        self._add(node)
        return node

    def _argument(self, op: Op, name: str, tensors: list[Any], index: int) -> SymbolicTensor:
        """Takes a tensor from outside: a capture is named after the argument it is for, ``add/y``."""
        params = op.inputs
        argument = params[min(index, len(params) - 1)].name
        if not op.simple and params[-1].kind == MIXED and index >= len(params) - 1:
            if len(params) == 1 and not op.type.endswith("While"):  # a call: TensorFlow names its captures by number
                return self.own(tensors[index], str(id(tensors[index])))
            argument = f"{argument}_{index - len(params) + 1}"
        return self.own(tensors[index], f"{name}/{argument}")

    def _infer(self, op: Op, inputs: list[Any], attrs: dict[str, Any]) -> Any:
        if op.infer is None:
            return None
        try:
            result = op.infer([Arg(t) for t in inputs], attrs)
        except (TypeError, IndexError, ArithmeticError) as error:  # a known value of another shape than it must have
            raise ValueError(f"{op.type} can't take inputs of the shapes {_shapes(inputs)}: {error}") from error
        except ValueError as error:
            # The error of an op knows its sizes; which op it is, and all of its inputs, is known here.
            if type(error) is ValueError and len(error.args) == 1 and not getattr(error, "told", False):
                of = f", inputs of the shapes {_shapes(inputs)}" if inputs else ""
                error.args = (f"{error.args[0]} [Op:{op.type}{of}]",)
                error.told = True  # type: ignore[attr-defined]
            raise
        return result if type(result) is list else [result]

    def _add(self, node: Operation) -> None:
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        if self._control and node.type != "Placeholder":  # arguments are there before
            mine = {id(t.op) for t in node.inputs}
            for waited, waiting in self._control:
                if mine.isdisjoint(waiting):  # else it waits through one of its inputs
                    found = node.control_inputs
                    node.control_inputs = found + [op for op in waited if id(op) not in mine and op not in found]
                waiting.add(id(node))
        if self._devices:
            node.device = placed(self._devices, node)
        self.ops.append(node)
        self._by_name[node.name] = node

    def own(self, tensor: Any, name: str | None = None) -> SymbolicTensor:
        """The tensor of this graph that stands for ``tensor``: itself, a constant, or (in a FuncGraph) a capture."""
        if isinstance(tensor, SymbolicTensor):
            if tensor.op.graph is self:
                return tensor
            raise ValueError(f"{tensor!r} is from another graph than {self!r}.")
        if isinstance(tensor, EagerTensor) and tensor.dtype.np is not None:
            return self.constant(tensor._a, "Const")
        raise ValueError(f"{tensor!r} cannot be used in {self!r}.")

    def constant(self, array: Any, name: str = "Const") -> SymbolicTensor:
        """A constant node."""
        dtype = of_numpy(array.dtype)
        if name.endswith("/"):
            unique = name[:-1]
        else:
            unique = self.unique(self._scope + name)
        node = Operation(self, CONST, unique, [], {"value": array, "dtype": dtype}, here(2))
        output = node.add_output(dtype, array.shape)
        self._add(node)
        return output

    def placeholder(self, dtype: DType, shape: RawShape, name: str = "Placeholder") -> SymbolicTensor:
        """An argument of the graph."""
        node = Operation(
            self, PLACEHOLDER, self.unique(self._scope + name), [], {"dtype": dtype, "shape": shape}, here(2)
        )
        output = node.add_output(dtype, shape)
        self._add(node)
        return output

    @contextmanager
    def control_dependencies(self, inputs: Any) -> Iterator[None]:
        """Operations made inside run after ``inputs`` (operations or tensors; None clears)."""
        before = self._control
        if inputs is None:
            self._control = []
        else:
            found = []
            for item in inputs:
                if isinstance(item, Operation):
                    found.append(item)
                elif isinstance(item, SymbolicTensor):
                    found.append(self.own(item).op)
                elif not isinstance(item, EagerTensor) and hasattr(item, "op") and isinstance(item.op, Operation):
                    found.append(item.op)
            own = [op for op in found if op.graph is self]
            self._control = [*before, (own, set())] if own else before
        try:
            yield
        finally:
            self._control = before

    @contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Says where the operations made inside are to run, which their ``device`` tells.

        Args:
          device_name_or_function: a name or ``tf.DeviceSpec``, merged with those around; a function from an operation
            to a name; or None, which ends what the blocks around say.

        Raises:
          ValueError: a name that is none.
          TypeError: something else.

        >>> import graphlab as tf
        >>> g = tf.Graph()
        >>> with g.as_default(), g.device("/job:worker"), g.device("/gpu:1"):
        ...     tf.constant(1).device
        '/job:worker/device:GPU:1'
        """
        before = self._devices
        self._devices = (*before, device_entry(device_name_or_function))
        try:
            yield
        finally:
            self._devices = before

    @contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Gives the operations made inside the device of ``op``, an operation or tensor; None leaves them without one.

        Args:
          op: the operation, or None together with ``ignore_existing``.
          ignore_existing: whether what the blocks around say ends here.

        Raises:
          ValueError: None, without ``ignore_existing``.
        """
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but `ignore_existing` is not True.")
        before = self._devices
        device = "" if op is None else getattr(op, "op", op).device
        self._devices = (device_entry(device),) if device else ()
        try:
            yield
        finally:
            self._devices = before

    # -- the public face -----------------------------------------------------------------------------------------------

    def as_default(self) -> building:
        """Makes this the graph that operations of this thread are added to."""
        return building(self)

    def stands_in(self, scope: str) -> None:
        """Says that this is the body of a branch or loop of the outer graph: its tensors show names in that scope."""
        if self.outer is not None:
            scope = self.outer.within + scope
            self._devices = self.outer._devices
        self.within = scope

    def shown_name(self, name: str) -> str:
        """The name of an operation as users see it: ``cond/mul`` for ``mul`` in a branch."""
        return self.within + self.shown_names.get(name, name)

    def get_operations(self) -> list[Operation]:
        """All operations, in program order."""
        return list(self.ops)

    def get_operation_by_name(self, name: str) -> Operation:
        """KeyError if there is none of that name."""
        try:
            return self._by_name[name]
        except KeyError:
            if self.within and name.startswith(self.within):
                inner = name.removeprefix(self.within)
                inner = next((own for own, shown in self.shown_names.items() if shown == inner), inner)
                if inner in self._by_name:
                    return self._by_name[inner]
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.") from None

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """``"add:0"`` → tensor.  KeyError if there is none of that name."""
        op, colon, index = name.rpartition(":")
        if not colon:
            raise ValueError(f"The name {name!r} is that of an operation; a tensor's is {name + ':0'!r}.")
        outputs = self.get_operation_by_name(op).outputs
        if not 0 <= int(index) < len(outputs):
            raise KeyError(f"The name {name!r} refers to a result that operation {op!r} does not have.")
        return outputs[int(index)]

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation that a name or object stands for."""
        if isinstance(obj, str):
            return self.get_tensor_by_name(obj) if ":" in obj else self.get_operation_by_name(obj)
        return obj

    def get_collection(self, name: Any) -> list[Any]:
        """The list of values collected under a name."""
        return list(self._collections.get(name, ()))

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Appends to a collection."""
        self._collections.setdefault(name, []).append(value)

    def finalize(self) -> None:
        """Forbids further operations."""
        self.finalized = True

    def as_graph_def(self, from_version: Any = None, add_shapes: bool = False) -> Any:
        """The graph as a GraphDef: nodes with names, ops, inputs and attributes."""
        from graphlab.graph.graphdef import graph_def

        return graph_def(self)


def _shapes(tensors: list[Any]) -> str:
    return ", ".join(str(TensorShape(t._raw_shape())) for t in tensors)
