"""GradientTape: what ran, in order, and its gradients.

A tape records the ops of the graph level it was opened in (eager, or one FuncGraph), and only those with a watched
input.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from threading import get_ident
from typing import Any, Self

import numpy as np

from graphlab.core import nest
from graphlab.core.convert import make
from graphlab.core.export import public
from graphlab.core.op import Op
from graphlab.core.specs import CompositeTensor
from graphlab.core.state import ACTIVE, guarded, restore, setting, snapshot, state
from graphlab.core.tensor import EagerTensor, SymbolicTensor, Tensor, wrap
from graphlab.eager.array_gradients import array_backprop, view
from graphlab.graph.backprop import VISIBLE, OpView, backprop, differentiable, in_turn, key_of


@public("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """What ``gradient`` gives for a source that the target does not depend on: None, or zeros of the source's shape."""

    NONE = "none"
    ZERO = "zero"


@public("GradientTape", "autodiff.GradientTape")
class GradientTape:
    """Records operations for automatic differentiation.

    Args:
      persistent: allow several calls of ``gradient``.
      watch_accessed_variables: watch trainable variables when they are read.

    >>> import graphlab as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> tape.gradient(y, x)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watch_accessed = watch_accessed_variables
        # By the key of each watched value: what it is the result of (an OpView, or the tuple that an operator leaves);
        # None for what was watched at first and for further results.
        self._live: dict[int, Any] = {}
        self._visible = False  # something was recorded that shows in which order gradients are computed
        self._spent = False
        self._live_ops: set[int] = set()
        self._kept: list[Any] = []
        self._variables: dict[int, Any] = {}
        self.level: Any = None
        self.recording = False
        self.thread = 0
        # What is watched, where operators on arrays may tell this tape themselves (``graphlab.core.operators``).
        self.quick: dict[int, Any] | None = None

    # -- recording -----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        try:
            self._push(state.graph)
        except KeyboardInterrupt:
            self._pop()
            raise
        return self

    @guarded
    def __exit__(self, *exception: object) -> None:
        # In one piece: an interrupt may come at the beginning of any function that it would call.
        try:
            self.recording = False
        finally:
            self.recording = False
            try:
                if self in state.tapes:
                    state.tapes.remove(self)
            finally:
                if self in ACTIVE:
                    ACTIVE.remove(self)

    def _push(self, level: Any) -> None:
        if self.recording:
            raise ValueError(
                "Tape is still recording: it was entered already. Use a second tape, or leave this one first."
            )
        self._spent = False
        self.level = level
        self.quick = self._live if self.level is None and self.__class__ is GradientTape else None
        self.recording = True
        self.thread = get_ident()
        ACTIVE.append(self)
        state.tapes.append(self)

    def _pop(self) -> None:
        self.__exit__()

    def record(self, op: Op, attrs: Mapping[str, Any], inputs: list[Any], outputs: list[Any]) -> None:
        """Notes an op if an input is watched."""
        if op.type in VISIBLE:
            self._visible = True
        live = self._live
        for tensor in inputs:
            if (id(tensor) if tensor.__class__ is EagerTensor else key_of(tensor)) in live:
                break
        else:
            if not self._live_ops or not any(self._is_live(t) for t in inputs):
                return
        if self.level is None and len(outputs) == 1:
            output = outputs[0]
            if differentiable(output.dtype):
                entry = OpView(op, attrs, inputs, outputs)
                key = id(output)
                live[id(entry) if key in live else key] = entry
            return
        keys = [key_of(output) for output in outputs if differentiable(output.dtype)]
        if not keys:
            return
        if self.level is not None:
            # The gradient of a loop or branch may give the operation further results; they are as live as these.
            self._live_ops.add(id(outputs[0].op))
        entry = OpView(op, attrs, inputs, outputs)
        live[id(entry) if keys[0] in live else keys[0]] = entry
        for key in keys:
            live.setdefault(key)

    @property
    def entries(self) -> list[Any] | None:
        """What was recorded, first to last; None when it was used up."""
        return None if self._spent else [entry for entry in self._live.values() if entry is not None]

    def spend(self) -> None:
        """Lets go of what was recorded: it can't be used a second time."""
        self._spent = True
        self._live, self._live_ops, self._kept = {}, set(), []
        self.quick = None

    def listens(self, tensors: Sequence[Any]) -> bool:
        """True if one of the tensors is watched."""
        live = self._live
        for tensor in tensors:
            if key_of(tensor) in live:
                return True
        return bool(self._live_ops) and any(self._is_live(t) for t in tensors)

    def _is_live(self, tensor: Any) -> bool:
        if key_of(tensor) in self._live:
            return True
        return isinstance(tensor, SymbolicTensor) and id(tensor.op) in self._live_ops

    def watch(self, tensor: Any) -> None:
        """Watches a tensor, a variable, or a structure of them.

        Raises:
          ValueError: for a value that is no tensor.
          AttributeError: the tape was never entered.
        """
        if not self.thread:
            raise AttributeError("The tape watches nothing before it is entered: write `with tape:` around it.")
        for item in nest.flatten(tensor, expand_composites=True):
            handle = getattr(item, "handle", None)
            if handle is not None and not isinstance(item, Tensor):
                self._watch_variable(item)
                continue
            if not isinstance(item, Tensor):
                raise ValueError(
                    f"Passed in object {item!r} of type {type(item).__name__!r}, not tf.Tensor or tf.Variable. "
                    "Write tf.constant(...) first."
                )
            if not (item.dtype.is_floating or item.dtype.is_complex):
                _log_dtype("watched tensor", item.dtype)
            self._live.setdefault(key_of(item))
            self._kept.append(item)

    def _watch_variable(self, variable: Any) -> None:
        self._variables.setdefault(id(variable.handle), variable)
        self._live.setdefault(key_of(variable.handle))

    def variable_accessed(self, variable: Any) -> None:
        """A trainable variable was read."""
        if (
            self._watch_accessed
            and self.recording
            and variable.trainable
            and id(variable.handle) not in self._variables
        ):
            self._watch_variable(variable)

    def stop_recording(self) -> AbstractContextManager[None]:
        """Operations made inside the ``with`` block are not recorded.

        Raises:
          ValueError: the tape is not recording.
          RuntimeError: it never was.
        """
        return _Stopped(self)

    def reset(self) -> None:
        """Forgets everything that was recorded.  ValueError if the tape is not recording."""
        if not self.recording:
            raise ValueError("Tape is not recording: it can be reset only inside its `with` block.")
        self._pop()
        self.spend()
        self._spent, self._visible, self._variables = False, False, {}
        self._push(state.graph)

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables watched so far, in the order in which they were first used."""
        return tuple(self._variables.values())

    # -- gradients -----------------------------------------------------------------------------------------------------

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradients of ``target`` (summed over its elements and parts) for ``sources``.

        Args:
          target: a tensor, or a structure of tensors.
          sources: a tensor or variable, or a structure of them.
          output_gradients: gradients of the target, of the same structure; ones if None.
          unconnected_gradients: ``"none"`` or ``"zero"``: the result for sources that the target does not depend on.

        Returns:
          Gradients in the structure of ``sources``; IndexedSlices for variables read with ``tf.gather``.

        Raises:
          RuntimeError: a second call on a tape that is not persistent, or a call inside its own context that it can't
          serve.
          TypeError, AttributeError: a target or source that is no tensor: None and texts, numbers and arrays.
          ValueError: an unknown value for ``unconnected_gradients``.
        """
        mode = getattr(unconnected_gradients, "value", unconnected_gradients)
        if mode not in ("none", "zero"):
            raise ValueError(
                f"Unknown value for unconnected_gradients: {unconnected_gradients!r}. Use 'none' or 'zero'."
            )
        if self._spent or not self.thread:
            raise RuntimeError(
                "The tape never recorded: write `with tape:` around what is differentiated."
                if not self.thread
                else "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians). "
                "Write tf.GradientTape(persistent=True) to use it again."
            )
        if self.recording and not self._persistent:
            self._pop()
        flat_sources = nest.flatten(sources)
        for source in flat_sources:
            _check_is_tensor(source, "sources")
        flat_target: list[Any] = []
        for item in nest.flatten(target):
            _check_is_tensor(item, "target")
            item = self.value_of(item)
            item = item if isinstance(item, Tensor) else make(item)
            if not differentiable(item.dtype):
                _log_dtype("target tensor", item.dtype)
            flat_target.append(item)
        given = None if output_gradients is None else nest.flatten(output_gradients)
        if given is not None and len(given) != len(flat_target):
            raise ValueError(f"output_gradients has {len(given)} values for {len(flat_target)} targets.")
        before = snapshot()
        try:
            found = self._run(flat_target, given, flat_sources)
        except BaseException:
            restore(before)
            raise
        results: list[Any] = []
        for source, gradient in zip(flat_sources, found, strict=True):
            if gradient is None and mode == "zero":
                from graphlab.ops.creation import zeros_like

                gradient = zeros_like(source if isinstance(source, Tensor) else source.value())
            results.append(gradient)
        if not self._persistent:
            self.spend()
        return nest.pack_sequence_as(sources, results) if nest.is_nested(sources) else results[0]

    def value_of(self, target: Any) -> Any:
        """A target as it is, a variable's value: read so that the tape knows where it comes from."""
        if isinstance(target, Tensor) or not hasattr(target, "handle"):
            return target
        if self.recording:
            return target.value()
        self._push(self.level)
        try:
            return target.value()
        finally:
            self._pop()

    def _run(self, targets: list[Any], given: list[Any] | None, sources: list[Any]) -> list[Any]:
        keys = []
        for source in sources:
            handle = None if isinstance(source, Tensor) else getattr(source, "handle", None)
            keys.append(key_of(source if handle is None else handle))
        live = self._live
        seeds = []
        for index, target in enumerate(targets):
            if not differentiable(target.dtype):
                continue
            gradient = None if given is None else given[index]
            if gradient is None:
                gradient = _seed(target)
            else:
                gradient = _weights(gradient, target)
            seeds.append((target, gradient))
        wanted = {key for key in keys if key in live}
        if not wanted:
            return [None] * len(keys)
        if self.level is None and state.graph is None and not state.tapes:
            entries = in_turn(self.entries or [], targets) if self._visible else reversed(live.values())
            found = array_backprop(entries, seeds, live, wanted)
        else:
            views = [view(entry) for entry in self.entries or ()]
            leads: Callable[[Any], bool] = self._is_live
            if any(entry.type == "StopGradient" for entry in views):
                leads = self._reached(views)
            found = backprop(in_turn(views, targets, self.level is not None), seeds, leads, wanted, _scope)
        return [found.get(key) if key in wanted else None for key in keys]

    def _reached(self, views: list[OpView]) -> Callable[[Any], bool]:
        """Tells of a tensor whether it depends on what is watched by another way than through ``stop_gradient``.

        What stops a gradient is on the tape, so that it can be told where a gradient ends, but nothing that depends on
        it alone needs one.
        """
        reached = {key for key, entry in self._live.items() if entry is None}
        for entry in views:
            reached.difference_update(map(key_of, entry.outputs))
        ops: set[int] = set()

        def leads(tensor: Any) -> bool:
            return key_of(tensor) in reached or (isinstance(tensor, SymbolicTensor) and id(tensor.op) in ops)

        for entry in views:
            if entry.type != "StopGradient" and any(map(leads, entry.inputs)):
                reached.update(key_of(output) for output in entry.outputs if differentiable(output.dtype))
                if isinstance(entry.outputs[0], SymbolicTensor):
                    ops.add(id(entry.outputs[0].op))
        return leads

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The Jacobian of ``target`` for ``sources``: shape ``target.shape + source.shape``.

        Raises:
          RuntimeError: a second use of a tape that is not persistent.
        """
        from graphlab.eager.jacobian import jacobian

        bool(experimental_use_pfor)  # which an array, or a tensor of a graph, does not say
        return jacobian(self, target, sources, unconnected_gradients, parallel_iterations)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The Jacobian of each row of ``target`` for that row of ``source``: shape ``[b, *target[0], *source[0]]``."""
        from graphlab.eager.jacobian import batch_jacobian

        bool(experimental_use_pfor)  # likewise
        return batch_jacobian(self, target, source, unconnected_gradients, parallel_iterations)


