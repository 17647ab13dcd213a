"""tf.nest: flattening, mapping and packing of structures, in functions and outside."""

import collections

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

State = collections.namedtuple("State", "h c")
Edge = collections.namedtuple("Edge", ["source", "target", "weight"])


@program
def map_over_three_structures():
    """map_structure with three structures and one function of three arguments."""

    @tf.function
    def adam(weights, means, variances):
        def step(w, m, v):
            return w - 0.1 * m / (tf.sqrt(v) + 1e-3)

        return tf.nest.map_structure(step, weights, means, variances)

    weights = {"kernel": tf.constant([1.0, 2.0]), "bias": (tf.constant(0.5),)}
    means = {"kernel": tf.constant([0.5, -0.5]), "bias": (tf.constant(1.0),)}
    variances = {"kernel": tf.constant([0.25, 4.0]), "bias": (tf.constant(1.0),)}
    return adam(weights, means, variances), raised(adam, weights, means, {"kernel": means["kernel"]})


@program
def flatten_up_to_by_hand():
    """Flattening one level: the values of the outer structure, whatever is in them."""

    @tf.function
    def sums(groups):
        flat = [tf.nest.flatten(group) for group in groups]
        return [tf.add_n(group) for group in flat], [len(group) for group in flat][0]

    groups = [{"a": tf.constant(1), "b": [tf.constant(2), tf.constant(3)]}, (tf.constant(4),)]
    totals, first = sums(groups)
    return totals, int(first), [len(tf.nest.flatten(group)) for group in groups]


@program
def order_of_nested_dictionaries():
    """flatten goes through nested dicts by sorted keys, whatever the order of insertion."""

    @tf.function
    def order(tree):
        return tf.stack(tf.nest.flatten(tree))

    tree = {"b": {"z": tf.constant(1), "a": tf.constant(2)}, "a": [tf.constant(3), {"y": tf.constant(4)}]}
    same = {"a": [tf.constant(3), {"y": tf.constant(4)}], "b": {"a": tf.constant(2), "z": tf.constant(1)}}
    numbers = tf.nest.flatten({3: "c", 1: "a", 2: "b"})
    return order(tree), order(same), numbers


@program(advice=("effect.mutation",))
def ordered_and_default_dictionaries():
    """OrderedDict and defaultdict keep their class and the order of their keys through map_structure."""

    @tf.function
    def double(structure):
        result = tf.nest.map_structure(lambda t: t * 2, structure)
        keys.append(list(result))
        return result

    keys = []
    ordered = double(collections.OrderedDict([("z", tf.constant(1)), ("a", tf.constant(2))]))
    default = collections.defaultdict(list)
    default["k"] = tf.constant(5)
    mapped = tf.nest.map_structure(lambda t: t + 1, default)
    return dict(ordered), dict(mapped), type(mapped).__name__, mapped["missing"], keys[0]


@program
def named_tuples_keep_their_class():
    """Named tuples inside lists and dicts come out as named tuples."""

    @tf.function
    def reverse(edges):
        flipped = [Edge(e.target, e.source, -e.weight) for e in edges]
        scaled = tf.nest.map_structure(lambda t: t * 10, flipped)
        return {"flipped": flipped, "scaled": scaled}

    edges = [Edge(tf.constant(1), tf.constant(2), tf.constant(5)), Edge(tf.constant(2), tf.constant(3), tf.constant(7))]
    result = reverse(edges)
    return result, [type(e).__name__ for e in result["scaled"]], tf.nest.flatten(edges)


@program
def pack_sequence_with_other_types():
    """pack_sequence_as packs anything into a structure, and counts."""

    @tf.function
    def relabel(tree):
        count = len(tf.nest.flatten(tree))
        return tf.nest.pack_sequence_as(tree, [tf.constant(i) for i in range(count)])

    tree = {"x": [tf.constant(0.0), tf.constant("s")], "y": State(tf.constant(1), None)}
    labelled = relabel(tree)
    words = tf.nest.pack_sequence_as([0, (0, {"k": 0})], ["a", "b", "c"])
    wrong = [raised(tf.nest.pack_sequence_as, [1, 2], [1]), raised(tf.nest.pack_sequence_as, [1], [1, 2])]
    wrong.append(raised(tf.nest.pack_sequence_as, 1, [1, 2]))
    return labelled, words, wrong, tf.nest.pack_sequence_as("leaf", ["other"])


