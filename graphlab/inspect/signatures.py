"""The signatures of a function's traces, and the one signature that would serve them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from graphlab.inspect.advice_place import Fix, decorator_with
from graphlab.inspect.subject import Cell, Subject, leaf_text, root, shown_leaves
from graphlab.messages import message
from graphlab.tracing.reasons import Leaf, tensor_text
from graphlab.tracing.records import TraceRecord

MAX_ARGUMENTS: Final = 30
"""Arguments, and values in them, that a table of signatures has columns for."""

Shape = tuple[int | None, ...] | None

# The dtype a Python value has as a tensor.
_DTYPES: Final = {"int": "int32", "float": "float32", "bool": "bool", "complex": "complex128", "str": "string"}


def merge_shapes(shapes: Sequence[Shape]) -> Shape:
    """The most specific shape that all of `shapes` fit.

    >>> merge_shapes([(2, 3), (4, 3)]), merge_shapes([(2,), (2, 2)])
    ((None, 3), None)
    """
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes) or len({len(shape) for shape in known}) != 1:
        return None
    return tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*known, strict=True))


def merge(keys: Sequence[Sequence[Leaf]]) -> dict[str, tuple[str, Shape]] | None:
    """By path, the dtype and shape of a tensor argument that serves every key; None when no input_signature could.

    A Python value is merged into a tensor only where some call passed a tensor: a number that was always a Python
    number may have to be one.
    """
    paths = [leaf.path for leaf in keys[0]]
    if any([leaf.path for leaf in key] != paths for key in keys):
        return None
    merged: dict[str, tuple[str, Shape]] = {}
    for leaves in zip(*keys, strict=True):
        tensors = [leaf for leaf in leaves if leaf.kind == "tensor"]
        literals = [leaf for leaf in leaves if leaf.kind == "literal"]
        if not tensors or len(tensors) + len(literals) < len(leaves):
            return None
        dtypes = {leaf.data["dtype"] for leaf in tensors}
        if len(dtypes) != 1:
            return None
        (dtype,) = dtypes
        if any(not _fits(leaf, dtype) for leaf in literals):
            return None
        shapes: list[Shape] = [leaf.data["shape"] for leaf in tensors]
        shapes += [()] * bool(literals)
        merged[leaves[0].path] = (dtype, merge_shapes(shapes))
    return merged


def _fits(leaf: Leaf, dtype: str) -> bool:
    natural = _DTYPES.get(str(leaf.data["type"]))
    if natural is None:
        return False
    return natural == dtype or (natural == "int32" and dtype.startswith(("int", "uint", "float", "bfloat", "complex")))


def merged_result(results: Sequence[str | None]) -> str | None:
    """The results of several traces as one type, where only the shape of one tensor differs."""
    if not results or None in results:
        return None
    if len(set(results)) == 1:
        return results[0]
    parsed = [_parse(result) for result in results if result]
    if None in parsed:
        return None
    pairs = [pair for pair in parsed if pair]
    if len({dtype for dtype, _ in pairs}) != 1:
        return None
    return tensor_text(pairs[0][0], merge_shapes([shape for _, shape in pairs]))


def _parse(text: str) -> tuple[str, Shape] | None:
    name, bracket, rest = text.partition("[")
    if not bracket or not rest.endswith("]") or not name.isidentifier():
        return None
    inside = rest[:-1]
    if inside == "...":
        return name, None
    sizes = [part.strip() for part in inside.split(",")] if inside else []
    if any(part != "None" and not part.isdigit() for part in sizes):
        return None
    return name, tuple(None if part == "None" else int(part) for part in sizes)


def spec_code(alias: str, dtype: str, shape: Shape) -> str:
    """`tf.TensorSpec([None], tf.float32)`."""
    return f"{alias}.TensorSpec({'None' if shape is None else list(shape)}, {alias}.{dtype})"


def signature_code(subject: Subject, merged: dict[str, tuple[str, Shape]]) -> str | None:
    """The decorator with the full `input_signature`, one argument a line; None when it cannot be written so."""
    specs: list[tuple[str, str]] = []
    done: set[str] = set()
    for path, types in merged.items():
        name = root(path)
        if name in done:
            continue
        done.add(name)
        if name not in subject.parameters:
            return None  # keyword-only arguments and *args have no place in an input_signature list
        if path == name:
            specs.append((spec_code(subject.alias, *types), name))
            continue
        nested = _nested(subject, name, merged)
        if nested is None:
            return None
        specs.append((nested, name))
    if [name for _, name in specs] != list(subject.parameters)[: len(specs)]:
        return None
    width = max((len(code) + 1 for code, _ in specs), default=0)
    lines = [f"    {code + ',':<{width}}  # {name}" for code, name in specs]
    opening, _ = decorator_with(subject, "input_signature=[", drop=["reduce_retracing"])
    return "\n".join([opening.removesuffix(")"), *lines, "])"])


def _nested(subject: Subject, name: str, merged: dict[str, tuple[str, Shape]]) -> str | None:
    """A nested argument's specs, in the structure of the latest trace that knows it."""
    for number in sorted(subject.specs, reverse=True):
        args, kwargs = subject.specs[number]
        index = list(subject.parameters).index(name)
        if index < len(args):
            return _spec_structure(args[index], name, subject.alias, merged)
        if name in kwargs:
            return _spec_structure(kwargs[name], name, subject.alias, merged)
    return None


