"""What goes into a traced function and what comes out of it: kinds of containers, classes of one's own, None."""

import collections
import dataclasses

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf

Result = collections.namedtuple("Result", "value error")
Nested = collections.namedtuple("Nested", "first rest", defaults=[None])


@program(eager=False)
def dictionaries_with_keys_of_other_types():
    """Keys of a dict may be numbers or tuples, if they can be sorted."""

    @tf.function
    def f(d):
        return {key: value * 2 for key, value in d.items()}

    numbers = f({2: tf.constant(20), 1: tf.constant(10)})
    pairs = f({(0, 1): tf.constant(1), (0, 0): tf.constant(0)})
    mixed = raised(f, {1: tf.constant(1), "a": tf.constant(2)})
    return sorted(numbers), numbers[1], [pairs[key] for key in sorted(pairs)], mixed == "nothing"


@program(eager=False)
def the_order_of_a_returned_dictionary():
    """A returned dict has its keys in the order the function made them, on every call."""

    @tf.function
    def f(x):
        result = {"z": x}
        result["a"] = x + 1
        result.update(m=x + 2)
        return result

    first, second = f(tf.constant(1)), f(tf.constant(5))
    ordered = tf.function(lambda x: collections.OrderedDict([("b", x), ("a", -x)]))(tf.constant(3))
    return list(first), list(second), second, list(ordered), type(ordered).__name__


@program(eager=False)
def containers_of_results_are_new():
    """Each call gives new lists and dicts: changing one does not change the next."""

    @tf.function
    def f(x):
        return {"list": [x, x + 1], "n": x}

    first = f(tf.constant(1))
    first["list"].append("more")
    first["extra"] = 1
    second = f(tf.constant(1))
    return len(first["list"]), len(second["list"]), sorted(second), second


@program(eager=False)
def arguments_may_not_be_changed():
    """A function that changes a list or dict it was given fails while tracing; a copy may be changed."""

    @tf.function
    def f(items, table):
        items.append(items[0] + 1)
        return items

    @tf.function
    def g(items, table):
        table["new"] = items[0]
        return table

    @tf.function
    def h(items, table):
        items, table = list(items), dict(table)
        items.append(table.pop("old") * 10)
        return items, table

    items, table = [tf.constant(1)], {"old": tf.constant(2)}
    wrong = [raised(f, items, table), raised(g, items, table), raised(f, items, table)]
    return wrong, h(items, table), len(items), sorted(table)


@program
def attributes_of_an_argument():
    """An object as an argument is read by its attributes; tensors in them are constants of the trace."""

    class Config:
        def __init__(self, scale, bias):
            self.scale, self.bias = scale, bias

    @tf.function
    def f(x, config):
        return x * config.scale + config.bias

    one, two = Config(2, tf.constant(1)), Config(3, tf.constant(10))
    results = [f(tf.constant(5), one), f(tf.constant(5), two), f(tf.constant(6), one)]
    return results


@program
def a_dataclass_result_by_fields():
    """A dataclass that is taken apart and put together around the traced part."""

    @dataclasses.dataclass
    class Particle:
        position: object
        velocity: object

    @tf.function
    def move(position, velocity, dt):
        return position + velocity * dt, velocity * 0.5

    particle = Particle(tf.constant([0.0, 1.0]), tf.constant([2.0, 2.0]))
    trail = []
    for _ in range(3):
        particle = Particle(*move(*dataclasses.astuple(particle), tf.constant(0.5)))
        trail.append(particle.position)
    return trail, particle.velocity


@program(eager=False)
def a_dataclass_is_returned_through_a_dictionary():
    """dataclasses.asdict of tensors is a structure that can be returned."""

    @dataclasses.dataclass(frozen=True)
    class Settings:
        rate: float
        steps: int

    @tf.function
    def run(x, settings):
        traced.append(settings)
        for _ in range(settings.steps):
            x = x * settings.rate
        return {"x": x, "settings": dataclasses.asdict(settings)}

    traced = []
    x = tf.constant(8.0)
    results = [run(x, Settings(0.5, 2)), run(x, Settings(0.5, 2)), run(x, Settings(2.0, 1))]
    return results, len(traced)


