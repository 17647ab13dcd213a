"""Functions whose control flow tensors decide, with what TensorFlow 2.21 gives for them, or what graphlab does instead.

Not a test module, so that pytest leaves its asserts as they are.  ``value(expected, *args)`` and
``error(class, words, *args)`` declare a case.
"""

# ruff: noqa: B007, B023, B905, C417, E731, PERF401, PIE804, PLW0120, PYI024, RET503, RET504  # habits that a linter mends

from __future__ import annotations

import collections
import contextlib
import functools
from collections.abc import Callable
from typing import Any

import graphlab as tf

VALUES: list[tuple[Callable[..., Any], tuple[Any, ...], Any]] = []
ERRORS: list[tuple[Callable[..., Any], tuple[Any, ...], type[BaseException], tuple[str, ...]]] = []


def value(expected: Any, *args: Any) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        VALUES.append((function, args, expected))
        return function

    return add


def error(kind: type[BaseException], words: tuple[str, ...], *args: Any) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        ERRORS.append((function, args, kind, words))
        return function

    return add


class Box:
    def __init__(self, **values):
        self.__dict__.update(values)


# ---------------------------------------------------------------- if


@value(4, 2)
@value(0, -2)
def branch_assigns(x):
    y = 0
    if x > 0:
        y = x * 2
    return y


@value(1, 3)
@value(-1, -3)
@value(0, 0)
def returns_in_branches(x):
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0


@value(1, 9)
@value(4, 3)
@value(-1, -1)
def return_in_a_branch_of_a_branch(x):  # TensorFlow rejects it
    if x > 0:
        if x > 5:
            return 1
        x = x + 1
    return x


@value((3, -3), 3)
@value((3, 3), -3)
def returns_structures(x):
    if x > 0:
        return x, -x
    return -x, -x


@value({"a": 3, "b": [1, 2]}, 3)
@value({"a": 0, "b": [3, 4]}, -3)
def returns_dictionaries(x):
    if x > 0:
        d = {"a": x, "b": [1, 2]}
    else:
        d = {"b": [3, 4], "a": 0}
    return d


@value(7, 3)
@value(-3, -3)
def returns_in_with(n):  # TensorFlow rejects it
    with contextlib.nullcontext():
        if n > 0:
            return n + 4
    return n


@value(3, 3)
@value(3, -3)
def attribute_in_branches(x):
    o = Box(x=0)
    if x > 0:
        o.x = x
    else:
        o.x = -x
    return o.x


@value({"a": 3}, 3)
@value({"a": 1}, -3)
def item_in_a_branch(x):
    d = {"a": 1}
    if x > 0:
        d["a"] = x
    return d


@value({"a": 3}, 3)
@value({"a": 5}, -5)
def new_item_in_both_branches(x):
    d = {}
    if x > 0:
        d["a"] = x
    else:
        d["a"] = -x
    return d


@value(2, 3)
@value(1, -3)
def closure_sees_the_branch(n):
    x = 1

    def read():
        return x

    if n > 0:
        x = 2
    return read()


@value(True, 3)
def same_object_in_both_branches(x):  # TensorFlow rejects it
    o = Box()
    if x > 0:
        y = o
    else:
        y = o
    return y is o


@value(-1, 3)
@value(-3, -3)
def dead_value_is_undone(x):
    # What the first branch does to x must not be seen in the second.
    if x > 0:
        x = x * 100
        y = -1
    else:
        y = x
    return y


@error(ValueError, ("'y'", "else branch", "(line"), 1)
def undefined_in_else(x):
    if x > 0:
        y = 1.0
    return y


@error(ValueError, ("'y'", "main branch"), 1)
def undefined_in_main(x):
    if x > 0:
        pass
    else:
        y = 1.0
    return y


@error(ValueError, ("'o.x'", "else branch"), 1)
def attribute_undefined_in_else(x):
    o = Box()
    if x > 0:
        o.x = x
    return o.x


