"""What a panel is about: a traced function with its records, as data that tests can build by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from graphlab.tracing.reasons import CONTAINERS, Key, Leaf
from graphlab.tracing.records import CallRecord, TraceRecord


@dataclass(frozen=True, slots=True)
class Cell:
    """The cell a panel stands beside.

    Attributes:
        source: The text as the user wrote it, or None outside a notebook.
        filename: The name its code was compiled under: a place with that name is a line of this cell.
    """

    source: str | None = None
    filename: str | None = None

    def line(self, filename: str | None, line: int | None) -> int | None:
        """The line of this cell, or None for a place outside it."""
        return line if line and filename is not None and filename == self.filename else None


@dataclass(frozen=True, slots=True)
class OutputLine:
    """A line that a traced function printed: Python's `print` while a trace was made, `tf.print` when a graph ran."""

    text: str
    trace: int | None
    line: int | None
    in_graph: bool = False
    filename: str | None = None  # None: the function's own


@dataclass(frozen=True, slots=True)
class Captured:
    """A name read from outside the function while it was traced."""

    name: str
    kind: str  # number, value, tensor, variable
    traced: str
    now: str
    line: int | None
    reader: str | None = None  # the helper that reads it; None: the function itself
    filename: str | None = None  # the helper's


@dataclass(frozen=True, slots=True)
class Helped:
    """What is known of another function of the user's that ran while a function was traced.

    Attributes:
        filename: Its file, with the line where its code begins.
        name: Its qualified name.
        names: What its outer names are, as `Subject.names` says it of the function's own.
        captured: What it read from outside and the traced function did not.
        kept: Whether its object, when it is a method, lives outside of the trace.
    """

    filename: str
    line: int
    name: str
    names: Mapping[str, str]
    captured: Sequence[Captured] = ()
    kept: bool = True


@dataclass(slots=True)
class Subject:
    """A traced function and everything a panel says about it.

    Attributes:
        name: The function's name.
        filename: The file its definition stands in.
        line: The line its definition starts at: its first decorator's, else its `def`.
        def_line: The line of its `def`; None when there is no source.
        source: Its source from `line` on, or None.
        parameters: The names of its positional parameters, without a bound `self`.
        traces: The records of the traces it has, in order.
        calls: The calls made while it was watched, in order.
        new: Numbers of the traces made meanwhile.
        failed: The record of a trace that an error stopped, or None.
        failures: All those that were stopped lately.
        partial: The graph of `failed` as far as it was built, or None.
        results: What each trace returns, by number: `"float32[2]"`.
        operations: How many operations each trace's graph has, by number.
        specs: For each trace, its arguments as nested specs and values, `(args, kwargs)`.
        general: What `reduce_retracing` would have made of the traces: for each trace there would be, the numbers of
            those it would stand for and its arguments. Empty when that is so already, or not known.
        graph: The graph to show, and `graph_trace` the number of its trace.
        listing: What AutoGraph made of it, or None.
        alias: The name the user imported graphlab under.
        watched: False when calls were not recorded.
        eager: True when its calls ran as plain Python.
        names: What the names are that it reads from outside: `module:numpy`, `list`, `variable:int32`…
        signature: The parameters that its `input_signature` covers; None without one.
        made: How many Functions the same code had made, when that is what the panel is about.
        identity: A name that no other Function has, in this process or another; panels about one Function share it.
        helped: What is known of the user's other functions that ran while it was traced.
        memo: What one view has worked out and others need too.
    """

    name: str
    filename: str | None = None
    line: int | None = None
    def_line: int | None = None
    source: str | None = None
    parameters: Sequence[str] = ()
    traces: list[TraceRecord] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)
    new: frozenset[int] = frozenset()
    failed: TraceRecord | None = None
    failures: Sequence[TraceRecord] = ()
    partial: Any = None
    results: Mapping[int, str] = field(default_factory=dict)
    operations: Mapping[int, int] = field(default_factory=dict)
    specs: Mapping[int, tuple[Any, Any]] = field(default_factory=dict)
    general: Sequence[tuple[Sequence[int], Key]] = ()
    graph: Any = None
    graph_trace: int | None = None
    listing: Any = None
    alias: str = "tf"
    autograph: bool = True
    reduce_retracing: bool = False
    fixed_signature: bool = False
    watched: bool = True
    eager: bool = False
    made: int = 1
    output_lines: Sequence[OutputLine] = ()
    captured: Sequence[Captured] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    signature: Sequence[str] | None = None
    identity: str | None = None
    helped: Sequence[Helped] = ()
    memo: dict[str, Any] = field(init=False, default_factory=dict, repr=False, compare=False)

    @property
    def read(self) -> list[Captured]:
        """What was read from outside, by the function itself and by the helpers that ran with it."""
        return [*self.captured, *(item for helper in self.helped for item in helper.captured)]

    @property
    def own_name(self) -> str:
        """The name after `def`, without a class before it or a number after it."""
        return self.name.partition(" ")[0].rpartition(".")[2]

    @property
    def stopped_at(self) -> tuple[str | None, int | None]:
        """File and line of the error that stopped `failed`, of a helper's line where it was raised in one."""
        if self.failed is None:
            return None, None
        return self.failed.error_file or self.filename, (self.failed.error or ("", "", None))[2]

    def trace(self, number: int | None) -> TraceRecord | None:
        """The record of a trace by number."""
        return next((record for record in self.traces if record.number == number), None)

    def served(self, number: int) -> int:
        """How many of the recorded calls a trace served."""
        return sum(call.count for call in self.calls if call.trace == number)

    @property
    def call_count(self) -> int:
        """How many calls were recorded."""
        return sum(call.count for call in self.calls)


