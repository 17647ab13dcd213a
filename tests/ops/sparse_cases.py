"""Programs with sparse tensors, as expressions of `tf`; what they give is told the same way for both libraries."""

from __future__ import annotations

from typing import Any

SETUP = """
S = tf.SparseTensor
a = S([[0, 1], [0, 3], [2, 0]], [1., 2., 3.], [3, 4])
b = S([[0, 1], [1, 1]], [5., -6.], [3, 4])
u = S([[2, 0], [0, 1]], [7., 8.], [3, 4])
v = S([[1], [3]], [1., 2.], [4])
c = S([[0, 0, 1], [1, 1, 0]], [1., 2.], [2, 2, 2])
z = S(tf.zeros([0, 2], tf.int64), tf.zeros([0]), [2, 3])
w = S([[0], [2]], ['x', 'y'], [3])
j = S([[0, 1], [1, 0]], [1 + 2j, 3 - 1j], [2, 2])
d = tf.reshape(tf.range(12.), [3, 4])
sp = tf.sparse
"""

VALUES = [
    "sp.from_dense([[0, 1], [2, 0]])",
    "sp.from_dense([float('nan'), 0., -0.])",
    "sp.from_dense(['a', ''])",
    "sp.from_dense([True, False])",
    "sp.from_dense(5)",
    "sp.to_dense(a)",
    "sp.to_dense(a, 9)",
    "sp.to_dense(w)",
    "sp.to_dense(z)",
    "sp.to_dense(u)",
    "sp.to_dense(u, validate_indices=False)",
    "sp.to_dense(S([[0, 9]], [1.], [3, 4]))",
    "sp.to_dense(S([[0, 0], [0, 0]], [1., 2.], [3, 4]))",
    "sp.to_dense(d)",
    "sp.reorder(u)",
    "sp.reorder(c)",
    "sp.reshape(a, [2, 6])",
    "sp.reshape(a, [-1])",
    "sp.reshape(a, [5, -1])",
    "sp.reshape(a, [-1, -1])",
    "sp.reshape(a, [5, 5])",
    "sp.reshape(S(tf.zeros([0, 2], tf.int64), tf.zeros([0]), [0, 3]), [-1, 3])",
    "sp.slice(a, [0, 1], [2, 3])",
    "sp.slice(a, [0, 1], [9, 9])",
    "sp.slice(a, [1, 1], [1, 2])",
    "sp.add(a, b)",
    "sp.add(a, a, threshold=2.5)",
    "sp.add(a, b, threshold=6.5)",
    "sp.add(a, z)",
    "sp.add(z, z)",
    "sp.add(a, d)",
    "sp.add(d, a)",
    "sp.add(a, v)",
    "sp.add(a, S([[0, 0]], [1.], [3, 5]))",
    "sp.add(d, d)",
    "sp.concat(0, [a, b])",
    "sp.concat(1, [a, b])",
    "sp.concat(-1, [a, b])",
    "sp.concat(0, [w, w])",
    "sp.concat(0, [a, v])",
    "sp.concat(2, [a, b])",
    "sp.concat(1, [a, S([[0, 0]], [1.], [5, 5])])",
    "sp.concat(1, [a, S([[0, 0]], [1.], [5, 5])], expand_nonconcat_dims=True)",
    "sp.expand_dims(a)",
    "sp.expand_dims(a, 0)",
    "sp.expand_dims(a, 1)",
    "sp.expand_dims(a, -2)",
    "sp.transpose(a)",
    "sp.transpose(c, [1, 0, 2])",
    "sp.transpose(a, [0])",
    "sp.reduce_sum(a)",
    "sp.reduce_sum(a, 0)",
    "sp.reduce_sum(a, -1, keepdims=True)",
    "sp.reduce_sum(a, [0, 1])",
    "sp.reduce_sum(c, [0, 2])",
    "sp.reduce_sum(u, 1)",
    "sp.reduce_sum(z, 1)",
    "sp.reduce_sum(a, 1, output_is_sparse=True)",
    "sp.reduce_sum(a, 1, keepdims=True, output_is_sparse=True)",
    "sp.reduce_sum(a, 5)",
    "sp.reduce_max(a)",
    "sp.reduce_max(b, 1)",
    "sp.reduce_max(b, 0, True)",
    "sp.reduce_max(z, 1)",
    "sp.reduce_max(b, 1, output_is_sparse=True)",
    "sp.sparse_dense_matmul(a, tf.ones([4, 2]))",
    "sp.sparse_dense_matmul(a, tf.ones([3, 2]), adjoint_a=True)",
    "sp.sparse_dense_matmul(a, tf.ones([2, 4]), adjoint_b=True)",
    "sp.sparse_dense_matmul(tf.ones([2, 3]), a)",
    "sp.sparse_dense_matmul(d, a, adjoint_b=True)",
    "sp.sparse_dense_matmul(j, tf.constant([[1j, 2], [3, 4 - 1j]], tf.complex128), adjoint_a=True)",
    "sp.sparse_dense_matmul(a, tf.ones([3, 2]))",
    "sp.sparse_dense_matmul(S([[0, 9]], [1.], [3, 4]), tf.ones([4, 2]))",
    "sp.retain(a, [True, False, True])",
    "sp.retain(a, [True, False])",
    "sp.map_values(tf.square, a)",
    "sp.map_values(tf.add, a, a)",
    "sp.map_values(tf.add, a, 2)",
    "sp.map_values(tf.add, a, b)",
    "sp.map_values(tf.reduce_sum, a)",
    "sp.map_values(tf.add, 1, 2)",
    "sp.eye(2)",
    "sp.eye(2, 3, tf.int32)",
    "sp.eye(3, 2)",
    "sp.fill_empty_rows(b, 9.)",
    "sp.fill_empty_rows(u, 1.)",
    "sp.fill_empty_rows(z, 1.)",
    "sp.softmax(a)",
    "sp.softmax(c)",
    "sp.segment_sum(d, [0, 1, 2], [0, 0, 1])",
    "sp.segment_sum(d, [0, 1], [0, 3], num_segments=5)",
    "sp.segment_sum(d, [0, 7], [0, 0])",
    "sp.segment_sum(d, [0, 1], [1, 0])",
    "sp.segment_sum(tf.constant([1, 2, 3]), [2, 2], [0, 1])",
    "sp.segment_mean(d, [0, 1, 2], [0, 0, 1])",
    "sp.segment_mean(d, [0, 1], [0, 3], num_segments=5)",
    "sp.segment_sqrt_n(d, [0, 1, 2], [0, 0, 1])",
    "sp.split(a, 2, 1)",
    "sp.split(a, 3, 1)",
    "sp.split(a, 9, 1)",
    "sp.to_indicator(S([[0, 0], [0, 1], [1, 0]], tf.constant([2, 3, 1], tf.int64), [2, 2]), 5)",
    "sp.to_indicator(S([[0, 0]], tf.constant([7], tf.int64), [2, 2]), 5)",
    "sp.reset_shape(S([[1, 0]], [5], [9, 9]))",
    "sp.reset_shape(a, [4, 5])",
    "sp.reset_shape(a, [2, 5])",
    "sp.reset_shape(a, [2, 5, 1])",
    "sp.maximum(a, b)",
    "sp.minimum(a, b)",
    "sp.maximum(a, v)",
    "a * tf.constant([1., 2., 3., 4.])",
    "a * d",
    "d * a",
    "a * 2",
    "a / d",
    "a / 2",
    "a / tf.constant([[1.], [2.], [4.]])",
    "a * tf.ones([5])",
    "S([[0]], [7], [2]) / 2",
    "S([[0]], [-7], [2]) / 2",
    "a + 1",
    "-a",
    "a[0]",
    "a.with_values([1, 2])",
    "a.with_values([1, 2, 3])",
    "a._type_spec",
    "a.shape",
    "tf.type_spec_from_value(a)",
    "S([[0, 1]], [1., 2.], [3, 4])",
    "S([0, 1], [1., 2.], [3, 4])",
    "S([[0, 9]], [1], [3])",
    "S([[0., 9]], [1.], [3, 4])",
    "tf.identity(a)",
    "tf.constant(a)",
    "tf.reduce_sum(a)",
    "tf.matmul(a, d)",
    "tf.SparseTensorSpec([2, None], tf.int32)",
    "tf.SparseTensorSpec([3, None]).is_compatible_with(a)",
    "tf.SparseTensorSpec([2, None]).is_compatible_with(a)",
    "tf.SparseTensorSpec([2, 3]).most_specific_common_supertype([tf.SparseTensorSpec([2, 4])])",
    "tf.SparseTensorSpec([None, 3])._component_specs",
    "tf.nest.flatten(a, expand_composites=True)",
    "tf.nest.map_structure(lambda t: t * 2, a, expand_composites=True)",
    "sp.mask(tf.IndexedSlices(d, [1, 5, 2]), [5]).values",
]

