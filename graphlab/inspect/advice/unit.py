"""A piece of code as the rules read it: its tree, what its names are, which expressions are tensors, its records."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from graphlab.core.position import is_internal
from graphlab.inspect.subject import Subject, root
from graphlab.messages import Message, message

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_STATIC: Final = frozenset(("shape", "dtype", "ndim", "name", "device", "graph", "op"))
"""Attributes of a tensor that are known while tracing."""
_CONTAINERS: Final = frozenset(("list", "tuple", "dict", "namedtuple", "attrs", "dataclass"))
"""Kinds of arguments that have others in them."""
_NO_TENSORS: Final = frozenset(("literal", "object", "custom"))
"""Kinds of arguments that are Python's."""
_NOT_TENSORS: Final = frozenset(
    (
        "TensorSpec", "TensorShape", "as_dtype", "GradientTape", "TensorArray", "function", "Module", "name_scope",
        "print", "config.run_functions_eagerly", "random.set_seed", "get_static_value", "is_tensor", "nest.flatten",
        "executing_eagerly", "inside_function", "Variable", "rank", "custom_gradient", "random.Generator",
    )
)  # fmt: skip


class Unit:
    """What a rule looks at.

    Attributes:
        tree: The function, or a module's statements.
        traced: It is run as a graph.
        subject: The records, when there are any.
        names: What outer names are (`module:numpy`, `list`, `generator`, …).
        tensors: Names that hold tensors.
        lines: The source's lines by number.
    """

    def __init__(
        self,
        tree: Function | ast.Module,
        lines: Mapping[int, str],
        names: Mapping[str, str],
        *,
        traced: bool,
        subject: Subject | None = None,
    ) -> None:
        self.tree, self.lines, self.names = tree, lines, names
        self.traced, self.subject = traced, subject
        self.alias = subject.alias if subject is not None else _alias(names)
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
        self.dtypes: dict[str, str] = {}
        self.containers: set[str] = set()  # arguments with tensors in them, and with nothing else
        self.places: set[str] = set()  # places in arguments where tensors are: `d['b']`
        self.variables: set[str] = set()  # arguments that are variables
        self.tensors = self._arguments()
        self._infer()

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

    # ---------------------------------------------------------------------------------------------------------- tensors

    def _arguments(self) -> set[str]:
        found: set[str] = set()
        keys = [record.key for record in self.subject.traces] if self.subject else []
        keys += [record.key for record in self.subject.failures] if self.subject else []
        if keys:
            mixed: set[str] = set()
            containers: set[str] = set()
            for key in keys:
                for leaf in key:
                    name = root(leaf.path)
                    if name != leaf.path and leaf.kind in _NO_TENSORS:
                        mixed.add(name)
                    if name == leaf.path and leaf.kind in _CONTAINERS:
                        containers.add(name)
                    if leaf.kind in ("tensor", "variable"):
                        self.places.add(leaf.path)
                        if name == leaf.path:
                            found.add(name)
                            if leaf.kind == "variable":
                                self.variables.add(name)
                            known = self.dtypes.setdefault(name, leaf.data["dtype"])
                            if known != leaf.data["dtype"]:  # of several dtypes nothing is certain
                                self.dtypes[name] = ""
                        else:
                            self.containers.add(name)
            self.containers -= mixed
            return found - containers  # a tensor in one trace and a structure in another: nothing is certain
        if self.traced and not isinstance(self.tree, ast.Module):
            # Not called yet: a parameter without default is taken for a tensor.
            args = self.tree.args
            positional = [*args.posonlyargs, *args.args]
            plain = positional[: len(positional) - len(args.defaults)]
            found = {arg.arg for arg in plain if arg.arg not in ("self", "cls")}
        return found

    def _infer(self) -> None:
        for name, kind in self.names.items():
            if kind.startswith(("variable", "tensor")) and name not in self.locals():
                self.tensors.add(name)
                self.dtypes.setdefault(name, kind.partition(":")[2])
        for _ in range(3):
            before = len(self.tensors)
            for node in self.walk(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.NamedExpr):
                if isinstance(node, ast.For):
                    if self.is_tensor(node.iter):
                        self._names(node.target)
                elif node.value is not None and self.is_tensor(node.value):
                    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                        self._names(target)
                        if isinstance(target, ast.Name) and (dtype := self.dtype(node.value)):
                            self.dtypes.setdefault(target.id, dtype)
            if len(self.tensors) == before:
                break

    def _names(self, target: ast.expr) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.tensors.add(node.id)

    def is_tensor(self, node: ast.AST | None) -> bool:
        """True for an expression that is certainly a tensor."""
        if isinstance(node, ast.Name):
            return node.id in self.tensors
        if isinstance(node, ast.Attribute):
            if node.attr in _STATIC:
                return False
            dotted = self.dotted(node)
            return dotted is not None and self.names.get(dotted, "").startswith(("variable", "tensor"))
        if isinstance(node, ast.BinOp):
            return self.is_tensor(node.left) or self.is_tensor(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.is_tensor(node.operand)
        if isinstance(node, ast.BoolOp):
            return any(self.is_tensor(value) for value in node.values)
        if isinstance(node, ast.Compare):
            if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
                return False
            return any(self.is_tensor(part) for part in (node.left, *node.comparators))
        if isinstance(node, ast.Subscript):
            if self.is_tensor(node.value) or ast.unparse(node) in self.places:
                return True
            return isinstance(node.value, ast.Name) and node.value.id in self.containers
        if isinstance(node, ast.IfExp):
            return self.is_tensor(node.body) or self.is_tensor(node.orelse)
        if isinstance(node, ast.Call):
            name = self.tf(node)
            if name is not None:
                return name not in _NOT_TENSORS and not name[:1].isupper() and ".set_" not in f".{name}"
            if isinstance(node.func, ast.Name) and node.func.id in ("abs", "sum", "max", "min", "round"):
                return any(self.is_tensor(arg) for arg in node.args)
            return (
                isinstance(node.func, ast.Attribute)
                and node.func.attr not in ("numpy", "get_shape", "set_shape", "assign", "assign_add", "assign_sub")
                and self.is_tensor(node.func.value)
            )
        return False

    def dtype(self, node: ast.AST | None) -> str | None:
        """The dtype of an expression, as far as it shows: literals, typed arguments, casts, constants."""
        if isinstance(node, ast.Constant):
            names = {bool: "bool", int: "int32", float: "float32", str: "string"}
            return names.get(type(node.value))
        if isinstance(node, ast.UnaryOp):
            return "bool" if isinstance(node.op, ast.Not) else self.dtype(node.operand)
        if isinstance(node, ast.Compare):
            return "bool"
        if isinstance(node, ast.Name):
            return self.dtypes.get(node.id) or None
        if isinstance(node, ast.BinOp):
            left, right = self.dtype(node.left), self.dtype(node.right)
            if isinstance(node.right, ast.Constant):
                return left or right
            return right if isinstance(node.left, ast.Constant) else left or right
        if isinstance(node, ast.Subscript):
            return self.dtype(node.value)
        name = self.tf(node) if node is not None else None
        if name == "cast" and isinstance(node, ast.Call) and len(node.args) > 1:
            return (self.full(node.args[1]) or "").rpartition(".")[2] or None
        if name in ("constant", "Variable", "convert_to_tensor") and isinstance(node, ast.Call) and node.args:
            for given in [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "dtype")]:
                found = self.full(given)
                if found is not None and found.startswith("graphlab."):
                    return found.rpartition(".")[2]
            value: ast.AST = node.args[0]
            while isinstance(value, ast.List | ast.Tuple) and value.elts:
                value = value.elts[0]
            return self.dtype(value)
        return None

    def branches(self, node: ast.AST) -> Iterator[ast.If | ast.While | ast.For | ast.IfExp]:
        """The conditions and loops around a node that tensors decide: graph code."""
        for outer in self.around(node, ast.If, ast.While, ast.For, ast.IfExp):
            if self.is_tensor(outer.iter if isinstance(outer, ast.For) else outer.test):
                yield outer

    # ------------------------------------------------------------------------------------------------------------- text

    def line(self, node: Any) -> str:
        """The first source line of a node, stripped."""
        return self.lines.get(node.lineno, "").strip()

    def text(self, node: ast.AST) -> str:
        """The source of an expression on one line."""
        return ast.unparse(node)

    def rewritten(self, node: Any, new: str) -> str:
        """The line of a node with the node's text replaced; a node of several lines becomes one."""
        first, last = node.lineno, node.end_lineno or node.lineno
        head = self.lines.get(first, "").encode()[: node.col_offset].decode(errors="replace")
        tail = self.lines.get(last, "").encode()[node.end_col_offset :].decode(errors="replace")
        return (head + new + tail).strip()

    # --------------------------------------------------------------------------------------------------------- evidence

    def ran(self, node: ast.AST) -> Message | None:
        """How often a statement that runs while tracing ran, when the records tell it."""
        subject = self.subject
        if subject is None or not subject.traces:
            return None
        if any(True for _ in self.around(node, ast.If, ast.For, ast.While, ast.Try, ast.IfExp)):
            return None
        times = len(subject.new) if subject.watched and subject.calls else len(subject.traces)
        if subject.watched and subject.calls:
            return message(
                "advice.evidence.times",
                times=message("count.times", n=times),
                calls=message("count.for_calls", n=subject.call_count),
            )
        return message("advice.evidence.traces", times=message("count.times", n=times))


