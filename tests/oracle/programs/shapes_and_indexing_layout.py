"""Shapes: static and dynamic ones, reshaping, broadcasting, stacking, padding, and what a graph knows of them."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def what_a_graph_knows_of_shapes():
    """Static shapes inside a function with unknown dimensions, through ops that keep, drop and add axes."""
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def f(x):
        seen.append([x.shape, tf.transpose(x).shape, tf.reduce_sum(x, 1).shape, x[:2].shape, x[0].shape])
        seen.append([tf.reshape(x, [3, -1]).shape, tf.expand_dims(x, 0).shape, tf.concat([x, x], 1).shape])
        seen.append([(x @ tf.ones([3, 5])).shape, tf.stack([x, x]).shape, tf.tile(x, [2, 2]).shape])
        return x * 2.0

    a = f(tf.ones([1, 3]))
    b = f(tf.ones([2, 3]))
    return seen, a, b


@program(eager=False)
def unknown_rank():
    """A tensor of unknown rank: its static shape, its dynamic rank, and ops that make the rank known."""
    seen = []

    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def f(x):
        seen.append([x.shape, x.shape.rank, tf.reduce_sum(x).shape, tf.reshape(x, [-1]).shape, (x + 1.0).shape])
        rank = tf.rank(x)
        flat = tf.reshape(x, [-1])
        return rank, tf.size(x), flat, tf.shape(x)

    results = [f(tf.constant(1.0)), f(tf.ones([2, 3])), f(tf.zeros([0, 1, 2]))]
    return seen, results, raised(f, tf.constant(1))


@program
def ensure_shape_and_set_shape():
    """ensure_shape checks when it runs; set_shape is a promise."""

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def f(x):
        y = tf.ensure_shape(x, [2, None])
        total = tf.reduce_sum(y, 0)
        twice = y * 2
        return total, twice

    return (
        f(tf.constant([[1, 2, 3], [4, 5, 6]])),
        raised(f, tf.constant([[1, 2]])),
        raised(tf.ensure_shape, tf.ones([3]), [4]),
    )


@program(eager=False)
def shape_of_what_a_loop_carries():
    """A loop value keeps its static shape; one freed by shape_invariants has None."""
    seen = []

    @tf.function
    def f(n):
        x = tf.zeros([0, 2], tf.int32)
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None, 2]))])
            seen.append(x.shape)
            x = tf.concat([x, [[i, i * i]]], 0)
        seen.append(x.shape)
        return x

    results = f(tf.constant(3)), f(tf.constant(0))
    return results, seen


@program(eager=False)
def shapes_behind_branches():
    """What two branches agree on is known behind them."""
    seen = []

    @tf.function
    def f(p, x):
        if p:
            y = x[:1]
            z = x
        else:
            y = x[:2]
            z = x + 1
        seen.append([y.shape, z.shape])
        return y, z

    x = tf.constant([[1, 2], [3, 4], [5, 6]])
    return f(tf.constant(True), x), f(tf.constant(False), x), seen


@program
def partial_reshapes():
    """reshape with sizes from tf.shape, with -1, from a list of tensors and numbers."""

    @tf.function
    def f(x):
        s = tf.shape(x)
        a = tf.reshape(x, [s[0] * s[1], s[2]])
        b = tf.reshape(x, [s[0], -1])
        c = tf.reshape(x, tf.concat([s[1:], s[:1]], 0))
        return a, b, c, tf.reshape(a, s)

    return f(tf.reshape(tf.range(12), (2, 3, 2))), f(tf.zeros([1, 0, 2], tf.int32))


@program
def reshapes_that_fail():
    """Sizes that do not fit, two unknowns, -1 with an empty tensor: classes eagerly and in a function."""

    @tf.function
    def f(x, s):
        y = tf.reshape(x, s)
        return y

    x = tf.range(6)
    nothing = tf.zeros([0])
    return (
        f(x, tf.constant([3, -1])),
        raised(f, x, tf.constant([4, -1])),
        raised(f, x, tf.constant([-1, -1])),
        raised(tf.reshape, x, [4]),
        tf.reshape(nothing, [0, -1]),
        tf.reshape(tf.zeros([2, 0]), [0, -1, 3]),
        f(nothing, tf.constant([-1, 0])),
        f(x, tf.constant([1, 6])),
    )


@program
def squeeze_and_expand():
    """squeeze of chosen axes, of all, of one that is not 1; expand_dims at either end."""

    @tf.function
    def f(x):
        a = tf.squeeze(x)
        b = tf.squeeze(x, axis=[0])
        c = tf.expand_dims(x, -1)
        d = tf.expand_dims(tf.expand_dims(a, 0), 2)
        return a, b, c, d

    x = tf.reshape(tf.range(6), (1, 3, 1, 2))
    return f(x), raised(tf.squeeze, x, [1]), raised(tf.expand_dims, x, 6), tf.squeeze(tf.ones([1, 1])).shape


@program
def broadcasting_by_hand():
    """broadcast_to, broadcast_static_shape, broadcast_dynamic_shape, meshgrid and what * does agree."""

    @tf.function
    def f(a, b):
        shape = tf.broadcast_dynamic_shape(tf.shape(a), tf.shape(b))
        wide = tf.broadcast_to(a, shape) * tf.broadcast_to(b, shape)
        direct = a * b
        return shape, wide, tf.reduce_all(wide == direct)

    a, b = tf.constant([[1], [2], [3]]), tf.constant([10, 20])
    static = tf.broadcast_static_shape(a.shape, b.shape)
    return f(a, b), f(tf.constant(2), b), static, raised(tf.broadcast_to, b, [3]), tf.meshgrid([1, 2], [3, 4, 5])


@program
def padding_in_every_mode():
    """Constant, reflecting and symmetric padding of one and two axes."""

    @tf.function
    def f(x):
        a = tf.pad(x, [[1, 0], [0, 2]], constant_values=-1)
        b = tf.pad(x, [[1, 1], [1, 1]], "REFLECT")
        c = tf.pad(x, [[0, 1], [2, 0]], mode="SYMMETRIC")
        return a, b, c

    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    return f(x), raised(tf.pad, x, [[2, 0], [0, 0]], "REFLECT"), tf.pad([1.0], [[0, 2]])


@program
def stacking_and_unstacking():
    """stack and unstack along each axis, parallel to concat of expanded parts."""

    @tf.function
    def f(x, y):
        front = tf.stack([x, y])
        back = tf.stack([x, y], axis=-1)
        parts = tf.unstack(back, axis=1)
        by_concat = tf.concat([x[None], y[None]], axis=0)
        return front, back, parts, tf.reduce_all(front == by_concat)

    x = tf.constant([[1, 2], [3, 4]])
    return f(x, x * 10), raised(tf.stack, [x, tf.constant([1])]), raised(tf.stack, [x, x], 3), tf.stack([1, 2.5])


@program
def concat_of_different_sizes():
    """Parts of different lengths, empty ones, a single one, and ones that do not fit."""

    @tf.function
    def f(parts):
        rows = tf.concat(parts, axis=0)
        count = tf.shape(rows)[0]
        return rows, count

    a, b = tf.constant([[1, 2]]), tf.zeros([0, 2], tf.int32)
    return f([a, b, a]), f([b, b]), f([a]), raised(tf.concat, [a, tf.constant([[1]])], 0), raised(tf.concat, [a, a], 2)


@program
def splitting_into_uneven_parts():
    """split with sizes, one of them -1, by a tensor, and a number that does not divide."""

    @tf.function
    def f(x):
        a, b, c = tf.split(x, [1, -1, 2])
        halves = tf.split(x, 3)
        columns = tf.split(x[None], 2, axis=1)
        return a, b, c, halves, columns

    x = tf.range(6)
    return f(x), raised(tf.split, x, 4), raised(tf.split, x, [1, 2]), raised(tf.split, x, [4, 3])


@program
def tiles_and_repeats():
    """tile along two axes, repeat by number and by counts, with and without axis."""

    @tf.function
    def f(x, counts):
        a = tf.tile(x, [2, 1])
        b = tf.repeat(x, 2)
        c = tf.repeat(x, counts, axis=0)
        d = tf.repeat(x, 3, axis=1)
        return a, b, c, d

    x = tf.constant([[1, 2], [3, 4]])
    return f(x, tf.constant([0, 2])), f(x, tf.constant([1, 1])), raised(tf.tile, x, [2])


@program
def transpose_and_permutations():
    """Permutations composed with their inverse give the tensor again."""

    @tf.function
    def f(x, perm):
        turned = tf.transpose(x, perm)
        inverse = tf.math.invert_permutation(perm)
        back = tf.transpose(turned, inverse)
        return turned, inverse, tf.reduce_all(back == x)

    x = tf.reshape(tf.range(6), (1, 2, 3))
    return f(x, tf.constant([2, 0, 1])), f(x, tf.constant([0, 1, 2])), raised(f, x, tf.constant([0, 0, 1]))


@program
def reversing_and_rolling():
    """reverse of axes, reverse_sequence by lengths, roll of one and of two axes."""

    @tf.function
    def f(x):
        a = tf.reverse(x, [-1])
        b = tf.reverse(x, axis=[0, 1])
        c = tf.roll(x, shift=[1, -1], axis=[0, 1])
        d = tf.reverse_sequence(x, [1, 3], seq_axis=1, batch_axis=0)
        return a, b, c, d, tf.roll(x, 4, 1)

    return f(tf.constant([[1, 2, 3], [4, 5, 6]])), raised(tf.reverse, tf.range(3), [1]), raised(tf.roll, [1, 2], 1, 2)


@program
def space_and_depth():
    """space_to_depth and depth_to_space are inverse; batch versions too."""

    @tf.function
    def f(x):
        deep = tf.nn.space_to_depth(x, 2)
        back = tf.nn.depth_to_space(deep, 2)
        batch = tf.space_to_batch(x, block_shape=[2, 2], paddings=[[0, 0], [0, 0]])
        again = tf.batch_to_space(batch, block_shape=[2, 2], crops=[[0, 0], [0, 0]])
        return deep, tf.reduce_all(back == x), batch, tf.reduce_all(again == x)

    return f(tf.reshape(tf.range(16), (1, 4, 4, 1))), raised(tf.nn.space_to_depth, tf.ones([1, 3, 3, 1]), 2)


@program
def zero_sized_dimensions():
    """Ops on tensors without elements keep their other sizes."""

    @tf.function
    def f(x):
        a = tf.concat([x, x], 1)
        b = tf.transpose(x)
        c = tf.matmul(x, tf.ones([tf.shape(x)[1], 4]))
        d = tf.reduce_sum(x, axis=0)
        return a, b, c, d, tf.tile(x, [3, 1]), tf.reshape(x, [-1, 2])

    return f(tf.zeros([0, 2])), tf.stack([tf.zeros([0])] * 2), tf.shape(tf.zeros([3, 0, 2])), tf.size(tf.zeros([3, 0]))


@program
def shape_dtypes():
    """shape and size as int32 or int64, shape_n, rank; and a TensorShape as an argument of ops."""

    @tf.function
    def f(x):
        a = tf.shape(x)
        b = tf.shape(x, out_type=tf.int64)
        c = tf.size(x, out_type=tf.int64)
        d = tf.shape_n([x, x[0]])
        return a, b, c, d, tf.rank(x), tf.zeros(x.shape) + 1.0, tf.fill(tf.shape(x), 7)

    return f(tf.ones([2, 3])), tf.zeros(tf.TensorShape([2]), tf.int8), raised(tf.zeros, tf.TensorShape([None]))


@program
def creation_like_another():
    """zeros_like and ones_like with another dtype, eye and diag with batch shape, fill and one_hot."""

    @tf.function
    def f(x):
        a = tf.zeros_like(x, dtype=tf.int64)
        b = tf.ones_like(x)
        c = tf.eye(2, 3, batch_shape=[2])
        d = tf.linalg.diag(x[0])
        e = tf.one_hot(tf.constant([0, 2, -1]), 3, on_value=5.0, off_value=-1.0)
        return a, b, c, d, e, tf.one_hot([1], 2, axis=0)

    return f(tf.constant([[1.0, 2.0]])), tf.eye(0), raised(tf.fill, [-1], 1)


@program
def matrix_parts():
    """diag_part, band_part, set_diag, and triangles by comparison of indices."""

    @tf.function
    def f(m):
        diagonal = tf.linalg.diag_part(m)
        lower = tf.linalg.band_part(m, -1, 0)
        zeroed = tf.linalg.set_diag(m, tf.zeros_like(diagonal))
        n = tf.shape(m)[0]
        mask = tf.range(n)[:, None] >= tf.range(n)[None, :]
        return diagonal, lower, zeroed, tf.reduce_all(tf.where(mask, m, 0) == lower), tf.linalg.band_part(m, 1, 1)

    return f(tf.reshape(tf.range(1, 10), (3, 3))), f(tf.constant([[5]])), tf.linalg.diag([1, 2], k=1)


@program
def matmul_shapes():
    """Batched products, transposed factors, vectors by matvec, broadcasting of the batch, wrong ranks."""

    @tf.function
    def f(a, b):
        c = a @ b
        d = tf.matmul(b, a, transpose_a=True, transpose_b=True)
        e = tf.linalg.matvec(a, b[..., 0])
        return c, d, e, c.shape

    g = tf.function(lambda a, b: a @ b)
    a, b = tf.reshape(tf.range(12), (2, 2, 3)), tf.ones([3, 1], tf.int32)
    return (
        g(a, b),
        tf.matmul(a, a, transpose_b=True),
        tf.linalg.matvec(a, tf.constant([1, 0, 1])),
        raised(tf.matmul, tf.ones([2]), tf.ones([2])),
        g(tf.ones([2, 0]), tf.ones([0, 1])),
    )


@program
def tensordot_and_outer():
    """tensordot by number and by lists of axes; an outer product; a full contraction."""

    @tf.function
    def f(a, b):
        one = tf.tensordot(a, b, 1)
        lists = tf.tensordot(a, b, axes=[[0], [1]])
        outer = tf.tensordot(a[0], b[0], 0)
        full = tf.tensordot(a, tf.transpose(b), axes=2)
        return one, lists, outer, full

    return f(tf.constant([[1, 2], [3, 4]]), tf.constant([[5, 6], [7, 8]])), raised(
        tf.tensordot, tf.ones([2, 3]), tf.ones([2, 3]), 1
    )


@program
def reductions_over_axes():
    """Negative axes, several axes, keepdims, no axes at all, an axis that is not there."""

    @tf.function
    def f(x):
        a = tf.reduce_sum(x, axis=-1)
        b = tf.reduce_max(x, axis=[0, 2], keepdims=True)
        c = tf.reduce_mean(tf.cast(x, tf.float32), axis=(1, -1))
        d = tf.reduce_prod(x, axis=[])
        return a, b, c, d, tf.reduce_any(x > 6, axis=1)

    x = tf.reshape(tf.range(8), (2, 2, 2))
    return f(x), raised(tf.reduce_sum, x, 3), tf.reduce_sum(5), tf.reduce_sum([[1], [2]], [0, 1])


@program(eager=False)
def dimension_arithmetic_while_tracing():
    """Static sizes are Python numbers, dynamic ones tensors; None where unknown."""
    kinds = []

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.int32)])
    def f(x):
        rows, columns = x.shape
        kinds.append([rows, columns, isinstance(columns, int), x.shape.num_elements(), x.shape.is_fully_defined()])
        n = rows if rows is not None else tf.shape(x)[0]
        half = columns // 2
        return tf.reshape(x[:, :half], [n * half]), n

    return f(tf.reshape(tf.range(8), (2, 4))), f(tf.zeros([0, 4], tf.int32)), kinds


@program
def shape_objects_compared():
    """merge_with, concatenate, is_compatible_with, slices and equality of TensorShape."""

    @tf.function
    def f(x):
        return x + 1

    a, b = tf.TensorShape([None, 3]), tf.TensorShape([2, None])
    merged = a.merge_with(b)
    joined = a.concatenate([4])
    unknown = tf.TensorShape(None)
    return (
        (merged, joined, joined[1:], a[-1], a.is_compatible_with(b), a == b),
        (unknown.rank, a.rank, unknown.is_compatible_with([1]), merged.num_elements(), a.as_list(), len(a)),
        (
            raised(a.merge_with, [2, 4]),
            raised(unknown.as_list),
            raised(len, unknown),
            f(tf.zeros(merged)).shape == merged,
        ),
        (tf.TensorShape([2, 3]) == [2, 3], tf.TensorShape([2]) + [None, 1], a.most_specific_compatible_shape(b)),
    )


@program(eager=False)
def spec_objects_compared():
    """TensorSpec: compatibility, from_tensor, equality, and as input_signature of a growing batch."""
    spec = tf.TensorSpec([None, 2], tf.float32, name="x")

    @tf.function(input_signature=[spec])
    def f(x):
        return tf.reduce_sum(x, 0)

    made = tf.TensorSpec.from_tensor(tf.ones([3, 2]))
    other = tf.TensorSpec([4], tf.int32)
    return (
        f(tf.ones([3, 2])),
        f([[1.0, 2.0]]),
        (spec.is_compatible_with(tf.ones([5, 2])), spec.is_compatible_with(made), made == spec, made.shape, spec.name),
        (raised(f, tf.ones([2])), raised(f, tf.ones([1, 2], tf.float64))),
        tf.TensorSpec([1], tf.int32).most_specific_compatible_type(other).shape,
    )


@program
def sequence_masks():
    """sequence_mask of lengths, used for a masked mean over time."""

    @tf.function
    def masked_mean(x, lengths):
        mask = tf.sequence_mask(lengths, tf.shape(x)[1], dtype=x.dtype)
        total = tf.reduce_sum(x * mask, axis=1)
        return mask, tf.math.divide_no_nan(total, tf.cast(lengths, x.dtype))

    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return masked_mean(x, tf.constant([2, 3])), masked_mean(x, tf.constant([0, 1])), tf.sequence_mask([[1], [3]])


@program
def sliding_windows():
    """Windows by gather of indices, by tf.signal.frame and by stacking of slices agree."""

    @tf.function
    def windows(x, size):
        n = tf.shape(x)[0] - size + 1
        index = tf.range(n)[:, None] + tf.range(size)[None, :]
        gathered = tf.gather(x, index)
        framed = tf.signal.frame(x, size, 1)
        return gathered, tf.reduce_all(gathered == framed), tf.reduce_mean(tf.cast(gathered, tf.float32), 1)

    return windows(tf.range(5), tf.constant(3)), windows(tf.constant([1, 4, 9]), tf.constant(1))


@program
def image_like_layouts():
    """NHWC to NCHW and back, pooling by reshape against tf.nn.max_pool2d."""

    @tf.function
    def f(x):
        nchw = tf.transpose(x, [0, 3, 1, 2])
        back = tf.transpose(nchw, [0, 2, 3, 1])
        s = tf.shape(x)
        blocks = tf.reshape(x, [s[0], s[1] // 2, 2, s[2] // 2, 2, s[3]])
        pooled = tf.reduce_max(blocks, axis=[2, 4])
        by_op = tf.nn.max_pool2d(x, 2, 2, "VALID")
        return nchw.shape, pooled, tf.reduce_all(pooled == by_op), tf.reduce_all(back == x)

    return f.python_function(tf.reshape(tf.range(16.0), (1, 4, 4, 1))), tf.function(
        lambda x: tf.nn.avg_pool2d(x, 2, 1, "SAME")
    )(tf.reshape(tf.range(4.0), (1, 2, 2, 1)))


@program
def numpy_style_methods():
    """What a tensor has as attributes and methods: shape, ndim, dtype, numpy, iteration, bool, index, hash."""

    @tf.function
    def f(x):
        rank = x.shape.rank
        return rank * x

    x = tf.constant([[1, 2], [3, 4]])
    table = [10, 20, 30]
    return (
        (x.ndim, x.shape, x.dtype, len(x), [row.numpy().tolist() for row in x], f(x)),
        (table[tf.constant(1)], bool(tf.constant(0.0)), float(tf.constant(2)), range(tf.constant(3))[2]),
        (raised(bool, x), raised(hash, x), raised(int, x), raised(len, tf.constant(1)), raised(iter, tf.constant(1))),
        x.numpy().sum().item(),
    )


@program
def conversion_of_nested_lists():
    """Lists with tensors in them are packed; ragged ones fail; empty ones are float32."""

    @tf.function
    def f(a, b):
        m = tf.convert_to_tensor([[a, b], [b, 1.0]])
        v = tf.stack([a, 2.0, b])
        return m, v

    a, b = tf.constant(3.0), tf.constant(4.0)
    return (
        f(a, b),
        tf.constant([]),
        tf.constant([[], []]),
        raised(tf.constant, [[1], [2, 3]]),
        raised(tf.constant, [1, "a"]),
        tf.convert_to_tensor([np.float64(1.0), 2]),
        tf.convert_to_tensor((1, 2.0)),
    )
