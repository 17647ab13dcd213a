"""Rearranging: reshape, transpose, concatenate, stack, split, and the identities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphlab.core import dtypes, nest, static
from graphlab.core.convert import constant, convert_to_tensor, make
from graphlab.core.dispatch import bind, misfit, name_scope, too_short, whole_number
from graphlab.core.dtypes import DType
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import FLOAT, INDEX, NOT_DIFFERENTIABLE, define
from graphlab.core.shape import as_shape
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import ACTIVE, state
from graphlab.core.tensor import EagerTensor, Tensor, wrap
from graphlab.ops import array_rules as rules
from graphlab.ops import gradients_written_out as gradients
from graphlab.ops import inference
from graphlab.ops.slicing import getitem

__all__ = ["getitem"]

# ------------------------------------------------------------------------------------------------------------- kernels


def _same(x: Any) -> Any:
    return x


# ----------------------------------------------------------------------------------------------------------- inference


# ----------------------------------------------------------------------------------------------------------- gradients


def _like_input(op: Any, dy: Any) -> Any:
    """``dy`` with the shape of the first input."""
    from graphlab.ops.array_shape import shape, shape_of

    return reshape(dy, shape_of(op.inputs[0]) if state.graph is None else shape(op.inputs[0]))


def _reshape_grad(op: Any, dy: Any) -> list[Any]:
    if state.graph is not None:
        sizes = op.inputs[0]._raw_shape()
        if sizes is not None and sizes.count(None) == 1 and 0 not in sizes:
            return [reshape(dy, [-1 if n is None else n for n in sizes]), None]
    return [_like_input(op, dy), None]


def _expand_dims_grad(op: Any, dy: Any) -> list[Any]:
    return [_like_input(op, dy), None]


def _transpose_grad(op: Any, dy: Any) -> list[Any]:
    return [transpose(dy, invert_permutation(op.inputs[1])), None]


def _conjugate_transpose_grad(op: Any, dy: Any) -> list[Any]:
    return [transpose(dy, invert_permutation(op.inputs[1]), conjugate=True), None]


def _concat_grad(op: Any, dy: Any) -> list[Any]:
    from graphlab.ops import array_shape, division

    values, axis = op.inputs[:-1], op.inputs[-1]
    if len(values) == 1:
        return [dy, None]
    if state.graph is not None:
        return gradients.concat(op, dy)
    at = static.value(axis)
    shapes = [value._raw_shape() for value in values]
    rank = next((len(s) for s in shapes if s is not None), None)
    if at is not None and rank is not None:
        i = int(at.reshape(())) % rank
        sizes = [None if s is None else s[i] for s in shapes]
        if None not in sizes:
            return [*split(dy, sizes, axis=i), None]
    every = [array_shape.shape(value) for value in values]
    where = division.floormod(axis, array_shape.rank(values[0]) if rank is None else rank)
    parts = stack([getitem(shape, where) for shape in every])
    return [*bind(SPLIT_V, (dy, parts, where), {"num_split": len(values)}), None]


def _pack_grad(op: Any, dy: Any) -> list[Any]:
    return list(unstack(dy, num=len(op.inputs), axis=op.attrs["axis"]))


def _unpack_grad(op: Any, *dys: Any) -> Any:
    return stack(_filled(op, dys), axis=op.attrs["axis"])


def _split_grad(op: Any, *dys: Any) -> list[Any]:
    return [None, concat(_filled(op, dys), op.inputs[0])]


def _split_v_grad(op: Any, *dys: Any) -> list[Any]:
    return [concat(_filled(op, dys), op.inputs[2]), None, None]


def _filled(op: Any, dys: Sequence[Any]) -> list[Any]:
    """Gradients of several results, zeros for those that nothing depends on."""
    from graphlab.ops.creation import zeros_like

    return [zeros_like(y) if dy is None else dy for y, dy in zip(op.outputs, dys, strict=True)]


def _identity_grad(_op: Any, dy: Any) -> Any:
    return dy


def _identity_n_grad(_op: Any, *dys: Any) -> Any:
    return list(dys)


def _prevented(op: Any, _dy: Any) -> Any:
    raise LookupError(f"This tensor has no gradient: {op.attrs['message'] or 'tf.raw_ops.PreventGradient stops it'}.")


def _check_numerics_grad(op: Any, dy: Any) -> Any:
    message = op.attrs["message"]
    return bind(
        CHECK_NUMERICS,
        (dy,),
        {"message": f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message}"},
    )


# ------------------------------------------------------------------------------------------------------------- records


RESHAPE = define("Reshape", "tensor: T, shape: Tshape -> output: T", kernel=rules.reshape, infer=rules.reshape_shape,
                 gradient=_reshape_grad, types={"Tshape": INDEX}, defaults={"Tshape": dtypes.int32}, can_fail=True,
                 alias=True, fp=False)  # fmt: skip
EXPAND_DIMS = define("ExpandDims", "input: T, dim: Tdim -> output: T", kernel=rules.expand_dims,
                     infer=rules.expand_dims_shape,
                     gradient=_expand_dims_grad, types={"Tdim": INDEX}, defaults={"Tdim": dtypes.int32}, can_fail=True,
                     alias=True, fp=False)  # fmt: skip
SQUEEZE = define("Squeeze", "input: T -> output: T", kernel=rules.squeeze, infer=rules.squeeze_shape,
                 gradient=_like_input,
                 attrs={"squeeze_dims": []}, can_fail=True, alias=True, fp=False)  # fmt: skip
TRANSPOSE = define("Transpose", "x: T, perm: Tperm -> y: T", kernel=rules.transpose, infer=rules.transpose_shape,
                   gradient=_transpose_grad, types={"Tperm": INDEX}, defaults={"Tperm": dtypes.int32}, can_fail=True,
                   alias=True, fp=False, name="transpose")  # fmt: skip
CONJUGATE_TRANSPOSE = define(
    "ConjugateTranspose", "x: T, perm: Tperm -> y: T", kernel=rules.conjugate_transpose, infer=rules.transpose_shape,
    gradient=_conjugate_transpose_grad, types={"Tperm": INDEX}, defaults={"Tperm": dtypes.int32}, can_fail=True,
    fp=False, name="transpose",
)  # fmt: skip
CONCAT = define("ConcatV2", "values: N*T, axis: Tidx -> output: T", kernel=rules.concat, infer=rules.concat_shape,
                gradient=_concat_grad, types={"Tidx": INDEX}, defaults={"Tidx": dtypes.int32}, can_fail=True,
                fp=False, name="concat")  # fmt: skip
CONCAT_OFFSET = define("ConcatOffset", "concat_dim: int32, shape: N*shape_type -> offset: N*shape_type",
                       kernel=rules.concat_offset, infer=lambda args, _attrs: [arg.shape for arg in args[1:]],
                       gradient=NOT_DIFFERENTIABLE, types={"shape_type": INDEX}, defaults={"shape_type": dtypes.int32},
                       can_fail=True, fp=False)  # fmt: skip
PACK = define("Pack", "values: N*T -> output: T", kernel=rules.pack, infer=rules.pack_shape, gradient=_pack_grad,
              attrs={"axis": 0}, can_fail=True, fp=False, name="stack")  # fmt: skip
UNPACK = define("Unpack", "value: T -> output: num*T", kernel=rules.unpack, infer=rules.unpack_shape,
                gradient=_unpack_grad,
                attrs={"axis": 0, "num": 0}, can_fail=True, alias=True, fp=False, name="unstack")  # fmt: skip
SPLIT = define("Split", "split_dim: int32, value: T -> output: num_split*T", kernel=rules.split,
               infer=rules.split_shape,
               gradient=_split_grad, attrs={"num_split": 0}, can_fail=True, alias=True, fp=False,
               name="split")  # fmt: skip
SPLIT_V = define("SplitV", "value: T, size_splits: Tlen, split_dim: int32 -> output: num_split*T", kernel=rules.split_v,
                 infer=rules.split_v_shape, gradient=_split_v_grad, attrs={"num_split": 0},
                 types={"Tlen": INDEX | {dtypes.int8}}, defaults={"Tlen": dtypes.int64}, can_fail=True, alias=True,
                 fp=False, name="split")  # fmt: skip
IDENTITY = define("Identity", "input: T -> output: T", kernel=_same, infer=inference.unchanged,
                  gradient=_identity_grad, alias=True, fp=False)  # fmt: skip
IDENTITY_N = define("IdentityN", "input: *T -> output: *T", kernel=_same,
                    infer=lambda args, _attrs: [arg.shape for arg in args], gradient=_identity_n_grad, alias=True,
                    fp=False)  # fmt: skip
STOP_GRADIENT = define("StopGradient", "input: T -> output: T", kernel=_same, infer=inference.unchanged,
                       gradient=NOT_DIFFERENTIABLE, alias=True, fp=False)  # fmt: skip
PREVENT_GRADIENT = define("PreventGradient", "input: T -> output: T", kernel=lambda x, message: x,
                          infer=inference.unchanged, gradient=_prevented, attrs={"message": ""}, alias=True,
                          fp=False)  # fmt: skip
GUARANTEE_CONST = define("GuaranteeConst", "input: T -> output: T", kernel=_same, infer=inference.unchanged,
                         gradient=NOT_DIFFERENTIABLE, alias=True, fp=False)  # fmt: skip
CHECK_NUMERICS = define("CheckNumerics", "tensor: T -> output: T", kernel=rules.check_numerics,
                        infer=inference.unchanged,
                        gradient=_check_numerics_grad, types={"T": FLOAT}, attrs={"message": ""}, effect="io",
                        can_fail=True, alias=True)  # fmt: skip
ENSURE_SHAPE = define("EnsureShape", "input: T -> output: T", kernel=rules.ensure_shape, infer=rules.ensured_shape,
                      gradient=_identity_grad, attrs={"shape": None}, can_fail=True, alias=True, fp=False)  # fmt: skip
INVERT_PERMUTATION = define(
    "InvertPermutation", "x: T -> y: T", kernel=rules.inverse, infer=rules.inverse_shape,
    gradient=NOT_DIFFERENTIABLE, types={"T": INDEX}, defaults={"T": dtypes.int32}, can_fail=True, fp=False,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- public functions


@public("reshape")
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """Returns the elements in a new shape, in the same (row-major) order.

    Args:
      tensor: a tensor of any dtype.
      shape: a vector of int32 or int64; one size may be -1: what is left.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if the number of elements is not that of ``tensor`` (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.reshape([[1, 2, 3], [4, 5, 6]], [3, -1]).numpy()
    array([[1, 2],
           [3, 4],
           [5, 6]], dtype=int32)
    """
    if not ACTIVE and tensor.__class__ is EagerTensor and shape.__class__ in (list, tuple):
        try:
            if min(shape, default=0) >= -1:
                return wrap(tensor._a.reshape(shape))
        except (TypeError, ValueError):
            pass  # the general way says what is wrong
    return bind(RESHAPE, (tensor, shape), None, name)


@public("expand_dims")
def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """Inserts an axis of size 1.

    Args:
      input: a tensor of any dtype.
      axis: where, in [-rank - 1, rank].
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``axis`` is out of range (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.expand_dims([1, 2, 3], -1).shape
    TensorShape([3, 1])
    """
    return bind(EXPAND_DIMS, (input, axis), None, name)


@public("squeeze")
def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Removes axes of size 1.

    Args:
      input: a tensor of any dtype.
      axis: an axis or a list of axes; None: all that have size 1.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if a given axis has another size (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.squeeze([[[1], [2]]], 0).shape
    TensorShape([2, 1])
    """
    if axis is None:
        axis = []
    elif not isinstance(axis, (list, tuple)):
        none = isinstance(axis, EagerTensor) and not axis._a.size and state.graph is None
        axis = [] if none else [axis]
    return bind(SQUEEZE, (input,), {"squeeze_dims": [whole_number(a, "axis") for a in axis]}, name)


@public("transpose")
def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = "transpose") -> Any:
    """Permutes axes.

    Args:
      a: a tensor of any dtype.
      perm: a vector: axis i of the result is axis ``perm[i]`` of ``a``; None: the axes reversed.
      conjugate: also take complex conjugates.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if ``perm`` is no permutation (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.transpose([[1, 2, 3], [4, 5, 6]]).numpy()
    array([[1, 4],
           [2, 5],
           [3, 6]], dtype=int32)
    """
    if state.graph is None:
        return _transposed(convert_to_tensor(a), perm, conjugate, None)
    with name_scope(name, "transpose") as scope:
        return _transposed(convert_to_tensor(a, name="a"), perm, conjugate, scope or name)


def _transposed(a: Any, perm: Any, conjugate: bool, name: str | None) -> Any:
    if perm is None:
        shape = a._raw_shape()
        if shape is not None:
            perm = np.arange(len(shape) - 1, -1, -1, dtype=np.int32)
        else:
            from graphlab.ops import array_shape, creation

            rank = array_shape.rank(a)
            perm = creation.range(rank - 1, -1, -1, name="Range")
    return bind(CONJUGATE_TRANSPOSE if conjugate and a.dtype.is_complex else TRANSPOSE, (a, perm), None, name)


@public("math.invert_permutation")
def invert_permutation(x: Any, name: str | None = None) -> Any:
    """Returns the inverse of a permutation: ``y[x[i]] = i``.

    Args:
      x: a vector of int32 or int64 that holds each of 0 to n - 1 once.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if it doesn't.

    >>> import graphlab as tf
    >>> tf.math.invert_permutation([3, 4, 0, 2, 1]).numpy()
    array([2, 4, 3, 0, 1], dtype=int32)
    """
    return bind(INVERT_PERMUTATION, (x,), None, name)


@public("concat")
def concat(values: Any, axis: Any, name: str | None = "concat") -> Any:
    """Joins tensors along an axis they have.

    Args:
      values: a list of tensors of one dtype and rank, whose sizes differ at most on ``axis``.
      axis: the axis.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if shapes don't fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> tf.concat([[[1, 2]], [[3, 4], [5, 6]]], 0).numpy()
    array([[1, 2],
           [3, 4],
           [5, 6]], dtype=int32)
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    if not values and state.graph is None:
        raise InvalidArgumentError(None, None, "Nothing is joined: `values` is an empty list, which has no dtype.")
    if len(values) == 1:
        with name_scope(name, "concat") as scope:
            at = convert_to_tensor(axis, dtypes.int32, name="concat_dim")
            shape = at._raw_shape()
            if shape is not None and len(shape) != 0:
                raise ValueError(f"The axis must be a scalar, but has shape {inference.show(shape)}.")
            return identity(values[0], name="concat" if scope else None)
    return bind(CONCAT, (values, axis), None, name)


@public("stack")
def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Any:
    """Joins tensors of one shape along a new axis.

    Args:
      values: a list of tensors of one dtype and shape.
      axis: where the new axis stands, in [-rank - 1, rank].
      name: a name for the node.

    Raises:
      ValueError: if ``axis`` is out of range, or (while tracing) shapes differ.
      tf.errors.InvalidArgumentError: if shapes differ.

    >>> import graphlab as tf
    >>> tf.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    if isinstance(values, list | tuple) and not values:
        if axis:
            raise IndexError(f"A list of nothing has no axis {axis}.")
        return constant(np.zeros(0, np.float32), name=name or "stack")
    if axis == 0:
        try:  # a list of Python values is one constant
            value = _constant_list(values)
        except (TypeError, ValueError):
            value = None
        if value is not None:
            return constant(value, name=name or "stack")
    at: Any = axis
    if isinstance(at, EagerTensor) and not at._a.size:
        raise TypeError(f"The axis must be an int, not {axis!r:.100}.")
    if isinstance(values, Tensor):
        rows = values._raw_shape()
        _check_rows(values, rows)
        if state.graph is not None and (not rows or -len(rows) <= axis < len(rows)):
            raise TypeError(f"In a graph the values must be a list of tensors, not one: {values!r}. Write tf.unstack.")
        values = unstack(values)
    values = list(values)
    if values:
        shape = _shape_known(values[0])
        if shape is not None and not -len(shape) - 1 <= axis < len(shape) + 1:
            raise ValueError(f"Argument `axis` = {axis} not in range [{-len(shape) - 1}, {len(shape) + 1})")
        if any(hasattr(value, "nested_row_splits") for value in values):
            from graphlab.ops.ragged_rows import stacked

            return stacked(values, axis, name)
    return packed(values, axis=axis, name=name)


def _check_rows(values: Any, rows: Any) -> None:
    """A tensor in the place of a list of tensors must have a first one."""
    if rows is not None and not all(rows[:1]):
        raise misfit(f"There is nothing to stack in a tensor of shape {inference.show(rows)}.")
    if rows == ():
        raise misfit("A scalar is no list of tensors.")


def packed(values: Sequence[Any], dtype: Any = None, axis: int = 0, name: str | None = "stack") -> Any:
    """Stacks tensors and Python values, which take the dtype of the tensors and the names of their places."""
    if dtype is None:
        dtype = next((v.dtype for v in values if isinstance(getattr(v, "dtype", None), DType)), None)
    with name_scope(name, "stack") as scope:
        items: list[Any] = []
        for i, v in enumerate(values):
            items.append(v if isinstance(v, Tensor) else make(v, dtype, None, str(i)))
            if state.graph is None and dtype is None:
                dtype = items[0].dtype
        return bind(PACK, (items,), {"axis": axis}, scope or name)


def _shape_known(value: Any) -> Any:
    raw = getattr(value, "_raw_shape", None)
    if raw is not None:
        return raw()
    return np.shape(value) if isinstance(value, (int, float, str, bytes, np.ndarray, np.generic)) else None


def _constant_list(values: Any) -> Any:
    from graphlab.core.convert import has_tensor, to_array

    if not isinstance(values, (list, tuple)) or not values or has_tensor(values):
        return None
    return to_array(values)


@public("parallel_stack")
def parallel_stack(values: Any, name: str | None = "parallel_stack") -> Any:
    """Joins tensors of one shape along a new first axis, as ``stack`` does.

    Args:
      values: a list of tensors of one dtype and shape.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.parallel_stack([tf.constant([1, 2]), tf.constant([3, 4])]).numpy()
    array([[1, 2],
           [3, 4]], dtype=int32)
    """
    if isinstance(values, Tensor):
        _check_rows(values, values._raw_shape())
    return bind(PACK, ([convert_to_tensor(value) for value in values],), {"axis": 0}, name)


@public("unstack")
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = "unstack") -> Any:
    """Takes a tensor apart along an axis.

    Args:
      value: a tensor of rank 1 or more.
      num: the size of that axis; needed when it is not known while tracing.
      axis: the axis.
      name: a name for the node.

    Returns:
      A list of tensors without that axis.

    Raises:
      ValueError: if ``axis`` is out of range, or ``num`` is needed.

    >>> import graphlab as tf
    >>> [t.numpy().tolist() for t in tf.unstack([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    if num is None:
        value = convert_to_tensor(value)
        shape = value._raw_shape()
        if shape is not None:
            if not -len(shape) <= axis < len(shape):
                raise ValueError(f"Argument `axis` = {axis} not in range [{-len(shape)}, {len(shape)})")
            num = shape[axis]
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {inference.show(shape)}. Pass num=.")
    if type(num) is int and num >= 2**31:
        raise ValueError(f"num is {num}: so many results cannot be.")
    return bind(UNPACK, (value,), {"axis": axis, "num": num}, name)


@public("split")
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str | None = "split"
) -> Any:
    """Cuts a tensor into parts along an axis.

    Args:
      value: a tensor of rank 1 or more.
      num_or_size_splits: how many equal parts; or a vector of their sizes, of which one may be -1.
      axis: the axis.
      num: the number of parts, needed when it can't be found from the shape of ``num_or_size_splits``.
      name: a name for the node.

    Returns:
      A list of tensors.

    Raises:
      ValueError: if ``num`` is needed.
      tf.errors.InvalidArgumentError: if the parts don't fit (ValueError while tracing).

    >>> import graphlab as tf
    >>> [t.numpy().tolist() for t in tf.split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]
    >>> [t.numpy().tolist() for t in tf.split([1, 2, 3, 4], [1, -1])]
    [[1], [2, 3, 4]]
    """
    if isinstance(num_or_size_splits, (int, np.integer)):
        return bind(SPLIT, (axis, value), {"num_split": int(num_or_size_splits)}, name)
    sizes = convert_to_tensor(num_or_size_splits)
    shape = sizes._raw_shape()
    if shape == ():
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: "
            f"{num_or_size_splits}"
        )
    if num is None:
        num = None if shape is None else shape[0]
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {inference.show(shape)}. Pass num=.")
    return bind(SPLIT_V, (value, sizes, axis), {"num_split": num}, name)


@public("identity")
def identity(input: Any, name: str | None = None) -> Any:
    """Returns a tensor (or composite tensor) with the same value: a new one, which the gradient passes through.

    Args:
      input: a tensor, a variable, or anything that converts.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.identity([1, 2]).numpy()
    array([1, 2], dtype=int32)
    """
    from graphlab.core.specs import CompositeTensor

    if isinstance(input, CompositeTensor):
        from graphlab.core import nest

        return nest.map_structure(identity, input, expand_composites=True)
    return bind(IDENTITY, (input,), None, name)


@public("identity_n")
def identity_n(input: Any, name: str | None = None) -> Any:
    """Returns a list of tensors with the same values, made by one op (so that all are computed together).

    Args:
      input: a list of tensors.
      name: a name for the node.

    >>> import graphlab as tf
    >>> [t.numpy() for t in tf.identity_n([1, 2.5])]
    [np.int32(1), np.float32(2.5)]
    """
    if state.graph is None:
        input = list(input)
    if isinstance(input, (list, tuple)) and not input:
        raise too_short(IDENTITY_N, "T", state.graph is None)
    return bind(IDENTITY_N, (input,), None, name)


@public("stop_gradient")
def stop_gradient(input: Any, name: str | None = None) -> Any:
    """Returns the value, through which no gradient flows.

    Args:
      input: a tensor, or a RaggedTensor, SparseTensor or IndexedSlices, each of whose parts is stopped.
      name: a name for the node.

    >>> import graphlab as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * tf.stop_gradient(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(3.0)
    """
    if isinstance(input, CompositeTensor):
        return nest.map_structure(lambda part: bind(STOP_GRADIENT, (part,), None, name), input, expand_composites=True)
    return bind(STOP_GRADIENT, (input,), None, name)


@public("guarantee_const")
def guarantee_const(input: Any, name: str | None = None) -> Any:
    """Returns the value, promising that it is constant from call to call.

    Args:
      input: a tensor.
      name: a name for the node.

    >>> import graphlab as tf
    >>> tf.guarantee_const([1, 2]).numpy()
    array([1, 2], dtype=int32)
    """
    return bind(GUARANTEE_CONST, (input,), None, name)


@public("debugging.check_numerics")
def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """Returns the tensor, if no element is NaN or infinite; its gradient is checked as well.

    Args:
      tensor: a tensor of a floating-point dtype.
      message: the beginning of the error message.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if an element is NaN or infinite.

    >>> import graphlab as tf
    >>> tf.debugging.check_numerics([1.0, 2.0], "bad").numpy()
    array([1., 2.], dtype=float32)
    """
    return bind(CHECK_NUMERICS, (tensor,), {"message": message}, name)


@public("ensure_shape")
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """Returns the tensor, checking at run time that it fits a shape, which is then known while tracing.

    Args:
      x: a tensor of any dtype.
      shape: a shape, of which sizes may be None.
      name: a name for the node.

    Raises:
      tf.errors.InvalidArgumentError: if it doesn't fit (ValueError if that is known while tracing).

    >>> import graphlab as tf
    >>> tf.ensure_shape([[1, 2]], [None, 2]).shape
    TensorShape([1, 2])
    """
    if state.graph is not None:
        sizes = shape if isinstance(shape, (list, tuple)) else [shape]
        if any(isinstance(n, bool) or (isinstance(n, int) and n >= 2**63) for n in sizes):
            raise TypeError(f"A size must be an int of 64 bits or None: {shape!r:.100} is no shape.")
    return bind(ENSURE_SHAPE, (x,), {"shape": as_shape(shape)}, name)
