"""``RaggedTensor.from_tensor`` with several ragged axes."""

from __future__ import annotations

from typing import Any

from graphlab.core import dtypes
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import name_scope
from graphlab.ops.lazily import ops
from graphlab.ops.ragged import RaggedTensor
from graphlab.ops.ragged_rows import rank_of


def from_nested_tensor(
    tensor: Any, lengths: Any, padding: Any, ragged_rank: int, name: str | None, row_splits_dtype: Any
) -> RaggedTensor:
    """The rows in rows of a tensor, whose lengths at each level are ``lengths``, or end where ``padding`` follows.

    Raises:
      ValueError: both lengths and padding, or more ragged axes than there are.
    """
    if lengths is not None and padding is not None:
        raise ValueError("Specify argument `lengths` or `padding`, but not both.")
    kind = dtypes.as_dtype(row_splits_dtype)
    with name_scope(name, "RaggedFromTensor"):
        tensor = convert_to_tensor(tensor, name="tensor")
        levels: list[Any] | None = None if lengths is None else list(lengths)
        if levels is not None and not isinstance(levels[0], list | tuple) and not hasattr(levels[0], "dtype"):
            levels = [lengths]
        depth = ragged_rank if levels is None else len(levels)
        if not 0 < max(depth, ragged_rank) < rank_of(tensor):
            raise ValueError(
                f"ragged_rank must be above 0 and below the rank of the tensor; got {max(depth, ragged_rank)}."
            )
        if levels is not None:
            found: Any = tensor
            outer = RaggedTensor.from_tensor(found, levels[0], row_splits_dtype=kind)
            if depth == 1:
                return outer
            return outer.with_values(from_nested_tensor(outer.values, levels[1:], None, 1, None, kind))
        sizes = ops.shape(tensor, out_type=kind)
        inner = ops.reshape(tensor, ops.concat([[-1], sizes[2:]], 0))
        splits = ops.range(sizes[0] + 1) * sizes[1]
        if padding is None:
            values = inner if depth == 1 else from_nested_tensor(inner, None, None, depth - 1, None, kind)
            return RaggedTensor(values, splits, sizes[1])
        # Only the innermost rows end where padding follows.
        if depth == 1:
            return RaggedTensor.from_tensor(tensor, padding=padding, row_splits_dtype=kind)
        return RaggedTensor(from_nested_tensor(inner, None, padding, depth - 1, None, kind), splits, sizes[1])
