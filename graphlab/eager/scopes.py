"""Leaving a graph for a moment, control dependencies, and asking where one is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from graphlab.core.export import public
from graphlab.core.state import building, state
from graphlab.eager.tape import paused


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
    """True while a ``tf.function`` is being traced."""
    graph = state.graph
    return graph is not None and bool(graph.building_function)


@public("init_scope")
@contextmanager
def init_scope() -> Iterator[None]:
    """Runs its body outside all functions that are being traced: eagerly, unless a plain ``tf.Graph`` lies below.

    >>> import graphlab as tf
    >>> @tf.function
    ... def f():
    ...     with tf.init_scope():
    ...         return tf.executing_eagerly()
    >>> bool(f())
    True
    """
    graph = state.graph
    while graph is not None and graph.building_function:
        graph = graph.outer
    with paused(), building(graph):
        yield


@public("control_dependencies")
def control_dependencies(control_inputs: Any) -> Any:
    """Operations made inside the ``with`` block run after ``control_inputs``; eagerly, everything has run already."""
    graph = state.graph
    if graph is None:
        if callable(control_inputs):
            control_inputs()
        return nullcontext()
    if callable(control_inputs):
        raise ValueError("In a graph, control_dependencies takes operations and tensors, not a function.")
    return graph.control_dependencies(control_inputs)
