"""Functions in converted code: closures, lambdas, generators, decorators, methods, code without source, context managers."""

import abc
import contextlib
import dataclasses
import functools
import itertools

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def generators_feed_unrolled_loops():
    """A generator function is not converted, but its values drive a loop that is unrolled while tracing."""

    def fibonacci(limit):
        a, b = 1, 1
        while a < limit:
            yield a
            a, b = b, a + b

    @tf.function
    def f(x):
        total = tf.constant(0)
        for k in fibonacci(20):
            if x > k:
                total += k
            else:
                total -= 1
        return total, sum(x * k for k in fibonacci(4))

    return [f(tf.constant(v)) for v in (0, 4, 100)]


@program
def generator_with_tensors():
    """A generator yields tensors that are made while tracing, in the graph of its caller."""

    def halves(x):
        while True:
            x = x / 2.0
            yield x

    @tf.function
    def f(x):
        steps = halves(x)
        first = next(steps)
        total = tf.constant(0.0)
        for value in itertools.islice(steps, 3):
            if value > 1.0:
                total += value
        return first, total

    return f(tf.constant(4.0)), f(tf.constant(32.0))


@program
def two_lambdas_on_two_lines():
    """Lambdas in a list and in a dict, each with a condition on its tensor."""

    @tf.function
    def f(x, key):
        table = {
            "relu": lambda v: v if v > 0.0 else v * 0.0,
            "step": lambda v: tf.constant(1.0) if v > 0.0 else tf.constant(0.0),
        }
        pair = [
            lambda v: table[key](v) + 1.0,
            lambda v: table[key](-v) - 1.0,
        ]
        results = [g(x) for g in pair]
        return results

    return [f(tf.constant(v), key) for key in ("relu", "step") for v in (2.0, -3.0)]


@program(eager=False)
def code_from_exec():
    """A function made by exec has no source: it runs as it is, so a condition on a tensor is an error in it."""
    names = {"tf": tf}
    exec("def double(x):\n    return x * 2\n\ndef clip(x):\n    if x > 3:\n        return x\n    return x * 0\n", names)

    @tf.function
    def f(x):
        y = names["double"](x)
        if y > 5:
            y = y - 1
        return y

    clip = names["clip"]
    return f(tf.constant(2)), f(tf.constant(4)), raised(tf.function(clip), tf.constant(1)), clip(tf.constant(4))


@program
def default_arguments_of_nested_functions():
    """Defaults are evaluated where a nested function is defined, keyword-only ones too."""

    @tf.function
    def f(x):
        scale = x * 10

        def g(y, by=scale, *more, sign=-1, **named):
            if y > 2:
                return y + by
            return y * sign + sum(more) + len(named)

        scale = x * 1000
        return g(x), g(x, x), g(x, 1, 2, 3), g(x, sign=5, extra=1)

    return f(tf.constant(1)), f(tf.constant(3))


@program
def nonlocal_through_two_levels():
    """An inner function changes a variable two levels out; conditions inside decide what it becomes."""

    @tf.function
    def f(x):
        level = tf.constant(0)

        def middle(y):
            def inner(z):
                nonlocal level
                if z > 1:
                    level = level + z
                return level * 2

            return inner(y) + inner(y + 1)

        a = middle(x)
        b = middle(x * 2)
        return a, b, level

    return f(tf.constant(1)), f(tf.constant(0))


@program
def closures_over_the_loop_variable():
    """Functions kept from an unrolled loop, with the loop's value bound as a default."""

    @tf.function
    def f(x):
        steps = []
        for k in range(1, 4):

            def step(v, k=k):
                if v > 10:
                    return v - k
                return v * k

            steps.append(step)
        for step in steps:
            x = step(x)
        return x

    return [f(tf.constant(v)) for v in (1, 3, 8, 20)]


@program
def functions_that_return_functions():
    """A factory of closures and a composition of them, each converted when it is called."""

    def threshold(limit):
        def apply(x):
            if x > limit:
                return x - limit
            return x

        return apply

    def compose(*functions):
        def run(x):
            for function in functions:
                x = function(x)
            return x

        return run

    @tf.function
    def f(x):
        return compose(threshold(10), threshold(5), lambda v: v * 2)(x)

    return [f(tf.constant(v)) for v in (3, 7, 12, 40)]


