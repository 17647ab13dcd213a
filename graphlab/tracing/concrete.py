"""ConcreteFunction: one trace of a function, callable on its own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from graphlab.compile import executable
from graphlab.control.call import call_graph
from graphlab.core import dtypes
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.shape import TensorShape, is_subtype
from graphlab.core.state import ACTIVE, state
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor, wrap
from graphlab.graph.func_graph import FuncGraph
from graphlab.tracing.function_type import FunctionType
from graphlab.tracing.guards import packer
from graphlab.tracing.public_types import Callable
from graphlab.tracing.reasons import Key as PlainKey
from graphlab.tracing.signature import Key
from graphlab.tracing.trace_types import CastContext, PlaceholderContext, TensorType, VariableType, bounded

_numbers: Final = itertools.count()


@Callable.register
@public("types.experimental.ConcreteFunction")
class ConcreteFunction:
    """A graph made by tracing, with the types of its arguments: what ``get_concrete_function`` returns.

    It is called with the arguments of the Python function (those that were Python values while tracing are bound, and
    may be left out or repeated), or with its tensors alone, by position or by name.

    >>> import graphlab as tf
    >>> @tf.function
    ... def scale(x, factor=2):
    ...     return x * factor
    >>> tripled = scale.get_concrete_function(tf.TensorSpec([None], tf.float32), 3)
    >>> tripled(tf.constant([1.0, 2.0]))
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([3., 6.], dtype=float32)>
    >>> print(tripled.pretty_printed_signature(verbose=False))
    (x: TensorSpec(shape=(None,), dtype=tf.float32, name=None), factor: Literal[3]) -> TensorSpec(shape=(None,), \
dtype=tf.float32, name=None)
    """

    def __init__(self, graph: FuncGraph, key: Key, name: str) -> None:
        self._graph = graph
        self.key = key
        self.number = 0
        self.guards: dict[tuple[int, bool], Any] = {}
        self._python_name = name
        self._name = f"__inference_{name}_{next(_numbers)}"
        self._pack = packer(graph.structured_outputs)
        self._type: FunctionType | None = None
        self._eager_captures: list[Any] | None = None

    @cached_property
    def plain(self) -> PlainKey:
        """The key as plain data."""
        return self.key.describe()

    # -- calling -------------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph.

        Raises:
          InvalidArgumentError: a tensor of another dtype, or of a shape that does not fit.
          TypeError: an argument is missing, unknown or given twice; a bound argument has another value; or something
            that is no tensor stands for one.
        """
        try:
            values = self._bind(args, kwargs)
        except TypeError as error:
            tensors = self._flat(args, kwargs)
            if tensors is None:
                raise error from None
            self._check_flat(tensors)
            return self.run(tensors)
        for value, type_ in zip(values, self.key.types, strict=True):
            if type(type_) is VariableType:
                accessed(value)
        return self.run(self.key.to_tensors(values))

    def run(self, tensors: list[Any]) -> Any:
        """Runs the graph on the tensors of its arguments, in the order of ``graph.inputs``, and packs the result."""
        graph = self._graph
        if ACTIVE or any(tensor.__class__ is not EagerTensor for tensor in tensors):
            return self._pack(call_graph(graph, tensors))
        captures = self._eager_captures
        if captures is None:
            outer = graph.external_captures
            if any(not isinstance(tensor, EagerTensor) for tensor in outer):
                return self._pack(call_graph(graph, tensors))
            captures = self._eager_captures = [tensor._a for tensor in outer]
        found = executable(graph)
        return self._pack([wrap(array) for array in found.call([tensor._a for tensor in tensors] + captures)])

    def _bind(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """Values in canonical order, bound ones filled in, each cast to its type."""
        layout, types = self.key.layout, self.key.types
        kwargs = dict(kwargs)
        if len(args) > layout.positional:
            raise self._wrong(f"it takes {layout.positional} positional arguments, but {len(args)} were given")
        values: list[Any] = []
        for index, (name, kind, type_) in enumerate(zip(layout.names, layout.kinds, types, strict=True)):
            by_name = name in kwargs and kind.name != "POSITIONAL_ONLY"
            if index < len(args):
                if by_name:
                    raise self._wrong(f"multiple values for argument {name!r}")
                value = args[index]
            elif by_name:
                value = kwargs.pop(name)
            elif not type_.flatten():
                values.append(type_.placeholder_value(PlaceholderContext()))
                continue
            else:
                raise self._wrong(f"missing a required argument: {name!r}")
            if type(type_) is TensorType and isinstance(value, Tensor):
                _check(name, value, type_.dtype, type_.shape)
                values.append(value)
            else:
                values.append(type_.cast(value, CastContext(name)))
        if kwargs:
            raise self._wrong(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        return values

    def _flat(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any] | None:
        """The call as tensors alone, by position and by the names of the placeholders; None if it is no such call."""
        inputs = self._graph.inputs
        tensors = list(args)
        for placeholder in inputs[len(args) :]:
            if placeholder.op.name not in kwargs:
                return None
            tensors.append(kwargs[placeholder.op.name])
        if len(tensors) != len(inputs) or len(args) + len(kwargs) != len(inputs):
            return None
        return tensors if all(isinstance(tensor, Tensor) for tensor in tensors) else None

    def _check_flat(self, tensors: list[Any]) -> None:
        for placeholder, tensor in zip(self._graph.inputs, tensors, strict=True):
            _check(placeholder.op.name, tensor, placeholder.dtype, placeholder._shape)

    def _wrong(self, what: str) -> TypeError:
        return TypeError(
            f"{self._python_name}: {what}. Its signature is {self.pretty_printed_signature(verbose=False)}."
        )

    # -- facts ---------------------------------------------------------------------------------------------------------

    @property
    def graph(self) -> FuncGraph:
        """The FuncGraph."""
        return self._graph

    @property
    def name(self) -> bytes:
        """The name under which a GraphDef's library has it."""
        return self._name.encode()

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The placeholders of the arguments, then those of the captures."""
        return self._graph.parameters

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The symbolic results, without structure and without Nones."""
        return list(self._graph.outputs)

    @property
    def captured_inputs(self) -> list[Any]:
        """What comes from outside: tensors, and the handles of variables."""
        return self._graph.external_captures

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that the graph uses."""
        return self._graph.variables

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those that are trainable."""
        return self._graph.trainable_variables

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """``(args, kwargs)`` with a spec in place of each tensor, and the values of bound arguments."""
        return self._graph.structured_input_signature  # type: ignore[no-any-return]

    @property
    def structured_outputs(self) -> Any:
        """What the function returned while tracing: symbolic tensors in their structure."""
        return self._graph.structured_outputs

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, in their structure."""
        return _mapped(self.structured_outputs, lambda tensor: tensor.dtype)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results, in their structure."""
        return _mapped(self.structured_outputs, lambda tensor: tensor.shape, TensorShape(None))

    @property
    def function_type(self) -> FunctionType:
        """Parameters, result and captures, with their types."""
        if self._type is None:
            self._type = FunctionType(self.key, self._graph.structured_outputs, self._graph.external_captures)
        return self._type

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The signature as text: a line for each parameter, or all in one line."""
        return self.function_type.described() if verbose else str(self.function_type)

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.pretty_printed_signature(verbose=False)} at 0x{id(self):X}>"

    def __reduce__(self) -> Any:
        raise TypeError(
            f"A ConcreteFunction ({self._python_name}) holds a graph and cannot be pickled or copied. Pickle the "
            "Python function, and trace it where it is needed."
        )


def _mapped(structure: Any, function: Any, nothing: Any = None) -> Any:
    from graphlab.core import nest

    return nest.map_structure(lambda leaf: nothing if leaf is None else function(leaf), structure)


def accessed(variable: Any) -> None:
    """A variable that is an argument counts as read: the tapes that watch what is accessed must hear of it."""
    for tape in state.tapes:
        tape.variable_accessed(variable)


def _check(name: str, tensor: Any, dtype: Any, shape: Any) -> None:
    """Raises InvalidArgumentError unless a tensor fits."""
    if tensor.dtype is not dtype:
        raise InvalidArgumentError(
            None, None, f"Argument {name!r} must be a {dtype.name} tensor, but is a {tensor.dtype.name} tensor."
        )
    found = tensor._raw_shape()
    fits = is_subtype(found, shape) or (state.graph is not None and _possible(found, shape))
    if dtype is not dtypes.resource and not fits:
        raise InvalidArgumentError(
            None, None, f"Argument {name!r} must have the shape {shape}, but has {found}: {bounded(tensor)}"
        )


def _possible(found: Any, shape: Any) -> bool:
    """While tracing, a shape that is not known may fit when the graph runs."""
    if found is None or shape is None:
        return True
    return len(found) == len(shape) and all(a is None or b is None or a == b for a, b in zip(found, shape, strict=True))
