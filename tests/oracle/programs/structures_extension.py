"""Extension types: classes of one's own that hold tensors, and what becomes of them in functions, branches and loops."""

from collections.abc import Mapping
from typing import Optional, Union

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


class Masked(tf.experimental.ExtensionType):
    """Values, some of which count."""

    values: tf.Tensor
    mask: tf.Tensor
    label: str = "plain"

    def total(self):
        return tf.reduce_sum(tf.where(self.mask, self.values, 0))

    def scaled(self, factor):
        return Masked(self.values * factor, self.mask, self.label)


class Model(tf.experimental.ExtensionType):
    """Of all kinds of fields."""

    first: Masked
    rows: tuple[tf.Tensor, ...]
    named: Mapping[str, tf.Tensor]
    count: Optional[int] = None  # noqa: UP045 - what TensorFlow reads
    either: Union[int, tf.Tensor] = 3  # noqa: UP007
    shape: tf.TensorShape = tf.TensorShape([1, None])
    dtype: tf.DType = tf.float32


def masked(label="plain"):
    return Masked([1.0, 2.0, 4.0], [True, False, True], label)


@program(eager=False)
def extension_types_are_arguments():
    """A trace for each spec: another label or shape is another one, other values are not."""
    traces = []

    @tf.function
    def f(x):
        traces.append(x.label)
        return x.scaled(2.0), x.total()

    first, total = f(masked())
    second = f(Masked([3.0, 3.0, 3.0], [True, True, True]))[1]
    third = f(masked("other"))[1]
    fourth = f(Masked([1.0], [True]))[0].values
    return first.values, first.label, total, second, third, fourth, traces


@program
def extension_types_in_branches_and_loops():
    """Values of `if` and of loops."""

    @tf.function
    def f(x, times):
        if x.total() > 100:
            x = Masked(x.values * 0, x.mask, x.label)
        for _ in tf.range(times):
            x = x.scaled(3.0)
        return x

    small = f(masked(), tf.constant(2))
    large = f(masked().scaled(1000.0), tf.constant(1))
    return small.values, small.mask, small.label, large.values, type(large).__name__


@program
def fields_of_all_kinds():
    """Tuples, mappings, unions and extension types inside."""
    made = Model(masked(), [1, 2.0], {"b": [1], "a": 2}, 4)

    @tf.function
    def f(model):
        return model.first.total() + tf.cast(model.rows[1], tf.float32) + tf.cast(model.named["a"], tf.float32)

    parts = tf.nest.flatten(made, expand_composites=True)
    doubled = tf.nest.map_structure(lambda t: t, made, expand_composites=True)
    other = Model(masked(), (), {}, either=tf.constant(7))
    return (
        f(made), [tf.shape(p) for p in parts], doubled.count, doubled.either, other.either,
        made.shape.as_list(), made.dtype.name, sorted(made.named),
    )  # fmt: skip


@program
def fields_that_do_not_fit():
    """A TypeError for a value of another type, and an AttributeError for a change."""
    x = masked()
    wrong_label = raised(lambda: Masked([1.0], [True], 3))
    missing = raised(lambda: Masked([1.0]))
    inner = raised(lambda: Model(3, [], {}))
    mapping = raised(lambda: Model(x, [], [1]))
    changed = raised(lambda: setattr(x, "label", "z"))
    removed = raised(lambda: delattr(x, "label"))
    hashed = raised(lambda: hash(x))

    @tf.function
    def f(x):
        return x.total()

    return wrong_label, missing, inner, mapping, changed, removed, hashed, f(x), raised(lambda: tf.convert_to_tensor(x))


@program
def constructors_and_checks_of_ones_own():
    """`__init__` sets the fields, which are converted after it; `__validate__` sees them."""

    class Pair(tf.experimental.ExtensionType):
        low: tf.Tensor
        high: tf.Tensor

        def __init__(self, middle, width):
            self.low = middle - width
            self.high = middle + width

        def __validate__(self):
            self.low.shape.assert_is_compatible_with(self.high.shape)

    @tf.function
    def f(pair):
        return Pair(pair.low, pair.high).high

    pair = Pair(5.0, 2.0)
    wrong = raised(lambda: Pair(tf.zeros([2]), tf.zeros([2, 3])[:, 0]))
    return pair.low, pair.high, f(pair), wrong, repr(tf.type_spec_from_value(pair).low)


@program
def gradients_flow_through_extension_types():
    """A variable's gradient by what an object holds, in a function and outside."""
    v = tf.Variable([1.0, 2.0, 3.0])

    def loss():
        return Masked(v * v, [True, False, True]).total()

    with tf.GradientTape() as tape:
        eager = loss()
    slopes = tape.gradient(eager, v)

    @tf.function
    def f():
        with tf.GradientTape() as inner:
            value = loss()
        return value, inner.gradient(value, v)

    return eager, slopes, f()


@program(eager=False)
def specs_of_extension_types():
    """A spec in a signature, and generalised shapes."""
    spec = Masked.Spec(tf.TensorSpec([None]), tf.TensorSpec([None], tf.bool), "plain")
    traces = []

    @tf.function(input_signature=[spec])
    def f(x):
        traces.append(x.values.shape.as_list())
        return x.total()

    results = [f(masked()), f(Masked([5.0], [True]))]
    fits = [spec.is_compatible_with(tf.type_spec_from_value(x)) for x in (masked(), masked("other"))]
    common = tf.type_spec_from_value(masked()).most_specific_compatible_type(
        tf.type_spec_from_value(Masked([1.0], [True]))
    )
    return results, traces, fits, common == spec, repr(common)


@program
def equality_of_extension_types():
    """A tensor that says whether all parts are equal; False for other specs."""
    x = masked()

    @tf.function
    def same(a, b):
        return a == b

    other = Masked([1.0, 2.0, 5.0], [True, False, True])
    fields = tf.experimental.extension_type.as_dict(x)
    return same(x, masked()), x == other, x != other, x == masked("other"), x == 3, sorted(fields), repr(x.label)
