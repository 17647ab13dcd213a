"""Finding a function's source, and refusing what is not its source."""

import ast
import gc
import linecache
import weakref

import pytest

import graphlab as tf
from graphlab.autograph import convert, why_not
from graphlab.autograph.parsing import NoSourceError, enclosing_class, find_source, mangle
from tests.autograph import programs
from tests.autograph.random_programs import make


def test_lines_and_columns_are_the_files():
    source = find_source(programs.Derived.read.__code__)
    with open(programs.__file__) as file:  # noqa: PTH123
        lines = file.read().split("\n")
    assert source.mangled_by == "Derived"
    for node in ast.walk(source.node):
        if isinstance(node, ast.Name):
            assert lines[node.lineno - 1][node.col_offset :].startswith(node.id)


def test_lambdas_on_one_line():
    fs = [tf.function(lambda x: x + 1 if x > 0 else x), tf.function(lambda x: x * 10 if x > 0 else x)]
    assert [int(f(tf.constant(3))) for f in fs] == [4, 30]
    a, b = (lambda x: lambda y: x - y), (lambda x: lambda y: y - x)
    assert ast.unparse(find_source(a(1).__code__).node) == "lambda y: x - y"
    assert ast.unparse(find_source(b(1).__code__).node) == "lambda y: y - x"
    assert ast.unparse(find_source(a.__code__).node) == "lambda x: lambda y: x - y"


def test_a_lambda_over_several_lines():
    f = (  # noqa: E731  # a lambda is what is tested
        lambda x:
        x * 2
        if x > 0
        else -x
    )  # fmt: skip
    assert int(tf.function(f)(tf.constant(-4))) == 4


def test_an_edited_file_counts_as_no_source():
    function = make("def program(x, n):\n    return x + n\n")
    filename = function.__code__.co_filename
    text = "def program(x, n):\n    return x - n\n"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    with pytest.raises(NoSourceError, match="no longer holds the code"):
        find_source(function.__code__)
    assert convert(function) is function
    assert "no longer holds the code" in why_not(function)


def test_rewritten_asserts_count_as_no_source():
    def f(x):
        assert x  # pytest has rewritten this one
        return x

    with pytest.raises(NoSourceError, match="asserts were rewritten"):
        find_source(f.__code__)


@pytest.mark.parametrize(
    "source",
    [
        "def program(x, n):\n  s = '''a\nb'''\n  return s\n",
        "def program(x, n): return x\n",
        "def program(x, n):\n\tif x:\n\t\treturn n\n",
        "if True:\n    def program(x, n):\n        # a comment\n# at the margin\n        return 'é', x\n",
        "from __future__ import annotations\ndef program(x: Undefined, n: 'y') -> Nowhere:\n    return x\n",
        "import math\ndef program(x, n):\n    return math.floor(x), [].append(1), program\n",
        "@(lambda f: f)\n@(lambda f: f)\ndef program(x, n=(1, 2), *, k={}):\n    return {x: n} if x else k\n",
    ],
)
def test_sources_of_many_shapes(source):
    function = make(source)
    assert convert(function) is not function
    assert convert(function)(1, 2) == function(1, 2)


def test_names():
    assert enclosing_class("A.m.<locals>.g") == "A"
    assert enclosing_class("f.<locals>.A.m") == "A"
    assert enclosing_class("f.<locals>.g") is None
    assert (mangle("__x", "_A"), mangle("__x__", "A"), mangle("__x", None)) == ("_A__x", "__x__", "__x")


def test_nothing_is_held():
    def holder():
        big = Big()

        def f(x):
            if x:
                return big
            return None

        convert(f)(0)
        return weakref.ref(big), weakref.ref(f.__code__), f

    first, code, f = holder()
    second, _, g = holder()
    assert first() is not None
    del f, g
    gc.collect()
    assert first() is None
    assert second() is None
    assert code() is not None  # the code is a constant of holder


class Big:
    pass


def test_a_conversion_goes_with_its_code():
    from graphlab.autograph import conversion

    gc.collect()  # what other tests left must not go meanwhile
    before = len(conversion._conversions)
    function = make("def program(x, n):\n    return x if n else -n\n")
    convert(function)(1, 2)
    assert len(conversion._conversions) == before + 1
    function.__globals__.clear()
    del function
    gc.collect()
    assert len(conversion._conversions) == before


def test_a_global_that_changes_its_meaning_is_noticed():
    function = make("import math as tools\ndef program(x, n):\n    return tools.floor(x)\n")
    assert convert(function)(2.5, 0) == 2

    class Tools:
        @staticmethod
        def floor(x):
            return "mine" if x else "none"

    function.__globals__["tools"] = Tools
    assert convert(function)(2.5, 0) == "mine"
    function.__globals__["len"] = lambda x: "my len"