@program(eager=False)
def a_class_that_flattens_itself():
    """__tf_flatten__ and __tf_unflatten__ make a class a structure: its tensors are arguments and results."""

    class Masked:
        def __init__(self, mask, values):
            self.mask, self.values = mask, values

        def __tf_flatten__(self):
            return (self.mask,), (self.values,)

        @classmethod
        def __tf_unflatten__(cls, metadata, components):
            return cls(metadata[0], components[0])

    @tf.function
    def double(masked):
        traced.append(masked.mask)
        return Masked(not masked.mask, masked.values * 2)

    traced = []
    results = [double(Masked(True, tf.constant(v))) for v in (1, 2)]
    other = double(Masked(False, tf.constant(5)))
    mapped = tf.nest.map_structure(lambda t: t + 100, other)
    return [r.values for r in results], [r.mask for r in (*results, other, mapped)], mapped.values, traced


@program(eager=False)
def results_that_cannot_be_returned():
    """A function, an object or a set is no result of a graph."""

    class Plain:
        pass

    @tf.function
    def f(x, kind):
        kinds = {"object": Plain(), "set": {1}, "function": f, "list": [x, Plain()], "dict": {"k": {2}}, "fine": [x]}
        return kinds[kind]

    kinds = []
    x = tf.constant(1)
    wrong = [raised(f, x, kind) for kind in ("object", "set", "list", "dict")]
    return wrong, f(x, "fine"), kinds


@program
def optional_results():
    """None inside a result stays None, whatever the trace."""

    @tf.function
    def f(x, verbose=False):
        details = {"max": tf.reduce_max(x)} if verbose else None
        return Result(tf.reduce_sum(x), details)

    short, long = f(tf.constant([1, 2])), f(tf.constant([1, 2]), verbose=True)
    nothing = short.error
    return short, long, nothing is None


@program
def named_tuple_with_defaults():
    """A named tuple with a default for a field, which holds None or a structure."""

    @tf.function
    def f(nested):
        rest = nested.rest
        if rest is None:
            return Nested(nested.first * 2)
        return Nested(nested.first, tuple(r + 1 for r in rest))

    one = f(Nested(tf.constant(3)))
    two = f(Nested(tf.constant(3), (tf.constant(1), tf.constant(2))))
    return one, two, one.rest, two._replace(first=None).first


@program
def a_subclass_of_named_tuple():
    """A named tuple's subclass with methods keeps its class."""

    class Vector(collections.namedtuple("Vector", "x y")):
        __slots__ = ()

        def dot(self, other):
            return self.x * other.x + self.y * other.y

    @tf.function
    def f(a, b):
        return a.dot(b), Vector(a.x + b.x, a.y + b.y)

    product, total = f(Vector(tf.constant(1), tf.constant(2)), Vector(tf.constant(3), tf.constant(4)))
    return product, type(total).__name__, total.dot(total), list(total)


@program
def star_unpacking():
    """Starred assignment and starred calls with tuples of tensors."""

    @tf.function
    def f(first, *middle, last):
        a, *b, c = (first, *middle, last)
        extra = {"c": c}
        pairs = [*zip([a, *b], [*b, c])]
        return [x * y for x, y in pairs], {"a": a, **extra}

    values = [tf.constant(v) for v in (1, 2, 3)]
    named = {"last": tf.constant(6)}
    return f(*values, last=tf.constant(4)), f(tf.constant(5), **named)


@program(eager=False)
def zipped_structures_in_python():
    """zip, enumerate and reversed over Python lists of tensors."""

    @tf.function
    def f(names, values):
        table = dict(zip(names, values))
        ranked = [(i, v) for i, v in enumerate(reversed(values))]
        total = sum(i * v for i, v in ranked)
        return table, total

    return f(("a", "b", "c"), [tf.constant(1), tf.constant(2), tf.constant(3)]), f((), [])


@program
def lists_that_grow_in_python():
    """A Python list that grows in a Python loop; the result is as long as the loop."""

    @tf.function
    def powers(x, n):
        result = [tf.ones_like(x)]
        for _ in range(n):
            result.append(result[-1] * x)
        return result

    return powers(tf.constant(2), 4), powers(tf.constant([1.0, 3.0]), 1), len(powers(tf.constant(1), 0))


@program
def dictionaries_changed_in_a_branch():
    """A dict entry that both branches of a tensor condition set, and one that only one sets anew."""

    @tf.function
    def f(x):
        state = {"sign": tf.constant("zero"), "value": x}
        if x > 0:
            state["sign"] = tf.constant("plus")
            state["value"] = x * 10
        elif x < 0:
            state["sign"] = tf.constant("minus")
        return state

    return [f(tf.constant(v)) for v in (3, -3, 0)]


