"""Gradients that a program gives itself, and symbolic gradients in graphs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.core import nest
from graphlab.core.convert import make
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public, resolve
from graphlab.core.op import REQUIRED, define
from graphlab.core.specs import IndexedSlices
from graphlab.core.state import active, setting, state
from graphlab.core.tensor import SymbolicTensor, Tensor
from graphlab.eager.tape import GradientTape, UnconnectedGradients
from graphlab.graph.backprop import dense, graph_gradients, zeros
from graphlab.graph.func_graph import origin


def _rule(op: Any, *dys: Any) -> list[Any]:
    count = op.attrs["count"]
    return [None] * count + list(op.attrs["rule"](*dys))


# Graphs show it as TensorFlow does, as IdentityN; the plain record of that type is the one in graphlab.ops.array.
CUSTOM = define(
    type="IdentityN",
    signature="input: *T -> output: *Tout",
    kernel=lambda values, count, rule, Tout: values[:count],
    infer=lambda args, attrs: [a.shape for a in args[: attrs["count"]]],
    gradient=_rule,
    attrs={"count": REQUIRED, "rule": REQUIRED, "Tout": REQUIRED},
    alias=True,
    fp=False,
)


class _Watcher:
    """Stands on the tape stack and notes which trainable variables are read."""

    recording = True
    quick = None
    _watch_accessed = True
    _persistent = False

    def __init__(self) -> None:
        self.level = state.graph
        self.variables: list[Any] = []

    def variable_accessed(self, variable: Any) -> None:
        if variable.trainable and all(v.handle is not variable.handle for v in self.variables):
            self.variables.append(variable)

    def record(self, *entry: Any) -> None:
        """Nothing is recorded."""

    def listens(self, tensors: Sequence[Any]) -> bool:
        return False


def _takes_variables(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


@public("custom_gradient")
def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Decorator: ``f`` returns its result and a function that gives the gradients.

    Args:
      f: takes tensors, returns ``(result, grad_fn)``; ``grad_fn(*dresults)`` returns one gradient per argument.  If
      ``f`` reads
        variables that are no arguments, ``grad_fn(*dresults, variables=None)`` returns ``(gradients, variable
        gradients)``.

    Raises:
      TypeError: variables are read and ``grad_fn`` takes no ``variables``.
      ValueError: another number of gradients than of arguments.

    >>> import graphlab as tf
    >>> @tf.custom_gradient
    ... def clipped(x):
    ...     return x * x, lambda dy: tf.clip_by_value(dy * 2.0 * x, -1.0, 1.0)
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = clipped(x)
    >>> float(tape.gradient(y, x))
    1.0
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        return _apply(f, args, kwargs)

    return decorated


@public("grad_pass_through")
def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: the gradient of ``f`` is that of the identity.

    >>> import graphlab as tf
    >>> x = tf.Variable(2.0)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.grad_pass_through(tf.round)(x * 1.3)
    >>> round(float(tape.gradient(y, x)), 3)
    1.3
    """

    @custom_gradient
    @functools.wraps(f)
    def passing(*args: Any, **kwargs: Any) -> Any:
        def grad(*dys: Any, variables: Any = None) -> Any:
            if variables is not None:
                return dys, [None] * len(variables)
            return dys

        return f(*args, **kwargs), grad

    return passing  # type: ignore[no-any-return]


