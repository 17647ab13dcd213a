"""Normalization by the channels nearby."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphlab.core import dtypes
from graphlab.core.dispatch import bind, whole_number
from graphlab.core.export import public
from graphlab.core.op import FLOAT, Arg, define
from graphlab.ops import inference
from graphlab.ops.conv_arrays import check_kernel, check_rank, invalid, wide
from graphlab.ops.inference import Attrs, Shape


def _nearby(x: Any, radius: int) -> Any:
    """The sum over the channels (last) from ``radius`` before to ``radius`` after."""
    channels = x.shape[-1]
    total = x.copy()
    for away in range(1, min(radius, channels - 1) + 1):
        total[..., away:] += x[..., :-away]
        total[..., :-away] += x[..., away:]
    return total


def _check(x: Any, radius: int) -> None:
    check_kernel(x, "LRN", "bfloat16")
    check_rank(x, 4, "in")
    if radius < 0:
        raise invalid(f"depth_radius = {radius} must not be negative")


def _norm(x: Any, depth_radius: int, bias: float, alpha: float) -> Any:
    return _nearby(x * x, depth_radius) * x.dtype.type(alpha) + x.dtype.type(bias)


def _lrn(x: Any, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    _check(x, depth_radius)
    high = wide(x)
    result = high * _norm(high, depth_radius, bias, alpha) ** high.dtype.type(-beta)
    return result.astype(x.dtype, copy=False)


def _lrn_grad(dy: Any, x: Any, y: Any, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    _check(x, depth_radius)
    if not dy.shape == x.shape == y.shape:
        raise invalid(f"input_grads, input_image, and out_image should have the same shape: {list(dy.shape)}, ...")
    high, slope = wide(x), wide(dy)
    norm = _norm(high, depth_radius, bias, alpha)
    factor = high.dtype.type(-2.0 * alpha * beta)
    result = slope * norm ** high.dtype.type(-beta)
    result += factor * high * _nearby(slope * wide(y) / norm, depth_radius)
    return result.astype(x.dtype, copy=False)


def _image(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return inference.with_rank(args[0].shape, 4, "An image")


def _gradient(op: Any, dy: Any) -> Any:
    attrs = {name: op.attrs[name] for name in _ATTRS}
    return bind(LRN_GRAD, (dy, op.inputs[0], op.outputs[0]), attrs)


_ATTRS: dict[str, Any] = {"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5}
_TYPES = {"T": FLOAT - {dtypes.float64}}

LRN = define("LRN", "input: T -> output: T", kernel=_lrn, infer=_image, gradient=_gradient, types=_TYPES,
             defaults={"T": dtypes.float32}, attrs=_ATTRS, can_fail=True)  # fmt: skip
LRN_GRAD = define("LRNGrad", "input_grads: T, input_image: T, output_image: T -> output: T", kernel=_lrn_grad,
                  infer=_image, types=_TYPES, attrs=_ATTRS, can_fail=True)  # fmt: skip


@public("nn.local_response_normalization", "nn.lrn")
def local_response_normalization(
    input: Any,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Any:
    """Divides each element by ``(bias + alpha * s) ** beta``, ``s`` being the sum of squares of the channels nearby.

    Args:
      input: a tensor of rank 4, channels last, of dtype float32 or float16.
      depth_radius: how many channels before and after an element count.
      bias: a number.
      alpha: a number.
      beta: a number.
      name: a name for the node.

    Its gradient has none of its own.

    >>> import graphlab as tf
    >>> tf.nn.lrn(tf.reshape([1.0, 2.0], [1, 1, 1, 2]), depth_radius=0, beta=1.0).numpy().ravel()
    array([0.5, 0.4], dtype=float32)
    """
    if isinstance(depth_radius, int):
        depth_radius = whole_number(depth_radius, "depth_radius")
    attrs = {"depth_radius": depth_radius, "bias": bias, "alpha": alpha, "beta": beta}
    return bind(LRN, (input,), attrs, name)
