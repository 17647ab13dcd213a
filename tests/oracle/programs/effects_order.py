"""The order of what a graph does: prints, assignments, assertions and Python calls, across branches, loops and calls."""

import numpy as np
from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program
def print_in_nested_branches():
    """Only the innermost branch that runs prints."""
    sheet = Sheet()

    @tf.function
    def f(x, y):
        tf.print("begin", output_stream=sheet.stream)
        if x > 0:
            tf.print("x is positive", output_stream=sheet.stream)
            if y > 0:
                tf.print("both", x + y, output_stream=sheet.stream)
            else:
                tf.print("not y", y, output_stream=sheet.stream)
        elif y > 0:
            tf.print("only y", output_stream=sheet.stream)
        tf.print("end", output_stream=sheet.stream)

    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        f(tf.constant(x), tf.constant(y))
    return sheet.lines()


@program
def print_in_nested_loops():
    """The prints of nested loops come round by round."""
    sheet = Sheet()

    @tf.function
    def f(n):
        for i in tf.range(n):
            tf.print("row", i, output_stream=sheet.stream)
            for j in tf.range(i + 1):
                tf.print(" cell", i, j, output_stream=sheet.stream)
        tf.print("done", output_stream=sheet.stream)

    f(tf.constant(3))
    f(tf.constant(0))
    return sheet.lines()


@program
def print_in_a_while_with_break():
    """What stands behind a break is not printed in that round."""
    sheet = Sheet()

    @tf.function
    def f(limit):
        i = tf.constant(0)
        while True if limit is None else i < limit:
            i += 1
            if i == 2:
                tf.print("skip", i, output_stream=sheet.stream)
                continue
            if i == 4:
                tf.print("stop", i, output_stream=sheet.stream)
                break
            tf.print("round", i, output_stream=sheet.stream)
        return i

    results = [f(tf.constant(10)), f(tf.constant(3))]
    return results, sheet.lines()


@program
def print_with_an_early_return():
    """An early return leaves out the prints behind it."""
    sheet = Sheet()

    @tf.function
    def f(x):
        tf.print("in", x, output_stream=sheet.stream)
        if x < 0:
            tf.print("negative", output_stream=sheet.stream)
            return tf.constant(-1)
        if x == 0:
            return tf.constant(0)
        tf.print("out", output_stream=sheet.stream)
        return tf.constant(1)

    results = [f(tf.constant(v)) for v in (-5, 0, 5)]
    return results, sheet.lines()


@program
def a_swap_through_variables():
    """Swapping two variables needs the value that was read before."""
    a, b = tf.Variable(1), tf.Variable(2)

    @tf.function
    def wrong():
        a.assign(b)
        b.assign(a)

    @tf.function
    def right():
        old = a.read_value()
        a.assign(b)
        b.assign(old)

    right()
    after = [a.read_value(), b.read_value()]
    wrong()
    return after, a, b


@program
def a_counter_inside_a_condition():
    """Effects in the condition of a while loop happen once more than those of its body."""
    checks, rounds = tf.Variable(0), tf.Variable(0)

    @tf.function
    def f(n):
        def condition(i):
            checks.assign_add(1)
            return i < n

        def body(i):
            rounds.assign_add(1)
            return (i + 1,)

        return tf.while_loop(condition, body, (tf.constant(0),))[0]

    results = [f(tf.constant(3)), f(tf.constant(0))]
    return results, checks, rounds


@program
def effects_of_both_branch_functions():
    """tf.cond runs the effects of one branch function, tf.case of one, tf.switch_case of one."""
    log = tf.Variable([0, 0, 0])

    @tf.function
    def f(i):
        def bump(k):
            def branch():
                log.scatter_nd_add([[k]], [1])
                return tf.constant(k)

            return branch

        a = tf.cond(i > 0, bump(0), bump(1))
        b = tf.switch_case(i, [bump(0), bump(1), bump(2)])
        c = tf.case([(i == 0, bump(0)), (i == 1, bump(1))], default=bump(2))
        return a, b, c

    results = [f(tf.constant(i)) for i in (0, 1, 2)]
    return results, log


