"""From a function to its syntax tree: the first stage of AutoGraph.

The tree keeps the lines and columns of the user's file, so that what is compiled from it later is, for tracebacks,
debuggers
and line coverage, the user's own code.  Source is accepted only if it compiles to the code the function has: an
edited file,
a stale cell or rewritten asserts count as no source.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import copy
import dis
import inspect
import linecache
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any, Final

from graphlab.core.syntax import parse

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

FUTURE: Final = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_NEW_ATTR: Final = sys.version_info >= (3, 12)
CONSTRUCT: Final = "_construct"
"""The attribute that the function made of a construct's body has."""

_STALE: Final = "its file no longer holds the code that was compiled"


class NoSourceError(Exception):
    """There is no source that can be trusted; the message says why, in a sentence about the function."""


@dataclass(frozen=True)
class Source:
    """A function's syntax tree and where it stands.

    Attributes:
      node: the function, with the file's line numbers and columns.
      filename: the file, as the code object names it.
      first_line: its first line, decorators included.
      lines: the source lines from there to the end of the function.
      mangled_by: the class whose body it stands in, which mangles private names; None outside classes.
    """

    node: FunctionNode
    filename: str
    first_line: int
    lines: tuple[str, ...]
    mangled_by: str | None


def find_source(code: CodeType) -> Source:
    """The source of the function that ``code`` belongs to.

    Raises:
      NoSourceError: the source can't be read, or is not what was compiled.
    """
    source = locate(code)
    try:
        compiled = compile_function(source.node, code)
    except (SyntaxError, ValueError, RecursionError, LookupError):
        compiled = None
    if compiled is None or not same_code(compiled, code):
        rewritten = any(name.startswith("@") for name in _all_names(code))  # pytest's names for its helpers
        raise NoSourceError("its asserts were rewritten" if rewritten else _STALE)
    return source


def _all_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_varnames
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _all_names(const)


def locate(code: CodeType) -> Source:
    """The tree at the code's position, without comparing it with the code."""
    filename = code.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename)
    if not lines:
        raise NoSourceError("its source cannot be read")
    if code.co_firstlineno > len(lines):
        raise NoSourceError(_STALE)
    node: FunctionNode
    if code.co_name == "<lambda>":
        node = _lambda_at(filename, lines, code)
        first, last = node.lineno, node.end_lineno or node.lineno
    else:
        node, last = _definition_at(filename, lines, code)
        first = code.co_firstlineno
    return Source(node, filename, first, tuple(lines[first - 1 : last]), enclosing_class(code.co_qualname))


def _definition_at(filename: str, lines: list[str], code: CodeType) -> tuple[FunctionNode, int]:
    first = code.co_firstlineno
    try:
        block = inspect.getblock(lines[first - 1 :])
        indented = block[0][:1] in " \t"
        # An indented block is parsed under an `if`, which keeps its columns, and strings that span lines, as they are.
        text = ("if 1:\n" if indented else "") + "".join(block)
        tree = parse(text, filename)
    except (SyntaxError, ValueError, IndexError, RecursionError):
        raise NoSourceError("its source cannot be parsed") from None
    ast.increment_lineno(tree, first - (2 if indented else 1))
    found = tree.body[0] if tree.body else None
    if indented and isinstance(found, ast.If):
        found = found.body[0]
    if not isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) or found.name != code.co_name:
        raise NoSourceError(_STALE)
    return found, first + len(block) - 1


_trees: dict[str, tuple[list[str], list[ast.Lambda]]] = {}


def _lambdas(filename: str, lines: list[str]) -> list[ast.Lambda]:
    """All lambdas of a file; the last few files are kept, since lambdas come in groups."""
    known = _trees.get(filename)
    if known is not None and (known[0] is lines or known[0] == lines):
        return known[1]
    try:
        tree = parse("".join(lines), filename)
    except (SyntaxError, ValueError, RecursionError):
        raise NoSourceError("its source cannot be parsed") from None
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    for old in list(_trees)[:-3]:
        _trees.pop(old, None)
    _trees[filename] = (lines, found)
    return found


def _lambda_at(filename: str, lines: list[str], code: CodeType) -> ast.Lambda:
    candidates = [n for n in _lambdas(filename, lines) if n.lineno == code.co_firstlineno]
    if not candidates:
        raise NoSourceError(_STALE)
    spans = [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in code.co_positions()
        if line is not None and end_line is not None and column is not None and end_column is not None and end_column
    ]
    if spans:
        start, end = min(s for s, _ in spans), max(e for _, e in spans)
        fitting = [n for n in candidates if _start(n.body) <= start and end <= _end(n.body)]
        if fitting:
            return max(fitting, key=lambda n: _start(n.body))  # the innermost
    return candidates[0]


