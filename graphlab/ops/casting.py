"""Conversion between dtypes: ``tf.cast``, ``tf.saturate_cast``, ``tf.bitcast``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import constant, convert_to_tensor
from graphlab.core.dispatch import bind, dtype_attribute, name_scope
from graphlab.core.dtypes import DType
from graphlab.core.errors import UnimplementedError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, NUMERIC, REQUIRED, Arg, define
from graphlab.core.state import state
from graphlab.core.tensor import Tensor
from graphlab.ops import inference
from graphlab.ops.inference import Shape
from graphlab.ops.over_values import over_values


def _cast(x: Any, DstT: DType, Truncate: bool) -> Any:
    target = DstT.np
    kind = x.dtype.kind
    if kind == "O" or target.kind == "O":
        raise _unsupported(dtypes.of_numpy(x.dtype), DstT)
    if kind == "c" and target.kind != "c":
        x = np.real(x)
        kind = "f"
    if target.kind in "iu" and (kind == "f" or x.dtype == dtypes.bfloat16.np):
        return _float_to_int(np.asarray(x), target)
    return np.asarray(x).astype(target)


def _float_to_int(x: Any, target: Any) -> Any:
    """C's conversion as x86-64 does it, where TensorFlow leaves it to the compiler.

    Out-of-range values and NaN become the smallest integer of the register (int32 for the narrow types, int64 for
    uint32 and int64), of which the low bits are kept.
    """
    if x.dtype.itemsize == 2:
        x = x.astype(np.float32)
    if target.itemsize < 4:
        return _to_register(x, np.int32).astype(target)
    if target == np.uint64:
        high = x >= 2.0**63
        low = _to_register(np.where(high, x - x.dtype.type(2.0**63), x), np.int64).astype(np.uint64)
        return np.where(high, low | np.uint64(1 << 63), low)
    return _to_register(x, np.int32 if target == np.int32 else np.int64).astype(target)


def _to_register(x: Any, register: Any) -> Any:
    info = np.iinfo(register)
    bound = x.dtype.type(2.0 ** (info.bits - 1))
    if x.size and np.abs(x).max() < bound:  # nearly always; False for NaN
        return x.astype(register)
    fits = (x >= -bound) & (x < bound)
    return np.where(fits, np.where(fits, x, 0).astype(register), register(info.min))


def _cast_grad(op: Any, dy: Any) -> Any:
    source, target = op.inputs[0].dtype, op.outputs[0].dtype
    if all(t.is_floating or t.is_complex for t in (source, target)):
        return cast(dy, source)
    return None


def _bitcast(x: Any, type: DType) -> Any:
    source, target = np.ascontiguousarray(x).reshape(np.shape(x)), type.np
    if target.itemsize == source.dtype.itemsize:
        return source.view(target)
    if target.itemsize < source.dtype.itemsize:
        return source.reshape((*source.shape, 1)).view(target)
    if source.ndim == 0 or source.shape[-1] * source.dtype.itemsize != target.itemsize:
        need = target.itemsize // source.dtype.itemsize
        raise ValueError(
            f"To bitcast to {type.name} the last dimension must be {need}, but the shape is {source.shape}."
        )
    return source.view(target).reshape(source.shape[:-1])


def _bitcast_shape(args: Sequence[Arg], attrs: Mapping[str, Any]) -> Shape:
    shape, source, target = args[0].shape, args[0].dtype.size, attrs["type"].size
    if shape is None or source == target:
        return shape
    if source > target:
        return (*shape, source // target)
    if not shape or shape[-1] not in (None, target // source):
        raise ValueError(f"To bitcast, the last dimension must be {target // source}, but is {inference.show(shape)}.")
    return shape[:-1]


CAST = define("Cast", "x: SrcT -> y: DstT", kernel=_cast, infer=inference.unchanged, gradient=_cast_grad,
              attrs={"DstT": REQUIRED, "Truncate": False})  # fmt: skip
_BITS = NUMERIC | dtypes.QUANTIZED_DTYPES
BITCAST = define("Bitcast", "input: T -> output: type", kernel=_bitcast, infer=_bitcast_shape,
                 gradient=NOT_DIFFERENTIABLE, types={"T": _BITS, "type": _BITS}, attrs={"type": REQUIRED},
                 alias=True, fp=False)  # fmt: skip


@public("cast", "dtypes.cast")
@over_values
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """Converts a tensor to another dtype.

    Floats are truncated towards zero to become integers, numbers become bools by ``x != 0``, a complex number loses its
    imaginary part.  Integers out of the range of the new dtype wrap around.

    Args:
      x: a tensor of a numeric dtype or bool (or IndexedSlices, whose values are cast).
      dtype: the dtype of the result.
      name: a name for the node.

    Returns:
      A tensor of the same shape; ``x`` itself if it has that dtype.

    Raises:
      TypeError: if ``x`` can't be converted to a number, or ``dtype`` is no dtype.
      tf.errors.UnimplementedError: if either dtype is string (when the graph runs, if there is one).

    >>> import graphlab as tf
    >>> tf.cast([1.8, -1.8], tf.int32).numpy()
    array([ 1, -1], dtype=int32)
    """
    target = dtypes.as_dtype(dtype)
    if getattr(x, "dtype", None) is target and hasattr(x, "_raw_shape"):
        return x
    values = getattr(x, "values", None)
    if values is not None and hasattr(x, "dense_shape"):
        if hasattr(x, "with_values"):  # a sparse tensor
            return x.with_values(cast(values, target, name))
        return type(x)(cast(values, target, name), x.indices, x.dense_shape)
    if state.graph is None and isinstance(x, Tensor) and _castable(x.dtype) and _castable(target):
        return bind(CAST, (x,), {"DstT": target})
    with name_scope(name, "Cast") as scope:
        x = convert_to_tensor(x, name="x")
        if x.dtype is target:
            return x
        if not (_castable(x.dtype) and _castable(target)):
            # In a graph the cast of a text is a node, which fails when it runs.
            texts = dtypes.string in (x.dtype, target) and None not in (x.dtype.np, target.np)
            if state.graph is None or not texts:
                raise _unsupported(x.dtype, target)
        return bind(CAST, (x,), {"DstT": target}, scope or name)


def _unsupported(source: DType, target: DType) -> UnimplementedError:
    message = f"Cast {source.name} to {target.name} is not supported."
    if dtypes.string in (source, target):
        message += " Write tf.strings.as_string or tf.strings.to_number."
    return UnimplementedError(None, None, message)


def _castable(dtype: DType) -> bool:
    return dtype.np is not None and dtype is not dtypes.string


def _limits(dtype: DType) -> tuple[Any, Any]:
    return dtype.min, dtype.max


@public("dtypes.saturate_cast", "saturate_cast")
@over_values
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
    """Converts a tensor to another dtype, clamping values that are out of its range.

    Args:
      value: a tensor of a numeric dtype.
      dtype: the dtype of the result.
      name: a name for the nodes' scope.

    >>> import graphlab as tf
    >>> tf.saturate_cast([-3.0, 300.0], tf.uint8).numpy()
    array([  0, 255], dtype=uint8)
    """
    from graphlab.ops.selection import bounded

    target = dtypes.as_dtype(dtype)
    with name_scope(name, "saturate_cast") as scope:
        x = convert_to_tensor(value, name="value")
        source = x.dtype
        if source.is_complex:
            if target.is_complex:
                from graphlab.ops.complex import complex, imag, real

                part = target.real_dtype
                return cast(complex(saturate_cast(real(x), part), saturate_cast(imag(x), part)), target)
            from graphlab.ops.complex import real

            x = real(x)
            source = x.dtype
        if target.is_complex:
            return cast(saturate_cast(x, target.real_dtype), target)
        low, high = _limits(target)
        source_low, source_high = _limits(source)
        if float(source_low) < float(low) or float(source_high) > float(high):
            # The bounds must be exact in the source type: float32 has no 2**31 - 1, the next value below it is used.
            bottom, top = _bound_in(source, max(low, source_low)), _bound_in(source, min(high, source_high))
            x = bounded(x, constant(bottom, source), constant(top, source), name="clamp")
        return cast(x, target, name=scope or name)


def _bound_in(dtype: DType, bound: Any) -> Any:
    """A bound as a value of ``dtype`` that is not beyond it: float32 has no 2**31 - 1."""
    number = np.asarray(bound).astype(dtype.np)
    if dtype.is_floating and isinstance(bound, (int, np.integer)):
        exact = int(float(number)) if np.isfinite(float(number)) else None
        if exact is not None and abs(exact) > abs(int(bound)):
            number = np.nextafter(number, dtype.np.type(0))
    return number


@public("bitcast")
@over_values
def bitcast(input: Any, type: Any, name: str | None = None) -> Any:
    """Reads the bytes of a tensor as another dtype.

    Args:
      input: a tensor of a numeric dtype.  If the new dtype is wider, its last dimension holds the parts of one element.
      type: the dtype of the result.
      name: a name for the node.

    Returns:
      A tensor of the same shape if the dtypes have the same size, with one more (last) dimension if the new one is
      narrower, with one less if it is wider.

    Raises:
      tf.errors.InvalidArgumentError: if the last dimension does not hold the parts of one element.

    >>> import graphlab as tf
    >>> tf.bitcast(1.0, tf.uint32).numpy()
    np.uint32(1065353216)
    """
    return bind(BITCAST, (input,), {"type": dtype_attribute(BITCAST, "type", type)}, name)
