"""Long elementwise chains, a block at a time.

``tanh(x * a + b) * c`` on a large array reads and writes memory once per operation.  A chain of elementwise operations,
each of which is the only user of the one before, is therefore written as a loop over blocks that stay in the cache,
in one array that becomes the result.  Each element goes through the same ufuncs in the same order, so no bit changes.
Where there are several threads and enough to do, they share the blocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from graphlab.compile import buffers, costs
from graphlab.core import dtypes
from graphlab.graph.operation import Operation

SMALLEST: Final = 1 << 18
"""Arrays of fewer elements are not worth it."""

BLOCK: Final = 1 << 19
"""Bytes of a block: a part of the second-level cache."""

_SHORTEST: Final = 3
_DTYPES: Final = frozenset((dtypes.float32, dtypes.float64))
_KINDS: Final = frozenset((*buffers._UNARY, "AddV2", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Relu"))


def _large(op: Operation) -> bool:
    """True for an elementwise op with a large result of known shape whose operands have that shape or are scalars."""
    if op.type not in _KINDS:
        return False
    output = op.outputs[0]
    shape: Any = output._shape
    if output.dtype not in _DTYPES or not shape or None in shape or math.prod(shape) < SMALLEST:
        return False
    return all(t._shape in (shape, ()) for t in op.inputs)


def find(ops: list[Operation], outputs: list[Any], root: Any) -> dict[int, list[Operation]]:
    """The chains in a block: id of the last operation → the operations in order."""
    if not any(map(_large, ops)):
        return {}
    users: dict[int, int] = {}
    for op in ops:
        for tensor in op.inputs:
            key = id(root(tensor))
            users[key] = users.get(key, 0) + 1
    for tensor in outputs:
        users[id(root(tensor))] = 2  # never inside a chain
    ends: dict[int, list[Operation]] = {}
    for op in ops:
        if not _large(op):
            continue
        chain = None
        for tensor in op.inputs:
            before = root(tensor)
            if chain is None and users.get(id(before)) == 1 and before._shape == op.outputs[0]._shape:
                chain = ends.pop(id(before), None)
        if chain is None:
            # A chain starts from an array of the shape of the result.
            if not any(root(t)._shape == op.outputs[0]._shape for t in op.inputs):
                continue
            chain = []
        chain.append(op)
        ends[id(op.outputs[0])] = chain
    return {id(chain[-1]): chain for chain in ends.values() if len(chain) >= _SHORTEST}


SHARED: Final = 4e-4
"""Seconds from which a chain is shared by threads."""


def function(chain: list[Operation], root: Any, env: dict[str, Any], lanes: Callable[[], int]) -> tuple[str, list[Any]]:
    """The name of a generated function for a chain, bound in ``env``, and the tensors that are its arguments.

    ``lanes`` says how many threads there may be.
    """
    arguments: dict[int, str] = {}
    tensors: list[Any] = []
    inside: set[int] = set()
    shape: Any = chain[0].outputs[0]._shape
    names: dict[str, Any] = {"empty": np.empty}
    steps: list[str] = []
    spread: list[str] = []
    for op in chain:
        texts = []
        for tensor in op.inputs:
            standing = root(tensor)
            if id(standing) in inside:
                texts.append("o")
                continue
            name = arguments.get(id(standing))
            if name is None:
                whole = standing._shape == shape
                name = arguments[id(standing)] = f"{'x' if whole else 's'}{len(tensors)}"
                tensors.append(standing)
            texts.append(name)
        steps.append(_step(op, texts, names))
        spread.append(_step(op, _spread(op, texts, root, names), names))
        inside.add(id(op.outputs[0]))
    parameters = [arguments[id(t)] for t in tensors]
    large = [name for name in parameters if name[0] == "x"]
    dtype = chain[0].outputs[0].dtype.np
    count, block = math.prod(shape), BLOCK // dtype.itemsize
    plain, body = ("".join(f"        {step}\n" for step in listed) for listed in (steps, spread))
    name = f"chain_{len(env)}"
    threads = lanes() if sum(costs.seconds(op, {}) for op in chain) >= SHARED else 1
    flat = {x: f"f{x}" for x in large}
    loop = (
        f"    for start in range({{}}, {block}):\n"
        f"        stop = start + {block}\n"
        f"        o = out[start:stop]\n" + "".join(f"        {x} = {f}[start:stop]\n" for x, f in flat.items()) + body
    )
    source = (
        f"def {name}({', '.join(parameters)}):\n"
        f"    result = empty({tuple(shape)}, dtype)\n"
        f"    if not ({' and '.join(f'{x}.flags.c_contiguous' for x in large)}):\n"
        f"        o = result\n{plain}"
        f"        return result\n"
        f"    {', '.join(flat.values())}, = {', '.join(f'{x}.reshape(-1)' for x in large)},\n"
        f"    out = result.reshape(-1)\n"
    )
    if threads > 1:
        each = block * max(1, math.ceil(count / block / (2 * threads)))
        given = ", ".join(["out", *flat.values(), *[s for s in parameters if s not in flat]])
        shares = [f"({at}, {min(at + each, count)})" for at in range(0, count, each)]
        names["share"] = _sharing(threads, len(shares) - 1)
        source += f"    share(blocks, ({given}), ({', '.join(shares)}))\n    return result\n"
        # A share begins at a multiple of the block, and the last block of all may be shorter.
        source += f"def blocks({given}, first, last):\n" + loop.format("first, last")
    else:
        source += loop.format(f"0, {count}") + "    return result\n"
    names["dtype"] = dtype
    exec(compile(source, "<graphlab chain>", "exec"), names)  # noqa: S102 - the source written above
    env[name] = names[name]
    return name, tensors


def _sharing(lanes: int, parts: int) -> Callable[[Any, tuple[Any, ...], tuple[tuple[int, int], ...]], None]:
    """A function that runs blocks in this thread and in those that have time."""
    from graphlab.compile.threads import Place

    place = Place(lanes, parts)

    def share(blocks: Any, arrays: tuple[Any, ...], shares: tuple[tuple[int, int], ...]) -> None:
        others = place.group()
        try:
            given = [others.start(blocks, *arrays, *share) for share in shares[1:]]
            blocks(*arrays, *shares[0])
            for part in reversed(given):  # those that nobody has begun come first
                part.get()
        except BaseException:
            others.cancel()
            raise

    return share


def _spread(op: Operation, texts: list[str], root: Any, names: dict[str, Any]) -> list[str]:
    """The operands for a block: NumPy compares two arrays seven times as fast as an array and a number."""
    if op.type not in ("Maximum", "Minimum", "Relu"):
        return texts
    dtype = op.outputs[0].dtype
    result = list(texts)
    for position, tensor in enumerate([*op.inputs, None][: 2 if op.type == "Relu" else len(texts)]):
        if tensor is None:
            value: Any = np.array(0, dtype.np)
        else:
            standing = root(tensor)
            if standing.op.type != "Const" or standing._shape != ():
                continue
            value = standing.op.attrs["value"]
        name = f"full{len(names)}"
        names[name] = np.full(BLOCK // dtype.size, value, dtype.np)
        result[position:] = [f"{name}[: len(o)]", *result[position + 1 :]]
    return result


def _step(op: Operation, texts: list[str], names: dict[str, Any]) -> str:
    kind = op.type
    if kind == "Relu":
        names["zero"], names["maximum"] = np.array(0, op.outputs[0].dtype.np), np.maximum
        return f"maximum({texts[0]}, {texts[1] if len(texts) > 1 else 'zero'}, out=o)"
    ufunc = buffers._UNARY.get(kind) or buffers._BINARY[kind][0]
    names[ufunc.__name__] = ufunc
    return f"{ufunc.__name__}({', '.join(texts)}, out=o)"
