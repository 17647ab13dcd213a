# Written by tools/generate_index.py: do not edit.
from graphlab import __internal__ as __internal__
from graphlab import autodiff as autodiff
from graphlab import autograph as autograph
from graphlab import bitwise as bitwise
from graphlab import compat as compat
from graphlab import config as config
from graphlab import debugging as debugging
from graphlab import dtypes as dtypes
from graphlab import errors as errors
from graphlab import experimental as experimental
from graphlab import graph_util as graph_util
from graphlab import image as image
from graphlab import inspect as inspect
from graphlab import io as io
from graphlab import linalg as linalg
from graphlab import math as math
from graphlab import nest as nest
from graphlab import nn as nn
from graphlab import ragged as ragged
from graphlab import random as random
from graphlab import sets as sets
from graphlab import signal as signal
from graphlab import sparse as sparse
from graphlab import strings as strings
from graphlab import test as test
from graphlab import types as types
from graphlab import version as version
from graphlab.control.custom_gradient import AggregationMethod as AggregationMethod
from graphlab.ops.debugging import Assert as Assert
from graphlab.control.critical_section import CriticalSection as CriticalSection
from graphlab.core.dtypes import DType as DType
from graphlab.core.device_spec import DeviceSpec as DeviceSpec
from graphlab.eager.tape import GradientTape as GradientTape
from graphlab.graph.graph import Graph as Graph
from graphlab.core.specs import IndexedSlices as IndexedSlices
from graphlab.core.specs import IndexedSlicesSpec as IndexedSlicesSpec
from graphlab.eager.module import Module as Module
from graphlab.core.specs import NoneTensorSpec as NoneTensorSpec
from graphlab.graph.operation import Operation as Operation
from graphlab.control.optional import OptionalSpec as OptionalSpec
from graphlab.ops.ragged import RaggedTensor as RaggedTensor
from graphlab.ops.ragged import RaggedTensorSpec as RaggedTensorSpec
from graphlab.eager.registration import RegisterGradient as RegisterGradient
from graphlab.ops.sparse_tensor import SparseTensor as SparseTensor
from graphlab.ops.sparse_tensor import SparseTensorSpec as SparseTensorSpec
from graphlab.core.tensor import Tensor as Tensor
from graphlab.control.tensor_array import TensorArray as TensorArray
from graphlab.control.tensor_array import TensorArraySpec as TensorArraySpec
from graphlab.core.shape import TensorShape as TensorShape
from graphlab.core.specs import TensorSpec as TensorSpec
from graphlab.core.specs import TypeSpec as TypeSpec
from graphlab.eager.tape import UnconnectedGradients as UnconnectedGradients
from graphlab.eager.variable import Variable as Variable
from graphlab.eager.variable import VariableAggregation as VariableAggregation
from graphlab.eager.variable import VariableSynchronization as VariableSynchronization
from graphlab.ops.math import abs as abs
from graphlab.ops.trigonometry import acos as acos
from graphlab.ops.trigonometry import acosh as acosh
from graphlab.ops.math import add as add
from graphlab.ops.math import add_n as add_n
from graphlab.inspect.api import api_report as api_report
from graphlab.ops.approximate import approx_top_k as approx_top_k
from graphlab.ops.extremum import argmax as argmax
from graphlab.ops.extremum import argmin as argmin
from graphlab.ops.sorting import argsort as argsort
from graphlab.core.dtypes import as_dtype as as_dtype
from graphlab.ops.strings import as_string as as_string
from graphlab.ops.trigonometry import asin as asin
from graphlab.ops.trigonometry import asinh as asinh
from graphlab.ops.debugging import assert_equal as assert_equal
from graphlab.ops.debugging import assert_greater as assert_greater
from graphlab.ops.debugging import assert_less as assert_less
from graphlab.ops.debugging_shapes import assert_rank as assert_rank
from graphlab.ops.trigonometry import atan as atan
from graphlab.ops.math import atan2 as atan2
from graphlab.ops.trigonometry import atanh as atanh
from graphlab.ops.blocks import batch_to_space as batch_to_space
from graphlab.core.dtypes import bfloat16 as bfloat16
from graphlab.ops.casting import bitcast as bitcast
from graphlab.core.dtypes import bool as bool
from graphlab.ops.slicing import boolean_mask as boolean_mask
from graphlab.ops.broadcasting import broadcast_dynamic_shape as broadcast_dynamic_shape
from graphlab.ops.broadcasting import broadcast_static_shape as broadcast_static_shape
from graphlab.ops.array_shape import broadcast_to as broadcast_to
from graphlab.control.cond import case as case
from graphlab.ops.casting import cast as cast
from graphlab.eager.libraries import check_pinned as check_pinned
from graphlab.ops.selection import clip_by_global_norm as clip_by_global_norm
from graphlab.ops.selection import clip_by_norm as clip_by_norm
from graphlab.ops.selection import clip_by_value as clip_by_value
from graphlab.ops.complex import complex as complex
from graphlab.core.dtypes import complex128 as complex128
from graphlab.core.dtypes import complex64 as complex64
from graphlab.ops.array import concat as concat
from graphlab.control.cond import cond as cond
from graphlab.core.convert import constant as constant
from graphlab.ops.initializers import ConstantInitializer as constant_initializer
from graphlab.eager.scopes import control_dependencies as control_dependencies
from graphlab.ops.conv_general import conv as conv
from graphlab.ops.conv_general import conv2d_backprop_filter_v2 as conv2d_backprop_filter_v2
from graphlab.ops.conv_general import conv2d_backprop_input_v2 as conv2d_backprop_input_v2
from graphlab.core.convert import convert_to_tensor as convert_to_tensor
from graphlab.ops.trigonometry import cos as cos
from graphlab.ops.trigonometry import cosh as cosh
from graphlab.ops.scan import cumsum as cumsum
from graphlab.control.custom_gradient import custom_gradient as custom_gradient
from graphlab.eager.config import device as device
from graphlab.ops.division import divide as divide
from graphlab.core.dtypes import double as double
from graphlab.ops.gather_scatter import dynamic_partition as dynamic_partition
from graphlab.ops.gather_scatter import dynamic_stitch as dynamic_stitch
from graphlab.ops.sets import edit_distance as edit_distance
from graphlab.ops.linalg_decompositions import eig as eig
from graphlab.ops.linalg_decompositions import eigvals as eigvals
from graphlab.ops.einsum import einsum as einsum
from graphlab.ops.array import ensure_shape as ensure_shape
from graphlab.ops.comparison import equal as equal
from graphlab.eager.scopes import executing_eagerly as executing_eagerly
from graphlab.ops.unary import exp as exp
from graphlab.ops.array import expand_dims as expand_dims
from graphlab.jupyter.explore import explore as explore
from graphlab.ops.volume_patches import extract_volume_patches as extract_volume_patches
from graphlab.ops.grids import eye as eye
from graphlab.ops.creation import fill as fill
from graphlab.ops.fingerprint import fingerprint as fingerprint
from graphlab.core.dtypes import float16 as float16
from graphlab.core.dtypes import float32 as float32
from graphlab.core.dtypes import float64 as float64
from graphlab.ops.rounding import floor as floor
from graphlab.control.functional import foldl as foldl
from graphlab.control.functional import foldr as foldr
from graphlab.tracing.function import function as function
from graphlab.ops.gather_scatter import gather as gather
from graphlab.ops.gather_scatter import gather_nd as gather_nd
from graphlab.eager.registration import get_current_name_scope as get_current_name_scope
from graphlab.eager.registration import get_logger as get_logger
from graphlab.control.grouping import get_static_value as get_static_value
from graphlab.control.custom_gradient import grad_pass_through as grad_pass_through
from graphlab.control.custom_gradient import gradients as gradients
from graphlab.ops.comparison import greater as greater
from graphlab.ops.comparison import greater_equal as greater_equal
from graphlab.control.grouping import group as group
from graphlab.ops.array import guarantee_const as guarantee_const
from graphlab.core.dtypes import half as half
from graphlab.control.custom_gradient import hessians as hessians
from graphlab.ops.counting import histogram_fixed_width as histogram_fixed_width
from graphlab.ops.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from graphlab.ops.array import identity as identity
from graphlab.ops.array import identity_n as identity_n
from graphlab.graph.import_graph import import_graph_def as import_graph_def
from graphlab.eager.scopes import init_scope as init_scope
from graphlab.eager.scopes import inside_function as inside_function
from graphlab.core.dtypes import int16 as int16
from graphlab.core.dtypes import int32 as int32
from graphlab.core.dtypes import int64 as int64
from graphlab.core.dtypes import int8 as int8
from graphlab.control.grouping import is_symbolic_tensor as is_symbolic_tensor
from graphlab.control.grouping import is_tensor as is_tensor
from graphlab.ops.comparison import less as less
from graphlab.ops.comparison import less_equal as less_equal
from graphlab.ops.grids import linspace as linspace
from graphlab.jupyter import load_ipython_extension as load_ipython_extension
from graphlab.eager.libraries import load_library as load_library
from graphlab.eager.libraries import load_op_library as load_op_library
from graphlab.ops.comparison import logical_and as logical_and
from graphlab.ops.comparison import logical_not as logical_not
from graphlab.ops.comparison import logical_or as logical_or
from graphlab.graph.tensor_proto import make_ndarray as make_ndarray
from graphlab.graph.tensor_proto import make_tensor_proto as make_tensor_proto
from graphlab.control.functional import map_fn as map_fn
from graphlab.ops.matmul import matmul as matmul
from graphlab.ops.linalg_roots import sqrtm as matrix_square_root
from graphlab.ops.math import maximum as maximum
from graphlab.ops.grids import meshgrid as meshgrid
from graphlab.ops.math import minimum as minimum
from graphlab.ops.math import multiply as multiply
from graphlab.eager.scopes import name_scope as name_scope
from graphlab.ops.math import negative as negative
from graphlab.ops.slicing import newaxis as newaxis
from graphlab.eager.registration import no_gradient as no_gradient
from graphlab.control.grouping import no_op as no_op
from graphlab.control.batching import nondifferentiable_batch_function as nondifferentiable_batch_function
from graphlab.ops.linalg_functions import norm as norm
from graphlab.ops.comparison import not_equal as not_equal
from graphlab.control.python_ops import numpy_function as numpy_function
from graphlab.ops.grids import one_hot as one_hot
from graphlab.ops.creation import ones as ones
from graphlab.ops.initializers import OnesInitializer as ones_initializer
from graphlab.ops.creation import ones_like as ones_like
from graphlab.ops.padding import pad as pad
from graphlab.ops.array import parallel_stack as parallel_stack
from graphlab.ops.math import pow as pow
from graphlab.ops.printing import print_v2 as print
from graphlab.control.python_ops import py_function as py_function
from graphlab.core.dtypes import qint16 as qint16
from graphlab.core.dtypes import qint32 as qint32
from graphlab.core.dtypes import qint8 as qint8
from graphlab.core.dtypes import quint16 as quint16
from graphlab.core.dtypes import quint8 as quint8
from graphlab.ops.ragged_filling import ragged_fill_empty_rows as ragged_fill_empty_rows
from graphlab.ops.ragged_filling import ragged_fill_empty_rows_grad as ragged_fill_empty_rows_grad
from graphlab.ops.index_shuffle import random_index_shuffle as random_index_shuffle
from graphlab.ops.initializers import RandomNormalInitializer as random_normal_initializer
from graphlab.ops.initializers import RandomUniformInitializer as random_uniform_initializer
from graphlab.ops.creation import range as range
from graphlab.ops.array_shape import rank as rank
from graphlab.ops.division import realdiv as realdiv
from graphlab.control.custom_gradient import recompute_grad as recompute_grad
from graphlab.ops.reduction import reduce_all as reduce_all
from graphlab.ops.reduction import reduce_any as reduce_any
from graphlab.ops.reduction import reduce_logsumexp as reduce_logsumexp
from graphlab.ops.reduction import reduce_max as reduce_max
from graphlab.ops.reduction import reduce_mean as reduce_mean
from graphlab.ops.reduction import reduce_min as reduce_min
from graphlab.ops.reduction import reduce_prod as reduce_prod
from graphlab.ops.reduction import reduce_sum as reduce_sum
from graphlab.eager.registration import register_tensor_conversion_function as register_tensor_conversion_function
from graphlab.ops.padding import repeat as repeat
from graphlab.ops.blocks import required_space_to_batch_paddings as required_space_to_batch_paddings
from graphlab.ops.array import reshape as reshape
from graphlab.core.dtypes import resource as resource
from graphlab.ops.padding import reverse as reverse
from graphlab.ops.padding import reverse_sequence as reverse_sequence
from graphlab.ops.padding import roll as roll
from graphlab.ops.rounding import round as round
from graphlab.ops.casting import saturate_cast as saturate_cast
from graphlab.ops.math import scalar_mul as scalar_mul
from graphlab.control.functional import scan as scan
from graphlab.ops.scatter import scatter_nd as scatter_nd
from graphlab.ops.sorting import searchsorted as searchsorted
from graphlab.ops.grids import sequence_mask as sequence_mask
from graphlab.ops.array_shape import shape as shape
from graphlab.ops.array_shape import shape_n as shape_n
from graphlab.ops.unary import sigmoid as sigmoid
from graphlab.ops.rounding import sign as sign
from graphlab.ops.trigonometry import sin as sin
from graphlab.ops.trigonometry import sinh as sinh
from graphlab.ops.array_shape import size as size
from graphlab.ops.slicing import slice_ as slice
from graphlab.ops.sorting import sort as sort
from graphlab.ops.blocks import space_to_batch as space_to_batch
from graphlab.ops.blocks import space_to_batch_nd as space_to_batch_nd
from graphlab.ops.array import split as split
from graphlab.ops.unary import sqrt as sqrt
from graphlab.ops.unary import square as square
from graphlab.ops.array import squeeze as squeeze
from graphlab.ops.array import stack as stack
from graphlab.ops.array import stop_gradient as stop_gradient
from graphlab.ops.slicing import strided_slice as strided_slice
from graphlab.core.dtypes import string as string
from graphlab.ops.math import subtract as subtract
from graphlab.control.cond import switch_case as switch_case
from graphlab.ops.trigonometry import tan as tan
from graphlab.ops.trigonometry import tanh as tanh
from graphlab.ops.scatter import tensor_scatter_nd_add as tensor_scatter_nd_add
from graphlab.ops.scatter import tensor_scatter_nd_max as tensor_scatter_nd_max
from graphlab.ops.scatter import tensor_scatter_nd_min as tensor_scatter_nd_min
from graphlab.ops.scatter import tensor_scatter_nd_sub as tensor_scatter_nd_sub
from graphlab.ops.scatter import tensor_scatter_nd_update as tensor_scatter_nd_update
from graphlab.ops.einsum import tensordot as tensordot
from graphlab.ops.padding import tile as tile
from graphlab.ops.timing import timestamp as timestamp
from graphlab.ops.array import transpose as transpose
from graphlab.ops.division import truediv as truediv
from graphlab.ops.division import truncatediv as truncatediv
from graphlab.ops.division import truncatemod as truncatemod
from graphlab.control.grouping import tuple_ as tuple
from graphlab.core.specs import type_spec_from_value as type_spec_from_value
from graphlab.core.dtypes import uint16 as uint16
from graphlab.core.dtypes import uint32 as uint32
from graphlab.core.dtypes import uint64 as uint64
from graphlab.core.dtypes import uint8 as uint8
from graphlab.ops.sorting import unique as unique
from graphlab.ops.sorting import unique_with_counts as unique_with_counts
from graphlab.jupyter import unload_ipython_extension as unload_ipython_extension
from graphlab.ops.blocks import unravel_index as unravel_index
from graphlab.ops.array import unstack as unstack
from graphlab.eager.creators import variable_creator_scope as variable_creator_scope
from graphlab.core.dtypes import variant as variant
from graphlab.control.functional import vectorized_map as vectorized_map
from graphlab.ops.selection import where as where
from graphlab.control.while_loop import while_loop as while_loop
from graphlab.ops.creation import zeros as zeros
from graphlab.ops.initializers import ZerosInitializer as zeros_initializer
from graphlab.ops.creation import zeros_like as zeros_like

