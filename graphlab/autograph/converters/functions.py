"""Walks the statements and expressions of a function, and of the functions nested in it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from graphlab.autograph import analysis, effects
from graphlab.autograph.analysis import Effects, Liveness
from graphlab.autograph.converters import calls, conditionals, logic, loops
from graphlab.autograph.converters.context import COUNTS, Function, Surroundings, count, counted, operator
from graphlab.autograph.jumps import lower_jumps
from graphlab.autograph.names import constant, store
from graphlab.autograph.parsing import CONSTRUCT, FunctionNode, mangle

_TYPE_PARAMS: Final[dict[str, Any]] = {"type_params": []} if sys.version_info >= (3, 12) else {}
_PRIVATE: Final = re.compile(r"(?<!\w)__\w+")


def convert_function(node: FunctionNode, around: Surroundings, outer: Function | None = None) -> None:
    """Converts a function's tree in place."""
    args = analysis.argument_names(node.args)
    first = node.args.posonlyargs[:1] or node.args.args[:1]
    if isinstance(node, ast.Lambda):
        function = Function(
            around,
            outer,
            bound=frozenset({*args, *_stored(node)}),
            nonlocals=frozenset(),
            globals=frozenset(),
            captured=frozenset(),
            first=first[0].arg if first else None,
        )
        node.body = Expressions(function).visit(node.body)
        return
    effects.count_blocks(node.body, lambda statement: count(statement, around, at=statement, name=effects.BLOCK))
    body = lower_jumps(node.body, around.fresh)
    as_global, as_nonlocal = analysis.declared(body, ast.Global), analysis.declared(body, ast.Nonlocal)
    declared = frozenset(as_global | as_nonlocal)
    function = Function(
        around,
        outer,
        bound=frozenset({*args, *_stored(node)} - declared),
        nonlocals=declared,
        globals=frozenset(as_global),
        captured=frozenset(analysis.effects(body).captured),
        first=first[0].arg if first else None,
    )
    function.liveness = Liveness(body, set(declared))
    scope = Scope(function)
    docstring = []
    if (
        isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    ):
        docstring, body = body[:1], body[1:]
    statements = scope.statements(body)
    unbound = scope.nested - scope.direct - {*args} - declared
    at = node.body[0]
    began = count(node, around, at=at, name=around.name if outer is None else node.name)
    node.body = [*docstring, *_declare(as_global, as_nonlocal, unbound, at), began, *statements]


def _stored(node: ast.AST) -> set[str]:
    found = set()
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and not isinstance(child.ctx, ast.Load):
            found.add(child.id)
        elif isinstance(child, ast.arg):
            found.add(child.arg)
        elif child is not node and isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(child.name)
        elif isinstance(child, ast.alias):
            found.add((child.asname or child.name).partition(".")[0])
        elif isinstance(child, ast.ExceptHandler) and child.name:
            found.add(child.name)
    return found


def _declare(as_global: set[str], as_nonlocal: set[str], unbound: set[str], at: ast.AST) -> list[ast.stmt]:
    """Declarations at the start of a function.

    A variable that only the bodies inside a function assign gets its place there by an annotation, ``y: ag.Unset``,
    which runs nothing and leaves the variable without a value, as Python does.
    """
    out: list[ast.stmt] = []
    if as_global:
        out.append(ast.copy_location(ast.Global(sorted(as_global)), at))
    if as_nonlocal:
        out.append(ast.copy_location(ast.Nonlocal(sorted(as_nonlocal)), at))
    places = (ast.AnnAssign(store(name, at), operator("Unset", at), None, 1) for name in sorted(unbound))
    out.extend(ast.copy_location(place, at) for place in places)
    return out


