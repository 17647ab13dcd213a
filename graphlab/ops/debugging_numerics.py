"""``tf.debugging.enable_check_numerics``: every result is looked at for NaN and infinity, where it comes from is told.

The watch stands among this thread's tapes, which hear of every op: eagerly it looks at the results, and in a graph it
puts a ``CheckNumericsV2`` behind the op, an effect, so that it runs in program order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from graphlab.core import position
from graphlab.core.dispatch import bind
from graphlab.core.errors import InvalidArgumentError
from graphlab.core.export import public
from graphlab.core.op import COMPLEX, FLOAT, NOT_DIFFERENTIABLE, Op, define
from graphlab.core.state import ACTIVE, discard, state
from graphlab.ops import inference

# These only move values about: what is wrong with their results was wrong with their inputs.
_SAFE: Final = frozenset((
    "Concat", "ConcatV2", "ExpandDims", "Fill", "Gather", "Maximum", "Minimum", "Reshape", "Slice", "Squeeze", "Stack",
    "StridedSlice", "StridedSliceGrad", "TensorListConcatV2", "TensorListGather", "TensorListGetItem",
    "TensorListPopBack", "TensorListStack", "Transpose", "Unpack", "Identity", "CheckNumerics", "CheckNumericsV2",
))  # fmt: skip

# Results that may be anything, by op: statistics that inference leaves alone.
_IGNORED: Final = {
    "FusedBatchNorm": (1, 2, 3, 4), "FusedBatchNormV2": (1, 2, 3, 4), "FusedBatchNormV3": (1, 2, 3, 4, 5),
}  # fmt: skip

_KINDS: Final = (("-Inf", np.isneginf), ("+Inf", np.isposinf), ("NaN", np.isnan))


def _parts(array: Any) -> Any:
    array = np.asarray(array)
    if array.dtype.kind == "c":
        return np.stack([array.real, array.imag])
    return array if array.dtype.kind == "f" else array.astype(np.float32)  # bfloat16


def _counts(array: Any) -> list[tuple[str, int]]:
    """How many elements are what they should not be."""
    parts = _parts(array)
    if np.isfinite(parts).all():
        return []
    return [(name, int(test(parts).sum())) for name, test in _KINDS if test(parts).any()]


def _named(counts: Sequence[tuple[str, int]]) -> str:
    return "Tensor had " + ", ".join(name for name, _ in counts) + " values"


def _check(tensor: Any, message: str) -> Any:
    counts = _counts(tensor)
    if counts:
        raise InvalidArgumentError(None, None, f"{message} : {_named(counts)}")
    return tensor


CHECK_NUMERICS_V2 = define(
    "CheckNumericsV2", "tensor: T -> output: T", kernel=_check, infer=inference.unchanged, effect="io",
    gradient=NOT_DIFFERENTIABLE, types={"T": FLOAT | COMPLEX}, attrs={"message": ""}, alias=True,
)  # fmt: skip


class Watch:
    """What stands among the tapes of a thread while numbers are checked there.

    Args:
      stack_height_limit: how many of the user's frames a message shows.
      path_length_limit: how many characters of their paths.
    """

    _persistent = True
    _watch_accessed = False
    recording = True
    quick = None

    def __init__(self, stack_height_limit: int, path_length_limit: int) -> None:
        self._frames, self._characters = stack_height_limit, path_length_limit

    @property
    def level(self) -> Any:
        """Whatever is being built: it hears of every op."""
        return state.graph

    def listens(self, _tensors: Sequence[Any]) -> bool:
        """False: it asks for no gradients."""
        return False

    def variable_accessed(self, variable: Any) -> None:
        """Nothing: the value that was read is a result like any other."""

    def record(self, op: Op, attrs: Mapping[str, Any], inputs: list[Any], outputs: list[Any]) -> None:
        """Checks the results of an op, or has the graph check them."""
        if op.type in _SAFE:
            return
        for number, output in enumerate(outputs):
            kind = output.dtype
            if not (kind.is_floating or kind.is_complex) or number in _IGNORED.get(op.type, ()):
                continue
            if state.graph is not None:
                message = self._message(op, number, output, inputs, len(outputs), [])
                name = state.graph.unique(f"{output.op.name}/CheckNumericsV2")
                bind(CHECK_NUMERICS_V2, (output,), {"message": message}, name + "/")
            elif counts := _counts(output._a):
                message = self._message(op, number, output, inputs, len(outputs), counts)
                error = InvalidArgumentError(None, None, f"{message} : {_named(counts)}")
                error.name_op("CheckNumericsV2")
                raise error

    def _message(
        self, op: Op, number: int, output: Any, inputs: list[Any], count: int, counts: Sequence[tuple[str, int]]
    ) -> str:
        graph = state.graph
        kind = "eagerly-executing op" if graph is None else "graph op"
        lines = [
            "",
            "",
            f'!!! Detected Infinity or NaN in output {number} of {kind} "{op.type}" (# of outputs: {count}) !!!',
            f"  dtype: {output.dtype}",
            f"  shape: {output.shape}",
            *(f"  # of {'+NaN' if name == 'NaN' else name} elements: {found}" for name, found in counts),
            "",
        ]
        if len(inputs) == 1:
            lines.append(f"  Input tensor: {inputs[0]!s}")
        elif inputs:
            lines.append(f"  Input tensors ({len(inputs)}):")
            lines += [f"         {index}: {tensor!s}" for index, tensor in enumerate(inputs)]
        if graph is not None:
            lines.append(f'  Graph name: "{graph.name}"')
        where = position.here(2) if graph is None else output.op.position
        places = position.resolve(where)[: self._frames]
        if places:
            lines += ["", "  Where, in your code (most recent call last):"]
            for place in reversed(places):
                path = place.filename
                if len(path) > self._characters:
                    path = "..." + path[len(path) - self._characters :]
                lines.append(f"    {path} (L{place.line}) {place.function}")
                lines.append(f"      {place.text}")
        return "\n".join([*lines, ""])


def _watch() -> Watch | None:
    """The watch of this thread, if there is one."""
    return next((tape for tape in state.tapes if isinstance(tape, Watch)), None)


@public("debugging.enable_check_numerics")
def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on, in this thread, an op whose result is NaN or infinite raises, and says where it stands.

    Ops that run eagerly are checked, and those of functions that are traced from now on (also when they run after
    ``tf.debugging.disable_check_numerics``, until they are traced again).  Ops that only move values are not checked.
    A second call changes nothing.

    Args:
      stack_height_limit: how many frames of your code a message shows.
      path_length_limit: how many characters of the paths of your files.

    Raises (later):
      tf.errors.InvalidArgumentError: naming the op, its inputs, and the line of your code.

    >>> import graphlab as tf
    >>> tf.debugging.enable_check_numerics()
    >>> try:
    ...     tf.math.log(tf.constant([-1.0, 1.0]))
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(error.message.strip().splitlines()[0])
    !!! Detected Infinity or NaN in output 0 of eagerly-executing op "Log" (# of outputs: 1) !!!
    >>> tf.debugging.disable_check_numerics()
    """
    if _watch() is None:
        watch = Watch(stack_height_limit, path_length_limit)
        # Fast paths look whether anything is active; the watch stays until it is told to go.
        ACTIVE.append(watch)
        state.tapes.insert(0, watch)


@public("debugging.disable_check_numerics")
def disable_check_numerics() -> None:
    """Ends what ``tf.debugging.enable_check_numerics`` began in this thread.  Nothing happens if nothing began.

    >>> import graphlab as tf
    >>> tf.debugging.disable_check_numerics()
    """
    watch = _watch()
    if watch is not None:
        state.tapes.remove(watch)
        discard(ACTIVE, watch)


_placement = [False]


@public("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """Whether ``tf.debugging.set_log_device_placement`` asked for the devices of ops.

    >>> import graphlab as tf
    >>> tf.debugging.get_log_device_placement()
    False
    """
    return _placement[0]


@public("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Asks for the device of each op to be logged.  There is one device here, so nothing is.

    >>> import graphlab as tf
    >>> tf.debugging.set_log_device_placement(False)
    """
    _placement[0] = bool(enabled)
