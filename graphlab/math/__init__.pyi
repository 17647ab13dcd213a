# Written by tools/generate_index.py: do not edit.
from graphlab.math import special as special
from graphlab.ops.math import abs as abs
from graphlab.ops.math import accumulate_n as accumulate_n
from graphlab.ops.trigonometry import acos as acos
from graphlab.ops.trigonometry import acosh as acosh
from graphlab.ops.math import add as add
from graphlab.ops.math import add_n as add_n
from graphlab.ops.complex import angle as angle
from graphlab.ops.approximate import approx_max_k as approx_max_k
from graphlab.ops.approximate import approx_min_k as approx_min_k
from graphlab.ops.extremum import argmax as argmax
from graphlab.ops.extremum import argmin as argmin
from graphlab.ops.trigonometry import asin as asin
from graphlab.ops.trigonometry import asinh as asinh
from graphlab.ops.trigonometry import atan as atan
from graphlab.ops.math import atan2 as atan2
from graphlab.ops.trigonometry import atanh as atanh
from graphlab.ops.bessel import bessel_i0 as bessel_i0
from graphlab.ops.bessel import bessel_i0e as bessel_i0e
from graphlab.ops.bessel import bessel_i1 as bessel_i1
from graphlab.ops.bessel import bessel_i1e as bessel_i1e
from graphlab.ops.incomplete import betainc as betainc
from graphlab.ops.counting import bincount as bincount
from graphlab.ops.rounding import ceil as ceil
from graphlab.ops.counting import confusion_matrix as confusion_matrix
from graphlab.ops.complex import conj as conj
from graphlab.ops.trigonometry import cos as cos
from graphlab.ops.trigonometry import cosh as cosh
from graphlab.ops.reduction import count_nonzero as count_nonzero
from graphlab.ops.scan import cumprod as cumprod
from graphlab.ops.scan import cumsum as cumsum
from graphlab.ops.scan import cumulative_logsumexp as cumulative_logsumexp
from graphlab.ops.special import digamma as digamma
from graphlab.ops.division import divide as divide
from graphlab.ops.division import divide_no_nan as divide_no_nan
from graphlab.ops.comparison import equal as equal
from graphlab.ops.special import erf as erf
from graphlab.ops.special import erfc as erfc
from graphlab.ops.special import erfcinv as erfcinv
from graphlab.ops.special import erfinv as erfinv
from graphlab.ops.unary import exp as exp
from graphlab.ops.unary import expm1 as expm1
from graphlab.ops.rounding import floor as floor
from graphlab.ops.division import floordiv as floordiv
from graphlab.ops.division import floormod as floormod
from graphlab.ops.comparison import greater as greater
from graphlab.ops.comparison import greater_equal as greater_equal
from graphlab.ops.incomplete import igamma as igamma
from graphlab.ops.incomplete import igammac as igammac
from graphlab.ops.complex import imag as imag
from graphlab.ops.extremum import in_top_k as in_top_k
from graphlab.ops.array import invert_permutation as invert_permutation
from graphlab.ops.rounding import is_finite as is_finite
from graphlab.ops.rounding import is_inf as is_inf
from graphlab.ops.rounding import is_nan as is_nan
from graphlab.ops.counting import is_non_decreasing as is_non_decreasing
from graphlab.ops.counting import is_strictly_increasing as is_strictly_increasing
from graphlab.ops.nn import l2_normalize as l2_normalize
from graphlab.ops.special import lbeta as lbeta
from graphlab.ops.comparison import less as less
from graphlab.ops.comparison import less_equal as less_equal
from graphlab.ops.special import lgamma as lgamma
from graphlab.ops.unary import log as log
from graphlab.ops.unary import log1p as log1p
from graphlab.ops.unary import log_sigmoid as log_sigmoid
from graphlab.ops.softmax import log_softmax as log_softmax
from graphlab.ops.comparison import logical_and as logical_and
from graphlab.ops.comparison import logical_not as logical_not
from graphlab.ops.comparison import logical_or as logical_or
from graphlab.ops.comparison import logical_xor as logical_xor
from graphlab.ops.math import maximum as maximum
from graphlab.ops.math import minimum as minimum
from graphlab.ops.division import floormod as mod
from graphlab.ops.math import multiply as multiply
from graphlab.ops.math import multiply_no_nan as multiply_no_nan
from graphlab.ops.special import ndtri as ndtri
from graphlab.ops.math import negative as negative
from graphlab.ops.math import nextafter as nextafter
from graphlab.ops.comparison import not_equal as not_equal
from graphlab.ops.special import polygamma as polygamma
from graphlab.ops.math import polyval as polyval
from graphlab.ops.math import pow as pow
from graphlab.ops.complex import real as real
from graphlab.ops.unary import reciprocal as reciprocal
from graphlab.ops.unary import reciprocal_no_nan as reciprocal_no_nan
from graphlab.ops.reduction import reduce_all as reduce_all
from graphlab.ops.reduction import reduce_any as reduce_any
from graphlab.ops.reduction import reduce_euclidean_norm as reduce_euclidean_norm
from graphlab.ops.reduction import reduce_logsumexp as reduce_logsumexp
from graphlab.ops.reduction import reduce_max as reduce_max
from graphlab.ops.reduction import reduce_mean as reduce_mean
from graphlab.ops.reduction import reduce_min as reduce_min
from graphlab.ops.reduction import reduce_prod as reduce_prod
from graphlab.ops.reduction import reduce_std as reduce_std
from graphlab.ops.reduction import reduce_sum as reduce_sum
from graphlab.ops.reduction import reduce_variance as reduce_variance
from graphlab.ops.rounding import rint as rint
from graphlab.ops.rounding import round as round
from graphlab.ops.unary import rsqrt as rsqrt
from graphlab.ops.math import scalar_mul as scalar_mul
from graphlab.ops.segment import segment_max as segment_max
from graphlab.ops.segment import segment_mean as segment_mean
from graphlab.ops.segment import segment_min as segment_min
from graphlab.ops.segment import segment_prod as segment_prod
from graphlab.ops.segment import segment_sum as segment_sum
from graphlab.ops.unary import sigmoid as sigmoid
from graphlab.ops.rounding import sign as sign
from graphlab.ops.trigonometry import sin as sin
from graphlab.ops.trigonometry import sinh as sinh
from graphlab.ops.sobol import sobol_sample as sobol_sample
from graphlab.ops.softmax import softmax as softmax
from graphlab.ops.unary import softplus as softplus
from graphlab.ops.unary import softsign as softsign
from graphlab.ops.unary import sqrt as sqrt
from graphlab.ops.unary import square as square
from graphlab.ops.math import squared_difference as squared_difference
from graphlab.ops.math import subtract as subtract
from graphlab.ops.trigonometry import tan as tan
from graphlab.ops.trigonometry import tanh as tanh
from graphlab.ops.sorting import top_k as top_k
from graphlab.ops.division import truediv as truediv
from graphlab.ops.segment import unsorted_segment_max as unsorted_segment_max
from graphlab.ops.segment import unsorted_segment_mean as unsorted_segment_mean
from graphlab.ops.segment import unsorted_segment_min as unsorted_segment_min
from graphlab.ops.segment import unsorted_segment_prod as unsorted_segment_prod
from graphlab.ops.segment import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from graphlab.ops.segment import unsorted_segment_sum as unsorted_segment_sum
from graphlab.ops.division import xdivy as xdivy
from graphlab.ops.math import xlog1py as xlog1py
from graphlab.ops.math import xlogy as xlogy
from graphlab.ops.counting import zero_fraction as zero_fraction
from graphlab.ops.special import zeta as zeta

