"""Why a call was traced: what differs between two keys, as a pure function of plain data.

A *key* is what ``keys.describe`` makes of a call: a tuple of ``Leaf``, containers before their contents, the call
itself first.  ``differences(key, earlier)`` lists the causes for which a call with ``key`` does not fit the trace
made for ``earlier``; each cause has a stable id and named values (``REASONS`` lists both), from which the message
catalogues make a sentence.  ``place_advice`` says what only several records together show: a Function made again in a
loop, a method object that is new on each call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from graphlab.tracing.causes import REASONS, REJECTS

if TYPE_CHECKING:
    from graphlab.tracing.records import TraceRecord

CONTAINERS: Final = frozenset(("list", "tuple", "dict", "namedtuple", "attrs", "dataclass"))


@dataclass(frozen=True, slots=True)
class Leaf:
    """One place of a key, as plain data.

    Attributes:
      path: where in the arguments, as the user would write it: ``x``, ``d['b']``, ``xs[0]``, ``p.value``; ``""`` for
        the call.
      kind: ``tensor``, ``variable``, ``literal``, ``object``, ``spec``, ``custom``, a container (``list``, ``tuple``,
        ``dict``, ``namedtuple``, ``attrs``, ``dataclass``) or ``call``.
      data: by kind:

        - tensor: ``dtype`` (name), ``shape`` (tuple with None, or None for unknown rank)
        - variable: ``dtype``, ``shape``, ``trainable``, ``alias`` (path of the first argument that is the same
          variable)
        - literal: ``type``, ``value`` (bounded repr), ``token`` (equal exactly for equal values)
        - object: ``type``, ``value`` (bounded repr), ``serial`` (a number per object), ``form`` (``method``,
          ``lambda``, ``function``, ``class``, ``instance``), ``owner`` (the serial of a method's self), ``name``
        - spec, custom: ``type``, ``value``, ``token``
        - list, tuple: ``length``; dict: ``keys`` (reprs); namedtuple, attrs, dataclass: ``type``, ``keys`` (fields)
        - call: ``varargs`` (name of ``*args`` or None), ``count`` (how many it took), ``keywords`` (names in
          ``**kwargs``)
      default: True if the argument was left out and its default stands here.
    """

    path: str
    kind: str
    data: Mapping[str, Any]
    default: bool = False

    @property
    def text(self) -> str:
        """The type in a few characters: ``float32[2, None]``, ``int 3``, ``list of 2``."""
        data = self.data
        if self.kind == "tensor":
            return tensor_text(data["dtype"], data["shape"])
        if self.kind == "variable":
            return f"Variable {tensor_text(data['dtype'], data['shape'])}"
        if self.kind == "literal":
            return data["value"] if data["type"] == "NoneType" else f"{data['type']} {data['value']}"
        if self.kind in ("list", "tuple"):
            return f"{self.kind} of {data['length']}"
        if self.kind == "dict":
            return f"dict of {len(data['keys'])}"
        if self.kind in CONTAINERS:
            return str(data["type"])
        return str(data.get("value", self.kind))


Key = tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """A cause: an id of ``REASONS`` and its named values (strings, integers, tuples of them, None)."""

    id: str
    values: Mapping[str, Any] = field(default_factory=dict)


_NUMBERS: Final = frozenset(("int", "float", "complex"))


def tensor_text(dtype: str, shape: tuple[int | None, ...] | None) -> str:
    """``float32[2, None]``; ``float32[...]`` when the rank is unknown."""
    return f"{dtype}[{'...' if shape is None else ', '.join(map(str, shape))}]"


def difference(key: Key, earlier: Key | None) -> Reason:
    """The first cause for which a call with ``key`` does not fit the trace made for ``earlier`` (None: no trace yet).

    >>> from graphlab.tracing.reasons import Leaf, difference
    >>> now = (Leaf("n", "literal", {"type": "int", "value": "4", "token": "4"}),)
    >>> was = (Leaf("n", "literal", {"type": "int", "value": "3", "token": "3"}),)
    >>> difference(now, was)
    Reason(id='retrace.python_number.value', values={'path': 'n', 'was': '3', 'now': '4'})
    """
    if earlier is None:
        return Reason("retrace.first")
    found = differences(key, earlier)
    return found[0] if found else Reason("retrace.same")


def differences(key: Key, earlier: Key) -> list[Reason]:
    """Every cause for which a call with ``key`` does not fit the trace of ``earlier``, in the order of arguments.

    A tensor fits a more general shape, so this is not symmetric; an empty list means that the call fits.
    """
    before = {leaf.path: leaf for leaf in earlier}
    found: list[Reason] = []
    skipped: list[str] = []
    for leaf in key:
        if skipped and leaf.path.startswith(tuple(skipped)):
            continue
        other = before.get(leaf.path)
        if other is None:
            continue  # its container, or the call, has said that it is new
        reasons = list(_compare(leaf, other))
        found += reasons
        if reasons and leaf.path and leaf.kind != other.kind:
            skipped += [f"{leaf.path}[", f"{leaf.path}."]
    return found


def rejects(key: Key, trace: Key) -> list[Reason]:
    """Why the trace made for ``trace`` does not take a call with ``key``; empty if it does."""
    result = []
    for reason in differences(key, trace):
        name = REJECTS[reason.id]
        given = reason.values
        spoken = given.get("name", given.get("path"))  # a method or lambda made anew has no "was" and "now"
        values = {value: given.get(value, spoken if value in ("was", "now") else None) for value in REASONS[name]}
        result.append(Reason(name, values))
    return result


def closest(key: Key, earlier: Sequence[Key]) -> int | None:
    """The index of the key that ``key`` differs from in the fewest places, the latest of equals; None without keys."""
    best, fewest = None, 0
    for index, other in enumerate(earlier):
        count = len(differences(key, other))
        if best is None or count <= fewest:
            best, fewest = index, count
    return best


def _compare(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    if leaf.kind != other.kind:
        yield _kind(leaf, other)
        return
    if leaf.data == other.data:
        return
    yield from _COMPARE[leaf.kind](leaf, other)


def _changed(name: str, leaf: Leaf, was: Any, now: Any, **more: Any) -> Reason:
    return Reason(name, {"path": leaf.path, "was": was, "now": now, **more})


def _kind(leaf: Leaf, other: Leaf) -> Reason:
    kinds = (other.kind, leaf.kind)
    name = "retrace.kind.other"
    if kinds == ("literal", "tensor"):
        name = "retrace.kind.number_to_tensor" if _is_number(other) else "retrace.kind.value_to_tensor"
    elif kinds == ("tensor", "literal"):
        name = "retrace.kind.tensor_to_number" if _is_number(leaf) else "retrace.kind.tensor_to_value"
    elif kinds == ("tensor", "variable"):
        name = "retrace.kind.tensor_to_variable"
    elif kinds == ("variable", "tensor"):
        name = "retrace.kind.variable_to_tensor"
    elif leaf.kind in CONTAINERS and other.kind in CONTAINERS:
        return _changed("retrace.structure.type", leaf, other.kind, leaf.kind)
    elif leaf.kind in CONTAINERS or other.kind in CONTAINERS:
        name = "retrace.structure.kind"
    if _is_none(other):
        name = "retrace.none_to_value"
    elif _is_none(leaf):
        name = "retrace.value_to_none"
    was = other.data["value"] if other.kind == "literal" else other.text
    now = leaf.data["value"] if leaf.kind == "literal" else leaf.text
    return _changed(name, leaf, was, now)


def _is_number(leaf: Leaf) -> bool:
    return leaf.kind == "literal" and leaf.data["type"] in _NUMBERS


def _is_none(leaf: Leaf) -> bool:
    return leaf.kind == "literal" and leaf.data["type"] == "NoneType"


def _literal(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if leaf.default != other.default:
        name = "retrace.default.omitted" if leaf.default else "retrace.default.given"
    elif was["type"] != now["type"]:
        if "NoneType" in (was["type"], now["type"]):
            name = "retrace.none_to_value" if was["type"] == "NoneType" else "retrace.value_to_none"
        else:
            number = _is_number(leaf) and _is_number(other)
            yield _changed(
                "retrace.python_number.type" if number else "retrace.python_value.type",
                leaf,
                was["value"],
                now["value"],
                was_type=was["type"],
                now_type=now["type"],
            )
            return
    elif now["type"] in _NUMBERS:
        name = "retrace.python_number.value"
    elif now["type"] == "bool":
        name = "retrace.python_bool.value"
    elif now["type"] in ("str", "bytes"):
        name = "retrace.python_string.value"
    else:
        name = "retrace.python_value.value"
    yield _changed(name, leaf, was["value"], now["value"])


def _tensor(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if was["dtype"] != now["dtype"]:
        yield _changed("retrace.tensor.dtype", leaf, was["dtype"], now["dtype"])
    before, after = was["shape"], now["shape"]
    if before is None or before == after:
        return
    if after is None or len(before) != len(after):
        yield _changed(
            "retrace.tensor.rank",
            leaf,
            before,
            after,
            a=len(before),
            b=None if after is None else len(after),
        )
        return
    for axis, (a, b) in enumerate(zip(before, after, strict=True)):
        if a is not None and a != b:
            yield _changed("retrace.tensor.shape", leaf, before, after, axis=axis, a=a, b=b)
            return


def _variable(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    for name in ("dtype", "shape", "trainable"):
        if was[name] != now[name]:
            yield _changed(f"retrace.variable.{name}", leaf, was[name], now[name])
    if was["alias"] != now["alias"]:
        same = now["alias"] != leaf.path
        yield Reason(
            "retrace.variable.same" if same else "retrace.variable.apart",
            {"path": leaf.path, "other": now["alias"] if same else was["alias"]},
        )


def _object(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if now["serial"] == was["serial"]:
        return
    if now["form"] == was["form"] == "method" and now["owner"] == was["owner"] and now["name"] == was["name"]:
        yield Reason("retrace.object.method", {"path": leaf.path, "name": now["name"].rpartition(".")[2]})
    elif now["form"] == was["form"] == "lambda" and now["name"] == was["name"]:
        yield Reason("retrace.object.lambda", {"path": leaf.path})
    else:
        yield _changed("retrace.object.another", leaf, was["value"], now["value"])


def _opaque(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    if leaf.data["token"] != other.data["token"]:
        yield _changed("retrace.spec", leaf, other.data["value"], leaf.data["value"])


def _sequence(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    yield _changed("retrace.structure.length", leaf, other.data["length"], leaf.data["length"])


def _mapping(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if was.get("type") != now.get("type"):
        yield _changed("retrace.structure.class", leaf, was["type"], now["type"])
        return
    for key in now["keys"]:
        if key not in was["keys"]:
            yield Reason("retrace.structure.key_added", {"path": leaf.path, "key": key})
    for key in was["keys"]:
        if key not in now["keys"]:
            yield Reason("retrace.structure.key_removed", {"path": leaf.path, "key": key})


def _call(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if was["count"] != now["count"]:
        yield Reason(
            "retrace.arguments.count", {"path": f"*{now['varargs']}", "was": was["count"], "now": now["count"]}
        )
    for key in now["keywords"]:
        if key not in was["keywords"]:
            yield Reason("retrace.arguments.keyword_added", {"key": key})
    for key in was["keywords"]:
        if key not in now["keywords"]:
            yield Reason("retrace.arguments.keyword_removed", {"key": key})


_COMPARE: Final = {
    "literal": _literal,
    "tensor": _tensor,
    "variable": _variable,
    "object": _object,
    "spec": _opaque,
    "custom": _opaque,
    "list": _sequence,
    "tuple": _sequence,
    "dict": _mapping,
    "namedtuple": _mapping,
    "attrs": _mapping,
    "dataclass": _mapping,
    "call": _call,
}


def generalisations(key: Key, earlier: Sequence[Key]) -> list[Reason]:
    """What ``reduce_retracing`` made general in ``key``: by tensor, the axis that became None and the shapes seen.

    Args:
      key: the key of the general trace.
      earlier: the keys it was made from, the new call's last.
    """
    found = []
    for leaf in key:
        if leaf.kind != "tensor":
            continue
        shapes: list[Any] = []
        for other in earlier:
            for candidate in other:
                if candidate.path == leaf.path and candidate.kind == "tensor" and candidate.data["shape"] not in shapes:
                    shapes.append(candidate.data["shape"])
        now = leaf.data["shape"]
        values = {"path": leaf.path, "shapes": tuple(shapes), "now": now}
        if now is None:
            if any(shape is not None for shape in shapes):
                found.append(Reason("retrace.generalised.rank", values))
            continue
        for axis, size in enumerate(now):
            sizes = {shape[axis] for shape in shapes if shape is not None and len(shape) == len(now)}
            if size is None and sizes - {None}:
                found.append(Reason("retrace.generalised", {**values, "axis": axis}))
                break
    return found


def place_advice(records: Sequence[TraceRecord]) -> list[Reason]:
    """What the traces of one or more Functions show together about the place they were made.

    A Function that the same code made again (a definition inside a loop or a called function), a method or lambda
    object that is new at each call, a Python number or a shape that keeps changing.  Pure: it reads the records only.
    """
    return [*_made_again(records), *_each_call(records), *_many_values(records)]


def _made_again(records: Sequence[TraceRecord]) -> Iterable[Reason]:
    last: dict[tuple[str, int], TraceRecord] = {}
    for record in records:
        if record.ordinal > 1:
            place = (record.made_at.filename, record.made_at.line)
            if place not in last or last[place].ordinal < record.ordinal:
                last[place] = record
    for (filename, line), record in last.items():
        values = {"name": record.function, "count": record.ordinal, "filename": filename, "line": line}
        yield Reason("advice.place.function_again", values)


def _each_call(records: Sequence[TraceRecord]) -> Iterable[Reason]:
    methods: dict[tuple[str, str], int] = {}
    lambdas: dict[str, int] = {}
    for record in records:
        for reason in record.reasons:
            if reason.id == "retrace.object.method":
                place = (reason.values["path"], reason.values["name"])
                methods[place] = methods.get(place, 1) + 1
            elif reason.id == "retrace.object.lambda":
                lambdas[reason.values["path"]] = lambdas.get(reason.values["path"], 1) + 1
    for (path, name), count in methods.items():
        yield Reason("advice.place.method_each_call", {"path": path, "name": name, "count": count})
    for path, count in lambdas.items():
        yield Reason("advice.place.lambda_each_call", {"path": path, "count": count})


def _many_values(records: Sequence[TraceRecord]) -> Iterable[Reason]:
    numbers: dict[str, list[Any]] = {}
    shapes: dict[str, list[Any]] = {}
    for record in records:
        for leaf in record.key:
            if leaf.kind == "literal" and leaf.data["type"] in _NUMBERS:
                _note(numbers, leaf.path, leaf.data["value"])
            elif leaf.kind == "tensor" and leaf.data["shape"] is not None:
                _note(shapes, leaf.path, leaf.data["shape"])
    for path, seen in numbers.items():
        if len(seen) > 1:
            yield Reason("advice.argument.python_number", {"path": path, "count": len(seen), "seen": tuple(seen)})
    for path, found in shapes.items():
        same = [shape for shape in found if len(shape) == len(found[0])]
        if len(same) > 1:
            now = tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*same, strict=True))
            yield Reason("advice.argument.shapes", {"path": path, "count": len(same), "seen": tuple(same), "now": now})


def _note(seen: dict[str, list[Any]], path: str, value: Any) -> None:
    values = seen.setdefault(path, [])
    if value not in values:
        values.append(value)
