"""Which class of error a wrong call is, eagerly and in a function whose shapes are not known while tracing."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

ANY = tf.TensorSpec(None, tf.float32)
INTS = tf.TensorSpec(None, tf.int32)


def both(function, *args):
    """The error outside of a function, and inside of one that knows no shapes."""
    specs = [tf.TensorSpec(None, arg.dtype) for arg in args]
    return raised(function, *args), raised(tf.function(function, input_signature=specs), *args)


@program
def elementwise_shapes():
    """Shapes that do not broadcast."""

    @tf.function(input_signature=[ANY, ANY])
    def add(a, b):
        return a + b

    a, b = tf.ones([2, 3]), tf.ones([2])
    functions = (tf.add, tf.multiply, tf.maximum, tf.less, tf.pow, tf.math.squared_difference)
    errors = [both(f, a, b) for f in functions]
    return errors, add(a, tf.ones([2, 1])), raised(add, a, tf.ones([4]))


@program
def matrix_shapes():
    """Products of matrices whose inner sizes differ, and ranks that are too small."""

    @tf.function(input_signature=[ANY, ANY])
    def product(a, b):
        return tf.matmul(a, b)

    a, b, v = tf.ones([2, 3]), tf.ones([2, 3]), tf.ones([3])
    errors = [both(tf.matmul, a, b), both(tf.matmul, a, v), both(tf.linalg.matvec, a, tf.ones([2]))]
    errors += [both(lambda x, y: tf.einsum("ij,jk->ik", x, y), a, b), both(lambda x, y: tf.tensordot(x, y, 1), a, b)]
    return errors, product(a, tf.transpose(b))


@program
def concat_and_stack():
    """Parts that do not fit together, and axes that are not there."""

    @tf.function(input_signature=[ANY, ANY])
    def joined(a, b):
        return tf.concat([a, b], axis=0)

    a, b = tf.ones([2, 3]), tf.ones([2, 2])
    errors = [both(lambda x, y: tf.concat([x, y], 0), a, b), both(lambda x, y: tf.stack([x, y]), a, b)]
    errors += [both(lambda x, y: tf.concat([x, y], 2), a, a), both(lambda x, y: tf.concat([x, y], 0), a, a[0])]
    return errors, joined(a, a), raised(tf.stack, [a, a], 4)


@program
def reshapes():
    """Sizes that do not multiply to the same number."""

    @tf.function(input_signature=[ANY, INTS])
    def reshaped(x, shape):
        return tf.reshape(x, shape)

    x = tf.ones([2, 3])
    shapes = ([4], [-1, 4], [-1, -1], [0, -1], [-2, 3], [7, 0])
    errors = [raised(reshaped, x, tf.constant(shape)) for shape in shapes]
    eager = [raised(tf.reshape, x, shape) for shape in shapes]
    return errors, eager, reshaped(x, tf.constant([-1, 2]))


@program
def gathers():
    """Indices beyond the end and below zero."""

    @tf.function(input_signature=[ANY, INTS])
    def gathered(x, i):
        return tf.gather(x, i)

    x = tf.constant([1.0, 2.0, 3.0])
    errors = [both(tf.gather, x, tf.constant(i)) for i in (3, -1, [0, 5])]
    errors += [both(tf.gather_nd, x, tf.constant(i)) for i in ([3], [[-1]], [[0, 0]])]
    errors.append(both(lambda x, i: tf.gather(x, i, axis=1), x, tf.constant(0)))
    return errors, gathered(x, tf.constant([2, 2]))


@program
def slices():
    """Slices beyond the ends are cut, single indices are errors, tf.slice is strict."""

    @tf.function(input_signature=[ANY, INTS])
    def window(x, n):
        return x[n:], x[:n], x[-n:]

    x = tf.constant([1.0, 2.0, 3.0])
    strict = [both(lambda x, n: tf.slice(x, [n], [2]), x, tf.constant(n)) for n in (2, 3, -1)]
    single = [both(lambda x, n: x[n], x, tf.constant(n)) for n in (3, -4)]
    ranks = [raised(lambda: x[0, 0]), raised(lambda: x[:, 0]), raised(lambda: x[0.5]), raised(lambda: x["a"])]
    return window(x, tf.constant(2)), window(x, tf.constant(10)), strict, single, ranks


@program
def scatters():
    """Scattering outside of the target, or with updates of another shape."""

    @tf.function(input_signature=[INTS, INTS])
    def scattered(indices, updates):
        return tf.scatter_nd(indices, updates, [4])

    one = tf.constant([1])
    errors = [raised(scattered, tf.constant([[i]]), one) for i in (4, -1)]
    errors += [raised(tf.scatter_nd, [[0]], [1, 2], [4]), raised(tf.scatter_nd, [[0, 0]], [1], [4])]
    x = tf.zeros([3], tf.int32)
    errors += [raised(tf.tensor_scatter_nd_add, x, [[3]], [1]), raised(tf.tensor_scatter_nd_max, x, [[0]], [1, 2])]
    return errors, scattered(tf.constant([[1], [1]]), tf.constant([5, 6]))


@program
def axes_of_reductions():
    """Axes beyond the rank, twice the same axis, reductions of text."""

    @tf.function(input_signature=[ANY, INTS])
    def total(x, axis):
        return tf.reduce_sum(x, axis=axis)

    x = tf.ones([2, 3])
    errors = [raised(total, x, tf.constant(axis)) for axis in (2, -3, [0, 2])]
    eager = [raised(tf.reduce_max, x, 2), raised(tf.reduce_mean, x, [0, 0]), raised(tf.argmax, x, 2)]
    eager += [raised(tf.reduce_sum, tf.constant(["a"])), raised(tf.cumsum, x, axis=5)]
    return errors, eager, total(x, tf.constant([0, 1]))


@program
def splits_and_unstacks():
    """Splits that do not come out even, sizes that do not add up, unstacking what is not known."""

    @tf.function(input_signature=[ANY])
    def halves(x):
        return tf.split(x, 2)

    x = tf.range(5.0)
    errors = [raised(halves, x), raised(tf.split, x, 2), raised(tf.split, x, [2, 2]), raised(tf.split, x, [6, -1])]
    errors += [raised(tf.split, x, 0), raised(tf.unstack, tf.constant(1)), raised(tf.unstack, x, 4)]
    return errors, halves(x[:4]), [len(part) for part in (tf.split(x, 5), tf.unstack(x))]


@program
def padding_and_tiling():
    """Paddings below zero, of the wrong rank; multiples of the wrong number."""

    @tf.function(input_signature=[ANY, INTS])
    def padded(x, paddings):
        return tf.pad(x, paddings)

    x = tf.ones([2, 2])
    errors = [raised(padded, x, tf.constant(p)) for p in ([[1, 1]], [[-1, 0], [0, 0]], [[1, 1, 1], [1, 1, 1]])]
    errors += [raised(tf.pad, x, [[3, 0], [0, 0]], "REFLECT"), raised(tf.pad, x, [[1, 1], [0, 0]], "MIRROR")]
    errors += [raised(tf.tile, x, [1]), raised(tf.tile, x, [-1, 1])]
    return errors, padded(x, tf.constant([[0, 1], [1, 0]]))


@program
def fills_and_ranges():
    """Shapes below zero, steps of zero or in the wrong direction."""

    @tf.function(input_signature=[INTS, INTS])
    def counted(stop, step):
        return tf.range(0, stop, step)

    one = tf.constant(1)
    errors = [raised(counted, one, one * 0), raised(tf.range, 0, 5, -1), raised(counted, -one, one)]
    errors += [raised(tf.fill, [-1], 0), raised(tf.zeros, [2, -3]), raised(tf.ones, [-1]), raised(tf.eye, -1)]
    errors += [raised(tf.one_hot, [0], -2), raised(tf.fill, [2], [1, 2])]
    return errors, counted(tf.constant(5), tf.constant(2))


@program
def linear_algebra_errors():
    """Singular matrices, matrices that are not square, decompositions that do not exist."""

    @tf.function(input_signature=[ANY])
    def inverse(a):
        return tf.linalg.inv(a)

    singular, wide = tf.zeros([2, 2]), tf.ones([2, 3])
    errors = [raised(inverse, singular), raised(inverse, wide), raised(tf.linalg.inv, singular)]
    errors += [raised(tf.linalg.cholesky, -tf.eye(2)), raised(tf.linalg.det, wide), raised(tf.linalg.cholesky, wide)]
    errors += [raised(tf.linalg.solve, singular, tf.ones([2, 1])), raised(tf.linalg.solve, tf.eye(2), tf.ones([3, 1]))]
    return errors, inverse(2.0 * tf.eye(2))


@program
def strings_that_are_no_numbers():
    """Parsing, splitting and encoding of text that is not what it should be."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.string)])
    def number(text):
        return tf.strings.to_number(text)

    errors = [raised(number, tf.constant(text)) for text in ("", "1.5x", "one", "--1")]
    errors += [
        raised(tf.strings.to_number, "1.5", tf.int32),
        raised(tf.io.decode_base64, "*"),
        raised(tf.strings.substr, "abc", 5, 1),
    ]
    errors += [raised(tf.strings.join, [["a"], ["b", "c"]]), raised(tf.strings.regex_replace, "a", "(", "b")]
    good = [number(tf.constant(text)) for text in ("1.5", " 2 ", "-1e3", "inf")]
    return errors, good