__all__ = [
    "abs",
    "accumulate_n",
    "acos",
    "acosh",
    "add",
    "add_n",
    "angle",
    "approx_max_k",
    "approx_min_k",
    "argmax",
    "argmin",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "betainc",
    "bincount",
    "ceil",
    "confusion_matrix",
    "conj",
    "cos",
    "cosh",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_logsumexp",
    "digamma",
    "divide",
    "divide_no_nan",
    "equal",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "exp",
    "expm1",
    "floor",
    "floordiv",
    "floormod",
    "greater",
    "greater_equal",
    "igamma",
    "igammac",
    "imag",
    "in_top_k",
    "invert_permutation",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_strictly_increasing",
    "l2_normalize",
    "lbeta",
    "less",
    "less_equal",
    "lgamma",
    "log",
    "log1p",
    "log_sigmoid",
    "log_softmax",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "multiply_no_nan",
    "ndtri",
    "negative",
    "nextafter",
    "not_equal",
    "polygamma",
    "polyval",
    "pow",
    "real",
    "reciprocal",
    "reciprocal_no_nan",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
    "rint",
    "round",
    "rsqrt",
    "scalar_mul",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sobol_sample",
    "softmax",
    "softplus",
    "softsign",
    "special",
    "sqrt",
    "square",
    "squared_difference",
    "subtract",
    "tan",
    "tanh",
    "top_k",
    "truediv",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
    "xdivy",
    "xlog1py",
    "xlogy",
    "zero_fraction",
    "zeta",
]
