"""Traced functions that call traced functions: arguments, results, captures, state, traces, order, errors."""

import collections
import functools

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def inner_traces_by_argument_types():
    """An inner function is traced once for each type of arguments, whichever outer function calls it."""
    traces = []

    @tf.function
    def inner(x, flag):
        traces.append((x.dtype.name, flag))
        return x * 2 if flag else x + 1

    @tf.function
    def first(x):
        return inner(x, True) + inner(x, False)

    @tf.function
    def second(x):
        return inner(x, True) - inner(tf.cast(x, tf.int64), flag=True)[0:1]

    results = first(tf.constant(3)), first(tf.constant(4))
    raised(second, tf.constant(3))
    return results, traces, inner.experimental_get_tracing_count()


@program
def keyword_and_default_arguments_of_inner_functions():
    """An inner traced function is called by position, by keyword and with its defaults."""

    @tf.function
    def inner(a, b=2, *, c=3):
        return a * 100 + b * 10 + c

    @tf.function
    def outer(x):
        more = {"c": 9}
        return inner(x), inner(x, 5), inner(b=x, a=1), inner(x, c=x), inner(*[x, x], **more)

    one = outer(tf.constant(1))
    return one, outer(tf.constant(4)), inner(tf.constant(7))


@program
def structures_in_and_out():
    """Dicts, tuples, namedtuples and None go into an inner function and come back."""
    Pair = collections.namedtuple("Pair", "a b")

    @tf.function
    def inner(data, pair, nothing=None):
        swapped = Pair(pair.b, pair.a)
        return {"sum": data["x"] + data["y"][0], "pair": swapped, "none": nothing}

    @tf.function
    def outer(x):
        result = inner({"y": (x, x * 2), "x": x * 10}, Pair(x, [x]))
        return result["sum"], result["pair"].b, result["pair"].a[0], result["none"] is None

    a, b, c, none = outer(tf.constant(3))
    return a, b, c, bool(none)


@program
def captured_variable_and_tensor_at_two_levels():
    """Captures by the inner function of what the outer one captures too: a variable, a tensor, an array."""
    v = tf.Variable(1)
    t = tf.constant(10)

    @tf.function
    def inner(x):
        v.assign_add(1)
        return x + v + t

    @tf.function
    def outer(x):
        before = v.read_value()
        a = inner(x)
        v.assign(v * 10)
        return before, a, inner(x), v + t

    first = outer(tf.constant(100))
    return first, outer(tf.constant(0)), v


@program
def order_of_effects_across_calls():
    """Assignments of inner and outer functions to one variable happen in the order of the program."""
    v = tf.Variable(2.0)

    @tf.function
    def double():
        v.assign(v * 2.0)

    @tf.function
    def add(x):
        v.assign_add(x)
        return v.read_value()

    @tf.function
    def outer(x):
        double()
        a = add(x)
        double()
        b = add(x * 10.0)
        if b > 50.0:
            double()
        return a, b, v.read_value()

    return outer(tf.constant(1.0)), outer(tf.constant(3.0)), v


@program
def inner_function_that_returns_nothing():
    """An inner function without a result still does what it does, also in a branch and in a loop."""
    log = tf.Variable(tf.zeros([4], tf.int32))
    at = tf.Variable(0)

    @tf.function
    def note(x):
        log[at].assign(x)
        at.assign_add(1)

    @tf.function
    def outer(n):
        for i in tf.range(n):
            if i != 1:
                note(i * 10)
        note(n)
        return at.read_value()

    first = outer(tf.constant(2))
    return first, outer(tf.constant(1)), log, at


@program(eager=False, advice=("effect.leak",))
def leaked_tensor_of_an_inner_function():
    """A tensor that an inner function leaves in a Python list cannot be used by the outer one."""
    kept = []

    @tf.function
    def inner(x):
        kept.append(x * 2)
        return x

    @tf.function
    def outer(x):
        y = inner(x)
        return y + kept[-1]

    @tf.function
    def passes(x):
        return inner(x) + 1

    return raised(outer, tf.constant(1)), passes(tf.constant(1)), len(kept)


@program
def function_made_inside_a_function():
    """A traced function defined in a traced function, with a capture of its arguments, in a loop of the graph too."""

    @tf.function
    def outer(x, n):
        @tf.function
        def scaled(y):
            return x * y

        total = scaled(n)
        for i in tf.range(n):
            total += scaled(i)
            if i == 2:
                total = -total
        return total

    return [outer(tf.constant(2), tf.constant(n)) for n in (0, 2, 5)]


