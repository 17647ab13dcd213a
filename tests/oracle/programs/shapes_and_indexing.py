"""Shapes, indexing, slicing, conversions between NumPy and tensors, in functions."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def slices_with_steps():
    """Slices as Python has them: negative steps, open ends, out of range ends."""

    @tf.function
    def f(x):
        a = x[2:8:3]
        b = x[::-1]
        c = x[-3:]
        d = x[7:2:-2]
        e = x[5:100]
        g = x[100:]
        return a, b, c, d, e, g

    return f(tf.range(10)), f(tf.range(3.0))


@program
def newaxis_and_ellipsis():
    """tf.newaxis, None and ... in indices of three dimensions."""

    @tf.function
    def f(x):
        a = x[..., 0]
        b = x[tf.newaxis, 1, ..., None]
        c = x[:, None, :, -1]
        d = x[0, ...][..., tf.newaxis]
        e = x[1, 1, 1]
        return a, b, c, d, e, x[..., ::2].shape

    a, b, c, d, e, shape = f.python_function(tf.reshape(tf.range(24), (2, 3, 4)))
    traced = f.get_concrete_function(tf.TensorSpec([2, 3, 4], tf.int32))(tf.reshape(tf.range(24), (2, 3, 4)))
    return (a, b, c, d, e, shape), traced[:5]


@program
def indices_that_are_tensors():
    """Indices and bounds given as tensors, negative ones too."""

    @tf.function
    def window(x, start, length):
        part = x[start : start + length]
        last = x[-length]
        grid = tf.reshape(tf.range(9), (3, 3))
        row = grid[start]
        cell = grid[start, length - 1]
        return part, last, row, cell

    x = tf.constant([5, 6, 7, 8, 9])
    return [window(x, tf.constant(s), tf.constant(n)) for s, n in ((0, 1), (1, 3), (2, 2))]


@program
def boolean_mask_and_where():
    """tf.boolean_mask, tf.where with one and with three arguments."""

    @tf.function
    def positive(x):
        mask = x > 0
        places = tf.where(mask)
        chosen = tf.boolean_mask(x, mask)
        clipped = tf.where(mask, x, tf.zeros_like(x))
        broadcast = tf.where(x > 1, x, -1)
        return places, chosen, clipped, broadcast, tf.boolean_mask(x, [True, False], axis=0)

    return positive(tf.constant([[1, -2, 3], [-4, 5, 0]])), positive(tf.constant([[-1], [-1]]))


@program
def reshape_and_transpose():
    """reshape with -1, transpose with and without perm, expand_dims and squeeze."""

    @tf.function
    def f(x):
        flat = tf.reshape(x, [-1])
        pairs = tf.reshape(x, (-1, 2))
        turned = tf.transpose(x)
        swapped = tf.transpose(x[tf.newaxis], perm=[1, 0, 2])
        thin = tf.squeeze(tf.expand_dims(tf.expand_dims(x, 0), -1))
        return flat, pairs, turned, swapped, thin

    results = f(tf.constant([[1, 2, 3], [4, 5, 6]]))
    return results, [r.shape for r in results], raised(f, tf.constant([[1, 2, 3]])) != "nothing"


@program
def dynamic_shape_arithmetic():
    """Shapes computed when the graph runs, used for reshape, fill and loops."""

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def border(x):
        shape = tf.shape(x)
        rows, columns = shape[0], shape[1]
        top = tf.fill([1, columns], -1)
        framed = tf.concat([top, x, top], axis=0)
        side = tf.zeros([rows + 2, 1], tf.int32)
        whole = tf.concat([side, framed, side], axis=1)
        return whole, tf.size(whole), tf.reshape(x, [columns, rows])

    return border(tf.constant([[1, 2, 3]])), border(tf.constant([[1], [2]])), border(tf.zeros([0, 2], tf.int32))


@program
def gather_in_many_ways():
    """gather along axes, with batch dimensions, gather_nd."""

    @tf.function
    def f(table, ids):
        rows = tf.gather(table, ids)
        columns = tf.gather(table, ids, axis=1)
        batch = tf.gather(table, ids[:, tf.newaxis], axis=1, batch_dims=1)
        cells = tf.gather_nd(table, tf.stack([ids, ids[::-1]], axis=1))
        whole_rows = tf.gather_nd(table, [[1], [0]])
        return rows, columns, batch, cells, whole_rows

    table = tf.constant([[1, 2], [3, 4]])
    return f(table, tf.constant([1, 0])), f(table * 10, tf.constant([1, 1]))


@program
def scatter_and_update():
    """scatter_nd adds up, tensor_scatter_nd_update replaces, and the arguments stay as they were."""

    @tf.function
    def f(x, where, what):
        added = tf.scatter_nd(where, what, tf.shape(x))
        replaced = tf.tensor_scatter_nd_update(x, where, what)
        summed = tf.tensor_scatter_nd_add(x, where, what)
        smaller = tf.tensor_scatter_nd_min(x, where, what)
        return added, replaced, summed, smaller, x

    x = tf.constant([10, 20, 30, 40])
    return f(x, tf.constant([[1], [3], [1]]), tf.constant([1, 2, 5])), x


@program
def numpy_both_ways():
    """NumPy functions on tensors, tensors from arrays, arrays as arguments, the copy that numpy() makes."""

    @tf.function
    def f(x):
        y = tf.constant(np.arange(3)) + x
        return y * np.int64(2), tf.convert_to_tensor(np.ones([2], np.float16))

    array = np.array([1, 2, 3])
    a, b = f(array)
    t = tf.constant(array)
    array[0] = 100
    copied = t.numpy()
    eager = [np.add(t, 1), np.multiply(t, t), t + array, np.asarray(t), float(tf.constant(2)), int(tf.constant(7.9))]
    return a, b, copied, eager, len(t), [int(v) for v in t], t.numpy().dtype.name


@program
def dtypes_of_conversions():
    """Which dtype a Python value, a list, an array and a mixture get."""

    @tf.function
    def in_graph():
        values = [1, 1.0, True, "s", [1, 2.5], [[1], [2]], 1j, np.float64(1), np.arange(2, dtype=np.uint8), (1, 2), []]
        return [tf.constant(value) for value in values]

    graph = [(t.dtype, t.shape) for t in in_graph()]
    eager = [tf.convert_to_tensor(v) for v in (2**40, [2.0, tf.constant(3.0)], np.array("s"), b"b", np.bool_(True))]
    hinted = [
        tf.constant(1, tf.float64),
        tf.constant([1, 2], dtype="int8"),
        tf.constant(7, shape=[2, 2]),
        tf.constant([1, 2], shape=(2, 1)),
    ]
    return graph, eager, hinted


@program
def python_operand_takes_the_tensor_dtype():
    """A Python number beside a tensor takes its dtype, on both sides."""

    @tf.function
    def f(x):
        right = x + 1, x * 2, x / 2, x % 2, x**2
        left = 1 - x, 2**x, 7 // x
        alone = -x, abs(x)
        return right, left, alone

    dtypes = (tf.int32, tf.float16, tf.float64, tf.int64)
    return [f(tf.constant(3, dtype)) for dtype in dtypes]


@program
def strided_assign_by_mask():
    """A checkerboard, built with range, broadcasting and where."""

    @tf.function
    def board(n):
        i = tf.range(n)[:, tf.newaxis]
        j = tf.range(n)[tf.newaxis, :]
        colour = (i + j) % 2
        values = tf.where(colour == 0, i * n + j, -1)
        return values, tf.reduce_sum(colour), tf.linalg.band_part(values, 0, -1)

    return board(tf.constant(3)), board(tf.constant(1)), board(tf.constant(0))


@program
def split_stack_and_concat():
    """split by number and by sizes, unstack, stack along a new axis, tile and repeat."""

    @tf.function
    def f(x):
        left, right = tf.split(x, 2, axis=1)
        small, large = tf.split(x, [1, 3], axis=1)
        rows = tf.unstack(x)
        stacked = tf.stack(rows[::-1], axis=1)
        tiled = tf.tile(x[:1], [2, 2])
        return left, right, small, large, stacked, tiled, tf.repeat(x[0], [1, 0, 2, 1]), tf.concat([x, right], 1)

    x = tf.reshape(tf.range(8), (2, 4))
    return f(x), f(tf.cast(x, tf.float32) / 2.0)


@program
def broadcasting_rules():
    """Broadcasting of three shapes, and a product table by outer axes."""

    @tf.function
    def f(a, b, c):
        total = a[:, None, None] + b[None, :, None] * c
        table = tf.tensordot(a, b, axes=0)
        dot = tf.einsum("i,j,k->kij", a, b, c)
        return total, table, tf.reduce_sum(dot, axis=[0, 2]), tf.broadcast_to(c, [2, 2])

    a, b, c = tf.constant([1, 2]), tf.constant([10, 20, 30]), tf.constant([100, 200])
    return (
        f(a, b, c),
        tf.broadcast_static_shape(tf.TensorShape([2, 1, 3]), tf.TensorShape([5, 1])),
        tf.broadcast_dynamic_shape([2, 1], [3]),
    )


@program
def shape_objects():
    """TensorShape: building, comparing, merging, indexing, its text."""

    @tf.function
    def f(x):
        return tf.reshape(x, tf.TensorShape([2, None]).as_list()[:1] + [-1])

    shape = tf.TensorShape([2, None, 3])
    unknown = tf.TensorShape(None)
    facts = [
        shape.rank,
        unknown.rank,
        shape[0],
        shape[1],
        shape[1:],
        len(shape),
        shape.as_list(),
        shape.is_fully_defined(),
        list(tf.TensorShape([1, 2])),
    ]
    facts += [
        shape == [2, None, 3],
        tf.TensorShape([2, 3]) == (2, 3),
        shape.is_compatible_with([2, 7, 3]),
        shape.is_compatible_with([2, 7]),
    ]
    facts += [
        shape.merge_with([None, 5, 3]),
        shape.concatenate([4]),
        tf.TensorShape([2, 3]).num_elements(),
        shape.num_elements(),
        unknown.concatenate([1]),
    ]
    texts = [str(shape), repr(shape), str(unknown), repr(unknown), str(tf.TensorShape([])), repr(tf.TensorShape([5]))]
    return facts, texts, f(tf.range(6)), raised(shape.merge_with, [3, 1, 3]), raised(unknown.as_list)
