"""Several `%tf_…` in one cell: each is seen, wherever it stands; the last one is the cell's value, as ever."""

import pytest

from graphlab.inspect.panel import MIME

SETUP = "%%tf_function\ndef f(x):\n    return x + 1\n\nf(tf.zeros(2))"
TRACES = ["retraces", "signatures"]


def views(panel):
    return [function["views"] for function in panel["functions"]]


@pytest.mark.parametrize(
    ("cell", "shown", "value"),
    [
        ("%tf_traces f\n%tf_code f", [TRACES], [["code"]]),
        ("%tf_traces f\n%tf_code f\nNone", [TRACES, ["code"]], None),
        ("%tf_traces f\n%tf_signatures f\n%tf_code f\n1", [TRACES, ["signatures"], ["code"]], None),
        ("for g in [f, f]:\n    %tf_code g", [["code"], ["code"]], None),
        ("if True:\n    %tf_code f", [["code"]], None),
        ("kept = %tf_code f\nNone", [], None),
        ("%tf_code f", [], [["code"]]),
        ("%tf_lang en\n%tf_traces f", [], [TRACES]),
    ],
)
def test_each_is_shown(shell, cell, shown, value):
    shell.run(SETUP)
    result = shell.run(cell)
    assert result.success
    assert [views(panel) for panel in shell.panels] == [[one] for one in shown]
    bundle = getattr(result.result, "_repr_mimebundle_", None)
    assert (views(bundle()[MIME])[0] if bundle else None) == (value and value[0])


def test_ipython_that_shows_every_line_shows_it_once(shell):
    shell.run(SETUP)
    shell.shell.ast_node_interactivity = "all"
    shell.run("%tf_traces f\n%tf_code f")
    assert shell.panels == []  # the shell's own display shows both


def test_a_cell_after_unloading_runs(shell):
    from graphlab.jupyter.extension import unload

    unload(shell.shell)
    assert shell.run("1 + 1").result == 2
