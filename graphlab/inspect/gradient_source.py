"""Where the text of a program cuts a value off from a tape: the lines between a source and a target.

Operations that run eagerly keep no position, so their lines are found in the source: what the target's name was
computed from, statement by statement, back to the name of the source; in a notebook through the cells that ran before.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Final

from graphlab.core.position import is_internal
from graphlab.core.syntax import parse

_PYTHON: Final = frozenset(("float", "int", "bool", "complex", "str", "list"))
_LEAVING: Final = frozenset(("numpy", "item", "tolist"))
_COPYING: Final = frozenset(("constant", "Variable"))
_INTEGER: Final = frozenset(("argmax", "argmin", "argsort", "searchsorted", "shape", "size", "rank"))
_FLAT: Final = frozenset(("round", "floor", "ceil", "rint"))
_FUNCTIONS: Final = frozenset(("py_function", "numpy_function"))
_ASSIGNING: Final = frozenset(("assign", "assign_add", "assign_sub"))
_DEPTH: Final = 60
_FUNCTIONS_READ: Final = 20
_CELLS: Final = 200


@dataclass(frozen=True)
class Cut:
    """Where a value is cut off.

    Attributes:
      kind: the last part of the message's id: ``left``, ``outside``, ...
      line: the line in the file.
      code: that line, or the expression.
      op: the call that cuts.
      dtype: what it gives, of ``to_integer``.
      function: the function in which the line stands, or the cell (``In[3]``), if it is another one.
    """

    kind: str
    line: int
    code: str
    op: str = ""
    dtype: str = ""
    function: str = ""


@dataclass(frozen=True)
class _Step:
    """A statement that gives a name a value."""

    name: str
    value: ast.expr
    line: int
    taped: bool
    paused: bool
    assigned: bool = False
    text: str = ""
    cell: str = ""

    def cut(self, kind: str, op: str = "") -> Cut:
        """A cut at the whole statement."""
        return Cut(kind, self.line, self.text, op, function=self.cell)


class Program:
    """The statements of the function (or module, or cell) in which a frame is, up to the line that runs now."""

    def __init__(self, frame: FrameType) -> None:
        self._frame = frame
        self.lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
        self._steps: list[_Step] = []
        self._taped = False
        self._cell = ""
        self._scope_node: Any = None
        self.call: ast.Call | None = None
        try:
            tree = parse("".join(self.lines))
        except (SyntaxError, ValueError, RecursionError):
            return
        scope = self._scope(tree, frame)
        self._scope_node = scope
        self.call = self._find_call(scope, frame.f_lineno)
        if scope is tree:
            self._collect_cells()
        self._collect(scope.body, None, False)

    def _collect_cells(self) -> None:
        """The statements of the notebook's cells that ran before, in the order in which they did."""
        cells = self._frame.f_globals.get("In")
        if not isinstance(cells, list) or "_ih" not in self._frame.f_globals:
            return
        own = self.lines
        for number in range(max(1, len(cells) - _CELLS), len(cells)):
            try:
                tree = parse(cells[number])
            except (SyntaxError, ValueError, RecursionError, TypeError):
                continue
            lines = cells[number].splitlines(keepends=True)
            if number == len(cells) - 1 and "".join(lines).strip() == "".join(own).strip():
                continue
            self.lines, self._cell = lines, f"In[{number}]"
            self._collect(tree.body, None, False)
        self.lines, self._cell = own, ""

    def name(self, position: int, role: str, value: Any) -> str | None:
        """How the call that runs now names an argument; else a local name of the value."""
        if self.call is not None:
            given = dict(enumerate(self.call.args)).get(position)
            given = given or next((k.value for k in self.call.keywords if k.arg == role), None)
            if given is not None and not isinstance(given, ast.Starred):
                return ast.unparse(given)
        return next((name for name, found in self._frame.f_locals.items() if found is value), None)

    @staticmethod
    def _scope(tree: Any, frame: FrameType) -> Any:
        found = tree
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                if node.name == frame.f_code.co_name and first <= frame.f_lineno <= (node.end_lineno or first):
                    found = node
        return found

    @staticmethod
    def _find_call(scope: Any, line: int) -> ast.Call | None:
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or line):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name == "explain_gradient":
                    return node
        return None

    # -- statements ----------------------------------------------------------------------------------------------------

    def _collect(self, body: list[ast.stmt], taped: bool | None, paused: bool) -> None:
        for node in body:
            if not self._cell and node.lineno > self._frame.f_lineno:
                return
            self._statement(node, bool(taped), paused)
            inside, stopped = taped, paused
            if isinstance(node, ast.With):
                calls = [item.context_expr for item in node.items]
                if any(_called(call) == "GradientTape" or self._is_tape(call) for call in calls):
                    inside = self._taped = True
                stopped = paused or any(_called(call) == "stop_recording" for call in calls)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            for field in ("body", "orelse", "finalbody"):
                self._collect(getattr(node, field, None) or [], inside, stopped)

    def _is_tape(self, node: ast.expr) -> bool:
        """Whether this is the name of a tape that is entered again."""
        found = self._frame.f_globals.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Name):
            found = self._frame.f_locals.get(node.id, found)
        return type(found).__name__ == "GradientTape"

    def _statement(self, node: ast.stmt, taped: bool, paused: bool) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names = [t for t in ast.walk(target) if isinstance(t, ast.Name) and isinstance(t.ctx, ast.Store)]
                parts = _parts(target, node.value)
                for name in names:
                    self._step(name.id, parts.get(name.id, node.value), node, taped, paused)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self._step(node.target.id, node.value, node, taped, paused)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            both = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            ast.copy_location(both, node)
            ast.fix_missing_locations(both)
            self._step(node.target.id, both, node, taped, paused)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and function.attr in _ASSIGNING and node.value.args:
                variable = ast.unparse(function.value)
                self._step(variable, node.value, node, taped, paused, assigned=True)

    def _step(
        self, name: str, value: ast.expr, node: ast.stmt, taped: bool, paused: bool, assigned: bool = False
    ) -> None:
        text = self.text(node.lineno)
        self._steps.append(_Step(name, value, node.lineno, taped, paused, assigned, text, self._cell))

    # -- the way back --------------------------------------------------------------------------------------------------

    def cuts(self, target: str, source: str) -> list[Cut] | None:
        """The cuts between two names, nearest to the source first; None if the text shows no way between them."""
        return self._back(target, len(self._steps), source, 0, set())

    def rebound(self, source: str) -> Cut | None:
        """Where a name that the tape knew came to stand for something else, computed from itself."""
        steps = [step for step in self._steps if step.name == source and not step.assigned]
        for later in steps[1:]:
            if any(isinstance(n, ast.Name) and n.id == source for n in ast.walk(later.value)):
                return later.cut("rebound")
        return None

    def line_of(self, op: str) -> tuple[int, str, str] | None:
        """The line that calls a function of an op's name, such as ``StopGradient``: line, text, name of the function.

        The name is empty for a line of the function that runs; else it is one that the function calls.
        """
        trees = [step.value for step in self._steps]
        for step in reversed(self._steps):
            for node in ast.walk(step.value):
                if isinstance(node, ast.Call) and is_call_of(op, _called(node)):
                    return node.lineno, step.text, step.cell
        for name, lines, body, _ in called_functions(trees, self._globals()):
            for node in ast.walk(body):
                if isinstance(node, ast.Call) and is_call_of(op, _called(node)):
                    return node.lineno, lines[node.lineno - 1].strip(), name
        return None

    def own_gradient(self) -> Cut | None:
        """The ``return`` of a gradient that the program defines itself and that gives None."""
        trees: list[Any] = [step.value for step in reversed(self._steps)]
        for name, lines, body, _ in called_functions(trees, self._globals()):
            if not any(_last(decorator) == "custom_gradient" for decorator in body.decorator_list):
                continue
            inner: Iterator[Any] = (
                node for node in ast.walk(body) if isinstance(node, ast.Lambda | ast.FunctionDef) and node is not body
            )
            for gradient in inner:
                places: list[Any]
                if isinstance(gradient, ast.Lambda):
                    places = [gradient.body] if _gives_none(gradient.body) else []
                else:
                    places = [
                        node
                        for node in ast.walk(gradient)
                        if isinstance(node, ast.Return) and (node.value is None or _gives_none(node.value))
                    ]
                for node in places:
                    return Cut("custom", node.lineno, lines[node.lineno - 1].strip(), name, function=name)
            return Cut("custom", body.lineno, lines[body.lineno - 1].strip(), name, function=name)
        return None

    def made(self, target: str) -> Cut | None:
        """Where the target was computed last."""
        step = next((step for step in reversed(self._steps) if step.name == target and not step.assigned), None)
        return None if step is None else step.cut("unused")

    def persistent(self, tape: str) -> str | None:
        """The line that opens the tape, as it would open one that may be asked again."""
        for node in ast.walk(self._scope_node) if self._scope_node is not None else ():
            if not isinstance(node, ast.With) or node.lineno > self._frame.f_lineno:
                continue
            for item in node.items:
                call = item.context_expr
                named = item.optional_vars is not None and ast.unparse(item.optional_vars) == tape
                if named and isinstance(call, ast.Call) and _called(call) == "GradientTape" and not call.args:
                    keywords = [k for k in call.keywords if k.arg != "persistent"]
                    call.keywords = [ast.keyword("persistent", ast.Constant(True)), *keywords]
                    return f"with {', '.join(map(ast.unparse, node.items))}:"
        return None

    def text(self, line: int) -> str:
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""

    def _back(self, name: str, before: int, source: str, depth: int, seen: set[tuple[str, int]]) -> list[Cut] | None:
        if depth > _DEPTH or (name, before) in seen:
            return None
        seen.add((name, before))
        at = next((i for i in range(before - 1, -1, -1) if self._steps[i].name == name), None)
        if name == source and (at is None or depth or not self._steps[at].taped):
            return []
        if at is None:
            return None
        step = self._steps[at]
        here: list[Cut] = []
        if step.assigned:
            here.append(step.cut("assigned", ast.unparse(step.value)))
        elif self._taped and step.paused:
            here.append(step.cut("paused"))
        elif self._taped and not step.taped:
            here.append(step.cut("outside"))
        value = step.value.args[0] if step.assigned and isinstance(step.value, ast.Call) else step.value
        for found, cut in _uses(value, self._globals(), source):
            way = self._back(found, at, source, depth + 1, seen)
            if cut is not None and step.cell and not cut.function:
                cut = replace(cut, function=step.cell)
            if way is not None:
                return way + ([cut] if cut is not None else []) + here
        return None

    def _globals(self) -> dict[str, Any]:
        return {**self._frame.f_globals, **self._frame.f_locals}


