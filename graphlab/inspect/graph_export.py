"""A graph as a file: SVG, PNG, DOT or JSON."""

from __future__ import annotations

import json
import subprocess
from os import PathLike
from pathlib import Path
from typing import Any, Final

from graphlab.inspect import drawing, gather, graph_view
from graphlab.inspect.graph_dot import dot
from graphlab.inspect.graph_fold import PARTS, shown
from graphlab.messages import language

FORMATS: Final = ("svg", "png", "dot", "json")
_TIMEOUT: Final = 300
_EVERYTHING: Final = 1_000_000


def export_graph(
    function: Any,
    path: str | PathLike[str] | None = None,
    *,
    format: str | None = None,
    trace: int | None = None,
    part: str = "traced",
    changes: bool = False,
    constants: bool = False,
    control: bool = False,
    lang: str | None = None,
) -> bytes:
    """The picture of a function's graph, all bodies open, as a file or as its contents.

    Args:
        function: What `tf.function` returned.
        path: Where to write it; None writes nothing.
        format: `svg`, `png`, `dot` or `json`; by default what the path ends with.
        trace: The number of the trace; the last by default.
        part: `traced` as it was traced, `runs` as the optimiser left it, `gradient` with its gradient.
        changes: Mark what the optimiser did, and draw what it took out.
        constants: Draw constants as nodes of their own.
        control: Draw the order of effects.
        lang: The language of labels; the current one when None.

    Returns:
        The contents of the file; `dot`, `json` and `svg` are UTF-8 text.

    Raises:
        TypeError: It is no traced function.
        ValueError: There is no such trace, part or format, or the function was not traced yet.
        RuntimeError: `svg` and `png` need Graphviz, and there is none, or it failed.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> double = tf.function(lambda x: x * 2)
    >>> _ = double(tf.constant(1))
    >>> print(inspect.export_graph(double, format="dot").decode().splitlines()[0])
    digraph graph_of__lambda_ {
    """
    kind = format or ("" if path is None else Path(path).suffix.removeprefix(".").lower())
    if kind not in FORMATS:
        raise ValueError(f"A graph is written as {', '.join(FORMATS)}, not as {kind!r}.")
    if part not in PARTS:
        raise ValueError(f"There is no part {part!r} of a graph; there are {', '.join(PARTS)}.")
    found = gather.subject(function)
    graph, number = found.graph, found.graph_trace
    if trace is not None:
        record = found.trace(trace)
        if record is None:
            raise ValueError(f"{found.name} has no trace {trace}; it has {len(found.traces)}.")
        concrete = record.concrete()
        graph, number = (None if concrete is None else concrete.graph), trace
    if graph is None:
        raise ValueError(f"{found.name} has no graph: it was not traced yet.")
    picture = graph_view.whole(graph, found.filename, found.line, gradient=part == "gradient")
    data = graph_view.graph_data(found.name, picture, number, lang or language(), part=part, most=_EVERYTHING)
    if part != "traced" and part not in data["parts"]:
        part = "traced" if part == "runs" else part
    made = contents(found.name, data, kind, part, changes=changes, constants=constants, control=control)
    if path is not None:
        Path(path).write_bytes(made)
    return made


def contents(
    name: str,
    data: dict[str, Any],
    kind: str,
    part: str,
    *,
    changes: bool = False,
    constants: bool = False,
    control: bool = False,
) -> bytes:
    """A graph's data in one of the formats, all bodies open."""
    if kind == "json":
        return json.dumps(data, ensure_ascii=False, indent=1).encode()
    view = shown(data, part, closed=(), constants=constants, control=control, removed=changes)
    text = dot(name, view, changes=changes)
    if kind == "dot":
        return text.encode()
    if kind == "svg":
        drawn = drawing.picture(data, view, changes=changes)
        if drawn is not None:
            return drawn.encode()
    program = drawing.program()
    if program is None:
        raise RuntimeError(
            f"A graph is drawn as {kind} by Graphviz, which is not installed: `pip install graphviz-pure`, or the "
            'package "graphviz" of your system. `format="dot"` and `format="json"` need nothing.'
        )
    try:
        done = subprocess.run(  # a program of this environment
            [program, "-Kdot", f"-T{kind}"], input=text.encode(), capture_output=True, timeout=_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RuntimeError(f"{program} could not draw the graph: {error}") from error
    if done.returncode or not done.stdout:
        raise RuntimeError(f"{program} could not draw the graph: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout
