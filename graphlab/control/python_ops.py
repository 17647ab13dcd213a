"""Python functions as ops: ``tf.py_function`` (on tensors, differentiable) and ``tf.numpy_function`` (on arrays)."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from graphlab.core import dtypes, errors, nest
from graphlab.core.convert import make
from graphlab.core.dispatch import bind
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, REQUIRED, define
from graphlab.core.specs import TensorSpec
from graphlab.core.state import building, setting, state
from graphlab.core.tensor import Tensor, wrap
from graphlab.eager.tape import GradientTape, paused

_CLASSES: tuple[tuple[type[BaseException], Any], ...] = (
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
    (TypeError, errors.InvalidArgumentError),
    (ValueError, errors.InvalidArgumentError),
)


def _failed(error: Exception) -> errors.OpError:
    """A Python exception as the class that an op fails with."""
    if isinstance(error, errors.OpError):
        return error
    for python, ours in _CLASSES:
        if isinstance(error, python):
            failure: errors.OpError = ours(None, None, f"{type(error).__name__}: {error}")
            return failure
    return errors.UnknownError(None, None, f"{type(error).__name__}: {error}")


def _call(function: Callable[..., Any], arguments: list[Any], Tout: list[Any]) -> list[Any]:
    """Calls the function eagerly, as plain Python; returns tensors of the dtypes that were said."""
    try:
        with setting(autograph=False):
            result = function(*arguments)
    except Exception as error:
        raise _failed(error) from error
    return _results(function, result, Tout)


def _results(function: Any, result: Any, Tout: list[Any]) -> list[Any]:
    """What a function returned as tensors of the dtypes that were said."""
    values = nest.flatten(result) if Tout else []
    if result is None:
        values = []
    if len(values) != len(Tout):
        raise errors.InvalidArgumentError(
            None, None, f"{_name(function)} returns {len(values)} values, but expects to see {len(Tout)} values."
        )
    tensors = []
    for value, wanted in zip(values, Tout, strict=True):
        if not isinstance(value, Tensor):
            try:
                value = make(value, None if isinstance(value, (np.ndarray, np.generic)) else wanted)
            except (TypeError, ValueError) as error:
                raise errors.InvalidArgumentError(
                    None, None, f"{_name(function)} returns {value!r:.100}: {error}"
                ) from None
        if value.dtype is not wanted:
            raise errors.InvalidArgumentError(
                None, None, f"{_name(function)} returns {value.dtype.name}, but expects {wanted.name}."
            )
        tensors.append(value)
    return tensors


def _name(function: Any) -> str:
    return getattr(function, "__name__", repr(function))


# id(first result array) → what the gradient of that run needs; an entry goes with its array.
_runs: dict[int, tuple[Any, GradientTape, list[Any], list[Any]]] = {}


def _run(arrays: list[Any], function: Callable[..., Any], Tout: list[Any]) -> list[Any]:
    inputs = [wrap(a) for a in arrays]
    with building(None), paused(), GradientTape(persistent=True) as tape:
        tape.watch([t for t in inputs if t.dtype.is_floating or t.dtype.is_complex])
        outputs = _call(function, inputs, Tout)
    results = [np.array(t._a) if not isinstance(t._a, np.ndarray) or t._a.ndim == 0 else t._a.view() for t in outputs]
    if results and tape.entries:
        key = id(results[0])
        _runs[key] = (weakref.ref(results[0], lambda _: _runs.pop(key, None)), tape, inputs, outputs)
    return results


def _backward(
    arrays: list[Any], dys: list[Any], function: Callable[..., Any], given: list[int], Tout: list[Any]
) -> list[Any]:
    count = len(arrays) - 1
    inputs_now, first = arrays[:count], arrays[count]
    run = _runs.get(id(first))
    with building(None), paused():
        if run is not None and run[0]() is first:
            _, tape, inputs, outputs = run
        else:  # the array was copied on its way: run it once more
            inputs = [wrap(a) for a in inputs_now]
            with GradientTape(persistent=True) as tape:
                tape.watch([t for t in inputs if t.dtype.is_floating or t.dtype.is_complex])
                with setting(autograph=False):
                    outputs = nest.flatten(function(*inputs))
        targets = [outputs[i] for i in given]
        gradients = tape.gradient(
            targets, inputs, output_gradients=[wrap(d) for d in dys], unconnected_gradients="zero"
        )
    return [np.asarray(make(g)._a) for g in gradients]


def _gradient(op: Any, *dys: Any) -> list[Any]:
    given = [i for i, dy in enumerate(dys) if dy is not None and op.outputs[i].dtype.is_floating]
    if not given:
        return [None] * len(op.inputs)
    results = bind(
        BACKWARD,
        ([*op.inputs, op.outputs[0]], [dys[i] for i in given]),
        {"function": op.attrs["function"], "given": given, "Tout": [t.dtype for t in op.inputs]},
    )
    for gradient, source in zip(results, op.inputs, strict=True):
        if hasattr(gradient, "op"):
            gradient.set_shape(source.shape)
    return [g if t.dtype.is_floating or t.dtype.is_complex else None for g, t in zip(results, op.inputs, strict=True)]


EAGER_PY_FUNC = define(
    "EagerPyFunc",
    "input: *Tin -> output: *Tout",
    kernel=_run,
    infer=lambda args, attrs: [None] * len(attrs["Tout"]),
    gradient=_gradient,
    attrs={"function": REQUIRED, "Tout": REQUIRED},
    effect="io",
    fp=False,
)
BACKWARD = define(
    "EagerPyFuncGrad",
    "input: *Tin, grad: *Tgrad -> output: *Tout",
    kernel=_backward,
    infer=lambda args, attrs: [None] * len(attrs["Tout"]),
    gradient=NOT_DIFFERENTIABLE,  # what ran has been forgotten by then
    attrs={"function": REQUIRED, "given": REQUIRED, "Tout": REQUIRED},
    effect="io",
    fp=False,
)


def _run_numpy(arrays: list[Any], function: Callable[..., Any], Tout: list[Any]) -> list[Any]:
    with building(None), paused():
        given = [a[()] if isinstance(a, np.ndarray) and a.ndim == 0 else np.array(a) for a in arrays]
        return [t._a for t in _call(function, given, Tout)]


def _numpy_op(name: str, effect: str | None) -> Any:
    return define(
        name,
        "input: *Tin -> output: *Tout",
        kernel=_run_numpy,
        infer=lambda args, attrs: [None] * len(attrs["Tout"]),
        gradient=NOT_DIFFERENTIABLE,
        attrs={"function": REQUIRED, "Tout": REQUIRED},
        effect=effect,
        random=True,
        fp=False,
    )


PY_FUNC = _numpy_op("PyFunc", "io")
PY_FUNC_STATELESS = _numpy_op("PyFuncStateless", None)


def _types(Tout: Any) -> tuple[list[Any], list[Any], Any]:
    specs = list(Tout) if isinstance(Tout, (list, tuple)) else [Tout]
    types = [s.dtype if isinstance(s, TensorSpec) else dtypes.as_dtype(s) for s in specs]
    shapes = [s.shape if isinstance(s, TensorSpec) else None for s in specs]
    return types, shapes, Tout


def _packed(outputs: list[Any], shapes: list[Any], Tout: Any) -> Any:
    for tensor, shape in zip(outputs, shapes, strict=True):
        if shape is not None:
            tensor.set_shape(shape)
    return outputs if isinstance(Tout, (list, tuple)) else outputs[0]


def _require_types(Tout: Any) -> None:
    if Tout is None:
        raise TypeError("`Tout` is missing: the dtypes of the results, or [] for none.")


def _decorator(op: Callable[..., Any], **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What makes an op of a function, whose arguments are the inputs."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def called(*args: Any) -> Any:
            return op(function, args, **settings)

        return called

    return decorated


def _checked(func: Any, error: type[Exception]) -> Callable[..., Any]:
    if not callable(func):
        raise (TypeError if func is None else error)(f"Expected func to be callable, not {func!r:.100}.")
    return func  # type: ignore[no-any-return]


@public("py_function")
def py_function(
    func: Callable[..., Any] | None = None, inp: Any = None, Tout: Any = None, name: str | None = None
) -> Any:
    """Runs a Python function on eager tensors, as an op: in a graph it runs each time the graph runs.

    Gradients flow through the TensorFlow operations inside.

    Args:
      func: takes as many eager tensors as ``inp`` has, returns values for ``Tout``.
      inp: list of tensors.
      Tout: dtype (or spec), or list of them, of the results; an empty list for none.

    Raises:
      InvalidArgumentError: the function returns another number of values or other dtypes, or raises ValueError or
      TypeError.
      UnknownError: it raises something else.

    >>> import graphlab as tf
    >>> f = tf.function(lambda x: tf.py_function(lambda v: v * 2, [x], tf.float32))
    >>> f(tf.constant(3.0)).numpy()
    np.float32(6.0)

    Without ``func`` it is a decorator: the function's arguments are the inputs.

    >>> @tf.py_function(Tout=tf.float32)
    ... def double(v):
    ...     return v * 2
    >>> double(tf.constant(3.0)).numpy()
    np.float32(6.0)
    """
    _require_types(Tout)
    if func is None and inp is None:
        return _decorator(py_function, Tout=Tout, name=name)
    func = _checked(func, ValueError)
    types, shapes, structure = _types(Tout)
    tensors = [t if isinstance(t, Tensor) else make(t) for t in inp]
    if state.graph is None:
        outputs = _call(func, tensors, types)
    else:
        outputs = bind(EAGER_PY_FUNC, (tensors,), {"function": func, "Tout": types}, name or "EagerPyFunc")
        if not types:
            return outputs
    return _packed(list(outputs), shapes, structure)


@public("numpy_function")
def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Runs a Python function on NumPy arrays, as an op.  No gradient flows through it.

    Args:
      func: takes arrays, returns arrays for ``Tout``.
      inp: list of tensors.
      Tout: dtype or list of dtypes of the results.
      stateful: False lets a graph skip it when nothing uses the results.

    Raises:
      InvalidArgumentError, UnknownError: as ``tf.py_function``; eagerly the function's own exceptions come through.

    >>> import graphlab as tf
    >>> import numpy as np
    >>> tf.numpy_function(np.sinh, [tf.constant(0.0)], tf.float32).numpy()
    np.float32(0.0)

    Without ``func`` it is a decorator, as ``tf.py_function`` is.
    """
    _require_types(Tout)
    if func is None and inp is None:
        return _decorator(numpy_function, Tout=Tout, stateful=stateful, name=name)
    func = _checked(func, TypeError if state.graph is None else ValueError)
    types, shapes, structure = _types(Tout)
    tensors: list[Any] = [t if isinstance(t, Tensor) else make(t) for t in inp]
    if state.graph is None:  # as plain Python, whose exceptions it raises
        with paused(), setting(autograph=False):
            return _packed(_results(func, func(*[np.array(t._a) for t in tensors]), types), shapes, structure)
    op = PY_FUNC if stateful else PY_FUNC_STATELESS
    outputs = bind(op, (tensors,), {"function": func, "Tout": types}, name or op.type)
    return _packed(list(outputs or ()), shapes, structure)
