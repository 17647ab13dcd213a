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


_CHANGE: Final = ("path", "was", "now", "a", "b")

# id → names of its values.  The message catalogues have a template for each.  `was` and `now` are what the arguments
# were and are, as short text; `a` and `b` the part of it that counts (the sizes of one axis, the dtypes, else the same).
REASONS: Final[Mapping[str, tuple[str, ...]]] = {
    "retrace.first": (),
    # Python values
    "retrace.python_number.value": _CHANGE,
    "retrace.python_bool.value": _CHANGE,
    "retrace.python_string.value": _CHANGE,
    "retrace.python_value.value": _CHANGE,
    "retrace.python_type": _CHANGE,  # a, b: the Python types
    "retrace.default.given": _CHANGE,  # it had been left at its default
    "retrace.default.omitted": _CHANGE,
    # one kind in place of another
    "retrace.kind.number_to_tensor": _CHANGE,
    "retrace.kind.tensor_to_number": _CHANGE,
    "retrace.kind.value_to_tensor": _CHANGE,
    "retrace.kind.tensor_to_value": _CHANGE,
    "retrace.kind.none_to_tensor": _CHANGE,
    "retrace.kind.tensor_to_none": _CHANGE,
    "retrace.kind.variable": _CHANGE,  # a variable in one call, a tensor in the other
    "retrace.kind": _CHANGE,
    # tensors
    "retrace.tensor.dtype": _CHANGE,
    "retrace.tensor.dtype_and_shape": _CHANGE,
    "retrace.tensor.shape": (*_CHANGE, "axis"),  # one axis differs: a, b are its sizes
    "retrace.tensor.shapes": (*_CHANGE, "axis"),  # several do: a, b are the shapes, axis the first of them
    "retrace.tensor.rank": _CHANGE,  # a, b: the ranks
    # variables
    "retrace.variable.other": _CHANGE,  # another dtype, shape or trainability
    "retrace.variable.alias": ("path", "other"),  # the two arguments are one variable now
    "retrace.variable.apart": ("path", "other"),  # they were one variable, and are two now
    "retrace.variable.created": ("n",),  # the first trace created n variables; this one uses them
    # objects
    "retrace.object.other": _CHANGE,
    "retrace.object.function": _CHANGE,
    "retrace.object.method": _CHANGE,  # the method of another object
    "retrace.object.new_method": ("path", "name"),  # the same method of the same object, bound anew
    "retrace.object.new_lambda": ("path", "name"),  # the same code, made again
    "retrace.type_spec": _CHANGE,
    # structures
    "retrace.structure.key_added": ("path", "key"),
    "retrace.structure.key_removed": ("path", "key"),
    "retrace.structure.length": _CHANGE,
    "retrace.structure.type": _CHANGE,
    # the call
    "retrace.arguments.number": _CHANGE,  # of *args; path is `*args`
    "retrace.argument.added": ("path",),  # of **kwargs
    "retrace.argument.removed": ("path",),
    # not a difference of two keys
    "retrace.generalised": (*_CHANGE, "axis", "seen"),  # axis None: the rank; seen: the shapes
    "retrace.concrete": (),
    "retrace.context": ("what",),
    "retrace.same": (),  # the same key again: the first trace failed, or another thread's was not waited for
    # why an earlier trace does not take a call
    "reject.value": _CHANGE,
    "reject.kind": _CHANGE,  # it is a tensor
    "reject.needs_tensor": _CHANGE,
    "reject.identity": ("path",),
    "reject.structure": ("path",),
    "reject.missing": ("path",),
    "reject.extra": ("path",),
    # about the place
    "place.in_loop": ("f", "n", "filename", "line"),
    "place.new_method": ("path", "code", "n"),
    "place.lambda": ("path", "n"),
    "advice.argument.python_number": ("path", "n", "seen"),
    "advice.argument.shapes": ("path", "n", "seen", "now"),
}

_REJECTS: Final[Mapping[str, str]] = {
    "retrace.kind.number_to_tensor": "reject.kind",
    "retrace.kind.value_to_tensor": "reject.kind",
    "retrace.kind.none_to_tensor": "reject.kind",
    "retrace.kind.tensor_to_number": "reject.needs_tensor",
    "retrace.kind.tensor_to_value": "reject.needs_tensor",
    "retrace.kind.tensor_to_none": "reject.needs_tensor",
    "retrace.variable.alias": "reject.identity",
    "retrace.variable.apart": "reject.identity",
    "retrace.object.other": "reject.identity",
    "retrace.object.function": "reject.identity",
    "retrace.object.method": "reject.identity",
    "retrace.object.new_method": "reject.identity",
    "retrace.object.new_lambda": "reject.identity",
    "retrace.structure.key_added": "reject.structure",
    "retrace.structure.key_removed": "reject.structure",
    "retrace.structure.length": "reject.structure",
    "retrace.structure.type": "reject.structure",
    "retrace.arguments.number": "reject.structure",
    "retrace.argument.added": "reject.extra",
    "retrace.argument.removed": "reject.missing",
}  # all others: reject.value

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
    Reason(id='retrace.python_number.value', values={'path': 'n', 'was': '3', 'now': '4', 'a': '3', 'b': '4'})
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
        name = _REJECTS.get(reason.id, "reject.value")
        result.append(Reason(name, {value: reason.values.get(value) for value in REASONS[name]}))
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


