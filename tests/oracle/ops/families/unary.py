"""Functions of one number."""

import numpy as np

from tests.oracle.ops.table import COMPLEX, FLOATS, REAL, each, op, positive, special, unary, unit, x

# Where functions of large arguments agree only roughly, so do their float32 results.
LOOSE = {"float32": 1e-4, "float64": 1e-9, "float16": 4e-3, "bfloat16": 3.2e-2}


def special_but_infinite(dtype: str) -> np.ndarray:
    return np.array([value for value in special()(dtype) if not np.isinf(value)])


CASES = [
    *each(
        {
            "Exp": lambda tf, a: tf.math.exp(a),
            "Expm1": lambda tf, a: tf.math.expm1(a),
            "Sin": lambda tf, a: tf.math.sin(a),
            "Cos": lambda tf, a: tf.math.cos(a),
            "Tan": lambda tf, a: tf.math.tan(a),
            "Sinh": lambda tf, a: tf.math.sinh(a),
            "Cosh": lambda tf, a: tf.math.cosh(a),
            "Tanh": lambda tf, a: tf.math.tanh(a),
            "Atan": lambda tf, a: tf.math.atan(a),
            "Asinh": lambda tf, a: tf.math.asinh(a),
            "Sigmoid": lambda tf, a: tf.math.sigmoid(a),
        },
        unary(x, 30.0, -30.0),
        FLOATS + COMPLEX,
        gradient=True,
    ),
    *each(
        {
            "Log": lambda tf, a: tf.math.log(a),
            "Log1p": lambda tf, a: tf.math.log1p(a),
            "Sqrt": lambda tf, a: tf.math.sqrt(a),
            "Rsqrt": lambda tf, a: tf.math.rsqrt(a),
            "Acosh": lambda tf, a: tf.math.acosh(a + tf.cast(1, a.dtype)),
        },
        unary(positive, 1e4),
        FLOATS + COMPLEX,
        gradient=True,
    ),
    *each(
        {
            "Asin": lambda tf, a: tf.math.asin(a),
            "Acos": lambda tf, a: tf.math.acos(a),
            "Atanh": lambda tf, a: tf.math.atanh(a),
        },
        unary(unit),
        FLOATS + COMPLEX,
        gradient=True,
    ),
    *each(
        {
            "Erfc": lambda tf, a: tf.math.erfc(a),
            "Erfinv": lambda tf, a: tf.math.erfinv(a),
            "Ndtri": lambda tf, a: tf.math.ndtri(a / 2 + 0.5),
        },
        unary(unit),
        FLOATS,
        gradient=True,
        rtol=LOOSE,
    ),
    op("Erf", lambda tf, a: tf.math.erf(a), unary(unit), FLOATS[:3], gradient=True, rtol=LOOSE),
    # TensorFlow's erf of infinity is NaN in double precision.
    op(
        "Erf",
        lambda tf, a: tf.math.erf(a),
        {**unary(unit), "special": (special_but_infinite,)},
        ("float64",),
        gradient=True,
        rtol=LOOSE,
    ),
    *each(
        {
            "Lgamma": lambda tf, a: tf.math.lgamma(a),
            "Digamma": lambda tf, a: tf.math.digamma(a),
        },
        unary(positive, 20.0),
        FLOATS,
        gradient=True,
        rtol=LOOSE,
    ),
    *each(
        {
            "Floor": lambda tf, a: tf.math.floor(a),
            "Ceil": lambda tf, a: tf.math.ceil(a),
            "Rint": lambda tf, a: tf.math.rint(a),
        },
        unary(x, 1.5, 2.5, -1.5, -2.5, -0.5),
        FLOATS,
        gradient=True,
    ),
    *each({"Round": lambda tf, a: tf.math.round(a)}, unary(x, 1.5, 2.5, -1.5, -2.5, -0.5), REAL, gradient=True),
    *each(
        {
            "IsNan": lambda tf, a: tf.math.is_nan(a),
            "IsInf": lambda tf, a: tf.math.is_inf(a),
            "IsFinite": lambda tf, a: tf.math.is_finite(a),
        },
        unary(),
        FLOATS,
    ),
    *each(
        {
            "log_sigmoid": lambda tf, a: tf.math.log_sigmoid(a),
            "softplus": lambda tf, a: tf.math.softplus(a),
            "softsign": lambda tf, a: tf.math.softsign(a),
        },
        unary(x, 30.0, -30.0),
        FLOATS,
        gradient=True,
    ),
]
