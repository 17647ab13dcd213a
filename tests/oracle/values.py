"""Results as plain JSON, and the comparison of two of them with differences a person can read.

A tensor becomes {"tensor": [dtype, shape, flat values]}; floats are written as the shortest decimal that gives the same
float back in their own dtype, so a record loses nothing. Python values stay Python's: 1, 1.0, True and tf.constant(1)
all differ.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tests.oracle.program import Raised
from tests.oracle.under_test import tf

# Relative tolerance of float results. Integers, bools, strings, shapes and dtypes have none.
TOLERANCE = {"float64": 1e-10, "float32": 2e-5, "float16": 2e-3, "bfloat16": 1.6e-2, "float": 1e-6}
TOLERANCE |= {"complex64": TOLERANCE["float32"], "complex128": TOLERANCE["float64"]}
# Absolute tolerance, as a share of the relative one, for what is left of numbers of about 1 that cancel out.
ABSOLUTE = 0.1


def encode_float(value: Any) -> Any:
    """A float of any width as the shortest number that reads back as the same value; NaN and infinities as text."""
    number = float(value)
    if not math.isfinite(number):
        return str(number)
    if isinstance(value, np.floating) and value.dtype in (np.float32, np.float16):
        return float(np.format_float_scientific(value))
    if not isinstance(value, float | np.floating):  # bfloat16, an extension type
        return float(np.format_float_scientific(np.float32(value)))
    return number


def encode_flat(array: np.ndarray) -> list[Any]:
    if array.dtype.kind in "OSU":
        return [item.decode("latin-1") if isinstance(item, bytes) else str(item) for item in array.ravel().tolist()]
    if array.dtype.kind == "c":
        return [[encode_float(item.real), encode_float(item.imag)] for item in array.ravel()]
    if array.dtype.kind in "biu":
        return array.ravel().tolist()
    return [encode_float(item) for item in array.ravel()]


def encode_tensor(value: Any) -> list[Any]:
    array = np.asarray(value.numpy())
    return [value.dtype.name, list(array.shape), encode_flat(array)]


def _is(value: Any, *names: str) -> bool:
    """Whether a value is of one of these public classes of `tf`, so far as they exist."""
    classes = tuple(getattr(tf, name) for name in names if hasattr(tf, name))
    return isinstance(value, classes)


def encode(value: Any) -> Any:
    """A program's result as JSON."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return {"float": encode_float(value)}
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin-1")}
    if isinstance(value, Raised):
        return {"raised": value.classes}
    if _is(value, "Variable"):
        return {"variable": encode_tensor(value)}
    if _is(value, "IndexedSlices"):
        return {"slices": [encode_tensor(value.values), encode_tensor(value.indices)]}
    if _is(value, "Tensor"):
        return {"tensor": encode_tensor(value)}
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        return {"numpy": [array.dtype.name, list(array.shape), encode_flat(array)]}
    if _is(value, "TensorShape"):
        return {"shape": None if value.rank is None else value.as_list()}
    if _is(value, "DType"):
        return {"dtype": value.name}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"namedtuple": [type(value).__name__, [[k, encode(v)] for k, v in value._asdict().items()]]}
    if isinstance(value, tuple):
        return {"tuple": [encode(item) for item in value]}
    if isinstance(value, Mapping):
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, list) or type(value).__name__ == "ListWrapper":
        return [encode(item) for item in value]
    raise TypeError(f"a program returned {value!r} of {type(value)}: return tensors, arrays, Python values or text")


def close(seen: Any, recorded: Any, rtol: float) -> bool:
    """Whether two encoded numbers are equal up to a relative tolerance; zeros, infinities and NaN have none.

    Zeros have a sign, those in complex numbers apart.
    """
    if isinstance(recorded, list):
        size = max((abs(float(x)) for x in recorded if math.isfinite(float(x))), default=0.0)
        return all(a == b or _close(float(a), float(b), rtol, size) for a, b in zip(seen, recorded, strict=True))
    return _close(float(seen), float(recorded), rtol, 0.0)


