"""Why a gradient is None: where the way from a target back to a source is cut, and what to write instead."""

from __future__ import annotations

import re
import sys
from types import FrameType
from typing import Any

from graphlab.core.position import is_internal, resolve
from graphlab.core.state import setting
from graphlab.core.tensor import Tensor
from graphlab.eager.tape import GradientTape
from graphlab.graph.backprop import differentiable
from graphlab.inspect import gradient_paths, static_html
from graphlab.inspect.gradient_fix import own_line
from graphlab.inspect.gradient_paths import Block, Way
from graphlab.inspect.gradient_source import Cut, Program
from graphlab.inspect.parts import Marked
from graphlab.inspect.retrace_causes import code_data
from graphlab.messages import Message, language, message
from graphlab.messages import data as message_data

RULES = {
    "unwatched": "gradient.unwatched", "untrainable": "gradient.unwatched", "spent": "gradient.tape_spent",
    "stopped": "gradient.stopped", "to_integer": "gradient.integer", "source_integer": "gradient.integer",
    "target_integer": "gradient.integer", "paused": "gradient.unrecorded", "outside": "gradient.unrecorded",
    "left": "value.numpy",
}  # fmt: skip


class GradientReport:
    """Why a gradient is None, or through what it goes: text with `print`, HTML in a notebook, plain data under `data`.

    Attributes:
        connected: True if there is a gradient.
        data: The same as plain data: `connected`, `cause` (the last part of the message's id), `path` (types of
            operations), `cuts` (each with `cause`, `text`, `line`, `code`, `function`), `fix`, `rule`.
    """

    __slots__ = ("connected", "data")

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.connected: bool = data["connected"]

    def __str__(self) -> str:
        lines = [Marked(self.data["lede"]["text"]).text()]
        for index, cut in enumerate(self.data["cuts"]):
            # What the first one says stands in the first line.
            if index or self.data["cause"] in ("spent", "target_not_tensor"):
                lines.append(f"  {Marked(cut['text']['text']).text()}")
            if cut["where"] is not None:
                lines.append(f"  {Marked(cut['where']['text']).text()} {cut['code']['text']}")
        if self.data["fix"]:
            lines.append(f"  {Marked(self.data['fix']['place']['text']).text()}: {self.data['fix']['code']['text']}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return static_html.gradient_html(self.data)


def explain_gradient(tape: GradientTape, target: Any, source: Any, lang: str | None = None) -> GradientReport:
    """Why the gradient of ``target`` for ``source`` is None, or through which operations it goes.

    The tape can still be used afterwards. Nothing is computed, unless a gradient that the program defines itself is on
    the way: that one is asked. Ask before ``tape.gradient`` is called, or of a persistent tape: of one that was used
    up, only the program's text can be asked.

    Args:
        tape: The tape, outside or inside of a traced function.
        target: A tensor.
        source: A tensor or a variable.
        lang: The language; the current one when None.

    Raises:
        TypeError: ``tape`` is no GradientTape.

    >>> import graphlab as tf
    >>> from graphlab import inspect
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.stop_gradient(x) * 2.0
    >>> report = inspect.explain_gradient(tape, y, x)
    >>> report.connected, report.data["cause"]
    (False, 'stopped')
    """
    if not isinstance(tape, GradientTape):
        raise TypeError(f"explain_gradient takes a tf.GradientTape, not {type(tape).__name__}.")
    with setting(tapes=[]):  # nothing that is asked here is recorded
        return _Question(tape, target, source, lang or language(), _caller()).answer()


def _caller() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


class _Question:
    """One call of `explain_gradient`."""

    def __init__(self, tape: GradientTape, target: Any, source: Any, lang: str, frame: FrameType | None) -> None:
        self.tape, self.target, self.source, self.lang = tape, target, source, lang
        self.program = None if frame is None else Program(frame)
        self.names = {
            role: (self.program.name(position, role, value) if self.program is not None else None) or other
            for position, (role, value, other) in enumerate(
                (("tape", tape, "tape"), ("target", target, _name(target, "target")),
                 ("source", source, _name(source, "source")))
            )
        }  # fmt: skip

    def answer(self) -> GradientReport:
        kind = self._unfit()
        if kind == "target_not_tensor":
            return self._not_a_tensor()
        if kind is not None:
            return self._none(kind)
        if self.tape._spent:
            return self._none("spent", self._read())
        key = self.source if isinstance(self.source, Tensor) else self.source.handle
        if not self.tape._is_live(key):
            return self._unwatched()
        if self.target is self.source:
            return self._connected([])
        found = gradient_paths.way(gradient_paths.recorded(self.tape), self._tensor(), key)
        if found.ops is not None:
            blocks = self._defined(found)
            return self._connected(found.ops) if not blocks else self._blocked(blocks)
        if found.blocks:
            return self._blocked(found.blocks)
        if self.tape.level is not None and self.target.op.graph is self.tape.level:
            whole = gradient_paths.way(gradient_paths.of_graph(self.tape.level), self.target, key)
            if whole.blocks:
                return self._blocked(whole.blocks)
        cuts = self._read()
        if cuts:
            return self._none(cuts[0].kind, cuts)
        made = None if self.program is None else self.program.made(self.names["target"])
        return self._none("unused", None if made is None else [made])

    # -- what is found -------------------------------------------------------------------------------------------------

    def _tensor(self) -> Any:
        return self.target if isinstance(self.target, Tensor) else self.target.handle

    def _unfit(self) -> str | None:
        for role, value in (("source", self.source), ("target", self.target)):
            if not isinstance(value, Tensor) and not hasattr(value, "handle"):
                return f"{role}_not_tensor"
            if not differentiable(value.dtype):
                return f"{role}_integer"
        return None

    def _not_a_tensor(self) -> GradientReport:
        """The target is a Python object: which kind, and the line that made it one."""
        taken = [cut for cut in self._read() if cut.kind == "left"]
        target = self.names["target"]
        fixes = {
            "target_list": f"tf.add_n({target})",
            "target_dict": f"tf.add_n(list({target}.values()))",
            "target_function": f"{target} = {target}(...)",
            "target_none": f"return {target}",
        }
        id_ = "target_not_tensor"
        if isinstance(self.target, list | tuple):
            id_ = "target_list"
        elif isinstance(self.target, dict):
            id_ = "target_dict"
        elif self.target is None:
            id_ = "target_none"
        elif callable(self.target):
            id_ = "target_function"
        cuts = [(cut, cut.function) for cut in taken[-1:]]
        fix = self._fix("left", taken[-1]) if taken else fixes.get(id_) or self._fix("target_not_tensor", None)
        lede = message("gradient.none", **self._roles(), cause=self._plain(id_))
        return GradientReport(self._data(False, "target_not_tensor", lede, cuts, fix))

    def _unwatched(self) -> GradientReport:
        if isinstance(self.source, Tensor):
            rebound = self.program.rebound(self.names["source"]) if self.program is not None else None
            return self._none("rebound", [rebound]) if rebound is not None else self._none("unwatched")
        if not self.source.trainable:
            return self._none("untrainable")
        return self._none("unread" if self.tape._watch_accessed else "unwatched", self._read())

    def _read(self) -> list[Cut]:
        if self.program is None:
            return []
        return self.program.cuts(self.names["target"], self.names["source"]) or []

    def _defined(self, found: Way) -> list[Block]:
        """Gradients that the program defines itself may give None: those are asked."""
        if self.tape.level is not None or not any(op in _OWN for op in found.ops or ()):
            return []
        source = self.source
        given = self.tape._run([self._tensor()], None, [source])[0]
        op = next(op for op in found.ops or () if op in _OWN)
        return [Block("python" if "PyFunc" in op else "custom", op)] if given is None else []

    # -- the report ----------------------------------------------------------------------------------------------------

    def _connected(self, path: list[str]) -> GradientReport:
        lede = message("gradient.connected", **self._roles(), path=path) if path else message(
            "gradient.same", **self._roles()
        )  # fmt: skip
        return GradientReport(self._data(True, "same" if not path else "connected", lede, [], None) | {"path": path})

    def _blocked(self, blocks: list[Block]) -> GradientReport:
        cuts = []
        for block in {(b.kind, b.op, b.position, b.function): b for b in blocks}.values():
            places = resolve(block.position)
            if places:
                cuts.append((Cut(block.kind, places[0].line, places[0].text, block.op, block.dtype), block.function))
                continue
            own = self.program.own_gradient() if self.program is not None and block.kind == "custom" else None
            if own is not None:
                cuts.append((own, own.function))
                continue
            line = self.program.line_of(block.op) if self.program is not None else None
            read = [c for c in self._read() if c.kind == block.kind] if line is None else []
            if line is not None and self.program is not None:
                cut = Cut(block.kind, line[0], line[1], block.op, block.dtype, line[2])
            else:
                cut = read[0] if read else Cut(block.kind, 0, "", block.op, block.dtype)
            cuts.append((cut, block.function or cut.function))
        return self._report(cuts[0][0].kind, cuts)

    def _none(self, kind: str, cuts: list[Cut] | None = None) -> GradientReport:
        return self._report(kind, [(cut, cut.function) for cut in cuts or ()])

    def _report(self, kind: str, cuts: list[tuple[Cut, str]]) -> GradientReport:
        if kind == "spent":
            lede = message("gradient.spent")
        else:
            said = self._said(cuts[0][0]) if cuts and cuts[0][0].kind == kind else self._plain(kind)
            lede = message("gradient.none", **self._roles(), cause=said)
        first = cuts[0][0] if cuts else None
        # A tape that may be asked again would still give None where the program itself cuts the way.
        fix = self._fix(first.kind if kind == "spent" and first is not None else kind, first)
        return GradientReport(self._data(False, kind, lede, cuts, fix))

    def _roles(self) -> dict[str, str]:
        return {"target": self.names["target"], "source": self.names["source"]}

    def _plain(self, kind: str) -> Message:
        value = self.target if kind.startswith("target") else self.source
        dtype = getattr(value, "dtype", None)
        return message(
            f"gradient.{kind}", **self._roles(), type=type(value).__name__, dtype=getattr(dtype, "name", str(dtype))
        )

    def _said(self, cut: Cut) -> Message:
        return message(f"gradient.{cut.kind}", **self._roles(), line=cut.line, op=cut.op, dtype=cut.dtype)

    def _fix(self, kind: str, cut: Cut | None) -> str | None:
        names, op = self.names, "" if cut is None else cut.op
        watch = f"{names['tape']}.watch({names['source']})"
        if kind == "rebound" and self.tape.watched_variables():
            return f"{names['source']}.assign(...)"
        if kind == "spent" and self.program is not None:
            return self.program.persistent(names["tape"]) or "tf.GradientTape(persistent=True)"
        own = own_line(kind, cut.code, op, names["tape"]) if cut is not None and cut.code else None
        if own is not None:
            return own
        return {
            "unwatched": watch, "untrainable": watch, "unread": watch, "rebound": watch,
            "spent": "tf.GradientTape(persistent=True)",
            "source_not_tensor": f"{names['source']} = tf.Variable({names['source']})",
            "target_not_tensor": f"{names['target']} = tf.reduce_sum(...)",
            "source_integer": f"tf.cast({names['source']}, tf.float32)",
            "target_integer": "tf.cast(..., tf.float32)",
            "to_integer": "tf.sigmoid(...)" if op in _COMPARING else "tf.nn.softmax(...)" if "arg" in op.lower()
            else "tf.cast(..., tf.float32)",
            "no_gradient": f"x + tf.stop_gradient({op}(x) - x)" if "." in op else "x + tf.stop_gradient(f(x) - x)",
            "outside": f"with tf.GradientTape() as {names['tape']}:",
            "paused": f"with tf.GradientTape() as {names['tape']}:",
            "copied": "tf.identity(...)", "python": "tf.py_function(...)", "left": _kept(cut),
            "custom": "return dy * ...",
            "missing": f"tf.custom_gradient(lambda x: ({op}(x), lambda dy: dy * ...))(x)",
        }.get(kind)  # fmt: skip

    def _data(
        self, connected: bool, kind: str, lede: Message, cuts: list[tuple[Cut, str]], fix: str | None
    ) -> dict[str, Any]:
        lang = self.lang
        return {
            "lang": lang,
            "connected": connected,
            "cause": None if connected else kind,
            "path": [],
            "lede": message_data(lede, lang),
            "cuts": [self._cut_data(cut, function) for cut, function in cuts],
            "fix": None if fix is None else {"place": message_data(message("fix.write"), lang), "code": code_data(fix)},
            "rule": RULES.get(kind),
        }

    def _cut_data(self, cut: Cut, function: str) -> dict[str, Any]:
        where = None
        if cut.line:
            id_ = "gradient.line.function" if function else "gradient.line"
            where = message_data(message(id_, line=cut.line, f=function), self.lang)
        return {
            "cause": cut.kind, "line": cut.line or None, "function": function or None, "op": cut.op or None,
            "text": message_data(self._said(cut), self.lang), "where": where, "code": code_data(cut.code),
        }  # fmt: skip


_COMPARING = frozenset(("Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"))
_OWN = frozenset(("CustomGradient", "EagerPyFunc", "IdentityN"))


def _kept(cut: Cut | None) -> str | None:
    """The expression without what takes the value out."""
    if cut is None:
        return None
    found = re.fullmatch(r"(.+)\.(?:numpy|item|tolist)\(\)|(?:float|int|bool|complex)\((.+)\)", cut.code)
    if found:
        return found[1] or found[2]
    return re.sub(r"^(?:np|numpy|math)\.", "tf.", cut.code)


def _name(value: Any, role: str) -> str:
    name = getattr(value, "name", None) if not isinstance(value, Tensor) or hasattr(value, "op") else None
    return str(name).partition(":")[0] if name else role