@program
def none_is_a_leaf():
    """None in a structure is a leaf, which map_structure gives to the function."""

    @tf.function
    def fill(structure):
        return tf.nest.map_structure(lambda t: tf.constant(-1) if t is None else t, structure)

    structure = {"a": None, "b": [tf.constant(1), None]}
    filled = fill(structure)
    flat = tf.nest.flatten(structure)
    return filled, len(flat), flat[0] is None, tf.nest.flatten(None)


@program
def strings_are_leaves():
    """Text, bytes and arrays are leaves, not sequences."""

    @tf.function
    def join(words):
        flat = tf.nest.flatten(words)
        return tf.strings.join(flat, separator="-")

    joined = join(["ab", ("cd", {"k": "ef"})])
    lengths = tf.nest.map_structure(len, {"a": "xyz", "b": [b"12", "1234"]})
    leaves = len(tf.nest.flatten([np.zeros([2, 2]), "text", tf.zeros([3])]))
    return joined, lengths, leaves, tf.nest.is_nested("text"), tf.nest.is_nested(np.zeros(2))


@program
def tensors_are_leaves():
    """A tensor is never unpacked by tf.nest, a list of its parts is a structure."""

    @tf.function
    def parts(x):
        whole = tf.nest.flatten(x)
        split = tf.nest.flatten(tf.unstack(x))
        return len(whole) * 10 + len(split) + tf.reduce_sum(x) * 0

    x = tf.constant([1, 2, 3])
    return parts(x), tf.nest.flatten(x), tf.nest.is_nested(x), tf.nest.is_nested([x])


@program
def assert_same_structure_messages():
    """Which pairs of structures are the same."""

    @tf.function
    def added(a, b):
        tf.nest.assert_same_structure(a, b)
        return tf.nest.map_structure(lambda x, y: x + y, a, b)

    one = tf.constant(1)
    pairs = [
        ([1, 2], [3, 4]),
        ([1, 2], (3, 4)),
        ([1, [2]], [1, 2]),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"a": [2]}),
        (State(1, 2), (1, 2)),
        (State(1, 2), State(3, 4)),
        (State(1, 2), Edge(1, 2, 3)),
        (1, [1]),
        ([], ()),
        ({"a": 1}, collections.OrderedDict(a=1)),
    ]
    errors = [raised(tf.nest.assert_same_structure, *pair) for pair in pairs]
    loose = [raised(tf.nest.assert_same_structure, *pair, check_types=False) for pair in pairs]
    return errors, loose, added(State(one, [one]), State(one * 5, [one]))


@program
def map_structure_without_type_check():
    """check_types=False lets a list go with a tuple; the result is of the first one's types."""

    @tf.function
    def subtract(a, b):
        return tf.nest.map_structure(tf.subtract, a, b, check_types=False)

    a = [tf.constant(5), (tf.constant(7),)]
    b = (tf.constant(1), [tf.constant(2)])
    results = [subtract(a, b), subtract(b, a)]
    return results, raised(tf.nest.map_structure, tf.subtract, a, b)


@program
def map_structure_that_returns_structures():
    """A function that returns a tuple for each leaf makes a deeper structure."""

    @tf.function
    def minmax(tree):
        return tf.nest.map_structure(lambda t: (tf.reduce_min(t), tf.reduce_max(t)), tree)

    tree = {"a": tf.constant([3, 1, 2]), "b": [tf.constant([[9, 4]])]}
    result = minmax(tree)
    flat = tf.nest.flatten(result)
    return result, len(flat), result["b"][0][1]


