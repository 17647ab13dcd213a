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


few = whole(0, 4)

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
    entry("RandomIndexShuffle", lambda x: tf.random_index_shuffle(x, [1, 2, 3], 9), "a", whole(0, 10), dtypes=NONE),
]  # fmt: skip
