"""Python's builtins in converted code: on tensors those that mean an op, on Python values Python's own."""

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def casts_of_tensors():
    """int() and float() of a tensor are casts in a graph, to int32 and float32."""

    @tf.function
    def f(x):
        a = int(x)
        b = float(x)
        c = float(a) / 2
        if b > 2.0:
            a = a * 10
        return a, b, c

    return f(tf.constant(2.75)), f(tf.constant(-1.5, tf.float64)), f(tf.constant(7, tf.uint8)), f(tf.constant(True))


@program(eager=False)
def numbers_from_strings():
    """int() and float() of a string tensor parse it."""

    @tf.function
    def f(text):
        whole = int(tf.strings.substr(text, 0, 2))
        real = float(text)
        if real > 12.0:
            whole += 1
        return whole, real

    return f(tf.constant("12.5")), f(tf.constant("07.25")), raised(f, tf.constant("ab"))


@program(eager=False)
def abs_and_len_of_unknown_shapes():
    """len() of a tensor is a Python int where it is known, and a tensor where it is not."""
    kinds = []

    @tf.function(reduce_retracing=True)
    def f(x):
        n = len(x)
        kinds.append(type(n) is int)
        total = tf.constant(0)
        for i in tf.range(n):
            total += abs(x[i])
        return total, n * 2

    first = f(tf.constant([1, -2]))
    second = f(tf.constant([1, -2, -3]))
    third = f(tf.constant([-9, 1, 1, 1]))
    return first[0], second[0], third, kinds


@program
def len_of_python_things():
    """len() of lists, dicts, strings and shapes stays Python's."""

    @tf.function
    def f(x, text):
        n = len([x, x, x]) + len({"a": 1}) + len(text) + len(x.shape)
        y = x * n
        while tf.reduce_sum(y) > 20.0:
            y = y / len(text)
        return y

    return f(tf.constant([1.0, 2.0]), "ab"), f(tf.constant([[1.0]]), "abcd")


@program(eager=False)
def len_of_a_scalar():
    """len() of a tensor without axes is an error; of one row it is that of the row."""

    @tf.function
    def f(x):
        return len(x)

    @tf.function
    def rows(x):
        total = tf.constant(0)
        for row in x:
            total += len(row) * row[0]
        return total

    return raised(f, tf.constant(3)), rows(tf.constant([[1, 2, 3], [4, 5, 6]]))


@program(eager=False, advice=("effect.mutation",))
def range_of_tensors():
    """range() with tensor bounds is tf.range: a loop over it is a loop of the graph."""
    laps = []

    @tf.function
    def f(start, stop, step):
        total = tf.constant(0)
        for i in range(start, stop, step):
            laps.append(1)
            total = total * 10 + i
        return total, range(stop)

    results = [f(tf.constant(a), tf.constant(b), tf.constant(c)) for a, b, c in ((0, 4, 1), (1, 8, 3), (4, 0, -1))]
    return [total for total, _ in results], results[0][1], len(laps)


@program
def range_of_python_numbers():
    """range() of Python numbers stays Python's, also with a negative step, and its pieces are Python ints."""
    seen = []

    @tf.function
    def f(x, n):
        for i in range(n, 0, -2):
            seen.append(type(i) is int)
            if x > i:
                x = x - i
        for i in reversed(range(2)):
            x = x * 10 + i
        return x

    return f(tf.constant(9), 5), f(tf.constant(2), 3), all(seen)


@program
def enumerate_over_lists():
    """enumerate() with a start over a Python list of tensors, with break and continue by Python values."""

    @tf.function
    def f(xs):
        total = tf.constant(0)
        for i, x in enumerate(tf.unstack(xs), start=1):
            if i == 2:
                continue
            if i == 4:
                break
            if x > 3:
                total += x * i
            else:
                total -= x * i
        return total

    return f(tf.constant([1, 2, 3, 4])), f(tf.constant([5])), f(tf.constant([9, 9, 9, 9, 9]))


