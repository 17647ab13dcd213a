"""Elements: indices and slices of every kind, gather and scatter, sorting, searching, segments, sets."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def slices_with_tensor_bounds():
    """Bounds, steps and ends that are tensors, of int32 and int64, beyond the ends."""

    @tf.function
    def f(x, a, b, s):
        part = x[a:b:s]
        tail = x[a:]
        head = x[:b]
        return part, tail, head, tf.size(part)

    x = tf.range(10)
    cases = [(1, 8, 3), (-4, 100, 1), (8, 2, -2), (5, 5, 1)]
    return [f(x, *(tf.constant(v) for v in case)) for case in cases], x[
        tf.constant(2, tf.int64) : tf.constant(4, tf.int64)
    ]


@program
def index_errors():
    """An index beyond the end, too many indices, a step of zero, floats and lists as indices."""

    @tf.function
    def f(x, i):
        y = x[i]
        z = x[i, 0]
        return y, z

    x = tf.constant([[1, 2], [3, 4]])
    return (
        f(x, tf.constant(-2)),
        raised(f, x, tf.constant(2)),
        raised(lambda: x[2]),
        raised(lambda: x[0, 0, 0]),
        raised(lambda: x[::0]),
        raised(lambda: x[0.5]),
        raised(lambda: x[[0, 1]]),
        raised(lambda: x["a"]),
    )


@program
def boolean_index_is_a_mask():
    """x[mask] chooses the elements, for a mask of fewer axes too."""

    @tf.function
    def f(x):
        large = x[x > 2]
        rows = x[tf.reduce_sum(x, 1) > 3]
        total = tf.reduce_sum(large)
        return large, rows, total

    return (
        f(tf.constant([[1, 2], [3, 4]])),
        f(tf.zeros([1, 2], tf.int32)),
        tf.constant([1, 2, 3])[tf.constant([True, False, True])],
    )


@program
def assignment_to_elements_fails():
    """Tensors cannot be written; a variable's slice can be assigned."""
    v = tf.Variable([[1, 2], [3, 4]])

    @tf.function
    def f(x):
        v[0, :].assign(x)
        v[:, 1].assign([10, 20])
        return v.read_value()

    def write():
        x = tf.constant([1, 2])
        x[0] = 5

    return f(tf.constant([7, 8])), raised(write), v[::-1, 0], raised(lambda: v[0].assign([1, 2, 3]))


@program
def gather_out_of_range():
    """Negative and too large indices are errors for gather and gather_nd."""

    @tf.function
    def f(x, i):
        y = tf.gather(x, i)
        z = tf.gather_nd(x, i[:, None])
        return y, z

    x = tf.constant([10, 20, 30])
    return (
        f(x, tf.constant([2, 0])),
        raised(f, x, tf.constant([3])),
        raised(f, x, tf.constant([-1])),
        f(x, tf.zeros([0], tf.int32)),
    )


@program
def gather_with_batches():
    """batch_dims for the best of each row, gather_nd with batch_dims, take_along_axis by hand."""

    @tf.function
    def f(x):
        order = tf.argsort(x, axis=1)
        ordered = tf.gather(x, order, batch_dims=1)
        best = tf.gather_nd(x, tf.argmax(x, 1)[:, None], batch_dims=1)
        flat = tf.gather(tf.reshape(x, [-1]), tf.range(2) * 3 + order[:, 0])
        return order, ordered, best, flat

    return f(tf.constant([[3, 1, 2], [9, 8, 7]])), raised(
        tf.gather, tf.ones([2, 2]), tf.zeros([3, 1], tf.int32), batch_dims=1
    )


@program
def gather_along_any_axis():
    """axis positive and negative, matrices of indices in the middle of the shape."""

    @tf.function
    def f(x, i):
        a = tf.gather(x, i, axis=1)
        b = tf.gather(x, i, axis=-1)
        c = tf.gather(x, i[0], axis=0)
        return a, b, c

    x = tf.reshape(tf.range(8), (2, 2, 2))
    return (
        f(x, tf.constant([[0, 1], [1, 1]])),
        raised(f, x[0], tf.constant([[5]])),
        tf.gather(["a", "b"], [1, 0]),
    )


