"""Samplers of classes: ``tf.random.uniform_candidate_sampler`` and its kin, as losses over many classes use them.

The numbers come from the Philox stream of the op's seeds, word by word, as in TensorFlow.
"""

from __future__ import annotations

import os
import threading
from collections import namedtuple
from collections.abc import Callable, Sequence
from math import expm1, log, log1p
from pathlib import Path
from typing import Any

import numpy as np

from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, REQUIRED, Arg, define
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.philox import Words
from graphlab.ops.random_seed import seed_attrs, stream

Sampler = Callable[[Words], int]

# Blocks of the stream that a call takes, for each sample.
_RESERVED = 2048 // 4

# ------------------------------------------------------------------------------------------------------------- kernels


def _fail(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _below(words: Words, size: int, bits: int = 64) -> int:
    """A whole number in [0, size), each equally likely: what lies at the upper end of the range is drawn again."""
    top = 1 << bits
    while True:
        word = words.word()
        if bits == 64:
            word |= words.word() << 32
        if word < top - top % size:
            return word % size


def _float(words: Words) -> float:
    return (words.word() & 0x7FFFFF) * 2.0**-23


def _expected(chance: float, size: int, tries: int) -> float:
    """How often a class is expected in a sample: that of ``size`` draws, or in a set that took ``tries``."""
    return chance * size if tries == size else -expm1(tries * log1p(-chance))


def _check(true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int) -> None:
    if true_classes.ndim != 2:
        raise _fail("true_classes must be a matrix")
    if true_classes.shape[1] != num_true:
        raise _fail(f"true_classes must have num_true columns, expected: {true_classes.shape[1]} was: {num_true}")
    if unique and num_sampled > range_max:
        raise _fail("Sampler's range is too small.")
    outside = (true_classes < 0) | (true_classes >= range_max)
    if outside.any():
        raise _fail(f"`true_candidate` out of range [0, {range_max}), received {int(true_classes[outside][0])}")


def _sample(words: Words, draw: Sampler, num_sampled: int, unique: bool) -> tuple[list[int], int]:
    """The classes, and how many draws they took."""
    if not unique:
        return [draw(words) for _ in range(num_sampled)], num_sampled
    found: dict[int, None] = {}
    tries = 0
    while len(found) < num_sampled:
        tries += 1
        found[draw(words)] = None
    return list(found), tries


def _results(
    found: list[int], tries: int, true_classes: Any, chance: Callable[[int], float], unique: bool
) -> tuple[Any, Any, Any]:
    size = len(found)
    tries = tries if unique else size
    true = [_expected(chance(c), size, tries) for c in true_classes.reshape(-1).tolist()]
    sampled = [_expected(chance(c), size, tries) for c in found]
    return (
        np.array(found, np.int64),
        np.array(true, np.float32).reshape(true_classes.shape),
        np.array(sampled, np.float32),
    )


def _words(kind: Any, seed: int, seed2: int, num_sampled: int) -> Words:
    return Words(*stream(kind, seed, seed2).take(_RESERVED * num_sampled))


def _uniform(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int, seed2: int
) -> Any:
    _check(true_classes, num_true, num_sampled, unique, range_max)
    words = _words(("UniformCandidateSampler", num_true, num_sampled, unique, range_max), seed, seed2, num_sampled)
    found, tries = _sample(words, lambda w: _below(w, range_max), num_sampled, unique)
    return _results(found, tries, true_classes, lambda _: 1.0 / range_max, unique)


def _log_uniform(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int, seed2: int
) -> Any:
    _check(true_classes, num_true, num_sampled, unique, range_max)
    words = _words(("LogUniformCandidateSampler", num_true, num_sampled, unique, range_max), seed, seed2, num_sampled)
    span = log1p(range_max)

    def draw(words: Words) -> int:
        # exp and not expm1: the rounding is TensorFlow's
        return (int(np.exp(words.double() * span)) - 1) % range_max

    found, tries = _sample(words, draw, num_sampled, unique)
    return _results(found, tries, true_classes, lambda c: log((c + 2.0) / (c + 1.0)) / span, unique)


class _Alias:
    """A distribution from which one number is drawn in constant time (A. Walker, 1977)."""

    def __init__(self, weights: Sequence[float]) -> None:
        size = len(weights)
        total = sum(weights)
        scaled = [w * size / total for w in weights]
        self.chances = [w / total for w in weights]
        self.table = [(0.0, -1)] * size
        small = [i for i, p in enumerate(scaled) if p < 1.0]
        large = [i for i, p in enumerate(scaled) if p >= 1.0]
        while large and small:
            under, over = small.pop(), large.pop()
            self.table[under] = (scaled[under], over)
            scaled[over] -= 1 - scaled[under]
            (large if scaled[over] >= 1.0 else small).append(over)
        for i in (*large, *small):
            self.table[i] = (1.0, -1)

    def draw(self, words: Words) -> int:
        chance = _float(words)
        spot = _below(words, len(self.table), 32)
        kept, other = self.table[spot]
        # In float32, as the table there.
        return spot if other < 0 or np.float32(chance) < np.float32(kept) else other


def _vocabulary(
    vocab_file: Any, unigrams: Sequence[float], num_reserved_ids: int, num_shards: int, shard: int, distortion: float
) -> list[float]:
    """The weights of the classes in this shard."""
    counts = list(unigrams)
    if vocab_file:
        if counts:
            raise _fail("Must provide either vocab_file or unigrams.")
        lines = Path(os.fsdecode(vocab_file)).read_text(encoding="utf-8").splitlines()
        counts = [float(line.split(",")[-1]) for line in lines if line.strip()]
    elif not counts:
        raise _fail("Must provide either vocab_file or unigrams.")
    weights = [0.0] * num_reserved_ids + [float(np.float32(c)) ** float(np.float32(distortion)) for c in counts]
    return [w for i, w in enumerate(weights) if i % num_shards == shard]


def _fixed(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, vocab_file: Any,
    distortion: float, num_reserved_ids: int, num_shards: int, shard: int, unigrams: Any, seed: int, seed2: int,
) -> Any:  # fmt: skip
    weights = _vocabulary(vocab_file, unigrams, num_reserved_ids, num_shards, shard, distortion)
    if len(weights) != range_max:
        raise _fail(f"range is {range_max} must be equal to weights size  {len(weights)}")
    _check(true_classes, num_true, num_sampled, unique, range_max)
    kind = (
        "FixedUnigramCandidateSampler", num_true, num_sampled, unique, range_max, vocab_file, distortion,
        num_reserved_ids, num_shards, shard, tuple(unigrams),
    )  # fmt: skip
    words = _words(kind, seed, seed2, num_sampled)
    table = _Alias(weights)
    found, tries = _sample(words, table.draw, num_sampled, unique)
    total = sum(weights)
    return _results(found, tries, true_classes, lambda c: weights[c] / total, unique)


_lock = threading.Lock()


def _learn(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int, seed2: int
) -> Any:
    """Draws as often as classes were true so far, and once more for each."""
    _check(true_classes, num_true, num_sampled, unique, range_max)
    kind = ("LearnedUnigramCandidateSampler", num_true, num_sampled, unique, range_max)
    source = stream(kind, seed, seed2)
    words = Words(*source.take(_RESERVED * num_sampled))
    with _lock:
        # The counts live as long as the stream of the node that has them.
        counts = source.memory
        if counts is None:
            counts = source.memory = np.ones(range_max, np.int64)
        total = int(counts.sum())
        sums = np.cumsum(counts)
        found, tries = _sample(
            words, lambda w: int(np.searchsorted(sums, _below(w, total, 32), side="right")), num_sampled, unique
        )
        result = _results(found, tries, true_classes, lambda c: int(counts[c]) / total, unique)
        np.add.at(counts, true_classes.reshape(-1), 1)
    return result


def _all(true_classes: Any, num_true: int, num_sampled: int, unique: bool, seed: int, seed2: int) -> Any:
    _check(true_classes, num_true, num_sampled, unique, num_sampled)
    ones = np.ones
    return (
        np.arange(num_sampled, dtype=np.int64),
        ones(true_classes.shape, np.float32),
        ones(num_sampled, np.float32),
    )


def _hits(true_classes: Any, sampled_candidates: Any, num_true: int, seed: int, seed2: int) -> Any:
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise _fail("true_candidates must be a batch_size * num_true matrix")
    if sampled_candidates.ndim != 1:
        raise _fail("sampled_candidates must be a vector, which is typically an output from CandidateSampler")
    places: dict[int, list[int]] = {}
    for place, candidate in enumerate(sampled_candidates.tolist()):
        places.setdefault(candidate, [])[:] = [place]  # of equal candidates the last one counts
    rows: list[int] = []
    ids: list[int] = []
    for row, classes in enumerate(true_classes.tolist()):
        for label in classes:
            for place in places.get(label, ()):
                rows.append(row)
                ids.append(place)
    lowest = np.full(len(rows), np.finfo(np.float32).min, np.float32)
    return np.array(rows, np.int32), np.array(ids, np.int64), lowest


# ------------------------------------------------------------------------------------------------------------- records


def _shapes(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    shape = inference.with_rank(args[0].shape, 2, "true_classes")
    inference.merge_dim(shape[1], attrs["num_true"], "The columns of true_classes and num_true")
    return [(attrs["num_sampled"],), (shape[0], attrs["num_true"]), (attrs["num_sampled"],)]


def _hit_shapes(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    shape = inference.with_rank(args[0].shape, 2, "true_classes")
    inference.merge_dim(shape[1], attrs["num_true"], "The columns of true_classes and num_true")
    return [(None,), (None,), (None,)]


_SIGNATURE = (
    "true_classes: int64 -> sampled_candidates: int64, true_expected_count: float32, sampled_expected_count: float32"
)
_SEEDS: dict[str, Any] = {"seed": 0, "seed2": 0}
_COUNTS: dict[str, Any] = {"num_true": REQUIRED, "num_sampled": REQUIRED, "unique": REQUIRED}
_RANGE: dict[str, Any] = {**_COUNTS, "range_max": REQUIRED, **_SEEDS}

UNIFORM = define("UniformCandidateSampler", _SIGNATURE, kernel=_uniform, infer=_shapes, gradient=NOT_DIFFERENTIABLE,
                 attrs=_RANGE, random=True, can_fail=True)  # fmt: skip
LOG_UNIFORM = define("LogUniformCandidateSampler", _SIGNATURE, kernel=_log_uniform, infer=_shapes,
                     gradient=NOT_DIFFERENTIABLE, attrs=_RANGE, random=True, can_fail=True)  # fmt: skip
LEARNED = define("LearnedUnigramCandidateSampler", _SIGNATURE, kernel=_learn, infer=_shapes,
                 gradient=NOT_DIFFERENTIABLE, attrs=_RANGE, random=True, can_fail=True)  # fmt: skip
FIXED = define(
    "FixedUnigramCandidateSampler", _SIGNATURE, kernel=_fixed, infer=_shapes, gradient=NOT_DIFFERENTIABLE, random=True,
    attrs={**_COUNTS, "range_max": REQUIRED, "vocab_file": "", "distortion": 1.0, "num_reserved_ids": 0,
           "num_shards": 1, "shard": 0, "unigrams": (), **_SEEDS}, can_fail=True,
)  # fmt: skip
ALL = define("AllCandidateSampler", _SIGNATURE, kernel=_all, infer=_shapes, gradient=NOT_DIFFERENTIABLE,
             attrs={**_COUNTS, **_SEEDS}, random=True, can_fail=True)  # fmt: skip
HITS = define(
    "ComputeAccidentalHits",
    "true_classes: int64, sampled_candidates: int64 -> indices: int32, ids: int64, weights: float32",
    kernel=_hits, infer=_hit_shapes, gradient=NOT_DIFFERENTIABLE, attrs={"num_true": REQUIRED, **_SEEDS},
    can_fail=True,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


class Candidates(
    namedtuple(  # noqa: PYI024 - TensorFlow's result, by position too
        "Candidates", ("sampled_candidates", "true_expected_count", "sampled_expected_count")
    )
):
    """What samplers return.

    The classes (int64, ``[num_sampled]``), how often each true class was to be expected among them (``[batch,
    num_true]``), and how often each sampled one (``[num_sampled]``).
    """

    __slots__ = ()


def _sampled(record: Any, true_classes: Any, attrs: dict[str, Any], seed: Any, name: str | None) -> Candidates:
    kind = (record.type, *(tuple(v) if isinstance(v, list) else v for v in attrs.values()))
    seeds = seed_attrs(seed, kind)
    return Candidates(*bind(record, (true_classes,), {**attrs, **seeds}, name))


@public("random.uniform_candidate_sampler")
def uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int | None = None,
    name: str | None = None,
) -> Candidates:  # fmt: skip
    """Draws classes, each equally likely.

    Args:
      true_classes: int64, ``[batch, num_true]``: only to tell how often they were to be expected.
      num_true: the number of true classes of an example.
      num_sampled: how many to draw.
      unique: draw each class once at most.
      range_max: the number of classes.
      seed: the op's seed; see ``tf.random.set_seed``.
      name: a name for the node.

    Returns:
      ``(sampled_candidates, true_expected_count, sampled_expected_count)``.

    Raises:
      tf.errors.InvalidArgumentError: for a class out of range, or more unique ones than there are.

    >>> import graphlab as tf
    >>> found = tf.random.uniform_candidate_sampler(tf.constant([[1]], tf.int64), 1, 3, True, 3, seed=1)
    >>> sorted(found.sampled_candidates.numpy().tolist())
    [0, 1, 2]
    """
    attrs = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max}
    return _sampled(UNIFORM, true_classes, attrs, seed, name)


@public("random.log_uniform_candidate_sampler")
def log_uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int | None = None,
    name: str | None = None,
) -> Candidates:  # fmt: skip
    """Draws classes, of which the first are the likeliest, as words sorted by how often they occur.

    The chance of class ``c`` is ``(log(c + 2) - log(c + 1)) / log(range_max + 1)``.  Arguments, result and errors as
    for ``tf.random.uniform_candidate_sampler``.

    >>> import graphlab as tf
    >>> found = tf.random.log_uniform_candidate_sampler(tf.constant([[1]], tf.int64), 1, 3, True, 3, seed=1)
    >>> sorted(found.sampled_candidates.numpy().tolist())
    [0, 1, 2]
    """
    attrs = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max}
    return _sampled(LOG_UNIFORM, true_classes, attrs, seed, name)


