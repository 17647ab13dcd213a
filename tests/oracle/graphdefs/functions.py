"""Small functions, the names of whose nodes are public behaviour: they stand in GraphDefs, in errors and in pictures."""

from typing import Any, NamedTuple

from tests.oracle.graphdefs import composites, control, effects, gradients, more_composites, more_gradients
from tests.oracle.graphdefs.table import Graph, graph, spec
from tests.oracle.under_test import tf


class Pair(NamedTuple):
    left: Any
    right: Any


# ------------------------------------------------------------------------------------------------------- straight lines


@graph("straight")
def identity():
    return tf.function(lambda x: x), [spec(2)]


@graph("straight")
def add_two_arguments():
    @tf.function
    def f(a, b):
        return a + b

    return f, [spec(2), spec(2)]


@graph("straight")
def add_python_number():
    @tf.function
    def f(x):
        return x + 1.0

    return f, [spec()]


@graph("straight")
def python_number_on_the_left():
    @tf.function
    def f(x):
        return 2.0 - 3.0 * x

    return f, [spec(None)]


@graph("straight")
def all_operators():
    @tf.function
    def f(x, y):
        return -x + y - x * y / x // y % x**y

    return f, [spec(2), spec(2)]


@graph("straight")
def comparison_operators():
    @tf.function
    def f(x, y):
        return x < y, x <= y, x > y, x >= y, x == y, x != y

    return f, [spec(2), spec(2)]


@graph("straight")
def logical_operators():
    @tf.function
    def f(x, y):
        return x & y, x | y, x ^ y, ~x

    return f, [spec(2, dtype=tf.bool), spec(2, dtype=tf.bool)]


@graph("straight")
def same_op_many_times():
    @tf.function
    def f(x):
        return x * x + x * x + x * x

    return f, [spec()]


@graph("straight")
def several_results():
    @tf.function
    def f(x):
        y = x + x
        return y, x, {"twice": y, "b": [y * y]}

    return f, [spec()]


@graph("straight")
def no_arguments():
    return tf.function(lambda: tf.constant(1) + tf.constant(2)), []


@graph("straight")
def python_results():
    @tf.function
    def f():
        return 1, 2.5, "text", True, [3]

    return f, []


@graph("straight")
def constants_with_names():
    @tf.function
    def f(x):
        a = tf.constant([1.0, 2.0], name="weights")
        b = tf.constant(0.5, name="weights")
        return tf.add(tf.multiply(x, a, name="scaled"), b, name="shifted")

    return f, [spec(2)]


@graph("straight")
def names_differing_in_case():
    @tf.function
    def f(x):
        a = tf.identity(x, name="Value")
        b = tf.identity(a, name="value")
        return tf.identity(b, name="VALUE")

    return f, [spec()]


@graph("straight")
def argument_named_like_an_op():
    @tf.function
    def f(add, mul):
        return add + mul * add

    return f, [spec(), spec()]


@graph("straight")
def reductions():
    @tf.function
    def f(x):
        return tf.reduce_sum(x), tf.reduce_mean(x, axis=1), tf.reduce_max(x, 0, keepdims=True), tf.reduce_min(x)

    return f, [spec(2, 3)]


@graph("straight")
def reductions_of_unknown_rank():
    @tf.function
    def f(x):
        return tf.reduce_sum(x), tf.reduce_prod(x, axis=0)

    return f, [tf.TensorSpec(None)]


@graph("straight")
def matrix_product():
    @tf.function
    def f(a, b, c):
        return a @ b + c, tf.matmul(a, b, transpose_a=False)

    return f, [spec(2, 3), spec(3, 2), spec(2)]


@graph("straight")
def dense_layer():
    @tf.function
    def f(x, w, b):
        return tf.nn.softmax(tf.nn.relu(tf.nn.bias_add(x @ w, b)))

    return f, [spec(None, 3), spec(3, 2), spec(2)]


@graph("straight")
def slices():
    @tf.function
    def f(x):
        return x[0], x[1:], x[..., -1], x[:, tf.newaxis]

    return f, [spec(3, 2)]


