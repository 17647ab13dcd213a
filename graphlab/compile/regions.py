"""Code for a stretch of a graph of which parts run in other threads (``compile/schedule.py`` says which).

    g1 = place_1.group()
    try:
        p1 = g1.start(part_1, a0, a1)
        t1 = a2 @ a3
        v1 = p1.get()
    except Exception:
        g1.cancel()
        t1, v1 = again_1(a0, a1, a2, a3)
    except BaseException:
        g1.cancel()
        raise

Nothing in such a stretch has an effect, and no array from before it is written into.  So if anything in it fails, it
is run again in program order: the first operation that fails is the one whose error is raised, as without threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphlab.compile import threads
from graphlab.compile.names import Value
from graphlab.compile.schedule import Part, Region

if TYPE_CHECKING:
    from graphlab.compile.emit import Emitter


def emit(emitter: Emitter, region: Region, depth: int, block: Any) -> None:
    """Writes one region into the code of the block around it."""
    given = _needed(emitter, region.ops)
    results = [
        t for op in region.ops for t in op.outputs if emitter.root(t) is t and block.last.get(id(t), -1) > region.last
    ]
    passed = _Passed(emitter, region, results)
    ours = [step.op for step in region.steps if step.op is not None]
    lane = emitter.prepared(ours, [*results, *passed.to_parts])
    found = emitter.chains(ours, [*results, *passed.to_parts], lane, set())
    arguments = [emitter.value(t) for t in given]
    kinds = [value.number for value in arguments]
    group = emitter.fresh("g")
    place = emitter.fresh("place_")
    emitter.env[place] = threads.Place(region.lanes, sum(step.start is not None for step in region.steps))
    emitter.line(depth, f"{group} = {place}.group()")
    emitter.line(depth, "try:")
    names: dict[int, str] = {}
    index = 0
    for step in region.steps:
        if step.start is not None:
            names[id(step.start)] = emitter.fresh("p")
            _start(emitter, step.start, names[id(step.start)], group, passed, depth + 1)
        elif step.take is not None:
            _take(emitter, step.take, names[id(step.take)], passed, depth + 1)
        elif step.op is not None:
            emitter.one(step.op, depth + 1, lane, index, found)
            index += 1
    foreign = {value.text for value in arguments}
    for tensor in results:
        value = emitter.value(tensor)
        if not value.text.isidentifier() or value.text in foreign or value.boxed is not None:
            name = emitter.fresh("v")
            emitter.line(depth + 1, f"{name} = {value.text}")
            emitter.values[id(tensor)] = Value(name, value.number)
    again = emitter.fresh("again_")
    emitter.env[again] = _Again(emitter, region, given, kinds, results)
    emitter.line(depth, "except Exception:")
    emitter.line(depth + 1, f"{group}.cancel()")
    targets = ", ".join(emitter.value(t).text for t in results)
    text = f"{again}({', '.join(value.text for value in arguments)})"
    emitter.line(depth + 1, f"{targets}{',' if results else ''}{' = ' if results else ''}{text}")
    emitter.line(depth, "except BaseException:")
    emitter.line(depth + 1, f"{group}.cancel()")
    emitter.line(depth + 1, "raise")


def _needed(emitter: Emitter, ops: list[Any]) -> list[Any]:
    """The values from outside that operations use, each once."""
    inside = {id(t) for op in ops for t in op.outputs}
    found: dict[int, Any] = {}
    for op in ops:
        for tensor in map(emitter.root, emitter.program.uses(op)):
            if id(tensor) not in inside and tensor.op.type != "Const":
                found[id(tensor)] = tensor
    return list(found.values())


class _Passed:
    """Which values go between this thread and the parts.

    Attributes:
      to_parts: made by this thread or taken from a part, given to another part.
      inputs, outputs: of each part, by its id.
    """

    def __init__(self, emitter: Emitter, region: Region, results: list[Any]) -> None:
        parts = [step.start for step in region.steps if step.start is not None]
        self.inputs = {id(part): _needed(emitter, part.ops) for part in parts}
        self.to_parts = [t for part in parts for t in self.inputs[id(part)]]
        ours = [step.op for step in region.steps if step.op is not None]
        wanted = {id(t) for t in (*results, *self.to_parts, *_needed(emitter, ours))}
        self.outputs = {
            id(part): [t for op in part.ops for t in op.outputs if id(t) in wanted and emitter.root(t) is t]
            for part in parts
        }


def _start(emitter: Emitter, part: Part, name: str, group: str, passed: _Passed, depth: int) -> None:
    """Writes the function of a part, and the call that gives it away."""
    inputs, outputs = passed.inputs[id(part)], passed.outputs[id(part)]
    arguments = [emitter.value(t) for t in inputs]
    parameters = [emitter.fresh("x") for _ in inputs]
    for tensor, parameter, value in zip(inputs, parameters, arguments, strict=True):
        emitter.values[id(tensor)] = Value(parameter, value.number)
    around = emitter.lines, emitter.owners
    emitter.lines, emitter.owners = [], []
    emitter.statements(part.ops, outputs, 1, emitter.prepared(part.ops, outputs))
    lines, owners = emitter.lines, emitter.owners
    emitter.lines, emitter.owners = around
    function = emitter.fresh("part_")
    texts = [emitter.value(t).text for t in outputs]
    written, owned = emitter.functions
    written += [f"def {function}({', '.join(parameters)}):", *lines, f"    return {', '.join(texts) or None}", ""]
    owned += [None, *owners, None, None]
    for tensor, value in zip(inputs, arguments, strict=True):
        emitter.values[id(tensor)] = value
    emitter.line(depth, f"{name} = {group}.start({', '.join([function, *[value.text for value in arguments]])})")


def _take(emitter: Emitter, part: Part, name: str, passed: _Passed, depth: int) -> None:
    targets = []
    for tensor in passed.outputs[id(part)]:
        targets.append(emitter.fresh("v"))
        emitter.values[id(tensor)] = Value(targets[-1], emitter.value(tensor).number)
    emitter.line(depth, f"{', '.join(targets)}{' = ' if targets else ''}{name}.get()", part.ops[0])


class _Again:
    """A region in program order in one thread, written when it is needed: after something in it has failed."""

    def __init__(
        self, emitter: Emitter, region: Region, given: list[Any], kinds: list[Any], results: list[Any]
    ) -> None:
        self.emitter = emitter
        self.region = region
        self.given = list(zip(given, kinds, strict=True))
        self.results = [(t, emitter.value(t).number) for t in results]
        self.loops = emitter.loops
        self.made: Any = None

    def __call__(self, *arguments: Any) -> Any:
        if self.made is None:
            self.made = self._written()
        return self.made(*arguments)

    def _written(self) -> Any:
        outer = self.emitter
        emitter = type(outer)(outer.program, outer._call)
        emitter.loops = self.loops
        names = [f"a{i}" for i in range(len(self.given))]
        for (tensor, kind), name in zip(self.given, names, strict=True):
            emitter.values[id(tensor)] = Value(name, kind)
        outputs = [tensor for tensor, _ in self.results]
        emitter.statements(self.region.ops, outputs, 2, emitter.prepared(self.region.ops, outputs))
        texts = [emitter.array(t) if kind is None else emitter.number(t) for t, kind in self.results]
        lines = [f"def again({', '.join(names)}):", "    try:", *emitter.lines]
        lines += [f"        return ({', '.join(texts)}{',' if texts else ''})"]
        lines += ["    except Exception as error:", "        raise fail(error, owners) from None"]
        emitter.env.update(fail=outer.fail, owners=[None, None, *emitter.owners])
        exec(compile("\n".join(lines), "<graphlab region>", "exec"), emitter.env)  # noqa: S102 - the source written above
        return emitter.env["again"]
