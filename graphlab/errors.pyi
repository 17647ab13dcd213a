# Written by tools/generate_index.py: do not edit.
from graphlab.core.errors import ABORTED as ABORTED
from graphlab.core.errors import ALREADY_EXISTS as ALREADY_EXISTS
from graphlab.core.errors import AbortedError as AbortedError
from graphlab.core.errors import AlreadyExistsError as AlreadyExistsError
from graphlab.core.errors import CANCELLED as CANCELLED
from graphlab.core.errors import CancelledError as CancelledError
from graphlab.core.errors import DATA_LOSS as DATA_LOSS
from graphlab.core.errors import DEADLINE_EXCEEDED as DEADLINE_EXCEEDED
from graphlab.core.errors import DataLossError as DataLossError
from graphlab.core.errors import DeadlineExceededError as DeadlineExceededError
from graphlab.core.errors import FAILED_PRECONDITION as FAILED_PRECONDITION
from graphlab.core.errors import FailedPreconditionError as FailedPreconditionError
from graphlab.core.errors import INTERNAL as INTERNAL
from graphlab.core.errors import INVALID_ARGUMENT as INVALID_ARGUMENT
from graphlab.core.errors import InternalError as InternalError
from graphlab.core.errors import InvalidArgumentError as InvalidArgumentError
from graphlab.core.errors import NOT_FOUND as NOT_FOUND
from graphlab.core.errors import NotFoundError as NotFoundError
from graphlab.core.errors import OK as OK
from graphlab.core.errors import OUT_OF_RANGE as OUT_OF_RANGE
from graphlab.core.errors import OpError as OpError
from graphlab.core.errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from graphlab.core.errors import OutOfRangeError as OutOfRangeError
from graphlab.core.errors import PERMISSION_DENIED as PERMISSION_DENIED
from graphlab.core.errors import PermissionDeniedError as PermissionDeniedError
from graphlab.core.errors import RESOURCE_EXHAUSTED as RESOURCE_EXHAUSTED
from graphlab.core.errors import ResourceExhaustedError as ResourceExhaustedError
from graphlab.core.errors import UNAUTHENTICATED as UNAUTHENTICATED
from graphlab.core.errors import UNAVAILABLE as UNAVAILABLE
from graphlab.core.errors import UNIMPLEMENTED as UNIMPLEMENTED
from graphlab.core.errors import UNKNOWN as UNKNOWN
from graphlab.core.errors import UnauthenticatedError as UnauthenticatedError
from graphlab.core.errors import UnavailableError as UnavailableError
from graphlab.core.errors import UnimplementedError as UnimplementedError
from graphlab.core.errors import UnknownError as UnknownError

__all__ = [
    "ABORTED",
    "ALREADY_EXISTS",
    "AbortedError",
    "AlreadyExistsError",
    "CANCELLED",
    "CancelledError",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "DataLossError",
    "DeadlineExceededError",
    "FAILED_PRECONDITION",
    "FailedPreconditionError",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "InternalError",
    "InvalidArgumentError",
    "NOT_FOUND",
    "NotFoundError",
    "OK",
    "OUT_OF_RANGE",
    "OpError",
    "OperatorNotAllowedInGraphError",
    "OutOfRangeError",
    "PERMISSION_DENIED",
    "PermissionDeniedError",
    "RESOURCE_EXHAUSTED",
    "ResourceExhaustedError",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
    "UNKNOWN",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
]
