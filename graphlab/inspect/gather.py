"""From a living traced function to the subject of a panel: its records, source, graph and options."""

from __future__ import annotations

import inspect
import itertools
import secrets
import sys
import weakref
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from graphlab.core.specs import TypeSpec
from graphlab.inspect import graph_model, helped, outside
from graphlab.inspect.subject import Captured, OutputLine, Subject, some
from graphlab.tracing.cache import Cache
from graphlab.tracing.outside import kinds, snapshot
from graphlab.tracing.reasons import tensor_text
from graphlab.tracing.records import NOWHERE, CallRecord, TraceRecord


def subject(
    function: Any,
    *,
    calls: Sequence[CallRecord] = (),
    watched: bool = False,
    output: Mapping[int, Sequence[OutputLine]] | None = None,
    captured: Sequence[Captured] = (),
    after: int | None = None,
) -> Subject:
    """What a panel says about one function.

    Args:
        function: A traced function (what `tf.function` returns).
        calls: The calls recorded while it was watched.
        watched: Whether calls were recorded; without, every trace is shown.
        output: Lines printed while tracing, by number of trace.
        captured: Names read from outside while tracing.
        after: The number of the last trace that was there before; those beyond it are new, whatever made them.

    Raises:
        TypeError: It is no traced function.
    """
    if not hasattr(function, "traces") or not hasattr(function, "made_at"):
        raise TypeError(f"{function!r} is not a traced function: it was not made by tf.function.")
    python = _python(function)
    made_at = function.made_at
    written = listing(function)
    source, line, def_line = _source(python, written)
    # Below a wrapping decorator the user's function stands elsewhere than the callable that is traced.
    code = getattr(getattr(python, "__func__", python), "__code__", None)
    filename = code.co_filename if code is not None else None if made_at == NOWHERE else made_at.filename
    records: list[TraceRecord] = list(function.traces.log.traces)
    good = records
    unfinished = any(call.trace is None for call in calls)
    failures = list(function.traces.log.failures)
    failed = failures[-1] if failures and unfinished else None
    new = frozenset(call.trace for call in calls if call.traced and call.trace is not None)
    if after is not None:
        new |= {record.number for record in records if record.number > after}
    concretes = {record.number: concrete for record in good if (concrete := record.concrete()) is not None}
    number = _shown(good, calls, new)
    graph = concretes[number].graph if number in concretes else None
    return Subject(
        name=_name(function.name, python),
        filename=filename,
        line=line if line is not None else made_at.line or None,
        def_line=def_line,
        source=source,
        parameters=_parameters(function),
        traces=good,
        calls=list(calls),
        new=new,
        failed=failed,
        failures=failures,
        partial=function.traces.log.partial if failed is not None else None,
        results={key: structure_text(concrete.structured_outputs) for key, concrete in concretes.items()},
        operations={key: graph_model.count_operations(concrete.graph) for key, concrete in concretes.items()},
        specs={key: concrete.structured_input_signature for key, concrete in concretes.items()},
        general=_general(function, good, concretes),
        graph=graph,
        graph_trace=number,
        listing=written,
        alias=alias(python),
        autograph=bool(function.options.get("autograph", True)),
        reduce_retracing=bool(function.options.get("reduce_retracing", False)),
        fixed_signature=function.input_signature is not None,
        watched=watched,
        eager=unfinished and failed is None,
        output_lines=[text for lines in (output or {}).values() for text in lines],
        captured=captured or outside.then_and_now([r.outside for r in good], snapshot(_bound(function))),
        names=kinds(_bound(function)),
        signature=_signature(function),
        identity=identity(function),
        helped=helped.gathered(_bound(function), good, failures, new if watched else frozenset(), graph),
    )


def _general(
    function: Any, records: Sequence[TraceRecord], concretes: Mapping[int, Any]
) -> list[tuple[list[int], Any]]:
    """The traces there would be with `reduce_retracing`: the same calls in the same order, for a cache of their own."""
    if function.options.get("reduce_retracing") or function.input_signature is not None:
        return []
    if len(records) > _MAX_GENERAL or any(record.number not in concretes for record in records):
        return []  # too many to compare each with each, or a trace is gone, and what it took with it
    cache, made = Cache(), []
    for record in records:
        key = concretes[record.number].key
        found = cache.find(key)
        if found is None:
            general, _ = cache.generalise(key)
            found = cache.add(general, ([], general.describe()))
            made.append(found)
        found[0].append(record.number)
    return made


def identity(function: Any) -> str:
    """A name that no other traced function has, in this process or another."""
    found = _identities.get(function)
    if found is None:
        found = _identities[function] = f"{PROCESS}.{next(_serial)}"
    return found


_MAX_GENERAL: Final = 60

PROCESS: Final = secrets.token_hex(4)
"""What the names of this process's functions begin with: a notebook outlives the kernels that wrote it."""

_identities: Final[weakref.WeakKeyDictionary[Any, str]] = weakref.WeakKeyDictionary()
_serial: Final = itertools.count(1)


def _shown(records: Sequence[TraceRecord], calls: Sequence[CallRecord], new: Iterable[int]) -> int | None:
    """The trace whose graph is shown: the last that was made here, else the last that was used, else the last."""
    made = sorted(new)
    if made:
        return made[-1]
    used = [call.trace for call in calls if call.trace is not None]
    if used:
        return used[-1]
    return records[-1].number if records else None


def name_of(function: Any) -> str:
    """A traced function's name as it is shown."""
    return _name(function.name, _python(function))


def _name(name: str, python: Any) -> str:
    """The function's name; a method's with its class, as `Net.step`."""
    owner, _, last = str(getattr(python, "__qualname__", "")).rpartition(".")
    owner = owner.rpartition(".")[2]
    return f"{owner}.{name}" if last == name and owner not in ("", "<locals>") else name


