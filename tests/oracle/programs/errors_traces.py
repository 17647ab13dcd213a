"""Errors of tf.function itself: while tracing, when a graph runs, and what they leave behind."""

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


def count(f):
    return f.experimental_get_tracing_count()


@program(eager=False)
def a_failed_trace_is_tried_again():
    """A trace that fails is not kept: the next call traces anew, and may succeed."""
    ready = []

    @tf.function
    def f(x):
        if not ready:
            raise RuntimeError("not yet")
        return x * ready[0]

    first = raised(f, tf.constant(2))
    ready.append(10)
    second = f(tf.constant(2))
    ready.clear()
    return first, second, f(tf.constant(3)), raised(f, tf.constant([3])), count(f)


@program(eager=False)
def a_failed_inner_trace():
    """An error in an inner function's trace comes out of the outer one; both work afterwards."""
    fail = [True]

    @tf.function
    def inner(x):
        if fail[0]:
            raise KeyError("inner")
        return x + 1

    @tf.function
    def outer(x):
        return inner(x) * 2

    first = raised(outer, tf.constant(1))
    fail[0] = False
    return first, outer(tf.constant(1)), inner(tf.constant(5)), count(outer), count(inner)


@program(eager=False)
def an_error_caught_while_tracing():
    """A Python error that the function catches itself lets the trace go on."""

    @tf.function
    def f(x):
        try:
            y = tf.reshape(x, [7, 7])
        except ValueError:
            y = tf.reshape(x, [-1])
        return tf.size(y)

    results = [f(tf.ones([2, 3])), f(tf.ones([7, 7])), f(tf.ones([1]))]
    return results, count(f)


@program(eager=False)
def builtin_exceptions_keep_their_class():
    """Python's own exceptions pass through tracing as they are."""

    @tf.function
    def f(x, kind):
        if kind is not None:
            raise kind("raised while tracing")
        y = x * 2
        return y

    kinds = (ValueError, TypeError, KeyError, IndexError, AttributeError, NotImplementedError, RuntimeError, NameError)
    return [raised(f, tf.constant(1), kind) for kind in kinds], f(tf.constant(4), None)


@program
def runtime_errors_keep_their_class_through_calls():
    """An InvalidArgumentError from an inner function comes out of two outer ones as it is."""

    @tf.function
    def divide(a, b):
        return a // b

    @tf.function
    def middle(a, b):
        return divide(a, b) + 1

    @tf.function
    def outer(a, b):
        return middle(a * 2, b)

    good = outer(tf.constant(10), tf.constant(5))
    return good, raised(outer, tf.constant(1), tf.constant(0)), outer(tf.constant(3), tf.constant(2))


@program
def an_error_in_a_loop_leaves_its_rounds():
    """The rounds before the failing one stay done, the next call starts from there."""
    done = tf.Variable(0)

    @tf.function
    def f(divisors):
        total = tf.constant(0)
        for d in divisors:
            share = 100 // d
            total += share
            done.assign_add(share)
        return total

    first = f(tf.constant([1, 2]))
    error = raised(f, tf.constant([5, 0, 4]))
    return first, error, done.read_value(), f(tf.constant([10])), done


