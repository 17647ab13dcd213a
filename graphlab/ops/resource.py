"""Ops on variables: reading, assigning, and updating parts.

Their input is a resource handle; the kernel gets its ``Cell``.  A cell's array is replaced under the cell's lock, or
written into where nobody else has it, so tensors that were read before keep their values.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes, errors
from graphlab.core.op import NOT_DIFFERENTIABLE, REQUIRED, define
from graphlab.core.shape import is_compatible
from graphlab.core.storage import Cell, handle_data


def read(cell: Cell, dtype: Any = None) -> Any:
    """The current array of a variable."""
    value = cell.current()
    if value is None:
        raise errors.FailedPreconditionError(
            None,
            None,
            f"Could not read variable {cell.name!r}: it has no value yet. Assign one before it is read.",
        )
    return value


def _read_shape(args: Any, attrs: Any) -> Any:
    data = handle_data(args[0].tensor)
    return None if data is None else data[1]


READ = define(
    "ReadVariableOp",
    "resource: resource -> value: dtype",
    kernel=read,
    infer=_read_shape,
    gradient=lambda op, dy: dy,
    attrs={"dtype": REQUIRED},
    effect="read",
    fp=False,
)


def _fits(cell: Cell, value: Any) -> None:
    extent = cell.extent
    shape = value.shape
    if extent is not None and (
        len(extent) != len(shape) or any(a is not None and a != b for a, b in zip(extent, shape, strict=True))
    ):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Cannot assign a value of shape {list(shape)} to variable {cell.name!r} of shape "
            f"{['?' if d is None else d for d in extent]}.",
        )


def assign(cell: Cell, value: Any, dtype: Any = None, validate_shape: bool = False) -> None:
    """Replaces the value."""
    _fits(cell, value)
    with cell.lock:
        cell.value = value


_counted: Final[Any] = getattr(sys, "getrefcount", None)


def _references() -> int:
    """What ``sys.getrefcount`` counts for an object that only one local variable holds; 0 where nothing counts."""
    if _counted is None:
        return 0
    array = np.empty(0)
    return _counted(array)  # type: ignore[no-any-return]


_ALONE: Final = _references()
_LARGE: Final = 1 << 14  # bytes; smaller arrays are made as quickly as they are counted


def _overwritten(cell: Cell, ufunc: Any, before: Any, value: Any) -> bool:
    """Writes the new value into the cell's array if the cell alone has it.  Called with the cell's lock held."""
    # ``before`` is held by the caller and here; readers wait for the lock while the cell has no value.
    try:
        cell.value = None
        if _counted(before) != _ALONE + 1 or before.base is not None or not before.flags.writeable:
            return False
        ufunc(before, value, before)
        return True
    finally:
        cell.value = before


def _numbers(cell: Cell, before: Any) -> None:
    """InvalidArgumentError if a variable holds text or bools, which nothing can be added to."""
    kind = type(before) if isinstance(before, bytes) else before.dtype.kind
    if kind in (bytes, "O", "b"):
        name = "bool" if kind == "b" else "string"
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Variable {cell.name!r} is of dtype {name}: it can be assigned, but not computed with in place.",
        )


def _updated(ufunc: Any) -> Any:
    def update(cell: Cell, value: Any, dtype: Any = None) -> None:
        with cell.lock:
            before = read(cell)
            _numbers(cell, before)
            if value.shape != before.shape:
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    f"Cannot update variable {cell.name!r} of shape {list(np.shape(before))} with a value of shape "
                    f"{list(np.shape(value))}: an update does not broadcast.",
                )
            large = _ALONE and before.nbytes >= _LARGE and before.dtype == value.dtype
            if not large or not _overwritten(cell, ufunc, before, value):
                cell.value = ufunc(before, value)

    return update


def _update_shape(args: Any, attrs: Any) -> Any:
    """No results; an update must have the shape of the variable, and while tracing that is a ValueError."""
    shape, given = _read_shape(args, attrs), args[1].shape
    if not is_compatible(shape, given):
        raise ValueError(
            f"Shapes must be equal: the variable has shape {list(shape or ())}, the update {list(given or ())}. "
            "An update does not broadcast."
        )
    return []


ASSIGN = define(
    "AssignVariableOp",
    "resource: resource, value: dtype ->",
    kernel=lambda cell, value, validate_shape: assign(cell, value),
    attrs={"validate_shape": False},
    gradient=NOT_DIFFERENTIABLE,
    effect="write",
    fp=False,
)
ASSIGN_ADD = define(
    "AssignAddVariableOp",
    "resource: resource, value: dtype ->",
    kernel=_updated(np.add),
    infer=_update_shape,
    gradient=NOT_DIFFERENTIABLE,
    effect="write",
)
ASSIGN_SUB = define(
    "AssignSubVariableOp",
    "resource: resource, value: dtype ->",
    kernel=_updated(np.subtract),
    infer=_update_shape,
    gradient=NOT_DIFFERENTIABLE,
    effect="write",
)
IS_INITIALIZED = define(
    "VarIsInitializedOp",
    "resource: resource -> is_initialized: bool",
    kernel=lambda cell: np.array(cell.current() is not None),
    infer=lambda args, attrs: (),
    gradient=NOT_DIFFERENTIABLE,
    effect="read",
    fp=False,
)

VARIABLE_SHAPE = define(
    "VariableShape",
    "input: resource -> output: out_type",
    kernel=lambda cell, out_type: np.array(np.shape(read(cell)), out_type.np),
    infer=lambda args, attrs: None if _read_shape(args, attrs) is None else (len(_read_shape(args, attrs)),),
    attrs={"out_type": dtypes.int32},
    gradient=NOT_DIFFERENTIABLE,
    effect="read",
    fp=False,
)


def _gathered(args: Any, attrs: Any) -> Any:
    shape = _read_shape(args, attrs)
    indices = args[1].shape
    if shape is None or indices is None:
        return None
    return (*indices, *shape[1:])


def _checked(indices: Any, size: int) -> Any:
    flat = np.reshape(indices, -1)
    bad = (flat < 0) | (flat >= size)
    if bad.any():
        where = int(np.argmax(bad))
        position = list(np.unravel_index(where, np.shape(indices))) if np.ndim(indices) else []
        raise errors.InvalidArgumentError(
            None, None, f"indices{[int(p) for p in position]} = {int(flat[where])} is not in [0, {size})"
        )
    return indices


def _gather(cell: Cell, indices: Any, dtype: Any = None, batch_dims: int = 0, validate_indices: bool = True) -> Any:
    value = read(cell)
    return value[_checked(indices, value.shape[0])]


def _gather_grad(op: Any, dy: Any) -> Any:
    from graphlab.core.convert import make
    from graphlab.core.dispatch import bind
    from graphlab.core.specs import IndexedSlices
    from graphlab.ops.array import concat, reshape

    handle, indices = op.inputs
    data = handle_data(handle)
    extent = data[1] if data is not None else None
    if extent is not None and None not in extent:
        whole = make(np.array(extent, np.int32))
        rows = reshape(dy, [-1, *extent[1:]])
    else:
        whole = bind(VARIABLE_SHAPE, (handle,))
        rows = reshape(dy, concat([[-1], whole[1:]], 0))
    return [IndexedSlices(rows, reshape(indices, [-1]), whole), None]


RESOURCE_GATHER = define(
    "ResourceGather",
    "resource: resource, indices: Tindices -> output: dtype",
    kernel=_gather,
    infer=_gathered,
    gradient=_gather_grad,
    types={"Tindices": {dtypes.int32, dtypes.int64}},
    attrs={"dtype": REQUIRED, "batch_dims": 0, "validate_indices": True},
    effect="read",
    can_fail=True,
    fp=False,
)


def _scatter(apply: Any) -> Any:
    def kernel(cell: Cell, indices: Any, updates: Any) -> None:
        with cell.lock:
            value = np.array(read(cell))
            if apply is not _set:
                _numbers(cell, value)
            _checked(indices, value.shape[0])
            wanted = (*np.shape(indices), *value.shape[1:])
            if np.ndim(updates):
                _check_shape(updates, wanted)
            apply(value, indices, np.broadcast_to(updates, wanted))
            cell.value = value

    return kernel


def _check_shape(updates: Any, wanted: tuple[int, ...]) -> None:
    if np.shape(updates) != wanted:
        text = f"The updates must have shape {list(wanted)}, but have {list(np.shape(updates))}."
        raise errors.InvalidArgumentError(None, None, text)


def _set(value: Any, indices: Any, updates: Any) -> None:
    value[indices] = updates


def _maximum(value: Any, indices: Any, updates: Any) -> None:
    from graphlab.ops.scatter import maximum_at

    maximum_at(value, indices, updates)


def _minimum(value: Any, indices: Any, updates: Any) -> None:
    from graphlab.ops.scatter import minimum_at

    minimum_at(value, indices, updates)


def _rows_fit(args: Any, attrs: Any) -> list[Any]:
    """ValueError if updates are neither a scalar nor as many rows as there are indices."""
    shape, indices, updates = _read_shape(args, attrs), args[1].shape, args[2].shape
    if shape is not None and indices is not None and updates and not is_compatible((*indices, *shape[1:]), updates):
        raise ValueError(
            f"The updates must have shape {[*indices, *shape[1:]]}, or be a scalar, but have {list(updates)}."
        )
    return []


def _elements_fit(args: Any, attrs: Any) -> list[Any]:
    """ValueError if the indices don't fit the variable, or the updates what they name."""
    from graphlab.ops.scatter import check_update_shapes

    check_update_shapes(args[1].shape, args[2].shape, _read_shape(args, attrs))
    return []


