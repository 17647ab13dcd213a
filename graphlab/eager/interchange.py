"""``tf.experimental.dlpack``: tensors handed to other libraries without copying what they hold, and taken from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphlab.core.dtypes import of_numpy
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.tensor import EagerTensor, wrap

_CPU = (1, 0)  # DLPack's number of the device


class _Given:
    """A capsule as NumPy takes it."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_wishes: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU


@public("experimental.dlpack.to_dlpack")
def to_dlpack(tf_tensor: Any) -> Any:
    """Gives a tensor to another library, as a DLPack capsule.

    Args:
      tf_tensor: an eager tensor of numbers or bools. Its memory is copied: a tensor never changes.

    Raises:
      tf.errors.InvalidArgumentError: for what is no eager tensor, and for a dtype that DLPack does not have in NumPy.

    >>> import graphlab as tf
    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1.0, 2.0]))
    >>> tf.experimental.dlpack.from_dlpack(capsule).numpy()
    array([1., 2.], dtype=float32)
    """
    if not isinstance(tf_tensor, EagerTensor):
        raise InvalidArgumentError(
            None,
            None,
            f"The argument to `to_dlpack` must be a TF tensor, not Python object: {type(tf_tensor).__name__}.",
        )
    try:
        return np.array(tf_tensor._a).__dlpack__()
    except (BufferError, TypeError) as error:
        text = f"A tensor of dtype {tf_tensor.dtype.name} can't be given to DLPack: {error}"
        raise InvalidArgumentError(None, None, text) from error


@public("experimental.dlpack.from_dlpack")
def from_dlpack(dlcapsule: Any) -> Any:
    """Takes a tensor from another library.

    Args:
      dlcapsule: a DLPack capsule that was not taken yet.

    Raises:
      TypeError: for what is no capsule.
      tf.errors.InvalidArgumentError: for one that was taken, or of a dtype that tensors don't have.
    """
    if type(dlcapsule).__name__ != "PyCapsule":
        raise TypeError(f"from_dlpack takes a capsule, which to_dlpack gives, not {type(dlcapsule).__name__}.")
    try:
        array = np.from_dlpack(_Given(dlcapsule))
        of_numpy(array.dtype)
    except (ValueError, TypeError, BufferError, RuntimeError) as error:
        text = f"The capsule can't be taken; each may be consumed at most once. {error}"
        raise InvalidArgumentError(None, None, text) from error
    return wrap(np.array(array))


@public("experimental.async_scope")
@contextmanager
def async_scope() -> Iterator[None]:
    """A context in which TensorFlow may run ops later, and report errors at its end: here they run at once.

    >>> import graphlab as tf
    >>> with tf.experimental.async_scope():
    ...     x = tf.constant(1) + 1
    >>> x.numpy()
    np.int32(2)
    """
    yield


@public("experimental.async_clear_error")
def async_clear_error() -> None:
    """Forgets errors that wait to be reported: none does, since ops run at once."""
