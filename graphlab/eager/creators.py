"""``tf.variable_creator_scope``: functions that see, and may change, how each new Variable is made."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from graphlab.core.export import public


class _Creators(threading.local):
    """The creators of this thread, innermost last."""

    def __init__(self) -> None:
        self.stack: list[Callable[..., Any]] = []


_creators = _Creators()


class Created(type):
    """The class of Variable: a call of it goes through the creators; one of a subclass does not."""

    @property
    def __signature__(cls) -> inspect.Signature:
        """What the class is called with; Python would show the signature of ``__call__`` below."""
        made = next(vars(base)["__init__"] for base in cls.__mro__ if "__init__" in vars(base))
        _, *parameters = inspect.signature(made).parameters.values()
        return inspect.Signature(parameters)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if not _creators.stack or cls.__module__ != __package__ + ".variable" or cls.__name__ != "Variable":
            return super().__call__(*args, **kwargs)
        given = cls.__signature__.bind(*args, **kwargs)
        given.apply_defaults()
        make: Callable[..., Any] = super().__call__
        for creator in _creators.stack:
            make = partial(creator, make)
        return make(**given.arguments)


@public("variable_creator_scope")
@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """While the scope lasts, new Variables of this thread are made by a function.

    Args:
      variable_creator: called as ``variable_creator(next_creator, **kwargs)`` with the arguments of ``tf.Variable``,
        all of them by name. It returns the variable, usually ``next_creator(**kwargs)``. The creator of the innermost
        scope is called first.

    >>> import graphlab as tf
    >>> def frozen(next_creator, **kwargs):
    ...     return next_creator(**{**kwargs, "trainable": False})
    >>> with tf.variable_creator_scope(frozen):
    ...     v = tf.Variable(1.0)
    >>> v.trainable
    False
    """
    before = _creators.stack
    _creators.stack = [*before, variable_creator]
    try:
        yield
    finally:
        _creators.stack = before