@program
def map_structure_errors():
    """map_structure wants a callable and a structure, and no unknown keyword."""

    @tf.function
    def negate(x):
        y = tf.nest.map_structure(tf.negative, x)
        return y

    wrong = [
        raised(tf.nest.map_structure, "not callable", [1]),
        raised(tf.nest.map_structure, tf.negative),
        raised(tf.nest.map_structure, tf.negative, [1], no_such=True),
        raised(tf.nest.map_structure, tf.add, [1], [1, 2]),
    ]
    right = negate([tf.constant(1), (tf.constant(2),)])
    return wrong, right


@program
def sums_of_gradients_by_structure():
    """tape.gradient gives the structure of its sources, and map_structure applies it."""
    weights = {"w": tf.Variable([1.0, 2.0]), "b": [tf.Variable(0.5)]}

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weights["w"] * x + weights["b"][0]) ** 2.0
        grads = tape.gradient(loss, weights)
        tf.nest.map_structure(lambda v, g: v.assign_sub(0.01 * g), weights, grads)
        return loss, grads

    loss, grads = step(tf.constant([1.0, 1.0]))
    second, _ = step(tf.constant([1.0, 1.0]))
    return loss, grads, second, weights["w"], weights["b"][0]


@program
def stacks_of_structures():
    """A list of equal structures is turned into one structure of stacked tensors, and back."""

    @tf.function
    def collate(samples):
        stacked = tf.nest.map_structure(lambda *parts: tf.stack(parts), *samples)
        back = [tf.nest.map_structure(lambda t: t[i], stacked) for i in range(len(samples))]
        return stacked, back

    samples = [{"x": tf.constant([i, i + 1]), "y": (tf.constant(i * 0.5),)} for i in range(3)]
    stacked, back = collate(samples)
    return stacked, back[2], len(back)


@program
def structures_of_variables():
    """Variables are leaves; flatten gives the variables themselves."""
    model = {"a": tf.Variable(1.0), "rest": [tf.Variable([2.0, 3.0]), tf.Variable(4.0)]}

    @tf.function
    def double():
        for v in tf.nest.flatten(model):
            v.assign(v * 2.0)
        return tf.add_n([tf.reduce_sum(v) for v in tf.nest.flatten(model)])

    results = [double(), double()]
    same = tf.nest.flatten(model)[0] is model["a"]
    values = tf.nest.map_structure(lambda v: v.read_value(), model)
    return results, same, values


@program
def shapes_and_dtypes_of_structures():
    """map_structure to shapes and dtypes, and to specs, and from specs to tensors."""

    @tf.function
    def zeros():
        return tf.nest.map_structure(lambda s: tf.zeros(s.shape, s.dtype), specs)

    data = {"image": tf.ones([2, 3], tf.float16), "label": [tf.constant(1, tf.uint8)]}
    specs = tf.nest.map_structure(tf.TensorSpec.from_tensor, data)
    shapes = tf.nest.map_structure(lambda t: t.shape, data)
    dtypes = tf.nest.map_structure(lambda t: t.dtype, data)
    return zeros(), shapes, dtypes, str(specs["image"].shape), tf.nest.is_nested(specs["label"][0])


@program
def composites_in_structures():
    """expand_composites decides whether a ragged or sparse tensor is a leaf."""
    ragged = tf.ragged.constant([[1, 2], [3]])
    sparse = tf.sparse.from_dense([[0, 5], [6, 0]])

    @tf.function
    def double(structure):
        return tf.nest.map_structure(lambda t: t * 2, structure, expand_composites=True)

    tree = {"r": ragged, "s": [sparse]}
    counts = [len(tf.nest.flatten(tree)), len(tf.nest.flatten(tree, expand_composites=True))]
    doubled = tf.nest.map_structure(lambda t: t * 2, ragged, expand_composites=False)
    return counts, doubled.to_list(), double([tf.constant(1)]), tf.nest.is_nested(ragged)


