"""Whole numbers and truth values of shape () as Python's own, inside loops.

A NumPy operation on a number takes some 100 ns, Python's own a tenth.  In a loop the emitter therefore keeps int32,
int64 and bool values of shape () as Python numbers and writes the operations below as Python expressions.  They mean
what the kernels mean: after an operation that can leave the dtype the result is wrapped around, a division by zero
raises.  Floats are never kept so: Python's are of another dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from graphlab.core import dtypes
from graphlab.graph.operation import Operation

BOXES: Final = {
    dtypes.int32: ("_int32", np.int32),
    dtypes.int64: ("_int64", np.int64),
    dtypes.bool: ("_bool", np.bool_),
}
"""The dtypes that may be Python numbers, and what turns them back into NumPy's."""

UNBOX: Final = {dtypes.int32: "int", dtypes.int64: "int", dtypes.bool: "bool"}

_HALF: Final = {dtypes.int32: 1 << 31, dtypes.int64: 1 << 63}


class Rule(NamedTuple):
    """How an op is written: the text, whether the result may leave its dtype, the dtypes of its first argument."""

    text: str
    wraps: bool = False
    kinds: frozenset[Any] = frozenset((dtypes.int32, dtypes.int64))


_ANY: Final = frozenset(BOXES)
_BOOL: Final = frozenset((dtypes.bool,))

RULES: Final[dict[str, Rule]] = {
    "AddV2": Rule("{0} + {1}", True),
    "Sub": Rule("{0} - {1}", True),
    "Mul": Rule("{0} * {1}", True),
    "Neg": Rule("-{0}", True),
    "Abs": Rule("abs({0})", True),
    "Square": Rule("{0} * {0}", True),
    "FloorDiv": Rule("{0} // {1}", True),
    "FloorMod": Rule("{0} % {1}"),
    "Maximum": Rule("{0} if {0} >= {1} else {1}"),
    "Minimum": Rule("{0} if {0} <= {1} else {1}"),
    "BitwiseAnd": Rule("{0} & {1}"),
    "BitwiseOr": Rule("{0} | {1}"),
    "BitwiseXor": Rule("{0} ^ {1}"),
    "Equal": Rule("{0} == {1}", kinds=_ANY),
    "NotEqual": Rule("{0} != {1}", kinds=_ANY),
    "Less": Rule("{0} < {1}"),
    "LessEqual": Rule("{0} <= {1}"),
    "Greater": Rule("{0} > {1}"),
    "GreaterEqual": Rule("{0} >= {1}"),
    "LogicalAnd": Rule("{0} and {1}", kinds=_BOOL),
    "LogicalOr": Rule("{0} or {1}", kinds=_BOOL),
    "LogicalNot": Rule("not {0}", kinds=_BOOL),
    "SelectV2": Rule("{1} if {0} else {2}", kinds=_BOOL),
}

TESTS: Final = frozenset((
    "Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "LogicalAnd", "LogicalOr", "LogicalNot",
))  # fmt: skip
"""Ops whose text may stand in the head of an ``if`` or ``while``: they cannot fail."""


def expression(op: Operation, inputs: Sequence[str], literals: Sequence[int | None]) -> tuple[str, bool] | None:
    """The text of an op on Python numbers, and whether its result must be wrapped around; None if there is none.

    ``literals`` are the inputs that are constants.
    """
    if op.type == "Cast":
        return _cast(op, inputs[0])
    rule = RULES.get(op.type)
    if rule is None or op.inputs[0].dtype not in rule.kinds:
        return None
    wraps = rule.wraps
    if op.type == "FloorDiv" and literals[1] not in (None, 0, -1):
        wraps = False
    return rule.text.format(*inputs), wraps


def _cast(op: Operation, text: str) -> tuple[str, bool] | None:
    source, target = op.inputs[0].dtype, op.outputs[0].dtype
    if target is dtypes.bool:
        return f"{text} != 0", False
    if source is dtypes.bool:
        return f"int({text})", False
    return text, source is dtypes.int64 and target is dtypes.int32


def wrapping(name: str, dtype: Any) -> str:
    """A statement that brings a Python int back into the range of its dtype."""
    half = _HALF[dtype]
    return f"if not {-half} <= {name} < {half}: {name} = ({name} + {half} & {2 * half - 1}) - {half}"


def literal(array: Any) -> str:
    """A constant as Python source."""
    value = array.item()
    return f"({value!r})" if value is not True and value is not False and value < 0 else repr(value)


Unboxed = Callable[[Any], Any]
