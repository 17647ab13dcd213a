"""``tf.nn.ctc_*``: losses and decoders for sequences whose labels have no times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.op import FLOAT, NOT_DIFFERENTIABLE, REQUIRED, Arg, define
from graphlab.ops import ctc_arrays as arrays
from graphlab.ops import inference
from graphlab.ops.array import PREVENT_GRADIENT
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.lazily import ops
from graphlab.ops.sparse_tensor import SparseTensor

_WIDE = frozenset((dtypes.float32, dtypes.float64))

# ------------------------------------------------------------------------------------------------------------- kernels


def _sparse_loss(
    inputs: Any, labels_indices: Any, labels_values: Any, sequence_length: Any, preprocess_collapse_repeated: bool,
    ctc_merge_repeated: bool, ignore_longer_outputs_than_inputs: bool,
) -> Any:  # fmt: skip
    if inputs.ndim != 3:
        raise arrays.fail("inputs is not a 3-Tensor")
    times, batch, classes = inputs.shape
    arrays.check_lengths(sequence_length, times, batch)
    labels, lengths = arrays.of_sparse(labels_indices, labels_values, batch, classes, preprocess_collapse_repeated)
    if not ignore_longer_outputs_than_inputs and (lengths > sequence_length).any():
        at = int(np.argmax(lengths > sequence_length))
        raise arrays.fail(
            f"Not enough time for target transition sequence (required: {lengths[at]}, "
            f"available: {sequence_length[at]})"
        )
    loss, gradient = arrays.loss_and_gradient(
        inputs, labels, lengths, sequence_length.astype(np.int64), classes - 1, ctc_merge_repeated
    )
    if ignore_longer_outputs_than_inputs:
        loss = np.where(np.isfinite(loss), loss, 0.0)
    return loss.astype(inputs.dtype), gradient.astype(inputs.dtype)


def _dense_loss(inputs: Any, labels: Any, label_length: Any, logit_length: Any, blank_index: int) -> Any:
    if inputs.ndim != 3 or labels.ndim != 2:
        raise arrays.fail(
            f"logits must have rank 3 and labels rank 2, but have shapes {list(inputs.shape)} and {list(labels.shape)}"
        )
    times, batch, classes = inputs.shape
    arrays.check_lengths(logit_length, times, batch)
    if labels.shape[0] != batch or label_length.shape != (batch,):
        raise arrays.fail(
            f"Incompatible shapes: labels {list(labels.shape)} and label_length {list(label_length.shape)} for a batch "
            f"of {batch}"
        )
    counted = np.arange(labels.shape[1]) < label_length[:, None]
    if ((labels < 0) | (labels >= classes))[counted].any():
        raise arrays.fail(f"labels must be in [0, {classes}), but are {labels.tolist()}")
    labels = np.where(counted, labels, 0).astype(np.int64)
    lengths = np.minimum(label_length.astype(np.int64), labels.shape[1])
    loss, gradient = arrays.loss_and_gradient(
        inputs, labels, lengths, logit_length.astype(np.int64), blank_index % classes
    )
    return loss.astype(inputs.dtype), gradient.astype(inputs.dtype)


def _greedy(inputs: Any, sequence_length: Any, merge_repeated: bool, blank_index: int) -> Any:
    if inputs.ndim != 3:
        raise arrays.fail("inputs is not a 3-Tensor")
    return arrays.greedy(inputs, sequence_length, merge_repeated, blank_index)


def _beam(inputs: Any, sequence_length: Any, beam_width: int, top_paths: int, merge_repeated: bool) -> Any:
    if inputs.ndim != 3:
        raise arrays.fail("inputs is not a 3-Tensor")
    indices, values, shapes, scores = arrays.beam_search(inputs, sequence_length, beam_width, top_paths, merge_repeated)
    return (*indices, *values, *shapes, scores)


# ------------------------------------------------------------------------------------------------ inference, gradients


def _loss_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    shape = inference.with_rank(args[0].shape, 3, "inputs")
    lengths = inference.with_rank(args[3].shape, 1, "sequence_length")
    batch = inference.merge_dim(shape[1], lengths[0], "The batches of inputs and lengths")
    return [(batch,), (shape[0], batch, shape[2])]


def _greedy_shape(args: Sequence[Arg], _attrs: Attrs) -> list[Shape]:
    shape = inference.with_rank(args[0].shape, 3, "inputs")
    lengths = inference.with_rank(args[1].shape, 1, "sequence_length")
    batch = inference.merge_dim(shape[1], lengths[0], "The batches of inputs and lengths")
    return [(None, 2), (None,), (2,), (batch, 1)]


def _beam_shape(args: Sequence[Arg], attrs: Attrs) -> list[Shape]:
    *_, (batch, _one) = _greedy_shape(args, attrs)  # type: ignore[misc]
    paths = attrs["top_paths"]
    return [*[(None, 2)] * paths, *[(None,)] * paths, *[(2,)] * paths, (batch, paths)]


def _loss_grad(op: Any, dy: Any, _: Any) -> list[Any]:
    # The gradient was computed with the loss; as in TensorFlow it has none of its own.
    known = bind(PREVENT_GRADIENT, (op.outputs[1],), {"message": "The CTC loss has no second derivative."})
    return [ops.reshape(dy, [1, -1, 1]) * known, None, None, None]


LOSS = define(
    "CTCLoss",
    "inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32 -> loss: T, gradient: T",
    kernel=_sparse_loss, infer=_loss_shape, gradient=_loss_grad, types={"T": _WIDE}, can_fail=True,
    attrs={"preprocess_collapse_repeated": False, "ctc_merge_repeated": True,
           "ignore_longer_outputs_than_inputs": False},
)  # fmt: skip
DENSE_LOSS = define(
    "CTCLossDense",
    "inputs: T, labels: int64, label_length: int64, logit_length: int64 -> loss: T, gradient: T",
    kernel=_dense_loss, infer=_loss_shape, gradient=_loss_grad, types={"T": FLOAT}, attrs={"blank_index": 0},
    can_fail=True,
)  # fmt: skip
GREEDY = define(
    "CTCGreedyDecoder",
    "inputs: T, sequence_length: int32 -> decoded_indices: int64, decoded_values: int64, decoded_shape: int64, "
    "log_probability: T",
    kernel=_greedy, infer=_greedy_shape, gradient=NOT_DIFFERENTIABLE, types={"T": _WIDE},
    attrs={"merge_repeated": False, "blank_index": -1}, can_fail=True,
)  # fmt: skip
BEAM = define(
    "CTCBeamSearchDecoder",
    "inputs: T, sequence_length: int32 -> decoded_indices: top_paths*int64, decoded_values: top_paths*int64, "
    "decoded_shape: top_paths*int64, log_probability: T",
    kernel=_beam, infer=_beam_shape, gradient=NOT_DIFFERENTIABLE, types={"T": _WIDE},
    attrs={"beam_width": REQUIRED, "top_paths": REQUIRED, "merge_repeated": True}, can_fail=True,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


def _blank(blank_index: int, logits: Any) -> int:
    """The class of the blank from the front, or below zero while the number of classes is not known."""
    shape = logits._raw_shape()
    classes: int | None = None if shape is None or len(shape) != 3 else shape[2]
    if classes is None:
        return blank_index
    if not -classes <= blank_index < classes:
        raise ValueError(f"blank_index must be in [{-classes}, {classes}), but is {blank_index}.")
    return blank_index % classes


def _blank_last(logits: Any, labels: Any, blank: int) -> tuple[Any, Any]:
    """Logits and labels with the blank as the last class."""
    moved = ops.concat([logits[:, :, :blank], logits[:, :, blank + 1 :], logits[:, :, blank : blank + 1]], 2)
    number = blank if blank >= 0 else ops.cast(ops.shape(logits)[2] + blank, labels.dtype)
    return moved, ops.where(labels < number, labels, labels - 1)


@public("nn.ctc_loss")
def ctc_loss(
    labels: Any, logits: Any, label_length: Any, logit_length: Any, logits_time_major: bool = True, unique: Any = None,
    blank_index: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The negative log-likelihood of label sequences, whatever the times at which their labels are spoken.

    Args:
      labels: ``[batch, labels]``, whole numbers, or a SparseTensor of int32.
      logits: ``[time, batch, classes]``, unnormalised; ``[batch, time, classes]`` if not ``logits_time_major``.
      label_length: ``[batch]``, the number of labels; None if they are a SparseTensor.
      logit_length: ``[batch]``, the times that count.
      logits_time_major: the order of the first two axes of ``logits``.
      unique: what ``tf.nn.ctc_unique_labels`` gives; no difference here.
      blank_index: the class that means no label, from the end if below zero; 0 if None.
      name: a name for the nodes.

    Returns:
      ``[batch]``; infinite where there are more labels than times for them.

    Raises:
      ValueError: sparse labels without ``blank_index``.
      tf.errors.InvalidArgumentError: for labels that are no classes, shapes that don't fit, or more sparse labels than
        times.

    >>> import graphlab as tf
    >>> loss = tf.nn.ctc_loss([[1]], tf.zeros([2, 1, 2]), [1], [2])
    >>> round(float(loss[0]), 4)  # three of the four paths
    0.2877
    """
    sparse = isinstance(labels, SparseTensor)
    if sparse and blank_index is None:
        raise ValueError("Argument `blank_index` must be provided when `labels` is a `SparseTensor`.")
    with name_scope(name, "ctc_loss"):
        logits = convert_to_tensor(logits, name="logits")
        if not logits_time_major:
            logits = ops.transpose(logits, [1, 0, 2])
        blank = _blank(blank_index or 0, logits)
        if not sparse:
            parts = (
                logits,
                ops.cast(labels, dtypes.int64),
                ops.cast(label_length, dtypes.int64),
                ops.cast(logit_length, dtypes.int64),
            )
            loss, _ = bind(DENSE_LOSS, parts, {"blank_index": blank})
            return loss
        values = labels.values
        known = logits._raw_shape()
        if blank != -1 and (known is None or blank + 1 != known[2]):
            logits, values = _blank_last(logits, values, blank)
        loss, _ = bind(LOSS, (logits, labels.indices, ops.cast(values, dtypes.int32), logit_length))
        return loss