def called_functions(trees: list[Any], known: dict[str, Any]) -> Iterator[tuple[str, list[str], Any, dict[str, Any]]]:
    """The functions of the user that expressions call, and those that these call: name, file's lines, tree, globals."""
    seen: set[Any] = set()
    pending = [(tree, known) for tree in trees]
    while pending and len(seen) < _FUNCTIONS_READ:
        tree, names = pending.pop(0)
        for node in ast.walk(tree):
            function = _function(node, names)
            if function is None or function.__code__ in seen:
                continue
            seen.add(function.__code__)
            lines = linecache.getlines(function.__code__.co_filename, function.__globals__)
            body = _definition(lines, function.__code__)
            if body is not None:
                yield function.__name__, lines, body, function.__globals__
                pending.append((body, function.__globals__))


def _function(node: ast.AST, names: dict[str, Any]) -> Any:
    """The plain Python function that a call calls; None for anything else."""
    if not isinstance(node, ast.Call):
        return None
    found: Any = None
    if isinstance(node.func, ast.Name):
        found = names.get(node.func.id)
    elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        owner = names.get(node.func.value.id)
        found = getattr(type(owner), node.func.attr, None) if not isinstance(owner, ModuleType) else None
    # What `tf.custom_gradient` makes of a function has that function behind it.
    found = getattr(found, "__wrapped__", found) if callable(found) else found
    return found if isinstance(found, FunctionType) and not is_internal(found.__code__.co_filename) else None


