"""Strings and patterns: regular expressions, and the hash buckets of strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, misfit, whole_number
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, REQUIRED, Arg, define
from graphlab.core.state import state
from graphlab.core.tensor import EagerTensor
from graphlab.ops import hashing, inference, regular
from graphlab.ops.bits import each_string
from graphlab.ops.inference import Attrs, Shape
from graphlab.ops.strings import each, elementwise, objects


def _scalar_pattern(array: Any, what: str) -> bytes:
    if np.ndim(array):
        raise InvalidArgumentError(None, None, f"{what} must be scalar, but received shape {list(np.shape(array))}")
    return objects(array)[()]  # type: ignore[no-any-return]


def _regex_replace(input: Any, pattern: Any, rewrite: Any, replace_global: bool) -> Any:
    p, r = _scalar_pattern(pattern, "Pattern"), _scalar_pattern(rewrite, "Rewrite")
    regular.compiled(p)
    return each_string(lambda item: regular.replace(item, p, r, replace_global), objects(input))


def _static_replace(input: Any, pattern: str, rewrite: str, replace_global: bool) -> Any:
    regular.compiled(pattern.encode())
    return each_string(
        lambda item: regular.replace(item, pattern.encode(), rewrite.encode(), replace_global), objects(input)
    )


def _regex_full_match(input: Any, pattern: Any) -> Any:
    p = _scalar_pattern(pattern, "Pattern")
    regular.compiled(p)
    return each(lambda item: regular.full_match(item, p), np.bool_, input)


def _static_full_match(input: Any, pattern: str) -> Any:
    regular.compiled(pattern.encode())
    return each(lambda item: regular.full_match(item, pattern.encode()), np.bool_, input)


def _bucket(function: Callable[[bytes], int]) -> Any:
    return lambda array, num_buckets: each(lambda item: function(item) % num_buckets, np.int64, array)


def _strong_bucket(input: Any, num_buckets: int, key: Sequence[int]) -> Any:
    pair = (int(key[0]), int(key[1]))
    return each(lambda item: hashing.siphash(item, pair) % num_buckets, np.int64, input)


def _scalar_patterns(args: Sequence[Arg], _attrs: Attrs) -> Shape:
    for arg in args[1:]:
        inference.with_rank(arg.shape, 0, "A pattern")
    return args[0].shape


REGEX_REPLACE = define("RegexReplace", "input: string, pattern: string, rewrite: string -> output: string",
                       kernel=_regex_replace, infer=_scalar_patterns, gradient=NOT_DIFFERENTIABLE,
                       attrs={"replace_global": True}, can_fail=True, fp=False)  # fmt: skip


STATIC_REPLACE = define("StaticRegexReplace", "input: string -> output: string", kernel=_static_replace,
                        infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE, can_fail=True, fp=False,
                        attrs={"pattern": REQUIRED, "rewrite": REQUIRED, "replace_global": True})  # fmt: skip


FULL_MATCH = define("RegexFullMatch", "input: string, pattern: string -> output: bool", kernel=_regex_full_match,
                    infer=_scalar_patterns, gradient=NOT_DIFFERENTIABLE, can_fail=True, fp=False)  # fmt: skip


STATIC_FULL_MATCH = define("StaticRegexFullMatch", "input: string -> output: bool", kernel=_static_full_match,
                           infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE, attrs={"pattern": REQUIRED},
                           can_fail=True, fp=False)  # fmt: skip


HASH_BUCKET = define("StringToHashBucket", "string_tensor: string -> output: int64", kernel=_bucket(hashing.murmur64),
                     infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE, attrs={"num_buckets": REQUIRED},
                     fp=False)  # fmt: skip


HASH_BUCKET_FAST = define("StringToHashBucketFast", "input: string -> output: int64",
                          kernel=_bucket(hashing.fingerprint64), infer=inference.unchanged,
                          gradient=NOT_DIFFERENTIABLE, attrs={"num_buckets": REQUIRED}, fp=False)  # fmt: skip


HASH_BUCKET_STRONG = define("StringToHashBucketStrong", "input: string -> output: int64", kernel=_strong_bucket,
                            infer=inference.unchanged, gradient=NOT_DIFFERENTIABLE,
                            attrs={"num_buckets": REQUIRED, "key": REQUIRED}, fp=False)  # fmt: skip


@public("strings.regex_replace")
@elementwise
def regex_replace(input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None) -> Any:
    r"""Replaces what fits a regular expression (RE2).

    Args:
      input: a string tensor.
      pattern: the expression, a string or string scalar.
      rewrite: the replacement; ``\1`` to ``\9`` are groups, ``\0`` is the match.
      replace_global: replace every match, or only the first.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the expression or the replacement is not valid.

    >>> import graphlab as tf
    >>> tf.strings.regex_replace("a1b22", "[0-9]+", "#").numpy()
    b'a#b#'
    """
    if isinstance(pattern, str) and isinstance(rewrite, str):
        attrs = {"pattern": pattern, "rewrite": rewrite, "replace_global": replace_global}
        return bind(STATIC_REPLACE, (input,), attrs, name)
    if state.graph is None:
        pattern = convert_to_tensor(pattern, dtypes.string, name="pattern")
        rewrite = convert_to_tensor(rewrite, dtypes.string, name="rewrite")
    return bind(REGEX_REPLACE, (input, pattern, rewrite), {"replace_global": replace_global}, name)


@public("strings.regex_full_match")
@elementwise
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Any:
    """Tells whether strings fit a regular expression (RE2) as a whole.

    Args:
      input: a string tensor.
      pattern: the expression, a string or string scalar.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the expression is not valid.

    >>> import graphlab as tf
    >>> tf.strings.regex_full_match(["TF lib", "lib TF"], ".*lib$").numpy()
    array([ True, False])
    """
    if isinstance(pattern, str):
        return bind(STATIC_FULL_MATCH, (input,), {"pattern": pattern}, name)
    return bind(FULL_MATCH, (input, pattern), None, name)


def _buckets(number: Any) -> int:
    count = whole_number(number, "num_buckets")
    if count < 1:
        raise misfit(f"num_buckets must be at least 1, not {count}.")
    return count


@public("strings.to_hash_bucket")
@elementwise
def to_hash_bucket(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """Gives each string a number below ``num_buckets`` by a hash that never changes.

    Args:
      input: a string tensor.
      num_buckets: how many numbers there are.
      name: a name for the node.

    Returns:
      An int64 tensor.

    >>> import graphlab as tf
    >>> tf.strings.to_hash_bucket(["a", "a"], 3).shape
    TensorShape([2])
    """
    return bind(HASH_BUCKET, (input,), {"num_buckets": _buckets(num_buckets)}, name)


@public("strings.to_hash_bucket_fast")
@elementwise
def to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """Gives each string a number below ``num_buckets`` by FarmHash.

    Args:
      input: a string tensor.
      num_buckets: how many numbers there are.
      name: a name for the node.

    Returns:
      An int64 tensor.

    >>> import graphlab as tf
    >>> tf.strings.to_hash_bucket_fast(["Hello", "TensorFlow", "2.x"], 3).numpy()
    array([0, 2, 2])
    """
    return bind(HASH_BUCKET_FAST, (input,), {"num_buckets": _buckets(num_buckets)}, name)


@public("strings.to_hash_bucket_strong")
@elementwise
def to_hash_bucket_strong(input: Any, num_buckets: int, key: Any, name: str | None = None) -> Any:
    """Gives each string a number below ``num_buckets`` by a hash with a secret key (SipHash).

    Args:
      input: a string tensor.
      num_buckets: how many numbers there are.
      key: two integers.
      name: a name for the node.

    Returns:
      An int64 tensor.

    >>> import graphlab as tf
    >>> tf.strings.to_hash_bucket_strong(["Hello", "TF"], 3, [1, 2]).numpy()
    array([2, 0])
    """
    if state.graph is None and (key is None or (isinstance(key, EagerTensor) and key.shape.rank and not len(key))):
        raise misfit("key must have two elements, but has none.")
    if not isinstance(key, (list, tuple)):
        raise TypeError(f"Expected a list of two ints for the argument 'key', not {key!r:.100}.")
    attrs = {"num_buckets": _buckets(num_buckets), "key": [whole_number(part, "key") for part in key]}
    return bind(HASH_BUCKET_STRONG, (input,), attrs, name)
