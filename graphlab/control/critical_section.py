"""``tf.CriticalSection``: what only one thread at a time may do, eagerly and inside of traced functions."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any, Final

from graphlab.core import dtypes, nest
from graphlab.core.convert import convert_to_tensor
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public
from graphlab.core.mutex import Held, Mutex
from graphlab.core.op import NOT_DIFFERENTIABLE, define
from graphlab.core.state import state
from graphlab.core.tensor import SymbolicTensor, wrap
from graphlab.ops.lazily import ops


def _lock(mutex: Mutex) -> Held:
    return mutex.take()


def _consume(lock: Held) -> None:
    lock.release()


MUTEX_LOCK = define("MutexLock", "mutex: resource -> mutex_lock: variant", kernel=_lock,
                    infer=lambda _args, _attrs: (), gradient=NOT_DIFFERENTIABLE, effect="io", fp=False)  # fmt: skip
CONSUME_MUTEX_LOCK = define("ConsumeMutexLock", "mutex_lock: variant", kernel=_consume,
                            infer=lambda _args, _attrs: [], gradient=NOT_DIFFERENTIABLE, effect="io",
                            fp=False)  # fmt: skip

_shared: Final[weakref.WeakValueDictionary[str, Mutex]] = weakref.WeakValueDictionary()
_inside = threading.local()  # the mutexes of the sections whose functions this thread is running or tracing
# Graph → which sections in it use which resources: (mutex, ids of resource tensors, whether it wants them alone).
_uses: Final[weakref.WeakKeyDictionary[Any, list[tuple[Mutex, set[int], bool]]]] = weakref.WeakKeyDictionary()


@public("CriticalSection")
class CriticalSection:
    """Runs functions one at a time: while one thread is in the section, others wait.

    Args:
      name: a name.
      shared_name: sections with the same one exclude each other; by default each is alone.
      critical_section_def: must be None: nothing is read from a graph.
      import_scope: must be None as well.

    Inside of a traced function the section is locked when the graph comes to it, and unlocked when its function has
    run, or the graph fails.

    >>> import graphlab as tf
    >>> section, total = tf.CriticalSection(), tf.Variable(0)
    >>> @tf.function
    ... def add(x):
    ...     return section.execute(lambda: total.assign(total.read_value() + x))
    >>> add(2).numpy(), add(3).numpy()
    (np.int32(2), np.int32(5))
    """

    def __init__(
        self, name: Any = None, shared_name: Any = None, critical_section_def: Any = None, import_scope: Any = None
    ) -> None:
        if critical_section_def is not None or import_scope is not None:
            raise ValueError("A CriticalSection is not made from the definition of another: make it with its name.")
        self._name = "critical_section" if name is None else str(name)
        found = None if shared_name is None else _shared.get(str(shared_name))
        self._mutex = found or Mutex(self._name)
        if shared_name is not None:
            _shared[str(shared_name)] = self._mutex
        self._handle = wrap(self._mutex)

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    def execute(self, fn: Callable[[], Any], exclusive_resource_access: bool = True, name: str | None = None) -> Any:
        """Runs a function in the section.

        Args:
          fn: a function without arguments.
          exclusive_resource_access: while a function is traced, whether no other section in it may use the variables
            that ``fn`` uses.
          name: a name for the nodes.

        Returns:
          What ``fn`` returns, a structure of tensors; None eagerly if it returns None.

        Raises:
          ValueError: if this thread is in the section already, or another section uses the same variables.
        """
        if not callable(fn):
            raise TypeError(f"{type(fn).__name__!r} object is not callable")
        running: list[Mutex] = _inside.__dict__.setdefault("running", [])
        if self._mutex in running:
            raise ValueError(
                f"Attempting to lock a CriticalSection ({self._name}) in which we are already running. This is "
                "illegal and may cause deadlocks."
            )
        running.append(self._mutex)
        try:
            with name_scope(name, "critical_section_execute"):
                graph = state.graph
                if graph is not None:
                    return self._traced(graph, fn, exclusive_resource_access)
                with self._mutex.take():
                    result = fn()
                    return None if result is None else nest.map_structure(_result, result, expand_composites=True)
        finally:
            running.pop()

    def _traced(self, graph: Any, fn: Callable[[], Any], exclusive: bool) -> Any:
        lock = bind(MUTEX_LOCK, (self._handle,))
        before = len(graph.ops)
        result = nest.map_structure(_result, fn(), expand_composites=True)
        used = {id(x) for op in graph.ops[before:] for x in op.inputs if x.dtype is dtypes.resource}
        for mutex, others, alone in _uses.setdefault(graph, []):
            if mutex is not self._mutex and (exclusive or alone) and used & others:
                raise ValueError(
                    f"This execution of the CriticalSection {self._name} would access variables that the section "
                    f"{mutex.name} in this function uses too, and one of them wants them alone. Execute both in one "
                    "section, or both with exclusive_resource_access=False."
                )
        _uses[graph].append((self._mutex, used, exclusive))
        tensors = [x for x in nest.flatten(result, expand_composites=True) if isinstance(x, SymbolicTensor)]
        with graph.control_dependencies([x.op for x in tensors]):
            bind(CONSUME_MUTEX_LOCK, (lock,))
        return result


def _result(value: Any) -> Any:
    if value is None:
        raise ValueError("The function of a CriticalSection returns None, which is no tensor.")
    return ops.identity(convert_to_tensor(value))
