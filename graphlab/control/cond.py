"""``tf.cond``, ``tf.case`` and ``tf.switch_case``: functions for branches, one of which runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.control.structured import branch_record, close
from graphlab.core import dtypes, nest
from graphlab.core.convert import make
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.specs import CompositeTensor, IndexedSlices
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor, Tensor
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation


def trace_branch(name: str, function: Callable[[], Any], scope: str = "") -> tuple[FuncGraph, Any]:
    """Runs a branch into a graph of its own; returns it with the structure of the results, its leaves being tensors."""
    graph = FuncGraph(name, state.graph)
    graph.stands_in(scope)
    with graph.build():
        result = function()
        leaves: list[Any] = []
        for leaf in nest.flatten(result, expand_composites=True):
            if leaf is None:
                leaves.append(None)
                continue
            if isinstance(leaf, Operation):  # what TensorFlow gives for it is a tensor that says it has run
                leaf = graph.constant(np.array(True), "Const")
            tensor = graph.own(_tensor(leaf))
            leaves.append(tensor)
            graph.outputs.append(tensor)
    structure = nest.pack_sequence_as(result, leaves, expand_composites=True)
    return graph, structure


def _tensor(leaf: Any) -> Any:
    return leaf if isinstance(leaf, Tensor) else make(leaf)


def _agree(names: Sequence[str], graphs: Sequence[FuncGraph], structures: list[Any]) -> None:
    first = structures[0]
    for name, graph, structure in zip(names[1:], graphs[1:], structures[1:], strict=True):
        try:
            nest.assert_same_structure(first, structure, expand_composites=True)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"{names[0]} and {name} must return the same number, types and structure of values.\n"
                f"{names[0]} returns {_described(first)}, {name} returns {_described(structure)}.\n{error}"
            ) from None
        for position, (a, b) in enumerate(zip(graphs[0].outputs, graph.outputs, strict=True)):
            if a.dtype is not b.dtype:
                which = f" (value {position})" if len(graph.outputs) > 1 else ""
                raise TypeError(
                    f"{names[0]} and {name} must return the same dtypes: {names[0]} returns {a.dtype.name}, "
                    f"{name} returns {b.dtype.name}{which}. Write tf.cast(..., tf.{a.dtype.name}) in one of them."
                )


def _described(structure: Any) -> str:
    def leaf(x: Any) -> Any:
        return None if x is None else _Text(f"{x.dtype.name}{x.shape}")

    return repr(
        nest.map_structure(leaf, structure, expand_composites=False)
        if not isinstance(structure, CompositeTensor)
        else structure
    )


class _Text(str):
    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def branch(index: Any, functions: Sequence[Callable[[], Any]], names: Sequence[str], name: str, case: bool) -> Any:
    """Appends a branch op to the current graph and returns its results in the branches' structure."""
    with name_scope(name) as scope:
        graphs, structures = [], []
        for label, function in zip(names, functions, strict=True):
            graph, structure = trace_branch(f"{scope.rstrip('/').replace('/', '_')}_{label}", function, scope)
            graphs.append(graph)
            structures.append(structure)
    _mixed_slices(graphs, structures)
    _agree(names, graphs, structures)
    if not graphs[0].outputs:  # TensorFlow's branches that give nothing give a constant, which the graph shows
        for graph in graphs:
            graph.outputs = [graph.constant(np.array(True), "Const")]
    captured = close(graphs)
    types = [t.dtype for t in graphs[0].outputs]
    bodies: dict[str, Any] = {"branches": graphs} if case else {"then_branch": graphs[0], "else_branch": graphs[1]}
    outputs = bind(branch_record(graphs, case), (index, captured), {**bodies, "Tout": types}, scope)
    from graphlab.ops.array import identity

    with name_scope(scope):
        given = [identity(t) for t in outputs]
    if structures[0] is None:
        return None
    results = iter(given)
    leaves = [None if leaf is None else next(results) for leaf in nest.flatten(structures[0], expand_composites=True)]
    if not nest.is_nested(structures[0]) and not isinstance(structures[0], CompositeTensor):
        return leaves[0]
    return nest.pack_sequence_as(structures[0], leaves, expand_composites=True)


