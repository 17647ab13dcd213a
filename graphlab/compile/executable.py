"""The generated function of a graph, and what happens when it fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphlab.compile.emit import Emitter, tiny
from graphlab.compile.names import Value
from graphlab.compile.options import OPTIONS
from graphlab.compile.passes import optimize
from graphlab.compile.program import Program
from graphlab.core import errors
from graphlab.core.floats import fp_now, fp_quiet, fp_restore
from graphlab.core.mutex import release_all
from graphlab.core.position import resolve
from graphlab.core.shape import RawShape, text
from graphlab.graph.devices import check_placement
from graphlab.graph.func_graph import FuncGraph
from graphlab.graph.operation import Operation

if TYPE_CHECKING:
    from graphlab.compile.memory import Memory

_INDENT = "    "
_FAILED = ("    except Exception as error:", "        raise fail(error) from None")
# A graph that fails, or is interrupted, gives back the locks that it has taken.
_UNLOCKED = (
    "    except BaseException as error:",
    "        release(locals().values())",
    "        if not isinstance(error, Exception): raise",
    "        raise fail(error) from None",
)
_TRANSLATED = (ValueError, ZeroDivisionError, IndexError, OverflowError, np.exceptions.AxisError)


class Executable:
    """A graph as a Python function on arrays.

    Args:
      graph: a finished graph.
      plain: leave out every optimisation; what the optimised function is tested against.
      quiet: a tiny graph may run its ufuncs in the context that has NumPy's warnings off.

    Attributes:
      entry: ``entry(*arrays)`` for calls from outside: arrays for ``graph.parameters`` in order; returns None for no
      result,
        the array for one, a tuple for several.
      raw: the same without the set-up of the floating-point state, for calls from other generated functions.
      source: the generated Python source.
      program: what the passes made of the graph; ``program.rewrites`` lists what they did.
      lines: for each line of ``source`` the Operation it belongs to, or None.
    """

    __slots__ = (
        "_body",
        "_env",
        "_functions",
        "_locks",
        "_parameters",
        "_raw",
        "count",
        "entry",
        "lines",
        "name",
        "program",
        "source",
        "uses_fp",
    )

    def __init__(self, graph: FuncGraph, plain: bool = False, quiet: bool = True) -> None:
        check_placement(graph)
        plain = plain or bool(OPTIONS.get("disable_meta_optimizer"))
        program = self.program = Program(graph) if plain else optimize(graph)
        call = (lambda f: Executable(f, plain=True)) if plain else executable
        emitter = Emitter(program, call, plain)
        emitter.quiet = quiet and not emitter.plain and tiny(program)
        names = [f"a{i}" for i in range(len(graph.parameters))]
        for placeholder, name in zip(graph.parameters, names, strict=True):
            emitter.values[id(placeholder)] = Value(name)
        emitter.fail = self.fail
        emitter.block(graph, graph.outputs, 2)
        results = [emitter.array(tensor) for tensor in graph.outputs]
        self.name = graph.name
        self.count = len(results)
        self.uses_fp = emitter.uses_fp
        self._parameters = ", ".join(names)
        self._body = [*emitter.lines, f"        return {', '.join(results) if results else 'None'}"]
        self._functions = emitter.functions[0]
        self._raw: Any = None
        env = self._env = emitter.env
        env.update(fail=self.fail, now=fp_now, quiet=fp_quiet, restore=fp_restore, release=release_all)
        if not emitter.uses_fp:
            head, tail = [f"def entry({self._parameters}):", "    try:"], []
            if emitter.quiet:  # another thread is in that context: the ordinary function then
                self._body += ["    except RuntimeError:", f"        return loud({self._parameters})"]
                env["loud"] = lambda *arrays: Executable(graph, quiet=False).entry(*arrays)
        else:
            head = [f"def entry({self._parameters}):", "    token = now()", "    try:", "        quiet()"]
            tail = ["    finally:", "        restore(token)"]
        self._locks = any(op is not None and op.type == "MutexLock" for op in emitter.owners)
        self.lines: list[Operation | None] = [*emitter.functions[1], *[None for _ in head], *emitter.owners]
        self.source = self._written(head, tail)
        self.entry: Any = self._compiled("entry", self.source)

    def _written(self, head: list[str], tail: list[str]) -> str:
        lines = [
            *self._functions,
            *head,
            *self._body,
            *(_UNLOCKED if self._locks else _FAILED),
            *tail,
        ]
        return "\n".join(lines) + "\n"

    def _compiled(self, name: str, source: str) -> Any:
        exec(compile(source, f"<graphlab {self.name}>", "exec"), self._env)  # noqa: S102 - the source written above
        return self._env[name]

    @property
    def raw(self) -> Any:
        """The function without the set-up of the floating-point state, for calls from other generated functions."""
        if not self.uses_fp:
            return self.entry
        if self._raw is None:
            # Empty lines first: the body has the same line numbers in both forms.
            self._raw = self._compiled("raw", self._written(["", "", f"def raw({self._parameters}):", "    try:"], []))
        return self._raw

    def memory(self, shapes: Sequence[RawShape] | None = None) -> Memory:
        """How much memory a call takes at most, and for what (``compile/memory.py``).

        Args:
          shapes: the shapes of arguments and captures, for sizes that tracing did not know.
        """
        from graphlab.compile.memory import memory

        return memory(self, shapes)

    @property
    def peak_bytes(self) -> int:
        """The most bytes that the arrays of a call take at one time, as far as sizes are known."""
        return self.memory().peak_bytes

    def call(self, arrays: list[Any]) -> list[Any]:
        """Runs it; always returns a list."""
        result = self.entry(*arrays)
        if self.count == 1:
            return [result]
        return list(result) if self.count else []

    def fail(self, error: Exception, lines: list[Operation | None] | None = None) -> Exception:
        """A run-time error as TensorFlow's class, naming the op and the user's line.

        ``lines`` are those of another function in which it was raised.
        """
        operation = None
        trace = error.__traceback__
        lines = self.lines if lines is None else lines
        if trace is not None and 0 < trace.tb_lineno <= len(lines):
            operation = lines[trace.tb_lineno - 1]
        if isinstance(error, errors.OpError):
            result = error
        elif isinstance(error, ZeroDivisionError):
            result = errors.InvalidArgumentError(None, None, "Integer division by zero.")
        elif operation is not None and (
            isinstance(error, _TRANSLATED) or (isinstance(error, TypeError) and operation.record.pure)
        ):
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
