"""Ops that work element by element."""

import numpy as np

import graphlab as tf
from tests.properties.drawing import above_one, around_one, distinct, given, positive, real, share, unit, whole
from tests.properties.entry import ANY, COMPLEX, FLOATS, NUMBERS, REAL, SIGNED, WIDE, entry, raw, slope

INTEGERS = (*SIGNED, "uint8", "uint16", "uint32", "uint64")


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


UNARY = [
    entry("Abs", "abs", "...", distinct, numpy=np.abs, dtypes=(*FLOATS, *SIGNED)),
    entry("Neg", "negative", numpy=np.negative, dtypes=(*FLOATS, *SIGNED, *COMPLEX)),
    entry("Square", "square", numpy=np.square, dtypes=(*FLOATS, *COMPLEX)),
    entry("Sqrt", "sqrt", "...", positive, numpy=np.sqrt),
    entry("Rsqrt", "math.rsqrt", "...", positive, numpy=lambda x: 1 / np.sqrt(x)),
    entry("Reciprocal", "math.reciprocal", "...", positive, numpy=np.reciprocal, dtypes=(*FLOATS, *COMPLEX)),
    entry("Exp", "exp", numpy=np.exp, dtypes=(*FLOATS, *COMPLEX)),
    entry("Expm1", "math.expm1", numpy=np.expm1),
    entry("Log", "math.log", "...", positive, numpy=np.log, dtypes=(*FLOATS, *COMPLEX)),
    entry("Log1p", "math.log1p", "...", positive, numpy=np.log1p),
    entry("Sign", "sign", "...", distinct, numpy=np.sign, dtypes=(*FLOATS, *SIGNED)),
    entry("Sin", "sin", numpy=np.sin),
    entry("Cos", "cos", numpy=np.cos),
    entry("Tan", "tan", "...", unit, numpy=np.tan),
    entry("Asin", "asin", "...", unit, numpy=np.arcsin),
    entry("Acos", "acos", "...", unit, numpy=np.arccos),
    entry("Atan", "atan", numpy=np.arctan),
    entry("Sinh", "sinh", numpy=np.sinh),
    entry("Cosh", "cosh", numpy=np.cosh),
    entry("Tanh", "tanh", numpy=np.tanh),
    entry("Asinh", "asinh", numpy=np.arcsinh),
    entry("Acosh", "acosh", "...", above_one, numpy=np.arccosh),
    entry("Atanh", "atanh", "...", unit, numpy=np.arctanh),
    entry("Sigmoid", "sigmoid", numpy=_sigmoid),
    entry("Softplus", "math.softplus", numpy=lambda x: np.log1p(np.exp(x))),
    entry("Softsign", "nn.softsign", "...", distinct, numpy=lambda x: x / (1 + np.abs(x))),
    entry("Relu", "nn.relu", "...", distinct, numpy=lambda x: np.maximum(x, 0)),
    entry("Relu6", "nn.relu6", "...", distinct, numpy=lambda x: np.clip(x, 0, 6)),
    entry("Elu", "nn.elu", "...", distinct, numpy=lambda x: np.where(x > 0, x, np.expm1(x))),
    entry("Selu", "nn.selu", "...", distinct),
    entry(
        "LeakyRelu",
        lambda x: tf.nn.leaky_relu(x, 0.1),
        "...",
        distinct,
        numpy=lambda x: np.maximum(x, x * float(np.float32(0.1))),
    ),
    entry("Erf", "math.erf"),
    entry("Erfc", "math.erfc"),
    entry("Erfinv", "math.erfinv", "...", unit, dtypes=WIDE),
    entry("Ndtri", "math.ndtri", "...", share, dtypes=WIDE),
    entry("Lgamma", "math.lgamma", "...", positive),
    entry("Digamma", "math.digamma", "...", positive, dtypes=WIDE),
    entry("Dawsn", "math.special.dawsn", "...", positive),
    entry("Expint", "math.special.expint", "...", positive),
    entry("FresnelCos", "math.special.fresnel_cos", "...", positive),
    entry("FresnelSin", "math.special.fresnel_sin", "...", positive),
    entry("Spence", "math.special.spence", "...", positive),
    entry("BesselI0", "math.bessel_i0", "...", positive, numpy=np.i0),
    *[
        entry(f"Bessel{kind.upper().replace('E', 'e')}", f"math.special.bessel_{kind}", "...", positive)
        for kind in ["i0e", "i1", "i1e", "j0", "j1", "k0", "k0e", "k1", "k1e", "y0", "y1"]
    ],
    entry("Identity", "identity", dtypes=ANY),
    entry("ZerosLike", "zeros_like", dtypes=NUMBERS, numpy=np.zeros_like),
    entry("OnesLike", "ones_like", dtypes=NUMBERS, numpy=np.ones_like),
    entry("StopGradient", "stop_gradient", dtypes=ANY),
    entry("GuaranteeConst", "guarantee_const", dtypes=ANY),
    entry("CheckNumerics", lambda x: tf.debugging.check_numerics(x, "no number")),
    entry("Ceil", "math.ceil", numpy=np.ceil),
    entry("Floor", "math.floor", numpy=np.floor),
    entry("Rint", "math.rint", numpy=np.rint, dtypes=WIDE),
    entry("Round", "round", numpy=np.rint),
    entry("IsFinite", "math.is_finite", numpy=np.isfinite),
    entry("IsInf", "math.is_inf", numpy=np.isinf),
    entry("IsNan", "math.is_nan", numpy=np.isnan),
    entry("LogicalNot", "logical_not", dtypes=("bool",), numpy=np.logical_not),
    entry("Invert", "bitwise.invert", dtypes=INTEGERS, numpy=np.invert),
    entry("Cast", lambda x: tf.cast(tf.cast(x, tf.complex128), tf.float64), dtypes=REAL),
    entry(
        "Cast",
        lambda x: tf.cast(x, tf.int16),
        dtypes=REAL,
        order=0,
        reason="the result is no float",
        variant="to int16",
    ),
    entry("Bitcast", lambda x: tf.bitcast(x, tf.int32), dtypes=("float32", "uint32")),
    entry("Bitcast", lambda x: tf.bitcast(x, tf.uint8), dtypes=("float32", "int16"), variant="narrower"),
    entry("Bitcast", lambda x: tf.bitcast(x, tf.int32), "*2", dtypes=("int16",), variant="wider"),
    # complex numbers; the gradient of a real result of complex inputs is another convention, tested in tests/ops
    entry("Real", "math.real", dtypes=COMPLEX, numpy=np.real),
    entry("Imag", "math.imag", dtypes=COMPLEX, numpy=np.imag),
    entry("Conj", "math.conj", dtypes=COMPLEX, numpy=np.conj),
    entry("Angle", "math.angle", dtypes=COMPLEX, numpy=np.angle),
    entry("ComplexAbs", "abs", dtypes=COMPLEX, numpy=np.abs),
    entry("Real", lambda x: tf.math.real(tf.complex(x, x * x) ** 2), dtypes=WIDE, variant="of reals"),
    entry("Imag", lambda x: tf.math.imag(tf.complex(x, x * x) ** 2), dtypes=WIDE, variant="of reals"),
    entry("Conj", lambda x: tf.math.imag(tf.math.conj(tf.complex(x, x * x))), dtypes=WIDE, variant="of reals"),
    entry("Angle", lambda x: tf.math.angle(tf.complex(x, x * x + 1)), dtypes=WIDE, variant="of reals"),
    entry("ComplexAbs", lambda x: tf.abs(tf.complex(x, x * x + 1)), dtypes=WIDE, variant="of reals"),
    entry("Complex", lambda x, y: tf.math.imag(tf.complex(x, y) ** 2), "..., ...", dtypes=WIDE, broadcast=True),
    # made by gradients
    entry("SqrtGrad", slope(tf.sqrt), "...", positive),
    entry("RsqrtGrad", slope(tf.math.rsqrt), "...", positive),
    entry("ReciprocalGrad", slope(tf.math.reciprocal), "...", positive),
    entry("SigmoidGrad", slope(tf.sigmoid)),
    entry("TanhGrad", slope(tf.tanh)),
    entry("SoftplusGrad", raw("SoftplusGrad"), "..., ..."),
    entry("SoftsignGrad", slope(tf.nn.softsign), "...", distinct),
    entry("ReluGrad", slope(tf.nn.relu), "...", distinct),
    entry("Relu6Grad", slope(tf.nn.relu6), "...", distinct),
    entry("EluGrad", slope(tf.nn.elu), "...", distinct),
    entry("SeluGrad", slope(tf.nn.selu), "...", distinct),
    entry("LeakyReluGrad", slope(tf.nn.leaky_relu), "...", distinct),
]

