"""Tensors: the public class and its two kinds, eager (an array) and symbolic (a result of an op in a graph).

Arithmetic on two eager float32 or int32 tensors takes a fast path while nothing is active; everything else goes
through the public functions of ``graphlab.ops``, found on first use.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from graphlab.core import dtypes, errors
from graphlab.core.dtypes import DType
from graphlab.core.export import public
from graphlab.core.shape import RawShape, TensorShape, raw
from graphlab.core.state import ACTIVE

_new = object.__new__
_F32: Final = np.dtype(np.float32)
_I32: Final = np.dtype(np.int32)


@public("Tensor")
class Tensor:
    """A multi-dimensional array of one dtype: an eager value, or a result of an op in a graph.

    Tensors are immutable.  They are made by ``tf.constant``, ``tf.convert_to_tensor`` and by every op.

    >>> import graphlab as tf
    >>> x = tf.constant([[1.0, 2.0]])
    >>> x.shape, x.dtype
    (TensorShape([1, 2]), tf.float32)
    """

    __slots__ = ()
    # NumPy's own operators step back: ndarray + tensor is the tensor's __radd__.
    __array_priority__ = 100

    dtype: DType

    if TYPE_CHECKING:  # the operators are set from a table, below
        __add__: Callable[[Any, Any], Any]
        __radd__: Callable[[Any, Any], Any]
        __sub__: Callable[[Any, Any], Any]
        __rsub__: Callable[[Any, Any], Any]
        __mul__: Callable[[Any, Any], Any]
        __rmul__: Callable[[Any, Any], Any]
        __truediv__: Callable[[Any, Any], Any]
        __floordiv__: Callable[[Any, Any], Any]
        __mod__: Callable[[Any, Any], Any]
        __pow__: Callable[[Any, Any], Any]
        __matmul__: Callable[[Any, Any], Any]
        __lt__: Callable[[Any, Any], Any]
        __le__: Callable[[Any, Any], Any]
        __gt__: Callable[[Any, Any], Any]
        __ge__: Callable[[Any, Any], Any]
        __neg__: Callable[[Any], Any]
        __getitem__: Callable[[Any, Any], Any]

    def _raw_shape(self) -> RawShape:
        raise AssertionError

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return TensorShape(self._raw_shape())

    @property
    def ndim(self) -> int:
        """The number of dimensions.  AttributeError if it is not known."""
        shape = self._raw_shape()
        if shape is None:
            raise AttributeError("The rank of this tensor is not known while tracing. Use tf.rank(x).")
        return len(shape)

    def get_shape(self) -> TensorShape:
        """The static shape, as ``shape``."""
        return self.shape

    def ref(self) -> Reference:
        """A hashable reference to this tensor, for sets and dictionary keys; ``.deref()`` gives the tensor back."""
        return Reference(self)

    if not TYPE_CHECKING:  # checkers know that floats have another one

        def __round__(self, digits=None):
            raise AttributeError("round() does not take tensors. Write tf.round(x), or call .numpy() first.")

    def __hash__(self) -> int:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def consumers(self) -> list[Any]:
        """The operations that use this tensor."""
        raise NotImplementedError("Tensor.consumers has a meaning only for tensors of a graph.")


class Reference:
    """A tensor or variable by identity."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The object referred to."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


