"""Mel spectra and cepstral coefficients of ``tf.signal``, and the modified cosine transform."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from graphlab.core import dtypes, static
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.export import public
from graphlab.ops.lazily import ops
from graphlab.ops.signal_frames import dct, frame, overlap_and_add, vorbis_window

Window = Callable[..., Any]

# The mel scale of O'Shaughnessy (1987): this many mels above this break frequency.
_BREAK_HERTZ = 700.0
_HIGH_Q = 1127.0


def _mel(hertz: Any) -> Any:
    return _HIGH_Q * ops.math.log(1.0 + hertz / _BREAK_HERTZ)


def _check(bins: Any, rate: Any, lower: Any, upper: Any, kind: Any) -> None:
    if bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {bins}")
    if lower < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower}")
    if lower >= upper:
        raise ValueError(f"lower_edge_hertz {lower:.1f} >= upper_edge_hertz {upper:.1f}")
    rate = static.value(rate) if hasattr(rate, "dtype") else rate
    if rate is not None:
        if rate <= 0.0:
            raise ValueError(f"sample_rate must be positive. Got: {rate}")
        if upper > rate / 2:
            raise ValueError(
                "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
                f"Got {upper} for sample_rate: {rate}"
            )
    if not kind.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {kind!r}")


@public("signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20, num_spectrogram_bins: Any = 129, sample_rate: Any = 8000, lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0, dtype: Any = dtypes.float32, name: str | None = None,
) -> Any:  # fmt: skip
    """The matrix that makes bands of the mel scale of a spectrum's frequencies.

    Args:
      num_mel_bins: the number of bands.
      num_spectrogram_bins: the number of frequencies of the spectrum, from 0 to half the sample rate.
      sample_rate: samples per second.
      lower_edge_hertz, upper_edge_hertz: where the bands begin and end.
      dtype: a floating type.
      name: a name for the nodes.

    Returns:
      ``[num_spectrogram_bins, num_mel_bins]``: triangles, each from the middle of the band below to that of the band
      above.

    Raises:
      ValueError: for numbers that make no bands, or another dtype.

    >>> import graphlab as tf
    >>> tf.signal.linear_to_mel_weight_matrix(3, 5, 8000, 100.0, 3800.0).shape
    TensorShape([5, 3])
    """
    kind = dtypes.as_dtype(dtype)
    with name_scope(name, "linear_to_mel_weight_matrix"):
        if isinstance(sample_rate, float | int) or not hasattr(sample_rate, "dtype"):
            _check(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, kind)
            sample_rate = convert_to_tensor(sample_rate, kind, name="sample_rate")
        else:
            _check(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, kind)
            sample_rate = ops.cast(sample_rate, kind)
        lower = convert_to_tensor(lower_edge_hertz, kind, name="lower_edge_hertz")
        upper = convert_to_tensor(upper_edge_hertz, kind, name="upper_edge_hertz")
        zero = convert_to_tensor(0.0, kind)
        # Frequency 0 belongs to no band.
        hertz = ops.linspace(zero, sample_rate / 2.0, num_spectrogram_bins)[1:]
        frequencies = ops.expand_dims(_mel(hertz), 1)
        edges = frame(ops.linspace(_mel(lower), _mel(upper), num_mel_bins + 2), 3, 1)
        left, middle, right = (ops.reshape(part, [1, num_mel_bins]) for part in ops.split(edges, 3, 1))
        rising = (frequencies - left) / (middle - left)
        falling = (right - frequencies) / (right - middle)
        weights = ops.maximum(zero, ops.minimum(rising, falling))
        return ops.pad(weights, [[1, 0], [0, 0]], name=name)


@public("signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Any:
    """The cepstral coefficients of mel spectra: their cosine transform, scaled as HTK does it.

    Args:
      log_mel_spectrograms: logarithms of the bands, ``[..., num_mel_bins]``, float32 or float64.
      name: a name for the nodes.

    Returns:
      The same shape; the first of the coefficients say most.

    Raises:
      ValueError: no bands.

    >>> import graphlab as tf
    >>> tf.signal.mfccs_from_log_mel_spectrograms([[1.0, 2.0, 3.0]]).shape
    TensorShape([1, 3])
    """
    with name_scope(name, "mfccs_from_log_mel_spectrograms"):
        x = convert_to_tensor(log_mel_spectrograms)
        known = x._raw_shape()
        if known is not None and known and known[-1] is not None:
            bins: Any = known[-1]
            if bins == 0:
                raise ValueError(f"num_mel_bins must be positive. Got: {x!s}")
        else:
            from graphlab.ops.array_shape import shape

            bins = shape(x)[-1]
        scale = ops.cast(bins, x.dtype) * 2.0
        return dct(x, type=2) * ops.math.rsqrt(scale)


@public("signal.mdct")
def mdct(
    signals: Any, frame_length: Any, window_fn: Window | None = vorbis_window, pad_end: bool = False,
    norm: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The modified discrete cosine transform: of frames that overlap by half, half as many numbers as samples.

    Args:
      signals: ``[..., samples]``, a floating type.
      frame_length: the samples of a frame, a multiple of 4; the next frame begins half a frame later.
      window_fn: ``window_fn(frame_length, dtype=…)`` gives the window; None: none.
      pad_end: fill the last frame up with zeros instead of leaving it out.
      norm: None or ``"ortho"`` (the transform keeps lengths).
      name: a name for the nodes.

    Returns:
      ``[..., frames, frame_length // 2]``.

    Raises:
      ValueError: the frame length is no multiple of 4, or another norm.

    >>> import graphlab as tf
    >>> tf.signal.mdct(tf.range(16.0), 8).shape
    TensorShape([3, 4])
    """
    with name_scope(name, "mdct"):
        x = convert_to_tensor(signals, name="signals")
        x.shape.with_rank_at_least(1)
        length = convert_to_tensor(frame_length, name="frame_length")
        known = static.value(length)
        if known is not None and int(known) % 4:
            raise ValueError("The frame length must be a multiple of 4.")
        count: Any = length // 2 if known is None else int(known) // 2
        frames = frame(x, length if known is None else int(known), count, pad_end=pad_end)
        if known is not None and frames.shape.rank is not None:
            frames.set_shape([*[None] * (frames.shape.rank - 1), int(known)])
        if window_fn is not None:
            window = window_fn(length, dtype=x.dtype)
            frames = frames * window
        else:
            # Without a window the transform would grow what it undoes.
            frames = frames * convert_to_tensor(math.sqrt(0.5), x.dtype)
        a, b, c, d = ops.split(frames, 4, -1)
        reverse = [-1]
        first = -ops.reverse(c, reverse) - d
        second = a - ops.reverse(b, reverse)
        result = dct(ops.concat([first, second], -1), type=4, norm=norm)
        if known is not None and result.shape.rank is not None:
            result.set_shape([*[None] * (result.shape.rank - 1), count])
        return result


