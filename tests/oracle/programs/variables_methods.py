"""Variables: their methods, what they are made from, slices, scatters, dtypes, shapes, modules."""

import copy

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def made_from_everything():
    """Numbers, lists, arrays, tensors, other variables and callables as initial values."""
    made = [tf.Variable(v) for v in (3, 2.5, [1, 2], np.arange(3), tf.constant([True]), "text", lambda: tf.ones([2]))]
    made.append(tf.Variable(made[2]))

    @tf.function
    def total():
        return made[0] + tf.reduce_sum(made[2]), made[1] * 2.0, tf.reduce_sum(made[3])

    kinds = [(v.dtype, v.shape) for v in made]
    return made, kinds, total()


@program
def dtype_of_the_initial_value():
    """dtype converts the initial value where that is safe."""

    @tf.function
    def f():
        return half * half, wide + 1

    half = tf.Variable(0.5, dtype=tf.float16)
    wide = tf.Variable([1, 2], dtype=tf.int64)
    real = tf.Variable(3, dtype=tf.float64)
    wrong = [raised(tf.Variable, 1.5, dtype=tf.int32), raised(tf.Variable, tf.constant(1), dtype=tf.float32)]
    return f(), real, wrong


@program
def arithmetic_with_variables():
    """Operators and functions take variables as they take tensors."""
    v, w = tf.Variable([1.0, -2.0]), tf.Variable([[3.0], [4.0]])

    @tf.function
    def f():
        return v + w, v * 2.0, 2.0 - v, w / v, v**2.0, w @ [v], -v, abs(v), v > 0.0, v // 2.0, v % 2.0

    eager = [v + w, 1.0 / w, tf.concat([v, [5.0]], 0), tf.reduce_max(w), v == v.read_value(), v[0] + w[1, 0]]
    inside = f()
    return eager, inside, tf.stack([v, v])


@program
def comparisons_and_hashing():
    """A variable compares by value, and cannot be hashed; ref() can."""
    a, b = tf.Variable(1.0), tf.Variable(1.0)

    @tf.function
    def same():
        return a == b, a != b, a < b + 1.0

    first = same()
    b.assign(2.0)
    table = {a.ref(): "a", b.ref(): "b"}
    found = [table[a.ref()], table[b.ref()], a.ref() == a.ref(), a.ref() == b.ref(), a.ref().deref() is a]
    return first, same(), found, raised(hash, a)


@program
def slices_are_assigned():
    """Single elements, ranges, strides and masks of a variable are assigned in a function."""
    grid = tf.Variable(tf.zeros([3, 4], tf.int32))

    @tf.function
    def paint(row, value):
        grid[row].assign(tf.fill([4], value))
        grid[:, 0].assign([7, 8, 9])
        grid[1:, 2:].assign(grid[1:, 2:] + 100)
        grid[0, ::2].assign([-1, -2])
        return grid.read_value()

    first = paint(tf.constant(1), tf.constant(5))
    grid[-1, -1].assign(0)
    wrong = [raised(lambda: grid[0].assign([1, 2])), raised(lambda: grid[5].assign([0, 0, 0, 0]))]
    return first, grid, wrong


@program
def scatter_nd_family():
    """scatter_nd_add, _sub, _update, _max and _min with single and repeated indices."""
    v = tf.Variable([1, 2, 3, 4])

    @tf.function
    def f(indices, updates):
        v.scatter_nd_add(indices, updates)
        first = v.read_value()
        v.scatter_nd_sub(indices, updates * 2)
        second = v.read_value()
        v.scatter_nd_update([[0]], [50])
        v.scatter_nd_max([[1], [2]], [10, -10])
        v.scatter_nd_min([[0], [3]], [7, 100])
        return first, second

    results = f(tf.constant([[3], [0], [3]]), tf.constant([10, 20, 30]))
    return results, v


@program
def scatter_with_slices_family():
    """scatter_add, _sub, _mul, _div, _min, _max and _update with IndexedSlices."""
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    @tf.function
    def f(rows, indices):
        change = tf.IndexedSlices(rows, indices)
        results = []
        for method in (v.scatter_add, v.scatter_mul, v.scatter_sub, v.scatter_div, v.scatter_max, v.scatter_min):
            method(change)
            results.append(v.read_value())
        v.scatter_update(change)
        return results

    results = f(tf.constant([[2.0, 4.0], [1.0, 0.5]]), tf.constant([2, 0]))
    return results, v


@program
def batch_scatter_and_gather():
    """sparse_read, gather_nd and batch_scatter_update."""
    v = tf.Variable([[1, 2, 3], [4, 5, 6]])

    @tf.function
    def f(indices):
        rows = v.sparse_read(indices)
        cells = v.gather_nd([[0, 2], [1, 0]])
        return rows, cells

    before = f(tf.constant([1, 0, 1]))
    v.batch_scatter_update(tf.IndexedSlices(tf.constant([[10, 20], [30, 40]]), tf.constant([[0, 1], [2, 0]])))
    return before, v, tf.gather(v, [1])


