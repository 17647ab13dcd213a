"""Each cause of a trace, as a pure function of two keys: one case per id."""

from __future__ import annotations

import pytest

from graphlab.core.position import Place
from graphlab.tracing.causes import REASONS
from graphlab.tracing.reasons import (
    Leaf,
    Reason,
    closest,
    difference,
    differences,
    generalisations,
    place_advice,
    rejects,
)
from graphlab.tracing.records import TraceRecord


def tensor(path, dtype, shape):
    return Leaf(path, "tensor", {"dtype": dtype, "shape": shape})


def literal(path, value, default=False):
    text = repr(value)
    return Leaf(path, "literal", {"type": type(value).__name__, "value": text, "token": text}, default)


def variable(path, dtype="float32", shape=(2,), trainable=True, alias=None):
    data = {"dtype": dtype, "shape": shape, "trainable": trainable, "alias": alias or path}
    return Leaf(path, "variable", data)


def thing(path, serial, form="instance", name=None, owner=None, value=None):
    data = {"type": "Net", "value": value or f"<Net {serial}>", "serial": serial}
    return Leaf(path, "object", {**data, "form": form, "owner": owner, "name": name})


def listed(path, length, kind="list"):
    return Leaf(path, kind, {"length": length})


def mapped(path, *keys):
    return Leaf(path, "dict", {"keys": keys})


def fields(path, type_, *keys, kind="namedtuple"):
    return Leaf(path, kind, {"type": type_, "keys": keys})


def spec(path, text):
    return Leaf(path, "spec", {"type": "IndexedSlicesSpec", "value": text, "token": text})


def call(count=0, *keywords):
    return Leaf("", "call", {"varargs": "args", "count": count, "keywords": keywords})


