"""Tensors as a first course shows them: shapes, slices as in NumPy, ragged, sparse, and arrays of tensors."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def axes_and_their_names():
    """What a tensor knows of itself, statically and while running."""

    @tf.function
    def about(t):
        return tf.rank(t), tf.size(t), tf.shape(t)[-1], t.shape.rank, t.shape.as_list(), t.dtype.name

    four = tf.zeros([3, 2, 4, 5])
    inferred = []

    @tf.function(input_signature=[tf.TensorSpec([None, 2, None])])
    def half_known(t):
        inferred.extend([t.shape.as_list(), tf.reshape(t, [-1]).shape.as_list(), tf.transpose(t).shape.as_list()])
        return tf.reshape(t, [tf.shape(t)[0], -1])

    flat = half_known(tf.ones([2, 2, 3]))
    return about(four), about(tf.constant(["text"])), flat, inferred[:3]


@program
def slices_as_in_numpy():
    """Negative steps, ellipsis, new axes and tensors as bounds give NumPy's slices."""
    a = np.arange(60).reshape(3, 4, 5)

    @tf.function
    def slices(t, i):
        return [t[::-1, 1:3], t[..., -1], t[:, tf.newaxis, 2], t[i], t[i:, ..., ::2], t[-1, :i, 3:0:-2], t[1:1]]

    results = slices(tf.constant(a), tf.constant(1))
    same = [a[::-1, 1:3], a[..., -1], a[:, None, 2], a[1], a[1:, ..., ::2], a[-1, :1, 3:0:-2], a[1:1]]
    return results, [bool(np.array_equal(x, y)) for x, y in zip(results, same)]


@program(eager=False)
def indices_that_do_not_fit():
    """Beyond the end, too many of them, of other kinds: each has its class of error."""
    t = tf.reshape(tf.range(6), [2, 3])

    @tf.function
    def at(t, i):
        return t[i]

    wrong = [raised(lambda: at(t, 2)), raised(lambda: at(t, tf.constant(2))), raised(lambda: at(t, 1.0))]
    wrong += [raised(lambda: t[0, 0, 0]), raised(lambda: t[[0, 1]]), raised(lambda: t["a"]), raised(lambda: t[5])]
    wrong += [raised(lambda: at(t, (0, 0, 0))), raised(lambda: t[..., ...]), raised(lambda: t[::0])]
    return wrong, at(t, -1), at(t, tf.constant(-2)), t[5:]


@program
def a_ragged_batch_of_sentences():
    """Words of sentences in a ragged tensor: split, counted, padded, and back, in a traced function."""

    @tf.function
    def lengths(lines):
        words = tf.strings.split(lines)
        sizes = words.with_values(tf.strings.length(words.values))
        return words.values, words.row_splits, words.row_lengths(), sizes.to_tensor(-1), words.value_rowids()

    results = lengths(tf.constant(["to be or not", "that", "", "is the question"]))
    r = tf.ragged.constant([[1, 2, 3], [], [4]])
    rows = [r[0], r[2], r[-1]], r.nrows(), r.bounding_shape(), r.shape.as_list(), r.to_list()
    return results, rows, (r * 2).to_list(), tf.RaggedTensor.from_row_splits(tf.range(3.0), [0, 1, 3]).to_list()


@program
def a_sparse_matrix_in_a_function():
    """Built by indices, reordered, multiplied, made dense and made of dense."""

    @tf.function
    def f(s, d):
        return tf.sparse.sparse_dense_matmul(s, d), tf.sparse.to_dense(s), tf.sparse.reduce_sum(s, axis=0), s.values * 2

    shuffled = tf.sparse.SparseTensor([[1, 2], [0, 1]], [3.0, 4.0], [2, 3])
    s = tf.sparse.reorder(shuffled)
    results = f(s, tf.ones([3, 2]))
    again = tf.sparse.from_dense([[0, 5], [6, 0]])
    return (
        results,
        s.indices,
        again.indices,
        again.values,
        raised(f, shuffled, tf.ones([3, 2])),
        tf.sparse.add(again, again).values,
    )


@program
def an_array_that_grows():
    """A TensorArray without a size: written out of order, read, gathered, split and concatenated."""

    @tf.function
    def f(n):
        squares = tf.TensorArray(tf.int32, size=0, dynamic_size=True, clear_after_read=False)
        for i in tf.range(n):
            squares = squares.write(n - 1 - i, i * i)
        parts = tf.TensorArray(tf.float32, size=2, infer_shape=False).split(tf.range(5.0), [2, 3])
        return squares.stack(), squares.size(), squares.gather([0, 2]), squares.read(1), parts.concat(), parts.read(1)

    few = f(tf.constant(3))
    many = f(tf.constant(5))
    missing = tf.function(lambda: tf.TensorArray(tf.float32, 2).write(0, 1.0).read(1))
    return few, many, raised(missing)


@program
def gather_and_scatter():
    """Pick by indices, along an axis, by coordinates, and put back."""
    board = tf.reshape(tf.range(16), [4, 4])

    @tf.function
    def f(board, where):
        diagonal = tf.gather_nd(board, where)
        columns = tf.gather(board, [3, 0], axis=1)
        batch = tf.gather(board, [[0, 0], [1, 1], [2, 2], [3, 3]], batch_dims=1)
        zeros = tf.scatter_nd(where, diagonal * 10, [4, 4])
        put = tf.tensor_scatter_nd_update(board, where, -diagonal)
        return (
            diagonal,
            columns,
            batch,
            zeros,
            put,
            tf.tensor_scatter_nd_add(board, [[1], [1]], tf.ones([2, 4], tf.int32)),
        )

    results = f(board, tf.constant([[0, 0], [1, 1], [3, 3]]))
    return results, raised(f, board, tf.constant([[0, 4]]))
