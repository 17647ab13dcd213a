"""Writes graphlab/_index.py (where each public name and each op lives) and the stubs that tell type checkers the same.

    python tools/generate_index.py            write them
    python tools/generate_index.py --check    fail if they are not up to date

Nothing is imported: the names are read from the source. Three things are looked for at the top level of each module:

    @public("nest.flatten")                   on a function or class
    PUBLIC = {"float32": "float32"}           public name → attribute of the module
    ADD = define("AddV2", ...)                the record of an op
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "graphlab"
INDEX = PACKAGE / "_index.py"

WRITTEN_BY = "Written by tools/generate_index.py: do not edit."

# Packages that users reach as tf.<name> although they are not TensorFlow's.
EXPOSED = ("inspect",)


def module_name(path: Path) -> str:
    """``graphlab/ops/math.py`` → ``graphlab.ops.math``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def called(node: ast.AST, function: str) -> list[str] | None:
    """The string arguments of a call of ``function``; None if ``node`` is no such call."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
        return [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return None


def public_names(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """Pairs of public name and attribute that one top-level statement declares."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for decorator in statement.decorator_list:
            for name in called(decorator, "public") or ():
                yield name, statement.name
    for target, value in assignments(statement):
        if target == "PUBLIC" and isinstance(value, ast.Dict):
            yield from ast.literal_eval(value).items()
        if isinstance(value, ast.Call):  # SUM = public("math.reduce_sum")(_reduction(...))
            for name in called(value.func, "public") or ():
                yield name, target


def assignments(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement assigns, with the values."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                yield target.id, statement.value
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        yield statement.target.id, statement.value


def collect() -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Public name → (module, attribute), and op → module. SystemExit if a name is declared twice."""
    public: dict[str, tuple[str, str]] = {}
    ops: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path == INDEX:
            continue
        module = module_name(path)
        for statement in ast.parse(path.read_text(encoding="utf-8"), str(path)).body:
            for name, attribute in public_names(statement):
                if public.setdefault(name, (module, attribute)) != (module, attribute):
                    sys.exit(f"tf.{name} is declared twice: {'.'.join(public[name])} and {module}.{attribute}")
            for _, value in assignments(statement):
                for op in (called(value, "define") or ())[:1]:
                    if ops.setdefault(op, module) != module:
                        sys.exit(f"the op {op} is defined twice: in {ops[op]} and in {module}")
    return public, ops


def modules() -> set[str]:
    """Every real module of the package, without the leading ``graphlab.``."""
    return {module_name(path).removeprefix("graphlab.") for path in PACKAGE.rglob("*.py")}


def namespaces(public: dict[str, tuple[str, str]]) -> dict[str, bool]:
    """Public namespace → whether it is a real module. SystemExit where a module would hide a name."""
    real = modules()
    hidden = sorted(name for name in public if name in real)
    if hidden:
        sys.exit(f"a module hides the public name of the same name, rename the module: {', '.join(hidden)}")
    found: set[str] = set()
    for name in public:
        parts = name.split(".")[:-1]
        found.update(".".join(parts[:n]) for n in range(1, len(parts) + 1))
    both = sorted(found & public.keys())
    if both:
        sys.exit(f"both a public name and a namespace: {', '.join(both)}")
    return {name: name in real for name in sorted(found)}


def table(name: str, annotation: str, rows: dict[str, object]) -> str:
    """The source of one dictionary, laid out as ruff does."""
    lines = [f"    {quoted(key)}: {quoted(rows[key])},\n" for key in sorted(rows)]
    return f"\n{name}: {annotation} = {{\n{''.join(lines)}}}\n"


def quoted(value: object) -> str:
    """The literal of a value, with the double quotes that ruff prefers."""
    return repr(value).replace("'", '"')


def index(public: dict[str, tuple[str, str]], ops: dict[str, str]) -> str:
    """The text of the index."""
    return (
        f'"""Where each public name and each op lives.  {WRITTEN_BY}"""\n'
        + table("PUBLIC", "dict[str, tuple[str, str]]", dict(public))
        + "\n# Public namespace → whether it is a real module."
        + table("NAMESPACES", "dict[str, bool]", dict(namespaces(public)))
        + table("OPS", "dict[str, str]", dict(ops))
    )


def stub(prefix: str, public: dict[str, tuple[str, str]], below: list[str]) -> str:
    """The text of the stub of one namespace ("" or "math."), with the namespaces directly below it."""
    here = "graphlab" + f".{prefix}".rstrip(".")
    own = {full.removeprefix(prefix): place for full, place in public.items() if full.startswith(prefix)}
    own = {name: place for name, place in own.items() if "." not in name}
    lines = [f"from {here} import {name} as {name}\n" for name in below]
    lines += [f"from {own[name][0]} import {own[name][1]} as {name}\n" for name in sorted(own)]
    if not prefix:
        lines.append("\n__version__: str\n")
    exported = "".join(f'    "{name}",\n' for name in sorted({*below, *own}))
    return f"# {WRITTEN_BY}\n{''.join(lines)}\n__all__ = [\n{exported}]\n"


def stubs(public: dict[str, tuple[str, str]]) -> dict[Path, str]:
    """Path of each stub → its text. A real package speaks for itself."""
    known = namespaces(public)
    texts = {}
    for name, real in {"": False, **known}.items():
        if not real:
            prefix = f"{name}." if name else ""
            below = sorted(
                n.removeprefix(prefix) for n in known if n.startswith(prefix) and "." not in n[len(prefix) :]
            )
            if not name:
                below = sorted({*below, *EXPOSED})
            path = PACKAGE.joinpath(*name.split(".")) if name else PACKAGE
            nested = not name or any(n.startswith(prefix) for n in known)
            texts[path / "__init__.pyi" if nested else path.with_suffix(".pyi")] = stub(prefix, public, below)
    return texts


def texts() -> dict[Path, str]:
    """Everything that is generated: path → text."""
    public, ops = collect()
    return {INDEX: index(public, ops), **stubs(public)}


def main() -> None:
    """Writes the files, or with --check compares them."""
    wanted = texts()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    surplus = [path for path in sorted(PACKAGE.rglob("*.pyi")) if path not in wanted and WRITTEN_BY in path.read_text()]
    if "--check" in sys.argv[1:]:
        if stale or surplus:
            names = ", ".join(str(path.relative_to(ROOT)) for path in (*stale, *surplus))
            sys.exit(f"not up to date, run python tools/generate_index.py: {names}")
        return
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    for path in surplus:
        path.unlink()


if __name__ == "__main__":
    main()
