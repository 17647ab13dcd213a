"""Concrete functions, input signatures, and generalisation of shapes: what one trace takes."""

import collections

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

Batch = collections.namedtuple("Batch", "inputs labels")


def count(f):
    return f.experimental_get_tracing_count()


@program(eager=False)
def signature_of_a_dictionary():
    """An input signature may be a dict of specs; keys that are missing or too many are errors."""
    spec = {"a": tf.TensorSpec([None], tf.int32), "b": tf.TensorSpec([], tf.float32)}

    @tf.function(input_signature=[spec])
    def f(d):
        shapes.append(str(d["a"].shape))
        return tf.cast(tf.reduce_sum(d["a"]), tf.float32) * d["b"]

    shapes = []
    results = [f({"a": [1, 2], "b": 2.0}), f({"b": tf.constant(3.0), "a": tf.constant([5])})]
    wrong = [raised(f, {"a": [1]}), raised(f, {"a": [1], "b": 1.0, "c": 1}), raised(f, [[1], 1.0])]
    return results, wrong, shapes, count(f)


@program(eager=False)
def signature_of_a_named_tuple():
    """An input signature with a named tuple of specs."""

    @tf.function(input_signature=[Batch(tf.TensorSpec([None, 2]), tf.TensorSpec([None], tf.int64))])
    def f(batch):
        fields.append(batch._fields)
        return tf.reduce_sum(batch.inputs, axis=1), batch.labels + 1

    fields = []
    first = f(Batch(tf.ones([3, 2]), tf.constant([1, 2, 3], tf.int64)))
    second = f(Batch(labels=np.array([7]), inputs=np.ones([1, 2], np.float32)))
    wrong = [raised(f, (tf.ones([1, 2]), tf.constant([1], tf.int64))), raised(f, Batch(tf.ones([1]), tf.constant([1])))]
    return first, second, wrong, fields, count(f)


