"""Each cause of a trace: its sentence, what stood there before and stands there now, and the line to write.

A call may differ from the closest trace in several places at once. Each of them alone would have made a trace, so who
mends only the first of them meets the next: all are told, the first in the sentence that opens a trace's entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graphlab.inspect import highlight
from graphlab.inspect.advice_place import Fix, keep_for
from graphlab.inspect.subject import MAX_PARTS, leaf_text, without_address
from graphlab.messages import Message, message
from graphlab.messages import data as message_data
from graphlab.tracing.reasons import CONTAINERS, Key, Reason
from graphlab.tracing.records import TraceRecord

Json = dict[str, Any]

MAX_ALSO: Final = 4
"""How many causes are told beside the first; what is beyond is told as a number."""

_OF_A_SHAPE: Final = frozenset(("retrace.tensor.shape", "retrace.tensor.rank"))


def fix_data(fix: Fix | None, lang: str) -> Json | None:
    """A fix as the panel holds it."""
    if fix is None:
        return None
    return {"place": message_data(fix.place, lang), "code": code_data(fix.code), "wide": fix.wide, "line": fix.line}


def code_data(text: str) -> Json:
    """A piece of code with its tokens."""
    return {"text": text, "tokens": highlight.lines(text)}


def reason_message(reason: Reason) -> Message:
    """The sentence of a cause."""
    values = {
        name: without_address(value) if isinstance(value, str) else value for name, value in reason.values.items()
    }
    return Message(reason.id, values)


def _leaf(key: Key, path: str) -> Any:
    return next((leaf for leaf in key if leaf.path == path), None)


def _keys(leaf: Any, other: Any) -> str:
    """The keys of a dict; of many, those that another has not."""
    keys = list(map(str, leaf.data["keys"]))
    if len(keys) > MAX_PARTS:
        own = [key for key in keys if key not in set(map(str, other.data["keys"]))][: MAX_PARTS - 1]
        keys = [*own, f"… +{len(keys) - len(own)}"]
    return "{" + ", ".join(keys) + "}"


def before_after(
    reason: Reason, record: TraceRecord, earlier: TraceRecord | None
) -> tuple[str | None, str | None, str | None]:
    """The argument path of a cause of a trace, and what stood there before and stands there now."""
    values = reason.values
    path = values.get("path")
    if path is None or earlier is None or reason.id.startswith("retrace.generalised"):
        if path is not None and "shapes" in values:
            shapes = values["shapes"]
            return f"{path}.shape", ", ".join(str(shape) for shape in shapes), str(values["now"])
        return None, None, None
    attribute = reason.id.rsplit(".", 1)[-1]
    if reason.id in ("retrace.tensor.shape", "retrace.tensor.rank", "retrace.variable.shape"):
        return f"{path}.shape", str(values["was"]), str(values["now"])
    if reason.id in ("retrace.tensor.dtype", "retrace.variable.dtype", "retrace.variable.trainable"):
        return f"{path}.{attribute}", str(values["was"]), str(values["now"])
    was, now = _leaf(earlier.key, path), _leaf(record.key, path)
    if "key" in values and was is not None and now is not None:
        return path, _keys(was, now), _keys(now, was)
    texts = [None if leaf is None else leaf_text(leaf) for leaf in (was, now)]
    if texts[0] == texts[1]:
        texts = [None if name not in values else without_address(str(values[name])) for name in ("was", "now")]
    if None in texts or texts[0] == texts[1]:
        return None, None, None
    if was is not None and now is not None and was.kind != now.kind:
        texts = [
            f"{text} tensor" if leaf.kind == "tensor" else text for leaf, text in ((was, texts[0]), (now, texts[1]))
        ]
    if (
        now is not None
        and was is not None
        and now.kind in CONTAINERS
        and was.kind in CONTAINERS
        and now.kind != was.kind
    ):
        texts = [was.kind, now.kind]
    return path, texts[0], texts[1]


def told(reasons: Sequence[Reason]) -> list[Reason]:
    """The causes to tell: not the shapes that a general trace was made for, which its own sentence tells."""
    general = {reason.values["path"] for reason in reasons if reason.id.startswith("retrace.generalised")}
    return [r for r in reasons if r.id not in _OF_A_SHAPE or r.values["path"] not in general]


def causes_data(
    record: TraceRecord, earlier: TraceRecord | None, fixes: Sequence[Fix | None], lang: str
) -> tuple[list[Json], Json | None]:
    """The causes of a trace as the panel holds them, the one to tell first first, and how many more there are."""
    reasons = told(record.reasons)
    causes = []
    for reason, fix in zip(reasons[: MAX_ALSO + 1], fixes, strict=False):
        path, before, after = before_after(reason, record, earlier)
        keep = None if fix else keep_for(record, reason)
        causes.append(
            {
                "reason": message_data(reason_message(reason), lang),
                "path": path,
                "before": before,
                "after": after,
                "fix": fix_data(fix, lang),
                "keep": message_data(keep, lang) if keep else None,
            }
        )
    more = len(reasons) - len(causes)
    return causes, message_data(message("causes.more", n=more), lang) if more else None
