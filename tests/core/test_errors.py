"""Exceptions: TensorFlow's family, and the user's line that each can show."""

import pickle

import pytest

import graphlab as tf
from graphlab.core import errors

CODES = {
    "CANCELLED": 1,
    "UNKNOWN": 2,
    "INVALID_ARGUMENT": 3,
    "DEADLINE_EXCEEDED": 4,
    "NOT_FOUND": 5,
    "ALREADY_EXISTS": 6,
    "PERMISSION_DENIED": 7,
    "RESOURCE_EXHAUSTED": 8,
    "FAILED_PRECONDITION": 9,
    "ABORTED": 10,
    "OUT_OF_RANGE": 11,
    "UNIMPLEMENTED": 12,
    "INTERNAL": 13,
    "UNAVAILABLE": 14,
    "DATA_LOSS": 15,
    "UNAUTHENTICATED": 16,
}


@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_each_code_has_its_class(name, code):
    cls = errors.CLASSES[code]
    assert getattr(tf.errors, name) == code
    assert getattr(tf.errors, cls.__name__) is cls
    error = cls(None, None, "what went wrong")
    assert isinstance(error, tf.errors.OpError)
    assert (error.error_code, error.message, str(error)) == (code, "what went wrong", "what went wrong")
    assert (error.op, error.node_def, error.experimental_payloads) == (None, None, {})


def test_payloads_are_kept():
    error = tf.errors.InternalError(None, None, "m", {b"key": b"value"})
    assert error.experimental_payloads == {b"key": b"value"}


def test_the_users_line_is_shown_below_the_message_and_the_first_one_stays():
    error = tf.errors.InvalidArgumentError(None, None, "index 7 is out of range")
    assert errors.attach_position(error, "cell.py", 3, "    y = tf.gather(t, i)\n") is error
    errors.attach_position(error, "cell.py", 9, "f(x)")
    assert str(error) == 'index 7 is out of range\n  File "cell.py", line 3\n    y = tf.gather(t, i)'
    assert error.message == "index 7 is out of range"


def test_a_users_own_exception_gets_the_line_as_a_note():
    error = errors.attach_position(KeyError("a"), "cell.py", 3, "d['a']")
    assert error.__notes__ == ["  File \"cell.py\", line 3\n    d['a']"]


@pytest.mark.parametrize(
    ("cls", "bases"),
    [
        (tf.errors.OperatorNotAllowedInGraphError, (TypeError,)),
        (errors.InaccessibleTensorError, (TypeError, ValueError)),
        (errors.SignatureMismatchError, (TypeError, ValueError)),
    ],
)
def test_classes_that_programs_may_catch_by_a_built_in_name(cls, bases):
    assert all(issubclass(cls, base) for base in bases)
    assert str(errors.attach_position(cls("wrong"), "a.py", 1, "f(x)")) == 'wrong\n  File "a.py", line 1\n    f(x)'


def test_an_error_survives_pickling_with_its_line_but_without_its_operation():
    error = errors.attach_position(tf.errors.NotFoundError(None, object(), "m"), "a.py", 1, "f(x)")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is tf.errors.NotFoundError
    assert str(again) == str(error)
    assert again.op is None
