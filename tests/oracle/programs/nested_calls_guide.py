"""Functions that call functions, maps, and graphs by hand."""

import functools

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def inner_functions_are_nodes():
    """A traced function called by a traced function is one node; both keep their traces."""

    @tf.function
    def inner(x):
        return x * x

    @tf.function
    def outer(x):
        return inner(x) + inner(x + 1)

    y = outer(tf.constant(3))
    graph = outer.get_concrete_function(tf.constant(3)).graph
    kinds = [op.type for op in graph.get_operations()]
    return y, kinds, inner.experimental_get_tracing_count(), outer(tf.constant([1, 2]))


@program
def partials_methods_and_callables():
    """What else can be traced: partial functions, bound methods, objects with __call__, static and class methods."""

    def scale(x, by, plus=0):
        return x * by + plus

    class Affine:
        factor = 3

        def __call__(self, x):
            return x * self.factor

        @tf.function
        def method(self, x):
            return self(x) + 1

        @classmethod
        def of_class(cls, x):
            return x - cls.factor

        @staticmethod
        def plain(x):
            return -x

    obj = Affine()
    x = tf.constant(2)
    part = tf.function(functools.partial(scale, by=5))
    made = [tf.function(obj), tf.function(Affine.of_class), tf.function(obj.plain), tf.function(obj.method)]
    return part(x), part(x, plus=1), raised(part, x, 3), [f(x) for f in made], obj.method(x)


@program
def maps_over_elements():
    """map_fn, vectorized_map, scan and folds over structures of elements."""
    pairs = tf.constant([[1, 2], [3, 4], [5, 6]]), tf.constant([10.0, 20.0, 30.0])

    @tf.function
    def f(a, b):
        mapped = tf.map_fn(
            lambda ab: tf.cast(tf.reduce_sum(ab[0]), tf.float32) * ab[1], (a, b), fn_output_signature=tf.float32
        )
        quick = tf.vectorized_map(lambda row: row * tf.reduce_max(row), a)
        running = tf.scan(lambda s, row: s + row, a)
        left = tf.foldl(lambda s, row: s * 2 + row, a)
        right = tf.foldr(lambda s, row: s * 2 + row, a, initializer=tf.constant([1, 1]))
        return mapped, quick, running, left, right

    return f(*pairs), raised(f, pairs[0], pairs[1][:2])


@program(eager=False)
def a_graph_by_hand():
    """Operations in a graph of one's own: names, scopes, collections, and what cannot be run."""

    @tf.function
    def f(x):
        return tf.add(x, 1, name="plus_one")

    with tf.Graph().as_default() as graph:
        a = tf.constant([1.0, 2.0], name="a")
        with tf.name_scope("outer"):
            b = tf.multiply(a, 3.0, name="b")
            with tf.name_scope("inner"):
                c = b + a
        y = f(c)
        inside = tf.executing_eagerly(), tf.inside_function(), c.graph is graph
    names = [(op.name, op.type) for op in graph.get_operations()][:6]
    wrong = raised(lambda: bool(c[0] > 1)), raised(c.__array__), raised(lambda: graph.get_operation_by_name("none"))
    found = graph.get_tensor_by_name("outer/b:0") is b
    return (
        names,
        inside,
        wrong,
        found,
        y.shape.as_list(),
        raised(lambda: c + f.get_concrete_function(tf.constant(1.0)).outputs[0]),
    )