@public("random.learned_unigram_candidate_sampler", "nn.learned_unigram_candidate_sampler")
def learned_unigram_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int | None = None,
    name: str | None = None,
) -> Candidates:  # fmt: skip
    """Draws classes as often as they were true in earlier calls, starting from all equally likely.

    Arguments, result and errors as for ``tf.random.uniform_candidate_sampler``.

    >>> import graphlab as tf
    >>> found = tf.random.learned_unigram_candidate_sampler(tf.constant([[1]], tf.int64), 1, 3, True, 3, seed=1)
    >>> sorted(found.sampled_candidates.numpy().tolist())
    [0, 1, 2]
    """
    attrs = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max}
    return _sampled(LEARNED, true_classes, attrs, seed, name)


@public("random.fixed_unigram_candidate_sampler", "nn.fixed_unigram_candidate_sampler")
def fixed_unigram_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, vocab_file: str = "",
    distortion: float = 1.0, num_reserved_ids: int = 0, num_shards: int = 1, shard: int = 0,
    unigrams: Sequence[float] = (), seed: int | None = None, name: str | None = None,
) -> Candidates:  # fmt: skip
    """Draws classes by given weights.

    Args:
      true_classes, num_true, num_sampled, unique, range_max: as for ``tf.random.uniform_candidate_sampler``.
      vocab_file: a file with a line for each class, its weight behind the last comma; or
      unigrams: the weight of each class.
      distortion: the power to which weights are raised.
      num_reserved_ids: classes in front that are never drawn.
      num_shards, shard: take only the weights at places ``i`` with ``i % num_shards == shard``, which are then the
        classes 0, 1, …
      seed: the op's seed.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: no weights, another number of them than classes, or a class out of range.

    >>> import graphlab as tf
    >>> true = tf.constant([[1]], tf.int64)
    >>> found = tf.random.fixed_unigram_candidate_sampler(true, 1, 2, False, 3, unigrams=[0.0, 0.0, 1.0], seed=1)
    >>> found.sampled_candidates.numpy()
    array([2, 2])
    """
    attrs = {
        "num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max,
        "vocab_file": vocab_file, "distortion": distortion, "num_reserved_ids": num_reserved_ids,
        "num_shards": num_shards, "shard": shard, "unigrams": [float(u) for u in unigrams],
    }  # fmt: skip
    return _sampled(FIXED, true_classes, attrs, seed, name)