@program(eager=False)
def signature_with_unknown_rank():
    """TensorSpec(None) takes every shape in one trace."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32)])
    def f(x):
        ranks.append(x.shape.rank)
        return tf.rank(x), tf.size(x), tf.reduce_sum(x)

    ranks = []
    results = [f(tf.constant(v)) for v in (1, [1, 2], [[1], [2], [3]])]
    results.append(f(tf.zeros([0, 4], tf.int32)))
    return results, ranks, count(f)


@program(eager=False)
def signature_shorter_than_the_arguments():
    """Arguments behind those of the signature keep their defaults, and cannot be given others."""

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def f(x, factor=3):
        traced.append(factor)
        return x * factor

    traced = []
    results = [f(2), f(tf.constant(5)), f(x=7)]
    concrete = f.get_concrete_function()
    return results, concrete(tf.constant(4)), raised(f), raised(f, 1, factor=4), count(f)


@program(eager=False)
def signature_without_arguments():
    """An empty signature: a function without arguments, traced once."""

    @tf.function(input_signature=[])
    def f():
        traced.append(1)
        return counter.assign_add(1) + 0

    traced = []
    counter = tf.Variable(0)
    results = [f(), f(), f.get_concrete_function()(), f()]
    return results, len(traced), raised(f, 1), counter


@program(eager=False)
def signature_on_a_method():
    """The signature of a method leaves out self; every object has its own trace."""

    class Model:
        def __init__(self, scale):
            self.scale = scale

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def call(self, x):
            traced.append(self.scale)
            return tf.reduce_sum(x) * self.scale

    traced = []
    one, two = Model(1.0), Model(2.0)
    results = [one.call([1.0, 2.0]), two.call([1.0]), one.call([5.0]), two.call(tf.ones(3))]
    return results, traced, raised(one.call, [[1.0]])


@program(eager=False)
def signature_of_ragged_tensors():
    """A RaggedTensorSpec as input signature."""

    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    def f(rows):
        traced.append(rows.shape.rank)
        return rows.flat_values * 2, rows.row_lengths()

    traced = []
    results = [f(tf.ragged.constant([[1, 2], [3]])), f(tf.ragged.constant([[], [4, 5, 6], [7]], dtype=tf.int32))]
    results.append(f(tf.RaggedTensor.from_row_lengths([1, 2, 3], [3, 0])))
    return results, traced, raised(f, tf.ragged.constant([[1.5]])), count(f)


@program(eager=False)
def specs_share_what_values_made():
    """get_concrete_function with the spec of a traced value gives the trace that is there."""

    @tf.function
    def f(x):
        traced.append(str(x.shape))
        return x + 1

    traced = []
    f(tf.constant([1, 2]))
    same = f.get_concrete_function(tf.TensorSpec([2], tf.int32))
    wider = f.get_concrete_function(tf.TensorSpec([None], tf.int32))
    results = [same(tf.constant([5, 6])), wider(tf.constant([1, 2, 3])), f(tf.constant([4, 4, 4]))]
    return results, traced, count(f)


@program(eager=False)
def an_exact_trace_wins_over_a_wider_one():
    """A call takes the most specific trace that fits."""

    @tf.function
    def f(x):
        name = str(x.shape)
        traced.append(name)
        return tf.constant(name)

    traced = []
    f.get_concrete_function(tf.TensorSpec(None, tf.int32))
    first = f(tf.constant([1, 2]))
    f.get_concrete_function(tf.TensorSpec([None], tf.int32))
    second = f(tf.constant([1, 2]))
    f.get_concrete_function(tf.TensorSpec([2], tf.int32))
    third = [f(tf.constant([1, 2])), f(tf.constant([1])), f(tf.constant(1))]
    return first, second, third, traced


@program(eager=False)
def named_specs():
    """Names of TensorSpecs become the names of a concrete function's keywords."""

    @tf.function
    def f(x, y):
        return x * 10 + y

    concrete = f.get_concrete_function(tf.TensorSpec([], tf.int32, name="first"), tf.TensorSpec([], tf.int32))
    names = [tensor.name for tensor in concrete.inputs]
    results = [concrete(tf.constant(1), tf.constant(2)), concrete(x=tf.constant(3), y=tf.constant(4))]
    return names, results, [str(spec) for spec in concrete.structured_input_signature[0]]


@program(eager=False)
def concrete_function_with_structures():
    """A concrete function takes the structure it was made for."""

    @tf.function
    def f(batch, extra):
        return {"sum": batch.inputs + batch.labels, "extra": extra["k"][0]}

    spec = tf.TensorSpec([None], tf.int32)
    concrete = f.get_concrete_function(Batch(spec, spec), {"k": [tf.TensorSpec([])]})
    result = concrete(Batch(tf.constant([1]), tf.constant([2])), {"k": [tf.constant(0.5)]})
    again = concrete(batch=Batch(tf.constant([1, 2]), tf.constant([2, 3])), extra={"k": [tf.constant(1.5)]})
    wrong = raised(concrete, Batch(tf.constant([1]), tf.constant([2])), {"j": [tf.constant(0.5)]})
    return result, again, wrong, len(concrete.inputs), sorted(concrete.structured_outputs)


@program(eager=False, advice=("frozen.tensor",))
def concrete_functions_capture():
    """A concrete function keeps what it captured: variables by reference, tensors by value."""
    weight = tf.Variable([1.0, 2.0])
    offset = tf.constant(10.0)

    @tf.function
    def f(x):
        return x * weight + offset

    concrete = f.get_concrete_function(tf.TensorSpec([2]))
    first = concrete(tf.ones([2]))
    weight.assign([5.0, 5.0])
    offset = tf.constant(1000.0)
    second = concrete(tf.ones([2]))
    kinds = [tensor.dtype.name for tensor in concrete.captured_inputs]
    return first, second, kinds[0], len(concrete.variables), concrete.variables[0] is weight, f(tf.ones([2, 2]))


