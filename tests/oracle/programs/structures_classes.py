"""Structures by classes: attrs-like classes, sequences and mappings of one's own, composites, and their specs."""

import collections
import collections.abc

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

Sample = collections.namedtuple("Sample", "x y weight")


@program
def a_list_of_ones_own():
    """A subclass of list is a structure of its items."""

    class Stack(list):
        def top(self):
            return self[-1]

    @tf.function
    def f(items):
        total = sum(tf.nest.flatten(items))
        return total * 10

    stack = Stack([tf.constant(1), tf.constant(2)])
    doubled = tf.nest.map_structure(lambda t: t * 2, stack)
    return f(stack), type(doubled).__name__, doubled.top(), tf.nest.is_nested(stack)


@program
def a_mapping_of_ones_own():
    """A Mapping that is no dict is a structure by its sorted keys."""

    class Frozen(collections.abc.Mapping):
        def __init__(self, data):
            self._data = dict(data)

        def __getitem__(self, key):
            return self._data[key]

        def __iter__(self):
            return iter(self._data)

        def __len__(self):
            return len(self._data)

    @tf.function
    def f(mapping):
        return {key: mapping[key] * 2 for key in mapping}

    frozen = Frozen({"b": tf.constant(1), "a": tf.constant(2)})
    flat = tf.nest.flatten(frozen)
    return flat, f(frozen), tf.nest.is_nested(frozen)


@program
def specs_of_structures():
    """TensorSpec: equality, compatibility, from_tensor, names, as parts of structures."""

    @tf.function(input_signature=[Sample(tf.TensorSpec([None, 2]), tf.TensorSpec([None], tf.int32), tf.TensorSpec([]))])
    def f(sample):
        losses = tf.reduce_sum(sample.x, axis=1) - tf.cast(sample.y, tf.float32)
        return tf.reduce_sum(losses) * sample.weight

    spec = tf.TensorSpec([None, 2])
    facts = [spec == tf.TensorSpec([None, 2]), spec == tf.TensorSpec([1, 2]), spec.is_compatible_with(tf.ones([3, 2]))]
    facts += [spec.is_compatible_with(tf.ones([3])), tf.TensorSpec.from_tensor(tf.ones([1])).shape.as_list()]
    return f(Sample(tf.ones([3, 2]), tf.constant([1, 2, 3]), 2.0)), facts, repr(spec)


@program
def type_specs_of_composites():
    """type_spec_from_value of tensors, ragged and sparse tensors, variables and IndexedSlices."""
    values = [tf.constant([1]), tf.ragged.constant([[1], []]), tf.sparse.from_dense([1, 0]), tf.Variable(1.0)]

    @tf.function
    def f(x):
        kinds = [type(tf.type_spec_from_value(v)).__name__ for v in (x, x + 1)]
        return tf.constant(kinds)

    names = [type(tf.type_spec_from_value(v)).__name__ for v in values]
    shapes = [str(tf.type_spec_from_value(v).shape) for v in values]
    return f(tf.constant(1)), names, shapes, raised(tf.type_spec_from_value, object())


@program(eager=False)
def shapes_compare_and_combine():
    """TensorShape: merge_with, concatenate, is_compatible_with, indexing, None."""

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def f(x):
        facts.append(
            (x.shape.merge_with([2, None]).as_list(), x.shape.concatenate([5]).as_list(), x.shape.num_elements())
        )
        return tf.reduce_sum(x)

    facts = []
    result = f(tf.ones([2, 3]))
    a, b = tf.TensorShape([None, 3]), tf.TensorShape([2, None])
    more = [
        a.is_compatible_with(b),
        a.merge_with(b).as_list(),
        a[1:].as_list(),
        a == b,
        a.rank,
        bool(tf.TensorShape(None)),
    ]
    return result, facts[0], more, raised(a.merge_with, [2, 4]), raised(tf.TensorShape(None).as_list), a + [7]


@program
def batches_with_named_fields():
    """A list of named tuples is turned into a named tuple of tensors, weighted and summed in the graph."""

    @tf.function
    def loss(samples):
        batch = Sample(*[tf.stack(column) for column in zip(*samples)])
        errors = (batch.x - batch.y) ** 2.0
        return tf.reduce_sum(errors * batch.weight), batch

    samples = [Sample(tf.constant(float(i)), tf.constant(1.0), tf.constant(0.5)) for i in range(3)]
    total, batch = loss(samples)
    return total, batch, loss(samples[:1])[0]


@program
def gradients_of_nested_sources():
    """tape.gradient for nested dicts, lists and named tuples of tensors; None where unconnected."""

    @tf.function
    def f(sources):
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = sources["a"] * sources["deep"][0].x + sources["a"] ** 2.0
        return tape.gradient(y, sources)

    one = tf.constant(1.0)
    sources = {"a": tf.constant(3.0), "deep": [Sample(tf.constant(2.0), one, one)]}
    grads = f(sources)
    return grads["a"], grads["deep"][0].x, grads["deep"][0].y is None, sorted(grads)


@program
def alternatives_by_isinstance():
    """Functions over sums of types: a named tuple, a dict or a tensor decides what is traced."""

    @tf.function
    def area(shape):
        if isinstance(shape, Sample):
            return shape.x * shape.y
        if isinstance(shape, dict):
            return 3.0 * shape["radius"] ** 2.0
        return shape

    shapes = [Sample(tf.constant(2.0), tf.constant(3.0), None), {"radius": tf.constant(2.0)}, tf.constant(7.0)]
    return [area(shape) for shape in shapes], area(tf.constant([1.0, 2.0]))


@program
def recursive_structures():
    """A linked list of nested tuples, folded by recursion while tracing."""

    @tf.function
    def total(node):
        if node is None:
            return tf.constant(0)
        value, rest = node
        return value + total(rest)

    chain = None
    for value in (1, 2, 3):
        chain = (tf.constant(value), chain)
    return total(chain), total(None), total((tf.constant(5), None)), tf.nest.flatten(chain)[:3]