def _apply(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], recorded: bool = True) -> Any:
    """Runs the function and gives its results the gradient that it returns.

    Tapes record what happens inside (if ``recorded``): the gradient of the results does not go that way, but the
    gradient's own gradient does, through whatever ``grad_fn`` uses.
    """
    from graphlab.ops.array import identity

    passed: list[Any] = []
    handles: list[Any] = []
    converted = []
    for arg in nest.flatten(args):
        handle = getattr(arg, "handle", None)
        if handle is not None and not isinstance(arg, Tensor):
            converted.append(arg)
            passed.append(arg)
            handles.append(handle)
            continue
        tensor: Any
        if isinstance(arg, SymbolicTensor) and state.graph is not None:
            tensor = arg  # in graphs, as in TensorFlow, the results have the identities
        else:
            tensor = identity(arg if isinstance(arg, Tensor) else make(arg))
        converted.append(tensor)
        passed.append(tensor)
        handles.append(tensor)
    watcher = _Watcher()
    with active(), setting(tapes=[*state.tapes, watcher] if recorded else [watcher]):
        outcome = f(*nest.pack_sequence_as(args, converted), **kwargs)
    if not isinstance(outcome, (tuple, list)) or len(outcome) != 2 or not callable(outcome[1]):
        kind = TypeError if not isinstance(outcome, (tuple, list)) or len(outcome) == 2 else ValueError
        raise kind(
            f"The function {getattr(f, '__name__', f)!r} decorated with tf.custom_gradient must return (result, "
            f"grad_fn)."
        )
    result, grad_fn = outcome
    given = [a for a in passed if not isinstance(a, Tensor)]
    variables = [v for v in watcher.variables if all(v.handle is not g.handle for g in given)]
    if variables and not _takes_variables(grad_fn):
        names = ", ".join(repr(v.name) for v in variables)
        raise TypeError(
            f"The function decorated with tf.custom_gradient reads variables that are not its arguments ({names}), "
            f"so its "
            "grad_fn must accept a keyword argument 'variables' and return (gradients, variable gradients): "
            "def grad(dy, variables=None): ..."
        )
    results = [r if isinstance(r, Tensor) else make(r) for r in nest.flatten(result)]
    if state.graph is not None:
        with setting(tapes=[]):
            for found in results:
                identity(found)

    def rule(*dys: Any) -> list[Any]:
        from graphlab.ops.creation import zeros_like

        full = [zeros_like(r) if dy is None else dy for dy, r in zip(dys, results, strict=True)]
        if state.graph is not None:
            for argument in passed:  # results that nothing depends on: TensorFlow gives them zeros
                if isinstance(argument, SymbolicTensor) and argument.op.graph is state.graph:
                    zeros(argument)
        if variables:
            gradients, variable_gradients = grad_fn(*full, variables=variables)
            variable_gradients = list(variable_gradients)
            if len(variable_gradients) != len(variables):
                raise ValueError(
                    f"custom_gradient: grad_fn returned {len(variable_gradients)} variable gradients for "
                    f"{len(variables)} "
                    "variables."
                )
        else:
            gradients, variable_gradients = grad_fn(*full), []
        flat = nest.flatten(gradients) if isinstance(gradients, (list, tuple)) else [gradients]
        if len(flat) != len(passed):
            raise ValueError(
                f"custom_gradient function expected to return {len(passed)} gradients, but returned {len(flat)} "
                f"instead."
            )
        return [_gradient(g) for g in [*flat, *variable_gradients]]

    inputs = [*results, *handles, *[v.handle for v in variables]]
    for tape in state.tapes:
        for variable in [*given, *variables]:
            tape.variable_accessed(variable)
    outputs = bind(
        CUSTOM, [inputs], {"count": len(results), "rule": rule, "Tout": [r.dtype for r in results]}, "IdentityN"
    )
    return nest.pack_sequence_as(result, outputs) if nest.is_nested(result) else outputs[0]


def _gradient(value: Any) -> Any:
    if value is None or isinstance(value, (Tensor, IndexedSlices)):
        return value
    return make(value)