@program
def attributes_of_variables():
    """name, device-free facts, trainable, synchronization, initial value, handle's dtype."""
    v = tf.Variable([1.0, 2.0], name="weights", trainable=False)

    @tf.function
    def shape_in_graph():
        return tf.shape(v), tf.size(v), tf.rank(v)

    facts = [v.name, v.trainable, v.dtype, v.shape, v.get_shape(), v.shape.rank, v.handle.dtype.name]
    facts += [v.synchronization.name, v.aggregation.name, v.shape.as_list(), v.is_initialized()]
    return facts, shape_in_graph(), v.numpy()


@program
def value_and_read_value_are_copies():
    """A value that was read does not change with the variable, nor the array of numpy()."""
    v = tf.Variable([1, 2, 3])

    @tf.function
    def f():
        before = v.value()
        v.assign_add([10, 10, 10])
        return before, v.value()

    array = v.numpy()
    outside = v.read_value()
    inside = f()
    array[0] = 99
    return inside, outside, v, array


@program
def unknown_shapes():
    """shape= with unknown parts lets a variable change its size; validate_shape=False its rank."""
    rows = tf.Variable([[1.0, 2.0]], shape=[None, 2])
    anything = tf.Variable(1.0, shape=tf.TensorShape(None))

    @tf.function
    def grow(x):
        rows.assign(tf.concat([rows, x], axis=0))
        anything.assign(tf.reduce_sum(rows, axis=1))
        return tf.shape(rows), tf.shape(anything)

    sizes = [grow(tf.ones([1, 2])), grow(tf.zeros([2, 2]))]
    wrong = raised(rows.assign, [[1.0, 2.0, 3.0]])
    return sizes, rows.shape, anything.shape, wrong, anything.read_value()


@program
def deep_copies():
    """copy.deepcopy of a variable and of a module makes new variables."""

    class Model(tf.Module):
        def __init__(self):
            super().__init__(name="model")
            self.w = tf.Variable([1.0, 2.0], name="w")

        @tf.function
        def __call__(self, x):
            return self.w * x

    model = Model()
    other = copy.deepcopy(model)
    other.w.assign([10.0, 20.0])
    single = copy.deepcopy(model.w)
    single.assign([0.0, 0.0])
    return model(tf.constant(2.0)), model.w, other.w, single, other.w is model.w


@program
def nested_modules():
    """variables, trainable_variables and submodules of nested modules, lists, dicts and tuples."""

    class Block(tf.Module):
        def __init__(self, size):
            super().__init__()
            self.kernel = tf.Variable(tf.fill([size], 1.0), name="kernel")
            self.steps = tf.Variable(0, trainable=False, name="steps")

    class Net(tf.Module):
        def __init__(self):
            super().__init__(name="net")
            self.blocks = [Block(1), Block(2)]
            self.table = {"b": Block(3), "a": tf.Variable(4.0, name="a")}
            self.pair = (tf.Variable(5.0, name="in_tuple"), "text", 3)

        @tf.function
        def total(self):
            return tf.add_n([tf.reduce_sum(v) for v in self.trainable_variables])

    net = Net()
    sizes = [v.shape for v in net.variables]
    names = [v.name for v in net.trainable_variables]
    return sizes, names, len(net.submodules), net.total(), [m.kernel.shape for m in net.blocks]


@program
def name_scopes_of_modules():
    """with_name_scope puts the module's name before those of its variables."""

    class Dense(tf.Module):
        def __init__(self, name=None):
            super().__init__(name=name)
            self.w = None

        @tf.Module.with_name_scope
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([2]), name="w")
            return x * self.w

    class MyLayer(Dense):
        pass

    layers = [Dense(), Dense(name="last"), MyLayer()]
    f = tf.function(lambda x: layers[0](x))
    results = [layer(tf.constant([1.0, 2.0])) for layer in layers]
    return results, [layer.w.name for layer in layers], [layer.name for layer in layers], f(tf.constant([3.0, 4.0]))


@program
def flattened_modules():
    """A module's variables appear once although two attributes hold them."""

    class Shared(tf.Module):
        def __init__(self):
            super().__init__()
            self.embedding = tf.Variable(tf.ones([2, 2]), name="table")
            self.output = self.embedding
            self.extra = [self.embedding, tf.Variable(1.0, name="bias")]

        @tf.function
        def __call__(self, i):
            return tf.gather(self.embedding, i) @ self.output + self.extra[1]

    shared = Shared()
    result = shared(tf.constant([0, 1]))
    shared.output.assign(tf.zeros([2, 2]))
    return result, [v.name for v in shared.variables], shared(tf.constant([0]))
