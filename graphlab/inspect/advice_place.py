"""The line to write instead: the user's own call or decorator with the one change that helps.

Everything here works on source text and plain values. A change that cannot be made on the text as it stands (the
argument is hidden in `*args`,
the call spans a macro) gives None, and the panel then states the reason without a line.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from graphlab.inspect.subject import Cell, Subject, place_text, root
from graphlab.messages import Message, message
from graphlab.tracing.reasons import Key, Leaf, Reason
from graphlab.tracing.records import TraceRecord


@dataclass(frozen=True, slots=True)
class Fix:
    """A line to write: where (a message), the code, and the line of the cell it is for."""

    place: Message
    code: str
    line: int | None = None

    @property
    def wide(self) -> bool:
        """Whether the code takes more than a line."""
        return "\n" in self.code


_STEP: Final = re.compile(r"\[(\d+)\]|\[(?P<q>['\"])(.*?)(?P=q)\]|\.(\w+)")


def _find(node: ast.expr, path: str, steps: str, leaves: Mapping[str, Leaf]) -> ast.expr | None:
    """The expression inside `node`, the argument at `path`, that further accessors lead to."""
    while steps:
        found = _STEP.match(steps)
        if not found:
            return None
        index, _, key, name = found.groups()
        if index is not None and isinstance(node, ast.List | ast.Tuple) and int(index) < len(node.elts):
            node = node.elts[int(index)]
        elif key is not None and isinstance(node, ast.Dict):
            values = [
                v for k, v in zip(node.keys, node.values, strict=True) if isinstance(k, ast.Constant) and k.value == key
            ]
            if not values:
                return None
            node = values[-1]
        elif name is not None and isinstance(node, ast.Call):
            field = _field(node, name, leaves.get(path), leaves.get(f"{path}.{name}"))
            if field is None:
                return None
            node = field
        else:
            return None
        path, steps = path + found.group(), steps[found.end() :]
    return node


def _field(call: ast.Call, name: str, whole: Leaf | None, leaf: Leaf | None) -> ast.expr | None:
    """What a call that makes a named tuple or dataclass gives for a field; None if it is no such call, or hides it."""
    made = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)
    if whole is None or whole.kind not in ("namedtuple", "dataclass") or whole.data["type"] != made:
        return None
    node = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    if node is None:
        index = list(whole.data["keys"]).index(name) if name in whole.data["keys"] else len(call.args)
        if index >= len(call.args) or any(isinstance(arg, ast.Starred) for arg in call.args[: index + 1]):
            return None
        node = call.args[index]
    if isinstance(node, ast.Constant) and leaf is not None and leaf.data.get("value") != repr(node.value):
        return None  # a constructor of the class's own takes its arguments in another way
    return node


def argument(call: str, parameters: Sequence[str], path: str, key: Key = ()) -> tuple[ast.expr, str] | None:
    """The expression that a call's source passes for an argument path, with its text; None if it is not written there.

    With the call's key, also inside a named tuple or dataclass that is made in the call.

    >>> argument("walk(tf.zeros(2), n=4)", ["x", "n"], "n")[1]
    '4'
    """
    try:
        tree = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(tree, ast.Call):
        return None
    name = root(path)
    node: ast.expr | None = next((keyword.value for keyword in tree.keywords if keyword.arg == name), None)
    if node is None and name in parameters:
        index = list(parameters).index(name)
        if index < len(tree.args) and not any(isinstance(arg, ast.Starred) for arg in tree.args[: index + 1]):
            node = tree.args[index]
    if node is None or (node := _find(node, name, path[len(name) :], _by_path(key))) is None:
        return None
    text = ast.get_source_segment(call.strip(), node)
    return None if text is None else (node, text)


def _by_path(key: Key) -> dict[str, Leaf]:
    return {leaf.path: leaf for leaf in key}


def rewrite(call: str, parameters: Sequence[str], path: str, change: Callable[[str], str], key: Key = ()) -> str | None:
    """A call's source with one argument's expression changed.

    >>> rewrite("walk(tf.zeros(2), 4)", ["x", "steps"], "steps", lambda text: f"tf.constant({text})")
    'walk(tf.zeros(2), tf.constant(4))'
    """
    call = call.strip()
    found = argument(call, parameters, path, key)
    if found is None:
        return None
    node, text = found
    if node.end_lineno is None or node.end_col_offset is None:
        return None
    lines = [line.encode() for line in call.split("\n")]  # offsets count bytes
    before = b"\n".join([*lines[: node.lineno - 1], lines[node.lineno - 1][: node.col_offset]])
    after = b"\n".join([lines[node.end_lineno - 1][node.end_col_offset :], *lines[node.end_lineno :]])
    return before.decode() + change(text) + after.decode()


def decorator_with(subject: Subject, options: str, drop: Sequence[str] = ()) -> tuple[str, int | None]:
    """The `@tf.function(...)` line of a function with further options, and the line it replaces (None: a new one).

    Options the user already gave are kept, but for those in `drop`.
    """
    alias = subject.alias
    for decorator, line in _decorators(subject):
        call = decorator if isinstance(decorator, ast.Call) else None
        name = ast.unparse(call.func if call else decorator)
        if name.split(".")[-1] != "function":
            continue
        name_of_option = options.split("=", 1)[0]
        kept = [ast.unparse(k) for k in call.keywords if k.arg != name_of_option and k.arg not in drop] if call else []
        return f"@{name}({', '.join([*kept, options])})", line
    return f"@{alias}.function({options})", None


def _decorators(subject: Subject) -> list[tuple[ast.expr, int]]:
    if not subject.source or subject.line is None:
        return []
    try:
        tree = ast.parse(subject.source)
    except SyntaxError:
        return []
    body = tree.body[0] if tree.body else None
    if not isinstance(body, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    return [(decorator, subject.line + decorator.lineno - 1) for decorator in body.decorator_list]


def decorator_fix(subject: Subject, cell: Cell, options: str, drop: Sequence[str] = ()) -> Fix:
    """A fix that gives the function an option of `tf.function`."""
    code, replaced = decorator_with(subject, options, drop)
    if replaced is not None:
        return _fix_at(cell, subject.filename, replaced, "in", code)
    if subject.line is None:
        return Fix(message("fix.above_function"), code)
    return _fix_at(cell, subject.filename, subject.line, "above", code)


def _fix_at(cell: Cell, filename: str | None, line: int, where: str, code: str) -> Fix:
    """A fix `in` or `above` a line of the cell or, outside of the cell, a place that names the file."""
    here = cell.line(filename, line)
    if here or filename is None:
        return Fix(message(f"fix.{where}_line", line=line), code, here)
    return Fix(message(f"fix.{where}_place", place=place_text(filename, line)), code)


# What wrapping an argument in a tensor helps against.
TO_TENSOR: Final = frozenset(
    (
        "retrace.python_number.value",
        "retrace.python_number.type",
        "retrace.default.given",
        "retrace.kind.tensor_to_number",
        "retrace.kind.tensor_to_value",
    )
)
_TO_OPEN_SHAPE: Final = frozenset(("retrace.tensor.shape", "retrace.tensor.rank"))
_KEEP: Final = {
    "retrace.kind.number_to_tensor": "keep.any_value",
    "retrace.kind.value_to_tensor": "keep.any_value",
    "retrace.generalised": "keep.generalised",
    "retrace.generalised.rank": "keep.any_shape",
    "retrace.variables_created": "keep.once",
    "retrace.tensor.dtype": "keep.each_type",
    "retrace.python_bool.value": "keep.each_value",
}


_NATURAL: Final = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex128", "str": "string"}
_TAKES: Final = {
    "int": ("int", "uint", "float", "bfloat", "complex"),
    "float": ("float", "bfloat", "complex"),
    "complex": ("complex",),
}
"""The dtypes, by how their names begin, that a Python number can be written with."""


def as_constant(alias: str, leaf: Leaf | None, closest: Leaf | None) -> Callable[[str], str]:
    """How a value is wrapped: with the dtype the closest trace takes when the value alone would give another."""
    dtype = str(closest.data["dtype"]) if closest is not None and closest.kind == "tensor" else ""
    type_ = str(leaf.data.get("type")) if leaf else ""
    other = dtype and dtype != _NATURAL.get(type_) and dtype.startswith(_TAKES.get(type_, ()))
    suffix = f", {alias}.{dtype}" if other else ""
    return lambda text: f"{alias}.constant({text}{suffix})"


def fix_for(subject: Subject, cell: Cell, record: TraceRecord, reason: Reason | None = None) -> Fix | None:
    """The line to write so that a trace would not have been made for a cause (None: its first), or None.

    A call whose arguments are to be wrapped is written with all of them wrapped that made the trace.
    """
    reason = reason or record.reason
    if reason.id in TO_TENSOR:
        return _tensor_fix(subject, cell, record, [other for other in record.reasons if other.id in TO_TENSOR])
    if reason.id in _TO_OPEN_SHAPE:
        return (
            None
            if subject.reduce_retracing or subject.fixed_signature
            else decorator_fix(subject, cell, "reduce_retracing=True")
        )
    if reason.id in ("retrace.object.method", "retrace.object.lambda") or _made_in_call(subject, record, reason):
        return _once_fix(subject, cell, record, reason)
    if reason.id == "retrace.first" and record.ordinal > 1:
        return made_again_fix(subject, cell)
    return None


def fixes_for(subject: Subject, cell: Cell, record: TraceRecord, reasons: Sequence[Reason]) -> list[Fix | None]:
    """The line to write for each cause; one that serves several of them stands at the first."""
    return each_once(fix_for(subject, cell, record, reason) for reason in reasons)


def each_once(fixes: Iterable[Fix | None]) -> list[Fix | None]:
    """Fixes with None for those that stand earlier in the list."""
    found: list[Fix | None] = []
    for fix in fixes:
        found.append(None if fix in found else fix)
    return found


_FIRST_LINE: Final = re.compile(r"\s*(?:If [^.]*, )?[Ww]rite as the first line of the loop: (?P<code>.+)$", re.DOTALL)


def split_error(text: str) -> tuple[str, str | None]:
    """An error's first sentences, and the line to write at the head of the loop when it names one.

    >>> split_error("x grows. If it may, write as the first line of the loop: f(x)")
    ('x grows.', 'f(x)')
    """
    found = _FIRST_LINE.search(text)
    return (text, None) if found is None else (text[: found.start()], found.group("code").strip())


def error_fix(subject: Subject) -> Fix | None:
    """The line to write that the error of a stopped trace names, or None."""
    if subject.failed is None or subject.failed.error is None:
        return None
    code = split_error(subject.failed.error[1])[1]
    return None if code is None else Fix(message("fix.first_line_of_loop"), code)


def keep_for(record: TraceRecord, reason: Reason) -> Message | None:
    """A sentence that says that a trace is as it should be, whatever made it, or None."""
    path = reason.values.get("path", "")
    id_ = _KEEP.get(reason.id)
    if reason.id.startswith("retrace.default") and _literal_type(record, path) == "bool":
        id_ = "keep.each_value"
    return None if id_ is None else message(id_, path=path)


def _literal_type(record: TraceRecord, path: str) -> str | None:
    """The type of the Python value that a call passed for a path; None where it passed no Python value."""
    leaf = next((leaf for leaf in record.key if leaf.path == path and leaf.kind == "literal"), None)
    return None if leaf is None else str(leaf.data["type"])


def _tensor_fix(subject: Subject, cell: Cell, record: TraceRecord, reasons: Sequence[Reason]) -> Fix | None:
    """The call with the arguments wrapped whose Python values made the trace; those that it does not spell out stay."""
    earlier = subject.trace(record.closest)
    now, before = _by_path(record.key), _by_path(earlier.key) if earlier else {}
    code, wrapped = record.site.expression, False
    for reason in reasons:
        path = reason.values["path"]
        if reason.id == "retrace.default.given" and _literal_type(record, path) not in ("int", "float", "complex"):
            continue
        change = as_constant(subject.alias, now.get(path), before.get(path))
        changed = rewrite(code, subject.parameters, path, change, record.key)
        if changed is not None:
            code, wrapped = changed, True
    return _in_line(cell, record, code) if wrapped else None


def _in_line(cell: Cell, record: TraceRecord, code: str) -> Fix:
    return _fix_at(cell, record.site.filename, record.site.line, "in", code)


def _once_fix(subject: Subject, cell: Cell, record: TraceRecord, reason: Reason) -> Fix | None:
    """A method object or lambda kept in a variable: two lines, the second the call."""
    path = reason.values["path"]
    found = argument(record.site.expression, subject.parameters, path, record.key)
    if found is None:
        return None
    node, text = found
    if isinstance(node, ast.Name):
        return None  # it is in a variable already; what makes it anew stands elsewhere
    name = node.attr if isinstance(node, ast.Attribute) else root(path).lstrip("*")
    call = rewrite(record.site.expression, subject.parameters, path, lambda _: name, record.key)
    if call is None:
        return None
    return Fix(message("fix.call_once"), f"{name} = {text}\n{call}", cell.line(record.site.filename, record.site.line))


def _made_in_call(subject: Subject, record: TraceRecord, reason: Reason) -> bool:
    """Whether the object that was another one is made by the call's own text, as an earlier call's by the same text."""
    if reason.id != "retrace.object.another":
        return False

    def text(of: TraceRecord) -> str | None:
        found = argument(of.site.expression, subject.parameters, reason.values["path"], of.key)
        return found[1] if found is not None and isinstance(found[0], ast.Call) else None

    mine = text(record)
    return mine is not None and any(text(other) == mine for other in subject.traces if other.number < record.number)


def made_again_fix(subject: Subject, cell: Cell) -> Fix | None:
    """For a function that is defined again and again: its definition, to stand above what is around it."""
    if subject.filename is None or subject.line is None or not subject.source:
        return None
    text = cell.source if cell.line(subject.filename, subject.line) else _file_source(subject.filename)
    if text is None:
        return None
    around = enclosing(text, subject.line)
    if around is None:
        return None
    what = "loop" if around.loop else "function"
    line = cell.line(subject.filename, around.line)
    head = [text for text in subject.source.splitlines() if text.strip()][:2]
    code = textwrap.dedent("\n".join(head[:2] if head and head[0].lstrip().startswith("@") else head[:1]))
    if line is None:
        return Fix(message(f"fix.out_of_{what}.place", place=place_text(subject.filename, around.line)), code)
    return Fix(message(f"fix.out_of_{what}", line=line), code, line)


def _file_source(filename: str) -> str | None:
    import linecache

    return "".join(linecache.getlines(filename)) or None


class Around(NamedTuple):
    """What stands around a line."""

    line: int
    loop: bool


def enclosing(source: str, line: int) -> Around | None:
    r"""The outermost loop (else the function) around a line; None when it stands in neither.

    >>> enclosing("for i in a:\n    def f(): pass", 2)
    Around(line=1, loop=True)
    """
    # A magic on the first line is not Python; blank it, keeping the line count.
    text = "\n".join("" if part.lstrip().startswith(("%", "!")) else part for part in source.split("\n"))
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    loops: list[int] = []
    functions: list[int] = []
    for node in ast.walk(tree):
        if not hasattr(node, "end_lineno") or not node.lineno < line <= (node.end_lineno or 0):  # type: ignore[attr-defined]
            continue
        if isinstance(node, ast.For | ast.While | ast.AsyncFor):
            loops.append(node.lineno)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            functions.append(node.lineno)
    first = min(loops or functions, default=None)
    return None if first is None else Around(first, bool(loops))