@program
def deep_recursion_over_a_tree():
    """A recursive Python function over a tree of dicts and lists, unrolled while tracing."""

    @tf.function
    def total(tree):
        def visit(node, depth):
            if isinstance(node, dict):
                return sum(visit(child, depth + 1) for child in node.values())
            if isinstance(node, (list, tuple)):
                return sum(visit(child, depth + 1) for child in node)
            return node * depth

        return visit(tree, 0)

    tree = {"a": tf.constant(1), "b": [tf.constant(10), {"c": tf.constant(100), "d": (tf.constant(1000),)}]}
    return total(tree), total({"only": tf.constant(3)}), total([tf.constant(2), tf.constant(2)])


@program
def paths_by_hand():
    """Names of leaves made by walking a structure, in the order of flatten."""

    @tf.function
    def describe(tree):
        names = []

        def walk(prefix, node):
            if isinstance(node, dict):
                for key in sorted(node):
                    walk(f"{prefix}/{key}", node[key])
            elif isinstance(node, list):
                for i, child in enumerate(node):
                    walk(f"{prefix}/{i}", child)
            else:
                names.append(prefix)

        walk("", tree)
        return tf.constant(names), tf.nest.flatten(tree)

    return describe({"b": [tf.constant(1), tf.constant(2)], "a": {"x": tf.constant(3)}})


@program
def batches_from_a_dictionary():
    """Slicing every tensor of a dict in a loop of the graph."""

    @tf.function
    def batch_sums(data, size):
        n = tf.shape(data["x"])[0]
        total = tf.constant(0.0)
        for start in tf.range(0, n, size):
            batch = tf.nest.map_structure(lambda t: t[start : start + size], data)
            total += tf.reduce_max(batch["x"]) * tf.reduce_sum(batch["y"])
        return total

    data = {"x": tf.range(5.0), "y": tf.ones([5])}
    return batch_sums(data, tf.constant(2)), batch_sums(data, tf.constant(5)), batch_sums(data, tf.constant(3))


@program
def select_between_structures():
    """A choice between two structures, leaf by leaf, with tf.where and with tf.cond."""

    @tf.function
    def select(flag, yes, no):
        by_where = tf.nest.map_structure(lambda a, b: tf.where(flag, a, b), yes, no)
        by_cond = tf.cond(flag, lambda: yes, lambda: no)
        return by_where, by_cond

    yes = State(tf.constant([1, 2]), {"k": tf.constant(3)})
    no = State(tf.constant([-1, -2]), {"k": tf.constant(-3)})
    return select(tf.constant(True), yes, no), select(tf.constant(False), yes, no)


@program(eager=False)
def structures_through_while_loop():
    """tf.while_loop with nested loop variables keeps the structure."""

    @tf.function
    def simulate(n):
        def cond(i, state):
            return i < n

        def body(i, state):
            h = state.h + state.c["gain"]
            return i + 1, State(h, {"gain": state.c["gain"] * 2, "seen": state.c["seen"] + [h][0]})

        start = State(tf.constant(0), {"gain": tf.constant(1), "seen": tf.constant(0)})
        return tf.while_loop(cond, body, [tf.constant(0), start])

    return simulate(tf.constant(4)), simulate(tf.constant(0))


@program
def map_fn_over_structures():
    """tf.map_fn over a dict of tensors, returning a tuple of other dtypes."""

    @tf.function
    def f(data):
        def one(item):
            return tf.cast(item["a"], tf.float32) * item["b"], item["a"] > 1

        return tf.map_fn(one, data, fn_output_signature=(tf.float32, tf.bool))

    data = {"a": tf.constant([1, 2, 3]), "b": tf.constant([0.5, 0.25, 2.0])}
    product, mask = f(data)
    return product, mask, raised(f, {"a": tf.constant([1, 2]), "b": tf.constant([1.0])})


@program
def scan_with_structured_state():
    """tf.scan with a named tuple as accumulator."""

    @tf.function
    def f(xs):
        def step(state, x):
            return State(state.h + x, state.c * 2)

        return tf.scan(step, xs, initializer=State(tf.constant(0), tf.constant(1)))

    result = f(tf.constant([1, 2, 3]))
    last = result.h[-1] + result.c[-1]
    return result, type(result).__name__, last