# (now, earlier, [(id, values), ...])
CASES = [
    ([literal("n", 4)], [literal("n", 3)], [("retrace.python_number.value", {"path": "n", "was": "3", "now": "4"})]),
    (
        [literal("n", 0.5)],
        [literal("n", 2.0)],
        [("retrace.python_number.value", {"path": "n", "was": "2.0", "now": "0.5"})],
    ),
    (
        [literal("n", 1.0)],
        [literal("n", 1)],
        [
            (
                "retrace.python_number.type",
                {"path": "n", "was": "1", "now": "1.0", "was_type": "int", "now_type": "float"},
            )
        ],
    ),
    (
        [literal("n", True)],
        [literal("n", 1)],
        [
            (
                "retrace.python_value.type",
                {"path": "n", "was": "1", "now": "True", "was_type": "int", "now_type": "bool"},
            )
        ],
    ),
    (
        [literal("on", False)],
        [literal("on", True)],
        [("retrace.python_bool.value", {"path": "on", "was": "True", "now": "False"})],
    ),
    (
        [literal("s", "b")],
        [literal("s", "a")],
        [("retrace.python_string.value", {"path": "s", "was": "'a'", "now": "'b'"})],
    ),
    (
        [literal("r", range(2))],
        [literal("r", range(3))],
        [("retrace.python_value.value", {"path": "r", "was": "range(0, 3)", "now": "range(0, 2)"})],
    ),
    (
        [literal("s", "1")],
        [literal("s", b"1")],
        [
            (
                "retrace.python_value.type",
                {"path": "s", "was": "b'1'", "now": "'1'", "was_type": "bytes", "now_type": "str"},
            )
        ],
    ),
    ([literal("m", 1)], [literal("m", None)], [("retrace.none_to_value", {"path": "m", "was": "None", "now": "1"})]),
    ([literal("m", None)], [literal("m", 1)], [("retrace.value_to_none", {"path": "m", "was": "1", "now": "None"})]),
    (
        [tensor("m", "int32", ())],
        [literal("m", None)],
        [("retrace.none_to_value", {"path": "m", "was": "None", "now": "int32[]"})],
    ),
    (
        [literal("m", None)],
        [listed("m", 2)],
        [("retrace.value_to_none", {"path": "m", "was": "list of 2", "now": "None"})],
    ),
    (
        [literal("k", 3)],
        [literal("k", 2, default=True)],
        [("retrace.default.given", {"path": "k", "was": "2", "now": "3"})],
    ),
    (
        [literal("k", 2, default=True)],
        [literal("k", 3)],
        [("retrace.default.omitted", {"path": "k", "was": "3", "now": "2"})],
    ),
    ([literal("k", 2)], [literal("k", 2, default=True)], []),
    (
        [tensor("n", "int32", ())],
        [literal("n", 4)],
        [("retrace.kind.number_to_tensor", {"path": "n", "was": "4", "now": "int32[]"})],
    ),
    (
        [literal("n", 4)],
        [tensor("n", "int32", ())],
        [("retrace.kind.tensor_to_number", {"path": "n", "was": "int32[]", "now": "4"})],
    ),
    (
        [tensor("s", "string", ())],
        [literal("s", "a")],
        [("retrace.kind.value_to_tensor", {"path": "s", "was": "'a'", "now": "string[]"})],
    ),
    (
        [literal("s", "a")],
        [tensor("s", "string", ())],
        [("retrace.kind.tensor_to_value", {"path": "s", "was": "string[]", "now": "'a'"})],
    ),
    (
        [tensor("v", "float32", (2,))],
        [variable("v")],
        [("retrace.kind.variable_to_tensor", {"path": "v", "was": "Variable float32[2]", "now": "float32[2]"})],
    ),
    (
        [variable("v")],
        [tensor("v", "float32", (2,))],
        [("retrace.kind.tensor_to_variable", {"path": "v", "was": "float32[2]", "now": "Variable float32[2]"})],
    ),
    ([thing("o", 1)], [literal("o", 1)], [("retrace.kind.other", {"path": "o", "was": "1", "now": "<Net 1>"})]),
    (
        [tensor("x", "int32", (2,))],
        [tensor("x", "float32", (2,))],
        [("retrace.tensor.dtype", {"path": "x", "was": "float32", "now": "int32"})],
    ),
    (
        [tensor("x", "float32", (3,))],
        [tensor("x", "float32", (2,))],
        [("retrace.tensor.shape", {"path": "x", "was": (2,), "now": (3,), "axis": 0, "a": 2, "b": 3})],
    ),
    (
        [tensor("x", "float32", (2, None, 5))],
        [tensor("x", "float32", (2, 3, 4))],
        [("retrace.tensor.shape", {"path": "x", "was": (2, 3, 4), "now": (2, None, 5), "axis": 1, "a": 3, "b": None})],
    ),
    ([tensor("x", "float32", (2, 3))], [tensor("x", "float32", (None, 3))], []),
    ([tensor("x", "float32", (2, 3))], [tensor("x", "float32", None)], []),
    (
        [tensor("x", "float32", (2, 3))],
        [tensor("x", "float32", (2,))],
        [("retrace.tensor.rank", {"path": "x", "was": (2,), "now": (2, 3), "a": 1, "b": 2})],
    ),
    (
        [tensor("x", "float32", None)],
        [tensor("x", "float32", (2,))],
        [("retrace.tensor.rank", {"path": "x", "was": (2,), "now": None, "a": 1, "b": None})],
    ),
    (
        [variable("v", "int32")],
        [variable("v")],
        [("retrace.variable.dtype", {"path": "v", "was": "float32", "now": "int32"})],
    ),
    (
        [variable("v", shape=(3,))],
        [variable("v")],
        [("retrace.variable.shape", {"path": "v", "was": (2,), "now": (3,)})],
    ),
    (
        [variable("v", trainable=False)],
        [variable("v")],
        [("retrace.variable.trainable", {"path": "v", "was": True, "now": False})],
    ),
    (
        [variable("a"), variable("b", alias="a")],
        [variable("a"), variable("b")],
        [("retrace.variable.same", {"path": "b", "other": "a"})],
    ),
    (
        [variable("a"), variable("b")],
        [variable("a"), variable("b", alias="a")],
        [("retrace.variable.apart", {"path": "b", "other": "a"})],
    ),
    ([thing("o", 2)], [thing("o", 1)], [("retrace.object.another", {"path": "o", "was": "<Net 1>", "now": "<Net 2>"})]),
    ([thing("o", 1)], [thing("o", 1)], []),
    (
        [thing("g", 2, "method", "A.step", owner=7)],
        [thing("g", 1, "method", "A.step", owner=7)],
        [("retrace.object.method", {"path": "g", "name": "step"})],
    ),
    (
        [thing("g", 2, "method", "A.step", owner=8, value="m2")],
        [thing("g", 1, "method", "A.step", owner=7, value="m1")],
        [("retrace.object.another", {"path": "g", "was": "m1", "now": "m2"})],
    ),
    (
        [thing("g", 2, "lambda", "<lambda> at x.py:3")],
        [thing("g", 1, "lambda", "<lambda> at x.py:3")],
        [("retrace.object.lambda", {"path": "g"})],
    ),
    ([spec("s", "B")], [spec("s", "A")], [("retrace.spec", {"path": "s", "was": "A", "now": "B"})]),
    (
        [mapped("d", "'a'", "'b'"), tensor("d['a']", "int32", ()), tensor("d['b']", "int32", ())],
        [mapped("d", "'a'"), tensor("d['a']", "int32", ())],
        [("retrace.structure.key_added", {"path": "d", "key": "'b'"})],
    ),
    (
        [mapped("d", "'a'"), tensor("d['a']", "int32", (2,))],
        [mapped("d", "'a'", "'b'"), tensor("d['a']", "int32", ()), tensor("d['b']", "int32", ())],
        [
            ("retrace.structure.key_removed", {"path": "d", "key": "'b'"}),
            ("retrace.tensor.rank", {"path": "d['a']", "was": (), "now": (2,), "a": 0, "b": 1}),
        ],
    ),
    (
        [listed("xs", 3), literal("xs[0]", 1)],
        [listed("xs", 2), literal("xs[0]", 1)],
        [("retrace.structure.length", {"path": "xs", "was": 2, "now": 3})],
    ),
    (
        [listed("xs", 1, "tuple"), literal("xs[0]", 2)],
        [listed("xs", 1), literal("xs[0]", 1)],
        [("retrace.structure.type", {"path": "xs", "was": "list", "now": "tuple"})],
    ),
    (
        [fields("p", "Point", "x", "y")],
        [fields("p", "Pair", "x", "y")],
        [("retrace.structure.class", {"path": "p", "was": "Pair", "now": "Point"})],
    ),
    (
        [listed("xs", 1), literal("xs[0]", 2)],
        [tensor("xs", "int32", (1,))],
        [("retrace.structure.kind", {"path": "xs", "was": "int32[1]", "now": "list of 1"})],
    ),
    ([call(3)], [call(2)], [("retrace.arguments.count", {"path": "*args", "was": 2, "now": 3})]),
    ([call(0, "a", "b")], [call(0, "a")], [("retrace.arguments.keyword_added", {"key": "b"})]),
    ([call(0)], [call(0, "a")], [("retrace.arguments.keyword_removed", {"key": "a"})]),
]


