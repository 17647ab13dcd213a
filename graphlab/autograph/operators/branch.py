"""``if`` and conditional expressions at run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from graphlab.autograph import staging
from graphlab.autograph.names import is_internal
from graphlab.autograph.operators.lines import assigned_at, at_line, returned_at, shown
from graphlab.autograph.operators.values import Opaque, Side, Value, check_agree
from graphlab.autograph.operators.variables import UNSET, Variables

Body = Callable[[], Any]


def if_stmt(test: Any, body: Any, orelse: Any = None, names: Sequence[str] = ()) -> Any:
    """``if test: ... else: ...``.

    Args:
      test: what decides.
      body: the first branch; it assigns the variables around it, and may return a value.
      orelse: the other branch, or None.
      names: the variables that are wanted afterwards.

    Returns:
      What the branch returned.
    """
    if test.__class__ is not bool and staging.is_staged(test):
        return _staged_if(test, body, orelse, names)
    if test:
        return body()
    return orelse() if orelse is not None else None


def if_exp(test: Any, body: Body, orelse: Body, name: str) -> Any:
    """``body if test else orelse``; ``name`` is what messages call the value."""
    if test.__class__ is not bool and staging.is_staged(test):
        sides = (
            Side("if the condition is true", lambda _: None),
            Side("otherwise", lambda _: None),
        )
        return _Branches("conditional expression", (body, orelse), (), sides, name).build(test)
    return body() if test else orelse()


def _staged_if(test: Any, body: FunctionType, orelse: FunctionType | None, names: Sequence[str]) -> Any:
    def line(function: FunctionType | None) -> Callable[[str | None], int | None]:
        return lambda name: returned_at(function) if name is None else assigned_at(function, name)

    sides = (Side("in the main branch", line(body)), Side("in the else branch", line(orelse)))
    return _Branches("if statement", (body, orelse), names, sides, None).build(test)


class _Branches:
    def __init__(
        self, construct: str, functions: Any, names: Sequence[str], sides: tuple[Side, Side], called: str | None
    ) -> None:
        self.construct, self.functions, self.names, self.sides, self.called = construct, functions, names, sides, called
        self.variables = Variables(names, [f for f in functions if f is not None])
        self.results: list[list[Value] | None] = [None, None]

    def build(self, test: Any) -> Any:
        test = staging.bool_scalar(test, self.construct)
        before = self.variables.snapshot()
        try:
            leaves = staging.cond(test, lambda: self._trace(0, before), lambda: self._trace(1, before))
        finally:
            self.variables.restore(before)
        first, second = self.results
        assert first is not None
        assert second is not None
        tensors = list(leaves or ())
        rebuilt = [value.rebuilt(tensors) for value in first]
        self.variables.write(rebuilt[1:])
        return rebuilt[0]

    def _run(self, which: int, before: list[Any]) -> list[Value]:
        """Runs a branch; the values of what it returned and of the state."""
        self.variables.restore(before)
        function = self.functions[which]
        returned = function() if function is not None else None
        return [Value(returned), *(Value(v) for v in self.variables.read())]

    def _trace(self, which: int, before: list[Any]) -> list[Any]:
        values = self.results[which] = self._run(which, before)
        for index, name in enumerate(self.names, 1):
            if values[index].structure is UNSET and is_internal(name):
                other = self.results[0]
                if which == 0:
                    # A value that only the other branch returns: what it is like has to be found out first.
                    if self.functions[1] is None:
                        continue
                    with staging.scratch():
                        other = self._run(1, before)
                if other is not None and other[index].structure is not UNSET:
                    values[index] = _placeholder(other[index])
        if which == 1:
            first = self.results[0]
            assert first is not None
            self._check(None, first[0], values[0])
            for index, name in enumerate(self.names, 1):
                if not (is_internal(name) and first[index].structure is UNSET):
                    self._check(name, first[index], values[index])
            kept = [v for v, f in zip(values, first, strict=True) if f.structure is not UNSET]
            return [leaf for value in kept for leaf in value.tensors]
        return [leaf for value in values for leaf in value.tensors]

    def _check(self, name: str | None, a: Value, b: Value) -> None:
        for value, missing, given in ((a, 0, 1), (b, 1, 0)):
            other = b if value is a else a
            if value.structure is UNSET and other.structure is not UNSET:
                assert name is not None
                where = ("main", "else")[missing]
                line = self.sides[given].line(name)
                raise ValueError(
                    f"{shown(name)} must also be initialized in the {where} branch: it gets a value only in the "
                    f"{('main', 'else')[given]} branch{at_line(line)}. Give it a value before the if."
                )
        if a.structure is UNSET:
            return
        if name is None and self.called is None and (a.structure is None) != (b.structure is None):
            missing = 0 if a.structure is None else 1
            raise ValueError(
                f"A value is returned {self.sides[1 - missing].told(None)}, but None {self.sides[missing].told(None)}: "
                f"the {('main', 'else')[missing]} branch must also have a return statement with a value."
            )
        if self.called is not None and name is None:
            check_agree(self.called, a, b, *self.sides)
        else:
            check_agree(name, a, b, *self.sides)


def _placeholder(like: Value) -> Value:
    """Zeros in the structure of a value that will not be used."""
    zeros = []
    for leaf in like.leaves:
        if leaf.__class__ is Opaque or not staging.is_tensor(leaf):
            zeros.append(leaf.value if leaf.__class__ is Opaque else leaf)
        else:
            zeros.append(staging.zeros(leaf.dtype, leaf._raw_shape()))
    new = Value(UNSET)
    new.structure = like.structure
    new.leaves = [z if staging.is_tensor(z) or staging.is_composite(z) else Opaque(z) for z in zeros]
    return new
