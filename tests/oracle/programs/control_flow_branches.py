"""Branches of the graph: returns, values from each side, what has no value, nesting, conditions of every kind, effects."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def early_returns_of_structures():
    """Returns of tuples and dicts from several places, all of the same structure."""

    @tf.function
    def classify(x):
        if x < 0:
            return {"kind": tf.constant("negative"), "parts": (x, -x)}
        if x == 0:
            return {"kind": tf.constant("zero"), "parts": (x, x)}
        half = x // 2
        return {"kind": tf.constant("positive"), "parts": (half, x - half)}

    return [classify(tf.constant(v)) for v in (-3, 0, 7)]


@program(eager=False, advice=("control.return_dtype",))
def returns_that_do_not_fit():
    """Returns of other dtypes, structures and lengths are errors while tracing."""

    @tf.function
    def dtypes(x):
        if x > 0:
            return x
        else:
            return tf.cast(x, tf.float32)

    @tf.function
    def structures(x):
        if x > 0:
            return x, x
        else:
            return [x, x]

    @tf.function
    def lengths(x):
        if x > 0:
            return x, x
        else:
            return x, x, x

    @tf.function
    def nothing(x):
        if x > 0:
            return x
        else:
            return None

    x = tf.constant(1)
    return [raised(f, x) for f in (dtypes, structures, lengths, nothing)]


@program(eager=False, advice=("control.undefined_in_branch",))
def value_in_one_branch_only():
    """A variable that only one branch makes may not be used afterwards; unused, or made before, it may."""

    @tf.function
    def used(x):
        if x > 0:
            y = x * 2
        return y

    @tf.function
    def unused(x):
        if x > 0:
            y = x * 2
            x = y + 1
        return x

    @tf.function
    def made_before(x):
        y = x
        if x > 0:
            y = x * 2
        return y

    x = tf.constant(3)
    return raised(used, x), unused(x), unused(-x), made_before(x), made_before(-x)


@program(eager=False)
def deleted_in_a_branch():
    """A variable that is deleted behind the branches, and one that both branches make anew."""

    @tf.function
    def f(x):
        y = x + 1
        if x > 0:
            z = y * 2
        else:
            z = y * 3
        del y
        y = z
        return y

    @tf.function
    def deleted(x):
        y = x
        del y
        return y

    return f(tf.constant(1)), f(tf.constant(-1)), raised(deleted, tf.constant(1))


@program(eager=False, advice=("control.branch_dtype",))
def dtype_of_python_numbers_in_branches():
    """Python numbers from branches become int32 and float32 tensors; an int and a float do not fit."""

    @tf.function
    def fits(x):
        if x > 0:
            a, b, c, d = 1, 2.5, True, "yes"
        else:
            a, b, c, d = 2, 3.5, False, "no"
        return a, b, c, d

    @tf.function
    def mixed(x):
        if x > 0:
            a = 1
        else:
            a = 2.5
        return a

    return fits(tf.constant(1)), fits(tf.constant(-1)), raised(mixed, tf.constant(1))


@program
def shapes_that_differ():
    """Branches may give tensors of other shapes: what is known of the shape afterwards is what they share."""

    @tf.function
    def f(x, wide):
        if wide:
            y = tf.stack([x, x, x], axis=1)
        else:
            y = tf.stack([x], axis=1)
        total = tf.constant(0)
        for row in y:
            total += tf.reduce_sum(row) * tf.shape(row)[0]
        return y, total

    x = tf.constant([1, 2])
    return f(x, tf.constant(True)), f(x, tf.constant(False))


@program(eager=False)
def static_shape_behind_a_branch():
    """What is known of a shape behind a branch, a loop and a conditional expression, while tracing."""
    shapes = []

    @tf.function
    def f(x, flag):
        if flag:
            y = tf.concat([x, x], axis=0)
        else:
            y = x
        shapes.append(y.shape)
        z = y if flag else tf.zeros([4, 2])
        shapes.append(z.shape)
        for _ in tf.range(2):
            z = z + 1.0
        shapes.append(z.shape)
        return tf.shape(y), tf.shape(z)

    x = tf.zeros([3, 2])
    return f(x, tf.constant(True)), f(x, tf.constant(False)), shapes


@program(eager=False)
def conditions_that_are_no_bools():
    """An int or float tensor as a condition, a vector of bools, a string: which work and which do not."""

    def branch(x):
        if x:
            return tf.constant("true")
        else:
            return tf.constant("false")

    f = tf.function(branch)
    values = (tf.constant(2), tf.constant(0.0), tf.constant([True, False]), tf.constant("text"), tf.constant(True))
    return [raised(f, value) for value in values], f(tf.constant(True)), f(tf.constant(False))


@program
def condition_of_one_element():
    """A comparison of tensors with one element is reduced to a condition by hand, in three ways."""

    @tf.function
    def f(x):
        y = x
        if tf.squeeze(x > 1.0):
            y = y * 2.0
        if tf.reduce_all(x > 2.0):
            y = y * 3.0
        if (x > 3.0)[0]:
            y = y * 5.0
        return y

    return [f(tf.constant([v])) for v in (1.0, 2.0, 3.0, 4.0)]


@program
def order_of_effects_in_branches():
    """Assignments and reads in nested branches happen in the order of the program, only on the side taken."""
    v = tf.Variable(1)
    log = tf.Variable([0, 0, 0, 0])

    @tf.function
    def f(x):
        log[0].assign(v)
        if x > 0:
            v.assign_add(x)
            log[1].assign(v)
            if v > 5:
                v.assign(0)
                log[2].assign(v - 1)
        else:
            log[3].assign(v)
            v.assign_sub(x)
        return v.read_value(), log.read_value()

    results = [f(tf.constant(x)) for x in (2, -1, 3)]
    return results, v, log


@program
def variable_read_before_and_after():
    """A variable's value read before a branch does not change when the branch assigns the variable."""
    v = tf.Variable(10)

    @tf.function
    def f(x):
        before = v.read_value()
        product = v * 2
        if x > 0:
            v.assign(v + x)
        after = v.read_value()
        return before, product, after, v + 0

    return f(tf.constant(5)), f(tf.constant(-5)), v


