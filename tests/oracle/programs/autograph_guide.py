"""Python that AutoGraph converts, and Python that it leaves alone."""

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def python_loops_unroll_and_tensor_loops_do_not():
    """Lists of tensors are unrolled, tensors are looped over, in one function with helpers."""

    def total(values):
        s = tf.constant(0)
        for value in values:
            s += value
        return s

    @tf.function
    def f(t, n):
        parts = [total(t), total([t[0], t[1]]), total(range(n))]
        return parts, total(tf.range(n)), [x * 2 for x in range(3)]

    results = f(tf.constant([1, 2, 3]), 4)
    nodes = [op.type for op in f.get_concrete_function(tf.constant([1, 2, 3]), 2).graph.get_operations()]
    return results, nodes.count("While") + nodes.count("StatelessWhile")


@program(eager=False)
def logic_of_tensors():
    """and, or, not, chained comparisons, in and conditional expressions of tensors."""
    sheet = Sheet()

    def noisy(x):
        tf.print("asked", x, output_stream=sheet.stream)
        return x > 2

    @tf.function
    def f(a, b):
        both = a > 0 and noisy(b)
        either = a > 0 or noisy(b)
        neither = not (a > 0 or b > 0)
        between = 0 < a < 3
        larger = a if a > b else b
        return both, either, neither, between, larger

    results = [f(tf.constant(a), tf.constant(b)) for a, b in [(1, 2), (-1, 5), (-1, -1)]]
    return results, sheet.lines()


@program(eager=False)
def lists_of_a_loop():
    """A list appended to in a loop of the graph needs a TensorArray's help: stacked at the end."""

    @tf.function
    def running(x):
        out = []
        s = 0.0
        for value in [1.0, 2.0, 3.0]:
            s = s + value * x
            out.append(s)
        return tf.stack(out), len(out)

    @tf.function
    def graph_loop(x):
        out = tf.TensorArray(tf.float32, size=tf.size(x))
        s = 0.0
        for i in tf.range(tf.size(x)):
            s += x[i]
            out = out.write(i, s)
        return out.stack()

    return running(tf.constant(2.0)), graph_loop(tf.constant([1.0, 2.0, 3.0])), graph_loop(tf.zeros([0]))


@program(eager=False)
def functions_inside_of_functions():
    """Closures, defaults, recursion on Python numbers, decorators and lambdas inside of a traced function."""

    def twice(g):
        def wrapper(x):
            return g(g(x))

        return wrapper

    @tf.function
    def f(x, n):
        @twice
        def step(y):
            if y > 10:
                return y - 10
            return y + n

        def factorial(k):
            return 1 if k <= 1 else k * factorial(k - 1)

        pick = {"double": lambda v: v * 2, "negate": lambda v: -v}
        return step(x), factorial(n), [pick[name](x) for name in sorted(pick)]

    return f(tf.constant(3), 4), f(tf.constant(20), 4), f(tf.constant(9), 5)


@program
def what_autograph_gives_as_code():
    """The converted function by itself, unconverted parts, and the same with autograph off."""

    def absolute(x):
        if x < 0:
            return -x
        return x

    converted = tf.autograph.to_graph(absolute)
    with tf.Graph().as_default() as graph:
        y = converted(tf.constant(-3))
        kinds = {op.type for op in graph.get_operations()}
    off = tf.function(absolute, autograph=False)
    plain = tf.function(tf.autograph.experimental.do_not_convert(absolute))
    wrong = raised(off, tf.constant(1)), raised(plain, tf.constant(1))
    return (
        y.shape.as_list(),
        "StatelessIf" in kinds or "If" in kinds,
        tf.function(absolute)(tf.constant(-3)),
        type(wrong).__name__,
    )


@program(advice=("effect.mutation",))
def errors_caught_by_python():
    """try, with and raise run while tracing; what they catch is Python's."""
    log = []

    class Note:
        def __enter__(self):
            log.append("in")

        def __exit__(self, kind, error, trace):
            log.append(kind.__name__ if kind else "out")
            return kind is KeyError

    @tf.function
    def f(x, table):
        try:
            y = x + table["missing"]
        except KeyError:
            y = x - 1
        finally:
            log.append("finally")
        with Note():
            y = y * table["factor"]
        if isinstance(x, tf.Tensor) and x.dtype == tf.int32:
            y += 100
        return y

    results = f(tf.constant(1), {"factor": 3}), f(tf.constant(1), {})
    return results, log
