"""``tf.random.stateless_parameterized_truncated_normal``: normal numbers between two bounds.

C. P. Robert, "Simulation of truncated normal variables" (1995): numbers are proposed, and each is accepted with a
probability that makes the accepted ones right. Which proposals are good depends on where the bounds are: normal numbers
where these leave enough room, uniform ones in a narrow interval, exponential ones in a tail. The words of the generator
are used from the front, a block is never shared by two batches of parameters, and a block's last proposals may stay
unused: so the numbers are those of TensorFlow with one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import InternalError, InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, Arg, define
from graphlab.ops import inference, philox
from graphlab.ops.broadcasting import BROADCAST_GRADIENT_ARGS, known, sum_to
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.lazily import ops
from graphlab.ops.random_distributions import leading
from graphlab.ops.random_stateless import count, dims, drawn_shape, seed_pair, shape_tensor

# Normal numbers are proposed if a bound is this far (in standard deviations) on the other side of the mean.
ROOM: Final = 1.3
# Blocks without any accepted proposal after which none will be.
TRIES: Final = 1000
# Blocks drawn at once where batches are small.
_AHEAD: Final = 256


class _Blocks:
    """The generator's blocks as numbers of one distribution, a row for each block."""

    __slots__ = ("_counter", "_dtype", "_first", "_key", "_kind", "_rows", "at", "size")

    def __init__(self, key: int, counter: int, dtype: DType) -> None:
        self._key, self._counter, self._dtype = key, counter, dtype
        self.size = 2 if dtype is dtypes.float64 else 4
        self.at = 0
        self._kind: Any = None
        self._first, self._rows = 0, np.empty((0, self.size))

    def next(self, kind: Callable[..., Any], blocks: int) -> Any:
        """The next blocks; they stay the next ones until ``at`` is moved."""
        start = self.at - self._first
        if self._kind is not kind or start + blocks > len(self._rows):
            drawn = max(blocks, _AHEAD)
            found = kind(self._key, self._counter + self.at, drawn * self.size, self._dtype)
            self._kind, self._first, self._rows, start = kind, self.at, found.reshape(drawn, self.size), 0
        return self._rows[start : start + blocks]


def _rounded(function: Callable[[Any], Any], x: Any) -> Any:
    """A function computed in float64 and rounded, as good libraries of fewer bits do."""
    return function(x.astype(np.float64)).astype(x.dtype)


def _proposals(blocks: _Blocks, low: Any, high: Any) -> tuple[int, Callable[[int], tuple[Any, Any]]]:
    """How many blocks a step takes, and what gives the proposals of some steps, and which of them are accepted."""
    kind = low.dtype.type
    if (low < -ROOM and high >= 0) or (high > ROOM and low <= 0):

        def normal(steps: int) -> tuple[Any, Any]:
            z = blocks.next(philox.normal, steps)
            return z, (z >= low) & (z <= high)

        return 1, normal
    root = np.sqrt(low * low + kind(4))
    width = kind(2) * _rounded(np.exp, kind(0.5) + low * (low - root) / kind(4)) / (low + root)
    if high - low < width:
        nearest = max(low, kind(0))  # the likeliest place of the interval

        def uniform(steps: int) -> tuple[Any, Any]:
            drawn = blocks.next(philox.uniform, 2 * steps).reshape(steps, 2, -1)
            z = drawn[:, 0] * (high - low) + low
            return z, drawn[:, 1] <= _rounded(np.exp, (nearest * nearest - z * z) / kind(2))

        return 2, uniform
    rate = (low + root) / kind(2)

    def exponential(steps: int) -> tuple[Any, Any]:
        drawn = blocks.next(philox.uniform, steps)
        z = -_rounded(np.log, drawn[:, ::2]) / rate + low
        return z, (drawn[:, 1::2] <= _rounded(np.exp, -((z - rate) ** 2) / kind(2))) & (z < high)

    return 1, exponential


