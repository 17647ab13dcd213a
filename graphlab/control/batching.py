"""``tf.nondifferentiable_batch_function``: calls from several threads as one run of a function on a whole batch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from graphlab.compile.executable import executable
from graphlab.core import errors, nest
from graphlab.core.dispatch import bind, name_scope
from graphlab.core.export import public, resolve
from graphlab.core.op import REQUIRED, define
from graphlab.core.specs import TensorSpec
from graphlab.graph.func_graph import FuncGraph


class _Batch:
    """Calls that run together: the first of them waits for others, and runs them all."""

    __slots__ = ("done", "error", "full", "parts", "results", "size")

    def __init__(self) -> None:
        self.parts: list[list[Any]] = []
        self.size = 0
        self.full, self.done = threading.Event(), threading.Event()
        self.results: list[list[Any]] = []
        self.error: BaseException | None = None


class Batcher:
    """Collects calls into batches.

    Args:
      threads: how many batches run at once.
      size: the most rows of a batch.
      wait: how many seconds a batch waits for more calls.
      allowed: the numbers of rows that the function gets, to which batches are filled up; empty for any.
      waiting: how many batches may wait to run.
      splitting: whether a batch may be longer than the largest allowed size, and runs in pieces then.
    """

    def __init__(
        self, threads: int, size: int, wait: float, allowed: Sequence[int], waiting: int, splitting: bool
    ) -> None:  # fmt: skip
        self._size, self._wait, self._allowed, self._waiting = size, wait, tuple(allowed), waiting
        self._splitting = splitting
        self._slots = threading.BoundedSemaphore(threads)
        self._lock = threading.Lock()
        self._open: dict[Any, _Batch] = {}
        self._enqueued = 0

    def check(self) -> None:
        """InvalidArgumentError for allowed sizes that are not in order, or do not end with the most rows."""
        if any(a >= b for a, b in pairwise(self._allowed)):
            raise _invalid("allowed_batch_sizes entries must be monotonically increasing")
        if self._allowed and (
            self._allowed[-1] > self._size or (self._allowed[-1] != self._size and not self._splitting)
        ):
            raise _invalid("final entry in allowed_batch_sizes must equal max_batch_size")

    def run(self, arrays: list[Any], captured: list[Any], f: FuncGraph) -> list[Any]:
        """The results for some rows, which other threads' rows may have run with."""
        self.check()
        rows = _rows(arrays)
        if rows > self._size:
            raise _invalid(f"Task size {rows} is larger than maximum input batch size {self._size}")
        key = (id(f), *(array.shape[1:] for array in arrays), *map(id, captured))
        with self._lock:
            batch = self._open.get(key)
            if batch is not None and batch.size + rows > self._size:
                batch.full.set()
                batch = None
            first = batch is None
            if batch is None:
                if self._enqueued >= self._waiting:
                    raise errors.UnavailableError(None, None, "The batch scheduling queue is full.")
                self._enqueued += 1
                batch = self._open[key] = _Batch()
            place = len(batch.parts)
            batch.parts.append(arrays)
            batch.size += rows
            if batch.size == self._size:
                batch.full.set()
        if first:
            self._lead(key, batch, captured, f)
        else:
            batch.done.wait()
        if batch.error is not None:
            raise batch.error
        return batch.results[place]

    def _lead(self, key: Any, batch: _Batch, captured: list[Any], f: FuncGraph) -> None:
        try:
            batch.full.wait(self._wait)
            with self._slots:
                with self._lock:
                    if self._open.get(key) is batch:
                        del self._open[key]
                    self._enqueued -= 1
                self._process(batch, captured, f)
        except BaseException as error:
            with self._lock:
                if self._open.get(key) is batch:
                    del self._open[key]
            batch.error = error
            raise
        finally:
            batch.done.set()

    def _process(self, batch: _Batch, captured: list[Any], f: FuncGraph) -> None:
        whole = [np.concatenate(parts) for parts in zip(*batch.parts, strict=True)]
        limit = self._allowed[-1] if self._allowed else batch.size
        found: list[list[Any]] = []
        for start in range(0, max(batch.size, 1), max(limit, 1)):
            rows = min(limit, batch.size - start)
            wanted = next((size for size in self._allowed if size >= rows), rows)
            pieces = [_padded(array[start : start + rows], wanted) for array in whole]
            results = executable(f).call([*pieces, *captured])
            for result in results:
                _check(result, wanted)
            found.append([result[:rows] for result in results])
        joined = found[0] if len(found) == 1 else [np.concatenate(parts) for parts in zip(*found, strict=True)]
        start = 0
        for part in batch.parts:
            end = start + len(part[0])
            batch.results.append([result[start:end] for result in joined])
            start = end


def _invalid(text: str) -> Exception:
    return errors.InvalidArgumentError(None, None, text)


