"""Running reductions along an axis: cumulative sums, products and log-sum-exps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, NUMERIC, Arg, define
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.over_values import of_composites


def _scan(x: Any, axis: Any, exclusive: bool, reverse: bool, ufunc: Any, start: Any) -> Any:
    at, rank = inference.number(axis, "axis"), x.ndim
    if not -rank <= at < rank:
        message = f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {at}"
        raise InvalidArgumentError(None, None, message)
    wide = x.astype(np.float32) if x.dtype.itemsize == 2 and x.dtype.kind in "fV" else x
    if reverse:
        wide = np.flip(wide, at)
    if exclusive and wide.shape[at]:
        head = np.full_like(np.take(wide, [0], at), start)
        wide = np.concatenate([head, np.delete(wide, -1, at)], at)
    result = ufunc.accumulate(wide, at, wide.dtype)
    if reverse:
        result = np.flip(result, at)
    return result.astype(x.dtype, copy=False)


def _cumsum(x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
    total = _scan(x, axis, exclusive, reverse, np.add, 0)
    # Sums start from 0, so none of them is -0.0.
    return total if x.dtype.kind in "iu" else np.add(total, total.dtype.type(0))


def _cumprod(x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
    return _scan(x, axis, exclusive, reverse, np.multiply, 1)


def _cumulative_logsumexp(x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
    return _scan(x, axis, exclusive, reverse, np.logaddexp, -np.inf)


def _scan_shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    return args[0].shape  # an axis out of range is told when it runs, as in TensorFlow


def _flags(op: Any) -> dict[str, bool]:
    return {"exclusive": op.attrs["exclusive"], "reverse": op.attrs["reverse"]}


def _back(op: Any) -> dict[str, bool]:
    """The flags of the scan that goes the other way."""
    return {"exclusive": op.attrs["exclusive"], "reverse": not op.attrs["reverse"]}


def _cumsum_grad(op: Any, dy: Any) -> list[Any]:
    return [bind(CUMSUM, (dy, op.inputs[1]), _back(op)), None]


def _cumprod_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops.division import divide_no_nan

    x, axis = op.inputs
    product = bind(CUMPROD, (x, axis), _flags(op))
    total = bind(CUMSUM, (product * dy, axis), _back(op))
    return [divide_no_nan(total, x), None]


def _cumulative_logsumexp_grad(op: Any, dy: Any) -> list[Any]:
    """The gradient in log space, apart for its positive and negative part: nothing overflows on the way."""
    from graphlab.ops import comparison, math, selection, unary

    x, axis = op.inputs
    y = op.outputs[0]
    lowest = np.asarray(dy.dtype.min).astype(dy.dtype.np)

    def part(sign: Any, test: Any) -> Any:
        safe = selection.where(test, sign, 1)
        log = selection.where(test, unary.log(safe), lowest)
        scanned = bind(CUMULATIVE_LOGSUMEXP, (math.subtract(log, y), axis), _back(op))
        return unary.exp(math.add(scanned, x))

    positive = part(dy, comparison.greater(dy, 0))
    negative = part(math.negative(dy), comparison.less(dy, 0))
    return [math.subtract(positive, negative), None]


CUMSUM = define("Cumsum", "x: T, axis: Tidx -> out: T", kernel=_cumsum, infer=_scan_shape, gradient=_cumsum_grad,
                types={"T": NUMERIC, "Tidx": INDEX}, attrs={"exclusive": False, "reverse": False},
                defaults={"Tidx": dtypes.int32}, can_fail=True)  # fmt: skip
CUMPROD = define("Cumprod", "x: T, axis: Tidx -> out: T", kernel=_cumprod, infer=_scan_shape, gradient=_cumprod_grad,
                 types={"T": NUMERIC, "Tidx": INDEX}, attrs={"exclusive": False, "reverse": False},
                 defaults={"Tidx": dtypes.int32}, can_fail=True)  # fmt: skip
CUMULATIVE_LOGSUMEXP = define(
    "CumulativeLogsumexp", "x: T, axis: Tidx -> out: T", kernel=_cumulative_logsumexp, infer=_scan_shape,
    gradient=_cumulative_logsumexp_grad, types={"T": FLOAT, "Tidx": INDEX},
    attrs={"exclusive": False, "reverse": False}, defaults={"Tidx": dtypes.int32}, can_fail=True,
)  # fmt: skip


@public("math.cumsum", "cumsum")
@of_composites
def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Returns running sums along an axis.

    Args:
      x: a tensor of a numeric dtype.
      axis: the axis.
      exclusive: leave each element itself out of its sum: the first sum is 0.
      reverse: sum from the end.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``axis`` is out of range (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.cumsum([2, 4, 6]).numpy()
    array([ 2,  6, 12], dtype=int32)
    >>> tf.cumsum([2, 4, 6], exclusive=True, reverse=True).numpy()
    array([10,  6,  0], dtype=int32)
    """
    with name_scope(name, "Cumsum") as scope:
        x = convert_to_tensor(x, name="x")
        return bind(CUMSUM, (x, axis), {"exclusive": exclusive, "reverse": reverse}, scope or name)


@public("math.cumprod")
def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Returns running products along an axis.

    Args:
      x: a tensor of a numeric dtype.
      axis: the axis.
      exclusive: leave each element itself out of its product: the first product is 1.
      reverse: multiply from the end.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``axis`` is out of range (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.math.cumprod([2, 4, 6]).numpy()
    array([ 2,  8, 48], dtype=int32)
    """
    with name_scope(name, "Cumprod") as scope:
        x = convert_to_tensor(x, name="x")
        return bind(CUMPROD, (x, axis), {"exclusive": exclusive, "reverse": reverse}, scope or name)


@public("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """Returns running ``log(sum(exp(x)))`` along an axis, without overflow.

    Args:
      x: a tensor of a floating-point dtype.
      axis: the axis.
      exclusive: leave each element itself out: the first result is -inf.
      reverse: go from the end.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``axis`` is out of range (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.math.cumulative_logsumexp([0.0, 0.0]).numpy().round(4)
    array([0.    , 0.6931], dtype=float32)
    """
    with name_scope(name, "CumulativeLogsumexp") as scope:
        x = convert_to_tensor(x, name="x")
        return bind(CUMULATIVE_LOGSUMEXP, (x, axis), {"exclusive": exclusive, "reverse": reverse}, scope or name)
