"""Functions over the parts of tensors: ``map_fn``, ``scan``, ``foldl``, ``foldr``, ``vectorized_map``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphlab.control import composites
from graphlab.control.tensor_array import TensorArray
from graphlab.control.while_loop import check_iterations, stops, while_loop, without_gradient
from graphlab.core import dtypes, errors, nest
from graphlab.core.convert import make
from graphlab.core.dispatch import name_scope, named
from graphlab.core.export import public
from graphlab.core.shape import merge, raw
from graphlab.core.specs import CompositeTensor, TensorSpec, TypeSpec
from graphlab.core.state import state
from graphlab.core.tensor import Tensor


def _elements(elems: Any, folds: bool = False) -> tuple[Any, list[Any], Any]:
    """Structure, flat tensors and the number of elements (int, or int32 tensor).

    Scalars have none: ``folds`` says which error TensorFlow has for that.
    """
    kinds: Any = Tensor if folds else (Tensor, CompositeTensor)
    flat = [e if isinstance(e, kinds) else make(e) for e in nest.flatten(elems)]
    if not flat:
        raise ValueError("elems must contain at least one tensor.")
    static: Any = (None,)
    for tensor in flat:
        shape = tensor._raw_shape() if isinstance(tensor, Tensor) else raw(tensor.shape)
        if shape is None:
            continue
        if not shape:
            text = "elements in elems must be 1+ dimensional tensors, not scalars"
            raise IndexError(text) if folds else ValueError(text)
        static = merge(static, shape[:1])
    if static[0] is not None:
        return nest.pack_sequence_as(elems, flat), flat, static[0]
    from graphlab.ops.array_shape import shape as shape_of

    first: Any = flat[0]
    if hasattr(first, "nrows"):
        return nest.pack_sequence_as(elems, flat), flat, first.nrows(out_type=dtypes.int32)
    return nest.pack_sequence_as(elems, flat), flat, shape_of(first)[0]


def _at(structure: Any, arrays: list[Any], index: Any) -> Any:
    return nest.pack_sequence_as(structure, [a.read(index) for a in arrays])


def _arrays(flat: list[Any], size: Any) -> list[Any]:
    result: list[Any] = []
    for tensor in flat:
        if isinstance(tensor, CompositeTensor):
            result.append(composites.Elements(tensor))
            continue
        shape = tensor._raw_shape()
        array = TensorArray(tensor.dtype, size, element_shape=None if shape is None else shape[1:])
        result.append(array.unstack(tensor))
    return result


def _stacked(arrays: list[TensorArray], size: Any, written: list[TensorArray] | None = None) -> list[Any]:
    """The elements of each array; ``written`` are the arrays inside the loop, which know the elements' shape."""
    out = []
    for position, array in enumerate(arrays):
        if written:
            array._shape = written[position]._shape
        tensor = array.stack()
        if isinstance(size, int) and state.graph is not None:
            shape = tensor._raw_shape()
            if shape is not None:
                tensor.set_shape([size, *shape[1:]])
        out.append(tensor)
    return out


