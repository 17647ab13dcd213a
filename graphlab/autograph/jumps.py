"""Turns ``return``, ``break`` and ``continue`` out of constructs into values, and the ``else`` of loops into ``if``.

What follows an ``if`` whose branch jumps moves into its other branch; then most jumps need nothing at all:

    if v < 0:                 if v < 0:
        continue                  pass
    total += v                else:
                                  total += v

Only where a jump leaves several constructs at once, a flag says that it happened, and what follows is guarded by it.
An ``if``
both of whose branches return becomes a value: it is marked and converted to ``return ag.if_stmt(...)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final

from graphlab.autograph.names import Fresh, assign, constant, load

Block = list[ast.stmt]
Loop = ast.For | ast.While
_LOOPS: Final = (ast.For, ast.While)
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_JUMPS: Final = (ast.Return, ast.Break, ast.Continue)


class _LoopFlags:
    """The flags of one loop; a flag's name is taken when it is first needed."""

    def __init__(self, loop: Loop, fresh: Fresh) -> None:
        self.line = loop.lineno
        self.fresh = fresh
        self.broken: str | None = None
        self.skipped: str | None = None
        continues = any(isinstance(n, ast.Continue) for n in _own(loop.body))
        self.guard_by_broken = not continues

    def take_broken(self) -> str:
        self.broken = self.broken or self.fresh.variable(f"break_{self.line}")
        return self.broken

    def take_guard(self) -> str:
        """The flag that guards the rest of an iteration."""
        if self.guard_by_broken:
            return self.take_broken()
        self.skipped = self.skipped or self.fresh.variable(f"continue_{self.line}")
        return self.skipped


def lower_jumps(body: Block, fresh: Fresh) -> Block:
    """The body of a function without jumps out of ``if``s and loops."""
    return _Jumps(fresh).function(body)


def children(node: ast.stmt) -> list[tuple[str, Block]]:
    """The blocks of a compound statement, by field name, with those of the handlers or cases."""
    found: list[tuple[str, Block]] = []
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block:
            found.append((field, block))
    found += [("handlers", handler.body) for handler in getattr(node, "handlers", ())]
    return found + [("cases", case.body) for case in getattr(node, "cases", ())]


def _own(block: Sequence[ast.stmt], *, into_loops: bool = False) -> Iterator[ast.stmt]:
    """The statements of a block at any depth, without those of functions and, by default, of inner loops' bodies."""
    for statement in block:
        yield statement
        if isinstance(statement, _SCOPES):
            continue
        if isinstance(statement, _LOOPS) and not into_loops:
            yield from _own(statement.orelse)
            continue
        for _, inner in children(statement):
            yield from _own(inner, into_loops=into_loops)


def has_return(block: Sequence[ast.stmt]) -> bool:
    """True if a block has a ``return`` of its function."""
    return any(isinstance(s, ast.Return) for s in _own(block, into_loops=True))


def _leaves(statement: ast.stmt, *, in_loop: bool) -> bool:
    """True if a jump in the statement leaves it."""
    if has_return([statement]):
        return True
    return in_loop and any(isinstance(s, (ast.Break, ast.Continue)) for s in _own([statement]))


def always_leaves(block: Sequence[ast.stmt]) -> bool:
    """True if the end of the block is never reached."""
    for statement in block:
        if isinstance(statement, (*_JUMPS, ast.Raise)):
            return True
        if isinstance(statement, ast.If):
            if always_leaves(statement.body) and always_leaves(statement.orelse):
                return True
        elif isinstance(statement, ast.Try):  # (after a `with` one can always arrive: it may swallow an exception)
            handled = all(always_leaves(h.body) for h in statement.handlers)
            if always_leaves(statement.finalbody) or (
                handled and (always_leaves(statement.body) or always_leaves(statement.orelse))
            ):
                return True
    return False


def _settled(block: Sequence[ast.stmt], *, tail: bool) -> bool:
    """True if all returns of a block outside converted constructs' bodies can stay returns."""
    if tail or always_leaves(block):
        return True
    for statement in block:
        if isinstance(statement, (*_SCOPES, ast.Return)) or not has_return([statement]):
            continue
        if isinstance(statement, (ast.If, *_LOOPS)):
            return False
        if not all(_settled(inner, tail=False) for _, inner in children(statement)):
            return False
    return True