@program
def nested_branches_change_several_names():
    """Four names, changed by different combinations of nested branches."""

    @tf.function
    def f(a, b):
        w = x = y = z = a - a
        if a > 0:
            w = a
            if b > 0:
                x = a + b
            else:
                y = a - b
                if b < -5:
                    w, z = y, w
        elif b > 0:
            z = b
        else:
            x, y = b, a
        return tf.stack([w, x, y, z])

    return [f(tf.constant(a), tf.constant(b)) for a in (1, -1) for b in (2, -2, -6)]


@program
def long_elif_chain():
    """Roman numerals by a chain of elif in a while loop."""

    @tf.function
    def roman(n):
        text = tf.constant("")
        while n > 0:
            if n >= 50:
                part, value = tf.constant("L"), 50
            elif n >= 40:
                part, value = tf.constant("XL"), 40
            elif n >= 10:
                part, value = tf.constant("X"), 10
            elif n == 9:
                part, value = tf.constant("IX"), 9
            elif n >= 5:
                part, value = tf.constant("V"), 5
            elif n == 4:
                part, value = tf.constant("IV"), 4
            else:
                part, value = tf.constant("I"), 1
            text += part
            n -= value
        return text

    return [roman(tf.constant(n)) for n in (1, 4, 9, 14, 49, 88)]


@program
def conditional_expressions_with_calls():
    """Conditional expressions as arguments, as indices, nested in both places, with effects only where taken."""
    calls = tf.Variable([0, 0])

    def counted(i, x):
        calls[i].assign(calls[i] + 1)
        return x

    @tf.function
    def f(x):
        a = counted(0, x) if x > 2 else counted(1, -x)
        b = tf.add(a if a > 5 else a * 10, 1 if x > 0 else 2)
        c = "big" if x > 100 else "small"
        return a, b, tf.constant([7, 8])[0 if x > 0 else 1], c + tf.constant("!")

    return f(tf.constant(3)), f(tf.constant(-3)), f(tf.constant(200)), calls


@program(eager=False)
def and_or_of_values():
    """`and` and `or` of tensors give what they decide; `not` of a comparison; mixing with Python values."""

    @tf.function
    def f(a, b):
        both = a and b
        either = a or b
        nor = not (a or b)
        python = True and a
        none = None or a
        return both, either, nor, python, none

    flags = (tf.constant(False), tf.constant(True))
    return [f(a, b) for a in flags for b in flags]