@pytest.mark.parametrize(("now", "earlier", "expected"), CASES)
def test_each_difference_has_its_id_and_values(now, earlier, expected):
    found = differences(tuple(now), tuple(earlier))
    assert [(reason.id, dict(reason.values)) for reason in found] == expected


@pytest.mark.parametrize(("now", "earlier", "expected"), [case for case in CASES if case[2]])
def test_values_are_those_that_the_table_names(now, earlier, expected):
    for reason in differences(tuple(now), tuple(earlier)) + rejects(tuple(now), tuple(earlier)):
        assert set(reason.values) == set(REASONS[reason.id])


def test_every_difference_of_keys_is_in_the_table_of_cases():
    told = {reason_id for _, _, expected in CASES for reason_id, _ in expected}
    not_of_keys = {
        "retrace.first", "retrace.same", "retrace.requested", "retrace.context", "retrace.variables_created",
        "retrace.generalised", "retrace.generalised.rank",
    }  # fmt: skip
    assert {name for name in REASONS if name.startswith("retrace.")} - not_of_keys == told


def test_every_rejection_is_told_by_some_case():
    told = {reason.id for now, earlier, _ in CASES for reason in rejects(tuple(now), tuple(earlier))}
    assert {name for name in REASONS if name.startswith("reject.")} == told


def test_the_first_call_and_an_equal_key():
    key = (literal("n", 1),)
    assert difference(key, None) == Reason("retrace.first")
    assert difference(key, key) == Reason("retrace.same")
    assert difference((literal("n", 2),), key).id == "retrace.python_number.value"


REJECTS = [
    ([literal("n", 4)], [literal("n", 3)], ("reject.value", {"path": "n", "was": "3", "now": "4"})),
    (
        [tensor("x", "int32", (3,))],
        [tensor("x", "int32", (2,))],
        ("reject.shape", {"path": "x", "was": (2,), "now": (3,), "axis": 0, "a": 2, "b": 3}),
    ),
    (
        [thing("g", 2, "lambda", "here")],
        [thing("g", 1, "lambda", "here")],
        ("reject.object", {"path": "g", "was": "g", "now": "g"}),
    ),
]


