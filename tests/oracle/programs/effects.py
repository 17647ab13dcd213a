"""Effects: what prints, assigns and Python side effects do, how often and in which order."""

import numpy as np
from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program
def prints_in_program_order():
    """tf.print lines come in the order of the program, with the values of that moment."""
    sheet = Sheet()
    v = tf.Variable(1)

    @tf.function
    def f(x):
        tf.print("start", v, x, output_stream=sheet.stream)
        v.assign_add(x)
        tf.print("added", v, output_stream=sheet.stream)
        v.assign(v * 10)
        tf.print("scaled", v, x + 1, sep=" | ", output_stream=sheet.stream)

    f(tf.constant(2))
    f(tf.constant(5))
    return sheet.lines(), v


@program(eager=False)
def python_effects_happen_while_tracing():
    """A Python list is appended to once for each trace, a variable is added to by each call."""
    log = []
    calls = tf.Variable(0)

    @tf.function
    def f(x):
        log.append(str(x.dtype.name))
        calls.assign_add(1)
        return x + 1

    for value in (tf.constant(1), tf.constant(2), tf.constant(3.0), tf.constant(4), tf.constant(5.0)):
        f(value)
    return log, calls, f.experimental_get_tracing_count()


@program
def print_formats():
    """How tf.print writes scalars, vectors, nested structures, strings, bools and long tensors."""
    sheet = Sheet()

    @tf.function
    def f(x):
        tf.print(x, output_stream=sheet.stream)
        tf.print("half:", x / 2, [x, {"k": x[0]}], (x[:1],), output_stream=sheet.stream)
        tf.print(tf.constant("text"), tf.constant(["a", "b"]), x > 1.0, None, 3, 2.5, True, output_stream=sheet.stream)
        tf.print(tf.range(20), tf.range(20, dtype=tf.int64), output_stream=sheet.stream, summarize=2)
        tf.print(tf.reshape(tf.range(16), (2, 8)), output_stream=sheet.stream)
        tf.print(tf.reshape(tf.range(8), (2, 2, 2)), output_stream=sheet.stream, summarize=-1)
        tf.print("a", "b", sep="", end="!\n", output_stream=sheet.stream)
        tf.print(output_stream=sheet.stream)

    f(tf.constant([1.0, 2.5, -0.125]))
    return sheet.lines()


@program
def print_of_floats():
    """Floats as tf.print writes them: wide and narrow ones, whole ones, infinities, double precision."""
    sheet = Sheet()

    @tf.function
    def f(x, y):
        tf.print(x, output_stream=sheet.stream, summarize=-1)
        tf.print(y, output_stream=sheet.stream, summarize=-1)
        tf.print(x[0], y[1], tf.cast(x[:3], tf.float16), output_stream=sheet.stream)

    values = [
        1.0 / 3.0,
        1e10,
        1e-10,
        123456789.0,
        1.0,
        -0.0,
        0.1,
        1e5,
        123456.0,
        1e6,
        1.5e-5,
        float("inf"),
        float("nan"),
    ]
    f(tf.constant(values), tf.constant(values, tf.float64))
    return sheet.lines()


@program
def effect_in_one_branch():
    """The effects of the branch that runs, and only these; the other effects are assignments in order."""
    sheet = Sheet()
    log = tf.Variable([0, 0, 0])

    @tf.function
    def f(x):
        log[0].assign(log[0] + 1)
        if x > 0:
            tf.print("positive", x, output_stream=sheet.stream)
            log[1].assign(log[0] * 10)
        else:
            log[2].assign(log[0] * 10 + x)
            tf.print("other", x, output_stream=sheet.stream)
        return log.read_value()

    results = [f(tf.constant(x)) for x in (4, -1, 0, 9)]
    return results, sheet.lines()


@program
def effects_in_a_loop():
    """Each round prints and assigns in order."""
    sheet = Sheet()
    total = tf.Variable(0)

    @tf.function
    def f(xs):
        for x in xs:
            total.assign_add(x)
            tf.print("round", x, total.read_value(), output_stream=sheet.stream)
        return total + 0

    results = [f(tf.constant([3, 4, 5])), f(tf.constant([], tf.int32)), f(tf.constant([1]))]
    return results, sheet.lines()


@program(eager=False, advice=("value.unused_result",))
def unneeded_ops_do_not_run():
    """An op whose result nobody needs is left out, and so is its error; an assertion is an effect and stays."""
    table = tf.constant([1, 2, 3])
    touched = tf.Variable(0)

    @tf.function
    def unused(i):
        tf.gather(table, i)
        touched.assign_add(1)
        return touched.read_value()

    @tf.function
    def used(i):
        return tf.gather(table, i)

    @tf.function
    def asserted(i):
        tf.debugging.assert_less(i, 3)
        return tf.constant(0)

    far = tf.constant(100)
    return unused(far), raised(used, far), raised(asserted, far), unused(tf.constant(0)), raised(tf.gather, table, far)


