"""Runs a case of an op, eagerly or traced, and its gradient; results as plain JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tests.oracle.ops.table import Case
from tests.oracle.program import Raised
from tests.oracle.under_test import tf
from tests.oracle.values import encode_tensor, show, tensor_differences


def tensors(case: Case, name: str, dtype: str) -> list[Any]:
    return [tf.constant(array) for array in case.arrays(name, dtype)]


def flat(result: Any) -> list[Any]:
    return [value if value is None else tf.convert_to_tensor(value) for value in tf.nest.flatten(result)]


def run(case: Case, name: str, dtype: str, traced: bool = False) -> Any:
    """The outputs, each [dtype, shape, flat values], or the class of the error as text."""

    def call(*inputs: Any) -> Any:
        return flat(case.call(tf, *inputs))

    inputs = tensors(case, name, dtype)
    try:
        outputs = tf.function(call, autograph=False)(*inputs) if traced else call(*inputs)
    except Exception as error:  # noqa: BLE001, since its class is the result
        return " < ".join(Raised(error).classes)
    return [encode_tensor(output) for output in outputs]


def weights(shape: tuple[int, ...], dtype: Any) -> Any:
    """Weights that differ from output to output, so that a gradient in the wrong place shows."""
    size = int(np.prod(shape))
    return tf.constant((1.0 + np.arange(size) % 7 / 4.0).reshape(shape).astype(dtype.as_numpy_dtype))


def gradient(case: Case, name: str, dtype: str, traced: bool = False) -> Any:
    """The gradient of a weighted sum of the float outputs with respect to the inputs of the dtype under test."""
    inputs = tensors(case, name, dtype)
    places = [i for i, tensor in enumerate(inputs) if tensor.dtype.name == dtype]
    outputs = flat(case.call(tf, *inputs))
    factors = [weights(tuple(output.shape), output.dtype) for output in outputs if output.dtype.name == dtype]

    def call(*inputs: Any) -> Any:
        sources = [inputs[i] for i in places]
        with tf.GradientTape() as tape:
            for source in sources:
                tape.watch(source)
            floats = [output for output in flat(case.call(tf, *inputs)) if output.dtype.name == dtype]
            total = sum(tf.reduce_sum(output * factor) for output, factor in zip(floats, factors, strict=True))
        return [g if g is None else tf.convert_to_tensor(g) for g in tape.gradient(total, sources)]

    try:
        gradients = tf.function(call, autograph=False)(*inputs) if traced else call(*inputs)
    except Exception as error:  # noqa: BLE001, since its class is the result
        return " < ".join(Raised(error).classes)
    return [None if g is None else encode_tensor(g) for g in gradients]


def differences(seen: Any, recorded: Any, rtol: Mapping[str, float], path: str = "output") -> Iterator[str]:
    """Says where a result is another than the recorded one."""
    if isinstance(recorded, str):
        if not isinstance(seen, str):
            yield f"{path}: {show(seen)}, TensorFlow raises {recorded.split(' < ')[0]}"
        elif recorded.split(" < ")[0] not in seen.split(" < "):
            yield f"{path}: raised {seen}, TensorFlow raises {recorded.split(' < ')[0]}"
    elif isinstance(seen, str):
        yield f"{path}: raised {seen}, TensorFlow has {show(recorded)}"
    elif len(seen) != len(recorded):
        yield f"{path}: {len(seen)} outputs, TensorFlow has {len(recorded)}"
    else:
        for i, (a, b) in enumerate(zip(seen, recorded, strict=True)):
            place = f"{path}[{i}]" if len(seen) > 1 else path
            if a is None or b is None:
                if a is not b:
                    yield f"{place}: {show(a)}, TensorFlow has {show(b)}"
            else:
                yield from tensor_differences(place, a, b, rtol)
