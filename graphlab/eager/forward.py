"""``tf.autodiff.ForwardAccumulator``: Jacobian-vector products, computed while the program runs forwards.

It stands among the thread's tapes and hears of every op with an input that has a tangent.  What an op's gradient makes
of the gradients of its results is linear in these; the gradient of that linear function takes tangents of the inputs to
tangents of the results.  So every op that can be differentiated twice needs no rule of its own here.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from threading import get_ident
from typing import Any, Self

from graphlab.core import nest
from graphlab.core.convert import convert_to_tensor
from graphlab.core.export import public
from graphlab.core.op import NOT_DIFFERENTIABLE, Op
from graphlab.core.state import ACTIVE, discard, setting, state
from graphlab.core.tensor import Tensor
from graphlab.eager.tape import GradientTape, UnconnectedGradients
from graphlab.graph.backprop import OpView, dense, differentiable, key_of, pulled


def _key(value: Any) -> int:
    handle = None if isinstance(value, Tensor) else getattr(value, "handle", None)
    return key_of(value if handle is None else handle)


@public("autodiff.ForwardAccumulator")
class ForwardAccumulator:
    """Computes Jacobian-vector products with forward-mode automatic differentiation.

    Args:
      primals: a tensor or variable, or a structure of them: what the program starts from.
      tangents: tensors of the same shapes and dtypes in the same structure: the direction.

    Raises:
      ValueError: the structures differ, a dtype differs, or a tensor is a primal twice.

    Nested accumulators give derivatives of higher order, as do a tape inside an accumulator (a product of the Hessian
    and a vector) and an accumulator inside a tape.

    >>> import graphlab as tf
    >>> x = tf.constant([2.0, 3.0])
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
    ...     y = tf.reduce_sum(x * x * x)
    >>> acc.jvp(y)
    <tf.Tensor: shape=(), dtype=float32, numpy=12.0>
    """

    # What a tape is asked: no variable is watched for being read, and calls keep what second derivatives need.
    _persistent = True
    _watch_accessed = False
    quick = None

    def __init__(self, primals: Any, tangents: Any) -> None:
        self.level: Any = None
        self.recording = False
        self.thread = 0
        # By key: the tensor, which must live as long as its key, and its tangent.
        self._tangents: dict[int, tuple[Any, Any]] = {}
        nest.assert_same_structure(primals, tangents, expand_composites=True)
        flat = zip(
            nest.flatten(primals, expand_composites=True), nest.flatten(tangents, expand_composites=True), strict=True
        )
        for primal, tangent in flat:
            key = _key(primal)
            if key in self._tangents:
                raise ValueError(
                    f"Tensor {primal!r} was specified as a primal multiple times. This may indicate an error. "
                    "If it was intended, please sum the corresponding tangents."
                )
            if not (primal.dtype.is_floating or primal.dtype.is_complex):
                logging.getLogger("graphlab").warning(
                    "The dtype of the watched primal must be floating (e.g. tf.float32), got %r", primal.dtype
                )
            self._tangents[key] = (primal, convert_to_tensor(tangent, primal.dtype))

    # -- recording -----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        if self.recording:
            raise ValueError("Accumulator is already recording.")
        self.level = state.graph
        self.recording = True
        self.thread = get_ident()
        ACTIVE.append(self)
        state.tapes.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        self.recording = False
        try:
            if self in state.tapes:
                state.tapes.remove(self)
        finally:
            discard(ACTIVE, self)

    def listens(self, tensors: Sequence[Any]) -> bool:
        """True if one of the tensors has a tangent."""
        return any(key_of(tensor) in self._tangents for tensor in tensors)

    def variable_accessed(self, variable: Any) -> None:
        """Nothing: only primals have tangents."""

    def record(self, op: Op, attrs: Mapping[str, Any], inputs: list[Any], outputs: list[Any]) -> None:
        """Computes the tangents of an op's results."""
        known = self._tangents
        given = [known.get(key_of(tensor)) for tensor in inputs]
        if op.gradient is NOT_DIFFERENTIABLE or not any(given):
            return
        some = [tensor for tensor in outputs if tensor.dtype.is_floating or tensor.dtype.is_complex]
        if not some:
            return
        operation = None if self.level is None else outputs[0].op
        view = OpView(op, attrs, inputs, outputs, operation)
        before = state.tapes.index(self)
        # Tapes and accumulators around this one go on listening: derivatives of tangents are theirs.
        with setting(tapes=state.tapes[:before]):
            found = self._pushed(view, [None if pair is None else pair[1] for pair in given], some)
        for tensor, tangent in zip(some, found, strict=True):
            if tangent is not None:
                known[key_of(tensor)] = (tensor, tangent)

    def _pushed(self, view: OpView, tangents: list[Any], outputs: list[Any]) -> list[Any]:
        """The tangents of the results, from those of the inputs."""
        from graphlab.ops.creation import ones_like

        needed = [
            tangent is not None and differentiable(tensor.dtype)
            for tensor, tangent in zip(view.inputs, tangents, strict=True)
        ]
        seeds = {key_of(output): ones_like(output) for output in outputs}
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(list(seeds.values()))
            # A loop or branch may get further results from its gradient; nothing depends on these yet.
            gradients = pulled(view, [seeds.get(key_of(output)) for output in view.outputs], needed)
            if gradients is None:
                return [None] * len(outputs)
            pairs = [
                (dense(gradient), tangent)
                for gradient, tangent, need in zip(gradients, tangents, needed, strict=True)
                if need and gradient is not None
            ]
        if not pairs:
            return [None] * len(outputs)
        return list(tape.gradient([g for g, _ in pairs], list(seeds.values()), [tangent for _, tangent in pairs]))

    # -- results -------------------------------------------------------------------------------------------------------

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The products of the Jacobian of ``primals`` and the tangents this accumulator was made with.

        Args:
          primals: a tensor or variable that was computed inside, or a structure of them.
          unconnected_gradients: ``"none"`` or ``"zero"``: the result for those that do not depend on the primals the
            accumulator was made with.

        Returns:
          Tensors of the shapes of ``primals``, in its structure.

        Raises:
          ValueError: another value for ``unconnected_gradients``.
        """
        mode = getattr(unconnected_gradients, "value", unconnected_gradients)
        if mode not in ("none", "zero"):
            raise ValueError(
                f"Unknown value for unconnected_gradients: {unconnected_gradients!r}. Use 'none' or 'zero'."
            )

        def product(tensor: Any) -> Any:
            found = self._tangents.get(_key(tensor))
            if found is not None:
                return found[1]
            if mode == "none":
                return None
            from graphlab.ops.creation import zeros_like

            return zeros_like(tensor if isinstance(tensor, Tensor) else tensor.value())

        return nest.map_structure(product, primals, expand_composites=True)
