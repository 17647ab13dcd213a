"""map_fn, vectorized_map, scan, foldl, foldr and TensorArray: structures, shapes, effects, gradients, errors."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def map_fn_from_structure_to_structure():
    """tf.map_fn takes a dict and gives a tuple of other dtypes and shapes."""

    @tf.function
    def f(data):
        def one(item):
            length = tf.norm(item["v"])
            return length, tf.stack([item["k"], item["k"] * 2]), item["k"] > 1

        signature = (tf.float32, tf.int32, tf.bool)
        return tf.map_fn(one, data, fn_output_signature=signature)

    table = {"v": tf.constant([[3.0, 4.0], [0.0, 2.0]]), "k": tf.constant([1, 2])}
    return f(table), f({"v": tf.zeros([1, 3]), "k": tf.constant([5])})


@program(eager=False)
def map_fn_of_nothing():
    """tf.map_fn, scan and folds over no elements give empty results or the start."""

    @tf.function
    def f(xs):
        mapped = tf.map_fn(lambda x: x * 2.0, xs)
        matrix = tf.map_fn(lambda x: tf.stack([x, x]), xs)
        left = tf.foldl(lambda a, x: a + x, xs, initializer=tf.constant(7.0))
        scanned = tf.scan(lambda a, x: a + x, xs, initializer=tf.constant(7.0))
        return mapped, matrix, left, scanned

    return f(tf.zeros([0])), f(tf.constant([1.0, 2.0]))


@program(eager=False)
def map_fn_signature_that_does_not_fit():
    """Another dtype than that of the elements must be declared; what is declared must be right."""

    @tf.function
    def undeclared(xs):
        return tf.map_fn(lambda x: tf.cast(x, tf.float32), xs)

    @tf.function
    def wrong(xs):
        return tf.map_fn(lambda x: (x, x), xs, fn_output_signature=tf.int32)

    @tf.function
    def right(xs):
        return tf.map_fn(lambda x: (x, tf.cast(x, tf.float32)), xs, fn_output_signature=(tf.int32, tf.float32))

    xs = tf.constant([1, 2])
    return raised(undeclared, xs), raised(wrong, xs), right(xs)


@program
def nested_map_fn():
    """tf.map_fn in tf.map_fn, with a capture of the outer element in the inner function."""

    @tf.function
    def outer_product(a, b):
        def row(x):
            bonus = x * 1000
            return tf.map_fn(lambda y: x * y + tf.cast(x > y, tf.int32) * 100 + bonus, b)

        table = tf.map_fn(row, a)
        return table, tf.reduce_sum(table, axis=0)

    return outer_product(tf.constant([1, 2, 3]), tf.constant([2, 5])), outer_product(tf.constant([4]), tf.constant([1]))


@program
def map_fn_with_effects():
    """A variable that tf.map_fn's function changes, element by element, with parallel_iterations=1."""
    total = tf.Variable(0)

    @tf.function
    def f(xs):
        def one(x):
            total.assign_add(x)
            return total.read_value()

        return tf.map_fn(one, xs, parallel_iterations=1)

    first = f(tf.constant([1, 2, 3]))
    second = f(tf.constant([10, 20, 30]))
    return first, second, total


@program
def gradient_of_map_fn_with_captures():
    """The gradient through tf.map_fn to the elements, to a captured tensor and to a variable."""
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def f(xs, scale):
        return tf.map_fn(lambda x: tf.reduce_sum(x * w) * scale + tf.sin(x[0]), xs, fn_output_signature=tf.float32)

    xs, scale = tf.constant([[1.0, 0.5], [2.0, -1.0], [0.0, 3.0]]), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([xs, scale])
        y = f(xs, scale)
        loss = tf.reduce_sum(y * y)
    return y, tape.gradient(loss, [xs, scale, w])


@program
def second_gradient_of_map_fn():
    """Second derivatives through tf.map_fn."""

    @tf.function
    def f(xs):
        return tf.reduce_sum(tf.map_fn(lambda x: x**3 + x, xs))

    xs = tf.constant([1.0, -2.0, 0.5])
    with tf.GradientTape() as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            y = f(xs)
        first = inner.gradient(y, xs)
        norm = tf.reduce_sum(first * first)
    return y, first, outer.gradient(norm, xs)


@program
def map_fn_with_control_flow_by_autograph():
    """The function given to tf.map_fn has a while loop and branches of its own."""

    def collatz(n):
        steps = tf.constant(0)
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    @tf.function
    def f(ns):
        steps = tf.map_fn(collatz, ns)
        best = tf.argmax(steps)
        return steps, ns[best]

    return f(tf.range(1, 10)), f(tf.constant([27]))