@public("map_fn")
def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Applies ``fn`` to each part of ``elems`` along its first axis and stacks the results.

    Args:
      fn: takes one part (in the structure of ``elems``).
      elems: tensor or structure of tensors with the same first dimension; RaggedTensors and SparseTensors too.
      dtype, fn_output_signature: dtypes or specs of what ``fn`` returns, where that differs from its argument. With a
        ``tf.RaggedTensorSpec`` the results may have different lengths, and come back as one RaggedTensor.
      infer_shape: all results have one shape.
      name: name of the ops.

    Raises:
      AttributeError: ``fn`` cannot be called.
      InvalidArgumentError: it returns other dtypes than said.
      ValueError: no elements, or scalars.

    >>> import graphlab as tf
    >>> tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3])).numpy()
    array([1, 4, 9], dtype=int32)
    """
    if not callable(fn):
        raise AttributeError(f"The provided function {fn!r} is not callable. fn must be callable.")
    check_iterations(parallel_iterations or 10)
    if stops(back_prop):
        return without_gradient(
            map_fn(fn, elems, dtype, infer_shape=infer_shape, name=name, fn_output_signature=fn_output_signature)
        )
    signature = fn_output_signature if fn_output_signature is not None else dtype
    with name_scope(name, "map"):
        structure, flat, size = _elements(elems)
        arrays = _arrays(flat, size)
        if signature is None:
            wanted: list[Any] = [composites.element_spec(t) or t.dtype for t in flat]
            result_structure = structure
        else:
            wanted = nest.flatten(signature)
            result_structure = signature
        outputs = [_output(w, size, infer_shape) for w in wanted]
        if any(isinstance(output, composites.Results) for output in outputs):
            done = composites.mapped(fn, size, outputs, result_structure, lambda i: _at(structure, arrays, i), _checked)
            return nest.pack_sequence_as(result_structure, done)
        written: list[TensorArray] = []

        def body(index: Any, *done: Any) -> Any:
            result = fn(_at(structure, arrays, index))
            nest.assert_same_structure(result_structure, result, check_types=False)
            values = nest.flatten(result)
            written[:] = [array.write(index, _checked(v, array)) for array, v in zip(done, values, strict=True)]
            return (index + 1, *written)

        start = make(np.array(0, np.int32))
        _, *done = while_loop(lambda i, *_: i < size, body, (start, *outputs))
        return nest.pack_sequence_as(result_structure, _stacked(done, size, written))


def _checked(value: Any, array: TensorArray) -> Any:
    tensor = value if isinstance(value, Tensor) else make(value, None, array.dtype)
    if tensor.dtype is not array.dtype:
        raise errors.InvalidArgumentError(
            None,
            None,
            f"fn returns {tensor.dtype.name} where {array.dtype.name} is expected. "
            f"Write fn_output_signature=tf.{tensor.dtype.name}.",
        )
    return tensor


def _output(wanted: Any, size: Any, infer_shape: bool) -> Any:
    if isinstance(wanted, TensorSpec):
        return TensorArray(wanted.dtype, size, infer_shape=infer_shape, element_shape=wanted.shape)
    if isinstance(wanted, TypeSpec):
        return composites.Results(wanted, size)
    return TensorArray(dtypes.as_dtype(wanted), size, infer_shape=infer_shape)


@public("foldl")
def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Combines the parts of ``elems`` from first to last: ``fn(accumulated, part)``.

    Without ``initializer`` the first part is where it starts.

    >>> import graphlab as tf
    >>> int(tf.foldl(lambda a, x: a * 10 + x, tf.constant([1, 2, 3])))
    123
    """
    check_iterations(parallel_iterations)
    stopped = stops(back_prop)
    result = _fold(fn, elems, initializer, False, named(name, "foldl"))
    return without_gradient(result) if stopped else result


