"""What seeing costs: the panel's Python, watching calls, cells that trace nothing, and the size of what is saved."""

from __future__ import annotations

import itertools
import json
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

import graphlab as tf
from graphlab.inspect import Cell, gather, panel
from graphlab.inspect.static_html import html
from graphlab.jupyter.watch import CellRun
from graphlab.tracing import records
from tests.bench.harness import Once, Pair, Size, benchmark

_numbers = itertools.count(1)


def program(operations: int) -> str:
    """A cell that defines a function of so many operations, four to a line, and calls it."""
    lines = (f"    x = x * {n % 7 + 1}.5 + tf.sin(x) - {n % 5}.25" for n in range(operations // 4))
    return "\n".join(["@tf.function", "def f(x):", *lines, "    return x", "_ = f(tf.constant([1.0, 2.0]))", ""])


def traced(operations: int) -> tuple[list[Any], Cell]:
    """What a panel is made of: the cell is run under a name of its own, and watched."""
    source = program(operations)
    filename = f"<graphlab_user_bench_{next(_numbers)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names = {"tf": tf, "__name__": "__main__"}
    with records.watch() as seen:
        exec(compile(source, filename, "exec"), names)  # the program above
    return seen, Cell(source, filename)


def panel_of(seen: list[Any], cell: Cell) -> dict[str, Any]:
    """The panel's data, from the records on."""
    ((function, record),) = seen
    return panel([gather.subject(function, calls=[record], watched=True)], cell)


def _panel(operations: int) -> Once:
    def prepare() -> Callable[[], Any]:
        seen, cell = traced(operations)
        return lambda: html(panel_of(seen, cell), drawn=False)

    return Once(prepare)


@benchmark("panel, 10 operations", goal=0.03)
def panel_10() -> Once:
    return _panel(10)


@benchmark("panel, 100 operations", goal=0.03)
def panel_100() -> Once:
    return _panel(100)


@benchmark("panel, 1,000 operations")
def panel_1000() -> Once:
    return _panel(1000)


def _sizes(operations: int) -> tuple[int, int]:
    data = panel_of(*traced(operations))
    return len(json.dumps(data, ensure_ascii=False).encode()), len(html(data).encode())


@benchmark("saved as JSON, 10 operations")
def json_10() -> Size:
    return Size(lambda: _sizes(10)[0])


@benchmark("saved as JSON, 100 operations")
def json_100() -> Size:
    return Size(lambda: _sizes(100)[0])


@benchmark("saved as JSON, 1,000 operations")
def json_1000() -> Size:
    return Size(lambda: _sizes(1000)[0])


@benchmark("saved as HTML, 10 operations")
def html_10() -> Size:
    return Size(lambda: _sizes(10)[1])


@benchmark("saved as HTML, 100 operations")
def html_100() -> Size:
    return Size(lambda: _sizes(100)[1])


@benchmark("saved as HTML, 1,000 operations")
def html_1000() -> Size:
    return Size(lambda: _sizes(1000)[1])


def _watching(body: Callable[[Any], Any], size: int, number: int) -> Pair:
    """Many calls of one function in a cell that is watched, and in one that is not.

    The first ten calls of a function in a watched cell go the long way, some 10 µs each: they must not count here.
    """
    function, x = tf.function(body), tf.constant(np.ones(size, np.float32))
    function(x)

    def calls() -> None:
        for _ in range(number):
            function(x)

    def watched() -> None:
        run = CellRun("", "<cell>", marked=False)
        run.begin()
        try:
            calls()
        finally:
            run.end()

    return Pair(watched, calls, units=number)


@benchmark("watched calls, one addition", goal=1.2)
def watched_tiny() -> Pair:
    return _watching(lambda x: x + 1.0, 2, 50_000)


@benchmark("watched calls, a body of 10 µs", goal=1.02)
def watched_body() -> Pair:
    def body(x: Any) -> Any:
        for _ in range(9):
            x = tf.sin(x) + 1.0
        return x

    return _watching(body, 1000, 10_000)


@benchmark("a cell without traces, watched", goal=0.001)
def nothing() -> Once:
    def cell() -> None:
        run = CellRun("1 + 1", "<cell>", marked=False)
        run.begin()
        run.end()
        run.show(_published, None)

    return Once(lambda: cell)


def _published(**_: Any) -> None:
    raise AssertionError("A cell that traces nothing shows nothing.")