_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")


def without_address(text: str) -> str:
    """A repr without the address in it, which differs from run to run.

    >>> without_address("<function f at 0x7f12ab>")
    '<function f>'
    """
    return _ADDRESS.sub("", text)


def shown_leaves(key: Key) -> list[Leaf]:
    """The leaves of a key that stand for a value: neither the call itself nor a container that has contents."""
    shown = []
    for leaf in key:
        if leaf.kind == "call" or not leaf.path:
            continue
        if leaf.kind in CONTAINERS and any(
            other.path.startswith((f"{leaf.path}[", f"{leaf.path}.")) for other in key if other is not leaf
        ):
            continue
        shown.append(leaf)
    return shown


def leaf_text(leaf: Leaf) -> str:
    """The type of one argument as shown: `float32[2]`, `int 3`."""
    return without_address(leaf.text)


MAX_PARTS: Final = 12
"""Arguments, or values of one container, that a signature names."""


def some(parts: Sequence[str], limit: int = MAX_PARTS) -> Sequence[str]:
    """The first of many parts, and how many more there are.

    >>> some(["a", "b", "c", "d"], 3)
    ['a', 'b', '… +2']
    """
    return parts if len(parts) <= limit else [*parts[: limit - 1], f"… +{len(parts) - limit + 1}"]


def signature_text(key: Key) -> str:
    """The types of a call's arguments, joined by commas: `float32[2], {'a': int 3}, k=[int32[], int32[]]`."""
    call = next((leaf for leaf in key if leaf.kind == "call"), None)
    keywords = () if call is None else call.data["keywords"]
    below: dict[str, list[Leaf]] = {}
    parents: list[str] = []
    for leaf in key:  # containers stand before their contents
        if leaf.kind == "call" or not leaf.path:
            continue
        while parents and not leaf.path.startswith((f"{parents[-1]}[", f"{parents[-1]}.")):
            parents.pop()
        below.setdefault(parents[-1] if parents else "", []).append(leaf)
        if leaf.kind in CONTAINERS:
            parents.append(leaf.path)

    def text(leaf: Leaf) -> str:
        parts = below.get(leaf.path, [])
        if not parts:
            return leaf_text(leaf)
        inner = [text(part) for part in parts]
        if leaf.kind == "list":
            return f"[{', '.join(some(inner))}]"
        if leaf.kind == "tuple":
            return f"({', '.join(some(inner))}{',' * (len(inner) == 1)})"
        names = [part.path[len(leaf.path) :] for part in parts]
        if leaf.kind == "dict":
            return "{" + ", ".join(some([f"{name[1:-1]}: {of}" for name, of in zip(names, inner, strict=True)])) + "}"
        named = [f"{name.lstrip('.')}={of}" for name, of in zip(names, inner, strict=True)]
        return f"{leaf_text(leaf)}({', '.join(some(named))})"

    shown = [f"{leaf.path}={text(leaf)}" if leaf.path in keywords else text(leaf) for leaf in below.get("", [])]
    return ", ".join(some(shown))


def root(path: str) -> str:
    """The parameter that a path starts at.

    >>> root("d['b'][0]"), root("p.value"), root("*args")
    ('d', 'p', '*args')
    """
    return re.split(r"[.\[]", path, maxsplit=1)[0]


place_names: Final[dict[str, str]] = {}
"""Names to show for files that have none of their own, such as the cells of a notebook."""


def place_text(filename: str, line: int) -> str:
    """A place outside the cell, short enough for a heading: the file's last part (a cell's name) and the line."""
    if filename in place_names:
        return f"{place_names[filename]}:{line}"
    if filename.startswith("<"):
        return f"{filename}:{line}" if line else filename
    return f"{filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{line}"
