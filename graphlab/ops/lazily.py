"""Public functions by name, found when they are called: what is composed of many families imports none in circles."""

from __future__ import annotations

from typing import Any, Final

from graphlab.core.export import resolve


class _Names:
    """``ops.math.sign(x)`` is ``resolve("math.sign")(x)``."""

    __slots__ = ("_prefix",)

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:
        if name in ("math", "nn", "random", "sparse", "ragged", "strings", "debugging", "linalg"):
            return _Names(f"{name}.")
        try:
            return resolve(self._prefix + name)
        except KeyError:
            raise AttributeError(f"There is no public name {self._prefix + name!r}.") from None


ops: Final = _Names()
