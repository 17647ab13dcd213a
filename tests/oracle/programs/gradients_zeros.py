"""Derivatives of products with zeros among their factors, of arrays that grow, and what custom gradients may return."""

from tests.oracle.program import program, raised
from tests.oracle.under_test import tf


def _three(function, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as middle:
            middle.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
            first = inner.gradient(y, x)
        second = middle.gradient(first, x)
    return y, first, second, outer.gradient(second, x)


@program
def products_with_zeros_among_the_factors():
    """reduce_prod of vectors with one, two and no zeros, up to the third derivative."""

    @tf.function
    def derivatives(x):
        return _three(tf.reduce_prod, x)

    one = derivatives(tf.constant([2.0, 0.0, 3.0]))
    two = derivatives(tf.constant([0.0, 1.0, 0.0]))
    none = derivatives(tf.constant([2.0, 5.0, 3.0]))
    rows = tf.constant([[0.0, 2.0], [3.0, 4.0]], tf.float64)
    kept = tf.function(lambda x: _three(lambda v: tf.reduce_prod(v, 0, keepdims=True), x))(rows)
    return one, two, none, kept


@program
def running_products_with_zeros():
    """cumprod in both directions over vectors with zeros, up to the third derivative."""

    @tf.function
    def forward(x):
        return _three(tf.math.cumprod, x)

    @tf.function
    def backward(x):
        return _three(lambda v: tf.math.cumprod(v, exclusive=True, reverse=True), x)

    x = tf.constant([2.0, 0.0, 3.0])
    y = tf.constant([[0.0, 1.0], [5.0, 0.0]], tf.float64)
    return forward(x), backward(x), forward(y), backward(y)


@program
def an_array_that_grows_while_it_is_written():
    """A TensorArray of dynamic size whose elements are read again: the tape goes back through every size."""

    @tf.function
    def series(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            terms = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)
            terms = terms.write(0, x)
            for i in tf.range(1, n):
                terms = terms.write(i, terms.read(i - 1) * x + terms.read(0))
            total = tf.reduce_sum(terms.stack() * tf.range(1.0, tf.cast(n, tf.float32) + 1.0))
        return total, tape.gradient(total, x)

    return [series(tf.constant(2.0), tf.constant(n)) for n in (1, 2, 4)]


@program
def an_array_with_gaps_that_grows():
    """Written beyond its end, straight on: what was never set counts nothing."""

    @tf.function
    def gaps(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            array = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)
            array = array.write(0, x)
            first = array.read(0)
            array = array.write(2, first * x)
            array = array.write(3, array.read(2) * array.read(0))
            total = tf.reduce_sum(array.gather([0, 2, 3]) * [1.0, 2.0, 3.0])
        return total, tape.gradient(total, x)

    x = tf.constant(2.0)
    y = gaps(x)
    z = gaps(x + 1.0)
    return y, z


@program
def what_a_custom_gradient_returns():
    """A pair, as a tuple or a list; anything else is refused when it is called."""

    def custom(returned):
        return tf.custom_gradient(lambda x: returned(x))

    @tf.function
    def traced(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = custom(lambda v: [v * 2.0, lambda dy: dy * 10.0])(x)
        return y, tape.gradient(y, x)

    x = tf.constant(1.0)
    refused = [
        raised(custom(returned), x)
        for returned in (lambda v: v, lambda v: (v,), lambda v: (v, 1), lambda v: (v, v, v), lambda v: None)
    ]
    return traced(x), refused