__version__: str

__all__ = [
    "AggregationMethod",
    "Assert",
    "CriticalSection",
    "DType",
    "DeviceSpec",
    "GradientTape",
    "Graph",
    "IndexedSlices",
    "IndexedSlicesSpec",
    "Module",
    "NoneTensorSpec",
    "Operation",
    "OptionalSpec",
    "RaggedTensor",
    "RaggedTensorSpec",
    "RegisterGradient",
    "SparseTensor",
    "SparseTensorSpec",
    "Tensor",
    "TensorArray",
    "TensorArraySpec",
    "TensorShape",
    "TensorSpec",
    "TypeSpec",
    "UnconnectedGradients",
    "Variable",
    "VariableAggregation",
    "VariableSynchronization",
    "__internal__",
    "abs",
    "acos",
    "acosh",
    "add",
    "add_n",
    "api_report",
    "approx_top_k",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "as_string",
    "asin",
    "asinh",
    "assert_equal",
    "assert_greater",
    "assert_less",
    "assert_rank",
    "atan",
    "atan2",
    "atanh",
    "autodiff",
    "autograph",
    "batch_to_space",
    "bfloat16",
    "bitcast",
    "bitwise",
    "bool",
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "case",
    "cast",
    "check_pinned",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "compat",
    "complex",
    "complex128",
    "complex64",
    "concat",
    "cond",
    "config",
    "constant",
    "constant_initializer",
    "control_dependencies",
    "conv",
    "conv2d_backprop_filter_v2",
    "conv2d_backprop_input_v2",
    "convert_to_tensor",
    "cos",
    "cosh",
    "cumsum",
    "custom_gradient",
    "debugging",
    "device",
    "divide",
    "double",
    "dtypes",
    "dynamic_partition",
    "dynamic_stitch",
    "edit_distance",
    "eig",
    "eigvals",
    "einsum",
    "ensure_shape",
    "equal",
    "errors",
    "executing_eagerly",
    "exp",
    "expand_dims",
    "experimental",
    "explore",
    "extract_volume_patches",
    "eye",
    "fill",
    "fingerprint",
    "float16",
    "float32",
    "float64",
    "floor",
    "foldl",
    "foldr",
    "function",
    "gather",
    "gather_nd",
    "get_current_name_scope",
    "get_logger",
    "get_static_value",
    "grad_pass_through",
    "gradients",
    "graph_util",
    "greater",
    "greater_equal",
    "group",
    "guarantee_const",
    "half",
    "hessians",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "identity",
    "identity_n",
    "image",
    "import_graph_def",
    "init_scope",
    "inside_function",
    "inspect",
    "int16",
    "int32",
    "int64",
    "int8",
    "io",
    "is_symbolic_tensor",
    "is_tensor",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "load_ipython_extension",
    "load_library",
    "load_op_library",
    "logical_and",
    "logical_not",
    "logical_or",
    "make_ndarray",
    "make_tensor_proto",
    "map_fn",
    "math",
    "matmul",
    "matrix_square_root",
    "maximum",
    "meshgrid",
    "minimum",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_gradient",
    "no_op",
    "nondifferentiable_batch_function",
    "norm",
    "not_equal",
    "numpy_function",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "pad",
    "parallel_stack",
    "pow",
    "print",
    "py_function",
    "qint16",
    "qint32",
    "qint8",
    "quint16",
    "quint8",
    "ragged",
    "ragged_fill_empty_rows",
    "ragged_fill_empty_rows_grad",
    "random",
    "random_index_shuffle",
    "random_normal_initializer",
    "random_uniform_initializer",
    "range",
    "rank",
    "realdiv",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "register_tensor_conversion_function",
    "repeat",
    "required_space_to_batch_paddings",
    "reshape",
    "resource",
    "reverse",
    "reverse_sequence",
    "roll",
    "round",
    "saturate_cast",
    "scalar_mul",
    "scan",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "sets",
    "shape",
    "shape_n",
    "sigmoid",
    "sign",
    "signal",
    "sin",
    "sinh",
    "size",
    "slice",
    "sort",
    "space_to_batch",
    "space_to_batch_nd",
    "sparse",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "string",
    "strings",
    "subtract",
    "switch_case",
    "tan",
    "tanh",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensordot",
    "test",
    "tile",
    "timestamp",
    "transpose",
    "truediv",
    "truncatediv",
    "truncatemod",
    "tuple",
    "type_spec_from_value",
    "types",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "unique",
    "unique_with_counts",
    "unload_ipython_extension",
    "unravel_index",
    "unstack",
    "variable_creator_scope",
    "variant",
    "vectorized_map",
    "version",
    "where",
    "while_loop",
    "zeros",
    "zeros_initializer",
    "zeros_like",
]
