"""Variables: a handle to memory that programs read and assign.

A Variable owns a ``Cell``; its handle is a resource tensor that graphs capture by reference.  Reading, assigning and
updating are ops on the handle, so they run, trace and differentiate like any other.
"""

from __future__ import annotations

import enum
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from graphlab.core import dtypes, errors
from graphlab.core.convert import make
from graphlab.core.dispatch import bind, name_scope, named, tell
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.operators import variable as quick_variable
from graphlab.core.shape import TensorShape, raw
from graphlab.core.state import ACTIVE, state
from graphlab.core.storage import Cell, handle_of
from graphlab.core.tensor import EagerTensor, Reference, SymbolicTensor, Tensor, wrap
from graphlab.eager.creators import Created
from graphlab.graph.backprop import differentiable
from graphlab.ops import resource


def _slices(sparse_delta: Any) -> None:
    from graphlab.core.specs import IndexedSlices

    if not isinstance(sparse_delta, IndexedSlices):
        raise TypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received: {sparse_delta!r:.100}")


@public("VariableSynchronization")
class VariableSynchronization(enum.Enum):
    """When a distributed variable is synchronised; on one device they are all the same."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@public("VariableAggregation")
class VariableAggregation(enum.Enum):
    """How a distributed variable is aggregated; on one device they are all the same."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


# Called with each new Variable while a function is traced (see graphlab.tracing): innermost last.
creation_hooks: list[Callable[[Any], None]] = []


