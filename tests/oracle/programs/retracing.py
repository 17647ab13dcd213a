"""When a function is traced again; concrete functions and their signatures."""

import collections

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

Pair = collections.namedtuple("Pair", "left right")


def counts(f, calls):
    """The number of traces after each of the calls."""
    result = []
    for arguments in calls:
        f(*arguments)
        result.append(f.experimental_get_tracing_count())
    return result


@program(eager=False)
def tensors_share_by_dtype_and_shape():
    """One trace for each dtype and shape, whatever the values."""

    @tf.function
    def f(x):
        dtypes.append(x.dtype.name)
        return x + x

    dtypes = []
    c = tf.constant
    values = [c(1), c(2), c(1.0), c([1]), c([2]), c([1, 2]), c([[1]]), c(9.0), c(1, tf.int64)]
    return counts(f, [(value,) for value in values]), dtypes


@program(eager=False)
def python_values_each_have_a_trace():
    """Python numbers, strings and None key by value. (Equal ones of other types are a listed difference.)"""

    @tf.function
    def f(x):
        seen.append(repr(x))
        return tf.constant(0)

    seen = []
    calls = [(v,) for v in (3, 2, 3, 2.5, 2.5, True, False, "a", "a", b"a", None, None, (7,), (7,), [7], -3.5)]
    after = counts(f, calls)
    return after, seen


@program(eager=False)
def numpy_values_are_tensors():
    """NumPy arrays and scalars count as tensors of their dtype and shape."""

    @tf.function
    def f(x):
        kinds.append(tf.is_tensor(x))
        return x * 2

    kinds = []
    calls = [
        (np.array([1, 2]),),
        (np.array([3, 4]),),
        (tf.constant([5, 6], tf.int64),),
        (np.float32(1.0),),
        (tf.constant(2.0),),
    ]
    calls += [(np.int64(1),), (np.int64(2),), (np.array([1.0, 2.0]),), (np.array([1, 2], np.int8),)]
    return counts(f, calls), f(np.array([1, 2])), f(np.float32(4.0)), kinds


@program(eager=False)
def an_input_signature_is_one_trace():
    """With an input signature there is one trace; numbers and arrays are made tensors of its dtype."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec(None, tf.float32)])
    def f(x, y):
        shapes.append((str(x.shape), str(y.shape)))
        return tf.reduce_sum(x) + tf.reduce_sum(y)

    shapes = []
    results = [
        f(tf.ones(3), 1.0),
        f([1, 2], [[3.0]]),
        f(np.zeros(0, np.float32), y=np.float32(2.0)),
        f(x=[1.5], y=tf.zeros([2, 2])),
    ]
    return results, shapes, f.experimental_get_tracing_count(), [str(spec) for spec in f.input_signature]


@program(eager=False)
def reduce_retracing():
    """reduce_retracing generalises the shape that changed, at the second trace."""

    @tf.function(reduce_retracing=True)
    def f(x):
        shapes.append(str(x.shape))
        return tf.reduce_sum(x)

    shapes = []
    calls = (
        [(tf.ones(n),) for n in (1, 2, 3, 4)]
        + [(tf.ones([2, n]),) for n in (1, 2, 3)]
        + [(tf.ones([3, 3]),), (tf.ones([1]),)]
    )
    return counts(f, calls), shapes


@program(eager=False)
def reduce_retracing_of_structures():
    """Generalising inside a structure and next to a Python value."""

    @tf.function(reduce_retracing=True)
    def f(data, n):
        shapes.append((str(data["a"].shape), str(data["b"][0].shape), n))
        return data["a"] * 2.0

    shapes = []
    calls = []
    for rows, columns, n in ((1, 2, 0), (2, 2, 0), (3, 2, 0), (3, 5, 0), (4, 6, 0), (4, 6, 1), (9, 9, 1)):
        calls.append(({"a": tf.ones([rows, 2]), "b": [tf.ones(columns)]}, n))
    return counts(f, calls), shapes


@program(eager=False)
def call_style_does_not_matter():
    """Positional, by keyword, with a default left out: one trace."""

    @tf.function
    def f(x, y=2, *, z=3):
        return x * y + z

    one = tf.constant(1)
    results = [f(one), f(one, 2), f(x=one), f(y=2, x=one), f(one, y=2, z=3), f(one, z=3)]
    same = f.experimental_get_tracing_count()
    f(one, 3)
    return results, same, f.experimental_get_tracing_count()


@program(eager=False)
def concrete_functions():
    """get_concrete_function with specs and values: shared traces, structured signatures."""

    @tf.function
    def f(x, n=2):
        return tf.cast(x, tf.float32) * n

    by_spec = f.get_concrete_function(tf.TensorSpec([None], tf.int32))
    by_value = f.get_concrete_function(tf.constant([1, 2]), 3)
    again = f.get_concrete_function(tf.TensorSpec([2], tf.int32), 3)
    results = [by_spec(tf.constant([1, 2, 3])), by_value(tf.constant([5, 6]))]
    facts = [by_value is again, f.experimental_get_tracing_count()]
    texts = [str(c.structured_input_signature) for c in (by_spec, by_value)]
    outputs = [str(c.structured_outputs.shape) for c in (by_spec, by_value)]
    return (
        results,
        facts,
        texts,
        outputs,
        [c.output_shapes for c in (by_spec, by_value)],
        [c.output_dtypes for c in (by_spec, by_value)],
    )


@program(eager=False)
def bound_python_arguments():
    """A concrete function accepts the Python value it was made with, and no other."""

    @tf.function
    def f(x, n, flag=True):
        return x * n if flag else x

    concrete = f.get_concrete_function(tf.TensorSpec([], tf.int32), 3)
    good = [concrete(tf.constant(2)), concrete(x=tf.constant(4))]
    bad = [
        raised(concrete, tf.constant(2), 4),
        raised(concrete, tf.constant(2), n=4),
        raised(concrete, tf.constant(2.0)),
    ]
    return good, concrete(tf.constant(2), 3, True), bad


@program(eager=False)
def signatures_as_text():
    """pretty_printed_concrete_signatures, and the text of a concrete function."""

    @tf.function
    def scale(x, factor, *, names=("a", "b")):
        return {"scaled": x * factor, "names": tf.constant(list(names))}

    scale(tf.constant([1.0, 2.0]), 3.0)
    scale(tf.constant([[1.0, 2.0]]), tf.constant(2.0))
    scale(tf.constant([1.0]), 3.0, names=("z",))
    first = scale.get_concrete_function(tf.TensorSpec([None, None]), tf.TensorSpec([]))
    return scale.pretty_printed_concrete_signatures(), str(first), scale.experimental_get_tracing_count()


@program(eager=False)
def signatures_of_structures():
    """The text of signatures with dicts, tuples, named tuples and None."""

    @tf.function
    def f(data, pair, nothing=None):
        return data["x"] + pair.left, [pair.right, (data["list"][0],)]

    pair = Pair(tf.constant(1.0), tf.constant([1, 2]))
    f({"x": tf.constant(2.0), "list": [tf.constant("s")]}, pair)
    concrete = f.get_concrete_function(
        {"x": tf.TensorSpec([]), "list": [tf.TensorSpec(None, tf.string, name="words")]}, pair
    )
    return (
        f.pretty_printed_concrete_signatures(),
        str(concrete),
        str(concrete.structured_input_signature),
        str(concrete.structured_outputs[0].dtype),
    )


@program(eager=False)
def objects_by_identity():
    """Any other object keys by identity; equal objects of one's own share a trace if they say so."""

    class Plain:
        pass

    class Equal:
        def __init__(self, n):
            self.n = n

        def __eq__(self, other):
            return isinstance(other, Equal) and self.n == other.n

        def __hash__(self):
            return hash(self.n)

    @tf.function
    def f(x):
        return tf.constant(0)

    one, two = Plain(), Plain()
    equal = [Equal(1), Equal(1), Equal(2)]
    return counts(f, [(one,), (two,), (one,), (equal[0],), (equal[1],), (equal[2],)])


