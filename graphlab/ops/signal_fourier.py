"""Fourier transforms: ``tf.signal.fft`` and its family, over the last one, two or three axes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from graphlab.core import dtypes, nest
from graphlab.core.convert import convert_to_tensor, make
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, REQUIRED, Arg, define
from graphlab.core.tensor import Tensor
from graphlab.ops import inference
from graphlab.ops.inference import Attrs, Shape

_REAL = frozenset((dtypes.float32, dtypes.float64))
_COMPLEX_OF = {dtypes.float32: dtypes.complex64, dtypes.float64: dtypes.complex128}
_REAL_OF = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}


def _axes(rank: int) -> tuple[int, ...]:
    return tuple(range(-rank, 0))


def _ranked(x: Any, rank: int) -> None:
    if x.ndim < rank:
        shape = str(list(x.shape)).replace(" ", "")
        raise InvalidArgumentError(None, None, f"Input must have rank of at least {rank} but got: {shape}")


def _plain(transform: Any, rank: int) -> Any:
    def kernel(x: Any) -> Any:
        _ranked(x, rank)
        if not x.size:
            return x
        return transform(x, axes=_axes(rank)).astype(x.dtype, copy=False)

    return kernel


def _lengths(fft_length: Any, rank: int) -> list[int]:
    lengths: list[int] = fft_length.tolist()
    if len(lengths) != rank:
        raise InvalidArgumentError(None, None, f"fft_length must have shape [{rank}]")
    if any(n < 0 for n in lengths):
        raise InvalidArgumentError(None, None, f"fft_length must be >= 0, but got {lengths}")
    return lengths


def _forward_real(rank: int) -> Any:
    def kernel(x: Any, fft_length: Any, Tcomplex: Any) -> Any:
        _ranked(x, rank)
        lengths = _lengths(fft_length, rank)
        if not x.size or 0 in lengths:
            return np.zeros((*x.shape[:-rank], *lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0), Tcomplex.np)
        return np.fft.rfftn(x, lengths, _axes(rank)).astype(Tcomplex.np, copy=False)

    return kernel


def _inverse_real(rank: int) -> Any:
    def kernel(x: Any, fft_length: Any, Treal: Any) -> Any:
        _ranked(x, rank)
        lengths = _lengths(fft_length, rank)
        if not x.size or 0 in lengths:
            return np.zeros((*x.shape[:-rank], *lengths), Treal.np)
        return np.fft.irfftn(x, lengths, _axes(rank)).astype(Treal.np, copy=False)

    return kernel


def _plain_shape(rank: int) -> Any:
    def infer(args: Sequence[Arg], _attrs: Attrs) -> Shape:
        return inference.at_least_rank(args[0].shape, rank, "input")

    return infer


def _real_shape(rank: int, forward: bool) -> Any:
    def infer(args: Sequence[Arg], _attrs: Attrs) -> Shape:
        shape = inference.at_least_rank(args[0].shape, rank, "input")
        if shape is None:
            return None
        known = args[1].value
        sizes: list[int | None] = [None] * rank if known is None else [int(n) for n in known]
        if forward and sizes[-1]:
            sizes[-1] = sizes[-1] // 2 + 1
        return (*shape[: len(shape) - rank], *sizes)

    return infer


# ----------------------------------------------------------------------------------------------------------- gradients


def _size(x: Any, rank: int, dtype: Any) -> Any:
    """The number of elements that one transform takes."""
    from graphlab.ops.array_shape import shape
    from graphlab.ops.casting import cast
    from graphlab.ops.reduction import reduce_prod

    return cast(reduce_prod(shape(x)[-rank:]), dtype)


def _plain_grad(rank: int, inverse: bool) -> Any:
    def gradient(op: Any, dy: Any) -> Any:
        size = _size(dy, rank, dy.dtype)
        back = bind(_RECORDS["FFT" if inverse else "IFFT", rank], (dy,))
        return back / size if inverse else back * size

    return gradient


def _fitted(x: Any, shape: Any, rank: int) -> Any:
    """Cut, or filled up with zeros, to the last ``rank`` sizes of ``shape``."""
    from graphlab.ops import array, creation, math, padding, slicing
    from graphlab.ops.array_shape import shape as shape_of

    own = shape_of(x)
    kept = array.concat([own[:-rank], math.minimum(own[-rank:], shape[-rank:])], 0)
    missing = array.concat([creation.zeros_like(own[:-rank]), math.maximum(shape[-rank:] - own[-rank:], 0)], 0)
    part = slicing.slice_(x, creation.zeros_like(own), kept)
    return padding.pad(part, array.stack([creation.zeros_like(missing), missing], 1))


def _forward_real_grad(rank: int) -> Any:
    def gradient(op: Any, dy: Any) -> list[Any]:
        from graphlab.ops import array
        from graphlab.ops.array_shape import shape
        from graphlab.ops.complex import real

        x, lengths = op.inputs
        whole = _fitted(dy, array.concat([shape(dy)[:-rank], lengths], 0), rank)
        back = real(bind(_RECORDS["IFFT", rank], (whole,))) * _size(whole, rank, x.dtype)
        return [_fitted(back, shape(x), rank), None]

    return gradient


def _inverse_real_grad(rank: int) -> Any:
    def gradient(op: Any, dy: Any) -> list[Any]:
        from graphlab.ops import casting, comparison, creation, selection
        from graphlab.ops.array_shape import shape

        x, lengths = op.inputs
        spectrum = bind(_RECORDS["RFFT", rank], (dy, lengths), {"Tcomplex": x.dtype})
        # All but the first and, for an even length, the last stand for two: themselves and their conjugates.
        index = creation.range(lengths[-1] // 2 + 1)
        alone = comparison.equal(index, 0) | comparison.equal(index * 2, lengths[-1])
        weight = selection.where(alone, creation.ones_like(index), 2)
        scaled = spectrum * casting.cast(weight, x.dtype) / _size(dy, rank, x.dtype)
        return [_fitted(scaled, shape(x), rank), None]

    return gradient


# ------------------------------------------------------------------------------------------------------------- records

_SAME = "input: Tcomplex -> output: Tcomplex"
_FORWARD = "input: Treal, fft_length: int32 -> output: Tcomplex"
_INVERSE = "input: Tcomplex, fft_length: int32 -> output: Treal"
_C, _R = {"Tcomplex": COMPLEX}, {"Treal": _REAL}

FFT = define("FFT", _SAME, kernel=_plain(np.fft.fftn, 1), infer=_plain_shape(1), gradient=_plain_grad(1, False),
             types=_C, can_fail=True)  # fmt: skip
FFT2D = define("FFT2D", _SAME, kernel=_plain(np.fft.fftn, 2), infer=_plain_shape(2), gradient=_plain_grad(2, False),
               types=_C, can_fail=True)  # fmt: skip
FFT3D = define("FFT3D", _SAME, kernel=_plain(np.fft.fftn, 3), infer=_plain_shape(3), gradient=_plain_grad(3, False),
               types=_C, can_fail=True)  # fmt: skip
IFFT = define("IFFT", _SAME, kernel=_plain(np.fft.ifftn, 1), infer=_plain_shape(1), gradient=_plain_grad(1, True),
              types=_C, can_fail=True)  # fmt: skip
IFFT2D = define("IFFT2D", _SAME, kernel=_plain(np.fft.ifftn, 2), infer=_plain_shape(2), gradient=_plain_grad(2, True),
                types=_C, can_fail=True)  # fmt: skip
IFFT3D = define("IFFT3D", _SAME, kernel=_plain(np.fft.ifftn, 3), infer=_plain_shape(3), gradient=_plain_grad(3, True),
                types=_C, can_fail=True)  # fmt: skip
RFFT = define("RFFT", _FORWARD, kernel=_forward_real(1), infer=_real_shape(1, True), gradient=_forward_real_grad(1),
              types=_R, attrs={"Tcomplex": REQUIRED}, can_fail=True)  # fmt: skip
RFFT2D = define("RFFT2D", _FORWARD, kernel=_forward_real(2), infer=_real_shape(2, True),
                gradient=_forward_real_grad(2), types=_R, attrs={"Tcomplex": REQUIRED}, can_fail=True)  # fmt: skip
RFFT3D = define("RFFT3D", _FORWARD, kernel=_forward_real(3), infer=_real_shape(3, True),
                gradient=_forward_real_grad(3), types=_R, attrs={"Tcomplex": REQUIRED}, can_fail=True)  # fmt: skip
IRFFT = define("IRFFT", _INVERSE, kernel=_inverse_real(1), infer=_real_shape(1, False),
               gradient=_inverse_real_grad(1), types=_C, attrs={"Treal": REQUIRED}, can_fail=True)  # fmt: skip
IRFFT2D = define("IRFFT2D", _INVERSE, kernel=_inverse_real(2), infer=_real_shape(2, False),
                 gradient=_inverse_real_grad(2), types=_C, attrs={"Treal": REQUIRED}, can_fail=True)  # fmt: skip
IRFFT3D = define("IRFFT3D", _INVERSE, kernel=_inverse_real(3), infer=_real_shape(3, False),
                 gradient=_inverse_real_grad(3), types=_C, attrs={"Treal": REQUIRED}, can_fail=True)  # fmt: skip

_RECORDS = {
    ("FFT", 1): FFT, ("FFT", 2): FFT2D, ("FFT", 3): FFT3D, ("IFFT", 1): IFFT, ("IFFT", 2): IFFT2D,
    ("IFFT", 3): IFFT3D, ("RFFT", 1): RFFT, ("RFFT", 2): RFFT2D, ("RFFT", 3): RFFT3D, ("IRFFT", 1): IRFFT,
    ("IRFFT", 2): IRFFT2D, ("IRFFT", 3): IRFFT3D,
}  # fmt: skip


# ----------------------------------------------------------------------------------------------------- public functions


def _complex(value: Any) -> Any:
    """Arrays and lists of real numbers as complex64, also lists of tensors; tensors as they are."""
    if isinstance(value, Tensor) or hasattr(value, "__tf_tensor__"):
        return value
    if isinstance(value, list | tuple) and any(isinstance(leaf, Tensor) for leaf in nest.flatten(value)):
        from graphlab.ops.casting import cast

        made = make(value)
        return cast(made, dtypes.complex64) if made.dtype.is_floating or made.dtype.is_integer else made
    if isinstance(value, list | tuple | int | float):
        with suppress(ValueError):  # rows of different lengths are refused where they are converted
            array = np.asarray(value)
            return array.astype(np.complex64) if array.dtype.kind in "iuf" else value
        return value
    return (
        value.astype(np.complex64)
        if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biuf"
        else value
    )


@public("signal.fft")
def fft(input: Any, name: str | None = None) -> Any:
    """The discrete Fourier transform over the last axis of a complex tensor.

    >>> import graphlab as tf
    >>> tf.signal.fft(tf.constant([1, 0, 0, 0], tf.complex64)).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
    return bind(FFT, (_complex(input),), None, name)