@program
def three_levels_of_closures():
    """Closures three levels deep, each traced, each adding to what it captured."""

    @tf.function
    def first(x):
        a = x + 1

        @tf.function
        def second(y):
            b = a * y

            @tf.function
            def third(z):
                return a + b + z

            return third(y) + third(b)

        return second(x) - second(a)

    return first(tf.constant(2)), first(tf.constant(5))


@program
def gradient_of_captured_values():
    """The gradient through an inner function to a tensor that it captured from the outer one."""

    @tf.function
    def outer(x):
        y = x * x

        @tf.function
        def inner(z):
            return y * z + tf.sin(y)

        return inner(x) + inner(tf.constant(2.0))

    x = tf.constant(1.5)
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape() as first:
            first.watch(x)
            value = outer(x)
        slope = first.gradient(value, x)
    return value, slope, second.gradient(slope, x)


@program
def tape_around_and_inside():
    """A tape outside of the calls, one in the outer function and one in the inner: three derivatives."""

    @tf.function
    def inner(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**4
        return tape.gradient(y, x)

    @tf.function
    def outer(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x) * 2.0
        return tape.gradient(y, x)

    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)
    return inner(x), y, tape.gradient(y, x)


@program
def stop_gradient_in_an_inner_function():
    """tf.stop_gradient and tape.stop_recording at different levels of calls."""
    w = tf.Variable(3.0)

    @tf.function
    def frozen(x):
        return tf.stop_gradient(w * x)

    @tf.function
    def free(x):
        return w * x * x

    @tf.function
    def outer(x):
        return frozen(x) * w + free(x)

    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = outer(x)
        with tape.stop_recording():
            z = outer(x) * 10.0
        total = y + z
    return y, z, tape.gradient(total, [x, w]), tape.gradient(z, w)


@program(eager=False)
def unconnected_through_calls():
    """What an inner function does not use has no gradient; integers have none."""

    @tf.function
    def inner(a, b, n):
        return a * 2.0 + tf.cast(n, tf.float32), b

    @tf.function
    def outer(a, b, n):
        first, second = inner(a, b, n)
        return first * first, second

    a, b = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([a, b])
        y, z = outer(a, b, tf.constant(2))
    zero = tape.gradient(y, b, unconnected_gradients="zero")
    return y, tape.gradient(y, [a, b]), tape.gradient(z, [a, b]), zero


@program(eager=False)
def concrete_functions_as_arguments():
    """Concrete functions for two signatures, called by each other's callers with names and positions."""

    @tf.function
    def area(width, height, unit="m"):
        return width * height if unit == "m" else width * height / 100.0

    spec = tf.TensorSpec([], tf.float32)
    metres = area.get_concrete_function(spec, spec)
    other = area.get_concrete_function(spec, height=spec, unit="dm")

    @tf.function
    def total(x):
        return metres(x, x + 1.0) + metres(height=x, width=x) + other(x, x)

    return total(tf.constant(2.0)), metres(tf.constant(3.0), tf.constant(4.0)), area.experimental_get_tracing_count()


@program
def partials_of_traced_functions():
    """functools.partial of a traced function, and a traced partial, called in a graph."""

    @tf.function
    def affine(a, x, b=0):
        if x > 3:
            return a * x + b
        return x

    double = functools.partial(affine, 2)
    shifted = tf.function(functools.partial(affine, 3, b=100))

    @tf.function
    def outer(x):
        return double(x), double(x, b=x), shifted(x)

    return outer(tf.constant(1)), outer(tf.constant(5))


@program
def methods_that_call_methods():
    """Traced methods of a tf.Module call each other and share variables."""

    class Account(tf.Module):
        def __init__(self, amount):
            super().__init__()
            self.amount = tf.Variable(amount)
            self.fees = tf.Variable(0)

        @tf.function
        def pay(self, x):
            if self.enough(x):
                self.amount.assign_sub(x)
                self.charge()
                return x
            return tf.constant(0)

        @tf.function
        def enough(self, x):
            return self.amount >= x + 1

        @tf.function
        def charge(self):
            self.amount.assign_sub(1)
            self.fees.assign_add(1)

    account = Account(10)
    paid = [account.pay(tf.constant(x)) for x in (4, 5, 4)]
    return paid, account.amount, account.fees, len(account.trainable_variables)


