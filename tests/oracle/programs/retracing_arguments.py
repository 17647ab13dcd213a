"""Which arguments share a trace: keywords, defaults, *args, structures, classes of one's own, callables, None."""

import collections
import dataclasses
import enum
import functools

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

Span = collections.namedtuple("Span", "low high")


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


def count(f):
    return f.experimental_get_tracing_count()


@program(eager=False, advice=("effect.mutation",))
def keyword_only_arguments():
    """A keyword-only argument keys like any other; leaving it out is the same as writing its default."""

    @tf.function
    def f(x, *, power=2, negate=False):
        seen.append((power, negate))
        y = x**power
        return -y if negate else y

    seen = []
    x = tf.constant(3)
    results = [f(x), f(x, power=2), f(x, negate=False), f(x, negate=False, power=2), f(x, power=3), f(x, negate=True)]
    return results, seen, count(f), raised(f, x, 3)


@program(eager=False)
def star_arguments_by_number():
    """Each number of positional arguments beyond the named ones is a trace of its own."""

    @tf.function
    def total(first, *rest):
        lengths.append(len(rest))
        for value in rest:
            first = first + value
        return first

    lengths = []
    one = tf.constant(1)
    results = [total(one), total(one, one), total(one, one, one), total(one, tf.constant(5)), total(tf.constant(7))]
    return results, lengths, count(total)


@program(eager=False, advice=("effect.mutation",))
def double_star_arguments_by_name():
    """The names among **kwargs are part of the key, the order they are written in is not."""

    @tf.function
    def f(**parts):
        orders.append(list(parts))
        return sum(parts.values())

    orders = []
    a, b = tf.constant(1), tf.constant(20)
    results = [f(left=a, right=b), f(right=b, left=a), f(left=b, right=a), f(left=a), f(up=a)]
    return results, [sorted(order) for order in orders], count(f)


@program(eager=False)
def star_args_and_double_star_together():
    """Everything at once: positional-only, named, *args, keyword-only, **kwargs."""

    @tf.function
    def f(a, /, b, *rest, c=1, **named):
        kinds.append((len(rest), c, sorted(named)))
        return a + b + sum(rest) + c + sum(named.values())

    kinds = []
    k = tf.constant
    results = [f(k(1), k(2)), f(k(1), b=k(2)), f(k(1), k(2), k(3), c=4), f(k(1), k(2), d=k(5)), f(k(9), k(8), d=k(7))]
    wrong = [raised(f, k(1)), raised(f, a=k(1), b=k(2)), raised(f)]
    return results, kinds, wrong, count(f)


@program(eager=False)
def mutable_default_argument():
    """A list as default is read while tracing; what is appended later needs another trace to be seen."""
    history = []

    @tf.function
    def f(x, weights=history):
        traces.append(len(weights))
        total = x
        for weight in weights:
            total += weight
        return total

    traces = []
    first = f(tf.constant(1))
    history.append(10)
    second = f(tf.constant(1))
    third = f(tf.constant(1.0), [])
    return first, second, third, traces, count(f)


@program(eager=False)
def a_tensor_as_default():
    """A tensor as default value is an argument like one that is passed."""
    base = tf.constant([1.0, 2.0])

    @tf.function
    def f(x, offset=base):
        traced.append(offset.shape)
        return x + offset

    traced = []
    results = [f(tf.constant(1.0)), f(tf.constant(1.0), tf.constant([5.0, 5.0])), f(tf.constant(1.0), tf.constant(3.0))]
    results.append(f(tf.constant(2.0), base))
    return results, traced, count(f)


@program(eager=False, advice=("effect.mutation",))
def none_and_a_tensor():
    """None and a tensor are different traces; an optional argument is decided in Python."""

    @tf.function
    def f(x, mask=None):
        paths.append("all" if mask is None else "masked")
        if mask is None:
            return tf.reduce_sum(x)
        return tf.reduce_sum(tf.where(mask, x, 0))

    paths = []
    x = tf.constant([1, 2, 3])
    results = [f(x), f(x, tf.constant([True, False, True])), f(x, None), f(x, mask=x > 1)]
    return results, paths, count(f)


@program(eager=False)
def enum_members():
    """A member of an enumeration keys by itself."""

    @tf.function
    def paint(x, colour):
        traced.append(colour.name)
        if colour is Colour.RED:
            return x * 2
        return x * 3

    traced = []
    one = tf.constant(1)
    results = [paint(one, Colour.RED), paint(one, Colour.GREEN), paint(one, Colour(1)), paint(one, Colour["GREEN"])]
    return results, traced, count(paint)


