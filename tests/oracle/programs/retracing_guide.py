"""What makes a function trace again, in the order a reader meets it."""

import dataclasses

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def python_numbers_and_tensors():
    """Each Python number is a trace of its own; tensors of one dtype and shape share one."""
    seen = []

    @tf.function
    def power(x, n):
        seen.append(n if isinstance(n, int) else "tensor")
        return x**n

    results = [power(tf.constant(2), n) for n in (1, 2, 1, tf.constant(3), tf.constant(4))]
    results.append(power(tf.constant([2, 3]), 2))
    return results, seen, power.experimental_get_tracing_count()


@program(eager=False)
def relaxed_shapes_and_signatures():
    """reduce_retracing generalises after the second shape; a signature does so at once."""
    shapes = []

    @tf.function(reduce_retracing=True)
    def relaxed(x):
        shapes.append(str(x.shape))
        return tf.reduce_sum(x)

    signed = tf.function(lambda x: x * 2, input_signature=(tf.TensorSpec([None, 2], tf.int32, name="rows"),))
    results = [relaxed(tf.ones([n, 2])) for n in (1, 2, 3, 4)] + [relaxed(tf.ones([5]))]
    fitting = signed([[1, 2]]), signed(tf.ones([3, 2], tf.int32))
    wrong = raised(signed, [1, 2]), raised(signed, tf.ones([1, 2])), raised(signed, [[1, 2]], 3)
    return results, shapes, fitting, wrong, signed.experimental_get_tracing_count()


@program(eager=False, advice=("frozen.attribute",))
def a_flag_that_a_trace_has_kept():
    """Globals and attributes of plain objects are read while tracing, and kept."""
    settings = {"scale": 2.0}

    class Config:
        offset = 1.0

    config = Config()

    @tf.function
    def f(x):
        return x * settings["scale"] + config.offset

    first = f(tf.constant(1.0))
    settings["scale"], config.offset = 100.0, 50.0
    kept = f(tf.constant(1.0))
    return first, kept, f(tf.constant([1.0])), f.experimental_get_tracing_count()


@program(eager=False)
def concrete_functions_and_their_signatures():
    """A concrete function by spec: its signature, its outputs, calls by name and calls that do not fit."""

    @tf.function
    def f(x, n=3, *, flag=True):
        return {"y": x * n, "z": (x, flag)}

    c = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    out = c(tf.constant([1.0, 2.0]))
    again = c(x=tf.constant([3.0]))
    args, kwargs = c.structured_input_signature
    wrong = raised(c, tf.constant([1])), raised(c), raised(c, tf.constant([1.0]), 4, 5)
    names = [op.type for op in c.graph.get_operations()], [t.name for t in c.inputs], c.output_shapes["y"].as_list()
    return out, again, args[0].shape.as_list(), str(args[0].dtype), args[1:], kwargs, wrong, names


@program(eager=False, advice=("effect.mutation",))
def dataclasses_and_strings_as_arguments():
    """Frozen dataclasses compare by value, strings by value, lists by their elements, objects by identity."""

    @dataclasses.dataclass(frozen=True)
    class Mode:
        name: str
        factor: int = 1

    class Plain:
        factor = 2

    count = [0]

    @tf.function
    def f(x, mode):
        count[0] += 1
        return x * mode.factor

    x = tf.constant(3)
    results = [f(x, Mode("a")), f(x, Mode("a")), f(x, Mode("b", 5))]
    one, two = Plain(), Plain()
    results += [f(x, one), f(x, one), f(x, two)]
    return results, count[0]


@program(eager=False, advice=("effect.mutation",))
def defaults_keywords_and_order():
    """However a call writes its arguments, the same arguments are the same trace."""
    count = [0]

    @tf.function
    def f(a, b=2, *rest, c=3, **more):
        count[0] += 1
        return a + b + c + sum(rest) + sum(more.values())

    a = tf.constant(1)
    results = [f(a), f(a, 2), f(a, b=2), f(a=a, c=3), f(c=3, b=2, a=a)]
    results += [f(a, 2, 5, 6), f(a, 2, 5, 6, c=3), f(a, d=1, e=2), f(a, e=2, d=1)]
    return results, count[0], raised(f), raised(f, a, a=a), raised(lambda: f(b=1))
