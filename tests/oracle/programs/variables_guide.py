"""Variables and modules as people first meet them."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def what_a_variable_takes():
    """Assignments of other shapes and dtypes, by another variable, by Python numbers and by strings."""
    v = tf.Variable([1.0, 2.0], name="pair")
    loose = tf.Variable([[1]], shape=tf.TensorShape(None))

    @tf.function
    def change(value):
        v.assign(value)
        return v + 1.0, v.read_value()

    good = change(tf.constant([5.0, 6.0])), change([7, 8]), change(v)
    wrong = raised(change, [1.0, 2.0, 3.0]), raised(change, ["a", "b"]), raised(change, tf.constant([1, 2]))
    loose.assign([[1, 2, 3]])
    return good, wrong, v, loose, loose.shape.rank, tf.reshape(v, [2, 1]), tf.argmax(v)


@program(eager=False)
def copies_of_variables():
    """A variable made of a variable is a copy; operations give tensors, not variables."""
    a = tf.Variable([2.0, 3.0])
    b = tf.Variable(a)
    a.assign([5.0, 6.0])

    @tf.function
    def f():
        before = a.read_value()
        a.assign_add([1.0, 1.0])
        b.assign_sub([1.0, 1.0])
        return before, a - b, isinstance(a, tf.Variable), isinstance(a + b, tf.Variable)

    return f(), f(), a, b, b.assign([0.0, 0.0]), b


@program(eager=False)
def counters_in_a_class():
    """A module with a counter: each instance traces once and counts for itself."""
    traces = []

    class Counter(tf.Module):
        def __init__(self, start, name=None):
            super().__init__(name=name)
            self.count = tf.Variable(start, dtype=tf.int64, name="count")

        @tf.function
        def __call__(self, by):
            traces.append(self.name)
            return self.count.assign_add(by)

    first, second = Counter(0), Counter(10, name="ten")
    results = [first(tf.constant(1, tf.int64)), second(tf.constant(5, tf.int64)), first(tf.constant(2, tf.int64))]
    return results, traces, [v.name for v in first.variables], second.name_scope.name, raised(first, tf.constant(1.0))


@program
def layers_that_build_when_called():
    """Variables made at the first call, of the size of the input; collected by the module."""

    class Dense(tf.Module):
        def __init__(self, size, name=None):
            super().__init__(name)
            self.size, self.built = size, False

        @tf.Module.with_name_scope
        def __call__(self, x):
            if not self.built:
                self.w = tf.Variable(tf.ones([x.shape[-1], self.size]), name="w")
                self.b = tf.Variable(tf.zeros([self.size]), name="b", trainable=False)
                self.built = True
            return x @ self.w + self.b

    class Stack(tf.Module):
        def __init__(self):
            super().__init__("stack")
            self.layers = [Dense(3), Dense(1, name="last")]
            self.extra = {"b": tf.Variable(1.0), "a": (tf.Variable(2.0), None)}

        @tf.function
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    model = Stack()
    y = model(tf.ones([2, 2]))
    names = [v.name for v in model.trainable_variables], [m.name for m in model.submodules]
    return y, names, len(model.variables), [v.shape.as_list() for v in model.variables]


@program(eager=False, advice=("variable.created",))
def a_variable_made_in_a_function():
    """Only the first call may make a variable: else a ValueError."""

    @tf.function
    def anew(x):
        return x * tf.Variable(2.0)

    class Once(tf.Module):
        v = None

        @tf.function
        def __call__(self, x):
            if self.v is None:
                self.v = tf.Variable(tf.reduce_sum(x) * 0.0 + 3.0)
            return self.v * x

    once = Once()
    error = raised(anew, tf.constant(1.0))
    again = raised(anew, tf.constant(1.0))
    return error, again, once(tf.constant(2.0)), once(tf.constant([1.0, 2.0])), len(once.variables)


@program
def scattered_updates():
    """Rows of a variable changed by index, by coordinates and in slices."""
    v = tf.Variable(tf.zeros([4, 2]))

    @tf.function
    def f():
        v.scatter_update(tf.IndexedSlices(tf.ones([2, 2]), tf.constant([1, 3])))
        v.scatter_add(tf.IndexedSlices(tf.fill([2, 2], 5.0), tf.constant([1, 1])))
        v.scatter_nd_update([[0, 1], [2, 0]], [7.0, 8.0])
        v[2, 1:].assign([9.0])
        return v.read_value(), v.sparse_read([1, 1]), v.gather_nd([[2, 1]])

    first = f()
    return first, v.scatter_max(tf.IndexedSlices([[10.0, 10.0]], [0])), f()[1]