SCATTERS = {
    kind: define(
        f"ResourceScatter{kind}",
        "resource: resource, indices: Tindices, updates: dtype ->",
        kernel=_scatter(function),
        infer=_rows_fit,
        gradient=NOT_DIFFERENTIABLE,
        types={"Tindices": {dtypes.int32, dtypes.int64}},
        effect="write",
    )
    for kind, function in (
        ("Update", _set),
        ("Add", np.add.at),
        ("Sub", np.subtract.at),
        ("Mul", np.multiply.at),
        ("Div", np.divide.at),
        ("Max", _maximum),
        ("Min", _minimum),
    )
}


def _scatter_nd(apply: Any) -> Any:
    def kernel(cell: Cell, indices: Any, updates: Any) -> None:
        with cell.lock:
            value = np.array(read(cell))
            if apply is not _set:
                _numbers(cell, value)
            depth = indices.shape[-1] if indices.ndim else 0
            _check_shape(updates, (*indices.shape[:-1], *value.shape[depth:]))
            for axis in range(depth):
                _checked(indices[..., axis], value.shape[axis])
            apply(value, tuple(np.moveaxis(indices, -1, 0)), updates)
            cell.value = value

    return kernel


SCATTERS_ND = {
    kind: define(
        f"ResourceScatterNd{kind}",
        "ref: resource, indices: Tindices, updates: T ->",
        kernel=_scatter_nd(function),
        infer=_elements_fit,
        gradient=NOT_DIFFERENTIABLE,
        types={"Tindices": {dtypes.int32, dtypes.int64}},
        effect="write",
    )
    for kind, function in (
        ("Update", _set),
        ("Add", np.add.at),
        ("Sub", np.subtract.at),
        ("Max", _maximum),
        ("Min", _minimum),
    )
}


