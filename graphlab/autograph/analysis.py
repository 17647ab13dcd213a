"""What a function's statements read and write, and which of it is still wanted afterwards.

Works on bodies without jumps (see ``jumps``), so liveness is a walk over the tree from its end.  Variables are known
by name.
Attributes and items that are assigned (``self.x``, ``d['a']``, ``x[i]``) are known by their source text; they count
as state of
a construct when the object they belong to was there before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Effects:
    """Names that some code reads and writes in the scope it stands in.

    Attributes:
      reads: variables read, those that nested functions read included.
      writes: variables bound, deleted included.
      composites: text of assigned attributes and items → names of the variables that they start from.
      captured: variables that nested functions or generator expressions use, now or later.
      maybe: those of ``writes`` that may not happen when the code runs.
    """

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    composites: dict[str, frozenset[str]] = field(default_factory=dict)
    captured: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)


class _Collector(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found = Effects()

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Store):
            self.found.reads.add(node.id)  # `del x` needs x
        if not isinstance(node.ctx, ast.Load):
            self.found.writes.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._composite(node)
        self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self._composite(node)
        self.visit(node.value)
        self.visit(node.slice)

    def _composite(self, node: ast.Attribute | ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Store) and (bases := composite_bases(node)) is not None:
            plain: Any = type(node)(**{f: getattr(node, f) for f in node._fields if f != "ctx"}, ctx=ast.Load())
            self.found.composites[ast.unparse(plain)] = bases

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.generic_visit(node)
        self.found.maybe.add(node.target.id)  # `a and (b := c)`

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None or not isinstance(node.target, ast.Name):
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.found.reads.add(node.target.id)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.found.writes.add(node.name)
        self.generic_visit(node)

    def visit_alias(self, node: ast.alias) -> None:
        self.found.writes.add((node.asname or node.name).partition(".")[0])

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self.found.writes.add(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self.found.writes.add(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.found.writes.add(node.rest)
        self.generic_visit(node)

    def _function(self, node: Any) -> None:
        if not isinstance(node, ast.Lambda):
            self.found.writes.add(node.name)
            for decorator in node.decorator_list:
                self.visit(decorator)
            for annotation in (node.returns, *(a.annotation for a in _arguments(node.args))):
                if annotation is not None:
                    self.visit(annotation)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        free = free_names(node)
        self.found.reads |= free.reads
        self.found.captured |= free.reads | free.writes

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function  # noqa: N815  # names of ast

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.found.writes.add(node.name)
        for part in (*node.bases, *node.keywords, *node.decorator_list):
            self.visit(part)
        inner = effects(node.body)
        self.found.reads |= inner.reads
        self.found.captured |= inner.reads | inner.captured

    def _comprehension(self, node: Any) -> None:
        inner = _Collector()
        inner.generic_visit(node)
        own: set[str] = set()
        for generator in node.generators:
            own |= _target_names(generator.target)
        walrus = {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
        found = inner.found
        self.found.reads |= found.reads - own
        self.found.writes |= walrus
        self.found.maybe |= walrus
        self.found.captured |= found.captured - own
        if isinstance(node, ast.GeneratorExp):
            self.found.captured |= found.reads - own

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815  # names of ast


def _arguments(args: ast.arguments) -> list[ast.arg]:
    return [a for a in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg) if a is not None]


def argument_names(args: ast.arguments) -> list[str]:
    """The names of a function's parameters, in order."""
    return [a.arg for a in _arguments(args)]


def composite_bases(node: ast.expr) -> frozenset[str] | None:
    """The variables that an attribute or item starts from; None if it is not simple (``f().x``, ``d[i + 1]``)."""
    if isinstance(node, ast.Name):
        return frozenset((node.id,))
    if isinstance(node, ast.Attribute):
        return composite_bases(node.value)
    if isinstance(node, ast.Subscript):
        base = composite_bases(node.value)
        if base is None:
            return None
        if isinstance(node.slice, ast.Constant):
            return base
        if isinstance(node.slice, ast.Name):
            return base | {node.slice.id}
        if isinstance(node.slice, ast.UnaryOp) and isinstance(node.slice.operand, ast.Constant):
            return base
    return None


def _target_names(target: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def effects(nodes: Iterable[ast.AST]) -> Effects:
    """The effects of some statements or expressions."""
    collector = _Collector()
    for node in nodes:
        collector.visit(node)
    return collector.found


def declared(body: Sequence[ast.stmt], kind: type[ast.Global | ast.Nonlocal]) -> set[str]:
    """The names that a function declares ``global`` or ``nonlocal``."""
    found: set[str] = set()
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, kind):
            found.update(node.names)
        elif not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.expr)):
            stack.extend(ast.iter_child_nodes(node))
    return found


def free_names(node: Any) -> Effects:
    """What a nested function reads from, and writes to, the scopes around it."""
    body: list[Any] = [node.body] if isinstance(node, ast.Lambda) else node.body
    inner = effects(body)
    outer = declared(body, ast.Nonlocal) | declared(body, ast.Global) if not isinstance(node, ast.Lambda) else set()
    own = (inner.writes | set(argument_names(node.args))) - outer
    writes = inner.writes & declared(body, ast.Nonlocal) if not isinstance(node, ast.Lambda) else set()
    return Effects(reads=(inner.reads | inner.captured) - own, writes=writes)


