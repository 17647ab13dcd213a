# Written by tools/generate_index.py: do not edit.
from graphlab.random import experimental as experimental
from graphlab.ops.random_stateless import Algorithm as Algorithm
from graphlab.ops.random_generator import Generator as Generator
from graphlab.ops.candidates import all_candidate_sampler as all_candidate_sampler
from graphlab.ops.random_distributions import categorical as categorical
from graphlab.ops.random_generator import create_rng_state as create_rng_state
from graphlab.ops.candidates import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from graphlab.ops.random_stateless import fold_in as fold_in
from graphlab.ops.random_distributions import gamma as gamma
from graphlab.ops.random_generator import get_global_generator as get_global_generator
from graphlab.ops.candidates import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from graphlab.ops.candidates import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from graphlab.ops.random import normal as normal
from graphlab.ops.random_distributions import poisson as poisson
from graphlab.ops.random_generator import set_global_generator as set_global_generator
from graphlab.ops.random_seed import set_seed as set_seed
from graphlab.ops.random import shuffle as shuffle
from graphlab.ops.random_stateless import split as split
from graphlab.ops.random_distributions import stateless_binomial as stateless_binomial
from graphlab.ops.random_distributions import stateless_categorical as stateless_categorical
from graphlab.ops.random_distributions import stateless_gamma as stateless_gamma
from graphlab.ops.random_stateless import stateless_normal as stateless_normal
from graphlab.ops.random_truncated import stateless_parameterized_truncated_normal as stateless_parameterized_truncated_normal
from graphlab.ops.random_distributions import stateless_poisson as stateless_poisson
from graphlab.ops.random_stateless import stateless_truncated_normal as stateless_truncated_normal
from graphlab.ops.random_stateless import stateless_uniform as stateless_uniform
from graphlab.ops.random import truncated_normal as truncated_normal
from graphlab.ops.random import uniform as uniform
from graphlab.ops.candidates import uniform_candidate_sampler as uniform_candidate_sampler

__all__ = [
    "Algorithm",
    "Generator",
    "all_candidate_sampler",
    "categorical",
    "create_rng_state",
    "experimental",
    "fixed_unigram_candidate_sampler",
    "fold_in",
    "gamma",
    "get_global_generator",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_parameterized_truncated_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
    "uniform_candidate_sampler",
]
