"""Values that may be missing, and tensors handed over in capsules."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

Optional = tf.experimental.Optional


@program
def optionals_have_a_value_or_none():
    """Asking for one that is missing fails, in a function when it runs."""
    some = Optional.from_value(tf.constant([1, 2]))
    none = Optional.empty(some.element_spec)

    @tf.function
    def f(optional):
        return optional.has_value(), optional.get_value() + 1

    @tf.function
    def either(x):
        if x > 0:
            found = Optional.from_value(x)
        else:
            found = Optional.empty(tf.TensorSpec([], tf.int32))
        return found.has_value(), found

    first, second = either(tf.constant(3)), either(tf.constant(-3))
    refused = raised(none.get_value), raised(f, none), raised(second[1].get_value), raised(Optional.from_value, None)
    return f(some), none.has_value(), first[0], first[1].get_value(), second[0], refused


@program(eager=False)
def optionals_of_structures():
    """One trace for all of one spec, with a value or without."""
    traces = []

    @tf.function
    def f(optional):
        traces.append("traced")
        if optional.has_value():
            result = optional.get_value()["b"][0] * 2.0
        else:
            result = tf.constant(-1.0)
        return result

    some = Optional.from_value({"a": 1, "b": (2.0, tf.constant("x"))})
    none = Optional.empty(some.element_spec)
    spec = tf.OptionalSpec(some.element_spec)
    same = spec == tf.OptionalSpec.from_value(some), spec.is_compatible_with(none), isinstance(some, Optional)
    return f(some), f(none), some.get_value(), traces, same, str(some.element_spec["a"])


@program
def gradients_through_optionals():
    """A value that goes through an Optional keeps its gradient."""

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = Optional.from_value(x * x).get_value() * 3.0
        return y, tape.gradient(y, x)

    y, slope = f(tf.constant(2.0))
    again = f(tf.constant([1.0, -1.0]))
    return y, slope, again


@program(eager=False)
def tensors_in_capsules():
    """A capsule is taken once."""
    tensors = [tf.constant([1.0, 2.0]), tf.constant([[True]]), tf.constant(3), tf.zeros([0, 2]), tf.constant([1j])]

    @tf.function
    def f(x):
        return tf.experimental.dlpack.to_dlpack(x)

    capsules = [tf.experimental.dlpack.to_dlpack(tensor) for tensor in tensors]
    taken = [tf.experimental.dlpack.from_dlpack(capsule) for capsule in capsules]
    again = raised(tf.experimental.dlpack.from_dlpack, capsules[0])
    refused = raised(f, tf.constant(1.0)), raised(tf.experimental.dlpack.to_dlpack, tf.Variable(1.0))
    with tf.experimental.async_scope():
        later = tf.constant(1) + 1
    return (
        taken,
        again,
        refused,
        raised(tf.experimental.dlpack.from_dlpack, 3),
        later,
        tf.experimental.async_clear_error(),
    )
