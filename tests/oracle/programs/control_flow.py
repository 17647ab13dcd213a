"""Control flow that depends on tensors: if, while, for, break, continue, return, and/or/not, conditional expression."""

from tests.oracle.program import program
from tests.oracle.under_test import tf


@program
def collatz_steps():
    """A while loop with a branch in it, two values carried around."""

    @tf.function
    def walk(n):
        steps = tf.constant(0)
        peak = n
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            peak = tf.maximum(peak, n)
            steps += 1
        return steps, peak

    return [walk(tf.constant(n)) for n in (1, 6, 27, 97)]


@program
def smallest_divisor():
    """A for loop over tf.range with two ways to stop, and a return in a branch behind it."""

    @tf.function
    def divisor(n):
        found = n
        for d in tf.range(2, n):
            if d * d > n:
                break
            if n % d == 0:
                found = d
                break
        if found == n:
            return n, tf.constant("prime")
        return found, tf.constant("composite")

    return [divisor(tf.constant(n)) for n in (2, 9, 35, 97, 121)]


@program
def school_grades():
    """A chain of elif, a string from each branch."""

    @tf.function
    def grade(points):
        if points >= 90:
            word = tf.constant("excellent")
        elif points >= 70:
            word = tf.constant("good")
        elif points >= 50:
            word = tf.constant("passed")
        else:
            word = tf.constant("failed")
        return tf.strings.join([word, tf.strings.as_string(points)], separator=":")

    return [grade(tf.constant(p)) for p in (100, 90, 89, 50, -3)]


@program(eager=False)
def chained_comparisons():
    """lo < x <= hi on tensors, and its negation."""

    @tf.function
    def place(x, lo, hi):
        inside = lo < x <= hi
        outside = not (lo < x <= hi)
        equal = lo <= x == hi
        if lo < x <= hi:
            clamped = x
        elif x <= lo:
            clamped = lo
        else:
            clamped = hi
        return inside, outside, equal, clamped

    return [place(tf.constant(x), tf.constant(1.0), tf.constant(2.5)) for x in (0.0, 1.0, 1.5, 2.5, 9.0)]


@program
def triangle_sum():
    """A loop in a loop, the inner one skips with continue, the outer one stops with break."""

    @tf.function
    def total(matrix, limit):
        result = tf.constant(0)
        rows = tf.shape(matrix)[0]
        for i in tf.range(rows):
            for j in tf.range(rows):
                if j > i:
                    continue
                result += matrix[i, j]
            if result > limit:
                break
        return result

    matrix = tf.reshape(tf.range(16), (4, 4))
    return [total(matrix, tf.constant(limit)) for limit in (0, 10, 30, 1000)]


@program
def lazy_and_or():
    """`and` and `or` evaluate the right side only when they need it, as a counter shows."""
    asked = tf.Variable(0)

    def expensive(x):
        asked.assign_add(1)
        return x > 10

    @tf.function
    def both(x):
        return x > 0 and expensive(x)

    @tf.function
    def either(x):
        return x > 0 or expensive(x)

    results = []
    for f in (both, either):
        for x in (-5, 5, 50):
            results.append((f(tf.constant(x)), int(asked)))
    return results


@program(eager=False)
def conditional_expressions():
    """a if p else b with tensor conditions, one after the other and inside arithmetic."""

    @tf.function
    def sign_word(x, y):
        not_positive = -1 if x < 0 else 0
        s = 1 if x > 0 else not_positive
        t = (x if x > y else y) + (y if x > y else x) * 10
        u = x - y if not x == y else tf.constant(99)
        return s, t, u

    return [sign_word(tf.constant(x), tf.constant(y)) for x, y in ((3, 4), (-2, -2), (0, -7))]