# Functions of `a` with its values watched; the sum of the results times 1, 2, 3, ... is differentiated.
GRADIENTS = [
    "sp.to_dense(x)",
    "sp.reorder(x)",
    "sp.reshape(x, [-1])",
    "sp.slice(x, [0, 1], [2, 3])",
    "sp.slice(x, [1, 0], [2, 2])",
    "sp.add(x, b)",
    "sp.add(b, x)",
    "sp.add(x, x)",
    "sp.add(x, d)",
    "sp.expand_dims(x)",
    "sp.transpose(x)",
    "sp.reduce_sum(x)",
    "sp.reduce_sum(x, 1)",
    "sp.reduce_sum(x, [0], keepdims=True)",
    "sp.reduce_sum(x, 1, output_is_sparse=True)",
    "sp.reduce_max(x, 1)",
    "sp.sparse_dense_matmul(x, tf.reshape(tf.range(8.), [4, 2]))",
    "sp.sparse_dense_matmul(x, tf.reshape(tf.range(6.), [3, 2]), adjoint_a=True)",
    "sp.sparse_dense_matmul(x, tf.reshape(tf.range(8.), [2, 4]), adjoint_b=True)",
    "sp.retain(x, [True, False, True])",
    "sp.fill_empty_rows(x, 1.)[0]",
    "sp.softmax(x)",
    "sp.split(x, 2, 1)[0]",
    "sp.reset_shape(x)",
    "sp.map_values(tf.square, x)",
    "sp.concat(0, [x, b])",
    "x * d",
    "x / (d + 1)",
    "x * tf.constant([1., 2., 3., 4.])",
    "sp.segment_mean(x.values, [0, 0, 2], [0, 0, 1])",
    "sp.segment_sqrt_n(x.values, [0, 0, 2], [0, 0, 1])",
    "sp.segment_sum(x.values, [0, 2], [0, 3], num_segments=4)",
]

