"""Which Function a panel is about: what the side panel of a notebook puts together by."""

import pytest

from graphlab.inspect import gather
from graphlab.inspect.panel import MIME

DEFINE = "%%tf_function\ndef f(x):\n    return x + 1\n\nf(tf.zeros(2))"


def identity(shell, cell):
    result = shell.run(cell).result
    panel = result._repr_mimebundle_()[MIME] if hasattr(result, "_repr_mimebundle_") else shell.panel
    (function,) = panel["functions"]
    return function["volatile"]["identity"]


@pytest.mark.parametrize(
    ("cell", "same"),
    [
        ("%%tf_function\nf(tf.zeros(3))", True),
        ("%tf_traces f", True),
        ("%tf_step f(tf.zeros(2))", True),
        (DEFINE, False),
        ("%%tf_function\nf = tf.function(f.python_function)\nf(tf.zeros(3))", False),
    ],
    ids=["called", "traces", "step", "defined-again", "another-of-the-same-code"],
)
def test_panels_of_one_function_share_its_identity(shell, cell, same):
    first = identity(shell, DEFINE)
    assert first.startswith(f"{gather.PROCESS}.")
    assert (identity(shell, cell) == first) is same