class Liveness:
    """Annotates each ``if``, ``while`` and ``for`` of a body with what is wanted before and after it.

    Sets ``live_out`` on the nodes, ``live_body`` and ``live_else`` (wanted at the start of the branches), and for loops
    ``live_head`` (wanted at the start of each iteration).

    Args:
      body: the function's statements.
      at_exit: names that are wanted when the function ends: those it declares ``global`` or ``nonlocal``.
    """

    def __init__(self, body: Sequence[ast.stmt], at_exit: set[str]) -> None:
        self.at_exit = frozenset(at_exit)
        self.functions = _nested_functions(body)
        self._raise: frozenset[str] = frozenset()
        self._known: dict[int, Effects] = {}
        self.entry = self.block(body, self.at_exit)

    def effects(self, node: ast.AST) -> Effects:
        """The effects of a statement or expression, those of nested functions it uses included."""
        found = self._known.get(id(node))
        if found is None:
            found = effects([node])
            for name in found.reads & self.functions.keys():  # using a function uses what it reads
                found.reads = found.reads | self.functions[name].reads
                found.writes = found.writes | self.functions[name].writes
                found.maybe = found.maybe | self.functions[name].writes
            self._known[id(node)] = found
        return found

    def uses(self, *nodes: ast.AST | None) -> frozenset[str]:
        """The variables that expressions read."""
        found: set[str] = set()
        for node in nodes:
            if node is not None:
                found |= self.effects(node).reads
        return frozenset(found)

    def block(self, block: Sequence[ast.stmt], after: frozenset[str]) -> frozenset[str]:
        """What is wanted before a block, given what is wanted after it."""
        after |= self._raise
        for statement in reversed(block):
            after = self.statement(statement, after) | self._raise
        return after

    def statement(self, node: Any, after: frozenset[str]) -> frozenset[str]:
        """What is wanted before a statement."""
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is not None:
            return method(node, after)  # type: ignore[no-any-return]
        found = self.effects(node)
        return (after - (found.writes - found.maybe)) | found.reads

    def _If(self, node: Any, after: frozenset[str]) -> frozenset[str]:
        node.live_out = after | self._raise
        node.live_body, node.live_else = self.block(node.body, after), self.block(node.orelse, after)
        return self.uses(node.test) | node.live_body | node.live_else  # type: ignore[no-any-return]

    def _While(self, node: Any, after: frozenset[str]) -> frozenset[str]:
        head = after | self.uses(node.test) | {n for n in (getattr(node, "until", None),) if n}
        while (new := head | self.block(node.body, head)) != head:
            head = new
        node.live_out, node.live_head = after | self._raise, head
        return head

    def _For(self, node: Any, after: frozenset[str]) -> frozenset[str]:
        targets = _target_names(node.target)
        reads = self.uses(node.target)
        head = after | {n for n in (getattr(node, "until", None),) if n}
        while (new := head | reads | (self.block(node.body, head) - targets)) != head:
            head = new
        node.live_out, node.live_head = after | self._raise, head
        return head | self.uses(node.iter)

    def _With(self, node: ast.With, after: frozenset[str]) -> frozenset[str]:
        before = self.block(node.body, after)
        for item in reversed(node.items):
            if item.optional_vars is not None:
                before = (before - _target_names(item.optional_vars)) | self.uses(item.optional_vars)
            before |= self.uses(item.context_expr)
        return before

    def _Try(self, node: Any, after: frozenset[str]) -> frozenset[str]:
        final = self.block(node.finalbody, after)
        outer = self._raise
        handlers = frozenset(final)
        if node.finalbody:
            self._raise = outer | final
        for handler in node.handlers:
            handlers |= (self.block(handler.body, final) - {handler.name}) | self.uses(handler.type)
        orelse = self.block(node.orelse, final)
        self._raise = outer | handlers
        before = self.block(node.body, orelse) | handlers
        self._raise = outer
        return before

    _TryStar = _Try

    def _Match(self, node: ast.Match, after: frozenset[str]) -> frozenset[str]:
        before = after
        for case in node.cases:
            before |= self.block(case.body, after) | self.uses(case.pattern, case.guard)
        return before | self.uses(node.subject)

    def _Return(self, node: ast.Return, _: frozenset[str]) -> frozenset[str]:
        return self.uses(node.value) | self.at_exit

    def _Raise(self, node: ast.Raise, _: frozenset[str]) -> frozenset[str]:
        return self.uses(node.exc, node.cause) | self.at_exit

    def _Delete(self, node: ast.Delete, after: frozenset[str]) -> frozenset[str]:
        found = self.effects(node)
        return (after - found.writes) | found.reads


def _nested_functions(body: Sequence[ast.stmt]) -> dict[str, Effects]:
    """Names bound to nested functions → what those read from around them, through one another."""
    found: dict[str, Effects] = {}

    def add(name: str, node: Any) -> None:
        free = free_names(node)
        known = found.setdefault(name, Effects())
        known.reads |= free.reads
        known.writes |= free.writes

    for top in body:
        for node in ast.walk(top):
            if isinstance(node, ast.FunctionDef):
                add(node.name, node)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        add(target.id, node.value)
    changed = True
    while changed:
        changed = False
        for known in found.values():
            for name in known.reads & found.keys():
                other = found[name]
                if not (other.reads <= known.reads and other.writes <= known.writes):
                    known.reads |= other.reads
                    known.writes |= other.writes
                    changed = True
    return found