def _spec_structure(value: Any, path: str, alias: str, merged: dict[str, tuple[str, Shape]]) -> str | None:
    if path in merged:
        return spec_code(alias, *merged[path])
    parts: list[str | None]
    if isinstance(value, dict):
        parts = [_spec_structure(item, f"{path}[{key!r}]", alias, merged) for key, item in value.items()]
        if None in parts:
            return None
        return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(value, parts, strict=True)) + "}"
    if type(value) in (list, tuple):
        parts = [_spec_structure(item, f"{path}[{index}]", alias, merged) for index, item in enumerate(value)]
        if None in parts:
            return None
        inside = ", ".join(str(part) for part in parts)
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(parts) == 1)})"
    return None


def one_for_all(subject: Subject) -> dict[str, tuple[str, Shape]] | None:
    """The merged signature when there are several traces and one could serve them; else None."""
    if all(record.key == subject.traces[0].key for record in subject.traces):
        return None
    return merge([shown_leaves(record.key) for record in subject.traces])


def changed_paths(subject: Subject, record: TraceRecord) -> frozenset[str]:
    """The paths at which a trace's arguments differ from those of the trace it was compared with."""
    earlier = subject.trace(record.closest)
    if earlier is None:
        return frozenset()
    before = {leaf.path: leaf_text(leaf) for leaf in shown_leaves(earlier.key)}
    return frozenset(leaf.path for leaf in shown_leaves(record.key) if before.get(leaf.path) != leaf_text(leaf))


def columns(subject: Subject, records: Sequence[TraceRecord]) -> list[str]:
    """The paths that a table of signatures shows: of many, those that differ rather than those that are alike."""
    paths = list(dict.fromkeys(leaf.path for record in records for leaf in shown_leaves(record.key)))
    if len(paths) <= MAX_ARGUMENTS:
        return paths
    changed = frozenset[str]().union(*(changed_paths(subject, record) for record in records))
    chosen = set(sorted(paths, key=lambda path: path not in changed)[:MAX_ARGUMENTS])
    return [path for path in paths if path in chosen]


def signature_fix(subject: Subject, cell: Cell, merged: dict[str, tuple[str, Shape]]) -> Fix | None:
    """The full `input_signature` to write once."""
    code = signature_code(subject, merged)
    if code is None:
        return None
    return Fix(message("fix.once_above"), code, cell.line(subject.filename, subject.line))
