"""Jacobians, a row at a time from one recording.

The rows are written out one after the other where their number is known, and are a loop of the graph where it is not.
"""

from __future__ import annotations

from typing import Any

from graphlab.core import nest
from graphlab.core.export import resolve
from graphlab.core.specs import TensorSpec
from graphlab.core.tensor import Tensor


def _value(x: Any) -> Any:
    return x if isinstance(x, Tensor) else x.value()


def _rows(tape: Any, target: Any, sources: list[Any], unconnected: Any) -> list[Any]:
    """For each source, the stacked gradients of the elements of the flat target."""
    from graphlab.ops.array import reshape, stack
    from graphlab.ops.array_shape import shape
    from graphlab.ops.grids import one_hot

    count = target.shape.num_elements()
    if count is None:
        return _unknown_rows(tape, target, sources, unconnected)
    extent = shape(target)
    collected: list[list[Any]] = [[] for _ in sources]
    for index in range(count):
        seed = reshape(one_hot(index, count, dtype=target.dtype), extent)
        for position, gradient in enumerate(tape._run([target], [seed], sources)):
            collected[position].append(gradient)
    results: list[Any] = []
    for source, rows in zip(sources, collected, strict=True):
        value = _value(source)
        if not rows or all(r is None for r in rows):
            results.append(_unconnected(target, value, unconnected))
            continue
        from graphlab.graph.backprop import dense
        from graphlab.ops.creation import zeros_like

        parts = [zeros_like(value) if r is None else dense(r) for r in rows]
        results.append(_shaped(stack(parts), target, value))
    return results


def _unknown_rows(tape: Any, target: Any, sources: list[Any], unconnected: Any) -> list[Any]:
    """As ``_rows``, while the number of elements is not known: a loop of the graph goes through them."""
    from graphlab.ops.array_shape import size

    stacked, connected = _looped(tape, target, sources, size(target), lambda row, extent: (row, extent))
    values = [_value(source) for source in sources]
    return [
        _shaped(rows, target, value) if found else _unconnected(target, value, unconnected)
        for rows, value, found in zip(stacked, values, connected, strict=True)
    ]


def _looped(tape: Any, target: Any, sources: list[Any], count: Any, seed_of: Any) -> tuple[list[Any], list[bool]]:
    """The gradients for each of ``count`` seeds, stacked, a tensor for each source, and which sources have any.

    ``seed_of`` makes a seed's elements and its shape of a row of the unit matrix and the target's shape.
    """
    from graphlab.graph.backprop import dense
    from graphlab.ops.array import reshape
    from graphlab.ops.array_shape import shape
    from graphlab.ops.creation import zeros_like
    from graphlab.ops.grids import one_hot

    extent = shape(target)
    values = [_value(source) for source in sources]
    connected = [False] * len(sources)

    def row(index: Any) -> list[Any]:
        seed = reshape(*seed_of(one_hot(index, count, dtype=target.dtype), extent))
        seed.set_shape(target.shape)
        gradients = tape._run([target], [seed], sources)
        connected[:] = [gradient is not None for gradient in gradients]
        return [zeros_like(v) if g is None else dense(g) for g, v in zip(gradients, values, strict=True)]

    specs = [TensorSpec(value.shape, value.dtype) for value in values]
    # One row at least, which is dropped again: no rows could not be stacked, since only a row has a shape.
    rows = resolve("map_fn")(row, resolve("range")(resolve("maximum")(count, 1)), fn_output_signature=specs)
    return [r[:count] for r in rows], connected


def _shaped(rows: Any, target: Any, value: Any) -> Any:
    """Rows in the shape of the target, followed by that of the source; sizes that are not known are worked out."""
    extent, whole = _extent(target, value)
    return _reshaped(rows, extent, whole)


def _extent(target: Any, value: Any, batch: int = 0) -> tuple[Any, Any]:
    """The shape of a Jacobian, as a list or tensor, and what is known of it; the source's first axes are left out."""
    from graphlab.ops.array import concat
    from graphlab.ops.array_shape import shape

    whole = target.shape.concatenate(value.shape[batch:])
    if whole.is_fully_defined():
        return whole.as_list(), whole
    return concat([shape(target), shape(value)[batch:]], 0), whole


def _unconnected(target: Any, value: Any, unconnected: Any) -> Any:
    from graphlab.ops.creation import zeros

    if getattr(unconnected, "value", unconnected) != "zero":
        return None
    return zeros(_extent(target, value)[0], value.dtype)


def _spend(tape: Any) -> None:
    if not tape._persistent:
        if tape.recording:
            tape._pop()
        tape.spend()