class EagerTensor(Tensor):
    """A tensor with a value.  ``_a`` is an ndarray or NumPy scalar of canonical dtype, and is never written to."""

    __slots__ = ("__dict__", "__weakref__", "_a")

    _a: Any

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """The type of the elements."""
        a = self._a
        try:
            return dtypes.of_numpy(a.dtype)
        except AttributeError:
            return a.dtype_of_handle  # type: ignore[no-any-return]

    def _raw_shape(self) -> RawShape:
        return getattr(self._a, "shape", ())

    @property
    def device(self) -> str:
        """The name of the device that holds the value."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    @property
    def backing_device(self) -> str:
        """As ``device``."""
        return self.device

    def cpu(self) -> EagerTensor:
        """This tensor: it is in the memory of the host already."""
        return self

    def set_shape(self, shape: Any) -> None:
        """Checks that the shape fits.  ValueError if it does not."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"A tensor of shape {self.shape} cannot be given the shape {TensorShape(shape)}.")

    def numpy(self) -> Any:
        """The value: an array that is the caller's own; for shape () a NumPy scalar, or ``bytes``."""
        a = self._a
        if type(a) is np.ndarray:
            if a.ndim:
                return a.copy()
            return a[()]
        if self.dtype.np is None:
            raise ValueError(f"A tensor of dtype {self.dtype.name} has no NumPy value.")
        return a

    _numpy = numpy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.dtype.np is None:
            raise ValueError(f"A tensor of dtype {self.dtype.name} has no NumPy value.")
        array = np.asarray(self._a)
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        if copy:
            return array.copy()
        view = array.view()
        view.flags.writeable = False
        return view

    def __bool__(self) -> bool:
        return bool(self._a) if np.size(self._a) else False

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        return float(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def _scalar(self) -> Any:
        a = self._a
        if getattr(a, "ndim", 0):
            raise TypeError(f"Only tensors of shape () convert to Python numbers; this one has shape {tuple(a.shape)}.")
        return a[()] if type(a) is np.ndarray else a

    def __index__(self) -> int:
        import operator

        return operator.index(self._scalar())

    def __len__(self) -> int:
        shape = self._raw_shape()
        if not shape:
            raise TypeError("Scalar tensor has no `len()`")
        return shape[0]  # type: ignore[return-value]

    def __iter__(self) -> Iterator[Any]:
        a = self._a
        if not getattr(a, "ndim", 0):
            raise TypeError("Cannot iterate over a scalar tensor.")
        if ACTIVE:
            return iter([self[i] for i in range(len(a))])
        return (wrap(a[i]) if a.dtype != object or a.ndim > 1 else wrap(boxed(a[i])) for i in range(len(a)))

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec)

    def __copy__(self) -> EagerTensor:
        return wrap(self._a)

    def __deepcopy__(self, memo: dict[int, Any]) -> EagerTensor:
        result = wrap(self._a)
        memo[id(self)] = result
        return result

    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        if self.dtype.np is None:
            raise TypeError(f"A tensor of dtype {self.dtype.name} cannot be pickled.")
        return wrap, (self._a,)

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={_text(self, True)}>"

    def __str__(self) -> str:
        return f"tf.Tensor({_text(self, False)}, shape={self.shape}, dtype={self.dtype.name})"

    def _undefined(self, name: str) -> Any:
        raise AttributeError(f"Tensor.{name} is undefined when eager execution is enabled.")

    @property
    def name(self) -> str:
        """Names belong to tensors of a graph."""
        return self._undefined("name")  # type: ignore[no-any-return]

    @property
    def op(self) -> Any:
        """Operations belong to tensors of a graph."""
        return self._undefined("op")

    @property
    def graph(self) -> Any:
        """Graphs belong to tensors of a graph."""
        return self._undefined("graph")

    def __getattr__(self, name: str) -> Any:
        if name in _NUMPY_NAMES:
            raise AttributeError(
                f"{type(self).__name__} object has no attribute {name!r}: tensors are no NumPy arrays. "
                f"Write {_NUMPY_NAMES[name]}."
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


_NUMPY_NAMES: Final = {
    "T": "tf.transpose(x)",
    "astype": "tf.cast(x, dtype)",
    "ravel": "tf.reshape(x, [-1])",
    "flatten": "tf.reshape(x, [-1])",
    "transpose": "tf.transpose(x)",
    "reshape": "tf.reshape(x, shape)",
    "clip": "tf.clip_by_value(x, low, high)",
    "size": "tf.size(x)",
    "tolist": "x.numpy().tolist()",
    "data": "x.numpy()",
    "sum": "tf.reduce_sum(x)",
    "mean": "tf.reduce_mean(x)",
    "max": "tf.reduce_max(x)",
    "min": "tf.reduce_min(x)",
    "item": "x.numpy().item()",
}


def boxed(value: Any) -> Any:
    """A 0-d object array around ``bytes``."""
    box = np.empty((), object)
    box[()] = value
    return box


def wrap(array: Any) -> EagerTensor:
    """An eager tensor around an array that nobody else will write to."""
    result = _new(EagerTensor)
    if type(array) is bytes:
        array = boxed(array)
    result._a = array
    return result


def _text(tensor: EagerTensor, is_repr: bool) -> str:
    dtype = tensor.dtype
    if dtype.np is None:
        return "<unprintable>"
    value = tensor._a
    if getattr(value, "ndim", 0) == 0:
        scalar = value[()] if type(value) is np.ndarray else value
        if isinstance(scalar, np.generic):
            if not is_repr:
                return str(scalar)
            # As TensorFlow with NumPy 2: the Python number, all digits of it.
            return repr(float(scalar) if dtype.is_floating else scalar.item())
        return repr(scalar)
    if dtype.is_quantized:
        return str(value)
    text = repr(value) if is_repr else str(value)
    return "\n" + text if "\n" in text else text


class SymbolicTensor(Tensor):
    """A result of an op in a graph.

    Attributes:
      op: the Operation that makes it.
      index: which of the op's results it is.
      dtype: its DType.
    """

    __slots__ = ("__dict__", "__weakref__", "_shape", "dtype", "index", "op")

    op: Any
    index: int
    _shape: RawShape

    def __init__(self, op: Any, index: int, dtype: DType, shape: RawShape) -> None:
        self.op = op
        self.index = index
        self.dtype = dtype
        self._shape = shape

    def _raw_shape(self) -> RawShape:
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Merges what is known of the shape with ``shape``.  ValueError if they contradict."""
        self._shape = raw(TensorShape(self._shape).merge_with(shape))

    @property
    def graph(self) -> Any:
        """The graph it belongs to."""
        return self.op.graph

    @property
    def name(self) -> str:
        """``"add:0"``."""
        return f"{self.op.graph.shown_name(self.op.name)}:{self.index}"

    @property
    def device(self) -> str:
        """The device the op was placed on; empty if none was asked for."""
        return self.op.device  # type: ignore[no-any-return]

    @property
    def value_index(self) -> int:
        """Which of the op's results it is."""
        return self.index

    def consumers(self) -> list[Any]:
        """The operations of its graph that use this tensor."""
        return [op for op in self.op.graph.ops if any(t is self for t in op.inputs)]

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        shape = "" if self._shape is None else f", shape={self.shape}"
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name})'

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError(
                f"A symbolic tensor ({self.name}) cannot be formatted with {spec!r}: its value exists only when the "
                f"graph runs. Use tf.strings.format or tf.print."
            )
        return str(self)

    def __bool__(self) -> bool:
        raise errors.OperatorNotAllowedInGraphError(_not_python("as a Python `bool`", self))

    def __iter__(self) -> Iterator[Any]:
        raise errors.OperatorNotAllowedInGraphError(_not_python("as an iterable", self))

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self.name}). "
            "Please call `x.shape` rather than `len(x)` for shape information."
        )

    def _no_number(self, what: str) -> Any:
        raise TypeError(
            f"{what}() argument must be a number, not a symbolic tensor ({self.name}): its value exists only when "
            f"the graph "
            f"runs. Use tf.cast inside the graph, or call .numpy() outside."
        )

    def __int__(self) -> int:
        return self._no_number("int")  # type: ignore[no-any-return]

    def __float__(self) -> float:
        return self._no_number("float")  # type: ignore[no-any-return]

    def __index__(self) -> int:
        return self._no_number("index")  # type: ignore[no-any-return]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array: its value exists only when the "
            f"graph runs. "
            "Use the tf function instead of the NumPy one, or tf.numpy_function."
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> SymbolicTensor:
        return self

    def __copy__(self) -> SymbolicTensor:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"A symbolic tensor ({self.name}) cannot be pickled: it has no value outside its graph.")

    def __getattr__(self, name: str) -> Any:
        if name == "numpy":
            raise AttributeError(
                "A symbolic tensor has no .numpy(): its value exists only when the graph runs. Return it from the "
                "function, "
                "print it with tf.print, or use tf.py_function."
            )
        if name in _NUMPY_NAMES:
            raise AttributeError(f"Tensor object has no attribute {name!r}. Write {_NUMPY_NAMES[name]}.")
        raise AttributeError(f"'SymbolicTensor' object has no attribute {name!r}")