def _rows(arrays: Sequence[Any]) -> int:
    if not arrays:
        raise _invalid("Batching needs at least one tensor.")
    if any(np.ndim(array) == 0 for array in arrays):
        raise _invalid("Batching input tensors must have at least one dimension.")
    sizes = {len(array) for array in arrays}
    if len(sizes) > 1:
        shapes = ", ".join(str(list(array.shape)) for array in arrays)
        raise _invalid(
            "Batching input tensors supplied in a given op invocation must have equal 0th-dimension size. Their "
            f"shapes are {shapes}."
        )
    return sizes.pop()


def _padded(array: Any, rows: int) -> Any:
    """The rows, and the first of them again until there are as many as wanted."""
    missing = rows - len(array)
    return array if missing <= 0 else np.concatenate([array, np.repeat(array[:1], missing, 0)])


def _check(result: Any, rows: int) -> None:
    if np.ndim(result) == 0:
        raise errors.FailedPreconditionError(None, None, "Batched output tensor has 0 dimensions")
    if len(result) != rows:
        raise errors.FailedPreconditionError(
            None,
            None,
            "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes of the input "
            f"tensors. 0th dimension size: {len(result)}; batch size: {rows}.",
        )


def _run(arrays: list[Any], captured: list[Any], f: FuncGraph, batcher: Batcher, Tout: Any, **_sizes: Any) -> list[Any]:
    return batcher.run(arrays, captured, f)


def _infer(_args: Any, attrs: Any) -> Any:
    return [t._raw_shape() for t in attrs["f"].outputs]


BATCH_FUNCTION = define(
    "BatchFunction",
    "in_tensors: *Tin, captured_tensors: *Tcaptured -> out_tensors: *Tout",
    kernel=_run,
    infer=_infer,
    attrs={
        "f": REQUIRED, "num_batch_threads": REQUIRED, "max_batch_size": REQUIRED, "batch_timeout_micros": REQUIRED,
        "max_enqueued_batches": 10, "allowed_batch_sizes": (), "enable_large_batch_splitting": False,
        "batcher": REQUIRED, "Tout": REQUIRED,
    },
    effect="io",
    fp=False,
)  # fmt: skip


@public("nondifferentiable_batch_function")
def nondifferentiable_batch_function(
    num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int, allowed_batch_sizes: Any = None,
    max_enqueued_batches: int = 10, autograph: bool = True, enable_large_batch_splitting: bool = True,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """A decorator: calls from several threads at about the same time become one run on all of their rows.

    Args:
      num_batch_threads: how many batches run at once.
      max_batch_size: the most rows of a batch; a call with more fails.
      batch_timeout_micros: how many microseconds a batch waits for more calls, if it is not full.
      allowed_batch_sizes: the numbers of rows that the function gets, in increasing order; batches are filled up with
        their first row, which results leave out. None for any.
      max_enqueued_batches: how many batches may wait; further calls fail.
      autograph: whether AutoGraph converts the function.
      enable_large_batch_splitting: whether the last allowed size may be below ``max_batch_size``; larger batches then
        run in pieces.

    Returns:
      A decorator of functions of tensors whose first axis is that of the batch. They have no gradient.

    Raises:
      tf.errors.InvalidArgumentError: for tensors with different numbers of rows, with none, or with too many.
      tf.errors.FailedPreconditionError: if a result does not have the rows of the batch.
      tf.errors.UnavailableError: if too many batches wait.

    >>> import graphlab as tf
    >>> @tf.nondifferentiable_batch_function(1, 8, 100)
    ... def double(x):
    ...     return x * 2
    >>> double(tf.constant([1, 2])).numpy()
    array([2, 4], dtype=int32)
    """
    sizes = [] if allowed_batch_sizes is None else [int(size) for size in allowed_batch_sizes]
    batcher = Batcher(
        num_batch_threads, max_batch_size, batch_timeout_micros / 1e6, sizes, max_enqueued_batches,
        enable_large_batch_splitting,
    )  # fmt: skip

    def decorator(fn: Callable[..., Any]) -> Callable[..., Any]:
        function = resolve("function")(fn, autograph=autograph)

        def decorated(*args: Any) -> Any:
            """The function, in batches."""
            with name_scope("batch"):
                specs = [TensorSpec(_open(arg), arg.dtype, f"batch_{i}") for i, arg in enumerate(args)]
                concrete = function.get_concrete_function(*specs)
                attrs = {
                    "f": concrete.graph, "num_batch_threads": num_batch_threads, "max_batch_size": max_batch_size,
                    "batch_timeout_micros": batch_timeout_micros, "max_enqueued_batches": max_enqueued_batches,
                    "allowed_batch_sizes": sizes, "enable_large_batch_splitting": enable_large_batch_splitting,
                    "batcher": batcher, "Tout": [t.dtype for t in concrete.outputs],
                }  # fmt: skip
                results = bind(BATCH_FUNCTION, (list(args), concrete.captured_inputs), attrs)
                return nest.pack_sequence_as(concrete.structured_outputs, results, expand_composites=True)

        return decorated

    return decorator


def _open(tensor: Any) -> Any:
    """The shape of a tensor, but for the number of rows, which a batch changes."""
    shape = tensor.shape
    return shape if not shape.rank else [None, *shape.as_list()[1:]]