@program
def assignments_and_reads_interleave():
    """Reads and writes of two variables keep the order of the program."""
    a, b = tf.Variable(1), tf.Variable(100)

    @tf.function
    def f():
        first = a + b
        a.assign(b + 1)
        second = a + b
        b.assign_sub(a)
        third = a * 1000 + b
        a.assign_add(b)
        b.assign(a)
        return first, second, third

    results = [f(), f()]
    return results, a, b


@program
def effects_of_a_called_function():
    """The effects of a traced function called twice come twice, at the place of the call."""
    sheet = Sheet()
    level = tf.Variable(0)

    @tf.function
    def inner(name):
        level.assign_add(1)
        tf.print(name, level, output_stream=sheet.stream)
        return level + 0

    @tf.function
    def outer():
        a = inner(tf.constant("first"))
        level.assign(level * 10)
        b = inner(tf.constant("second"))
        return a, b, level.read_value()

    return outer(), outer(), sheet.lines()


@program(eager=False, advice=("effect.mutation",))
def python_list_of_the_trace():
    """A Python counter freezes at the value it had while tracing; a variable counts calls."""
    python_calls = [0]
    graph_calls = tf.Variable(0)

    @tf.function
    def f(x):
        python_calls[0] += 1
        graph_calls.assign_add(1)
        return x * python_calls[0], graph_calls.read_value()

    results = [f(tf.constant(10)), f(tf.constant(10)), f(tf.constant([10])), f(tf.constant(10))]
    return results, python_calls, f.experimental_get_tracing_count()


@program(eager=False, advice=("effect.mutation",))
def both_branches_are_traced():
    """Tracing visits both branches once and a loop body once, whatever the values are."""
    visits = []

    @tf.function
    def f(x, n):
        visits.append("start")
        if x > 0:
            visits.append("yes")
            y = x
        else:
            visits.append("no")
            y = -x
        while n > 0:
            visits.append("body")
            y = y + n
            n -= 1
        visits.append("end")
        return y

    results = [f(tf.constant(x), tf.constant(n)) for x, n in ((1, 0), (-5, 3))]
    return results, sorted(set(visits)), visits[0], visits[-1], visits.count("yes")


@program
def a_py_function_runs_by_each_call():
    """tf.py_function runs Python code by each call, with eager tensors, in the order of the effects around it."""
    seen = []
    v = tf.Variable(1.0)

    def note(x, y):
        seen.append((float(x), float(y), tf.executing_eagerly()))
        return x * y

    @tf.function
    def f(x):
        v.assign_add(1.0)
        z = tf.py_function(note, [x, v], tf.float32)
        z.set_shape([])
        v.assign(z)
        return z + 1.0

    results = [f(tf.constant(2.0)), f(tf.constant(3.0))]
    return results, seen, v


@program
def numpy_function():
    """tf.numpy_function calls with arrays and gives back tensors of the named dtypes."""
    shapes = []

    def split(x):
        shapes.append(x.shape)
        return np.sort(x), np.int64(x.size)

    @tf.function
    def f(x):
        ordered, count = tf.numpy_function(split, [x], [tf.float32, tf.int64])
        ordered = tf.ensure_shape(ordered, [None])
        return ordered[0] + ordered[-1], count + 1

    results = [f(tf.constant([3.0, 1.0, 2.0])), f(tf.constant([5.0]))]
    return results, shapes


@program(eager=False)
def where_the_code_runs():
    """tf.executing_eagerly, tf.inside_function and tf.init_scope tell where one is."""
    facts = []

    @tf.function
    def f(x):
        facts.append((tf.executing_eagerly(), tf.inside_function()))
        with tf.init_scope():
            facts.append((tf.executing_eagerly(), float(tf.constant(1.5) * 2.0)))
        return x + 1

    before = (tf.executing_eagerly(), tf.inside_function())
    f(tf.constant(1))
    f(tf.constant(2))
    return before, facts, f.python_function.__name__


@program
def control_dependencies():
    """tf.control_dependencies and tf.group put an effect before a value."""
    v = tf.Variable(1)

    @tf.function
    def f(x):
        update = v.assign_add(x)
        with tf.control_dependencies([update]):
            y = tf.identity(v) * 2
        tf.group(v.assign_add(1), v.assign_add(1))
        return y, v.read_value()

    results = [f(tf.constant(3)), f(tf.constant(0))]
    return results, v
