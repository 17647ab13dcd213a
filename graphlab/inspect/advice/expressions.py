"""Which expressions of a function are certainly tensors, and of what dtype, by its arguments and its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from graphlab.inspect.advice.source import Function, Source
from graphlab.inspect.subject import Subject, root
from graphlab.tracing.reasons import Key

_STATIC: Final = frozenset(("shape", "dtype", "ndim", "name", "device", "graph", "op"))
"""Attributes of a tensor that are known while tracing."""
_CONTAINERS: Final = frozenset(("list", "tuple", "dict", "namedtuple", "attrs", "dataclass"))
"""Kinds of arguments that have others in them."""
_NO_TENSORS: Final = frozenset(("literal", "object", "custom"))
"""Kinds of arguments that are Python's."""
_NOT_TENSORS: Final = frozenset(
    (
        "as_dtype", "function", "name_scope", "control_dependencies", "init_scope", "device", "group", "no_op",
        "print", "config.run_functions_eagerly", "get_static_value", "is_tensor", "executing_eagerly",
        "inside_function", "rank", "custom_gradient", "recompute_grad", "numpy_function", "autograph.to_code",
        "broadcast_static_shape", "type_spec_from_value", "while_loop", "cond", "case", "switch_case", "map_fn", "scan",
        "nest.map_structure", "nest.pack_sequence_as", "nest.is_nested", "nest.assert_same_structure", "get_logger",
    )
)  # fmt: skip
"""Functions whose results are no tensors, or structures that the text does not tell."""
_LISTS: Final = frozenset(
    (
        "unstack", "split", "meshgrid", "dynamic_partition", "nest.flatten", "unique", "unique_with_counts",
        "linalg.qr", "linalg.svd", "linalg.eigh", "linalg.eig", "linalg.lu", "linalg.slogdet", "linalg.global_norm",
        "math.top_k", "nn.top_k", "nn.moments", "math.frexp", "shape_n", "clip_by_global_norm",
    )
)  # fmt: skip
"""Functions whose results are lists or tuples of tensors, over which a loop is Python's."""
_PYTHON: Final = frozenset(
    (
        "len",
        "isinstance",
        "issubclass",
        "type",
        "str",
        "repr",
        "hasattr",
        "callable",
        "id",
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "sorted",
        "zip",
        "enumerate",
    )
)
"""Builtins whose results are Python's, whatever they are called with."""
_ANNOTATIONS: Final = frozenset(("int", "float", "bool", "str", "bytes", "list", "tuple", "dict", "Callable"))


@dataclass(frozen=True, slots=True)
class Given:
    """What is known of a function that a traced one called, by how it was called.

    Attributes:
        tensors: Its parameters, and names of the functions around it, that are tensors, with their dtypes or `""`.
        outer: Parameters that get something from outside of the trace, with what it is: `list`, `object:…`.
        enclosing: The names of the functions around it.
        inside: Its object, or class, is made in the trace: what it does to that is no effect.
        times: How often it began while the graph was made; None: not known.
        inner: It stands in a function that is looked at too.
    """

    tensors: Mapping[str, str] = field(default_factory=dict)
    outer: Mapping[str, str] = field(default_factory=dict)
    enclosing: frozenset[str] = frozenset()
    inside: bool = False
    times: int | None = None
    inner: bool = False


