"""The functions that ran inside of a traced one, as units: what their parameters are shows in the calls.

Nothing is claimed that another call could make untrue: a parameter is a tensor when every call that is seen gives it
one, the function is called nowhere out of sight, and nobody passes it on.
"""

from __future__ import annotations

import ast
import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphlab.inspect.advice.expressions import Given
from graphlab.inspect.advice.source import Function
from graphlab.inspect.advice.unit import Unit, alias_in, placed
from graphlab.inspect.helpers import Helper, Others, others
from graphlab.inspect.marks import Marks
from graphlab.inspect.subject import Captured, Subject

_NEW = frozenset(("__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__"))
"""Methods whose object is being made."""


@dataclass(slots=True)
class _Called:
    """A function that ran.

    Attributes:
        tree: It.
        helper: The helper that it is; None for one inside of another.
        unit: What was made of it; None: not yet.
        calls: The calls in its text, by the last part of what they call; those of functions inside of it included.
        mentions: How often each name is read, as it stands or after a dot.
        inside: The functions inside of it.
    """

    tree: Function
    helper: Helper | None = None
    unit: Unit | None = None
    calls: dict[str, list[ast.Call]] = field(default_factory=dict)
    mentions: Counter[str] = field(default_factory=Counter)
    inside: list[ast.FunctionDef] = field(default_factory=list)

    def __post_init__(self) -> None:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                if (name := _last(node.func)) is not None:
                    self.calls.setdefault(name, []).append(node)
            elif isinstance(node, ast.Name):
                self.mentions[node.id] += isinstance(node.ctx, ast.Load)
            elif isinstance(node, ast.Attribute):
                self.mentions[node.attr] += 1
            elif isinstance(node, ast.FunctionDef) and node is not self.tree:
                self.inside.append(node)

    @property
    def name(self) -> str:
        return "" if isinstance(self.tree, ast.Lambda) else self.tree.name


def called_units(main: Unit | None, subject: Subject) -> list[Unit]:
    """The units of the functions that ran while one was traced: those inside of it, then its helpers, in their order.

    Args:
        main: The traced function's own; None when its source is not at hand.
        subject: The function with its records.
    """
    around = others(subject)
    found = [_Called(main.tree, unit=main)] if main is not None and not isinstance(main.tree, ast.Module) else []
    for helper in around.looked_at():
        tree = _tree(helper)
        if tree is not None:
            found.append(_Called(tree, helper))
    inner = {id(item): list(_inner(item, _file(item, subject), around)) for item in found}
    every = [each for item in found for each in (item, *inner[id(item)])]
    units = []
    for item in found:
        if item.unit is None:
            assert item.helper is not None
            item.unit = _helper_unit(item, every, subject, around)
            units.append(item.unit)
        for part in inner[id(item)]:
            part.unit = _inner_unit(part, item, every, around)
            units.append(part.unit)
    stored = (item.unit.stores() for item in every if item.unit is not None)
    written = frozenset(name for names in stored for name in names if name and "." in name)
    for unit in units if main is None else [main, *units]:
        unit.written = written
    return units


def _file(item: _Called, subject: Subject) -> str | None:
    return item.helper.filename if item.helper is not None else subject.filename


def _tree(helper: Helper) -> Function | None:
    tree = placed(helper.text, helper.first)
    last = helper.name.rpartition(".")[2]
    nodes = list(ast.walk(tree)) if tree is not None else []
    if last == "lambda":
        lambdas = [node for node in nodes if isinstance(node, ast.Lambda)]
        return lambdas[0] if len(lambdas) == 1 else None
    named = (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == last)
    return next(named, None)


def _inner(item: _Called, filename: str | None, around: Others) -> Iterator[_Called]:
    """The functions inside of another that ran, those inside of them included."""
    return (_Called(node) for node in item.inside if around.ran.first.get((str(filename), node.lineno)))


# ------------------------------------------------------------------------------------------------------------ the units


def _helper_unit(item: _Called, every: Sequence[_Called], subject: Subject, around: Others) -> Unit:
    helper = item.helper
    assert helper is not None
    known = around.known(helper)
    names: Mapping[str, str] = {}
    captured: Sequence[Captured] = ()
    if known is not None:
        names, captured = known.names, known.captured
    elif helper.filename == subject.filename:
        names = subject.names
    own = _own_object(item.tree)
    inside = item.name in _NEW or (own and (known is None or not known.kept))
    given = _given(item, every, inside=inside, times=_began(helper.filename, item.tree, around, subject))
    made = dataclasses.replace(
        subject,
        name=helper.name,
        filename=helper.filename,
        line=helper.first,
        def_line=None,
        source=helper.text,
        names=names,
        captured=captured,
        parameters=(),
    )
    lines = dict(enumerate(helper.text.split("\n"), helper.first))
    unit = Unit(item.tree, lines, {**names, **given.outer}, traced=True, subject=made, given=given)
    unit.alias = alias_in(names) or subject.alias
    unit.helper, unit.others, unit.marks = helper.name, around, around.marks(helper)
    return unit