def _mixed_slices(graphs: list[FuncGraph], structures: list[Any]) -> None:
    """A branch that gives IndexedSlices where another gives a tensor gives a tensor too."""
    if not any(isinstance(s, IndexedSlices) for s in structures) or all(
        isinstance(s, IndexedSlices) for s in structures
    ):
        return
    for position, (graph, structure) in enumerate(zip(graphs, structures, strict=True)):
        if isinstance(structure, IndexedSlices):
            with graph.build():
                tensor = make(structure)
            graph.outputs = [tensor]
            structures[position] = tensor


@public("cond")
def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Runs ``true_fn`` if ``pred`` is true, else ``false_fn``.

    Args:
      pred: a bool tensor of shape () (eagerly also a Python bool).
      true_fn, false_fn: functions without arguments, which return the same structure of the same dtypes.
      name: name of the op.

    Returns:
      What the function that ran returned.

    Raises:
      TypeError: a function is missing or cannot be called, or the results differ in structure or dtype; or, in a graph,
        ``pred`` is a Python bool.
      InvalidArgumentError: in a graph, ``pred`` is of another dtype than bool.

    >>> import graphlab as tf
    >>> tf.cond(tf.constant(2) > 1, lambda: tf.constant("yes"), lambda: tf.constant("no"))
    <tf.Tensor: shape=(), dtype=string, numpy=b'yes'>
    """
    if true_fn is None:
        raise TypeError("cond(): 'true_fn' argument required")
    if false_fn is None:
        raise TypeError("cond(): 'false_fn' argument required")
    for label, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"'{label}' must be callable. Write lambda: ... around it.")
    if state.graph is None:
        value = make(pred) if not isinstance(pred, (bool, np.bool_)) else pred
        if isinstance(value, EagerTensor) and value.shape.rank not in (0, None) and value.shape.num_elements() != 1:
            raise ValueError(f"pred must be a scalar, but it has shape {value.shape}.")
        return true_fn() if value else false_fn()
    if isinstance(pred, (bool, np.bool_)):
        raise TypeError("pred must not be a Python bool", pred)
    pred = make(pred, None, None, "pred")
    if pred.dtype is not dtypes.bool:
        raise InvalidArgumentError(
            None, None, f"In a graph pred must be a bool, but it is {pred.dtype.name}. Compare it: pred != 0."
        )
    return branch(pred, [true_fn, false_fn], ["true_fn", "false_fn"], name or "cond", False)


@public("switch_case")
def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None, name: str = "switch_case"
) -> Any:
    """Runs the function that ``branch_index`` names.

    Args:
      branch_index: an int32 tensor of shape ().
      branch_fns: a list of functions, a dict int → function, or a list of ``(int, function)`` pairs.
      default: what runs for other indices; the last function (of the highest index) if None.
      name: name of the op.

    Raises:
      TypeError: something that cannot be called, or an index that is no tensor or no int32 (eagerly: no integer).
      InvalidArgumentError: an index of another shape.
      ValueError: no functions, or the indices of a dict are not 0, 1, 2, ...

    >>> import graphlab as tf
    >>> tf.switch_case(tf.constant(1), [lambda: tf.constant(10), lambda: tf.constant(20)]).numpy()
    np.int32(20)
    """
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}. Write tf.constant(...).")
    pairs = _indexed(branch_fns, default)
    count = max(pairs, default=-1) + 1
    fallback = default if default is not None else pairs[max(pairs)]
    functions: list[Callable[[], Any]] = [pairs.get(position, fallback) for position in range(count)]
    if default is not None:
        functions.append(default)  # what runs for indices that are none
    index: Any = branch_index
    if not index.dtype.is_integer or (state.graph is not None and index.dtype is not dtypes.int32):
        raise TypeError(
            f"The branch_index of switch_case must be an int32 tensor, but it is {index.dtype.name}. "
            "Write tf.cast(branch_index, tf.int32)."
        )
    if index.shape.rank not in (0, None):
        raise InvalidArgumentError(None, None, f"branch_index must be a scalar, but it has shape {index.shape}.")
    if state.graph is None:
        index = int(index)
        if not 0 <= index < count:
            index = len(functions) - 1
        return functions[index]()
    if index.shape.rank is None:
        from graphlab.ops.array import ensure_shape

        index = ensure_shape(index, [])
    with name_scope(name):
        return branch(index, functions, [f"branch{i}" for i in range(len(functions))], "indexed_case", True)


def _indexed(branch_fns: Any, default: Any) -> dict[int, Callable[[], Any]]:
    if isinstance(branch_fns, dict):
        items = list(branch_fns.items())
    elif branch_fns and all(isinstance(item, (tuple, list)) and len(item) == 2 for item in branch_fns):
        items = [tuple(item) for item in branch_fns]
    else:
        items = list(enumerate(() if branch_fns is None else branch_fns))
    if not items:
        raise ValueError("switch_case needs at least one function.")
    pairs: dict[int, Callable[[], Any]] = {}
    for key, function in items:
        if not isinstance(key, (int, np.integer)):
            raise TypeError(f"Key {key!r} must be a Python `int`.")
        if not callable(function):
            raise TypeError(f"The function for index {key} must be callable. Write lambda: ... around it.")
        if int(key) in pairs:
            raise ValueError(f"Index {key} has two functions.")
        pairs[int(key)] = function
    if sorted(pairs) != list(range(len(pairs))):
        raise ValueError(f"The indices {sorted(pairs)} are not 0, 1, ... {len(pairs) - 1}.")
    if default is not None and not callable(default) and state.graph is not None:  # eagerly asked for when it is called
        raise TypeError("default must be callable.")
    return pairs


@public("case")
def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Runs the function of the first predicate that is true.

    Args:
      pred_fn_pairs: a list of ``(bool tensor of shape (), function)`` pairs.
      default: what runs if none is true; without it, that is an InvalidArgumentError.
      exclusive: in a graph, True raises InvalidArgumentError if more than one predicate is true.
      strict: kept for compatibility.
      name: name of the ops.

    >>> import graphlab as tf
    >>> x = tf.constant(3)
    >>> tf.case([(x < 2, lambda: tf.constant("low")), (x < 5, lambda: tf.constant("mid"))], lambda: tf.constant("high"))
    <tf.Tensor: shape=(), dtype=string, numpy=b'mid'>
    """
    if isinstance(pred_fn_pairs, Tensor):
        raise TypeError(f"pred_fn_pairs must be a list of (predicate, function) pairs, not {pred_fn_pairs!r:.100}.")
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    checked = []
    for item in pairs:
        if not isinstance(item, (tuple, list)) or len(item) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple (predicate, function).")
        pred, function = item
        pred = pred.deref() if hasattr(pred, "deref") else pred
        if not callable(function):
            raise TypeError("Every function in pred_fn_pairs must be callable.")
        if isinstance(pred, bool):
            raise TypeError(f"A predicate of tf.case must be a bool tensor, not the Python bool {pred}.")
        checked.append((pred if isinstance(pred, Tensor) else make(pred, dtypes.bool), function))
    if not checked:
        raise ValueError("tf.case needs at least one (predicate, function) pair.")
    if default is not None and not callable(default):
        raise TypeError("default must be callable.")
    if state.graph is None:
        bool(strict)  # eagerly it is asked for, which an array does not answer
    from graphlab.ops.debugging import Assert

    with name_scope(name):
        preds = [p for p, _ in checked]
        if exclusive and state.graph is not None:  # eagerly the first that holds is taken, unchecked, as in TensorFlow
            from graphlab.ops.array import stack
            from graphlab.ops.casting import cast
            from graphlab.ops.comparison import less
            from graphlab.ops.reduction import reduce_sum

            count = reduce_sum(cast(stack(preds), dtypes.int32))
            Assert(less(count, 2), ["More than one condition evaluated as True but exclusive=True.", stack(preds)])
        otherwise = default
        if otherwise is None:
            last_pred, last = checked[-1]
            checked = checked[:-1]

            def otherwise() -> Any:
                Assert(last_pred, ["None of conditions evaluated as True.", last_pred])
                return last()

        chain = otherwise
        for pred, function in reversed(checked):
            chain = _link(pred, function, chain)
        return chain()


def _link(pred: Any, function: Callable[[], Any], rest: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: cond(pred, function, rest)
