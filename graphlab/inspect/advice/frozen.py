"""What is read while tracing and stays as it was: random numbers, globals, attributes, defaults, NumPy results."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

from graphlab.inspect.advice.finding import Finding, rule
from graphlab.inspect.advice.unit import Unit
from graphlab.inspect.graph_model import bodies
from graphlab.inspect.subject import Captured
from graphlab.messages import message

_RANDOM: Final = {
    "random": "random.uniform", "rand": "random.uniform", "uniform": "random.uniform",
    "random_sample": "random.uniform",
    "randn": "random.normal", "normal": "random.normal", "standard_normal": "random.normal", "gauss": "random.normal",
    "randint": "random.uniform", "integers": "random.uniform", "shuffle": "random.shuffle",
    "permutation": "random.shuffle",
}  # fmt: skip
_NUMPY: Final = {
    "sum": "reduce_sum", "mean": "reduce_mean", "max": "reduce_max", "min": "reduce_min", "prod": "reduce_prod",
    "dot": "tensordot", "concatenate": "concat", "absolute": "abs", "log": "math.log", "power": "pow",
    "array": "convert_to_tensor", "asarray": "convert_to_tensor", "clip": "clip_by_value", "arange": "range",
}  # fmt: skip
_HARMLESS: Final = frozenset(("float32", "float64", "int32", "int64", "iinfo", "finfo", "dtype", "shape", "ndim"))


@rule("frozen.random")
def random_numbers(unit: Unit) -> Iterator[Finding]:
    """NumPy's or Python's random numbers are drawn while tracing: the same at every call."""
    for call in unit.walk(ast.Call):
        full = unit.full(call.func) or ""
        first, _, _ = (unit.dotted(call.func) or "").partition(".")
        generator = unit.names.get(first, "").startswith(("object:numpy.random", "object:random."))
        name = full.rpartition(".")[2] if not generator else (unit.dotted(call.func) or "").rpartition(".")[2]
        if name in ("seed", "default_rng", "Random", "RandomState"):
            continue
        if any(unit.tf(outer) == "Variable" for outer in unit.around(call, ast.Call)):
            continue  # a variable's first value, which is drawn once
        if generator or full.startswith(("numpy.random.", "random.")):
            better = _RANDOM.get(name, "random.uniform")
            yield Finding(
                message("advice.frozen.random", code=unit.text(call.func)),
                call.lineno,
                unit.line(call),
                unit.rewritten(call, f"{unit.alias}.{better}({_size(call)})"),
                unit.ran(call),
            )


def _size(call: ast.Call) -> str:
    size = next((ast.unparse(k.value) for k in call.keywords if k.arg == "size"), None)
    if size is None and isinstance(call.func, ast.Attribute) and call.func.attr in ("rand", "randn") and call.args:
        size = ", ".join(map(ast.unparse, call.args))
    return f"[{size.strip('()[],')}]" if size else "[]"


@rule("frozen.numpy", stops=True)
def numpy_on_tensors(unit: Unit) -> Iterator[Finding]:
    """A NumPy function gets a tensor that has no value yet."""
    for call in unit.walk(ast.Call):
        full = unit.full(call.func) or ""
        if not full.startswith(("numpy.", "math.")) or full.startswith("numpy.random."):
            continue
        name = full.rpartition(".")[2]
        if name in _HARMLESS or unit.lifted(call) or not any(_has_no_value(unit, arg) for arg in call.args):
            continue
        better = _NUMPY.get(name, name if full.startswith("numpy.") else f"math.{name}")
        yield Finding(
            message("advice.frozen.numpy", code=unit.text(call.func)),
            call.lineno,
            unit.line(call),
            unit.rewritten(call.func, f"{unit.alias}.{better}"),
        )


def _has_no_value(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression is a tensor of the trace: one that comes from outside has its value."""
    outside = unit.names.get(unit.dotted(node) or "", "").startswith("tensor")
    return unit.is_tensor(node) and not outside


@rule("frozen.global", "frozen.attribute", "frozen.tensor")
def changed_since(unit: Unit) -> Iterator[Finding]:
    """A number, value or tensor from outside that holds another value now than when it was traced."""
    written = unit.written | unit.stores()
    for item in unit.subject.captured if unit.subject is not None else ():
        if item.kind == "variable" or not item.now or item.now == item.traced or item.name in written:
            continue
        line = _read_at(unit, item)
        if "." in item.name:
            id_ = "advice.frozen.attribute"
        else:
            id_ = "advice.frozen.tensor" if item.kind == "tensor" else "advice.frozen.global"
        yield Finding(
            message(id_, name=item.name, was=item.traced, now=item.now),
            line,
            unit.lines.get(line, "").strip() if line else None,
            f"{item.name} = {unit.alias}.Variable({item.traced})  # {item.name}.assign({item.now})"
            if item.kind == "number"
            else None,
        )


def _read_at(unit: Unit, item: Captured) -> int | None:
    for node in unit.walk(ast.Name, ast.Attribute, nested=True):
        if isinstance(node.ctx, ast.Load) and unit.dotted(node) == item.name:
            return node.lineno  # type: ignore[no-any-return]
    return None


@rule("frozen.default", note=True, helpers=False)
def defaults(unit: Unit) -> Iterator[Finding]:
    """A parameter beyond `input_signature` keeps its default for ever."""
    subject = unit.subject
    if subject is None or subject.signature is None or isinstance(unit.tree, ast.Module):
        return
    args = unit.tree.args
    positional = [*args.posonlyargs, *args.args]
    given = dict(
        zip([arg.arg for arg in positional[len(positional) - len(args.defaults) :]], args.defaults, strict=True)
    )
    given |= {arg.arg: value for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value is not None}
    for name, default in given.items():
        if name not in subject.signature:
            yield Finding(
                message("advice.frozen.default", name=name, value=ast.unparse(default)),
                unit.tree.lineno,
                unit.lines.get(unit.tree.lineno, "").strip(),
                None,
            )


def _all_operations(graph: Any) -> Iterator[Any]:
    for op in graph.ops:
        yield op
        for _, body in bodies(op):
            yield from _all_operations(body)


@rule("frozen.seed", note=True, helpers=False)
def seeds(unit: Unit) -> Iterator[Finding]:
    """Where the random numbers of an operation begin: the seeds its trace keeps."""
    subject = unit.subject
    if subject is None or subject.graph is None:
        return
    from graphlab.inspect.places import Places

    places = Places(subject.filename)
    for op in _all_operations(subject.graph):
        if "seed" in op.attrs and "seed2" in op.attrs and (op.attrs["seed"] or op.attrs["seed2"]):
            place = places.of(op.position)
            line = place.line if place else None
            yield Finding(
                message("advice.frozen.seed", op=op.type, seed=f"({op.attrs['seed']}, {op.attrs['seed2']})"),
                line,
                unit.lines.get(line or 0, "").strip() or None,
            )