def _close(seen: float, recorded: float, rtol: float, size: float) -> bool:
    if math.isnan(recorded) or math.isnan(seen):
        return math.isnan(recorded) and math.isnan(seen)
    if math.isinf(recorded) or math.isinf(seen):
        return seen == recorded
    if recorded == 0 == seen:
        return math.copysign(1, seen) == math.copysign(1, recorded)
    return abs(seen - recorded) <= rtol * max(abs(recorded), size) + rtol * ABSOLUTE


def tensor_differences(path: str, seen: list[Any], recorded: list[Any], rtol: Mapping[str, float]) -> Iterator[str]:
    """Differences of two encoded tensors [dtype, shape, flat values]."""
    (dtype, shape, flat), (dtype_, shape_, flat_) = seen, recorded
    if dtype != dtype_ or shape != shape_:
        yield f"{path}: {dtype}{shape}, TensorFlow has {dtype_}{shape_}"
        return
    tolerance = rtol.get(dtype)
    for i, (a, b) in enumerate(zip(flat, flat_, strict=True)):
        if not (a == b if tolerance is None else close(a, b, tolerance)):
            place = list(map(int, np.unravel_index(i, shape))) if shape else ""
            yield f"{path}{place}: {a!r}, TensorFlow has {b!r} ({dtype}{shape})"


TENSORS = ("tensor", "variable", "numpy")


def differences(seen: Any, recorded: Any, rtol: Mapping[str, float] = TOLERANCE, path: str = "result") -> Iterator[str]:
    """Says where an encoded result is another than the recorded one, one line for each place."""
    if type(seen) is not type(recorded) or (isinstance(seen, dict) and list(seen) != list(recorded)):
        yield f"{path}: {show(seen)}, TensorFlow has {show(recorded)}"
    elif isinstance(seen, list):
        yield from _sequence_differences(seen, recorded, rtol, path)
    elif not isinstance(seen, dict):
        if seen != recorded:
            yield f"{path}: {seen!r}, TensorFlow has {recorded!r}"
    else:
        (kind,) = recorded
        a, b = seen[kind], recorded[kind]
        if kind in TENSORS:
            yield from tensor_differences(path, a, b, rtol)
        elif kind == "slices":
            yield from tensor_differences(path + ".values", a[0], b[0], rtol)
            yield from tensor_differences(path + ".indices", a[1], b[1], rtol)
        elif kind == "tuple":
            yield from _sequence_differences(a, b, rtol, path)
        elif kind == "dict":
            yield from _mapping_differences(a, b, rtol, path)
        elif kind == "namedtuple" and a[0] == b[0]:
            yield from _mapping_differences(a[1], b[1], rtol, path)
        elif kind == "raised":
            if b[0] not in a:
                yield f"{path}: raised {a[0]}, TensorFlow raises {b[0]}"
        elif kind == "float":
            if not close(a, b, rtol["float"]):
                yield f"{path}: {a!r}, TensorFlow has {b!r}"
        elif a != b:
            yield f"{path}: {show(seen)}, TensorFlow has {show(recorded)}"


def _sequence_differences(seen: list[Any], recorded: list[Any], rtol: Mapping[str, float], path: str) -> Iterator[str]:
    if len(seen) != len(recorded):
        yield f"{path}: {len(seen)} items {show(seen)}, TensorFlow has {len(recorded)} {show(recorded)}"
        return
    for i, (a, b) in enumerate(zip(seen, recorded, strict=True)):
        yield from differences(a, b, rtol, f"{path}[{i}]")


def _mapping_differences(seen: list[Any], recorded: list[Any], rtol: Mapping[str, float], path: str) -> Iterator[str]:
    keys, keys_ = [key for key, _ in seen], [key for key, _ in recorded]
    if keys != keys_:
        yield f"{path}: keys {keys}, TensorFlow has {keys_}"
        return
    for (key, a), (_, b) in zip(seen, recorded, strict=True):
        yield from differences(a, b, rtol, f"{path}[{key!r}]")


def show(encoded: Any) -> str:
    """An encoded result, short."""
    text = repr(encoded)
    return text if len(text) <= 120 else text[:117] + "..."
