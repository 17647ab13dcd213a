"""Control flow that tensors decide: the values, and the errors in the user's words."""

import numpy as np
import pytest

import graphlab as tf
from tests.autograph import graph_programs as programs


def _name(value):
    return getattr(value, "__name__", None) or repr(value)


def _plain(result):
    def leaf(x):
        if not hasattr(x, "numpy"):
            return x
        found = x.numpy()
        return found.tolist() if isinstance(found, (np.ndarray, np.generic)) else found

    return tf.nest.map_structure(leaf, result)


@pytest.mark.parametrize(("function", "args", "expected"), programs.VALUES, ids=_name)
def test_value(function, args, expected):
    result = tf.function(function)(*[tf.constant(a) for a in args])
    assert _plain(result) == expected


@pytest.mark.parametrize(("function", "args", "expected"), programs.VALUES, ids=_name)
def test_eagerly_converted_code_is_plain_python(function, args, expected):
    tensors = [tf.constant(a) for a in args]
    try:
        plain = _plain(function(*tensors))
    except NameError:  # i after a loop that did not run
        with pytest.raises(NameError):
            tf.autograph.to_graph(function)(*tensors)
        return
    assert _plain(tf.autograph.to_graph(function)(*tensors)) == plain


@pytest.mark.parametrize(("function", "args", "kind", "words"), programs.ERRORS, ids=_name)
def test_error(function, args, kind, words):
    with pytest.raises(kind) as caught:
        tf.function(function)(*[tf.constant(a) for a in args])
    message = str(caught.value)
    for word in words:
        assert word in message
    for internal in ("retval_", "do_return", "ag__", "·", "returned_", "result_", "get_state", "UNSET"):
        assert internal not in message


def test_shapes_of_branches_are_merged():
    shapes = []

    @tf.function
    def f(x):
        if x > 0:
            y = tf.zeros([2, 3])
        else:
            y = tf.zeros([4, 3])
        shapes.append(y.shape.as_list())
        return tf.shape(y)

    assert f(tf.constant(1)).numpy().tolist() == [2, 3]
    assert shapes == [[None, 3]]


def test_a_body_is_traced_once_unless_a_value_has_to_be_found_out():
    traced = []

    @tf.function
    def f(n):
        s = 0
        for i in tf.range(n):
            traced.append("known")
            s += i
        return s

    @tf.function
    def g(n):
        for i in tf.range(n):
            traced.append("unknown")
            y = i
        return y

    f(tf.constant(2))
    g(tf.constant(2))
    assert traced == ["known", "unknown", "unknown"]  # as in TensorFlow


def test_python_values_are_left_as_they_are():
    kinds = []

    @tf.function
    def f(x, flag):
        y = 3
        if flag:
            y = 4
        for _ in range(2):
            y += 1
        kinds.append(type(y))
        return x + y

    assert int(f(tf.constant(1), True)) == 7
    assert kinds == [int]


def test_variables_decide_and_are_iterated():
    flag, count, rows = tf.Variable(True), tf.Variable(3), tf.Variable([1, 2])

    @tf.function
    def f():
        s = 0
        for i in tf.range(count):
            s += i
        for row in rows:
            s += row
        if flag:
            s += 100
        return s

    assert int(f()) == 106
    flag.assign(False)
    count.assign(1)
    assert int(f()) == 3


def test_effects_in_branches_run_only_there():
    v = tf.Variable(0)

    @tf.function
    def f(x):
        if x > 0:
            v.assign_add(x)
        while v > 5:
            v.assign_sub(1)
        return v.read_value()

    assert int(f(tf.constant(3))) == 3
    assert int(f(tf.constant(-3))) == 3
    assert int(f(tf.constant(9))) == 5


def test_gradients_go_through():
    @tf.function
    def f(x):
        y = x
        for _ in tf.range(3):
            if y > 0.0:
                y = y * x
            else:
                y = -y
        return y

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(y) == 16.0
    assert float(tape.gradient(y, x)) == 32.0


def test_globals_assigned_in_a_branch():
    namespace = {"tf": tf, "__name__": "somewhere"}
    source = "def f(x):\n    global g\n    if x > 0:\n        g = x\n    else:\n        g = -x\n    return g\n"
    import linecache

    linecache.cache["<globals>"] = (len(source), None, source.splitlines(keepends=True), "<globals>")
    exec(compile(source, "<globals>", "exec"), namespace)
    assert int(tf.function(namespace["f"])(tf.constant(-3))) == 3


@pytest.mark.parametrize(("argument", "expected"), [(3, 5), (-3, 0)])
def test_nonlocal_assigned_by_a_call_in_a_branch(argument, expected):
    @tf.function
    def f(n):
        x = 0

        def assign(v):
            nonlocal x
            x = v

        if n > 0:
            assign(5)
        return x

    assert int(f(tf.constant(argument))) == expected