@program
def zip_over_lists():
    """zip() of lists of different length, of a list and a range, of nothing; unzipping with a star."""

    @tf.function
    def f(x):
        pairs = list(zip([x, x + 1, x + 2], range(2)))
        first, second = zip(*pairs)
        total = tf.constant(0)
        for value, weight in pairs:
            if value > 1:
                total += value * (weight + 1)
        return total, list(first), len(second), list(zip())

    return [f(tf.constant(v))[:2] for v in (0, 1, 5)]


@program
def map_and_filter_over_lists():
    """map() and filter() over Python lists: functions given to them are converted too."""

    @tf.function
    def f(x):
        clipped = map(lambda v: v if v < 10 else tf.constant(10), [x, x * 2, x * 3])
        wanted = filter(lambda k: k % 2 == 1, range(6))
        total = tf.constant(0)
        for c, k in zip(clipped, wanted):
            total += c * k
        return total

    return [f(tf.constant(v)) for v in (1, 4, 40)]


@program
def sorted_python_values():
    """sorted() of Python values with a key and in reverse, max() and min() with a default."""

    @tf.function
    def f(x):
        names = sorted({"b": 2, "a": 3, "c": 1}.items(), key=lambda item: item[1], reverse=True)
        y = x
        for _, factor in names:
            y = y * factor
            if y > 50:
                y = y - 50
        return y, max(3, 7, 5) * x, min([4, 2], default=0) * x, sum([1, 2, 3]) * x, max([], default=1) * x

    return f(tf.constant(4)), f(tf.constant(30))


@program(eager=False)
def sorted_tensors():
    """sorted() of a tensor in a graph is tf.sort, also in reverse, and may be looped over."""

    @tf.function
    def f(xs):
        up = sorted(xs)
        down = sorted(xs, reverse=True)
        total = tf.constant(0)
        for x in up:
            total = total * 10 + x
        return up, down, total

    return f(tf.constant([3, 1, 2])), f(tf.constant([5])), f(tf.constant([2, 2, 1, 0]))


@program(eager=False)
def sorted_by_a_key():
    """sorted() of a tensor with a key is ordered by what the key gives."""

    @tf.function
    def f(xs):
        near = sorted(xs, key=lambda x: tf.abs(x - 5))
        far = sorted(xs, key=lambda x: tf.abs(x - 5), reverse=True)
        if near[0] > 5:
            near = near * 10
        return near, far, near[0] - far[0]

    return f(tf.constant([1, 5, 7, 4])), f(tf.constant([9, 3, 10]))


@program
def sum_over_lists_of_tensors():
    """sum() of a list or a generator of tensors, and any() and all() of Python values."""

    @tf.function
    def f(x):
        total = sum([x, x * 2, x * 3])
        more = sum((x * k for k in range(1, 4)), x)
        some = any([False, 1, None])
        every = all(k > 0 for k in (1, 2))
        if total > 10:
            more = more * 100
        return total, more, tf.constant(some), tf.constant(every)

    return f(tf.constant(1)), f(tf.constant(2))


@program(eager=False, advice=("effect.mutation",))
def printing_while_tracing():
    """print() of Python values prints while tracing, tf.print in every call."""
    sheet = Sheet()
    lines = []

    def note(*words):
        lines.append(" ".join(map(str, words)))

    @tf.function
    def f(x):
        note("tracing", x.dtype.name)
        tf.print("running", x, output_stream=sheet.stream)
        if x > 1:
            note("true branch")
            tf.print("large", output_stream=sheet.stream)
        else:
            note("false branch")
            tf.print("small", output_stream=sheet.stream)
        return x

    values = [f(tf.constant(v)) for v in (1, 2, 3)]
    return values, lines, sheet.lines()


