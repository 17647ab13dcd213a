"""Loops of the graph: how they stop, what they carry, what they leave behind, dtypes and shapes of their variables."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


@program
def break_in_an_inner_loop():
    """break leaves the inner loop only; a flag carries the decision to the outer one."""

    @tf.function
    def find(matrix, wanted):
        row, column = tf.constant(-1), tf.constant(-1)
        found = tf.constant(False)
        for i in tf.range(tf.shape(matrix)[0]):
            for j in tf.range(tf.shape(matrix)[1]):
                if matrix[i, j] == wanted:
                    row, column, found = i, j, tf.constant(True)
                    break
            if found:
                break
        return row, column, found

    matrix = tf.constant([[1, 2, 3], [4, 5, 6]])
    return [find(matrix, tf.constant(v)) for v in (1, 6, 4, 9)]


@program
def continue_in_while():
    """continue in a while loop evaluates the condition anew."""

    @tf.function
    def f(n):
        i, total, skipped = tf.constant(0), tf.constant(0), tf.constant(0)
        while i < n:
            i += 1
            if i % 3 == 0:
                skipped += 1
                continue
            if i % 5 == 0:
                skipped += 10
                continue
            total += i
        return i, total, skipped

    return [f(tf.constant(n)) for n in (0, 2, 10, 16)]


@program
def break_and_continue_together():
    """Both in one loop, the break after the continue, and statements between them."""

    @tf.function
    def f(xs):
        total = tf.constant(0)
        seen = tf.constant(0)
        for x in xs:
            seen += 1
            if x < 0:
                continue
            total += x
            if total > 10:
                break
            total += 1
        return total, seen

    return (
        f(tf.constant([1, -1, 2, 3])),
        f(tf.constant([20, 5])),
        f(tf.constant([-1, -2])),
        f(tf.constant([5, 5, 5, 5])),
    )


@program
def while_true_with_a_break():
    """while of a constant tensor with a break is a loop of the graph that the break ends."""

    @tf.function
    def f(x):
        rounds = tf.constant(0)
        while tf.constant(True):
            x = x * 2
            rounds += 1
            if x > 100:
                break
            if rounds == 5:
                x = -x
                break
        return x, rounds

    return [f(tf.constant(v)) for v in (1, 30, 200, -1)]


@program
def python_loop_with_a_python_break():
    """A break that Python decides in an unrolled loop, and a loop of the graph inside it."""

    @tf.function
    def f(x, stop):
        for k in range(10):
            if k == stop:
                break
            for i in tf.range(k):
                x += i
            if k % 2:
                continue
            x = x * 2
        return x

    return [f(tf.constant(1), stop) for stop in (0, 1, 4)]


@program
def loop_over_a_range_of_floats():
    """tf.range of floats, of int64, with a negative step and with nothing in it."""

    @tf.function
    def f(start, stop, step):
        total = tf.zeros_like(start)
        count = tf.constant(0)
        for x in tf.range(start, stop, step):
            total += x
            count += 1
        return total, count

    floats = [f(tf.constant(a), tf.constant(b), tf.constant(c)) for a, b, c in ((0.0, 1.0, 0.25), (1.0, 0.0, -0.5))]
    integers = [f(*(tf.constant(v, tf.int64) for v in vs)) for vs in ((10, 0, -3), (5, 5, 1), (2**40, 2**40 + 3, 1))]
    return floats, integers


@program
def loop_variable_assigned_in_the_body():
    """Assigning the loop variable in the body does not change what the next iteration gets."""

    @tf.function
    def f(n):
        total = tf.constant(0)
        for i in tf.range(n):
            i = i * 10
            if i > 15:
                i = i + 1
            total += i
        return total

    return [f(tf.constant(n)) for n in (0, 2, 4)]


@program
def loop_that_shadows_outer_names():
    """Inner and outer loops with the same variable; a comprehension's variable stays its own."""

    @tf.function
    def f(n):
        i = tf.constant(100)
        total = tf.constant(0)
        for i in tf.range(n):
            for j in tf.range(i):
                total += j
            parts = [total + i for i in (1, 2)]
            total = parts[0] + parts[1] - total
        return i, total

    return [f(tf.constant(n)) for n in (0, 1, 4)]