@graph("straight")
def slice_by_tensor():
    @tf.function
    def f(x, i):
        return x[i], x[i:], x[i, 0]

    return f, [spec(3, 2), spec(dtype=tf.int32)]


@graph("straight")
def shapes_and_reshape():
    @tf.function
    def f(x):
        n = tf.shape(x)[0]
        return tf.reshape(x, [n, -1]), tf.reshape(x, [-1]), tf.size(x), tf.rank(x)

    return f, [spec(None, 2, 2)]


@graph("straight")
def static_shape_is_a_constant():
    @tf.function
    def f(x):
        return tf.shape(x), tf.size(x), tf.rank(x)

    return f, [spec(2, 3)]


@graph("straight")
def concat_stack_split():
    @tf.function
    def f(x, y):
        a, b = tf.split(tf.concat([x, y], axis=0), 2)
        return tf.stack([a, b]), tf.unstack(a)

    return f, [spec(2), spec(2)]


@graph("straight")
def casts():
    @tf.function
    def f(x):
        return tf.cast(x, tf.float32) / 2.0, tf.cast(x, tf.int32), x / 2

    return f, [spec(dtype=tf.int32)]


@graph("straight")
def expand_squeeze_transpose():
    @tf.function
    def f(x):
        return tf.expand_dims(x, 0), tf.squeeze(x), tf.transpose(x), tf.transpose(x, [1, 0])

    return f, [spec(1, 2)]


@graph("straight")
def gather_and_where():
    @tf.function
    def f(x, i):
        return tf.gather(x, i), tf.where(x > 0.0, x, 0.0), tf.where(x > 0.0)

    return f, [spec(3), spec(2, dtype=tf.int32)]


@graph("straight")
def creation():
    @tf.function
    def f(n):
        return tf.zeros([n]), tf.ones([2, 2]), tf.fill([n], 3), tf.range(n), tf.eye(2)

    return f, [spec(dtype=tf.int32)]


@graph("straight")
def zeros_and_ones_like():
    @tf.function
    def f(x):
        return tf.zeros_like(x), tf.ones_like(x), tf.zeros_like(x, dtype=tf.int32)

    return f, [spec(None)]


@graph("straight")
def one_hot_and_argmax():
    @tf.function
    def f(x):
        return tf.one_hot(tf.argmax(x, axis=1), 3)

    return f, [spec(None, 3)]


@graph("straight")
def math_functions():
    @tf.function
    def f(x):
        return tf.exp(x), tf.math.log(x), tf.sqrt(x), tf.square(x), tf.abs(x), tf.sign(x), tf.tanh(x), tf.sigmoid(x)

    return f, [spec()]


@graph("straight")
def clip_and_norm():
    @tf.function
    def f(x):
        return tf.clip_by_value(x, 0.0, 1.0), tf.norm(x), tf.maximum(x, 0.0)

    return f, [spec(2)]


@graph("straight")
def cross_entropy():
    @tf.function
    def f(labels, logits):
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))

    return f, [spec(2, dtype=tf.int32), spec(2, 3)]


@graph("straight")
def strings():
    @tf.function
    def f(x):
        return x + "!", tf.strings.length(x), tf.strings.join([x, x], separator="-"), tf.strings.as_string(tf.size(x))

    return f, [spec(None, dtype=tf.string)]


@graph("straight")
def random_numbers():
    @tf.function
    def f():
        a = tf.random.stateless_uniform([2], seed=[1, 2])
        b = tf.random.uniform([2])
        return a + b, tf.random.normal([1])

    return f, []


@graph("straight")
def dict_and_tuple_arguments():
    @tf.function
    def f(data, pair, *rest, scale=2.0):
        return data["b"] + data["a"] * pair[0] + pair[1] - rest[0] + rest[1] * scale

    return f, [{"b": spec(), "a": spec()}, (spec(), spec()), spec(), spec()]


