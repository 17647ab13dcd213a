"""Sets, distances, patches of volumes, mel spectra, and other functions that stand by themselves."""

from collections.abc import Callable
from typing import Any

from tests.oracle.ops.table import NONE, STRING, Case, distinct, given, like, op, unit, variants, x

PLACES = [[0, 0], [0, 2], [1, 1]]


def parts(sparse: Any) -> tuple[Any, Any, Any]:
    return sparse.indices, sparse.values, sparse.dense_shape


def sparse(tf: Any, values: Any, places: Any = PLACES, sizes: Any = (2, 3)) -> Any:
    return tf.SparseTensor(places, values, sizes)


SETS: dict[str, Callable[..., Any]] = {
    "union": lambda tf, a, b: parts(tf.sets.union(a, b)),
    "intersection": lambda tf, a, b: parts(tf.sets.intersection(a, b)),
    "difference": lambda tf, a, b: parts(tf.sets.difference(a, b)),
    "other_way": lambda tf, a, b: parts(tf.sets.difference(a, b, aminusb=False)),
}
BOTH = {"matrices": (like([[3, 1, 2], [4, 4, 5]]), like([[2, 7, 7], [1, 4, 0]])), "empty": (x(2, 0), x(2, 1))}
WRONG = {"sizes": (x(2, 3), x(1, 3)), "vectors": (x(3), x(3)), "ranks": (x(1, 3), x(1, 1, 3))}

LABELS = [[1, 2, 2], [3, 0, 0]]


def ctc(tf: Any, a: Any, places: Any, labels: Any, times: Any = (5, 4), **rest: Any) -> Any:
    return tf.nn.ctc_loss(tf.SparseTensor(places, labels, [2, 3]), a, None, list(times), **rest)


def decoded(result: Any) -> Any:
    return [parts(each) for each in result[0]], result[1]


THREE_ONE = [[0, 0], [0, 1], [0, 2], [1, 0]]

CTC: list[Case] = [
    *variants(
        "ctc_loss",
        {
            "dense": lambda tf, a: tf.nn.ctc_loss(LABELS, a, [3, 1], [5, 4]),
            "batch": lambda tf, a: tf.nn.ctc_loss(LABELS, tf.transpose(a, [1, 0, 2]), [3, 1], [5, 4], logits_time_major=False),
            "blank": lambda tf, a: tf.nn.ctc_loss([[1, 2, 2], [0, 0, 0]], a, [3, 1], [5, 4], blank_index=-1),
            "unique": lambda tf, a: tf.nn.ctc_loss(LABELS, a, [3, 1], [5, 4], unique=tf.nn.ctc_unique_labels(tf.constant(LABELS))),
            "empty": lambda tf, a: tf.nn.ctc_loss(LABELS, a, [0, 1], [5, 4]),
        },
        {"five": (unit(5, 2, 4),)},
        ("float32", "float16"),
        gradient=True,
        rtol={"float32": 1e-4, "float64": 1e-6},
    ),
    *variants(
        "CTCLoss",
        {
            "last": lambda tf, a: ctc(tf, a, THREE_ONE, [1, 2, 2, 0], blank_index=-1),
            "first": lambda tf, a: ctc(tf, a, THREE_ONE, [1, 2, 2, 3], blank_index=0),
            "middle": lambda tf, a: ctc(tf, a, THREE_ONE, [0, 2, 2, 3], blank_index=1),
            "none": lambda tf, a: ctc(tf, a, THREE_ONE, [0, 2, 2, 3]),
        },
        {"five": (unit(5, 2, 4),)},
        ("float32", "float64"),
        gradient=True,
        rtol={"float32": 1e-4, "float64": 1e-6},
    ),
    op("CTCLoss", lambda tf, a: ctc(tf, a, [[0, 0]], [0], blank_index=-1), {"five": (unit(5, 2, 4),)}, ("float32",), "no_labels", traced=False),
    op("CTCLoss", lambda tf, a: ctc(tf, a, [[0, 0], [0, 1], [1, 0]], [0, 1, 2], (1, 1), blank_index=-1), {"one": (unit(1, 2, 4),)}, ("float32",), "few_times", traced=False),
    op("ctc_unique_labels", lambda tf, a: tf.nn.ctc_unique_labels(a), {"two": (like([[1, 1, 2, 2, 1], [0, 3, 3, 0, 0]]),)}, ("int32", "int64")),
    *variants(
        "CTCGreedyDecoder",
        {
            "merged": lambda tf, a: decoded(tf.nn.ctc_greedy_decoder(a, [5, 4])),
            "all": lambda tf, a: decoded(tf.nn.ctc_greedy_decoder(a, [5, 4], merge_repeated=False)),
            "blank": lambda tf, a: decoded(tf.nn.ctc_greedy_decoder(a, [5, 4], blank_index=-3)),
            "long": lambda tf, a: decoded(tf.nn.ctc_greedy_decoder(a, [6, 4])),
            "no_class": lambda tf, a: decoded(tf.nn.ctc_greedy_decoder(a, [5, 4], blank_index=4)),
        },
        {"five": (distinct(5, 2, 3),)},
        ("float32", "float64"),
    ),
    *variants(
        "CTCBeamSearchDecoder",
        {
            "one": lambda tf, a: decoded(tf.nn.ctc_beam_search_decoder(a / 9, [5, 4])),
            "two": lambda tf, a: decoded(tf.nn.ctc_beam_search_decoder(a / 9, [5, 4], 3, 2)),
            "narrow": lambda tf, a: decoded(tf.nn.ctc_beam_search_decoder(a / 9, [5, 4], 1, 1)),
            "more": lambda tf, a: decoded(tf.nn.ctc_beam_search_decoder(a / 9, [5, 4], 1, 2)),
        },
        {"five": (distinct(5, 2, 3),)},
        ("float32", "float64"),
        rtol={"float32": 1e-4, "float64": 1e-6},
    ),
]  # fmt: skip


