"""tf.cond, tf.case, tf.switch_case, tf.while_loop: what they take, what they give, effects, errors, gradients."""

import collections

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def cond_of_a_python_bool():
    """tf.cond of a Python bool or of a constant: only the branch taken is traced for the first."""
    traced = []

    def true():
        traced.append("true")
        return tf.constant(1)

    def false():
        traced.append("false")
        return tf.constant(2)

    @tf.function
    def f(flag):
        return tf.cond(flag, true, false)

    results = [raised(f, True), f(tf.constant(True)), f(tf.constant(False))]
    return results, traced


@program(eager=False)
def cond_branches_that_do_not_fit():
    """Branches of tf.cond with other dtypes, lengths and structures are errors while tracing."""

    @tf.function
    def f(x, true, false):
        return tf.cond(x > 0, true, false)

    pairs = (
        (lambda: tf.constant(1), lambda: tf.constant(1.0)),
        (lambda: [tf.constant(1)], lambda: (tf.constant(1),)),
        (lambda: {"a": tf.constant(1)}, lambda: {"b": tf.constant(1)}),
        (lambda: tf.constant(1), lambda: None),
    )
    x = tf.constant(1)
    errors = [raised(f, x, true, false) for true, false in pairs]
    fitting = f(x, lambda: [tf.constant(1)], lambda: [tf.constant(2)])
    return errors, fitting


@program(eager=False)
def cond_without_results():
    """Branches that only do something: both give None, or an operation."""
    v = tf.Variable(0)

    def add():
        v.assign_add(1)

    def reset():
        v.assign(0)

    @tf.function
    def f(x):
        nothing = tf.cond(x > 0, add, reset)
        return v.read_value(), nothing is None

    results = [f(tf.constant(x)) for x in (1, 1, -1, 1)]
    return [value for value, _ in results], v


@program(eager=False)
def cond_with_structures_of_many_kinds():
    """A namedtuple, a dict with nested tuples and an IndexedSlices-free list from both branches."""
    Pair = collections.namedtuple("Pair", "left right")

    @tf.function
    def f(x):
        def yes():
            return Pair(x, {"b": (x + 1, x + 2), "a": [x * 2]})

        def no():
            return Pair(-x, {"a": [x], "b": (x, x)})

        result = tf.cond(x > 0, yes, no)
        return result, result.right["b"][1] + result.left

    return f(tf.constant(5)), f(tf.constant(-5))


@program(eager=False)
def cond_shapes_are_merged():
    """The static shape after tf.cond is what both branches share, the rank too if they share it."""
    shapes = []

    @tf.function
    def f(flag):
        a = tf.cond(flag, lambda: tf.zeros([2, 3]), lambda: tf.zeros([4, 3]))
        b = tf.cond(flag, lambda: tf.zeros([2]), lambda: tf.zeros([2, 2]))
        c = tf.cond(flag, lambda: tf.ones([5]), lambda: tf.zeros([5]))
        shapes.extend([a.shape, b.shape, c.shape])
        return tf.shape(a), tf.shape(b), tf.reduce_sum(c)

    return f(tf.constant(True)), f(tf.constant(False)), shapes


@program
def cond_in_cond_in_cond():
    """Three levels of tf.cond with captures from every level."""

    @tf.function
    def f(x, y, z):
        def outer():
            a = x * 2

            def middle():
                b = a + y
                return tf.cond(z > 0, lambda: a + b + z, lambda: a - b)

            return tf.cond(y > 0, middle, lambda: a * 100)

        return tf.cond(x > 0, outer, lambda: y + z)

    signs = (1, -2)
    return [f(tf.constant(x), tf.constant(y), tf.constant(z)) for x in signs for y in signs for z in signs]


@program
def second_gradient_through_cond():
    """First and second derivatives through tf.cond for both branches, of a captured value too."""
    scale = tf.Variable(2.0)

    @tf.function
    def f(x):
        return tf.cond(x > 1.0, lambda: x**3 * scale, lambda: tf.sin(x) / scale)

    results = []
    for value in (2.0, 0.5):
        x = tf.constant(value)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            first = inner.gradient(y, [x, scale])
        results.append((y, first, outer.gradient(first[0], [x, scale])))
    return results


@program
def cond_with_a_tape_inside():
    """A tape in each branch, and its gradient as the branch's value."""

    @tf.function
    def f(x):
        def slope(function):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = function(x)
            return tape.gradient(y, x)

        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: slope(tf.square), lambda: slope(tf.exp))

    return f(tf.constant([1.0, 2.0])), f(tf.constant([-1.0, 0.0]))