@public("foldr")
def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Combines the parts of ``elems`` from last to first: ``fn(accumulated, part)``.

    >>> import graphlab as tf
    >>> int(tf.foldr(lambda a, x: a * 10 + x, tf.constant([1, 2, 3])))
    321
    """
    check_iterations(parallel_iterations)
    stopped = stops(back_prop)
    result = _fold(fn, elems, initializer, True, named(name, "foldr"))
    return without_gradient(result) if stopped else result


def _fold(fn: Callable[..., Any], elems: Any, initializer: Any, reverse: bool, name: str) -> Any:
    if not callable(fn):
        raise AttributeError(f"{name}: fn must be callable, not {fn!r}.")
    with name_scope(name):
        structure, flat, size = _elements(elems, True)
        arrays = _arrays(flat, size)
        zero = make(np.array(0, np.int32))
        last = size - 1 if isinstance(size, Tensor) else make(np.array(size - 1, np.int32))
        index = last if reverse else zero
        step = -1 if reverse else 1
        if initializer is None:
            state_ = _at(structure, arrays, index)
            index = index + step
        elif state.graph is None:
            state_ = initializer  # which fn gets as it is
        else:
            state_ = nest.map_structure(lambda v: v if isinstance(v, Tensor) else make(v), initializer)

        def test(i: Any, _: Any) -> Any:
            return i >= 0 if reverse else i < size

        def body(i: Any, accumulated: Any) -> Any:
            accumulated = fn(accumulated, _at(structure, arrays, i))
            return i + step, accumulated

        return while_loop(test, body, (index, state_))[1]


@public("scan")
def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """As ``foldl`` (or, with ``reverse``, ``foldr``), but returns all accumulated values, stacked.

    >>> import graphlab as tf
    >>> tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)
    """
    if not callable(fn):
        raise AttributeError(f"{fn!r} is not callable: fn must be callable.")
    check_iterations(parallel_iterations)
    if stops(back_prop):
        return without_gradient(scan(fn, elems, initializer, infer_shape=infer_shape, reverse=reverse, name=name))
    with name_scope(name, "scan"):
        structure, flat, size = _elements(elems, True)
        arrays = _arrays(flat, size)
        step = -1 if reverse else 1
        last = size - 1 if isinstance(size, Tensor) else make(np.array(size - 1, np.int32))
        index = last if reverse else make(np.array(0, np.int32))
        if initializer is None:
            accumulated = _at(structure, arrays, index)
        else:
            accumulated = nest.map_structure(lambda v: v if isinstance(v, Tensor) else make(v), initializer)
        result_structure = accumulated
        values = nest.flatten(accumulated)
        outputs = [
            TensorArray(v.dtype, size, infer_shape=infer_shape, element_shape=v.shape if infer_shape else None)
            for v in values
        ]
        if initializer is None:
            outputs = [array.write(index, v) for array, v in zip(outputs, values, strict=True)]
            index = index + step

        def test(i: Any, *_: Any) -> Any:
            return i >= 0 if reverse else i < size

        def body(i: Any, accumulated: Any, *done: Any) -> Any:
            result = fn(accumulated, _at(structure, arrays, i))
            flat_result = [
                v if isinstance(v, Tensor) else make(v, a.dtype)
                for v, a in zip(nest.flatten(result), done, strict=True)
            ]
            return (
                i + step,
                nest.pack_sequence_as(result_structure, flat_result),
                *[array.write(i, v) for array, v in zip(done, flat_result, strict=True)],
            )

        result = while_loop(test, body, (index, accumulated, *outputs))
        return nest.pack_sequence_as(result_structure, _stacked(list(result[2:]), size))


@public("vectorized_map")
def vectorized_map(fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True) -> Any:
    """Applies ``fn`` to each part of ``elems`` along its first axis and stacks the results.

    The results are those of ``tf.map_fn``; their dtypes need not be said.

    >>> import graphlab as tf
    >>> tf.vectorized_map(lambda x: tf.reduce_sum(x), tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([3., 7.], dtype=float32)
    """
    from graphlab.control.cond import trace_branch

    structure, flat, size = _elements(elems)
    if state.graph is None or isinstance(size, int):
        from graphlab.ops.array import stack
        from graphlab.ops.creation import zeros

        elements = [nest.pack_sequence_as(structure, [t[index] for t in flat]) for index in range(int(size))]
        try:
            results = [fn(element) for element in elements]
        except errors.InvalidArgumentError:
            if state.graph is None:  # fn is traced in TensorFlow: an error that tracing meets is tracing's
                trace_branch("vectorized_map", lambda: fn(elements[0]))
            raise
        if not results:
            # What fn makes of an element says what there is none of.
            like = fn(nest.pack_sequence_as(structure, [zeros(t.shape[1:], t.dtype) for t in flat]))
            return nest.map_structure(lambda leaf: zeros([0, *make(leaf).shape], make(leaf).dtype), like)
        parts = [[v if isinstance(v, Tensor) else make(v) for v in nest.flatten(r)] for r in results]
        return nest.pack_sequence_as(results[0], [stack(list(column)) for column in zip(*parts, strict=True)])
    _, example = trace_branch("vectorized_map", lambda: fn(nest.pack_sequence_as(structure, [t[0] for t in flat])))
    return map_fn(fn, structure, fn_output_signature=nest.map_structure(lambda t: t.dtype, example))