def out_of_scope(tensor: Any, graph: Any) -> Exception:
    """The error for a tensor that left the function it was made in."""
    from graphlab.core.position import resolve

    places = resolve(tensor.op.position)
    line = f' It was made at {places[0].filename}:{places[0].line}: "{places[0].text}".' if places else ""
    where = f"the graph of {graph.name!r}" if graph is not None else "eager code"
    owner, advice = _owner(tensor.op.graph)
    error = errors.InaccessibleTensorError(
        f"The tensor {tensor} is out of scope and cannot be used here, in {where}: it belongs to {owner}.{line} "
        f"{advice}"
    )
    if places:
        errors.attach_position(error, places[0].filename, places[0].line, places[0].text)
    return error


def _owner(graph: Any) -> tuple[str, str]:
    """What a graph is to its author, and how a tensor gets out of it."""
    advice = "Return it from the function instead of storing it."
    uses = {"_cond": "the condition of a loop", "_body": "the body of a loop"}
    uses |= {"_true_fn": "a branch", "_false_fn": "a branch"}
    kind = next((use for end, use in uses.items() if getattr(graph, "name", "").endswith(end)), None)
    if kind is None or getattr(graph, "outer", None) is None:
        return f"the graph of {getattr(graph, 'name', 'another function')!r}", advice
    if kind == "the body of a loop":
        advice = (
            "While tracing, a loop's body runs once, so a Python list gets one element only: collect values in a "
            "tf.TensorArray, or assign a variable that the function makes before the loop."
        )
    elif kind == "a branch":
        advice = "Assign it to a variable that both branches assign."
    return f"{kind} of the graph", advice


