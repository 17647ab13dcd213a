"""The exceptions that programs meet: the ``tf.errors`` family, and a few of graphlab's own.

Every one of them can carry the user's line that caused it (``attach_position``); ``str()`` then shows it below the
message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from graphlab.core.export import public

OK: Final = 0
CANCELLED: Final = 1
UNKNOWN: Final = 2
INVALID_ARGUMENT: Final = 3
DEADLINE_EXCEEDED: Final = 4
NOT_FOUND: Final = 5
ALREADY_EXISTS: Final = 6
PERMISSION_DENIED: Final = 7
RESOURCE_EXHAUSTED: Final = 8
FAILED_PRECONDITION: Final = 9
ABORTED: Final = 10
OUT_OF_RANGE: Final = 11
UNIMPLEMENTED: Final = 12
INTERNAL: Final = 13
UNAVAILABLE: Final = 14
DATA_LOSS: Final = 15
UNAUTHENTICATED: Final = 16

PUBLIC = {
    "errors.OK": "OK",
    "errors.CANCELLED": "CANCELLED",
    "errors.UNKNOWN": "UNKNOWN",
    "errors.INVALID_ARGUMENT": "INVALID_ARGUMENT",
    "errors.DEADLINE_EXCEEDED": "DEADLINE_EXCEEDED",
    "errors.NOT_FOUND": "NOT_FOUND",
    "errors.ALREADY_EXISTS": "ALREADY_EXISTS",
    "errors.PERMISSION_DENIED": "PERMISSION_DENIED",
    "errors.RESOURCE_EXHAUSTED": "RESOURCE_EXHAUSTED",
    "errors.FAILED_PRECONDITION": "FAILED_PRECONDITION",
    "errors.ABORTED": "ABORTED",
    "errors.OUT_OF_RANGE": "OUT_OF_RANGE",
    "errors.UNIMPLEMENTED": "UNIMPLEMENTED",
    "errors.INTERNAL": "INTERNAL",
    "errors.UNAVAILABLE": "UNAVAILABLE",
    "errors.DATA_LOSS": "DATA_LOSS",
    "errors.UNAUTHENTICATED": "UNAUTHENTICATED",
}


class UserLine(NamedTuple):
    """A line of the user's code."""

    filename: str
    line: int
    text: str

    def __str__(self) -> str:
        return f'  File "{self.filename}", line {self.line}' + (f"\n    {self.text.strip()}" if self.text else "")


class Positioned(Exception):
    """An exception whose ``str()`` ends with the user's line, once one is attached."""

    user_line: UserLine | None = None

    def __str__(self) -> str:
        message = super().__str__()
        return message if self.user_line is None else f"{message}\n{self.user_line}"


E = TypeVar("E", bound=BaseException)


def attach_position(exc: E, filename: str, line: int, text: str) -> E:
    """Makes ``exc`` show the user's line that caused it, and returns it.

    The first line stays: it is the innermost.  Exceptions of other classes (a user's own, raised in a traced function)
    get it as a note.
    """
    if isinstance(exc, Positioned):
        if exc.user_line is None:
            exc.user_line = UserLine(filename, line, text)
    elif not getattr(exc, "__notes__", None):
        exc.add_note(str(UserLine(filename, line, text)))
    return exc


@public("errors.OpError")
class OpError(Positioned):
    """An operation failed.  Programs catch the subclasses, one per error code.

    Attributes:
      message: what went wrong.
      op: the ``tf.Operation`` that failed, or None (eager operations are no objects).
      node_def: its NodeDef, or None.
      error_code: number of the error class, ``tf.errors.INVALID_ARGUMENT`` for example.
      experimental_payloads: further details, bytes → bytes.
    """

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int, *args: Any) -> None:
        super().__init__(message)
        self._node_def, self._op, self._message, self._error_code = node_def, op, message, error_code
        self._payloads: Mapping[bytes, bytes] = args[0] if args else {}

    @property
    def message(self) -> str:
        """What went wrong, without the position."""
        return self._message

    @property
    def op(self) -> Any:
        """The operation that failed, or None."""
        return self._op

    @property
    def node_def(self) -> Any:
        """The NodeDef of the operation that failed, or None."""
        return self._node_def

    @property
    def error_code(self) -> int:
        """Number of the error class."""
        return self._error_code

    @property
    def experimental_payloads(self) -> dict[bytes, bytes]:
        """Further details about the failure."""
        return dict(self._payloads)

    def name_op(self, note: str, op: Any = None) -> None:
        """Adds ``[Op:...]`` to the message, once: the op that failed, where a kernel could not know it."""
        if "[Op:" not in self._message:
            self._message = f"{self._message} [Op:{note}]"
            self.args = (self._message,)
        if self._op is None:
            self._op = op

    def __reduce__(self) -> tuple[Callable[..., OpError], tuple[Any, ...]]:
        # An operation does not travel to another process, the sentence about it does.
        return _restore, (type(self), self._message, self._error_code, self._payloads, self.user_line)


