"""``bind``: the one door through which every op runs.

It converts the inputs by the op's signature, then either runs the kernel on arrays (and tells the tapes) or appends
the op to the graph that this thread is building.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

import numpy as np

from graphlab.core import dtypes, errors
from graphlab.core.convert import CompositeGiven, make
from graphlab.core.dtypes import DType
from graphlab.core.floats import fp_now, fp_quiet, fp_restore
from graphlab.core.op import FIXED, LIST, REQUIRED, VARIABLE, Op, Param, by_parameter
from graphlab.core.operators import quietly
from graphlab.core.state import ACTIVE, setting, state
from graphlab.core.tensor import EagerTensor, Tensor, boxed, out_of_scope, wrap

_new = object.__new__
_F32: Final = np.dtype(np.float32)


def bind(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any] | None = None, name: str | None = None) -> Any:
    """Runs or records an op.

    Args:
      op: its record.
      inputs: one value per parameter: tensors, or anything that converts; a list for ``N*T`` parameters.
      attrs: the attributes that are not inferred; missing ones take their defaults.
      name: the base name of the node in a graph; the op's label if None.

    Returns:
      One tensor; a list for several results; None (eager) or the Operation (graph) for none.
    """
    kernel = op.quick
    if kernel is not None:
        tensor = inputs[0]
        if tensor.__class__ is EagerTensor and getattr(tensor._a, "dtype", None) is _F32:
            return _quickly(op, kernel, tensor, inputs, attrs, name)
    graph = state.graph if ACTIVE else None
    try:
        if graph is not None:
            return graph.bind(op, inputs, attrs, name)
        return run(op, inputs, attrs)
    except CompositeGiven as given:
        result = given.value._apply(op, inputs, attrs, name)
        if result is NotImplemented:
            raise
        return result


def _quickly(op: Op, kernel: Any, tensor: Any, inputs: Sequence[Any], attrs: Any, name: str | None) -> Any:
    """A pure op of one float32 input without attributes: straight to the kernel."""
    live = None
    if ACTIVE:
        now = state.__dict__
        graph, tapes = now["graph"], now["tapes"]
        if graph is not None:
            return graph.bind(op, inputs, attrs, name)
        if tapes:
            live = tapes[-1].quick
            if live is None or len(tapes) > 1:
                return run(op, inputs, attrs)
    try:
        result = quietly(kernel, tensor._a)
    except Exception:  # noqa: BLE001 - the long way raises it again, with the op's name
        return run(op, inputs, attrs)
    output = EagerTensor()
    output._a = result
    if live is not None and id(tensor) in live and result.dtype is _F32:
        live[id(output)] = (op, _F32, tensor, None, output)
    return output


def complete(op: Op, attrs: Mapping[str, Any] | None) -> dict[str, Any]:
    """The op's declared attributes with defaults filled in."""
    full = dict(op.attrs)
    if attrs:
        for key, value in attrs.items():
            if key not in full:
                raise TypeError(f"{op.type} has no attribute {key!r}.")
            kind = op.kinds.get(key)
            if kind is None or (value.__class__ is kind and kind is not int):
                full[key] = value
            else:
                full[key] = attribute(op, key, kind, value)
    for key, value in full.items():
        if value is REQUIRED:
            raise TypeError(f"{op.type} needs the attribute {key!r}.")
    return full


def misfit(text: str) -> Exception:
    """The error for values that do not fit: InvalidArgumentError, and while a graph is built ValueError."""
    return errors.InvalidArgumentError(None, None, text) if state.graph is None else ValueError(text)


def of_dtype(value: Any, dtype: DType, name: str) -> Any:
    """``value`` as a tensor of ``dtype``; a tensor of another one is refused as an op refuses it.

    Raises:
      InvalidArgumentError: it is a tensor of another dtype; a TypeError while a graph is built.
    """
    if isinstance(value, Tensor) and value.dtype is not dtype:
        text = f"{name} must have dtype {dtype.name}, but has {value.dtype.name}. Write tf.cast(x, tf.{dtype.name})."
        raise errors.InvalidArgumentError(None, None, text) if state.graph is None else TypeError(text)
    return make(value, dtype, None, name)


def dtype_attribute(op: Op, key: str, value: Any) -> DType:
    """``value`` as the dtype of an attribute, one of those that the op allows for it.

    Raises:
      TypeError: it is no dtype, or not allowed; InvalidArgumentError for numbers and dtypes when eager.
    """
    eager = state.graph is None
    if eager and isinstance(value, int) and value < 0:
        raise errors.InvalidArgumentError(None, op, f"{value} is not a data type. [Op:{op.type}]")
    kind = dtypes.as_dtype(value)
    allowed = op.types.get(key)
    if allowed is not None and kind not in allowed:
        raise _not_allowed(op, key, kind, allowed, eager)
    return kind


