"""Python functions whose meaning must not change when they are converted: one per habit of the language.

Not a test module, so that pytest leaves its asserts as they are.
"""

# ruff: noqa: B023, B905, PERF401, PIE804, PLW0603, PTH119, RET502, F842, E731  # habits that a linter mends

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []


def case(*args: Any) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        CASES.append((function, args))
        return function

    return add


total = 10


@case(3)
@case(-3)
def branches_return(x):
    if x > 0:
        return "positive"
    elif x == 0:
        return "zero"
    y = -x
    if y > 2:
        y += 1
    return y


@case(5)
def late_binding_closures(n):
    functions = []
    for i in range(n):
        functions.append(lambda: i)
    return [f() for f in functions]


@case(4)
def closures_see_later_values(n):
    x = 1

    def read():
        return x

    if n > 2:
        x = 2
    return read()


@case(4)
def nested_function_writes(n):
    count = 0

    def up(by=1):
        nonlocal count
        count += by

    while count < n:
        up()
        if count == 2:
            up(by=10)
    return count


@case(4)
def global_is_assigned(n):
    global total
    if n > 3:
        total = n
        return total
    return None


@case(3)
def walrus(n):
    found = []
    while (n := n - 1) > 0:
        if (y := n * 2) > 2:
            found.append(y)
    return found, n, y


@case(3)
def deleted(n):
    x = 1
    if n > 2:
        del x
    try:
        return x
    except NameError:
        return "gone"


@case(3)
def undefined_after_branch(n):
    if n > 10:
        y = 1
    try:
        return y
    except NameError:
        return "unset"


@case([1, 2, 3, 4])
def loop_else(xs):
    for x in xs:
        if x == 9:
            break
    else:
        return "no nine", x
    return "nine"


@case(3)
def while_else(n):
    while n:
        n -= 1
        if n == 7:
            break
    else:
        n = "else ran"
    return n


@case(4)
def return_from_nested_loops(n):
    for i in range(n):
        for j in range(n):
            if i * j == 2:
                return i, j
    return None


@case(4)
def break_inner_continue_outer(n):
    seen = []
    for i in range(n):
        for j in range(n):
            if j == i:
                break
            seen.append((i, j))
        if i % 2:
            continue
        seen.append(i)
    return seen