@pytest.mark.parametrize(("now", "trace", "expected"), REJECTS)
def test_why_a_trace_does_not_take_a_call(now, trace, expected):
    (found,) = rejects(tuple(now), tuple(trace))
    assert (found.id, dict(found.values)) == expected


def test_the_closest_key_differs_in_the_fewest_places_and_is_the_latest_of_equals():
    one, two, three = [(tensor("x", "float32", (n,)), literal("n", n)) for n in (1, 2, 3)]
    assert closest(one, []) is None
    assert closest((tensor("x", "float32", (1,)), literal("n", 9)), [one, two, three]) == 0
    assert closest((tensor("x", "float32", (7,)), literal("n", 9)), [one, two, three]) == 2


def test_a_generalised_axis_tells_the_shapes_that_were_seen():
    general = (tensor("x", "float32", (None, 2)), tensor("y", "float32", (4,)))
    seen = [(tensor("x", "float32", (n, 2)), tensor("y", "float32", (4,))) for n in (1, 3)]
    (found,) = generalisations(general, seen)
    assert found == Reason(
        "retrace.generalised", {"path": "x", "axis": 0, "shapes": ((1, 2), (3, 2)), "now": (None, 2)}
    )


def test_a_generalised_rank_tells_the_shapes_that_were_seen():
    seen = [(tensor("x", "float32", shape),) for shape in ((1,), (1, 2))]
    (found,) = generalisations((tensor("x", "float32", None),), seen)
    assert found == Reason("retrace.generalised.rank", {"path": "x", "shapes": ((1,), (1, 2)), "now": None})


def record(number, key=(), reasons=None, ordinal=1, line=5):
    reasons = reasons or [Reason("retrace.first")]
    place = Place("cell.py", line, line, None, None, "f")
    return TraceRecord("f", number, tuple(key), None, tuple(reasons), place, place, ordinal)


METHOD = Reason("retrace.object.method", {"path": "g", "name": "step"})
LAMBDA = Reason("retrace.object.lambda", {"path": "g"})
ADVICE = [
    ([record(1)], []),
    (
        [record(1), record(1, ordinal=2), record(1, ordinal=3)],
        [("advice.place.function_again", {"name": "f", "count": 3, "filename": "cell.py", "line": 5})],
    ),
    (
        [record(1), record(2, reasons=[METHOD]), record(3, reasons=[METHOD])],
        [("advice.place.method_each_call", {"path": "g", "name": "step", "count": 3})],
    ),
    ([record(1), record(2, reasons=[LAMBDA])], [("advice.place.lambda_each_call", {"path": "g", "count": 2})]),
    (
        [record(1, [literal("n", 3)]), record(2, [literal("n", 4)]), record(3, [literal("n", 4)])],
        [("advice.argument.python_number", {"path": "n", "count": 2, "seen": ("3", "4")})],
    ),
    (
        [record(n, [tensor("x", "float32", (n, 2))]) for n in (1, 2)],
        [("advice.argument.shapes", {"path": "x", "count": 2, "seen": ((1, 2), (2, 2)), "now": (None, 2)})],
    ),
    ([record(1, [literal("on", True)]), record(2, [literal("on", False)])], []),
]


@pytest.mark.parametrize(("records", "expected"), ADVICE)
def test_advice_about_the_place(records, expected):
    found = place_advice(records)
    assert [(advice.id, dict(advice.values)) for advice in found] == expected
    assert all(set(advice.values) == set(REASONS[advice.id]) for advice in found)


@pytest.mark.parametrize(
    ("leaf", "text"),
    [
        (tensor("x", "float32", (2, None)), "float32[2, None]"),
        (tensor("x", "float32", None), "float32[...]"),
        (literal("n", 3), "int 3"),
        (literal("n", None), "None"),
        (variable("v"), "Variable float32[2]"),
        (listed("xs", 2), "list of 2"),
        (mapped("d", "'a'"), "dict of 1"),
        (fields("p", "Point", "x"), "Point"),
        (thing("o", 1), "<Net 1>"),
    ],
)
def test_the_text_of_a_leaf(leaf, text):
    assert leaf.text == text