@error(TypeError, ("'y'", "float32", "int32", "(line"), 1)
def different_dtypes(x):
    if x > 0:
        y = 1.0
    else:
        y = 0
    return y


@error(TypeError, ("the value returned", "float32", "int32"), 1)
def different_returned_dtypes(x):
    if x > 0:
        return 1.0
    return 0


@error(TypeError, ("the value returned", "tuple of 2"), 1)
def different_returned_structures(x):
    if x > 0:
        return x, x
    return x


@error(ValueError, ("return", "else branch"), 1)
def nothing_returned_otherwise(x):
    if x > 0:
        return 1


@error(ValueError, ("'y'", "None", "else branch"), 1)
def none_in_one_branch(x):
    y = None
    if x > 0:
        y = 1
    return y


@error(TypeError, ("'y'", "Box"), 1)
def python_objects(x):
    if x > 0:
        y = Box()
    else:
        y = Box()
    return y


@error(ValueError, ("bool", "int32", "x > 0"), 1)
def condition_is_an_int(x):
    if x:
        return 1
    return 0


@error(ValueError, ("bool", "(2,)", "reduce_any"), [True, False])
def condition_is_a_vector(x):
    if x:
        return 1
    return 0


@error(ValueError, ("negative",), 1)
def raise_under_a_condition(x):
    if x < 0:
        raise ValueError("negative")
    return x


# ---------------------------------------------------------------- conditional expressions, and, or, not


@value(6, 3)
@value(3, -3)
def conditional_expression(x):
    return x * 2 if x > 0 else -x


@value(b"big", 300)
@value(b"medium", 30)
@value(b"small", 3)
def conditional_expression_in_another(x):
    return "big" if x > 100 else ("medium" if x > 10 else "small")


@error(TypeError, ("'y'", "float32", "int32"), 1)
def conditional_expression_of_two_dtypes(x):
    y = 1.0 if x > 0 else 0
    return y


@error(TypeError, ("'ys'", "list of 2", "list of 0"), 1)
def conditional_expression_of_two_structures(x):
    ys = [x, x] if x > 0 else []
    return len(ys)


@value((True, True, False), 3)
@value((False, True, True), 0)
@value((False, True, True), 9)
def logic(x):
    return x > 0 and x < 5, x > 0 or x < 5, not (x > 0 and x < 5)


@value((True, False), 3)
@value((False, True), 7)
def chained_comparison(x):
    return 1 < x < 5, not 1 < x + 0 <= 5


@value((True, False, True), 3)
def comparison_with_none(x):
    return x is not None, x is None, x is not None and x > 2


@error(TypeError, ("bool", "int32", "x == 0"), 1)
def not_of_an_int(x):
    return not x


@error(TypeError, ("and", "bool", "int32"), 3)
def and_of_two_dtypes(x):
    return x > 1 and 5


# ---------------------------------------------------------------- loops


@value(6, 4)
@value(0, 0)
def for_range(n):
    s = 0
    for i in tf.range(n):
        s += i
    return s


@value(543, 2)
def for_range_down(n):
    s = 0
    for i in tf.range(5, n, -1):
        s = s * 10 + i
    return s


@value(543, -1)
@value(345, 1)
def for_range_with_unknown_step(d):
    s = 0
    for i in tf.range(tf.where(d > 0, 3, 5), tf.where(d > 0, 6, 2), d):
        s = s * 10 + i
    return s


@value(6, [1, 2, 3])
@value(0, [])
def for_tensor(xs):
    s = 0
    for x in tf.cast(xs, tf.int32):
        s += x
    return s


@value([4.0, 6.0], [[1.0, 2.0], [3.0, 4.0]])
def for_rows(xs):
    s = tf.zeros([2])
    for x in xs:
        s += x
    return s


@value(2, 3)
@value(0, 0)
def loop_variable_afterwards(n):
    for i in tf.range(n):
        pass
    return i


@value(4, [1, 2, 3, 5, 1])
def break_and_continue(xs):
    s = 0
    for x in xs:
        if x == 2:
            continue
        if x > 4:
            break
        s += x
    return s