@program(eager=False)
def dtypes_and_shapes_as_arguments():
    """tf.DType and tf.TensorShape as Python arguments."""

    @tf.function
    def make(shape, dtype):
        traced.append((str(shape), dtype.name))
        return tf.ones(shape, dtype)

    traced = []
    results = [make(tf.TensorShape([2]), tf.int32), make(tf.TensorShape([2]), tf.float32)]
    results += [make(tf.TensorShape((2,)), tf.int32), make(tf.TensorShape([1, 2]), tf.as_dtype("int32"))]
    return results, traced, count(make)


@program(eager=False)
def lambdas_as_arguments():
    """A callable keys by identity: the same function is the same trace, a new lambda is a new one."""

    @tf.function
    def apply(function, x):
        traced.append(1)
        return function(x)

    traced = []
    double = lambda v: v * 2
    x = tf.constant(4)
    results = [apply(double, x), apply(double, x), apply(tf.negative, x), apply(tf.negative, x)]
    before = count(apply)
    results += [apply(lambda v: v + 1, x), apply(lambda v: v - 1, x)]
    return results, before, count(apply)


@program(eager=False)
def bound_methods_as_arguments():
    """A bound method of the same object is the same argument, that of another object is not."""

    class Scale:
        def __init__(self, by):
            self.by = by

        def call(self, x):
            return x * self.by

    @tf.function
    def apply(function, x):
        traced.append(1)
        return function(x)

    traced = []
    two, three = Scale(2), Scale(3)
    x = tf.constant(5)
    results = [apply(two.call, x), apply(two.call, x), apply(three.call, x)]
    return results, len(traced)


@program(eager=False)
def partials_as_arguments():
    """A functools.partial is an object of its own: the same one shares its trace."""

    def power(n, x):
        return x**n

    @tf.function
    def apply(function, x):
        traced.append(1)
        return function(x)

    traced = []
    square = functools.partial(power, 2)
    x = tf.constant(3)
    results = [apply(square, x), apply(square, x), apply(functools.partial(power, 3), x)]
    return results, len(traced)


@program(eager=False)
def traced_functions_as_arguments():
    """A tf.function passed to another is called in it; it keys by identity."""

    @tf.function
    def twice(f, x):
        traced.append(1)
        return f(f(x))

    @tf.function
    def increment(x):
        return x + 1

    @tf.function
    def square(x):
        return x * x

    traced = []
    results = [twice(increment, tf.constant(3)), twice(square, tf.constant(3)), twice(increment, tf.constant(10))]
    return results, len(traced), count(increment), count(square)


@program(eager=False)
def named_tuple_against_tuple():
    """A named tuple, a tuple and a list of the same tensors are three traces; two named tuples share one."""

    @tf.function
    def f(pair):
        kinds.append(type(pair).__name__)
        low, high = pair
        return high - low

    kinds = []
    a, b = tf.constant(2), tf.constant(7)
    results = [f(Span(a, b)), f((a, b)), f([a, b]), f(Span(low=b, high=a)), f(Span(a, a)._replace(high=b))]
    return results, kinds, count(f)


@program(eager=False)
def dictionaries_key_by_sorted_names():
    """The order of a dict's keys is no part of the signature; OrderedDict and defaultdict are types of their own."""

    @tf.function
    def f(d):
        kinds.append(type(d).__name__)
        return d["a"] * 10 + d["b"]

    kinds = []
    one, two = tf.constant(1), tf.constant(2)
    results = [f({"a": one, "b": two}), f({"b": one, "a": two})]
    plain = count(f)
    results += [f(collections.OrderedDict(a=one, b=two)), f(collections.OrderedDict(b=two, a=one))]
    return results, plain, count(f), len(kinds)


@program(eager=False)
def nested_python_numbers_in_structures():
    """A Python number deep in a structure makes a trace per value, a tensor there does not."""

    @tf.function
    def f(config):
        traced.append(config["layers"][0]["units"])
        return tf.ones([2]) * config["rate"] * config["layers"][0]["units"]

    traced = []
    results = []
    for units, rate in ((1, 0.5), (1, 0.25), (2, 0.5), (1, 0.5)):
        results.append(f({"rate": tf.constant(rate), "layers": [{"units": units}]}))
    return results, traced, count(f)


