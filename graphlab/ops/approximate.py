"""``tf.math.approx_max_k`` and ``approx_min_k``: on a processor without special hardware the exact answer."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import REQUIRED, Arg, define
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.lazily import ops

_TYPES = frozenset((dtypes.float16, dtypes.bfloat16, dtypes.float32))


class ApproxTopK(namedtuple("ApproxTopK", ("values", "indices"))):  # noqa: PYI024 - TensorFlow's result, by position too
    """What ``tf.math.approx_max_k`` returns: values, and where they are."""

    __slots__ = ()


def _approx(
    x: Any, k: int, reduction_dimension: int, recall_target: float, is_max_k: bool, reduction_input_size_override: int,
    aggregate_to_topk: bool,
) -> Any:  # fmt: skip
    axis = _axis(reduction_dimension, x.ndim)
    size = x.shape[axis]
    if k < 0:
        raise InvalidArgumentError(None, None, f"Need k >= 0, got {k}")
    if size < k:
        raise InvalidArgumentError(None, None, f"input must have at least k columns. Had {size}, needed {k}")
    wide = x.astype(np.float32) if x.dtype.itemsize == 2 else x
    # A stable order: of equal elements the first come first; NaN is the largest of all.
    order = np.argsort(wide, axis, kind="stable") if not is_max_k else _descending(wide, axis)
    order = np.take(order, range(k), axis)
    return np.take_along_axis(x, order, axis), order.astype(np.int32)


def _descending(x: Any, axis: int) -> Any:
    flipped = np.flip(x, axis)
    order = np.flip(np.argsort(flipped, axis, kind="stable"), axis)
    return x.shape[axis] - 1 - order


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise InvalidArgumentError(None, None, f"reduction_dimension {axis} is out of range for rank {rank}.")
    return axis % rank


def _shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    shape = inference.at_least_rank(args[0].shape, 1, "input")
    if shape is None:
        return [None, None]
    axis = inference.axis_in(attrs["reduction_dimension"], len(shape))
    size = shape[axis]
    if size is not None and size < attrs["k"]:
        raise ValueError(f"input must have last dimension >= k = {attrs['k']} but is {size}.")
    found = (*shape[:axis], attrs["k"], *shape[axis + 1 :])
    return [found, found]


def _gradient(op: Any, dy: Any, _: Any) -> Any:
    """Each element of the result gives its gradient to where it came from."""
    if dy is None:
        return None
    x, indices = op.inputs[0], op.outputs[1]
    rank = len(x._raw_shape())
    axis = op.attrs["reduction_dimension"] % rank
    sizes = ops.shape(indices)
    places = [
        indices
        if at == axis
        else ops.broadcast_to(
            ops.reshape(ops.range(sizes[at]), [-1 if other == at else 1 for other in range(rank)]), sizes
        )
        for at in range(rank)
    ]
    return ops.tensor_scatter_nd_add(ops.zeros_like(x), ops.stack(places, -1), dy)


APPROX_TOP_K = define(
    "ApproxTopK", "input: T -> values: T, indices: int32", kernel=_approx, infer=_shape, gradient=_gradient,
    types={"T": _TYPES}, can_fail=True, fp=False,
    attrs={"k": REQUIRED, "reduction_dimension": -1, "recall_target": 0.95, "is_max_k": True,
           "reduction_input_size_override": -1, "aggregate_to_topk": True},
)  # fmt: skip


@public("approx_top_k")
def approx_top_k(
    input: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95, is_max_k: bool = True,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True, name: str | None = None,
) -> ApproxTopK:  # fmt: skip
    """``tf.math.approx_max_k``, or with ``is_max_k=False`` ``tf.math.approx_min_k``.

    >>> import graphlab as tf
    >>> tf.approx_top_k([1.0, 5.0, 3.0], 2).indices.numpy()
    array([1, 2], dtype=int32)
    """
    attrs = {
        "k": int(k), "reduction_dimension": reduction_dimension, "recall_target": recall_target, "is_max_k": is_max_k,
        "reduction_input_size_override": reduction_input_size_override, "aggregate_to_topk": aggregate_to_topk,
    }  # fmt: skip
    return ApproxTopK(*bind(APPROX_TOP_K, (input,), attrs, name))


@public("math.approx_max_k", "nn.approx_max_k")
def approx_max_k(
    operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True, name: str | None = None,
) -> ApproxTopK:  # fmt: skip
    """The ``k`` largest elements along an axis and where they are, largest first.

    Args:
      operand: a tensor of float32, float16 or bfloat16.
      k: how many.
      reduction_dimension: the axis.
      recall_target, reduction_input_size_override, aggregate_to_topk: say how nearly the answer must be right on
        hardware that finds it faster then; here it is always exact.
      name: a name for the node.

    Returns:
      ``(values, indices)``, with ``k`` elements along the axis.

    Raises:
      tf.errors.InvalidArgumentError: the axis has fewer than ``k`` elements.

    >>> import graphlab as tf
    >>> values, indices = tf.math.approx_max_k([1.0, 5.0, 3.0, 4.0], 2)
    >>> values.numpy(), indices.numpy()
    (array([5., 4.], dtype=float32), array([1, 3], dtype=int32))
    """
    return approx_top_k(
        operand, k, reduction_dimension, recall_target, True, reduction_input_size_override, aggregate_to_topk, name
    )


@public("math.approx_min_k", "nn.approx_min_k")
def approx_min_k(
    operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True, name: str | None = None,
) -> ApproxTopK:  # fmt: skip
    """The ``k`` smallest elements along an axis, smallest first.  As ``tf.math.approx_max_k`` else.

    >>> import graphlab as tf
    >>> tf.math.approx_min_k([1.0, 5.0, 3.0, 4.0], 2).values.numpy()
    array([1., 3.], dtype=float32)
    """
    return approx_top_k(
        operand, k, reduction_dimension, recall_target, False, reduction_input_size_override, aggregate_to_topk, name
    )