@program
def dictionaries_changed_in_a_loop():
    """Entries of a dict as loop variables."""

    @tf.function
    def collatz(n):
        state = {"n": n, "steps": tf.constant(0), "top": n}
        while state["n"] > 1:
            if state["n"] % 2 == 0:
                state["n"] = state["n"] // 2
            else:
                state["n"] = state["n"] * 3 + 1
            state["steps"] += 1
            state["top"] = tf.maximum(state["top"], state["n"])
        return state

    return collatz(tf.constant(6)), collatz(tf.constant(1)), collatz(tf.constant(27))


@program
def attributes_changed_in_a_branch():
    """Attributes of a Python object that a branch sets are carried out of it."""

    class Box:
        pass

    @tf.function
    def f(x):
        box = Box()
        box.value = x
        box.count = tf.constant(0)
        if x > 10:
            box.value = tf.constant(10)
            box.count += 1
        return box.value, box.count

    return f(tf.constant(3)), f(tf.constant(30))


@program
def a_list_element_set_in_a_branch():
    """Setting elements of a Python list under a tensor condition."""

    @tf.function
    def f(x, y):
        pair = [x, y]
        if x > y:
            pair[0] = y
            pair[1] = x
        return pair

    return f(tf.constant(1), tf.constant(2)), f(tf.constant(5), tf.constant(2)), f(tf.constant(2.5), tf.constant(-1.0))


@program
def tuples_swapped_in_a_loop():
    """Tuple assignment as the body of a loop of the graph."""

    @tf.function
    def gcd(a, b):
        while b != 0:
            a, b = b, a % b
        return a, b

    @tf.function
    def fibonacci(n):
        pair = (tf.constant(0), tf.constant(1))
        for _ in tf.range(n):
            pair = (pair[1], pair[0] + pair[1])
        return pair

    return gcd(tf.constant(48), tf.constant(18)), fibonacci(tf.constant(10)), gcd(tf.constant(7), tf.constant(0))


@program
def structures_compared_in_python():
    """isinstance and len decide in Python what is traced."""

    @tf.function
    def total(value):
        if isinstance(value, dict):
            return sum(total(v) for v in value.values())
        if isinstance(value, (list, tuple)):
            return sum(total(v) for v in value)
        return tf.reduce_sum(value)

    return total([tf.constant(1), {"a": tf.constant([2, 3])}]), total((tf.constant(4),)), total(tf.constant([[5]]))


@program(eager=False)
def numpy_results():
    """NumPy arrays and scalars that a function returns come out as tensors of their dtypes."""

    @tf.function
    def f(x):
        table = np.arange(4, dtype=np.int16).reshape(2, 2)
        return {"table": table, "scalar": np.float64(0.5), "product": x * np.float32(2.0), "mask": table > 1}

    result = f(tf.constant([1.0]))
    again = f(np.array([3.0], np.float32))
    return result, again["product"], f.experimental_get_tracing_count()


@program(eager=False)
def a_variable_as_a_result():
    """A variable that a function returns comes out as the tensor it was at the end."""
    v = tf.Variable([1, 2])

    @tf.function
    def f(x):
        v.assign_add(x)
        return v, {"again": v}

    first, second = f(tf.constant([1, 1])), f(tf.constant([10, 10]))
    kinds = [isinstance(first[0], tf.Variable), tf.is_tensor(first[0])]
    return first[0] + 0, second[1]["again"] + 0, kinds, v


@program
def the_same_tensor_at_two_places():
    """A tensor that stands twice in a result is there twice."""

    @tf.function
    def f(x):
        y = x * 2
        return y, [y, x], {"x": x, "y": y}

    first, second, third = f(tf.constant([1, 2]))
    same = tf.reduce_all(first == second[0])
    return first, second, third, same


@program
def ragged_and_sparse_in_structures():
    """Composite tensors inside dicts, as arguments and as results."""

    @tf.function
    def f(batch):
        words, counts = batch["words"], batch["counts"]
        lengths = words.row_lengths()
        return {"lengths": lengths, "words": words, "dense": tf.sparse.to_dense(counts) * 10}

    batch = {
        "words": tf.ragged.constant([["a", "b"], [], ["c"]]),
        "counts": tf.sparse.from_dense([[0, 1], [2, 0]]),
    }
    result = f(batch)
    return result["lengths"], result["words"].to_list(), result["dense"], sorted(result)