@value((6, 3), 4)
def nested_loops(n):
    s, last = 0, 0
    for i in tf.range(n):
        for j in tf.range(n):
            if j >= i:
                break
            s += 1
            last = i
    return s, last


@value(102, 9)
def while_else(x):  # TensorFlow rejects it
    while x > 2:
        x = x // 2
    else:
        x = x + 100
    return x


@value(-1, [1, 2, 3])
@value(1, [1, -2, 3])
def for_else(xs):  # TensorFlow rejects it
    total = 0
    for x in xs:
        if x < 0:
            break
        total += x
    else:
        total = -1
    return total


@value(3, 5)
@value(-1, 2)
def return_in_a_for_loop(n):  # TensorFlow rejects it
    for i in tf.range(n):
        if i > 2:
            return i
    return -1


@value((2, 5), 5)
@value((-1, -1), 1)
def return_in_a_while_loop(n):  # TensorFlow rejects it
    start = n
    while n > 0:
        n = n - 1
        if n == 2:
            return n, start
    return -1, -1


@value(0, 7)
def while_loop(n):
    while n > 0:
        n = n - 1
    return n


@value(2, [5, 3, 1])
def while_test_after_break_is_not_evaluated(xs):
    i = 0
    while xs[i] > 0:
        i += 1
        if i == 2:
            break
    return i


@value(3, 3)
def while_from_python_value(n):
    i = 0
    while i < n:
        i += 1
    return i


@value(6.0, 2)
def value_made_in_the_loop(n):
    for i in tf.range(n):
        y = tf.ones([2]) * 3.0
    return tf.reduce_sum(y)


@error(tf.errors.InvalidArgumentError, ("loop must iterate at least once", "y"), 0)
def value_made_in_a_loop_that_never_runs(n):
    for i in tf.range(n):
        y = tf.ones([2]) * 3.0
    return y


@error(tf.errors.InvalidArgumentError, ("loop must iterate at least once", "y"), 0)
def value_made_in_a_while_loop_that_never_runs(n):
    while n > 0:
        y = tf.ones([2])
        n -= 1
    return y


@value(3, 3)
def none_before_the_loop(n):
    s = None
    for i in tf.range(n):
        if s is None:
            s = i
        s = s + i
    return s


@value({"a": 3}, 3)
def item_in_a_loop(n):
    d = {"a": 0}
    for i in tf.range(n):
        d["a"] += i
    return d


@value([0, 4], 3)
def list_item_in_a_loop(n):
    d = [0, 1]
    for i in tf.range(n):
        d[1] = d[1] + i
    return d


@value(2, 3)
def attribute_as_loop_variable(n):
    o = Box(i=0)
    for o.i in tf.range(n):
        pass
    return o.i


@value([0, 0, 1, 2], 3)
def shape_invariant(n):
    v = tf.constant([0])
    for i in tf.range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(v, tf.TensorShape([None]))])
        v = tf.concat([v, [i]], 0)
    return v


@value(7, 9)
def maximum_iterations(n):
    while n > 0:
        tf.autograph.experimental.set_loop_options(maximum_iterations=2)
        n -= 1
    return n


@value([0, 1, 4], 3)
def tensor_array_in_a_loop(n):
    ta = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    for i in tf.range(n):
        ta = ta.write(i, i * i)
    return ta.stack()


@value((3, 5), 3)
def tuple_state(n):
    pair = (0, 0)
    for i in tf.range(n):
        a, b = pair
        pair = (a + i, b + i + 1 if i < 2 else b + 2)
    return pair


@value(19, 3)
def python_loop_with_tensors(n):
    s = 0
    for i, (a, b) in enumerate([(n, n), (n, n)]):
        s += a * b + i
    return s


@value([5, 5, 5], 3)
def late_binding(n):  # TensorFlow gives 3, 4, 5
    functions = []
    for i in range(3):
        functions.append(lambda: i + n)
    return [f() for f in functions]


