"""How much memory a call of a generated function takes at most, and for what.

The generated code itself is looked at, statement by statement: which name holds which array, when it lets go of it,
which results are views.  Arguments, captures, constants and the values of variables are there anyway and do not count.
Of kernels that work in several steps the arrays in between count; what a call to the linear algebra library takes for
itself does not.  A loop counts with two rounds: from the second on, what the one before made is still there.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from graphlab.compile.sizes import Sizes
from graphlab.core.position import Position, resolve
from graphlab.core.shape import RawShape
from graphlab.graph.operation import Operation

if TYPE_CHECKING:
    from graphlab.compile.executable import Executable

_SCRATCH: Final = {
    "Sigmoid": 1.0, "SigmoidGrad": 1.0, "TanhGrad": 1.0, "Softmax": 1.0, "LogSoftmax": 1.0, "ReluGrad": 0.25,
    "Softplus": 1.0, "SoftmaxCrossEntropyWithLogits": 1.0, "SparseSoftmaxCrossEntropyWithLogits": 1.0, "Elu": 1.0,
    "Selu": 1.0,
}  # fmt: skip
"""Arrays in between, in units of the first input."""

_VIEWS: Final = frozenset((
    "Reshape", "Transpose", "ExpandDims", "Squeeze", "StridedSlice", "IndexAt", "Split", "SplitV", "Unpack",
    "BroadcastTo", "PutBack", "Slice",
))  # fmt: skip

_OUTSIDE: Final = frozenset(("ReadVariableOp",))
"""Their results are there anyway."""


_INLINE: Final = frozenset(("If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile"))
"""Lines of these only give names to values."""


class Held(NamedTuple):
    """An array that is there when a call takes most memory.

    Attributes:
      name, type: of the operation that made it.
      bytes: its size.
      position: where the user's code made the operation.
    """

    name: str
    type: str
    bytes: int
    position: Position

    @property
    def place(self) -> Any:
        """The user's line (``graphlab.core.position.Place``), or None."""
        found = resolve(self.position[:2])
        return found[0] if found else None


class Memory(NamedTuple):
    """The memory of a call.

    Attributes:
      peak_bytes: the most bytes that its arrays take at one time.
      held: the arrays at that time, the largest first.
      at: the operation that runs then; None for a function that makes no array.
      unknown: how many results have a size that is not known; they count as nothing.
    """

    peak_bytes: int
    held: tuple[Held, ...]
    at: Operation | None
    unknown: int


class _Array:
    __slots__ = ("bytes", "holders", "op")

    def __init__(self, op: Operation, size: int) -> None:
        self.op = op
        self.bytes = size
        self.holders = 0


def memory(run: Executable, shapes: Sequence[RawShape] | None = None) -> Memory:
    """What a call of a generated function takes.

    Args:
      run: the generated function.
      shapes: the shapes of arguments and captures; None for what tracing knew.
    """
    tree = ast.parse(run.source)
    sizes = Sizes(run.program, shapes)
    first = _Walk(run, sizes, tree, None)
    held: tuple[Held, ...] = ()
    if first.at is not None:
        found = _Walk(run, sizes, tree, first.when).held
        held = tuple(
            sorted((Held(a.op.name, a.op.type, a.bytes, a.op.position) for a in found), key=lambda h: -h.bytes)
        )
    return Memory(first.peak, held, first.at, len(first.unknown))


