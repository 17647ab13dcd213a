"""Loops and branches of small algorithms."""

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program(eager=False)
def greatest_common_divisor():
    """Euclid's algorithm, in a while loop whose variables swap."""

    @tf.function
    def gcd(a, b):
        steps = 0
        while b != 0:
            a, b = b, a % b
            steps += 1
        return a, steps

    pairs = [(12, 18), (17, 5), (0, 4), (9, 0)]
    results = [gcd(tf.constant(a), tf.constant(b)) for a, b in pairs]
    return results, raised(gcd, tf.constant(1), tf.constant(1.0))


@program(eager=False)
def collatz_with_break_and_continue():
    """A loop left early, with steps of two kinds, and what it saw in a TensorArray."""

    @tf.function
    def collatz(n, limit):
        path = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        count = 0
        while tf.constant(True):
            path = path.write(count, n)
            count += 1
            if n == 1 or count >= limit:
                break
            if n % 2 == 0:
                n = n // 2
                continue
            n = 3 * n + 1
        return path.stack(), count

    long = collatz(tf.constant(6), tf.constant(100))
    return long, collatz(tf.constant(27), tf.constant(5))


@program
def fizzbuzz_prints_in_order():
    """Branches that print, in a loop over a tensor."""
    sheet = Sheet()

    @tf.function
    def fizzbuzz(limit):
        for n in tf.range(1, limit + 1):
            if n % 15 == 0:
                tf.print("FizzBuzz", output_stream=sheet.stream)
            elif n % 5 == 0:
                tf.print("Buzz", output_stream=sheet.stream)
            elif n % 3 == 0:
                tf.print("Fizz", n, output_stream=sheet.stream, sep=":")
            else:
                tf.print(n, output_stream=sheet.stream)
        return limit

    last = fizzbuzz(tf.constant(15))
    return last, sheet.lines()


@program
def sieve_of_primes():
    """Nested loops that cross out multiples in a mask."""

    @tf.function
    def primes(n):
        mask = tf.ones([n + 1], tf.bool)
        mask = tf.tensor_scatter_nd_update(mask, [[0], [1]], [False, False])
        p = 2
        while p * p <= n:
            if mask[p]:
                multiples = tf.range(p * p, n + 1, p)
                mask = tf.tensor_scatter_nd_update(mask, multiples[:, None], tf.zeros_like(multiples, tf.bool))
            p += 1
        return tf.squeeze(tf.where(mask), -1)

    found = primes(tf.constant(30))
    return found, primes(tf.constant(2)), tf.size(found)


@program(eager=False, advice=("loop.shape_grows",))
def what_a_loop_may_not_change():
    """Shape, dtype and structure of a loop's variables stay, or the loop says which did not."""

    @tf.function
    def grows(n):
        x = tf.constant([1])
        for _ in tf.range(n):
            x = tf.concat([x, x], 0)
        return x

    @tf.function
    def allowed(n):
        x = tf.constant([1])
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
            x = tf.concat([x, x], 0)
        return x

    @tf.function
    def changes(n):
        x = 1
        for _ in tf.range(n):
            x = 1.5
        return x

    @tf.function
    def undefined(n):
        for i in tf.range(n):
            last = i
        return last

    n = tf.constant(2)
    return raised(grows, n), allowed(n), raised(changes, n), raised(undefined, n)


@program(eager=False, advice=("control.branch_dtype", "control.undefined_in_branch"))
def what_branches_must_agree_on():
    """Both branches define the same names with the same dtype, or the error is told while tracing."""

    @tf.function
    def one_sided(x):
        if x > 0:
            y = x
        return y

    @tf.function
    def two_dtypes(x):
        if x > 0:
            y = 1
        else:
            y = 2.5
        return y

    @tf.function
    def two_shapes(x):
        if x > 0:
            y = tf.zeros([2])
        else:
            y = tf.ones([3])
        return y, y.shape.as_list()

    x = tf.constant(1)
    return raised(one_sided, x), raised(two_dtypes, x), two_shapes(x), two_shapes(-x)
