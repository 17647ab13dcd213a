"""Python functions that call themselves without an end while they are traced."""

import copy

import pytest

import graphlab as tf


def factorial(n):
    if n < 1:
        return tf.constant(1)
    return n * factorial(n - 1)


def even(n):
    return tf.constant(True) if n == 0 else odd(n - 1)


def odd(n):
    return tf.constant(False) if n == 0 else even(n - 1)


@pytest.mark.parametrize(
    ("function", "names"), [(factorial, "'factorial'"), (even, "'(even|odd)'")], ids=["one", "two"]
)
def test_a_tensor_decides_when_it_ends(function, names):
    with pytest.raises(RecursionError, match=rf"^{names} \(line \d+\) calls itself \d+ levels deep.*tf\.while_loop"):
        tf.function(lambda n: function(n))(tf.constant(3))


def test_the_record_says_it_too():
    f = tf.function(lambda n: factorial(n))
    with pytest.raises(RecursionError):
        f(tf.constant(3))
    (failure,) = f.traces.log.failures
    assert failure.error[0] == "RecursionError"
    assert "calls itself" in failure.error[1]


def test_a_python_number_ends_it():
    assert int(tf.function(lambda x: x * factorial(4))(tf.constant(2))) == 48


def test_other_errors_of_this_class_pass():
    def gives_up(x):
        raise RecursionError("by hand")

    with pytest.raises(RecursionError, match=r"^by hand$"):
        tf.function(gives_up)(tf.constant(1))


def test_a_traced_function_that_calls_itself_too_often_is_counted_in_full():
    @tf.function
    def count(x, n):
        return x if n == 0 else count(x, n - 1) + 1.0

    with pytest.raises(RecursionError, match=r"^'count' \(line \d+\) calls itself \d+ levels deep") as caught:
        count(tf.constant(1.0), 3000)
    assert int(str(caught.value).split()[5]) > 40  # and not the 20 or so of the innermost trace's traceback
    assert float(count(tf.constant(1.0), 3)) == 4.0


def test_a_library_that_goes_too_deep_is_not_taken_for_the_program():
    nested = []
    for _ in range(5000):
        nested = [nested]

    def copies(x):
        return x, copy.deepcopy(nested)

    with pytest.raises(RecursionError, match=r"^maximum recursion depth"):
        tf.function(copies)(tf.constant(1))