@program
def decorator_with_arguments():
    """A decorator that takes arguments and changes what goes in and comes out."""

    def clipped(low, high):
        def decorate(function):
            @functools.wraps(function)
            def wrapper(x):
                y = function(x)
                if y < low:
                    y = tf.constant(low)
                elif y > high:
                    y = tf.constant(high)
                return y

            return wrapper

        return decorate

    @clipped(-5, 5)
    def cube(x):
        return x * x * x

    traced = tf.function(cube)

    @tf.function
    @clipped(0, 3)
    def stacked(x):
        return cube(x) + 1

    return [traced(tf.constant(v)) for v in (-2, 1, 2)], [stacked(tf.constant(v)) for v in (-2, 1, 2)], cube.__name__


@program
def lru_cache_and_wraps():
    """functools.lru_cache around a helper of Python values: it computes once, while tracing."""
    computed = []

    @functools.lru_cache
    def factorial(n):
        computed.append(n)
        return 1 if n <= 1 else n * factorial(n - 1)

    @tf.function
    def f(x):
        y = x * factorial(4) + factorial(3)
        if y > 50:
            y = y - 50
        return y

    return f(tf.constant(1)), f(tf.constant(5)), sorted(set(computed))


@program
def reduce_with_a_condition():
    """functools.reduce with a function of tensors that has a conditional expression."""

    @tf.function
    def f(xs):
        parts = tf.unstack(xs)
        largest = functools.reduce(lambda a, b: tf.maximum(a, b), parts)
        joined = functools.reduce(lambda a, b: a * 10 + b, parts, tf.constant(0))
        if joined > 200:
            joined = joined // 10
        return largest, joined

    return f(tf.constant([1, 7, 3])), f(tf.constant([4, 0, 0])), f(tf.constant([9]))


@program
def static_and_class_methods():
    """Static methods, class methods and properties called from converted code, also through a subclass."""

    class Scale:
        factor = 2

        def __init__(self, offset):
            self.offset = offset

        @staticmethod
        def clip(x):
            if x > 10:
                return tf.constant(10)
            return x

        @classmethod
        def scaled(cls, x):
            if x > 0:
                x = x * cls.factor
            return cls.clip(x)

        @property
        def shift(self):
            return self.offset + 1

    class Larger(Scale):
        factor = 5

    @tf.function
    def f(x):
        return Scale.scaled(x), Larger.scaled(x), Larger(3).clip(x + Larger(3).shift)

    return [f(tf.constant(v)) for v in (-1, 1, 4)]


@program
def traced_methods_of_one_instance():
    """A method marked tf.function calls another one and changes attributes of self."""

    class Meter:
        def __init__(self):
            self.total = tf.Variable(0)
            self.calls = tf.Variable(0)

        @tf.function
        def add(self, x):
            if x > 0:
                self.total.assign_add(x)
            return self.count()

        @tf.function
        def count(self):
            self.calls.assign_add(1)
            return self.calls * 100 + self.total

    one, two = Meter(), Meter()
    results = [one.add(tf.constant(5)), two.add(tf.constant(7)), one.add(tf.constant(-5)), one.count()]
    return results, one.total, two.total, two.calls


@program
def abstract_method_and_super():
    """A template method of an abstract class calls what subclasses define, with super() in between."""

    class Layer(abc.ABC):
        def __call__(self, x):
            y = self.transform(x)
            if tf.reduce_sum(y) > 10.0:
                y = y / 2.0
            return y

        @abc.abstractmethod
        def transform(self, x): ...

    class Double(Layer):
        def transform(self, x):
            return x * 2.0

    class Shifted(Double):
        def transform(self, x):
            y = super().transform(x)
            return y + 1.0 if tf.reduce_min(y) > 0.0 else y - 1.0

    double, shifted = tf.function(Double()), tf.function(Shifted())
    values = [tf.constant([1.0, 2.0]), tf.constant([4.0, 5.0]), tf.constant([-1.0, 3.0])]
    return [double(v) for v in values], [shifted(v) for v in values]


