"""Element types of tensors.

There is exactly one ``DType`` object per type, so types are compared with ``is`` and looked up by identity.  Types that
NumPy lacks (bfloat16, the 8-bit floats, the 4-bit integers) come from ``ml_dtypes``, imported when one of them is first
asked for its NumPy type and not before.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from graphlab.core.export import public

_FLOAT, _INT, _UINT, _COMPLEX, _BOOL, _QUANTIZED, _OTHER = (
    "float",
    "int",
    "uint",
    "complex",
    "bool",
    "quantized",
    "other",
)

# name, number in TensorFlow's DataType enum, kind, NumPy scalar type (None: none, or from ml_dtypes), bytes per element
_TABLE: Final[tuple[tuple[str, int, str, Any, int], ...]] = (
    ("float32", 1, _FLOAT, np.float32, 4),
    ("float64", 2, _FLOAT, np.float64, 8),
    ("int32", 3, _INT, np.int32, 4),
    ("uint8", 4, _UINT, np.uint8, 1),
    ("int16", 5, _INT, np.int16, 2),
    ("int8", 6, _INT, np.int8, 1),
    ("string", 7, _OTHER, np.object_, 0),
    ("complex64", 8, _COMPLEX, np.complex64, 8),
    ("int64", 9, _INT, np.int64, 8),
    ("bool", 10, _BOOL, np.bool_, 1),
    ("qint8", 11, _QUANTIZED, np.int8, 1),
    ("quint8", 12, _QUANTIZED, np.uint8, 1),
    ("qint32", 13, _QUANTIZED, np.int32, 4),
    ("bfloat16", 14, _FLOAT, None, 2),
    ("qint16", 15, _QUANTIZED, np.int16, 2),
    ("quint16", 16, _QUANTIZED, np.uint16, 2),
    ("uint16", 17, _UINT, np.uint16, 2),
    ("complex128", 18, _COMPLEX, np.complex128, 16),
    ("float16", 19, _FLOAT, np.float16, 2),
    ("resource", 20, _OTHER, None, 0),
    ("variant", 21, _OTHER, None, 0),
    ("uint32", 22, _UINT, np.uint32, 4),
    ("uint64", 23, _UINT, np.uint64, 8),
    ("float8_e5m2", 24, _FLOAT, None, 1),
    ("float8_e4m3fn", 25, _FLOAT, None, 1),
    ("float8_e4m3fnuz", 26, _FLOAT, None, 1),
    ("float8_e4m3b11fnuz", 27, _FLOAT, None, 1),
    ("float8_e5m2fnuz", 28, _FLOAT, None, 1),
    ("int4", 29, _INT, None, 1),
    ("uint4", 30, _UINT, None, 1),
    ("int2", 31, _INT, None, 1),
    ("uint2", 32, _UINT, None, 1),
    ("float4_e2m1fn", 33, _FLOAT, None, 1),
)

_BY_NAME: dict[str, DType] = {}
_BY_ENUM: dict[int, DType] = {}


@public("DType", "dtypes.DType")
class DType:
    """The type of a tensor's elements.

    Attributes:
      name: TensorFlow's name, ``"float32"``.
      np: the ``np.dtype`` in which arrays of this type are stored; ``np.dtype(object)`` (holding ``bytes``) for
        strings, None for ``resource`` and ``variant``.
      size: bytes per element.

    >>> import graphlab as tf
    >>> tf.float32.is_floating, tf.float32.size, tf.as_dtype("int8").max
    (True, 4, 127)
    >>> tf.float32 == "float32"
    True
    """

    __slots__ = (
        "name", "np", "size", "as_datatype_enum", "is_floating", "is_integer", "is_unsigned", "is_complex", "is_bool",
        "is_quantized", "is_numeric", "_kind", "__weakref__",
    )  # fmt: skip

    name: str
    np: Any
    size: int
    as_datatype_enum: int
    is_floating: builtins.bool
    is_integer: builtins.bool
    is_unsigned: builtins.bool
    is_complex: builtins.bool
    is_bool: builtins.bool
    is_quantized: builtins.bool
    is_numeric: builtins.bool
    _kind: str

    def __new__(cls, type_enum: int) -> DType:  # noqa: PYI034  (there is one object per type, made once)
        """Returns the one object for a number of TensorFlow's ``DataType`` enum."""
        found = _BY_ENUM.get(int(type_enum))
        if found is None:
            raise TypeError(f"{type_enum!r} is not the number of a data type.")
        return found

    def __int__(self) -> int:
        return self.as_datatype_enum

    def __getattr__(self, attribute: str) -> Any:
        # Reached only while the slot is empty: a type of ml_dtypes that nobody has needed yet.
        if attribute != "np" or self._kind == _OTHER:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {attribute!r}")
        import ml_dtypes

        self.np = np.dtype(getattr(ml_dtypes, self.name))
        return self.np

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type (``np.float32``); a structured ``np.dtype`` for quantized types."""
        if self.np is None:
            raise KeyError(f"Elements of type {self.name} have no NumPy type.")
        if self is string:
            return object
        return self.np if self.is_quantized else self.np.type

    @property
    def is_numpy_compatible(self) -> builtins.bool:
        """True unless the elements are handles (``resource``, ``variant``)."""
        return self.np is not None

    @property
    def base_dtype(self) -> DType:
        """This type itself (TensorFlow 1 had reference types beside it)."""
        return self

    @property
    def real_dtype(self) -> DType:
        """The type of the real part: float32 for complex64, float64 for complex128, else this type."""
        return {"complex64": _BY_NAME["float32"], "complex128": _BY_NAME["float64"]}.get(self.name, self)

    @property
    def min(self) -> Any:
        """The smallest finite value, as a NumPy scalar or int.  TypeError if the type has none."""
        return self._bound("min")

    @property
    def max(self) -> Any:
        """The largest finite value, as a NumPy scalar or int.  TypeError if the type has none."""
        return self._bound("max")

    def _bound(self, which: str) -> Any:
        if not (self.is_floating or self.is_integer):
            raise TypeError(f"Values of type {self.name} have no {which}imum.")
        library: Any = np
        if not issubclass(self.np.type, np.number):
            import ml_dtypes as library
        info = library.finfo(self.np) if self.is_floating else library.iinfo(self.np)
        return getattr(info, which)

    @property
    def limits(self) -> tuple[Any, Any]:
        """The usual range of pixel values: (0, 1) for floats, (0, max) for integers.  ValueError for other types."""
        if self.name in ("float32", "float64"):
            return 0, 1
        if self.is_integer and self.size and self.is_numeric:
            return 0, self.max
        if self.is_bool:
            return 0, True
        raise ValueError(f"{self} has no defined limits.")

    def is_compatible_with(self, other: Any) -> builtins.bool:
        """True if ``other`` (anything ``as_dtype`` takes) is this type."""
        return as_dtype(other) is self

    def __eq__(self, other: object) -> builtins.bool:
        if self is other:
            return True
        if other is None or isinstance(other, DType):
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    # Types are keys of the kernel tables on every call: keep the hash in C.
    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Callable[[Any], DType], tuple[str]]:
        return as_dtype, (self.name,)

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> DType:
        return self

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"


def _storage(name: str, kind: str, scalar: Any) -> Any:
    return np.dtype([(name, scalar)]) if kind == _QUANTIZED else np.dtype(scalar)


def _make(name: str, enum: int, kind: str, scalar: Any, size: int) -> DType:
    dtype = object.__new__(DType)
    dtype.name, dtype.as_datatype_enum, dtype._kind, dtype.size = name, enum, kind, size
    dtype.is_floating = kind == _FLOAT
    dtype.is_integer = kind in (_INT, _UINT)
    dtype.is_unsigned = kind == _UINT
    dtype.is_complex = kind == _COMPLEX
    dtype.is_bool = kind == _BOOL
    dtype.is_quantized = kind == _QUANTIZED
    # As in TensorFlow, quantized types count as numeric, and the 2-, 4- and 8-bit types of ml_dtypes do not.
    dtype.is_numeric = name == "bfloat16" or (scalar is not None and kind not in (_BOOL, _OTHER))
    if scalar is not None:
        dtype.np = _storage(name, kind, scalar)
    elif kind == _OTHER:
        dtype.np = None
    _BY_NAME[name] = _BY_ENUM[enum] = dtype
    return dtype


for _row in _TABLE:
    _make(*_row)

float16 = half = _BY_NAME["float16"]
float32 = _BY_NAME["float32"]
float64 = double = _BY_NAME["float64"]
bfloat16 = _BY_NAME["bfloat16"]
float8_e5m2 = _BY_NAME["float8_e5m2"]
float8_e4m3fn = _BY_NAME["float8_e4m3fn"]
float8_e4m3fnuz = _BY_NAME["float8_e4m3fnuz"]
float8_e4m3b11fnuz = _BY_NAME["float8_e4m3b11fnuz"]
float8_e5m2fnuz = _BY_NAME["float8_e5m2fnuz"]
float4_e2m1fn = _BY_NAME["float4_e2m1fn"]
int2 = _BY_NAME["int2"]
int4 = _BY_NAME["int4"]
int8 = _BY_NAME["int8"]
int16 = _BY_NAME["int16"]
int32 = _BY_NAME["int32"]
int64 = _BY_NAME["int64"]
uint2 = _BY_NAME["uint2"]
uint4 = _BY_NAME["uint4"]
uint8 = _BY_NAME["uint8"]
uint16 = _BY_NAME["uint16"]
uint32 = _BY_NAME["uint32"]
uint64 = _BY_NAME["uint64"]
bool = _BY_NAME["bool"]
complex64 = _BY_NAME["complex64"]
complex128 = _BY_NAME["complex128"]
string = _BY_NAME["string"]
resource = _BY_NAME["resource"]
variant = _BY_NAME["variant"]
qint8 = _BY_NAME["qint8"]
qint16 = _BY_NAME["qint16"]
qint32 = _BY_NAME["qint32"]
quint8 = _BY_NAME["quint8"]
quint16 = _BY_NAME["quint16"]
QUANTIZED_DTYPES = frozenset((qint8, qint16, qint32, quint8, quint16))
ALL: Final = tuple(_BY_NAME.values())

_PYTHON: Final[Mapping[type, DType]] = {
    builtins.int: int32,
    builtins.float: float32,
    builtins.bool: bool,
    builtins.complex: complex128,
    builtins.str: string,
    builtins.bytes: string,
}


def of_python(value: object) -> DType | None:
    """The type that a Python scalar converts to (``3`` → int32, ``3.0`` → float32, ``3j`` → complex128), or None."""
    return _PYTHON.get(type(value))


class _NumpyTable(dict[Any, DType]):
    """np.dtype → DType; types not met before (other byte orders, ``S3``, ml_dtypes) are worked out and kept."""

    def __missing__(self, dtype: Any) -> DType:
        found = self._find(dtype) if isinstance(dtype, np.dtype) else self[np.dtype(dtype)]
        self[dtype] = found
        return found

    def _find(self, dtype: np.dtype[Any]) -> DType:
        if dtype.kind in "SU":
            return string
        if not dtype.isnative:
            return self[dtype.newbyteorder("=")]
        if dtype.type.__module__ == "ml_dtypes" and dtype.name in _BY_NAME:
            return _BY_NAME[dtype.name]
        raise TypeError(f"NumPy's {dtype} has no tensor type. Convert the array first, for instance with .astype().")


_BY_NUMPY = _NumpyTable({_storage(n, k, s): _BY_NAME[n] for n, _, k, s, _ in _TABLE if s is not None})

# of_numpy(np.dtype) → DType: one dict lookup; TypeError for a NumPy type that tensors cannot have.
of_numpy: Final[Callable[[Any], DType]] = _BY_NUMPY.__getitem__

# What as_dtype takes beside DType and NumPy's own: names, numbers of the enum, and three Python types.
_ANY: Final[dict[Any, DType]] = {
    **_BY_NAME,
    **_BY_ENUM,
    "float": float32,
    "double": float64,
    "half": float16,
    builtins.float: float32,
    builtins.bool: bool,
    object: string,
}


@public("as_dtype", "dtypes.as_dtype")
def as_dtype(type_value: Any) -> DType:
    """Converts a name, NumPy type or Python type to a ``DType``.

    Args:
      type_value: a ``DType``; a name such as ``"float32"``; an ``np.dtype`` or NumPy scalar type; ``float`` (float32),
        ``bool`` or ``object`` (string); a number of TensorFlow's DataType enum; or an array, whose type is taken.

    Raises:
      TypeError: if it names no tensor type.  Note that ``int`` does not: write ``tf.int32`` or ``tf.int64``.

    >>> import graphlab as tf
    >>> import numpy as np
    >>> tf.as_dtype("half"), tf.as_dtype(np.int64), tf.as_dtype(float)
    (tf.float16, tf.int64, tf.float32)
    """
    if isinstance(type_value, DType):
        return type_value
    try:
        if (found := _ANY.get(type_value)) is not None:
            return found
    except TypeError:  # not hashable
        pass
    try:
        if isinstance(type_value, np.dtype) or (isinstance(type_value, type) and issubclass(type_value, np.generic)):
            return _BY_NUMPY[np.dtype(type_value)]
        if isinstance(type_value, type):
            if type_value.__module__ == "ml_dtypes":
                return _BY_NUMPY[np.dtype(type_value)]
        elif isinstance(getattr(type_value, "dtype", None), np.dtype):
            return _BY_NUMPY[type_value.dtype]
    except TypeError:  # a NumPy type without a tensor type
        pass
    hint = f" Write tf.{_HINTS[type_value]}." if isinstance(type_value, type) and type_value in _HINTS else ""
    raise TypeError(f"{type_value!r} is not a data type.{hint}")


_HINTS: Final[Mapping[type, str]] = {
    builtins.int: "int32 or tf.int64",
    builtins.complex: "complex64 or tf.complex128",
    builtins.str: "string",
    builtins.bytes: "string",
}

PUBLIC = {
    "bfloat16": "bfloat16",
    "dtypes.bfloat16": "bfloat16",
    "bool": "bool",
    "dtypes.bool": "bool",
    "complex64": "complex64",
    "dtypes.complex64": "complex64",
    "complex128": "complex128",
    "dtypes.complex128": "complex128",
    "double": "double",
    "dtypes.double": "double",
    "float16": "float16",
    "dtypes.float16": "float16",
    "float32": "float32",
    "dtypes.float32": "float32",
    "float64": "float64",
    "dtypes.float64": "float64",
    "half": "half",
    "dtypes.half": "half",
    "int8": "int8",
    "dtypes.int8": "int8",
    "int16": "int16",
    "dtypes.int16": "int16",
    "int32": "int32",
    "dtypes.int32": "int32",
    "int64": "int64",
    "dtypes.int64": "int64",
    "uint8": "uint8",
    "dtypes.uint8": "uint8",
    "uint16": "uint16",
    "dtypes.uint16": "uint16",
    "uint32": "uint32",
    "dtypes.uint32": "uint32",
    "uint64": "uint64",
    "dtypes.uint64": "uint64",
    "string": "string",
    "dtypes.string": "string",
    "resource": "resource",
    "dtypes.resource": "resource",
    "variant": "variant",
    "dtypes.variant": "variant",
    "qint8": "qint8",
    "dtypes.qint8": "qint8",
    "qint16": "qint16",
    "dtypes.qint16": "qint16",
    "qint32": "qint32",
    "dtypes.qint32": "qint32",
    "quint8": "quint8",
    "dtypes.quint8": "quint8",
    "quint16": "quint16",
    "dtypes.quint16": "quint16",
    "dtypes.QUANTIZED_DTYPES": "QUANTIZED_DTYPES",
    "dtypes.experimental.float4_e2m1fn": "float4_e2m1fn",
    "dtypes.experimental.float8_e4m3b11fnuz": "float8_e4m3b11fnuz",
    "dtypes.experimental.float8_e4m3fn": "float8_e4m3fn",
    "dtypes.experimental.float8_e4m3fnuz": "float8_e4m3fnuz",
    "dtypes.experimental.float8_e5m2": "float8_e5m2",
    "dtypes.experimental.float8_e5m2fnuz": "float8_e5m2fnuz",
    "dtypes.experimental.int2": "int2",
    "dtypes.experimental.int4": "int4",
    "dtypes.experimental.uint2": "uint2",
    "dtypes.experimental.uint4": "uint4",
}