@program
def case_with_names_and_lists():
    """tf.case over many predicates: the first true one counts, structures come out, effects only of it."""
    hits = tf.Variable([0, 0, 0, 0])

    def hit(i, value):
        def branch():
            hits[i].assign(hits[i] + 1)
            return value, tf.constant(i)

        return branch

    @tf.function
    def f(x):
        return tf.case(
            [(x > 10, hit(0, x)), (x > 5, hit(1, x * 2)), (x > 0, hit(2, x * 3))],
            default=hit(3, -x),
        )

    return [f(tf.constant(v)) for v in (20, 7, 3, -1, 11)], hits


@program(eager=False)
def case_that_is_not_exclusive():
    """With exclusive=True two true predicates are an error when it runs; without a default none is too."""

    @tf.function
    def exclusive(x):
        pairs = [(x > 0, lambda: tf.constant(1)), (x > 5, lambda: tf.constant(2))]
        return tf.case(pairs, default=lambda: tf.constant(0), exclusive=True)

    @tf.function
    def bare(x):
        return tf.case([(x > 0, lambda: tf.constant(1)), (x < -5, lambda: tf.constant(2))])

    values = [exclusive(tf.constant(v)) for v in (3, -3)]
    return (
        values,
        raised(exclusive, tf.constant(9)),
        bare(tf.constant(1)),
        bare(tf.constant(-9)),
        raised(bare, tf.constant(-1)),
    )


@program
def switch_case_with_effects():
    """tf.switch_case assigns in the branch taken, captures and gives structures."""
    state = tf.Variable(1.0)

    @tf.function
    def f(i, x):
        def add():
            state.assign_add(x)
            return {"value": state.read_value(), "name": tf.constant("add")}

        def scale():
            state.assign(state * x)
            return {"value": state.read_value(), "name": tf.constant("scale")}

        def show():
            return {"value": state + 0.0, "name": tf.constant("show")}

        return tf.switch_case(i, [add, scale, show])

    return [f(tf.constant(i), tf.constant(3.0)) for i in (0, 1, 2, 0, 7, -1)], state


@program
def gradient_of_switch_case():
    """The gradient through tf.switch_case of the branch taken, zero for what that branch does not use."""

    @tf.function
    def f(i, x, y):
        return tf.switch_case(i, [lambda: x * y, lambda: tf.exp(x), lambda: y**3])

    results = []
    for i in range(3):
        x, y = tf.constant(2.0), tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = f(tf.constant(i), x, y)
        results.append((z, tape.gradient(z, [x, y], unconnected_gradients="zero")))
    return results


@program(eager=False)
def switch_case_that_does_not_fit():
    """tf.switch_case needs int32 indices, branches of one structure, and at least one of them."""

    @tf.function
    def f(i, branches):
        return tf.switch_case(i, branches)

    good = [lambda: tf.constant(1), lambda: tf.constant(2)]
    empty = raised(tf.switch_case, tf.constant(0), [])
    last = f(tf.constant(9), tuple(good))
    return (
        empty,
        last,
        f(tf.constant(1), tuple(good)),
        raised(f, tf.constant(1.0), tuple(good)),
        raised(f, tf.constant(0), (lambda: tf.constant(1), lambda: tf.constant("a"))),
    )


@program(eager=False)
def while_loop_of_one_variable():
    """tf.while_loop with one variable: as a list, as a tuple, with a body that gives a bare tensor or a list."""

    @tf.function
    def f(x):
        as_list = tf.while_loop(lambda v: v < 100, lambda v: [v * 3], [x])
        as_tuple = tf.while_loop(lambda v: v < 100, lambda v: (v * 3,), (x,))
        bare = tf.while_loop(lambda v: tf.less(v, 10), lambda v: v + 4, [x])
        return as_list[0], as_tuple[0], bare[0], type(as_tuple) is tuple

    return [f(tf.constant(v)) for v in (1, 5, 200)]


@program
def while_loop_over_dicts_and_namedtuples():
    """Loop variables as a namedtuple of a dict and a list, the same structure comes out."""
    State = collections.namedtuple("State", ["counts", "pair"])

    @tf.function
    def f(n):
        def body(i, state):
            counts = {"even": state.counts["even"] + tf.cast(i % 2 == 0, tf.int32), "all": state.counts["all"] + 1}
            return i + 1, State(counts=counts, pair=[state.pair[1], state.pair[0] * 2])

        start = State({"even": tf.constant(0), "all": tf.constant(0)}, [tf.constant(1), tf.constant(10)])
        _, state = tf.while_loop(lambda i, state: i < n, body, (tf.constant(0), start))
        return state

    return [f(tf.constant(n)) for n in (0, 1, 5)]