@program
def casts_and_bitcasts():
    """Casts of text, bitcasts between sizes that do not fit, dtypes that do not exist."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.uint8)])
    def reinterpreted(x):
        return tf.bitcast(x, tf.int32)

    data = tf.constant([1, 0, 0, 0], tf.uint8)
    errors = [raised(reinterpreted, data[:3]), raised(tf.bitcast, tf.constant([1, 2, 3], tf.uint8), tf.int32)]
    errors += [
        raised(tf.cast, tf.constant("1"), tf.int32),
        raised(tf.cast, 1, "no_such"),
        raised(tf.as_dtype, "float33"),
    ]
    errors += [raised(tf.cast, tf.constant(1), tf.string), raised(tf.saturate_cast, tf.constant("a"), tf.int8)]
    return errors, reinterpreted(data)


@program
def constants_that_are_no_tensors():
    """Values that cannot be made a tensor, of the dtype asked for or of any."""

    @tf.function
    def fine(x):
        y = tf.constant([1, 2.5], tf.float64)
        return y + tf.cast(x, tf.float64)

    cases = [
        ([1, [2]], None),
        ([1, "a"], None),
        (1.5, tf.int32),
        ("a", tf.float32),
        (256, tf.uint8),
        (-1, tf.uint8),
        (None, None),
        (object(), None),
        ([None, 1], None),
        (1, tf.string),
        (2**64, None),
        ({"a": 1}, None),
        (True, tf.int32),
    ]
    errors = [raised(tf.constant, value, dtype) for value, dtype in cases]
    return errors, fine(tf.constant(1))


@program
def shapes_of_constants():
    """tf.constant with a shape fills with one value, and takes no other number of them."""

    @tf.function
    def filled():
        return tf.constant(7, shape=[2, 2])

    wrong = [raised(tf.constant, [1, 2], shape=[3]), raised(tf.constant, [1, 2], shape=[2, 2])]
    wrong += [raised(tf.constant, [1, 2, 3, 4], shape=[5]), raised(tf.constant, 1, shape=[-1])]
    right = [filled(), tf.constant([1, 2, 3, 4], shape=[2, 2]), tf.constant(0.0, shape=[0])]
    return wrong, right


@program
def segments():
    """Segment ids that are not sorted, below zero, of another length."""

    @tf.function(input_signature=[ANY, INTS])
    def sums(x, ids):
        return tf.math.segment_sum(x, ids)

    x = tf.constant([1.0, 2.0, 3.0])
    errors = [raised(sums, x, tf.constant(ids)) for ids in ([1, 0, 0], [-1, 0, 0], [0, 1])]
    errors += [
        raised(tf.math.unsorted_segment_sum, x, [0, 1], 2),
        raised(tf.math.unsorted_segment_sum, x, [0, 1, 5], 2),
    ]
    errors.append(raised(tf.math.segment_max, x, [2, 1, 0]))
    return errors, sums(x, tf.constant([0, 0, 2]))


@program
def sorting_and_top_k():
    """More than there are, axes that are not there, directions that are no directions."""

    @tf.function(input_signature=[ANY, INTS])
    def best(x, k):
        return tf.math.top_k(x, k).values

    x = tf.constant([3.0, 1.0, 2.0])
    errors = [raised(best, x, tf.constant(k)) for k in (4, -1)]
    errors += [raised(tf.math.top_k, tf.constant(1.0)), raised(tf.sort, x, direction="UP")]
    errors += [raised(tf.math.in_top_k, [0], [[0.1, 0.2], [0.3, 0.4]], 1)]
    return errors, best(x, tf.constant(2))


@program
def images_and_convolutions():
    """Convolutions with the wrong rank or number of channels."""

    @tf.function(input_signature=[ANY, ANY])
    def convolved(x, w):
        return tf.nn.conv2d(x, w, strides=1, padding="VALID")

    x, w = tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 2, 1])
    errors = [raised(convolved, x, tf.ones([2, 2, 3, 1])), raised(tf.nn.conv2d, x, w, 0, "SAME")]
    errors += [raised(tf.nn.conv2d, x, w, 1, "MIDDLE"), raised(tf.nn.max_pool2d, x, 5, 1, "VALID")]
    errors += [
        raised(tf.nn.softmax_cross_entropy_with_logits, [[1.0, 0.0]], [[1.0]]),
        raised(tf.nn.bias_add, x, tf.ones([3])),
    ]
    return errors, convolved(x, w)


@program(eager=False)
def losses_with_wrong_labels():
    """Sparse labels out of range, of a wrong dtype or shape."""

    @tf.function(input_signature=[INTS, ANY])
    def loss(labels, logits):
        return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)

    logits = tf.constant([[1.0, 2.0], [0.5, 0.5]])
    errors = [raised(loss, tf.constant([0]), logits)]
    errors += [raised(tf.nn.sparse_softmax_cross_entropy_with_logits, tf.constant([0.0, 1.0]), logits)]
    errors += [raised(tf.nn.sigmoid_cross_entropy_with_logits, tf.ones([2]), tf.ones([3]))]
    return errors, loss(tf.constant([0, 1]), logits)


@program
def where_and_select():
    """tf.where with conditions that are no bools and shapes that do not fit."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.bool), ANY, ANY])
    def chosen(c, a, b):
        return tf.where(c, a, b)

    a, b = tf.ones([2]), tf.zeros([2])
    errors = [raised(chosen, tf.constant([True, False, True]), a, b), raised(tf.where, tf.constant([True]), a, None)]
    errors += [raised(tf.where, tf.constant([True, False]), a, tf.constant([1, 2])), raised(tf.boolean_mask, a, [True])]
    errors += [raised(tf.boolean_mask, a, True), raised(tf.where, tf.constant([1, 0]), a, tf.constant(["a", "b"]))]
    return errors, chosen(tf.constant([True, False]), a, b)


