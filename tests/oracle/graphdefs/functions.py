"""Small functions, the names of whose nodes are public behaviour: they stand in GraphDefs, in errors and in pictures."""

from collections.abc import Callable
from typing import Any, NamedTuple

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


@graph("straight")
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


# One call each: the names inside a function that is made of several ops are public too.
ONE_CALL = {
    "abs_of_int": (lambda x: abs(x), [spec(2, dtype=tf.int32)]),
    "argsort": (lambda x: tf.argsort(x), [spec(3)]),
    "sort": (lambda x: tf.sort(x, direction="DESCENDING"), [spec(3)]),
    "top_k": (lambda x: tuple(tf.math.top_k(x, 2)), [spec(3)]),
    "unique": (lambda x: tuple(tf.unique(x)), [spec(3)]),
    "cumsum": (lambda x: tf.cumsum(x, axis=0, reverse=True), [spec(3)]),
    "reduce_logsumexp": (lambda x: tf.reduce_logsumexp(x), [spec(3)]),
    "reduce_std": (lambda x: tf.math.reduce_std(x), [spec(3)]),
    "reduce_variance": (lambda x: tf.math.reduce_variance(x, axis=0), [spec(2, 2)]),
    "reduce_any_and_all": (lambda x: (tf.reduce_any(x), tf.reduce_all(x, axis=0)), [spec(2, dtype=tf.bool)]),
    "moments": (lambda x: tf.nn.moments(x, axes=[0]), [spec(3, 2)]),
    "softmax_first_axis": (lambda x: tf.nn.softmax(x, axis=0), [spec(3, 2)]),
    "log_softmax": (lambda x: tf.nn.log_softmax(x), [spec(3)]),
    "sigmoid_cross_entropy": (
        lambda a, b: tf.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=b),
        [spec(2), spec(2)],
    ),
    "softmax_cross_entropy": (
        lambda a, b: tf.nn.softmax_cross_entropy_with_logits(labels=a, logits=b),
        [spec(2, 3), spec(2, 3)],
    ),
    "gelu": (lambda x: tf.nn.gelu(x), [spec(2)]),
    "swish": (lambda x: tf.nn.silu(x), [spec(2)]),
    "leaky_relu": (lambda x: tf.nn.leaky_relu(x), [spec(2)]),
    "l2_normalize": (lambda x: tf.math.l2_normalize(x, axis=0), [spec(2)]),
    "clip_by_norm": (lambda x: tf.clip_by_norm(x, 1.0), [spec(2)]),
    "squared_difference": (lambda x, y: tf.math.squared_difference(x, y), [spec(2), spec(2)]),
    "add_n": (lambda x, y: tf.add_n([x, y, x]), [spec(2), spec(2)]),
    "logical_xor": (lambda x, y: tf.math.logical_xor(x, y), [spec(dtype=tf.bool), spec(dtype=tf.bool)]),
    "pad": (lambda x: tf.pad(x, [[1, 1]]), [spec(2)]),
    "pad_with_value": (lambda x: tf.pad(x, [[1, 1]], constant_values=5.0), [spec(2)]),
    "tile_and_repeat": (lambda x: (tf.tile(x, [2]), tf.repeat(x, 2)), [spec(2)]),
    "reverse_and_roll": (lambda x: (tf.reverse(x, [0]), tf.roll(x, 1, 0)), [spec(3)]),
    "broadcast_to": (lambda x: tf.broadcast_to(x, [2, 3]), [spec(3)]),
    "split_by_sizes": (lambda x: tf.split(x, [1, 2]), [spec(3)]),
    "slice": (lambda x: tf.slice(x, [1], [2]), [spec(4)]),
    "boolean_mask": (lambda x, m: tf.boolean_mask(x, m), [spec(3), spec(3, dtype=tf.bool)]),
    "gather_nd": (lambda x, i: tf.gather_nd(x, i), [spec(3), spec(2, 1, dtype=tf.int32)]),
    "scatter_nd": (lambda i, u: tf.scatter_nd(i, u, [4]), [spec(2, 1, dtype=tf.int32), spec(2)]),
    "tensor_scatter": (
        lambda x, i, u: tf.tensor_scatter_nd_update(x, i, u),
        [spec(3), spec(2, 1, dtype=tf.int32), spec(2)],
    ),
    "segment_sum": (lambda x, s: tf.math.segment_sum(x, s), [spec(3), spec(3, dtype=tf.int32)]),
    "linspace": (lambda a, b: tf.linspace(a, b, 3), [spec(), spec()]),
    "range_of_floats": (lambda n: tf.range(0.0, n, 0.5), [spec()]),
    "eye_of_unknown_size": (lambda n: tf.eye(n), [spec(dtype=tf.int32)]),
    "matrix_functions": (
        lambda x: (tf.linalg.inv(x), tf.linalg.det(x), tf.linalg.trace(x), tf.linalg.diag_part(x)),
        [spec(2, 2)],
    ),
    "diag_and_band_part": (lambda x: (tf.linalg.diag(x), tf.linalg.band_part(tf.linalg.diag(x), 0, -1)), [spec(2)]),
    "norm_of_axis": (lambda x: tf.norm(x, axis=1), [spec(2, 2)]),
    "round_floor_ceil": (lambda x: (tf.round(x), tf.floor(x), tf.math.ceil(x), tf.math.rint(x)), [spec(2)]),
    "string_functions": (
        lambda s: (tf.strings.upper(s), tf.strings.substr(s, 0, 2), tf.strings.regex_replace(s, "a", "b")),
        [spec(2, dtype=tf.string)],
    ),
    "stateless_integers": (
        lambda seed: tf.random.stateless_uniform([2], seed, 0, 10, tf.int32),
        [spec(2, dtype=tf.int32)],
    ),
    "stateless_normal": (lambda seed: tf.random.stateless_normal([2], seed, 1.0, 2.0), [spec(2, dtype=tf.int32)]),
    "truth_of_numbers": (lambda x: (x > 1) & ~(x < 3), [spec(dtype=tf.int32)]),
    "mixed_constants": (lambda x: x * [1.0, 2.0] + tf.constant(3.0) - 1, [spec(2)]),
    "integer_division": (lambda x: (x / 2, x // 2, x % 2, 7 // x), [spec(dtype=tf.int32)]),
    "identity_n_and_group": (lambda x: tf.identity_n([x, x * 2.0]), [spec()]),
    "bitcast_and_cast": (lambda x: (tf.bitcast(x, tf.int32), tf.cast(x, tf.bool)), [spec(2)]),
}


def one_call(name: str, function: Callable[..., Any], arguments: list[Any]) -> Graph:
    def build() -> tuple[Any, list[Any]]:
        return tf.function(function), arguments

    build.__name__ = name
    return Graph(build, "one_call")


GRAPHS = [value for value in list(vars().values()) if isinstance(value, Graph)]
GRAPHS += [one_call(name, function, arguments) for name, (function, arguments) in ONE_CALL.items()]
