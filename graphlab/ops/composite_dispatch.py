"""Elementwise ops given RaggedTensors or SparseTensors: they run on the values; rows or places are put around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.op import Op
from graphlab.core.tensor import EagerTensor
from graphlab.ops.lazily import ops

# Ops that take each element by itself, by their types.
_ONE: Final = frozenset(
    (
        "Abs",
        "Acos",
        "Acosh",
        "Angle",
        "Asin",
        "Asinh",
        "AsString",
        "Atan",
        "Atanh",
        "BesselI0",
        "BesselI0e",
        "BesselI1",
        "BesselI1e",
        "BesselJ0",
        "BesselJ1",
        "BesselK0",
        "BesselK0e",
        "BesselK1",
        "BesselK1e",
        "BesselY0",
        "BesselY1",
        "Ceil",
        "Conj",
        "Cos",
        "Cosh",
        "DecodeBase64",
        "Dawsn",
        "Digamma",
        "Elu",
        "EncodeBase64",
        "Erf",
        "Erfc",
        "Erfinv",
        "Exp",
        "Expint",
        "Expm1",
        "Floor",
        "FresnelCos",
        "FresnelSin",
        "Identity",
        "Imag",
        "Invert",
        "IsFinite",
        "IsInf",
        "IsNan",
        "LeakyRelu",
        "Lgamma",
        "Log",
        "Log1p",
        "LogicalNot",
        "Ndtri",
        "Neg",
        "NextAfter",
        "OnesLike",
        "Real",
        "Reciprocal",
        "Relu",
        "Relu6",
        "Rint",
        "Round",
        "Rsqrt",
        "Selu",
        "Sigmoid",
        "Sign",
        "Sin",
        "Sinh",
        "Softplus",
        "Softsign",
        "Spence",
        "Sqrt",
        "Square",
        "StaticRegexFullMatch",
        "StaticRegexReplace",
        "StopGradient",
        "StringLength",
        "StringLower",
        "StringStrip",
        "StringToHashBucketFast",
        "StringToNumber",
        "StringUpper",
        "Substr",
        "Tan",
        "Tanh",
        "ZerosLike",
        "Cast",
        "CheckNumerics",
    )
)
_SEVERAL: Final = frozenset(
    (
        "Add",
        "AddV2",
        "AddN",
        "Atan2",
        "BitwiseAnd",
        "BitwiseOr",
        "BitwiseXor",
        "Complex",
        "Div",
        "DivNoNan",
        "Equal",
        "FloorDiv",
        "FloorMod",
        "Greater",
        "GreaterEqual",
        "LeftShift",
        "Less",
        "LessEqual",
        "LogicalAnd",
        "LogicalOr",
        "Maximum",
        "Minimum",
        "Mod",
        "Mul",
        "MulNoNan",
        "NotEqual",
        "Pow",
        "RealDiv",
        "RightShift",
        "SelectV2",
        "SquaredDifference",
        "StringJoin",
        "Sub",
        "TruncateDiv",
        "TruncateMod",
        "Xdivy",
        "Xlog1py",
        "Xlogy",
        "Zeta",
        "Betainc",
        "Igamma",
        "Igammac",
        "ClipByValue",
    )
)
# Ops of one sparse tensor: zero stays zero.
_SPARSE: Final = frozenset(
    (
        "Abs",
        "Asin",
        "Asinh",
        "Atan",
        "Atanh",
        "BesselI0e",
        "BesselI1e",
        "Cast",
        "Ceil",
        "Conj",
        "Erf",
        "Floor",
        "Identity",
        "Imag",
        "Neg",
        "Real",
        "Sign",
        "Sin",
        "Sinh",
        "Sqrt",
        "Square",
        "Tan",
        "Tanh",
    )
)


# Elementwise functions of several tensors that convert these themselves.
_FUNCTIONS: Final = frozenset(
    ("add", "complex", "divide", "divide_no_nan", "multiply_no_nan", "sigmoid_cross_entropy_with_logits", "truediv")
)


def _same_rows(first: Any, other: Any) -> None:
    """InvalidArgumentError unless both have rows of the same lengths."""
    if first.ragged_rank != other.ragged_rank:
        raise InvalidArgumentError(
            None, None, f"RaggedTensors of ragged ranks {first.ragged_rank} and {other.ragged_rank} do not fit."
        )
    for a, b in zip(first.nested_row_splits, other.nested_row_splits, strict=True):
        if a is b:
            continue
        if isinstance(a, EagerTensor) and isinstance(b, EagerTensor):
            if not np.array_equal(a._a, b._a):
                raise InvalidArgumentError(
                    None, None, f"RaggedTensors of different rows do not fit: they end at {a._a} and {b._a}."
                )
        else:
            ops.debugging.assert_equal(a, b, message="RaggedTensors of different rows do not fit.")


def _spread(ragged: Any, dense: Any) -> Any:
    """The elements of a tensor that meet the values of the ragged one: it has one for all, or one for each row."""
    shape = dense._raw_shape()
    if shape == ():
        return dense
    flat_rank = ragged.flat_values.shape.rank
    if shape is not None and len(shape) < (flat_rank or 1):
        return dense  # broadcast within the inner axes
    if ragged.ragged_rank == 1 and shape is not None and len(shape) >= 2 and shape[1] == 1:
        column = ops.squeeze(dense, [1])
        return column if shape[0] == 1 else ops.gather(column, ragged.value_rowids())
    raise InvalidArgumentError(
        None, None, f"A tensor of shape {dense.shape} does not broadcast to the rows of {ragged.shape}."
    )


def _flat(first: Any, value: Any, many: bool) -> Any:
    if hasattr(value, "nested_row_splits"):
        _same_rows(first, value)
        return value.flat_values
    if not many or value is None:
        return value
    if not hasattr(value, "_raw_shape"):
        value = convert_to_tensor(value, dtype_hint=first.dtype)
    return _spread(first, value)


def over_ragged(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any] | None, name: str | None) -> Any:
    """The op on flat values, or what it does with whole rows; NotImplemented for any other op."""
    if op.type in ("ConcatV2", "ExpandDims", "GatherV2", "Tile"):
        from graphlab.ops import ragged_rows

        first, second, *rest = inputs
        if op.type == "GatherV2":
            return ragged_rows.gathered(first, second, rest[0], (attrs or {}).get("batch_dims", 0), name)
        if op.type == "ConcatV2":
            return ragged_rows.joined(first, second, name)
        return (ragged_rows.tiled if op.type == "Tile" else ragged_rows.expanded)(first, second, name)
    if op.type not in _ONE and op.type not in _SEVERAL:
        from graphlab.ops.ragged_whole import OPS

        whole = OPS.get(op.type)
        return NotImplemented if whole is None else whole(inputs, attrs or {}, name)
    several = op.type in _SEVERAL
    given = [part for value in inputs for part in (value if isinstance(value, list | tuple) else [value])]
    first = next((value for value in given if hasattr(value, "nested_row_splits")), None)
    if first is None:
        return NotImplemented
    with name_scope(name, f"Ragged{op.label}"):
        flat = [
            [_flat(first, part, True) for part in value]
            if isinstance(value, list | tuple) and any(hasattr(part, "nested_row_splits") for part in value)
            else _flat(first, value, several)
            for value in inputs
        ]
        return first.with_flat_values(bind(op, flat, attrs))


def over_sparse(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any] | None, name: str | None) -> Any:
    """The op on the values of one sparse tensor; NotImplemented for an op that changes zero."""
    if op.type not in _SPARSE or len(inputs) != 1:
        return NotImplemented
    (sparse,) = inputs
    if not hasattr(sparse, "with_values"):
        return NotImplemented
    return sparse.with_values(bind(op, (sparse.values,), attrs, name))


def function_over(first: Any, function: Any, args: Any, kwargs: Any) -> Any:
    """An elementwise function on flat values, or on the values of a sparse tensor that is its first argument."""
    if hasattr(first, "nested_row_splits"):
        several = function.__name__ in _FUNCTIONS

        def flat(name: str, value: Any) -> Any:
            if isinstance(value, list | tuple) and any(hasattr(part, "nested_row_splits") for part in value):
                return [_flat(first, part, True) for part in value]
            return _flat(first, value, several and name != "name")

        named = zip(function.__code__.co_varnames, args, strict=False)
        given = [flat(name, value) for name, value in named]
        return first.with_flat_values(function(*given, **{name: flat(name, value) for name, value in kwargs.items()}))
    if function.__name__ not in ("abs", "cast", "sign") or not args or args[0] is not first:
        return NotImplemented
    return first.with_values(function(first.values, *args[1:], **kwargs))


def whole_function(given: Any, name: str, args: Any, kwargs: Any) -> Any:
    """A function that looks at whole tensors, of a RaggedTensor or SparseTensor; NotImplemented if there is none."""
    if hasattr(given, "nested_row_splits"):
        from graphlab.ops.ragged_whole import FUNCTIONS
    else:
        from graphlab.ops.sparse_whole import FUNCTIONS
    function = FUNCTIONS.get(name)
    return NotImplemented if function is None else function(*args, **kwargs)
