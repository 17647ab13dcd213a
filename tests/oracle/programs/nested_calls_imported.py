"""Graphs as data, added to other graphs."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


def scaled(x, y):
    return x * y + 1.0, tf.nn.relu(x)


SPECS = tf.TensorSpec([None]), tf.TensorSpec([None])


@program(eager=False)
def imported_nodes_run():
    """Tensors take the places of arguments."""
    definition = tf.function(scaled).get_concrete_function(*SPECS).graph.as_graph_def()

    @tf.function
    def f(a, b):
        inputs = {"x": a, "y:0": b}
        first, second = tf.import_graph_def(definition, inputs, ["Identity:0", "Identity_1:0"])
        (third,) = tf.import_graph_def(definition, {"x": second, "y": first}, ["mul:0"], name="again")
        return first, second, third

    one = f(tf.constant([2.0, -1.0]), tf.constant([3.0, 4.0]))
    two = f(tf.constant([1.0, -5.0]), tf.constant([0.5, 2.0]))
    with tf.GradientTape() as tape:
        x = tf.constant([2.0, 3.0])
        tape.watch(x)
        y = f(x, x)[2]
    return one, two, tape.gradient(y, x)


@program(eager=False)
def names_of_imported_nodes():
    """A scope in front of them, another for each import, and none for an empty name."""
    definition = tf.function(scaled).get_concrete_function(*SPECS).graph.as_graph_def()
    graph = tf.Graph()
    with graph.as_default():
        nothing = tf.import_graph_def(definition)
        again = tf.import_graph_def(definition, return_elements=["Identity:0", "x", "mul:0"])
        tf.import_graph_def(definition, name="a/b")
        with tf.name_scope("outer"):
            tf.import_graph_def(definition, name="in")
        tf.import_graph_def(definition, name="")
    names = [part.name for part in again]
    return nothing, names, [op.name for op in graph.get_operations()], [op.type for op in graph.get_operations()]


@program(eager=False)
def imports_that_are_refused():
    """Names that are not there, other dtypes, and what is no graph."""
    definition = tf.function(scaled).get_concrete_function(*SPECS).graph.as_graph_def()

    def attempt(*args, **kwargs):
        with tf.Graph().as_default():
            return tf.import_graph_def(*args, **kwargs)

    def of_int():
        with tf.Graph().as_default():
            return tf.import_graph_def(definition, {"x": tf.constant([1])})

    parts = [raised(attempt, definition, return_elements=part) for part in (["zz:0"], ["mul:3"], [1], ["zz"])]
    inputs = raised(attempt, definition, input_map={"zz": 1.0}), raised(of_int), raised(attempt, 3)
    twice = tf.Graph()
    with twice.as_default():
        tf.import_graph_def(definition, name="")
        again = raised(tf.import_graph_def, definition, name="")
    names = [op.name for op in twice.get_operations()]
    return parts, inputs, again, names, tf.import_graph_def(definition)


@program(eager=False)
def imported_control_flow():
    """Branches, loops and calls are imported with the functions that they run."""

    @tf.function
    def f(x, n):
        if x > 0.0:
            x = x * 2.0
        for _ in tf.range(n):
            x = x + 1.0
        return scaled(tf.reshape(x, [1]), [2.0])[0]

    definition = f.get_concrete_function(tf.TensorSpec([]), tf.TensorSpec([], tf.int32)).graph.as_graph_def()

    @tf.function
    def g(x, n):
        return tf.import_graph_def(definition, {"x": x, "n": n}, ["Identity:0"])

    one = g(tf.constant(2.0), tf.constant(3))
    two = g(tf.constant(-2.0), tf.constant(0))
    return one, two, f(tf.constant(2.0), tf.constant(3)), g(tf.constant(0.5), tf.constant(1))