@program
def isinstance_and_type():
    """isinstance, hasattr, getattr with a default and callable choose while tracing."""

    @tf.function
    def f(x, how):
        if callable(how):
            y = how(x)
        elif isinstance(how, (int, float)) and not isinstance(how, bool):
            y = x * how
        elif hasattr(how, "upper"):
            y = x + len(how)
        else:
            y = x + getattr(how, "missing", 1000)
        if y > 100:
            y = y - 100
        return y

    return [f(tf.constant(7), how) for how in (3, "four", tf.square, None, lambda v: v if v < 0 else v * 50)]


@program
def round_divmod_and_pow():
    """round, divmod and pow of Python numbers; pow, // and % of tensors with operators."""

    @tf.function
    def f(x):
        q, r = divmod(17, 5)
        y = x ** pow(2, 2) // q - r
        if y % 7 > 3:
            y = y % round(10.4)
        return y, -y // 2, y % -3

    return [f(tf.constant(v)) for v in (1, 2, 3, -3)]


@program
def bool_of_python_values():
    """bool(), not, and, or of Python values give Python values: empty things are false."""

    @tf.function
    def f(x, items):
        label = items and "some" or "none"
        if not items:
            y = x
        elif bool(items[0]):
            y = x * 2
        else:
            y = x * 3
        if y > 5:
            y = y - 5
        return y, tf.constant(label)

    return f(tf.constant(4), []), f(tf.constant(4), [1]), f(tf.constant(4), [0]), f(tf.constant(1), (0, 1))


@program(eager=False, advice=("effect.mutation",))
def iterators_with_next():
    """iter() and next() of Python iterators advance while tracing, once for each trace."""
    taken = []
    numbers = iter(range(100))

    @tf.function
    def f(x):
        first = next(numbers)
        taken.append(first)
        second = next(iter([x * 2]))
        if second > 4:
            second = second + first
        return second, next(iter([]), 7) * x

    results = [f(tf.constant(v)) for v in (1, 3, 5)]
    return results, taken, next(numbers)


@program
def strings_while_tracing():
    """f-strings, str methods and formatting of Python values build names and constants while tracing."""

    @tf.function
    def f(x, prefix):
        words = [f"{prefix.upper()}{i:02d}" for i in range(3)]
        label = "-".join(words)
        if x > 0:
            result = tf.strings.join([label, tf.strings.as_string(x)], separator="=")
        else:
            result = tf.constant("%s!" % label)
        return result

    return f(tf.constant(5), "a"), f(tf.constant(-5), "a"), f(tf.constant(1), "bc")


@program
def all_and_any_of_conditions():
    """reduce_all and reduce_any of comparisons as conditions of if, while and conditional expressions."""

    @tf.function
    def f(xs):
        rounds = tf.constant(0)
        while not tf.reduce_all(xs <= 3.0):
            xs = tf.where(xs > 3.0, xs / 2.0, xs)
            rounds += 1
        word = tf.constant("zero") if tf.reduce_any(tf.equal(xs, 0.0)) else tf.constant("none")
        if tf.reduce_any(xs < 0.0) and tf.reduce_all(xs > -10.0):
            rounds = -rounds
        return xs, rounds, word

    return f(tf.constant([8.0, 1.0])), f(tf.constant([0.0, -1.0, 12.5])), f(tf.constant([1.0]))


@program(eager=False)
def ops_of_converted_builtins():
    """Which ops the builtins leave in the graph."""

    @tf.function
    def f(xs):
        count = float(len(xs)) + float(int(xs[0]))
        total = tf.constant(0.0)
        for i in range(tf.size(xs)):
            total += abs(xs[i])
        return total / count

    graph = f.get_concrete_function(tf.TensorSpec([None], tf.float32)).graph
    kinds = [op.type for op in graph.get_operations()]
    wanted = ("Cast", "Range", "Shape", "StatelessWhile", "While")
    return {kind: kinds.count(kind) > 0 for kind in wanted}, f(tf.constant([1.0, -2.0, 3.5]))