@case(0)
@case(1)
@case(2)
def try_paths(n):
    log = []
    for i in range(3):
        try:
            log.append(i)
            if n == 0:
                continue
            if n == 1 and i == 1:
                break
            if n == 2 and i == 2:
                return log
            log.append(1 // (i - 1))
        except ZeroDivisionError as error:
            log.append(type(error).__name__)
        else:
            log.append("else")
        finally:
            log.append("finally")
    return log, i


@case(3)
@case(-3)
def return_in_with(n):
    with contextlib.suppress(KeyError):
        if n > 0:
            return "in with"
        {}["missing"]
        return "not reached"
    return "after"


@case(1)
@case("a")
@case((1, 2))
@case({"k": 5})
def matched(value):
    match value:
        case 1:
            kind = "one"
        case (a, b):
            kind = a + b
        case {"k": v}:
            return v
        case _:
            kind = "other"
    return kind


@case(3)
def lambdas(n):
    f = lambda x: x + 1 if x > n else -x
    g = lambda *xs, k=2, **kw: (xs, k, kw)
    return f(5), f(1), g(1, 2, z=3)


@case([3, 1, 2])
def comprehensions(xs):
    squares = [x * x for x in xs if x > 1]
    pairs = {x: [y for y in xs if y < x] for x in xs}
    lazy = (x for x in xs)
    return squares, pairs, {x % 2 for x in xs}, sum(lazy), [len(s) for s in (xs, squares)]


@case(3, 4)
def signature(a, /, b=2, *rest, c=3, d: int = 4, **more):
    if a:
        return a, b, rest, c, d, more
    return None


@case(5)
def recursion(n):
    return 1 if n <= 1 else n * recursion(n - 1)


@case(5)
def local_recursion(n):
    def fact(k):
        if k <= 1:
            return 1
        return k * fact(k - 1)

    return fact(n)


@case(3)
def generator_inside(n):
    def numbers():
        for i in range(n):
            yield i
            if i == 1:
                return

    return list(numbers())


@case(3)
def class_inside(n):
    class Counter:
        step = 2

        def __init__(self):
            self.__value = n

        def up(self):
            for _ in range(2):
                self.__value += self.step
            return self.__value

    return Counter().up(), Counter.__qualname__


class Base:
    def __init__(self, value):
        self.value = value

    def read(self):
        return self.value

    @classmethod
    def make(cls, value):
        return cls(value)


class Derived(Base):
    __secret = 7

    def __init__(self, value):
        super().__init__(value)
        self.__hidden = 1

    def read(self):
        if self.value > 0:
            return super().read() + self.__secret + self.__hidden
        for _ in range(1):
            self.__hidden = super().read()
        return self.__hidden

    @staticmethod
    def fixed(x):
        return x if x > 1 else -x

    @property
    def doubled(self):
        return self.value * 2

    def __call__(self, x):
        while x < self.value:
            x += 1
        return x


@case(3)
def methods(n):
    a, b = Derived(n), Derived.make(-n)
    return a.read(), b.read(), a.fixed(1), Derived.fixed(5), a.doubled, b(0), a(0)


@case(2)
def attributes_and_items(n):
    box = Base(1)
    table = {"a": 1, "b": [0, 0]}
    for i in range(n):
        if i:
            box.value += 5
            table["a"] = box.value
            table["b"][i] = i
        else:
            box.extra = "set"
            table["new"] = i
    return box.value, box.extra, table


@case(3)
def starred(n):
    def all_of(*args, **kwargs):
        return args, sorted(kwargs)

    first, *others = range(n)
    return all_of(*others, first, **{"z": 1, "a": 2})


def doubling(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) * 2

    return wrapper


@doubling
def decorated_helper(x):
    if x > 1:
        return x
    return -x


@case(3)
def calls_decorated(n):
    return decorated_helper(n), decorated_helper(1), functools.partial(decorated_helper, n)()


@case(3)
def local_names(n):
    x = n + 1
    for i in range(2):
        y = i
        if i:
            return sorted(locals()), eval("x + y"), sorted(vars())
    return None


@case(3)
def chained(n):
    calls = []

    def noted(x):
        calls.append(x)
        return x

    return 1 < noted(n) < noted(5) <= noted(4) < noted(9), noted(0) < noted(n) != 4, calls


@case(0)
@case(3)
def lazy_logic(n):
    calls = []

    def noted(x):
        calls.append(x)
        return x

    return (noted(n) and noted(1)), (noted(n) or noted(2) or noted(3)), not noted(n), calls


@case(3)
def asserts(n):
    assert n == 3, "not reached"
    try:
        assert n > 5, f"n is {n}"
    except AssertionError as error:
        return str(error)
    return None


@case(3)
def loop_targets(n):
    box = Base(0)
    found = []
    for box.value in range(n):
        found.append(box.value)
    for i, (a, b) in enumerate(zip("xy", "zw")):
        found.append((i, a, b))
    for found[0] in (7, 8):
        pass
    return box.value, found, i


@case([1, 2, 3])
def builtins_on_values(xs):
    return (
        len(xs),
        max(xs),
        min(4, 2),
        sum(xs, 1),
        any(x > 2 for x in xs),
        all(xs),
        sorted(xs, key=lambda x: -x),
        list(map(lambda x, y: x + y, xs, xs)),
        list(filter(None, [0, 1])),
        list(enumerate(xs, 1)),
        list(zip(xs, "ab")),
        int("7"),
        float(2),
        bool(xs),
        abs(-2),
        next(iter(xs)),
        next(iter([]), "none"),
    )


@case(2)
def imports_inside(n):
    if n > 1:
        import math as m
        from os import path
    return m.floor(2.5), path.basename("a/b")


@case(3)
def empty_return(n):
    for i in range(n):
        if i == 1:
            return
    return 5


@case(3)
def annotated(n):
    x: int = 0
    y: str
    for i in range(n):
        x: int = i
    return x


@case(3)
def exception_chain(n):
    try:
        try:
            for i in range(n):
                if i == 2:
                    raise KeyError("inner")
        except KeyError as error:
            raise ValueError("outer") from error
    except ValueError as error:
        return type(error.__cause__).__name__
    return None


@case("x")
def raises(x):
    while True:
        if x:
            raise LookupError(x)