class _Stopped:
    """``with tape.stop_recording():``."""

    __slots__ = ("level", "tape")

    def __init__(self, tape: GradientTape) -> None:
        self.tape = tape

    def __enter__(self) -> None:
        tape = self.tape
        if not tape.recording:
            text = "Tape is not recording, so there is nothing to stop."
            raise ValueError(text) if tape.thread else RuntimeError(text)
        self.level = tape.level
        tape._pop()

    @guarded
    def __exit__(self, *exception: object) -> None:
        try:
            tape = self.tape
        finally:
            tape = self.tape
            tape._push(self.level)


# Ops whose public function opens a name scope of its own; gradients of others are named after the scope around them.
_SCOPED = frozenset((
    "MatMul", "BatchMatMulV2", "Cast", "Abs", "Pow", "ConcatV2", "Pack", "Sigmoid", "LeakyRelu", "BiasAdd", "Cumsum",
    "Cumprod", "Complex", "Real", "Imag", "Relu6", "CumulativeLogsumexp", "Angle", "Conj",
))  # fmt: skip
# Ops that are not called by their type and whose public function opens none.
_UNSCOPED = frozenset(("Split", "SplitV", "Unpack", "ConcatV2"))


def _scope(entry: OpView) -> str | None:
    """The name scope for the gradient of an op: ``gradient_tape/mul/``; None for one that a user wrote."""
    if "rule" in entry.attrs:
        return None
    name = entry.outputs[0].op.name
    around, _, base = name.rpartition("/")
    if (base.partition("_")[0] == entry.type and entry.type not in _SCOPED) or entry.type in _UNSCOPED:
        name = around
    elif entry.type == "Pack" and entry.attrs["axis"]:
        name = around  # along the first axis a list is converted, which has a scope
    return f"gradient_tape/{name}/" if name else "gradient_tape/"