@program
def scatter_adds_duplicates():
    """scatter_nd of duplicates sums; update takes the last; max and min their extremes."""

    @tf.function
    def f(index, values):
        summed = tf.scatter_nd(index, values, [4])
        base = tf.fill([4], 5)
        bigger = tf.tensor_scatter_nd_max(base, index, values)
        smaller = tf.tensor_scatter_nd_min(base, index, values)
        less = tf.tensor_scatter_nd_sub(base, index, values)
        return summed, bigger, smaller, less

    index = tf.constant([[1], [3], [1]])
    return (
        f(index, tf.constant([4, 6, 9])),
        raised(f, tf.constant([[4]]), tf.constant([1])),
    )


@program
def scatter_of_whole_rows():
    """Indices of fewer columns than axes write rows; the gradient goes to both parts."""

    @tf.function
    def f(x, rows):
        y = tf.tensor_scatter_nd_update(x, [[0], [2]], rows)
        return y * y

    x, rows = tf.ones([3, 2]), tf.constant([[2.0, 3.0], [4.0, 5.0]])
    with tf.GradientTape() as tape:
        tape.watch([x, rows])
        y = f(x, rows)
    return y, tape.gradient(y, [x, rows])


@program
def slices_of_variables_in_loops():
    """A row of a variable is written in each round of a graph loop."""
    table = tf.Variable(tf.zeros([3, 2]))

    @tf.function
    def fill(n):
        for i in tf.range(n):
            table.scatter_nd_update([[i, 1]], [tf.cast(i, tf.float32) + 0.5])
        return tf.reduce_sum(table)

    total = fill(tf.constant(3))
    table.scatter_update(tf.IndexedSlices([9.0, 9.0], 0))
    table.scatter_add(tf.IndexedSlices([[1.0, 1.0]], [2]))
    return total, table, raised(table.scatter_nd_update, [[5, 0]], [1.0])


@program
def where_with_three_arguments():
    """where broadcasts all three; scalars take the tensor's dtype; the condition must be truth."""

    @tf.function
    def f(p, x):
        a = tf.where(p, x, -x)
        b = tf.where(p[:, None], [[1, 2, 3]], 0)
        c = tf.where(p, 1.5, x)
        return a, b, c

    p = tf.constant([True, False])
    return (
        f(p, tf.constant([1.0, 2.0])),
        raised(tf.where, p, tf.constant([1, 2, 3]), 0),
        raised(tf.where, p, 1),
    )


@program
def places_where_true():
    """where with one argument gives int64 indices, for each rank, in row order."""

    @tf.function
    def f(x):
        places = tf.where(x)
        values = tf.gather_nd(x, places)
        count = tf.shape(places)[0]
        return places, values, count

    return f(tf.constant([[0, 3], [4, 0]])), f(tf.constant([True, False, True])), f(tf.zeros([2, 2]))


@program
def sorting_and_arguments():
    """sort, argsort, by columns, descending; equal elements keep their order."""

    @tf.function
    def f(x):
        up = tf.sort(x)
        down = tf.sort(x, axis=0, direction="DESCENDING")
        order = tf.argsort(x, stable=True)
        again = tf.gather(x, order, batch_dims=1)
        return up, down, order, tf.reduce_all(up == again)

    return (
        f(tf.constant([[3, 1, 3, 2], [0, -1, 0, -1]])),
        raised(tf.sort, [1, 2], direction="UP"),
        tf.argsort([2.0, 1.0, 2.0]),
    )


@program
def top_k_of_rows():
    """The largest k with their places, sorted, and more than there are."""

    @tf.function
    def f(x, k):
        values, places = tf.math.top_k(x, k)
        mask = tf.reduce_any(tf.range(tf.shape(x)[1]) == places[:, :, None], 1)
        return values, places, tf.where(mask, x, 0)

    x = tf.constant([[1, 9, 5], [7, 7, 2]])
    return f(x, tf.constant(2)), f(x, tf.constant(0)), raised(f, x, tf.constant(4))


@program
def searching_in_sorted_rows():
    """searchsorted on both sides, by rows, for values beyond the ends."""

    @tf.function
    def f(edges, x):
        left = tf.searchsorted(edges, x)
        right = tf.searchsorted(edges, x, side="right")
        inside = right - left
        return left, right, inside

    edges = tf.constant([1, 3, 3, 5])
    return f(edges, tf.constant([0, 3, 9])), f(tf.constant([[1, 2], [3, 4]]), tf.constant([[2], [0]]))