def whole_number(value: Any, what: str) -> int:
    """``value`` as an int, for an argument that becomes an attribute.

    Raises:
      TypeError: it is no number.
      ValueError: it does not fit 64 bits.
    """
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        number = int(value)
    except (TypeError, ValueError):
        raise TypeError(f"Expected an int for the argument {what!r}, not {value!r:.100}.") from None
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"The argument {what!r} is {number}, which does not fit 64 bits.")
    return number


def attribute(op: Op, key: str, kind: type, value: Any) -> Any:
    """An attribute that is not of the Python type it must have, as that type; None means the default.

    Raises:
      TypeError: it can't be: a flag must be True or False, a text a string; numbers are converted.
    """
    if value is None:
        return op.attrs[key]
    if isinstance(value, kind):
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise misfit(f"{op.type}: the argument {key!r} is {value}, which does not fit 64 bits.")
        return value
    text = isinstance(value, (str, bytes))
    if kind is str and text:
        return value
    if kind is bool and isinstance(value, np.bool_):
        return bool(value)
    number = not text and kind in (int, float) and not isinstance(value, Tensor | np.ndarray)
    if number or (
        isinstance(value, EagerTensor | np.ndarray)
        and (kind is int or (kind is float and isinstance(value, np.ndarray)))
        and np.ndim(np.asarray(value)) == 0
        and not text
    ):
        try:
            return kind(value)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{op.type}: the argument {key!r} must be of type {kind.__name__}, not {value!r:.100}.")


def run(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any] | None = None) -> Any:
    """The eager interpreter.

    The first run of an op on tensors of some dtypes checks the signature and leaves a plan (the kernel for these
    dtypes and the inferred attributes); later runs go straight to the kernel.
    """
    if op.fixed:
        arrays = []
        for tensor in inputs:
            if tensor.__class__ is not EagerTensor:
                break
            arrays.append(tensor._a)
        else:
            # What a handle refers to has no dtype.
            if len(arrays) == 1:
                key = getattr(arrays[0], "dtype", arrays[0].__class__)
            else:
                key = tuple([getattr(a, "dtype", a.__class__) for a in arrays])
            plan = op.plans.get(key)
            if plan is not None:
                return _planned(op, plan, arrays, inputs, attrs)
            _plan(op, key, inputs, attrs)
    full = complete(op, attrs) if op.attrs or attrs else {}
    tensors = prepare(op, inputs, full, make, eager=True)
    return execute(op, tensors, full)


def _planned(
    op: Op, plan: tuple[Any, dict[str, Any]], arrays: list[Any], inputs: Sequence[Any], attrs: Mapping[str, Any] | None
) -> Any:
    """Runs the kernel of a plan, wraps the results and tells the tapes."""
    kernel, inferred = plan
    full: Mapping[str, Any] = inferred
    before = None
    if op.attrs:
        full = {**op.attrs, **attrs} if attrs else op.attrs
        if attrs and op.kinds:
            for name, value in attrs.items():
                if value.__class__ is not op.kinds.get(name, value.__class__):
                    full = complete(op, attrs)
                    break
    try:
        if op.attrs:
            if op.fp:
                before = fp_now()
                fp_quiet()
            result = kernel(*arrays, **full)
        elif kernel.__class__ is np.ufunc:
            try:
                result = quietly(kernel, *arrays)
            except RuntimeError:  # another thread is in that context
                before = fp_now()
                fp_quiet()
                result = kernel(*arrays)
        else:
            if op.fp:
                before = fp_now()
                fp_quiet()
            result = kernel(*arrays)
    except Exception as error:
        reported = failed(op, error, inputs)
        if reported is error:
            raise
        raise reported from error
    finally:
        if before is not None:
            fp_restore(before)
    if op.single:
        output = EagerTensor()
        output._a = result if result.__class__ is not bytes else boxed(result)
        if state.tapes:
            tell(op, {**inferred, **full} if op.attrs else inferred, list(inputs), [output])
        return output
    if not op.outputs:
        return None
    outputs = [wrap(item) for item in result]
    if state.tapes:
        tell(op, {**inferred, **full} if op.attrs else inferred, list(inputs), outputs)
    return outputs if len(outputs) > 1 else outputs[0]


