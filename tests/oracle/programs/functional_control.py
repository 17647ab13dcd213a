"""Control flow by functions: TensorArray, tf.cond, tf.while_loop, tf.case, tf.switch_case, map_fn, scan and folds."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def tensor_array_of_squares():
    """Write in a loop, stack, read, size; the array must be assigned anew by each write."""

    @tf.function
    def squares(n):
        array = tf.TensorArray(tf.int32, size=n)
        for i in tf.range(n):
            array = array.write(i, i * i)
        return array.stack(), array.size(), array.read(n - 1)

    return squares(tf.constant(4)), squares(tf.constant(1))


@program
def tensor_array_that_grows():
    """dynamic_size, elements written out of order, the ones never written are zeros."""

    @tf.function
    def grow(xs):
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[2])
        position = tf.constant(0)
        for x in xs:
            if x > 0.0:
                array = array.write(position, tf.stack([x, -x]))
                position += 1
        return array.stack(), array.size()

    return grow(tf.constant([1.0, -1.0, 2.5])), grow(tf.constant([-1.0])), grow(tf.constant([3.0, 4.0]))


@program
def tensor_array_unstack_and_gather():
    """unstack, gather, concat, scatter and split."""

    @tf.function
    def f(x):
        array = tf.TensorArray(x.dtype, size=3).unstack(x)
        chosen = array.gather([2, 0])
        joined = array.concat()
        scattered = tf.TensorArray(x.dtype, size=4).scatter([3, 0, 1, 2], tf.concat([x, x[:1]], axis=0))
        parts = tf.TensorArray(x.dtype, size=2, infer_shape=False).split(tf.reshape(x, [-1]), [4, 2])
        return chosen, joined, scattered.stack(), parts.read(0), parts.read(1)

    return f(tf.constant([[1, 2], [3, 4], [5, 6]])), f(tf.constant([[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]]))


@program
def gradient_through_a_tensor_array():
    """The gradient of what a loop wrote and read back."""

    @tf.function
    def cumulative(x):
        array = tf.TensorArray(tf.float32, size=3, clear_after_read=False)
        running = tf.constant(1.0)
        for i in tf.range(3):
            running = running * x[i]
            array = array.write(i, running)
        stacked = array.stack()
        return tf.reduce_sum(stacked * [1.0, 10.0, 100.0])

    x = tf.constant([2.0, 3.0, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = cumulative(x)
    return y, tape.gradient(y, x)


@program
def cond_with_functions():
    """tf.cond with closures, its result a structure."""

    @tf.function
    def f(x, limit):
        def above():
            return {"value": x - limit, "kind": tf.constant("above")}

        def below():
            return {"value": limit - x, "kind": tf.constant("below")}

        first = tf.cond(x > limit, above, below)
        second = tf.cond(tf.reduce_any([x == 0, x < 0]), lambda: tf.constant(-1), lambda: x * 2)
        return first, second, tf.cond(tf.constant(True), lambda: limit, lambda: x)

    return [f(tf.constant(x), tf.constant(3)) for x in (0, 3, 10)]


@program
def cond_gradient():
    """The gradient through tf.cond of the branch taken, and of captured variables."""
    w = tf.Variable(3.0)

    @tf.function
    def f(x):
        y = tf.cond(x > 0.0, lambda: w * x * x, lambda: -x)
        z = tf.cond(w > 10.0, lambda: y * 0.0, lambda: y + w)
        return z

    results = []
    for value in (2.0, -2.0):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        results.append((y, tape.gradient(y, [x, w], unconnected_gradients="zero")))
    return results


@program
def while_loop_with_a_structure():
    """tf.while_loop over a nested structure of loop variables."""

    @tf.function
    def f(n):
        state = (tf.constant(0), {"a": tf.constant(0), "b": tf.constant(1)})
        result = tf.while_loop(
            lambda i, pair: i < n,
            lambda i, pair: (i + 1, {"a": pair["b"], "b": pair["a"] + pair["b"]}),
            state,
        )
        count, pair = result
        return count, pair["a"], tf.while_loop(lambda k: k < 100, lambda k: [k * 3], [pair["b"]])

    return [f(tf.constant(n)) for n in (0, 1, 10)]


@program
def while_loop_with_invariants():
    """shape_invariants for a value that grows; maximum_iterations."""

    @tf.function
    def f(n):
        i, grown = tf.while_loop(
            lambda i, x: i < n,
            lambda i, x: (i + 1, tf.concat([x, x[-1:] + 1], axis=0)),
            (tf.constant(0), tf.constant([5])),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
        )
        (stopped,) = tf.while_loop(lambda k: True, lambda k: (k + 2,), (tf.constant(0),), maximum_iterations=n)
        return i, grown, stopped

    never = f(tf.constant(0))
    return never, f(tf.constant(3))


@program
def while_loop_gradient():
    """The gradient of a tf.while_loop with respect to its start and to a captured value."""

    @tf.function
    def f(x, rate):
        def body(i, value):
            return i + 1, value * rate + tf.sin(value)

        _, result = tf.while_loop(lambda i, value: i < 3, body, (tf.constant(0), x))
        return result

    x, rate = tf.constant(0.5), tf.constant(1.25)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, rate])
        y = f(x, rate)
    return y, tape.gradient(y, x), tape.gradient(y, rate)


@program
def case_of_predicates():
    """tf.case takes the first that holds, or the default; exclusive predicates."""

    @tf.function
    def describe(x):
        pairs = [(x < 0, lambda: tf.constant("negative")), (x < 10, lambda: tf.constant("small"))]
        word = tf.case(pairs, default=lambda: tf.constant("large"))
        number = tf.case([(x > 5, lambda: x * 2), (x > 3, lambda: x * 3)], default=lambda: x)
        return word, number

    results = [describe(tf.constant(x)) for x in (-1, 4, 7, 30)]
    alone = tf.case([(tf.constant(False), lambda: 1), (tf.constant(True), lambda: 2)], exclusive=True)
    return results, alone


@program
def switch_by_index():
    """tf.switch_case: an index outside goes to the default, or to the last branch."""

    @tf.function
    def f(i, x):
        a = tf.switch_case(i, [lambda: x, lambda: x * 10, lambda: x * 100])
        b = tf.switch_case(i, {0: lambda: x + 1, 1: lambda: x + 2}, default=lambda: -x)
        return a, b

    results = [f(tf.constant(i), tf.constant(7)) for i in (-1, 0, 1, 2, 5)]
    return results, tf.switch_case(tf.constant(1), [lambda: tf.constant("a"), lambda: tf.constant("b")])


@program(eager=False)
def ops_of_control_flow():
    """Which op each kind of control flow becomes; with effects it is the stateful one."""
    v = tf.Variable(0)

    @tf.function
    def pure(x):
        y = tf.cond(x > 0, lambda: x, lambda: -x)
        z = tf.switch_case(x, [lambda: y, lambda: y + 1])
        return tf.while_loop(lambda a: a < 10, lambda a: (a + x,), (z,))

    @tf.function
    def effects(x):
        y = tf.cond(x > 0, lambda: v.assign_add(x), lambda: v.assign(0))
        tf.switch_case(x, [lambda: v.assign(1), lambda: v.assign(2)])
        return y

    kinds = ("If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile")
    results = []
    for f in (pure, effects):
        ops = [op.type for op in f.get_concrete_function(tf.TensorSpec([], tf.int32)).graph.get_operations()]
        results.append({kind: ops.count(kind) for kind in kinds})
    return results, pure(tf.constant(1)), effects(tf.constant(1)), v


@program
def map_over_elements():
    """tf.map_fn over one tensor and over a structure, to another dtype and shape."""

    @tf.function
    def f(x, y):
        squares = tf.map_fn(lambda v: v * v, x)
        both = tf.map_fn(lambda pair: pair[0] + tf.reduce_sum(pair[1]), (x, y), fn_output_signature=tf.int32)
        shares = tf.map_fn(lambda v: tf.cast(v, tf.float32) / 2.0, x, fn_output_signature=tf.float32)
        pairs = tf.map_fn(lambda v: (v, -v), x, fn_output_signature=(tf.int32, tf.int32))
        return squares, both, shares, pairs

    return f(tf.constant([1, 2, 3]), tf.constant([[1, 1], [2, 2], [3, 3]])), tf.map_fn(tf.reduce_sum, tf.ones([2, 3]))


@program
def scan_and_folds():
    """tf.scan, foldl and foldr, with and without a start."""

    @tf.function
    def f(x):
        sums = tf.scan(lambda a, v: a + v, x)
        started = tf.scan(lambda a, v: a * v, x, initializer=tf.constant(10))
        left = tf.foldl(lambda a, v: a * 10 + v, x)
        right = tf.foldr(lambda a, v: a * 10 + v, x)
        backwards = tf.scan(lambda a, v: a - v, x, reverse=True)
        return sums, started, left, right, backwards

    return f(tf.constant([1, 2, 3])), f(tf.constant([5]))


@program
def polynomial_by_loop_and_by_cond():
    """Horner's rule in a while loop inside a cond, its derivative by a tape inside."""

    @tf.function
    def horner(coefficients, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            n = tf.size(coefficients)
            value = tf.cond(
                n > 0,
                lambda: tf.while_loop(
                    lambda i, v: i < n, lambda i, v: (i + 1, v * x + coefficients[i]), (0, tf.zeros_like(x))
                )[1],
                lambda: x * 0.0,
            )
        return value, tape.gradient(value, x)

    x = tf.constant(2.0)
    return (
        horner(tf.constant([1.0, -3.0, 0.5]), x),
        horner(tf.constant([], tf.float32), x),
        horner(tf.constant([4.0]), x),
    )


@program(eager=False)
def nested_control_flow_ops():
    """A cond in a while in a cond, all by functions, with a variable that counts the inner rounds."""
    rounds = tf.Variable(0)

    @tf.function
    def f(x):
        def body(i, total):
            rounds.assign_add(1)
            step = tf.cond(i % 2 == 0, lambda: i * 10, lambda: -i)
            return i + 1, total + step

        def loop():
            return tf.while_loop(lambda i, total: i < x, body, (tf.constant(0), tf.constant(0)))[1]

        return tf.cond(x > 2, loop, lambda: tf.constant(-100)), rounds.read_value()

    results = [f(tf.constant(x)) for x in (1, 3, 6)]
    return results, rounds, raised(tf.cond, 1, lambda: 2, None)