@program
def unique_values():
    """unique and unique_with_counts keep the first order; rebuilding from the indices."""

    @tf.function
    def f(x):
        values, index = tf.unique(x)
        counts = tf.unique_with_counts(x).count
        again = tf.gather(values, index)
        return values, index, counts, tf.reduce_all(again == x)

    return (
        f(tf.constant([3, 1, 3, 2, 1])),
        f(tf.constant([], tf.int32)),
        f(tf.constant(["b", "a", "b"])),
        raised(tf.unique, [[1]]),
    )


@program
def set_operations():
    """What two vectors share, what only one has, and their union, by masks of membership and unique."""

    @tf.function
    def f(a, b):
        member = tf.reduce_any(a[:, None] == b[None, :], 1)
        both = tf.boolean_mask(a, member)
        only = tf.boolean_mask(a, ~member)
        union = tf.unique(tf.concat([a, b], 0)).y
        return both, only, tf.sort(union)

    return f(tf.constant([1, 2, 3]), tf.constant([3, 4, 1])), f(tf.constant([5]), tf.constant([], tf.int32))


@program
def segments_of_sorted_ids():
    """segment_sum, mean, max, min, prod of sorted ids with a gap."""

    @tf.function
    def f(x, ids):
        total = tf.math.segment_sum(x, ids)
        mean = tf.math.segment_mean(x, ids)
        top = tf.math.segment_max(x, ids)
        product = tf.math.segment_prod(x, ids)
        return total, mean, top, product, tf.math.segment_min(x, ids)

    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    return f(x, tf.constant([0, 0, 2, 2])), f(x[:0], tf.constant([], tf.int32)), raised(f, x, tf.constant([1, 0, 0, 0]))


@program
def unsorted_segments():
    """Ids in any order, negative ones are dropped, segments without elements."""

    @tf.function
    def f(x, ids):
        total = tf.math.unsorted_segment_sum(x, ids, 3)
        mean = tf.math.unsorted_segment_mean(x, ids, 3)
        top = tf.math.unsorted_segment_max(x, ids, 3)
        root = tf.math.unsorted_segment_sqrt_n(x, ids, 3)
        return total, mean, top, root

    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    return f(x, tf.constant([2, 0, 2])), f(x, tf.constant([-1, 0, 0])), raised(f, x, tf.constant([0, 1, 3]))


@program
def partition_and_stitch():
    """dynamic_partition by a predicate and dynamic_stitch back into place."""

    @tf.function
    def f(x):
        odd = x % 2
        parts = tf.dynamic_partition(x, odd, 2)
        places = tf.dynamic_partition(tf.range(tf.size(x)), odd, 2)
        again = tf.dynamic_stitch(places, [parts[0] * 10, parts[1]])
        return parts, places, again

    return f(tf.constant([1, 2, 3, 4])), f(tf.constant([2, 4])), raised(tf.dynamic_partition, [1, 2], [0, 5], 2)


@program
def one_hot_and_back():
    """one_hot along each axis, with other values, argmax as its inverse, an index outside."""

    @tf.function
    def f(i):
        hot = tf.one_hot(i, 3)
        back = tf.argmax(hot, axis=-1, output_type=tf.int32)
        first = tf.one_hot(i, 3, axis=0, dtype=tf.int32)
        truth = tf.one_hot(i, 3, True, False)
        return hot, back, first, truth

    return f(tf.constant([0, 2, 5])), f(tf.constant([[1], [0]])), tf.one_hot(1, 0), raised(tf.one_hot, [0], -1)


@program
def confusion_of_labels():
    """A confusion matrix by scatter, by one_hot products and by tf.math.confusion_matrix."""

    @tf.function
    def f(labels, guesses):
        by_scatter = tf.scatter_nd(tf.stack([labels, guesses], 1), tf.ones_like(labels), [3, 3])
        by_product = tf.matmul(tf.one_hot(labels, 3), tf.one_hot(guesses, 3), transpose_a=True)
        by_op = tf.math.confusion_matrix(labels, guesses, 3)
        return by_op, tf.reduce_all(by_scatter == by_op), tf.reduce_all(tf.cast(by_product, tf.int32) == by_op)

    return f(tf.constant([0, 1, 2, 1]), tf.constant([0, 2, 2, 1])), raised(tf.math.confusion_matrix, [4], [0], 3)