def seeded(name: str, unique: bool, *more: Any, **rest: Any) -> Callable[..., Any]:
    def call(tf: Any, a: Any) -> Any:
        tf.random.set_seed(3)
        return tuple(getattr(tf.random, name)(a, 2, 3, unique, *more, seed=7, **rest))

    return call


TRUE = {
    "two": (given([[1, 2], [3, 0]], "int64"),),
    "beyond": (given([[1, 9]], "int64"),),
    "flat": (given([1, 2], "int64"),),
}

SAMPLERS: list[Case] = [
    *variants("UniformCandidateSampler", {str(u): seeded("uniform_candidate_sampler", u, 5) for u in (True, False)}, TRUE, NONE),
    *variants("LogUniformCandidateSampler", {str(u): seeded("log_uniform_candidate_sampler", u, 5) for u in (True, False)}, TRUE, NONE),
    *variants("LearnedUnigramCandidateSampler", {str(u): seeded("learned_unigram_candidate_sampler", u, 5) for u in (True, False)}, TRUE, NONE),
    *variants("AllCandidateSampler", {"all": lambda tf, a: tuple(tf.random.all_candidate_sampler(a, 2, 5, True))}, TRUE, NONE),
    *variants(
        "FixedUnigramCandidateSampler",
        {
            "unique": seeded("fixed_unigram_candidate_sampler", True, 5, unigrams=[1.0, 2.0, 3.0, 4.0, 0.5]),
            "distorted": seeded("fixed_unigram_candidate_sampler", False, 6, unigrams=[1.0, 2.0, 3.0, 4.0, 0.5], distortion=0.75, num_reserved_ids=1),
            "shard": seeded("fixed_unigram_candidate_sampler", False, 4, unigrams=[1.0, 2.0, 3.0, 4.0, 0.5, 1.0, 2.0, 8.0], num_shards=2, shard=1),
            "other": seeded("fixed_unigram_candidate_sampler", False, 3, unigrams=[1.0, 2.0]),
            "nothing": seeded("fixed_unigram_candidate_sampler", False, 3),
        },
        TRUE,
        NONE,
    ),
    op("ComputeAccidentalHits", lambda tf, a: tuple(tf.nn.compute_accidental_hits(a, tf.constant([2, 3, 1, 9], tf.int64), 2)), TRUE, NONE),
    *variants(
        "sampled_losses",
        {
            "nce": lambda tf, w, b, i: tf.nn.nce_loss(w, b, tf.constant([[1], [4]], tf.int64), i, 3, 6, sampled_values=(tf.constant([0, 1, 5], tf.int64), tf.constant([[0.5], [0.25]]), tf.constant([0.5, 0.25, 0.75]))),
            "hits": lambda tf, w, b, i: tf.nn.nce_loss(w, b, tf.constant([[1], [4]], tf.int64), i, 3, 6, sampled_values=(tf.constant([0, 1, 5], tf.int64), tf.constant([[0.5], [0.25]]), tf.constant([0.5, 0.25, 0.75])), remove_accidental_hits=True),
            "softmax": lambda tf, w, b, i: tf.nn.sampled_softmax_loss(w, b, tf.constant([[1], [4]], tf.int64), i, 3, 6, sampled_values=(tf.constant([0, 1, 5], tf.int64), tf.constant([[0.5], [0.25]]), tf.constant([0.5, 0.25, 0.75]))),
            "seed": lambda tf, w, b, i: [tf.random.set_seed(3), tf.nn.sampled_softmax_loss(w, b, tf.constant([[1], [4]], tf.int64), i, 3, 6, seed=5)][1],
        },
        {"six": (unit(6, 3), unit(6), unit(2, 3))},
        ("float32",),
        gradient=True,
        rtol={"float32": 1e-4, "float64": 1e-6},
    ),
]  # fmt: skip