class Expressions(Source):
    """A source with what its expressions are.

    Attributes:
        subject: The records, when there are any.
        traced: It is run as a graph.
        given: What is known of a function that a traced one called; None for others.
        tensors: Names that hold tensors, and nothing else.
        dtypes: The dtypes of such names; `""` for one of several dtypes.
        lists: Names that hold lists of tensors.
        containers: Arguments with tensors in them, and with nothing else.
        places: Places in arguments where tensors are: `d['b']`.
        variables: Arguments that are variables.
    """

    def __init__(
        self,
        tree: Function | ast.Module,
        names: Mapping[str, str],
        *,
        traced: bool,
        subject: Subject | None,
        given: Given | None = None,
    ) -> None:
        super().__init__(tree, names, given.enclosing if given is not None else frozenset())
        self.traced, self.subject, self.given = traced, subject, given
        self.dtypes: dict[str, str] = {}
        self.lists: set[str] = set()
        self.containers: set[str] = set()
        self.places: set[str] = set()
        self.variables: set[str] = set()
        self.tensors = self._arguments()
        self._infer()

    # ---------------------------------------------------------------------------------------------------------- tensors

    def argument_keys(self, *, failures_only: bool = False) -> list[Key]:
        """The types of the arguments in each trace; none of a function that was called inside."""
        if self.subject is None or self.given is not None:
            return []
        good = [] if failures_only else self.subject.traces
        return [record.key for record in (*good, *self.subject.failures)]

    def _arguments(self) -> set[str]:
        found: set[str] = set()
        if self.given is not None:
            self.dtypes.update({name: dtype for name, dtype in self.given.tensors.items() if dtype})
            return set(self.given.tensors)
        keys = self.argument_keys()
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
            # Not called yet: a parameter without default is taken for a tensor, unless it is used as something else.
            args = self.tree.args
            positional = [*args.posonlyargs, *args.args]
            plain = positional[: len(positional) - len(args.defaults)]
            found = {arg.arg for arg in plain if arg.arg not in ("self", "cls") and not self._is_pythons(arg)}
        return found

    def _is_pythons(self, arg: ast.arg) -> bool:
        """Whether a parameter shows by its annotation or its use that it is no tensor."""
        named = arg.annotation.value if isinstance(arg.annotation, ast.Subscript) else arg.annotation
        if named is not None and (self.dotted(named) or "").rpartition(".")[2] in _ANNOTATIONS:
            return True
        for node in self.nodes:
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Name):
                    if node.func.id == arg.arg:
                        return True
                    tested = node.func.id in ("isinstance", "callable", "issubclass") and node.args
                    if tested and isinstance(node.args[0], ast.Name) and node.args[0].id == arg.arg:
                        return True
            elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == arg.arg:
                sides = [side.value for side in node.comparators if isinstance(side, ast.Constant)]
                if any(side is None or isinstance(side, str) for side in sides):
                    return True
        return False

    def _infer(self) -> None:
        own = self.locals()
        for name, kind in self.names.items():
            if kind.startswith(("variable", "tensor", "symbolic")) and name not in own:
                self.tensors.add(name)
                self.dtypes.setdefault(name, kind.partition(":")[2])
        given: dict[str, list[ast.expr | None]] = {}
        for name, value in self._assigned():
            given.setdefault(name, []).append(value)
        pythons = {name for name, values in given.items() if any(self._is_python(value) for value in values)}
        self.tensors -= pythons
        while True:
            before = len(self.tensors) + len(self.lists)
            for name, values in given.items():
                if name not in pythons and any(map(self.is_tensor, values)):
                    self.tensors.add(name)
                if any(map(self.is_list, values)):
                    self.lists.add(name)
            if len(self.tensors) + len(self.lists) == before:
                break
        self.tensors -= self.lists
        self._infer_dtypes({name: values for name, values in given.items() if name in self.tensors})

    def _infer_dtypes(self, given: Mapping[str, list[ast.expr | None]]) -> None:
        """What the assignments say together: a name that gets several dtypes, or one that does not show, has none."""
        for name, values in given.items():
            for value in values:
                if (dtype := self.dtype(value)) is not None:
                    self.dtypes.setdefault(name, dtype)
        changed = True
        while changed:
            changed = False
            for name, values in given.items():
                known = self.dtypes.get(name)
                if known and any(self.dtype(value) != known for value in values):
                    self.dtypes[name] = ""
                    changed = True

    def _assigned(self) -> Iterator[tuple[str, ast.expr | None]]:
        """The names that the function assigns with what they get; None for what the text does not tell."""
        for node in self.walk(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.NamedExpr, ast.withitem):
            if isinstance(node, ast.For):
                yield from self._parts(node.target, self._element(node.iter))
            elif isinstance(node, ast.withitem):
                if node.optional_vars is not None:
                    yield from self._parts(node.optional_vars, None)
            elif isinstance(node, ast.AugAssign):
                if isinstance(node.target, ast.Name):
                    read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
                    yield node.target.id, ast.copy_location(ast.BinOp(read, node.op, node.value), node)
            elif node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    yield from self._parts(target, node.value)

    def _parts(self, target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, ast.Tuple | ast.List):
            several = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
            for index, part in enumerate(target.elts):
                if several:
                    yield from self._parts(part, value.elts[index])  # type: ignore[union-attr]
                else:
                    yield from self._parts(part, None if value is None else self._element(value))

    def _element(self, value: ast.expr) -> ast.expr:
        """`value[0]`: what a loop over a value gets."""
        index = ast.copy_location(ast.Constant(0), value)
        return ast.copy_location(ast.Subscript(value, index, ast.Load()), value)

    def _is_python(self, node: ast.expr | None) -> bool:
        """True for an expression that is certainly no tensor and no number that may become one."""
        if isinstance(node, ast.Constant):
            return node.value is None or isinstance(node.value, str | bytes)
        if isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
            return True
        if isinstance(node, ast.JoinedStr | ast.Lambda | ast.GeneratorExp):
            return True
        if isinstance(node, ast.Attribute):
            return node.attr in _STATIC
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Attribute) and node.value.attr in _STATIC
        if isinstance(node, ast.BinOp):
            return self._is_python(node.left) and self._is_python(node.right)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in _PYTHON and node.func.id not in self.names
        return False

    def is_list(self, node: ast.AST | None) -> bool:
        """True for an expression that is certainly a list or a tuple of tensors: a loop over it is Python's."""
        if isinstance(node, ast.Name):
            return node.id in self.lists
        if isinstance(node, ast.List | ast.Tuple):
            return any(self.is_tensor(part) for part in node.elts)
        if isinstance(node, ast.ListComp):
            return self.is_tensor(node.elt)
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Slice) and self.is_list(node.value)
        return self.tf(node) in _LISTS if isinstance(node, ast.Call) else False

    def is_tensor(self, node: ast.AST | None) -> bool:
        """True for an expression that is certainly a tensor."""
        if isinstance(node, ast.Name):
            return node.id in self.tensors
        if isinstance(node, ast.Attribute):
            if node.attr in _STATIC:
                return False
            dotted = self.dotted(node)
            return dotted is not None and self.names.get(dotted, "").startswith(("variable", "tensor", "symbolic"))
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Mod) and self._is_python(node.left):
                return False  # a text is formatted
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
            if not isinstance(node.slice, ast.Slice) and self.is_list(node.value):
                return True
            return isinstance(node.value, ast.Name) and node.value.id in self.containers
        if isinstance(node, ast.IfExp):
            return self.is_tensor(node.body) and self.is_tensor(node.orelse)
        if isinstance(node, ast.NamedExpr):
            return self.is_tensor(node.value)
        return self._is_tensor_call(node) if isinstance(node, ast.Call) else False

    def _is_tensor_call(self, node: ast.Call) -> bool:
        name = self.tf(node)
        if name is not None:
            if name in _NOT_TENSORS or name in _LISTS or ".set_" in f".{name}":
                return False
            return not any(part[:1].isupper() for part in name.split("."))
        if isinstance(node.func, ast.Name) and node.func.id in ("abs", "sum", "max", "min", "round"):
            return any(self.is_tensor(arg) for arg in node.args)
        return (
            isinstance(node.func, ast.Attribute)
            and node.func.attr not in ("numpy", "get_shape", "set_shape", "assign", "assign_add", "assign_sub")
            and self.is_tensor(node.func.value)
        )

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
            return self._binary_dtype(node)
        if isinstance(node, ast.Subscript):
            return self.dtype(node.value) if self.is_tensor(node.value) else None
        if isinstance(node, ast.Call):
            return self._call_dtype(node)
        return None

    def _binary_dtype(self, node: ast.BinOp) -> str | None:
        left, right = self.dtype(node.left), self.dtype(node.right)
        literals = [isinstance(side, ast.Constant) for side in (node.left, node.right)]
        if all(literals):
            found = "float32" if "float32" in (left, right) or isinstance(node.op, ast.Div) else left
        elif literals[1]:  # beside a tensor a Python number takes its dtype
            found = left
        elif literals[0]:
            found = right
        elif left is None or right is None:
            known, other = (right, node.left) if left is None else (left, node.right)
            found = known if self.is_tensor(other) or isinstance(other, ast.Name) else None
        else:
            found = left if left == right else None
        if isinstance(node.op, ast.Div) and found is not None and "int" in found:
            return "float64" if found in ("int32", "int64") else None
        return found

    def _call_dtype(self, node: ast.Call) -> str | None:
        name = self.tf(node)
        asked = [keyword.value for keyword in node.keywords if keyword.arg == "dtype"]
        if name in ("cast", "constant", "convert_to_tensor"):
            asked += node.args[1:2]
        if name == "cast" or name in ("constant", "convert_to_tensor", "Variable"):
            if asked:
                return self._named_dtype(asked[0])
            return self._literal_dtype(node.args[0]) if node.args and name != "cast" else None
        return None

    def _named_dtype(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        full = self.full(node)
        return full.rpartition(".")[2] if full is not None and full.startswith("graphlab.") else None

    def _literal_dtype(self, value: ast.expr) -> str | None:
        """The dtype of a tensor made of an expression or of lists of them: one float makes all floats."""
        if not isinstance(value, ast.List | ast.Tuple):
            return self.dtype(value)
        found = {self._literal_dtype(part) for part in value.elts}
        if found == {"int32", "float32"}:
            return "float32"
        return found.pop() if len(found) == 1 else None

    def branches(self, node: ast.AST) -> Iterator[ast.If | ast.While | ast.For | ast.IfExp]:
        """The conditions and loops around a node that tensors decide: graph code."""
        for outer in self.around(node, ast.If, ast.While, ast.For, ast.IfExp):
            if self.is_tensor(outer.iter if isinstance(outer, ast.For) else outer.test):
                yield outer