def _alias(names: Mapping[str, str]) -> str:
    found = [name for name, kind in names.items() if kind == "module:graphlab"]
    return "tf" if "tf" in found or not found else found[0]


def unit_of(subject: Subject) -> Unit | None:
    """The unit of a traced function; None when its source is not at hand, does not stand alone, or is graphlab's."""
    if subject.filename is not None and is_internal(subject.filename):
        return None
    if not subject.source or subject.line is None:
        return None
    text = textwrap.dedent(subject.source)
    indent = len(subject.source) - len(subject.source.lstrip()) - (len(text) - len(text.lstrip()))
    tree = parsed(text)
    if tree is None:
        return None
    ast.increment_lineno(tree, subject.line - 1)
    for node in ast.walk(tree):
        if hasattr(node, "col_offset"):
            node.col_offset += indent
            node.end_col_offset += indent  # type: ignore[attr-defined]
    lines = dict(enumerate(subject.source.split("\n"), subject.line))
    found: Function | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == subject.own_name:
            found = node
            break
        if isinstance(node, ast.Lambda) and _fits(node, subject):
            found = node
            break
    return None if found is None else Unit(found, lines, subject.names, traced=True, subject=subject)


def _fits(node: ast.Lambda, subject: Subject) -> bool:
    if "lambda" not in subject.name:
        return False
    names = [arg.arg for arg in [*node.args.posonlyargs, *node.args.args]]
    return names == list(subject.parameters)