@program(eager=False)
def a_dataclass_that_compares():
    """Frozen dataclasses of equal fields are the same Python argument."""

    @dataclasses.dataclass(frozen=True)
    class Options:
        size: int
        name: str = "none"

    @tf.function
    def f(x, options):
        traced.append((options.size, options.name))
        return tf.fill([options.size], x)

    traced = []
    x = tf.constant(1)
    results = [f(x, Options(2)), f(x, Options(2, "none")), f(x, Options(3)), f(x, Options(2, "other"))]
    return results, traced, count(f)


@program(eager=False)
def a_tracing_type_of_ones_own():
    """__tf_tracing_type__ decides which objects share a trace."""

    class RoundedType(tf.types.experimental.TraceType):
        def __init__(self, value):
            self.value = value

        def is_subtype_of(self, other):
            return self == other

        def most_specific_common_supertype(self, others):
            return self if all(self == other for other in others) else None

        def placeholder_value(self, placeholder_context):
            return Rounded(self.value)

        def __eq__(self, other):
            return isinstance(other, RoundedType) and self.value == other.value

        def __hash__(self):
            return hash(self.value)

    class Rounded:
        def __init__(self, value):
            self.value = value

        def __tf_tracing_type__(self, context):
            return RoundedType(round(self.value))

    @tf.function
    def f(x, rounded):
        traced.append(rounded.value)
        return x * rounded.value

    traced = []
    results = [f(tf.constant(10), Rounded(v)) for v in (1.1, 0.9, 2.2, 1.4, 1.8)]
    return results, traced, count(f)


@program(eager=False)
def numpy_scalars_and_python_numbers():
    """A NumPy scalar is a tensor and shares its trace; a Python number of the same value is a trace by value."""

    @tf.function
    def f(n):
        kinds.append("tensor" if tf.is_tensor(n) else "python")
        return n * 2

    kinds = []
    results = [f(np.int32(3)), f(np.int32(4)), f(3), f(4), f(tf.constant(5)), f(np.float64(0.5)), f(0.5)]
    return results, kinds, count(f)


@program(eager=False)
def lists_of_numbers_are_structures():
    """A list of Python numbers keys by its values, a tensor of them does not."""

    @tf.function
    def f(xs):
        traced.append("list" if isinstance(xs, list) else "tensor")
        return tf.reduce_sum(xs)

    traced = []
    results = [f([1, 2, 3]), f([1, 2, 4]), f(tf.constant([1, 2, 3])), f(tf.constant([1, 2, 4])), f([1, 2, 3])]
    results.append(f(np.array([7, 8, 9], np.int32)))
    return results, traced, count(f)


@program(eager=False)
def empty_structures():
    """Empty list, tuple and dict, and no argument at all."""

    @tf.function
    def f(structure=None):
        traced.append(repr(structure))
        return tf.constant(len(structure) if structure is not None else -1)

    traced = []
    results = [f([]), f(()), f({}), f(), f([]), f(None)]
    return results, traced, count(f)


@program(eager=False)
def strings_and_bytes():
    """Text and bytes are Python values; tf.constant of text is a tensor."""

    @tf.function
    def shout(text):
        traced.append("tensor" if tf.is_tensor(text) else type(text).__name__)
        return tf.strings.join([text, "!"])

    traced = []
    results = [shout("a"), shout(b"a"), shout("b"), shout(tf.constant("a")), shout(tf.constant("b")), shout("a")]
    return results, traced, count(shout)


@program(eager=False)
def ranges_as_arguments():
    """A range is a Python value; the loop over it is unrolled."""

    @tf.function
    def f(x, steps):
        bodies.append(len(steps))
        for step in steps:
            x = x * 10 + step
        return x

    bodies = []
    results = [f(tf.constant(0), range(3)), f(tf.constant(0), range(3)), f(tf.constant(0), range(1, 3))]
    return results, bodies, count(f)


@program(eager=False)
def variables_and_tensors_are_different_arguments():
    """A variable argument and a tensor of the same shape are different traces; a variable is passed by reference."""
    v, w = tf.Variable(1.0), tf.Variable(10.0)

    @tf.function
    def f(x):
        traced.append(isinstance(x, tf.Variable))
        if isinstance(x, tf.Variable):
            x.assign_add(1.0)
        return x * 2.0

    traced = []
    results = [f(v), f(tf.constant(1.0)), f(w), f(tf.constant(5.0)), f(v)]
    return results, traced, count(f), v, w