@program
def meshgrid_and_distances():
    """Pairwise distances by broadcasting; coordinates by meshgrid with both index orders."""

    @tf.function
    def f(points):
        difference = points[:, None, :] - points[None, :, :]
        squared = tf.reduce_sum(difference**2, -1)
        far = tf.linalg.set_diag(squared, tf.fill([tf.shape(points)[0]], 10**6))
        nearest = tf.argmin(far, 1)
        return squared, nearest

    x, y = tf.meshgrid(tf.range(2), tf.range(3), indexing="ij")
    return (
        f(tf.constant([[0, 0], [3, 4], [1, 0]])),
        f(tf.reshape(tf.stack([x, y], -1), [-1, 2])),
        tf.meshgrid([1, 2], [3])[1],
    )


@program
def game_of_life():
    """Neighbours by rolls in a loop over generations."""

    @tf.function
    def step(board, rounds):
        for _ in tf.range(rounds):
            neighbours = tf.zeros_like(board)
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if (dx, dy) != (0, 0):
                        neighbours += tf.roll(board, [dx, dy], [0, 1])
            board = tf.cast((neighbours == 3) | ((neighbours == 2) & (board == 1)), tf.int32)
        return board

    glider = tf.tensor_scatter_nd_update(tf.zeros([5, 5], tf.int32), [[0, 1], [1, 2], [2, 0], [2, 1], [2, 2]], [1] * 5)
    return step(glider, tf.constant(1)), step(glider, tf.constant(4))


@program
def pascals_triangle():
    """Rows that grow by padding, collected with different lengths and padded to a square."""

    @tf.function
    def rows(n):
        row = tf.constant([1])
        square = tf.zeros([n, n], tf.int32)
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(row, tf.TensorShape([None]))])
            padded = tf.pad(row, [[0, n - i - 1]])
            square = tf.tensor_scatter_nd_update(square, [[i]], padded[None])
            row = tf.pad(row, [[0, 1]]) + tf.pad(row, [[1, 0]])
        return square

    return rows(tf.constant(4)), rows(tf.constant(1))


@program
def spiral_by_rotation():
    """A matrix read in a spiral: the first row is taken, the rest turned, until nothing is left."""

    @tf.function
    def spiral(m):
        out = tf.zeros([0], m.dtype)
        while tf.size(m) > 0:
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(m, tf.TensorShape([None, None])), (out, tf.TensorShape([None]))]
            )
            out = tf.concat([out, m[0]], 0)
            m = tf.reverse(tf.transpose(m[1:]), [0])
        return out

    return spiral(tf.reshape(tf.range(6), (2, 3))), spiral(tf.constant([[7]])), spiral(tf.zeros([0, 3], tf.int32))


@program
def binary_search_by_a_loop():
    """The place of a value in sorted numbers by halving, against searchsorted."""

    @tf.function
    def find(x, value):
        low, high = tf.constant(0), tf.size(x)
        while low < high:
            middle = (low + high) // 2
            if x[middle] < value:
                low = middle + 1
            else:
                high = middle
        return low, low == tf.searchsorted(x, [value])[0]

    x = tf.constant([1, 3, 5, 7, 9])
    return [find(x, tf.constant(v)) for v in (0, 5, 6, 10)]


@program
def matrix_determinant_by_elimination():
    """Gaussian elimination with row swaps by gather and scatter in loops."""

    @tf.function
    def determinant(m):
        n = tf.shape(m)[0]
        sign = tf.constant(1.0, tf.float64)
        for k in tf.range(n):
            p = k + tf.argmax(tf.abs(m[k:, k]), output_type=tf.int32)
            if p != k:
                m = tf.tensor_scatter_nd_update(m, [[k], [p]], tf.gather(m, [p, k]))
                sign = -sign
            factors = tf.where(tf.range(n) > k, m[:, k] / m[k, k], 0.0)
            m = m - factors[:, None] * m[k][None]
        return sign * tf.reduce_prod(tf.linalg.diag_part(m))

    m = tf.constant([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [3.0, 0.0, 1.0]], tf.float64)
    return determinant(m), tf.linalg.det(m), determinant(tf.eye(2, dtype=tf.float64))


