# Written by tools/generate_index.py: do not edit.
from graphlab.experimental import extension_type as extension_type
from graphlab.ops.ragged_shape import DynamicRaggedShape as DynamicRaggedShape
from graphlab.eager.extension_type import ExtensionType as ExtensionType
from graphlab.eager.extension_type import ExtensionTypeSpec as ExtensionTypeSpec
from graphlab.ops.row_partition import RowPartition as RowPartition

__all__ = [
    "DynamicRaggedShape",
    "ExtensionType",
    "ExtensionTypeSpec",
    "RowPartition",
    "extension_type",
]
