"""What functions that convert their arguments themselves do with ragged or sparse tensors.

``over_values`` is for elementwise functions, ``of_composites`` for those that look at whole tensors.
"""

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


def of_composites(function: F) -> F:
    """A function that does something of its own with RaggedTensors or SparseTensors: see ``ragged_whole.FUNCTIONS``."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except CompositeGiven as given:
            from graphlab.ops.composite_dispatch import whole_function

            result = whole_function(given.value, function.__name__, args, kwargs)
            if result is NotImplemented:
                raise
            return result

    return cast("F", call)