@error(ValueError, ("'v'", "(1,)", "(2,)", "set_loop_options", "shape_invariants=[(v,"), 3)
def shape_changes(n):
    v = tf.constant([0])
    for i in tf.range(n):
        v = tf.concat([v, [i]], 0)
    return v


@error(TypeError, ("'s'", "int32 before the loop", "float32 after one iteration"), 3)
def dtype_changes(n):
    s = tf.constant(0)
    for i in tf.range(n):
        s = tf.cast(i, tf.float32)
    return s


@error(TypeError, ("'y'", "tuple of 2", "tuple of 3"), 3)
def structure_changes(n):
    y = (1, 2)
    for i in tf.range(n):
        y = (1, 2, 3)
    return y


@error(ValueError, ("'s'", "None"), 3)
def none_stays(n):
    s = None
    for i in tf.range(n):
        if i > 2:
            s = None
    return s


@error(NotImplementedError, ("tensor", "tf.range"), 3)
def python_loop_with_tensor_break(n):
    s = 0
    for i in range(5):
        if n == i:
            break
        s += i
    return s


@error(NotImplementedError, ("tensor", "tf.constant"), 3)
def python_while_with_tensor_break(n):
    while True:
        n = n - 1
        if n == 2:
            break
    return n


@error(ValueError, ("shape ()",), 3)
def loop_over_a_scalar(x):
    for v in x:
        pass
    return 1


# ---------------------------------------------------------------- calls, assert, builtins


def positive_or_zero(x, scale=3):
    if x > 0:
        return x * scale
    return tf.zeros_like(x)


@value((6, 0, 8), 2)
def converts_what_it_calls(x):
    return positive_or_zero(x), positive_or_zero(-x), functools.partial(positive_or_zero, scale=4)(x)


@value(40, 2)
def starred_calls(n):
    def inner(*args, **kwargs):
        if args[0] > 0:
            return kwargs["z"]
        return args[1]

    return inner(*[n, n + 1], **{"z": n * 20})


class Layer:
    def __init__(self, scale):
        self.scale = scale
        self.steps = 0

    def __call__(self, x):
        self.steps = self.steps + 1
        return self.apply(x)

    def apply(self, x):
        if x > 0:
            return x * self.scale
        return x


class Doubled(Layer):
    def apply(self, x):
        for _ in tf.range(2):
            x = super().apply(x)
        return x


@value(18, 2)
def methods_and_super(x):
    return Doubled(3)(x)


@value(-3, 3)
def lambdas(x):
    f = lambda v: v if v < 0 else -v
    return f(x)


@value(3, 3)
def assert_holds(x):
    assert x > 0, "positive"
    return x


@error(tf.errors.InvalidArgumentError, ("must be big",), 3)
def assert_fails(x):  # TensorFlow raises OperatorNotAllowedInGraphError while tracing
    assert x > 5, "must be big"
    return x


Pair = collections.namedtuple("Pair", "a b")


@value(Pair(3, 1), 3)
@value(Pair(0, 0), -3)
def namedtuples(x):
    p = Pair(0, 0)
    if x > 0:
        p = Pair(x, 1)
    return p


@value((3, 6, 3, 1, True, False, [1, 2, 3]), [3, 1, 2])
def builtins_of_a_vector(x):
    return len(x), sum(x), max(x), min(x), any(x > 2), all(x > 2), sorted(x)


@value((3, 3.0, True, 3, 4), -3)
def builtins_of_a_scalar(x):
    return int(-x), float(-x), bool(x), abs(x), max(x, 4)


@value((8, 14, 12), [1, 2, 3])
def loops_over_enumerate_zip_map(x):
    a = b = c = 0
    for i, v in enumerate(x):
        a += i * v
    for v, w in zip(x, x):
        b += v * w
    for v in map(lambda e: e * 2, x):
        c += v
    return a, b, c


@value(3, 3)
def range_of_a_tensor(n):
    s = 0
    for i in range(n):
        s += i
    return s