@program(eager=False, advice=("effect.mutation",))
def python_condition_is_decided_while_tracing():
    """A branch on a Python value is no graph branch: each value has its own trace, with one side in it."""
    seen = []

    @tf.function
    def scale(x, double):
        if double:
            seen.append("double")
            y = x * 2
        else:
            seen.append("same")
            y = x
        ops = [op.type for op in y.graph.get_operations()]
        seen.append("If" in ops or "StatelessIf" in ops)
        return y

    results = [scale(tf.constant(4), flag) for flag in (True, False, True)]
    return results, seen, scale.experimental_get_tracing_count()


@program
def returns_in_nested_branches():
    """Six returns at three depths, some of them without an else."""

    @tf.function
    def kind(a, b, c):
        if a + b <= c or b + c <= a or a + c <= b:
            return tf.constant("none")
        if a == b:
            if b == c:
                return tf.constant("equilateral")
            else:
                return tf.constant("isosceles, equal first")
        if a == c or b == c:
            return tf.constant("isosceles")
        if a * a + b * b == c * c:
            return tf.constant("right")
        return tf.constant("scalene")

    triangles = ((1, 1, 3), (2, 2, 2), (2, 2, 3), (3, 2, 3), (3, 4, 5), (4, 5, 7))
    return [kind(*map(tf.constant, sides)) for sides in triangles]


@program
def loop_over_rows():
    """for over a matrix gives its rows; two accumulators of different shape."""

    @tf.function
    def summarise(table):
        best = tf.fill([2], -100.0)
        norm = tf.constant(0.0)
        for row in table:
            best = tf.maximum(best, row)
            norm += tf.reduce_sum(row * row)
        return best, tf.sqrt(norm)

    table = tf.constant([[1.0, -2.0], [0.5, 7.0], [-3.0, 0.0]])
    return summarise(table), summarise(table[:1]), summarise(table[:0])


@program
def loop_condition_reads_a_variable():
    """The condition of a while loop is a variable that the body changes."""
    fuel = tf.Variable(10.0)

    @tf.function
    def fly(distance):
        while fuel > 1.0 and distance < 50.0:
            fuel.assign(fuel * 0.75)
            distance += fuel
            if distance > 45.0:
                distance -= 1.0
        return distance

    first = fly(tf.constant(0.0))
    left = fuel.read_value()
    second = fly(tf.constant(1.0))
    return first, left, second, fuel


@program(eager=False, advice=("effect.mutation",))
def loop_over_python_values_unrolls():
    """A loop over a Python range or list is unrolled while tracing; one over tf.range is a While op."""
    laps = []

    @tf.function
    def unrolled(x):
        for i in range(3):
            laps.append(i)
            x = x * 2 + i
        for factor in [1, tf.constant(3)]:
            x = x * factor
        return x

    @tf.function
    def looped(x):
        for i in tf.range(3):
            laps.append("once")
            x = x * 2 + i
        return x

    results = []
    for f in (unrolled, looped):
        ops = [op.type for op in f.get_concrete_function(tf.constant(5)).graph.get_operations()]
        results.append((f(tf.constant(5)), ops.count("Mul"), any("While" in op for op in ops)))
    return results, laps


@program
def state_machine():
    """Branches three deep in a while loop, with an early continue."""

    @tf.function
    def parse(codes):
        state = tf.constant(0)
        i = tf.constant(0)
        errors = tf.constant(0)
        while i < tf.size(codes):
            code = codes[i]
            i += 1
            if code < 0:
                errors += 1
                continue
            if state == 0:
                if code == 1:
                    state = tf.constant(1)
            else:
                if state == 1:
                    if code == 2:
                        state = tf.constant(2)
                    else:
                        state = tf.constant(0)
                else:
                    errors += code
        return state, errors

    return parse(tf.constant([0, 1, 2, 5, -1])), parse(tf.constant([1, 1, 2])), parse(tf.constant([], tf.int32))


@program
def insertion_sort():
    """A while loop in a for loop that updates a tensor element by element."""

    @tf.function
    def sort(xs):
        for i in tf.range(1, tf.size(xs)):
            key = xs[i]
            j = i - 1
            while j >= 0 and xs[j] > key:
                xs = tf.tensor_scatter_nd_update(xs, [[j + 1]], [xs[j]])
                j -= 1
            xs = tf.tensor_scatter_nd_update(xs, [[j + 1]], [key])
        return xs

    return sort(tf.constant([5, 2, 9, 1, 5, 0])), sort(tf.constant([3])), sort(tf.constant([2, 1]))


