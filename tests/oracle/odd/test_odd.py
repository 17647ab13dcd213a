"""Functions called with one odd argument answer as TensorFlow does: the same class of error, or the same result.

What does not yet is listed in `not_yet.json`, call by call.
"""

import warnings

import pytest

from tests.oracle.odd.comparing import KINDS, Kind, differences, example, not_yet, recorded
from tests.oracle.under_test import NAME

ANSWERS = recorded()
DIFFERENT = not_yet() if NAME == "graphlab" else {}


@pytest.mark.parametrize("function", ANSWERS)
def test_odd_arguments(function: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = differences(function, ANSWERS[function])
    expected = set(DIFFERENT.get(function, ()))
    new = {call: said for call, said in found.items() if call not in expected}
    assert not new, "these calls differ from TensorFlow's, which they did not before"
    assert expected <= set(found), "these calls are mended: python -m tests.oracle.odd.comparing --write"


def test_calls_that_are_not_mended_yet_are_calls() -> None:
    assert set(DIFFERENT) <= set(ANSWERS)


@pytest.mark.skipif(NAME != "graphlab", reason="TensorFlow does not differ from itself")
@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_what_differs_on_purpose(kind: Kind) -> None:
    theirs, ours = example(kind)
    assert kind.covers(*kind.example, theirs, ours), (theirs, ours)