@public("signal.fft2d")
def fft2d(input: Any, name: str | None = None) -> Any:
    """``tf.signal.fft`` over the last two axes."""
    return bind(FFT2D, (_complex(input),), None, name)


@public("signal.fft3d")
def fft3d(input: Any, name: str | None = None) -> Any:
    """``tf.signal.fft`` over the last three axes."""
    return bind(FFT3D, (_complex(input),), None, name)


@public("signal.ifft")
def ifft(input: Any, name: str | None = None) -> Any:
    """The inverse of ``tf.signal.fft``."""
    return bind(IFFT, (_complex(input),), None, name)


@public("signal.ifft2d")
def ifft2d(input: Any, name: str | None = None) -> Any:
    """The inverse of ``tf.signal.fft2d``."""
    return bind(IFFT2D, (_complex(input),), None, name)


@public("signal.ifft3d")
def ifft3d(input: Any, name: str | None = None) -> Any:
    """The inverse of ``tf.signal.fft3d``."""
    return bind(IFFT3D, (_complex(input),), None, name)


def _own_lengths(x: Any, rank: int) -> Any:
    """The sizes of the axes that are transformed: a constant where they are known."""
    from graphlab.ops.array_shape import shape

    known = x._raw_shape()
    if known is not None and len(known) >= rank and None not in known[-rank:]:
        return convert_to_tensor(known[-rank:], dtypes.int32)
    return shape(x)[-rank:]


