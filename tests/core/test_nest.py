"""Structures: what TensorFlow answers, where two of them differ, and the paths of their leaves."""

import collections
import dataclasses
import types
from typing import Any

import attr
import numpy as np
import pytest

import graphlab as tf
from graphlab.core import nest

Point = collections.namedtuple("Point", "x y")  # noqa: PYI024  (the untyped kind is what most programs have)
Other = collections.namedtuple("Other", "x y")  # noqa: PYI024
Ordered, Default = collections.OrderedDict, collections.defaultdict


class SubPoint(Point):
    pass


@attr.s
class Attrs:
    b = attr.ib()
    a = attr.ib()


@dataclasses.dataclass
class Custom:
    a: Any
    b: Any
    kept: Any = 0

    def __tf_flatten__(self):
        return (self.kept,), (self.a, self.b)

    @classmethod
    def __tf_unflatten__(cls, metadata, leaves):
        return cls(leaves[0], leaves[1], metadata[0])


@dataclasses.dataclass
class Plain:
    a: Any


class Map(collections.abc.Mapping):
    def __init__(self, items):
        self.items_ = dict(items)

    def __getitem__(self, key):
        return self.items_[key]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)

    def __repr__(self):
        return f"Map({self.items_})"


class List(list):
    pass


class Tuple(tuple):
    __slots__ = ()


class Dict(dict):
    pass


NAMES = {
    "tf": tf,
    "n": tf.nest,
    "np": np,
    "collections": collections,
    "types": types,
    "attr": attr,
    "P": Point,
    "Q": Other,
    "P2": SubPoint,
    "OD": Ordered,
    "DD": Default,
    "A": Attrs,
    "D": Custom,
    "PD": Plain,
    "M": Map,
    "L": List,
    "TT": Tuple,
    "DI": Dict,
    "T": tf.TensorSpec([2]),
    "add": lambda x, y: x + y,
}

