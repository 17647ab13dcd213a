"""Small public functions about tensors and effects: ``is_tensor``, ``group``, ``tuple``, ``get_static_value``."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core import nest
from graphlab.core.convert import make
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, define
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import state
from graphlab.core.static import value as static_value
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor

NO_OP = define("NoOp", "->", kernel=lambda: None, infer=lambda args, attrs: [], gradient=NOT_DIFFERENTIABLE, fp=False)


@public("is_tensor")
def is_tensor(x: Any) -> bool:
    """True for tensors, variables and composite tensors.

    >>> import graphlab as tf
    >>> tf.is_tensor(tf.constant(1)), tf.is_tensor(1)
    (True, False)
    """
    return isinstance(x, (Tensor, CompositeTensor)) or hasattr(type(x), "__tf_tensor__")


@public("is_symbolic_tensor")
def is_symbolic_tensor(x: Any) -> bool:
    """True for a tensor (or a composite of tensors) of a graph that is being built.

    >>> import graphlab as tf
    >>> tf.is_symbolic_tensor(tf.constant(1))
    False
    """
    if isinstance(x, CompositeTensor):
        return any(isinstance(leaf, SymbolicTensor) for leaf in nest.flatten(x, expand_composites=True))
    return isinstance(x, SymbolicTensor)


@public("get_static_value")
def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor as an array if it is known while tracing, else None.

    Args:
      tensor: a tensor.
      partial: for shapes: give what is known, with None for the rest.

    >>> import graphlab as tf
    >>> int(tf.get_static_value(tf.constant(3)))
    3
    """
    if isinstance(tensor, EagerTensor):
        return tensor.numpy()
    if not isinstance(tensor, Tensor):
        return None if hasattr(tensor, "__tf_tensor__") or isinstance(tensor, CompositeTensor) else tensor
    known = static_value(tensor)
    if known is not None:
        return np.array(known)
    if partial:
        from graphlab.core.static import partial_value

        found = partial_value(tensor)
        return None if found is None else np.array(found, object)
    return None


@public("no_op")
def no_op(name: str | None = None) -> Any:
    """An operation that does nothing; None while executing eagerly."""
    return bind(NO_OP, (), None, name)


@public("group")
def group(*inputs: Any, **kwargs: Any) -> Any:
    """An operation that is done when all ``inputs`` are done; None while executing eagerly.

    Raises:
      ValueError: for an unknown keyword, in a graph.
    """
    graph = state.graph
    if graph is None:
        return None
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"tf.group has no keyword {', '.join(kwargs)}.")
    with graph.control_dependencies([i for i in nest.flatten(inputs, expand_composites=True) if i is not None]):
        return bind(NO_OP, (), None, name or "group_deps")


@public("tuple")
def tuple_(tensors: Any, control_inputs: Any = None, name: str | None = None) -> Any:
    """The tensors, each available only when all are; eagerly they always are, and come back as they are.

    Args:
      tensors: a list of tensors; None stays None.
      control_inputs: operations and tensors that must be done too.
      name: a name for the nodes.

    Raises:
      TypeError: a control input that is neither an operation nor a tensor.
      ValueError: no tensors.

    >>> import graphlab as tf
    >>> [int(t) for t in tf.tuple([tf.constant(1), tf.constant(2)])]
    [1, 2]
    """
    if state.graph is None:
        return tensors
    from graphlab.ops.array import identity

    with name_scope(name, "tuple"):
        values = [t if t is None or isinstance(t, Tensor) else make(t) for t in tensors]
        waits = [t for t in values if t is not None]
        if not waits:
            raise ValueError("tf.tuple needs at least one tensor.")
        for item in control_inputs or ():
            if not isinstance(item, Tensor | CompositeTensor) and not hasattr(item, "op") and not hasattr(item, "type"):
                raise TypeError(f"A control input must be an operation or a tensor, not {item!r:.100}.")
            waits.append(item)
        with state.graph.control_dependencies(waits):
            return [None if t is None else identity(t) for t in values]