@program
def vectorized_map_like_map_fn():
    """tf.vectorized_map gives what tf.map_fn gives, for elementwise functions, products and reductions."""

    @tf.function
    def f(xs, matrix):
        def one(x):
            return tf.linalg.matvec(matrix, x) + tf.reduce_max(x), tf.reduce_sum(x * x)

        mapped = tf.map_fn(one, xs, fn_output_signature=(tf.float32, tf.float32))
        return tf.vectorized_map(one, xs), mapped

    matrix = tf.constant([[1.0, 2.0], [0.0, -1.0]])
    (fast, slow) = f(tf.constant([[1.0, 1.0], [2.0, 0.5], [0.0, 3.0]]), matrix)
    return fast, slow


@program
def vectorized_map_over_pairs():
    """tf.vectorized_map over a tuple, with gathers and matrix products in the function."""

    @tf.function
    def f(rows, index):
        def pick(pair):
            row, i = pair
            return tf.gather(row, i) * 2, tf.reverse(row, [0])

        picked, reversed_rows = tf.vectorized_map(pick, (rows, index))
        return picked, reversed_rows, tf.reduce_sum(picked)

    return f(tf.constant([[1, 2, 3], [4, 5, 6]]), tf.constant([2, 0]))


@program
def gradient_through_vectorized_map():
    """The gradient through tf.vectorized_map, and per-example gradients by a tape inside of it."""
    w = tf.Variable([1.0, -1.0])

    @tf.function
    def per_example(xs):
        def one(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * x) ** 2
            return tape.gradient(loss, w)

        return tf.vectorized_map(one, xs)

    xs = tf.constant([[1.0, 2.0], [3.0, 0.0], [0.5, 0.5]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.vectorized_map(lambda x: tf.exp(tf.reduce_sum(w * x)), xs))
    return per_example(xs), y, tape.gradient(y, w)


@program
def scan_with_a_structure():
    """tf.scan with a tuple as its state and a dict as its elements."""

    @tf.function
    def f(xs, start):
        def step(state, x):
            total, peak = state
            total = total + x["add"] - x["sub"]
            return total, tf.maximum(peak, total)

        return tf.scan(step, xs, initializer=(start, start))

    data = {"add": tf.constant([1.0, 5.0, 0.0]), "sub": tf.constant([0.5, 0.0, 4.0])}
    return f(data, tf.constant(0.0)), f({"add": tf.ones([1]), "sub": tf.zeros([1])}, tf.constant(-2.0))


@program
def scan_in_reverse_with_an_initializer():
    """tf.scan from the end, with a start of another shape than the elements."""

    @tf.function
    def f(xs):
        discounted = tf.scan(lambda a, x: a * 0.5 + x, xs, initializer=tf.constant(0.0), reverse=True)
        outer = tf.scan(lambda a, x: a + x * tf.constant([1.0, 10.0]), xs, initializer=tf.zeros([2]))
        smallest = tf.scan(tf.minimum, xs)
        return discounted, outer, smallest

    return f(tf.constant([1.0, 2.0, 4.0])), f(tf.constant([8.0]))


@program
def folds_of_matrices():
    """foldl and foldr multiply matrices from the left and from the right."""

    @tf.function
    def f(ms):
        left = tf.foldl(tf.matmul, ms)
        right = tf.foldr(lambda a, m: m @ a, ms)
        started = tf.foldl(lambda v, m: tf.linalg.matvec(m, v), ms, initializer=tf.constant([1.0, 0.0]))
        return left, right, started

    return f(tf.constant([[[1.0, 1.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]))


@program
def gradient_of_folds():
    """The gradient of foldl, foldr and scan for elements and start."""

    @tf.function
    def f(xs, start):
        left = tf.foldl(lambda a, x: a * x + 1.0, xs, initializer=start)
        right = tf.foldr(lambda a, x: tf.sin(a) + x, xs, initializer=start)
        scanned = tf.scan(lambda a, x: a * x, xs, initializer=start)
        return left + right + tf.reduce_sum(scanned)

    xs, start = tf.constant([2.0, 0.5, 3.0]), tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch([xs, start])
        y = f(xs, start)
    return y, tape.gradient(y, [xs, start])


@program
def recurrent_cell_by_scan():
    """A small recurrent network by tf.scan, and the gradients of its weights through time."""
    wx = tf.Variable([[0.5, -0.25]])
    wh = tf.Variable([[0.1, 0.2], [-0.3, 0.4]])

    @tf.function
    def loss(xs):
        states = tf.scan(lambda h, x: tf.tanh(x[:, None] @ wx + h @ wh), xs, initializer=tf.zeros([2, 2]))
        return tf.reduce_mean(states[-1] ** 2)

    xs = tf.constant([[1.0, 0.0], [0.5, -1.0], [2.0, 1.0]])
    with tf.GradientTape() as tape:
        value = loss(xs)
    return value, tape.gradient(value, [wx, wh])


@program(eager=False)
def tensor_array_errors():
    """Wrong dtypes, shapes and indices of a TensorArray fail, while tracing or when it runs."""

    @tf.function
    def dtype():
        return tf.TensorArray(tf.int32, size=1).write(0, 1.5).stack()

    @tf.function
    def shape():
        return tf.TensorArray(tf.int32, size=2).write(0, [1]).write(1, [1, 2]).stack()

    @tf.function
    def index(i):
        return tf.TensorArray(tf.int32, size=2).write(i, 1).stack()

    @tf.function
    def declared():
        return tf.TensorArray(tf.int32, size=1, element_shape=[3]).write(0, [1, 2]).stack()

    return [raised(f) for f in (dtype, shape, declared)], raised(index, tf.constant(2)), index(tf.constant(1))


@program
def tensor_array_grows_by_itself():
    """dynamic_size lets a write far behind the end enlarge the array; what is between is zero."""

    @tf.function
    def f(i):
        array = tf.TensorArray(tf.int32, size=1, dynamic_size=True, element_shape=[])
        array = array.write(0, 5)
        array = array.write(i, 7)
        array = array.write(i + 1, 9)
        return array.stack(), array.size(), array.read(i)

    return f(tf.constant(1)), f(tf.constant(4))


@program
def tensor_array_of_varying_shapes():
    """infer_shape=False allows elements of different lengths, which concat joins."""

    @tf.function
    def f(n):
        array = tf.TensorArray(tf.int32, size=n, infer_shape=False, element_shape=[None])
        for i in tf.range(n):
            array = array.write(i, tf.range(i + 1) * 10)
        return array.concat(), array.read(n - 1)

    return f(tf.constant(1)), f(tf.constant(3))


@program(eager=False)
def tensor_array_from_a_branch():
    """A TensorArray that one branch writes, and the other replaces by a new one."""

    @tf.function
    def f(x):
        array = tf.TensorArray(tf.float32, size=2, element_shape=[], clear_after_read=False)
        array = array.write(0, 1.0)
        if x > 0.0:
            array = array.write(1, x)
        else:
            array = array.write(0, -x).write(1, array.read(0))
        return array.stack(), array.gather([1, 1, 0])

    return f(tf.constant(2.0)), f(tf.constant(-2.0))


@program
def tensor_array_as_an_argument():
    """A TensorArray is passed to helpers that write it in loops and branches and give it back."""

    def one(array, value):
        if value > 0:
            return array.write(1, value)
        return array.write(1, -value)

    def fill(array, value):
        for i in tf.range(2, 4):
            array = array.write(i, value * i)
        return array

    @tf.function
    def f(x):
        array = tf.TensorArray(tf.int32, size=4, element_shape=[])
        array = fill(one(array.write(0, x), x * 10), x)
        return array.stack()

    return f(tf.constant(1)), f(tf.constant(-2))


@program(eager=False)
def joining_what_a_loop_wrote():
    """TensorArray.concat joins rows of other lengths; split takes them apart again; the gradient through both."""

    @tf.function
    def f(x, n):
        array = tf.TensorArray(tf.float32, size=n, infer_shape=False, element_shape=[None, 2])
        for i in tf.range(n):
            array = array.write(i, x[: i + 1] * tf.cast(i + 1, tf.float32))
        joined = array.concat()
        lengths = tf.range(1, n + 1, dtype=tf.int32)
        parts = tf.TensorArray(tf.float32, size=n, infer_shape=False).split(joined * joined, lengths)
        return joined, parts.read(n - 1)

    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        joined, last = f(x, tf.constant(3))
        total = tf.reduce_sum(joined) + tf.reduce_sum(last)
    return joined, last, tape.gradient(total, x), f(x, tf.constant(1))


@program
def two_tensor_arrays_in_one_loop():
    """A loop writes two arrays of other dtypes at other positions and reads one of them back."""

    @tf.function
    def f(n):
        squares = tf.TensorArray(tf.int32, size=n, clear_after_read=False)
        names = tf.TensorArray(tf.string, size=n)
        for i in tf.range(n):
            squares = squares.write(i, i * i)
            back = squares.read(i // 2)
            names = names.write(n - 1 - i, tf.strings.as_string(back))
        return squares.stack(), names.stack()

    return f(tf.constant(1)), f(tf.constant(5))


@program
def gradient_of_tensor_array_parts():
    """The gradient through unstack, gather, concat, scatter and split of TensorArrays."""

    @tf.function
    def f(x):
        rows = tf.TensorArray(tf.float32, size=3, clear_after_read=False).unstack(x)
        a = tf.reduce_sum(rows.gather([0, 2]) ** 2)
        b = tf.reduce_prod(rows.concat()[1:4])
        mixed = tf.TensorArray(tf.float32, size=3).scatter([2, 0, 1], x).stack()
        return a + b + tf.reduce_sum(mixed[0] * mixed[1])

    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


@program
def second_gradient_of_a_loop_with_a_tensor_array():
    """Second derivatives of what a loop wrote into a TensorArray."""

    @tf.function
    def f(x):
        array = tf.TensorArray(tf.float32, size=4)
        value = x
        for i in tf.range(4):
            value = value * x + tf.cast(i, tf.float32)
            array = array.write(i, value)
        return tf.reduce_sum(array.stack())

    x = tf.constant(1.5)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    return y, first, outer.gradient(first, x)


@program
def markov_chain_by_while_loop():
    """The distribution of a Markov chain until it settles, with its history in a TensorArray."""

    @tf.function
    def settle(p, start, limit):
        history = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[2])

        def goes_on(i, state, change, history):
            return tf.logical_and(i < limit, change > 1e-2)

        def step(i, state, change, history):
            new = tf.linalg.matvec(p, state, transpose_a=True)
            return i + 1, new, tf.reduce_max(tf.abs(new - state)), history.write(i, new)

        i, state, _, history = tf.while_loop(goes_on, step, (0, start, tf.constant(1.0), history))
        return i, state, history.stack()

    p = tf.constant([[0.9, 0.1], [0.5, 0.5]])
    return settle(p, tf.constant([0.0, 1.0]), tf.constant(20)), settle(p, tf.constant([1.0, 0.0]), tf.constant(2))


@program(eager=False)
def shapes_inferred_for_maps():
    """Static shapes that map_fn, scan and folds give while tracing, for known and unknown sizes."""
    shapes = []

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def f(xs):
        mapped = tf.map_fn(lambda x: x[0], xs)
        scanned = tf.scan(lambda a, x: a + x, xs)
        folded = tf.foldl(lambda a, x: a + x, xs)
        shapes.extend([mapped.shape, scanned.shape, folded.shape])
        return mapped, scanned, folded

    return f(tf.ones([3, 2])), f(tf.ones([1, 2])), shapes


@program
def chained_maps_as_a_pipeline():
    """map_fn, boolean_mask, scan and a fold after each other on one vector."""

    @tf.function
    def f(xs):
        scaled = tf.map_fn(lambda x: x * 3 - 5, xs)
        kept = tf.boolean_mask(scaled, scaled > 0)
        sums = tf.scan(tf.add, kept)
        if tf.size(sums) > 0:
            top = tf.foldl(tf.maximum, sums)
        else:
            top = tf.constant(-1)
        return kept, sums, top

    return f(tf.constant([1, 2, 3, 4])), f(tf.constant([10]))


@program
def vectorized_map_of_control_flow():
    """A conditional by tf.where inside tf.vectorized_map, and a loop of Python in it."""

    @tf.function
    def f(xs):
        def one(x):
            y = x
            for k in range(3):
                y = tf.where(y > 1.0, y / 2.0, y * 3.0 + float(k))
            return y

        fast = tf.vectorized_map(one, xs)
        slow = tf.map_fn(one, xs)
        return fast, tf.reduce_all(fast == slow)

    return f(tf.constant([0.25, 1.0, 8.0])), f(tf.constant([[1.0, 2.0]]))


@program
def fold_over_strings():
    """Folds and maps over strings: joining, lengths, upper case."""

    @tf.function
    def f(words):
        joined = tf.foldl(lambda a, w: tf.strings.join([a, w], separator=" "), words)
        lengths = tf.map_fn(tf.strings.length, words, fn_output_signature=tf.int32)
        upper = tf.map_fn(lambda w: tf.strings.upper(tf.strings.substr(w, 0, 1)), words)
        initials = tf.foldr(lambda a, w: w + a, upper, initializer=tf.constant("."))
        return joined, lengths, initials

    return f(tf.constant(["to", "be", "or"])), f(tf.constant(["not"]))


@program
def histogram_by_fold():
    """A histogram by a fold whose state is a vector, and its inverse by repeat."""

    @tf.function
    def f(xs):
        counts = tf.foldl(lambda a, x: tf.tensor_scatter_nd_add(a, [[x]], [1]), xs, initializer=tf.zeros([4], tf.int32))
        back = tf.repeat(tf.range(4), counts)
        same = tf.reduce_all(back == tf.sort(xs))
        return counts, back, same

    return f(tf.constant([3, 1, 1, 0, 3])), f(tf.constant([2]))