@program
def euclid_with_parallel_assignment():
    """a, b = b, a % b in a loop; the function is called from another converted function."""

    def gcd(a, b):
        while b > 0:
            a, b = b, a % b
        return a

    @tf.function
    def reduce_fraction(numerator, denominator):
        g = gcd(numerator, denominator)
        swapped = gcd(denominator, numerator)
        return numerator // g, denominator // g, g == swapped

    return [reduce_fraction(tf.constant(a), tf.constant(b)) for a, b in ((12, 18), (35, 64), (100, 10))]


@program
def helper_with_early_returns():
    """A plain helper with three returns is converted with its caller."""

    def bracket(income):
        if income <= 1000.0:
            return income * 0.0
        if income <= 5000.0:
            return (income - 1000.0) * 0.25
        return 1000.0 + (income - 5000.0) * 0.5

    @tf.function
    def taxes(incomes):
        total = tf.constant(0.0)
        for income in incomes:
            tax = bracket(income)
            total = total + tax
        return total, bracket(tf.reduce_max(incomes))

    return taxes(tf.constant([500.0, 3000.0, 9000.0])), taxes(tf.constant([1000.0]))


@program
def lambda_with_a_condition():
    """A lambda made in a converted function is converted too; a comprehension over it stays Python's."""

    @tf.function
    def apply(x):
        relu_like = lambda v: v if v > 0 else v * 0.1
        parts = [relu_like(x - shift) for shift in (0.0, 1.0, 2.0)]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total, parts

    return apply(tf.constant(1.5)), apply(tf.constant(-1.0))


@program
def value_after_the_loop():
    """The loop variable keeps its last value; one set before a loop that never runs keeps its first."""

    @tf.function
    def last(n):
        i = tf.constant(-1)
        half = tf.constant(0.0)
        for i in tf.range(n):
            half = tf.cast(i, tf.float32) / 2.0
        return i, half

    return last(tf.constant(0)), last(tf.constant(1)), last(tf.constant(6))


@program
def newton_iteration():
    """A while loop until a tolerance is met, with a limit on the number of rounds."""

    @tf.function
    def square_root(value, limit):
        guess = value
        rounds = tf.constant(0)
        while tf.abs(guess * guess - value) > 1e-9 * value:
            guess = 0.5 * (guess + value / guess)
            rounds += 1
            if rounds == limit:
                break
        return guess, rounds

    value = tf.constant(2.0, tf.float64)
    return (
        square_root(value, tf.constant(2)),
        square_root(value, tf.constant(50)),
        square_root(value * 50, tf.constant(50)),
    )


@program(eager=False)
def not_of_a_tensor():
    """`not`, `or` and `and` of tensor and Python values mixed."""

    @tf.function
    def mixed(flag, n):
        a = not flag
        b = flag or n > 3
        c = flag and (not n > 3)
        if not flag and n > 3 or n < -3:
            d = tf.constant("yes")
        else:
            d = tf.constant("no")
        e = True and flag
        return a, b, c, d, e

    return [mixed(tf.constant(flag), tf.constant(n)) for flag in (True, False) for n in (-5, 0, 5)]


@program
def enumerate_and_zip():
    """enumerate and zip over Python lists of tensors, with a graph branch in the body."""

    @tf.function
    def weighted(values, weights):
        by_index = tf.constant(0.0)
        for i, value in enumerate(tf.unstack(values)):
            if value > 1.5:
                by_index += i * value
        product = tf.constant(1.0)
        for value, weight in zip(tf.unstack(values), tf.unstack(weights), strict=True):
            product *= value + weight
        return by_index, product

    values = tf.constant([1.0, 2.0, 3.0])
    return weighted(values, tf.constant([0.5, 0.25, 0.0])), weighted(values[:1], values[1:2])
