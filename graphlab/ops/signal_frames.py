"""Windows, frames, short-time Fourier transforms and cosine transforms of ``tf.signal``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.core.export import public
from graphlab.ops import (
    array,
    casting,
    creation,
    gather_scatter,
    padding,
    reduction,
    scan,
    segment,
    trigonometry,
    unary,
)
from graphlab.ops import complex as complex_ops
from graphlab.ops.array_shape import shape as shape_of
from graphlab.ops.signal_fourier import irfft, rfft

# ------------------------------------------------------------------------------------------------------------- windows


def _floating(dtype: Any) -> Any:
    found = dtypes.as_dtype(dtype)
    if not found.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {found}")
    return found


def _raised_cosine(length: Any, periodic: bool, dtype: Any, a: float, b: float) -> Any:
    from graphlab.ops.selection import where

    kind = _floating(dtype)
    length = convert_to_tensor(length, dtypes.int32)
    even = 1 - length % 2
    last = length + (even if periodic else 0) - 1
    # A window of one is one: the division by `last` would be one by zero.
    divisor = casting.cast(where(length == 1, creation.ones_like(last), last), kind)
    angle = 2 * math.pi * casting.cast(creation.range(length), kind) / divisor
    window = a - b * trigonometry.cos(angle)
    return where(length == 1, creation.ones_like(window), window)


@public("signal.hann_window")
def hann_window(window_length: Any, periodic: bool = True, dtype: Any = dtypes.float32, name: str | None = None) -> Any:
    """A Hann window.

    Args:
      window_length: the number of samples, a scalar.
      periodic: for spectra (an even window goes one sample further before it would repeat) rather than for filters.
      dtype: a floating type.
      name: a name for the nodes.

    Raises:
      ValueError: the dtype is not floating.

    >>> import graphlab as tf
    >>> tf.signal.hann_window(5).numpy().round(3)
    array([0. , 0.5, 1. , 0.5, 0. ], dtype=float32)
    """
    with name_scope(name, "hann_window"):
        return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5)


@public("signal.hamming_window")
def hamming_window(
    window_length: Any, periodic: bool = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """A Hamming window.  Arguments as for ``tf.signal.hann_window``."""
    with name_scope(name, "hamming_window"):
        return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46)


@public("signal.vorbis_window")
def vorbis_window(window_length: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Any:
    """The window of the Vorbis codec, a power-complementary one.  ValueError if the dtype is not floating."""
    kind = _floating(dtype)
    with name_scope(name, "vorbis_window"):
        length = convert_to_tensor(window_length, dtypes.int32)
        place = casting.cast(creation.range(length), kind) + 0.5
        inner = trigonometry.sin(math.pi / casting.cast(length, kind) * place)
        return trigonometry.sin(math.pi / 2 * inner * inner)


@public("signal.kaiser_window")
def kaiser_window(window_length: Any, beta: Any = 12.0, dtype: Any = dtypes.float32, name: str | None = None) -> Any:
    """A Kaiser window; ``beta`` says how steep it is.  ValueError if the dtype is not floating."""
    from graphlab.ops.bessel import bessel_i0e
    from graphlab.ops.math import maximum

    kind = _floating(dtype)
    with name_scope(name, "kaiser_window"):
        length = convert_to_tensor(window_length, dtypes.int32)
        if length._raw_shape() == () and getattr(length, "_a", None) == 1:
            return creation.ones([1], kind)
        half = casting.cast(length - 1, kind) / 2
        place = casting.cast(creation.range(length), kind) / half - 1
        steep = casting.cast(beta, kind)
        root = steep * unary.sqrt(maximum(1 - place * place, 0))
        # The scaled Bessel function and the exponent apart, so that neither overflows.
        return unary.exp(root - steep) * bessel_i0e(root) / bessel_i0e(steep)


@public("signal.kaiser_bessel_derived_window")
def kaiser_bessel_derived_window(
    window_length: Any, beta: Any = 12.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """The window that the sums of a Kaiser window make.  ValueError if the dtype is not floating."""
    with name_scope(name, "kaiser_bessel_derived_window"):
        half = convert_to_tensor(window_length, dtypes.int32) // 2
        sums = scan.cumsum(kaiser_window(half + 1, beta, _floating(dtype)))
        rising = unary.sqrt(sums[:-1] / sums[-1])
        return array.concat([rising, padding.reverse(rising, [0])], 0)


# -------------------------------------------------------------------------------------------------------------- frames


@public("signal.frame")
def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: bool = False, pad_value: Any = 0, axis: int = -1,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Cuts an axis into frames that may overlap: ``[..., n, ...]`` becomes ``[..., frames, frame_length, ...]``.

    Args:
      signal: a tensor.
      frame_length: the number of samples of a frame.
      frame_step: how many samples further the next one begins.
      pad_end: fill up the last frames with ``pad_value``, rather than leave them out.
      pad_value: what fills them up.
      axis: the axis.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.signal.frame([1, 2, 3, 4, 5], 3, 2).numpy()
    array([[1, 2, 3],
           [3, 4, 5]], dtype=int32)
    """
    from graphlab.ops.math import maximum

    with name_scope(name, "frame"):
        signal = convert_to_tensor(signal)
        rank = signal.shape.rank
        if rank is None:
            raise ValueError("The rank of the signal must be known.")
        axis = axis % rank
        length, step = (convert_to_tensor(n, dtypes.int32) for n in (frame_length, frame_step))
        size = shape_of(signal)[axis]
        if pad_end:
            count = maximum(0, -(-size // step))
            missing = maximum(0, length + step * (count - 1) - size)
            around = [[0, missing if a == axis else 0] for a in range(rank)]
            signal = padding.pad(signal, around, constant_values=casting.cast(pad_value, signal.dtype))
        else:
            count = maximum(0, 1 + (size - length) // step)
        at = array.expand_dims(creation.range(count) * step, 1) + creation.range(length)
        return gather_scatter.gather(signal, at, axis=axis)


@public("signal.overlap_and_add")
def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Any:
    """Adds frames that begin ``frame_step`` apart: ``[..., frames, frame_length]`` becomes ``[..., samples]``.

    >>> import graphlab as tf
    >>> tf.signal.overlap_and_add(tf.ones([3, 4]), 2).numpy()
    array([1., 1., 2., 2., 2., 2., 1., 1.], dtype=float32)
    """
    with name_scope(name, "overlap_and_add"):
        signal = convert_to_tensor(signal)
        step = convert_to_tensor(frame_step, dtypes.int32)
        sizes = shape_of(signal)
        frames, length = sizes[-2], sizes[-1]
        total = (frames - 1) * step + length
        at = array.expand_dims(creation.range(frames) * step, 1) + creation.range(length)
        flat = array.transpose(array.reshape(signal, array.stack([-1, frames * length])))
        summed = segment.unsorted_segment_sum(flat, array.reshape(at, [-1]), total)
        return array.reshape(array.transpose(summed), array.concat([sizes[:-2], array.reshape(total, [1])], 0))


Window = Callable[..., Any]


def _power_of_two(length: Any) -> int:
    from graphlab.core import static

    known = static.value(convert_to_tensor(length, dtypes.int32))
    if known is None:
        raise ValueError("Without fft_length the frame length must be known while tracing.")
    return 1 << max(int(known) - 1, 0).bit_length()


@public("signal.stft")
def stft(
    signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None, window_fn: Window | None = hann_window,
    pad_end: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The short-time Fourier transform: ``[..., samples]`` becomes ``[..., frames, fft_length // 2 + 1]``.

    Args:
      signals: float32 or float64.
      frame_length, frame_step: as for ``tf.signal.frame``.
      fft_length: the size of the transform; by default the power of two that the frame fits into.
      window_fn: ``window_fn(frame_length, dtype=...)``, or None for no window.
      pad_end: fill up the last frames with zeros.
      name: a name for the nodes.

    >>> import graphlab as tf
    >>> tf.signal.stft(tf.ones([10]), frame_length=4, frame_step=2).shape
    TensorShape([4, 3])
    """
    with name_scope(name, "stft"):
        signals = convert_to_tensor(signals, dtype_hint=dtypes.float32)
        size = _power_of_two(frame_length) if fft_length is None else fft_length
        framed = frame(signals, frame_length, frame_step, pad_end)
        if window_fn is not None:
            framed = framed * window_fn(frame_length, dtype=framed.dtype)
        return rfft(framed, array.reshape(convert_to_tensor(size, dtypes.int32), [1]))


@public("signal.inverse_stft_window_fn")
def inverse_stft_window_fn(frame_step: Any, forward_window_fn: Window = hann_window, name: str | None = None) -> Window:
    """The window for ``tf.signal.inverse_stft`` with which it undoes a transform with ``forward_window_fn``.

    >>> import graphlab as tf
    >>> tf.signal.inverse_stft_window_fn(2)(4, tf.float32).numpy()
    array([0., 1., 1., 1.], dtype=float32)
    """

    def window(frame_length: Any, dtype: Any) -> Any:
        with name_scope(name, "inverse_stft_window_fn"):
            length, step = (convert_to_tensor(n, dtypes.int32) for n in (frame_length, frame_step))
            forward = forward_window_fn(length, dtype=dtype)
            overlaps = -(-length // step)
            squares = padding.pad(forward * forward, [[0, overlaps * step - length]])
            sums = reduction.reduce_sum(array.reshape(squares, array.stack([overlaps, step])), 0, keepdims=True)
            whole = array.reshape(padding.tile(sums, array.stack([overlaps, 1])), [-1])
            return forward / whole[:length]

    return window


@public("signal.inverse_stft")
def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None, window_fn: Window | None = hann_window,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Signals from short-time Fourier transforms.  Arguments as for ``tf.signal.stft``.

    With ``window_fn=tf.signal.inverse_stft_window_fn(frame_step)`` it undoes ``tf.signal.stft``, except at the ends.

    >>> import graphlab as tf
    >>> spectra = tf.signal.stft(tf.range(8.0), 4, 2)
    >>> tf.signal.inverse_stft(spectra, 4, 2, window_fn=tf.signal.inverse_stft_window_fn(2)).numpy().round(3)[2:6]
    array([2., 3., 4., 5.], dtype=float32)
    """
    with name_scope(name, "inverse_stft"):
        stfts = convert_to_tensor(stfts)
        size = _power_of_two(frame_length) if fft_length is None else fft_length
        frames = irfft(stfts, array.reshape(convert_to_tensor(size, dtypes.int32), [1]))
        frames = _of_length(frames, frame_length)
        if window_fn is not None:
            frames = frames * window_fn(frame_length, dtype=frames.dtype)
        return overlap_and_add(frames, frame_step)


def _of_length(x: Any, length: Any) -> Any:
    """The last axis cut, or filled up with zeros, to a length."""
    from graphlab.ops.math import maximum

    length = convert_to_tensor(length, dtypes.int32)
    missing = maximum(0, length - shape_of(x)[-1])
    rank = x.shape.rank
    return padding.pad(x[..., :length], [[0, missing if a == rank - 1 else 0] for a in range(rank)])


# --------------------------------------------------------------------------------------------------- cosine transforms


def _turned(count: Any, sign: float, dtype: Any) -> Any:
    """``2 exp(± i pi k / 2n)`` for k = 0, 1, ..., n - 1."""
    places = casting.cast(creation.range(count), dtype)
    angle = sign * math.pi / 2 * places / casting.cast(count, dtype)
    return complex_ops.complex(2 * trigonometry.cos(angle), 2 * trigonometry.sin(angle))


def _second(x: Any, count: Any, norm: str | None) -> Any:
    spectrum = rfft(x, array.reshape(count * 2, [1]))[..., :count]
    result = complex_ops.real(spectrum * _turned(count, -1.0, x.dtype))
    return result * _weights(count, x.dtype) if norm == "ortho" else result


def _weights(count: Any, dtype: Any) -> Any:
    """What makes the second transform orthogonal."""
    size = casting.cast(count, dtype)
    rest = unary.sqrt(0.5 / size) * creation.ones(array.reshape(count - 1, [1]), dtype)
    return array.concat([array.reshape(unary.sqrt(0.25 / size), [1]), rest], 0)


def _third(x: Any, count: Any, norm: str | None) -> Any:
    size = casting.cast(count, x.dtype)
    x = x / _weights(count, x.dtype) / 2 if norm == "ortho" else x * size
    turned = _turned(count, 1.0, x.dtype) * complex_ops.complex(x, creation.zeros_like(x))
    return irfft(turned, array.reshape(count * 2, [1]))[..., :count]


@public("signal.dct")
def dct(
    input: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Any:
    """The discrete cosine transform of type I, II, III or IV over the last axis.

    Args:
      input: float32 or float64.
      type: 1 to 4.
      n: cut or fill up the axis to this size first.
      axis: -1.
      norm: None, or ``"ortho"`` for the orthogonal one (not of type I).
      name: a name for the nodes.

    Raises:
      ValueError: another type or norm, or a single sample for type I.
      NotImplementedError: another axis.

    >>> import graphlab as tf
    >>> tf.signal.dct([1.0, 2.0, 4.0]).numpy().round(3)
    array([14.   , -5.196,  1.   ], dtype=float32)
    """
    if type not in (1, 2, 3, 4):
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    with name_scope(name, "dct"):
        x = convert_to_tensor(input)
        if n is not None:
            x = _of_length(x, n)
        count = shape_of(x)[-1]
        if type == 1:
            if x.shape.as_list()[-1] == 1:
                raise ValueError("Type-I DCT requires the dimension to be greater than one.")
            mirrored = array.concat([x, padding.reverse(x[..., 1:-1], [-1])], -1)
            return complex_ops.real(rfft(mirrored))
        if type == 2:
            return _second(x, count, norm)
        if type == 3:
            return _third(x, count, norm)
        # Every other element of the second transform of twice the size.
        odd = _second(_of_length(x, count * 2), count * 2, None)[..., 1::2]
        return odd * unary.sqrt(0.5 / casting.cast(count, x.dtype)) if norm == "ortho" else odd


@public("signal.idct")
def idct(
    input: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Any:
    """The inverse of ``tf.signal.dct``: exact if orthogonal, else up to the factor ``2 n`` (``2 (n - 1)`` for I).

    Arguments as for ``tf.signal.dct``; ``n`` must be None.

    >>> import graphlab as tf
    >>> tf.signal.idct(tf.signal.dct([1.0, 2.0, 4.0], norm="ortho"), norm="ortho").numpy().round(3)
    array([1., 2., 4.], dtype=float32)
    """
    return dct(input, {2: 3, 3: 2}.get(type, type), n, axis, norm, name)