@program
def operators_of_a_class():
    """__add__, __getitem__, __call__, __iter__ and __len__ of the user's classes in converted code."""

    class Series:
        def __init__(self, items):
            self.items = items

        def __add__(self, other):
            return Series([a + b for a, b in zip(self.items, other.items)])

        def __getitem__(self, i):
            return self.items[i]

        def __iter__(self):
            return iter(self.items)

        def __len__(self):
            return len(self.items)

    @tf.function
    def f(x):
        series = Series([x, x * 2]) + Series([x * 10, x * 20])
        total = tf.constant(0)
        for item in series:
            if item > 20:
                total += item
        return total, series[1], tf.constant(len(series))

    return [f(tf.constant(v)) for v in (1, 2, -1)]


@program
def dataclass_state():
    """A mutable dataclass made while tracing, its fields assigned in branches and in an unrolled loop."""

    @dataclasses.dataclass
    class State:
        position: object
        speed: object = 1
        log: list = dataclasses.field(default_factory=list)

    @tf.function
    def f(x):
        state = State(x)
        for _ in range(3):
            state.position = state.position + state.speed
            state.log.append(state.position)
            if state.position > 4:
                state.speed = -1 * tf.ones([], tf.int32)
            else:
                state.speed = tf.constant(2)
        return state.position, state.speed, state.log

    return [f(tf.constant(v)) for v in (0, 3, 10)]


@program
def attributes_changed_in_a_loop():
    """Attributes of an object are loop variables of a loop of the graph."""

    class Walker:
        def __init__(self, x):
            self.x = x
            self.steps = tf.constant(0)

    @tf.function
    def f(start, limit):
        walker = Walker(start)
        while walker.x < limit:
            walker.x = walker.x * 2 + 1
            walker.steps += 1
            if walker.x == 7:
                walker.x = walker.x + 10
        return walker.x, walker.steps

    return [f(tf.constant(a), tf.constant(b)) for a, b in ((1, 5), (0, 100), (9, 3))]


@program(advice=("effect.mutation",))
def try_finally_and_except():
    """try, except, else and finally run while tracing, with conditions of the graph in their blocks."""
    events = []

    @tf.function
    def f(x, key):
        table = {"a": 2}
        try:
            factor = table[key]
            if x > 3:
                x = x * factor
        except KeyError:
            if x > 3:
                x = x - 100
            events.append("missing")
        else:
            x = x + 1
        finally:
            events.append("done")
            x = x * 10
        return x

    results = [f(tf.constant(v), key) for key in ("a", "b") for v in (1, 5)]
    return results, sorted(set(events))


@program(eager=False, advice=("control.raise",))
def raise_in_a_branch():
    """A raise in a branch that Python decides is raised while tracing; in a branch of the graph it is raised too."""

    @tf.function
    def checked(x, limit):
        if limit < 0:
            raise ValueError("limit must not be negative")
        if x > limit:
            x = x - limit
        return x

    @tf.function
    def always(x):
        if x > 0:
            raise KeyError("positive")
        return x

    return checked(tf.constant(5), 3), raised(checked, tf.constant(5), -1), raised(always, tf.constant(-1))


@program
def nested_context_managers():
    """with statements with several managers, an ExitStack and a suppressed error, around branches of the graph."""
    events = []

    @contextlib.contextmanager
    def scaled(by):
        events.append(by)
        yield by
        events.append(-by)

    @tf.function
    def f(x):
        with scaled(2) as two, scaled(3) as three, contextlib.suppress(ZeroDivisionError):
            if x > 0:
                x = x * two
            x = x + three
            1 // 0
            x = x * 1000
        with contextlib.ExitStack() as stack:
            for k in (4, 5):
                x = x + stack.enter_context(scaled(k))
        return x

    return f(tf.constant(1)), f(tf.constant(-1)), events[:8]


@program
def return_from_a_with_block():
    """A value is returned from inside a with statement, after a branch that changes it."""
    events = []

    @contextlib.contextmanager
    def noted():
        events.append("in")
        try:
            yield
        finally:
            events.append("out")

    def helper(x):
        with noted():
            if x > 1:
                x = x * 5
            return x + 1

    @tf.function
    def f(x):
        y = helper(x)
        with tf.name_scope("block"):
            return y * 2

    return f(tf.constant(1)), f(tf.constant(2)), events[:2]