@public("nn.ctc_unique_labels")
def ctc_unique_labels(labels: Any, name: str | None = None) -> tuple[Any, Any]:
    """The different labels of each row, and where each label is among them.

    Args:
      labels: ``[batch, labels]``, whole numbers, filled up with zeros.
      name: a name for the nodes.

    Returns:
      ``(unique, index)``, both of the shape of ``labels``: the different labels (int64), filled up with zeros, and the
      place of each label among them (int32).

    >>> import graphlab as tf
    >>> unique, index = tf.nn.ctc_unique_labels([[1, 2, 1]])
    >>> unique.numpy(), index.numpy()
    (array([[1, 2, 0]]), array([[0, 1, 0]], dtype=int32))
    """
    with name_scope(name, "ctc_unique_labels"):
        labels = ops.cast(convert_to_tensor(labels, name="labels"), dtypes.int64)
        count = ops.shape(labels)[1]
        same = ops.equal(ops.expand_dims(labels, 2), ops.expand_dims(labels, 1))
        # The first place of an equal label, and how many first places stand before it.
        first = ops.argmax(same, 2, output_type=dtypes.int32)
        places = ops.range(count)
        is_first = ops.equal(first, places)
        rank = ops.cumsum(ops.cast(is_first, dtypes.int32), 1, exclusive=True)
        index = ops.gather(rank, first, batch_dims=1)
        where = ops.where(is_first)
        found = ops.stack([where[:, 0], ops.cast(ops.boolean_mask(rank, is_first), dtypes.int64)], 1)
        unique = ops.scatter_nd(found, ops.boolean_mask(labels, is_first), ops.shape(labels, dtypes.int64))
        return unique, index


