"""How much memory a call of a traced function takes at most, and which operations it is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from graphlab.compile import executable
from graphlab.core import nest
from graphlab.core.shape import RawShape, raw
from graphlab.core.tensor import Tensor
from graphlab.graph.func_graph import FuncGraph
from graphlab.inspect import gather
from graphlab.inspect.parts import Marked
from graphlab.messages import Message, language, message
from graphlab.messages import data as message_data

if TYPE_CHECKING:
    from graphlab.compile.memory import Memory

MAX_ARRAYS: Final = 20
"""Arrays that are listed."""

Json = dict[str, Any]


class MemoryReport:
    """The memory of a call: text with `print`, plain data under `data`.

    Attributes:
        peak_bytes: The most bytes that the arrays of a call take at one time, arguments and variables apart.
        data: `peak_bytes`; `at`, the operation that runs then; `arrays`, the largest that are there then, each with
            `name`, `type`, `bytes`, `file` and `line`; `unknown`, how many results have a size that is not known.
    """

    __slots__ = ("data", "peak_bytes")

    def __init__(self, data: Json) -> None:
        self.data = data
        self.peak_bytes: int = data["peak_bytes"]

    def __str__(self) -> str:
        return "\n".join(Marked(sentence["text"]).text() for sentence in self.data["sentences"])

    __repr__ = __str__


def memory(
    function: Any, /, *args: Any, trace: int | None = None, lang: str | None = None, **kwargs: Any
) -> MemoryReport:
    """How much memory a call takes at most beside its arguments, variables and constants, and what for.

    It is computed from the code that runs, without a call.  What the linear algebra library takes for itself does not
    count.

    Args:
        function: What `tf.function` returned.
        *args: The arguments of a call, values or specs, for sizes that its trace does not know.
        trace: The number of the trace, the last one by default.
        lang: The language; the current one when None.
        **kwargs: Arguments by name.

    Raises:
        TypeError: It is no traced function.
        ValueError: It has no trace of that number, or the arguments are not those of the trace.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> f = tf.function(lambda x: tf.reduce_sum(tf.tile(x, [3])))
    >>> _ = f(tf.ones([100_000]))
    >>> print(inspect.memory(f))
    A call takes at most 1.2 MB beside its arguments.
    1.2 MB of it is Tile (Tile), line 1.
    """
    found = gather.subject(function)
    graph = found.graph
    if trace is not None or graph is None:
        record = found.trace(trace) if trace is not None else None
        concrete = None if record is None else record.concrete()
        if concrete is None:
            raise ValueError(f"{found.name} has no trace {trace}; it has {len(found.traces)}.")
        graph = concrete.graph
    run = executable(graph)
    given = run.memory(_shapes(graph, (args, kwargs)) if args or kwargs else None)
    lang = lang or language()
    at = None if given.at is None else {"name": given.at.name, "type": given.at.type}
    return MemoryReport({
        "name": found.name, "lang": lang, "peak_bytes": given.peak_bytes, "at": at, "unknown": given.unknown,
        "arrays": [_array(held) for held in given.held[:MAX_ARRAYS]],
        "sentences": [message_data(sentence, lang) for sentence in sentences(given)],
    })  # fmt: skip


def sentences(found: Memory) -> list[Message]:
    """What there is to say about the memory of a call."""
    if not found.peak_bytes and not found.unknown:
        return [message("memory.none")]
    said = [message("memory.peak", size=size_text(found.peak_bytes))]
    if found.held:
        largest = found.held[0]
        values: Json = {"size": size_text(largest.bytes), "op": f"{largest.name} ({largest.type})"}
        if largest.place is None:
            said.append(message("memory.of_it.nowhere", **values))
        else:
            said.append(message("memory.of_it", line=largest.place.line, **values))
    if found.unknown:
        said.append(message("memory.unknown", n=found.unknown))
    return said


def size_text(count: int) -> str:
    """A number of bytes with the unit that suits it.

    >>> size_text(3_140_000), size_text(1_500), size_text(12)
    ('3.1 MB', '1.5 kB', '12 B')
    """
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"


def _array(held: Any) -> Json:
    place = held.place
    return {
        "name": held.name, "type": held.type, "bytes": held.bytes,
        "file": None if place is None else place.filename, "line": None if place is None else place.line,
    }  # fmt: skip


def _shapes(graph: FuncGraph, structure: Any) -> Sequence[RawShape]:
    """The shapes of all parameters: those of the tensors of a call, and of what the graph captured."""
    leaves = [leaf for leaf in nest.flatten(structure, expand_composites=True) if hasattr(leaf, "shape")]
    if len(leaves) != len(graph.inputs):
        raise ValueError(f"The trace takes {len(graph.inputs)} tensors, not {len(leaves)}.")
    given = [leaf._raw_shape() if isinstance(leaf, Tensor) else raw(leaf.shape) for leaf in leaves]
    for shape, parameter in zip(given, graph.inputs, strict=True):
        expected = parameter._raw_shape()
        if expected is not None and shape is not None:
            fits = len(shape) == len(expected) and all(e in (None, s) for s, e in zip(shape, expected, strict=True))
            if not fits:
                raise ValueError(f"{parameter.op.name} has the shape {expected} in the trace, not {shape}.")
    return [*given, *[parameter._shape for parameter in graph.parameters[len(graph.inputs) :]]]
