"""The emitter: a graph as straight-line Python source.

One statement per op, results in local names that are used again once their value is dead, constants as 0-d arrays,
branches and loops as native ``if`` and ``while``, nested functions as calls.  Whole numbers inside loops are Python's
own (``compile/scalars.py``); large results are written into arrays that nobody needs any more (``compile/buffers.py``).
Every line knows its operation, for errors and views.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from graphlab.compile import buffers, chains, scalars, schedule
from graphlab.compile.expressions import TABLE
from graphlab.compile.names import Block, Value
from graphlab.compile.options import emits
from graphlab.compile.passes.indexing import part
from graphlab.compile.program import FORWARD, Program
from graphlab.compile.structured import STRUCTURED
from graphlab.core import dtypes
from graphlab.core.op import LIST
from graphlab.core.operators import quietly
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

_PRODUCTS: Final = frozenset(("MatMul", "BatchMatMulV2", "BatchMatMulV3"))
_VIEWS: Final = frozenset(("Reshape", "Transpose", "ExpandDims", "Squeeze", "StridedSlice", "BroadcastTo", "PutBack"))

QUIET: Final[dict[str, Any]] = {
    "AddV2": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "RealDiv": np.true_divide,
    "Exp": np.exp,
    "Tanh": np.tanh,
    "Sqrt": np.sqrt,
}
"""Ops whose ufunc a tiny function runs in a context with NumPy's warnings off (``graphlab.core.operators``)."""


def tiny(program: Program) -> bool:
    """True if a graph is one or two operations of ``QUIET`` on floats."""
    graph = program.graph
    if len(graph.ops) > 12:
        return False
    idle = FORWARD | {"Const", "Placeholder"}
    kept = [op for op in program.needed(program.ops(graph), graph.outputs) if op.type not in idle]
    return 0 < len(kept) < 3 and all(
        op.type in QUIET and op.outputs[0].dtype in (dtypes.float32, dtypes.float64) for op in kept
    )