@program
def modules_in_modules():
    """A network of modules in modules, its variables in order, its gradient by name."""

    class Dense(tf.Module):
        def __init__(self, w, name=None):
            super().__init__(name)
            self.w = tf.Variable(w, name="w")

        def __call__(self, x):
            return tf.nn.relu(x @ self.w)

    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Dense([[1.0, -1.0]], "one"), Dense([[2.0], [3.0]], "two")]
            self.scale = tf.Variable(0.5, name="scale")

        @tf.function
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x * self.scale

    net = Net()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(net(tf.constant([[1.0], [-2.0]])))
    return y, tape.gradient(y, net.trainable_variables), [v.name for v in net.variables]


@program(eager=False)
def recursion_by_python_values():
    """A traced function that calls itself with smaller Python values is traced once for each."""
    traces = []

    @tf.function
    def power(x, n):
        traces.append(n)
        if n == 0:
            return tf.ones_like(x)
        return x * power(x, n - 1)

    return power(tf.constant(3), 3), power(tf.constant(2), 2), traces, power.experimental_get_tracing_count()


@program
def errors_of_inner_functions():
    """Errors that inner functions raise while tracing and when they run have their own classes outside."""

    @tf.function
    def gather(i):
        return tf.gather(tf.constant([1, 2, 3]), i)

    @tf.function
    def checked(x):
        tf.debugging.assert_positive(x)
        return x

    @tf.function
    def python(x):
        raise KeyError("no")

    @tf.function
    def outer(x, which):
        if which == 0:
            return gather(x)
        if which == 1:
            return checked(x)
        return python(x)

    good = outer(tf.constant(2), 0), outer(tf.constant(2), 1)
    return good, raised(outer, tf.constant(7), 0), raised(outer, tf.constant(-1), 1), raised(outer, tf.constant(1), 2)


@program
def failing_inner_call_changes_nothing_after_it():
    """Effects before the failing call are there, those behind it are not; the next call works."""
    v = tf.Variable(0)

    @tf.function
    def check(x):
        with tf.control_dependencies([tf.debugging.assert_less(x, 5)]):
            return tf.identity(x)

    @tf.function
    def outer(x):
        v.assign_add(1)
        y = check(x)
        v.assign_add(y * 100)
        return v.read_value()

    first = outer(tf.constant(1))
    failed = raised(outer, tf.constant(9))
    v.assign(v % 100)
    return first, failed, outer(tf.constant(2))


@program
def random_looking_dispatch_table():
    """A dict of traced functions chosen by a Python string, composed in a Python loop."""

    @tf.function
    def shift(x):
        return x + 3

    @tf.function
    def fold(x):
        if x > 10:
            return x - 10
        return x

    table = {"shift": shift, "fold": fold, "square": tf.function(lambda x: x * x)}

    @tf.function
    def run(x, program):
        for name in program.split():
            x = table[name](x)
        return x

    programs = ("shift square fold", "square shift shift", "fold")
    return [run(tf.constant(v), p) for p in programs for v in (1, 4)]


@program(eager=False)
def printing_order_of_nested_calls():
    """tf.print in nested functions prints in the order of the calls, tracing notes come once."""
    sheet = Sheet()
    traced = []

    @tf.function
    def leaf(x):
        traced.append("leaf")
        tf.print("leaf", x, output_stream=sheet.stream)
        return x + 1

    @tf.function
    def root(x):
        traced.append("root")
        tf.print("start", x, output_stream=sheet.stream)
        y = leaf(leaf(x))
        tf.print("end", y, output_stream=sheet.stream)
        return y

    return root(tf.constant(1)), root(tf.constant(5)), sheet.lines(), traced


@program
def a_function_called_in_both_branches():
    """One inner function called in both branches and behind them, with state that counts."""
    count = tf.Variable(0)

    @tf.function
    def bump(x):
        count.assign_add(1)
        return x * count

    @tf.function
    def outer(x):
        if x > 0:
            y = bump(x) + bump(x)
        else:
            y = bump(-x)
        return bump(y)

    return outer(tf.constant(1)), outer(tf.constant(-1)), count


@program
def called_eagerly_and_in_graphs():
    """The same function called eagerly, in a function, in a map and in a loop gives the same."""

    @tf.function
    def bend(x):
        if x > 1.0:
            return tf.sqrt(x)
        return x * x

    @tf.function
    def through_loop(xs):
        out = tf.TensorArray(tf.float32, size=tf.size(xs))
        for i in tf.range(tf.size(xs)):
            out = out.write(i, bend(xs[i]))
        return out.stack()

    xs = tf.constant([0.5, 1.0, 4.0, 9.0])
    one_by_one = [bend(x) for x in xs]
    mapped = tf.map_fn(bend, xs)
    return one_by_one, mapped, through_loop(xs)