def _plan(op: Op, key: Any, inputs: Sequence[Any], attrs: Mapping[str, Any] | None) -> None:
    """Checks the signature for tensors of these dtypes and leaves the plan for them."""
    full = complete(op, attrs) if op.attrs or attrs else {}
    prepare(op, inputs, full, make, eager=True)
    if any(value is REQUIRED for value in op.attrs.values()) and not attrs:
        return
    kernel = op.kernel
    if type(kernel) is dict:
        kernel = kernel.get(full.get(op.type_attrs[0])) or kernel.get(None)
        if kernel is None:
            return
    op.plans[key] = (kernel, {name: full[name] for name in op.type_attrs})
    if key is _F32 and op.single and op.pure and not op.attrs:
        op.quick = kernel


def execute(op: Op, tensors: list[Any], attrs: dict[str, Any]) -> Any:
    """Runs the kernel on prepared eager tensors (lists spread out), wraps the results and tells the tapes."""
    try:
        arrays = [t._a for t in tensors]
    except AttributeError:
        raise out_of_scope(next(t for t in tensors if not isinstance(t, EagerTensor)), None) from None
    arrays = op.grouped(arrays, attrs)
    kernel = op.choose(attrs)
    before = fp_now() if op.fp else None
    try:
        if before is not None:
            fp_quiet()
        result = kernel(*arrays)
    except Exception as error:
        reported = failed(op, error, tensors)
        if reported is error:
            raise
        raise reported from error
    finally:
        if before is not None:
            fp_restore(before)
    outputs: list[Any]
    if op.single:
        output = wrap(result)
        if state.tapes:
            tell(op, attrs, tensors, [output])
        return output
    if not op.outputs:
        return None
    outputs = [wrap(item) for item in result]
    if op.dynamic or op.outputs[0].kind >= LIST or len(op.outputs) > 1:
        if state.tapes:
            tell(op, attrs, tensors, outputs)
        return shape_results(op, outputs, attrs)
    return outputs


def shape_results(op: Op, outputs: list[Any], attrs: Mapping[str, Any]) -> Any:
    """Groups flat results as the signature says: several results in a list, ``N*T`` results in a list of their own."""
    if len(op.outputs) == 1:
        return outputs if op.outputs[0].kind >= LIST else outputs[0]
    if all(p.kind < LIST for p in op.outputs):
        return outputs
    return by_parameter(op.outputs, outputs, attrs)


Make = Callable[..., Any]


def _typed(value: Any) -> bool:
    """True for a variable and the like, which tell their dtype before they are converted."""
    return hasattr(type(value), "__tf_tensor__") and hasattr(value, "dtype")


def prepare(
    op: Op, inputs: Sequence[Any], attrs: dict[str, Any], make: Make, *, eager: bool, scope: str = ""
) -> list[Any]:
    """Converts inputs by the signature; fills the inferred attributes into ``attrs``; returns the flat tensors.

    A type variable takes its dtype from the tensors among its arguments, else from the values, else from its default.
    """
    params = op.inputs
    if len(inputs) != len(params):
        raise TypeError(f"{op.type} takes {len(params)} inputs, not {len(inputs)}.")
    known: dict[str, DType] = {}
    if eager:  # any tensor decides, wherever it stands; in a graph the first argument does, as in TensorFlow
        for index, param in enumerate(params):
            _unify_tensors(op, param, index, inputs[index], known, eager)
    flat: list[Any] = []
    for index, param in enumerate(params):
        value = inputs[index]
        kind = param.kind
        if not eager:
            _unify_tensors(op, param, index, value, known, eager)
        if kind == VARIABLE:
            if isinstance(value, Tensor):
                flat.append(value)
                continue
            dtype = known.get(param.type)
            hint = op.defaults.get(param.type) if dtype is None else None
            if eager and hint is not None and hint.is_integer and value.__class__ is float:
                raise TypeError(f"{op.type}: the argument {param.name!r} must be a whole number, not {value!r}.")
            if not eager and hint is not None:
                tensor = _by_default(op, param, value, hint, make, scope + param.name)
            else:
                tensor = make(value, dtype, hint, scope + param.name)
            known[param.type] = tensor.dtype
            flat.append(tensor)
        elif kind == FIXED:
            flat.append(_fixed(op, param, index, value, make, eager, scope))
        elif kind == LIST:
            items = _items(op, param, value, attrs, eager)
            for position, item in enumerate(items):
                if isinstance(item, Tensor):
                    flat.append(item)
                    continue
                dtype = known.get(param.type)
                hint = op.defaults.get(param.type) if dtype is None else None
                tensor = make(item, dtype, hint, f"{scope}{param.name}_{position}")
                known[param.type] = tensor.dtype
                flat.append(tensor)
        else:
            if not eager and not isinstance(value, (list, tuple)):
                raise _no_list(op, param, value)
            items = [make(item, None, None, f"{scope}{param.name}_{i}") for i, item in enumerate(value)]
            attrs[param.type] = [item.dtype for item in items]
            flat += items
    for variable in op.type_attrs:
        if variable in attrs:
            continue
        found = known.get(variable)
        if found is None:
            found = op.defaults.get(variable)
            if found is None:
                raise too_short(op, variable, eager)
        attrs[variable] = found
        allowed = op.types.get(variable)
        if allowed is not None and found not in allowed:
            raise _not_allowed(op, variable, found, allowed, eager)
    return flat