@program
def indexed_slices_in_a_result():
    """IndexedSlices as a result of a traced gradient, in a list with a dense one."""
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    scale = tf.Variable(2.0)

    @tf.function
    def f(indices):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, indices)) * scale
        return tape.gradient(loss, [table, scale])

    sparse, dense = f(tf.constant([2, 0, 2]))
    return sparse, dense, type(sparse).__name__, tf.convert_to_tensor(sparse)


@program
def tensor_arrays_inside_structures():
    """A TensorArray in a dict, filled in a loop."""

    @tf.function
    def f(n):
        log = {"squares": tf.TensorArray(tf.int32, size=0, dynamic_size=True), "sum": tf.constant(0)}
        for i in tf.range(n):
            log["squares"] = log["squares"].write(i, i * i)
            log["sum"] += i
        return {"squares": log["squares"].stack(), "sum": log["sum"]}

    return f(tf.constant(4)), f(tf.constant(1))


@program
def conditional_expression_over_structures():
    """`a if c else b` over tuples and dicts of tensors."""

    @tf.function
    def f(flag, x):
        pair = (x, {"k": x + 1}) if flag else (-x, {"k": x - 1})
        first, rest = pair
        return first + rest["k"], pair

    five = tf.constant(5)
    return f(tf.constant(True), five), f(tf.constant(False), five)


@program
def nested_function_returns_structure():
    """A local function returns a structure from inside a tensor condition."""

    @tf.function
    def f(x):
        def classify(value):
            if value > 0:
                return {"label": tf.constant("pos"), "size": value}
            return {"label": tf.constant("neg"), "size": -value}

        found = [classify(x), classify(x - 5)]
        return found, found[0]["size"] + found[1]["size"]

    return f(tf.constant(3)), f(tf.constant(-1)), f(tf.constant(9))


@program
def shapes_of_structured_results():
    """Static shapes of a structured result, by a concrete function, and what the call gives."""

    @tf.function
    def f(batch):
        merged = tf.concat([batch["x"], batch["y"]], axis=-1)
        return {"merged": merged, "rows": [tf.shape(merged)[0], merged[0]]}

    spec = {"x": tf.TensorSpec([None, 2]), "y": tf.TensorSpec([None, 1])}
    concrete = f.get_concrete_function(spec)
    shapes = tf.nest.map_structure(lambda t: t.shape, concrete.structured_outputs)
    return shapes["merged"], shapes["rows"], concrete({"x": tf.ones([2, 2]), "y": tf.zeros([2, 1])})


@program(eager=False)
def wrong_structures_at_call_time():
    """Unpacking that does not fit fails in Python, while tracing."""

    @tf.function
    def f(pair):
        a, b = pair
        return a + b

    one = tf.constant(1)
    wrong = [raised(f, (one,)), raised(f, (one, one, one)), raised(f, one), raised(f, {"a": one})]
    return wrong, f((one, one)), f([one, one * 5]), f({"a": one, "b": one}) if False else None


@program
def a_counter_of_words():
    """A collections.Counter, passed as the plain dict of Python numbers that it holds."""

    @tf.function
    def f(counts):
        names = sorted(counts)
        return tf.constant(names), tf.constant([counts[name] for name in names])

    first = f(dict(collections.Counter("abracadabra")))
    second = f(dict(collections.Counter(x=3)))
    return first, second


@program
def immutable_results_of_python_numbers():
    """Python numbers in a structure take part in Python arithmetic while tracing."""

    @tf.function
    def f(x, layers):
        widths = [layer["width"] for layer in layers]
        total = sum(widths)
        for width in widths:
            x = tf.concat([x, tf.fill([width], total)], axis=0)
        return x

    layers = ({"width": 1}, {"width": 2})
    return f(tf.constant([0]), layers), f(tf.constant([5, 5]), layers[:1]), f(tf.constant([7]), ())


@program
def empty_containers_in_results():
    """Empty containers keep their kind."""

    @tf.function
    def f(x):
        empties = [(), [], {}, {"inner": ()}, Result([], {})]
        return empties, x

    empties, x = f(tf.constant(1))
    kinds = [type(e).__name__ for e in empties]
    return empties, x, kinds[:1]
