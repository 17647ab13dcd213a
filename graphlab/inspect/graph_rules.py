"""What the optimiser did to a graph, in words: the rule, what it means, where, and to how many operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from graphlab.inspect.graph_model import Change, Picture
from graphlab.messages import Message, message, render, word
from graphlab.messages import data as message_data
from graphlab.messages.languages import localize_digits
from graphlab.messages.message import enumeration

Json = dict[str, Any]

MAX_CHANGES: Final = 60
"""Kinds of change that are listed."""

RULES: Final = {
    "depends on constants alone": "optimizer.constants",
    "its condition is known": "optimizer.condition_known",
    "assertions and prints are not asked for": "optimizer.debug",
    "checks are not asked for": "optimizer.checks",
    "a cast to the dtype it has": "optimizer.cast_same",
    "a cast there and back": "optimizer.cast_back",
    "a cast on the way": "optimizer.cast_way",
    "the shape it has": "optimizer.shape_same",
    "reshaped there and back": "optimizer.reshaped_back",
    "a reshape on the way": "optimizer.reshape_way",
    "all of it": "optimizer.all_of_it",
    "axes stay where they are": "optimizer.axes_same",
    "transposed there and back": "optimizer.transposed_back",
    "a transpose on the way": "optimizer.transpose_way",
    "the sum of one tensor": "optimizer.sum_of_one",
    "times or divided by 1": "optimizer.times_one",
    "times 1": "optimizer.times_one",
    "plus nothing": "optimizer.plus_zero",
    "minus nothing": "optimizer.minus_zero",
    "broadcasts by itself": "optimizer.broadcasts",
    "spread without sizes": "optimizer.spread",
    "undone": "optimizer.undone",
    "once is enough": "optimizer.once",
    "both are the same": "optimizer.same_operands",
    "by numbers, not by vectors of them": "optimizer.indexing",
    "computed before": "optimizer.computed_before",
    "once for all parts": "optimizer.parts",
    "nothing needs it": "optimizer.unneeded",
    "one loop over blocks": "optimizer.chain",
}
"""The rules of `compile/passes`, and the sentence for each."""

STARTS: Final = {"a call of ": "optimizer.inlined", "the same in every round of ": "optimizer.invariant"}
"""Rules that name something."""

PASSES: Final = {
    "debug stripping": "optimizer.pass.debug",
    "inlining": "optimizer.pass.inlining",
    "constant folding": "optimizer.pass.constants",
    "branch folding": "optimizer.pass.branches",
    "redundancy": "optimizer.pass.redundancy",
    "simplification": "optimizer.pass.simplification",
    "indexing": "optimizer.pass.indexing",
    "common subexpressions": "optimizer.pass.common",
    "loop invariants": "optimizer.pass.invariants",
    "gates": "optimizer.pass.gates",
    "pruning": "optimizer.pass.pruning",
    "chains": "optimizer.pass.chains",
}


def sentence(change: Change) -> Message:
    """What a rule did."""
    id_ = RULES.get(change.rule)
    if id_ is not None:
        return message(id_)
    for start, id_ in STARTS.items():
        if change.rule.startswith(start):
            return message(id_, name=change.rule.removeprefix(start))
    return message("optimizer.other", rule=change.rule)


def changes_data(picture: Picture, lang: str) -> list[Json]:
    """The list of what the optimiser did, as the panel holds it."""
    return [
        {
            "pass": word(PASSES[change.name], lang) if change.name in PASSES else change.name,
            "text": message_data(sentence(change), lang),
            "lines": sorted(change.lines),
            "where": _where(change, lang),
            "count": change.count,
            "nodes": change.nodes,
            "kept": change.rule == "one loop over blocks",
        }
        for change in picture.changes[:MAX_CHANGES]
    ]


def sign(change: Mapping[str, Any]) -> str:
    """What stands before the number of a rule's operations: whether there are fewer by it, or more."""
    return "" if change["kept"] or not change["count"] else "−" if change["count"] > 0 else "+"


def _where(change: Change, lang: str) -> Json | None:
    """`line 12`, `lines 6 and 12`."""
    lines = sorted(change.lines)
    if not lines:
        return None
    some = [localize_digits(str(line), lang) for line in lines[:6]] + (["…"] if len(lines) > 6 else [])
    return message_data(message("optimizer.where", n=len(lines), lines=enumeration(some, lang)), lang)


def left(picture: Picture, lang: str) -> Json | None:
    """How many operations the optimiser left, or that it changed nothing; None for an empty graph."""
    if not picture.operations:
        return None
    if picture.running is None or (picture.running == picture.operations and not picture.changes):
        return message_data(message("optimizer.nothing"), lang)
    if picture.running >= picture.operations:  # bodies were given more values, or an operation became several
        return message_data(message("optimizer.changed", n=picture.running), lang)
    return message_data(message("optimizer.left", n=picture.running, of=picture.operations), lang)


def changes_text(changes: list[Json], lang: str) -> str:
    """The list as text, a rule a line."""
    from graphlab.inspect.parts import Marked

    if not changes:
        return ""
    rows = [
        (
            change["pass"],
            Marked(change["text"]["text"]).text(),
            Marked(change["where"]["text"]).text() if change["where"] else "",
            sign(change) + render(message("graph.node.collapsed", n=abs(change["count"])), lang),
        )
        for change in changes
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join([*(text.ljust(width) for text, width in zip(row, widths, strict=False)), row[3]]).rstrip()
        for row in rows
    ]
    return "\n".join([word("optimizer.title", lang), *(f"  {line}" for line in lines)])
