"""Effects of several kinds together: prints, variables, Python calls and gradients in one program."""

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program
def a_game_of_two_players():
    """Turns that read and write two variables and print the score."""
    sheet = Sheet()
    scores, turn = tf.Variable([0, 0]), tf.Variable(0)

    @tf.function
    def play(points):
        for p in points:
            scores.scatter_nd_add([[turn]], [p])
            tf.print("player", turn, "has", scores[turn], output_stream=sheet.stream)
            turn.assign(1 - turn)
        if scores[0] > scores[1]:
            tf.print("first wins", output_stream=sheet.stream)
        else:
            tf.print("second wins", output_stream=sheet.stream)
        return scores.read_value()

    results = [play(tf.constant([3, 5, 1])), play(tf.constant([10]))]
    return results, sheet.lines()


@program
def a_log_with_levels():
    """A helper prints what is important enough, by a variable that says what is."""
    sheet = Sheet()
    level = tf.Variable(1)

    def log(importance, *values):
        if importance >= level:
            tf.print("[", importance, "]", *values, sep=" ", output_stream=sheet.stream)

    @tf.function
    def work(x):
        log(0, "starting with", x)
        y = x * 2
        log(1, "doubled", y)
        log(2, "done")
        return y

    work(tf.constant(4))
    level.assign(0)
    work(tf.constant(5))
    level.assign(3)
    return work(tf.constant(6)), sheet.lines()


@program
def a_cache_in_variables():
    """A value is computed once and kept in a variable with a flag; a py_function counts the work."""
    value, valid = tf.Variable(0.0), tf.Variable(False)
    work = []

    def expensive(x):
        work.append(float(x))
        return x * x

    @tf.function
    def cached(x):
        if not valid:
            result = tf.py_function(expensive, [x], tf.float32)
            value.assign(tf.ensure_shape(result, []))
            valid.assign(True)
        return value.read_value()

    results = [cached(tf.constant(3.0)), cached(tf.constant(5.0))]
    valid.assign(False)
    results.append(cached(tf.constant(5.0)))
    return results, work


@program
def undo_by_saved_values():
    """A failed step is taken back by the values that were read before it."""
    state, history = tf.Variable([1.0, 2.0]), []

    @tf.function
    def step(factor):
        state.assign(state * factor)
        tf.debugging.assert_less(tf.reduce_sum(state), 100.0)
        return tf.reduce_sum(state)

    for factor in (2.0, 50.0, 3.0):
        before = state.read_value()
        outcome = raised(step, tf.constant(factor))
        history.append(outcome)
        if outcome != "nothing":
            state.assign(before)
    return history, state


@program
def a_pipeline_of_traced_stages():
    """Three traced stages, each with a counter, in one traced function."""
    counters = [tf.Variable(0) for _ in range(3)]
    sheet = Sheet()

    def stage(index, function):
        @tf.function
        def run(x):
            counters[index].assign_add(tf.size(x))
            y = function(x)
            tf.print("stage", index, y, output_stream=sheet.stream)
            return y

        return run

    stages = [stage(0, tf.abs), stage(1, lambda x: x[x > 1]), stage(2, tf.reduce_sum)]

    @tf.function
    def pipeline(x):
        for run in stages:
            x = run(x)
        return x

    results = [pipeline(tf.constant([-3, 1, 2])), pipeline(tf.constant([0]))]
    return results, counters, sheet.lines()


@program
def effects_in_recomputed_parts():
    """tf.recompute_grad runs the forward pass again for the gradient, once."""
    calls = []

    def note(x):
        calls.append(float(x))
        return x

    @tf.recompute_grad
    def block(x):
        return tf.sin(x) * x

    @tf.function
    def f(x):
        x = tf.ensure_shape(tf.py_function(note, [x], tf.float32), [])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = block(x)
        return y, tape.gradient(y, x)

    results = [f(tf.constant(v)) for v in (0.0, 2.0)]
    return results, calls


@program
def two_variables_in_lockstep():
    """A loop that reads one variable, writes the other, and prints both."""
    sheet = Sheet()
    odd, even = tf.Variable(1), tf.Variable(0)

    @tf.function
    def run(n):
        for i in tf.range(n):
            if i % 2 == 0:
                even.assign_add(odd)
            else:
                odd.assign_add(even)
            tf.print(i, odd, even, output_stream=sheet.stream)
        return odd * even

    results = [run(tf.constant(4)), run(tf.constant(1))]
    return results, odd, even, sheet.lines()
