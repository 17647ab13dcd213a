"""Structures as arguments and results: dicts, lists, tuples, named tuples, None; tf.nest."""

import collections

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

Point = collections.namedtuple("Point", ["x", "y"])
Segment = collections.namedtuple("Segment", "start end label")


@program
def dict_in_dict_out():
    """A dict argument, a nested dict result; keys keep their order in the result."""

    @tf.function
    def summary(data):
        z, a = data["z"], data["a"]
        total = {key: tf.reduce_sum(value) for key, value in data.items()}
        return {"z": z + a, "sums": total, "a": [a, {"deep": a * 2}]}

    first = summary({"z": tf.constant([1, 2]), "a": tf.constant([10, 20])})
    second = summary({"a": tf.constant([5]), "z": tf.constant([6])})
    return first, second, list(first)


@program
def named_tuples():
    """Named tuples keep their class and fields through a function."""

    @tf.function
    def mirror(segment):
        start = Point(-segment.start.x, segment.start.y)
        end = segment.end._replace(x=-segment.end.x)
        return Segment(start, end, segment.label), Point(x=end.x - start.x, y=[end.y, start.y])

    segment = Segment(
        Point(tf.constant(1.0), tf.constant(2.0)), Point(tf.constant(4.0), tf.constant(6.0)), tf.constant("s")
    )
    mirrored, difference = mirror(segment)
    return mirrored, difference, mirrored.end.x, type(difference).__name__


@program
def lists_and_tuples():
    """Lists stay lists and tuples tuples, empty ones too, None stays None."""

    @tf.function
    def rearrange(pairs, rest):
        (a, b), c = pairs
        d, *others = rest
        return [(a + b,), [], (), None, {"c": c, "others": others}], d

    result = rearrange(
        ((tf.constant(1), tf.constant(2)), tf.constant(3)), [tf.constant(4), tf.constant(5), tf.constant(6)]
    )
    alone = rearrange(((tf.constant(1), tf.constant(2)), tf.constant(3)), [tf.constant([4])])
    return result, alone


@program
def map_structure():
    """tf.nest.map_structure over one and two structures, inside a function."""

    @tf.function
    def blend(old, new, rate):
        mixed = tf.nest.map_structure(lambda a, b: a * (1.0 - rate) + b * rate, old, new)
        shapes = tf.nest.map_structure(lambda t: t.shape.rank, old)
        scaled = tf.nest.map_structure(lambda t: t * 2.0, mixed)
        return mixed, scaled, shapes["w"]

    old = {"w": tf.constant([1.0, 2.0]), "layers": [tf.constant(3.0), (tf.constant([[4.0]]),)]}
    new = tf.nest.map_structure(tf.zeros_like, old)
    mixed, scaled, rank = blend(old, new, tf.constant(0.25))
    return mixed, scaled, int(rank)


@program
def flatten_and_pack():
    """tf.nest.flatten goes by sorted keys; pack_sequence_as restores the structure."""

    @tf.function
    def number(structure):
        leaves = tf.nest.flatten(structure)
        numbered = [leaf * 0 + i for i, leaf in enumerate(leaves)]
        return tf.nest.pack_sequence_as(structure, numbered)

    structure = {
        "b": [tf.constant(5), tf.constant(5)],
        "a": (tf.constant(5), {"z": tf.constant(5), "y": tf.constant(5)}),
    }
    numbered = number(structure)
    plain = tf.nest.flatten({"k2": 1, "k1": [2, None, (3, "four")]})
    again = tf.nest.pack_sequence_as({"k2": 0, "k1": [0, 0, (0, 0)]}, plain)
    return numbered, plain, again, tf.nest.flatten(7), tf.nest.flatten([])


@program
def same_structure():
    """tf.nest.assert_same_structure, with and without the types, and is_nested."""

    @tf.function
    def check(a, b):
        tf.nest.assert_same_structure(a, b)
        return tf.nest.map_structure(tf.add, a, b)

    good = check([tf.constant(1), {"k": tf.constant(2)}], [tf.constant(10), {"k": tf.constant(20)}])
    bad = [
        raised(tf.nest.assert_same_structure, [1, 2], [1, [2]]),
        raised(tf.nest.assert_same_structure, [1, 2], (1, 2)),
        raised(tf.nest.assert_same_structure, [1, 2], (1, 2), check_types=False),
        raised(tf.nest.assert_same_structure, {"a": 1}, {"b": 1}),
        raised(check, [tf.constant(1)], [tf.constant(1), tf.constant(2)]),
    ]
    return good, bad, [tf.nest.is_nested(value) for value in ([], (1,), {}, "ab", 3, None)]


@program
def defaults_and_keywords():
    """Default values, keyword-only arguments, *args and **kwargs."""

    @tf.function
    def combine(first, *rest, scale=2, **named):
        total = first
        for value in rest:
            total = total + value
        for key in sorted(named):
            total = total * 10 + named[key]
        return total * scale, len(rest), sorted(named)[0] if named else "none"

    c = tf.constant
    results = [combine(c(1)), combine(c(1), c(2), c(3)), combine(c(1), b=c(5), a=c(4)), combine(c(1), c(1), scale=c(7))]
    return [(total, int(count)) for total, count, _ in results], tf.convert_to_tensor(results[2][2])


