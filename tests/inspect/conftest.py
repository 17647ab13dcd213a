"""Programs run as a notebook cell would run them: compiled under a name of their own, watched, and described."""

import itertools
import linecache

import pytest

import graphlab
from graphlab.inspect import Cell, gather, panel
from graphlab.tracing import records

_number = itertools.count(1)


class Ran:
    """A program that ran: its names, its panel's subjects, and the cell."""

    def __init__(self, source, names, seen, filename):
        self.source, self.names, self.filename = source, names, filename
        self.calls = {}
        self.functions = {}
        for function, record in seen:
            self.functions.setdefault(id(function), function)
            self.calls.setdefault(id(function), []).append(record)
        self.error = None

    @property
    def cell(self):
        return Cell(self.source, self.filename)

    def subjects(self):
        found = [
            gather.subject(function, calls=self.calls[key], watched=True) for key, function in self.functions.items()
        ]
        return gather.together(found)

    def panel(self, lang="en", **options):
        return panel(self.subjects(), self.cell, lang, **options)

    def function(self, lang="en"):
        (found,) = self.panel(lang)["functions"]
        return found


@pytest.fixture
def run():
    """Run a program's source; the module `tf` is graphlab."""

    def run(source, *, fails=None, **names):
        filename = f"<graphlab_user_test_{next(_number)}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        space = {"tf": graphlab, "__name__": "__main__", **names}
        with records.watch() as seen:
            program = compile(source, filename, "exec")
            if fails is None:
                exec(program, space)
            else:
                with pytest.raises(fails):
                    exec(program, space)
        return Ran(source, space, seen, filename)

    return run