@program(eager=False)
def the_same_variable_twice():
    """Two arguments that are one variable are another trace than two variables."""
    v, w = tf.Variable(1.0), tf.Variable(10.0)

    @tf.function
    def f(a, b):
        traced.append(a is b)
        a.assign_add(1.0)
        b.assign_add(100.0)
        return a + b

    traced = []
    results = [f(v, w), f(v, v), f(w, v), f(w, w)]
    return results, traced, count(f), v, w


@program(eager=False)
def the_same_tensor_twice():
    """Tensors are passed by value: the same one twice is no trace of its own."""

    @tf.function
    def f(a, b):
        traced.append(1)
        return a * 10 + b

    traced = []
    x, y = tf.constant(1), tf.constant(2)
    results = [f(x, y), f(x, x), f(y, y), f(a=y, b=x)]
    return results, len(traced), count(f)


@program(eager=False)
def ragged_and_sparse_arguments():
    """Composite tensors key by their spec: dtype, rank, what is known of the shape."""

    @tf.function
    def f(x):
        kinds.append(type(x).__name__)
        return x.values * 2

    kinds = []
    ragged = [
        tf.ragged.constant([[1], [2, 3]]),
        tf.ragged.constant([[1, 2], [], [3]]),
        tf.ragged.constant([[4, 5], []]),
    ]
    sparse = [tf.sparse.from_dense([[0, 1], [2, 0]]), tf.sparse.from_dense([[5, 0], [0, 0]])]
    results = [f(x) for x in [*ragged, *sparse, ragged[0]]]
    return results, kinds, count(f)


@program(eager=False)
def indexed_slices_as_arguments():
    """IndexedSlices are taken apart into their tensors."""

    @tf.function
    def f(slices):
        traced.append(str(slices.values.shape))
        return slices.values * 2.0, slices.indices + 1

    traced = []
    one = tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 3]))
    two = tf.IndexedSlices(tf.constant([5.0, 6.0]), tf.constant([9, 9]))
    three = tf.IndexedSlices(tf.constant([5.0]), tf.constant([9]))
    return f(one), f(two), f(three), traced, count(f)


@program(eager=False)
def classes_as_arguments():
    """A class is a Python value too."""

    class Adder:
        def __call__(self, x):
            return x + 1

    class Doubler:
        def __call__(self, x):
            return x * 2

    @tf.function
    def f(cls, x):
        traced.append(cls.__name__)
        return cls()(x)

    traced = []
    results = [f(Adder, tf.constant(5)), f(Doubler, tf.constant(5)), f(Adder, tf.constant(6))]
    return results, traced, count(f)


@program(eager=False)
def negative_and_large_integers():
    """Python integers too large for int32 are keyed and used as they are."""

    @tf.function
    def f(n):
        traced.append(n)
        return tf.constant(n, tf.int64) - 1

    traced = []
    results = [f(n) for n in (-1, 2**40, -(2**40), 2**40, -1)]
    return results, traced, count(f), raised(f, 2**70)


@program(eager=False)
def not_a_number_as_argument():
    """nan is not equal to itself, yet one nan object keys like itself."""
    nan = float("nan")

    @tf.function
    def f(x, fill):
        traced.append(str(fill))
        return tf.where(x > 0.0, x, fill)

    traced = []
    x = tf.constant([1.0, -1.0])
    results = [f(x, nan), f(x, float("inf")), f(x, -float("inf")), f(x, float("inf"))]
    return results, traced, count(f)


@program(eager=False)
def sets_and_frozensets():
    """A frozen set can be hashed and is a Python value."""

    @tf.function
    def f(x, allowed):
        traced.append(sorted(allowed))
        return tf.constant(sorted(allowed)) * x

    traced = []
    x = tf.constant(2)
    results = [f(x, frozenset({3, 1})), f(x, frozenset({1, 3})), f(x, frozenset({2}))]
    return results, traced, count(f)


@program(eager=False)
def a_shape_as_a_tuple_or_a_tensor():
    """A size given as a Python tuple is known while tracing; as a tensor it is known when the graph runs."""

    @tf.function
    def zeros(shape):
        result = tf.zeros(shape)
        static.append(result.shape)
        return result

    static = []
    results = [zeros((1, 2)), zeros((2, 1)), zeros(tf.constant([1, 2])), zeros(tf.constant([3, 1])), zeros(())]
    return results, static, count(zeros)