@program(eager=False)
def variables_made_in_the_loop():
    """A variable that the loop's body makes is known behind it, if the loop ran."""

    @tf.function
    def f(n):
        for i in tf.range(n):
            last = i * 2
            word = tf.strings.as_string(i)
        return last, word

    return f(tf.constant(1)), f(tf.constant(4)), raised(f, tf.constant(0))


@program(eager=False)
def read_before_it_is_made():
    """A loop's body may not read what only its end makes; what is made before its use is fine."""

    @tf.function
    def wrong(n):
        total = tf.constant(0)
        for i in tf.range(n):
            if i > 0:
                total += previous
            previous = i
        return total

    @tf.function
    def right(n):
        total = tf.constant(0)
        for i in tf.range(n):
            square = i * i
            total += square
        return total

    return raised(wrong, tf.constant(3)), right(tf.constant(3))


@program(eager=False)
def dtype_that_changes_in_a_loop():
    """A loop variable keeps its dtype: int32 cannot become float32, a Python int before it becomes a tensor."""

    @tf.function
    def changes(n):
        x = tf.constant(0)
        for _ in tf.range(n):
            x = tf.cast(x, tf.float32) + 1.0
        return x

    @tf.function
    def from_python(n):
        x = 0
        y = 0.5
        flag = False
        for i in tf.range(n):
            x += i
            y *= 2
            flag = x > 3
        return x, y, flag

    return raised(changes, tf.constant(1)), from_python(tf.constant(0)), from_python(tf.constant(4))


@program(eager=False)
def python_float_that_becomes_double():
    """A Python number becomes a tensor of its default dtype before the loop, so a float64 in the body does not fit."""

    @tf.function
    def wrong(n):
        x = 0.0
        for _ in tf.range(n):
            x = x + tf.constant(1.0, tf.float64)
        return x

    @tf.function
    def right(n):
        x = tf.constant(0, tf.float64)
        for _ in tf.range(n):
            x = x + 1
        return x

    return raised(wrong, tf.constant(2)), right(tf.constant(2))


@program(eager=False)
def none_before_a_loop():
    """A variable that is None before a loop of the graph cannot become a tensor in it."""

    @tf.function
    def wrong(n):
        best = None
        for i in tf.range(n):
            best = i
        return best

    @tf.function
    def kept(n):
        nothing = None
        total = tf.constant(0)
        for i in tf.range(n):
            if nothing is None:
                total += i
        return total, nothing

    return raised(wrong, tf.constant(3)), kept(tf.constant(3))


@program
def loop_over_a_matrix_with_unknown_rows():
    """Rows of a matrix whose size is unknown while tracing; an empty one gives nothing."""

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def f(table):
        total = tf.zeros([2])
        longest = tf.constant(0.0)
        for row in table:
            total += row
            norm = tf.norm(row)
            if norm > longest:
                longest = norm
        return total, longest

    return f(tf.constant([[3.0, 4.0], [1.0, 0.0]])), f(tf.zeros([0, 2])), f(tf.constant([[0.0, 2.0]]))


@program
def loop_over_strings():
    """A loop over a vector of strings builds a string, with lengths and comparisons of strings."""

    @tf.function
    def f(words, skip):
        text = tf.constant("")
        letters = tf.constant(0)
        for word in words:
            if word == skip:
                continue
            letters += tf.strings.length(word)
            text = tf.strings.join([text, word], separator="/")
        return text, letters

    words = tf.constant(["one", "two", "three"])
    return f(words, tf.constant("two")), f(words, tf.constant("")), f(words[:0], tf.constant("x"))


@program
def loop_over_booleans():
    """A loop over a vector of bools; the element itself is the condition."""

    @tf.function
    def runs(flags):
        longest, current = tf.constant(0), tf.constant(0)
        for flag in flags:
            if flag:
                current += 1
            else:
                current = tf.constant(0)
            longest = tf.maximum(longest, current)
        return longest

    return [runs(tf.cast(v, tf.bool)) for v in ([1, 1, 0, 1, 1, 1], [0, 0], [1], tf.zeros([0]))]


@program
def loop_over_three_axes():
    """Nested loops over the axes of a tensor with three axes."""

    @tf.function
    def f(cube):
        total = tf.constant(0)
        peak = tf.constant(-100)
        for plane in cube:
            for row in plane:
                line = tf.constant(0)
                for item in row:
                    if item % 2 == 0:
                        line += item
                peak = tf.maximum(peak, line)
                total += line * tf.reduce_sum(row)
        return total, peak

    return f(tf.reshape(tf.range(12), (2, 3, 2))), f(tf.reshape(tf.range(4), (1, 1, 4)))


