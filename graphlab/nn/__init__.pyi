# Written by tools/generate_index.py: do not edit.
from graphlab.nn import experimental as experimental
from graphlab.ops.nn import batch_norm_with_global_normalization as batch_norm_with_global_normalization
from graphlab.ops.nn import batch_normalization as batch_normalization
from graphlab.ops.nn import bias_add as bias_add
from graphlab.ops.losses import compute_average_loss as compute_average_loss
from graphlab.ops.activation import crelu as crelu
from graphlab.ops.nn import dropout as dropout
from graphlab.ops.activation import elu as elu
from graphlab.ops.nn import embedding_lookup as embedding_lookup
from graphlab.ops.activation import gelu as gelu
from graphlab.ops.extremum import in_top_k as in_top_k
from graphlab.ops.losses import l2_loss as l2_loss
from graphlab.ops.nn import l2_normalize as l2_normalize
from graphlab.ops.activation import leaky_relu as leaky_relu
from graphlab.ops.losses import log_poisson_loss as log_poisson_loss
from graphlab.ops.softmax import log_softmax as log_softmax
from graphlab.ops.nn import moments as moments
from graphlab.ops.nn import normalize_moments as normalize_moments
from graphlab.ops.activation import relu as relu
from graphlab.ops.activation import relu6 as relu6
from graphlab.ops.losses import scale_regularization_loss as scale_regularization_loss
from graphlab.ops.activation import selu as selu
from graphlab.ops.unary import sigmoid as sigmoid
from graphlab.ops.losses import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from graphlab.ops.activation import silu as silu
from graphlab.ops.softmax import softmax as softmax
from graphlab.ops.softmax import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from graphlab.ops.unary import softplus as softplus
from graphlab.ops.unary import softsign as softsign
from graphlab.ops.softmax import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits
from graphlab.ops.nn import sufficient_statistics as sufficient_statistics
from graphlab.ops.activation import silu as swish
from graphlab.ops.unary import tanh as tanh
from graphlab.ops.sorting import top_k as top_k
from graphlab.ops.losses import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from graphlab.ops.nn import weighted_moments as weighted_moments
from graphlab.ops.counting import zero_fraction as zero_fraction

__all__ = [
    "batch_norm_with_global_normalization",
    "batch_normalization",
    "bias_add",
    "compute_average_loss",
    "crelu",
    "dropout",
    "elu",
    "embedding_lookup",
    "experimental",
    "gelu",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "log_poisson_loss",
    "log_softmax",
    "moments",
    "normalize_moments",
    "relu",
    "relu6",
    "scale_regularization_loss",
    "selu",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "zero_fraction",
]