@graph("straight")
def named_tuple_argument():
    @tf.function
    def f(pair):
        return pair.left * pair.right

    return f, [Pair(spec(), spec())]


@graph("straight")
def named_specs():
    @tf.function
    def f(a, b):
        return a - b

    return f, [spec(name="first"), spec(name="second")]


@graph("straight")
def python_argument_has_no_node():
    @tf.function
    def f(x, n, flag):
        return x * n if flag else x

    return f, [spec(), 3.0, True]


@graph("straight")
def unused_ops_stay_in_the_graph():
    @tf.function
    def f(x):
        x + 10.0
        tf.reduce_sum(x)
        return x * 2.0

    return f, [spec(2)]


@graph("straight")
def einsum_and_tensordot():
    @tf.function
    def f(a, b):
        return tf.einsum("ij,jk->ik", a, b), tf.tensordot(a, b, axes=1)

    return f, [spec(2, 3), spec(3, 2)]


@graph("branches")
def assertions():
    @tf.function
    def f(x):
        tf.debugging.assert_positive(x)
        return x + 1.0

    return f, [spec(2)]


@graph("straight")
def printing():
    @tf.function
    def f(x):
        tf.print("x is", x)
        return x * 2.0

    return f, [spec(2)]


@graph("straight")
def gradient_inside():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    return f, [spec()]


@graph("gradients")
def tf_gradients():
    @tf.function
    def f(x, y):
        return tf.gradients(x * y + tf.sin(x), [x, y])

    return f, [spec(), spec()]


# ------------------------------------------------------------------------------------------------------------- captures


@graph("captures")
def captured_constant():
    c = tf.constant([1.0, 2.0])
    return tf.function(lambda x: x * c + c), [spec(2)]


@graph("captures")
def captured_large_constant():
    c = tf.zeros([40, 40])
    return tf.function(lambda x: x + c), [spec(40, 40)]


@graph("captures")
def captured_variable():
    v = tf.Variable(2.0)
    return tf.function(lambda x: x * v), [spec()]


@graph("captures")
def variable_read_twice():
    v = tf.Variable([1.0, 2.0], name="weights")
    return tf.function(lambda x: x * v + v), [spec(2)]


@graph("captures")
def two_variables():
    w = tf.Variable([[1.0], [2.0]], name="w")
    b = tf.Variable([0.5], name="b")
    return tf.function(lambda x: x @ w + b), [spec(None, 2)]


@graph("captures")
def assignments():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign(x)
        v.assign_add(2.0)
        return v.read_value() * v

    return f, [spec()]


@graph("captures")
def assignment_without_result():
    v = tf.Variable(0)

    @tf.function
    def f():
        v.assign_add(1)

    return f, []


@graph("captures")
def gradient_of_variables():
    w = tf.Variable(3.0)

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            loss = w * x
        return tape.gradient(loss, w)

    return f, [spec()]


# --------------------------------------------------------------------------------------------------------------- scopes


@graph("scopes")
def name_scope():
    @tf.function
    def f(x):
        with tf.name_scope("outer"):
            y = x + 1.0
            with tf.name_scope("inner"):
                z = y * 2.0
        return z - y

    return f, [spec()]


@graph("scopes")
def scope_entered_twice():
    @tf.function
    def f(x):
        for _ in range(2):
            with tf.name_scope("layer"):
                x = tf.nn.relu(x * 2.0)
        return x

    return f, [spec()]


@graph("scopes")
def scope_and_names():
    @tf.function
    def f(x):
        with tf.name_scope("s"):
            a = tf.constant(1.0, name="c")
            b = tf.add(x, a, name="c")
        with tf.name_scope("s/"):
            return tf.add(b, a, name="c")

    return f, [spec()]


@graph("scopes")
def module_scope():
    class Scale(tf.Module):
        def __init__(self):
            super().__init__(name="scale")
            with self.name_scope:
                self.factor = tf.Variable(2.0, name="factor")

        @tf.Module.with_name_scope
        def apply(self, x):
            return x * self.factor

    scale = Scale()
    return tf.function(lambda x: scale.apply(x) + 1.0), [spec()]


