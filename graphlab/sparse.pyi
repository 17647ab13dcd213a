# Written by tools/generate_index.py: do not edit.
from graphlab.ops.sparse_tensor import SparseTensor as SparseTensor
from graphlab.ops.sparse import add as add
from graphlab.ops.sparse_counting import bincount as bincount
from graphlab.ops.sparse import concat as concat
from graphlab.ops.crossing import sparse_cross as cross
from graphlab.ops.crossing import sparse_cross_hashed as cross_hashed
from graphlab.ops.sparse import expand_dims as expand_dims
from graphlab.ops.sparse import eye as eye
from graphlab.ops.sparse import fill_empty_rows as fill_empty_rows
from graphlab.ops.sparse import from_dense as from_dense
from graphlab.ops.sparse import map_values as map_values
from graphlab.ops.sparse import mask as mask
from graphlab.ops.sparse import maximum as maximum
from graphlab.ops.sparse import minimum as minimum
from graphlab.ops.sparse_reduction import reduce_max as reduce_max
from graphlab.ops.sparse_reduction import reduce_sum as reduce_sum
from graphlab.ops.sparse import reorder as reorder
from graphlab.ops.sparse import reset_shape as reset_shape
from graphlab.ops.sparse import reshape as reshape
from graphlab.ops.sparse import retain as retain
from graphlab.ops.sparse_sampled import sampled_addmm as sampled_addmm
from graphlab.ops.sparse_reduction import segment_mean as segment_mean
from graphlab.ops.sparse_reduction import segment_sqrt_n as segment_sqrt_n
from graphlab.ops.sparse_reduction import segment_sum as segment_sum
from graphlab.ops.sparse import slice_ as slice
from graphlab.ops.sparse import softmax as softmax
from graphlab.ops.sparse_reduction import sparse_dense_matmul as sparse_dense_matmul
from graphlab.ops.sparse import split as split
from graphlab.ops.sparse import to_dense as to_dense
from graphlab.ops.sparse import to_indicator as to_indicator
from graphlab.ops.sparse import transpose as transpose

__all__ = [
    "SparseTensor",
    "add",
    "bincount",
    "concat",
    "cross",
    "cross_hashed",
    "expand_dims",
    "eye",
    "fill_empty_rows",
    "from_dense",
    "map_values",
    "mask",
    "maximum",
    "minimum",
    "reduce_max",
    "reduce_sum",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
    "sampled_addmm",
    "segment_mean",
    "segment_sqrt_n",
    "segment_sum",
    "slice",
    "softmax",
    "sparse_dense_matmul",
    "split",
    "to_dense",
    "to_indicator",
    "transpose",
]
