"""Element types: every property as TensorFlow has it, and the conversions to and from NumPy."""

import copy
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import graphlab as tf
from graphlab.core import dtypes

# name, number, size, what it is, min, max, limits: recorded from TensorFlow 2.21
RECORDED: list[tuple[str, int, int, str, Any, Any, Any]] = [
    ("float32", 1, 4, "floating numeric numpy_compatible", -3.4028234663852886e38, 3.4028234663852886e38, (0, 1)),
    ("float64", 2, 8, "floating numeric numpy_compatible", -1.7976931348623157e308, 1.7976931348623157e308, (0, 1)),
    ("int32", 3, 4, "integer numeric numpy_compatible", -2147483648, 2147483647, (0, 2147483647)),
    ("uint8", 4, 1, "integer unsigned numeric numpy_compatible", 0, 255, (0, 255)),
    ("int16", 5, 2, "integer numeric numpy_compatible", -32768, 32767, (0, 32767)),
    ("int8", 6, 1, "integer numeric numpy_compatible", -128, 127, (0, 127)),
    ("string", 7, 0, "numpy_compatible", "TypeError", "TypeError", "ValueError"),
    ("complex64", 8, 8, "complex numeric numpy_compatible", "TypeError", "TypeError", "ValueError"),
    (
        "int64",
        9,
        8,
        "integer numeric numpy_compatible",
        -9223372036854775808,
        9223372036854775807,
        (0, 9223372036854775807),
    ),
    ("bool", 10, 1, "bool numpy_compatible", "TypeError", "TypeError", (0, True)),
    ("qint8", 11, 1, "quantized numeric numpy_compatible", "TypeError", "TypeError", "ValueError"),
    ("quint8", 12, 1, "quantized numeric numpy_compatible", "TypeError", "TypeError", "ValueError"),
    ("qint32", 13, 4, "quantized numeric numpy_compatible", "TypeError", "TypeError", "ValueError"),
    (
        "bfloat16",
        14,
        2,
        "floating numeric numpy_compatible",
        -3.3895313892515355e38,
        3.3895313892515355e38,
        "ValueError",
    ),
    ("qint16", 15, 2, "quantized numeric numpy_compatible", "TypeError", "TypeError", "ValueError"),
    ("quint16", 16, 2, "quantized numeric numpy_compatible", "TypeError", "TypeError", "ValueError"),
    ("uint16", 17, 2, "integer unsigned numeric numpy_compatible", 0, 65535, (0, 65535)),
    ("complex128", 18, 16, "complex numeric numpy_compatible", "TypeError", "TypeError", "ValueError"),
    ("float16", 19, 2, "floating numeric numpy_compatible", -65504.0, 65504.0, "ValueError"),
    ("resource", 20, 0, "", "TypeError", "TypeError", "ValueError"),
    ("variant", 21, 0, "", "TypeError", "TypeError", "ValueError"),
    ("uint32", 22, 4, "integer unsigned numeric numpy_compatible", 0, 4294967295, (0, 4294967295)),
    ("uint64", 23, 8, "integer unsigned numeric numpy_compatible", 0, 18446744073709551615, (0, 18446744073709551615)),
    ("float8_e5m2", 24, 1, "floating numpy_compatible", -57344.0, 57344.0, "ValueError"),
    ("float8_e4m3fn", 25, 1, "floating numpy_compatible", -448.0, 448.0, "ValueError"),
    ("float8_e4m3fnuz", 26, 1, "floating numpy_compatible", -240.0, 240.0, "ValueError"),
    ("float8_e4m3b11fnuz", 27, 1, "floating numpy_compatible", -30.0, 30.0, "ValueError"),
    ("float8_e5m2fnuz", 28, 1, "floating numpy_compatible", -57344.0, 57344.0, "ValueError"),
    ("int4", 29, 1, "integer numpy_compatible", -8, 7, "ValueError"),
    ("uint4", 30, 1, "integer unsigned numpy_compatible", 0, 15, "ValueError"),
    ("int2", 31, 1, "integer numpy_compatible", -2, 1, "ValueError"),
    ("uint2", 32, 1, "integer unsigned numpy_compatible", 0, 3, "ValueError"),
    ("float4_e2m1fn", 33, 1, "floating numpy_compatible", -6.0, 6.0, "ValueError"),
]
IS = ("floating", "integer", "unsigned", "complex", "bool", "quantized", "numeric", "numpy_compatible")
ALL = [dtypes.as_dtype(row[0]) for row in RECORDED]