@program(eager=False)
def while_loop_errors():
    """A body that gives too few values, another dtype or another shape; a condition that is no bool scalar."""

    @tf.function
    def f(cond, body):
        return tf.while_loop(cond, body, (tf.constant(0), tf.constant([1.0])))

    def less(i, x):
        return i < 3

    fitting = f(less, lambda i, x: (i + 1, x * 2.0))
    index, doubled = fitting
    errors = [
        raised(f, less, lambda i, x: (i + 1,)),
        raised(f, less, lambda i, x: (i + 1, tf.cast(x, tf.int32))),
        raised(f, less, lambda i, x: (i + 1, tf.concat([x, x], 0))),
        raised(f, lambda i, x: x < 3.0, lambda i, x: (i + 1, x + 1.0)),
        raised(tf.while_loop, 5, lambda i: i, (1,)),
        raised(tf.while_loop, lambda i: i < 3, None, (1,)),
        raised(tf.while_loop, lambda: True, lambda: (), ()),
    ]
    return errors, index, doubled


@program
def while_loop_starts_with_python_values():
    """Loop variables given as Python numbers and arrays become tensors."""

    @tf.function
    def f(n):
        i, x, total = tf.while_loop(
            lambda i, x, total: i < n,
            lambda i, x, total: (i + 1, x * 2.0, total + x),
            (0, 0.5, np.array([1.0, 2.0], np.float32)),
        )
        limited = tf.while_loop(lambda k: k < 3, lambda k: (k + 2,), (np.int64(0),))
        doubled = total * 2.0
        return i, x, doubled, limited

    return f(tf.constant(0)), f(tf.constant(3))


@program
def while_loop_maximum_iterations_as_a_tensor():
    """maximum_iterations as a tensor, as zero, and larger than needed; the gradient with it."""

    @tf.function
    def f(x, limit):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, count = tf.while_loop(
                lambda y, count: y < 100.0,
                lambda y, count: (y * y, count + 1),
                (x, tf.constant(0)),
                maximum_iterations=limit,
            )
        return y, count, tape.gradient(y, x)

    return [f(tf.constant(2.0), tf.constant(limit)) for limit in (0, 1, 2, 10)]


@program
def while_loop_in_a_cond_in_a_while_loop():
    """Nested functional loops and branches with captures through all of them."""

    @tf.function
    def f(n, scale):
        def inner(total, i):
            return tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + j * scale), (tf.constant(0), total))[1]

        def body(i, total):
            total = tf.cond(i % 2 == 1, lambda: inner(total, i), lambda: total - 1)
            return i + 1, total

        return tf.while_loop(lambda i, total: i < n, body, (tf.constant(0), tf.constant(0)))

    return [f(tf.constant(n), tf.constant(3)) for n in (0, 1, 4, 6)]


@program
def gradient_through_nested_while_loops():
    """The gradient through a loop in a loop, with respect to the start, a capture and a variable."""
    w = tf.Variable(1.1)

    @tf.function
    def f(x, a):
        def outer(i, v):
            _, v = tf.while_loop(lambda j, u: j < 2, lambda j, u: (j + 1, u * w + a), (0, v))
            return i + 1, v * x

        return tf.while_loop(lambda i, v: i < 2, outer, (0, x))[1]

    x, a = tf.constant(1.5), tf.constant(0.25)
    with tf.GradientTape() as tape:
        tape.watch([x, a])
        y = f(x, a)
    return y, tape.gradient(y, [x, a, w])


@program
def second_gradient_through_a_while_loop():
    """Second derivatives through tf.while_loop, whose number of rounds depends on the data."""

    @tf.function
    def f(x):
        def body(v, rounds):
            return v * x + 1.0, rounds + 1

        return tf.while_loop(lambda v, rounds: v < 20.0, body, (x, tf.constant(0)))

    results = []
    for value in (1.5, 3.0, 18.0):
        x = tf.constant(value)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y, rounds = f(x)
            first = inner.gradient(y, x)
        results.append((y, rounds, first, outer.gradient(first, x)))
    return results


@program
def loop_with_effects_on_variables():
    """tf.while_loop whose body assigns a variable and whose condition reads it."""
    total = tf.Variable(0)

    @tf.function
    def f(n, limit):
        def body(i):
            total.assign_add(i)
            return (i + 1,)

        (stopped,) = tf.while_loop(lambda i: tf.logical_and(i < n, total < limit), body, (tf.constant(1),))
        return stopped, total.read_value()

    return (
        f(tf.constant(5), tf.constant(100)),
        f(tf.constant(5), tf.constant(12)),
        f(tf.constant(100), tf.constant(40)),
        total,
    )