@program
def loop_over_a_variable():
    """A loop over a tf.Variable goes over its rows as they were; the body assigns the variable."""
    v = tf.Variable([1, 2, 3])

    @tf.function
    def f(n):
        total = tf.constant(0)
        for x in v:
            total = total * 10 + x
            v.assign_add([n, n, n])
        return total

    first = f(tf.constant(1))
    second = f(tf.constant(0))
    return first, second, v


@program
def while_on_a_bool_variable():
    """A bool variable is the condition of a while loop and of an if."""
    going = tf.Variable(True)
    count = tf.Variable(0)

    @tf.function
    def f(limit):
        going.assign(True)
        while going:
            count.assign_add(1)
            if count >= limit:
                going.assign(False)
        if going:
            return tf.constant(-1)
        return count * 2

    return f(tf.constant(3)), f(tf.constant(2)), count, going


@program
def condition_with_side_effects():
    """The condition of a while loop is evaluated once more than its body."""
    asked = tf.Variable(0)
    done = tf.Variable(0)

    def goes_on(i, n):
        asked.assign_add(1)
        return i < n

    @tf.function
    def f(n):
        i = tf.constant(0)
        while goes_on(i, n):
            done.assign_add(1)
            i += 2
        return i

    return f(tf.constant(5)), asked.numpy(), f(tf.constant(0)), asked, done


@program
def condition_of_several_parts():
    """while with and, or, not and chained comparisons in its condition."""

    @tf.function
    def f(a, b):
        rounds = tf.constant(0)
        while (a > 0 or b > 0) and not (a == b) and 0 <= rounds < 6:
            if a > b:
                a -= b + 1
            else:
                b -= a + 1
            rounds += 1
        return a, b, rounds

    return [f(tf.constant(a), tf.constant(b)) for a, b in ((10, 3), (4, 4), (1, 20), (0, 0), (-1, 2))]


@program
def bisection():
    """Bisection for a root in float64: two borders and a count, and an early end when it is exact."""

    @tf.function
    def root(low, high):
        rounds = tf.constant(0)
        while high - low > 1e-6:
            middle = (low + high) / 2
            value = middle * middle - 2.25
            if value == 0:
                low = high = middle
            elif value > 0:
                high = middle
            else:
                low = middle
            rounds += 1
        return low, high, rounds

    return root(tf.constant(0.0, tf.float64), tf.constant(3.0, tf.float64)), root(
        tf.constant(1.0, tf.float64), tf.constant(2.5, tf.float64)
    )


@program
def sieve():
    """The sieve of Eratosthenes by scatter updates in a loop in a loop."""

    @tf.function
    def primes(n):
        candidate = tf.ones([n + 1], tf.int32)
        candidate = tf.tensor_scatter_nd_update(candidate, [[0], [1]], [0, 0])
        i = tf.constant(2)
        while i * i <= n:
            if candidate[i] == 1:
                for j in tf.range(i * i, n + 1, i):
                    candidate = tf.tensor_scatter_nd_update(candidate, [[j]], [0])
            i += 1
        return tf.where(candidate == 1)[:, 0]

    return primes(tf.constant(30)), primes(tf.constant(2)), primes(tf.constant(3))


@program
def game_of_life():
    """Generations of a cellular automaton in a loop of the graph that stops when nothing changes."""

    @tf.function
    def life(board, limit):
        rounds = tf.constant(0)
        changed = tf.constant(True)
        while changed and rounds < limit:
            around = tf.zeros_like(board)
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    if dy or dx:
                        around += tf.roll(board, [dy, dx], axis=[0, 1])
            after = tf.cast((around == 3) | ((board == 1) & (around == 2)), tf.int32)
            changed = tf.reduce_any(after != board)
            board = after
            rounds += 1
        return board, rounds

    blinker = tf.constant([[0] * 5, [0] * 5, [0, 1, 1, 1, 0], [0] * 5, [0] * 5])
    block = tf.constant([[0] * 4, [0, 1, 1, 0], [0, 1, 1, 0], [0] * 4])
    return life(blinker, tf.constant(3)), life(block, tf.constant(9))