def _start(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def enclosing_class(qualname: str) -> str | None:
    """The class in whose body a function of this qualified name stands, at any depth; None if there is none."""
    parts = qualname.split(".")[:-1]
    while parts:
        part = parts.pop()
        if part == "<locals>":
            if parts:
                parts.pop()  # the function it is local to
        else:
            return part
    return None


def mangle(name: str, cls: str | None) -> str:
    """The name that ``__name`` stands for inside a class."""
    if cls is None or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    cls = cls.lstrip("_")
    return f"_{cls}{name}" if cls else name


def _has_private_names(node: ast.AST) -> bool:
    for child in ast.walk(node):
        if isinstance(child, ast.Name):
            name: str | None = child.id
        elif isinstance(child, ast.Attribute):
            name = child.attr
        elif isinstance(child, (ast.arg, ast.keyword)):
            name = child.arg
        elif isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            name = child.name
        else:
            continue
        if name is not None and name.startswith("__") and not name.endswith("__"):
            return True
    return False


def compile_function(node: FunctionNode, like: CodeType, extra_free: Sequence[str] = ()) -> CodeType:
    """Compiles a function's tree to a code object, in the surroundings that ``like`` was compiled in.

    Decorators, defaults and annotations are left out: they belong to the code around the function.

    Args:
      node: the function.
      like: the code object of the original: its free variables, class, file and ``__future__`` flags are taken over.
      extra_free: further names that are free in the function; with them, the code need not be comparable.
    """
    bare: Any = copy.copy(node)
    bare.args = copy.copy(node.args)
    bare.args.defaults = []
    bare.args.kw_defaults = [None] * len(node.args.kwonlyargs)
    statement: ast.stmt
    if isinstance(node, ast.Lambda):
        statement = ast.Expr(bare)
    else:
        for group in ("posonlyargs", "args", "kwonlyargs"):
            setattr(bare.args, group, [_bare_arg(a) for a in getattr(node.args, group)])
        for single in ("vararg", "kwarg"):
            argument = getattr(node.args, single)
            setattr(bare.args, single, None if argument is None else _bare_arg(argument))
        # Decorators are never run here, but the first one's line is the function's, on which its line table builds.
        first = [ast.copy_location(ast.Name("factory", ast.Load()), d) for d in node.decorator_list[:1]]
        bare.decorator_list, bare.returns = first, None
        statement = bare
    ast.copy_location(statement, node)
    body: list[ast.stmt] = [statement]
    cls = enclosing_class(like.co_qualname)
    mangling = cls is not None and _has_private_names(node)
    if mangling:
        around: Any = parse(f"class {cls}: pass").body[0]
        around.body = body
        body = [around]
    # Built from text, so that it has the fields that the running version of Python wants.
    module = parse(f"def factory({', '.join([*like.co_freevars, *extra_free])}): pass")
    factory: Any = module.body[0]
    # The factory must not make a local of a name that means a global to the function.
    made = {n.name for n in body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    made -= {*like.co_freevars, *extra_free}
    factory.body = [*([ast.Global(sorted(made), lineno=1, col_offset=0)] if made else []), *body]
    if not extra_free:
        _import_as_original(module, bare, like)
    with _headed(bare, like.co_firstlineno):
        compiled: CodeType = compile(module, like.co_filename, "exec", flags=like.co_flags & FUTURE, dont_inherit=True)
    for name in ("factory", *([str(cls)] if mangling else []), like.co_name):
        compiled = next(c for c in compiled.co_consts if isinstance(c, CodeType) and c.co_name == name)
    return compiled


@contextlib.contextmanager
def _headed(function: ast.AST, line: int) -> Iterator[None]:
    """Lets the bodies of constructs begin where the user's function does, for the time of a compilation.

    A traceback that counts lines from a code object's first (IPython's does, in a kernel) shows the function around.
    """
    moved: list[tuple[Any, int]] = []

    def visit(node: ast.AST, line: int) -> None:
        for child in ast.iter_child_nodes(node):
            first = line
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                if hasattr(child, CONSTRUCT):
                    moved.append((child, child.lineno))
                    child.lineno = line
                else:
                    first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            visit(child, first)

    visit(function, line)
    try:
        yield
    finally:
        for body, own in moved:
            body.lineno = own


def _import_as_original(module: ast.Module, function: ast.AST, like: CodeType) -> None:
    """Imports the names that the original's module imports: calls of their methods are compiled in another way."""
    bases = {
        n.func.value.id
        for n in ast.walk(function)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)
    }
    if bases and (imported := sorted(bases - _method_bases(like))):
        module.body.insert(0, parse("import " + ", ".join(imported)).body[0])


def _method_bases(code: CodeType) -> set[str]:
    """The names whose attributes the code calls as methods, which it does not do for imported names."""
    found: set[str] = set()
    before: dis.Instruction | None = None
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        is_method = name == "LOAD_METHOD" or (name == "LOAD_ATTR" and _NEW_ATTR and (instruction.arg or 0) & 1)
        if is_method and before is not None and isinstance(before.argval, str):
            found.add(before.argval)
        before = instruction
    for const in code.co_consts:
        if isinstance(const, CodeType):
            found |= _method_bases(const)
    return found


def _bare_arg(argument: ast.arg) -> ast.arg:
    return ast.copy_location(ast.arg(argument.arg), argument)


def same_code(a: CodeType, b: CodeType) -> bool:
    """True if two code objects do the same with the same names and constants; lines and qualified names may differ."""
    return (
        a.co_code == b.co_code
        and a.co_names == b.co_names
        and a.co_varnames == b.co_varnames
        and a.co_freevars == b.co_freevars
        and a.co_cellvars == b.co_cellvars
        and (a.co_argcount, a.co_posonlyargcount, a.co_kwonlyargcount, a.co_flags & 0xF)
        == (b.co_argcount, b.co_posonlyargcount, b.co_kwonlyargcount, b.co_flags & 0xF)
        and len(a.co_consts) == len(b.co_consts)
        and all(_same_constant(x, y) for x, y in zip(a.co_consts, b.co_consts, strict=True))
    )


def _same_constant(a: object, b: object) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, CodeType) and isinstance(b, CodeType):
        return same_code(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_same_constant(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, frozenset):
        return a == b
    if isinstance(a, str):
        # A nested function's qualified name is a constant of the function around it.
        return a == b or a.rpartition(".<locals>.")[2] == str(b).rpartition(".<locals>.")[2]
    return repr(a) == repr(b)
