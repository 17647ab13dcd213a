# Written by tools/generate_index.py: do not edit.
from graphlab.ops.resize import ResizeMethod as ResizeMethod
from graphlab.ops.image import adjust_contrast as adjust_contrast
from graphlab.ops.image import convert_image_dtype as convert_image_dtype
from graphlab.ops.image import extract_patches as extract_patches
from graphlab.ops.resize import resize as resize

__all__ = [
    "ResizeMethod",
    "adjust_contrast",
    "convert_image_dtype",
    "extract_patches",
    "resize",
]