@program
def errors_of_map_and_scan():
    """tf.map_fn, tf.scan and tf.foldl with structures, shapes and dtypes that do not fit."""

    @tf.function
    def squares(xs):
        doubled = xs + xs
        return tf.map_fn(lambda x: x * x, doubled)

    xs = tf.constant([1, 2, 3])
    errors = [
        raised(tf.map_fn, lambda x: (x, x), xs),
        raised(tf.map_fn, lambda x: x, tf.constant(1)),
        raised(tf.scan, lambda a, x: (a, x), xs),
        raised(tf.map_fn, lambda x: x, [xs, xs[:2]]),
        raised(tf.vectorized_map, lambda x, y: x, xs),
    ]
    return errors, squares(xs)


@program
def tensor_array_errors():
    """Reading what was not written, writing twice, elements of other shapes and dtypes."""

    @tf.function
    def fine(n):
        array = tf.TensorArray(tf.int32, size=n)
        for i in tf.range(n):
            array = array.write(i, i * 10)
        return array.stack()

    def fresh(**kwargs):
        return tf.TensorArray(tf.int32, size=2, **kwargs)

    errors = [
        raised(lambda: fresh().read(0)),
        raised(lambda: fresh().write(2, 1)),
        raised(lambda: fresh().write(-1, 1)),
        raised(lambda: fresh().write(0, 1.5)),
        raised(lambda: fresh(element_shape=[2]).write(0, [1, 2, 3])),
        raised(lambda: fresh().write(0, 1).write(1, [1]).stack()),
        raised(lambda: fresh().unstack([1, 2, 3])),
    ]
    return errors, fine(tf.constant(3))