@public("random.all_candidate_sampler", "nn.all_candidate_sampler")
def all_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, seed: int | None = None, name: str | None = None
) -> Candidates:
    """Draws every class: for tests, and for losses over all classes.

    Arguments as for ``tf.random.uniform_candidate_sampler``; ``num_sampled`` is the number of classes.

    >>> import graphlab as tf
    >>> tf.random.all_candidate_sampler(tf.constant([[1]], tf.int64), 1, 3, True).sampled_candidates.numpy()
    array([0, 1, 2])
    """
    attrs = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique}
    return _sampled(ALL, true_classes, attrs, seed, name)


class AccidentalHits(namedtuple("AccidentalHits", ("indices", "ids", "weights"))):  # noqa: PYI024
    """What ``tf.nn.compute_accidental_hits`` returns."""

    __slots__ = ()


@public("nn.compute_accidental_hits")
def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: int, seed: int | None = None, name: str | None = None
) -> AccidentalHits:
    """Where sampled classes are true ones.

    Args:
      true_classes: int64, ``[batch, num_true]``.
      sampled_candidates: int64, ``[num_sampled]``.
      num_true: the number of true classes of an example.
      seed: has no effect.
      name: a name for the node.

    Returns:
      ``(indices, ids, weights)``: for each hit the example (int32), the place among the sampled ones (int64), and the
      lowest float32, which added to its logit takes it out.

    >>> import graphlab as tf
    >>> hits = tf.nn.compute_accidental_hits(tf.constant([[5], [7]], tf.int64), tf.constant([7, 8], tf.int64), 1)
    >>> hits.indices.numpy(), hits.ids.numpy()
    (array([1], dtype=int32), array([0]))
    """
    parts = (convert_to_tensor(true_classes), convert_to_tensor(sampled_candidates))
    return AccidentalHits(*bind(HITS, parts, {"num_true": num_true}, name))
