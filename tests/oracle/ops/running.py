"""Runs a case of an op, eagerly or traced, and its gradient; results as plain JSON."""

from collections.abc import Iterator, Mapping, Sequence
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
    """The outputs, each [dtype, shape, flat values], or the classes of the error and its first line as text."""

    def call(*inputs: Any) -> Any:
        return flat(case.call(tf, *inputs))

    inputs = tensors(case, name, dtype)
    try:
        outputs = tf.function(call, autograph=False)(*inputs) if traced else call(*inputs)
    except Exception as error:  # noqa: BLE001, since its class is the result
        return told(error)
    return [encode_tensor(output) for output in outputs]


def run_unknown(case: Case, name: str, dtype: str) -> tuple[Any, list[Any]]:
    """The outputs of a graph that knows the ranks of its inputs and none of their sizes, and the shapes it infers."""

    def call(*inputs: Any) -> Any:
        return flat(case.call(tf, *inputs))

    inputs = tensors(case, name, dtype)
    signature = [tf.TensorSpec([None] * tensor.shape.rank, tensor.dtype) for tensor in inputs]
    try:
        function = tf.function(call, autograph=False, input_signature=signature)
        inferred = [output.shape for output in function.get_concrete_function().structured_outputs]
        outputs = function(*inputs)
    except Exception as error:  # noqa: BLE001, since its class is the result
        return told(error), []
    shapes = [None if shape.rank is None else shape.as_list() for shape in inferred]
    return [encode_tensor(output) for output in outputs], shapes


def told(error: Exception) -> str:
    first, *_ = (str(error) or " ").splitlines()
    return f"{' < '.join(Raised(error).classes)}: {first[:160]}"


def nearest(result: Any) -> Any:
    """Of an error, the nearest of its classes, which is what is recorded; any other result as it is."""
    return classes(result)[0] if isinstance(result, str) else result


def classes(result: str) -> list[str]:
    return result.split(": ", maxsplit=1)[0].split(" < ")


def weights(shape: tuple[int, ...], dtype: Any) -> Any:
    """Weights that differ from output to output, so that a gradient in the wrong place shows."""
    size = int(np.prod(shape))
    return tf.constant((1.0 + np.arange(size) % 7 / 4.0).reshape(shape).astype(dtype.as_numpy_dtype))


def floats(case: Case, inputs: Sequence[Any]) -> list[Any]:
    return [output for output in flat(case.call(tf, *inputs)) if output.dtype.is_floating]


def gradient(case: Case, name: str, dtype: str, traced: bool = False) -> Any:
    """The gradient of a weighted sum of the float outputs with respect to the inputs of the dtype under test."""
    inputs = tensors(case, name, dtype)
    places = [i for i, tensor in enumerate(inputs) if tensor.dtype.name == dtype]
    factors = [weights(tuple(output.shape), output.dtype) for output in floats(case, inputs)]
    if not factors:
        return []

    def call(*inputs: Any) -> Any:
        sources = [inputs[i] for i in places]
        with tf.GradientTape() as tape:
            for source in sources:
                tape.watch(source)
            outputs = floats(case, inputs)
            totals = [tf.reduce_sum(output * factor) for output, factor in zip(outputs, factors, strict=True)]
        return [g if g is None else tf.convert_to_tensor(g) for g in tape.gradient(totals, sources)]

    try:
        gradients = tf.function(call, autograph=False)(*inputs) if traced else call(*inputs)
    except Exception as error:  # noqa: BLE001, since its class is the result
        return told(error)
    return [None if g is None else encode_tensor(g) for g in gradients]


def differences(seen: Any, recorded: Any, rtol: Mapping[str, float], path: str = "output") -> Iterator[str]:
    """Says where a result is another than the recorded one."""
    if isinstance(recorded, str):
        if not isinstance(seen, str):
            yield f"{path}: {show(seen)}, TensorFlow raises {recorded}"
        elif recorded not in classes(seen):
            yield f"{path}: raised {seen}, TensorFlow raises {recorded}"
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


def shape_differences(seen: list[Any], recorded: list[Any], path: str) -> Iterator[str]:
    """Says where an inferred shape knows less than TensorFlow's, or something else."""
    for i, (a, b) in enumerate(zip(seen, recorded, strict=True)):
        place = f"{path}[{i}]" if len(seen) > 1 else path
        if b is not None and (
            a is None or len(a) != len(b) or any(n not in (None, m) for m, n in zip(a, b, strict=True))
        ):
            yield f"{place}: {a}, TensorFlow infers {b}"
