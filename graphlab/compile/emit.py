"""The emitter: a graph as straight-line Python source.

One statement per op, results in local names that are used again once their value is dead, constants as 0-d arrays,
branches
and loops as native ``if`` and ``while``, nested functions as calls.  Every line knows its operation, for errors and
views.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from graphlab.compile.expressions import TABLE
from graphlab.compile.prune import needed
from graphlab.core.op import LIST
from graphlab.core.static import value as static_value
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

# Ops that only hand their input on.
FORWARD: Final = frozenset(("Identity", "StopGradient", "PreventGradient", "Snapshot"))


class Block:
    """Names of one block of code: a function body, a branch, a loop body."""

    __slots__ = ("free", "last", "own")

    def __init__(self) -> None:
        self.free: list[str] = []
        self.own: set[str] = set()
        self.last: dict[int, int] = {}


class Emitter:
    """Writes the body of one generated function."""

    def __init__(self, call: Callable[[FuncGraph], Any]) -> None:
        self.lines: list[str] = []
        self.owners: list[Operation | None] = []
        self.env: dict[str, Any] = {}
        self.names: dict[int, str] = {}
        self.keep: list[Any] = []
        self.uses_fp = False
        self._counter = 0
        self._constants: dict[int, str] = {}
        self._call = call

    def line(self, depth: int, text: str, owner: Operation | None = None) -> None:
        """Adds a line of source."""
        self.lines.append("    " * depth + text)
        self.owners.append(owner)

    def fresh(self, prefix: str) -> str:
        """A name not used before."""
        self._counter += 1
        return f"{prefix}{self._counter}"

    def constant(self, array: Any) -> str:
        """The name of a constant array."""
        found = self._constants.get(id(array))
        if found is None:
            found = self._constants[id(array)] = self.fresh("c")
            self.env[found] = array if isinstance(array, np.ndarray) else np.asarray(array)
            self.keep.append(array)
        return found

    # -- blocks --------------------------------------------------------------------------------------------------------

    def block(self, ops: list[Operation], outputs: list[Any], depth: int) -> list[str]:
        """Emits what ``outputs`` and the effects need; returns the names of the outputs."""
        kept = needed(ops, outputs)
        block = Block()
        last = block.last
        roots: dict[int, Any] = {}
        for index, op in enumerate(kept):
            for tensor in op.inputs:
                last[id(self.root(tensor, roots))] = index
        for tensor in outputs:
            last[id(self.root(tensor, roots))] = len(kept)
        for index, op in enumerate(kept):
            self.operation(op, depth, block, index, roots)
        return [self.name(tensor) for tensor in outputs]

    def root(self, tensor: Any, roots: dict[int, Any]) -> Any:
        """The tensor whose name stands for ``tensor`` behind ops that only hand it on."""
        found = roots.get(id(tensor))
        if found is None:
            found = tensor
            while found.op.type in FORWARD:
                found = found.op.inputs[0]
            roots[id(tensor)] = found
        return found

    def name(self, tensor: Any) -> str:
        """The name that holds a tensor's value."""
        found = self.names.get(id(tensor))
        if found is None:
            op = tensor.op
            if op.type == "Const":
                found = self.constant(op.attrs["value"])
            elif op.type in FORWARD:
                found = self.name(op.inputs[0])
            else:
                raise AssertionError(f"{tensor!r} has no value yet.")
            self.names[id(tensor)] = found
        return found

    def result(self, tensor: Any, block: Block) -> str:
        """A name for a new value, from the pool of dead ones if there is one."""
        name = block.free.pop() if block.free else self.fresh("t")
        block.own.add(name)
        self.names[id(tensor)] = name
        return name

    def release(self, op: Operation, block: Block, index: int, roots: dict[int, Any]) -> None:
        """Gives names of this block back whose value was used for the last time."""
        for tensor in op.inputs:
            root = self.root(tensor, roots)
            if block.last.get(id(root)) == index:
                name = self.names.get(id(root))
                if name in block.own and name not in block.free:
                    block.free.append(name)

    def operation(self, op: Operation, depth: int, block: Block, index: int, roots: dict[int, Any]) -> None:
        """Emits one op."""
        kind = op.type
        if kind in ("Const", "Placeholder") or kind in FORWARD:
            return
        structured = _STRUCTURED.get(kind)
        if structured is not None:
            structured(self, op, depth, block, index)
            return
        record = op.record
        if record.single and record.pure:
            known = static_value(op.outputs[0])
            if known is not None:
                self.names[id(op.outputs[0])] = self.constant(known)
                return
        inputs = [self.name(t) for t in op.inputs]
        self.uses_fp |= record.fp
        text = self.expression(op, inputs)
        if not op.outputs:
            self.line(depth, text, op)
            return
        self.release(op, block, index, roots)
        if record.single:
            self.line(depth, f"{self.result(op.outputs[0], block)} = {text}", op)
            self.drop_unused(op, block)
            return
        targets = [self.result(output, block) for output in op.outputs]
        comma = "," if len(targets) == 1 else ""
        self.line(depth, f"{', '.join(targets)}{comma} = {text}", op)
        self.drop_unused(op, block)

    def drop_unused(self, op: Operation, block: Block) -> None:
        """Gives the names of results that nobody uses back at once."""
        for output in op.outputs:
            if id(output) not in block.last:
                block.free.append(self.names[id(output)])

    def expression(self, op: Operation, inputs: list[str]) -> str:
        """The right-hand side for an op."""
        special = TABLE.get(op.type)
        if special is not None:
            found = special(op)
            if found is not None:
                text, names = found
                self.env.update(names)
                return text.format(*inputs)
        record = op.record
        kernel = record.choose(op.attrs)
        if isinstance(kernel, np.ufunc):
            function = f"np_{kernel.__name__}"
        else:
            function = f"{op.type}_{len(self.env)}"
        self.env[function] = kernel
        if record.simple:
            return f"{function}({', '.join(inputs)})"
        grouped, position = [], 0
        for param in record.inputs:
            if param.kind >= LIST:
                count = op.attrs[param.count] if param.count else len(op.attrs[param.type])
                grouped.append(f"[{', '.join(inputs[position : position + count])}]")
                position += count
            else:
                grouped.append(inputs[position])
                position += 1
        return f"{function}({', '.join(grouped)})"

    # -- structured ops ------------------------------------------------------------------------------------------------

    def call(self, op: Operation, depth: int, block: Block, index: int) -> None:
        """A nested function: a call of its own generated function."""
        target = self._call(op.attrs["f"])
        function = f"f_{len(self.env)}"
        self.env[function] = target.raw
        self.uses_fp |= target.uses_fp
        arguments = ", ".join(self.name(t) for t in op.inputs)
        self._assign_results(op, depth, f"{function}({arguments})")

    def _assign_results(self, op: Operation, depth: int, text: str) -> None:
        if not op.outputs:
            self.line(depth, text, op)
            return
        targets = []
        for output in op.outputs:
            name = self.names[id(output)] = self.fresh("v")
            targets.append(name)
        self.line(depth, f"{', '.join(targets)} = {text}", op)

    def inner(self, graph: FuncGraph, arguments: list[str], outputs: list[Any], depth: int) -> list[str]:
        """Emits a body in place with its parameters standing for names of the code around it."""
        for placeholder, name in zip(graph.parameters, arguments, strict=True):
            self.names[id(placeholder)] = name
        return self.block(graph.ops, outputs, depth)

    def branch(self, op: Operation, depth: int, block: Block, index: int) -> None:
        """``If``: both bodies in place."""
        used = [i for i, output in enumerate(op.outputs) if id(output) in block.last]
        targets = [self.fresh("v") for _ in used]
        arguments = [self.name(t) for t in op.inputs[1:]]
        self.line(depth, f"if {self.name(op.inputs[0])}:", op)
        self._arm(op.attrs["then_branch"], arguments, used, targets, depth + 1)
        self.line(depth, "else:", op)
        self._arm(op.attrs["else_branch"], arguments, used, targets, depth + 1)
        for position, name in zip(used, targets, strict=True):
            self.names[id(op.outputs[position])] = name

    def _arm(self, graph: FuncGraph, arguments: list[str], used: list[int], targets: list[str], depth: int) -> None:
        start = len(self.lines)
        results = self.inner(graph, arguments, [graph.outputs[i] for i in used], depth)
        if targets:
            self.line(depth, f"{', '.join(targets)} = {', '.join(results)}")
        elif len(self.lines) == start:
            self.line(depth, "pass")

    def case(self, op: Operation, depth: int, block: Block, index: int) -> None:
        """``Case``: the body whose number the first input gives; out of range, the last."""
        used = [i for i, output in enumerate(op.outputs) if id(output) in block.last]
        targets = [self.fresh("v") for _ in used]
        arguments = [self.name(t) for t in op.inputs[1:]]
        branches = op.attrs["branches"]
        chosen = self.name(op.inputs[0])
        for position, graph in enumerate(branches):
            if position == len(branches) - 1:
                self.line(depth, "else:" if position else "if True:", op)
            else:
                self.line(depth, f"{'el' if position else ''}if {chosen} == {position}:", op)
            self._arm(graph, arguments, used, targets, depth + 1)
        for position, name in zip(used, targets, strict=True):
            self.names[id(op.outputs[position])] = name

    def loop(self, op: Operation, depth: int, block: Block, index: int) -> None:
        """``While``: a native loop over the state that the results and the condition need."""
        cond, body = op.attrs["cond"], op.attrs["body"]
        parameters = body.parameters
        roots: dict[int, Any] = {}
        results = [self.root(t, roots) for t in body.outputs]
        invariant = [results[i] is parameters[i] for i in range(len(results))]
        live = self._live_state(op, cond, body, [id(o) in block.last for o in op.outputs])
        names: list[str] = []
        for position, tensor in enumerate(op.inputs):
            outer = self.name(tensor)
            if invariant[position] or not live[position]:
                names.append(outer)
                continue
            name = self.fresh("v")
            self.line(depth, f"{name} = {outer}", op)
            names.append(name)
        self.line(depth, "while True:", op)
        test = self.inner(cond, names, [cond.outputs[0]], depth + 1)[0]
        self.line(depth + 1, f"if not {test}: break", op)
        changed = [i for i in range(len(names)) if live[i] and not invariant[i]]
        new = self.inner(body, names, [body.outputs[i] for i in changed], depth + 1)
        if changed:
            self.line(depth + 1, f"{', '.join(names[i] for i in changed)} = {', '.join(new)}", op)
        for output, name in zip(op.outputs, names, strict=True):
            self.names[id(output)] = name

    @staticmethod
    def _live_state(op: Operation, cond: FuncGraph, body: FuncGraph, used: list[bool]) -> list[bool]:
        """Which loop variables matter: to what follows, to the condition, to effects, or to another that matters."""
        parameters = {id(t): i for i, t in enumerate(body.parameters)}
        cond_parameters = {id(t): i for i, t in enumerate(cond.parameters)}
        live = list(used)
        for node in needed(cond.ops, [cond.outputs[0]]):
            for tensor in [*node.inputs, *node.outputs]:
                if id(tensor) in cond_parameters:
                    live[cond_parameters[id(tensor)]] = True
        while True:
            before = list(live)
            for node in needed(body.ops, [t for i, t in enumerate(body.outputs) if live[i]]):
                for tensor in [*node.inputs, *node.outputs]:
                    if id(tensor) in parameters:
                        live[parameters[id(tensor)]] = True
            if live == before:
                return live


_STRUCTURED: Final[dict[str, Callable[[Emitter, Operation, int, Block, int], None]]] = {
    "PartitionedCall": Emitter.call,
    "StatefulPartitionedCall": Emitter.call,
    "If": Emitter.branch,
    "StatelessIf": Emitter.branch,
    "Case": Emitter.case,
    "StatelessCase": Emitter.case,
    "While": Emitter.loop,
    "StatelessWhile": Emitter.loop,
}
