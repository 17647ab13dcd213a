"""The texts, by group and name. Each group is a function that gives text after text with its name."""

import collections
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.oracle.ops.table import ANY, FLOATS, REAL, x
from tests.oracle.under_test import tf

Texts = Iterator[tuple[str, str]]
Point = collections.namedtuple("Point", "across up")  # noqa: PYI024, as learners write it


def said(function: Callable[..., Any], *arguments: Any) -> str:
    """The text, or what went wrong, which is the text of no record; the other texts can be compared all the same."""
    try:
        return str(function(*arguments))
    except Exception as error:  # noqa: BLE001
        return f"raised {type(error).__name__}: {error}"


def forms(name: str, value: Any) -> Texts:
    yield f"repr {name}", said(repr, value)
    yield f"str {name}", said(str, value)


def made(name: str, make: Callable[[], Any]) -> Texts:
    """The texts of a value that may not come to be."""
    try:
        value = make()
    except Exception as error:  # noqa: BLE001
        value = error
    yield from forms(name, value)


def tensors() -> Texts:
    """Eager tensors of every dtype, of ranks 0 to 3, empty ones, long ones."""
    shapes = {"scalar": (), "vector": (3,), "matrix": (2, 3), "cube": (2, 1, 2), "empty": (0,), "empty2": (2, 0)}
    for dtype in ANY:
        for name, shape in shapes.items():
            yield from forms(f"{dtype} {name}", tf.constant(x(*shape)(dtype)))
    for name, values in {
        "long": np.arange(1200),
        "wide": np.arange(60.0).reshape(2, 30),
        "tall": np.arange(2002).reshape(1001, 2),
        "large and small": np.array([1e10, 1e-10, 1.0]),
        "not finite": np.array([np.nan, np.inf, -np.inf, -0.0]),
        "thirds": np.array([1.0, 2.0, 3.0], np.float32) / np.float32(3.0),
        "whole": np.array([1.0, 100.0], np.float32),
        "text": np.array(["a'b", 'c"d', "é", "new\nline"]),
    }.items():
        yield from forms(name, tf.constant(values))


def formats() -> Texts:
    """Format specifications, f-strings and % with tensors."""
    for dtype in (*FLOATS, "int32", "int64", "bool", "string", "complex64"):
        value = tf.constant(x()(dtype))
        yield f"format {dtype}", format(value)
        yield f"f-string {dtype}", f"<{value}>"
        yield f"percent {dtype}", "%s" % value  # noqa: UP031, another way to the same text
        vector = tf.constant(x(2)(dtype))
        yield f"f-string vector {dtype}", f"{vector}"
        yield f"!r vector {dtype}", f"{vector!r}"
    yield "f-string .2f", said(format, tf.constant(3.14159), ".2f")
    yield "f-string 5d", said(format, tf.constant(7), "5d")
    yield "f-string .3e", said(format, tf.constant(1234.5), ".3e")
    yield "list", str([tf.constant(1), tf.constant([2.0])])
    yield "dict", repr({"k": tf.constant("v")})
    yield "numpy", repr(tf.constant([1.5, 2.0]).numpy())
    yield "item", repr(tf.constant(1.5).numpy())
    yield "bytes", repr(tf.constant("é").numpy())


def symbolic() -> Texts:
    """Tensors while tracing."""
    found: list[tuple[str, str]] = []

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, 2]),
            tf.TensorSpec(None, tf.int32, name="ids"),
            tf.TensorSpec([], tf.string),
        ]
    )
    def f(a, b, text):
        found.extend(forms("argument", a))
        found.extend(forms("unknown rank", b))
        found.extend(forms("text", text))
        found.extend(forms("sum", a + 1.0))
        found.extend(forms("product", tf.matmul(a, [[1.0], [2.0]], name="product")))
        found.extend(forms("second", tf.split(a, 2, axis=1)[1]))
        found.extend(forms("constant", tf.constant([1, 2])))
        with tf.name_scope("scope"):
            found.extend(forms("scoped", tf.identity(b)))
        found.append(("f-string", f"{a}"))
        found.append(("name", a.name))
        found.append(("name of a sum", (a + a).name))
        found.append(("op name", (a * a).op.name))
        return a

    f.get_concrete_function()
    yield from found


def specs() -> Texts:
    """TensorSpec and its relatives."""
    for name, spec in {
        "scalar": lambda: tf.TensorSpec([]),
        "vector": lambda: tf.TensorSpec([3], tf.int32),
        "unknown": lambda: tf.TensorSpec([None, 2], tf.string),
        "unknown rank": lambda: tf.TensorSpec(None, tf.bool),
        "named": lambda: tf.TensorSpec((1,), tf.float16, name="x"),
        "of a tensor": lambda: tf.TensorSpec.from_tensor(tf.constant([1.0, 2.0])),
        "of a named tensor": lambda: tf.TensorSpec.from_tensor(tf.constant(1), name="n"),
        "variable": lambda: tf.type_spec_from_value(tf.Variable(1.0, name="v")),
        "of a variable": lambda: tf.type_spec_from_value(tf.Variable([1, 2])),
        "slices": lambda: tf.IndexedSlicesSpec([3, 2], tf.float32),
        "array": lambda: tf.TensorArraySpec([2], tf.int32),
        "of a value": lambda: tf.type_spec_from_value(tf.constant([[True]])),
    }.items():
        yield from made(name, spec)