def _no_list(op: Op, param: Param, value: Any) -> TypeError:
    return TypeError(f"Expected list for {param.name!r} argument to {op.type!r} Op, not {value!r:.100}.")


def too_short(op: Op, attr: str, eager: bool) -> Exception:
    """The error for an empty list where an op needs at least one tensor."""
    if eager:
        text = f"Length for attr {attr!r} of 0 must be at least minimum 1 [Op:{op.type}]"
        return errors.InvalidArgumentError(None, op, text)
    return ValueError(f"Attr {attr!r} of {op.type!r} Op passed list of length 0 less than minimum 1.")


def _items(op: Op, param: Param, value: Any, attrs: dict[str, Any], eager: bool) -> list[Any]:
    """The tensors of a list argument; their number is that of the op's other lists of this length."""
    sequence = isinstance(value, (list, tuple)) or (eager and isinstance(value, Tensor))
    if not sequence:
        raise _no_list(op, param, value)
    items = list(value)
    before = attrs.get(param.count)  # type: ignore[arg-type]
    if before is not None and before != len(items):
        first = next(other.name for other in op.inputs if other.count == param.count)
        text = (
            f"List argument {param.name!r} to {op.type!r} Op with length {len(items)} must match length {before} of "
            f"argument {first!r}."
        )
        raise errors.InvalidArgumentError(None, op, text) if eager and items else ValueError(text)
    attrs[param.count] = len(items)  # type: ignore[index]
    return items


def _by_default(op: Op, param: Param, value: Any, hint: DType, make: Make, name: str) -> Any:
    """In a graph the default dtype is for values whose own dtype the op does not take.

    As in TensorFlow the constant that was of no use stays in the graph.
    """
    try:
        tensor = make(value, None, None, name)
    except (TypeError, ValueError, OverflowError):
        return make(value, None, hint, name)
    allowed = op.types.get(param.type)
    return tensor if allowed is None or tensor.dtype in allowed else make(value, None, hint, name)


def _unify_tensors(op: Op, param: Param, index: int, value: Any, known: dict[str, DType], eager: bool) -> None:
    """Notes the dtype that a tensor, or the tensors of a list, give to a type variable."""
    if param.kind == VARIABLE:
        if isinstance(value, Tensor) or _typed(value):
            _unify(op, param, index, value.dtype, known, eager)
    elif param.kind == LIST:
        if param.given is not None:
            known[param.type] = param.given
        for position, item in enumerate(value):
            if isinstance(item, Tensor) or _typed(item):
                _unify(op, param, index + position, item.dtype, known, eager, value)


def _fixed(op: Op, param: Param, index: int, value: Any, make: Make, eager: bool, scope: str) -> Any:
    dtype: DType = param.type
    if isinstance(value, Tensor):
        if value.dtype is not dtype:
            if eager:
                raise errors.InvalidArgumentError(
                    None,
                    op,
                    f"cannot compute {op.type} as input #{index}(zero-based) was expected to be a {_named(dtype)} "
                    f"tensor "
                    f"but is a {_named(value.dtype)} tensor [Op:{op.type}]",
                )
            raise TypeError(
                f"Input '{param.name}' of '{op.type}' Op has type {value.dtype.name} that does not match expected "
                f"type of "
                f"{dtype.name}."
            )
        return value
    return make(value, dtype, None, scope + param.name)


_NAMES: Final[Mapping[str, str]] = {"float32": "float", "float64": "double", "float16": "half"}


def _named(dtype: DType) -> str:
    return _NAMES.get(dtype.name, dtype.name)


