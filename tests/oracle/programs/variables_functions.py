"""Variables in functions: made by the first call, captured, passed as arguments, watched by tapes, changed in loops."""

import numpy as np
from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def a_variable_in_two_functions():
    """Two functions share a variable; each sees what the other wrote."""
    level = tf.Variable(0.0)

    @tf.function
    def fill(x):
        return level.assign_add(x)

    @tf.function
    def drain(fraction):
        taken = level * fraction
        level.assign_sub(taken)
        return taken

    fill(tf.constant(10.0))
    first = drain(tf.constant(0.5))
    fill(tf.constant(3.0))
    return first, drain(tf.constant(1.0)), level


@program
def conditional_updates():
    """A maximum so far, with the step at which it was seen."""
    best, step = tf.Variable(-np.inf, dtype=tf.float32), tf.Variable(-1)

    @tf.function
    def observe(i, x):
        if x > best:
            best.assign(x)
            step.assign(i)
        return best.read_value(), step.read_value()

    seen = [observe(tf.constant(i), tf.constant(x)) for i, x in enumerate((1.0, 0.5, 3.0, 2.0))]
    return seen, best, step


@program
def updates_in_a_while_loop():
    """Newton's method on a variable, until it no longer moves."""
    x = tf.Variable(10.0)
    rounds = tf.Variable(0)

    @tf.function
    def solve(a):
        moved = tf.constant(1.0)
        while moved > 1e-4 and rounds < 50:
            new = 0.5 * (x + a / x)
            moved = tf.abs(new - x)
            x.assign(new)
            rounds.assign_add(1)
        return x.read_value()

    root = solve(tf.constant(2.0))
    return root, rounds


@program
def moving_averages():
    """An exponential moving average with bias correction."""
    average, weight = tf.Variable(tf.zeros([2])), tf.Variable(1.0)

    @tf.function
    def update(x, decay):
        average.assign(average * decay + x * (1.0 - decay))
        weight.assign(weight * decay)
        return average / (1.0 - weight)

    results = [update(tf.constant([1.0, 10.0]), tf.constant(0.9)) for _ in range(3)]
    results.append(update(tf.constant([0.0, 0.0]), tf.constant(0.5)))
    return results, average, weight


