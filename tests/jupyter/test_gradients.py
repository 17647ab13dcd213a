"""Why a gradient is None, when its values were computed in other cells: the cells that ran before are read too."""

import re

CELLS = [
    "x = tf.Variable([1.0, 2.0])",
    "with tf.GradientTape(persistent=True) as tape:\n    z = x * 2.0\n    best = tf.argmax(z)\n",
    "with tape:\n    loss = tf.cast(best, tf.float32) * 2.0\n",
]


def asked(shell, *cells, call="tape, loss, x"):
    shell.run("from graphlab import inspect")
    for cell in cells:
        assert shell.run(cell).success
    assert shell.run(f"report = inspect.explain_gradient({call})").success
    return shell["report"]


def said(report):
    return [re.sub(r"[*`]", "", cut["where"]["text"]) for cut in report.data["cuts"] if cut["where"]]


def test_values_of_another_cell_have_its_line(shell):
    report = asked(shell, *CELLS)
    cell = shell.shell.execution_count - 3
    assert report.data["cause"] == "to_integer"
    (cut,) = report.data["cuts"]
    assert (cut["line"], cut["function"]) == (3, f"In[{cell}]")
    assert said(report) == [f"In In[{cell}], line 3:"]
    assert report.data["fix"]["code"]["text"] == "tf.nn.softmax(z)"


def test_the_last_run_of_a_cell_counts(shell):
    report = asked(shell, *CELLS[:2], CELLS[1].replace("best = ", "\n    best = "), CELLS[2])
    assert [cut["line"] for cut in report.data["cuts"]] == [4]


def test_what_a_used_tape_recorded_is_read_from_the_cells(shell):
    cells = [
        "v = tf.Variable(3.0)",
        "with tf.GradientTape() as tape:\n    y = v.numpy() * 2.0\n    loss = tf.constant(y)\n",
    ]
    report = asked(shell, *cells, call="tape, loss, v")
    cell = shell.shell.execution_count - 2
    assert report.data["cause"] == "left"
    assert said(report)[0] == f"In In[{cell}], line 2:"


def test_cells_that_are_no_python_are_passed_over(shell):
    shell.shell.history_manager.input_hist_parsed.append("this is no Python (")
    report = asked(shell, *CELLS)
    assert [cut["line"] for cut in report.data["cuts"]] == [3]