def _changed(name: str, leaf: Leaf, was: Any, now: Any, a: Any = None, b: Any = None, **more: Any) -> Reason:
    values = {"path": leaf.path, "was": was, "now": now, "a": was if a is None else a, "b": now if b is None else b}
    return Reason(name, {**values, **more})


def _short(leaf: Leaf) -> str:
    return str(leaf.data["value"]) if leaf.kind == "literal" else leaf.text


def _kind(leaf: Leaf, other: Leaf) -> Reason:
    kinds = (other.kind, leaf.kind)
    name = "retrace.kind"
    if kinds == ("literal", "tensor"):
        name = f"retrace.kind.{_noun(other)}_to_tensor"
    elif kinds == ("tensor", "literal"):
        name = f"retrace.kind.tensor_to_{_noun(leaf)}"
    elif set(kinds) == {"tensor", "variable"}:
        name = "retrace.kind.variable"
    elif leaf.kind in CONTAINERS and other.kind in CONTAINERS:
        return _changed("retrace.structure.type", leaf, other.text, leaf.text, other.kind, leaf.kind)
    elif (leaf.kind in CONTAINERS or other.kind in CONTAINERS) and not (_is_none(leaf) or _is_none(other)):
        name = "retrace.structure.type"
    return _changed(name, leaf, _short(other), _short(leaf))


def _noun(leaf: Leaf) -> str:
    return "none" if _is_none(leaf) else "number" if _is_number(leaf) else "value"


def _is_number(leaf: Leaf) -> bool:
    return leaf.kind == "literal" and leaf.data["type"] in _NUMBERS


def _is_none(leaf: Leaf) -> bool:
    return leaf.kind == "literal" and leaf.data["type"] == "NoneType"