class Scope:
    """One Python scope of the converted function: the function itself, or a body made of one of its constructs.

    Attributes:
      function: the function.
      direct: the variables that statements of the scope bind.
      nested: those that bodies inside it bind for it or for scopes around it.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.direct: set[str] = set()
        self.nested: set[str] = set()
        self.expressions = Expressions(function)

    def expression(self, node: ast.expr) -> ast.expr:
        """Converts an expression of this scope; what ``:=`` binds in it becomes a variable of the scope."""
        self.direct |= self.effects([node]).writes
        return self.expressions.visit(node)  # type: ignore[no-any-return]

    def effects(self, nodes: Iterable[ast.AST]) -> Effects:
        """What code of this scope reads and writes."""
        liveness = self.function.liveness
        assert liveness is not None
        total = Effects()
        for node in nodes:
            found = liveness.effects(node)
            total.reads |= found.reads
            total.writes |= found.writes
            total.composites |= found.composites
        return total

    def names(self, names: Sequence[str], at: ast.AST) -> ast.expr:
        """The names of variables as a literal, private ones in the form they have at run time."""
        cls = self.function.around.mangled_by
        if cls is not None:
            names = [_PRIVATE.sub(lambda m: mangle(m.group(), cls), name) for name in names]
        return constant(tuple(names), at)

    def body(
        self, name: str, block: list[ast.stmt], local: set[str], *, at: ast.stmt, parameter: str | None = None
    ) -> ast.FunctionDef:
        """A construct's body as a function.

        Args:
          name: the function's name.
          block: its statements.
          local: the variables that nothing outside the body knows.
          at: the construct.
          parameter: the name of its parameter, if it has one.
        """
        function = self.function
        inner = Scope(function)
        statements = inner.statements(block)
        ours = inner.direct - local
        self.nested |= (inner.direct | inner.nested) - local - function.globals
        unbound = (inner.nested & local) - inner.direct - {parameter}
        made = ast.FunctionDef(
            name,
            ast.arguments(
                posonlyargs=[],
                args=[] if parameter is None else [ast.copy_location(ast.arg(parameter), at)],
                kwonlyargs=[],
                kw_defaults=[],
                defaults=[],
            ),
            [*_declare(ours & function.globals, ours - function.globals, unbound, at), *statements],
            [],
            **_TYPE_PARAMS,
        )
        ast.copy_location(made, at)
        made.end_lineno, made.end_col_offset = at.lineno, at.col_offset + 2
        setattr(made, CONSTRUCT, True)
        return made

    def headed(self, statements: list[ast.stmt], node: ast.stmt, header: ast.expr) -> list[ast.stmt]:
        """Lets the call that stands for a construct cover its first line up to the header, not its whole body."""
        for new in ast.walk(statements[-1]):
            where: Any = new
            if getattr(where, "end_lineno", None) == node.end_lineno and where.lineno == node.lineno:
                where.end_lineno, where.end_col_offset = header.end_lineno, header.end_col_offset
        return statements

    def statements(self, block: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Converts a block."""
        out: list[ast.stmt] = []
        for statement in block:
            out += self.statement(statement)
        return out or [ast.copy_location(ast.Pass(), block[0])] if block else []

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """The statements for a statement."""
        if hasattr(node, COUNTS):
            return [node]
        if isinstance(node, ast.If):
            return conditionals.convert_if(node, self)
        if isinstance(node, ast.For):
            return loops.convert_for(node, self)
        if isinstance(node, ast.While):
            return loops.convert_while(node, self)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return []  # declared once, at the start of the function
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.direct |= self.effects([node]).writes
            self._nested_function(node)
            return [node]
        if isinstance(node, ast.ClassDef):
            self.direct |= self.effects([node]).writes
            return [node]
        if isinstance(node, ast.Assert):
            if not __debug__:
                return []
            self.direct |= self.effects([node]).writes
            new: Any = self.expressions.generic_visit(node)
            return [logic.convert_assert(new)]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            # An annotation runs nothing for a variable, and has no place where the variable is not local.
            if node.value is None:
                self.nested.add(node.target.id)
                return []
            node = ast.copy_location(ast.Assign([node.target], node.value, lineno=0), node)
        blocks = [f for f in ("body", "orelse", "finalbody", "handlers", "cases") if getattr(node, f, None)]
        if blocks and not isinstance(node, ast.Expr):
            return [self._compound(node, blocks)]
        self.direct |= self.effects([node]).writes
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.IfExp):
            self.expressions.called = ast.unparse(node.targets[0])
        whole = effects.statement_effect(node, self.function.nonlocals) is not None
        self.expressions.counts = not whole
        converted: ast.stmt = self.expressions.visit(node)
        self.expressions.called, self.expressions.counts = None, True
        return [converted, count(node, self.function.around, at=node)] if whole else [converted]

    def _nested_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        node.args.defaults = [self.expressions.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.expressions.visit(d) for d in node.args.kw_defaults]
        if is_plain_function(node):
            convert_function(node, self.function.around, self.function)

    def _compound(self, node: Any, blocks: list[str]) -> ast.stmt:
        """``with``, ``try`` and ``match``: the statement stays, its blocks are converted."""
        for field, value in ast.iter_fields(node):
            if field in ("handlers", "cases"):
                for part in value:
                    for inner_field, inner in ast.iter_fields(part):
                        if inner_field == "body":
                            part.body = self.statements(inner)
                        elif isinstance(inner, ast.AST):
                            self.direct |= self.effects([inner]).writes
                            setattr(part, inner_field, self.expressions.visit(inner))
                    if getattr(part, "name", None):
                        self.direct.add(part.name)
            elif field in blocks:
                setattr(node, field, self.statements(value))
            elif field == "items":
                for item in value:
                    self.direct |= self.effects([item]).writes
                    self.expressions.visit(item)
            elif isinstance(value, ast.AST):
                self.direct |= self.effects([value]).writes
                setattr(node, field, self.expressions.visit(value))
        return node  # type: ignore[no-any-return]


def is_plain_function(node: ast.AST) -> bool:
    """True unless a function is a generator or a coroutine."""
    if isinstance(node, ast.AsyncFunctionDef):
        return False
    stack = list(ast.iter_child_nodes(node))
    while stack:
        child = stack.pop()
        if isinstance(child, (ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(child))
    return True


class Expressions(ast.NodeTransformer):
    """Converts expressions, innermost first.

    Attributes:
      function: the function they belong to.
      called: the variable that the expression is assigned to, for messages; None: they use its source text.
      counts: False in a statement that is counted as a whole.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.called: str | None = None
        self.counts = True

    def visit_Call(self, node: ast.Call) -> ast.expr:
        acts = self.counts and effects.is_effect(node)
        converted: Any = self.generic_visit(node)
        made = calls.convert_call(converted, self.function)
        return counted(made, self.function.around) if acts else made

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._each(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        return self._each(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        return self._each(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._each(node)

    def _each(self, node: ast.expr) -> ast.expr:
        """A comprehension: what acts in it acts for each element, and is counted there."""
        before, self.counts = self.counts, True
        self.generic_visit(node)
        self.counts = before
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        plain = [logic.is_python_bool(value, self.function) for value in node.values]
        return logic.convert_bool_op(node, [self.visit(value) for value in node.values], plain)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if not isinstance(node.op, ast.Not) or logic.is_python_bool(node.operand, self.function):
            return self.generic_visit(node)  # type: ignore[return-value]
        converted: Any = self.generic_visit(node)
        return logic.convert_not(converted)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        converted: Any = self.generic_visit(node)
        return logic.convert_compare(converted, self.function)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        name = self.called or ast.unparse(node)
        self.called = None
        converted: Any = self.generic_visit(node)
        return logic.convert_if_exp(converted, name)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if is_plain_function(node):
            convert_function(node, self.function.around, self.function)
        return node
