"""The record of an op: everything any interpreter needs to know about it, in one place.

``define`` reads a one-line signature and gives a record; the eager interpreter, the graph, the emitter, the gradients
and the checker all read the same record.  Records live in the module of their family and load with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

from graphlab.core import dtypes
from graphlab.core.dtypes import DType
from graphlab.core.errors import NoKernelError
from graphlab.core.shape import RawShape

Kernel = Callable[..., Any]
Infer = Callable[[Sequence["Arg"], Mapping[str, Any]], Any]

FLOAT: Final = frozenset((dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64))
COMPLEX: Final = frozenset((dtypes.complex64, dtypes.complex128))
SIGNED: Final = frozenset((dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64))
UNSIGNED: Final = frozenset((dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64))
INTEGER: Final = SIGNED | UNSIGNED
INDEX: Final = frozenset((dtypes.int32, dtypes.int64))
REAL: Final = FLOAT | INTEGER
NUMERIC: Final = REAL | COMPLEX
BOOL: Final = frozenset((dtypes.bool,))
STRING: Final = frozenset((dtypes.string,))


class _Marker:
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


REQUIRED: Final = _Marker("REQUIRED")
"""The value of an attribute that a call must give."""

NOT_DIFFERENTIABLE: Final = _Marker("NOT_DIFFERENTIABLE")
"""The gradient of an op through which no gradient flows (the result is None, not an error)."""

# Kinds of a parameter.
FIXED, VARIABLE, LIST, MIXED = 0, 1, 2, 3


class Param:
    """One argument or result of an op.

    Attributes:
      kind: FIXED (a given dtype), VARIABLE (a type variable), LIST (``N*T``), MIXED (``*Ts``).
      type: the DType when FIXED, else the name of the type variable (or of the attribute that holds the dtypes).
      count: for LIST, the name of the length attribute.
    """

    __slots__ = ("count", "given", "kind", "name", "type")

    def __init__(self, text: str) -> None:
        name, _, kind = text.partition(":")
        self.name, kind = name.strip(), kind.strip()
        self.count: str | None = None
        self.type: Any
        self.given: DType | None = None  # of a list: the dtype that all must have
        if kind.startswith("*"):
            self.kind, self.type = MIXED, kind[1:]
        elif "*" in kind:
            count, _, self.type = kind.partition("*")
            self.kind, self.count = LIST, count
            self.given = dtypes._BY_NAME.get(self.type)
        elif kind in dtypes._BY_NAME:
            self.kind, self.type = FIXED, dtypes._BY_NAME[kind]
        else:
            self.kind, self.type = VARIABLE, kind

    def __repr__(self) -> str:
        return f"{self.name}: {self.type}"

    def length(self, attrs: Mapping[str, Any]) -> int:
        """How many tensors a LIST or MIXED parameter stands for."""
        return attrs[self.count] if self.count is not None else len(attrs[self.type])


def _params(text: str) -> tuple[Param, ...]:
    return tuple(Param(part) for part in text.split(",") if part.strip())


def by_parameter(params: tuple[Param, ...], items: list[Any], attrs: Mapping[str, Any]) -> list[Any]:
    """Flat tensors as one entry per parameter: a list for those that stand for several."""
    result: list[Any] = []
    index = 0
    for param in params:
        if param.kind >= LIST:
            count = param.length(attrs)
            result.append(items[index : index + count])
            index += count
        else:
            result.append(items[index])
            index += 1
    return result


class Op:
    """The record of one op type.  See ``docs/architecture.md`` for the meaning of each field."""

    __slots__ = (
        "alias", "attrs", "can_fail", "choices", "defaults", "dynamic", "effect", "fixed", "fp", "gradient", "infer",
        "inputs", "kernel", "kinds", "label", "module", "outputs", "plans", "quick", "random",
        "simple", "single", "type", "type_attrs", "types",
    )  # fmt: skip

    type: str
    kinds: dict[str, Any]
    choices: Mapping[str, Collection[Any]]
    label: str
    inputs: tuple[Param, ...]
    outputs: tuple[Param, ...]
    kernel: Any
    infer: Infer | None
    gradient: Any
    types: Mapping[str, Collection[DType]]
    attrs: Mapping[str, Any]
    defaults: Mapping[str, DType]
    effect: str | None
    random: bool
    can_fail: bool
    alias: bool
    fp: bool
    dynamic: bool
    fixed: bool
    single: bool
    simple: bool
    module: str
    type_attrs: tuple[str, ...]
    plans: dict[Any, tuple[Kernel, dict[str, Any]]]
    quick: Kernel | None

    def __repr__(self) -> str:
        return f"<op {self.type}>"

    @property
    def pure(self) -> bool:
        """True if running it again gives the same result and changes nothing."""
        return self.effect is None and not self.random

    def choose(self, attrs: Mapping[str, Any]) -> Kernel:
        """The kernel for these attributes, taking arrays only."""
        kernel = self.kernel
        if type(kernel) is dict:
            found = kernel.get(attrs.get(self.type_attrs[0]))
            kernel = kernel.get(None) if found is None else found
            if kernel is None:
                raise TypeError(f"{self.type} has no kernel for dtype {attrs.get(self.type_attrs[0])!r}.")
        if self.attrs:
            return partial(kernel, **{name: attrs[name] for name in self.attrs})
        return kernel  # type: ignore[no-any-return]

    def grouped(self, items: list[Any], attrs: Mapping[str, Any]) -> list[Any]:
        """Flat inputs as one entry per parameter: a list for those that stand for several tensors."""
        return items if self.simple else by_parameter(self.inputs, items, attrs)

    def output_dtypes(self, attrs: Mapping[str, Any]) -> list[DType]:
        """The dtype of every result, lists spread out."""
        result: list[DType] = []
        for param in self.outputs:
            if param.kind == FIXED:
                result.append(param.type)
            elif param.kind == VARIABLE:
                result.append(attrs[param.type])
            elif param.kind == LIST:
                # "N*string" has a dtype of its own, "N*T" that of the type variable
                result += [dtypes._BY_NAME.get(param.type) or attrs[param.type]] * attrs[param.count]  # type: ignore[index]
            else:
                result += attrs[param.type]
        return result


def define(
    type: str,
    signature: str,
    *,
    kernel: Any,
    infer: Infer | None = None,
    gradient: Any = None,
    types: Mapping[str, Collection[DType]] | None = None,
    attrs: Mapping[str, Any] | None = None,
    defaults: Mapping[str, DType] | None = None,
    name: str | None = None,
    effect: str | None = None,
    random: bool = False,
    can_fail: bool = False,
    alias: bool = False,
    fp: bool | None = None,
    kinds: Mapping[str, type] | None = None,
    choices: Mapping[str, Collection[Any]] | None = None,
) -> Op:
    """Makes the record of an op.

    Args:
      type: TensorFlow's op type, ``"AddV2"``.
      signature: ``"x: T, y: T -> z: T"``.
      kernel: ``kernel(*arrays, **attrs)``, or a dict of kernels by the dtype of the first type variable (None: the
      rest).
      infer: ``infer(args, attrs)`` giving a raw shape, or a list of them; None: every result's shape is unknown.
      gradient: ``gradient(op, *dys)``, NOT_DIFFERENTIABLE, or None when there is none.
      types: allowed dtypes of the type variables.
      attrs: names and defaults of the attributes that are not inferred from the inputs.
      defaults: dtypes of type variables that neither tensors nor values decide.
      name: the name nodes get by default (``"Add"`` for AddV2); the type if absent.
      effect: ``"read"``, ``"write"``, ``"io"`` or None.
      random: results differ from run to run.
      can_fail: a pure op that may raise on some values.
      alias: the result may share memory with an input.
      fp: may raise floating-point flags; by default True for ufuncs.
      kinds: the Python types of attributes whose default does not show it.
      choices: the values that attributes may have; a graph refuses others when the node is made, a kernel when it runs.
    """
    op = Op()
    left, _, right = signature.partition("->")
    op.type = type
    op.label = name or type
    op.inputs, op.outputs = _params(left), _params(right)
    op.kernel, op.infer, op.gradient = kernel, infer, gradient
    op.types, op.attrs, op.defaults = types or {}, attrs or {}, defaults or {}
    op.effect, op.random, op.can_fail, op.alias = effect, random, can_fail, alias
    op.fp = True if fp is None else fp
    op.single = len(op.outputs) == 1 and op.outputs[0].kind in (FIXED, VARIABLE)
    op.simple = all(p.kind in (FIXED, VARIABLE) for p in op.inputs)
    op.fixed = op.simple and all(p.kind in (FIXED, VARIABLE) for p in op.outputs)
    op.dynamic = any(p.kind == MIXED for p in op.outputs)
    seen: list[str] = []
    for param in op.inputs:
        if param.kind != FIXED and param.type not in seen:
            seen.append(param.type)
    op.type_attrs = tuple(seen)
    op.module = ""
    op.plans = {}
    op.kinds = {key: value.__class__ for key, value in op.attrs.items() if value.__class__ in (bool, int, float, str)}
    op.kinds.update(kinds or {})
    op.choices = choices or {}
    op.quick = None
    return op


def no_kernel(type: str) -> Kernel:
    """The kernel of an op for dtypes that TensorFlow declares and has none for: it raises NoKernelError."""

    def kernel(*arrays: Any, **_attrs: Any) -> Any:
        dtype = dtypes.of_numpy(arrays[0].dtype).name
        raise NoKernelError(None, None, f"Could not find device for node: {type} has no kernel for {dtype}.")

    return kernel


class Arg:
    """What shape inference sees of an input.

    Attributes:
      dtype: its DType.
      shape: its raw shape.
    """

    __slots__ = ("dtype", "shape", "tensor")

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor
        self.dtype: DType = tensor.dtype
        self.shape: RawShape = tensor._raw_shape()

    @property
    def value(self) -> Any:
        """The value as a NumPy array when it is known while tracing, else None."""
        from graphlab.core.static import value

        return value(self.tensor)

    @property
    def partial(self) -> RawShape:
        """For a vector of integers (a shape): its elements, None where unknown; None when the length is unknown too."""
        from graphlab.core.static import partial_value

        return partial_value(self.tensor)
