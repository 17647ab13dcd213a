"""Python effects happen while tracing: what is frozen, what is seen, where graphs begin and end."""

import collections
import contextlib
import io
import itertools
import logging

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf

SCALE = 2


def count(f):
    return f.experimental_get_tracing_count()


@program(eager=False)
def print_of_python():
    """Python's print runs while tracing (with AutoGraph on Python values), tf.print by each call."""
    sheet = Sheet()
    out = io.StringIO()

    @tf.function(autograph=False)
    def f(x):
        print("traced with", x.dtype.name, file=out)
        tf.print("ran with", x, output_stream=sheet.stream)
        return x

    for value in (1, 2, 3.0):
        f(tf.constant(value))
    return out.getvalue().splitlines(), sheet.lines()


@program(eager=False)
def a_global_is_frozen():
    """A module's global is read while tracing."""
    global SCALE

    @tf.function
    def f(x):
        return x * SCALE

    first = f(tf.constant(1))
    SCALE = 50
    second = f(tf.constant(1))
    third = f(tf.constant(1.0))
    SCALE = 2
    return first, second, third, count(f)


@program(eager=False, advice=("frozen.global",))
def a_nonlocal_is_frozen():
    """A closure's variable is read while tracing, even if another function rebinds it."""
    step = 1

    def advance():
        nonlocal step
        step += 1

    @tf.function
    def f(x):
        return x + step

    first = f(tf.constant(0))
    advance()
    return first, f(tf.constant(0)), f(tf.constant([0])), step


@program(eager=False, advice=("frozen.attribute",))
def an_attribute_is_frozen():
    """An attribute of a closed-over object is read while tracing; a variable in it is not frozen."""

    class Holder:
        pass

    holder = Holder()
    holder.rate, holder.level = 0.5, tf.Variable(10.0)

    @tf.function
    def f(x):
        return x * holder.rate + holder.level

    results = [f(tf.constant(2.0))]
    holder.rate = 100.0
    holder.level.assign(20.0)
    results.append(f(tf.constant(2.0)))
    holder.level = tf.Variable(1000.0)
    results.append(f(tf.constant(2.0)))
    return results, count(f)


@program(eager=False)
def an_iterator_advances_while_tracing():
    """next() on a Python iterator is called once per trace."""
    numbers = itertools.count(10)

    @tf.function
    def f(x):
        return x + next(numbers)

    results = [f(tf.constant(0)), f(tf.constant(0)), f(tf.constant([0])), f(tf.constant(0))]
    following = next(numbers)
    return results, following, count(f)


@program(eager=False, advice=("effect.mutation",))
def random_of_python_is_frozen():
    """A Python source of numbers is asked while tracing only."""
    source = iter([3, 5, 7])
    asked = []

    def roll():
        asked.append(1)
        return next(source)

    @tf.function
    def f(x):
        return x * roll()

    results = [f(tf.constant(1)) for _ in range(3)]
    results.append(f(tf.constant(1.0)))
    return results, len(asked)


@program(eager=False)
def a_list_collects_per_trace():
    """Appending to a list, a deque, a dict and a Counter: once per trace."""
    names, recent, table = [], collections.deque(maxlen=2), {}
    kinds = collections.Counter()

    @tf.function
    def f(x):
        names.append(x.dtype.name)
        recent.append(x.shape.rank)
        table[x.dtype.name] = str(x.shape)
        kinds[x.dtype.name] += 1
        return x

    for value in (1, 2, [1], 1.0, [[1]]):
        f(tf.constant(value))
        f(tf.constant(value))
    return names, list(recent), table, dict(kinds)


@program(eager=False)
def logging_while_tracing():
    """A logger is called while tracing."""
    records = []

    class Keep(logging.Handler):
        def emit(self, record):
            records.append(record.getMessage())

    logger = logging.getLogger("oracle.effects")
    logger.propagate = False
    logger.addHandler(Keep())
    logger.setLevel(logging.INFO)

    @tf.function
    def f(x):
        logger.info("tracing %s", x.shape)
        return tf.reduce_sum(x)

    results = [f(tf.ones([n])) for n in (2, 2, 3)]
    logger.handlers.clear()
    return results, records


@program(eager=False, advice=("effect.mutation",))
def context_managers_while_tracing():
    """A context manager of one's own is entered and left while tracing."""
    events = []

    @contextlib.contextmanager
    def section(name):
        events.append(f"enter {name}")
        yield name
        events.append(f"leave {name}")

    @tf.function
    def f(x):
        with section("outer"), section("inner") as name:
            y = x + 1
            events.append(f"body {name}")
        return y

    results = [f(tf.constant(1)), f(tf.constant(2))]
    return results, events


@program(eager=False, advice=("effect.mutation",))
def both_sides_of_a_tensor_condition():
    """Python effects of both branches happen while tracing, though one branch runs."""
    seen = []

    @tf.function
    def f(x):
        if x > 0:
            seen.append("then")
            y = x
        else:
            seen.append("else")
            y = -x
        return y

    results = [f(tf.constant(5)), f(tf.constant(-5))]
    return results, sorted(set(seen))


