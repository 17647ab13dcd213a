"""``tf.function``: the decorator, and Function, which traces, caches and runs."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import sys
import threading
import time
import types
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from graphlab.core.errors import Positioned
from graphlab.core.export import public
from graphlab.core.position import Place, is_internal
from graphlab.core.state import ACTIVE, Modes, state
from graphlab.tracing import records, tracer
from graphlab.tracing.cache import Cache
from graphlab.tracing.concrete import ConcreteFunction, accessed
from graphlab.tracing.guards import MISS, Guard, make_guard, never
from graphlab.tracing.locks import Claim
from graphlab.tracing.reasons import Key as PlainKey
from graphlab.tracing.reasons import Reason, closest, differences, generalisations
from graphlab.tracing.records import Log, TraceRecord
from graphlab.tracing.retracing import Frequency
from graphlab.tracing.signature import Bound, Key, Signature
from graphlab.tracing.trace_types import VariableType, bounded

_SETTLED: Final = 10
"""Hits after a trace until a guard is installed; until then they are counted, for the warning about frequent traces."""

_MAX_DEPTH: Final = 64
"""Traces of one Function inside each other, for the same key, that end recursion with an error."""

_ATTRIBUTES: Final = frozenset(("implements", "api_implements", "api_preferred_device", "jit_compile"))


@public("types.experimental.PolymorphicFunction", "types.experimental.GenericFunction")
class Function:
    """A Python function that runs as graphs, one for each type of arguments it is called with.

    Made by ``tf.function``.  A call binds its arguments to the signature, forms their trace types, and runs the graph
    that was traced for them; if there is none, the Python function is called once with symbolic arguments, and what it
    does to them becomes the graph.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
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
        if not callable(python_function) and not isinstance(python_function, classmethod):
            raise TypeError(
                f"tf.function decorates functions and other callables, but {python_function!r} is not callable."
            )
        for attribute in experimental_attributes or ():
            if attribute not in _ATTRIBUTES and not attribute.startswith("_"):
                raise ValueError(f"{attribute!r} is not an attribute of functions that tf.function knows.")
        self._python_function = python_function
        self._name = name or _name_of(python_function)
        self._options: dict[str, Any] = {
            "input_signature": input_signature,
            "autograph": autograph,
            "jit_compile": jit_compile,
            "reduce_retracing": reduce_retracing,
            "experimental_autograph_options": experimental_autograph_options,
            "experimental_attributes": experimental_attributes,
        }
        self._autograph = bool(autograph)
        self._reduce_retracing = bool(reduce_retracing)
        self._bound: dict[int, Function] = {}
        self._start(None)
        self.ordinal = records.count_made(_code_of(python_function))
        self._wrap(python_function.__func__ if isinstance(python_function, classmethod) else python_function)
        self.__signature__ = inspect.Signature(self._signature.parameters, __validate_parameters__=False)

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
        python_function: Any = self._python_function
        if isinstance(python_function, classmethod):
            python_function = python_function.__func__
        self._signature = Signature(
            python_function, self_reference is not None, self._options["input_signature"], self._name
        )
        self._guard: Guard = never
        self._hits = 0
        self._cache = Cache()
        self._claims: dict[Key, Claim] = {}
        self._lock = threading.Lock()
        self._first = threading.RLock()  # held during the first call, which may make variables
        self._initialised = False
        self._creation: ConcreteFunction | None = None
        self._number = 1
        self._pending: dict[int, PlainKey] = {}
        self._converted: Callable[..., Any] | None = None
        self._frequency = Frequency()
        self.log = Log()
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
            result = self._guard(args)
            if result is not MISS:
                return result
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if Modes.functions_eagerly:
            return self._call_eagerly(args, kwargs)
        signature = self._signature
        bound = signature.bind(args, kwargs)
        key = signature.key(bound)
        concrete = self._cache.find(key)
        traced = concrete is None
        watched = records.watching()
        if traced:
            try:
                concrete = self._obtain(key, bound, requested=False)
            except BaseException:
                if watched:
                    self._publish(None, False, key, bound)
                raise
        else:
            self._hit(concrete, args, kwargs)
        if watched:
            self._publish(concrete, traced, key, bound)
        types_ = concrete.key.types
        if state.tapes:
            for value, type_ in zip(bound.values, types_, strict=True):
                if type(type_) is VariableType:
                    accessed(value)
        return concrete.run(concrete.key.to_tensors(bound.values))

    def _call_eagerly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = self.python_function(*args, **kwargs)
        if records.watching():
            bound = self._signature.bind(args, kwargs)
            key = Signature.key(self._signature, bound)
            self._publish(None, False, key, bound)
        return result

    def _hit(self, concrete: ConcreteFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Counts a call that needed no trace; after enough of them in a row, installs a guard for this kind of call."""
        self._frequency.hit()
        self._hits += 1
        if self._hits < _SETTLED or kwargs or ACTIVE:
            return
        self._hits = 0
        found = concrete.guards.get(len(args), MISS)
        if found is MISS:
            simple = self._signature.plain(len(args))
            found = make_guard(concrete.graph, concrete.key, len(args)) if simple else None
            concrete.guards[len(args)] = found
        if found is not None:
            self._guard = found

    def _publish(self, concrete: ConcreteFunction | None, traced: bool, key: Key, bound: Bound) -> None:
        number = None if concrete is None else concrete.number
        record = self.log.add_call(self._name, number, traced, key.describe(bound.defaulted), records.caller())
        records.publish(self, record)

    # -- tracing -------------------------------------------------------------------------------------------------------

    def _obtain(self, key: Key, bound: Bound, requested: bool) -> ConcreteFunction:
        """The concrete function for a key that was not in the cache: traced here, or by another thread meanwhile."""
        if not self._initialised:
            with self._first:
                if not self._initialised and not self._tracing_here():
                    return self._first_trace(key, bound, requested)
        general, used = key, []
        if self._reduce_retracing and len(self._cache):
            general, used = self._cache.generalise(key)
            if general == key:
                used = []
        while True:
            with self._lock:
                found = self._cache.find(key)
                if found is not None:
                    return found  # type: ignore[no-any-return]
                claim = self._claims.get(general)
                mine = claim is None
                if claim is None:
                    claim = self._claims[general] = Claim()
            if mine:
                try:
                    return self._trace(general, bound, requested, used, key)
                finally:
                    with self._lock:
                        del self._claims[general]
                    claim.release()
            if claim.mine:
                self._check_recursion(general)
            elif claim.wait():
                continue
            # Waiting would never end: the copy that is finished first is kept.
            return self._trace(general, bound, requested, used, key)

    def _tracing_here(self) -> bool:
        return any(frame.owner is self for frame in tracer.frames())

    def _first_trace(self, key: Key, bound: Bound, requested: bool) -> ConcreteFunction:
        """The first trace may make variables; if it does, a second one, which may not, is made at once and kept."""
        claim = Claim()
        with self._lock:
            self._claims[key] = claim
        try:
            if self._creation is None:
                concrete = self._trace(key, bound, requested, [], key, may_create=True)
                created = concrete.graph.variables_created
                if not created:
                    self._initialised = True
                    return concrete
                self._creation = concrete
                self._creation_count = len(created)
            why = [Reason("retrace.variables_created", {"count": self._creation_count})]
            concrete = self._trace(key, bound, requested, [], key, why=why)
            self._initialised = True
            return concrete
        finally:
            with self._lock:
                if self._claims.get(key) is claim:
                    del self._claims[key]
            claim.release()

    def _check_recursion(self, key: Key) -> None:
        """Called when this thread is tracing this very key already: the function calls itself.

        RecursionError under a tensor condition, where tracing could not end, and when it is too deep.
        """
        depth = 0
        for frame in tracer.frames():
            if frame.owner is self and frame.key == key:
                depth += 1
                if tracer.under_condition(frame):
                    raise RecursionError(
                        f"{self._name!r} calls itself, with arguments of the same types, under a condition that is a "
                        f"tensor: both branches are traced, so tracing would never end. Use tf.while_loop or a Python "
                        f"`while`, or let a Python number decide."
                    )
        if depth >= _MAX_DEPTH:
            raise RecursionError(
                f"{self._name!r} calls itself with arguments of the same types, {depth} times: tracing would not end."
            )

    def _trace(
        self,
        key: Key,
        bound: Bound,
        requested: bool,
        used: Sequence[Key],
        called: Key,
        may_create: bool = False,
        why: Sequence[Reason] = (),
    ) -> ConcreteFunction:
        """Traces for ``key``, keeps the result and its record.

        Args:
          key: what to trace for.
          bound: the call.
          requested: it was asked for by ``get_concrete_function``.
          used: keys from which ``reduce_retracing`` made ``key`` out of ``called``.
          called: the key of the call.
          may_create: variables may be made; the result is not kept in the cache if they are.
          why: reasons that come before the differences of keys.
        """
        plain = key.describe(bound.defaulted)
        with self._lock:
            number, self._number = self._number, self._number + 1
            earlier = {r.number: r.key for r in self.log.traces} | self._pending
            self._pending[number] = plain
        record = self._record(number, plain, earlier, requested, used, called, bound, why)
        start = time.perf_counter()
        try:
            graph, created = tracer.trace(self, self._name, self._callable(), key, bound, may_create)
        except BaseException as error:
            record.duration = time.perf_counter() - start
            record.error = _described(error)
            with self._lock:
                del self._pending[number]
                if self._number == number + 1:
                    self._number = number
            self.log.failures.append(record)
            raise
        concrete = ConcreteFunction(graph, key, self._name)
        concrete.number = number
        record.duration = time.perf_counter() - start
        record.concrete = weakref.ref(concrete)
        with self._lock:
            del self._pending[number]
            if not (may_create and created):
                kept = self._cache.add(key, concrete)
                if kept is not concrete:
                    return kept  # type: ignore[no-any-return]
            self._guard, self._hits = never, 0
        self.log.add_trace(record)
        if not why:
            self._frequency.traced(self, record)
        return concrete

    def _record(
        self,
        number: int,
        plain: PlainKey,
        earlier: dict[int, PlainKey],
        requested: bool,
        used: Sequence[Key],
        called: Key,
        bound: Bound,
        why: Sequence[Reason],
    ) -> TraceRecord:
        """The record of a trace that begins now: what it is compared with, and why it is made."""
        numbers, keys = list(earlier), list(earlier.values())
        call = called.describe(bound.defaulted)
        index = closest(call, keys)
        reasons = list(why)
        if used:
            reasons += generalisations(plain, [*[k.describe() for k in used], call])
        if index is None:
            reasons = reasons or [Reason("retrace.first")]
        else:
            if requested:
                reasons.append(Reason("retrace.requested"))
            reasons += differences(call, keys[index])
        python: Any = self._python_function
        return TraceRecord(
            function=self._name,
            number=number,
            key=plain,
            closest=None if index is None else numbers[index],
            reasons=tuple(reasons or [Reason("retrace.same")]),
            site=records.resolve(records.caller()),
            made_at=self.made_at,
            ordinal=self.ordinal,
            started=time.time(),
            reduced=bool(used),
            python=_weak(python),
        )

    def _callable(self) -> Callable[..., Any]:
        """What is called while tracing: the Python function, converted unless AutoGraph is off, with ``self`` bound."""
        python_function: Any = self._python_function
        if isinstance(python_function, classmethod):
            python_function = python_function.__func__
        kind = python_function if inspect.isroutine(python_function) else _call_method(python_function)
        if inspect.iscoroutinefunction(kind) or inspect.isasyncgenfunction(kind):
            raise TypeError(
                f"{self._name!r} is a coroutine function: a graph cannot wait. Make the part that computes a plain "
                "function, decorate that, and call it from the coroutine."
            )
        if inspect.isgeneratorfunction(kind):
            raise TypeError(
                f"{self._name!r} is a generator function: a graph cannot pause. Return a list or a tf.TensorArray; a "
                "helper that a traced function calls may be a generator."
            )
        converted = self._converted
        if converted is None:
            converted = python_function
            if self._autograph:
                try:
                    from graphlab.autograph import convert
                except ImportError:
                    convert = lambda f: f
                converted = convert(python_function)
            self._converted = converted
        if self._self is None:
            return converted
        return functools.partial(converted, self._instance())

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
        found = self._cache.find(key)
        if found is None:
            found = self._obtain(key, bound, requested=True)
        return found  # type: ignore[no-any-return]

    def experimental_get_tracing_count(self) -> int:
        """How many times the Python function was traced."""
        return len(self._cache) + (self._creation is not None)

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of all concrete functions, as text."""
        return "\n\n".join(c.pretty_printed_signature(verbose) for c in self._cache.values())

    def concrete_functions(self) -> list[ConcreteFunction]:
        """The concrete functions that exist, in the order in which they were made."""
        return self._cache.values()

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
            return types.MethodType(self._python_function, self._instance())
        return self._python_function

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
    def options(self) -> dict[str, Any]:
        """The arguments that ``tf.function`` was given."""
        return dict(self._options)

    @property
    def made_at(self) -> Place:
        """Where the Python function is defined."""
        code = _code_of(self._python_function)
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
        key = self._signature.key(bound)
        plain = key.describe(bound.defaulted)
        found = self._cache.find(key)
        if found is not None:
            return found.number, plain, ()
        keys = [record.key for record in self.log.traces]
        index = closest(plain, keys)
        if index is None:
            return None, plain, (Reason("retrace.first"),)
        reasons: list[Reason] = []
        if self._reduce_retracing:
            general, used = self._cache.generalise(key)
            if general != key:
                reasons += generalisations(general.describe(), [*[k.describe() for k in used], plain])
        return None, plain, tuple([*reasons, *differences(plain, keys[index])] or [Reason("retrace.same")])

    def __repr__(self) -> str:
        return f"<tf.function {self._name!r} of {bounded(self._python_function)}>"

    # -- methods -------------------------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> Function:
        """A Function in a class body is a method: each instance gets a Function with a cache of its own."""
        found = self._bound.get(id(instance))  # an entry goes when its instance does, before the id is used again
        if found is not None:
            return found
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
        new.__signature__ = inspect.Signature(new._signature.parameters, __validate_parameters__=False)
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


def _name_of(python_function: Any) -> str:
    while isinstance(python_function, functools.partial):
        python_function = python_function.func
    if isinstance(python_function, classmethod):
        python_function = python_function.__func__
    return getattr(python_function, "__name__", None) or type(python_function).__name__


def _code_of(python_function: Any) -> types.CodeType | None:
    while True:
        if isinstance(python_function, functools.partial):
            python_function = python_function.func
        elif isinstance(python_function, (classmethod, types.MethodType)):
            python_function = python_function.__func__
        else:
            break
    code = getattr(python_function, "__code__", None)
    if code is None:
        code = getattr(_call_method(python_function), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def _call_method(value: Any) -> Any:
    """``__call__`` of an object that is no function, as its class defines it."""
    return None if isinstance(value, type) else inspect.getattr_static(type(value), "__call__", None)


def _weak(value: Any) -> Callable[[], Any]:
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: None


def _described(error: BaseException) -> tuple[str, str, int | None]:
    """Class, message and the user's line of an error that stopped a trace."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if not is_internal(trace.tb_frame.f_code.co_filename):
            line = trace.tb_lineno
        trace = trace.tb_next
    text = str(error.args[0]) if isinstance(error, Positioned) and error.args else str(error)
    return type(error).__name__, bounded_text(text), line


def bounded_text(text: str, limit: int = 500) -> str:
    """A message, cut where it is long."""
    return text if len(text) <= limit else text[:limit] + "…"


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
    ...     if tf.reduce_sum(x) > 0:
    ...         return x * x
    ...     return -x
    >>> f(tf.constant(-2.0))
    <tf.Tensor: shape=(), dtype=float32, numpy=2.0>
    >>> f.experimental_get_tracing_count()
    1
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
    >>> tf.function(lambda x: x.numpy())(tf.constant(3))
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
