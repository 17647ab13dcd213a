"""Fingerprints of data: ``tf.fingerprint``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, Arg, define
from graphlab.ops import inference
from graphlab.ops.hashing import fingerprint64
from graphlab.ops.inference import Attrs, Shape


def _bytes_of(value: int) -> bytes:
    return value.to_bytes(8, "little")


def _fingerprint(data: Any, method: Any) -> Any:
    if not data.ndim:
        raise InvalidArgumentError(None, None, "`data` should have at least one dimension: []")
    name = method if isinstance(method, bytes) else method.item()
    if name != b"farmhash64":
        raise InvalidArgumentError(None, None, f"Unsupported fingerprint method: {name.decode(errors='replace')}")
    rows = data.reshape(len(data), -1) if data.size else data.reshape(len(data), 0)
    if data.dtype == object:
        # The bytes of several strings would run into each other: the hash of their hashes, if there are several.
        several = rows.shape[1] != 1
        hashes = [b"".join(_bytes_of(fingerprint64(item)) for item in row) for row in rows]
        found = [_bytes_of(fingerprint64(row)) if several else row for row in hashes]
    else:
        found = [_bytes_of(fingerprint64(np.ascontiguousarray(row).tobytes())) for row in rows]
    return np.frombuffer(b"".join(found), np.uint8).reshape(len(data), 8)


def _shape(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    shape = inference.at_least_rank(args[0].shape, 1, "data")
    inference.with_rank(args[1].shape, 0, "method")
    method = args[1].value
    if method is not None and np.asarray(method, object).item() != b"farmhash64":
        raise ValueError(f"unsupported hash type: {np.asarray(method, object).item()!r}")
    return (None if shape is None else shape[0], 8)


FINGERPRINT = define(
    "Fingerprint", "data: T, method: string -> fingerprint: uint8", kernel=_fingerprint, infer=_shape,
    gradient=NOT_DIFFERENTIABLE, can_fail=True, fp=False,
)  # fmt: skip


@public("fingerprint")
def fingerprint(data: Any, method: Any = "farmhash64", name: str | None = None) -> Any:
    """Eight bytes for each row of a tensor, the same for equal rows: FarmHash's Fingerprint64.

    Args:
      data: a tensor of any dtype, of rank 1 or more.
      method: ``"farmhash64"``.
      name: a name for the node.

    Returns:
      A uint8 tensor of shape ``[rows, 8]``, the lowest byte first.

    Raises:
      tf.errors.InvalidArgumentError: for a scalar or another method.

    >>> import graphlab as tf
    >>> tf.fingerprint(["abc"]).numpy()
    array([[105, 243, 231, 116, 160, 179, 165,  36]], dtype=uint8)
    """
    return bind(FINGERPRINT, (data, method), None, name)
