"""Connectionist temporal classification on arrays (A. Graves et al., ICML 2006): loss, gradient and two decoders."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.core.errors import FailedPreconditionError, InvalidArgumentError

Path = tuple[int, ...]


def fail(message: str) -> InvalidArgumentError:
    """An InvalidArgumentError."""
    return InvalidArgumentError(None, None, message)


def log_softmax(x: Any) -> Any:
    """Log-probabilities along the last axis, in float64."""
    x = x.astype(np.float64)
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def _apart(states: Any, blank: int) -> Any:
    """Whether a state may be reached from the one before the last: a label other than the label before it."""
    skip = np.zeros(states.shape, bool)
    skip[:, 2:] = (states[:, 2:] != blank) & (states[:, 2:] != states[:, :-2])
    return skip


def _shifted(x: Any, by: int) -> Any:
    moved = np.full_like(x, -np.inf)
    if by > 0:
        moved[:, by:] = x[:, :-by]
    else:
        moved[:, :by] = x[:, -by:]
    return moved


def loss_and_gradient(
    logits: Any, labels: Any, label_length: Any, logit_length: Any, blank: int, merge_repeated: bool = True
) -> tuple[Any, Any]:
    """The loss of each sequence, and its gradient by the logits.

    Args:
      logits: ``[time, batch, classes]``.
      labels: ``[batch, labels]``, of which the first ``label_length`` count.
      label_length, logit_length: ``[batch]``.
      blank: the class of the blank.
      merge_repeated: equal labels one after the other need a blank between them.

    Returns:
      ``[batch]`` and an array of the logits' shape, float64.  Where no alignment exists the loss is infinite and the
      gradient zero.
    """
    times, batch, _ = logits.shape
    chances = log_softmax(logits)
    width = 2 * labels.shape[1] + 1
    states = np.full((batch, width), blank)
    states[:, 1::2] = labels
    inside = np.arange(width) < (2 * label_length + 1)[:, None]
    states = np.where(inside, states, blank)
    apart = _apart(states, blank) if merge_repeated else (states != blank) & (np.arange(width) > 1)
    rows = np.arange(batch)[:, None]
    seen = np.full((times, batch, width), -np.inf)
    for t in range(times):
        seen[t] = np.where(inside, chances[t][rows, states], -np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = np.full((times, batch, width), -np.inf)
        for t in range(times):
            if not t:
                alpha[0, :, :2] = seen[0, :, :2]
                continue
            before = alpha[t - 1]
            total = np.logaddexp(before, _shifted(before, 1))
            total = np.logaddexp(total, np.where(apart, _shifted(before, 2), -np.inf))
            alpha[t] = np.where((t < logit_length)[:, None], total + seen[t], before)
        # beta: what follows a state, itself not counted
        beta = np.full((times, batch, width), -np.inf)
        last = np.arange(width)
        ends = (last >= (2 * label_length - 1)[:, None]) & inside
        beta_end = np.where(ends, 0.0, -np.inf)
        jump = np.zeros(apart.shape, bool)
        jump[:, :-2] = apart[:, 2:]
        for t in range(times - 1, -1, -1):
            if t == times - 1:
                beta[t] = beta_end
                continue
            after = beta[t + 1] + seen[t + 1]
            total = np.logaddexp(after, _shifted(after, -1))
            total = np.logaddexp(total, np.where(jump, _shifted(after, -2), -np.inf))
            beta[t] = np.where((t + 1 < logit_length)[:, None], total, beta_end)
        if times:
            likelihood = np.logaddexp.reduce(alpha[-1] + beta_end, -1)
        else:
            likelihood = np.where(label_length == 0, 0.0, -np.inf)
        likelihood = np.where((logit_length == 0) & (label_length > 0), -np.inf, likelihood)
        likelihood = np.where((logit_length == 0) & (label_length == 0), 0.0, likelihood)
        shares = np.exp(alpha + beta - np.where(np.isfinite(likelihood), likelihood, np.inf)[None, :, None])
    expected = np.zeros_like(chances)
    for t in range(times):
        np.add.at(expected[t], (np.broadcast_to(rows, states.shape), states), shares[t])
    gradient = np.exp(chances) - expected
    used = (np.arange(times)[:, None] < logit_length) & np.isfinite(likelihood)
    return -likelihood, np.where(used[:, :, None], gradient, 0.0)


def of_sparse(indices: Any, values: Any, batch: int, classes: int, preprocess: bool) -> tuple[Any, Any]:
    """The labels of each sequence as a matrix, and their numbers.  A label beyond the last class ends its sequence."""
    rows: list[list[int]] = [[] for _ in range(batch)]
    for (row, _), value in zip(indices.tolist(), values.tolist(), strict=True):
        if not 0 <= row < batch:
            raise fail(f"Labels index {row} is out of range for a batch of {batch}.")
        rows[row].append(value)
    lengths = np.zeros(batch, np.int64)
    labels = np.zeros((batch, max(map(len, rows), default=0)), np.int64)
    for number, found in enumerate(rows):
        if not found:
            raise fail(f"Labels length is zero in batch {number}")
        ended = next((at for at, label in enumerate(found) if label >= classes - 1), len(found))
        if any(label < classes - 1 for label in found[ended:]):
            raise fail(
                f"Saw a non-null label (index >= num_classes - 1) following a null label, batch: {number} "
                f"num_classes: {classes} labels: {','.join(map(str, found))}"
            )
        if min(found) < 0:
            raise fail(f"All labels must be nonnegative integers, batch: {number} labels: {found}")
        kept = found[:ended]
        if preprocess:
            kept = [label for at, label in enumerate(kept) if not at or label != kept[at - 1]]
        lengths[number] = len(kept)
        labels[number, : len(kept)] = kept
    return labels, lengths


def check_lengths(lengths: Any, times: int, batch: int, error: Any = InvalidArgumentError) -> None:
    """Raises ``error`` unless there is a length for each sequence, none longer than the logits."""
    if lengths.shape != (batch,):
        size = lengths.shape[0] if lengths.ndim else 0
        raise error(
            None, None, f"len(sequence_length) != batch_size.  len(sequence_length):  {size} batch_size: {batch}"
        )
    for number, length in enumerate(lengths.tolist()):
        if length > times:
            raise error(None, None, f"sequence_length({number}) <= {times}")


def _as_sparse(paths: list[Path]) -> tuple[Any, Any, Any]:
    widest = max(map(len, paths), default=0)
    places = [[row, at] for row, path in enumerate(paths) for at in range(len(path))]
    flat = [label for path in paths for label in path]
    return (
        np.array(places, np.int64).reshape(len(flat), 2),
        np.array(flat, np.int64),
        np.array([len(paths), widest], np.int64),
    )


def greedy(inputs: Any, sequence_length: Any, merge_repeated: bool, blank_index: int) -> tuple[Any, ...]:
    """The most likely class of each time, without blanks; and the sum of their logits, negated."""
    times, batch, classes = inputs.shape
    check_lengths(sequence_length, times, batch, FailedPreconditionError)
    if not -classes <= blank_index < classes:
        raise fail(f"blank_index expected to be between {-classes} and {classes - 1} but was {blank_index}")
    blank = blank_index % classes
    paths: list[Path] = []
    scores = np.zeros((batch, 1), inputs.dtype)
    for row, length in enumerate(sequence_length.tolist()):
        best = inputs[:length, row].argmax(-1).tolist()
        path = [b for at, b in enumerate(best) if b != blank and not (merge_repeated and at and b == best[at - 1])]
        for t, b in enumerate(best):
            scores[row, 0] -= inputs[t, row, b]
        paths.append(tuple(path))
    return (*_as_sparse(paths), scores)


class _Beam:
    """A prefix with the log-probabilities that it ends with a blank, or with its label."""

    __slots__ = ("blank", "label", "old_blank", "old_label", "old_total", "total")

    def __init__(self) -> None:
        self.blank = self.label = self.total = -np.inf
        self.old_blank = self.old_label = self.old_total = -np.inf


def _one_beam(chances: Any, width: int, blank: int) -> list[tuple[Path, float]]:
    """Prefix beam search: at each time the best prefixes stay, or grow by a label, and the best of those are kept."""
    root = _Beam()
    root.blank = root.total = 0.0
    kept: dict[Path, _Beam] = {(): root}
    classes = chances.shape[-1]
    for step in chances:
        branches = sorted(kept.items(), key=lambda item: -item[1].total)
        for _, beam in branches:
            beam.old_blank, beam.old_label, beam.old_total = beam.blank, beam.label, beam.total
        for path, beam in branches:
            if path:
                parent = kept.get(path[:-1])
                came = -np.inf
                if parent is not None:
                    repeated = len(path) > 1 and path[-2] == path[-1]
                    came = parent.old_blank if repeated else parent.old_total
                beam.label = np.logaddexp(beam.old_label, came) + step[path[-1]]
            beam.blank = beam.old_total + step[blank]
            beam.total = np.logaddexp(beam.blank, beam.label)
        found = dict(branches)
        for path, beam in branches:
            for label in range(classes):
                longer = (*path, label)
                if label == blank or longer in kept:
                    continue
                child = _Beam()
                before = beam.old_blank if path and path[-1] == label else beam.old_total
                child.label = child.total = before + step[label]
                if child.total > -np.inf:
                    found[longer] = child
        best = sorted(found.items(), key=lambda item: -item[1].total)[:width]
        kept = dict(best)
    return sorted(((path, float(beam.total)) for path, beam in kept.items()), key=lambda item: -item[1])


def beam_search(
    inputs: Any, sequence_length: Any, beam_width: int, top_paths: int, merge_repeated: bool
) -> tuple[Any, ...]:
    """The most likely label sequences: for each of ``top_paths`` a sparse matrix, and their log-probabilities."""
    times, batch, classes = inputs.shape
    check_lengths(sequence_length, times, batch, FailedPreconditionError)
    if top_paths > beam_width:
        raise fail("requested more paths than the beam width.")
    scores = np.zeros((batch, top_paths), inputs.dtype)
    paths: list[list[Path]] = [[] for _ in range(top_paths)]
    chances = log_softmax(inputs)
    for row, length in enumerate(sequence_length.tolist()):
        found = _one_beam(chances[:length, row], beam_width, classes - 1)
        if len(found) < top_paths:
            raise fail("Less leaves in the beam search than requested.")
        for number in range(top_paths):
            path, score = found[number]
            if merge_repeated:
                path = tuple(label for at, label in enumerate(path) if not at or label != path[at - 1])
            paths[number].append(path)
            scores[row, number] = score
    sparse = [_as_sparse(each) for each in paths]
    return (*([part[i] for part in sparse] for i in range(3)), scores)
