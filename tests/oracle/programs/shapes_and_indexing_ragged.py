"""Shapes of RaggedTensors: what `tf.shape` gives for them, and tensors made of, reshaped and broadcast to such."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

Shape = tf.experimental.DynamicRaggedShape
Rows = tf.experimental.RowPartition


def parts(x):
    """A tensor or RaggedTensor as what it is made of."""
    return (x.flat_values, *x.nested_row_splits) if isinstance(x, tf.RaggedTensor) else x


@program(eager=False)
def shape_of_a_ragged_tensor():
    """It tells the lengths of rows, and single sizes where rows have one."""
    rows = tf.ragged.constant([[[1], [2, 3]], [], [[4]]])

    @tf.function
    def f(x):
        shape = tf.shape(x)
        return shape[0], shape.inner_shape, shape.rank, shape.num_row_partitions, shape.static_lengths()[0]

    shape = tf.shape(rows)
    refused = raised(lambda: shape[1]), raised(lambda: shape[3]), raised(lambda: shape[-4]), raised(lambda: shape[1:])
    steps = raised(lambda: shape[::2]), raised(lambda: shape["a"])
    return f(rows), shape.static_lengths(), str(shape), shape.dtype, tf.shape(rows, tf.int64).dtype, refused, steps


@program
def shapes_from_lengths():
    """A number where rows have one length, a tuple where they have different ones."""
    lengths = [
        [2, (2, 1)],
        [2, (2, 1), 3],
        [2, (2, 1), (1, 2, 1), 5],
        [2, 3, 4],
        [],
        [0, ()],
        [2, 3, (1, 2, 0, 1, 0, 1)],
    ]

    @tf.function
    def zeros(shape):
        return parts(tf.zeros(shape))

    shapes = [Shape.from_lengths(part) for part in lengths]
    more = [Shape.from_lengths([2, 3, 4], num_row_partitions=count) for count in (0, 1, 2)]
    wrong = [[2, (2, 1, 1)], [2, "a"], [2, None], 3, [2, [1, 2]], [(1, 2), 3], [2, (1, 2), 3, (1, 1, 1)]]
    refused = [raised(Shape.from_lengths, part) for part in wrong]
    counts = [raised(Shape.from_lengths, [2, 3], num_row_partitions=count) for count in (2, 5, 1.5)]
    return [zeros(shape) for shape in shapes + more], [str(x) for x in shapes + more], refused, counts


@program(eager=False)
def parts_of_shapes():
    """Slices are shapes again, where the rows allow it; an argument does not say that all rows have one length."""
    shape = Shape.from_lengths([2, (2, 1), (1, 2, 1), 5])
    uniform = Shape.from_lengths([2, 3, 4], num_row_partitions=2)

    @tf.function
    def f(x):
        return x[0], x[-1], x.inner_shape, [part.row_splits() for part in x.row_partitions]

    slices = [str(part) for part in (shape[:1], shape[:2], shape[:3], shape[:], uniform[1:], uniform[:2], uniform[2:])]
    empty = [str(part) for part in (shape[:0], uniform[5:], Shape.from_lengths([2, 3, 4])[1:9])]
    refused = [
        raised(lambda part=part: shape[part]) for part in (slice(1, None), slice(3, None), slice(2, 4), 1, 4, None)
    ]
    uniform_axes = (
        [shape.is_uniform(axis) for axis in range(4)],
        raised(shape.is_uniform, 4),
        raised(shape.is_uniform, -1),
    )
    return f(shape), raised(f, uniform), slices, empty, refused, uniform_axes


@program
def tensors_of_ragged_shapes():
    """`zeros`, `ones`, `fill` and `reshape` take such a shape."""
    rows = tf.ragged.constant([[1, 2], [], [3]])

    @tf.function
    def f(x, values):
        shape = tf.shape(x)
        made = tf.zeros(shape), tf.ones(shape, tf.int32), tf.fill(shape, "a"), tf.reshape(values, shape)
        return [parts(part) for part in made]

    deep = Shape.from_lengths([2, (2, 1), 3])
    there = parts(tf.reshape(tf.range(9), deep)), tf.reshape(rows, [-1]), tf.reshape(rows, Shape.from_lengths([1, 3]))
    other = parts(tf.reshape(rows, Shape.from_lengths([2, (1, 2)])))
    refused = raised(tf.reshape, tf.range(4), tf.shape(rows))
    return f(rows, tf.constant([5, 6, 7])), there, other, refused


@program
def broadcasting_to_ragged_shapes():
    """Sizes of 1 are repeated to rows of any lengths; rows must have the same lengths otherwise."""
    rows = tf.ragged.constant([[1, 2], [], [3]])
    deep = Shape.from_lengths([2, (2, 1), 3])

    @tf.function
    def f(x, value):
        return parts(tf.broadcast_to(value, tf.shape(x)))

    good = [f(rows, value) for value in (3, [4], [[1], [2], [3]], [[5]])]
    inner = [
        parts(tf.broadcast_to(value, deep))
        for value in ([1.0, 2.0, 3.0], [[[1.0]], [[2.0]]], tf.expand_dims(tf.ragged.constant([[1, 2], [3]]), 2))
    ]
    wrong = [[[1], [2]], [[1, 2, 3]], [1, 2, 3], [[1, 2]]]
    refused = [raised(tf.broadcast_to, value, tf.shape(rows)) for value in wrong]
    more = (
        raised(tf.broadcast_to, [[[1]]], tf.shape(rows)),
        raised(tf.broadcast_to, tf.ragged.constant([[1], [2]]), deep[:2]),
    )
    return good, inner, refused, more


@program
def broadcasting_while_sizes_are_unknown():
    """What does not fit is found when the function runs."""
    rows = tf.RaggedTensorSpec([None, None], tf.float32)

    @tf.function(input_signature=[rows, tf.TensorSpec([None, None])])
    def f(x, value):
        return parts(tf.broadcast_to(value, tf.shape(x)))

    x = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
    one = f(x, [[1.0]])
    column = f(x, [[1.0], [2.0], [3.0]])
    refused = raised(f, x, [[1.0], [2.0]]), raised(f, x, [[1.0, 2.0]])
    again = f(tf.ragged.constant([[4.0]]), [[5.0]])
    return one, column, refused, again


@program
def gradients_of_broadcasting_to_rows():
    """What was repeated gets the sum."""
    rows = tf.ragged.constant([[1.0, 2.0], [], [3.0]])

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.broadcast_to(x, tf.shape(rows))
            loss = tf.reduce_sum(y.flat_values * rows.flat_values)
        return loss, tape.gradient(loss, x)

    column = f(tf.constant([[1.0], [2.0], [3.0]]))
    one = f(tf.constant(2.0))
    vector = f(tf.constant([2.0]))
    return column, one, vector


@program
def shapes_that_broadcast_together():
    """Two shapes to one."""
    pairs = [
        ([2, 3], [4, 1, 1]), ([1, (3,)], [2, 1]), ([3, 1, 1], [3, (1, 0, 2), 1]), ([2, (1, 2), 5], [5]),
        ([2, (1, 2), 1], [1, 1, 5]), ([2, (1, 2), 1], [2, (1, 2), (4, 5, 6)]), ([], [2, (2, 2), 1]),
    ]  # fmt: skip

    @tf.function
    def f(x, y):
        found = tf.broadcast_dynamic_shape(x, y)
        return found.inner_shape, [part.row_splits() for part in found.row_partitions]

    both = [f(Shape.from_lengths(a), Shape.from_lengths(b)) for a, b in pairs]
    eager = [str(tf.broadcast_dynamic_shape(Shape.from_lengths(b), Shape.from_lengths(a))) for a, b in pairs]
    rows = tf.shape(tf.ragged.constant([[1, 2], [], [3]]))
    plain = str(tf.broadcast_dynamic_shape(rows, [1, 1])), str(tf.broadcast_dynamic_shape([1, 1], rows))
    refused = raised(tf.broadcast_dynamic_shape, rows, Shape.from_lengths([4, 1]))
    return both, eager, plain, refused


@program(eager=False)
def shapes_are_arguments():
    """A trace for each number of rows and values; and results."""
    traces = []

    @tf.function
    def f(shape, n):
        traces.append(str(shape))
        for _ in tf.range(n):
            tf.zeros(shape)
        return shape

    one = f(Shape.from_lengths([2, (2, 1)]), tf.constant(1))
    two = f(Shape.from_lengths([2, (0, 3)]), tf.constant(0))
    three = f(Shape.from_lengths([2, (0, 4)]), tf.constant(2))
    return str(one), str(two), str(three), traces, one.dtype


@program
def comparing_shapes():
    """Equal if rows are; never equal to something of another kind."""
    a, b = Shape.from_lengths([2, (2, 1)]), Shape.from_lengths([2, (1, 2)])

    @tf.function
    def f(x, y):
        return x == y, x != y

    same = f(a, a), f(a, b)
    other = a == [2, 3], a != 3, Shape.from_lengths([2, 3]) == a, a == a.with_dtype(tf.int32)
    hashed = raised(hash, a), raised(len, a), raised(lambda: a + 1), raised(tf.convert_to_tensor, a)
    return same, other, hashed


@program
def row_partitions():
    """The same rows, told in six ways."""
    made = [
        Rows.from_row_splits([0, 2, 2, 3]), Rows.from_row_lengths([2, 0, 1]), Rows.from_row_limits([2, 2, 3]),
        Rows.from_row_starts([0, 2, 2], 3), Rows.from_value_rowids([0, 0, 2]), Rows.from_uniform_row_length(1, 3),
    ]  # fmt: skip

    @tf.function
    def f(rows):
        places = rows.row_splits(), rows.row_starts(), rows.row_limits(), rows.row_lengths()
        return places, rows.value_rowids(), rows.offsets_in_rows(), rows.nrows(), rows.nvals()

    told = [f(rows) for rows in made]
    kinds = [rows.is_uniform() for rows in made], made[5].uniform_row_length(), made[0].uniform_row_length()
    static = made[0].static_nrows, made[5].static_nrows, int(made[5].static_uniform_row_length)
    dtypes = made[0].with_dtype(tf.int32).dtype, Rows.from_row_splits(tf.constant([0, 1])).dtype, made[0].dtype
    return told, kinds, [str(rows) for rows in made], static, dtypes


@program
def row_partitions_that_are_refused():
    """What does not fit together."""

    @tf.function
    def f(splits):
        return Rows.from_row_splits(splits).row_lengths()

    splits = (
        [raised(f, tf.constant(part)) for part in ([0, 2, 1], [1, 2], [[0, 1]], [0.0, 1.0])],
        f(tf.constant([0, 3])),
    )
    eager = [raised(Rows.from_row_splits, part) for part in ([0, 2, 1], [1, 2], [], [0, 2.5])]
    others = raised(Rows.from_row_lengths, [2, -1]), raised(Rows.from_row_limits, [3, 2])
    ids = raised(Rows.from_value_rowids, [1, 0]), raised(Rows.from_value_rowids, [0, 2], nrows=2)
    uniform = [
        raised(Rows.from_uniform_row_length, *part) for part in ((2,), (2, 5), (-2, 4), (2, 4, 3))
    ]  # fmt: skip
    private = raised(Rows, [0, 1])
    return splits, eager, others, ids, uniform, private, raised(Rows.from_row_splits([0, 1]).with_dtype, tf.float32)


@program
def checks_of_sparse_tensors():
    """Ranks and shapes of SparseTensors are checked like those of tensors."""
    sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 3]])

    @tf.function
    def f(x, rank):
        tf.debugging.assert_rank(x, rank)
        tf.debugging.assert_shapes([(x, ("a", "b")), (tf.zeros([2, 3]), ("a", "b"))])
        return x.values

    values = f(sparse, 2)
    refused = raised(f, sparse, 3), raised(tf.debugging.assert_rank, sparse, 1)
    ranks = raised(tf.debugging.assert_rank_in, sparse, [1, 2]), raised(tf.debugging.assert_rank_in, sparse, [1])
    shapes = (
        raised(tf.debugging.assert_shapes, [(sparse, ("a", 3))]),
        raised(tf.debugging.assert_shapes, [(sparse, ("a", 4))]),
    )
    return values, refused, ranks, shapes, raised(tf.debugging.assert_rank_at_least, sparse, 2)
