"""Advice: what a function's source and records show that its author should know, each with the line to write instead.

Rules are pure functions over a `Unit` (the source's tree and the records); `RULES` is their table, a module of this
package per family. Each id has a page, `docs/advice/<id>.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from graphlab.inspect.advice import (
    arguments as _arguments,
)
from graphlab.inspect.advice import control as _control
from graphlab.inspect.advice import effects as _effects
from graphlab.inspect.advice import frozen as _frozen
from graphlab.inspect.advice import gradients as _gradients
from graphlab.inspect.advice import loops as _loops
from graphlab.inspect.advice import values as _values
from graphlab.inspect.advice.called import called_units
from graphlab.inspect.advice.finding import RULES, Finding, Found, Rule, rule_of
from graphlab.inspect.advice.unit import Unit, module_units, unit_of
from graphlab.inspect.subject import Subject

IDS: Final = tuple(id_ for found in RULES for id_ in found.ids)
"""The stable ids, in the order of the table."""

__all__ = ["IDS", "RULES", "Finding", "Rule", "Unit", "about", "about_source", "rule_of"]

_FAMILIES: Final = (_arguments, _control, _effects, _frozen, _gradients, _loops, _values)


def about(subject: Subject, *, differed: bool = False) -> list[Finding]:
    """What the rules find in a traced function and in the user's functions that ran inside of it.

    First comes what is wrong, in the order of lines, the function's own before its helpers'; then notes.

    Args:
        subject: The function with its records.
        differed: Whether its output was seen to differ between eager runs and graphs.
    """
    unit = unit_of(subject)
    called = called_units(unit, subject)
    if unit is None:
        unit = Unit(_EMPTY, {}, {}, traced=True, subject=subject)
    units = [unit, *called]
    for each in units:
        each.differed = differed
    return _checked(units)


def about_source(text: str, subjects: Sequence[Subject] = (), names: Mapping[str, str] | None = None) -> list[Finding]:
    """What the rules find in a source text: a cell, a file.

    Args:
        text: The source; lines that begin with `%` or `!` are skipped.
        subjects: The functions of it that are known by their records, which are looked at by `about`.
        names: What names are that it does not define itself, as `graphlab.tracing.outside.kinds` says.
    """
    return _checked(module_units(text, subjects, names))


def _checked(units: Sequence[Unit]) -> list[Finding]:
    found = Found()
    places: dict[str | None, int] = {}
    for unit in units:
        places.setdefault(unit.helper, len(places))
        for rule in RULES:
            if not _asks(rule, unit):
                continue
            for finding in rule.check(unit):
                if unit.marks is not None and unit.marks.times(finding.line or 0) == 0:
                    continue  # the line did not run
                if unit.helper is not None and unit.subject is not None:
                    finding = replace(finding, helper=unit.helper, filename=unit.subject.filename)
                found.add(finding)
    return sorted(found.findings, key=lambda finding: (_note(finding), places[finding.helper], *_order(finding)))


def _asks(rule: Rule, unit: Unit) -> bool:
    """Whether a rule has something to say about a unit."""
    if rule.stops and unit.sound:
        return False
    if unit.given is not None:
        # What holds anywhere is found in the function around an inner one.
        return rule.helpers and not (unit.given.inner and rule.anywhere)
    return rule.anywhere or unit.traced


def _note(finding: Finding) -> bool:
    return rule_of(finding.rule).note


def _order(finding: Finding) -> tuple[Any, ...]:
    return finding.line or 0, finding.rule


def _empty() -> Any:
    import ast

    return ast.Module([], [])


_EMPTY: Final = _empty()