def _inner_unit(item: _Called, outer: _Called, every: Sequence[_Called], around: Others) -> Unit:
    whole = outer.unit
    assert whole is not None
    assert whole.subject is not None
    holders = list(_around(item.tree, whole))
    enclosing = whole.enclosing | whole.locals()
    for node in holders:
        enclosing |= _names_of(node)
    given = _given(item, every, times=_began(whole.subject.filename, item.tree, around, whole.subject))
    hidden = _names_of(item.tree)
    closure = {name: whole.dtypes.get(name, "") for name in whole.tensors - hidden} if not holders else {}
    given = dataclasses.replace(
        given,
        tensors={**closure, **given.tensors},
        enclosing=frozenset(enclosing - {"self", "cls"}),
        inner=True,
        inside=whole.given is not None and whole.given.inside,
    )
    made = dataclasses.replace(whole.subject, captured=())
    unit = Unit(item.tree, whole.lines, whole.names, traced=True, subject=made, given=given)
    unit.alias, unit.helper, unit.others = whole.alias, whole.helper, around
    unit.marks = whole.marks if whole.marks is not None else _own_marks(whole.subject, around)
    return unit


def _own_marks(subject: Subject, around: Others) -> Marks:
    assert subject.source is not None
    assert subject.line is not None
    return Marks(
        subject.source,
        subject.line,
        around.graph.of(subject.filename),
        filename=subject.filename,
        ran=around.ran,
        names=subject.names,
    )


def _around(tree: Function, whole: Unit) -> Iterator[ast.AST]:
    """The functions between an inner one and the one that it stands in."""
    node: ast.AST = whole.scope(tree)
    while node is not whole.tree:
        yield node
        node = whole.scope(node)


def _names_of(tree: ast.AST) -> set[str]:
    """The names that a function binds."""
    found = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return found | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _own_object(tree: Function) -> bool:
    return _parameters(tree)[:1] in (["self"], ["cls"])


def _parameters(tree: Function) -> list[str]:
    return [arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)]


def _began(filename: str | None, tree: Function, around: Others, subject: Subject) -> int | None:
    """How often a function began while the graph was made that is shown."""
    record = subject.trace(subject.graph_trace)
    for name, line, _, function, times in record.ran if record is not None else ():
        if function and (name, line) == (filename, tree.lineno):
            return times
    return None


# ------------------------------------------------------------------------------------------------------------ the calls


def _given(item: _Called, every: Sequence[_Called], *, inside: bool = False, times: int | None = None) -> Given:
    """What all the calls of a function say of its parameters; nothing where one of them may be out of sight."""
    nothing = Given(inside=inside, times=times)
    if not item.name or sum(1 for other in every if other.name == item.name) > 1:
        return nothing
    tensors: list[dict[str, str]] = []
    outer: list[dict[str, str]] = []
    for other in every:
        calls = list(_calls(item, other))
        if other.mentions[item.name] > len(calls) or (calls and other.unit is None):
            return nothing
        for call in calls:
            assert other.unit is not None
            arguments = _bound(item, call)
            if arguments is None:
                return nothing
            unit = other.unit
            tensors.append({n: unit.dtype(arg) or "" for n, arg in arguments.items() if unit.is_tensor(arg)})
            outer.append({n: kind for n, arg in arguments.items() if (kind := _outer_kind(unit, arg)) is not None})
    if not tensors:
        return nothing
    certain = {
        name: dtype if all(found[name] == dtype for found in tensors) else ""
        for name, dtype in tensors[0].items()
        if all(name in found for found in tensors)
    }
    shared = {name: kind for name, kind in outer[0].items() if all(found.get(name) == kind for found in outer)}
    return dataclasses.replace(nothing, tensors=certain, outer=shared)


def _calls(item: _Called, other: _Called) -> Iterator[ast.Call]:
    """The calls of a function in another's own text; what stands in functions inside of that is those' own."""
    unit = other.unit
    for node in other.calls.get(item.name, ()):
        if unit is None or (unit.scope(node) is unit.tree and not unit.outside(node) and unit.tf(node) is None):
            yield node


def _last(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def _bound(item: _Called, call: ast.Call) -> dict[str, ast.expr] | None:
    """The expressions that a call gives to parameters; None when that does not show."""
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(keyword.arg is None for keyword in call.keywords):
        return None
    names = _parameters(item.tree)
    if _own_object(item.tree):
        if not isinstance(call.func, ast.Attribute):
            return None
        names = names[1:]
    if len(call.args) > len(names) and item.tree.args.vararg is None:
        return None  # called through the class, or another function of the same name
    found: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
    found.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None})
    return found


def _outer_kind(unit: Unit, node: Any) -> str | None:
    """What an argument is that comes from outside of the trace and can be changed: a container or an object."""
    if not isinstance(node, ast.Name | ast.Attribute) or unit.outer(node) is None:
        return None
    if isinstance(node, ast.Name) and node.id in ("self", "cls"):
        return "object:"
    kind = unit.names.get(unit.dotted(node) or "", "")
    return kind if kind in ("list", "dict", "set") or kind.startswith("object:") else None
