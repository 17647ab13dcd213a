"""Errors: their classes, eagerly and in graphs, and what a failed call leaves behind."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def shapes_that_do_not_fit():
    """Eager ops raise InvalidArgumentError; while tracing a ValueError says so before anything runs."""

    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec(None)])
    def at_run_time(a, b):
        return a @ b

    @tf.function
    def add(a, b):
        return a + b

    a, b = tf.ones([2, 3]), tf.ones([2, 2])
    eager = [raised(tf.matmul, a, b), raised(tf.add, a, b), raised(tf.reshape, a, [4, 2]), raised(tf.concat, [a, b], 0)]
    return eager, raised(at_run_time, a, b), at_run_time(b, a), add(a, a)


@program(eager=False)
def shapes_that_do_not_fit_while_tracing():
    """The same faults found while tracing are ValueErrors."""

    @tf.function
    def product(a, b):
        return a @ b

    @tf.function
    def total(a, b):
        return a + b

    @tf.function
    def stacked(a, b):
        return tf.stack([a, b])

    @tf.function
    def folded(a, b):
        return tf.reshape(a, [4, 2]) + tf.reduce_sum(b)

    a, b = tf.ones([2, 3]), tf.ones([2, 2])
    return [raised(f, a, b) for f in (product, total, stacked, folded)]


@program
def division_by_zero():
    """Integers: an error. Floats: infinity and not-a-number."""

    @tf.function
    def divide(a, b):
        return a // b

    @tf.function
    def remainder(a, b):
        return a % b

    zero, one = tf.constant(0), tf.constant(1)
    whole = [raised(divide, one, zero), raised(remainder, one, zero), divide(one * 7, one * 2)]
    real = [
        divide(tf.constant(1.0), tf.constant(0.0)),
        tf.constant([0.0, -1.0]) / 0.0,
        remainder(tf.constant(1.0), tf.constant(0.0)),
    ]
    return whole, real, raised(lambda: one // zero)


@program
def out_of_range_indices():
    """gather, a slice by a tensor, gather_nd and scatter beyond the end."""
    xs = tf.constant([10, 20, 30])

    @tf.function
    def pick(i):
        return tf.gather(xs, i)

    @tf.function
    def item(i):
        return xs[i]

    good = [pick(tf.constant([2, 0])), item(tf.constant(-1))]
    bad = [
        raised(pick, tf.constant([3])),
        raised(pick, tf.constant(-1)),
        raised(item, tf.constant(5)),
        raised(item, tf.constant(-4)),
    ]
    bad.append(raised(tf.gather_nd, xs, [[7]]))
    bad.append(raised(tf.tensor_scatter_nd_update, xs, [[3]], [1]))
    return good, bad


@program
def assertions_of_tf_debugging():
    """The assert family in a function: InvalidArgumentError when it runs, nothing when it holds."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def checked(x):
        tf.debugging.assert_non_negative(x)
        tf.debugging.assert_less(x, 100, message="too large")
        tf.debugging.assert_equal(tf.reduce_sum(x) % 2, 0)
        return x + 1

    good = checked(tf.constant([1, 3]))
    bad = [raised(checked, tf.constant(v)) for v in ([-1, 1], [100], [1, 2])]
    eager = [
        raised(tf.debugging.assert_equal, 1, 2),
        raised(tf.debugging.assert_rank, tf.ones([2]), 2),
        raised(tf.debugging.assert_greater, tf.constant([2, 3]), 1),
        raised(tf.debugging.assert_positive, tf.constant([0])),
        raised(tf.debugging.assert_shapes, [(tf.ones([2, 3]), ("n", 4))]),
        raised(tf.debugging.assert_all_finite, tf.constant([1.0, float("nan")]), "not finite"),
        raised(tf.debugging.assert_type, tf.constant(1), tf.float32),
    ]
    return good, bad, eager


@program
def failed_call_leaves_variables():
    """What was assigned before the failing op stays, what needs its result is not done; the next call works."""
    before, after = tf.Variable(0), tf.Variable(0)

    @tf.function
    def share(amount, people):
        before.assign_add(1)
        each = amount // people
        after.assign_add(each)
        return before + after

    first = share(tf.constant(50), tf.constant(5))
    error = raised(share, tf.constant(50), tf.constant(0))
    middle = after.read_value()
    second = share(tf.constant(7), tf.constant(2))
    return first, error, middle, second, after


@program
def failure_in_a_loop():
    """The rounds before the failing one have been done, the failing one and those behind it have not."""
    total = tf.Variable(0)
    table = tf.constant([1, 10, 100])

    @tf.function
    def collect(indices):
        for i in indices:
            total.assign_add(tf.gather(table, i))
        return total.read_value()

    first = collect(tf.constant([0, 1, 2]))
    error = raised(collect, tf.constant([1, 1, 7, 2]))
    middle = total.read_value()
    second = collect(tf.constant([0]))
    return first, error, middle, second