@public("recompute_grad")
def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps ``f`` so that its gradient computes the intermediate values again instead of keeping them.

    >>> import graphlab as tf
    >>> x = tf.Variable(2.0)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.recompute_grad(lambda v: v * v)(x)
    >>> float(tape.gradient(y, x))
    4.0
    """

    def inner(*args: Any, **kwargs: Any) -> Any:
        result = f(*args, **kwargs)

        def grad(*dys: Any, variables: Any = None) -> Any:
            # Tensors of this graph, which may be another one than that of the arguments.
            identity = resolve("identity")
            here = nest.map_structure(lambda a: identity(a) if isinstance(a, Tensor) else a, args)
            with GradientTape() as tape:
                tape.watch([a for a in nest.flatten(here) if isinstance(a, Tensor) or hasattr(a, "handle")])
                again = f(*here, **kwargs)
            sources = [*nest.flatten(here), *(variables or ())]
            gradients = tape.gradient(again, sources, output_gradients=list(dys) if nest.is_nested(again) else dys[0])
            cut = len(nest.flatten(args))
            if variables is None:
                return gradients
            return gradients[:cut], gradients[cut:]

        return result, grad

    @functools.wraps(f)
    def recomputed(*args: Any, **kwargs: Any) -> Any:
        return _apply(inner, args, kwargs, recorded=False)  # a tape would keep the intermediate values

    return recomputed


@public("AggregationMethod")
class AggregationMethod:
    """How the gradients of a tensor that is used several times are added; here always one after the other.

    For the ``aggregation_method`` of ``tf.gradients`` and ``tf.hessians``.
    """

    ADD_N = 0
    DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


@public("gradients")
def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """The symbolic gradients of the sum of ``ys`` for ``xs``, in the graph that is being built.

    Args:
      ys, xs: tensors (or variables) of the graph, or lists of them.
      grad_ys: gradients of ``ys``; ones if None.
      aggregation_method: one of ``tf.AggregationMethod``, which makes no difference.
      stop_gradients: tensors to be taken as constants.
      unconnected_gradients: ``"none"`` or ``"zero"``.

    Raises:
      RuntimeError: while executing eagerly.
      LookupError: an op on the way has no gradient.
      ValueError: an ``aggregation_method`` that is none.
    """
    graph = state.graph
    if graph is None:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    if aggregation_method not in (None, 0, 1, 2):
        raise ValueError(
            f"aggregation_method is one of tf.AggregationMethod, so 0, 1 or 2, and not {aggregation_method!r}."
        )
    flat_ys = [y if isinstance(y, Tensor) else make(y) for y in nest.flatten(ys)]
    flat_xs = nest.flatten(xs)
    sources = [graph.own(x if isinstance(x, Tensor) else x.handle) for x in flat_xs]
    from graphlab.ops.creation import zeros_like

    given = [None] * len(flat_ys) if grad_ys is None else nest.flatten(grad_ys)
    stopped = {id(origin(s)) for s in nest.flatten(stop_gradients or [])}
    with name_scope(name, "gradients") as scope:
        dys = [
            _ones(graph, y, f"grad_ys_{i}") if dy is None else make(dy)
            for i, (y, dy) in enumerate(zip(flat_ys, given, strict=True))
        ]
        found = graph_gradients(
            _Stopped(graph, stopped) if stopped else graph,
            flat_ys,
            dys,
            sources,
            lambda view: f"{scope}{view.outputs[0].op.name}_grad/",
        )
    mode = getattr(unconnected_gradients, "value", unconnected_gradients)
    results = []
    for x, gradient in zip(flat_xs, found, strict=True):
        if gradient is None and mode == "zero":
            gradient = zeros_like(x if isinstance(x, Tensor) else x.value())
        results.append(gradient)
    return results


def _ones(graph: Any, y: Any, name: str) -> Any:
    """Ones like ``y``, from the nodes that TensorFlow makes them of."""
    from graphlab.ops.creation import fill, ones_like

    shape = y._raw_shape()
    if shape is None or None in shape:
        return ones_like(y)
    extent = graph.constant(np.array(shape, np.int32), "Shape")
    with name_scope(name) as scope:
        one = graph.constant(np.array(1, y.dtype.np), "Const")
    return fill(extent, one, name=scope)


class _Stopped:
    """A graph as ``graph_gradients`` sees it, without the ops that make the stopped tensors."""

    def __init__(self, graph: Any, stopped: set[int]) -> None:
        self.ops = [op for op in graph.ops if not any(id(origin(o)) in stopped for o in op.outputs)]


@public("hessians")
def hessians(
    ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: Any = None, name: str = "hessians"
) -> list[Any]:
    """The Hessians of the sum of ``ys`` for each of ``xs``: shape ``x.shape + x.shape``, in the graph being built.

    Raises:
      RuntimeError: while executing eagerly.
    """
    from graphlab.ops.array import reshape, stack
    from graphlab.ops.creation import zeros_like

    results = []
    flat = nest.flatten(xs)
    for x, gradient in zip(flat, gradients(ys, flat), strict=True):
        value = x if isinstance(x, Tensor) else x.value()
        dims = value.shape.as_list()
        rows = []
        vector = reshape(dense(gradient), [-1])
        for index in range(value.shape.num_elements() or 0):
            row = gradients(vector[index], [x])[0]
            rows.append(zeros_like(value) if row is None else dense(row))
        results.append(reshape(stack(rows), [*dims, *dims]))
    return results
