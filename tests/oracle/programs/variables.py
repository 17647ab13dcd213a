"""Variables: the assign family, capture by reference, modules, creation in a function, methods, slices, scatters."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def assign_family():
    """assign, assign_add, assign_sub and what they return, eagerly and in a function."""
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def change(x):
        a = v.assign_add(x) * 10.0
        b = v.assign_sub([0.5, 0.5]) + 0.0
        c = v.assign(v * v) + 0.0
        return a, b, c

    first = change(tf.constant([1.0, 1.0]))
    v.assign([0.0, -1.0]).assign_add([1.0, 1.0])
    second = change(tf.constant([0.25, 0.25]))
    return first, second, v


@program
def captured_by_reference():
    """A variable is read anew by each call; a Python number was fixed by the trace."""
    scale = tf.Variable(2.0)
    offset = tf.Variable(1, dtype=tf.int32)

    @tf.function
    def apply(x):
        return x * scale, tf.range(3) + offset

    first = apply(tf.constant(3.0))
    scale.assign(10.0)
    offset.assign_add(4)
    second = apply(tf.constant(3.0))
    return first, second, scale + 1.0, offset * 2


@program(eager=False, advice=("frozen.attribute",))
def frozen_global_and_live_variable():
    """A Python attribute is read while tracing only, a variable by each call."""

    class Settings:
        rate = 1.0

    settings = Settings()
    live = tf.Variable(1.0)

    @tf.function
    def f(x):
        return x * settings.rate + live

    first = f(tf.constant(2.0))
    settings.rate = 100.0
    live.assign(5.0)
    second = f(tf.constant(2.0))
    third = f(tf.constant([2.0]))
    return first, second, third, f.experimental_get_tracing_count()


@program
def module_collects_variables():
    """tf.Module finds its variables and submodules, in order of attribute names, trainable ones apart."""

    class Dense(tf.Module):
        def __init__(self, rows, columns, name=None):
            super().__init__(name=name)
            self.w = tf.Variable(tf.ones([rows, columns]), name="w")
            self.b = tf.Variable(tf.zeros([columns]), name="b")
            self.calls = tf.Variable(0, trainable=False, name="calls")

        @tf.function
        def __call__(self, x):
            self.calls.assign_add(1)
            return tf.nn.relu(x @ self.w + self.b)

    class Tower(tf.Module):
        def __init__(self):
            super().__init__(name="tower")
            self.layers = [Dense(2, 3), Dense(3, 1, name="last")]
            self.gain = tf.Variable(2.0, name="gain")

        @tf.function
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x * self.gain

    tower = Tower()
    y = tower(tf.constant([[1.0, 2.0]]))
    names = [v.name for v in tower.variables]
    shapes = [v.shape for v in tower.trainable_variables]
    modules = [m.name for m in tower.submodules]
    return y, names, shapes, modules, tower.name, tower.layers[0].calls


@program
def created_once():
    """A variable is created by the first call and kept by the object."""

    class Counter:
        def __init__(self):
            self.total = None

        @tf.function
        def __call__(self, x):
            if self.total is None:
                self.total = tf.Variable(tf.zeros_like(x))
            self.total.assign_add(x)
            return self.total.read_value()

    counter = Counter()
    one = counter(tf.constant([1.0, 2.0]))
    two = counter(tf.constant([10.0, 20.0]))
    other = Counter()
    three = other(tf.constant([0.5]))
    return one, two, three, counter.total, other.total


@program(eager=False, advice=("variable.created",))
def created_by_each_call_is_an_error():
    """A function that makes a variable by each call fails; what was there before stays as it was."""
    kept = tf.Variable(1.0)

    @tf.function
    def wrong(x):
        v = tf.Variable(x)
        return v + kept

    @tf.function
    def right(x):
        return kept.assign_add(x) + 0.0

    error = raised(wrong, 2.0)
    value = right(tf.constant(1.5))
    return error, value, kept


@program(eager=False)
def methods_trace_per_instance():
    """A decorated method has one trace for each object, and reads that object's variables."""

    class Account:
        def __init__(self, start):
            self.balance = tf.Variable(start)

        @tf.function
        def pay(self, amount):
            traced.append(float(start_of[id(self)]))
            if self.balance < amount:
                return tf.constant(False)
            self.balance.assign_sub(amount)
            return tf.constant(True)

    traced, start_of = [], {}
    accounts = [Account(5.0), Account(100.0)]
    for account, start in zip(accounts, (5.0, 100.0), strict=True):
        start_of[id(account)] = start
    answers = [account.pay(tf.constant(amount)) for amount in (4.0, 4.0, 50.0) for account in accounts]
    return answers, traced, [account.balance for account in accounts]


@program
def assign_under_a_condition():
    """Assignments in the branches of a tensor condition: only the branch that runs assigns."""
    low, high = tf.Variable(0), tf.Variable(0)

    @tf.function
    def sort_into(x):
        if x < 10:
            low.assign_add(x)
        else:
            high.assign_add(x)
            if x > 100:
                low.assign(-1)
        return low + high

    results = [sort_into(tf.constant(x)) for x in (3, 10, 5, 200, 9)]
    return results, low, high