@program(eager=False)
def nodes_of_nested_calls():
    """A call of a traced function is a call op, stateful if it has effects; a plain helper leaves none."""
    v = tf.Variable(0)

    @tf.function
    def pure(x):
        return x + 1

    @tf.function
    def effects(x):
        v.assign_add(x)
        return v + x

    def plain(x):
        return x * 2

    @tf.function
    def outer(x):
        return pure(x) + effects(x) + plain(x)

    graph = outer.get_concrete_function(tf.TensorSpec([], tf.int32)).graph
    kinds = [op.type for op in graph.get_operations()]
    wanted = ("PartitionedCall", "StatefulPartitionedCall", "Mul", "AssignAddVariableOp")
    return {kind: kinds.count(kind) for kind in wanted}, outer(tf.constant(1)), v


@program(eager=False)
def shapes_known_inside_and_outside():
    """What an inner function knows of shapes, and what its caller knows of its results."""
    shapes = []

    @tf.function
    def inner(x):
        shapes.append(x.shape)
        return tf.concat([x, x[:1]], axis=0), tf.boolean_mask(x[:, 0], x[:, 0] > 0.0)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def outer(x):
        longer, some = inner(x)
        fixed, _ = inner(tf.zeros([2, 3]))
        shapes.extend([longer.shape, some.shape, fixed.shape])
        return tf.shape(longer), tf.size(some), fixed

    return outer(tf.ones([4, 3])), outer(-tf.ones([1, 3])), shapes


@program
def input_signature_of_an_inner_function():
    """An inner function with an input signature is traced once for all sizes, and converts what it gets."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32)])
    def scaled(x, by):
        return tf.reduce_sum(x) * by

    @tf.function
    def outer(x):
        first = scaled(x, 2.0)
        second = scaled(x[:1], x[0])
        return first + second + scaled([1.0, 2.0], by=3.0)

    return outer(tf.constant([1.0, 2.0, 3.0])), outer(tf.constant([5.0])), scaled(tf.constant([]), 1.0)


@program(eager=False)
def reduce_retracing_in_the_middle():
    """An inner function that relaxes shapes, called by an outer one that does not."""
    traces = []

    @tf.function(reduce_retracing=True)
    def inner(x):
        traces.append(("inner", x.shape.rank))
        return tf.reduce_sum(x)

    @tf.function
    def outer(x):
        traces.append(("outer", x.shape[0]))
        return inner(x) * 2

    results = [outer(tf.range(n)) for n in (1, 2, 3, 4, 2)]
    return results, traces, inner.experimental_get_tracing_count()


@program
def variables_as_arguments():
    """Variables passed to inner functions are the same variables: assigned inside, changed outside."""
    a, b = tf.Variable(1), tf.Variable(10)

    @tf.function
    def swap_add(x, y, amount):
        old = x.read_value()
        x.assign(y + amount)
        y.assign(old)
        return x + y

    @tf.function
    def outer(amount):
        first = swap_add(a, b, amount)
        second = swap_add(b, a, amount * 2)
        return first, second, a + 0, b + 0

    return outer(tf.constant(5)), outer(tf.constant(0)), a, b


@program(eager=False, advice=("variable.created",))
def variables_made_by_an_inner_function():
    """A variable is made on the first call of an inner function and lives on; made on every call it is an error."""

    class Counter:
        def __init__(self):
            self.v = None

        @tf.function
        def step(self, x):
            if self.v is None:
                self.v = tf.Variable(x * 0 + 100)
            return self.v.assign_add(x)

    @tf.function
    def always(x):
        return tf.Variable(1) + x

    counter = Counter()

    @tf.function
    def outer(x):
        return counter.step(x) * 2

    return counter.step(tf.constant(1)), outer(tf.constant(2)), raised(always, tf.constant(1)), counter.v


@program
def lambdas_traced_and_nested():
    """Traced lambdas that call traced lambdas, in a list and by name."""
    square = tf.function(lambda x: x * x)
    cube = tf.function(lambda x: square(x) * x)

    @tf.function
    def polynomial(x, coefficients):
        terms = [tf.ones_like(x), x, square(x), cube(x)]
        total = tf.zeros_like(x)
        for c, term in zip(coefficients, terms):
            total = total + c * term
        return total

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = polynomial(x, (1.0, 0.0, -1.0, 2.0))
    return y, tape.gradient(y, x), cube(tf.constant(3))