@program
def and_or_guard():
    """A guard by `and` keeps the second part from running where it would fail."""

    @tf.function
    def f(xs, i):
        if i < tf.size(xs) and xs[i] > 2:
            return xs[i] * 10
        if i >= tf.size(xs) or xs[i] < 0:
            return tf.constant(-1)
        return xs[i]

    xs = tf.constant([1, 3, -5])
    return [f(xs, tf.constant(i)) for i in (0, 1, 2, 3, 9)]


@program(advice=("control.is",))
def comparison_operators_on_tensors():
    """==, != and `is` of tensors, None and Python values as conditions."""

    @tf.function
    def f(x, y, other=None):
        score = tf.constant(0)
        if x == y:
            score += 1
        if x != y:
            score += 10
        if other is None:
            score += 100
        elif other is not x:
            score += 1000
        if not x == 3:
            score += 10000
        return score

    return f(tf.constant(3), tf.constant(3)), f(tf.constant(3), tf.constant(4), 5), f(tf.constant(1), 1, None)


@program
def string_conditions():
    """Strings compared for equality and by regular expression choose branches."""

    @tf.function
    def f(word):
        if word == "stop":
            return tf.constant(0)
        if tf.strings.regex_full_match(word, "[0-9]+"):
            return tf.strings.to_number(word, tf.int32)
        if tf.strings.length(word) > 5:
            return -tf.strings.length(word)
        return tf.constant(-1)

    return [f(tf.constant(word)) for word in ("stop", "123", "elephant", "cat", "")]


@program
def branch_inside_a_tape():
    """The gradient through an if of the graph in which the tape was opened outside and inside."""

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            if x > 1.0:
                y = x * x
            elif x > 0.0:
                y = tf.exp(x)
            else:
                y = tf.constant(5.0)
        g = tape.gradient(y, x, unconnected_gradients="zero")
        if g > 3.0:
            g = g / 2.0
        return y, g

    return [f(tf.constant(v)) for v in (2.0, 0.5, -1.0)]


@program
def assertions_in_branches():
    """tf.debugging assertions and tf.Assert are checked only in the branch that is taken."""

    @tf.function
    def f(x):
        if x > 0:
            tf.debugging.assert_less(x, 10, message="too large")
            y = x * 2
        else:
            tf.Assert(x > -10, [x])
            y = -x
        return y

    return f(tf.constant(3)), f(tf.constant(-3)), raised(f, tf.constant(10)), raised(f, tf.constant(-10))


@program
def division_guard():
    """A branch avoids an integer division by zero; without it the division fails when it runs."""

    @tf.function
    def guarded(a, b):
        if b == 0:
            return tf.constant(0), a
        return a // b, a % b

    @tf.function
    def bare(a, b):
        return a // b

    a = tf.constant(17)
    return (
        guarded(a, tf.constant(5)),
        guarded(a, tf.constant(0)),
        raised(bare, a, tf.constant(0)),
        bare(a, tf.constant(-5)),
    )


@program(eager=False)
def both_branches_are_traced():
    """Python effects of both branches happen while tracing, once; the graph's only where taken."""
    traced = []
    ran = tf.Variable([0, 0])

    @tf.function
    def f(x):
        if x > 0:
            traced.append("true")
            ran[0].assign(ran[0] + 1)
            y = x
        else:
            traced.append("false")
            ran[1].assign(ran[1] + 1)
            y = -x
        traced.append("after")
        return y

    return [f(tf.constant(v)) for v in (1, 2, -3)], traced, ran


@program(eager=False)
def constant_conditions():
    """A condition made of constants is still a branch of the graph; one of Python values is none."""

    @tf.function
    def f(x):
        if tf.constant(3) > 2:
            y = x + 1
        else:
            y = x - 1
        return y

    @tf.function
    def g(x):
        if x.shape.rank == 1 and x.dtype == tf.int32:
            y = x + 1
        else:
            y = x - 1
        return y

    x = tf.constant([1])
    kinds = []
    for h in (f, g):
        ops = [op.type for op in h.get_concrete_function(x).graph.get_operations()]
        kinds.append(any(kind in ops for kind in ("If", "StatelessIf")))
    return kinds, f(x), g(x)


@program
def ternary_logic_of_three_flags():
    """All combinations of three flags through nested ifs without else."""

    @tf.function
    def f(a, b, c):
        code = tf.constant(0)
        if a:
            code += 1
            if b:
                code += 2
                if c:
                    code += 4
        if not a:
            if b or c:
                code += 8
            if b and c:
                code += 16
        return code

    flags = (tf.constant(False), tf.constant(True))
    return [f(a, b, c) for a in flags for b in flags for c in flags]