def _seed(target: Any) -> Any:
    """Ones, where a gradient begins."""
    graph = state.graph
    if graph is None and target.__class__ is EagerTensor and target.dtype.is_floating and not state.tapes:
        return wrap(np.ones(target._a.shape, target._a.dtype))
    from graphlab.ops.creation import ones, ones_like

    shape = target._raw_shape()
    if graph is not None and shape is not None and None not in shape:
        return ones(list(shape), target.dtype)
    if graph is not None:
        from graphlab.ops import written_out

        return written_out.ones_like(target)
    return ones_like(target)


def _check_is_tensor(item: Any, argument: str) -> None:
    """Raises the error that TensorFlow has for a target or source that is none."""
    if isinstance(item, Tensor | CompositeTensor) or hasattr(item, "handle"):
        return
    if item is None or isinstance(item, str | bytes):
        raise TypeError(f"Argument `{argument}` should be a tensor or variable or a structure of them, not {item!r}.")
    if not hasattr(item, "dtype") or isinstance(item, np.ndarray | np.generic):
        raise AttributeError(
            f"Argument `{argument}` should be a tensor or variable or a structure of them, not {item!r}: "
            "a tape knows only tensors. Write tf.constant(...) and tape.watch(...) first."
        )


def _log_dtype(what: str, dtype: Any) -> None:
    import logging

    logging.getLogger("graphlab").warning(
        "The dtype of the %s must be floating (e.g. tf.float32), got %r: it has no gradient.", what, dtype
    )


def _weights(given: Any, target: Any) -> Any:
    """An entry of ``output_gradients`` as a tensor that fits its target."""
    from graphlab.core.dispatch import misfit
    from graphlab.core.errors import InvalidArgumentError

    gradient = given if isinstance(given, Tensor) else make(given, None, target.dtype)
    if gradient.dtype != target.dtype:
        text = (
            f"output_gradients has the dtype {gradient.dtype.name} for a target of {target.dtype.name}. "
            f"Write tf.cast(..., {target.dtype.name!r})."
        )
        raise InvalidArgumentError(None, None, text) if state.graph is None else TypeError(text)
    if not gradient.shape.is_compatible_with(target.shape):
        raise misfit(
            f"output_gradients has the shape {gradient.shape} for a target of shape {target.shape}. "
            "Write tf.broadcast_to(..., tf.shape(target)) if all its elements are to have the same weight.",
        )
    return gradient


def interested(tensors: Sequence[Any]) -> list[GradientTape]:
    """The tapes of this level that watch one of the tensors."""
    graph = state.graph
    return [t for t in state.tapes if t.level is graph and t.recording and t.listens(tensors)]


def paused() -> AbstractContextManager[None]:
    """No tape of this thread records inside."""
    return setting(tapes=[])