@program
def map_fn_in_order():
    """The effects of tf.map_fn's function come by element."""
    total = tf.Variable(0)

    @tf.function
    def f(xs):
        def visit(x):
            total.assign(total * 10 + x)
            return total.read_value()

        return tf.map_fn(visit, xs)

    first = f(tf.constant([1, 2, 3]))
    second = f(tf.constant([4]))
    return first, second, total


@program
def foldl_with_prints():
    """tf.foldl visits from the left, tf.foldr from the right."""
    sheet = Sheet()

    @tf.function
    def f(xs):
        def join(a, x):
            tf.print("fold", a, x, output_stream=sheet.stream)
            return a * 10 + x

        left = tf.foldl(join, xs, initializer=0)
        right = tf.foldr(join, xs, initializer=0)
        return left, right

    results = f(tf.constant([1, 2, 3]))
    return results, sheet.lines()


@program
def assert_stops_what_follows():
    """After a failed assertion nothing that follows happens; what came before stays."""
    before, after = tf.Variable(0), tf.Variable(0)

    @tf.function
    def f(x):
        before.assign_add(1)
        tf.debugging.assert_positive(x)
        with tf.control_dependencies([tf.debugging.assert_less(x, 10)]):
            after.assign_add(x)
        return after.read_value()

    good = f(tf.constant(3))
    bad = [raised(f, tf.constant(30)), raised(f, tf.constant(-1))]
    return good, bad, before, after


@program
def py_function_keeps_order():
    """Several tf.py_functions run in the order of the program, with assignments between them."""
    seen = []
    v = tf.Variable(0)

    def note(tag, x):
        seen.append((tag.numpy().decode(), int(x)))
        return x

    @tf.function
    def f(x):
        tf.py_function(note, ["first", v], tf.int32)
        v.assign_add(x)
        tf.py_function(note, ["second", v], tf.int32)
        v.assign_add(x)
        tf.py_function(note, ["third", v], tf.int32)

    f(tf.constant(1))
    f(tf.constant(10))
    return seen, v


@program
def py_function_in_a_loop():
    """A py_function in a loop of the graph is called by each round."""
    seen = []

    def collatz(n):
        seen.append(int(n))
        return n // 2 if n % 2 == 0 else 3 * n + 1

    @tf.function
    def f(n):
        steps = tf.constant(0)
        while n > 1:
            n = tf.py_function(collatz, [n], tf.int32)
            n.set_shape([])
            steps += 1
        return steps

    results = [f(tf.constant(6)), f(tf.constant(1))]
    return results, seen


@program
def py_function_in_one_branch():
    """Only the branch that runs calls its py_function."""
    seen = []

    def record(x):
        seen.append(float(x))
        return x * 2.0

    @tf.function
    def f(x):
        if x > 1.0:
            y = tf.py_function(record, [x], tf.float32)
            y.set_shape([])
        else:
            y = x
        return y

    results = [f(tf.constant(v)) for v in (0.5, 2.0, 1.0, 3.0)]
    return results, seen


@program
def numpy_function_with_state():
    """A numpy_function that keeps Python state counts the calls."""
    state = {"calls": 0}

    def count(x):
        state["calls"] += 1
        return x + np.float32(state["calls"])

    @tf.function
    def f(x):
        y = tf.numpy_function(count, [x], tf.float32)
        z = tf.numpy_function(count, [y], tf.float32)
        return tf.ensure_shape(z, [])

    results = [f(tf.constant(0.0)), f(tf.constant(100.0))]
    return results, state


@program
def control_dependencies_of_a_value():
    """tf.identity under control_dependencies reads after the assignment; without it the value may be kept."""
    v = tf.Variable(1)

    @tf.function
    def f():
        before = v.read_value()
        with tf.control_dependencies([v.assign(before + 5)]):
            after = tf.identity(v)
        return before, after, v.read_value()

    results = [f(), f()]
    return results, v


@program
def group_and_tuple():
    """tf.group gives nothing back, tf.tuple gives its tensors when all effects are done."""
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        tf.group(v.assign_add(x), v.assign_add(x))
        a, b = tf.tuple([x * 2.0, x * 3.0])
        nothing = tf.group(v.assign_add(a), name="more")
        return a + b, v.read_value()

    results = [f(tf.constant(1.0)), f(tf.constant(2.0))]
    return results, v


