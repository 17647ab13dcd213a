# Written by tools/generate_index.py: do not edit.
from graphlab.experimental import dlpack as dlpack
from graphlab.experimental import extension_type as extension_type
from graphlab.ops.ragged_shape import DynamicRaggedShape as DynamicRaggedShape
from graphlab.eager.extension_type import ExtensionType as ExtensionType
from graphlab.eager.extension_type import ExtensionTypeSpec as ExtensionTypeSpec
from graphlab.control.optional import Optional as Optional
from graphlab.ops.row_partition import RowPartition as RowPartition
from graphlab.eager.interchange import async_clear_error as async_clear_error
from graphlab.eager.interchange import async_scope as async_scope

__all__ = [
    "DynamicRaggedShape",
    "ExtensionType",
    "ExtensionTypeSpec",
    "Optional",
    "RowPartition",
    "async_clear_error",
    "async_scope",
    "dlpack",
    "extension_type",
]