# expression, what TensorFlow 2.21 answers (its repr, or the class of the error)
RECORDED = [
    ("n.flatten([1, (2, {'b': 3, 'a': 4}), None, 's'])", "[1, 2, 4, 3, None, 's']"),
    ("[n.flatten(x) for x in (5, None, 'ab', b'x', [], {}, ())]", "[[5], [None], ['ab'], [b'x'], [], [], []]"),
    ("n.flatten(P(1, [2]))", "[1, 2]"),
    ("n.flatten(OD([('b', 1), ('a', 2)]))", "[2, 1]"),
    ("n.flatten(DD(int, {'b': 1, 'a': 2}))", "[2, 1]"),
    ("n.flatten({('a', 1): 1, ('a', 0): 2})", "[2, 1]"),
    ("n.flatten({'a': 1, 2: 3})", "TypeError"),
    ("n.flatten({None: 1})", "[1]"),
    ("n.flatten(A(1, [2, 3]))", "[1, 2, 3]"),
    ("n.flatten(D(1, [2, 3]))", "[1, 2, 3]"),
    ("len(n.flatten(PD(1)))", "1"),
    ("n.flatten(M({'b': 1, 'a': 2}))", "[2, 1]"),
    ("n.flatten({1, 2})", "[{1, 2}]"),
    ("n.flatten(np.array([1, 2]))", "[array([1, 2])]"),
    ("n.flatten(range(3))", "[0, 1, 2]"),
    ("n.flatten({'b': 1, 'a': 2}.keys())", "['b', 'a']"),
    ("n.flatten({'b': 1, 'a': 2}.values())", "[1, 2]"),
    ("n.flatten({'b': 1, 'a': 2}.items())", "['b', 1, 'a', 2]"),
    ("n.flatten(tf.TensorShape([1, 2]))", "[TensorShape([1, 2])]"),
    ("n.flatten(L([1, 2])), n.flatten(TT((1, 2))), n.flatten(DI(b=1, a=2))", "([1, 2], [1, 2], [2, 1])"),
    ("n.flatten(collections.deque([1, 2]))", "[1, 2]"),
    ("n.flatten(types.MappingProxyType({'b': 1, 'a': 2}))", "[2, 1]"),
    ("n.flatten(types.SimpleNamespace(a=1))", "[namespace(a=1)]"),
    ("n.flatten(collections.UserDict(b=1, a=2)), n.flatten(collections.UserList([1, 2]))", "([2, 1], [1, 2])"),
    ("n.flatten(bytearray(b'ab')), n.flatten(memoryview(b'ab'))", "([97, 98], [97, 98])"),
    ("n.flatten(collections.ChainMap({'b': 1}, {'a': 2}))", "[2, 1]"),
    ("n.flatten(P), n.flatten(D)", "([<class 'test_nest.Point'>], [<class 'test_nest.Custom'>])"),
    ("n.flatten(T, expand_composites=True)", "[TensorSpec(shape=(2,), dtype=tf.float32, name=None)]"),
    ("n.pack_sequence_as([1, (2, {'b': 3, 'a': 4})], [10, 20, 30, 40])", "[10, (20, {'b': 40, 'a': 30})]"),
    ("n.pack_sequence_as(P(1, [2]), [1, 2])", "Point(x=1, y=[2])"),
    ("n.pack_sequence_as(P2(1, 2), [1, 2])", "SubPoint(x=1, y=2)"),
    ("list(n.pack_sequence_as(OD([('b', 1), ('a', 2)]), [1, 2]).items())", "[('b', 2), ('a', 1)]"),
    (
        "n.pack_sequence_as(DD(int, {'b': 1, 'a': 2}), [1, 2])",
        "defaultdict(<class 'int'>, {'b': 2, 'a': 1})",
    ),
    ("n.pack_sequence_as(M({'b': 1, 'a': 2}), [1, 2])", "Map({'b': 2, 'a': 1})"),
    ("n.pack_sequence_as(A(1, 2), [1, 2])", "Attrs(b=1, a=2)"),
    ("n.pack_sequence_as(D(1, 2, 7), [1, 2])", "Custom(a=1, b=2, kept=7)"),
    ("type(n.pack_sequence_as(L([1, 2]), [1, 2])).__name__", "'List'"),
    ("type(n.pack_sequence_as(TT((1, 2)), [1, 2])).__name__", "'Tuple'"),
    ("type(n.pack_sequence_as(DI(b=1, a=2), [1, 2])).__name__", "'Dict'"),
    ("n.pack_sequence_as(collections.deque([1, 2]), [1, 2])", "deque([1, 2])"),
    ("n.pack_sequence_as({'b': 1, 'a': 2}.values(), [1, 2])", "[1, 2]"),
    ("n.pack_sequence_as(range(3), [1, 2, 3])", "[1, 2, 3]"),
    ("n.pack_sequence_as([[], {}], [])", "[[], {}]"),
    ("n.pack_sequence_as([1, 2], [[1], 2])", "[[1], 2]"),
    ("n.pack_sequence_as(5, [1]), n.pack_sequence_as(None, [1])", "(1, 1)"),
    ("n.pack_sequence_as(5, [1, 2])", "ValueError"),
    ("n.pack_sequence_as(5, [])", "ValueError"),
    ("n.pack_sequence_as(5, 1)", "TypeError"),
    ("n.pack_sequence_as([1], 1)", "TypeError"),
    ("n.pack_sequence_as([1, 2], [1])", "ValueError"),
    ("n.pack_sequence_as([1, 2], [1, 2, 3])", "ValueError"),
    ("n.pack_sequence_as([1, 2], np.array([1, 2]))", "TypeError"),
    ("n.pack_sequence_as([1, 2], 'ab')", "TypeError"),
    ("n.map_structure(add, [1, {'a': 2}], [3, {'a': 4}])", "[4, {'a': 6}]"),
    ("n.map_structure(lambda x: [x, x], [1, 2])", "[[1, 1], [2, 2]]"),
    ("n.map_structure(str, {'b': 1, 'a': []})", "{'b': '1', 'a': []}"),
    ("list(n.map_structure(add, OD(b=1, a=2), {'a': 1, 'b': 5}).items())", "[('b', 6), ('a', 3)]"),
    ("n.map_structure(lambda x, y: (x, y), D(1, 2, 7), D(3, 4, 8))", "Custom(a=(1, 3), b=(2, 4), kept=7)"),
    ("n.map_structure(add, [1, 2], [3])", "ValueError"),
    ("n.map_structure(add, [1, 2], (3, 4))", "TypeError"),
    ("n.map_structure(add, [1, 2], (3, 4), check_types=False)", "[4, 6]"),
    ("n.map_structure(add, [1, (2,)], [3, 4])", "ValueError"),
    ("n.map_structure(add)", "ValueError"),
    ("n.map_structure(3, [1])", "TypeError"),
    ("n.map_structure(add, [1], foo=3)", "ValueError"),
    ("n.assert_same_structure([1, 2], [3, 4])", "None"),
    ("n.assert_same_structure([1, 2], (3, 4))", "TypeError"),
    ("n.assert_same_structure([1, 2], (3, 4), check_types=False)", "None"),
    ("n.assert_same_structure([1, [2]], [3, 4])", "ValueError"),
    ("n.assert_same_structure(1, [1])", "ValueError"),
    ("n.assert_same_structure([1], 1)", "ValueError"),
    ("n.assert_same_structure(None, 1)", "None"),
    ("n.assert_same_structure([], [[]])", "ValueError"),
    ("n.assert_same_structure('abc', ['a'])", "ValueError"),
    ("n.assert_same_structure({'a': 1}, {'b': 2})", "ValueError"),
    ("n.assert_same_structure({'a': 1}, {'b': 2}, check_types=False)", "None"),
    ("n.assert_same_structure({'a': 1}, {'a': 1, 'b': 2}, check_types=False)", "ValueError"),
    ("n.assert_same_structure({'a': 1}, [1])", "TypeError"),
    ("n.assert_same_structure([1], {0: 1}, check_types=False)", "None"),
    ("[n.assert_same_structure({'a': 1}, x) for x in (OD(a=1), DD(int, a=1), M({'a': 1}), DI(a=1))]", f"{[None] * 4}"),
    ("n.assert_same_structure([1], L([1]))", "None"),
    ("n.assert_same_structure((1,), TT((1,)))", "TypeError"),
    ("n.assert_same_structure(collections.deque([1]), [1])", "TypeError"),
    ("n.assert_same_structure(P(1, 2), collections.namedtuple('Point', 'x y')(1, 2))", "None"),
    ("n.assert_same_structure(P(1, 2), collections.namedtuple('Point', 'x z')(1, 2))", "TypeError"),
    ("n.assert_same_structure(P(1, 2), Q(1, 2))", "TypeError"),
    ("n.assert_same_structure(P(1, 2), P2(1, 2))", "TypeError"),
    ("n.assert_same_structure(P(1, 2), (1, 2))", "TypeError"),
    ("n.assert_same_structure(P(1, 2), {'x': 1, 'y': 2}, check_types=False)", "None"),
    ("n.assert_same_structure(A(1, 2), A(3, 4))", "None"),
    ("n.assert_same_structure(A(1, 2), attr.make_class('Attrs', ['b', 'a'])(1, 2))", "TypeError"),
    ("n.assert_same_structure(D(1, 2), D(1, 2, 5))", "None"),
    ("n.assert_same_structure({1, 2}, {3})", "None"),
    ("n.assert_same_structure(tf.constant(1.), T, expand_composites=True)", "None"),
]