def _real_transform(rank: int, input_tensor: Any, fft_length: Any, name: str | None) -> Any:
    label = "rfft" if rank == 1 else f"rfft{rank}d"
    with name_scope(name, label):
        x = convert_to_tensor(input_tensor, dtype_hint=dtypes.float32)
        if x.dtype not in _REAL:
            raise ValueError(f"{label.upper()} requires tf.float32 or tf.float64 inputs, got: {x!s}")
        lengths = _own_lengths(x, rank) if fft_length is None else convert_to_tensor(fft_length, dtypes.int32)
        return bind(_RECORDS["RFFT", rank], (x, lengths), {"Tcomplex": _COMPLEX_OF[x.dtype]})


def _inverse_transform(rank: int, input_tensor: Any, fft_length: Any, name: str | None) -> Any:
    from graphlab.ops import array

    label = "irfft" if rank == 1 else f"irfft{rank}d"
    with name_scope(name, label):
        x = convert_to_tensor(input_tensor, dtype_hint=dtypes.complex64)
        if x.dtype not in _REAL_OF:
            raise ValueError(f"{label.upper()} requires tf.complex64 or tf.complex128 inputs, got: {x!s}")
        if fft_length is None:
            sizes = _own_lengths(x, rank)
            lengths = array.concat([sizes[:-1], (sizes[-1:] - 1) * 2], 0)
        else:
            lengths = convert_to_tensor(fft_length, dtypes.int32)
        return bind(_RECORDS["IRFFT", rank], (x, lengths), {"Treal": _REAL_OF[x.dtype]})