TWO = "..., ..."

BINARY = [
    entry("Add", raw("Add"), TWO, dtypes=(*NUMBERS, "string"), numpy=np.add, broadcast=True),
    entry("AddV2", "add", TWO, dtypes=(*NUMBERS, "string"), numpy=np.add, broadcast=True),
    entry("Sub", "subtract", TWO, dtypes=(*FLOATS, *SIGNED, *COMPLEX), numpy=np.subtract, broadcast=True),
    entry("Mul", "multiply", TWO, dtypes=NUMBERS, numpy=np.multiply, broadcast=True),
    entry("RealDiv", "divide", TWO, real, positive, dtypes=(*FLOATS, *COMPLEX), numpy=np.divide, broadcast=True),
    entry("Pow", "pow", TWO, positive, real, numpy=np.power, broadcast=True),
    entry("Maximum", "maximum", TWO, dtypes=REAL, numpy=np.maximum, broadcast=True),
    entry("Minimum", "minimum", TWO, dtypes=REAL, numpy=np.minimum, broadcast=True),
    entry("SquaredDifference", "math.squared_difference", TWO, numpy=lambda x, y: (x - y) ** 2, broadcast=True),
    entry("Atan2", "atan2", TWO, positive, real, numpy=np.arctan2, broadcast=True),
    entry("DivNoNan", "math.divide_no_nan", TWO, real, positive, numpy=np.divide, broadcast=True),
    entry("MulNoNan", "math.multiply_no_nan", TWO, real, positive, numpy=np.multiply, broadcast=True),
    entry("Xdivy", "math.xdivy", TWO, positive, numpy=np.divide, broadcast=True),
    entry("Xlogy", "math.xlogy", TWO, positive, numpy=lambda x, y: x * np.log(y), broadcast=True),
    entry("Xlog1py", "math.xlog1py", TWO, positive, numpy=lambda x, y: x * np.log1p(y), broadcast=True),
    entry("FloorDiv", "math.floordiv", TWO, real, positive, dtypes=REAL, numpy=np.floor_divide, broadcast=True),
    entry("FloorMod", "math.floormod", TWO, distinct, above_one, numpy=np.mod, dtypes=WIDE, broadcast=True),
    entry("FloorMod", "math.floormod", TWO, real, positive, numpy=np.mod, dtypes=SIGNED, variant="integers"),
    entry(
        "TruncateDiv",
        "truncatediv",
        TWO,
        real,
        positive,
        dtypes=SIGNED,
        numpy=lambda x, y: np.trunc(x / y),
        broadcast=True,
    ),
    entry("TruncateMod", "truncatemod", TWO, real, positive, dtypes=("int32", "int64"), numpy=np.fmod, broadcast=True),
    entry("NextAfter", "math.nextafter", TWO, dtypes=WIDE, broadcast=True),
    entry(
        "Igamma",
        "math.igamma",
        TWO,
        positive,
        dtypes=WIDE,
        broadcast=True,
        order=1,
        reason="TensorFlow has no gradient of the derivative by the parameter",
    ),
    entry(
        "Igammac",
        "math.igammac",
        TWO,
        positive,
        dtypes=WIDE,
        broadcast=True,
        order=1,
        reason="TensorFlow has no gradient of the derivative by the parameter",
    ),
    entry(
        "Igamma", lambda x: tf.math.igamma(tf.constant(1.5, x.dtype), x), "...", positive, dtypes=WIDE, variant="by x"
    ),
    entry(
        "Igammac", lambda x: tf.math.igammac(tf.constant(1.5, x.dtype), x), "...", positive, dtypes=WIDE, variant="by x"
    ),
    entry("IgammaGradA", slope(tf.math.igamma, 0), TWO, positive, dtypes=WIDE, order=0),
    entry("Zeta", lambda q: tf.math.zeta(tf.constant(3.0, q.dtype), q), "...", positive, dtypes=WIDE),
    entry("Polygamma", lambda x: tf.math.polygamma(tf.constant(1.0, x.dtype), x), "...", positive, dtypes=WIDE),
    entry(
        "Betainc",
        lambda x: tf.math.betainc(tf.constant(1.5, x.dtype), tf.constant(2.5, x.dtype), x),
        "...",
        share,
        dtypes=WIDE,
    ),
    *[
        entry(op, name, TWO, dtypes=REAL, numpy=numpy, broadcast=True)
        for op, name, numpy in (
            ("Less", "less", np.less),
            ("LessEqual", "less_equal", np.less_equal),
            ("Greater", "greater", np.greater),
            ("GreaterEqual", "greater_equal", np.greater_equal),
        )
    ],
    entry("Equal", "equal", TWO, dtypes=ANY, numpy=np.equal, broadcast=True),
    entry("NotEqual", "not_equal", TWO, dtypes=ANY, numpy=np.not_equal, broadcast=True),
    entry("LogicalAnd", "logical_and", TWO, dtypes=("bool",), numpy=np.logical_and, broadcast=True),
    entry("LogicalOr", "logical_or", TWO, dtypes=("bool",), numpy=np.logical_or, broadcast=True),
    entry("BitwiseAnd", "bitwise.bitwise_and", TWO, dtypes=INTEGERS, numpy=np.bitwise_and, broadcast=True),
    entry("BitwiseOr", "bitwise.bitwise_or", TWO, dtypes=INTEGERS, numpy=np.bitwise_or, broadcast=True),
    entry("BitwiseXor", "bitwise.bitwise_xor", TWO, dtypes=INTEGERS, numpy=np.bitwise_xor, broadcast=True),
    entry(
        "LeftShift", "bitwise.left_shift", TWO, positive, dtypes=("int32", "int64"), numpy=np.left_shift, broadcast=True
    ),
    entry("RightShift", "bitwise.right_shift", TWO, positive, dtypes=INTEGERS, numpy=np.right_shift, broadcast=True),
]