@pytest.mark.parametrize(("expression", "expected"), RECORDED, ids=[row[0] for row in RECORDED])
def test_nest_answers_as_tensorflow(expression, expected):
    try:
        answer = repr(eval(expression, NAMES))
    except (TypeError, ValueError) as error:
        answer = type(error).__name__
    assert answer.replace(f"{__name__}.", "test_nest.") == expected


@pytest.mark.parametrize(
    "value",
    [[], (), {}, Attrs(1, 2), Custom(1, 2), Point(1, 2), range(2), Map({}), {"a": 1}.values(), {}.keys(), List()],
    ids=repr,
)
def test_these_are_nested(value):
    assert tf.nest.is_nested(value)


@pytest.mark.parametrize(
    "value", ["a", b"a", {1}, Plain(1), np.zeros(2), None, 1.0, Point, tf.TensorShape([1])], ids=repr
)
def test_these_are_leaves(value):
    assert not tf.nest.is_nested(value)
    assert tf.nest.flatten(value)[0] is value


def test_tensors_are_leaves_and_composites_only_on_demand_structures():
    values, indices = tf.constant([[1.0]]), tf.constant([0])
    rows = tf.IndexedSlices(values, indices)
    assert not tf.nest.is_nested(values)
    assert not tf.nest.is_nested(rows)
    assert tf.nest.flatten([rows, values]) == [rows, values]
    assert [id(x) for x in tf.nest.flatten([rows], expand_composites=True)] == [id(values), id(indices)]
    packed = tf.nest.pack_sequence_as([rows], [indices, values], expand_composites=True)
    assert (packed[0].values, packed[0].indices) == (indices, values)
    mapped = tf.nest.map_structure(lambda x: x, {"g": rows}, expand_composites=True)
    assert mapped["g"].values is values


