# Written by tools/generate_index.py: do not edit.
from graphlab.experimental import extension_type as extension_type
from graphlab.eager.extension_type import ExtensionType as ExtensionType
from graphlab.eager.extension_type import ExtensionTypeSpec as ExtensionTypeSpec

__all__ = [
    "ExtensionType",
    "ExtensionTypeSpec",
    "extension_type",
]
