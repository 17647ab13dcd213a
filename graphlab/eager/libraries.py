"""What needs TensorFlow's own binaries or a GPU: errors that say so, of the class that TensorFlow has."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from graphlab.core.convert import convert_to_tensor
from graphlab.core.errors import FailedPreconditionError, NotFoundError
from graphlab.core.export import public


def _no_binaries(path: Path) -> NoReturn:
    raise NotFoundError(
        None,
        None,
        f"{path} can't be loaded: it is a binary for TensorFlow, whose kernels this NumPy runtime does not have. "
        "Write the op in Python, with tf.numpy_function or tf.custom_gradient.",
    )


@public("load_op_library")
def load_op_library(library_filename: Any) -> NoReturn:
    """Refuses to load ops from a shared library, which are binaries for TensorFlow.

    Args:
      library_filename: the path of the library.

    Raises:
      tf.errors.NotFoundError: always.

    >>> import graphlab as tf
    >>> tf.load_op_library("zero_out.so")
    Traceback (most recent call last):
    ...
    graphlab.core.errors.NotFoundError: zero_out.so can't be loaded: it is a binary for TensorFlow, whose kernels this \
NumPy runtime does not have. Write the op in Python, with tf.numpy_function or tf.custom_gradient.
    """
    _no_binaries(Path(library_filename))


@public("load_library")
def load_library(library_location: Any) -> None:
    """Loads the libraries of a folder, of which there can be none: they are binaries for TensorFlow.

    Args:
      library_location: the path of a library, or of a folder.

    Raises:
      FileNotFoundError: if there is no such path.
      tf.errors.NotFoundError: if it is a library, or has some.
    """
    path = Path(library_location)
    if not path.exists():
        raise FileNotFoundError(f"The file or folder to load kernel libraries from does not exist: {path}")
    for library in sorted(path.glob("*.so")) if path.is_dir() else [path]:
        _no_binaries(library)


@public("check_pinned")
def check_pinned(tensor: Any, name: str | None = None) -> NoReturn:
    """Would tell whether a tensor is in memory that a GPU reads at once: there is no GPU.

    Args:
      tensor: a tensor.
      name: not used.

    Raises:
      tf.errors.FailedPreconditionError: always, as in a TensorFlow without CUDA.
    """
    del name
    convert_to_tensor(tensor)
    raise FailedPreconditionError(None, None, "Whether memory is pinned for a GPU is only known where there is one.")