# A function that explains why the user's code was not converted; autograph installs its own.
explain_unconverted: list[Callable[[str], str]] = []


def _not_python(use: str, tensor: SymbolicTensor) -> str:
    note = ""
    for explain in explain_unconverted:
        note = explain(use) or note
    note = note or "AutoGraph did not convert this code. Put it in a function that tf.function converts."
    return f"Using a symbolic `tf.Tensor` ({tensor.name}) {use} is not allowed. {note}"


def _load(module: str, name: str) -> Callable[..., Any]:
    return getattr(importlib.import_module(f"graphlab.ops.{module}"), name)  # type: ignore[no-any-return]


# What Python repeats when it is multiplied by a whole number.
_SEQUENCES: Final = (str, bytes, list, tuple)


def _is_whole(x: Any) -> bool:
    return x._raw_shape() == () and bool(x.dtype.is_integer)


def _forward(module: str, name: str, node: str | None) -> Callable[[Any, Any], Any]:
    """``x <op> y`` through the public function; ``node`` is the name the op gets in a graph."""
    function: Callable[..., Any] | None = None

    def operator(self: Any, other: Any, *modulo: Any) -> Any:
        nonlocal function
        if modulo:
            raise TypeError("pow() with three arguments takes no tensors. Write (x ** y) % z.")
        if function is None:
            function = _load(module, name)
        priority = getattr(type(other), "__array_priority__", 0)
        if isinstance(priority, (int, float)) and priority > Tensor.__array_priority__:
            return NotImplemented
        try:
            return function(self, other, name=node)
        except (TypeError, ValueError):
            if name == "times" and isinstance(other, _SEQUENCES) and hasattr(self, "numpy") and _is_whole(self):
                return NotImplemented  # Python repeats the sequence: tf.constant(2) * "ab", as TensorFlow lets it
            raise

    return operator