def _last(decorator: ast.expr) -> str:
    return decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")


def _gives_none(value: ast.expr) -> bool:
    """Whether an expression gives None, alone or among others."""
    parts = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
    return any(isinstance(part, ast.Constant) and part.value is None for part in parts)


def _definition(lines: list[str], code: CodeType) -> Any:
    try:
        tree = parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name != code.co_name:
            continue
        if min([node.lineno, *(d.lineno for d in node.decorator_list)]) == code.co_firstlineno:
            return node
    return None


def _parts(target: ast.expr, value: ast.expr) -> dict[str, ast.expr]:
    """``a, b = x, y``: which name gets which."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return {t.id: v for t, v in zip(target.elts, value.elts, strict=True) if isinstance(t, ast.Name)}
    return {}


def is_call_of(op: str, name: str) -> bool:
    """Whether a function of a name makes operations of a type: `matmul` MatMul, `poisson` RandomPoissonV2.

    >>> is_call_of("StopGradient", "stop_gradient"), is_call_of("RandomPoissonV2", "poisson"), is_call_of("Mul", "l")
    (True, True, False)
    """
    made, name = re.sub(r"v\d+$", "", op.rpartition(".")[2].replace("_", "").lower()), name.replace("_", "").lower()
    return bool(name) and (made == name or (len(name) > 4 and made.endswith(name)))


def _called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _uses(value: ast.expr, known: dict[str, Any], source: str) -> Iterator[tuple[str, Cut | None]]:
    """The names in an expression (and ``self.w``, if that is the source), each with the innermost cut around it."""

    def walk(node: ast.AST, cut: Cut | None) -> Iterator[tuple[str, Cut | None]]:
        if isinstance(node, ast.Name):
            yield node.id, cut
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, (ast.Attribute, ast.Subscript)) and ast.unparse(node) == source:
            yield source, cut
            return
        own = _cut(node, known)
        for child in ast.iter_child_nodes(node):
            inside = own or cut
            if isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Attribute):
                yield from walk(child.value, inside)
            else:
                yield from walk(child, inside)

    return walk(value, None)


def _cut(node: ast.AST, known: dict[str, Any]) -> Cut | None:
    if isinstance(node, ast.Compare):
        return Cut("to_integer", node.lineno, ast.unparse(node), ast.unparse(node), "bool")
    if not isinstance(node, ast.Call):
        return None
    name, text = _called(node), ast.unparse(node)
    if _function(node, known) is not None:
        return _cut_inside(node, known)
    if isinstance(node.func, ast.Name) and name in _PYTHON:
        return Cut("left", node.lineno, text, name)
    if isinstance(node.func, ast.Attribute):
        if name in _LEAVING:
            return Cut("left", node.lineno, text, name)
        root: Any = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        owner = known.get(root.id) if isinstance(root, ast.Name) else None
        if isinstance(owner, ModuleType) and owner.__name__.partition(".")[0] in ("numpy", "math"):
            return Cut("left", node.lineno, text, ast.unparse(node.func))
        if not isinstance(owner, ModuleType):
            return None
    plain = ast.unparse(node.func)
    if name == "stop_gradient":
        return Cut("stopped", node.lineno, text, plain)
    if name in _FUNCTIONS:
        return Cut("python", node.lineno, text, plain)
    if name in _COPYING:
        return Cut("copied", node.lineno, text, plain)
    if name in _INTEGER:
        return Cut("to_integer", node.lineno, text, plain, "int32" if name in ("shape", "size", "rank") else "int64")
    if name in _FLAT:
        return Cut("no_gradient", node.lineno, text, plain)
    if name in ("cast", "saturate_cast") and len(node.args) > 1:
        dtype = ast.unparse(node.args[1]).rpartition(".")[2].strip("'\"")
        if dtype.startswith(("int", "uint", "bool")):
            return Cut("to_integer", node.lineno, text, plain, dtype)
    return None


def _cut_inside(call: ast.Call, known: dict[str, Any]) -> Cut | None:
    """What cuts in the functions that a call runs: the first expression that does."""
    for name, _, body, names in called_functions([call], known):
        for node in ast.walk(body):
            if _function(node, names) is None and not isinstance(node, ast.Compare):
                cut = _cut(node, names)
                if cut is not None:
                    return replace(cut, function=name)
    return None
