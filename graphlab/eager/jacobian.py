"""Jacobians, a row at a time from one recording."""

from __future__ import annotations

from typing import Any

from graphlab.core import nest
from graphlab.core.tensor import Tensor


def _value(x: Any) -> Any:
    return x if isinstance(x, Tensor) else x.value()


def _rows(tape: Any, target: Any, sources: list[Any], unconnected: Any) -> list[Any]:
    """For each source, the stacked gradients of the elements of the flat target."""
    from graphlab.ops.array import reshape, stack
    from graphlab.ops.array_shape import shape, size
    from graphlab.ops.grids import one_hot

    count = target.shape.num_elements()
    if count is None:
        raise ValueError("The Jacobian of a target of unknown size needs its shape: use target.set_shape(...).")
    extent = shape(target)
    collected: list[list[Any]] = [[] for _ in sources]
    del size
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
        results.append(reshape(stack(parts), [*target.shape.as_list(), *value.shape.as_list()]))
    return results


def _unconnected(target: Any, value: Any, unconnected: Any) -> Any:
    from graphlab.ops.creation import zeros

    if getattr(unconnected, "value", unconnected) == "zero":
        return zeros([*target.shape.as_list(), *value.shape.as_list()], value.dtype)
    return None


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


def jacobian(tape: Any, target: Any, sources: Any, unconnected: Any) -> Any:
    """See ``GradientTape.jacobian``."""
    _check(tape)
    flat = nest.flatten(sources)
    results = _rows(tape, tape.value_of(target), flat, unconnected)
    _spend(tape)
    return nest.pack_sequence_as(sources, results) if nest.is_nested(sources) else results[0]


def batch_jacobian(tape: Any, target: Any, source: Any, unconnected: Any) -> Any:
    """See ``GradientTape.batch_jacobian``."""
    from graphlab.ops.array import reshape, stack
    from graphlab.ops.array_shape import shape
    from graphlab.ops.creation import zeros, zeros_like
    from graphlab.ops.grids import one_hot

    _check(tape)
    target = tape.value_of(target)
    value = _value(source)
    dims = target.shape.as_list()
    source_dims = value.shape.as_list()
    if not dims or not source_dims or dims[0] != source_dims[0]:
        raise ValueError(
            f"Need first dimension of target shape ({target.shape}) and source shape ({value.shape}) to match."
        )
    for what, tensor in (("target", target), ("source", value)):
        if tensor.shape.rank < 2:
            raise ValueError(
                f"Shape {tensor.shape} of the {what} must have rank at least 2: a batch of vectors or more."
            )
    inner = 1
    for dim in dims[1:]:
        inner *= dim
    extent = shape(target)
    columns = []
    for index in range(inner):
        row = one_hot(index, inner, dtype=target.dtype)
        seed = reshape(stack([row] * dims[0]) if dims[0] else zeros([0, inner], target.dtype), extent)
        columns.append(tape._run([target], [seed], [source])[0])
    _spend(tape)
    full = [dims[0], *dims[1:], *source_dims[1:]]
    if not columns or all(c is None for c in columns):
        # TensorFlow gives zeros here, of the target's dtype, whatever unconnected_gradients says.
        return zeros(full, target.dtype)
    parts = [zeros_like(value) if c is None else c for c in columns]
    return reshape(stack(parts, axis=1), full)