@program
def assign_in_a_loop():
    """A variable that a loop changes, read before, in and after the loop."""
    memory = tf.Variable([1, 1])

    @tf.function
    def fibonacci(n):
        before = memory.read_value()
        seen = tf.constant(0)
        for _ in tf.range(n):
            memory.assign(tf.stack([memory[1], memory[0] + memory[1]]))
            seen += memory[0]
        return before, seen, memory.read_value()

    return fibonacci(tf.constant(5)), fibonacci(tf.constant(0)), fibonacci(tf.constant(2)), memory


@program
def read_then_write():
    """A value read before an assignment is the old one, whatever is done with it later."""
    v = tf.Variable(3)

    @tf.function
    def swap_in(x):
        old = v.read_value()
        v.assign(x)
        new = v.read_value()
        v.assign_add(old)
        return old, new, v.read_value(), old * 100 + new

    results = [swap_in(tf.constant(x)) for x in (7, 8)]
    return results, v


@program
def slices_of_a_variable():
    """Assignment to a slice, eagerly and in a function."""
    board = tf.Variable(tf.zeros([3, 3], tf.int32))

    @tf.function
    def put(row, column, mark):
        board[row, column].assign(mark)
        return tf.reduce_sum(board, axis=0)

    sums = [put(tf.constant(0), tf.constant(1), tf.constant(5)), put(tf.constant(2), tf.constant(2), tf.constant(-1))]
    board[1].assign([7, 8, 9])
    board[:, 0].assign(tf.constant([1, 2, 3]))
    board[::2, 1:].assign(board[::2, 1:] * 10)
    return sums, board


@program
def scatter_methods():
    """scatter_update, scatter_add with slices; scatter_nd_update and scatter_nd_add with indices."""
    v = tf.Variable([1.0, 2.0, 3.0, 4.0])
    m = tf.Variable(tf.zeros([2, 2]))

    @tf.function
    def scatter(values):
        v.scatter_update(tf.IndexedSlices(values, tf.constant([3, 0])))
        v.scatter_add(tf.IndexedSlices(tf.constant([0.5, 0.5, 0.5]), tf.constant([1, 1, 2])))
        m.scatter_nd_update([[0, 1], [1, 0]], values)
        m.scatter_nd_add([[0, 1]], [1.0])
        v.scatter_nd_sub([[2]], [10.0])
        return tf.reduce_sum(m)

    first = scatter(tf.constant([-1.0, -2.0]))
    v.scatter_max(tf.IndexedSlices(tf.constant([0.0, 0.0]), tf.constant([0, 2])))
    return first, v, m


@program
def attributes():
    """name, dtype, shape, trainable, and what conversion and arithmetic make of a variable."""
    v = tf.Variable([[1, 2, 3]], name="weights", dtype=tf.int64)
    w = tf.Variable(1.5, trainable=False)

    @tf.function
    def use(x):
        y = v + tf.cast(x, tf.int64)
        return y, v[0, 1:], w / 2.0, -w, abs(-w), w**2.0

    results = use(tf.constant(10))
    facts = [v.name, v.dtype, v.shape, v.trainable, w.name, w.dtype, w.shape, w.trainable, w.shape.rank]
    return results, facts, v.numpy(), tf.convert_to_tensor(w), tf.shape(v), float(w), len(v.shape)


@program
def loose_shape():
    """A variable with an unknown dimension takes values of other sizes."""
    v = tf.Variable([1.0], shape=tf.TensorShape([None]))

    @tf.function
    def double():
        v.assign(tf.concat([v, v + 1.0], axis=0))
        return tf.size(v)

    sizes = [double(), double()]
    static = v.shape
    error = raised(v.assign, [[1.0]])
    v.assign([9.0, 8.0])
    return sizes, static, error, v.read_value()


@program(eager=False)
def wrong_shape_and_dtype():
    """An assignment that does not fit fails and changes nothing."""
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def add(x):
        return v.assign_add(x) + 0.0

    errors = [
        raised(v.assign, [1.0, 2.0, 3.0]),
        raised(v.assign, tf.constant([1, 2])),
        raised(add, tf.constant([1, 2])),
    ]
    errors.append(raised(add, tf.constant([[1.0]])))
    value = add(tf.constant([1.0, 1.0]))
    return errors, value, v


@program(eager=False)
def variables_as_arguments():
    """Variables of the same shape and dtype share a trace when passed as arguments; another shape does not."""
    a, b, c = tf.Variable(1.0), tf.Variable(2.0), tf.Variable([1.0, 2.0])

    @tf.function
    def bump(v):
        v.assign_add(v)
        return v + 0.5

    results = [bump(v) for v in (a, b, a, c)]
    return results, bump.experimental_get_tracing_count(), a, b, c


@program
def initial_value_from_a_function():
    """An initial value given by a callable, and one variable made from another."""
    w = tf.Variable(lambda: tf.range(3.0) * 2.0)
    copy = tf.Variable(w)

    @tf.function
    def move(x):
        copy.assign(copy + x)
        w.assign(copy * 0.5)
        return copy - w

    result = move(tf.constant(1.0))
    return result, w, copy, w.dtype, bool(tf.reduce_all(tf.equal(copy, w * 2.0)))