@program
def failure_in_a_branch():
    """Only the branch that runs can fail."""

    @tf.function
    def guarded(a, b):
        if b == 0:
            result = tf.constant(-1)
        else:
            result = a // b
        return result

    @tf.function
    def unguarded(a, b, flag):
        if flag:
            result = a // b
        else:
            result = a + b
        return result

    a, zero = tf.constant(9), tf.constant(0)
    good = [guarded(a, zero), guarded(a, tf.constant(2)), unguarded(a, zero, tf.constant(False))]
    return good, raised(unguarded, a, zero, tf.constant(True)), unguarded(a, tf.constant(3), tf.constant(True))


@program
def assert_op():
    """tf.debugging.Assert, with data for the message, and Python's assert on Python values."""

    @tf.function
    def root(x, limit):
        assert limit > 0, "a Python value"
        tf.debugging.Assert(tf.reduce_all(x >= 0.0), [x, "is negative"])
        tf.debugging.assert_less_equal(x, float(limit))
        return tf.sqrt(x)

    good = root(tf.constant([4.0, 9.0]), 10)
    bad = [
        raised(root, tf.constant([-4.0, 9.0]), 10),
        raised(root, tf.constant([11.0]), 10),
        raised(root, tf.constant([1.0]), -1),
    ]
    return good, bad, root(tf.constant([16.0]), 100)


@program(eager=False)
def input_signature_mismatch():
    """A call that does not fit input_signature is a TypeError and makes no new trace."""

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([], tf.int32)])
    def f(x, n):
        return x * tf.cast(n, tf.float32)

    good = f(tf.ones([3, 2]), tf.constant(2)), f([[1.0, 2.0]], 3)
    count = f.experimental_get_tracing_count()
    bad = [
        raised(f, tf.ones([3]), tf.constant(2)),
        raised(f, tf.ones([3, 3]), tf.constant(2)),
        raised(f, tf.ones([3, 2]), tf.constant([2])),
        raised(f, tf.ones([3, 2])),
        raised(f, tf.ones([3, 2]), 1, 2),
        raised(f, tf.ones([3, 2]), tf.constant(2.0)),
    ]
    return good, bad, count, f.experimental_get_tracing_count()


@program(eager=False, advice=("control.branch_dtype", "control.undefined_in_branch"))
def branches_that_do_not_agree():
    """One-sided names, other dtypes and other structures in the branches of a tensor condition."""

    @tf.function
    def one_sided(x):
        if x > 0:
            y = x
        return y

    @tf.function
    def other_dtype(x):
        if x > 0:
            y = 1.0
        else:
            y = 2
        return y

    @tf.function
    def other_structure(x):
        if x > 0:
            y = (x, x)
        else:
            y = (x,)
        return y

    @tf.function
    def one_return(x):
        if x > 0:
            return x

    @tf.function
    def with_none(x):
        if x > 0:
            y = x
        else:
            y = None
        return y

    x = tf.constant(1)
    return [raised(f, x) for f in (one_sided, other_dtype, other_structure, one_return, with_none)]


@program(eager=False, advice=("loop.shape_grows",))
def loops_that_do_not_agree():
    """A loop value that changes dtype, shape or structure; a value undefined before the loop."""

    @tf.function
    def changes_dtype(n):
        x = 1
        for _ in tf.range(n):
            x = x * 1.5
        return x

    @tf.function
    def changes_shape(n):
        x = tf.constant([1])
        for _ in tf.range(n):
            x = tf.concat([x, x], axis=0)
        return x

    @tf.function
    def changes_rank(n):
        x = tf.constant(1)
        while n > 0:
            x = x[tf.newaxis]
            n -= 1
        return x

    @tf.function
    def undefined(n):
        while n > 0:
            n = n - y
            y = n
        return n

    @tf.function
    def becomes_none(n):
        x = tf.constant(1)
        for _ in tf.range(n):
            x = None
        return x

    functions = (changes_dtype, changes_shape, changes_rank, undefined, becomes_none)
    return [raised(f, tf.constant(2)) for f in functions]


@program(eager=False)
def without_autograph():
    """autograph=False: a tensor is no Python bool, and cannot be looped over."""

    @tf.function(autograph=False)
    def branch(x):
        if x > 0:
            return x
        return -x

    @tf.function(autograph=False)
    def loop(x):
        total = 0
        for part in x:
            total += part
        return total

    @tf.function(autograph=False)
    def chained(x):
        return 0 < x < 10

    @tf.function(autograph=False)
    def member(x):
        return x in [1, 2]

    x = tf.constant([1, 2])
    results = [raised(branch, x[0]), raised(loop, x), raised(chained, x[0]), raised(member, x[0])]
    return results, tf.function(lambda v: v * 2, autograph=False)(x)