class Emitter:
    """Writes the body of one generated function.

    Args:
      program: the graph as the passes left it.
      call: gives the Executable of a nested function.
      plain: every op is a call of its kernel, without expressions, Python numbers or reused arrays.
    """

    def __init__(self, program: Program, call: Callable[[FuncGraph], Any], plain: bool = False) -> None:
        self.lines: list[str] = []
        self.owners: list[Operation | None] = []
        self.functions: tuple[list[str], list[Operation | None]] = [], []
        self.fail: Callable[..., Exception]
        self.env: dict[str, Any] = {}
        self.values: dict[int, Value] = {}
        self.uses_fp = False
        self.program = program
        self.plain = plain or not emits("remapping")
        self.reuse, self.chained, self.numbers, self.parallel = (
            not plain and emits(name)
            for name in ("buffer_reuse", "elementwise_chains", "whole_numbers", "parallel_branches")
        )
        self.quiet = False
        self.loops = 0
        self._counter = 0
        self._large: dict[Any, bool] = {}  # by shape
        self._constants: dict[int, str] = {}
        self._keep: list[Any] = []
        self._roots: dict[int, Any] = {}
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
            self._keep.append(array)
        return found

    # -- values --------------------------------------------------------------------------------------------------------

    def root(self, tensor: Any) -> Any:
        """The tensor whose value ``tensor`` is, behind ops that only hand it on."""
        found = self._roots.get(id(tensor))
        if found is None:
            found = self._roots[id(tensor)] = self.program.root(tensor)
        return found

    def value(self, tensor: Any) -> Value:
        """What a tensor is in the source."""
        tensor = self.root(tensor)
        found = self.values.get(id(tensor))
        if found is None:
            if tensor.op.type != "Const":
                raise AssertionError(f"{tensor!r} has no value yet.")
            found = self.values[id(tensor)] = Value(self.constant(tensor.op.attrs["value"]))
        return found

    def array(self, tensor: Any) -> str:
        """The text of a tensor as an array (or NumPy scalar), for kernels and results."""
        found = self.value(tensor)
        if found.number is None:
            return found.text
        if found.boxed is not None:
            return found.boxed
        name, function = scalars.BOXES[found.number]
        self.env[name] = function
        return f"{name}({found.text})"

    def number(self, tensor: Any) -> str:
        """The text of a whole number or truth value of shape () as Python's own."""
        tensor = self.root(tensor)
        if tensor.op.type == "Const":
            return scalars.literal(tensor.op.attrs["value"])
        found = self.value(tensor)
        return found.text if found.number is not None else f"{scalars.UNBOX[tensor.dtype]}({found.text})"

    def may_be_number(self, tensor: Any) -> bool:
        """True if a tensor may be a Python number."""
        return self.numbers and tensor._shape == () and tensor.dtype in scalars.BOXES

    # -- blocks --------------------------------------------------------------------------------------------------------

    def block(self, graph: FuncGraph, outputs: list[Any], depth: int) -> None:
        """Emits what ``outputs`` and the effects of a graph or body need."""
        program = self.program
        kept = program.ops(graph)
        if not program.pruned or graph is not program.graph:
            kept = program.needed(kept, outputs)
        found = schedule.regions(kept, self.root, program.uses, self.lanes) if self.parallel else []
        self.statements(kept, outputs, depth, self.prepared(kept, outputs), found)

    def prepared(self, kept: list[Operation], outputs: list[Any]) -> Block:
        """A block for these operations: which values die where, and which may be seen by somebody else."""
        block = Block()
        last, root, program = block.last, self.root, self.program
        for index, op in enumerate(kept):
            for tensor in op.inputs if id(op) not in program.extra else program.uses(op):
                last[id(root(tensor))] = index
        for tensor in outputs:
            last[id(root(tensor))] = len(kept)
        if self.loops:
            for op in kept:
                if op.type == "IndexAt":
                    block.counted.update(id(root(t)) for t in op.inputs[1:])
                elif op.type in scalars.RULES and all(map(self.may_be_number, op.inputs)):
                    block.counted.update(id(root(t)) for t in op.inputs)
        if self.reuse:
            buffers.expose(kept, block.exposed, root)
        return block

    def chains(self, kept: list[Operation], outputs: list[Any], block: Block, outside: set[int]) -> dict[int, Any]:
        """For each operation of a chain the chain, if it is the last one, else None; none of those ``outside``."""
        if not self.chained:
            return {}
        found = chains.find([op for op in kept if id(op) not in outside] if outside else kept, outputs, self.root)
        result: dict[int, Any] = {}
        for chain in found.values():
            end = next(i for i, op in enumerate(kept) if op is chain[-1])
            for op in chain:
                result[id(op)] = chain if op is chain[-1] else None
                for tensor in op.inputs:  # operands of a chain are read where it ends
                    key = id(self.root(tensor))
                    block.last[key] = max(block.last[key], end)
        return result

    def statements(
        self, kept: list[Operation], outputs: list[Any], depth: int, block: Block, regions: list[Any] | None = None
    ) -> None:
        """Emits operations in order, and ``regions`` of them as parts for several threads."""
        if not regions:
            found = self.chains(kept, outputs, block, set())
            for index, op in enumerate(kept):
                if found and id(op) in found:
                    self.one(op, depth, block, index, found)
                else:
                    self.operation(op, depth, block, index)
            return
        elsewhere = {id(op) for region in regions for op in region.ops}
        seen = [*outputs, *[t for region in regions for op in region.ops for t in self.program.uses(op)]]
        found = self.chains(kept, seen, block, elsewhere)
        starts = {region.first: region for region in regions}
        for index, op in enumerate(kept):
            if index in starts:
                from graphlab.compile.regions import emit

                emit(self, starts[index], depth, block)
            if id(op) in elsewhere:
                self.release(op, block, index)
            else:
                self.one(op, depth, block, index, found)

    def one(self, op: Operation, depth: int, block: Block, index: int, found: dict[int, Any]) -> None:
        """Emits an operation, or the chain that ends with it."""
        if id(op) not in found:
            self.operation(op, depth, block, index)
        elif found[id(op)] is not None:
            self.chain(found[id(op)], depth, block, index)

    @staticmethod
    def lanes() -> int:
        """How many parts of the graph may run at once."""
        from graphlab.compile import threads

        return threads.lanes()

    def result(self, tensor: Any, block: Block, number: Any = None) -> str:
        """A name for a new value, from the pool of dead ones if there is one."""
        name = block.free.pop() if block.free else self.fresh("t")
        block.own.add(name)
        self.values[id(tensor)] = Value(name, number)
        return name

    def release(self, op: Operation, block: Block, index: int) -> list[str]:
        """Gives names of this block back whose value was used for the last time; returns those of large arrays."""
        large: list[str] = []
        for tensor in op.inputs:
            root = self.root(tensor)
            if block.last.get(id(root)) == index:
                found = self.values.get(id(root))
                if found is not None and found.text in block.own:
                    block.own.discard(found.text)
                    block.free.append(found.text)
                    big = self._large.get(root._shape)
                    if big is None:
                        big = self._large[root._shape] = self.reuse and buffers.large(root)
                    if big:
                        large.append(found.text)
        return large

    def operation(self, op: Operation, depth: int, block: Block, index: int) -> None:
        """Emits one op."""
        kind = op.type
        if kind in ("Const", "Placeholder") or kind in FORWARD:
            return
        structured = STRUCTURED.get(kind)
        if structured is not None:
            structured(self, op, depth, block, index)
            return
        record = op.record
        if self.loops and record.single and record.pure and self.numbers and self.whole(op, depth, block, index):
            return
        inputs = [self.array(t) for t in op.inputs]
        if self.quiet:
            ufunc = QUIET[kind]
            self.env[f"np_{ufunc.__name__}"], self.env["quietly"] = ufunc, quietly
            self.line(
                depth, f"{self.result(op.outputs[0], block)} = quietly(np_{ufunc.__name__}, {', '.join(inputs)})", op
            )
            return
        self.uses_fp |= record.fp
        if self.reuse:
            target = buffers.target(op, block, index, self.root)
            if target is not None:
                self._into(op, inputs, target, depth, block, index)
                return
            update = buffers.update(op, block, index, self.root)
            if update is not None:
                self.env[update[0]] = update[1]
                self.line(depth, f"{update[0]}({', '.join(inputs)})", op)
                return
        if kind in _PRODUCTS and self._became_one(op):
            inputs[1] = f"{inputs[1]}.copy()"
        text = self.index(op, inputs[0]) if kind == "IndexAt" else self.expression(op, inputs)
        if not op.outputs:
            self.line(depth, text, op)
            return
        large = self.release(op, block, index)
        targets = [self.result(output, block) for output in op.outputs]
        comma = "," if len(targets) == 1 and not record.single else ""
        output = op.outputs[0]
        if id(output) in block.counted and record.single:  # Python's from here on, since ops on it can be
            text = f"{scalars.UNBOX[output.dtype]}({text})"
            self.values[id(output)] = Value(targets[0], output.dtype)
        self.line(depth, f"{', '.join(targets)}{comma} = {text}", op)
        for name in large:
            if name not in targets:
                self.line(depth, f"{name} = None")
        if self.reuse and op.type in buffers.FRESH:
            block.fresh.update(map(id, op.outputs))
        for output in op.outputs:
            if id(output) not in block.last:
                self.drop(self.values[id(output)].text, block)

    def _became_one(self, op: Operation) -> bool:
        """True if the operands of a product are one array only since a pass found them equal.

        NumPy multiplies an array by its own transpose in another way, with other last bits, than two equal arrays.
        """
        first, second = op.inputs
        return self._base(first) is self._base(second) and self._array_of(first) is not self._array_of(second)

    def _base(self, tensor: Any) -> Any:
        """The tensor whose array a tensor is, or is a view of."""
        tensor = self.root(tensor)
        while tensor.op.type in _VIEWS:
            tensor = self.root(tensor.op.inputs[0])
        return tensor

    def _array_of(self, tensor: Any) -> Any:
        """The tensor whose array a tensor is, or is a view of, if no pass changes anything."""
        while True:
            kind = tensor.op.type
            if kind == "Placeholder" and id(tensor) in self.program.replaced:  # an argument of what was inlined
                tensor = self.program.replaced[id(tensor)]
            elif kind in FORWARD or kind in _VIEWS:
                tensor = tensor.op.inputs[0]
            else:
                return tensor

    def chain(self, chain: list[Operation], depth: int, block: Block, index: int) -> None:
        """Emits a chain of elementwise ops as a call of a function that goes through it block by block."""
        name, arguments = chains.function(chain, self.root, self.env, self.lanes)
        op = chain[-1]
        self.uses_fp = True
        text = f"{name}({', '.join(self.array(t) for t in arguments)})"
        dead = [name for one in chain for name in self.release(one, block, index)]
        target = self.result(op.outputs[0], block)
        self.line(depth, f"{target} = {text}", op)
        for large in dead:
            if large != target:
                self.line(depth, f"{large} = None")
        block.fresh.add(id(op.outputs[0]))
        if id(op.outputs[0]) not in block.last:
            self.drop(self.values[id(op.outputs[0])].text, block)

    def _into(self, op: Operation, inputs: list[str], target: int, depth: int, block: Block, index: int) -> None:
        """Emits an op that writes its result into the array of an input that is dead after it."""
        name = inputs[target]
        self.line(depth, buffers.text(op, inputs, name, self.env), op)
        for dead in self.release(op, block, index):
            if dead != name:
                self.line(depth, f"{dead} = None")
        if name not in block.own:
            block.free.remove(name)
            block.own.add(name)
        self.values[id(op.outputs[0])] = Value(name)
        block.fresh.add(id(op.outputs[0]))
        if id(op.outputs[0]) not in block.last:
            self.drop(name, block)

    def drop(self, name: str, block: Block) -> None:
        """Gives a name back whose value nobody uses."""
        block.own.discard(name)
        block.free.append(name)

    def whole(self, op: Operation, depth: int, block: Block, index: int) -> bool:
        """Emits an op as a Python expression if it computes with whole numbers of which one is Python's already."""
        output = op.outputs[0]
        if not self.may_be_number(output):
            return False
        some = False
        literals: list[int | None] = []
        for tensor in op.inputs:
            if not self.may_be_number(tensor):
                return False
            root = self.root(tensor)
            known = root.op.attrs["value"] if root.op.type == "Const" else None
            literals.append(None if known is None else known.item())
            some = some or (known is None and self.value(root).number is not None)
        if not some:
            return False
        found = scalars.expression(op, [self.number(t) for t in op.inputs], literals)
        if found is None:
            return False
        text, wraps = found
        self.release(op, block, index)
        name = self.result(output, block, output.dtype)
        self.line(depth, f"{name} = {text}", op)
        if wraps:
            self.line(depth, scalars.wrapping(name, output.dtype), op)
        if id(output) not in block.last:
            self.drop(name, block)
        return True

    def index(self, op: Operation, array: str) -> str:
        """``x[i]``, with the numbers as Python's where they are."""
        numbers = iter(op.inputs[1:])
        key = ["None" if p == "+" else "_all" if p == ":" else self.number(next(numbers)) for p in op.attrs["pattern"]]
        self.env.update(_part=part, _all=slice(None))
        return f"_part({array}, ({', '.join(key)},))"

    def expression(self, op: Operation, inputs: list[str]) -> str:
        """The right-hand side for an op."""
        special = None if self.plain else TABLE.get(op.type)
        if special is not None:
            found = special(op)
            if found is not None:
                text, names = found
                for name, bound in names.items():
                    if name[0] == "?":  # a value of this very op: a key, a shape
                        unique = f"k{len(self.env)}"
                        text = text.replace(name, unique)
                        name = unique
                    self.env[name] = bound
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
