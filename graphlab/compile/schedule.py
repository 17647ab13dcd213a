"""Which parts of a graph run at once: a cost model, and a schedule made when the graph is compiled.

Between two operations with an effect everything may run in any order that its data allow.  Such a stretch, if it has
several expensive operations that do not need each other, is scheduled: this thread runs some of it, and gives parts
away at the first moment when what they need is there.  An operation goes where it is finished first; those with the
longest way to the end go first.  A schedule that does not win a fifth of the time is dropped, and with it every trace
of threads in the generated code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from graphlab.compile import costs
from graphlab.compile.program import FORWARD
from graphlab.graph.operation import Operation

EXPENSIVE: Final = 2e-4
"""Seconds from which an operation is worth a thread."""

HANDOVER: Final = 6e-5
"""What it costs to give a part away and to take its result."""

LARGEST: Final = 2000
"""Stretches of more operations are scheduled piece by piece, so that the time for it stays linear."""

_SILENT: Final = FORWARD | frozenset(("Const", "Placeholder"))


class Part:
    """Operations that another thread runs, in order."""

    __slots__ = ("end", "lane", "ops", "position", "taken")

    def __init__(self, lane: int, position: int, end: float) -> None:
        self.lane = lane
        self.position = position
        self.end = end
        self.ops: list[Operation] = []
        self.taken = False


class Step(NamedTuple):
    """One thing this thread does: an operation, giving a part away, or taking its results."""

    op: Operation | None
    start: Part | None = None
    take: Part | None = None


class Region(NamedTuple):
    """A stretch of operations of which some run in other threads.

    Attributes:
      first, last: the positions of its first and last operation.
      ops: the operations in program order.
      steps: what this thread does, in order.
      lanes: how many threads there may be.
    """

    first: int
    last: int
    ops: list[Operation]
    steps: list[Step]
    lanes: int


def regions(
    ops: list[Operation], root: Callable[[Any], Any], uses: Callable[[Operation], list[Any]], lanes: Callable[[], int]
) -> list[Region]:
    """The stretches of a block that are worth several threads, in order; nearly always none.

    Args:
      ops: the operations of the block in program order.
      root: the tensor that stands for a tensor.
      uses: the tensors that an operation uses.
      lanes: how many threads there may be; asked only if there is something for them.
    """
    known: dict[int, float] = {}
    seconds, silent = costs.seconds, _SILENT
    each = [0.0 if op.type in silent else seconds(op, known) for op in ops]
    if not each or max(each) < EXPENSIVE or sum(cost >= EXPENSIVE for cost in each) < 2:
        return []
    count = lanes()
    if count < 2:
        return []
    found = []
    for first, last in _stretches(ops, each):
        piece = [(op, each[first + i]) for i, op in enumerate(ops[first : last + 1]) if op.type not in _SILENT]
        steps = _Schedule(piece, root, uses, count).steps()
        if steps:
            found.append(Region(first, last, [op for op, _ in piece], steps, count))
    return found


def _stretches(ops: list[Operation], costs: list[float]) -> Iterator[tuple[int, int]]:
    """First and last positions between effects, from the first expensive operation to the last."""
    expensive: list[int] = []
    start = 0
    for index in range(len(ops) + 1):
        if index < len(ops):
            record = ops[index].record
            if (record.pure or record.effect == "read") and index - start < LARGEST:
                if costs[index] >= EXPENSIVE:
                    expensive.append(index)
                continue
        if len(expensive) > 1:
            yield expensive[0], expensive[-1]
        expensive, start = [], index


class _Schedule:
    def __init__(self, piece: list[tuple[Operation, float]], root: Callable[[Any], Any], uses: Any, lanes: int) -> None:
        self.piece = piece
        self.free = [0.0] * (lanes - 1)
        self.last: list[Part | None] = [None] * (lanes - 1)
        self.main: list[tuple[Operation | None, Part | None]] = []
        self.times: list[float] = []
        self.now = 0.0
        self.parts: list[Part] = []
        self.where: dict[int, Part] = {}
        self.there: dict[int, int] = {}  # id of an operation → from which position on this thread has its results
        inside = {id(op) for op, _ in piece}
        self.before = {id(op): list(_producers(op, root, uses, inside)) for op, _ in piece}
        self.cost = {id(op): cost for op, cost in piece}

    def steps(self) -> list[Step]:
        """The schedule; empty if it does not pay."""
        rank: dict[int, float] = {}
        for op, cost in reversed(self.piece):
            mine = rank[id(op)] = cost + rank.get(id(op), 0.0)
            for producer in self.before[id(op)]:
                rank[id(producer)] = max(rank.get(id(producer), 0.0), mine)
        total = sum(cost for _, cost in self.piece)
        if max(rank.values()) > 0.8 * total:
            return []
        order = sorted(range(len(self.piece)), key=lambda i: (-rank[id(self.piece[i][0])], i))
        for index in order:
            self._place(*self.piece[index])
        for part in self.parts:
            self._take(part)
        if not self.parts or self.now > 0.8 * total:
            return []
        starts: dict[int, list[Part]] = {}
        for part in self.parts:
            starts.setdefault(part.position, []).append(part)
        result = [Step(None, start=part) for part in starts.get(-1, ())]
        for position, (ours, taken) in enumerate(self.main):
            result.append(Step(ours, take=taken))
            result += [Step(None, start=part) for part in starts.get(position, ())]
        return result

    def _take(self, part: Part) -> None:
        """This thread takes the results of a part: nothing can be added to it any more."""
        if part.taken:
            return
        part.taken = True
        self.now = max(self.now, part.end)
        self.main.append((None, part))
        self.times.append(self.now)
        for op in part.ops:
            self.there[id(op)] = len(self.main) - 1

    def _place(self, op: Operation, cost: float) -> None:
        """Puts an operation where it is finished first."""
        before = self.before[id(op)]
        parts = {id(p): p for p in (self.where.get(id(b)) for b in before) if p is not None and not p.taken}
        ready = max([self.now, *[p.end for p in parts.values()]])
        best = ready + cost
        choice: tuple[int, Part | None] | None = None
        if op.record.pure and all(t.dtype.np is not None for t in op.outputs):
            for lane, part in enumerate(self.last):
                if part is None or part.taken or not self._fits(part, before):
                    continue
                end = part.end + cost
                if end < best or (end == best and id(part) in parts):
                    best, choice = end, (lane, part)
            if cost >= EXPENSIVE:
                position = len(self.main) - 1 if parts else max([-1, *[self.there[id(b)] for b in before]])
                begin = ready if parts else self.times[position] if position >= 0 else 0.0
                lane = min(range(len(self.free)), key=self.free.__getitem__)
                end = max(begin, self.free[lane]) + HANDOVER + cost
                if end < best:
                    best, choice = end, (lane, None)
        if choice is None:
            for part in parts.values():
                self._take(part)
            self.now += cost
            self.main.append((op, None))
            self.times.append(self.now)
            self.there[id(op)] = len(self.main) - 1
            return
        lane, chosen = choice
        if chosen is None:
            for part in parts.values():
                self._take(part)
            position = max([-1, *[self.there[id(b)] for b in before]])
            chosen = self.last[lane] = Part(lane, position, best)
            self.parts.append(chosen)
        chosen.ops.append(op)
        chosen.end = self.free[lane] = best
        self.where[id(op)] = chosen

    def _fits(self, part: Part, before: list[Operation]) -> bool:
        """True if all that an operation needs is in a part, or is there when the part begins."""
        for producer in before:
            if self.where.get(id(producer)) is part:
                continue
            if self.there.get(id(producer), len(self.main)) > part.position:
                return False
        return True


def _producers(op: Operation, root: Callable[[Any], Any], uses: Any, inside: set[int]) -> Iterator[Operation]:
    for tensor in uses(op):
        producer = root(tensor).op
        if id(producer) in inside:
            yield producer