@program(eager=False, advice=("argument.attribute_lost", "effect.mutation"))
def python_error_while_tracing():
    """An error raised by Python code while tracing keeps its class, and no trace is kept."""
    attempts = []

    @tf.function
    def f(x, kind):
        attempts.append(kind)
        if kind == "value":
            raise ValueError("no")
        if kind == "key":
            return {}["missing"]
        if kind == "attribute":
            return x.no_such_thing
        if kind == "zero":
            return x * (1 // 0)
        return x + 1

    x = tf.constant(1)
    errors = [raised(f, x, kind) for kind in ("value", "value", "key", "attribute", "zero")]
    return errors, f(x, "none"), attempts


@program
def dtype_errors():
    """Tensors of different dtypes do not mix; text is no number; ragged lists are no tensors."""

    @tf.function
    def mix(a, b):
        product = a * b
        return product

    a, b = tf.constant(1), tf.constant(1.0)
    wrong = [
        raised(lambda: tf.constant([1, 2]) @ tf.constant([1.0, 2.0])),
        raised(lambda: a + 0.5),
        raised(tf.constant, [[1, 2], [3]]),
        raised(tf.constant, "text", tf.int32),
        raised(tf.constant, 1.5, tf.int32),
        raised(tf.constant, 300, tf.uint8),
        raised(tf.cast, tf.constant("1"), tf.int32),
        raised(tf.convert_to_tensor, tf.constant(1), tf.float32),
        raised(tf.constant, [1, "a"]),
        raised(tf.sqrt, tf.constant(4)),
        raised(tf.convert_to_tensor, None),
    ]
    right = mix(b, tf.constant(2.5)), mix(a, 3)
    return wrong, right


@program(eager=False)
def dtype_errors_while_tracing():
    """In a graph, mixing dtypes is a TypeError."""

    @tf.function
    def mix(a, b):
        return a * b

    @tf.function
    def root(a, b):
        return tf.sqrt(a) + b

    @tf.function
    def logic(a, b):
        return tf.logical_and(a, b)

    a, b = tf.constant(1), tf.constant(1.0)
    return (
        [raised(f, a, b) for f in (mix, root, logic)],
        mix(a, a),
        [f.experimental_get_tracing_count() for f in (mix, root)],
    )


@program(eager=False)
def call_errors():
    """Calls with too many, too few or unknown arguments."""

    @tf.function
    def f(a, b=2, *, c=3):
        return a + b + c

    results = [f(tf.constant(1)), f(1, c=tf.constant(10))]
    wrong = [raised(f), raised(f, 1, 2, 3), raised(f, 1, d=4), raised(f, 1, a=1)]
    concrete = f.get_concrete_function(tf.TensorSpec([], tf.int32), b=tf.TensorSpec([], tf.int32))
    wrong += [
        raised(concrete),
        raised(concrete, tf.constant(1.0), tf.constant(2)),
        raised(concrete, tf.constant(1), z=1),
    ]
    return results, wrong, concrete(tf.constant(5), tf.constant(6))


@program(eager=False, advice=("effect.leak",))
def leaked_tensor():
    """A tensor of a graph that got out cannot be used eagerly, nor in another graph."""
    leaked = []

    @tf.function
    def leak(x):
        leaked.append(x * 2)
        return x + 1

    @tf.function
    def use(x):
        return x + leaked[0]

    first = leak(tf.constant(1))
    t = leaked[0]
    wrong = [
        raised(lambda: t + 1),
        raised(use, tf.constant(1)),
        raised(lambda: t.numpy()),
        raised(lambda: bool(t)),
        raised(int, t),
    ]
    return first, wrong, leak(tf.constant(3)), len(leaked)


@program(eager=False)
def loop_condition_becomes_a_tensor():
    """A while loop that starts as Python's cannot turn into a graph loop, nor a Python loop with a tensor's return."""

    @tf.function
    def forever(x):
        while True:
            x = x + 1
            if x > 5:
                break
        return x

    @tf.function
    def python_range(x):
        for i in range(10):
            if x > i:
                return x
        return x * 0

    @tf.function
    def fine(x):
        run = tf.constant(True)
        while run:
            x = x + 1
            if x > 5:
                run = tf.constant(False)
        return x

    x = tf.constant(1)
    return raised(forever, x), raised(python_range, x), fine(x)


@program
def value_errors_of_calls():
    """Arguments that make no sense: axes, counts, base and limits."""

    @tf.function
    def tidy(x):
        wider = tf.expand_dims(x, 0)
        return tf.squeeze(wider, axis=[0])

    x = tf.ones([2, 3])
    wrong = [
        raised(tf.squeeze, x, axis=[0]),
        raised(tf.expand_dims, x, 4),
        raised(tf.split, x, 2, axis=1),
        raised(tf.unstack, x, num=3),
        raised(tf.transpose, x, [0, 0]),
        raised(tf.reduce_sum, x, axis=2),
        raised(tf.range, 0, 5, 0),
        raised(tf.broadcast_to, x, [3, 2]),
        raised(tf.tile, x, [2]),
        raised(tf.linspace, 0.0, 1.0, -1),
        raised(tf.strings.to_number, "abc"),
        raised(tf.one_hot, [1], -1),
    ]
    right = tidy(x)
    return wrong, right
