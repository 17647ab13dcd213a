# Written by tools/generate_index.py: do not edit.
from graphlab.dtypes import experimental as experimental
from graphlab.core.dtypes import DType as DType
from graphlab.core.dtypes import QUANTIZED_DTYPES as QUANTIZED_DTYPES
from graphlab.core.dtypes import as_dtype as as_dtype
from graphlab.core.dtypes import bfloat16 as bfloat16
from graphlab.core.dtypes import bool as bool
from graphlab.ops.casting import cast as cast
from graphlab.ops.complex import complex as complex
from graphlab.core.dtypes import complex128 as complex128
from graphlab.core.dtypes import complex64 as complex64
from graphlab.core.dtypes import double as double
from graphlab.core.dtypes import float16 as float16
from graphlab.core.dtypes import float32 as float32
from graphlab.core.dtypes import float64 as float64
from graphlab.core.dtypes import half as half
from graphlab.core.dtypes import int16 as int16
from graphlab.core.dtypes import int32 as int32
from graphlab.core.dtypes import int64 as int64
from graphlab.core.dtypes import int8 as int8
from graphlab.core.dtypes import qint16 as qint16
from graphlab.core.dtypes import qint32 as qint32
from graphlab.core.dtypes import qint8 as qint8
from graphlab.core.dtypes import quint16 as quint16
from graphlab.core.dtypes import quint8 as quint8
from graphlab.core.dtypes import resource as resource
from graphlab.ops.casting import saturate_cast as saturate_cast
from graphlab.core.dtypes import string as string
from graphlab.core.dtypes import uint16 as uint16
from graphlab.core.dtypes import uint32 as uint32
from graphlab.core.dtypes import uint64 as uint64
from graphlab.core.dtypes import uint8 as uint8
from graphlab.core.dtypes import variant as variant

__all__ = [
    "DType",
    "QUANTIZED_DTYPES",
    "as_dtype",
    "bfloat16",
    "bool",
    "cast",
    "complex",
    "complex128",
    "complex64",
    "double",
    "experimental",
    "float16",
    "float32",
    "float64",
    "half",
    "int16",
    "int32",
    "int64",
    "int8",
    "qint16",
    "qint32",
    "qint8",
    "quint16",
    "quint8",
    "resource",
    "saturate_cast",
    "string",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "variant",
]