@program
def binary_search():
    """Binary search in a sorted vector, with three outcomes for each comparison."""

    @tf.function
    def search(xs, wanted):
        low, high = tf.constant(0), tf.size(xs) - 1
        at = tf.constant(-1)
        steps = tf.constant(0)
        while low <= high:
            steps += 1
            middle = (low + high) // 2
            if xs[middle] == wanted:
                at = middle
                break
            elif xs[middle] < wanted:
                low = middle + 1
            else:
                high = middle - 1
        return at, steps

    xs = tf.constant([1, 3, 4, 7, 9, 12, 40])
    return [search(xs, tf.constant(v)) for v in (7, 1, 40, 5, 99)]


@program
def power_iteration():
    """Power iteration for the largest eigenvalue, with the number of rounds until it settles."""

    @tf.function
    def largest(matrix, limit):
        v = tf.ones([tf.shape(matrix)[0]])
        value = tf.constant(0.0)
        rounds = tf.constant(0)
        for _ in tf.range(limit):
            w = tf.linalg.matvec(matrix, v)
            new = tf.norm(w)
            v = w / new
            rounds += 1
            if tf.abs(new - value) < 1e-4:
                break
            value = new
        return value, rounds

    return largest(tf.constant([[2.0, 0.0], [0.0, 1.0]]), tf.constant(30)), largest(
        tf.constant([[4.0, 1.0], [2.0, 3.0]]), tf.constant(2)
    )


@program
def run_length_encoding():
    """Run lengths of a vector with TensorArrays that grow, and the last run after the loop."""

    @tf.function
    def encode(xs):
        values = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[])
        lengths = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[])
        count, current, length = tf.constant(0), tf.constant(0), tf.constant(0)
        for x in xs:
            if length == 0 or x == current:
                length += 1
            else:
                values = values.write(count, current)
                lengths = lengths.write(count, length)
                count += 1
                length = tf.constant(1)
            current = x
        if length > 0:
            values = values.write(count, current)
            lengths = lengths.write(count, length)
        return values.stack(), lengths.stack()

    return encode(tf.constant([5, 5, 5, 2, 2, 7])), encode(tf.constant([1])), encode(tf.constant([], tf.int32))


@program
def matrix_power():
    """Exponentiation by squaring of a matrix in a while loop over an int64."""

    @tf.function
    def power(matrix, n):
        result = tf.eye(tf.shape(matrix)[0], dtype=matrix.dtype)
        while n > 0:
            if n % 2 == 1:
                result = result @ matrix
            matrix = matrix @ matrix
            n //= 2
        return result

    fibonacci = tf.constant([[1, 1], [1, 0]])
    return [power(fibonacci, tf.constant(n, tf.int64)) for n in (0, 1, 5, 20)]


@program
def dynamic_programming():
    """The edit distance of two vectors by a table kept row by row."""

    @tf.function
    def distance(a, b):
        n = tf.size(b)
        row = tf.range(n + 1)
        for i in tf.range(tf.size(a)):
            new = tf.TensorArray(tf.int32, size=n + 1, element_shape=[], clear_after_read=False)
            new = new.write(0, i + 1)
            left = i + 1
            for j in tf.range(n):
                cost = row[j]
                if a[i] != b[j]:
                    cost = tf.minimum(tf.minimum(cost, row[j + 1]), left) + 1
                left = cost
                new = new.write(j + 1, cost)
            row = tf.ensure_shape(new.stack(), row.shape)
        return row[n]

    words = [tf.constant(list(w.encode())) for w in ("kitten", "sitting", "k", "mitten")]
    return [distance(words[0], other) for other in words]


@program
def moving_window():
    """A loop with a window of the last three values as a tensor that is shifted by concat."""

    @tf.function
    def smooth(xs):
        window = tf.zeros([3])
        out = tf.TensorArray(tf.float32, size=tf.size(xs))
        for i in tf.range(tf.size(xs)):
            window = tf.concat([window[1:], xs[i : i + 1]], axis=0)
            window = tf.ensure_shape(window, [3])
            mean = tf.reduce_mean(window)
            if i < 2:
                mean = tf.reduce_sum(window) / tf.cast(i + 1, tf.float32)
            out = out.write(i, mean)
        return out.stack()

    return smooth(tf.constant([1.0, 2.0, 3.0, 10.0])), smooth(tf.constant([5.0]))