@program
def shape_invariants_of_a_structure():
    """shape_invariants in the structure of the variables: one grows, one shrinks to unknown rank."""

    @tf.function
    def f(n):
        def body(i, state):
            return i + 1, {"grow": tf.concat([state["grow"], [i]], 0), "deep": tf.expand_dims(state["deep"], 0)}

        start = {"grow": tf.zeros([0], tf.int32), "deep": tf.constant([1, 2])}
        invariants = {"grow": tf.TensorShape([None]), "deep": tf.TensorShape(None)}
        _, state = tf.while_loop(
            lambda i, state: i < n, body, (tf.constant(0), start), shape_invariants=(tf.TensorShape([]), invariants)
        )
        return state["grow"], tf.shape(state["deep"])

    return f(tf.constant(0)), f(tf.constant(3))


@program(eager=False)
def invariants_given_as_specs():
    """Shape invariants as TensorSpecs; one that the start does not fit; a static shape behind the loop."""
    shapes = []

    @tf.function
    def f(x):
        _, y = tf.while_loop(
            lambda i, y: i < 2,
            lambda i, y: (i + 1, tf.concat([y, y], axis=0)),
            (tf.constant(0), x),
            shape_invariants=(tf.TensorSpec([], tf.int32), tf.TensorSpec([None, 2], tf.float32)),
        )
        shapes.append(y.shape)
        return tf.reduce_sum(y), tf.shape(y)

    return f(tf.ones([1, 2])), raised(f, tf.ones([1, 3])), shapes


@program
def cond_of_a_loop_result():
    """tf.cond decides by what a loop found, its branches use the loop's other results."""

    @tf.function
    def f(xs, wanted):
        n = tf.size(xs)
        i, found = tf.while_loop(
            lambda i, found: tf.logical_and(i < n, tf.logical_not(found)),
            lambda i, found: (i + 1, tf.equal(xs[i], wanted)),
            (tf.constant(0), tf.constant(False)),
        )
        return tf.cond(found, lambda: xs[i - 1] * 100 + i, lambda: -i)

    xs = tf.constant([4, 8, 15])
    return [f(xs, tf.constant(v)) for v in (4, 15, 7)]


@program
def loops_eager_and_traced_agree():
    """The same functional loop called eagerly and in a function, with lists that are packed alike."""

    def loop(x):
        return tf.while_loop(
            lambda i, pair: i < 3,
            lambda i, pair: (i + 1, (pair[1], pair[0] + pair[1])),
            (tf.constant(0), (x, x * 2)),
        )

    traced = tf.function(loop)
    eager = loop(tf.constant(1))
    graph = traced(tf.constant(1))
    return eager, graph, tf.cond(tf.constant(True), lambda: [eager[0]], lambda: [eager[0]])


@program
def conditional_counter_of_collisions():
    """A hash table by open addressing: tf.while_loop probes, tf.cond inserts."""

    @tf.function
    def insert_all(keys):
        def insert(i, table, probes):
            key = keys[i]
            slot, tried = tf.while_loop(
                lambda s, t: table[s] >= 0,
                lambda s, t: ((s + 1) % 7, t + 1),
                (key % 7, tf.constant(0)),
            )
            table = tf.cond(tried < 7, lambda: tf.tensor_scatter_nd_update(table, [[slot]], [key]), lambda: table)
            return i + 1, table, probes + tried

        start = (tf.constant(0), tf.fill([7], -1), tf.constant(0))
        return tf.while_loop(lambda i, table, probes: i < tf.size(keys), insert, start)[1:]

    return insert_all(tf.constant([7, 14, 3, 10, 1])), insert_all(tf.constant([5]))


@program
def control_flow_by_functions_with_strings_and_bools():
    """Strings and bools as loop variables and branch results."""

    @tf.function
    def f(word, times):
        i, text, odd = tf.while_loop(
            lambda i, text, odd: i < times,
            lambda i, text, odd: (i + 1, tf.strings.join([text, word]), tf.logical_not(odd)),
            (tf.constant(0), tf.constant(""), tf.constant(False)),
        )
        longer = tf.strings.length(text) > 4
        result = tf.cond(odd, lambda: tf.strings.upper(text), lambda: text)
        return result, odd, longer

    return [f(tf.constant("ab"), tf.constant(n)) for n in (0, 1, 2, 3)]


@program
def functions_as_branches():
    """Traced functions, partials and bound methods as branches and as the body of a loop."""
    import functools

    class Step:
        size = 3

        def grow(self, i, x):
            return i + 1, x + self.size

    @tf.function
    def square(x):
        return x * x

    @tf.function
    def f(x):
        a = tf.cond(x > 0, functools.partial(square, x), functools.partial(tf.negative, x))
        _, b = tf.while_loop(lambda i, v: i < 2, Step().grow, (tf.constant(0), a))
        return a, b

    return f(tf.constant(4)), f(tf.constant(-4))