@program
def accumulators_in_a_training_loop():
    """Sum and count variables are reset at the start of every epoch."""
    total, count = tf.Variable(0.0), tf.Variable(0)

    @tf.function
    def step(x):
        total.assign_add(x)
        count.assign_add(1)

    @tf.function
    def epoch(xs):
        total.assign(0.0)
        count.assign(0)
        for x in xs:
            step(x)
        return total / tf.cast(count, tf.float32)

    results = [epoch(tf.constant([1.0, 2.0, 3.0])), epoch(tf.constant([10.0, 20.0]))]
    return results, total, count


@program
def effects_under_a_tape():
    """Assignments and prints happen once although a gradient is taken."""
    sheet = Sheet()
    v = tf.Variable(3.0)

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            y = v * v * x
            tf.print("forward", y, output_stream=sheet.stream)
            v.assign_add(1.0)
        return tape.gradient(y, v)

    results = [f(tf.constant(1.0)), f(tf.constant(2.0))]
    return results, v, sheet.lines()


@program
def effects_of_an_outer_tape():
    """A gradient from outside of a function with effects runs them once per call."""
    calls = tf.Variable(0)
    w = tf.Variable(2.0)

    @tf.function
    def f(x):
        calls.assign_add(1)
        return w * x * x

    gradients = []
    for value in (1.0, 3.0):
        with tf.GradientTape() as tape:
            y = f(tf.constant(value))
        gradients.append(tape.gradient(y, w))
    return gradients, calls


@program
def effects_in_a_custom_gradient():
    """The forward effects come with the call, those of the gradient function when it is asked for."""
    sheet = Sheet()

    @tf.custom_gradient
    def square(x):
        tf.print("forward", output_stream=sheet.stream)

        def grad(dy):
            tf.print("backward", dy, output_stream=sheet.stream)
            return dy * 2.0 * x

        return x * x, grad

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = square(x)
        tf.print("between", output_stream=sheet.stream)
        return y, tape.gradient(y, x)

    results = f(tf.constant(3.0))
    return results, sheet.lines()


@program
def reading_a_variable_in_two_calls():
    """A variable changed by one traced function is seen by another at once."""
    v = tf.Variable(0)

    @tf.function
    def write(x):
        v.assign(x)

    @tf.function
    def read():
        return v * 1

    @tf.function
    def both(x):
        first = read()
        write(x)
        return first, read()

    results = [both(tf.constant(5)), both(tf.constant(7))]
    write(tf.constant(1))
    return results, read()


@program
def assign_with_read_value_false():
    """read_value=False assigns as well, and gives nothing to go on with in a graph."""
    v = tf.Variable(1)

    @tf.function
    def f(x):
        v.assign(x, read_value=False)
        v.assign_add(x, read_value=False)
        return v.read_value()

    eager = v.assign_sub(1, read_value=False)
    results = [f(tf.constant(4)), f(tf.constant(5))]
    return results, v, eager is None or True


@program
def stateful_queue_by_variables():
    """A ring buffer: a variable of slots and a variable for the place."""
    slots = tf.Variable(tf.zeros([3], tf.int32))
    place = tf.Variable(0)

    @tf.function
    def push(x):
        slots[place].assign(x)
        place.assign((place + 1) % 3)
        return slots.read_value()

    states = [push(tf.constant(v)) for v in (1, 2, 3, 4)]
    return states, place


@program
def effects_only_function():
    """A function without a result still does its effects, and gives None."""
    v = tf.Variable([0, 0])

    @tf.function
    def f(i, x):
        v[i].assign(x)

    @tf.function
    def g(x):
        f(tf.constant(0), x)
        nothing = f(tf.constant(1), x * 2)
        return nothing

    results = [f(tf.constant(1), tf.constant(9)), g(tf.constant(4))]
    return results, v


@program
def random_effects_go_on():
    """A generator goes on from call to call, and can be set back."""
    generator = tf.random.Generator.from_seed(7)

    @tf.function
    def draw():
        a = generator.uniform([], maxval=1000, dtype=tf.int32)
        b = generator.uniform([], maxval=1000, dtype=tf.int32)
        return a, b

    first, second = draw(), draw()
    generator.reset_from_seed(7)
    again = draw()
    return first, second, again
