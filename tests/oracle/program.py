"""What programs need besides `tf`: the mark that makes a function a program, and witnesses of what it did."""

import builtins
import dataclasses
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.oracle.under_test import tf


@dataclasses.dataclass(frozen=True)
class Program:
    """One program: it takes nothing and returns a structure of results.

    Args:
      function: the program.
      eager: it means the same when `tf.config.run_functions_eagerly(True)` is set, so it is run a second time that way.
      rtol: relative tolerance of its float results by dtype name, in place of the usual one (see `values.TOLERANCE`).
      advice: ids of the advice that graphlab gives about it, rightly: it does on purpose what the advice warns of.
    """

    function: Callable[[], Any]
    eager: bool = True
    rtol: dict[str, float] = dataclasses.field(default_factory=dict)
    advice: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.function.__name__


def program(function: Callable[[], Any] | None = None, **marks: Any) -> Any:
    """Marks a function as a program: `@program`, or `@program(eager=False)`."""
    if function is None:
        return lambda function: Program(function, **marks)
    return Program(function, **marks)


class Raised:
    """The class of an error as a result: the one seen must be of the class recorded, or of one below it."""

    def __init__(self, error: BaseException):
        self.error = error

    @property
    def classes(self) -> list[str]:
        """The names of its public classes, the nearest first (TensorFlow raises some of private subclasses)."""
        return [cls.__name__ for cls in type(self.error).__mro__[:-2] if _is_public(cls)]


def _is_public(cls: type) -> bool:
    return any(getattr(module, cls.__name__, None) is cls for module in (builtins, tf.errors))


def raised(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls the function, which ought to fail: the class of its error, or the word "nothing"."""
    try:
        function(*args, **kwargs)
    except Exception as error:  # noqa: BLE001, since its class is the result
        return Raised(error)
    return "nothing"


class Sheet:
    """A file to print on: `tf.print(..., output_stream=sheet.stream)`, then `sheet.lines()`."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="oracle-")) / "sheet.txt"
        self.stream = f"file://{self.path}"

    def lines(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
