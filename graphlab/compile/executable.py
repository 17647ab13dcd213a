"""The generated function of a graph, and what happens when it fails."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphlab.compile.emit import Emitter
from graphlab.core import errors
from graphlab.core.position import resolve
from graphlab.core.shape import text
from graphlab.core.tensor import fp_ignore, fp_restore
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

_INDENT = "    "
_TRANSLATED = (ValueError, ZeroDivisionError, IndexError, OverflowError, np.exceptions.AxisError)


class Executable:
    """A graph as a Python function on arrays.

    Attributes:
      entry: ``entry(*arrays)`` for calls from outside: arrays for ``graph.parameters`` in order; returns None for no
      result,
        the array for one, a tuple for several.
      raw: the same without the set-up of the floating-point state, for calls from other generated functions.
      source: the generated Python source.
      lines: for each line of ``source`` the Operation it belongs to, or None.
    """

    __slots__ = ("count", "entry", "lines", "name", "raw", "source", "uses_fp")

    def __init__(self, graph: FuncGraph) -> None:
        emitter = Emitter(executable)
        names = [f"a{i}" for i in range(len(graph.parameters))]
        for placeholder, name in zip(graph.parameters, names, strict=True):
            emitter.names[id(placeholder)] = name
        results = emitter.block(graph.ops, graph.outputs, 2)
        returned = ", ".join(results) if results else "None"
        self.name = graph.name
        self.count = len(results)
        self.uses_fp = emitter.uses_fp
        owners: list[Operation | None] = []
        lines: list[str] = []

        def add(line: str, owner: Operation | None = None) -> None:
            lines.append(line)
            owners.append(owner)

        def body(depth: int) -> None:
            for line, owner in zip(emitter.lines, emitter.owners, strict=True):
                add(line, owner)
            add(_INDENT * depth + f"return {returned}")

        parameters = ", ".join(names)
        add(f"def raw({parameters}):")
        add("    try:")
        body(2)
        add("    except Exception as error:")
        add("        raise fail(error) from None")
        if emitter.uses_fp:
            add(f"def entry({parameters}):")
            add("    token = ignore()")
            add("    try:")
            body(2)
            add("    except Exception as error:")
            add("        raise fail(error) from None")
            add("    finally:")
            add("        restore(token)")
        self.source = "\n".join(lines) + "\n"
        self.lines = owners
        env = emitter.env
        env.update(fail=self.fail, ignore=fp_ignore, restore=fp_restore)
        exec(compile(self.source, f"<graphlab {graph.name}>", "exec"), env)  # noqa: S102 - the source written above
        self.raw = env["raw"]
        self.entry = env["entry"] if emitter.uses_fp else self.raw

    def call(self, arrays: list[Any]) -> list[Any]:
        """Runs it; always returns a list."""
        result = self.entry(*arrays)
        if self.count == 1:
            return [result]
        return list(result) if self.count else []

    def fail(self, error: Exception) -> Exception:
        """A run-time error as TensorFlow's class, naming the op and the user's line."""
        operation = None
        trace = error.__traceback__
        if trace is not None and 0 < trace.tb_lineno <= len(self.lines):
            operation = self.lines[trace.tb_lineno - 1]
        if isinstance(error, errors.OpError):
            result = error
        elif operation is not None and isinstance(error, _TRANSLATED):
            shapes = ", ".join(f"{t.dtype.name}{text(t._raw_shape())}" for t in operation.inputs)
            result = errors.InvalidArgumentError(None, None, f"{error} (inputs: {shapes})")
        else:
            return error
        if operation is not None:
            result.name_op(f"{operation.type}, node {operation.name}", operation)
            places = resolve(operation.position)
            if places:
                errors.attach_position(result, places[0].filename, places[0].line, places[0].text)
        return result


def executable(graph: FuncGraph) -> Executable:
    """The generated function of a graph, made once."""
    found = graph.executable
    if found is None:
        found = graph.executable = Executable(graph)
    return found  # type: ignore[no-any-return]