@program(eager=False, advice=("effect.mutation",))
def python_conditions_trace_one_side():
    """A Python condition traces the branch that is taken, and no other."""
    seen = []

    @tf.function
    def f(x, training):
        if training:
            seen.append("training")
            x = x * 2
        else:
            seen.append("inference")
        return x

    results = [f(tf.constant(1), True), f(tf.constant(2), True), f(tf.constant(3), False)]
    return results, seen, count(f)


@program(eager=False, advice=("effect.mutation",))
def a_python_loop_is_unrolled():
    """A loop over a Python range runs while tracing; one over tf.range is traced once."""
    rounds = []

    @tf.function
    def f(x):
        for i in range(3):
            rounds.append(("python", i))
            x = x + i
        return x

    @tf.function
    def g(x):
        for i in tf.range(3):
            rounds.append(("graph", tf.is_tensor(i)))
            x = x + i
        return x

    results = [f(tf.constant(0)), g(tf.constant(0)), f(tf.constant(1)), g(tf.constant(1))]
    return results, [r for r in rounds if r[0] == "python"], sorted(set(rounds))[0]


@program(eager=False, advice=("effect.mutation",))
def eager_code_in_init_scope():
    """Under tf.init_scope one is outside of the graph: eager tensors have values there."""
    values = []

    @tf.function
    def f(x):
        with tf.init_scope():
            ready = tf.constant(2.0) * 3.0
            values.append(float(ready))
        return x * ready

    results = [f(tf.constant(1.0)), f(tf.constant(2.0)), f(tf.constant([1.0]))]
    return results, values


@program(eager=False)
def a_variable_assigned_in_init_scope():
    """An assignment in init_scope happens while tracing, once."""
    lifted, inside = tf.Variable(0), tf.Variable(0)

    @tf.function
    def f(x):
        with tf.init_scope():
            lifted.assign_add(1)
        inside.assign_add(1)
        return x

    for value in (1, 2, 3):
        f(tf.constant(value))
    return lifted, inside, count(f)


@program(eager=False)
def where_am_i():
    """executing_eagerly and inside_function in a function, its branches, a py_function and map_fn."""
    facts = {}

    def note(where):
        facts[where] = (tf.executing_eagerly(), tf.inside_function())

    def called(x):
        note("py_function")
        return x

    @tf.function
    def f(x):
        note("function")
        if x > 0:
            note("branch")
            x = x + 1
        y = tf.py_function(called, [x], tf.int32)
        z = tf.map_fn(lambda v: (note("map_fn"), v)[1], tf.stack([x, x]))
        return y, z

    note("outside")
    f(tf.constant(1))
    return facts


@program(eager=False, advice=("value.not_converted",))
def control_flow_in_a_called_python_function():
    """Functions that a traced function calls are converted as well; those marked do_not_convert are not."""

    def absolute(x):
        if x < 0:
            x = -x
        return x

    @tf.autograph.experimental.do_not_convert
    def plain(x):
        if x < 0:
            x = -x
        return x

    @tf.function
    def f(x):
        return absolute(x)

    @tf.function
    def g(x):
        return plain(x)

    results = [f(tf.constant(-3)), f(tf.constant(3))]
    return results, raised(g, tf.constant(-3)), plain(tf.constant(-4)), count(f)


@program(eager=False, advice=("effect.mutation",))
def python_exceptions_as_control_flow():
    """try and except in Python code run while tracing."""
    caught = []

    @tf.function
    def f(x, table):
        try:
            factor = table["factor"]
        except KeyError as error:
            caught.append(str(error))
            factor = 1
        finally:
            caught.append("finally")
        return x * factor

    results = [f(tf.constant(2), {"factor": 3}), f(tf.constant(2), {}), f(tf.constant(9), {})]
    return results, caught


@program(eager=False)
def assertion_of_python():
    """assert on Python values is checked while tracing, so once per trace."""
    checked = []

    @tf.function
    def f(x):
        checked.append(x.shape.rank)
        assert x.shape.rank == 1, "a vector, please"
        return tf.reduce_sum(x)

    good = [f(tf.constant([1, 2])), f(tf.constant([3, 4]))]
    bad = [raised(f, tf.constant(1)), raised(f, tf.constant(1))]
    return good, bad, checked


@program(eager=False)
def names_of_tensors_and_ops():
    """Names in a graph: of arguments, of ops with a name, within name scopes."""
    names = []

    @tf.function
    def f(x, y):
        with tf.name_scope("outer"):
            total = tf.add(x, y, name="total")
            with tf.name_scope("inner"):
                product = tf.multiply(x, y, name="product")
        names.extend([x.name, y.name, total.name, product.name, (x + y).name, (x + y).name])
        return total + product

    result = f(tf.constant(2), tf.constant(3))
    return result, names