@program(eager=False)
def function_made_in_a_loop():
    """A new Function has no traces of the old one, although the code is the same."""
    traced = []

    def body(x):
        traced.append(1)
        return x * 2

    results = []
    for value in (1, 2, 3):
        f = tf.function(body)
        results.append(f(tf.constant(value)))
    kept = tf.function(body)
    for value in (1, 2, 3):
        kept(tf.constant(value))
    return results, len(traced), kept.experimental_get_tracing_count(), f.experimental_get_tracing_count()


@program(eager=False)
def nested_functions_trace_apart():
    """A traced function called by two others is traced once for each type it is called with."""
    traced = []

    @tf.function
    def inner(x):
        traced.append(("inner", x.dtype.name))
        return x + 1

    @tf.function
    def outer(x):
        traced.append(("outer", x.dtype.name))
        return inner(x) * inner(x + x)

    results = [outer(tf.constant(2)), outer(tf.constant(3)), inner(tf.constant(9)), outer(tf.constant(0.5))]
    return results, traced, inner.experimental_get_tracing_count()


@program(eager=False)
def unknown_shapes_inside():
    """What a trace with unknown dimensions knows: static shapes, ranks, and the shape when it runs."""

    @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec(None)])
    def f(x, y):
        facts.append([x.shape, y.shape, y.shape.rank, x.shape[1], x.shape[0]])
        facts.append(
            [(x + 1.0).shape, tf.reduce_sum(x, axis=0).shape, tf.concat([x, x], 0).shape, tf.transpose(x).shape]
        )
        facts.append([tf.reshape(x, [-1]).shape, tf.reshape(x, [3, -1]).shape, x[0].shape, x[1:].shape, x[:, :2].shape])
        facts.append(
            [tf.shape(x).shape, tf.shape(y).shape, tf.matmul(x, tf.ones([3, 5])).shape, tf.stack([x, x]).shape]
        )
        return tf.shape(x), tf.rank(y), tf.size(y)

    facts = []
    results = [f(tf.ones([2, 3]), 1.0), f(tf.ones([0, 3]), tf.ones([2, 2, 2]))]
    return results, facts


@program(eager=False)
def set_shape_and_ensure_shape():
    """set_shape narrows what the trace knows, ensure_shape checks it when the graph runs."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32)])
    def f(x):
        known = tf.ensure_shape(x, [None, 2])
        shapes.append((x.shape, known.shape))
        return tf.reduce_sum(known, axis=1)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def g(x):
        y = x * 2
        y.set_shape([3])
        shapes.append((x.shape, y.shape))
        return y

    shapes = []
    good = [f(tf.constant([[1, 2], [3, 4]])), g(tf.constant([1, 2, 3]))]
    bad = [raised(f, tf.constant([1, 2])), raised(f, tf.constant([[1], [2]]))]
    return good, bad, shapes