@public("Variable")
class Variable(metaclass=Created):
    """A value that programs can change.

    Args:
      initial_value: a tensor, anything that converts to one, or a function without arguments that returns one.
      trainable: watched by gradient tapes when it is read; by default True.
      validate_shape: taken and not used: ``shape`` says which shapes later values may have.
      name: the name; ``:0`` is added.
      dtype: the dtype of the value; by default that of the initial value.
      constraint: a function that optimisers apply to the value after an update.
      shape: the shape values must fit, where it is wider than that of the initial value.

    Raises:
      ValueError: no initial value, or one that does not fit ``shape``.
      TypeError: the initial value does not fit ``dtype``.

    >>> import graphlab as tf
    >>> v = tf.Variable([1.0, 2.0])
    >>> v.assign_add([1.0, 1.0]).numpy()
    array([2., 3.], dtype=float32)
    """

    __array_priority__ = 100

    _constraint: Callable[[Any], Any] | None

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: str | None = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        if initial_value is None:
            raise ValueError("tf.Variable needs an initial value. Write for instance tf.Variable(0.0).")
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        graph = state.graph
        if graph is not None and not graph.building_function:
            graph = None
        if callable(initial_value) and not isinstance(initial_value, (Tensor, Variable)):
            initial_value = initial_value()
        if isinstance(initial_value, Variable):
            initial_value = initial_value.value()
        if synchronization is not None:
            synchronization = VariableSynchronization(synchronization)
        if aggregation is not None:
            aggregation = VariableAggregation(aggregation)
        value = make(initial_value, wanted, None, "initial_value")
        full = self._named(name)
        extent = value._raw_shape() if shape is None else raw(TensorShape(shape))
        if shape is not None and not TensorShape(shape).is_compatible_with(value.shape):
            raise ValueError(
                f"The initial value's shape {value.shape} is not compatible with the explicitly supplied `shape` "
                f"argument "
                f"{TensorShape(shape)}."
            )
        self._make(value.dtype, extent, full, True if trainable is None else bool(trainable))
        self._constraint = constraint
        self._synchronization = synchronization
        self._aggregation = aggregation
        for hook in creation_hooks:
            hook(self)
        if isinstance(value, SymbolicTensor):
            self._cell.value = lifted(value)
        else:
            self._cell.value = value._a

    def _named(self, name: Any) -> str:
        graph = state.graph
        if name is not None and not isinstance(name, str) and name:
            error = ValueError if graph is None else TypeError
            raise error(f"The name of a variable must be a string, not {name!r:.100}.")
        base = name or "Variable"
        scope = graph._scope if graph is not None else state.scope
        return f"{scope}{base}:0"

    def _make(self, dtype: DType, extent: Any, name: str, trainable: bool) -> None:
        self._cell = Cell(dtype, extent, name, trainable)
        self._cell.variable = weakref.ref(self)
        self._handle = handle_of(self._cell)
        self._trainable = trainable
        self._constraint = None
        self._synchronization = VariableSynchronization.AUTO
        self._aggregation = VariableAggregation.NONE

    # -- facts ---------------------------------------------------------------------------------------------------------

    @property
    def handle(self) -> EagerTensor:
        """The resource tensor."""
        return self._handle

    @property
    def dtype(self) -> DType:
        """The dtype of the value."""
        return self._cell.element

    @property
    def shape(self) -> TensorShape:
        """The shape that values must fit."""
        return TensorShape(self._cell.extent)

    def _raw_shape(self) -> Any:
        return self._cell.extent

    def get_shape(self) -> TensorShape:
        """As ``shape``."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Narrows the shape.  ValueError if it does not fit."""
        self._cell.extent = raw(self.shape.merge_with(shape))

    @property
    def name(self) -> str:
        """The name, with ``:0``."""
        return self._cell.name

    @property
    def _shared_name(self) -> str:
        return self._cell.name.rpartition(":")[0]

    @property
    def trainable(self) -> bool:
        """True if gradient tapes watch it when it is read."""
        return self._trainable

    @property
    def constraint(self) -> Any:
        """The function that optimisers apply after an update, or None."""
        return self._constraint

    @property
    def synchronization(self) -> VariableSynchronization:
        """As given."""
        return self._synchronization

    @property
    def aggregation(self) -> VariableAggregation:
        """As given."""
        return self._aggregation

    @property
    def device(self) -> str:
        """The name of the device that holds the value."""
        return self._handle.device

    @property
    def initializer(self) -> None:
        """None: a variable has its value from the start."""
        return

    @property
    def initial_value(self) -> Any:
        """TensorFlow keeps it for graphs only."""
        raise RuntimeError("This property is not supported when eager execution is enabled.")

    @property
    def op(self) -> Any:
        """Operations belong to graphs."""
        raise AttributeError("Tensor.op is undefined when eager execution is enabled.")

    @property
    def graph(self) -> Any:
        """Graphs belong to tensors of a graph."""
        raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")

    def is_initialized(self, name: str | None = None) -> Any:
        """A bool tensor: does it have a value?"""
        return bind(resource.IS_INITIALIZED, (self._handle,), None, name)

    def ref(self) -> Reference:
        """A hashable reference, for sets and dictionary keys."""
        return Reference(self)

    # -- reading -------------------------------------------------------------------------------------------------------

    def value(self) -> Any:
        """The value as a tensor."""
        if not ACTIVE:
            return wrap(resource.read(self._cell))
        tapes, graph = state.tapes, state.graph
        for tape in tapes:
            tape.variable_accessed(self)
        if graph is None:
            array = resource.read(self._cell)
            read = wrap(array)
            live = tapes[0].quick if len(tapes) == 1 else None
            if live is not None:
                if id(self._handle) in live and differentiable(self._cell.element):
                    live[id(read)] = (resource.READ, array.dtype, self._handle, None, read)
            elif tapes:
                tell(resource.READ, {"dtype": self._cell.element}, [self._handle], [read])
            return read
        if self._trainable:
            watched = getattr(graph, "watched_variables", None)
            if watched is not None and all(v is not self for v in watched):
                watched.append(self)
        if graph is not None and graph._devices and not graph._scope.endswith("Read/"):
            with graph.colocate_with(None, ignore_existing=True):  # a read is where the variable is
                result = bind(resource.READ, (self._handle,), {"dtype": self._cell.element}, "ReadVariableOp")
        else:
            result = bind(resource.READ, (self._handle,), {"dtype": self._cell.element}, "ReadVariableOp")
        if isinstance(result, SymbolicTensor) and self._cell.extent is not None:
            result._shape = self._cell.extent
        return result

    def read_value(self) -> Any:
        """The value as a tensor, read at this point of the program."""
        if state.graph is None:
            return self.value()
        from graphlab.ops.array import identity

        with name_scope("Read"):
            value = self.value()
        return identity(value)

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        if dtype is not None and dtypes.as_dtype(dtype) is not self.dtype:
            raise ValueError(
                f"Incompatible type conversion requested to type {dtypes.as_dtype(dtype).name!r} for `tf.Variable "
                f"of type "
                f"{self.dtype.name!r}`. (Variable: {self!r})"
            )
        return self.value()

    def numpy(self) -> Any:
        """The value as a NumPy array.  NotImplementedError while tracing."""
        if state.graph is not None:
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return self.value().numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.value().__array__(dtype, copy)

    def __bool__(self) -> bool:
        return bool(self.value())

    def __int__(self) -> int:
        return int(self.value())

    def __float__(self) -> float:
        return float(self.value())

    def __complex__(self) -> complex:
        return complex(self.value())

    def __index__(self) -> int:
        return self.value().__index__()  # type: ignore[no-any-return]

    def __iter__(self) -> Any:
        return iter(self.value())

    def __getitem__(self, key: Any) -> Any:
        result = self.value()[key]
        result.assign = SliceAssign(self, key)
        return result

    def sparse_read(self, indices: Any, name: str | None = None) -> Any:
        """``tf.gather(v, indices)``: the rows at ``indices``."""
        for tape in state.tapes:
            tape.variable_accessed(self)
        return bind(resource.RESOURCE_GATHER, (self._handle, indices), {"dtype": self.dtype}, named(name, "Gather"))

    def gather_nd(self, indices: Any, name: str | None = None) -> Any:
        """``tf.gather_nd(v, indices)``."""
        from graphlab.ops.gather_scatter import gather_nd

        return gather_nd(self.value(), indices, name=name)

    # -- writing -------------------------------------------------------------------------------------------------------

    def _converted(self, value: Any) -> Any:
        if isinstance(value, Variable):
            value = value.value()
        return make(value, self.dtype)

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Gives it a new value.

        Args:
          value: a tensor or what converts to one, of the variable's dtype and shape.
          read_value: False returns None (in a graph: the operation).

        Returns:
          A variable that reads the value after the assignment.

        Raises:
          ValueError: the shape does not fit, or a tensor of another dtype.
          TypeError: a Python value does not fit the dtype.
        """
        tensor = self._converted(value)
        if not self.shape.is_compatible_with(tensor.shape):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable shape {self.shape}, "
                f"and the "
                f"assigned value shape {tensor.shape} are incompatible."
            )
        return self._write(resource.ASSIGN, (tensor,), name, read_value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds ``delta``, of the same dtype and shape.  See ``assign``."""
        return self._write(resource.ASSIGN_ADD, (self._converted(delta),), name, read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts ``delta``, of the same dtype and shape.  See ``assign``."""
        return self._write(resource.ASSIGN_SUB, (self._converted(delta),), name, read_value)

    def _write(self, op: Any, values: tuple[Any, ...], name: str | None, read_value: bool) -> Any:
        done = bind(op, (self._handle, *values), None, name)
        if not read_value:
            return done
        return UnreadVariable(self, done)

    def _write_slice(
        self, begin: Any, end: Any, strides: Any, value: Any, masks: dict[str, int], name: str | None
    ) -> Any:
        done = bind(resource.SLICE_ASSIGN, (self._handle, begin, end, strides, value), masks, name)
        return UnreadVariable(self, done)

    def _sparse(self, kind: str, sparse_delta: Any, name: str | None) -> Any:
        _slices(sparse_delta)
        updates = make(sparse_delta.values, self.dtype)
        return self._write(resource.SCATTERS[kind], (sparse_delta.indices, updates), name, True)

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtracts IndexedSlices from the rows they name."""
        return self._sparse("Sub", sparse_delta, name)

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Adds IndexedSlices to the rows they name."""
        return self._sparse("Add", sparse_delta, name)

    def scatter_max(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Elementwise maximum of the rows named by IndexedSlices and their values."""
        return self._sparse("Max", sparse_delta, name)

    def scatter_min(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Elementwise minimum of the rows named by IndexedSlices and their values."""
        return self._sparse("Min", sparse_delta, name)

    def scatter_mul(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Multiplies the rows named by IndexedSlices by their values."""
        return self._sparse("Mul", sparse_delta, name)

    def scatter_div(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Divides the rows named by IndexedSlices by their values."""
        return self._sparse("Div", sparse_delta, name)

    def scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces the rows named by IndexedSlices by their values."""
        return self._sparse("Update", sparse_delta, name)

    def batch_scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces, in each batch, the rows named by IndexedSlices."""
        from graphlab.ops import array, array_shape, creation

        _slices(sparse_delta)
        indices = make(sparse_delta.indices)
        if not indices.dtype.is_integer:
            text = (
                f"Indices must be whole numbers, but have dtype {indices.dtype.name}. Write tf.cast(indices, tf.int32)."
            )
            raise errors.InvalidArgumentError(None, None, text) if state.graph is None else TypeError(text)
        raw = indices._raw_shape()
        if raw == () and state.graph is None:  # the one row that it names, as in TensorFlow
            indices, raw = array.reshape(indices, [1]), (1,)
        if not raw:
            raise ValueError(f"The indices must have a known rank of at least 1, but have shape {indices.shape}.")
        sizes = array_shape.shape(indices, out_type=indices.dtype)
        places = []
        for axis in range(len(raw) - 1):  # an index begins with the place of its row
            along = array.reshape(creation.range(sizes[axis]), [-1 if i == axis else 1 for i in range(len(raw))])
            places.append(array_shape.broadcast_to(along, sizes))
        return self.scatter_nd_update(array.stack([*places, indices], -1), sparse_delta.values, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Replaces the elements or slices at ``indices``."""
        return self._write(resource.SCATTERS_ND["Update"], (indices, make(updates, self.dtype)), name, True)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds to the elements or slices at ``indices``."""
        return self._write(resource.SCATTERS_ND["Add"], (indices, make(updates, self.dtype)), name, True)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts from the elements or slices at ``indices``."""
        return self._write(resource.SCATTERS_ND["Sub"], (indices, make(updates, self.dtype)), name, True)

    def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Elementwise maximum at ``indices``."""
        return self._write(resource.SCATTERS_ND["Max"], (indices, make(updates, self.dtype)), name, True)

    def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Elementwise minimum at ``indices``."""
        return self._write(resource.SCATTERS_ND["Min"], (indices, make(updates, self.dtype)), name, True)

    def count_up_to(self, limit: int) -> Any:
        """Adds one and returns the value before; OutOfRangeError once ``limit`` is reached."""
        before = self.value()
        if state.graph is None and int(before) >= limit:
            raise errors.OutOfRangeError(None, None, f"Reached limit of {limit}")
        self.assign_add(np.array(1, self.dtype.np))
        return before

    # -- the rest ------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return self._described(f"'{self.name}'")

    def _described(self, name: str) -> str:
        start = f"<tf.Variable {name} shape={self.shape} dtype={self.dtype.name}"
        if state.graph is not None:
            return start + ">"
        value = self._cell.current()
        if value is None:
            return start + ", numpy=<unavailable>>"
        from graphlab.core.tensor import _text

        return f"{start}, numpy={_text(wrap(value), True)}>"

    def __hash__(self) -> int:
        raise TypeError(f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})")

    def __copy__(self) -> Any:
        return self  # as TensorFlow has it: a shallow copy has the same storage

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if state.graph is not None:
            raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")
        copy = object.__new__(type(self) if type(self) is not UnreadVariable else Variable)
        copy._make(self.dtype, self._cell.extent, self.name, self._trainable)
        copy._constraint = self._constraint
        copy._cell.value = self._cell.current()
        memo[id(self)] = copy
        return copy

    def __reduce__(self) -> Any:
        return _restore, (self.numpy(), self.dtype.name, self.name, self._trainable)


quick_variable[0] = Variable


def _restore(value: Any, dtype: str, name: str, trainable: bool) -> Variable:
    return Variable(value, dtype=dtype, name=name.rpartition(":")[0], trainable=trainable)


def lifted(value: SymbolicTensor) -> Any:
    """The array of an initial value that was computed in a graph: its part of the graph is run once, now.

    Raises:
      ValueError: it depends on arguments of the function being traced, and their values are not known (tracing for
      specs).
    """
    from graphlab.compile.executable import Executable
    from graphlab.graph.func_graph import FuncGraph

    graph = value.op.graph
    copy: FuncGraph = graph.clone("initial_value")
    target = copy.ops[graph.ops.index(value.op)].outputs[value.index]
    wanted = {id(target.op)}
    kept = []
    for op in reversed(copy.ops):
        if id(op) in wanted:
            kept.append(op)
            wanted.update(id(t.op) for t in op.inputs)
    copy.ops = kept[::-1]
    copy.outputs = [target]
    needed = [i for i, t in enumerate(copy.inputs) if id(t.op) in wanted]
    if needed and graph.argument_values is None:
        raise ValueError(
            "The initial value of a tf.Variable made inside a tf.function depends on the function's arguments, "
            "whose values "
            "are not known here. Make the variable outside, or give it a value that does not depend on them."
        )
    used = [(outer, inner) for outer, inner in copy.captures if id(inner.op) in wanted]
    copy.inputs = [copy.inputs[i] for i in needed]
    copy._captures = {id(outer): (outer, inner) for outer, inner in used}
    arrays = [graph.argument_values[i] for i in needed]
    for outer, _ in used:
        arrays.append(outer._a if isinstance(outer, EagerTensor) else lifted(outer))
    return Executable(copy).call(arrays)[0]


class UnreadVariable(Variable):
    """What an assignment returns: the same variable, read only when somebody looks."""

    def __init__(self, parent: Variable, done: Any) -> None:
        self._cell = parent._cell
        self._handle = parent._handle
        self._trainable = parent._trainable
        self._constraint = parent._constraint
        self._synchronization = parent._synchronization
        self._aggregation = parent._aggregation
        self._parent = parent
        self._done = done
        graph = state.graph
        self._read: Any = None
        if graph is not None and done is not None:
            self._graph = graph

    def value(self) -> Any:
        """The value; in the graph of the assignment, the value right after it."""
        return self._parent.value()

    @property
    def op(self) -> Any:
        """In a graph, the operation that assigns."""
        if self._done is None:
            raise AttributeError("Tensor.op is undefined when eager execution is enabled.")
        return self._done

    def __repr__(self) -> str:
        return self._described("'UnreadVariable'")


class SliceAssign:
    """``v[1:3].assign(x)``."""

    def __init__(self, variable: Variable, key: Any) -> None:
        self.variable = variable
        self.key = key

    def __call__(self, value: Any, name: str | None = None) -> Any:
        """Replaces the part of the variable that the slice names."""
        from graphlab.ops.slicing import slice_arguments

        begin, end, strides, masks = slice_arguments(self.key if isinstance(self.key, (list, tuple)) else (self.key,))
        tensor = make(value, self.variable.dtype)
        return self.variable._write_slice(begin, end, strides, tensor, masks, name)


def _operator(name: str) -> Callable[..., Any]:
    def forward(self: Variable, *args: Any) -> Any:
        return getattr(self.value(), name)(*args)

    forward.__name__ = name
    return forward


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
_OTHERS = ("lt", "le", "gt", "ge", "eq", "ne", "neg", "abs", "invert")
for _name in (*_ARITHMETIC, *(f"r{n}" for n in _ARITHMETIC), *_OTHERS):
    setattr(Variable, f"__{_name}__", _operator(f"__{_name}__"))