def _check(tape: Any) -> None:
    if tape._spent:
        raise RuntimeError(
            "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians). "
            "Write tf.GradientTape(persistent=True) to use it again."
        )
    if tape.recording and not tape._persistent:
        tape._pop()


def _check_options(unconnected: Any, parallel_iterations: Any) -> None:
    mode = getattr(unconnected, "value", unconnected)
    if not isinstance(mode, str) or mode not in ("none", "zero"):
        error = TypeError if isinstance(mode, Tensor) else ValueError
        raise error(f"Unknown value for unconnected_gradients: {unconnected!r:.100}. Use 'none' or 'zero'.")
    if parallel_iterations is None:
        return
    if not isinstance(parallel_iterations, int):
        raise TypeError(f"parallel_iterations must be a positive int, not {parallel_iterations!r:.100}.")
    if parallel_iterations < 1 or parallel_iterations is True:
        raise ValueError(f"parallel_iterations must be a positive int, not {parallel_iterations!r}.")


def jacobian(tape: Any, target: Any, sources: Any, unconnected: Any, parallel_iterations: Any = None) -> Any:
    """See ``GradientTape.jacobian``."""
    _check_options(unconnected, parallel_iterations)
    _check(tape)
    flat = nest.flatten(sources)
    for source in flat:
        if source is None or isinstance(source, str | bytes):
            raise TypeError(
                f"Argument `sources` should be a tensor or variable or a structure of them, not {source!r}."
            )
    results = _rows(tape, tape.value_of(target), flat, unconnected)
    _spend(tape)
    return nest.pack_sequence_as(sources, results) if nest.is_nested(sources) else results[0]


def batch_jacobian(tape: Any, target: Any, source: Any, unconnected: Any, parallel_iterations: Any = None) -> Any:
    """See ``GradientTape.batch_jacobian``."""
    _check_options(unconnected, parallel_iterations)
    from graphlab.ops.array import stack
    from graphlab.ops.creation import zeros, zeros_like

    _check(tape)
    target = tape.value_of(target)
    value = _value(source)
    for what, tensor in (("target", target), ("source", value)):
        if tensor.shape.rank is not None and tensor.shape.rank < 2:
            raise ValueError(
                f"Shape {tensor.shape} of the {what} must have rank at least 2: a batch of vectors or more."
            )
    if not target.shape[:1].is_compatible_with(value.shape[:1]):
        raise ValueError(
            f"Need first dimension of target shape ({target.shape}) and source shape ({value.shape}) to match."
        )
    inner = target.shape[1:].num_elements()
    if inner is None:
        by_batch, connected = _unknown_columns(tape, target, source)
    else:
        columns = [_column(tape, target, source, index, inner) for index in range(inner)]
        connected = any(column is not None for column in columns)
        by_batch = connected and stack([zeros_like(value) if c is None else c for c in columns], axis=1)
    _spend(tape)
    extent, whole = _extent(target, value, 1)
    if not connected:
        # TensorFlow gives zeros here, of the target's dtype, whatever unconnected_gradients says.
        return zeros(extent, target.dtype)
    return _reshaped(by_batch, extent, whole)


def _column(tape: Any, target: Any, source: Any, index: int, inner: int) -> Any:
    """The gradient of one element of every example."""
    from graphlab.ops.array import reshape
    from graphlab.ops.array_shape import broadcast_to, shape
    from graphlab.ops.grids import one_hot

    extent = shape(target)
    row = one_hot(index, inner, dtype=target.dtype)
    seed = reshape(broadcast_to(row, [extent[0], inner]), extent)
    seed.set_shape(target.shape)
    return tape._run([target], [seed], [source])[0]


def _unknown_columns(tape: Any, target: Any, source: Any) -> tuple[Any, bool]:
    """The columns of an unknown number of elements: ``[batch, elements, source's elements]``."""
    from graphlab.ops.array import reshape, transpose
    from graphlab.ops.array_shape import broadcast_to, shape
    from graphlab.ops.reduction import reduce_prod

    batch = shape(target)[0]
    inner = reduce_prod(shape(target)[1:])
    (stacked,), connected = _looped(
        tape, target, [source], inner, lambda row, extent: (broadcast_to(row, [batch, inner]), extent)
    )
    rest = reduce_prod(shape(_value(source))[1:])
    return transpose(reshape(stacked, [inner, batch, rest]), [1, 0, 2]), connected[0]


def _reshaped(rows: Any, extent: Any, whole: Any) -> Any:
    from graphlab.ops.array import reshape

    result = reshape(rows, extent)
    result.set_shape(whole)
    return result
