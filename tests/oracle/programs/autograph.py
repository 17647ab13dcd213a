"""What AutoGraph makes of Python: closures, attributes, lists, dicts, decorators, with, nested functions, loop options."""

import contextlib
import functools

from tests.oracle.program import program
from tests.oracle.under_test import tf


@program
def python_lists():
    """A Python list that an unrolled loop fills, changes and pops from, is Python's."""

    @tf.function
    def collect(x):
        items = []
        for part in [x, x + 1, x * 10]:
            items.append(part)
        items[0] = items[0] - 100
        last = items.pop()
        items.extend([last, last])
        return tf.stack(items), len(items), last

    stacked, count, last = collect(tf.constant([1, 2]))
    return stacked, int(count), last


@program
def attributes_set_in_branches():
    """Attributes of an object that both branches set are values of the branch."""

    class Box:
        def __init__(self, value):
            self.value = value
            self.label = tf.constant("new")

    @tf.function
    def fill(x):
        box = Box(x)
        if x > 3:
            box.value = box.value * 2
            box.label = tf.constant("large")
        else:
            box.label = tf.constant("small")
        return box.value, box.label

    return [fill(tf.constant(v)) for v in (1, 3, 4)]


@program
def items_set_in_branches():
    """Items of a dict with constant keys that a branch sets."""

    @tf.function
    def adjust(x):
        data = {"a": x, "b": x + 1}
        if x > 0:
            data["a"] = data["a"] * 10
        else:
            data["b"] = data["a"] - data["b"]
        total = data["a"] + data["b"]
        return data, total

    return adjust(tf.constant(2)), adjust(tf.constant(-2))


@program
def nested_function_with_a_closure():
    """A nested function reads what its enclosing function has when it is called."""

    @tf.function
    def outer(x):
        factor = tf.constant(2)

        def scaled(value):
            if value > 5:
                return value * factor
            return value + factor

        first = scaled(x)
        factor = tf.constant(100)
        second = scaled(x)
        return first, second

    return outer(tf.constant(3)), outer(tf.constant(9))


@program
def nonlocal_counter():
    """A nested function that changes a name of its enclosing function, in Python's time and in the graph's."""

    @tf.function
    def outer(x):
        count = tf.constant(0)
        calls = 0

        def bump(value):
            nonlocal count, calls
            count = count + value
            calls += 1
            return count

        a = bump(x)
        b = bump(x * 10)
        return a, b, count, calls

    a, b, count, calls = outer(tf.constant(4))
    return a, b, count, int(calls)


@program
def loop_body_with_helper_and_lambda():
    """Functions made before the loop and called in it, with a conditional expression inside."""

    @tf.function
    def run(n):
        clip = lambda v: v if v < 20 else tf.constant(20)
        add = lambda a, b=3: a + b
        total = tf.constant(0)
        for i in tf.range(n):
            total = clip(add(total, i))
        return total, add(total)

    return [run(tf.constant(n)) for n in (0, 3, 10)]


@program
def with_statements():
    """Context managers of Python and of tf around graph control flow."""
    events = []

    @contextlib.contextmanager
    def noted(name):
        events.append("enter " + name)
        yield name.upper()
        events.append("leave " + name)

    @tf.function
    def f(x):
        with noted("block") as label, tf.name_scope("scope"):
            if x > 0:
                y = x * 2
            else:
                y = x
            z = y + 1
        return z, tf.constant(label)

    results = f(tf.constant(1)), f(tf.constant(-1))
    return results, sorted(set(events)), events[0]


@program
def decorated_helpers():
    """A helper wrapped by an ordinary decorator is converted all the same."""

    def twice(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs) * 2

        return wrapper

    @twice
    def size_of(x):
        if x > 10:
            return tf.constant(100)
        return tf.constant(1)

    @tf.function
    def f(x):
        return size_of(x) + size_of(x=x * 5)

    return f(tf.constant(1)), f(tf.constant(5)), f(tf.constant(50)), size_of.__name__


@program
def partials_and_bound_methods():
    """functools.partial, bound methods and callable objects inside and as the function."""

    class Step:
        def __init__(self, size):
            self.size = size

        def __call__(self, x):
            if x > 10:
                return x - self.size
            return x + self.size

        def double(self, x):
            return self(self(x))

    def affine(a, b, x):
        return a * x + b

    step = Step(4)

    @tf.function
    def f(x):
        y = functools.partial(affine, 2, b=1)(x=x)
        return step(y), step.double(y)

    wrapped = tf.function(step)
    partial = tf.function(functools.partial(affine, 3, 4))
    return (
        f(tf.constant(1)),
        f(tf.constant(6)),
        wrapped(tf.constant(20)),
        partial(tf.constant(5)),
        tf.function(step.double)(tf.constant(9)),
    )