def _backward(module: str, name: str, node: str | None) -> Callable[[Any, Any], Any]:
    """``x <op> y`` where only ``y`` is a tensor: ``x`` takes its dtype."""
    function: Callable[..., Any] | None = None

    def operator(self: Any, other: Any) -> Any:
        nonlocal function
        if function is None:
            function = _load(module, name)
        if isinstance(other, (list, tuple, int, float, bool, complex, np.ndarray, np.generic, str, bytes)):
            from graphlab.core.convert import make
            from graphlab.core.state import state

            if state.graph is None:
                other = make(other, self.dtype, None, "x")
            else:
                with state.graph.scope(node) as scope:
                    return function(make(other, self.dtype, None, "x"), self, name=scope)
        return function(other, self, name=node)

    return operator


def _unary(module: str, name: str, node: str | None = None) -> Callable[[Any], Any]:
    function: Callable[..., Any] | None = None

    def operator(self: Any) -> Any:
        nonlocal function
        if function is None:
            function = _load(module, name)
        return function(self, name=node)

    return operator


# dunder, module of graphlab.ops, public function, node name in a graph
_BINARY: Final = (
    ("add", "math", "add", "add"),
    ("sub", "math", "subtract", "sub"),
    ("mul", "math", "times", "mul"),
    ("truediv", "division", "truediv", "truediv"),
    ("floordiv", "division", "floordiv", "floordiv"),
    ("mod", "division", "floormod", "mod"),
    ("pow", "math", "pow", "pow"),
    ("matmul", "matmul", "matmul", "matmul"),
    ("and", "comparison", "and_", "and"),
    ("or", "comparison", "or_", "or"),
    ("xor", "comparison", "xor_", "xor"),
)
for _name, _module, _function, _node in _BINARY:
    setattr(Tensor, f"__{_name}__", _forward(_module, _function, _node))
    setattr(Tensor, f"__r{_name}__", _backward(_module, _function, _node))
for _name, _function in (("lt", "less"), ("le", "less_equal"), ("gt", "greater"), ("ge", "greater_equal")):
    setattr(Tensor, f"__{_name}__", _forward("comparison", _function, None))
for _name, _module, _function in (
    ("neg", "math", "negative"),
    ("abs", "math", "abs"),
    ("invert", "comparison", "invert_"),
):
    setattr(Tensor, f"__{_name}__", _unary(_module, _function))


def _equals(name: str) -> Callable[[Any, Any], Any]:
    function: Callable[..., Any] | None = None

    def operator(self: Any, other: Any) -> Any:
        nonlocal function
        if other is None:
            return name == "tensor_not_equals"
        if function is None:
            function = _load("comparison", name)
        return function(self, other)

    return operator


Tensor.__eq__ = _equals("tensor_equals")  # type: ignore[method-assign]
Tensor.__ne__ = _equals("tensor_not_equals")  # type: ignore[method-assign]


def _getitem(self: Any, key: Any) -> Any:
    getitem = _load("slicing", "getitem")

    global _getitem_function  # noqa: PLW0603 - looked up once
    _getitem_function = getitem
    return getitem(self, key)


_getitem_function: Callable[[Any, Any], Any] = _getitem


def _symbolic_getitem(self: Any, key: Any) -> Any:
    return _getitem_function(self, key)


Tensor.__getitem__ = _symbolic_getitem

# The quick operators need both classes and all general operators, so they come last.
importlib.import_module("graphlab.core.operators")