def _literal(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if leaf.default != other.default:
        name = "retrace.default.omitted" if leaf.default else "retrace.default.given"
    elif _is_none(leaf) or _is_none(other):
        name = "retrace.kind"
    elif was["type"] != now["type"]:
        yield _changed("retrace.python_type", leaf, was["value"], now["value"], was["type"], now["type"])
        return
    elif now["type"] in ("bool", "str"):
        name = "retrace.python_bool.value" if now["type"] == "bool" else "retrace.python_string.value"
    else:
        name = "retrace.python_number.value" if _is_number(leaf) else "retrace.python_value.value"
    yield _changed(name, leaf, was["value"], now["value"])


def _tensor(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    before, after = other.data["shape"], leaf.data["shape"]
    was, now = other.text, leaf.text
    axes: list[int] = []
    same_rank = before is None or (after is not None and len(before) == len(after))
    if same_rank and before is not None:
        axes = [axis for axis, (a, b) in enumerate(zip(before, after, strict=True)) if a is not None and a != b]
    a, b = other.data["dtype"], leaf.data["dtype"]
    if a != b:
        if same_rank and not axes:
            yield _changed("retrace.tensor.dtype", leaf, was, now, a, b)
        else:
            yield _changed("retrace.tensor.dtype_and_shape", leaf, was, now)
    elif not same_rank:
        yield _changed("retrace.tensor.rank", leaf, was, now, len(before), "?" if after is None else len(after))
    elif len(axes) == 1:
        axis = axes[0]
        yield _changed("retrace.tensor.shape", leaf, was, now, before[axis], _size(after[axis]), axis=axis)
    elif axes:
        yield _changed("retrace.tensor.shapes", leaf, was, now, str(before), str(after), axis=axes[0])


def _size(size: int | None) -> int | str:
    return "None" if size is None else size


def _variable(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if any(was[name] != now[name] for name in ("dtype", "shape", "trainable")):
        note = "" if was["trainable"] == now["trainable"] else ", trainable={}"
        yield _changed(
            "retrace.variable.other",
            leaf,
            other.text + note.format(was["trainable"]),
            leaf.text + note.format(now["trainable"]),
        )
    if was["alias"] != now["alias"]:
        same = now["alias"] != leaf.path
        yield Reason(
            "retrace.variable.alias" if same else "retrace.variable.apart",
            {"path": leaf.path, "other": now["alias"] if same else was["alias"]},
        )


def _object(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if now["serial"] == was["serial"]:
        return
    form = now["form"] if now["form"] == was["form"] else None
    if form == "method" and now["name"] == was["name"]:
        if now["owner"] == was["owner"]:
            yield Reason("retrace.object.new_method", {"path": leaf.path, "name": now["name"]})
            return
        yield _changed("retrace.object.method", leaf, was["value"], now["value"])
    elif form == "lambda" and now["name"] == was["name"]:
        yield Reason("retrace.object.new_lambda", {"path": leaf.path, "name": now["name"]})
    elif form in ("function", "lambda", "method"):
        yield _changed("retrace.object.function", leaf, was["value"], now["value"])
    else:
        yield _changed("retrace.object.other", leaf, was["value"], now["value"])


def _opaque(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    if leaf.data["token"] != other.data["token"]:
        yield _changed("retrace.type_spec", leaf, other.data["value"], leaf.data["value"])


def _sequence(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    yield _changed("retrace.structure.length", leaf, other.text, leaf.text, other.data["length"], leaf.data["length"])


def _mapping(leaf: Leaf, other: Leaf) -> Iterable[Reason]:
    was, now = other.data, leaf.data
    if was.get("type") != now.get("type"):
        yield _changed("retrace.structure.type", leaf, was["type"], now["type"])
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
        star = Leaf(f"*{now['varargs']}", "call", {})
        yield _changed("retrace.arguments.number", star, was["count"], now["count"])
    for key in now["keywords"]:
        if key not in was["keywords"]:
            yield Reason("retrace.argument.added", {"path": key})
    for key in was["keywords"]:
        if key not in now["keywords"]:
            yield Reason("retrace.argument.removed", {"path": key})


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
        axis: int | None = None
        if now is None:
            if None in shapes or not shapes:
                continue
        else:
            open_axes = [axis for axis, size in enumerate(now) if size is None and _varies(shapes, axis, len(now))]
            if not open_axes:
                continue
            axis = open_axes[0]
        was = tensor_text(leaf.data["dtype"], shapes[0])
        found.append(_changed("retrace.generalised", leaf, was, leaf.text, axis=axis, seen=tuple(map(str, shapes))))
    return found


def _varies(shapes: Sequence[Any], axis: int, rank: int) -> bool:
    return any(shape is not None and len(shape) == rank and shape[axis] is not None for shape in shapes)


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
        values = {"f": record.function, "n": record.ordinal, "filename": filename, "line": line}
        yield Reason("place.in_loop", values)


def _each_call(records: Sequence[TraceRecord]) -> Iterable[Reason]:
    methods: dict[tuple[str, str], int] = {}
    lambdas: dict[str, int] = {}
    for record in records:
        for reason in record.reasons:
            if reason.id == "retrace.object.new_method":
                place = (reason.values["path"], reason.values["name"])
                methods[place] = methods.get(place, 1) + 1
            elif reason.id == "retrace.object.new_lambda":
                lambdas[reason.values["path"]] = lambdas.get(reason.values["path"], 1) + 1
    for (path, name), count in methods.items():
        yield Reason("place.new_method", {"path": path, "code": name, "n": count})
    for path, count in lambdas.items():
        yield Reason("place.lambda", {"path": path, "n": count})


def _many_values(records: Sequence[TraceRecord]) -> Iterable[Reason]:
    numbers: dict[str, list[Any]] = {}
    shapes: dict[str, list[Any]] = {}
    for record in records:
        for leaf in record.key:
            if leaf.kind == "literal" and _is_number(leaf):
                _note(numbers, leaf.path, leaf.data["value"])
            elif leaf.kind == "tensor" and leaf.data["shape"] is not None:
                _note(shapes, leaf.path, leaf.data["shape"])
    for path, seen in numbers.items():
        if len(seen) > 1:
            yield Reason("advice.argument.python_number", {"path": path, "n": len(seen), "seen": tuple(seen)})
    for path, found in shapes.items():
        same = [shape for shape in found if len(shape) == len(found[0])]
        if len(same) > 1:
            now = tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*same, strict=True))
            texts = tuple(map(str, same))
            yield Reason("advice.argument.shapes", {"path": path, "n": len(same), "seen": texts, "now": str(now)})


def _note(seen: dict[str, list[Any]], path: str, value: Any) -> None:
    values = seen.setdefault(path, [])
    if value not in values:
        values.append(value)
