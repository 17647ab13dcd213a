"""No false alarm: over the programs that are compared with TensorFlow, only what is really there is told."""

import contextlib
import importlib
import io
import pkgutil

import pytest

import tests.oracle.programs as programs
from graphlab.inspect import advice, gather
from graphlab.tracing import records
from tests.oracle.program import Program


def everything():
    for module in pkgutil.iter_modules(programs.__path__):
        loaded = importlib.import_module(f"{programs.__name__}.{module.name}")
        for name, found in vars(loaded).items():
            if isinstance(found, Program):
                yield pytest.param(found, id=f"{module.name}.{name}")


@pytest.mark.parametrize("program", list(everything()))
def test_only_what_is_there_is_told(program, monkeypatch):
    made, register = [], records.register
    monkeypatch.setattr(records, "register", lambda function: (made.append(function), register(function)))
    calls = {}
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        records.watch() as seen,
        contextlib.suppress(Exception),  # whether a program runs is tested elsewhere
    ):
        program.function()
    for function, record in seen:
        calls.setdefault(id(function), (function, []))[1].append(record)
    made += [function for function, _ in calls.values() if all(function is not other for other in made)]
    subjects = [
        gather.subject(function, calls=calls.get(id(function), (function, []))[1], watched=True) for function in made
    ]
    wrong = set()
    for subject in gather.together(subjects):
        for finding in advice.about(subject):
            rule = advice.rule_of(finding.rule)
            if not rule.note and not rule.cost:  # rules of cost tell counts, which other tests hold to the records
                wrong.add(finding.rule)
    assert wrong == set(program.advice), "what is rightly told stands in the program's mark, @program(advice=...)"
