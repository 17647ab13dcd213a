"""tf.function on every kind of callable, and what may happen to the object it makes."""

import copy
import functools
import gc
import pickle
import weakref

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


def count(f):
    return f.experimental_get_tracing_count()


@program(eager=False)
def methods_of_two_objects():
    """A traced method is traced for each object; attributes are read while tracing."""

    class Gain:
        def __init__(self, k):
            self.k = k

        @tf.function
        def __call__(self, x):
            traced.append(self.k)
            return x * self.k

    traced = []
    two, three = Gain(2), Gain(3)
    results = [two(tf.constant(1)), three(tf.constant(1)), two(tf.constant(5))]
    two.k = 100
    results += [two(tf.constant(1)), two(tf.constant([1]))]
    return results, traced


@program(eager=False)
def a_subclass_overrides_a_traced_method():
    """super() inside a traced method calls the base class's one, in the same graph or as a call."""

    class Base:
        @tf.function
        def call(self, x):
            traced.append("base")
            return x + 1

    class Derived(Base):
        @tf.function
        def call(self, x):
            traced.append("derived")
            return super().call(x) * 10

    traced = []
    base, derived = Base(), Derived()
    results = [base.call(tf.constant(1)), derived.call(tf.constant(1)), derived.call(tf.constant(5))]
    return results, traced


@program(eager=False)
def class_methods_and_static_methods():
    """Under classmethod and staticmethod, a tf.function is shared by all objects."""

    class Tools:
        factor = 3

        @classmethod
        @tf.function
        def scaled(cls, x):
            traced.append("class")
            return x * cls.factor

        @staticmethod
        @tf.function
        def halved(x):
            traced.append("static")
            return x // 2

    traced = []
    x = tf.constant(10)
    results = [Tools.scaled(x), Tools().scaled(x), Tools.halved(x), Tools().halved(x)]
    return results, traced


@program(eager=False)
def properties_that_trace():
    """A property whose getter is a tf.function."""

    class Circle:
        def __init__(self, radius):
            self.radius = tf.Variable(radius)

        @property
        @tf.function
        def area(self):
            traced.append(1)
            return 3.0 * self.radius**2.0

    traced = []
    circle = Circle(2.0)
    first = circle.area
    circle.radius.assign(10.0)
    second = circle.area
    return first, second, len(traced) <= 2, circle.radius


@program(eager=False)
def a_partial_is_traced():
    """tf.function of a functools.partial: its bound arguments are fixed."""

    def affine(scale, x, offset=0):
        traced.append((scale, offset))
        return x * scale + offset

    traced = []
    f = tf.function(functools.partial(affine, 3))
    g = tf.function(functools.partial(affine, 2, offset=100))
    results = [f(tf.constant(1)), f(tf.constant(2)), f(tf.constant(1), offset=5), g(tf.constant(1)), g(tf.constant(7))]
    return results, traced, count(f), count(g)


@program(eager=False)
def a_partial_of_a_traced_function():
    """functools.partial of a tf.function calls it, and shares its traces."""

    @tf.function
    def power(x, n):
        traced.append(n)
        return x**n

    traced = []
    square, cube = functools.partial(power, n=2), functools.partial(power, n=3)
    results = [square(tf.constant(3)), cube(tf.constant(3)), square(tf.constant(4)), power(tf.constant(5), 2)]
    return results, traced, count(power)


@program(eager=False)
def a_callable_object_is_traced():
    """tf.function of an object with __call__."""

    class Counter:
        def __init__(self):
            self.traced = 0

        def __call__(self, x):
            self.traced += 1
            if x > 2:
                return x * 10
            return x

    counter = Counter()
    f = tf.function(counter)
    results = [f(tf.constant(v)) for v in (1, 2, 3, 4)]
    return results, counter.traced, count(f)


@program(eager=False)
def decorators_below_and_above():
    """A plain decorator below tf.function is traced, one above it runs at each call."""

    def logged(function):
        @functools.wraps(function)
        def wrapper(*args):
            calls.append(function.__name__)
            return function(*args)

        return wrapper

    @logged
    @tf.function
    def above(x):
        return x + 1

    @tf.function
    @logged
    def below(x):
        if x > 0:
            return x + 1
        return x

    calls = []
    results = [above(tf.constant(1)), above(tf.constant(2)), below(tf.constant(1)), below(tf.constant(-2))]
    return results, calls, below.__name__, above.__name__


@program(eager=False)
def lambdas_are_traced():
    """tf.function of lambdas, with defaults, a conditional expression and a closure."""
    base = 10
    f = tf.function(lambda x, y=5: x * base + y)
    g = tf.function(lambda x: x if tf.reduce_sum(x) > 0 else -x)
    first = [f(tf.constant(1)), f(tf.constant(1), tf.constant(2))]
    second = [g(tf.constant([1, 2])), g(tf.constant([-5, 2]))]
    return first, second, count(f), count(g)


