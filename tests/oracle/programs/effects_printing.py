"""What tf.print writes, of every kind of value."""

from tests.oracle.program import Sheet, program
from tests.oracle.under_test import tf


@program
def print_of_a_loop_variable_after_it():
    """The variable of a for loop keeps its last value."""
    sheet = Sheet()

    @tf.function
    def f(xs):
        x = tf.constant(-1)
        for x in xs:
            tf.print("item", x, output_stream=sheet.stream)
        tf.print("last", x, output_stream=sheet.stream)
        return x

    results = [f(tf.constant([4, 5])), f(tf.constant([], tf.int32))]
    return results, sheet.lines()


@program
def the_builtin_print_of_tensors():
    """print in a graph prints while it runs where AutoGraph converts it; tf.print says the same to a stream."""
    sheet = Sheet()

    @tf.function
    def f(x):
        y = x * 2
        tf.print("y is", y, output_stream=sheet.stream)
        tf.print("shape", y.shape, y.dtype.name, output_stream=sheet.stream)
        return y

    results = [f(tf.constant([1, 2])), f(tf.constant([3, 4]))]
    return results, sheet.lines()


@program
def print_separators_and_summaries():
    """sep, end and summarize of tf.print in a function."""
    sheet = Sheet()

    @tf.function
    def f(x):
        tf.print(x, x[0], sep=";", output_stream=sheet.stream)
        tf.print("no newline", end=" ", output_stream=sheet.stream)
        tf.print(x, summarize=1, output_stream=sheet.stream)
        tf.print([x, x + 1], {"k": x}, sep="\n", output_stream=sheet.stream)
        tf.print((), [], {}, output_stream=sheet.stream)

    f(tf.range(5))
    f(tf.range(2))
    return sheet.lines()


@program
def print_of_strings_and_bools():
    """Text in structures is quoted, alone it is not; bools are 1 and 0."""
    sheet = Sheet()

    @tf.function
    def f(words, flags):
        tf.print(words, output_stream=sheet.stream)
        tf.print(words[0], flags[0], output_stream=sheet.stream)
        tf.print({"w": words, "f": flags}, output_stream=sheet.stream)
        tf.print("plain", ["nested", ("deeper",)], b"bytes", output_stream=sheet.stream)
        tf.print(tf.strings.length(words), output_stream=sheet.stream)

    f(tf.constant(["one", "two words"]), tf.constant([True, False]))
    return sheet.lines()


@program
def print_of_variables_and_shapes():
    """Variables print as their values, shapes and dtypes as Python prints them."""
    sheet = Sheet()
    v = tf.Variable([1.5, 2.0])

    @tf.function
    def f(x):
        tf.print(v, output_stream=sheet.stream)
        v.assign(x)
        tf.print("now", v, v + 1.0, output_stream=sheet.stream)
        tf.print(x.shape, tf.shape(x), output_stream=sheet.stream)

    f(tf.constant([3.0, 4.0]))
    return sheet.lines(), v


@program
def print_of_ragged_and_empty():
    """How tf.print writes ragged and sparse tensors, empty tensors and tensors with an empty axis."""
    sheet = Sheet()

    @tf.function
    def f(rows):
        tf.print(rows, output_stream=sheet.stream)
        tf.print(tf.zeros([0]), tf.zeros([2, 0]), tf.zeros([0, 2]), output_stream=sheet.stream)
        tf.print("in", {"rows": rows, "words": words}, rows.row_lengths(), words, output_stream=sheet.stream)
        tf.print(rows, summarize=1, output_stream=sheet.stream)
        tf.print(tf.sparse.from_dense([[0, 5], [6, 0]]), output_stream=sheet.stream)

    words = tf.ragged.constant([["it's", "so"], []])
    f(tf.ragged.constant([[1, 2, 3, 4], [], [3]]))
    f(tf.ragged.constant([[1.5, 1e10], []]))
    f(tf.ragged.constant([[True], [False, True]]))
    return sheet.lines()


@program
def print_of_integers_of_all_sizes():
    """Integers of every width, and their limits."""
    sheet = Sheet()

    @tf.function
    def f(x):
        for dtype in (tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int32, tf.int64):
            y = tf.cast(x, dtype)
            tf.print(dtype.name, y, dtype.min, dtype.max, output_stream=sheet.stream)

    f(tf.constant([1, 100, 3]))
    f(tf.constant([0]))
    return sheet.lines()
