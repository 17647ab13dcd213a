"""The code that is shown: to_code, listings and their pairs of lines; and why something is not converted."""

import functools
import textwrap

import pytest

import graphlab as tf
from graphlab.autograph import code_listing, conversions, convert, why_not
from tests.autograph.random_programs import make


def _function(body):
    return make("def program(x, n):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n")


CODE = {
    "if": (
        """
        y = 0
        if x > 0:
            y = x
        else:
            y = -x
        return y
        """,
        """
        y = 0
        def true_4():
            nonlocal y
            y = x
        def else_6():
            nonlocal y
            y = -x
        ag.if_stmt(x > 0, true_4, else_6, ('y',))
        return y
        """,
    ),
    "if with returns": (
        """
        if x > 0:
            return x
        return -x
        """,
        """
        def true_3():
            return x
        def else_4():
            return -x
        return ag.if_stmt(x > 0, true_3, else_4)
        """,
    ),
    "for": (
        """
        s = 0
        for i in range(n):
            d = i * 2
            s += d
        return s
        """,
        """
        s = 0
        def loop_3(i):
            nonlocal s
            d = i * 2
            s += d
        ag.for_stmt(ag.range(n), loop_3, ('s',))
        return s
        """,
    ),
    "continue needs nothing": (
        """
        s = 0
        for i in range(n):
            if i == 2:
                continue
            s += i
        return s
        """,
        """
        s = 0
        def loop_3(i):
            def true_5():
                pass
            def else_6():
                nonlocal s
                s += i
            ag.if_stmt(i == 2, true_5, else_6, ('s',))
        ag.for_stmt(ag.range(n), loop_3, ('s',))
        return s
        """,
    ),
    "while with break": (
        """
        while x > 0:
            x -= 1
            if x == n:
                break
        return x
        """,
        """
        break_2 = False
        def loop_2():
            nonlocal x
            x -= 1
            def true_5():
                nonlocal break_2
                break_2 = True
            ag.if_stmt(x == n, true_5, None, ('break_2',))
        ag.while_stmt(lambda: x > 0, loop_2, ('x', 'break_2'), until='break_2')
        return x
        """,
    ),
    "a variable without a value": (
        """
        if x > 0:
            y = x
        return y
        """,
        """
        y: ag.Unset
        def true_3():
            nonlocal y
            y = x
        ag.if_stmt(x > 0, true_3, None, ('y',))
        return y
        """,
    ),
    "logic": (
        """
        a = x > 0 and n
        b = not a
        c = 1 < x < 5
        d = x if a else n
        return a is None or b, c, d
        """,
        """
        a = ag.and_(x > 0, lambda: n)
        b = ag.not_(a)
        c = ag.and_(1 < x, lambda: x < 5)
        d = ag.if_exp(a, lambda: x, lambda: n, 'd')
        return (a is None or b, c, d)
        """,
    ),
    "calls": (
        """
        assert n, 'needed'
        print(isinstance(x, int), 'a'.upper())
        y = helper(x)
        return y.method(len(y))
        """,
        """
        ag.assert_stmt(n, lambda: 'needed')
        print(isinstance(x, int), 'a'.upper())
        y = ag.convert(helper)(x)
        return ag.convert(y.method)(ag.len(y))
        """,
    ),
}


@pytest.mark.parametrize("name", CODE)
def test_to_code(name):
    body, expected = CODE[name]
    code = tf.autograph.to_code(_function(body))
    assert code == "def program(x, n):\n" + textwrap.indent(textwrap.dedent(expected).strip(), "    ") + "\n"


def test_modules_that_are_never_converted_are_called_directly():
    import math

    def f(x):
        return tf.add(x, 1) + tf.math.abs(x) + math.floor(2.5)

    # `math` is a variable of this test, `tf` a global of its module.
    assert "ag.convert(math.floor)" in tf.autograph.to_code(f)
    assert "tf.add(x, 1) + tf.math.abs(x)" in tf.autograph.to_code(f)


def test_a_name_of_the_users_is_never_taken():
    function = _function(
        """
        ag = break_5 = true_7 = 1
        for i in range(n):
            if i > x:
                break
        return ag, break_5, true_7, i
        """
    )
    assert convert(function)(2, 9) == function(2, 9) == (1, 1, 1, 3)


def test_pairs_join_lines():
    body, _ = CODE["for"]
    listing = code_listing(_function(body))
    assert listing.first_line == 1
    assert listing.source_lines[2].strip() == "for i in range(n):"
    for source, made in listing.pairs:
        text = listing.generated_lines[made - 1].strip()
        if text.startswith(("d =", "s ", "return")):
            assert listing.source_lines[source - listing.first_line].strip() == text
    ours = {n for n, line in enumerate(listing.generated_lines, 1) if line.strip().startswith("nonlocal")}
    assert {made for _, made in listing.pairs} == set(range(1, len(listing.generated_lines) + 1)) - ours


