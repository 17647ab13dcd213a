# Written by tools/generate_index.py: do not edit.
from graphlab.ops.ragged_functions import boolean_mask as boolean_mask
from graphlab.ops.ragged_conversion import constant as constant
from graphlab.ops.crossing import ragged_cross as cross
from graphlab.ops.crossing import ragged_cross_hashed as cross_hashed
from graphlab.ops.ragged_functions import map_flat_values as map_flat_values
from graphlab.ops.ragged_functions import ragged_range as range
from graphlab.ops.ragged_functions import row_splits_to_segment_ids as row_splits_to_segment_ids
from graphlab.ops.ragged_functions import segment_ids_to_row_splits as segment_ids_to_row_splits
from graphlab.ops.ragged_rows import stack as stack
from graphlab.ops.ragged_functions import stack_dynamic_partitions as stack_dynamic_partitions

__all__ = [
    "boolean_mask",
    "constant",
    "cross",
    "cross_hashed",
    "map_flat_values",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
    "stack_dynamic_partitions",
]