@program
def gradient_errors():
    """Tapes that are used up, targets that do not fit, sources that are no tensors."""

    @tf.function
    def fine(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    x = tf.Variable(3.0)
    with tf.GradientTape() as once:
        y = x * x
    first = once.gradient(y, x)
    errors = [raised(once.gradient, y, x)]
    with tf.GradientTape(persistent=True) as tape:
        z = [x * 1.0, x * 2.0]
    errors += [raised(tape.gradient, None, x), raised(tape.jacobian, z, x), raised(tape.gradient, [z[0], None], x)]
    errors.append(raised(tape.gradient, z[0], x, unconnected_gradients="nothing"))
    return first, errors, fine(tf.constant(4.0))


@program(eager=False)
def module_and_variable_errors():
    """Variables without a value, with a wrong one, of a dtype that does not go with it."""

    @tf.function
    def use(x):
        v.assign_add(x)
        return v.read_value()

    v = tf.Variable([1.0, 2.0])
    errors = [
        raised(tf.Variable),
        raised(tf.Variable, None),
        raised(tf.Variable, "a", dtype=tf.int32),
        raised(tf.Variable, [1.0], shape=[2]),
        raised(v.assign, [1.0]),
        raised(v.assign_add, tf.constant([1, 2])),
        raised(v.scatter_nd_update, [[5]], [1.0]),
        raised(use, tf.constant([1.0, 2.0, 3.0])),
        raised(lambda: v[0].assign([1.0, 2.0])),
        raised(hash, v),
    ]
    return errors, use(tf.constant([1.0, 1.0]))


@program
def random_errors():
    """Ranges that are empty, probabilities that are none, seeds of a wrong shape."""

    @tf.function
    def fine(seed):
        first = tf.random.stateless_uniform([2], seed, 0, 5, tf.int32)
        second = tf.random.stateless_uniform([2], seed + 1, 0, 5, tf.int32)
        return first, second

    errors = [
        raised(tf.random.uniform, [2], 5, 5, tf.int32),
        raised(tf.random.uniform, [2], dtype=tf.int32),
        raised(tf.random.uniform, [-2]),
        raised(tf.random.stateless_uniform, [2], [1, 2, 3]),
        raised(tf.random.stateless_uniform, [2], 1),
        raised(tf.random.categorical, [0.5, 0.5], 1),
        raised(tf.random.Generator.from_seed, 1, alg="dice"),
    ]
    return errors, fine(tf.constant([1, 2]))