@public("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(
    inputs: Any, sequence_length: Any, merge_repeated: bool = True, blank_index: int | None = None
) -> tuple[list[SparseTensor], Any]:
    """Takes the most likely class at each time, and leaves blanks out.

    Args:
      inputs: logits, ``[time, batch, classes]``, float32 or float64.
      sequence_length: ``[batch]``, int32: the times that count.
      merge_repeated: equal classes one after the other are one label.
      blank_index: the class that means no label, from the end if below zero; the last if None.

    Returns:
      ``([decoded], neg_sum_logits)``: the labels as a SparseTensor (int64), and for each row the sum of the largest
      logits, negated, ``[batch, 1]``.

    Raises:
      tf.errors.FailedPreconditionError: for lengths that don't fit.
      tf.errors.InvalidArgumentError: for a blank that is no class.

    >>> import graphlab as tf
    >>> logits = tf.constant([[[0.0, 3.0, 1.0]], [[0.0, 1.0, 2.0]], [[4.0, 1.0, 2.0]]])
    >>> (decoded,), score = tf.nn.ctc_greedy_decoder(logits, [3])
    >>> decoded.values.numpy(), score.numpy()
    (array([1, 0]), array([[-9.]], dtype=float32))
    """
    attrs = {"merge_repeated": merge_repeated, "blank_index": -1 if blank_index is None else blank_index}
    indices, values, shape, score = bind(GREEDY, (inputs, sequence_length), attrs)
    return [SparseTensor(indices, values, shape)], score


@public("nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], Any]:
    """Finds the most likely label sequences, of which each may be spoken at many times.

    Args:
      inputs: logits, ``[time, batch, classes]``, float32 or float64; the last class is the blank.
      sequence_length: ``[batch]``, int32: the times that count.
      beam_width: the number of sequences that are followed.
      top_paths: the number of sequences in the result.

    Returns:
      ``(decoded, log_probability)``: a list of ``top_paths`` SparseTensors (int64), and ``[batch, top_paths]``.

    Raises:
      tf.errors.FailedPreconditionError: for lengths that don't fit.
      tf.errors.InvalidArgumentError: for more paths than the beam is wide.

    >>> import graphlab as tf
    >>> logits = tf.math.log([[[0.6, 0.4]], [[0.6, 0.4]]])
    >>> (decoded,), score = tf.nn.ctc_beam_search_decoder(logits, [2])
    >>> decoded.values.numpy(), tf.exp(score).numpy().round(2)
    (array([0]), array([[0.84]], dtype=float32))
    """
    attrs = {"beam_width": beam_width, "top_paths": top_paths, "merge_repeated": False}
    indices, values, shapes, score = bind(BEAM, (inputs, sequence_length), attrs)
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes, strict=True)], score
