# Written by tools/generate_index.py: do not edit.
from graphlab.nn import experimental as experimental
from graphlab.ops.candidates import all_candidate_sampler as all_candidate_sampler
from graphlab.ops.approximate import approx_max_k as approx_max_k
from graphlab.ops.approximate import approx_min_k as approx_min_k
from graphlab.ops.conv_transpose import atrous_conv2d as atrous_conv2d
from graphlab.ops.conv_transpose import atrous_conv2d_transpose as atrous_conv2d_transpose
from graphlab.ops.pooling import avg_pool as avg_pool
from graphlab.ops.pooling import avg_pool1d as avg_pool1d
from graphlab.ops.pooling import avg_pool2d as avg_pool2d
from graphlab.ops.pooling import avg_pool3d as avg_pool3d
from graphlab.ops.nn import batch_norm_with_global_normalization as batch_norm_with_global_normalization
from graphlab.ops.nn import batch_normalization as batch_normalization
from graphlab.ops.nn import bias_add as bias_add
from graphlab.ops.collapse import collapse_repeated as collapse_repeated
from graphlab.ops.candidates import compute_accidental_hits as compute_accidental_hits
from graphlab.ops.losses import compute_average_loss as compute_average_loss
from graphlab.ops.conv import conv1d as conv1d
from graphlab.ops.conv_transpose import conv1d_transpose as conv1d_transpose
from graphlab.ops.conv import conv2d as conv2d
from graphlab.ops.conv_transpose import conv2d_transpose as conv2d_transpose
from graphlab.ops.conv import conv3d as conv3d
from graphlab.ops.conv_transpose import conv3d_transpose as conv3d_transpose
from graphlab.ops.conv_transpose import conv_transpose as conv_transpose
from graphlab.ops.conv import convolution as convolution
from graphlab.ops.activation import crelu as crelu
from graphlab.ops.ctc import ctc_beam_search_decoder as ctc_beam_search_decoder
from graphlab.ops.ctc import ctc_greedy_decoder as ctc_greedy_decoder
from graphlab.ops.ctc import ctc_loss as ctc_loss
from graphlab.ops.ctc import ctc_unique_labels as ctc_unique_labels
from graphlab.ops.blocks import depth_to_space as depth_to_space
from graphlab.ops.conv import depthwise_conv2d as depthwise_conv2d
from graphlab.ops.conv_general import depthwise_conv2d_backprop_filter as depthwise_conv2d_backprop_filter
from graphlab.ops.conv_general import depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input
from graphlab.ops.morphology import dilation2d as dilation2d
from graphlab.ops.nn import dropout as dropout
from graphlab.ops.activation import elu as elu
from graphlab.ops.nn import embedding_lookup as embedding_lookup
from graphlab.ops.embedding_sparse import embedding_lookup_sparse as embedding_lookup_sparse
from graphlab.ops.morphology import erosion2d as erosion2d
from graphlab.ops.candidates import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from graphlab.ops.fractional_pool import fractional_avg_pool as fractional_avg_pool
from graphlab.ops.fractional_pool import fractional_max_pool as fractional_max_pool
from graphlab.ops.activation import gelu as gelu
from graphlab.ops.extremum import in_top_k as in_top_k
from graphlab.ops.isotonic import isotonic_regression as isotonic_regression
from graphlab.ops.losses import l2_loss as l2_loss
from graphlab.ops.nn import l2_normalize as l2_normalize
from graphlab.ops.activation import leaky_relu as leaky_relu
from graphlab.ops.candidates import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from graphlab.ops.lrn import local_response_normalization as local_response_normalization
from graphlab.ops.losses import log_poisson_loss as log_poisson_loss
from graphlab.ops.softmax import log_softmax as log_softmax
from graphlab.ops.lrn import local_response_normalization as lrn
from graphlab.ops.pooling import max_pool as max_pool
from graphlab.ops.pooling import max_pool1d as max_pool1d
from graphlab.ops.pooling import max_pool2d as max_pool2d
from graphlab.ops.pooling import max_pool3d as max_pool3d
from graphlab.ops.pool import max_pool_with_argmax as max_pool_with_argmax
from graphlab.ops.nn import moments as moments
from graphlab.ops.sampled_losses import nce_loss as nce_loss
from graphlab.ops.nn import normalize_moments as normalize_moments
from graphlab.ops.pool import pool as pool
from graphlab.ops.activation import relu as relu
from graphlab.ops.activation import relu6 as relu6
from graphlab.ops.embedding_sparse import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from graphlab.ops.sampled_losses import sampled_softmax_loss as sampled_softmax_loss
from graphlab.ops.losses import scale_regularization_loss as scale_regularization_loss
from graphlab.ops.activation import selu as selu
from graphlab.ops.conv import separable_conv2d as separable_conv2d
from graphlab.ops.unary import sigmoid as sigmoid
from graphlab.ops.losses import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from graphlab.ops.activation import silu as silu
from graphlab.ops.softmax import softmax as softmax
from graphlab.ops.softmax import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from graphlab.ops.unary import softplus as softplus
from graphlab.ops.unary import softsign as softsign
from graphlab.ops.blocks import space_to_batch as space_to_batch
from graphlab.ops.blocks import space_to_depth as space_to_depth
from graphlab.ops.softmax import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits
from graphlab.ops.nn import sufficient_statistics as sufficient_statistics
from graphlab.ops.activation import silu as swish
from graphlab.ops.trigonometry import tanh as tanh
from graphlab.ops.sorting import top_k as top_k
from graphlab.ops.losses import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from graphlab.ops.nn import weighted_moments as weighted_moments
from graphlab.ops.dilation import with_space_to_batch as with_space_to_batch
from graphlab.ops.counting import zero_fraction as zero_fraction

__all__ = [
    "all_candidate_sampler",
    "approx_max_k",
    "approx_min_k",
    "atrous_conv2d",
    "atrous_conv2d_transpose",
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm_with_global_normalization",
    "batch_normalization",
    "bias_add",
    "collapse_repeated",
    "compute_accidental_hits",
    "compute_average_loss",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "conv_transpose",
    "convolution",
    "crelu",
    "ctc_beam_search_decoder",
    "ctc_greedy_decoder",
    "ctc_loss",
    "ctc_unique_labels",
    "depth_to_space",
    "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "dilation2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "embedding_lookup_sparse",
    "erosion2d",
    "experimental",
    "fixed_unigram_candidate_sampler",
    "fractional_avg_pool",
    "fractional_max_pool",
    "gelu",
    "in_top_k",
    "isotonic_regression",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "learned_unigram_candidate_sampler",
    "local_response_normalization",
    "log_poisson_loss",
    "log_softmax",
    "lrn",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_pool_with_argmax",
    "moments",
    "nce_loss",
    "normalize_moments",
    "pool",
    "relu",
    "relu6",
    "safe_embedding_lookup_sparse",
    "sampled_softmax_loss",
    "scale_regularization_loss",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "with_space_to_batch",
    "zero_fraction",
]