def _restore(
    cls: type[OpError], message: str, code: int, payloads: Mapping[bytes, bytes], user_line: UserLine | None
) -> OpError:
    new = cls.__new__(cls)
    OpError.__init__(new, None, None, message, code, payloads)
    new.user_line = user_line
    return new


class _CodedError(OpError):
    code: int

    def __init__(self, node_def: Any, op: Any, message: str, *args: Any) -> None:
        super().__init__(node_def, op, message, self.code, *args)


@public("errors.CancelledError")
class CancelledError(_CodedError):
    """The operation or the step it belongs to was cancelled."""

    code = CANCELLED


@public("errors.UnknownError")
class UnknownError(_CodedError):
    """It failed for a reason that no other class names."""

    code = UNKNOWN


@public("errors.InvalidArgumentError")
class InvalidArgumentError(_CodedError):
    """An operation received a value, shape or type that it cannot take."""

    code = INVALID_ARGUMENT


@public("errors.DeadlineExceededError")
class DeadlineExceededError(_CodedError):
    """It did not finish in the time allowed."""

    code = DEADLINE_EXCEEDED


@public("errors.NotFoundError")
class NotFoundError(_CodedError):
    """Something asked for, such as a file, does not exist."""

    code = NOT_FOUND


@public("errors.AlreadyExistsError")
class AlreadyExistsError(_CodedError):
    """Something to be made exists already."""

    code = ALREADY_EXISTS


@public("errors.PermissionDeniedError")
class PermissionDeniedError(_CodedError):
    """The process may not do this."""

    code = PERMISSION_DENIED


@public("errors.ResourceExhaustedError")
class ResourceExhaustedError(_CodedError):
    """Memory, space or another resource has run out."""

    code = RESOURCE_EXHAUSTED


@public("errors.FailedPreconditionError")
class FailedPreconditionError(_CodedError):
    """The state is not right for this, as when a variable has no value yet."""

    code = FAILED_PRECONDITION


@public("errors.AbortedError")
class AbortedError(_CodedError):
    """It was given up, usually because something else ran at the same time."""

    code = ABORTED


@public("errors.OutOfRangeError")
class OutOfRangeError(_CodedError):
    """It went past the end, as when an iterator has no more elements."""

    code = OUT_OF_RANGE


@public("errors.UnimplementedError")
class UnimplementedError(_CodedError):
    """This operation is not there for these types or this device."""

    code = UNIMPLEMENTED


@public("errors.InternalError")
class InternalError(_CodedError):
    """A rule that the runtime keeps was broken: a defect in the runtime."""

    code = INTERNAL


@public("errors.UnavailableError")
class UnavailableError(_CodedError):
    """A service cannot be reached now."""

    code = UNAVAILABLE


@public("errors.DataLossError")
class DataLossError(_CodedError):
    """Data that was read is damaged."""

    code = DATA_LOSS


@public("errors.UnauthenticatedError")
class UnauthenticatedError(_CodedError):
    """The request has no valid credentials."""

    code = UNAUTHENTICATED


CLASSES: Final[Mapping[int, type[OpError]]] = {cls.code: cls for cls in _CodedError.__subclasses__()}


@public("errors.OperatorNotAllowedInGraphError")
class OperatorNotAllowedInGraphError(Positioned, TypeError):
    """Python asked a symbolic tensor for its value (``if t:``, ``int(t)``), which exists only while the graph runs."""


class InaccessibleTensorError(Positioned, TypeError, ValueError):
    """A symbolic tensor was used outside the function or branch that it belongs to."""


class NoKernelError(NotFoundError, InvalidArgumentError):
    """An op has no kernel for a dtype that its definition allows.

    It is both classes: TensorFlow raises NotFoundError when the op runs eagerly, InvalidArgumentError in a graph.
    """


class SignatureMismatchError(Positioned, TypeError, ValueError):
    """A call does not fit the function's ``input_signature``.

    It is both classes: TensorFlow 2.21 raises TypeError, and its guides catch ValueError.
    """