@program(eager=False)
def variables_of_a_function():
    """concrete.variables and trainable_variables are those that were used, whatever branch they are in."""
    a = tf.Variable(1.0, name="a")
    b = tf.Variable(2.0, name="b", trainable=False)
    c = tf.Variable(3.0, name="c")

    @tf.function
    def f(x):
        y = c * x + b
        if x > 0.0:
            y += a
        return y * c

    concrete = f.get_concrete_function(tf.TensorSpec([]))
    names = [sorted(v.name for v in group) for group in (concrete.variables, concrete.trainable_variables)]
    return names, concrete(tf.constant(2.0)), sorted(v.name for v in concrete.graph.variables)


@program(eager=False)
def reduce_retracing_relaxes_one_axis_at_a_time():
    """Only the dimensions that changed become unknown; another rank makes the shape unknown."""

    @tf.function(reduce_retracing=True)
    def f(x):
        shapes.append(str(x.shape))
        return tf.size(x)

    shapes = []
    results = [f(tf.ones(shape)) for shape in ([2, 3, 4], [2, 5, 4], [2, 6, 4], [7, 6, 4], [1, 1, 1], [2, 2], [3])]
    return results, shapes, count(f)


@program(eager=False)
def reduce_retracing_leaves_dtypes_and_python_values():
    """Other dtypes and Python values are never generalised."""

    @tf.function(reduce_retracing=True)
    def f(x, mode):
        traced.append((x.dtype.name, str(x.shape), mode))
        return tf.reduce_sum(x)

    traced = []
    for dtype, size, mode in (
        (tf.int32, 1, "a"),
        (tf.float32, 1, "a"),
        (tf.int32, 2, "a"),
        (tf.int32, 3, "a"),
        (tf.int32, 3, "b"),
        (tf.float32, 5, "a"),
        (tf.float32, 6, "a"),
    ):
        f(tf.ones([size], dtype), mode)
    return traced, count(f)


@program(eager=False)
def reduce_retracing_of_two_arguments():
    """Each argument is generalised by itself."""

    @tf.function(reduce_retracing=True)
    def f(x, y):
        shapes.append((str(x.shape), str(y.shape)))
        return tf.size(x) + tf.size(y)

    shapes = []
    results = [f(tf.ones(a), tf.ones(b)) for a, b in (([1], [2]), ([1], [3]), ([2], [3]), ([5], [6]), ([1, 1], [2]))]
    return results, shapes, count(f)


@program(eager=False)
def relax_shapes_by_its_old_name():
    """experimental_relax_shapes is reduce_retracing."""

    @tf.function(experimental_relax_shapes=True)
    def f(x):
        shapes.append(str(x.shape))
        return tf.reduce_sum(x)

    shapes = []
    results = [f(tf.ones([n])) for n in (1, 2, 3, 4)]
    return results, shapes, count(f)


@program(eager=False)
def generalised_functions_keep_gradients():
    """Gradients go through a trace that was generalised."""

    @tf.function(reduce_retracing=True)
    def f(x):
        traced.append(str(x.shape))
        return tf.reduce_sum(x * x)

    traced = []
    gradients = []
    for n in (1, 2, 3, 4):
        x = tf.range(float(n))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        gradients.append(tape.gradient(y, x))
    return gradients, traced, count(f)


@program(eager=False)
def type_hints_make_tensors():
    """experimental_follow_type_hints: arguments annotated tf.Tensor become tensors, so numbers share a trace."""

    @tf.function(experimental_follow_type_hints=True)
    def f(x: tf.Tensor, n: int, *rest: tf.Tensor):
        kinds.append([tf.is_tensor(value) for value in (x, n, *rest)])
        return x * n + sum(rest)

    kinds = []
    results = [f(1, 2), f(5, 2), f(5, 3), f(1, 2, 7), f(2, 2, 8), f(2.5, 2)]
    return results, kinds, count(f)


