"""From what users write to tensors: Python values, lists, NumPy arrays, variables, composites.

``to_array`` holds the rules for values that are no tensors; ``make`` converts anything, ``convert_to_tensor`` is the
public function.  In a graph a value becomes a ``Const`` node; an eager tensor is captured when it is used.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from graphlab.core import dtypes
from graphlab.core.dtypes import DType
from graphlab.core.export import public, resolve
from graphlab.core.floats import quiet
from graphlab.core.shape import TensorShape
from graphlab.core.state import state
from graphlab.core.tensor import SymbolicTensor, Tensor, wrap

_I32: Final = np.dtype(np.int32)
_OBJECT: Final = np.dtype(object)
_INT32_MIN, _INT32_MAX = -(2**31), 2**31 - 1
_FLOAT32_MAX: Final = 3.4028235677973366e38  # what rounds to more is out of range


def _refuse(value: Any, dtype: DType) -> TypeError:
    return TypeError(f"Cannot convert {value!r} to a tensor of dtype {dtype.name}.")


class CompositeGiven(ValueError, TypeError):
    """A RaggedTensor or SparseTensor where a tensor is wanted: elementwise ops then run on its values."""

    def __init__(self, value: Any) -> None:
        kind = type(value).__name__
        super().__init__(
            f"Attempt to convert a value ({value!r:.200}) of type {kind}, which is not supported, to a tensor."
        )
        self.value = value


CompositeGiven.__name__ = CompositeGiven.__qualname__ = "ValueError"  # what users catch, and read


def _unsupported(text: str) -> ValueError | TypeError:
    """The error for what is no tensor: a ValueError, and while a graph is built a TypeError, as in TensorFlow."""
    return ValueError(text) if state.graph is None else TypeError(text)


def to_array(value: Any, dtype: DType | None = None) -> Any:
    """The array for a value that is not a tensor.

    Args:
      value: Python number, bool, string, bytes, nested lists or tuples of those, NumPy array or scalar.
      dtype: the dtype it must get; None: as the value says (int → int32, or int64 when it needs it; float → float32).

    Raises:
      TypeError: a Python value does not fit the dtype (``1.5`` for int32).
      ValueError: it is no tensor at all, is ragged, or mixes types (TypeError while a graph is built, but for ragged
        lists).
    """
    kind = type(value)
    if kind is int:
        return _integer(value, dtype)
    if kind is float:
        if dtype is None or dtype is dtypes.float32:
            if dtype is None and state.graph is None and abs(value) > _FLOAT32_MAX and abs(value) != np.inf:
                raise ValueError(
                    f"Can't convert {value!r} to a float32 tensor: it is out of range. Write tf.constant({value!r}, "
                    f"tf.float64)."
                )
            with quiet():
                return np.array(value, np.float32)
        if dtype.is_floating or dtype.is_complex:
            with quiet():
                return np.array(value, dtype.np)
        raise _refuse(value, dtype)
    if kind is bool:
        if dtype is None or dtype is dtypes.bool:
            return np.array(value)
        if dtype.np is None or dtype is dtypes.string or (dtype in _NOT_FROM_BOOL and state.graph is None):
            raise _refuse(value, dtype)
        return np.array(value, dtype.np)
    if kind is str or kind is bytes:
        if dtype is not None and dtype is not dtypes.string:
            raise _refuse(value, dtype)
        result = np.empty((), object)
        result[()] = value.encode() if kind is str else value
        return result
    if kind is np.ndarray or isinstance(value, (np.ndarray, np.generic)):
        return _from_numpy(value, dtype)
    if kind is list or kind is tuple or isinstance(value, (list, tuple, range)):
        return _sequence(value, dtype)
    if kind is complex:
        if dtype is None:
            return np.array(value, np.complex128)
        if not dtype.is_complex:
            raise _refuse(value, dtype)
        return np.array(value, dtype.np)
    if value is None:
        raise ValueError("Attempt to convert None to a tensor: None has no dtype. Pass a number, an array or a tensor.")
    if isinstance(value, (TensorShape,)):
        return _shape_array(value, dtype)
    plain: Any
    for plain in (bool, int, float, str, bytes):
        if isinstance(value, plain):
            return to_array(plain(value), dtype)
    if hasattr(value, "__array__"):
        return _from_numpy(np.asarray(value), dtype)
    if isinstance(value, (bytearray, memoryview)):
        return _sequence(list(value), dtype)
    if hasattr(kind, "_apply"):
        raise CompositeGiven(value)
    raise _unsupported(
        f"Attempt to convert a value ({value!r:.200}) of type {kind.__name__}, which is not supported, to a tensor."
    )


def _integer(value: int, dtype: DType | None) -> Any:
    if dtype is None:
        if _INT32_MIN <= value <= _INT32_MAX:
            return np.array(value, _I32)
        if -(2**63) <= value < 2**63:
            return np.array(value, np.int64)
        if state.graph is not None and 0 < value < 2**64:  # eagerly an error, as in TensorFlow
            return np.array(value, np.uint64)
        raise _unsupported(f"Can't convert the integer {value} to a tensor: it does not fit 64 bits.")
    wide = not -(2**63) <= value < (2**64 if dtype is dtypes.uint64 or state.graph is not None else 2**63)
    if dtype.is_integer or dtype.is_quantized:
        bits = 8 * dtype.size
        if dtype.name in ("int4", "uint4", "int2", "uint2"):
            return np.array(value, dtype.np)
        if wide:
            raise _out_of_range(value, dtype)
        if dtype is dtypes.int32 and not _INT32_MIN <= value <= _INT32_MAX:
            raise _refuse(value, dtype)
        low = value & ((1 << bits) - 1)
        if not dtype.is_unsigned and low >> (bits - 1):
            low -= 1 << bits
        return np.array(low, dtype.np)
    if wide and state.graph is None and not dtype.is_floating:
        raise _out_of_range(value, dtype)
    if dtype.is_floating or dtype.is_complex:
        with quiet():
            try:
                return np.array(value, dtype.np)
            except OverflowError:
                return np.array(float("inf") if value > 0 else float("-inf"), dtype.np)
    raise _refuse(value, dtype)


def _out_of_range(value: int, dtype: DType) -> ValueError | OverflowError:
    """The error for an integer beyond 64 bits: a ValueError, and while a graph is built an OverflowError."""
    text = f"Can't convert the integer {value} to a tensor of dtype {dtype.name}: it is out of range."
    return ValueError(text) if state.graph is None else OverflowError(text)


def _from_numpy(value: Any, dtype: DType | None) -> Any:
    kind = value.dtype.kind
    if kind in "fiubc" or kind == "V":
        try:
            target = dtypes.of_numpy(value.dtype) if dtype is None else dtype
        except TypeError as error:
            raise ValueError(f"Failed to convert a NumPy array to a tensor: {error}") from None
        if target is dtypes.string and state.graph is None:
            raise ValueError(
                f"Cannot convert an array of {value.dtype} to a tensor of dtype string. Write tf.strings.as_string."
            )
        if target is dtypes.string or target.np is None:
            raise _refuse(value, target)
        with quiet():
            return np.array(value, target.np, order="C")
    if kind in "SUO":
        if dtype is not None and dtype is not dtypes.string:
            if kind != "O" and not dtype.is_bool:
                raise ValueError(
                    f"Cannot convert an array of strings to a tensor of dtype {dtype.name}. Write tf.strings.to_number."
                )
            raise _refuse(value, dtype)
        array = np.asarray(value)
        result = np.empty(array.shape, object)
        flat, source = result.reshape(-1), array.reshape(-1)
        for index in range(source.size):
            item = source[index]
            if isinstance(item, str):
                item = item.encode()
            elif not isinstance(item, bytes):
                raise ValueError(
                    f"Failed to convert a NumPy array to a tensor: an element is of type {type(item).__name__}, not "
                    f"a string."
                )
            flat[index] = bytes(item)
        return result
    raise ValueError(f"Failed to convert a NumPy array of dtype {value.dtype} to a tensor.")


def _shape_array(shape: TensorShape, dtype: DType | None) -> Any:
    wrong = dtype is not None and dtype not in (dtypes.int32, dtypes.int64)
    if not shape.is_fully_defined():
        raise ValueError(f"Cannot convert the partially known shape {shape} to a tensor. Use tf.shape(x) instead.")
    if dtype is not None and wrong:
        raise TypeError(f"Cannot convert a TensorShape to dtype {dtype.name}: it is int32 or int64.")
    wanted = dtype or dtypes.int32
    try:
        return np.array(shape.as_list(), wanted.np)
    except OverflowError:
        raise OverflowError(f"The shape {shape} does not fit a tensor of {wanted.name}.") from None


def _sequence(value: Any, dtype: DType | None) -> Any:
    leaves: list[Any] = []
    try:
        shape = _walk(value, leaves, value)
    except ValueError as error:
        if state.graph is not None and dtype in (dtypes.bool, dtypes.string):
            raise TypeError(str(error)) from None  # as in TensorFlow, where these look at each element
        raise
    if dtype is None:
        dtype = _common(leaves)
    elif state.graph is None and leaves:
        _check_mixture(leaves, dtype)
    if dtype is dtypes.string:
        result = np.empty(len(leaves), object)
        for index, leaf in enumerate(leaves):
            if isinstance(leaf, str):
                leaf = leaf.encode()
            if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "SUO" and not leaf.ndim:
                leaf = _from_numpy(leaf, dtype)[()]
            if not isinstance(leaf, bytes):
                raise _refuse(leaf, dtype)
            result[index] = bytes(leaf)
        return result.reshape(shape)
    storage = dtype.np
    if storage is None:
        raise _refuse(value, dtype)
    if not leaves:
        return np.zeros(shape, storage)
    integral = dtype.is_integer or dtype.is_quantized
    for leaf in leaves:
        kind = type(leaf)
        if kind is np.ndarray or isinstance(leaf, (np.ndarray, np.generic)):
            rank = "biufc".find(leaf.dtype.kind)
            if (rank > 2 and (integral or dtype.is_bool)) or (rank == 4 and not dtype.is_complex):
                raise _refuse(leaf, dtype)
            continue
        if (kind is float and (integral or dtype.is_bool)) or isinstance(leaf, (str, bytes)):
            raise _refuse(leaf, dtype)
        if kind is complex and not dtype.is_complex:
            raise _refuse(leaf, dtype)
        if dtype.is_bool and kind is int:
            raise _refuse(leaf, dtype)
    with quiet():
        if any(isinstance(leaf, np.ndarray) and leaf.ndim for leaf in leaves):
            return np.concatenate([_from_numpy(np.asarray(leaf), dtype).reshape(-1) for leaf in leaves]).reshape(shape)
        if integral:
            return np.array([_integer(int(leaf), dtype) for leaf in leaves], storage).reshape(shape)
        return np.array(leaves, storage).reshape(shape)


def _walk(value: Any, leaves: list[Any], whole: Any) -> tuple[int, ...]:
    """Collects the leaves and returns the shape; arrays inside lists count as further dimensions."""
    if isinstance(value, (list, tuple, range)):
        shape: tuple[int, ...] | None = None
        for item in value:
            inner = _walk(item, leaves, whole)
            if shape is None:
                shape = inner
            elif shape != inner:
                raise ValueError(
                    "Can't convert a non-rectangular Python sequence to a tensor: "
                    f"one part has shape {shape}, another {inner}, in {whole!r:.100}. tf.ragged.constant takes such "
                    f"lists."
                )
        return (len(value), *(shape or ()))
    leaves.append(value)
    if isinstance(value, np.ndarray):
        return tuple(value.shape)
    if value is None:
        raise _unsupported("Attempt to convert a sequence with None in it to a tensor: None has no dtype.")
    return ()


def _check_mixture(leaves: list[Any], dtype: DType) -> None:
    """An eager list is converted to its dtype directly, or it must be of one kind by itself: else a ValueError."""
    types = set(map(type, leaves))
    found = {_PLAIN[kind] for kind in types} if types <= _PLAIN.keys() else {_kind(leaf) for leaf in leaves}
    if found == {"bool"} and dtype in _NOT_FROM_BOOL:
        raise _refuse(leaves[0], dtype)
    if found == {"int"} and (dtype in (dtypes.bool, dtypes.string) or dtype.is_complex):
        for leaf in leaves:
            _integer(int(leaf), dtype if dtype.is_complex else dtypes.int64)
    if len(found) > 1 and not found <= _DIRECT.get(dtype, frozenset()):
        first = _PLAIN.get(type(leaves[0])) or _kind(leaves[0])
        if not found <= _FOLLOW[first]:
            raise _mixed(found)


def _mixed(found: set[str]) -> ValueError | TypeError:
    return _unsupported(f"Can't convert a Python sequence with mixed types ({', '.join(sorted(found))}) to a tensor.")


# What may stand in an eager list after a first value of a kind.  A first int makes room for floats.
_FOLLOW: Final[dict[str, set[str]]] = {
    "bool": {"bool"},
    "int": {"int", "bool", "float"},
    "float": {"float", "int", "bool"},
    "complex": {"complex", "float", "int", "bool"},
    "string": {"string"},
}


_NOT_FROM_BOOL: Final = frozenset(
    (dtypes.int8, dtypes.int16, dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.bfloat16, dtypes.complex64)
)
"""Dtypes that True and False are not converted to eagerly (in a graph they are)."""


# What an eager list of a given dtype may mix.
_WHOLE, _REAL = frozenset(("bool", "int")), frozenset(("bool", "int", "float"))
_DIRECT: Final[dict[DType, frozenset[str]]] = {
    **dict.fromkeys((dtypes.int32, dtypes.int64, dtypes.uint64), _WHOLE),
    **dict.fromkeys((dtypes.float16, dtypes.float32, dtypes.float64), _REAL),
    dtypes.complex128: _REAL | {"complex"},
}


_PLAIN: Final[dict[type, str]] = {
    bool: "bool",
    int: "int",
    float: "float",
    str: "string",
    bytes: "string",
    complex: "complex",
}


def _kind(leaf: Any) -> str:
    if isinstance(leaf, (np.ndarray, np.generic)):
        kind = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}.get(leaf.dtype.kind, "string")
        return "float" if leaf.dtype.kind == "V" else kind
    for python, name in _PLAIN.items():  # bool before int, of which it is a subclass
        if isinstance(leaf, python):
            return name
    raise _unsupported(f"Can't convert a Python sequence to a tensor: {leaf!r:.100} is of type {type(leaf).__name__}.")


def _common(leaves: list[Any]) -> DType:
    """The dtype of a list of values, as TensorFlow chooses it: eagerly by the first, in a graph as NumPy does."""
    if not leaves:
        return dtypes.float32
    kinds = [_PLAIN.get(type(leaf)) or _kind(leaf) for leaf in leaves]
    found, first = set(kinds), kinds[0]
    eager = state.graph is None
    if not (found <= _FOLLOW[first] if eager else ("string" in found) <= (len(found) == 1)):
        raise _mixed(found)
    if first == "string":
        return dtypes.string
    if "complex" in found:
        return dtypes.complex128
    if "float" in found:
        if not eager:
            return _as_numpy(leaves)
        if first == "float" and isinstance(leaves[0], (np.ndarray, np.generic)):
            return dtypes.of_numpy(leaves[0].dtype)
        for leaf in leaves:
            if type(leaf) is float and abs(leaf) > _FLOAT32_MAX and abs(leaf) != np.inf:
                raise ValueError(f"Can't convert {leaf!r} to a float32 tensor: it is out of range.")
        return dtypes.float32
    if found == {"bool"}:
        return dtypes.bool
    if not eager and all(isinstance(leaf, (np.ndarray, np.generic)) for leaf in leaves):
        result = _as_numpy(leaves)
        if result is not dtypes.int64:
            return result
    if all(_fits(leaf) for leaf in leaves):
        return dtypes.int32
    if any(type(leaf) is int and not -(2**63) <= leaf < 2**63 for leaf in leaves):
        largest = max((leaf for leaf in leaves if type(leaf) is int), key=abs)
        return dtypes.of_numpy(_integer(largest, None).dtype)  # uint64 while a graph is built, or an error
    return dtypes.int64


def _fits(leaf: Any) -> bool:
    if isinstance(leaf, np.ndarray) and leaf.ndim:
        return not leaf.size or bool(leaf.min() >= _INT32_MIN and leaf.max() <= _INT32_MAX)
    return _INT32_MIN <= int(leaf) <= _INT32_MAX


def _as_numpy(leaves: list[Any]) -> DType:
    try:
        types = {
            leaf.dtype if isinstance(leaf, (np.ndarray, np.generic)) else np.asarray(leaf).dtype for leaf in leaves
        }
        result = dtypes.of_numpy(np.result_type(*types))
    except TypeError:  # bfloat16 and the like with others
        return dtypes.float32
    return dtypes.float32 if result is dtypes.float64 else result


def has_tensor(value: Any) -> bool:
    """True if a nested list or tuple has a tensor (or something that turns into one) inside."""
    for item in value:
        if isinstance(item, Tensor) or hasattr(item, "__tf_tensor__"):
            return True
        if isinstance(item, (list, tuple)) and has_tensor(item):
            return True
    return False


def make(value: Any, dtype: DType | None = None, hint: DType | None = None, name: str | None = None) -> Any:
    """Converts anything to a tensor; an existing tensor is passed through and must have ``dtype`` if that is given.

    In a graph the result may be an eager tensor: the graph captures it when it is used.
    """
    if isinstance(value, Tensor):
        if dtype is not None and value.dtype is not dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for a tensor with dtype {value.dtype.name}: "
                f"{value!r}. "
                f"Write tf.cast(x, tf.{dtype.name})."
            )
        return value
    special = getattr(type(value), "__tf_tensor__", None)
    if special is not None:
        result = special(value, dtype, name)
        return make(result, dtype) if dtype is not None else result
    if isinstance(value, (list, tuple)) and has_tensor(value):
        return _pack(value, dtype, hint, name)
    array = None
    if dtype is None and hint is not None:
        try:
            array = to_array(value, hint)
        except (TypeError, ValueError, OverflowError):
            array = None
    if array is None:
        array = to_array(value, dtype)
    graph = state.graph
    if graph is not None:
        return graph.constant(array, name or "Const")
    return wrap(array)


def _pack(value: Any, dtype: DType | None, hint: DType | None, name: str | None) -> Any:
    stack = resolve("stack")

    def first(items: Any) -> DType | None:
        for item in items:
            if isinstance(item, (list, tuple)):
                found = first(item)
                if found is not None:
                    return found
            elif isinstance(item, Tensor) or hasattr(item, "__tf_tensor__"):
                return item.dtype  # type: ignore[no-any-return]
        return None

    found = first(value)
    element = dtype or found or hint

    def build(items: Any, name: str | None = None) -> Any:
        parts = [
            build(i)
            if isinstance(i, (list, tuple)) and has_tensor(i)
            else (make(i, element) if element is not found or (dtype is not None and isinstance(i, Tensor)) else i)
            for i in items
        ]
        return stack(parts, name=name or "packed")

    return build(value, name)


@public("convert_to_tensor")
def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Any:
    """Converts a value to a tensor.

    Args:
      value: Python number, string, (nested) list or tuple of numbers, strings and tensors, NumPy array, variable,
      tensor.
      dtype: the dtype the result must have.
      dtype_hint: the dtype to prefer if the value can be converted to it.
      name: the name of the constant in a graph.

    Raises:
      TypeError: a Python value does not fit ``dtype``.
      ValueError: the value is no tensor, or is a tensor of another dtype.

    >>> import graphlab as tf
    >>> tf.convert_to_tensor([1, 2], dtype=tf.float32)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    hint = None if dtype_hint is None else dtypes.as_dtype(dtype_hint)
    return make(value, wanted, hint, name)


