"""Values that a trace does not have, results that are thrown away, literals that do not fit, source that is unclear."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from graphlab.inspect.advice.finding import Finding, rule
from graphlab.inspect.advice.unit import Unit
from graphlab.inspect.user_source import shorten
from graphlab.messages import message

_INTEGERS: Final = frozenset(("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"))
_FLOATS: Final = frozenset(("float16", "float32", "float64", "bfloat16"))


@rule("value.numpy", stops=True)
def numpy_inside(unit: Unit) -> Iterator[Finding]:
    """`.numpy()` of a tensor that has no value while tracing."""
    for call in unit.walk(ast.Call):
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr == "numpy" and not call.args and unit.is_tensor(func.value):
            if unit.lifted(call):
                continue
            kind = unit.names.get(unit.dotted(func.value) or "", "")
            if kind.startswith("tensor"):
                continue  # an eager tensor from outside has its value
            yield Finding(
                message("advice.value.numpy", code=unit.text(func.value)),
                call.lineno,
                unit.line(call),
                unit.rewritten(call, unit.text(func.value)),
            )


@rule("value.python_number", stops=True)
def python_numbers(unit: Unit) -> Iterator[Finding]:
    """`float(x)`, `int(x)`, `bool(x)` of a tensor, where AutoGraph does not make casts of them."""
    if unit.subject is None or unit.subject.autograph:
        return  # AutoGraph makes casts of them
    names = {"float": "float32", "bool": "bool", "int": "int32"}
    for call in unit.walk(ast.Call):
        if not (isinstance(call.func, ast.Name) and call.func.id in names and len(call.args) == 1):
            continue
        eager = unit.names.get(unit.dotted(call.args[0]) or "", "").startswith("tensor") or unit.lifted(call)
        if unit.is_tensor(call.args[0]) and not eager:
            cast = f"{unit.alias}.cast({unit.text(call.args[0])}, {unit.alias}.{names[call.func.id]})"
            yield Finding(
                message("advice.value.python_number", code=unit.text(call)),
                call.lineno,
                unit.line(call),
                unit.rewritten(call, cast),
            )


@rule("value.unused_write", "value.unused_result")
def unused(unit: Unit) -> Iterator[Finding]:
    """A result that nothing takes: of `TensorArray.write`, of an operation without effect."""
    arrays = {
        target.id
        for statement in unit.walk(ast.Assign)
        if unit.tf(statement.value) == "TensorArray"
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for statement in unit.walk(ast.Expr):
        call = statement.value
        if not isinstance(call, ast.Call):
            continue
        func = call.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in arrays:
            if func.attr in ("write", "unstack", "scatter", "split"):
                name = func.value.id
                yield Finding(
                    message("advice.value.unused_write", code=unit.text(func)),
                    call.lineno,
                    unit.line(call),
                    f"{name} = {unit.text(call)}",
                )
            continue
        called = unit.tf(call)
        if called in _PURE:
            yield Finding(
                message("advice.value.unused_result", code=unit.text(func)),
                call.lineno,
                unit.line(call),
                f"{unit.text(call.args[0])} = {unit.text(call)}"
                if call.args and isinstance(call.args[0], ast.Name)
                else None,
            )

    yield from _unused_lines(unit)


def _unused_lines(unit: Unit) -> Iterator[Finding]:
    """Lines whose operations the graph leaves out, because nobody reads the name that they give, or they give none."""
    subject = unit.subject
    if subject is None or subject.graph is None or subject.filename is None:
        return
    lines = unit.seen.graph.unused.get(subject.filename, ())
    for statement in unit.walk(ast.Expr, ast.Assign) if lines else ():
        value = statement.value
        if statement.lineno not in lines or not unit.is_tensor(value):
            continue
        called = unit.tf(value) or ""
        if called in _PURE or called in _CHECKS or called.startswith("debugging."):
            continue  # told above, or there for the error that it may raise
        if isinstance(statement, ast.Assign) and _may_be_read(unit, statement.targets):
            continue
        yield Finding(
            message("advice.value.unused_result", code=shorten(unit.text(value))),
            statement.lineno,
            unit.line(statement),
        )


def _may_be_read(unit: Unit, targets: list[ast.expr]) -> bool:
    """Whether something may read what is assigned; a name that begins with `_` says that nobody is to."""
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if len(names) < len(targets) or any(name.startswith("_") for name in names):
        return True
    outer = {name for node in unit.walk(ast.Global, ast.Nonlocal, nested=True) for name in node.names}
    read = (node.id for node in unit.nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store))
    return any(name in names for name in (*outer, *read))


_CHECKS: Final = frozenset(("ensure_shape", "identity", "no_op", "group", "function", "rank", "shape", "size"))
"""Functions that are called for what they check or do."""
_PURE: Final = frozenset(
    (
        "tensor_scatter_nd_update", "tensor_scatter_nd_add", "concat", "reshape", "cast", "add", "subtract", "multiply",
        "transpose", "expand_dims", "squeeze", "clip_by_value", "stop_gradient", "where", "identity", "ensure_shape",
        "reverse", "sort", "stack", "pad", "tile",
    )
) - {"ensure_shape", "identity"}  # fmt: skip


@rule("value.literal_mix", stops=True)
def literals(unit: Unit) -> Iterator[Finding]:
    """A float literal with an integer tensor: the two dtypes do not mix."""
    for node in unit.walk(ast.BinOp):
        for tensor, literal in ((node.left, node.right), (node.right, node.left)):
            if not (isinstance(literal, ast.Constant) and type(literal.value) is float and unit.is_tensor(tensor)):
                continue
            dtype = unit.dtype(tensor)
            if dtype in _INTEGERS and not isinstance(node.op, ast.Div):
                text = unit.text(tensor)
                cast = f"{unit.alias}.cast({text}, {unit.alias}.float32)"
                yield Finding(
                    message("advice.value.literal_mix", code=text, dtype=dtype, value=unit.text(literal)),
                    node.lineno,
                    unit.line(node),
                    unit.rewritten(tensor, cast),
                )


@rule("value.two_lambdas", note=True, helpers=False)
def two_lambdas(unit: Unit) -> Iterator[Finding]:
    """Two lambdas with the same parameters on one line: TensorFlow cannot tell their sources apart."""
    if unit.subject is None or not isinstance(unit.tree, ast.Lambda):
        return
    from graphlab.inspect.advice.unit import parsed

    tree = parsed("\n".join(unit.lines[number] for number in sorted(unit.lines)))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)] if tree is not None else []
    keys = Counter((node.lineno, ast.unparse(node.args)) for node in found)
    own = ast.unparse(unit.tree.args)
    if any(count > 1 and arguments == own for (_, arguments), count in keys.items()):
        yield Finding(
            message("advice.value.two_lambdas"), unit.tree.lineno, unit.lines.get(unit.tree.lineno, "").strip(), None
        )


@rule("value.not_converted")
def not_converted(unit: Unit) -> Iterator[Finding]:
    """A helper that AutoGraph leaves as it is gets a tensor that decides."""
    failures = unit.subject.failures if unit.subject is not None else ()
    if not any((record.error or ("",))[0] == "OperatorNotAllowedInGraphError" for record in failures):
        return  # as long as no tensor decides in it, nothing is wrong
    for call in unit.walk(ast.Call):
        name = unit.dotted(call.func) or ""
        if unit.names.get(name) == "as_is" and any(map(unit.is_tensor, call.args)):
            yield Finding(message("advice.value.not_converted", f=name), call.lineno, unit.line(call), None)


@rule("variable.created", stops=True)
def created(unit: Unit) -> Iterator[Finding]:
    """A variable is made at every trace."""
    if not unit.traced:
        return
    for call in unit.walk(ast.Call):
        if unit.tf(call) != "Variable":
            continue
        if any(True for _ in unit.around(call, ast.If, ast.ExceptHandler)) or _guarded(unit, call):
            continue
        yield Finding(
            message("advice.variable.created"),
            call.lineno,
            unit.line(call),
            f"{unit.line(call)}  # above the function" if isinstance(unit.parents.get(call), ast.Assign) else None,
        )


def _guarded(unit: Unit, call: ast.Call) -> bool:
    """`self.v = self.v or tf.Variable(...)`, `… if … else …`: made once."""
    return any(True for _ in unit.around(call, ast.IfExp, ast.BoolOp))