def shapes_and_dtypes() -> Texts:
    """TensorShape and DType."""
    for name, shape in {
        "scalar": lambda: tf.TensorShape([]),
        "vector": lambda: tf.TensorShape([3]),
        "partly known": lambda: tf.TensorShape([None, 2]),
        "unknown": lambda: tf.TensorShape(None),
        "of a tensor": lambda: tf.zeros([2, 3]).shape,
        "sliced": lambda: tf.TensorShape([1, 2, 3])[1:],
    }.items():
        yield from made(name, shape)
    for dtype in ANY:
        yield from forms(dtype, tf.as_dtype(dtype))
    for name in ("resource", "variant", "qint8", "quint8", "qint32"):
        yield from forms(name, getattr(tf, name))
    yield "numpy dtype", repr(tf.float32.as_numpy_dtype)


def variables() -> Texts:
    """Variables and modules."""
    for name, variable in {
        "scalar": lambda: tf.Variable(1.5),
        "vector": lambda: tf.Variable([1, 2], name="ids"),
        "matrix": lambda: tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="weights", trainable=False),
        "text": lambda: tf.Variable("hello"),
        "loose": lambda: tf.Variable([1.0], shape=tf.TensorShape(None)),
        "bool": lambda: tf.Variable([True, False]),
        "half": lambda: tf.Variable(tf.constant(0.5, tf.bfloat16)),
    }.items():
        yield from made(name, variable)
    yield "f-string", said(lambda: f"{tf.Variable(2)}")
    yield "sum", said(lambda: repr(tf.Variable(2) + 1))
    yield "assigned", said(lambda: repr(tf.Variable(2, name="v").assign_add(3)))

    class Model(tf.Module):
        """A module."""

    yield "module name", Model().name
    yield "named module name", Model(name="mine").name
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([3, 1]))
    yield "slices", str(slices.values)


def functions() -> Texts:
    """Functions, concrete functions and their signatures."""

    @tf.function
    def double(x):
        return x * 2

    @tf.function
    def several(a, b=2, *rest, flag=True, **named):
        return {"sum": a * b, "rest": list(rest), "flag": flag}

    @tf.function
    def structured(data, point):
        return point, data["list"][0]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name="values"), tf.TensorSpec([], tf.int32)])
    def signed(values, n):
        return values * tf.cast(n, tf.float32), None

    @tf.function
    def nothing():
        pass

    point = Point(tf.constant(1), tf.constant([2.0]))
    concretes = {
        "double": lambda: double.get_concrete_function(tf.TensorSpec([None], tf.int32)),
        "double scalar": lambda: double.get_concrete_function(tf.constant(1.5)),
        "double python": lambda: double.get_concrete_function(3),
        "several": lambda: several.get_concrete_function(tf.constant(1)),
        "several all": lambda: several.get_concrete_function(
            tf.constant(1), tf.constant(2), tf.constant(3), flag=False, k=tf.constant(4)
        ),
        "structured": lambda: structured.get_concrete_function({"list": [tf.constant("s")], "a": 1}, point),
        "signed": lambda: signed.get_concrete_function(),
        "nothing": lambda: nothing.get_concrete_function(),
    }
    facts: dict[str, Callable[[Any], Any]] = {
        "str": str,
        "pretty": lambda concrete: concrete.pretty_printed_signature(),
        "inputs": lambda concrete: concrete.structured_input_signature,
        "outputs": lambda concrete: concrete.structured_outputs,
        "shapes": lambda concrete: concrete.output_shapes,
        "dtypes": lambda concrete: concrete.output_dtypes,
        "flat inputs": lambda concrete: [tensor.name for tensor in concrete.inputs],
        "flat outputs": lambda concrete: [tensor.name for tensor in concrete.outputs],
        "function type": lambda concrete: concrete.function_type,
    }
    for name, make in concretes.items():
        try:
            concrete = make()
        except Exception as error:  # noqa: BLE001
            concrete = error
        for fact, text in facts.items():
            yield f"{fact} {name}", said(text, concrete)
    for function in (double, several, structured, signed, nothing):
        name = function.python_function.__name__
        yield f"signatures of {name}", said(lambda f: f.pretty_printed_concrete_signatures(), function)
        yield f"name of {name}", said(lambda f: f.name, function)
        yield f"__name__ of {name}", said(lambda f: f.__name__, function)
        yield f"function type of {name}", said(lambda f: f.function_type, function)
    yield "signature of signed", said(lambda: signed.input_signature)


def formatted(value: Any, summarize: int = 3) -> str:
    return tf.strings.format("{}", value, summarize=summarize).numpy().decode()


def printed() -> Texts:
    """What tf.print and tf.strings.format write for each dtype; for complex numbers TensorFlow writes question marks."""
    for dtype in (*REAL, "bool", "string"):
        for name, shape in {"scalar": (), "vector": (4,), "matrix": (2, 3), "empty": (0,)}.items():
            if (dtype, name) != ("bool", "empty"):  # of these TensorFlow forgets the brackets
                yield f"{dtype} {name}", said(formatted, tf.constant(x(*shape)(dtype)))
    for name, value in {
        "long": tf.range(10),
        "wide": tf.reshape(tf.range(40), [2, 20]),
        "tall": tf.reshape(tf.range(40), [20, 2]),
        "cube": tf.reshape(tf.range(8), [2, 2, 2]),
        "large": tf.constant([1e10, 1e-10, 123456.789, 1e5, 1e6]),
        "double": tf.constant([1e10, 1e-10, 123456.789, 0.1], tf.float64),
        "not finite": tf.constant([float("nan"), float("inf"), -0.0]),
    }.items():
        for form, count in {"": 3, " all": -1, " one": 1}.items():
            yield name + form, said(formatted, value, count)


GROUPS: dict[str, Callable[[], Texts]] = {
    group.__name__: group
    for group in (tensors, formats, symbolic, specs, shapes_and_dtypes, variables, functions, printed)
}
