"""Sets, fingerprints, patches of volumes, and other ops that stand by themselves."""

import numpy as np

import graphlab as tf
from tests.properties.drawing import distinct, whole, words
from tests.properties.entry import FLOATS, NONE, STRING, WIDE, entry

# Places in a 2×3 matrix, in order.
PLACES = np.array([[0, 0], [0, 2], [1, 1]], np.int64)
SIZES = np.array([2, 3], np.int64)


def sparse(values):
    return tf.SparseTensor(PLACES, values, SIZES)


def labels():
    return tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 1, 0], [2, 2])


few = whole(0, 4)
long = whole(0, 5, "int64")

ENTRIES = [
    entry("DenseToDenseSetOperation", lambda x, y: tf.sets.union(x, y).values, "23, 23", few, few, dtypes=NONE, by_value=True),
    entry("DenseToSparseSetOperation", lambda x, y: tf.sets.difference(x, sparse(y)).values, "23, 3", few, few, dtypes=NONE, by_value=True),
    entry("SparseToSparseSetOperation", lambda x, y: tf.sets.intersection(sparse(x), sparse(y)).values, "3, 3", few, few, dtypes=NONE, by_value=True),
    entry("SetSize", lambda x: tf.sets.size(sparse(x)), "3", few, dtypes=NONE),
    entry("EditDistance", lambda x, y: tf.edit_distance(sparse(x), sparse(y)), "3, 3", few, few, dtypes=NONE),
    entry("Fingerprint", tf.fingerprint, "Ab", dtypes=(*FLOATS, "int32", "string", "bool"), known="ranks"),
    entry("ApproxTopK", lambda x: tf.math.approx_max_k(x, 2, reduction_dimension=0).values, "3a", distinct, dtypes=("float32", "float16"), known="ranks", step=1e-2, slack=1e-3),
    entry("IsotonicRegression", lambda x: tf.nn.isotonic_regression(x)[0], "aB", distinct, dtypes=WIDE, known="ranks"),
    entry("ExtractVolumePatches", lambda x: tf.extract_volume_patches(x, [1, 2, 2, 1, 1], [1, 1, 2, 1, 1], "SAME"), "A322B", dtypes=WIDE, known="ranks"),
    entry("UnsortedSegmentJoin", lambda x: tf.strings.unsorted_segment_join(x, [1, 0, 1], 3, "-"), "3a", words, dtypes=STRING),
    entry("CTCLoss", lambda x: tf.nn.ctc_loss(labels(), x, None, [4, 3], blank_index=-1), "423", dtypes=WIDE, order=1, reason="TensorFlow has no second derivative of it"),
    entry("CTCLossDense", lambda x: tf.nn.ctc_loss([[1, 1], [2, 0]], x, [2, 1], [4, 3]), "423", dtypes=WIDE, order=1, reason="the gradient comes with the loss"),
    entry("CTCGreedyDecoder", lambda x: tf.nn.ctc_greedy_decoder(x, [4, 3])[1], "423", distinct, dtypes=WIDE, by_value=True),
    entry("CTCBeamSearchDecoder", lambda x: tf.nn.ctc_beam_search_decoder(x, [4, 3], 3, 2)[1], "423", distinct, dtypes=WIDE, by_value=True),
    entry("RaggedRange", lambda x, y: tf.ragged.range(x, y).flat_values, "a, a", few, few, dtypes=NONE, by_value=True),
    entry("RaggedTensorToSparse", lambda x: tf.RaggedTensor.from_row_lengths(x, [2, 0, 1]).to_sparse().values, "3a", dtypes=WIDE, by_value=True),
    entry("ComputeAccidentalHits", lambda x, y: tf.nn.compute_accidental_hits(x, y, 2).ids, "a2, b", long, long, dtypes=NONE, by_value=True),
    *[
        entry(op, lambda x, call=call: call(x, 2, 3, True, 5).sampled_candidates, "a2", long, dtypes=NONE, random=True)
        for op, call in (
            ("UniformCandidateSampler", tf.random.uniform_candidate_sampler),
            ("LogUniformCandidateSampler", tf.random.log_uniform_candidate_sampler),
            ("LearnedUnigramCandidateSampler", tf.random.learned_unigram_candidate_sampler),
        )
    ],
    entry("FixedUnigramCandidateSampler", lambda x: tf.random.fixed_unigram_candidate_sampler(x, 2, 3, True, 5, unigrams=[1.0, 2.0, 3.0, 4.0, 5.0]).sampled_candidates, "a2", long, dtypes=NONE, random=True),
    entry("AllCandidateSampler", lambda x: tf.random.all_candidate_sampler(x, 2, 5, True).sampled_candidates, "a2", long, dtypes=NONE, random=True),
    entry("RandomIndexShuffle", lambda x: tf.random_index_shuffle(x, [1, 2, 3], 9), "a", whole(0, 10), dtypes=NONE),
]  # fmt: skip
