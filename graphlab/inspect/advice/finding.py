"""What a rule says about one place, and the table of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from graphlab.messages import Message

if TYPE_CHECKING:
    from graphlab.inspect.advice.unit import Unit

Check = Callable[["Unit"], Iterator["Finding"]]


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of advice.

    Attributes:
        text: What happens, and why; its id is `advice.` and the rule's id.
        line: The line of the file.
        before: The user's line, or None.
        after: The line to write instead, or None.
        evidence: What was seen at run time, "It ran 1 time for 5 calls", or where to see it.
        helper: The name of the function that it is in, when that is another than the traced one.
        filename: The file of that function.
    """

    text: Message
    line: int | None = None
    before: str | None = None
    after: str | None = None
    evidence: Message | None = None
    helper: str | None = None
    filename: str | None = None

    @property
    def rule(self) -> str:
        """The stable id of its rule."""
        return self.text.id.removeprefix("advice.")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Attributes:
        ids: The stable ids of what it finds.
        check: The function that finds it.
        anywhere: It holds for any code, not only for what is traced.
        note: It says what happens where nothing is wrong.
        cost: It is about time, not about a wrong result.
        stops: What it finds stops the trace with an error, so a function whose traces were all made is free of it.
        helpers: It holds for functions that a traced one calls, too.
    """

    ids: tuple[str, ...]
    check: Check
    anywhere: bool = False
    note: bool = False
    cost: bool = False
    stops: bool = False
    helpers: bool = True


RULES: Final[list[Rule]] = []


def rule(
    *ids: str,
    anywhere: bool = False,
    note: bool = False,
    cost: bool = False,
    stops: bool = False,
    helpers: bool = True,
) -> Callable[[Check], Check]:
    """Adds a rule to the table."""

    def add(check: Check) -> Check:
        RULES.append(Rule(ids, check, anywhere, note, cost, stops, helpers))
        return check

    return add


@dataclass(slots=True)
class Found:
    """Findings without repetition: one place is told once for each rule."""

    findings: list[Finding] = field(default_factory=list)
    _seen: set[Any] = field(default_factory=set)

    def add(self, finding: Finding) -> None:
        """Keeps a finding unless the rule has spoken about the line."""
        key = finding.text.id, str(finding.text.values), finding.filename, finding.line
        if key not in self._seen:
            self._seen.add(key)
            self.findings.append(finding)


def rule_of(id: str) -> Rule:
    """The rule that a stable id belongs to."""
    return next(found for found in RULES if id in found.ids)