def _slice_assign(cell: Cell, key: Any, value: Any) -> None:
    with cell.lock:
        array = np.array(read(cell))
        array[key] = value
        cell.value = array


def slice_key(begin: Any, end: Any, strides: Any, masks: Any) -> tuple[Any, ...]:
    """A NumPy index for StridedSlice's arguments."""
    key: list[Any] = []
    for i in range(len(begin)):
        bit = 1 << i
        if masks["ellipsis_mask"] & bit:
            key.append(Ellipsis)
        elif masks["new_axis_mask"] & bit:
            key.append(None)
        elif masks["shrink_axis_mask"] & bit:
            key.append(int(begin[i]))
        else:
            key.append(
                slice(
                    None if masks["begin_mask"] & bit else int(begin[i]),
                    None if masks["end_mask"] & bit else int(end[i]),
                    int(strides[i]),
                )
            )
    return tuple(key)


SLICE_ASSIGN = define(
    "ResourceStridedSliceAssign",
    "ref: resource, begin: Index, end: Index, strides: Index, value: T ->",
    kernel=lambda cell, begin, end, strides, value, **masks: _slice_assign(
        cell, slice_key(begin, end, strides, masks), value
    ),
    gradient=NOT_DIFFERENTIABLE,
    types={"Index": {dtypes.int32, dtypes.int64}},
    defaults={"Index": dtypes.int32},
    attrs={"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0},
    effect="write",
)
