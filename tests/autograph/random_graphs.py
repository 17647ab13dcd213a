"""Random functions of int32 tensors whose control flow the tensors decide: traced, they must give what they give eagerly."""

from __future__ import annotations

import random


class GraphWriter:
    """Writes a function of two int32 tensors, ``x`` and ``n``, from a seed.  It always returns three of them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.budget = 22
        self.loops = 0

    def write(self) -> str:
        self.lines = ["def program(x, n):", "    a = x", "    b = tf.constant(1)", "    i = j = k = tf.constant(0)"]
        self.block(1, in_loop=False)
        self.lines.append("    return a, b, i + j + k")
        return "\n".join(self.lines) + "\n"

    def expression(self) -> str:
        name, other = self.random.choice("abxij"), self.random.choice("abnxk")
        number = self.random.randrange(-3, 7)
        return self.random.choice(
            (
                name,
                f"{name} + {other}",
                f"{name} - {number}",
                f"{name} * 2 % 97",
                f"tf.maximum({name}, {number})",
                f"{name} if {self.condition()} else {other}",
                f"tf.constant({number})",
            )
        )

    def condition(self) -> str:
        name, number = self.random.choice("aabxnik"), self.random.randrange(-2, 8)
        return self.random.choice(
            (
                f"{name} > {number}",
                f"{name} % 3 == {number % 3}",
                f"{number - 5} < {name} <= {number}",
                f"not {name} < {number}",
                f"({name} > {number} and b != {number})",
                f"({name} > {number} or a % 2 == 0)",
            )
        )

    def block(self, depth: int, *, in_loop: bool) -> None:
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth, in_loop=in_loop)

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def statement(self, depth: int, *, in_loop: bool) -> None:
        self.budget -= 1
        pick = self.random.randrange(16)
        if self.budget < 0 or depth > 5:
            pick = min(pick, 5)
        if pick < 4:
            self.add(depth, f"{self.random.choice('aab')} = {self.expression()}")
        elif pick == 4:
            self.add(depth, f"{self.random.choice('ab')} += {self.random.randrange(1, 4)}")
        elif pick == 5:
            if in_loop and depth > 2:
                self.add(depth, self.random.choice(("break", "continue", "return a, b, i")))
            else:
                self.add(depth, "a = a + b")
        elif pick < 11:
            self.add(depth, f"if {self.condition()}:")
            self.block(depth + 1, in_loop=in_loop)
            if self.random.random() < 0.5:
                self.add(depth, "else:")
                self.block(depth + 1, in_loop=in_loop)
        elif pick < 13:
            self.add(depth, f"for {self.random.choice('ijk')} in tf.range({self.random.choice(('n', '3', 'x % 4'))}):")
            self.block(depth + 1, in_loop=True)
            self.orelse(depth, in_loop=in_loop)
        elif pick == 13:
            self.loops += 1
            counter = f"w{self.loops}"
            self.add(depth, f"{counter} = tf.constant(0)")
            self.add(depth, f"while {counter} < 3 and {self.condition()}:")
            self.add(depth + 1, f"{counter} += 1")
            self.block(depth + 1, in_loop=True)
            self.orelse(depth, in_loop=in_loop)
        elif pick == 14:
            self.add(depth, f"if {self.condition()}:")
            self.add(depth + 1, f"return {self.random.choice('ab')}, b, x")
        else:
            self.add(depth, f"for v in tf.stack([a, b, {self.random.randrange(5)}]):")
            self.add(depth + 1, "b = b + v % 5")
            self.block(depth + 1, in_loop=True)

    def orelse(self, depth: int, *, in_loop: bool) -> None:
        if self.random.random() < 0.25:
            self.add(depth, "else:")
            self.block(depth + 1, in_loop=in_loop)