IDS = [[0, 0], [0, 1], [1, 0], [3, 0]]


def ids(tf: Any, *values: int) -> Any:
    return tf.SparseTensor(IDS, tf.constant(values or (1, 3, 0, 2), tf.int64), [4, 2])


def shares(tf: Any, dtype: Any) -> Any:
    return tf.SparseTensor(IDS, tf.constant([2.0, 0.5, 1.0, -3.0], dtype), [4, 2])


EMBEDDINGS: list[Case] = [
    *variants(
        "embedding_lookup_sparse",
        {
            **{how: lambda tf, p, how=how: tf.nn.embedding_lookup_sparse(p, ids(tf), None, how) for how in ("sum", "mean", "sqrtn", "other")},
            **{f"{how}_weights": lambda tf, p, how=how: tf.nn.embedding_lookup_sparse(p, ids(tf), shares(tf, p.dtype), how) for how in ("sum", "mean", "sqrtn")},
            "norm": lambda tf, p: tf.nn.embedding_lookup_sparse(p, ids(tf), shares(tf, p.dtype), max_norm=0.5),
            "list": lambda tf, p: tf.nn.embedding_lookup_sparse([p[:3], p[3:]], ids(tf), None),
            "ragged": lambda tf, p: tf.nn.embedding_lookup_sparse(p, tf.ragged.constant([[1, 3], [0]]), tf.ragged.constant([[2.0, 0.5], [1.0]], p.dtype), "sum"),
            "no_ids": lambda tf, p: tf.nn.embedding_lookup_sparse(p, [1, 2], None),
        },
        {"five": (unit(5, 3),)},
        ("float32", "float64"),
        gradient=True,
        rtol={"float32": 1e-5},
    ),
    *variants(
        "safe_embedding_lookup_sparse",
        {
            "plain": lambda tf, p: tf.nn.safe_embedding_lookup_sparse(p, ids(tf)),
            "negative": lambda tf, p: tf.nn.safe_embedding_lookup_sparse(p, ids(tf, 1, -1, -3, 2)),
            "default": lambda tf, p: tf.nn.safe_embedding_lookup_sparse(p, ids(tf, 1, -1, -3, 2), default_id=4),
            "weights": lambda tf, p: tf.nn.safe_embedding_lookup_sparse(p, ids(tf), tf.SparseTensor(IDS, [2.0, 0.5, 1.0, -3.0], [4, 2]), "sqrtn"),
            "sum": lambda tf, p: tf.nn.safe_embedding_lookup_sparse(p, ids(tf), tf.SparseTensor(IDS, [2.0, 0.5, 1.0, -3.0], [4, 2]), "sum"),
            "rank3": lambda tf, p: tf.nn.safe_embedding_lookup_sparse(p, tf.SparseTensor([[0, 0, 0], [1, 1, 1]], tf.constant([1, 2], tf.int64), [2, 2, 2])),
            "ragged": lambda tf, p: tf.nn.safe_embedding_lookup_sparse(p, tf.ragged.constant([[1, 3], [0], [], [2]])),
        },
        {"five": (unit(5, 3),)},
        ("float32",),
        gradient=True,
    ),
]  # fmt: skip