def test_composites_at_one_place_need_specs_that_one_spec_describes():
    rows = [tf.IndexedSlices(tf.constant(values), tf.constant([0])) for values in ([[1.0]], [[1.0, 2.0]], [[1]])]
    tf.nest.assert_same_structure(rows[0], rows[1], expand_composites=True)
    tf.nest.assert_same_structure(rows[0], rows[1]._type_spec, expand_composites=True)
    tf.nest.assert_same_structure(rows[0], rows[2])
    with pytest.raises(ValueError, match="no spec describes both"):
        tf.nest.assert_same_structure(rows[0], rows[2], expand_composites=True)
    with pytest.raises(ValueError, match="one is of type IndexedSlices, the other of type int"):
        tf.nest.assert_same_structure(rows[0], 1, expand_composites=True)


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        (
            [1, {"a": [2, (3,)]}],
            [1, {"a": [2, [3]]}],
            TypeError,
            r"at \[1\]\['a'\]\[1\]: .* tuple, the other of type list",
        ),
        (
            [1, {"a": [2, (3,)]}],
            [1, {"a": [2, 3]}],
            ValueError,
            r"at \[1\]\['a'\]\[1\]: .* tuple, the other of type int",
        ),
        ([1, (2,)], [1, (2, 3)], ValueError, r"at \[1\]: one tuple has length 1, the other tuple has length 2"),
        (Point(1, {}), Point(1, {"k": 1}), ValueError, r"at \.y: one has the keys \(none\), the other 'k'"),
        ([1], (1,), TypeError, r"differ: one is of type list"),
    ],
)
def test_a_difference_is_shown_by_its_path(a, b, error, message):
    with pytest.raises(error, match=message):
        tf.nest.assert_same_structure(a, b)


def test_paths_are_what_a_user_would_write():
    structure = {"b": [1, (2,)], "a": Point(3, {0: 4}), "c": Attrs(5, Custom(6, 7))}
    assert nest.flatten_with_paths(structure, "d") == [
        ("d['a'].x", 3),
        ("d['a'].y[0]", 4),
        ("d['b'][0]", 1),
        ("d['b'][1][0]", 2),
        ("d['c'].b", 5),
        ("d['c'].a[0]", 6),
        ("d['c'].a[1]", 7),
    ]
    assert nest.flatten_with_paths(1, "x") == [("x", 1)]


def test_the_components_of_a_composite_are_named_in_its_path():
    rows = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    paths = [path for path, _ in nest.flatten_with_paths({"g": rows}, "d", expand_composites=True)]
    assert paths == ["d['g'].values", "d['g'].indices"]


def test_keys_without_an_order_are_an_error_that_names_their_types():
    with pytest.raises(TypeError, match="those of types int, str have no order"):
        tf.nest.flatten({"a": 1, 2: 3})


def test_a_notebook_that_defines_a_class_again_and_again_does_not_fill_the_table():
    for _ in range(2500):
        tf.nest.flatten(type("Again", (), {})())
    assert len(nest._KINDS) <= 1001
    assert tf.nest.flatten([1, Point(2, 3)]) == [1, 2, 3]