@program
def an_error_in_map_fn():
    """An error in one element of tf.map_fn fails the whole call."""

    @tf.function
    def f(xs):
        return tf.map_fn(lambda x: 12 // x, xs)

    good = f(tf.constant([1, 2, 3]))
    bad = raised(f, tf.constant([1, 0, 3]))
    eager = raised(tf.map_fn, lambda x: 12 // x, tf.constant([0]))
    return good, bad, eager, f(tf.constant([4]))


@program
def an_error_in_py_function():
    """Python errors in a py_function come out as errors of TensorFlow's, by their kind."""

    def check(x):
        if x < 0:
            raise ValueError("negative")
        if x == 0:
            raise TypeError("zero")
        if x > 100:
            raise StopIteration
        if x > 50:
            raise NotImplementedError("fifty")
        return x * 2

    @tf.function
    def f(x):
        y = tf.py_function(check, [x], tf.int32)
        y.set_shape([])
        return y + 1

    errors = [raised(f, tf.constant(v)) for v in (-1, 0, 60, 101)]
    return errors, f(tf.constant(4))


@program
def asserts_with_messages():
    """tf.debugging.assert_* in a function, with message and summarize."""

    @tf.function
    def f(x, y):
        tf.debugging.assert_equal(tf.shape(x), tf.shape(y), message="shapes", summarize=2)
        tf.debugging.assert_greater_equal(x, y, message="order")
        tf.debugging.assert_near(x, y, atol=1.0, message="far")
        return x - y

    good = f(tf.constant([2.0, 3.0]), tf.constant([1.5, 2.5]))
    bad = [raised(f, tf.constant(a), tf.constant(b)) for a, b in (([1.0], [2.0]), ([9.0], [2.0]))]
    return good, bad, raised(f, tf.constant([1.0]), tf.constant([1.0, 1.0]))


@program
def asserts_in_branches_and_loops():
    """An assertion in the branch that does not run is not checked; in a loop it is checked by each round."""
    seen = tf.Variable(0)

    @tf.function
    def f(xs, strict):
        for x in xs:
            if strict:
                tf.debugging.assert_positive(x)
            seen.assign_add(1)
        return tf.reduce_sum(xs)

    xs = tf.constant([1, 2, -3, 4])
    good = f(xs, tf.constant(False))
    before = seen.read_value()
    return good, before, raised(f, xs, tf.constant(True))


@program
def check_numerics():
    """tf.debugging.check_numerics lets finite numbers pass."""

    @tf.function
    def f(x):
        y = tf.math.log(x)
        y = tf.debugging.check_numerics(y, "log")
        return tf.reduce_sum(y)

    good = f(tf.constant([1.0, 1.0]))
    bad = [raised(f, tf.constant(v)) for v in ([0.0], [-1.0])]
    return good, bad, raised(tf.debugging.check_numerics, tf.constant(float("inf")), "value")


@program
def ensure_shape_in_a_pipeline():
    """tf.ensure_shape in a function with unknown shapes."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def f(x):
        x = tf.ensure_shape(x, [None, 3])
        y = tf.reduce_mean(x, axis=1)
        return tf.ensure_shape(y, [2])

    good = f(tf.ones([2, 3]))
    bad = [raised(f, tf.ones(shape)) for shape in ([3, 3], [2, 2], [3], [])]
    return good, bad


@program(eager=False, advice=("value.python_number", "value.numpy"))
def python_operators_on_symbolic_tensors():
    """What needs a value while tracing fails: int, float, len, numpy, iteration, use as an index."""

    @tf.function(autograph=False)
    def f(x, kind):
        if kind == "int":
            return int(x)
        if kind == "float":
            return float(x)
        if kind == "index":
            return [1, 2, 3][x]
        if kind == "range":
            return list(range(x))
        if kind == "if":
            return 1 if x else 0
        if kind == "and":
            return x > 0 and x < 5
        if kind == "numpy":
            return x.numpy()
        return x + 1

    kinds = ("int", "float", "index", "range", "if", "and", "numpy")
    errors = [raised(f, tf.constant(1), kind) for kind in kinds]
    return errors, f(tf.constant(1), "fine"), count(f)


@program(eager=False)
def iteration_without_autograph():
    """Iterating, unpacking and len of symbolic tensors without AutoGraph."""

    @tf.function(autograph=False)
    def f(x, kind):
        if kind == "for":
            return [v * 2 for v in x]
        if kind == "unpack":
            a, b = x
            return a + b
        if kind == "len":
            return len(x)
        if kind == "in":
            return 1 in x
        return tf.unstack(x)

    x = tf.constant([1, 2])
    errors = [raised(f, x, kind) for kind in ("for", "unpack", "in")]
    return errors, f(x, "unstack")


@program(eager=False, advice=("effect.leak", "effect.mutation"))
def tensors_that_leak_through_a_closure():
    """A tensor kept by a nested function, an attribute or a global list is of no use outside."""

    class Keeper:
        pass

    keeper = Keeper()
    kept = []

    @tf.function
    def f(x):
        y = x * 2
        keeper.value = y
        kept.append(lambda: y + 1)
        return y

    result = f(tf.constant(4))
    errors = [raised(lambda: keeper.value + 1), raised(kept[0]), raised(lambda: keeper.value.numpy())]
    errors.append(raised(tf.function(lambda x: x + keeper.value), tf.constant(1)))
    return result, errors, f(tf.constant(5))


@program(eager=False)
def leaks_out_of_branches_and_loops():
    """A tensor of a branch or of a loop body cannot be used behind it."""

    @tf.function
    def branch(x):
        kept = []

        def yes():
            kept.append(x * 2)
            return x

        y = tf.cond(x > 0, yes, lambda: -x)
        return y + kept[0]

    @tf.function
    def loop(n):
        kept = []

        def body(i):
            kept.append(i * 2)
            return (i + 1,)

        last = tf.while_loop(lambda i: i < n, body, (tf.constant(0),))[0]
        return last + kept[0]

    return raised(branch, tf.constant(1)), raised(loop, tf.constant(2)), count(branch)


@program(eager=False)
def wrong_calls_of_a_concrete_function():
    """Dtypes, numbers of arguments and names that a concrete function does not take."""

    @tf.function
    def f(a, b):
        return a * b

    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32))
    x, two = tf.constant([1, 2]), tf.constant(2)
    good = [concrete(x, two), concrete(a=x, b=two), concrete(x, b=two)]
    wrong = [raised(concrete, x), raised(concrete, x, two, two), raised(concrete, x, c=two), raised(concrete, x, 2.5)]
    wrong += [raised(concrete, tf.constant([1.0]), two), raised(concrete, "a", two)]
    return good, wrong


@program(eager=False)
def wrong_input_signatures():
    """Signatures that are no signatures, have too many specs or too few."""

    def f(a, b):
        return a + b

    spec = tf.TensorSpec([], tf.int32)
    wrong = [
        raised(lambda: tf.function(f, input_signature=[spec])(1, 2)),
        raised(lambda: tf.function(f, input_signature=[spec, spec, spec])(1, 2, 3)),
        raised(lambda: tf.function(f, input_signature=[spec, 3])(1, 3)),
        raised(lambda: tf.function(f, input_signature=spec)(1, 2)),
    ]
    right = tf.function(f, input_signature=(spec, spec))
    return wrong, right(1, 2), right(a=5, b=tf.constant(6))


@program(eager=False)
def unhashable_arguments():
    """Arguments that can neither be hashed nor traced: sets, bytearrays, slices, objects that refuse."""

    class Refuses:
        __hash__ = None

    @tf.function
    def f(x):
        return tf.constant(len(x) if hasattr(x, "__len__") else 0)

    wrong = [raised(f, value) for value in ({1, 2}, bytearray(b"ab"), Refuses())]
    right = [f((1, 2)), f("abc"), f(b"abcd"), f(frozenset({1}))]
    return wrong, right


@program(eager=False)
def branch_functions_that_differ():
    """tf.cond, tf.case and tf.switch_case with branches of other structures, dtypes or numbers of results."""

    @tf.function
    def f(flag, kind):
        pairs = {
            "dtype": (lambda: 1, lambda: 1.0),
            "none": (lambda: tf.constant(1), lambda: None),
            "fine": (lambda: tf.constant(1), lambda: tf.constant(2)),
        }
        return tf.cond(flag, *pairs[kind])

    yes = tf.constant(True)
    errors = [raised(f, yes, kind) for kind in ("dtype", "none")]
    calls = [raised(tf.cond, yes, 1, 2), raised(tf.cond, yes, lambda: 1), raised(tf.switch_case, tf.constant(0), [1])]
    return errors, calls, f(yes, "fine")


@program(eager=False)
def loop_functions_that_differ():
    """tf.while_loop whose body gives other dtypes, shapes or numbers of values."""

    @tf.function
    def f(kind):
        bodies = {
            "dtype": lambda i: (tf.cast(i, tf.float32),),
            "number": lambda i: (i, i),
            "shape": lambda i: (tf.stack([i, i]),),
            "fine": lambda i: (i + 1,),
        }
        return tf.while_loop(lambda i: tf.reduce_all(i < 3), bodies[kind], (tf.constant(0),))

    errors = [raised(f, kind) for kind in ("dtype", "number", "shape")]
    calls = [raised(tf.while_loop, 1, lambda i: i, [0]), raised(tf.while_loop, lambda i: i < 3, 1, [0])]
    calls.append(raised(tf.while_loop, lambda i: i < 3, lambda i: i + 1, []))
    return errors, calls, f("fine")


@program(eager=False, advice=("control.undefined_in_branch",))
def names_that_are_not_defined():
    """Names that only one branch or a loop that may not run sets."""

    @tf.function
    def one_branch(x):
        if x > 0:
            y = x
        return y

    @tf.function
    def in_a_loop(n):
        for i in tf.range(n):
            z = i
        return z

    @tf.function
    def nowhere(x):
        return x + undefined_name

    @tf.function
    def fine(x):
        if x > 0:
            y = x
        else:
            y = -x
        return y

    one = tf.constant(1)
    return raised(one_branch, one), raised(in_a_loop, one), raised(nowhere, one), fine(-one)


@program
def a_stopped_print():
    """What is printed before a failure has been printed, what stands behind has not."""
    sheet = Sheet()

    @tf.function
    def f(a, b):
        tf.print("start", a, output_stream=sheet.stream)
        with tf.control_dependencies([tf.debugging.assert_none_equal(b, 0)]):
            c = a // b
        tf.print("end", c, output_stream=sheet.stream)
        return c

    results = [f(tf.constant(6), tf.constant(3)), raised(f, tf.constant(1), tf.constant(0))]
    return results, sheet.lines()


@program
def several_threads_of_errors():
    """Errors one after the other, of different kinds, from one function."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32), tf.TensorSpec([], tf.int32)])
    def f(x, k):
        picked = tf.gather(x, k)
        shaped = tf.reshape(picked, [1])
        return 10 // shaped

    x = tf.constant([1, 0, 5])
    results = [f(x, tf.constant(0)), raised(f, x, tf.constant(3)), raised(f, x, tf.constant(1))]
    results += [raised(f, tf.constant([[1, 2]]), tf.constant(0)), f(x, tf.constant(2))]
    return results


@program
def gradients_after_an_error():
    """A tape whose body failed records nothing wrong; the next gradient is right."""
    v = tf.Variable(3.0)

    @tf.function
    def f(x):
        tf.debugging.assert_positive(x)
        return v * x * x

    def attempt():
        with tf.GradientTape() as tape:
            y = f(tf.constant(-1.0))
        return tape.gradient(y, v)

    first = raised(attempt)
    with tf.GradientTape() as tape:
        y = f(tf.constant(2.0))
    return first, y, tape.gradient(y, v)


@program
def errors_of_tensor_conversion_inside():
    """Mixing a tensor with a value that cannot be its dtype."""

    @tf.function
    def f(x, y):
        scaled = x * y
        return scaled + 1

    good = [f(tf.constant(2), 3), f(tf.constant(2.0), 3), f(tf.constant([1.0]), 0.5)]
    wrong = [raised(f, tf.constant(2), 0.5), raised(f, tf.constant(2), "a"), raised(f, tf.constant("a"), 2)]
    wrong.append(raised(f, tf.constant(2), None))
    return good, wrong


@program(eager=False)
def a_numpy_function_with_a_wrong_dtype():
    """The dtype that a numpy_function promises must be the one it gives."""

    def half(x):
        return x / 2

    @tf.function
    def wrong(x):
        return tf.numpy_function(half, [x], tf.int32)

    @tf.function
    def right(x):
        y = tf.numpy_function(half, [x], tf.float64)
        return tf.ensure_shape(y, [2])

    x = tf.constant([1, 2], tf.int32)
    return raised(wrong, x), right(x)


@program(eager=False)
def a_base_exception_while_tracing():
    """SystemExit and KeyboardInterrupt are not swallowed, and leave the function usable."""
    stop = [True]

    @tf.function
    def f(x):
        if stop[0]:
            raise KeyboardInterrupt
        return x + 1

    try:
        f(tf.constant(1))
        outcome = "nothing"
    except KeyboardInterrupt:
        outcome = "interrupted"
    stop[0] = False
    return outcome, f(tf.constant(1)), tf.executing_eagerly(), count(f)


@program(eager=False)
def warnings_become_errors_of_their_own():
    """An op called with too many, too few or unknown arguments: TypeError, in both modes."""

    @tf.function
    def f(x, kind):
        if kind == "many":
            return tf.add(x, x, "name", 4)
        if kind == "few":
            return tf.matmul(x)
        if kind == "unknown":
            return tf.reduce_sum(x, dims=0)
        return tf.reduce_sum(x, axis=0)

    x = tf.ones([2])
    wrong = [raised(f, x, kind) for kind in ("many", "few", "unknown")]
    eager = [
        raised(tf.add, x),
        raised(tf.concat, [x]),
        raised(tf.no_such_function if hasattr(tf, "no_such_function") else tf.abs),
    ]
    return wrong, eager, f(x, "fine")