class _Walk:
    """Goes through the statements; with ``until`` it keeps the arrays that are there at that moment."""

    def __init__(self, run: Executable, sizes: Sizes, tree: ast.Module, until: int | None) -> None:
        self.run = run
        self.sizes = sizes
        self.until = until
        self.names: dict[str, tuple[_Array, ...]] = {}
        self.parts: dict[str, list[tuple[_Array, ...]]] = {}
        self.live: dict[int, _Array] = {}
        self.now = self.peak = self.when = self.clock = 0
        self.at: Operation | None = None
        self.held: list[_Array] = []
        self.unknown: set[int] = set()
        self.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.block(self.functions["entry"].body)

    # -- what is there -------------------------------------------------------------------------------------------------

    def bind(self, name: str, arrays: tuple[_Array, ...]) -> None:
        """Lets a name hold arrays, and go of what it held."""
        for array in arrays:
            array.holders += 1
            if array.holders == 1:
                self.live[id(array)] = array
                self.now += array.bytes
        for array in self.names.get(name, ()):
            array.holders -= 1
            if not array.holders:
                del self.live[id(array)]
                self.now -= array.bytes
        self.names[name] = arrays

    def moment(self, op: Operation | None, new: Sequence[_Array], scratch: float = 0) -> None:
        """An operation runs: its results are there beside everything before it."""
        total = self.now + sum(array.bytes for array in new) + int(scratch)
        self.clock += 1
        if total > self.peak:
            self.peak, self.when, self.at = total, self.clock, op
        if self.clock == self.until:
            self.held = [*self.live.values(), *new]

    # -- statements ----------------------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> None:
        """Goes through statements in order."""
        for statement in body:
            if isinstance(statement, ast.Try):
                self.block(statement.body)
            elif isinstance(statement, ast.While):
                for _ in range(2):
                    self.block(statement.body)
            elif isinstance(statement, ast.If):
                self.branches(statement)
            elif isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr)):
                self.statement(statement)

    def branches(self, statement: ast.If) -> None:
        """Each arm from the same state; what follows is counted from the arm that leaves more."""
        before = dict(self.names)
        after: list[tuple[int, dict[str, tuple[_Array, ...]]]] = []
        for arm in (statement.body, statement.orelse):
            self.block(arm)
            after.append((self.now, dict(self.names)))
            self.restore(before)
        self.restore(max(after, key=lambda state: state[0])[1])

    def restore(self, names: dict[str, tuple[_Array, ...]]) -> None:
        """Brings the names back to what they held."""
        for name, arrays in names.items():
            if self.names.get(name) != arrays:
                self.bind(name, arrays)
        for name in [name for name in self.names if name not in names]:
            self.bind(name, ())

    def statement(self, statement: ast.Assign | ast.AugAssign | ast.Expr) -> None:
        """One assignment or call."""
        lines = self.run.lines
        op = lines[statement.lineno - 1] if statement.lineno <= len(lines) else None
        targets: list[str] = []
        if isinstance(statement, ast.Assign):
            target = statement.targets[0]
            listed = target.elts if isinstance(target, ast.Tuple) else [target]
            targets = [node.id for node in listed if isinstance(node, ast.Name)]
        value = statement.value
        call = value.func if isinstance(value, ast.Call) else None
        if isinstance(call, ast.Attribute) and isinstance(value, ast.Call):
            if call.attr == "start":
                self.start(targets[0], value)
                return
            if call.attr == "get" and isinstance(call.value, ast.Name):
                self.bind_all(targets, self.parts.pop(call.value.id, []))
                return
        if op is None or op.type in _INLINE:
            self.aliases(targets, value)
        else:
            self.results(op, targets, value)

    def aliases(self, targets: list[str], value: ast.expr) -> None:
        """Names for what other names hold."""
        parts = value.elts if isinstance(value, ast.Tuple) and len(targets) > 1 else [value]
        self.bind_all(targets, [self.names.get(part.id, ()) if isinstance(part, ast.Name) else () for part in parts])

    def bind_all(self, targets: list[str], arrays: list[tuple[_Array, ...]]) -> None:
        """Binds several names at once: what they hold before is there until all are bound."""
        kept = [array for held in arrays for array in held]
        for array in kept:
            array.holders += 1
            if array.holders == 1:
                self.live[id(array)] = array
                self.now += array.bytes
        for name, held in zip(targets, arrays, strict=False):
            self.bind(name, held)
        for array in kept:
            array.holders -= 1
            if not array.holders:
                del self.live[id(array)]
                self.now -= array.bytes

    def start(self, name: str, call: ast.Call) -> None:
        """A part for another thread: its arrays are there from now until its results are taken."""
        function, *arguments = [node.id for node in call.args if isinstance(node, ast.Name)]
        body = self.functions[function]
        for parameter, argument in zip(body.args.args, arguments, strict=True):
            self.bind(parameter.arg, self.names.get(argument, ()))
        self.block(body.body)
        returned = body.body[-1]
        assert isinstance(returned, ast.Return)
        listed = returned.value.elts if isinstance(returned.value, ast.Tuple) else [returned.value]
        self.parts[name] = [self.names.get(node.id, ()) if isinstance(node, ast.Name) else () for node in listed]
        self.bind(name, tuple(array for arrays in self.parts[name] for array in arrays))
        for own in {node.id for node in ast.walk(body) if isinstance(node, ast.Name)} | {a.arg for a in body.args.args}:
            if own in self.names:
                self.bind(own, ())

    def results(self, op: Operation, targets: list[str], value: ast.expr) -> None:
        """The names of an operation's results."""
        record = op.record
        scratch = _SCRATCH.get(op.type, 0.0)
        extra = scratch * (self.sizes.bytes(self.run.program.root(op.inputs[0])) or 0) if scratch else 0.0
        if not targets:
            self.moment(op, (), extra)
            return
        if op.type in _OUTSIDE:
            self.bind_all(targets, [() for _ in targets])
            return
        view = op.type in _VIEWS or (record.alias and op.type != "GatherV2")
        if view or op.outputs[0].dtype.np is None:
            sources = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
            seen = {id(a): a for name in sources for a in self.names.get(name, ())}
            shared = tuple(seen.values())
            self.moment(op, (), extra)
            self.bind_all(targets, [shared for _ in targets])
            return
        arrays = []
        for output in op.outputs:
            size = self.sizes.bytes(output)
            if size is None:
                self.unknown.add(id(output))
            arrays.append(_Array(op, size or 0))
        if "f" in op.attrs:
            from graphlab.compile.executable import executable

            shapes = [self.sizes.shape(self.run.program.root(t)) for t in op.inputs]
            inside = memory(executable(op.attrs["f"]), shapes)
            extra = max(0, inside.peak_bytes - sum(array.bytes for array in arrays))
        self.moment(op, arrays, extra)
        self.bind_all(targets, [(array,) for array in arrays])