class _Jumps:
    def __init__(self, fresh: Fresh) -> None:
        self.fresh = fresh
        self.returned: str | None = None
        self.result: str | None = None

    def function(self, body: Block) -> Block:
        new = self.block(body, None, guarded=False, tail=True)
        if self.returned is not None:
            at = new[0]
            first = 1 if isinstance(at, ast.Expr) and isinstance(at.value, ast.Constant) else 0  # the docstring
            new.insert(first, assign(self.returned, constant(False, at), at))
        return new

    def _return_flags(self) -> tuple[str, str]:
        if self.returned is None or self.result is None:
            self.returned, self.result = self.fresh.variable("returned"), self.fresh.variable("result")
        return self.returned, self.result

    def block(self, block: Block, loop: _LoopFlags | None, *, guarded: bool, tail: bool) -> Block:
        """Lowers a block.

        Args:
          block: its statements.
          loop: the loop whose body it belongs to; None outside loops.
          guarded: code after the block, outside it, has to be skipped by a jump in it, so jumps set a flag.
          tail: the function ends after it.
        """
        out: Block = []
        for index, statement in enumerate(block):
            rest = block[index + 1 :]
            if isinstance(statement, _JUMPS):
                out += self._jump(statement, loop, guarded)
                break
            if isinstance(statement, ast.If):
                done = self._if(statement, rest, loop, guarded=guarded, tail=tail, out=out)
            elif isinstance(statement, _LOOPS):
                done = self._loop(statement, rest, loop, guarded=guarded, tail=tail, out=out)
            elif isinstance(statement, _SCOPES) or not children(statement):
                out.append(statement)
                done = False
            else:
                done = self._other(statement, rest, loop, guarded=guarded, tail=tail, out=out)
            if done:
                break
        return out or [ast.copy_location(ast.Pass(), block[0] if block else ast.Pass(lineno=1, col_offset=0))]

    def _jump(self, statement: ast.stmt, loop: _LoopFlags | None, guarded: bool) -> Block:
        out: Block = []
        if isinstance(statement, ast.Return):
            if loop is None and not guarded:
                return [statement]
            returned, result = self._return_flags()
            out.append(assign(result, statement.value or constant(None, statement), statement))
            out.append(assign(returned, constant(True, statement), statement))
            if loop is None:
                return out
        assert loop is not None
        flags: list[str] = []
        if not isinstance(statement, ast.Continue):
            flags.append(loop.take_broken())
        if guarded and (guard := loop.take_guard()) not in flags:
            flags.append(guard)
        return out + [assign(flag, constant(True, statement), statement) for flag in flags]

    def _if(self, node: ast.If, rest: Block, loop: _LoopFlags | None, *, guarded: bool, tail: bool, out: Block) -> bool:
        body, orelse = node.body, node.orelse
        leaves = _leaves(node, in_loop=loop is not None)
        body_leaves, else_leaves = always_leaves(body), always_leaves(orelse)
        if leaves and (body_leaves or else_leaves):
            if not else_leaves:
                orelse = orelse + rest
            elif not body_leaves:
                body = body + rest
            rest = []
        new: Any = ast.copy_location(ast.If(node.test, body, orelse), node)
        out.append(new)
        if loop is None and leaves:
            if tail and not rest:
                # Falling off the end of the function returns None.
                new.body = body if always_leaves(body) else [*body, _return_none(body[-1])]
                new.orelse = (
                    orelse if always_leaves(orelse) else [*orelse, _return_none(orelse[-1] if orelse else node)]
                )
            if not guarded and always_leaves(new.body) and always_leaves(new.orelse):
                new.gives_value = True
                new.body = self.block(new.body, None, guarded=False, tail=True)
                new.orelse = self.block(new.orelse, None, guarded=False, tail=True)
                return True
            new.body = self.block(new.body, None, guarded=True, tail=False)
            new.orelse = self.block(new.orelse, None, guarded=True, tail=False) if new.orelse else []
            return self._after_return(node, rest, None, guarded=guarded, tail=tail, out=out)
        inner = guarded or bool(leaves and rest)
        new.body = self.block(body, loop, guarded=inner, tail=False)
        new.orelse = self.block(orelse, loop, guarded=inner, tail=False) if orelse else []
        if loop is None or not leaves:
            return False
        return self._guard_rest(rest, loop, guarded=guarded, out=out)

    def _guard_rest(self, rest: Block, loop: _LoopFlags, *, guarded: bool, out: Block) -> bool:
        """In a loop's body: what follows a statement that may have jumped runs only if it did not."""
        if rest:
            test = _negated(loop.take_guard(), rest[0])
            out.append(
                ast.copy_location(ast.If(test, self.block(rest, loop, guarded=guarded, tail=False), []), rest[0])
            )
        return True

    def _after_return(
        self,
        node: ast.stmt,
        rest: Block,
        loop: _LoopFlags | None,
        *,
        guarded: bool,
        tail: bool,
        out: Block,
    ) -> bool:
        """What follows a statement in which the function may have returned."""
        returned, result = self._return_flags()
        if loop is not None:
            stop = ast.copy_location(ast.Break(), node)
            check = ast.copy_location(ast.If(load(returned, node), [stop], []), node)
            out += self.block([check, *rest], loop, guarded=guarded, tail=False)
        elif guarded:
            if rest:
                inner = self.block(rest, None, guarded=True, tail=False)
                out.append(ast.copy_location(ast.If(_negated(returned, rest[0]), inner, []), rest[0]))
        else:
            at = next(s for s in _own([node], into_loops=True) if isinstance(s, ast.Return))
            leave = ast.copy_location(ast.Return(load(result, at)), at)
            check = ast.copy_location(ast.If(load(returned, at), [leave], []), at)
            out += self.block([check, *rest], None, guarded=False, tail=tail)
        return True

    def _loop(
        self, node: Loop, rest: Block, outer: _LoopFlags | None, *, guarded: bool, tail: bool, out: Block
    ) -> bool:
        flags = _LoopFlags(node, self.fresh)
        returns = has_return(node.body)
        body = self.block(node.body, flags, guarded=False, tail=False)
        if flags.skipped is not None:
            body.insert(0, assign(flags.skipped, constant(False, node), node))
        new: Any
        if isinstance(node, ast.While):
            new = ast.copy_location(ast.While(node.test, body, []), node)
        else:
            new = ast.copy_location(ast.For(node.target, node.iter, body, []), node)
        new.until = flags.broken
        if flags.broken is not None:
            out.append(assign(flags.broken, constant(False, node), node))
        out.append(new)
        orelse = node.orelse
        if orelse and flags.broken is not None:
            orelse = [ast.copy_location(ast.If(_negated(flags.broken, orelse[0]), orelse, []), orelse[0])]
        if returns:
            return self._after_return(node, [*orelse, *rest], outer, guarded=guarded, tail=tail, out=out)
        if orelse:
            out += self.block([*orelse, *rest], outer, guarded=guarded, tail=tail)
            return True
        return False

    def _other(self, node: Any, rest: Block, loop: _LoopFlags | None, *, guarded: bool, tail: bool, out: Block) -> bool:
        """``with``, ``try`` and ``match``, which stay statements."""
        leaves = _leaves(node, in_loop=loop is not None)
        new: Any = _copy_compound(node)
        out.append(new)
        last = tail and not rest
        has_else = isinstance(node, ast.Try) and bool(node.orelse)
        if loop is None:
            tails = {id(b): last and not (has_else and f == "body") and f != "finalbody" for f, b in children(node)}
            if not guarded and all(_settled(b, tail=tails[id(b)]) for _, b in children(node)):
                _replace(new, node, lambda b, _: self.block(b, None, guarded=False, tail=tails[id(b)]))
                return always_leaves([node])
        after = bool(rest) or guarded
        _replace(
            new,
            node,
            lambda b, f: self.block(
                b, loop, guarded=leaves and (after or loop is None or (has_else and f == "body")), tail=False
            ),
        )
        if not leaves:
            return False
        if has_else and _leaves(
            ast.copy_location(ast.If(constant(True, node), node.body, []), node), in_loop=loop is not None
        ):
            flag = self._return_flags()[0] if loop is None else loop.take_guard()
            test = _negated(flag, new.orelse[0])
            new.orelse = [ast.copy_location(ast.If(test, new.orelse, []), new.orelse[0])]
        if loop is None:
            return self._after_return(node, rest, None, guarded=guarded, tail=tail, out=out)
        return self._guard_rest(rest, loop, guarded=guarded, out=out)


def _copy_compound(node: ast.stmt) -> ast.stmt:
    new = type(node)(**{field: getattr(node, field) for field in node._fields if hasattr(node, field)})
    return ast.copy_location(new, node)


def _replace(new: Any, node: Any, lower: Any) -> None:
    """Lowers every block of ``node`` into the copy ``new``."""
    for field in ("body", "orelse", "finalbody"):
        if getattr(node, field, None):
            setattr(new, field, lower(getattr(node, field), field))
    for field in ("handlers", "cases"):
        if getattr(node, field, None):
            parts = []
            for part in getattr(node, field):
                copied: Any = _copy_compound(part)
                copied.body = lower(part.body, field)
                parts.append(copied)
            setattr(new, field, parts)


def _return_none(at: ast.stmt) -> ast.Return:
    return ast.copy_location(ast.Return(constant(None, at)), at)


def _negated(flag: str, at: ast.AST) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), load(flag, at)), at)
