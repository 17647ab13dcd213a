"""``tf.function``: the decorator, and Function, which traces, caches and runs."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

from graphlab.autograph import convert, filtered, note_off
from graphlab.core.export import public, resolve
from graphlab.core.position import Place
from graphlab.core.state import ACTIVE, Modes, restore, snapshot, state
from graphlab.tracing import public_types, records
from graphlab.tracing.callables import code_of, name_of, plain, refuse, weak
from graphlab.tracing.concrete import ConcreteFunction, accessed
from graphlab.tracing.guards import MISS, Guard, make_guard, never
from graphlab.tracing.reasons import Key as PlainKey
from graphlab.tracing.reasons import Reason
from graphlab.tracing.records import CallRecord, Log, TraceRecord
from graphlab.tracing.signature import Bound, Key, Signature
from graphlab.tracing.trace_types import VariableType, bounded
from graphlab.tracing.traces import Traces

_SETTLED: Final = 10
"""Hits after a trace until a guard is installed; until then they are counted, for the warning about frequent traces."""

_ATTRIBUTES: Final = frozenset(("implements", "api_implements", "api_preferred_device", "jit_compile"))


@public_types.Callable.register
@public("types.experimental.PolymorphicFunction", "types.experimental.GenericFunction")
class Function:
    """A Python function that runs as graphs, one for each type of arguments it is called with.

    Made by ``tf.function``.  A call binds its arguments to the signature, forms their trace types, and runs the graph
    that was traced for them; if there is none, the Python function is called once with symbolic arguments, and what it
    does to them becomes the graph.
    """

    def __init__(
        self,
        python_function: Any,
        name: str | None = None,
        input_signature: Any = None,
        autograph: bool = True,
        jit_compile: bool | None = None,
        reduce_retracing: bool = False,
        experimental_autograph_options: Any = None,
        experimental_attributes: Any = None,
    ) -> None:
        self._unbound: staticmethod[..., Any] | None = None
        if isinstance(python_function, staticmethod):
            self._unbound = python_function
            python_function = python_function.__func__
        if not callable(plain(python_function)):
            raise TypeError(
                f"tf.function decorates functions and other callables, but {python_function!r} is not callable."
            )
        for attribute in experimental_attributes or ():
            if attribute not in _ATTRIBUTES and not attribute.startswith("_"):
                raise ValueError(f"{attribute!r} is not an attribute of functions that tf.function knows.")
        self._python_function = python_function
        self._name = name or name_of(python_function)
        self._options: dict[str, Any] = {
            "input_signature": input_signature,
            "autograph": autograph,
            "jit_compile": jit_compile,
            "reduce_retracing": reduce_retracing,
            "experimental_autograph_options": experimental_autograph_options,
            "experimental_attributes": experimental_attributes,
        }
        self._autograph = bool(autograph)
        self._bound: dict[int, Function] = {}
        self.ordinal = records.count_made(code_of(python_function))
        self._start(None)
        self._wrap(plain(python_function))
        self.__signature__ = self._visible()

    def _visible(self) -> inspect.Signature:
        annotations = getattr(plain(self._python_function), "__annotations__", None) or {}
        result = annotations.get("return", inspect.Signature.empty)
        return inspect.Signature(self._signature.parameters, return_annotation=result, __validate_parameters__=False)

    def _wrap(self, python_function: Any) -> None:
        """Takes over name, docstring and the attributes that the user set on the function."""
        functools.update_wrapper(self, python_function, updated=())
        self.__name__ = getattr(python_function, "__name__", self._name)
        attributes = {} if isinstance(python_function, Function) else getattr(python_function, "__dict__", {})
        for name, value in attributes.items():
            if inspect.isroutine(python_function):
                self.__dict__.setdefault(name, value)

    def _start(self, self_reference: Callable[[], Any] | None) -> None:
        """Makes everything that one instance has for its own: signature, cache, records."""
        self._self = self_reference
        self._signature = Signature(
            plain(self._python_function), self_reference is not None, self._options["input_signature"], self._name
        )
        self._guard: Guard = never
        self._hits = 0
        self._lock = threading.Lock()
        self.traces = Traces(
            self._name,
            weakref.WeakMethod(self._callable),
            self._options,
            self.made_at,
            self.ordinal,
            weak(plain(self._python_function)),
        )
        records.register(self)

    # -- calling -------------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph for these arguments, tracing it first if there is none.

        Raises:
          TypeError: arguments do not fit the Python signature or ``input_signature``, or have no trace type; or the
            function returns what is no tensor.
          ValueError: the function makes variables on a call that is not its first.
          Whatever the Python function raises while it is traced, and the graph when it runs.
        """
        if not ACTIVE and not kwargs:
            try:
                result = self._guard(args)
            except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
                __tracebackhide__ = True
                raise filtered(error)  # noqa: B904
            if result is not MISS:
                return result
        before = snapshot()
        try:
            return self._call(args, kwargs)
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
            __tracebackhide__ = True  # IPython and pytest leave this frame out
            restore(before)
            raise filtered(error)  # noqa: B904 - the same exception, without our own frames
        except BaseException:
            restore(before)
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if Modes.functions_eagerly:
            return self._call_eagerly(args, kwargs)
        signature = self._signature
        bound = signature.bind(args, kwargs)
        if signature.of_method:  # called on the class, with the instance as its first argument
            return self._bind_to(bound.values[0])(*bound.values[1:])
        key = signature.key(bound)
        concrete = self.traces.cache.find(key)
        traced = concrete is None
        watched = records.watching()
        if traced:
            try:
                concrete = self._trace(key, bound, requested=False)
            except BaseException:
                if watched:
                    self._publish(None, False, key, bound)
                raise
        else:
            self._hit(concrete, args, kwargs)
        call = self._publish(concrete, traced, key, bound) if watched else None
        types_ = concrete.key.types
        if state.tapes:
            for value, type_ in zip(bound.values, types_, strict=True):
                if type(type_) is VariableType:
                    accessed(value)
        tensors = concrete.key.to_tensors(bound.values)
        return concrete.run(tensors) if call is None else call.run(concrete, tensors)

    def _call_eagerly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            return self.python_function(*args, **kwargs)
        finally:
            if records.watching():
                with suppress(TypeError, ValueError):  # arguments that do not fit: the call's own error says so
                    bound = self._signature.bind(args, kwargs)
                    key = Signature.key(self._signature, bound)
                    self._publish(None, False, key, bound)

    def _hit(self, concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Counts a call that needed no trace; after enough of them in a row, installs a guard for this kind of call."""
        self.traces.frequency.hit()
        self._hits += 1
        if self._hits < _SETTLED or kwargs or ACTIVE:
            return
        self._hits = 0
        watched = records.watching()
        kind = (len(args), watched)
        found = concrete.guards.get(kind, MISS)
        if found is MISS:
            counter = self.log.counter(self, concrete.number, concrete.plain) if watched else None
            simple = self._signature.plain(len(args))
            found = make_guard(concrete.graph, concrete.key, len(args), counter) if simple else None
            concrete.guards[kind] = found
        if found is not None:
            self._guard = found

    def unguard(self) -> None:
        """Makes the next calls go the long way, until they have settled again."""
        self._guard, self._hits = never, 0

    def change_guard(self) -> None:
        """Watching begins or ends: the next call goes the long way, and calls that had settled are settled after it."""
        if self._guard is not never:
            self._guard, self._hits = never, _SETTLED - 1

    def _publish(self, concrete: ConcreteFunction | None, traced: bool, key: Key, bound: Bound) -> CallRecord:
        number = None if concrete is None else concrete.number
        exact = concrete is not None and not bound.defaulted and key == concrete.key
        plain_key = concrete.plain if exact and concrete is not None else key.describe(bound.defaulted)
        record = self.log.add_call(self._name, number, traced, plain_key, records.caller())
        records.publish(self, record)
        return record

    def _trace(self, key: Key, bound: Bound, requested: bool) -> ConcreteFunction:
        before = snapshot()
        try:
            concrete = self.traces.obtain(key, bound, requested)
        except BaseException:
            restore(before)
            raise
        self.unguard()  # hits are counted anew, and a more specific trace may have been made
        return concrete

    # -- tracing -------------------------------------------------------------------------------------------------------

    def _callable(self) -> Callable[..., Any]:
        """What is called while tracing: the Python function, converted unless AutoGraph is off, with ``self`` bound."""
        python_function = plain(self._python_function)
        refuse(python_function, self._name)
        if self._autograph:
            converted = convert(python_function)
        else:
            converted = python_function
            note_off(code_of(python_function))
        return converted if self._self is None else functools.partial(converted, self._instance())

    def _instance(self) -> Any:
        instance = self._self() if self._self is not None else None
        if instance is None:
            raise ReferenceError(
                f"The object whose method {self._name!r} was called does not exist any more: a tf.function holds it "
                "weakly, so that it can be freed. Keep it in a variable while you call its methods."
            )
        return instance

    # -- concrete functions --------------------------------------------------------------------------------------------

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The concrete function for arguments of these types, traced if there is none.

        Args:
          *args: values, or specs in their place; with ``input_signature`` they may be left out.
          **kwargs: likewise.

        Raises:
          TypeError: as a call.

        >>> import graphlab as tf
        >>> f = tf.function(lambda x: x + 1)
        >>> f.get_concrete_function(tf.TensorSpec([None], tf.int32)).structured_input_signature
        ((TensorSpec(shape=(None,), dtype=tf.int32, name='x'),), {})
        """
        signature = self._signature
        if signature.demanded is not None and not args and not kwargs:
            bound = signature.bind_demanded()
            key = signature.demanded
        else:
            bound = signature.bind(args, kwargs)
            key = signature.key(bound)
        found = self.traces.cache.find(key)
        if found is None:
            found = self._trace(key, bound, requested=True)
        return found  # type: ignore[no-any-return]

    def experimental_get_tracing_count(self) -> int:
        """How many times the Python function was traced."""
        return len(self.traces)

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of all concrete functions, as text."""
        return "\n\n".join(c.pretty_printed_signature(verbose) for c in self.traces.cache.values())

    def concrete_functions(self) -> list[ConcreteFunction]:
        """The concrete functions that exist, in the order in which they were made."""
        return self.traces.cache.values()

    _list_all_concrete_functions = concrete_functions

    # -- facts ---------------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._name

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function, bound to its instance if this is a method."""
        if self._self is not None:
            return types.MethodType(plain(self._python_function), self._instance())
        return plain(self._python_function)  # type: ignore[no-any-return]

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The ``input_signature``, or None."""
        return self._signature.input_signature

    @property
    def function_spec(self) -> Signature:
        """How calls are bound to the Python signature."""
        return self._signature

    @property
    def function_type(self) -> Signature:
        """As ``function_spec``."""
        return self._signature

    @property
    def log(self) -> Log:
        """The records of its traces, and of its calls while it was watched."""
        return self.traces.log

    @property
    def options(self) -> dict[str, Any]:
        """The arguments that ``tf.function`` was given."""
        return dict(self._options)

    @property
    def made_at(self) -> Place:
        """Where the Python function is defined."""
        code = code_of(self._python_function)
        if code is None:
            return records.NOWHERE
        return Place(code.co_filename, code.co_firstlineno, code.co_firstlineno, None, None, code.co_name)

    def explain(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[int | None, PlainKey, tuple[Reason, ...]]:
        """What a call would do, without doing it.

        Returns:
          The number of the trace that would run (None: it would trace), the key as plain data, and, if it would trace,
          the reasons.
        """
        bound = self._signature.bind(tuple(args), kwargs)
        return self.traces.explain(self._signature.key(bound), bound)

    def explore(self, *args: Any, **kwargs: Any) -> Any:
        """Sliders for shapes, dtypes and values of the arguments, which say live whether a call would trace.

        Args:
          *args: A call to begin with, values or specs; by default one of the last trace's kind.
          **kwargs: Likewise.

        Returns:
          A widget for notebooks; see ``tf.explore``.
        """
        return resolve("explore")(self, *args, **kwargs)

    def __repr__(self) -> str:
        return f"<tf.function {self._name!r} of {bounded(self._python_function)}>"

    # -- methods -------------------------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> Function:
        """A Function in a class body is a method: each instance gets a Function with a cache of its own."""
        try:
            return self._bound[id(instance)]  # an entry goes when its instance does, before the id is used again
        except KeyError:
            pass
        if self._unbound is not None:
            return self
        if isinstance(self._python_function, classmethod):
            return self._bind_to(owner if instance is None else type(instance))
        return self if instance is None else self._bind_to(instance)

    def _bind_to(self, instance: Any) -> Function:
        number, bound_functions = id(instance), self._bound

        def forget(reference: Any) -> None:
            found = bound_functions.get(number)
            if found is not None and found._self is reference:
                del bound_functions[number]

        try:
            reference = weakref.ref(instance, forget)
        except TypeError:
            raise TypeError(
                f"cannot create weak reference to {type(instance).__name__!r} object: a class whose method is a "
                f"tf.function must allow it. Add '__weakref__' to its __slots__."
            ) from None
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new._bound = {}
        new._start(reference)
        new.__signature__ = new._visible()
        with self._lock:
            found = bound_functions.get(number)
            if found is not None and found._self is not None and found._self() is instance:
                return found
            bound_functions[number] = new
        return new

    # -- copies --------------------------------------------------------------------------------------------------------

    def _again(self, python_function: Any) -> Function:
        new = Function(python_function, self._name, **self._options)
        if self._self is not None:
            new._start(self._self)
        return new

    def __copy__(self) -> Function:
        return self._again(self._python_function)

    def __deepcopy__(self, memo: dict[int, Any]) -> Function:
        # Graphs are not copied: the copy traces for itself.
        new = self._again(copy.deepcopy(self._python_function, memo))
        memo[id(self)] = new
        return new

    def __reduce__(self) -> str:
        found: Any = sys.modules.get(getattr(self._python_function, "__module__", "") or "")
        qualname = getattr(self._python_function, "__qualname__", "")
        for part in qualname.split("."):
            found = getattr(found, part, None)
        if found is not self:
            raise pickle.PicklingError(
                f"{self!r} cannot be pickled: graphs are not, and it is not found as {qualname!r} in its module. "
                "Pickle the Python function (f.python_function), and decorate it where it is loaded."
            )
        return str(qualname)


@public("function")
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Makes a Python function run as graphs.

    Args:
      func: the function; None returns a decorator.
      input_signature: a list of specs, one for each argument (in structures like the arguments): there is one trace,
        made for them, and calls that do not fit are errors.  Arguments beyond the list are frozen at their defaults.
      autograph: convert ``if``, ``while``, ``for`` and so on, so that tensors may decide.
      jit_compile: compile with XLA; without the extra it runs like any other.
      reduce_retracing: when shapes change, trace once for a general shape instead of once for each.
      experimental_implements: a name of what the function computes; kept as an attribute of the graph.
      experimental_autograph_options: optional features of AutoGraph.
      experimental_attributes: attributes of the graph's function.
      experimental_relax_shapes: an older name of ``reduce_retracing``.
      experimental_compile: an older name of ``jit_compile``.
      experimental_follow_type_hints: accepted and without effect.

    Returns:
      A Function, or a decorator that makes one.

    Raises:
      TypeError: ``func`` is not callable, or ``input_signature`` does not go with it.
      ValueError: an attribute is unknown.

    >>> import graphlab as tf
    >>> @tf.function
    ... def f(x):
    ...     print("traced for", x.shape)
    ...     return x * x
    >>> f(tf.constant([1, 2])).numpy(), f(tf.constant([3, 4])).numpy()
    traced for (2,)
    (array([1, 4], dtype=int32), array([ 9, 16], dtype=int32))
    """
    del experimental_follow_type_hints
    if experimental_relax_shapes is not None:
        reduce_retracing = experimental_relax_shapes
    if experimental_compile is not None:
        jit_compile = experimental_compile
    attributes = dict(experimental_attributes or {})
    if experimental_implements is not None:
        attributes["implements"] = experimental_implements

    def decorated(inner: Callable[..., Any]) -> Function:
        return Function(
            inner,
            None,
            input_signature,
            autograph,
            jit_compile,
            reduce_retracing,
            experimental_autograph_options,
            attributes,
        )

    return decorated if func is None else decorated(func)


@public("config.run_functions_eagerly", "config.experimental_run_functions_eagerly")
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Makes every ``tf.function`` run its Python function directly, in all threads, until it is switched off.

    >>> import graphlab as tf
    >>> tf.config.run_functions_eagerly(True)
    >>> tf.function(lambda x: x.numpy().item())(tf.constant(3))
    3
    >>> tf.config.run_functions_eagerly(False)
    """
    if bool(run_eagerly) == Modes.functions_eagerly:
        return
    Modes.functions_eagerly = bool(run_eagerly)
    if run_eagerly:
        ACTIVE.append(_EAGERLY)
    else:
        ACTIVE.remove(_EAGERLY)


_EAGERLY: Final = "functions run eagerly"


@public("config.functions_run_eagerly", "config.experimental_functions_run_eagerly")
def functions_run_eagerly() -> bool:
    """True while ``run_functions_eagerly(True)`` is in force."""
    return Modes.functions_eagerly


def made(functions: Iterable[Function]) -> list[TraceRecord]:
    """The records of the traces of several Functions, for advice about the place."""
    return [record for function in functions for record in function.log.traces]