# Functions of the dense tensor `d`.
DENSE_GRADIENTS = [
    "sp.to_dense(a, x[0, 0])",
    "sp.add(a, x)",
    "sp.sparse_dense_matmul(a, tf.transpose(x))",
    "sp.sparse_dense_matmul(a, x, adjoint_a=True)",
    "sp.sparse_dense_matmul(a, x, adjoint_b=True)",
    "sp.from_dense(x)",
    "sp.fill_empty_rows(b, x[0, 0])[0]",
    "a * x",
    "a / (x + 1)",
    "a * x[:1]",
    "a * x[0]",
    "sp.segment_sum(x, [2, 0], [0, 1])",
    "sp.segment_mean(x, [2, 0], [0, 0])",
]


def shown(value: Any, tf: Any) -> Any:
    """A result as plain data."""
    if isinstance(value, tf.SparseTensor):
        shape = value.shape.as_list() if tf.executing_eagerly() else None
        parts = [value.indices.numpy().tolist(), _numbers(value.values), value.dense_shape.numpy().tolist()]
        return ["sparse", *parts, value.dtype.name, shape]
    if isinstance(value, tf.Tensor):
        return ["tensor", value.dtype.name, list(value.shape), _numbers(value)]
    if isinstance(value, tf.IndexedSlices):
        return shown(tf.convert_to_tensor(value), tf)
    if isinstance(value, list | tuple) and not isinstance(value, tf.TensorShape):
        return [shown(item, tf) for item in value]
    return repr(value)


def _numbers(tensor: Any) -> Any:
    values = tensor.numpy().reshape(-1).tolist()
    return [repr(v) if isinstance(v, complex | bytes) or v != v else v for v in values]  # NaN is not equal to itself


def outcome(call: Any, tf: Any) -> Any:
    """What a call gives, or the class of what it raises."""
    try:
        return shown(call(), tf)
    except Exception as error:  # noqa: BLE001, since its class is the result
        return ["raises", type(error).__name__]


def program(tf: Any) -> dict[str, Any]:
    """The names that the expressions use."""
    names = {"tf": tf}
    exec(SETUP, names)
    return names


def value(expression: str, tf: Any) -> Any:
    """The result of one of ``VALUES``."""
    names = program(tf)
    return outcome(lambda: eval(expression, names), tf)


def slope(expression: str, source: str, tf: Any, traced: bool = False) -> Any:
    """The gradient of one of ``GRADIENTS`` (source ``a``) or ``DENSE_GRADIENTS`` (source ``d``)."""
    names = program(tf)

    def gradient(x: Any) -> Any:
        watched = x.values if source == "a" else x
        with tf.GradientTape() as tape:
            tape.watch(watched)
            y = eval(expression, names, {"x": x})
            y = y.values if isinstance(y, tf.SparseTensor) else y
            count = tf.cast(tf.size(y), tf.float32)
            total = tf.reduce_sum(tf.reshape(y, [-1]) * tf.range(1.0, count + 1))
        return tape.gradient(total, watched)

    function = tf.function(gradient, autograph=False) if traced else gradient
    return outcome(lambda: function(names[source]), tf)
