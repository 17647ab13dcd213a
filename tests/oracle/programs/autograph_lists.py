"""Lists, tuples, dicts and other Python containers in converted code, in unrolled loops and in loops of the graph."""

import collections

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program(eager=False, advice=("effect.list_in_loop",))
def appending_in_a_loop_of_the_graph():
    """A Python list that a loop of the graph appends to holds a tensor of the loop's body, which nobody else can use."""

    @tf.function
    def leaks(n):
        items = []
        for i in tf.range(n):
            items.append(i)
        return tf.stack(items)

    @tf.function
    def collects(n):
        items = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        for i in tf.range(n):
            items = items.write(items.size(), i)
        return items.stack()

    return raised(leaks, tf.constant(3)), collects(tf.constant(3)), collects(tf.constant(0))


@program
def a_list_filled_before_a_loop_of_the_graph():
    """A list that was filled while tracing is read in a loop of the graph by a Python number."""

    @tf.function
    def f(x, n):
        powers = []
        for k in range(4):
            powers.append(x**k)
        total = tf.zeros_like(x)
        for i in tf.range(n):
            total += powers[1] * tf.cast(i, x.dtype)
            if i > 1:
                total += powers[-1]
        return total, len(powers)

    results = [f(tf.constant(2.0), tf.constant(n)) for n in (0, 2, 5)]
    return [(total, int(count)) for total, count in results]


@program
def list_as_a_loop_variable():
    """A list of tensors is one variable of a loop of the graph: its items are assigned anew, its length stays."""

    @tf.function
    def f(n):
        pair = [tf.constant(0), tf.constant(1)]
        for _ in tf.range(n):
            pair = [pair[1], pair[0] + pair[1]]
        return pair, pair[0] * 100

    return [f(tf.constant(n)) for n in (0, 1, 2, 10)]


@program(eager=False)
def list_that_changes_its_length():
    """A list assigned in a loop of the graph may not become longer or shorter."""

    @tf.function
    def longer(n):
        items = [tf.constant(0)]
        for i in tf.range(n):
            items = items + [i]
        return items

    @tf.function
    def same(n):
        items = [tf.constant(0), tf.constant(0)]
        for i in tf.range(n):
            items = items[1:] + [i]
        return items

    return raised(longer, tf.constant(2)), same(tf.constant(3)), same(tf.constant(1))


@program(eager=False)
def branches_that_build_other_lists():
    """Lists of another length or another kind from the two branches do not fit; those of one structure do."""

    @tf.function
    def lengths(x):
        if x > 0:
            y = [x, x]
        else:
            y = [x]
        return y

    @tf.function
    def kinds(x):
        if x > 0:
            y = [x, x]
        else:
            y = (x, x)
        return y

    @tf.function
    def fits(x):
        if x > 0:
            y = [x, {"a": x + 1}]
        else:
            y = [-x, {"a": x}]
        return y

    x = tf.constant(3)
    return raised(lengths, x), raised(kinds, x), fits(x), fits(-x)


@program
def stack_of_a_list_of_branches():
    """A list whose elements come from conditional code is stacked, concatenated and unstacked."""

    @tf.function
    def f(xs):
        parts = []
        for x in tf.unstack(xs):
            if x > 1.0:
                part = x * 2.0
            else:
                part = -x
            parts.append(part)
        stacked = tf.stack(parts)
        again = tf.unstack(stacked)
        return stacked, tf.concat([stacked, parts[:1]], axis=0), again[-1]

    return f(tf.constant([0.5, 1.5, 3.0])), f(tf.constant([1.0]))


@program
def popping_and_inserting():
    """pop, insert, remove by position, reverse and slices of a list of tensors, all while tracing."""

    @tf.function
    def f(x):
        items = [x + i for i in range(5)]
        middle = items.pop(2)
        items.insert(0, middle * 10)
        items.reverse()
        del items[1]
        items[1:3] = [x * 100]
        total = tf.add_n(items)
        while len(items) > 1:
            items.pop()
        return total, middle, items

    return f(tf.constant(1)), f(tf.constant([1, 2]))