def test_lines_are_those_of_the_file():
    @tf.function
    def decorated(x):
        if x > 0:
            x = x + 1
        return x

    listing = code_listing(decorated)
    first = decorated.python_function.__code__.co_firstlineno
    assert listing.first_line == first
    assert listing.source_lines[0].strip() == "@tf.function"
    assert f"def true_{first + 3}():" in listing.generated


@pytest.mark.parametrize("name", CODE)
def test_what_is_shown_runs_as_what_is_not_shown(name):
    function = _function(CODE[name][0])
    helper = type("Helper", (str,), {"method": lambda self, n: (self, n)})
    names = {"ag": convert(function).__closure__[0].cell_contents, "helper": helper}
    function.__globals__["helper"] = helper
    exec(tf.autograph.to_code(function), names)
    for args in ((9, 4), (3, 1), (1, 9)):
        assert names["program"](*args) == convert(function)(*args) == function(*args)


def test_code_of_a_function_made_inside():
    made = []

    @tf.function
    def outer(x):
        @tf.function
        def inner(y):
            if y > 0:
                return y
            return -y

        made.append(inner)
        return inner(x)

    assert int(outer(tf.constant(-4))) == 4
    first = made[0].python_function.__code__.co_firstlineno
    listing = code_listing(made[0])
    assert f"def true_{first + 3}():" in listing.generated
    assert listing.source_lines[0].strip() == "@tf.function"


def doubled(x):
    for v in x:
        yield v * 2


async def later(x):
    return x


def _exec_made():
    names = {}
    exec("def made(x):\n    return x\n", names)
    return names["made"]


@tf.autograph.experimental.do_not_convert
def plain(x):
    if x > 0:
        return x
    return -x


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (doubled, "doubled() contains yield, so AutoGraph runs it as plain Python."),
        (later, "later() is a coroutine"),
        (_exec_made(), "made() has no source"),
        (plain, "plain() is marked do_not_convert"),
        (textwrap.dedent, "belongs to textwrap"),
        (tf.add, "belongs to graphlab"),
    ],
)
def test_why_not(function, words):
    assert words in why_not(function)
    assert convert(function) is function


def test_why_not_is_empty_for_what_is_converted():
    assert not why_not(_function("return x"))


@pytest.mark.parametrize("function", [len, int, print, dict, [].append, 3, None, tf.function(lambda x: x)])
def test_other_callables_are_left_alone(function):
    result = convert(function)
    assert result is function or function in {len, int}


def test_every_conversion_leaves_a_record():
    function = _function("return x")
    convert(function)
    record = conversions()[-1]
    assert (record.function, record.line, record.converted) == ("program", 1, True)
    convert(doubled)
    assert "doubled" in {r.function for r in conversions() if r.reason == "generator"}


def test_the_error_says_why_the_code_was_not_converted():
    def total(x):
        return sum(v for v in doubled(x))

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=r"doubled\(\) contains yield"):
        tf.function(total)(tf.range(3))


def test_do_not_convert_holds_for_what_is_called():
    def helper(x):
        if x > 0:
            return x
        return -x

    @tf.autograph.experimental.do_not_convert
    def frozen(function, x):
        return function(x)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(lambda x: frozen(lambda y: helper(y) + 0, x))(tf.constant(1))
    assert int(tf.function(helper)(tf.constant(-1))) == 1


def test_to_graph():
    def f(x: int, k: int = 2):
        """Doubles what is positive."""
        if x > 0:
            x = x * k
        return x

    f.mark = 1
    g = tf.autograph.to_graph(f)
    assert (g(3), g(-3), g(3, k=5)) == (6, -3, 15)
    assert (g.__doc__, g.__annotations__, g.mark) == (f.__doc__, f.__annotations__, 1)
    with pytest.raises(ValueError, match="contains yield"):
        tf.autograph.to_graph(doubled)
    with pytest.raises(TypeError, match="no Python function"):
        tf.autograph.to_code(3)


def test_partials_methods_and_wrappers_are_converted():
    class Net:
        def __init__(self):
            self.k = 2

        def step(self, x):
            return x * self.k if x > 0 else x

        __call__ = step

    def wrapper(function):
        @functools.wraps(function)
        def inner(*args):
            return function(*args)

        return inner

    net, x = Net(), tf.constant(3)
    for form in (net, net.step, functools.partial(Net.step, net), wrapper(net.step), wrapper(wrapper(net))):
        assert int(tf.function(lambda v, form=form: form(v))(x)) == 6


def test_verbosity_tells(capsys):
    tf.autograph.set_verbosity(3, alsologtostdout=True)
    try:
        convert(_function("return x"))
    finally:
        tf.autograph.set_verbosity(0)
    out = capsys.readouterr()
    assert "AutoGraph: program() is converted." in out.err
    assert out.out == out.err


def test_a_traced_function_is_converted_wherever_it_is_called():
    @tf.function
    def sign(x):
        if x > 0:
            return 1
        return helper(x)

    def helper(x):
        if x < 0:
            return -1
        return 0

    @tf.autograph.experimental.do_not_convert
    def plain_caller(x):
        return sign(x)

    assert int(tf.function(lambda x: plain_caller(x) + 0)(tf.constant(-5))) == -1