@program(eager=False)
def type_hints_with_keywords():
    """Type hints of keyword-only arguments and of **kwargs are followed as well."""

    @tf.function(experimental_follow_type_hints=True)
    def f(x, *, scale: tf.Tensor = 2, **named: tf.Tensor):
        kinds.append((tf.is_tensor(scale), [tf.is_tensor(named[key]) for key in sorted(named)]))
        return x * scale + sum(named.values())

    kinds = []
    x = tf.constant(1)
    results = [f(x, scale=3), f(x, scale=4), f(x), f(x, a=5), f(x, a=6), f(x, scale=1, a=1)]
    return results, kinds, count(f)


@program(eager=False)
def without_type_hints_a_number_stays_python():
    """An annotation alone changes nothing."""

    @tf.function
    def f(x: tf.Tensor):
        kinds.append(tf.is_tensor(x))
        return x + 1

    kinds = []
    results = [f(1), f(2), f(tf.constant(1)), f(np.int32(4))]
    return results, kinds, count(f)


@program(eager=False)
def output_shapes_of_traces():
    """structured_outputs of traces for known, partly known and unknown shapes."""

    @tf.function
    def f(x):
        return x[:1], tf.concat([x, x], 0), tf.reduce_sum(x, axis=-1, keepdims=True)

    shapes = []
    for spec in ([3, 2], [None, 2], [None, None], [3, None]):
        concrete = f.get_concrete_function(tf.TensorSpec(spec))
        shapes.append([part.shape for part in concrete.structured_outputs])
    return shapes, count(f), concrete(tf.ones([3, 1]))


@program(eager=False)
def concrete_functions_of_one_function_compose():
    """Concrete functions are called within another traced function, and traced no further."""

    @tf.function
    def f(x):
        traced.append(x.dtype.name)
        return x * 2

    traced = []
    ints = f.get_concrete_function(tf.TensorSpec([], tf.int32))
    floats = f.get_concrete_function(tf.TensorSpec([], tf.float32))

    @tf.function
    def g(x):
        return floats(tf.cast(ints(x), tf.float32)) + 0.5

    results = [g(tf.constant(1)), g(tf.constant(10))]
    return results, traced, count(f), count(g)


@program(eager=False)
def converted_by_the_signature():
    """Lists, arrays and numbers are made tensors of the signature's dtype if their values allow it."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64), tf.TensorSpec([], tf.int64)])
    def f(x, n):
        return x * tf.cast(n, tf.float64)

    right = [f([1, 2], 3), f((0.5,), np.int64(2)), f(np.array([1.5]), 4), f(x=[], n=1)]
    wrong = [raised(f, tf.constant([1.0]), 1), raised(f, [1.0], 2.5), raised(f, ["a"], 1), raised(f, [[1.0]], 1)]
    wrong += [raised(f, [1.0], tf.constant(1)), raised(f, [1.0], None)]
    return right, wrong, count(f)


@program(eager=False)
def pretty_printing_of_defaults():
    """The signatures as text, with defaults and keyword-only arguments."""

    @tf.function
    def f(x, axis=0, *, dtype="float32", keep=False):
        return tf.cast(tf.reduce_sum(x, axis, keepdims=keep), dtype)

    f(tf.ones([2, 3]))
    f(tf.ones([2, 3], tf.int32), 1, keep=True)
    f(tf.ones([4]), dtype="float64")
    concrete = f.get_concrete_function(tf.TensorSpec([None, None], tf.int64), axis=-1)
    return f.pretty_printed_concrete_signatures(), str(concrete), str(concrete.structured_input_signature)


@program(eager=False)
def function_type_of_a_concrete_function():
    """concrete.function_type: parameters, captures and the output."""

    @tf.function
    def f(x, n=2):
        return x * n

    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    kind = concrete.function_type
    names = list(kind.parameters)
    result = concrete(tf.constant([1.0, 2.0]))
    return names, str(kind), str(kind.output), result, f.function_type is None
