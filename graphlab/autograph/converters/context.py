"""What the converters know: the names around the code, and the function they are in."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final

from graphlab.autograph.analysis import Liveness
from graphlab.autograph.names import AG, Fresh, constant, load

MISSING: Final = object()


@dataclass
class Surroundings:
    """The world of the function that is converted.

    Attributes:
      names: its globals.
      free: its free variables, which hide globals.
      frozen_modules: first names of modules whose functions are never converted.
      fresh: gives names used nowhere in it.
      filename: the file it stands in, and ``name`` its qualified name: what its effects are counted under.
      mangled_by: the class that mangles its private names, or None.
      assumed: global names whose meaning was looked up → that meaning (MISSING: not a global then); the converted
        code holds
        as long as these are so.
    """

    names: Mapping[str, Any]
    free: frozenset[str]
    frozen_modules: frozenset[str]
    fresh: Fresh
    filename: str
    name: str
    mangled_by: str | None = None
    assumed: dict[str, Any] = field(default_factory=dict)

    def builtin(self, name: str, function: Function) -> Any:
        """The builtin that a name means here; MISSING if it means something else."""
        if function.binds(name) or name in self.free or name in self.names or not hasattr(builtins, name):
            return MISSING
        self.assumed[name] = MISSING
        return getattr(builtins, name)

    def frozen(self, node: ast.expr, function: Function) -> bool:
        """True for ``tf.a.b``: a member of a global that is a module whose functions are never converted."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name) or function.binds(node.id) or node.id in self.free:
            return False
        module = self.names.get(node.id, MISSING)
        if not isinstance(module, ModuleType) or module.__name__.partition(".")[0] not in self.frozen_modules:
            return False
        self.assumed[node.id] = module
        return True


@dataclass
class Function:
    """One function being converted, nested ones included.

    Attributes:
      around: the surroundings.
      outer: the function it is nested in.
      bound: the names that are its own variables.
      nonlocals: names it declares ``global`` or ``nonlocal``.
      globals: names it declares ``global``.
      liveness: of its body (None for lambdas).
      captured: its variables that nested functions use.
      first: the name of its first parameter.
    """

    around: Surroundings
    outer: Function | None
    bound: frozenset[str]
    nonlocals: frozenset[str]
    globals: frozenset[str]
    captured: frozenset[str]
    first: str | None
    liveness: Liveness | None = None

    def binds(self, name: str) -> bool:
        """True if the name is a variable of this function or one around it."""
        function: Function | None = self
        while function is not None:
            if name in function.globals:
                return False
            if name in function.bound:
                return True
            function = function.outer
        return False


COUNTS: Final = "graphlab_counts"
"""The attribute by which nodes that only count are known; listings leave them out."""


def count(node: ast.stmt, around: Surroundings, *, at: ast.stmt, name: str = "") -> ast.Expr:
    """``ag.ran(place)``, a statement at a place of its own that counts a node."""
    place = constant((around.filename, node.lineno, node.col_offset, name), at)
    statement = ast.copy_location(ast.Expr(call("ran", [place], at)), at)
    setattr(statement, COUNTS, True)
    return statement


def counted(value: ast.expr, around: Surroundings) -> ast.expr:
    """``ag.after(value, place)``, which counts an expression."""
    place = constant((around.filename, value.lineno, value.col_offset, ""), value)
    made = call("after", [value, place], value)
    setattr(made, COUNTS, True)
    return made


def operator(name: str, at: ast.AST) -> ast.expr:
    """``ag.name``."""
    return ast.copy_location(ast.Attribute(load(AG, at), name, ast.Load()), at)


def call(name: str, args: list[ast.expr], at: ast.AST, **keywords: ast.expr | None) -> ast.Call:
    """``ag.name(...)`` at another node's place; keywords that are None are left out."""
    given = [ast.copy_location(ast.keyword(k, v), at) for k, v in keywords.items() if v is not None]
    return ast.copy_location(ast.Call(operator(name, at), args, given), at)


def thunk(body: ast.expr) -> ast.Lambda:
    """``lambda: body``."""
    empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(empty, body), body)


def has_walrus(node: ast.AST) -> bool:
    """True if evaluating the node in a function of its own would make ``:=`` bind the wrong variable."""
    return any(isinstance(n, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for n in ast.walk(node))
