"""Leaving a graph for a moment, control dependencies, and asking where one is."""

from __future__ import annotations

from contextlib import ContextDecorator, nullcontext
from typing import Any

from graphlab.core.dispatch import name_scope as scope_of
from graphlab.core.export import public
from graphlab.core.state import guarded, setting, state


@public("executing_eagerly")
def executing_eagerly() -> bool:
    """True unless this thread is building a graph.

    >>> import graphlab as tf
    >>> tf.executing_eagerly(), bool(tf.function(lambda: tf.constant(tf.executing_eagerly()))())
    (True, False)
    """
    return state.graph is None


@public("inside_function")
def inside_function() -> bool:
    """True while a ``tf.function`` is being traced, in ``tf.init_scope`` too."""
    graph = state.graph
    return state.lifted if graph is None else bool(graph.building_function)


@public("init_scope")
class init_scope(setting, ContextDecorator):  # noqa: N801 - TensorFlow's name
    """Runs its body outside all functions that are being traced: eagerly, unless a plain ``tf.Graph`` lies below.

    >>> import graphlab as tf
    >>> @tf.function
    ... def f():
    ...     with tf.init_scope():
    ...         return tf.executing_eagerly()
    >>> bool(f())
    True
    """

    def __init__(self) -> None:
        super().__init__()

    def __enter__(self) -> None:
        graph = state.graph
        lifted = inside_function()
        while graph is not None and graph.building_function:
            graph = graph.outer
        self.values = {"graph": graph, "tapes": [], "lifted": lifted}
        super().__enter__()

    def _recreate_cm(self) -> init_scope:
        return init_scope()


@public("name_scope")
class name_scope:  # noqa: N801 - TensorFlow's name
    """A name scope for the operations and variables made in its ``with`` block; entering gives its full name.

    Args:
      name: the name; one that ends in ``/`` is taken as the full name of a scope that exists.

    Raises:
      ValueError: the name is no string.

    >>> import graphlab as tf
    >>> with tf.name_scope("layer"):
    ...     v = tf.Variable(1.0, name="w")
    >>> v.name
    'layer/w:0'
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._open: list[Any] = []

    @property
    def name(self) -> str:
        """The name as given."""
        return self._name

    def __enter__(self) -> str:
        manager = scope_of(self._name)
        self._open.append(manager)
        return manager.__enter__()

    @guarded
    def __exit__(self, *exception: object) -> None:
        try:
            managers = self._open
        finally:
            managers = self._open
            managers[-1].__exit__(*exception)  # first, and with no call before it that an interrupt could follow
            del managers[-1]


@public("control_dependencies")
def control_dependencies(control_inputs: Any) -> Any:
    """Operations made inside the ``with`` block run after ``control_inputs``; eagerly, everything has run already."""
    graph = state.graph
    if graph is None:
        if callable(control_inputs):
            control_inputs()
        elif control_inputs:
            for control in control_inputs:
                if callable(control):
                    control()
        return nullcontext()
    if callable(control_inputs):
        raise ValueError("In a graph, control_dependencies takes operations and tensors, not a function.")
    return graph.control_dependencies(control_inputs)