@public("signal.rfft")
def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The Fourier transform over the last axis of a real tensor: the first half, which says everything.

    Args:
      input_tensor: float32 or float64.
      fft_length: ``[n]``: cut or fill up to n first; the size of the axis if None.
      name: a name for the node.

    Raises:
      ValueError: another dtype.

    >>> import graphlab as tf
    >>> tf.signal.rfft([1.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
    return _real_transform(1, input_tensor, fft_length, name)


@public("signal.rfft2d")
def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """``tf.signal.rfft`` over the last two axes; ``fft_length`` has two sizes."""
    return _real_transform(2, input_tensor, fft_length, name)


@public("signal.rfft3d")
def rfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """``tf.signal.rfft`` over the last three axes; ``fft_length`` has three sizes."""
    return _real_transform(3, input_tensor, fft_length, name)


@public("signal.irfft")
def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The inverse of ``tf.signal.rfft``.

    Args:
      input_tensor: complex64 or complex128.
      fft_length: ``[n]``: the size of the result, by default the even one that fits.
      name: a name for the node.

    Raises:
      ValueError: another dtype.

    >>> import graphlab as tf
    >>> tf.signal.irfft(tf.signal.rfft([1.0, 2.0, 4.0, 8.0])).numpy()
    array([1., 2., 4., 8.], dtype=float32)
    """
    return _inverse_transform(1, input_tensor, fft_length, name)


@public("signal.irfft2d")
def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The inverse of ``tf.signal.rfft2d``."""
    return _inverse_transform(2, input_tensor, fft_length, name)


@public("signal.irfft3d")
def irfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The inverse of ``tf.signal.rfft3d``."""
    return _inverse_transform(3, input_tensor, fft_length, name)


def _shifted(x: Any, axes: Any, inverse: bool, label: str, name: str | None) -> Any:
    from graphlab.ops.array_shape import shape
    from graphlab.ops.padding import roll

    with name_scope(name, label):
        x = convert_to_tensor(x)
        rank = x.shape.rank
        if axes is None:
            axes = list(range(rank))
        axes = [axes] if isinstance(axes, int) else list(axes)
        sizes = shape(x)
        return roll(x, [-(sizes[a] // 2) if inverse else sizes[a] // 2 for a in axes], axes)


@public("signal.fftshift")
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """Moves the frequency zero to the middle of the axes (all if None).

    >>> import graphlab as tf
    >>> tf.signal.fftshift([0, 1, 2, -2, -1]).numpy()
    array([-2, -1,  0,  1,  2], dtype=int32)
    """
    return _shifted(x, axes, False, "fftshift", name)


@public("signal.ifftshift")
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """Undoes ``tf.signal.fftshift``.

    >>> import graphlab as tf
    >>> tf.signal.ifftshift([-2, -1, 0, 1, 2]).numpy()
    array([ 0,  1,  2, -2, -1], dtype=int32)
    """
    return _shifted(x, axes, True, "ifftshift", name)