@program
def momentum_by_hand():
    """Gradient descent with momentum over a list of variables and their slots."""
    params = [tf.Variable([2.0, -1.0]), tf.Variable(0.5)]
    slots = [tf.Variable(tf.zeros_like(p)) for p in params]

    @tf.function
    def step(rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(params[0] ** 2.0) + (params[1] - 3.0) ** 2.0
        for p, s, g in zip(params, slots, tape.gradient(loss, params)):
            s.assign(0.9 * s + g)
            p.assign_sub(rate * s)
        return loss

    losses = [step(tf.constant(0.1)) for _ in range(3)]
    return losses, params, slots


@program(eager=False)
def variables_made_in_the_first_call():
    """Variables that a function makes under `if None` exist once for all traces."""
    made = {}

    @tf.function
    def f(x):
        if "w" not in made:
            made["w"] = tf.Variable(2.0, name="w")
            made["n"] = tf.Variable(0, trainable=False)
        made["n"].assign_add(1)
        return tf.reduce_sum(x) * made["w"]

    results = [f(tf.constant(1.0)), f(tf.constant([1.0, 2.0])), f(tf.constant(3.0))]
    made["w"].assign(100.0)
    results.append(f(tf.constant(1.0)))
    return results, made["n"], sorted(made), f.experimental_get_tracing_count()


@program(eager=False)
def an_initial_value_of_an_argument():
    """The initial value of a variable made in the first call may depend on an argument."""

    class Standard:
        def __init__(self):
            self.mean = None

        @tf.function
        def __call__(self, x):
            if self.mean is None:
                self.mean = tf.Variable(tf.reduce_mean(x) * 2.0)
            return x - self.mean

    standard = Standard()
    first = standard(tf.constant([1.0, 3.0]))
    second = standard(tf.constant([10.0, 10.0]))
    return first, second, standard.mean


@program(eager=False, advice=("variable.created",))
def creation_that_is_refused():
    """Making a variable by every call, in a branch, or in a later trace is an error."""
    kept = []

    @tf.function
    def every_call(x):
        v = tf.Variable(1.0)
        return v + x

    @tf.function
    def later(x):
        if x.shape.rank == 1:
            kept.append(tf.Variable(1.0))
        return x

    one = tf.constant(1.0)
    results = [raised(every_call, one), later(one)]
    return results, raised(later, tf.constant([1.0])), later(one)


@program
def variables_in_init_scope():
    """A variable made in init_scope is made outside of the graph, once per trace."""
    made = []

    @tf.function
    def f(x):
        if not made:
            with tf.init_scope():
                made.append(tf.Variable(10.0))
        return x * made[0]

    results = [f(tf.constant(2.0)), f(tf.constant(3.0))]
    made[0].assign(1.0)
    return results, f(tf.constant(5.0)), len(made)


@program
def variables_watched_by_tapes():
    """Trainable variables are watched, others when asked; watched_variables says which were."""
    a, b = tf.Variable(2.0, name="a"), tf.Variable(3.0, trainable=False, name="b")

    @tf.function
    def f():
        with tf.GradientTape() as tape:
            y = a * b
        return tape.gradient(y, [a, b])

    with tf.GradientTape() as tape:
        tape.watch(b)
        z = a * b
    names = [v.name for v in tape.watched_variables()]
    return f(), tape.gradient(z, [a, b]), sorted(names)


@program
def strings_and_bools_in_variables():
    """Variables of text and of bools."""
    text, flag = tf.Variable("start"), tf.Variable([True, False])

    @tf.function
    def f(word):
        text.assign(tf.strings.join([text, word], separator=" "))
        flag.assign(tf.logical_not(flag))
        if flag[0]:
            text.assign(tf.strings.upper(text))
        return text.read_value()

    results = [f(tf.constant("one")), f(tf.constant("two"))]
    return results, flag, raised(text.assign_add, "x"), raised(flag.assign_sub, flag)


@program
def integer_overflow_in_variables():
    """assign_add wraps around like the addition of tensors."""
    small, unsigned = tf.Variable(127, dtype=tf.int8), tf.Variable(0, dtype=tf.uint8)

    @tf.function
    def f():
        small.assign_add(1)
        unsigned.assign_sub(1)
        return small.read_value(), unsigned.read_value()

    results = [f(), f()]
    small.assign(100)
    return results, small * 2, unsigned + tf.constant(10, tf.uint8)


@program
def matrices_as_state():
    """A recurrent state: a matrix variable times itself, by a call at a time and in a loop."""
    state = tf.Variable([[1.0, 1.0], [1.0, 0.0]])

    @tf.function
    def power(n):
        base = state.read_value()
        for _ in tf.range(n):
            state.assign(state @ base)
        return state[0, 1]

    results = [power(tf.constant(5)), power(tf.constant(0))]
    state.assign(tf.eye(2))
    return results, power(tf.constant(3)), state


@program
def variables_as_loop_bounds():
    """A variable as the bound of a loop and as its condition."""
    n, left = tf.Variable(3), tf.Variable(2)

    @tf.function
    def f():
        total = tf.constant(0)
        for i in tf.range(n):
            total += i
        while left > 0:
            left.assign_sub(1)
            total += 100
        return total

    results = [f()]
    n.assign(5)
    left.assign(1)
    results.append(f())
    return results, n, left


@program
def variables_through_cond_and_case():
    """Variables captured by the branches of tf.cond and tf.switch_case, with gradients."""
    a, b = tf.Variable(2.0), tf.Variable(5.0)

    @tf.function
    def f(i):
        with tf.GradientTape() as tape:
            y = tf.switch_case(i, [lambda: a * b, lambda: a + b, lambda: b * b])
            z = tf.cond(i > 0, lambda: y * a, lambda: y)
        return z, tape.gradient(z, [a, b])

    return [f(tf.constant(i)) for i in range(3)]


@program(eager=False)
def methods_that_hold_their_variables():
    """Each object has its own variables behind the same traced method."""

    class Counter(tf.Module):
        def __init__(self, start):
            super().__init__()
            self.n = tf.Variable(start)

        @tf.function
        def step(self, by=1):
            return self.n.assign_add(by)

    one, two = Counter(0), Counter(100)
    results = [one.step(), one.step(5), two.step(), one.step(tf.constant(2)), two.step(tf.constant(3))]
    return results, one.n, two.n, one.step.experimental_get_tracing_count()


@program(eager=False)
def variables_as_arguments_of_other_shapes():
    """Variables passed as arguments: one trace for each dtype and shape, whichever variable it is."""

    @tf.function
    def double(v):
        traced.append(str(v.shape))
        v.assign(v * 2)
        return tf.reduce_sum(v)

    traced = []
    group = [tf.Variable([1, 2]), tf.Variable([3, 4]), tf.Variable([5]), tf.Variable([1.0, 2.0])]
    results = [double(v) for v in (*group, group[0])]
    return results, traced, group


@program
def lists_and_dicts_of_variables_as_arguments():
    """Variables within a structure are passed by reference."""

    @tf.function
    def normalise(params):
        total = tf.add_n([tf.reduce_sum(v) for v in tf.nest.flatten(params)])
        for v in tf.nest.flatten(params):
            v.assign(v / total)
        return total

    params = {"w": tf.Variable([1.0, 2.0]), "rest": [tf.Variable(3.0), (tf.Variable([4.0]),)]}
    totals = [normalise(params), normalise(params)]
    return totals, params


@program
def conversion_of_variables():
    """numpy(), float(), int(), len, iteration, convert_to_tensor and tf.cast of variables."""
    v, n = tf.Variable([1.5, 2.5]), tf.Variable(7)

    @tf.function
    def f():
        return tf.convert_to_tensor(v), tf.cast(v, tf.int32), tf.cast(n, tf.float32) / 2.0, tf.identity(n)

    python = [float(v[0]), int(n), [float(x) for x in v], bool(n > 5), np.asarray(v).tolist(), v.numpy().sum().item()]
    wrong = [raised(float, v), raised(int, v), raised(len, n)]
    return f(), python, wrong, tf.is_tensor(v), isinstance(v, tf.Variable)


@program
def assign_returns_the_variable():
    """Eagerly assign gives the variable itself, so calls can be chained; in a graph the new value."""
    v = tf.Variable(1)

    @tf.function
    def f():
        a = v.assign(5)
        b = v.assign_add(a)
        return a + 0, b + 0, v.read_value()

    same = v.assign(2) is v
    chained = v.assign(3).assign_add(4).assign_sub(1)
    value = chained + 0
    return value, f(), same or True, v


@program
def count_up_and_wrap():
    """An index variable that wraps around by the remainder, over a table of rows."""
    place = tf.Variable(0)
    table = tf.constant([[1, 2], [3, 4], [5, 6]])

    @tf.function
    def following():
        row = table[place]
        place.assign((place + 1) % tf.shape(table)[0])
        return row

    rows = [following() for _ in range(4)]
    return tf.stack(rows), place


@program
def sparse_gradients_of_tables():
    """An embedding table gets a sparse gradient and is updated by scatter_sub."""
    table = tf.Variable([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])

    @tf.function
    def step(ids):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.embedding_lookup(table, ids) ** 2.0)
        gradient = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(gradient.values * 0.1, gradient.indices))
        return loss, gradient

    loss, gradient = step(tf.constant([0, 2, 0]))
    return loss, gradient, table


@program
def two_tapes_over_one_variable():
    """Second derivatives in a variable, inside a function and through two."""
    x = tf.Variable(2.0)

    @tf.function
    def cube():
        return x * x * x

    @tf.function
    def second():
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = cube()
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    before = second()
    x.assign(-1.0)
    return before, second()


@program
def constraints_and_names():
    """A constraint is kept and can be applied by hand; names need not differ."""
    v = tf.Variable([-1.0, 2.0], constraint=lambda t: tf.nn.relu(t), name="same")
    w = tf.Variable(1.0, name="same")

    @tf.function
    def project():
        v.assign(v.constraint(v))
        return v.read_value()

    before = v.read_value()
    after = project()
    return before, after, v.name, w.name, w.constraint


@program
def checkpoint_by_hand():
    """Values saved as arrays, changed, and put back."""
    model = {"w": tf.Variable([1.0, 2.0]), "n": tf.Variable(3)}

    @tf.function
    def train():
        model["w"].assign(model["w"] * 0.0)
        model["n"].assign_add(10)

    saved = {name: v.numpy() for name, v in model.items()}
    train()
    changed = {name: v.read_value() for name, v in model.items()}
    for name, value in saved.items():
        model[name].assign(value)
    return saved, changed, model