CASES: list[Case] = [
    *variants("DenseToDenseSetOperation", SETS, BOTH | WRONG, ("int8", "int32", "int64", "uint16", "string", "float32")),
    *variants(
        "DenseToSparseSetOperation",
        {name: lambda tf, a, b, call=call: call(tf, a, sparse(tf, b)) for name, call in SETS.items()},
        {"matrix": (like([[3, 1, 2], [4, 4, 5]]), like([3, 8, 4]))},
        ("int32", "string"),
    ),
    *variants(
        "SparseToDenseSetOperation",
        {name: lambda tf, a, b, call=call: call(tf, sparse(tf, b), a) for name, call in SETS.items()},
        {"matrix": (like([[3, 1, 2], [4, 4, 5]]), like([3, 8, 4]))},
        ("int32", "string"),
    ),
    *variants(
        "SparseToSparseSetOperation",
        {name: lambda tf, a, b, call=call: call(tf, sparse(tf, a), sparse(tf, b)) for name, call in SETS.items()},
        {"vectors": (like([3, 8, 4]), like([8, 1, 4]))},
        ("int32", "int64", "string"),
    ),
    op("SetSize", lambda tf, a: tf.sets.size(sparse(tf, a)), {"two": (like([3, 3, 1]),)}, ("int32", "string", "float32")),
    op(
        "SetSize",
        lambda tf, a: tf.sets.size(sparse(tf, a, [[0, 2], [0, 0], [1, 1]])),
        {"order": (like([3, 3, 1]),)},
        ("int32",),
        "unsorted",
    ),
    *variants(
        "EditDistance",
        {
            "normal": lambda tf, a, b: tf.edit_distance(sparse(tf, a), sparse(tf, b, [[0, 0], [1, 0], [1, 1]])),
            "count": lambda tf, a, b: tf.edit_distance(sparse(tf, a), sparse(tf, b, [[0, 0], [1, 0], [1, 1]]), normalize=False),
            "missing": lambda tf, a, b: tf.edit_distance(sparse(tf, a), sparse(tf, b, [[1, 0], [1, 1], [1, 2]])),
            "larger": lambda tf, a, b: tf.edit_distance(sparse(tf, a), sparse(tf, b, [[0, 0], [2, 0], [2, 1]], (3, 2))),
        },
        {"three": (like([1, 2, 3]), like([1, 3, 3])), "other": (like([4, 4, 4]), like([1, 4, 3]))},
        ("int32", "float32", "string"),
    ),
    op(
        "Fingerprint",
        lambda tf, a: tf.fingerprint(a),
        {"vector": (x(6),), "matrix": (x(2, 3),), "column": (x(3, 1),), "rank3": (x(2, 2, 2),), "scalar": (x(),)},
        ("float32", "float64", "int8", "int32", "int64", "bool", "string", "bfloat16"),
    ),
    op("fingerprint_method", lambda tf, a: tf.fingerprint(a, "other"), {"vector": (x(3),)}, ("int32",)),
    op(
        "ApproxTopK",
        lambda tf, a: tuple(tf.math.approx_max_k(a, 2)),
        {"vector": (distinct(5),), "matrix": (distinct(2, 3),), "short": (x(1),)},
        ("float16", "bfloat16", "float32"),
        gradient=True,
    ),
    *variants(
        "IsotonicRegression",
        {
            "falling": lambda tf, a: tuple(tf.nn.isotonic_regression(a)),
            "rising": lambda tf, a: tuple(tf.nn.isotonic_regression(a, decreasing=False)),
            "first": lambda tf, a: tuple(tf.nn.isotonic_regression(a, axis=0)),
        },
        {"matrix": (distinct(3, 4),)},
        ("float32", "float64", "int32", "int64"),
        gradient=True,
    ),
    op("IsotonicRegression", lambda tf, a: tuple(tf.nn.isotonic_regression(a)), {"vector": (distinct(6),), "scalar": (x(),)}, ("float32", "int32"), "row"),
    *variants(
        "ExtractVolumePatches",
        {
            "valid": lambda tf, a: tf.extract_volume_patches(a, [1, 2, 2, 1, 1], [1, 1, 1, 1, 1], "VALID"),
            "same": lambda tf, a: tf.extract_volume_patches(a, [1, 2, 1, 3, 1], [1, 2, 1, 2, 1], "SAME"),
            "batch": lambda tf, a: tf.extract_volume_patches(a, [2, 2, 1, 3, 1], [1, 2, 1, 2, 1], "SAME"),
            "list": lambda tf, a: tf.extract_volume_patches(a, [2, 1, 3], [1, 2, 1, 2, 1], "SAME"),
        },
        {"volume": (x(2, 3, 3, 2, 2),), "rank4": (x(3, 3, 2, 2),)},
        ("float32", "float64", "int32"),
        gradient=True,
    ),
    *variants(
        "UnsortedSegmentJoin",
        {
            "vector": lambda tf, a: tf.strings.unsorted_segment_join(a, [1, 0, 1, 0], 3, separator=":"),
            "beyond": lambda tf, a: tf.strings.unsorted_segment_join(a, [1, 0, 4, 0], 3),
            "negative": lambda tf, a: tf.strings.unsorted_segment_join(a, [1, 0, -1, 0], 3),
            "less": lambda tf, a: tf.strings.unsorted_segment_join(a, [1, 0], -1),
        },
        {"vector": (x(4),), "matrix": (x(4, 2),)},
        STRING,
    ),
    op("collapse_repeated", lambda tf, a: tf.nn.collapse_repeated(a, [4, 2]), {"two": (like([[1, 1, 2, 1], [0, 3, 3, 0]]),)}, ("int32", "int64")),
    op("mdct", lambda tf, a: tf.signal.mdct(a, 8), {"vector": (x(16),), "rows": (x(2, 12),)}, ("float32", "float64"), gradient=True),
    op("mdct", lambda tf, a: tf.signal.mdct(a, 8, None, True, "ortho"), {"vector": (x(18),)}, ("float32",), "padded", gradient=True),
    op("mdct", lambda tf, a: tf.signal.mdct(a, 6), {"vector": (x(18),)}, ("float32",), "length"),
    op("inverse_mdct", lambda tf, a: tf.signal.inverse_mdct(a), {"frames": (x(3, 4),)}, ("float32", "float64"), gradient=True),
    op("inverse_mdct", lambda tf, a: tf.signal.inverse_mdct(a, None, "ortho"), {"frames": (x(3, 4),)}, ("float32",), "plain"),
    *variants(
        "mel_weights",
        {
            "plain": lambda tf: tf.signal.linear_to_mel_weight_matrix(4, 9, 8000, 100.0, 3800.0),
            "double": lambda tf: tf.signal.linear_to_mel_weight_matrix(4, 9, 8000, 100.0, 3800.0, tf.float64),
            "none": lambda tf: tf.signal.linear_to_mel_weight_matrix(0),
            "nyquist": lambda tf: tf.signal.linear_to_mel_weight_matrix(upper_edge_hertz=5000.0),
            "edges": lambda tf: tf.signal.linear_to_mel_weight_matrix(lower_edge_hertz=4000.0),
            "whole": lambda tf: tf.signal.linear_to_mel_weight_matrix(dtype=tf.int32),
        },
        {"": ()},
        NONE,
        rtol={"float32": 1e-4, "float64": 1e-6},
    ),
    op(
        "mfccs",
        lambda tf, a: tf.signal.mfccs_from_log_mel_spectrograms(a),
        {"matrix": (x(2, 4),), "none": (x(2, 0),)},
        ("float32", "float64"),
        gradient=True,
        rtol={"float32": 1e-4, "float64": 1e-6},
    ),
    *variants(
        "RandomIndexShuffle",
        {
            "three": lambda tf, a: tf.random_index_shuffle(a, [5, 9, 3], 9),
            "rounds": lambda tf, a: tf.random_index_shuffle(a, [5, 9, 3], tf.cast(100000, a.dtype), rounds=8),
            "two": lambda tf, a: tf.random.experimental.index_shuffle(a, [5, 9], 99),
            "each": lambda tf, a: tf.random.experimental.index_shuffle(a, [5, 9], [9, 8, 70, 60]),
        },
        {"vector": (like([3, 0, 7, 5]),), "scalar": (like(4),), "beyond": (like([3, 0, 70, 99999]),)},
        ("int32", "int64", "uint32", "uint64"),
    ),
    op(
        "conv",
        lambda tf, a, f: tf.conv(a, f, [1, 2, 1, 1], "SAME", dilations=[1, 1, 1, 1]),
        {"plane": (x(1, 4, 4, 2), x(2, 2, 2, 3)), "rank": (x(1, 4, 2), x(2, 2, 3))},
        ("float32", "float64"),
    ),
    op(
        "conv",
        lambda tf, a, f: tf.conv(a, f, [1] * 4, "EXPLICIT", [0, 0, 1, 1, 0, 2, 0, 0], batch_dims=2),
        {"batches": (x(2, 1, 3, 3, 1), x(2, 2, 1, 2))},
        ("float32",),
        "batches",
    ),
    op(
        "DepthwiseBackpropFilter",
        lambda tf, a, dy: tf.nn.depthwise_conv2d_backprop_filter(a, [2, 2, 2, 1], dy, [1] * 4, "VALID"),
        {"plane": (x(1, 3, 3, 2), x(1, 2, 2, 2))},
        ("float32", "float64"),
    ),
    op(
        "DepthwiseBackpropInput",
        lambda tf, f, dy: tf.nn.depthwise_conv2d_backprop_input([1, 3, 3, 2], f, dy, [1] * 4, "VALID"),
        {"plane": (x(2, 2, 2, 1), x(1, 2, 2, 2))},
        ("float32", "float64"),
    ),
    *CTC,
    *SAMPLERS,
    *EMBEDDINGS,
]  # fmt: skip
