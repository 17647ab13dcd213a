"""Trace types: what makes two values the same for tracing, and the lattice they form."""

from __future__ import annotations

import collections
import dataclasses
import enum
import gc
import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import graphlab as tf
from graphlab.tracing.from_value import from_value
from graphlab.tracing.trace_types import CastContext, TracingContext, argument_name, node_name


class Pair(NamedTuple):
    a: Any
    b: Any


class Net:
    def step(self):
        return self


class Color(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: Any
    y: Any


@dataclasses.dataclass(frozen=True)
class Options:
    rate: float


@dataclasses.dataclass
class Weighted:
    value: Any
    weight: float

    def __tf_flatten__(self):
        return (self.weight,), (self.value,)

    @classmethod
    def __tf_unflatten__(cls, metadata, components):
        return cls(components[0], metadata[0])


class Equal:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return hash(self.n)


net = Net()
step = net.step
one, two = tf.constant(1), tf.constant(2)
u, w = tf.Variable(1.0), tf.Variable(2.0)
equal = Equal(1), Equal(1)

SAME = [
    (1, 1), (math.nan, math.nan), (0.0, 0.0), (complex(0, -0.0), complex(0, -0.0)), ("a", "a"), (None, None),
    (range(3), range(3)), (Color.RED, Color.RED), (one, two), (one, np.int32(7)), (tf.ones([2]), np.zeros(2, "f4")),
    (u, w), ([u, w], [w, u]), ([u, u], [w, w]), ([one, 2], [two, 2]), ((), ()),
    ({"a": one, "b": 2}, {"b": 2, "a": two}),
    (collections.OrderedDict(a=one), {"a": one}), (Pair(one, 2), Pair(two, 2)), (net, net), (step, step), (Net, Net),
    (len, len), (tf.float32, tf.float32), equal, (Options(0.5), Options(0.5)), (Point(one, 2), Point(two, 2)),
    (Weighted(one, 0.5), Weighted(two, 0.5)), (frozenset([1]), frozenset([1])), (..., ...),
    (np.str_("a"), np.str_("a")),
    (tf.IndexedSlices(tf.ones([1]), tf.constant([0])), tf.IndexedSlices(tf.zeros([1]), tf.constant([1]))),
]  # fmt: skip
DIFFERENT = [
    (1, 2), (1, True), (1, 1.0), (True, 1.0), (0.0, -0.0), (complex(0, 0.0), complex(0, -0.0)), ("a", b"a"),
    (None, 0),
    (1, one), (one, tf.constant(1.0)), (one, tf.constant([1])), (tf.ones([2]), tf.ones([3])), (u, tf.constant(1.0)),
    (u, tf.Variable([1.0])), (u, tf.Variable(1.0, trainable=False)), ([u, w], [u, u]), ([one], (one,)),
    ([one], [one, one]),
    ({"a": one}, {"b": one}), ({"a": one}, {"a": one, "b": one}), (Pair(one, 2), Pair(one, 3)), (Pair(one, 2),
    (one, 2)),
    (net, Net()), (net, Net), (step, Net().step), (len, max), (Options(0.5), Options(0.6)),
    (Point(one, 2), Point(one, 3)),
    (Weighted(one, 0.5), Weighted(one, 0.6)), ([], ()), (np.str_("a"), "a"),
    (lambda: 1, lambda: 1),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SAME)
def test_values_that_share_a_trace(a, b):
    first, second = from_value(a), from_value(b)
    assert first == second
    assert hash(first) == hash(second)
    assert first.is_subtype_of(second)
    assert first.most_specific_common_supertype([second]) == first


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_values_that_do_not_share_a_trace(a, b):
    first, second = from_value(a), from_value(b)
    assert first != second
    assert not first.is_subtype_of(second)


def test_the_same_variable_twice_is_told_from_two():
    context = TracingContext()
    assert [from_value(v, context).alias for v in (u, w, u)] == [0, 1, 0]


def test_an_object_that_died_matches_no_other():
    old = from_value(Net())
    gc.collect()
    assert old != from_value(Net())
    with pytest.raises(ReferenceError):
        old.placeholder_value()


def test_a_type_does_not_keep_its_object_alive():
    value = Net()
    type_ = from_value(value)
    assert type_.placeholder_value() is value
    del value
    gc.collect()
    assert type_.reference() is None


SPECS = [
    (tf.TensorSpec([2, 3]), tf.TensorSpec([None, 3]), True),
    (tf.TensorSpec([2, 3]), tf.TensorSpec(None), True),
    (tf.TensorSpec([None, 3]), tf.TensorSpec([2, 3]), False),
    (tf.TensorSpec([2]), tf.TensorSpec([2, None]), False),
    (tf.TensorSpec([2]), tf.TensorSpec([2], tf.int32), False),
    ([tf.TensorSpec([2])], [tf.TensorSpec([None])], True),
    ({"a": tf.TensorSpec([2])}, {"a": tf.TensorSpec([None])}, True),
    ((tf.TensorSpec([2]), 1), (tf.TensorSpec([None]), 2), False),
    (Pair(tf.TensorSpec([2]), 1), Pair(tf.TensorSpec([None]), 1), True),
]


@pytest.mark.parametrize(("a", "b", "fits"), SPECS)
def test_subtypes(a, b, fits):
    assert from_value(a).is_subtype_of(from_value(b)) is fits


SUPERTYPES = [
    (tf.TensorSpec([2, 3]), tf.TensorSpec([2, 4]), tf.TensorSpec([2, None])),
    (tf.TensorSpec([2]), tf.TensorSpec([2, 4]), tf.TensorSpec(None)),
    (tf.TensorSpec([2]), tf.TensorSpec([2], tf.int32), None),
    ([tf.TensorSpec([2]), 1], [tf.TensorSpec([3]), 1], [tf.TensorSpec([None]), 1]),
    ([tf.TensorSpec([2]), 1], [tf.TensorSpec([3]), 2], None),
    ([tf.TensorSpec([2])], (tf.TensorSpec([2]),), None),
    ({"a": tf.TensorSpec([2])}, {"a": tf.TensorSpec([3])}, {"a": tf.TensorSpec([None])}),
    (1, 2, None),
    (1, True, None),
]


@pytest.mark.parametrize(("a", "b", "expected"), SUPERTYPES)
def test_supertypes(a, b, expected):
    found = from_value(a).most_specific_common_supertype([from_value(b)])
    assert found == (None if expected is None else from_value(expected))
    if found is not None:
        assert from_value(a).is_subtype_of(found)
        assert from_value(b).is_subtype_of(found)


@pytest.mark.parametrize("value", [{1, 2}, bytearray(b"a"), slice(1, 2), [{1}]])
def test_values_that_cannot_be_told_apart_are_refused(value):
    with pytest.raises(TypeError, match="hashed"):
        from_value(value)


def test_keys_of_different_types_are_refused():
    with pytest.raises(TypeError, match="int, str"):
        from_value({1: one, "a": one})


@pytest.mark.parametrize(
    "value",
    [
        one, [one, two], {"b": one, "a": (two, 3)}, Pair(one, "s"), Point(one, [two]), Weighted(one, 0.5),
        tf.IndexedSlices(tf.ones([1]), tf.constant([0])), 3, None,
    ],
)  # fmt: skip
def test_values_come_apart_into_tensors_and_together_again(value):
    type_ = from_value(value)
    tensors = type_.to_tensors(value)
    assert len(tensors) == len(type_.flatten())
    again = type_.from_tensors(iter(tensors))
    assert type(again) is type(value)
    assert all(a is b for a, b in zip(type_.to_tensors(again), tensors, strict=True))
    assert from_value(again) == type_


def test_a_mapping_keeps_its_class_and_order_in_the_trace():
    seen = []
    f = tf.function(lambda d: seen.append((type(d), list(d))))
    f(collections.OrderedDict(b=one, a=two))
    f({"b": one, "a": two, "c": one})
    f(collections.defaultdict(int, d=one))
    assert seen == [(collections.OrderedDict, ["b", "a"]), (dict, ["b", "a", "c"]), (dict, ["d"])]


class Settings(dict):
    """A dictionary of one's own."""


class Table(collections.UserDict):
    """A mapping that is no dict."""


class Named(dict):
    """Is not made of its items alone."""

    def __init__(self, name, **items):
        super().__init__(items)


@pytest.mark.parametrize(
    ("value", "cls"),
    [
        (Settings(a=one), Settings), (Table(a=one), Table), (Named("n", a=one), dict),
        (collections.Counter(a=1), dict), (collections.ChainMap({"a": one}), dict),
    ],
)  # fmt: skip
def test_a_mapping_keeps_its_class_where_that_makes_copies(value, cls):
    seen = []

    @tf.function
    def f(d):
        seen.append(type(d))
        return d["a"]

    assert int(f(value)) == int(value["a"])
    assert seen == [cls]


CASTS = [
    (tf.TensorSpec([None], tf.float32), [1, 2], tf.constant([1.0, 2.0])),
    (tf.TensorSpec([], tf.float32), np.float64(0.5), tf.constant(0.5)),
    (tf.TensorSpec([], tf.float32), tf.Variable(0.5), tf.constant(0.5)),
    ([tf.TensorSpec([], tf.int32)], [3], [tf.constant(3)]),
    (3, 3.0, 3),
]


@pytest.mark.parametrize(("wanted", "value", "expected"), CASTS)
def test_casts(wanted, value, expected):
    found = from_value(wanted).cast(value)
    tf.nest.assert_same_structure(found, expected)
    for a, b in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        assert type(a) is type(b)
        assert np.array_equal(a, b)


MISFITS = [
    (tf.TensorSpec([None, 3]), tf.ones([2, 4]), "'x': expected size 3 at axis 1, but got 4"),
    (tf.TensorSpec([None, 3]), tf.ones([3]), "'x': expected rank 2"),
    (tf.TensorSpec([2]), tf.ones([2], tf.int32), "'x': expected dtype float32, but got int32"),
    (tf.TensorSpec([], tf.int32), 1.5, "'x': expected something that converts to a tensor int32"),
    (tf.TensorSpec([]), None, "None was given"),
    ([tf.TensorSpec([])], [tf.ones([1])], r"'x\[0\]': expected rank 0"),
    ({"a": tf.TensorSpec([])}, {"b": 1.0}, "key 'a' is missing, key 'b' is not expected"),
    ((tf.TensorSpec([]),), [1.0], "expected a tuple"),
    ([tf.TensorSpec([])], [1.0, 2.0], "expected 1 members, but got 2"),
    (Pair(1, 2), (1, 2), "expected a Pair"),
    (2, 3, "bound to 2 here and takes no other value, but got 3"),
    (net, Net(), "takes no other object"),
    (u, one, "expected a variable of float32"),
]


@pytest.mark.parametrize(("wanted", "value", "message"), MISFITS)
def test_what_does_not_fit_is_both_kinds_of_error_and_says_where(wanted, value, message):
    with pytest.raises(TypeError, match=message) as caught:
        from_value(wanted).cast(value, CastContext("x"))
    assert isinstance(caught.value, ValueError)


class Mode(tf.types.experimental.TraceType):
    def __init__(self, name):
        self.name = name

    def is_subtype_of(self, other):
        return self == other

    def most_specific_common_supertype(self, others):
        return self if all(self == other for other in others) else None

    def placeholder_value(self, placeholder_context=None):
        return f"placeholder of {self.name}"

    def __eq__(self, other):
        return isinstance(other, Mode) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


class Moded:
    def __init__(self, name):
        self.name = name

    def __tf_tracing_type__(self, context):
        return Mode(self.name)


def test_an_object_may_say_what_its_type_is():
    seen = []
    f = tf.function(seen.append)
    for name in ("fast", "fast", "slow"):
        f(Moded(name))
    assert seen == ["placeholder of fast", "placeholder of slow"]
    assert isinstance(Moded("fast"), tf.types.experimental.SupportsTracingProtocol)
    assert not isinstance(net, tf.types.experimental.SupportsTracingProtocol)
    concrete = f.get_concrete_function(Moded("fast"))
    assert concrete(Moded("fast")) is None
    with pytest.raises(TypeError):
        concrete(Moded("slow"))


def test_a_wrong_tracing_type_is_refused():
    class Wrong:
        def __tf_tracing_type__(self, context):
            return 3

    with pytest.raises(TypeError, match="TraceType, not 3"):
        from_value(Wrong())


def test_an_object_may_give_a_spec_as_its_type():
    class Boxed:
        def __tf_tracing_type__(self, context):
            return tf.TensorSpec([None], tf.int32)

    assert from_value(Boxed()) == from_value(tf.TensorSpec([None], tf.int32))


def test_a_type_spec_is_a_trace_type():
    assert isinstance(tf.TensorSpec([]), tf.types.experimental.TraceType)


@pytest.mark.parametrize(
    ("name", "node", "argument"), [("x", "x", "x"), ("X", "X", "x"), ("_x", "Placeholder", "tensor__x"), ("x__y",) * 3]
)
def test_names_of_placeholders(name, node, argument):
    assert node_name(name) == node
    assert argument_name(name) == argument
