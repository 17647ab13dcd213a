"""Converted functions mean in plain Python what they meant before."""

import pytest

from graphlab.autograph import convert
from tests.autograph import programs
from tests.autograph.random_programs import Writer, make, outcome


def _fresh(args):
    import copy

    return copy.deepcopy(args)


@pytest.mark.parametrize(
    ("function", "args"), programs.CASES, ids=lambda value: getattr(value, "__name__", None) or repr(value)
)
def test_same_as_unconverted(function, args):
    converted = convert(function)
    assert converted is not function, "it has to be converted for the test to mean something"
    programs.total = 10
    expected = outcome(function, *_fresh(args))
    programs.total = 10
    assert outcome(converted, *_fresh(args)) == expected


@pytest.mark.parametrize("start", range(0, 144, 24))
def test_random_programs(start):
    for seed in range(start, start + 24):
        source = Writer(seed).write()
        function = make(source)
        converted = convert(function)
        assert converted is not function
        for args in ((0, 0), (1, 3), (5, 2), (-3, 4)):
            expected, found = outcome(function, *args), outcome(converted, *args)
            assert found == expected, f"seed {seed}, arguments {args}\n{source}"


def test_cells_are_the_original_ones():
    def make_pair():
        value = 0

        def up():
            nonlocal value
            for _ in range(3):
                value += 1
            return value

        return up, lambda: value

    up, read = make_pair()
    assert convert(up)() == 3
    assert read() == 3
    assert up() == 6


def test_globals_are_the_original_ones():
    namespace = make("def program(x, n):\n    global made\n    if x:\n        made = n\n    return made\n").__globals__
    assert convert(namespace["program"])(1, 5) == 5
    assert namespace["made"] == 5
    assert not [name for name in namespace if name.startswith("ag")]


def test_defaults_are_read_at_each_conversion():
    def f(x, seen=[]):  # noqa: B006  # shared on purpose
        if x:
            seen.append(x)
        return list(seen)

    assert convert(f)(1) == [1]
    assert f(2) == [1, 2]
    f.__defaults__ = ([],)
    assert convert(f)(3) == [3]


def test_name_and_qualified_names():
    converted = convert(programs.class_inside)
    assert converted.__name__ == "class_inside"
    assert converted.__code__.co_qualname == "class_inside"
    assert converted.__code__.co_filename == programs.__file__
    assert converted.__code__.co_firstlineno == programs.class_inside.__code__.co_firstlineno
