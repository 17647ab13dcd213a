"""Python functions as decorators, and the signs and sizes that reductions and scatters keep."""

import collections
import copy

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def python_functions_by_decorator():
    """tf.py_function and tf.numpy_function without a function decorate one."""

    @tf.py_function(Tout=tf.float32)
    def scaled(x, y=2.0):
        return x * y

    @tf.numpy_function(Tout=[tf.float32, tf.float32])
    def both(x):
        return np.float32(x + 1), np.float32(x)

    @tf.function
    def traced(x):
        a = scaled(x)
        b, c = both(a)
        return a, b, c, scaled(x, 7.0)

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = scaled(x)
    refused = [
        raised(lambda: tf.py_function(lambda v: v, [1.0])),
        raised(lambda: tf.py_function(lambda: 1.0, Tout=tf.float32)),
        raised(tf.py_function),
        raised(tf.numpy_function, None, [1.0], tf.float32),
    ]
    return traced(x), scaled(x), tape.gradient(y, x), refused, scaled.__name__


@program
def sums_of_one_element_keep_its_sign():
    """-0.0 added to nothing stays -0.0; running sums begin at 0."""
    negative = tf.constant([[-0.0], [1.0]])

    @tf.function
    def sums(x):
        return tf.reduce_sum(x, 1), tf.reduce_mean(x, 1, keepdims=True), tf.cumsum(x, 1), tf.reduce_sum(x, 0)

    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def unknown(x):
        return tf.reduce_sum(x, 1), tf.reduce_sum(x)

    eager = tf.reduce_sum(negative, 1), tf.reduce_sum(negative[:1]), tf.reduce_sum(negative[0][0])
    signs = [1.0 / t for t in (*sums(negative)[:3], *eager, *unknown(negative), *unknown(negative[:1]))]
    return signs, unknown(negative[:1]), unknown(tf.zeros([2, 0]))


@program(eager=False)
def axes_that_a_tensor_does_not_have():
    """A scalar has no axis 0; an axis given twice is told when the graph runs."""

    @tf.function
    def along(x, axis):
        return tf.reduce_sum(x, axis)

    @tf.function(input_signature=[tf.TensorSpec(None)])
    def first(x):
        return tf.reduce_max(x, 0)

    scalar = tf.constant(5.0)
    eager = [raised(f, scalar, 0) for f in (tf.reduce_sum, tf.reduce_prod, tf.reduce_max, tf.reduce_min)]
    eager += [raised(tf.reduce_sum, scalar, -1), raised(tf.reduce_any, tf.constant(True), 0)]
    traced = raised(along, scalar, [0]), raised(along, tf.constant([5.0]), [0, -1]), raised(first, scalar)
    return eager, traced, along(tf.constant([1.0, 2.0]), [0]), first(tf.constant([1.0, 2.0])), along(scalar, [])


@program(eager=False)
def scatters_into_nothing():
    """Indices for a tensor without elements are refused while tracing."""

    @tf.function
    def update(size):
        return tf.tensor_scatter_nd_update(tf.zeros([size]), [[0]], [1.0])

    @tf.function
    def fresh(size):
        return tf.scatter_nd([[0]], tf.ones([1, 0]), [size, 0])

    @tf.function
    def nothing(size):
        return tf.tensor_scatter_nd_add(tf.zeros([size]), tf.zeros([0, 1], tf.int32), tf.zeros([0]))

    refused = raised(update, 0), raised(fresh, 2)
    eager = raised(tf.tensor_scatter_nd_max, tf.zeros([0]), [[0]], [1.0])
    return refused, eager, update(2), nothing(0)


@program(eager=False)
def shallow_copies_of_variables():
    """copy.copy shares the storage, copy.deepcopy does not; validate_shape changes nothing."""
    v = tf.Variable([1.0, 2.0])
    same, other = copy.copy(v), copy.deepcopy(v)

    @tf.function
    def write():
        same.assign([5.0, 6.0])
        return v + other

    total = write()
    free = tf.Variable([1.0], validate_shape=False)
    wide = tf.Variable([1.0], validate_shape=False, shape=[None])
    wide.assign([1.0, 2.0])
    return total, v, same, other, same is v, str(free.shape), raised(free.assign, [1.0, 2.0]), wide