def _python(function: Any) -> Any:
    try:
        python = function.python_function
    except ReferenceError:
        return None
    return inspect.unwrap(python) if callable(python) else python


def _bound(function: Any) -> Any:
    """The Python function with its `self`, or None when that is gone."""
    try:
        return function.python_function
    except ReferenceError:
        return None


def _signature(function: Any) -> tuple[str, ...] | None:
    """The parameters that an `input_signature` covers; None without one."""
    signature = function.input_signature
    return None if signature is None else _parameters(function)[: len(signature)]


def _source(python: Any, written: Any) -> tuple[str | None, int | None, int | None]:
    """Source, first line and line of `def`; None where there is none."""
    if python is None:
        return None, None, None
    lines: Sequence[str]
    plain = inspect.isroutine(python) and python.__name__ != "<lambda>"
    if plain and written is not None and written.source_lines:
        lines, first = written.source_lines, written.first_line  # reading them again takes as long as a small panel
    else:
        try:
            lines, first = inspect.getsourcelines(python)
        except (OSError, TypeError):
            return None, None, None
    first = max(first, 1)
    head = next((index for index, line in enumerate(lines) if line.lstrip().startswith(("def ", "async def "))), None)
    return "".join(lines), first, None if head is None else first + head


def _parameters(function: Any) -> tuple[str, ...]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = getattr(function, "__signature__", None)
    return () if signature is None else tuple(p.name for p in signature.parameters.values() if p.kind in kinds)


def alias(python: Any) -> str:
    """The name under which the module of a function imported graphlab; `tf` when it did not."""
    found = getattr(inspect.unwrap(python) if callable(python) else python, "__globals__", {})
    module = sys.modules.get("graphlab")
    names = sorted(name for name, value in list(found.items()) if value is module and name.isidentifier())
    return "tf" if "tf" in names or not names else names[0]


def listing(function: Any) -> Any:
    """What AutoGraph made of a function, or None when it made nothing."""
    if not function.options.get("autograph", True):
        return None
    from graphlab import autograph

    python = _python(function)
    if python is None:
        return None
    python = getattr(python, "__func__", python)
    try:
        found = _listings.get(python)
        if found is None:
            found = _listings[python] = autograph.code_listing(python)
    except TypeError:  # a callable that has no Python function, or cannot be remembered
        return None
    return found


# Converting again for the listing costs more than all the rest of a panel.
_listings: Final[weakref.WeakKeyDictionary[Any, Any]] = weakref.WeakKeyDictionary()


def structure_text(value: Any) -> str:
    """A structure of results in a few characters.

    >>> structure_text({"a": None})
    '{a: None}'
    """
    if isinstance(value, dict):
        return "{" + ", ".join(some([f"{key}: {structure_text(item)}" for key, item in value.items()])) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(some([structure_text(item) for item in value])) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(some([structure_text(item) for item in value])) + ")"
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and shape is not None and hasattr(dtype, "name"):
        return tensor_text(dtype.name, None if shape.rank is None else tuple(shape.as_list()))
    if isinstance(value, TypeSpec):
        return type(value).__name__
    return type(value).__name__ if value is not None else "None"


def together(subjects: Sequence[Subject]) -> list[Subject]:
    """The subjects; those that one piece of code made again and again are joined, their traces renumbered in order."""
    groups: dict[tuple[str | None, int | None, str], list[Subject]] = {}
    for item in subjects:
        groups.setdefault((item.filename, item.line, item.name), []).append(item)
    found: list[Subject] = []
    for items in groups.values():
        found += [_joined(items)] if len(items) > 1 and _same_code(items) else items
    return _told_apart(found)


def _told_apart(subjects: list[Subject]) -> list[Subject]:
    """The subjects with a number after names that several have: methods of several objects."""
    import dataclasses

    counts = Counter(item.name for item in subjects)
    seen: Counter[str] = Counter()
    result = []
    for item in subjects:
        seen[item.name] += 1
        one = counts[item.name] == 1
        result.append(item if one else dataclasses.replace(item, name=f"{item.name} ({seen[item.name]})"))
    return result


def _same_code(items: Sequence[Subject]) -> bool:
    # Methods of several instances share their code too, but nothing was made anew: their ordinal is the same.
    ordinals = [record.ordinal for item in items for record in item.traces[:1]]
    return len(set(ordinals)) > 1


def _joined(items: Sequence[Subject]) -> Subject:
    import dataclasses

    last = items[-1]
    traces: list[TraceRecord] = []
    calls: list[CallRecord] = []
    new: set[int] = set()
    results: dict[int, str] = {}
    operations: dict[int, int] = {}
    for item in items:
        numbers = {}
        for record in item.traces:
            number = len(traces) + 1
            numbers[record.number] = number
            closest = numbers.get(record.closest) if record.closest is not None else None
            traces.append(dataclasses.replace(record, number=number, closest=closest))
            if record.number in item.new:
                new.add(number)
            if record.number in item.results:
                results[number], operations[number] = item.results[record.number], item.operations[record.number]
        calls += [
            dataclasses.replace(call, trace=None if call.trace is None else numbers.get(call.trace))
            for call in item.calls
        ]
    calls.sort(key=lambda call: call.order)
    return dataclasses.replace(
        last,
        traces=traces,
        calls=calls,
        new=frozenset(new),
        results=results,
        operations=operations,
        graph_trace=len(traces) if last.graph_trace is not None else None,
        made=max((record.ordinal for record in traces), default=len(items)),
        output_lines=[line for item in items for line in item.output_lines],
        identity=items[0].identity,
    )
