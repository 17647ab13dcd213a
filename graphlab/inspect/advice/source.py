"""A function's or module's tree: its statements and scopes in the order of the source, and what its names are."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Source:
    """A tree with the ways to go through it.

    Attributes:
        tree: The function, or a module's statements.
        names: What outer names are (`module:numpy`, `list`, `generator`, …).
        enclosing: The names of the functions around it, when those are read too: what they hold is not from outside.
        parents: The node around each node.
    """

    def __init__(
        self, tree: Function | ast.Module, names: Mapping[str, str], enclosing: frozenset[str] = frozenset()
    ) -> None:
        self.tree, self.names, self.enclosing = tree, names, enclosing
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = []
        for node in ast.walk(tree):
            self.nodes.append(node)
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self._placed = sorted(
            (node for node in self.nodes if hasattr(node, "lineno")),
            key=lambda node: (node.lineno, node.col_offset),  # type: ignore[attr-defined]
        )
        self._walked: dict[Any, list[Any]] = {}
        self._scopes: dict[ast.AST, ast.AST] = {}
        self._locals: set[str] | None = None

    # ----------------------------------------------------------------------------------------------------- the function

    @property
    def body(self) -> Sequence[ast.stmt]:
        """The statements; of a lambda, its value as one."""
        if isinstance(self.tree, ast.Lambda):
            made = ast.Expr(self.tree.body)
            return [ast.copy_location(made, self.tree.body)]
        return self.tree.body

    @property
    def parameters(self) -> list[ast.arg]:
        """The parameters, `self` and `cls` included."""
        if isinstance(self.tree, ast.Module):
            return []
        args = self.tree.args
        return [*args.posonlyargs, *args.args, *args.kwonlyargs]

    @property
    def name(self) -> str | None:
        """The function's name; None for a lambda or a module."""
        return None if isinstance(self.tree, ast.Lambda | ast.Module) else self.tree.name

    def walk(self, *types: type[Any], nested: bool = False) -> Iterator[Any]:
        """Nodes of the given types in the order of the source; with `nested`, those of inner functions too."""
        found = self._walked.get((types, nested))
        if found is None:
            found = self._walked[types, nested] = [
                node
                for node in self._placed
                if isinstance(node, types) and not self.outside(node) and (nested or self.scope(node) is self.tree)
            ]
        return iter(found)

    def outside(self, node: ast.AST) -> bool:
        """True for decorators and defaults, which run where the function is defined."""
        tree = self.tree
        if isinstance(tree, ast.Module):
            return False
        while node in self.parents and self.parents[node] is not tree:
            node = self.parents[node]
        if isinstance(tree, ast.Lambda):
            return node is not tree.body
        return node not in tree.body

    def scope(self, node: ast.AST) -> ast.AST:
        """The innermost function or class around a node."""
        found = self._scopes.get(node)
        if found is None:
            parent = self.parents.get(node)
            if parent is None or parent is self.tree or isinstance(parent, _SCOPES):
                found = parent or self.tree
            else:
                found = self.scope(parent)
            self._scopes[node] = found
        return found

    def around(self, node: ast.AST, *types: type[Any]) -> Iterator[Any]:
        """The nodes of the given types around a node, innermost first, within its function."""
        current = self.parents.get(node)
        while current is not None and current is not self.tree and not isinstance(current, _SCOPES):
            if isinstance(current, types):
                yield current
            current = self.parents.get(current)

    def lifted(self, node: ast.AST) -> bool:
        """True under `tf.init_scope`, where tensors have values."""
        return any(
            self.tf(item.context_expr) == "init_scope" for with_ in self.around(node, ast.With) for item in with_.items
        )

    def locals(self) -> set[str]:
        """The names that the function assigns itself."""
        if self._locals is None:
            found = {arg.arg for arg in self.parameters}
            outer = {name for node in self.walk(ast.Global, ast.Nonlocal) for name in node.names}
            for node in self.nodes:
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and self.scope(node) is self.tree:
                    found.add(node.id)
            self._locals = found - outer
        return self._locals

    def stores(self) -> frozenset[str | None]:
        """The names and attributes that the function assigns, dotted."""
        found = self.walk(ast.Attribute, ast.Name)
        return frozenset(self.dotted(node) for node in found if isinstance(node.ctx, ast.Store))

    # ------------------------------------------------------------------------------------------------------------ names

    def dotted(self, node: ast.AST) -> str | None:
        """`a.b.c` for an expression that is such a name, else None."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None

    def full(self, node: ast.AST) -> str | None:
        """The name with its module's own in front: `numpy.random.rand`, `graphlab.print`; None for others."""
        dotted = self.dotted(node)
        if dotted is None:
            return None
        first, _, rest = dotted.partition(".")
        if first in self.locals() or first in self.enclosing:
            return None  # a parameter may be called `time`, or `random`
        kind = self.names.get(first, "")
        if kind.startswith("module:"):
            return kind[7:] + (f".{rest}" if rest else "")
        if kind.startswith(("function:", "class:")) and not rest:
            return kind.partition(":")[2]
        return dotted if first not in self.names else None

    def tf(self, node: ast.AST) -> str | None:
        """The name of a call of graphlab's, without the module: `math.log`; None for any other node."""
        if not isinstance(node, ast.Call):
            return None
        full = self.full(node.func)
        if full is None or not full.startswith("graphlab."):
            return None
        return full.removeprefix("graphlab.")