def _standard(blocks: _Blocks, number: int, low: Any, high: Any) -> Any:
    """``number`` standard normal numbers between the bounds."""
    cost, propose = _proposals(blocks, low, high)
    result, have, without = np.empty(number, low.dtype), 0, 0
    while have < number:
        steps = -(-(number - have) // blocks.size) + (16 if number > _AHEAD else 0)
        z, accepted = propose(steps)
        found = np.flatnonzero(accepted)[: number - have]
        result[have : have + len(found)] = z.reshape(-1)[found]
        have += len(found)
        if have == number:
            steps = int(found[-1]) // z.shape[1] + 1
        blocks.at += steps * cost
        without = 0 if len(found) else without + steps
        if without > TRIES:
            raise InternalError(
                None, None, f"No number between the bounds was found in {without} tries: they are at {low} and {high} "
                "standard deviations from the mean."
            )  # fmt: skip
    return result


def _drawn(shape: Any, seed: Any, means: Any, stddevs: Any, minvals: Any, maxvals: Any) -> Any:
    sizes = dims(shape)
    parameters = np.broadcast_arrays(means, stddevs, minvals, maxvals)
    samples = leading(sizes, parameters[0].shape)
    number = count(samples)
    flat = np.empty((parameters[0].size, number), means.dtype)
    key, counter = seed_pair(seed)
    blocks = _Blocks(key, counter, dtypes.of_numpy(means.dtype))
    if flat.size:
        for row, (mean, deviation, least, most) in enumerate(zip(*(part.flat for part in parameters), strict=True)):
            if not (deviation > 0 and least < most and (np.isfinite(least) or np.isfinite(most))):
                message = (
                    "Invalid parameters: stddevs must be positive, and minvals below maxvals, one of them finite, but "
                    f"are {deviation}, {least} and {most}."
                )
                raise InvalidArgumentError(None, None, message)
            with np.errstate(all="ignore"):
                low, high = (least - mean) / deviation, (most - mean) / deviation
                if most < mean or np.isinf(least):  # the other way round: what follows expects the bound on the left
                    low, high, deviation = -high, -low, -deviation
                flat[row] = _standard(blocks, number, low, high) * deviation + mean
    return flat.T.reshape(sizes)


def _mills(x: Any) -> Any:
    """The probability beyond x, divided by the density at x, of the standard normal distribution."""
    near, far = ops.minimum(x, 25.0), ops.maximum(x, 25.0)
    inverse = 1 / (far * far)
    series = (1 - inverse * (1 - inverse * (3 - 15 * inverse))) / far
    return ops.where(x < 25.0, (pi / 2) ** 0.5 * ops.exp(near * near / 2) * ops.math.erfc(near / 2**0.5), series)


def _gradient(op: Any, dy: Any) -> Any:
    """By implicit differentiation (M. Figurnov et al., 2018): the probability below a number does not change.

    With α, β the bounds in standard deviations from the mean, and z the number, the parts of dz are
    φ(α)/φ(z) · P(z, β)/P(α, β) for dα and φ(β)/φ(z) · P(α, z)/P(α, β) for dβ.
    """
    dtype = dy.dtype
    mean, deviation, least, most = (ops.cast(t, dtypes.float64) for t in op.inputs[2:])
    number = ops.cast(op.outputs[0], dtypes.float64)
    z, low, high = ((t - mean) / deviation for t in (number, least, most))
    # To the right of the mean, where probabilities of tails are exact.
    turned = low + high < 0
    a = ops.maximum(ops.where(turned, -high, low), -30.0)
    b = ops.where(turned, -low, high)
    x = ops.where(turned, -z, z)
    last = _mills(b)
    whole = _mills(a) - last * ops.exp((a * a - b * b) / 2)
    first_part = (_mills(x) - last * ops.exp((x * x - b * b) / 2)) / whole
    last_part = ops.exp((x * x - b * b) / 2) * (_mills(a) - _mills(x) * ops.exp((a * a - x * x) / 2)) / whole
    by_low, by_high = ops.where(turned, last_part, first_part), ops.where(turned, first_part, last_part)
    # Where a bound is infinite nothing depends on it, also not as 0 · ∞.
    moved = [ops.where(ops.math.is_finite(t), t, 0.0) for t in (low, high)]
    by_mean = 1 - by_low - by_high
    by_deviation = z - moved[0] * by_low - moved[1] * by_high
    dy = ops.cast(dy, dtypes.float64)
    parts = zip(op.inputs[2:], (by_mean, by_deviation, by_low, by_high), strict=True)
    return None, None, *(_summed(ops.cast(dy * by, dtype), source) for source, by in parts)


def _summed(g: Any, source: Any) -> Any:
    shape = source._raw_shape()
    if known(shape) and known(g._raw_shape()):
        return sum_to(g, shape)
    sizes = ops.shape(source)
    return ops.reshape(ops.reduce_sum(g, bind(BROADCAST_GRADIENT_ARGS, (sizes, ops.shape(g)))[0]), sizes)


def _shape(args: Sequence[Arg], attrs: Attrs) -> Shape:
    size = inference.with_rank(args[1].shape, 1, "seed")[0]
    inference.merge_dim(size, 2, "The size of a seed and 2")
    inference.broadcast_all(args[2:], attrs)
    return drawn_shape(args, attrs)


TRUNCATED = define(
    "StatelessParameterizedTruncatedNormal",
    "shape: S, seed: Tseed, means: dtype, stddevs: dtype, minvals: dtype, maxvals: dtype -> output: dtype",
    kernel=_drawn, infer=_shape, gradient=_gradient,
    types={"S": INDEX, "Tseed": INDEX, "dtype": FLOAT - {dtypes.bfloat16}},
    defaults={"S": dtypes.int32, "Tseed": dtypes.int64}, can_fail=True,
)  # fmt: skip


@public("random.stateless_parameterized_truncated_normal")
def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    name: str | None = None,
) -> Any:
    """Draws numbers from normal distributions without what lies beyond bounds; the same seed gives the same numbers.

    Args:
      shape: the shape of the result; it ends with the shape that the parameters broadcast to.
      seed: two integers, a tensor of shape ``[2]``.
      means: the means before truncation, a tensor of float16, float32 or float64.
      stddevs: the standard deviations before truncation, of the same dtype.
      minvals: the least values, of the same dtype.
      maxvals: the greatest values, of the same dtype; one of the two bounds may be infinite.
      name: a name for the nodes.

    Returns:
      A tensor of the shape given. It has gradients with respect to all parameters: how a number moves when it stays at
      the same share of the distribution.

    Raises:
      tf.errors.InvalidArgumentError: if ``shape`` does not end with the parameters' shape, a standard deviation is not
        positive, or a bound not below the other.

    >>> import graphlab as tf
    >>> x = tf.random.stateless_parameterized_truncated_normal([1000], [1, 2], means=3.0, minvals=2.0, maxvals=5.0)
    >>> bool(tf.reduce_all((x > 2) & (x < 5)))
    True
    """
    with name_scope(name, "stateless_parameterized_truncated_normal"):
        shape = shape_tensor(shape)
        means = convert_to_tensor(means, name="means")
        return bind(TRUNCATED, (shape, seed, means, stddevs, minvals, maxvals))