@program
def list_of_lists():
    """A table made of nested lists, changed in nested unrolled loops with a branch of the graph inside."""

    @tf.function
    def f(x):
        table = [[x * (i + 1) + j for j in range(3)] for i in range(2)]
        for row in table:
            for j in range(len(row)):
                if row[j] > 4:
                    row[j] = row[j] - 4
        return tf.stack([tf.stack(row) for row in table]), table[1][2]

    return f(tf.constant(1)), f(tf.constant(3)), f(tf.constant(-1))


@program
def dict_filled_in_an_unrolled_loop():
    """A dict whose keys come from Python, its values from branches of the graph; popped and iterated."""

    @tf.function
    def f(x):
        found = {}
        for name, factor in (("one", 1), ("two", 2), ("three", 3)):
            value = x * factor
            if value > 5:
                value = value - 5
            found[name] = value
        removed = found.pop("two")
        for key in sorted(found):
            found[key] = found[key] + removed
        return found, removed, found.get("none", x)

    return f(tf.constant(1)), f(tf.constant(4))


@program
def dict_as_a_loop_variable():
    """A dict whose items a loop of the graph assigns."""

    @tf.function
    def f(n):
        state = {"sum": tf.constant(0.0), "count": tf.constant(0)}
        for i in tf.range(n):
            state["sum"] += tf.cast(i, tf.float32) / 2.0
            if i % 2 == 0:
                state["count"] = state["count"] + 1
        return state["sum"], state["count"], sorted(state)

    return [f(tf.constant(n))[:2] for n in (0, 1, 6)]


@program(eager=False)
def new_key_in_one_branch():
    """A key that only one branch of the graph adds is an error; one that both add is a value of the branch."""

    @tf.function
    def one_sided(x):
        data = {"x": x}
        if x > 0:
            data = {"x": x, "extra": x * 2}
        return data

    @tf.function
    def both(x):
        data = {"x": x}
        if x > 0:
            data["extra"] = x * 2
        else:
            data["extra"] = x * 3
        return data

    return raised(one_sided, tf.constant(1)), both(tf.constant(1)), both(tf.constant(-1))


@program
def named_tuple_through_a_loop():
    """A namedtuple is carried by a loop of the graph and keeps its type and its fields."""
    Point = collections.namedtuple("Point", ["x", "y"])

    @tf.function
    def f(n):
        point = Point(tf.constant(1), tf.constant(0))
        for _ in tf.range(n):
            point = Point(x=-point.y, y=point.x)
            if point.x < 0:
                point = point._replace(y=point.y + 10)
        return point, point.x + point.y

    return [f(tf.constant(n)) for n in (0, 1, 2, 3)]


@program
def nested_structure_from_a_branch():
    """A deep structure that both branches make: tuples in dicts in lists."""

    @tf.function
    def f(x):
        if tf.reduce_sum(x) > 0.0:
            result = {"a": [x, (x * 2.0, tf.constant(1))], "b": tf.reduce_max(x)}
        else:
            result = {"b": tf.reduce_min(x), "a": [-x, (x / 2.0, tf.constant(2))]}
        left, (right, number) = result["a"]
        return left + right, number, result["b"]

    return f(tf.constant([1.0, 2.0])), f(tf.constant([-1.0, -2.0]))


@program
def swapping_in_a_loop_of_the_graph():
    """Tuples are unpacked in a loop's body in every way: swapping, starred, nested."""

    @tf.function
    def f(n):
        a, b, c = tf.constant(1), tf.constant(2), tf.constant(3)
        for i in tf.range(n):
            a, (b, c) = b, (c, a)
            first, *rest = [a, b, c]
            a = first + i
            rest[0], rest[1] = rest[1], rest[0]
            b, c = rest
        return a, b, c

    return [f(tf.constant(n)) for n in (0, 1, 2, 3)]


@program
def counting_with_a_counter():
    """collections.Counter, defaultdict and deque are Python's: they work while tracing."""

    @tf.function
    def f(x):
        order = collections.deque(maxlen=2)
        groups = collections.defaultdict(list)
        for i in range(5):
            order.append(x + i)
            groups["even" if i % 2 == 0 else "odd"].append(x * i)
        counts = collections.Counter("abca")
        return list(order), tf.add_n(groups["even"]), tf.add_n(groups["odd"]), x * counts["a"]

    return f(tf.constant(1)), f(tf.constant(10))