@program
def branch_on_a_captured_tensor():
    """A branch decided by a tensor that was captured from outside keeps the value it had when tracing."""
    limit = tf.constant(5)
    changing = tf.Variable(5)

    @tf.function
    def f(x):
        y = x
        if x > limit:
            y = y - limit
        if x > changing:
            y = y * 100
        return y

    first = [f(tf.constant(v)) for v in (3, 6)]
    changing.assign(2)
    return first, [f(tf.constant(v)) for v in (3, 6)]


@program
def clip_by_branches_elementwise():
    """The same function by tf.where and by branches over the elements agrees."""

    @tf.function
    def by_where(xs):
        return tf.where(xs > 1.0, 1.0, tf.where(xs < -1.0, -1.0, xs))

    @tf.function
    def by_branches(xs):
        out = tf.TensorArray(tf.float32, size=tf.size(xs))
        for i in tf.range(tf.size(xs)):
            if xs[i] > 1.0:
                x = 1.0
            elif xs[i] < -1.0:
                x = -1.0
            else:
                x = xs[i]
            out = out.write(i, x)
        return out.stack()

    xs = tf.constant([-3.0, -0.5, 0.0, 0.75, 9.0])
    return by_where(xs), by_branches(xs), tf.reduce_all(by_where(xs) == by_branches(xs))


@program
def wide_branch():
    """A branch that gives twelve values at once."""

    @tf.function
    def f(x):
        if x > 0:
            a = b = c = d = e = x
            g = h = i = j = k = m = n = x * 2
        else:
            a, b, c, d, e = (x - p for p in range(5))
            g, h, i, j, k, m, n = (x * p for p in range(7))
        return tf.stack([a, b, c, d, e, g, h, i, j, k, m, n])

    return f(tf.constant(1)), f(tf.constant(-1))


@program
def index_of_a_branch_as_data():
    """A dispatch table by gather in place of branches, next to the branches."""

    @tf.function
    def f(codes):
        table = tf.constant([10, 20, 30])
        by_table = tf.gather(table, codes)
        total = tf.constant(0)
        for code in codes:
            if code == 0:
                total += 10
            elif code == 1:
                total += 20
            else:
                total += 30
        return by_table, total, tf.reduce_sum(by_table) == total

    return f(tf.constant([0, 2, 1, 1])), f(tf.constant([2]))


@program
def rank_dependent_branches():
    """Branches on the rank of a tensor: static where it is known, of the graph where it is not."""

    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def f(x):
        if tf.rank(x) == 0:
            return tf.reshape(x, [1]) * 10.0
        if tf.rank(x) == 1:
            return x + 1.0
        return tf.reduce_sum(tf.reshape(x, [tf.shape(x)[0], -1]), axis=1)

    return f(tf.constant(1.0)), f(tf.constant([1.0, 2.0])), f(tf.ones([2, 3])), f(tf.ones([2, 2, 2]))


@program
def random_walk_with_fixed_steps():
    """A walk in the plane whose direction branches on data, with borders that turn it back."""

    @tf.function
    def walk(steps):
        position = tf.constant([0, 0])
        turned = tf.constant(0)
        for step in steps:
            if step == 0:
                move = tf.constant([1, 0])
            elif step == 1:
                move = tf.constant([0, 1])
            elif step == 2:
                move = tf.constant([-1, 0])
            else:
                move = tf.constant([0, -1])
            if tf.reduce_any(tf.abs(position + move) > 2):
                turned += 1
                move = -move
            position = position + move
        return position, turned

    return walk(tf.constant([0, 0, 0, 1, 3, 3])), walk(tf.constant([2, 2, 2, 2, 2])), walk(tf.constant([], tf.int32))


@program
def loop_and_branch_with_int64_and_uint8():
    """Branches and loops over int64, uint8 and float16 keep the dtypes."""

    @tf.function
    def f(x, n):
        for i in tf.range(n):
            if i % 2 == 0:
                x = x + tf.cast(i, x.dtype)
            else:
                x = x * 2
        return x, n

    return (
        f(tf.constant(1, tf.int64), tf.constant(4, tf.int64)),
        f(tf.constant(200, tf.uint8), tf.constant(3)),
        f(tf.constant(0.5, tf.float16), tf.constant(5)),
        f(tf.constant([1, 2], tf.int8), tf.constant(0)),
    )