@program(eager=False)
def generators_and_coroutines_are_refused():
    """A generator function or a coroutine is no graph: TypeError."""

    @tf.function
    def generator(x):
        yield x
        yield x + 1

    @tf.function
    async def coroutine(x):
        return x

    @tf.function
    def uses_a_generator(x):
        def parts():
            yield x
            yield x * 2

        return sum(parts())

    x = tf.constant(3)
    return raised(generator, x), raised(coroutine, x), uses_a_generator(x), count(uses_a_generator)


@program(eager=False)
def traced_twice():
    """tf.function of a tf.function, with other options, traces for itself."""
    traced = []

    @tf.function
    def f(x):
        traced.append(str(x.shape))
        return x * 2

    g = tf.function(f.python_function, reduce_retracing=True)
    results = [f(tf.constant([1])), f(tf.constant([1, 2]))]
    results += [g(tf.constant([1])), g(tf.constant([1, 2])), g(tf.constant([1, 2, 3]))]
    return results, traced, count(f), count(g)


@program(eager=False)
def names_and_docstrings():
    """A traced function keeps the name, the docstring and the signature of the Python function."""

    @tf.function
    def area(width, height=2.0, *, unit="m"):
        """The area of a rectangle."""
        return width * height

    result = area(tf.constant(3.0))
    concrete = area.get_concrete_function(tf.TensorSpec([]))
    names = [area.__name__, area.__doc__, area.python_function.__name__, area.__wrapped__.__name__]
    return result, names, concrete.name.startswith(b"__inference_area"), area.__module__ == __name__


@program(eager=False)
def a_dropped_function_is_freed():
    """A Function that nobody holds is freed, its graphs with it."""

    class Token:
        pass

    token = Token()

    @tf.function
    def f(x):
        return x + len([token])

    result = f(tf.constant(1))
    alive = weakref.ref(token)
    before = alive() is not None
    del f, token
    gc.collect()
    return result, before, alive() is None


@program(eager=False)
def a_dropped_object_frees_its_method():
    """A traced method does not keep its object alive."""

    class Layer(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(2.0)

        @tf.function
        def __call__(self, x):
            return x * self.w

    layer = Layer()
    result = layer(tf.constant(4.0))
    alive = weakref.ref(layer)
    del layer
    gc.collect()
    return result, alive() is None


@program(eager=False)
def recursion_with_python_numbers():
    """A traced function may call itself if Python decides when it ends: a trace for each number."""

    @tf.function
    def power(x, n):
        traced.append(n)
        if n == 0:
            return tf.ones_like(x)
        return x * power(x, n - 1)

    traced = []
    results = [power(tf.constant(2), 5), power(tf.constant(3), 5), power(tf.constant(3), 2)]
    return results, traced, count(power)


@program(eager=False, advice=("effect.mutation",))
def mutual_recursion_with_python_numbers():
    """Two traced functions that call each other, with a Python number that decreases."""

    @tf.function
    def even(n, x):
        calls.append(("even", n))
        return x if n == 0 else odd(n - 1, x + 1)

    @tf.function
    def odd(n, x):
        calls.append(("odd", n))
        return -x if n == 0 else even(n - 1, x * 10)

    calls = []
    results = [even(3, tf.constant(1)), even(2, tf.constant(1)), odd(2, tf.constant(5))]
    return results, calls, count(even), count(odd)


@program(eager=False)
def run_functions_eagerly_in_the_middle():
    """tf.config.run_functions_eagerly turns tracing off and on again; traces that exist are kept."""

    @tf.function
    def f(x):
        modes.append(tf.executing_eagerly())
        return x + 1

    modes = []
    results = [f(tf.constant(1))]
    tf.config.run_functions_eagerly(True)
    state = tf.config.functions_run_eagerly()
    results += [f(tf.constant(2)), f(tf.constant(3.0))]
    tf.config.run_functions_eagerly(False)
    results += [f(tf.constant(4)), f(tf.constant(5.0))]
    return results, modes, state, count(f)


@program(eager=False)
def what_is_not_callable():
    """tf.function wants something callable."""

    @tf.function
    def fine(x):
        y = x + 1
        return y - 1

    wrong = [raised(tf.function, 3), raised(tf.function, "text"), raised(tf.function, tf.constant(1))]
    right = [tf.function(abs)(tf.constant(-3)), tf.function(tf.negative)(tf.constant(3)), fine(tf.constant(1))]
    return wrong, right


@program(eager=False)
def pickling_a_concrete_result():
    """Results are ordinary values: they can be copied, and pickled as arrays."""

    @tf.function
    def f(x):
        return {"double": x * 2, "pair": (x, x + 1)}

    result = f(tf.constant([1, 2]))
    copied = copy.deepcopy(result)
    packed = pickle.loads(pickle.dumps(tf.nest.map_structure(lambda t: t.numpy(), result)))
    same = tf.reduce_all(copied["double"] == result["double"])
    return copied, packed, same, count(f)


@program(eager=False)
def closures_made_by_a_factory():
    """Each closure of a factory has its own traces and its own constants."""

    def make(k):
        @tf.function
        def f(x):
            traced.append(k)
            return x * k

        return f

    traced = []
    functions = [make(k) for k in (1, 2, 3)]
    results = [f(tf.constant(v)) for v in (10, 20) for f in functions]
    return results, traced, [count(f) for f in functions]