@program
def numpy_indexing_side_by_side():
    """Indices that NumPy and tensors share give the same, for basic slices and newaxis."""

    @tf.function
    def f(x):
        return [x[1], x[-1, ::2], x[:, None, 1], x[..., -1], x[:1, 1:], x[::-1, ::-1]]

    array = np.arange(12).reshape(3, 4)
    by_tensor = f(tf.constant(array))
    by_numpy = [array[1], array[-1, ::2], array[:, None, 1], array[..., -1], array[:1, 1:], array[::-1, ::-1]]
    same = [bool(np.array_equal(a, b)) for a, b in zip(by_tensor, by_numpy)]
    return by_tensor, same, [t.shape for t in by_tensor]


@program
def strided_slices_and_their_gradients():
    """The gradient of slices with steps, new axes and dropped axes is zero elsewhere."""

    @tf.function
    def f(x):
        a = x[::2, 1]
        b = x[None, 1, ::-1]
        c = x[..., :1] * 10.0
        return tf.reduce_sum(a**2) + tf.reduce_sum(b * [1.0, 2.0, 3.0]) + tf.reduce_sum(c)

    x = tf.reshape(tf.range(1.0, 10.0), (3, 3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


@program
def slice_op_and_strided_slice():
    """tf.slice with -1 for all, tf.strided_slice with masks, and wrong ones."""

    @tf.function
    def f(x):
        a = tf.slice(x, [1, 0], [-1, 2])
        b = tf.strided_slice(x, [0, 0], [3, 4], [2, 3])
        c = tf.strided_slice(x, [1, 1], [2, 2], begin_mask=1, end_mask=2, shrink_axis_mask=0)
        return a, b, c

    x = tf.reshape(tf.range(12), (3, 4))
    return f(x), raised(tf.slice, x, [2, 0], [2, 1]), raised(tf.slice, x, [0], [1]), tf.slice([1, 2, 3], [0], [0])


@program
def boolean_masks_along_axes():
    """boolean_mask with axis, with a mask of two axes, of nothing, of the wrong length."""

    @tf.function
    def f(x, mask):
        a = tf.boolean_mask(x, mask)
        b = tf.boolean_mask(x, [True, False, True], axis=1)
        c = tf.boolean_mask(x, x > 3)
        return a, b, c

    x = tf.reshape(tf.range(6), (2, 3))
    return (
        f(x, tf.constant([False, True])),
        f(x, tf.constant([False, False])),
        raised(tf.boolean_mask, x, [True, False, True]),
    )


@program
def argmax_of_ties_and_axes():
    """The first of equal ones; output types; argmin; of an empty axis an error."""

    @tf.function
    def f(x):
        a = tf.argmax(x, 0)
        b = tf.argmax(x, axis=-1, output_type=tf.int32)
        c = tf.argmin(x, 1)
        d = tf.argmax(tf.reshape(x, [-1]))
        return a, b, c, d

    return (
        f(tf.constant([[5, 5, 1], [5, 7, 1]])),
        f(tf.ones([2, 2])),
        raised(tf.argmax, tf.zeros([0, 2]), 0),
    )


@program
def cumulative_positions():
    """Positions of the runs of equal elements by cumsum of changes."""

    @tf.function
    def runs(x):
        change = tf.concat([[True], x[1:] != x[:-1]], 0)
        number = tf.cumsum(tf.cast(change, tf.int32)) - 1
        lengths = tf.math.segment_sum(tf.ones_like(x), number)
        starts = tf.cumsum(lengths, exclusive=True)
        return tf.boolean_mask(x, change), lengths, starts

    return runs(tf.constant([4, 4, 1, 1, 1, 4])), runs(tf.constant([2]))


@program
def bilinear_look_up():
    """Interpolation between the four neighbours of fractional coordinates by gather_nd."""

    @tf.function
    def sample(image, y, x):
        y0, x0 = tf.cast(tf.floor(y), tf.int32), tf.cast(tf.floor(x), tf.int32)
        wy, wx = y - tf.floor(y), x - tf.floor(x)

        def pixel(i, j):
            return tf.gather_nd(image, tf.stack([i, j], -1))

        top = pixel(y0, x0) * (1 - wx) + pixel(y0, x0 + 1) * wx
        bottom = pixel(y0 + 1, x0) * (1 - wx) + pixel(y0 + 1, x0 + 1) * wx
        return top * (1 - wy) + bottom * wy

    image = tf.reshape(tf.range(9.0), (3, 3))
    y, x = tf.constant([0.5, 1.25]), tf.constant([0.5, 0.0])
    with tf.GradientTape() as tape:
        tape.watch(y)
        value = sample(image, y, x)
    return value, tape.gradient(value, y)