def _unify(
    op: Op, param: Param, index: int, dtype: DType, known: dict[str, DType], eager: bool, items: Sequence[Any] = ()
) -> None:
    before = known.setdefault(param.type, dtype)
    if before is dtype:
        return
    if eager:
        raise errors.InvalidArgumentError(
            None,
            op,
            f"cannot compute {op.type} as input #{index}(zero-based) was expected to be a {_named(before)} tensor "
            f"but is a "
            f"{_named(dtype)} tensor [Op:{op.type}]. Write tf.cast(..., tf.{before.name}).",
        )
    first = next(p.name for p in op.inputs if p.type == param.type)
    if first == param.name:
        found = ", ".join(item.dtype.name if isinstance(item, Tensor) else type(item).__name__ for item in items)
        raise TypeError(
            f"Tensors in list passed to '{param.name}' of '{op.type}' Op have types [{found}] that don't all match. "
            f"Write tf.cast(..., tf.{before.name})."
        )
    raise TypeError(
        f"Input '{param.name}' of '{op.type}' Op has type {dtype.name} that does not match type {before.name} of "
        f"argument "
        f"'{first}'. Write tf.cast(..., tf.{before.name})."
    )


def _not_allowed(op: Op, variable: str, found: DType, allowed: Any, eager: bool) -> Exception:
    names = ", ".join(d.name for d in dtypes.ALL if d in allowed)
    if eager:
        return errors.InvalidArgumentError(
            None,
            op,
            f"Value for attr '{variable}' of {_named(found)} is not in the list of allowed values: {names} "
            f"[Op:{op.type}]",
        )
    param = next((p.name for p in op.inputs if p.type == variable), variable)
    return TypeError(
        f"Value passed to parameter '{param}' of '{op.type}' has DataType {found.name} not in list of allowed "
        f"values: {names}"
    )


def failed(op: Op, error: Exception, tensors: Sequence[Any]) -> Exception:
    """What a kernel's exception becomes: a NumPy error is translated, an ``OpError`` names its op, others stay."""
    if isinstance(error, errors.OpError):
        return located(error, op)
    if isinstance(error, TypeError) and op.pure and not isinstance(error, errors.OpError):
        return located(translate(op, error, tensors), op)  # what a kernel says of arrays that do not fit
    if isinstance(error, (ValueError, ZeroDivisionError, IndexError, OverflowError, np.exceptions.AxisError)):
        return located(translate(op, error, tensors), op)
    return error


def tell(op: Op, attrs: Mapping[str, Any], inputs: list[Any], outputs: list[Any]) -> None:
    """Tells this thread's tapes that an op of the current level ran."""
    graph = state.graph
    for tape in state.tapes:
        if tape.level is graph and tape.recording:
            tape.record(op, attrs, inputs, outputs)


def translate(op: Op, error: Exception, tensors: Sequence[Any]) -> errors.OpError:
    """A NumPy error of a kernel as TensorFlow's class, with the shapes that did not fit."""
    shapes = ", ".join(f"{_named(t.dtype)}{list(np.shape(t._a))}" for t in tensors if t.dtype.np is not None)
    text = str(error) or type(error).__name__
    return errors.InvalidArgumentError(None, op, f"{text} (inputs: {shapes})")


def located(error: errors.OpError, op: Op) -> errors.OpError:
    """Adds the op to the message of a run-time error, once."""
    error.name_op(op.type)
    return error


def named(name: Any, default: str) -> Any:
    """``name``, or ``default`` for an empty one.  A tensor is left to `bind`, which has no use for one eagerly."""
    return name if isinstance(name, Tensor) else name or default


def name_scope(name: str | None, default: str | None = None) -> AbstractContextManager[str]:
    """A name scope for the ops made inside; in eager mode it changes nothing but the names variables get."""
    base: Any = name if name is not None else default
    graph = state.graph
    if base.__class__ is not str and base is not None and not isinstance(base, str):
        if graph is not None and (isinstance(base, Tensor) or base):
            raise TypeError(f"A name must be a string, not {base!r:.100}.")
        base = default  # eagerly nothing asks for it
    if graph is not None:
        return graph.scope(base)  # type: ignore[no-any-return]
    if not base:
        return _EagerScope("")
    return _EagerScope(base if base.endswith("/") else f"{state.scope}{base}/")


class _EagerScope(setting):
    """A name scope in eager mode; entering gives its name."""

    __slots__ = ()

    def __init__(self, scope: str) -> None:
        super().__init__(scope=scope)

    def __enter__(self) -> str:
        super().__enter__()
        return self.values["scope"]  # type: ignore[no-any-return]


def bind_binary(op: Op, x: Any, y: Any, name: str | None = None) -> Any:
    """Binds an arithmetic op whose second operand is converted towards the dtype of the first, if it can be."""
    if x.__class__ is EagerTensor and y.__class__ is EagerTensor:
        return bind(op, (x, y), None, name)
    graph = state.graph
    if graph is not None:
        return graph.bind(op, (x, y), None, name, hinted=True)
    x = make(x, None, None, "x")
    return run(op, (x, make(y, None, x.dtype, "y")))