@program
def numpy_arrays_and_python_numbers_inside():
    """NumPy arrays in a structure become tensors; Python numbers stay Python's, and come out as tensors."""

    @tf.function
    def inspect(structure):
        array, number, text = structure["array"], structure["number"], structure["text"]
        kinds = [tf.is_tensor(array), tf.is_tensor(number), isinstance(text, str)]
        return {"array": tf.identity(array) + number, "number": number, "text": text, "half": number / 2}, kinds

    out, kinds = inspect({"array": np.arange(3), "number": 3, "text": "abc"})
    return (
        out["array"],
        int(out["number"]),
        out["half"].dtype if tf.is_tensor(out["half"]) else tf.float32,
        bool(kinds[2]),
    )


@program(eager=False)
def python_values_come_out_as_tensors():
    """What a traced function returns is made of tensors, except None."""

    @tf.function
    def constants():
        return 1, 2.5, True, "text", b"bytes", None, [np.float64(1.0), np.array([1, 2], np.int16)], {"t": (3,)}

    @tf.function
    def arguments(n, text):
        pair = (n, n + 1)
        return n, text, pair

    from_python = arguments(3, "abc")
    from_numpy = arguments(np.int64(4), tf.constant("x"))
    return constants(), from_python, from_numpy


@program(eager=False)
def structured_outputs():
    """A concrete function knows the structure of its result before it runs."""

    @tf.function
    def f(x):
        y = tf.cast(x, tf.float64)
        return {"square": x * x, "pair": (y[:1], tf.size(x)), "nothing": None}

    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.int32))
    outputs = concrete.structured_outputs
    called = concrete(tf.constant([1, 2, 3]))
    return (
        sorted(outputs),
        str(outputs["square"].shape),
        outputs["pair"][0].dtype,
        outputs["nothing"],
        called,
        len(concrete.outputs),
    )


@program
def mutated_arguments():
    """A function may change the list or dict it is given while tracing; the caller's own ones are not replaced."""

    @tf.function
    def consume(items):
        copied = list(items)
        copied.append(copied[0] * 100)
        head = copied.pop(0)
        return head, copied

    items = [tf.constant(1), tf.constant(2)]
    head, rest = consume(items)
    again = consume(items)
    return head, rest, again, len(items)


@program
def loop_over_dict_items():
    """A Python dict of tensors is looped over in Python, its values in graph branches."""

    @tf.function
    def positive_parts(scores):
        result = {}
        total = tf.constant(0.0)
        for name, score in scores.items():
            if score > 0.0:
                part = score
            else:
                part = tf.zeros_like(score)
            result[name + "_positive"] = part
            total += part
        return result, total

    return positive_parts({"anna": tf.constant(3.0), "ben": tf.constant(-2.0), "cem": tf.constant(0.5)})


@program
def tuple_through_a_branch():
    """A nested structure that both branches set comes out of the branch whole."""

    @tf.function
    def choose(flag, x):
        if flag:
            pair = (x, {"twice": x * 2, "list": [x, x + 1]})
        else:
            pair = (x * 0, {"twice": x, "list": [x - 1, x - 2]})
        first, rest = pair
        return rest, first

    return choose(tf.constant(True), tf.constant([4, 5])), choose(tf.constant(False), tf.constant(7))


@program
def structure_through_a_loop():
    """A named tuple and a dict as loop state."""

    @tf.function
    def walk(point, moves):
        state = {"point": point, "length": tf.constant(0.0)}
        for move in moves:
            point = Point(point.x + move[0], point.y + move[1])
            state = {"point": point, "length": state["length"] + tf.norm(move)}
        return state, point

    moves = tf.constant([[3.0, 4.0], [0.0, -1.0]])
    return walk(Point(tf.constant(0.0), tf.constant(1.0)), moves), walk(
        Point(tf.constant(2.0), tf.constant(2.0)), moves[:0]
    )


@program
def function_returning_functions_results():
    """Structures pass through nested traced functions."""

    @tf.function
    def inner(pair):
        return {"sum": pair[0] + pair[1], "pair": pair}

    @tf.function
    def outer(x):
        once = inner((x, x * 2))
        twice = inner((once["sum"], once["pair"][1]))
        return [once, twice], twice["sum"]

    (once, twice), total = outer(tf.constant([1, -1]))
    return once, twice, total, inner((tf.constant(1.0), tf.constant(2.0)))


@program(eager=False)
def structure_decides_the_trace():
    """Another key, another length or another kind of sequence is another trace; another order of keys is not."""

    @tf.function
    def f(structure):
        return tf.add_n(tf.nest.flatten(structure))

    one, two = tf.constant(1), tf.constant(2)
    counts = []
    for structure in (
        {"a": one, "b": two},
        {"b": one, "a": two},
        {"a": one, "c": two},
        [one, two],
        (one, two),
        [one, two, two],
        [two, one],
    ):
        f(structure)
        counts.append(f.experimental_get_tracing_count())
    return counts, f([one, (two, {"k": two})])