@program(eager=False)
def the_graph_of_a_function():
    """tf.Graph of a function: its name, its operations by type, its inputs."""
    graphs = []

    @tf.function
    def polynomial(x):
        graphs.append(x.graph)
        return x * x + 3.0 * x

    concrete = polynomial.get_concrete_function(tf.TensorSpec([]))
    types = [op.type for op in concrete.graph.get_operations()]
    same = [concrete.graph is graphs[0], concrete.inputs[0].graph is concrete.graph]
    return concrete(tf.constant(2.0)), types, same, concrete.graph.name


@program(eager=False)
def a_default_that_is_made_once():
    """A default value that is a variable keeps its state over calls and traces."""

    @tf.function
    def f(x, memory=tf.Variable(100)):
        memory.assign_add(1)
        return memory + tf.cast(tf.reduce_sum(x), tf.int32)

    results = [f(tf.constant(0)), f(tf.constant(0)), f(tf.constant([0.0])), f(tf.constant(5))]
    other = tf.Variable(0)
    results.append(f(tf.constant(0), other))
    return results, other


@program(eager=False)
def memoized_tensors():
    """A cache of eager tensors outside is fine; it is filled outside of the graph."""
    cache = {}

    def table(n):
        if n not in cache:
            with tf.init_scope():
                cache[n] = tf.range(n) ** 2
        return cache[n]

    @tf.function
    def f(x, n):
        return tf.reduce_sum(table(n)) + x

    results = [f(tf.constant(1), 4), f(tf.constant([1]), 4), f(tf.constant(0), 2)]
    return results, sorted(cache), cache[4]


@program(eager=False, advice=("effect.mutation",))
def enumerating_calls():
    """A Python counter against a variable as the counter of calls."""
    calls = {"python": 0}
    counter = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def f(x):
        calls["python"] += 1
        return x * 100 + tf.cast(counter.assign_add(1), tf.int32)

    results = [f(tf.constant(v)) for v in (1, 2, 3)]
    return results, calls, counter


@program(eager=False, advice=("effect.attribute",))
def a_setter_with_an_effect():
    """Assigning to a property in a traced function runs its setter while tracing."""

    class Meter:
        def __init__(self):
            self.history = []

        @property
        def level(self):
            return len(self.history)

        @level.setter
        def level(self, value):
            self.history.append(value)

    meter = Meter()

    @tf.function(autograph=False)
    def f(x):
        meter.level = str(x.dtype.name)
        return x + meter.level

    results = [f(tf.constant(1)), f(tf.constant(1)), f(tf.constant(1.0))]
    return results, meter.history


@program(eager=False)
def time_of_a_default_argument():
    """A function called for a default is called when Python defines the function, not by tracing."""
    made = []

    def default():
        made.append(1)
        return 5

    @tf.function
    def f(x, n=default()):
        return x + n

    results = [f(tf.constant(1)), f(tf.constant(1.0)), f(tf.constant(1), 7)]
    return results, made, count(f)


@program(eager=False)
def map_fn_traces_its_function_once():
    """The function of tf.map_fn is traced once, whatever the number of elements."""
    seen = []

    @tf.function
    def f(xs):
        def square(x):
            seen.append(x.shape.rank)
            return x * x

        return tf.map_fn(square, xs)

    results = [f(tf.range(3)), f(tf.range(3)), f(tf.range(5))]
    return results, len(set(seen)), count(f)


@program(eager=False, advice=("effect.mutation",))
def nested_traces_in_order():
    """The inner function is traced in the middle of the outer one."""
    events = []

    @tf.function
    def inner(x):
        events.append("inner")
        return x + 1

    @tf.function
    def outer(x):
        events.append("before")
        y = inner(x)
        events.append("between")
        z = inner(y)
        events.append("after")
        return z

    results = [outer(tf.constant(1)), outer(tf.constant(5))]
    return results, events


@program(eager=False)
def an_object_counts_its_traces():
    """A method with side effects on self: once per trace of each object."""

    class Model:
        def __init__(self):
            self.traces = 0
            self.calls = tf.Variable(0)

        @tf.function
        def __call__(self, x):
            self.traces += 1
            self.calls.assign_add(1)
            return x

    one, two = Model(), Model()
    for value in (1, 2, 3.0):
        one(tf.constant(value))
    two(tf.constant(1))
    return one.traces, one.calls, two.traces, two.calls


@program(eager=False, advice=("effect.mutation",))
def device_scopes_change_nothing():
    """tf.device and tf.name_scope around code change no value."""
    places = []

    @tf.function
    def f(x):
        with tf.device("/CPU:0"):
            y = x * 2
        with tf.name_scope("part") as scope:
            places.append(scope)
            y = y + 1
        return y

    results = [f(tf.constant(1)), f(tf.constant(2))]
    return results, places


@program(eager=False, advice=("effect.mutation",))
def get_static_value_while_tracing():
    """tf.get_static_value knows constants, and nothing of arguments."""
    known = []

    @tf.function
    def f(x):
        two = tf.constant(2)
        for value in (two, x, x * 2, tf.shape(x), tf.rank(x), tf.size(x)):
            found = tf.get_static_value(value)
            known.append(None if found is None else found.tolist())
        return x * two

    result = f(tf.constant([1, 2]))
    return result, known, int(tf.get_static_value(tf.constant(7)))