@public("signal.inverse_mdct")
def inverse_mdct(
    mdcts: Any, window_fn: Window | None = vorbis_window, norm: str | None = None, name: str | None = None
) -> Any:
    """Undoes ``tf.signal.mdct``, all but the first and the last half frame.

    Args:
      mdcts: ``[..., frames, frame_length // 2]``, a floating type.
      window_fn: the window that the transform had.
      norm: the norm that the transform had.
      name: a name for the nodes.

    Returns:
      ``[..., samples]``.

    >>> import graphlab as tf
    >>> x = tf.range(16.0)
    >>> back = tf.signal.inverse_mdct(tf.signal.mdct(x, 8, norm="ortho"), norm="ortho")
    >>> bool(tf.reduce_all(abs(back - x)[4:12] < 1e-4))
    True
    """
    from graphlab.ops.array_shape import shape

    with name_scope(name, "inverse_mdct"):
        x = convert_to_tensor(mdcts, name="mdcts")
        x.shape.with_rank_at_least(2)
        known = x._raw_shape()[-1] if x._raw_shape() is not None else None
        half: Any = shape(x)[-1] if known is None else known
        if norm is None:
            # A cosine transform of the fourth kind undoes itself but for this factor.
            x = dct(x, type=4) * (0.5 / ops.cast(half, x.dtype))
        else:
            x = dct(x, type=4, norm=norm)
        first, second = ops.split(x, 2, -1)
        reverse = [-1]
        frames = ops.concat([second, -ops.reverse(second, reverse), -ops.reverse(first, reverse), -first], -1)
        if window_fn is not None:
            frames = frames * window_fn(half * 2, dtype=x.dtype)
        else:
            frames = frames * convert_to_tensor(math.sqrt(0.5), x.dtype)
        return overlap_and_add(frames, half)
