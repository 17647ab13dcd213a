"""``tf.while_loop``: a loop whose condition and body are functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphlab.control.structured import WHILE, close, effect_of
from graphlab.core import dtypes, errors, nest
from graphlab.core.convert import make
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.shape import TensorShape, is_subtype, raw
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.core.state import state
from graphlab.core.storage import handle_data
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor
from graphlab.graph.func_graph import FuncGraph


def _refuse_dict(result: Any, structure: Any) -> None:
    """The body gives a list or a tuple, also of a variable that is a dict."""
    if not isinstance(result, dict) or isinstance(structure, dict):
        return
    if len(structure) == 1 and isinstance(structure[0], dict):
        raise ValueError("The body of the loop returns a dict, but the loop variables are a list of one: return [it].")
    raise TypeError("The body of the loop returns a dict, but the loop variables are none.")


def _packed(result: Any, structure: Any) -> Any:
    """The body's result in the structure of the loop variables."""
    _refuse_dict(result, structure)
    if len(structure) == 1 and not nest.is_nested(result):
        result = [result]
    if result is None:
        result = []
    return result if isinstance(result, (list, tuple)) else [result]


def _same(structure: Any, result: Any) -> None:
    try:
        nest.assert_same_structure(list(structure), list(result), expand_composites=True)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"The body of the loop must return as many values, of the same structure, as there are loop variables. "
            f"{error}"
        ) from None