def parsed(text: str) -> ast.Module | None:
    """Source that may begin in the middle of an expression, as that of a lambda does."""
    for attempt in (text, f"({text.strip()})", text.strip().rstrip(",").rstrip(")"), f"{text.rstrip()}\n    pass"):
        try:
            return ast.parse(attempt)
        except (SyntaxError, ValueError):
            continue
    return None


def module_units(text: str, subjects: Sequence[Subject] = (), outer: Mapping[str, str] | None = None) -> list[Unit]:
    """The units of a source text: each function that it traces, and the whole, for the rules that hold anywhere."""
    text = "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in text.split("\n"))
    tree = parsed(text)
    if tree is None:
        return []
    lines = dict(enumerate(text.split("\n"), 1))
    names = {**(outer or {}), **module_names(tree, outer or {})}
    known = {subject.def_line or subject.line for subject in subjects}
    units = [Unit(tree, lines, names, traced=False)]
    whole = units[0]
    wrapped: set[str] = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and whole.tf(call) == "function":
            for arg in call.args[:1]:
                if isinstance(arg, ast.Name):
                    wrapped.add(arg.id)
                elif isinstance(arg, ast.Lambda) and arg.lineno not in known:
                    units.append(Unit(arg, lines, names, traced=True))
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or node.lineno in known:
            continue
        if node.name in wrapped or any(_is_function(whole, decorator) for decorator in node.decorator_list):
            units.append(Unit(node, lines, names, traced=True))
    return units


def _is_function(unit: Unit, decorator: ast.expr) -> bool:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return unit.full(target) == "graphlab.function"


def module_names(tree: ast.Module, outer: Mapping[str, str]) -> dict[str, str]:
    """What the names of a module are, as far as its text tells."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                found[item.asname or item.name.partition(".")[0]] = f"module:{item.name}"
        elif isinstance(node, ast.ImportFrom) and node.module:
            for item in node.names:
                found[item.asname or item.name] = f"function:{node.module}.{item.name}"
    unit = _Kinds(found, outer)
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    unit.note(target.id, statement.value)
                elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                    for part, value in zip(target.elts, statement.value.elts, strict=False):
                        if isinstance(part, ast.Name):
                            unit.note(part.id, value)
        elif isinstance(statement, ast.FunctionDef):
            generator = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(statement))
            found[statement.name] = "generator" if generator else f"function:__main__.{statement.name}"
    return found


class _Kinds:
    def __init__(self, names: dict[str, str], outer: Mapping[str, str]) -> None:
        self.names, self.outer = names, outer

    def note(self, name: str, value: ast.expr) -> None:
        kinds = {ast.List: "list", ast.Dict: "dict", ast.Set: "set", ast.ListComp: "list"}
        kind = kinds.get(type(value))
        if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
            kind = "number"
        elif isinstance(value, ast.Call):
            unit = Unit(ast.Module([], []), {}, {**self.outer, **self.names}, traced=False)
            called = unit.tf(value)
            if called in ("Variable", "constant"):
                kind = f"{'variable' if called == 'Variable' else 'tensor'}:{unit.dtype(value) or ''}"
            elif isinstance(value.func, ast.Name) and value.func.id in ("list", "dict", "set"):
                kind = value.func.id
        if kind is not None:
            self.names[name] = kind