@program
def sets_and_membership():
    """`in` on Python lists, sets and dicts of Python values decides while tracing."""

    @tf.function
    def f(x, mode):
        wanted = {"double", "square"}
        if mode in wanted and mode not in ("square",):
            y = x * 2
        elif mode in {"square": 1}:
            y = x * x
        else:
            y = x
        if y > 10:
            y = y - 10
        return y

    return [f(tf.constant(v), mode) for v in (3, 8) for mode in ("double", "square", "same")]


@program
def slices_assigned_by_an_unrolled_loop():
    """Rows of a tensor are collected into a list, some are replaced by slices, and joined again."""

    @tf.function
    def f(x):
        rows = list(tf.unstack(x))
        rows[::2] = [row * 0 for row in rows[::2]]
        for i, row in enumerate(rows):
            if tf.reduce_sum(row) > 5:
                rows[i] = row - 1
        return tf.stack(rows), rows[-1]

    return f(tf.reshape(tf.range(8), (4, 2))), f(tf.ones([3, 2], tf.int32))


@program
def tensor_arrays_in_a_list():
    """A list of two TensorArrays is written in a loop of the graph, each by its own branch."""

    @tf.function
    def f(xs):
        small = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[])
        large = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[])
        for x in xs:
            if x < 10:
                small = small.write(small.size(), x)
            else:
                large = large.write(large.size(), x)
        return small.stack(), large.stack(), small.size() - large.size()

    return f(tf.constant([1, 20, 3, 40, 50])), f(tf.constant([1])), f(tf.constant([], tf.int32))


@program
def shape_invariant_of_one_of_two():
    """set_loop_options names the one variable whose shape grows; the other keeps its own."""

    @tf.function
    def f(n):
        grown = tf.zeros([0, 2])
        last = tf.zeros([2])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(grown, tf.TensorShape([None, 2]))], parallel_iterations=1, swap_memory=True
            )
            last = last + tf.cast(tf.stack([i, -i]), tf.float32)
            grown = tf.concat([grown, [last]], axis=0)
        return grown, last

    return f(tf.constant(3)), f(tf.constant(0))


@program(eager=False, advice=("loop.shape_grows",))
def growing_without_an_invariant():
    """A shape that changes from iteration to iteration needs an invariant; one that is already unknown does not."""

    @tf.function
    def fails(n):
        x = tf.constant([1])
        while tf.size(x) < n:
            x = tf.concat([x, x], axis=0)
        return x

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32)])
    def works(x, n):
        while tf.size(x) < n:
            x = tf.concat([x, x], axis=0)
        return x

    return raised(fails, tf.constant(4)), works(tf.constant([1, 2]), tf.constant(5)), works([7], tf.constant(1))


@program(eager=False)
def invariant_that_does_not_hold():
    """An invariant that the value breaks, before the loop or in it, is an error."""

    @tf.function
    def before(n):
        x = tf.zeros([2, 2])
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None, 3]))])
            x = x + 1.0
        return x

    @tf.function
    def inside(n):
        x = tf.zeros([1, 3])
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None, 3]))])
            x = tf.transpose(x)
        return x

    return raised(before, tf.constant(1)), raised(inside, tf.constant(1))


@program(eager=False)
def limit_of_iterations():
    """maximum_iterations stops while and for loops of the graph, also by a tensor, also before a break."""

    @tf.function
    def counted(n, limit):
        i = tf.constant(0)
        total = tf.constant(0)
        while i < n:
            tf.autograph.experimental.set_loop_options(maximum_iterations=limit)
            i += 1
            if i == 6:
                break
            total += i
        return i, total

    @tf.function
    def ranged(n):
        total = tf.constant(0)
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(maximum_iterations=2)
            total += i + 1
        return total

    limits = [counted(tf.constant(10), tf.constant(limit)) for limit in (0, 3, 6, 20)]
    return limits, ranged(tf.constant(1)), ranged(tf.constant(5))