OTHERS = [
    entry("AddN", lambda x, y, z: tf.add_n([x, y, z]), "*, *, *", numpy=lambda x, y, z: x + y + z, dtypes=NUMBERS),
    entry(
        "ClipByValue",
        raw("ClipByValue", lambda x: (x, tf.cast(-0.5, x.dtype), tf.cast(0.5, x.dtype))),
        "...",
        distinct,
        numpy=lambda x: np.clip(x, -0.5, 0.5),
    ),
    entry("ClipByValue", raw("ClipByValue", lambda x, a, b: (x, a - 2.0, b + 2.0)), "*, , ", unit, variant="tensors"),
    entry(
        "SelectV2", "where", "..., ..., ...", given(lambda r, s: r.random(s) < 0.5), real, dtypes=ANY, broadcast=True
    ),
    entry("Select", raw("Select"), "*, *, *", given(lambda r, s: r.random(s) < 0.5), real, dtypes=ANY),
    entry("IdentityN", lambda x, y: tf.identity_n([x, y]), "*, ...", dtypes=ANY),
    entry(
        "InvertPermutation", "math.invert_permutation", "n", given(lambda r, s: r.permutation(s[0]).astype(np.int32))
    ),
    entry("Ndtri", "math.erfcinv", "...", around_one, dtypes=WIDE, variant="erfcinv"),
    entry(
        "HistogramFixedWidth",
        lambda x: tf.histogram_fixed_width(x, tf.cast([0.0, 1.0], x.dtype), 3),
        "...",
        real,
        dtypes=WIDE,
    ),
    entry(
        "DenseBincount",
        lambda x, w: tf.math.bincount(x, w, minlength=5, maxlength=5),
        "n, n",
        whole(0, 5),
        real,
        dtypes=WIDE,
        by_value=True,
    ),
]

ENTRIES = [*UNARY, *BINARY, *OTHERS]
