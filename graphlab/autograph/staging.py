"""AutoGraph's use of the rest of graphlab: what a tensor is, whether a graph is built, the structured operations.

Everything the run-time operators ask of tensors goes through here; modules that build graphs load on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from graphlab.core import dtypes
from graphlab.core.convert import make
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import resolve
from graphlab.core.shape import RawShape
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor

# Whether values of a class are tensors (or variables); filled in as classes are met.
_kinds: dict[type, bool] = {
    bool: False,
    int: False,
    float: False,
    str: False,
    type(None): False,
    list: False,
    tuple: False,
    dict: False,
    range: False,
    SymbolicTensor: True,
    EagerTensor: True,
}


def is_tensor(value: object) -> bool:
    """True for tensors and for variables."""
    kind = _kinds.get(value.__class__)
    if kind is None:
        cls = value.__class__
        kind = issubclass(cls, Tensor) or (hasattr(cls, "__tf_tensor__") and hasattr(cls, "dtype"))
        if len(_kinds) < 10_000:
            _kinds[cls] = kind
    return kind


def is_staged(value: object) -> bool:
    """True if control flow over the value belongs into the graph that is being built."""
    return is_tensor(value) and state.graph is not None


def is_ragged(value: object) -> bool:
    """True for a RaggedTensor while a graph is being built: a loop goes over its rows there."""
    return state.graph is not None and hasattr(value, "nested_row_splits") and hasattr(value, "nrows")


def building() -> bool:
    """True while a graph is being built."""
    return state.graph is not None


def tensor(value: Any) -> Any:
    """The value as a tensor; variables are read."""
    return make(value)


def is_composite(value: object) -> bool:
    """True for tensors made of several (TensorArray, IndexedSlices), which branches and loops carry as they are."""
    return isinstance(value, CompositeTensor)


@contextmanager
def scratch() -> Iterator[None]:
    """A graph to try something in, which is thrown away."""
    from graphlab.graph.func_graph import FuncGraph

    graph = FuncGraph("scratch", outer=state.graph)
    with graph.build():
        yield


def cond(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
    """``tf.cond``."""
    from graphlab.control.cond import cond as staged

    return staged(pred, true_fn, false_fn)


def while_loop(
    test: Callable[..., Any], body: Callable[..., Any], loop_vars: Sequence[Any], shapes: Sequence[Any], limit: Any
) -> Any:
    """``tf.while_loop``; ``limit`` is ``maximum_iterations``."""
    from graphlab.control.while_loop import while_loop as staged

    return staged(test, body, loop_vars, shape_invariants=shapes, maximum_iterations=limit)


def zeros(dtype: Any, shape: RawShape) -> Any:
    """A tensor to stand for a value that is not there yet; unknown dimensions are 0."""
    from graphlab.ops.creation import zeros as made

    return made([n or 0 for n in shape or ()], dtype)


def op(name: str) -> Callable[..., Any]:
    """A public function of graphlab by name: ``op("reduce_max")``."""
    found = _ops.get(name)
    if found is None:
        found = _ops[name] = resolve(name)
    return found


_ops: Final[dict[str, Callable[..., Any]]] = {}


def _refused(message: str) -> Exception:
    return ValueError(message)


def _invalid(message: str) -> Exception:
    return InvalidArgumentError(None, None, message)


def bool_scalar(value: Any, construct: str) -> Any:
    """A condition as a bool tensor of shape ().

    Raises:
      ValueError: it is of another dtype, or has more than one element (InvalidArgumentError for an expression, as in
        TensorFlow, which finds that out when the graph runs).
    """
    value = make(value)
    refused = _refused if construct.endswith(("statement", "loop")) else _invalid
    if value.dtype is not dtypes.bool:
        raise refused(
            f"The condition of the {construct} must be a `tf.bool` scalar, but it is {_kind(value)}. "
            "Compare it with something (x > 0), or write tf.cast(x, tf.bool); to test for None, write `x is not None`."
        )
    shape = value._raw_shape()
    if shape == ():
        return value
    if shape is not None:
        known = 1
        for n in shape:
            known *= 1 if n is None else n
        if known > 1:
            raise refused(
                f"The condition of the {construct} must be a `tf.bool` scalar, but it is {_kind(value)}. "
                "Write tf.reduce_any(x) or tf.reduce_all(x)."
            )
    return op("reshape")(value, [])


def _kind(value: Any) -> str:
    return f"{value.dtype.name} of shape {value.shape}"
