"""Random Python functions with nested control flow, which must mean the same converted and unconverted."""

from __future__ import annotations

import linecache
import random
from types import FunctionType
from typing import Any

_COUNTER = iter(range(10**9))
VARIABLES = ("a", "b", "c", "d")


class Writer:
    """Writes a function of two numbers, ``x`` and ``n``, from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.budget = 40

    def write(self) -> str:
        self.lines = ["def program(x, n):", "    a = x", "    steps = []"]
        if self.random.random() < 0.5:
            self.lines.append("    b = n")
        if self.random.random() < 0.3:
            self.lines += ["    def helper(y):", "        nonlocal a", "        a += 1", "        return y + a"]
            self.helper = True
        else:
            self.helper = False
        self.block(1, in_loop=False)
        self.lines.append(f"    return a, steps, {self.expression()}")
        return "\n".join(self.lines) + "\n"

    def expression(self) -> str:
        pick = self.random.randrange(9 if self.helper else 8)
        name = self.random.choice((*VARIABLES[:2], "x", "n", "a", "a"))
        if pick < 2:
            return name
        if pick == 2:
            return str(self.random.randrange(-3, 9))
        if pick == 3:
            return f"({name} + {self.random.choice(('a', 'x', '1', '2'))})"
        if pick == 4:
            return f"({self.condition()} and {name})"
        if pick == 5:
            return f"({name} if {self.condition()} else {self.random.choice(('a', 'n'))})"
        if pick == 6:
            return f"max({name}, {self.random.randrange(5)})"
        if pick == 7:
            return f"sum([{name} for {self.random.choice(VARIABLES)} in range(3)])"
        return f"helper({name})"

    def condition(self) -> str:
        name = self.random.choice(("a", "a", "x", "n", "b"))
        number = self.random.randrange(-2, 8)
        pick = self.random.randrange(6)
        if pick == 0:
            return f"{name} % 2 == {number % 2}"
        if pick == 1:
            return f"{number - 4} < {name} <= {number}"
        if pick == 2:
            return f"not {name} > {number}"
        if pick == 3:
            return f"({name} > {number} or a % 3 == 0)"
        if pick == 4:
            return f"(n > {number} and {name} != {number})"
        return f"{name} < {number}"

    def block(self, depth: int, *, in_loop: bool) -> None:
        start = len(self.lines)
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth, in_loop=in_loop)
        if len(self.lines) == start:
            self.add(depth, "pass")

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def statement(self, depth: int, *, in_loop: bool) -> None:
        self.budget -= 1
        pick = self.random.randrange(20)
        if self.budget < 0 or depth > 5:
            pick = min(pick, 5)
        target = self.random.choice(VARIABLES)
        if pick < 3:
            self.add(depth, f"{target} = {self.expression()}")
        elif pick == 3:
            self.add(depth, f"a += {self.random.randrange(1, 4)}")
        elif pick == 4:
            self.add(depth, f"steps.append({self.expression()})")
        elif pick == 5:
            if in_loop:
                self.add(depth, self.random.choice(("break", "continue", f"return {self.expression()}, steps")))
            else:
                self.add(depth, f"a = {self.expression()}")
        elif pick < 11:
            self.add(depth, f"if {self.condition()}:")
            self.block(depth + 1, in_loop=in_loop)
            if self.random.random() < 0.3:
                self.add(depth, f"elif {self.condition()}:")
                self.block(depth + 1, in_loop=in_loop)
            if self.random.random() < 0.5:
                self.add(depth, "else:")
                self.block(depth + 1, in_loop=in_loop)
        elif pick < 14:
            self.add(depth, f"for {target} in range({self.random.choice(('n', '3', 'x'))}):")
            self.block(depth + 1, in_loop=True)
            self.orelse(depth, in_loop=in_loop)
        elif pick == 14:
            counter = f"w{depth}_{len(self.lines)}"
            self.add(depth, f"{counter} = 0")
            self.add(depth, f"while {counter} < 4 and {self.condition()}:")
            self.add(depth + 1, f"{counter} += 1")
            self.block(depth + 1, in_loop=True)
            self.orelse(depth, in_loop=in_loop)
        elif pick == 15:
            self.add(depth, f"if {self.condition()}:")
            self.add(depth + 1, f"return {self.expression()}, steps, 'early'")
        elif pick == 16:
            self.add(depth, "try:")
            self.block(depth + 1, in_loop=in_loop)
            if self.random.random() < 0.4:
                self.add(depth + 1, f"if {self.condition()}: raise KeyError(a)")
            self.add(depth, f"except KeyError{self.random.choice((' as error', ''))}:")
            self.block(depth + 1, in_loop=in_loop)
            if self.random.random() < 0.3:
                self.add(depth, "else:")
                self.block(depth + 1, in_loop=in_loop)
            if self.random.random() < 0.4:
                self.add(depth, "finally:")
                self.add(depth + 1, "steps.append('finally')")
        elif pick == 17:
            self.add(depth, "with keeping(steps):")
            self.block(depth + 1, in_loop=in_loop)
        elif pick == 18:
            self.add(depth, f"steps.append((lambda: {target}) if False else lambda: a)")
            self.add(depth, "steps.append(steps.pop()())")
        else:
            self.add(depth, f"if ({target} := {self.expression()}) > 2:")
            self.block(depth + 1, in_loop=in_loop)

    def orelse(self, depth: int, *, in_loop: bool) -> None:
        if self.random.random() < 0.3:
            self.add(depth, "else:")
            self.block(depth + 1, in_loop=in_loop)


class keeping:  # noqa: N801  # reads as a statement of the programs
    """A context manager that leaves a mark and swallows LookupErrors that are not KeyErrors."""

    def __init__(self, steps: list[Any]) -> None:
        self.steps = steps

    def __enter__(self) -> None:
        self.steps.append("in")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self.steps.append("out")
        return kind is IndexError


def make(source: str) -> FunctionType:
    """The function ``program`` of a source, which ``linecache`` knows."""
    filename = f"<random program {next(_COUNTER)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"keeping": keeping, "__name__": "programs"}
    exec(compile(source, filename, "exec"), names)
    return names["program"]


def outcome(function: Any, *args: Any) -> Any:
    """What a call gives: its value, or the exception's class (names without a value count as one kind) and message."""
    try:
        return ("value", repr(function(*args)))
    except NameError:
        return ("error", "NameError")
    except Exception as error:  # noqa: BLE001  # whatever it is, both must raise it
        return ("error", type(error).__name__, str(error))