# ---------------------------------------------------------------------------------------------------------------- calls


@graph("calls")
def nested_call():
    @tf.function
    def inner(x):
        return x * 2.0

    @tf.function
    def outer(x):
        return inner(x) + 1.0

    return outer, [spec()]


@graph("calls")
def nested_call_twice():
    @tf.function
    def inner(x, y):
        return x - y, x

    @tf.function
    def outer(x):
        a, b = inner(x, x)
        c, d = inner(a, b)
        return c * d

    return outer, [spec(2)]


@graph("calls")
def nested_call_with_effects():
    v = tf.Variable(0.0)

    @tf.function
    def inner(x):
        return v.assign_add(x) * 1.0

    @tf.function
    def outer(x):
        return inner(x) + inner(x)

    return outer, [spec()]


# A chain of calls, a call in a scope, gradients through a call.


@graph("calls")
def call_in_a_call():
    @tf.function
    def innermost(x):
        return x + 1.0

    @tf.function
    def inner(x):
        return innermost(x) * 2.0

    @tf.function
    def outer(x):
        return inner(x) - innermost(x)

    return outer, [spec()]


@graph("calls")
def call_in_a_scope():
    @tf.function
    def inner(x):
        return x * 2.0

    @tf.function
    def outer(x):
        with tf.name_scope("part"):
            return inner(x) + 1.0

    return outer, [spec()]


@graph("calls")
def calls_of_several_shapes():
    @tf.function
    def inner(x):
        return tf.reduce_sum(x)

    @tf.function
    def outer(x, y):
        return inner(x) + inner(y) + inner(x)

    return outer, [spec(2), spec(3)]


@graph("calls")
def call_reads_a_variable():
    v = tf.Variable(2.0)

    @tf.function
    def inner(x):
        return x * v

    @tf.function
    def outer(x):
        return inner(x) + v

    return outer, [spec()]


@graph("calls")
def call_captures_a_tensor():
    @tf.function
    def outer(x):
        y = x * 3.0

        @tf.function
        def inner(z):
            return z + y

        return inner(x)

    return outer, [spec()]


@graph("calls")
def call_of_a_method():
    class Layer(tf.Module):
        def __init__(self):
            super().__init__(name="layer")
            self.w = tf.Variable(2.0, name="w")

        @tf.function
        def __call__(self, x):
            return x * self.w

    layer = Layer()
    return tf.function(lambda x: layer(layer(x))), [spec()]


@graph("gradients")
def gradient_through_a_call():
    @tf.function
    def square(x):
        return x * x

    @tf.function
    def outer(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = square(x)
        return tape.gradient(y, x)

    return outer, [spec()]


@graph("gradients")
def gradient_of_a_layer():
    @tf.function
    def f(x, w, b):
        with tf.GradientTape() as tape:
            tape.watch([w, b])
            loss = tf.reduce_mean(tf.square(tf.nn.relu(x @ w + b)))
        return tape.gradient(loss, [w, b])

    return f, [spec(4, 3), spec(3, 2), spec(2)]


@graph("gradients")
def gradient_of_many_ops():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.exp(x) + tf.sin(x) * tf.tanh(x) - tf.sigmoid(x) / tf.sqrt(x)
        return tape.gradient(y, x)

    return f, [spec()]


@graph("gradients")
def second_gradient():
    @tf.function
    def f(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x
            g = inner.gradient(y, x)
        return outer.gradient(g, x)

    return f, [spec()]


@graph("gradients")
def gradients_with_initial_ones():
    @tf.function
    def f(x, y):
        z = x * y
        return tf.gradients([z, x + y], [x, y], grad_ys=[z, None])

    return f, [spec(2), spec(2)]


GRAPHS = [value for value in list(vars().values()) if isinstance(value, Graph)] + control.GRAPHS + composites.GRAPHS
GRAPHS += more_composites.GRAPHS + effects.GRAPHS + gradients.GRAPHS + more_gradients.GRAPHS