@public("constant")
def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Any:
    """Makes a constant tensor.

    Args:
      value: Python number, string, nested list of those, or NumPy array.
      dtype: dtype of the result; by default int32 (int64 where needed), float32, bool, string, complex128, or the
      array's.
      shape: shape of the result; a single value is repeated, otherwise the number of elements must agree.
      name: name of the node in a graph.

    Raises:
      TypeError: the value does not fit ``dtype``, or the number of elements does not fit ``shape``.
      ValueError: the value is ragged, mixes types or is no tensor.

    >>> import graphlab as tf
    >>> tf.constant([[1, 2], [3, 4]])
    <tf.Tensor: shape=(2, 2), dtype=int32, numpy=
    array([[1, 2],
           [3, 4]], dtype=int32)>
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor):
        given: Any = value
        if wanted is not None and value.dtype is not wanted:
            raise TypeError(f"Expected a tensor of dtype {wanted!r}, but got {value!r}.")
        if isinstance(value, SymbolicTensor):
            raise TypeError(
                f"tf.constant takes values, not a tensor of a graph: {value!r}. Write tf.convert_to_tensor."
            )
        if shape is None:
            return value
        return wrap(_shaped(np.asarray(given._a), TensorShape(shape), value))
    if isinstance(value, (list, tuple)) and has_tensor(value):
        if any(isinstance(item, SymbolicTensor) for item in _flat(value)):
            raise TypeError(
                "tf.constant takes values, and this list holds tensors of a graph. Write tf.stack(...) or "
                "tf.convert_to_tensor(...)."
            )
        return make(value, wanted, None, name)
    if hasattr(type(value), "__tf_tensor__"):
        return make(value, wanted, None, name)
    array = to_array(value, wanted)
    graph = state.graph
    if graph is not None:
        return graph.constant(array if shape is None else _shaped(array, _sizes(shape), value), name)
    return wrap(array if shape is None else _shaped(array, TensorShape(shape), value))


def _sizes(shape: Any) -> TensorShape:
    """The shape of a constant in a graph: a list of sizes; what is in it decides how a wrong one is refused."""
    if isinstance(shape, TensorShape):
        return shape
    if isinstance(shape, (int, float, np.number)) or (isinstance(shape, (list, tuple)) and -1 in shape):
        raise TypeError(f"{shape!r} is not a shape. Write a list of sizes, such as [2, 3].")
    try:
        return TensorShape(shape)
    except TypeError as error:
        if isinstance(shape, (str, bytes)) or (isinstance(shape, (list, tuple)) and _no_numbers(shape)):
            raise ValueError(str(error)) from None
        raise


def _no_numbers(shape: Any) -> bool:
    return any(isinstance(size, (str, bytes, list, tuple)) for size in shape)


def _flat(value: Any) -> list[Any]:
    out: list[Any] = []
    for item in value:
        out += _flat(item) if isinstance(item, (list, tuple)) else [item]
    return out


def _shaped(array: Any, shape: TensorShape, value: Any) -> Any:
    dims: Any = tuple(shape.as_list())
    try:
        count = int(np.prod(dims, dtype=np.int64))
    except OverflowError:
        error = TypeError if state.graph is None else OverflowError
        raise error(f"tf.constant: the shape {dims} is too large.") from None
    if array.shape == dims:
        return array
    if not count and state.graph is not None:
        return np.empty(dims, array.dtype)
    if array.size == 1 and count != 1:
        return np.full(dims, array.reshape(())[()], array.dtype)
    if array.size != count:
        raise TypeError(
            f"tf.constant: the value {value!r:.100} has {array.size} elements, but shape {dims} takes {count}."
        )
    return array.reshape(dims)
