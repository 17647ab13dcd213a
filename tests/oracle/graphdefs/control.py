"""Small functions with branches and loops."""

from tests.oracle.graphdefs.table import Graph, graph, spec
from tests.oracle.under_test import tf

# ------------------------------------------------------------------------------------------------------------- branches


@graph("branches")
def cond():
    @tf.function
    def f(x):
        return tf.cond(x > 0.0, lambda: x * 2.0, lambda: x - 1.0)

    return f, [spec()]


@graph("branches")
def autograph_if():
    @tf.function
    def f(x):
        if x > 0.0:
            y = x * 2.0
        else:
            y = -x
        return y

    return f, [spec()]


@graph("branches")
def if_with_effects():
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        if x > 0.0:
            v.assign(x)
        return v.read_value()

    return f, [spec()]


@graph("branches")
def switch_case():
    @tf.function
    def f(i, x):
        return tf.switch_case(i, [lambda: x, lambda: x * 2.0, lambda: x * 3.0])

    return f, [spec(dtype=tf.int32), spec()]


@graph("branches")
def if_in_if():
    @tf.function
    def f(x, y):
        if x > 0.0:
            if y > 0.0:
                x = x + y
            else:
                x = x - y
        return x

    return f, [spec(), spec()]


@graph("branches")
def cond_with_several_results():
    @tf.function
    def f(x, y):
        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: (x + y, y), lambda: (x - y, y * 2.0))

    return f, [spec(2), spec(2)]


@graph("branches")
def cond_in_a_scope():
    @tf.function
    def f(x):
        with tf.name_scope("outer"):
            y = tf.cond(x > 0.0, lambda: tf.sin(x), lambda: tf.cos(x), name="choose")
        return y + 1.0

    return f, [spec()]


@graph("branches")
def two_ifs():
    @tf.function
    def f(x):
        if x > 0.0:
            x = x * 2.0
        if x < 1.0:
            x = x + 1.0
        return x

    return f, [spec()]


@graph("branches")
def if_reads_a_variable():
    v = tf.Variable(3.0)

    @tf.function
    def f(x):
        if x > 0.0:
            y = v + x
        else:
            y = v * 2.0
        return y

    return f, [spec()]


@graph("branches")
def if_with_early_return():
    @tf.function
    def f(x):
        if x > 0.0:
            return x * 2.0
        return x - 1.0

    return f, [spec()]


@graph("branches")
def elif_chain():
    @tf.function
    def f(x):
        if x > 1.0:
            y = 1.0
        elif x > 0.0:
            y = x
        else:
            y = -x
        return y

    return f, [spec()]


@graph("branches")
def scope_in_a_branch():
    @tf.function
    def f(x):
        def inside():
            with tf.name_scope("deep"):
                return x * 2.0 + 1.0

        return tf.cond(x > 0.0, inside, lambda: x)

    return f, [spec()]


@graph("branches")
def call_in_a_branch():
    @tf.function
    def double(x):
        return x * 2.0

    @tf.function
    def f(x):
        if x > 0.0:
            x = double(x)
        return x

    return f, [spec()]


@graph("branches")
def switch_case_with_default():
    @tf.function
    def f(i, x):
        return tf.switch_case(i, {0: lambda: x + 1.0, 1: lambda: x * 2.0}, default=lambda: x)

    return f, [spec(dtype=tf.int32), spec()]


@graph("branches")
def case_of_predicates():
    @tf.function
    def f(x):
        return tf.case([(x < 0.0, lambda: -x), (x < 1.0, lambda: x * x)], default=lambda: x)

    return f, [spec()]


@graph("branches")
def branch_in_a_call():
    @tf.function
    def positive(x):
        return tf.cond(x > 0.0, lambda: x, lambda: -x)

    @tf.function
    def f(x):
        return positive(x) + positive(x + 1.0)

    return f, [spec()]


# ---------------------------------------------------------------------------------------------------------------- loops


@graph("loops")
def while_loop():
    @tf.function
    def f(n):
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), (tf.constant(0), tf.constant(0)))

    return f, [spec(dtype=tf.int32)]


@graph("loops")
def autograph_while():
    @tf.function
    def f(x):
        while x < 100.0:
            x = x * 2.0
        return x

    return f, [spec()]


@graph("loops")
def for_over_range():
    @tf.function
    def f(n):
        total = 0
        for i in tf.range(n):
            total += i
        return total

    return f, [spec(dtype=tf.int32)]


@graph("loops")
def for_over_tensor():
    @tf.function
    def f(xs):
        total = tf.constant(0.0)
        for x in xs:
            total += x
        return total

    return f, [spec(None)]


@graph("loops")
def if_in_a_loop():
    @tf.function
    def f(n):
        total = 0
        for i in tf.range(n):
            if i % 2 == 0:
                total += i
        return total

    return f, [spec(dtype=tf.int32)]


@graph("loops")
def while_loop_with_a_limit():
    @tf.function
    def f(x):
        return tf.while_loop(lambda x: x < 100.0, lambda x: (x * 2.0,), (x,), maximum_iterations=5)

    return f, [spec()]


@graph("loops")
def while_with_captures():
    v = tf.Variable(2.0)

    @tf.function
    def f(x, step):
        while x < 100.0:
            x = x * v + step
        return x

    return f, [spec(), spec()]


@graph("loops")
def loop_in_a_loop():
    @tf.function
    def f(n):
        i = 0
        total = 0
        while i < n:
            j = 0
            while j < i:
                total += j
                j += 1
            i += 1
        return total

    return f, [spec(dtype=tf.int32)]


@graph("loops")
def loop_in_a_branch():
    @tf.function
    def f(x):
        if x > 0.0:
            while x < 10.0:
                x = x * 2.0
        return x

    return f, [spec()]


@graph("loops")
def loop_in_a_scope():
    @tf.function
    def f(x):
        with tf.name_scope("repeat"):
            (y,) = tf.while_loop(lambda x: x < 9.0, lambda x: (x + 1.0,), (x,), name="loop")
        return y

    return f, [spec()]


@graph("loops")
def loop_with_assignments():
    v = tf.Variable(0)

    @tf.function
    def f(n):
        while v < n:
            v.assign_add(1)

    return f, [spec(dtype=tf.int32)]


@graph("loops")
def loop_with_break():
    @tf.function
    def f(n):
        total = 0
        i = 0
        while i < n:
            if total > 10:
                break
            total += i
            i += 1
        return total

    return f, [spec(dtype=tf.int32)]


GRAPHS = [value for value in list(vars().values()) if isinstance(value, Graph)]