@program(eager=False)
def do_not_convert_in_all_its_forms():
    """do_not_convert as a decorator and as a call, autograph=False, and what they do with a tensor condition."""

    @tf.autograph.experimental.do_not_convert
    def plain(x):
        return x * 2 if isinstance(x, tf.Tensor) else x

    def branches(x):
        if x > 0:
            return x * 3
        return x

    @tf.function
    def f(x):
        return plain(x) + branches(x)

    @tf.function
    def g(x):
        return tf.autograph.experimental.do_not_convert(branches)(x)

    h = tf.function(branches, autograph=False)
    x = tf.constant(2)
    return f(x), f(-x), raised(g, x), raised(h, x), tf.function(branches)(x)


@program
def walrus_and_chained_assignment():
    """Assignment expressions in Python conditions, a = b = c, augmented assignment of every kind."""

    @tf.function
    def f(x):
        if (n := len(x.shape)) > 0:
            x = x + n
        a = b = x * 2
        b **= 2
        a -= 1
        a //= 2
        b %= 7
        return a, b, [y := 3, y * 2][1] * a

    return f(tf.constant([1, 2])), f(tf.constant(5))


@program
def match_statement():
    """match on Python values chooses while tracing."""

    @tf.function
    def f(x, command):
        match command:
            case "add":
                y = x + 1
            case ("times", factor) if factor > 1:
                y = x * factor
            case {"power": n}:
                y = x**n
            case _:
                y = -x
        return y

    commands = ("add", ("times", 4), ("times", 1), {"power": 2}, None)
    return [f(tf.constant(v), command) for command in commands for v in (2, 5)]


@program
def star_arguments_in_converted_calls():
    """Calls with * and ** of lists and dicts, a function that passes on what it was given."""

    def combine(a, b=10, *rest, c=0, **named):
        if a > b:
            return a - b + c + len(rest)
        return a + b + c + sum(named.values())

    def forward(function, *args, **kwargs):
        return function(*args, **kwargs)

    @tf.function
    def f(x):
        given = {"c": x, "d": 5}
        return (
            combine(*[x, 3]),
            combine(x, **given),
            forward(combine, x, *[1, 2, 3], c=100),
            forward(combine, b=x * 2, a=x),
        )

    return f(tf.constant(1)), f(tf.constant(20))


@program
def globals_and_module_functions():
    """A converted function reads names of its module, and functions of the standard library stay as they are."""
    import math
    import operator

    @tf.function
    def f(x):
        y = operator.add(x, operator.mul(x, 2.0))
        angle = math.pi / 2
        if y > math.sqrt(16.0):
            y = y * math.floor(2.7)
        first = list(itertools.chain([y], [x]))[0]
        return first, tf.sin(angle), list(itertools.accumulate([1, 2, 3]))[-1] * x

    return f(tf.constant(1.0)), f(tf.constant(2.0))


@program
def recursion_over_python_values():
    """A helper that calls itself is fine when Python values end it, with a branch of the graph at each level."""

    def power(x, n):
        if n == 0:
            return tf.ones_like(x)
        half = power(x, n // 2)
        result = half * half
        if n % 2 == 1:
            result = result * x
        if result > 1000:
            result = result - 1000
        return result

    @tf.function
    def f(x, n):
        return power(x, n)

    return [f(tf.constant(x), n) for x in (2, 3) for n in (0, 1, 5, 10)]


@program
def docstrings_annotations_and_pass():
    """Docstrings, annotations without a value, pass, del and global-free names do not disturb conversion."""

    @tf.function
    def f(x: tf.Tensor, n: int = 2) -> tf.Tensor:
        """Says something."""
        y: tf.Tensor
        count: int = n
        if x > 0:
            pass
        else:
            x = -x
        y = x * count
        z = y
        del z
        return y

    return f(tf.constant(3)), f(tf.constant(-3), 5), f.python_function.__doc__, f.python_function.__name__


@program
def loop_else_of_python_loops():
    """for-else and while-else over Python values, with and without a break."""

    @tf.function
    def f(x, wanted):
        for k in range(4):
            if k == wanted:
                x = x * 10
                break
        else:
            x = x - 1
        n = wanted
        while n > 0:
            n -= 2
        else:
            x = x + 1
        return x

    return [f(tf.constant(5), wanted) for wanted in (0, 3, 9)]