@public("while_loop")
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Repeats ``body`` while ``cond`` is true.

    Args:
      cond: function of the loop variables that returns a bool tensor of shape ().
      body: function of the loop variables that returns their next values, in the same structure.
      loop_vars: list, tuple, namedtuple or dict of tensors, arrays, TensorArrays or nested structures of them.
      shape_invariants: the shapes the variables keep in all iterations (TensorShapes or TypeSpecs, in the structure of
        ``loop_vars``); by default those they have before the loop.
      parallel_iterations, swap_memory: kept for compatibility.
      back_prop: if false, the results have no gradient in a graph; eagerly it has no effect.
      maximum_iterations: stop after so many iterations.
      name: name of the op.

    Returns:
      The loop variables after the loop, in the structure of ``loop_vars`` (eagerly in that of the last result of
      ``body``: a list or a tuple).

    Raises:
      TypeError: ``cond`` or ``body`` cannot be called, or dtypes change.
      ValueError: eagerly no loop variables; another structure, or a shape that changes without a shape invariant.

    >>> import graphlab as tf
    >>> i, total = tf.while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t + i), (tf.constant(0), tf.constant(0)))
    >>> int(total)
    6
    """
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    check_iterations(parallel_iterations)
    stopped = stops(back_prop)
    if not nest.is_nested(loop_vars) or (state.graph is None and not len(loop_vars)):
        raise _no_variables(loop_vars)
    if state.graph is None:
        return _eager(cond, body, loop_vars, maximum_iterations)
    if shape_invariants is not None:
        _check_invariants(loop_vars, shape_invariants)
    result = _traced(cond, body, loop_vars, shape_invariants, maximum_iterations, name)
    return without_gradient(result) if stopped else result


def _no_variables(loop_vars: Any) -> Exception:
    """The error for loop variables that are none, or no structure."""
    text = f"'loop_vars' must be a list, tuple or dict of at least one variable, not {loop_vars!r:.100}. Write [x]."
    if state.graph is not None:
        return TypeError(text)
    several = isinstance(loop_vars, Tensor) and loop_vars.shape.rank
    return ValueError(text) if several or not loop_vars else TypeError(text)


def _check_invariants(loop_vars: Any, shape_invariants: Any) -> None:
    """ValueError or TypeError if the invariants have another structure than the variables."""
    try:
        nest.assert_same_structure(loop_vars, shape_invariants)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"shape_invariants must have a tf.TensorShape or a spec for each loop variable, in their structure. {error}"
        ) from None


def check_iterations(parallel_iterations: Any) -> None:
    """TypeError if it is no positive number; ValueError if a graph cannot hold it."""
    if parallel_iterations < 1:
        raise TypeError(f"'parallel_iterations' must be a positive int, not {parallel_iterations!r:.100}.")
    if state.graph is not None and parallel_iterations >= 2**63:
        raise ValueError(f"'parallel_iterations' is {parallel_iterations}, which does not fit 64 bits.")


def stops(back_prop: Any) -> bool:
    """Whether the results of a loop have no gradient: where ``back_prop`` is false, in a graph."""
    if isinstance(back_prop, EagerTensor) and (back_prop.dtype.is_complex or back_prop.dtype is dtypes.string):
        raise TypeError(f"back_prop must be True or False, not {back_prop!r:.100}.")
    return not back_prop and state.graph is not None


def without_gradient(result: Any) -> Any:
    """The results of a loop, through which no gradient flows."""
    from graphlab.ops.array import stop_gradient

    return nest.map_structure(lambda x: stop_gradient(x) if isinstance(x, Tensor) else x, result)


def _arguments(structure: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(structure, dict):
        return (structure,), {}
    return tuple(structure), {}


def _eager(cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, maximum_iterations: Any) -> Any:
    single = isinstance(loop_vars, (list, tuple)) and len(loop_vars) == 1
    structure = loop_vars
    limit = None
    if maximum_iterations is not None:
        number = make(maximum_iterations)
        if number.shape.rank:
            raise ValueError(f"'maximum_iterations' must be a scalar, not of shape {number.shape}.")
        limit = int(number)
    done = 0
    while limit is None or done < limit:
        arguments, _ = _arguments(loop_vars)
        if not cond(*arguments):
            break
        result = body(*arguments)
        if isinstance(structure, dict):
            loop_vars = result
        else:
            _refuse_dict(result, structure)
            if single and not nest.is_nested(result):
                result = [result] if isinstance(structure, list) else (result,)
            packed = result if isinstance(result, (list, tuple)) else (result,)
            nest.assert_same_structure(list(packed), list(structure), expand_composites=True)
            loop_vars = packed
        done += 1

    def converted(leaf: Any) -> Any:
        return leaf if isinstance(leaf, (Tensor, CompositeTensor)) or hasattr(leaf, "_type_spec") else make(leaf)

    flat = [converted(leaf) for leaf in nest.flatten(loop_vars)]
    return nest.pack_sequence_as(loop_vars, flat)


def _invariants(loop_vars: Any, tensors: list[Any], shape_invariants: Any) -> list[Any]:
    shapes = [t._raw_shape() for t in tensors]
    if shape_invariants is None:
        return shapes
    leaves = nest.flatten(loop_vars, expand_composites=False)
    given = _flat_shapes(shape_invariants, loop_vars)
    if len(given) != len(leaves):
        raise ValueError(f"shape_invariants has {len(given)} entries for {len(leaves)} loop variables.")
    result: list[Any] = []
    position = 0
    for leaf, invariant in zip(leaves, given, strict=True):
        parts = nest.flatten(leaf, expand_composites=True)
        if isinstance(invariant, TypeSpec) and not isinstance(invariant, TensorSpec):
            wanted = [getattr(s, "shape", None) for s in nest.flatten(invariant._component_specs)]
            result += [None if w is None else raw(w) for w in wanted]
        elif invariant is None or len(parts) != 1:
            result += shapes[position : position + len(parts)]
        else:
            shape = raw(invariant.shape if isinstance(invariant, TensorSpec) else invariant)
            dtype = invariant.dtype if isinstance(invariant, TensorSpec) else tensors[position].dtype
            if dtype is not tensors[position].dtype:
                raise TypeError(
                    f"The shape invariant of loop variable {position} has dtype {dtype.name}, the variable has "
                    f"{tensors[position].dtype.name}."
                )
            if not is_subtype(shapes[position], shape):
                raise (TypeError if isinstance(invariant, TensorSpec) else ValueError)(
                    f"The shape invariant {TensorShape(shape)} specified for loop variable {position} is not "
                    f"compatible with "
                    f"its initial shape {TensorShape(shapes[position])}."
                )
            result.append(shape)
        position += len(parts)
    return result


def _flat_shapes(invariants: Any, like: Any) -> list[Any]:
    if isinstance(invariants, (TensorShape, TypeSpec)) or invariants is None:
        return [invariants]
    if isinstance(like, dict):
        return [s for key in sorted(like) for s in _flat_shapes(invariants[key], like[key])]
    if nest.is_nested(like):
        result: list[Any] = []
        for invariant, part in zip(invariants, like, strict=True):
            result += _flat_shapes(invariant, part)
        return result
    return [TensorShape(invariants)]


def _traced(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any,
    maximum_iterations: Any,
    name: str | None,
) -> Any:
    graph = state.graph
    with name_scope(name or "while") as scope:
        label = scope.rstrip("/").replace("/", "_")
        flat = nest.flatten(loop_vars, expand_composites=True)
        tensors = [graph.own(leaf if isinstance(leaf, Tensor) else make(leaf)) for leaf in flat]
        shapes = _invariants(loop_vars, tensors, shape_invariants)
        limit = None
        if maximum_iterations is not None:
            limit = _limit(maximum_iterations)
            tensors.append(graph.constant(np.array(0, np.int32), "loop_counter"))
            shapes.append(())
        count = len(flat)
        test = FuncGraph(f"{label}_cond", graph)
        test.stands_in(scope)
        test.started_from = tensors
        with test.build():
            arguments = _placeholders(test, tensors, shapes, flat)
            answer = cond(*_arguments(_pack(loop_vars, arguments[:count]))[0])
            answer = _predicate(answer)
            if limit is not None:
                from graphlab.ops.comparison import less, logical_and

                answer = logical_and(less(arguments[count], limit), answer)
            test.outputs.append(test.own(answer))
        step = FuncGraph(f"{label}_body", graph)
        step.stands_in(scope)
        step.started_from = tensors
        with step.build():
            arguments = _placeholders(step, tensors, shapes, flat)
            structure = _pack(loop_vars, arguments[:count])
            result = body(*_arguments(structure)[0])
            if not isinstance(loop_vars, dict):
                result = _packed(result, list(loop_vars))
                _same(_pack(list(loop_vars), arguments[:count]), result)
            else:
                nest.assert_same_structure(structure, result, expand_composites=True)
            leaves = nest.flatten(result, expand_composites=True)
            for position, leaf in enumerate(leaves):
                step.outputs.append(_next(step, leaf, tensors[position], shapes[position], position))
            if limit is not None:
                from graphlab.ops.math import add

                step.outputs.append(add(arguments[count], np.array(1, np.int32)))
        test.started_from = step.started_from = None
    captured = close([test, step])
    test.loop_variables = step.loop_variables = len(tensors)
    step.outputs += step.inputs[len(tensors) :]
    shapes += [t._raw_shape() for t in captured]
    outputs = bind(
        WHILE[effect_of([test, step])],
        ([*tensors, *captured],),
        {"cond": test, "body": step, "output_shapes": shapes},
        scope,
    )
    for output, tensor in zip(outputs, [*tensors, *captured], strict=True):
        if tensor.dtype is dtypes.resource and isinstance(output, SymbolicTensor):
            output.__dict__["handle_data"] = handle_data(tensor)
    return _pack(loop_vars, outputs[:count])


def _limit(maximum_iterations: Any) -> Any:
    """The highest number of iterations as an int32 tensor of shape ().

    Raises:
      TypeError: it is no whole number; ValueError for a tensor of another dtype.
      InvalidArgumentError: it is no scalar.
    """
    array = isinstance(maximum_iterations, (np.ndarray, np.generic))
    limit = make(maximum_iterations, dtypes.int32 if array else None, dtypes.int32, "maximum_iterations")
    if limit.dtype is not dtypes.int32:
        text = f"'maximum_iterations' must have dtype int32, but has {limit.dtype.name}."
        raise (ValueError if isinstance(maximum_iterations, Tensor) else TypeError)(text)
    if limit.shape.rank:
        text = f"'maximum_iterations' must be a scalar, not of shape {limit.shape}."
        raise errors.InvalidArgumentError(None, None, text)
    return limit


def _pack(structure: Any, leaves: list[Any]) -> Any:
    return nest.pack_sequence_as(structure, leaves, expand_composites=True)


def _placeholders(graph: FuncGraph, tensors: list[Any], shapes: list[Any], flat: list[Any]) -> list[Any]:
    result: list[Any] = []
    for tensor, shape in zip(tensors, shapes, strict=True):
        # An argument keeps its name, by which views call it; other names are left to the operations of the body.
        named = isinstance(tensor, SymbolicTensor) and tensor.op.type == "Placeholder"
        base = tensor.op.name.rpartition("/")[2] if named else "Placeholder"
        placeholder = graph.argument(tensor.dtype, shape, base)
        number = len(result)
        graph.shown_names[placeholder.op.name] = f"Placeholder_{number}" if number else "Placeholder"
        if tensor.dtype is dtypes.resource:
            placeholder.__dict__["handle_data"] = handle_data(tensor)
        result.append(placeholder)
    return result


def _predicate(answer: Any) -> Any:
    if isinstance(answer, (list, tuple)) and len(answer) == 1:
        answer = answer[0]
    answer = make(answer)
    shape = answer._raw_shape()
    if answer.dtype is not dtypes.bool:
        raise TypeError(f"The condition of the loop must be a bool tensor; it is {answer.dtype.name}.")
    if shape is not None and shape not in ((), (1,)):
        raise TypeError(
            f"The condition of the loop must have shape (), not {shape}. Use tf.reduce_all or tf.reduce_any."
        )
    return answer


def _next(graph: FuncGraph, leaf: Any, before: Any, invariant: Any, position: int) -> Any:
    if leaf is None:
        raise ValueError(f"The body of the loop returns None for loop variable {position}.")
    if not isinstance(leaf, Tensor) and not hasattr(type(leaf), "__tf_tensor__"):
        try:
            leaf = make(leaf, before.dtype)
        except (TypeError, ValueError):
            leaf = make(leaf)
    tensor = graph.own(leaf if isinstance(leaf, Tensor) else make(leaf))
    if tensor.dtype is not before.dtype:
        raise TypeError(
            f"Loop variable {position} ({before.name}) has dtype {before.dtype.name} before the loop, but the body "
            f"returns "
            f"{tensor.dtype.name}. Write tf.cast(..., tf.{before.dtype.name}) in the body."
        )
    if not is_subtype(tensor._raw_shape(), invariant):
        raise ValueError(
            f"Input tensor '{before.name}' enters the loop with shape {TensorShape(invariant)}, but has shape "
            f"{tensor.shape} after one iteration. To allow the shape to vary across iterations, use the "
            f"`shape_invariants` "
            "argument of tf.while_loop to specify a less-specific shape."
        )
    return tensor