@program(eager=False)
def equations_and_sizes_that_make_no_sense():
    """Output labels of einsum that are in no input, or twice; negative sizes."""

    @tf.function
    def summed(equation):
        return tf.einsum(equation, tf.ones([2, 2]), tf.ones([2, 2]))

    @tf.function
    def filled(sizes):
        return tf.fill(sizes, 1.0)

    bad = [raised(summed, e) for e in ("ij,kl->im", "ij,jk->ii", "ij,jk->ik,l")]
    eager = raised(tf.einsum, "ij->k", tf.ones([2, 2])), raised(tf.einsum, "ij->ii", tf.ones([2, 2]))
    return bad, eager, summed("ij,jk->ki"), raised(filled, [-1]), raised(filled, [2, -1]), filled([2])


@program
def loop_variables_in_named_tuples():
    """The body of a loop gives a named tuple, a tuple or a list for the variables."""
    Pair = collections.namedtuple("Pair", "a b")
    One = collections.namedtuple("One", "a")

    @tf.function
    def pairs(n):
        start = Pair(tf.constant(0), tf.constant(1))
        named = tf.while_loop(lambda a, b: a < n, lambda a, b: Pair(a + 1, b * 2), start)
        plain = tf.while_loop(lambda a, b: a < n, lambda a, b: Pair(a + 1, b * 2), tuple(start))
        limited = tf.while_loop(lambda a, b: a < n, lambda a, b: Pair(a + 1, b * 2), start, maximum_iterations=2)
        inner = tf.while_loop(lambda p: p.a < n, lambda p: [Pair(p.a + 1, p.b * 2)], [start])
        return named, tuple(plain), limited, inner[0]

    @tf.function
    def one(n):
        return tf.while_loop(lambda a: a < n, lambda a: One(a + 1), One(tf.constant(0)))

    n = tf.constant(4)
    missing = raised(tf.while_loop, lambda p: p.a < n, lambda p: Pair(p.a + 1, p.b), [Pair(tf.constant(0), 1)])
    bare = raised(tf.while_loop, lambda d: d["a"] < n, lambda d: {"a": d["a"] + 1}, [{"a": tf.constant(0)}])
    return pairs(n), one(n), missing, bare


@program(eager=False)
def sequences_times_whole_numbers():
    """A sequence that is no tensor is repeated, eagerly; traced it is refused."""

    @tf.function
    def traced(x):
        return x * "ab"

    three, one = tf.constant(3), tf.Variable(1)
    repeated = three * "ab", three * b"x", three * (1, "a"), one * [None], tf.constant(-1) * "ab"
    refused = [raised(lambda: tf.constant([2]) * "ab"), raised(lambda: tf.constant([2]) * [1, "a"])]
    return repeated, refused, raised(lambda: "ab" * three), raised(traced, three), three * [1, 2]


@program(eager=False)
def branches_that_give_nothing():
    """None from both branches is None; an operation in both is a tensor; None and something else do not fit."""
    v = tf.Variable(0)

    @tf.function
    def nothing(p):
        a = tf.cond(p, lambda: None, lambda: None)
        b = tf.switch_case(tf.cast(p, tf.int32), [lambda: None, lambda: None])
        c = tf.cond(p, lambda: (None, 1), lambda: (None, 2))
        return a, b, c, tf.cond(p, list, list)

    @tf.function
    def effects(p):
        done = tf.cond(p, lambda: v.assign_add(1, read_value=False), lambda: tf.no_op())
        return done.dtype.name, str(done.shape), v.read_value()

    @tf.function
    def mixed(p):
        return tf.cond(p, lambda: 1, lambda: None)

    yes, no = tf.constant(True), tf.constant(False)
    return nothing(yes), nothing(no), effects(yes), effects(no), raised(mixed, yes)
