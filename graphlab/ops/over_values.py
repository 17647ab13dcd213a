"""``over_values``: elementwise functions that convert their arguments themselves, given ragged or sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from graphlab.core.convert import CompositeGiven

F = TypeVar("F", bound=Callable[..., Any])


def over_values(function: F) -> F:
    """A function that runs on the values of a RaggedTensor (or of one SparseTensor) and puts the rows around again."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except CompositeGiven as given:
            from graphlab.ops.composite_dispatch import function_over

            result = function_over(given.value, function, args, kwargs)
            if result is NotImplemented:
                raise
            return result

    return cast("F", call)