def outcome(dtype: tf.DType, attribute: str) -> Any:
    try:
        value = getattr(dtype, attribute)
    except (TypeError, ValueError) as error:
        return type(error).__name__
    return value if isinstance(value, (int, tuple)) else float(value)


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: row[0])
def test_a_dtype_has_tensorflows_properties(row):
    name, number, size, properties, *bounds = row
    dtype = tf.as_dtype(name)
    assert (dtype.name, dtype.as_datatype_enum, int(dtype), dtype.size) == (name, number, number, size)
    assert " ".join(word for word in IS if getattr(dtype, f"is_{word}")) == properties
    minimum, maximum, limits = (outcome(dtype, attribute) for attribute in ("min", "max", "limits"))
    # ml_dtypes prints the largest bfloat16 with six digits
    assert [minimum, maximum, limits] == [pytest.approx(b, rel=1e-6) if isinstance(b, float) else b for b in bounds]
    assert (repr(dtype), str(dtype)) == (f"tf.{name}", f"<dtype: '{name}'>")


def test_every_dtype_is_one_object():
    assert len({id(dtype) for dtype in ALL}) == len(dtypes.ALL) == len(RECORDED)
    for dtype in ALL:
        assert tf.DType(dtype.as_datatype_enum) is dtype
        assert pickle.loads(pickle.dumps(dtype)) is dtype
        assert copy.copy(dtype) is dtype is copy.deepcopy(dtype)


@pytest.mark.parametrize("dtype", [d for d in ALL if d.is_numpy_compatible], ids=str)
def test_the_numpy_type_leads_back_to_the_dtype(dtype):
    assert dtypes.of_numpy(dtype.np) is dtype
    assert tf.as_dtype(dtype.as_numpy_dtype) is dtype
    assert tf.as_dtype(dtype.np) is dtype
    assert tf.as_dtype(np.zeros(1, dtype.np)) is dtype


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float, tf.float32),
        (bool, tf.bool),
        (object, tf.string),
        ("float", tf.float32),
        ("double", tf.float64),
        ("half", tf.float16),
        (19, tf.float16),
        (np.float64, tf.float64),
        (np.longlong, tf.int64),
        (np.str_, tf.string),
        (np.bytes_, tf.string),
        (np.dtype(">f4"), tf.float32),
        (np.dtype("S3"), tf.string),
        (np.dtype("U3"), tf.string),
        (np.float32(1), tf.float32),
        (np.dtype([("qint8", np.int8)]), tf.qint8),
        (ml_dtypes.bfloat16, tf.bfloat16),
        (np.dtype(ml_dtypes.float8_e5m2), tf.dtypes.experimental.float8_e5m2),
    ],
    ids=repr,
)
def test_as_dtype_takes_what_tensorflow_takes(value, expected):
    assert tf.as_dtype(value) is expected
    assert expected == value or isinstance(value, np.generic)


@pytest.mark.parametrize(
    "value",
    [int, complex, str, bytes, "int", "f4", "<f4", "foo", None, [1], np.datetime64, np.longdouble, np.number, 99],
    ids=repr,
)
def test_as_dtype_rejects_what_tensorflow_rejects(value):
    with pytest.raises(TypeError, match="is not a data type"):
        tf.as_dtype(value)
    assert tf.float32 != value


def test_int_is_no_dtype_and_the_error_says_what_to_write():
    with pytest.raises(TypeError, match=r"Write tf\.int32 or tf\.int64"):
        tf.as_dtype(int)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, tf.int32), (1.0, tf.float32), (True, tf.bool), (1j, tf.complex128), ("a", tf.string), (b"a", tf.string)],
    ids=repr,
)
def test_python_scalars_have_tensorflows_types(value, expected):
    assert dtypes.of_python(value) is expected


def test_other_helpers():
    assert (tf.complex64.real_dtype, tf.complex128.real_dtype, tf.int8.real_dtype) == (tf.float32, tf.float64, tf.int8)
    assert tf.float32.base_dtype is tf.float32
    assert tf.float32.is_compatible_with("float32")
    assert not tf.float32.is_compatible_with(np.float64)
    assert tf.string.as_numpy_dtype is object
    assert dtypes.of_python([]) is None
    assert tf.double is tf.float64
    assert tf.half is tf.float16
    assert tf.qint8 in tf.dtypes.QUANTIZED_DTYPES
    with pytest.raises(KeyError):
        tf.resource.as_numpy_dtype  # noqa: B018
    with pytest.raises(AttributeError):
        tf.resource.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_a_numpy_type_without_a_tensor_type_is_a_type_error():
    with pytest.raises(TypeError, match="has no tensor type"):
        dtypes.of_numpy(np.dtype("M8[s]"))