@program
def inherited_methods_and_super():
    """super() inside a converted method."""

    class Base:
        def shift(self, x):
            if x < 0:
                return -x
            return x + 1

    class Derived(Base):
        def shift(self, x):
            y = super().shift(x)
            if y > 5:
                y = y * 10
            return y

    @tf.function
    def f(x):
        return Derived().shift(x), Base().shift(x)

    return [f(tf.constant(v)) for v in (-9, 0, 4, 5)]


@program
def comprehensions_and_unpacking():
    """Comprehensions over Python values, starred assignment, swapping, augmented assignment to items."""

    @tf.function
    def f(x):
        squares = [x**n for n in range(1, 4) if n != 2]
        table = {str(n): x * n for n in (2, 3)}
        first, *rest = squares + [table["3"]]
        first, rest[0] = rest[0], first
        rest[1] += first
        total = tf.constant(0)
        for key in sorted(table):
            if table[key] > 5:
                total += table[key]
        return first, rest, table, total

    return f(tf.constant(2)), f(tf.constant(-1))


@program
def builtins_of_python_on_tensors():
    """len, abs, int and float of static values, print-free arithmetic with range and len."""

    @tf.function
    def f(xs):
        n = len(xs)
        total = tf.constant(0.0)
        for i in range(n):
            total += abs(xs[i]) * float(i + 1)
        for _ in range(len(xs.shape)):
            total = total + 0.5
        return total, int(xs.shape[0]) * 2, max(n, 2)

    total, twice, most = f(tf.constant([1.0, -2.0, 3.0]))
    return total, int(twice), int(most)


@program
def do_not_convert():
    """A function marked do_not_convert runs as plain Python; its Python conditions still work."""

    @tf.autograph.experimental.do_not_convert
    def plain(x, flag):
        if flag:
            return x * 3
        return tf.cond(x > 0, lambda: x, lambda: -x)

    @tf.function
    def f(x, flag=True):
        y = plain(x, flag)
        if y > 10:
            y = y - 10
        return y

    return f(tf.constant(2)), f(tf.constant(5)), f(tf.constant(-7), False), f(tf.constant(-70), flag=False)


@program(eager=False)
def loop_options():
    """set_loop_options with shape invariants lets a value grow; a limit on the number of rounds."""

    @tf.function
    def grow(n):
        xs = tf.constant([1])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(xs, tf.TensorShape([None]))])
            xs = tf.concat([xs, [i]], axis=0)
        return xs

    @tf.function
    def limited():
        i = tf.constant(0)
        while i < 100:
            tf.autograph.experimental.set_loop_options(maximum_iterations=7)
            i += 3
        return i

    return [grow(tf.constant(n)) for n in (0, 3)], limited()


@program
def deep_nesting():
    """for in while in if in for, each with its own names and a value that goes through all of them."""

    @tf.function
    def f(n):
        trail = tf.constant("")
        total = tf.constant(0)
        for i in tf.range(n):
            if i % 2 == 1:
                k = i
                while k > 0:
                    for j in tf.range(k):
                        total += j * k
                        if total > 40:
                            total -= 40
                            trail += "-"
                    k -= 2
                    trail += "w"
            else:
                trail += "e"
        return total, trail

    return [f(tf.constant(n)) for n in (0, 2, 5, 7)]


@program(eager=False, advice=("effect.mutation",))
def code_is_traced_with_symbolic_tensors():
    """isinstance, tf.is_tensor and dtype checks while tracing choose between versions, in Python's time."""
    versions = []

    @tf.function
    def f(x):
        if isinstance(x, str):
            versions.append("text")
            y = tf.strings.length(x)
        elif tf.is_tensor(x) and x.dtype.is_floating:
            versions.append("float")
            y = tf.cast(tf.round(x), tf.int32)
        elif tf.is_tensor(x):
            versions.append("tensor")
            y = x * 2
        else:
            versions.append(type(x).__name__)
            y = tf.constant(len(x))
        return y + 1

    results = [f(v) for v in ("four", tf.constant(2.6), tf.constant(4), [1, 2, 3], tf.constant(0.4))]
    return results, versions
