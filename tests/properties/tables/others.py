"""Sparse tensors, random numbers, ragged tensors, lists of tensors; and the ops that have no entry, with the reason."""

import numpy as np

import graphlab as tf
from tests.properties.drawing import positive, real, share, whole
from tests.properties.entry import ANY, NONE, NUMBERS, WIDE, entry, raw

# Places in a 3×4 matrix, in order.
PLACES = np.array([[0, 1], [1, 0], [2, 3]], np.int64)
OTHER_PLACES = np.array([[0, 1], [1, 2], [2, 3]], np.int64)
SIZES = np.array([3, 4], np.int64)


def sparse(values, places=PLACES):
    return tf.SparseTensor(places, values, SIZES)


SPARSE = [
    entry("SparseAdd", lambda x, y: tf.sparse.add(sparse(x), sparse(y, OTHER_PLACES)).values, "3, 3", dtypes=WIDE, by_value=True),
    entry("SparseTensorDenseAdd", lambda x, y: tf.sparse.add(sparse(x), y), "3, 34", dtypes=WIDE),
    entry("SparseTensorDenseMatMul", lambda x, y: tf.sparse.sparse_dense_matmul(sparse(x), y), "3, 4a", dtypes=WIDE),
    entry("SparseDenseCwiseMul", lambda x, y: (sparse(x) * y).values, "3, 34", dtypes=WIDE, order=0, reason="is differentiated in tests/ops/test_sparse.py"),
    entry("SparseDenseCwiseDiv", lambda x, y: (sparse(x) / y).values, "3, 34", real, positive, dtypes=WIDE, order=0, reason="is differentiated in tests/ops/test_sparse.py"),
    entry("SparseReorder", lambda x: tf.sparse.reorder(sparse(x, OTHER_PLACES[::-1])).values, "3", dtypes=NUMBERS),
    entry("SparseReshape", lambda x: tf.sparse.reshape(sparse(x), [2, 6]).indices, "3", dtypes=WIDE),
    entry("SparseConcat", lambda x, y: tf.sparse.concat(1, [sparse(x), sparse(y)]).indices, "3, 3", dtypes=WIDE),
    entry("SparseSlice", lambda x: tf.sparse.slice(sparse(x), [1, 0], [2, 4]).values, "3", dtypes=WIDE, by_value=True),
    entry("SparseSplit", lambda x: [s.values for s in tf.sparse.split(sparse(x), 2, 1)], "3", dtypes=WIDE, by_value=True),
    entry("SparseSoftmax", lambda x: tf.sparse.softmax(sparse(x)).values, "3", dtypes=WIDE),
    entry("SparseToDense", lambda x: tf.sparse.to_dense(sparse(x), default_value=tf.cast(2, x.dtype)), "3", dtypes=NUMBERS),
    entry("SparseFillEmptyRows", lambda x: tf.sparse.fill_empty_rows(tf.SparseTensor(PLACES[:2], x, SIZES), tf.cast(1, x.dtype))[0].values, "2", dtypes=WIDE, by_value=True),
    entry("SparseReduceSum", lambda x: tf.sparse.reduce_sum(sparse(x), 1), "3", dtypes=WIDE, by_value=True),
    entry("SparseReduceSumSparse", lambda x: tf.sparse.reduce_sum(sparse(x), 1, output_is_sparse=True).values, "3", dtypes=WIDE, by_value=True),
    entry("SparseReduceMax", lambda x: tf.sparse.reduce_max(sparse(x), 0), "3", dtypes=WIDE, by_value=True),
    entry("SparseReduceMaxSparse", lambda x: tf.sparse.reduce_max(sparse(x), 0, output_is_sparse=True).values, "3", dtypes=WIDE, by_value=True),
    entry("SparseCrossV2", lambda x: tf.sparse.cross([sparse(x), x[None] + tf.zeros([2, 1], x.dtype)]).values, "3", whole(0, 9), dtypes=("int64", "int32"), by_value=True),
    entry("SparseCross", lambda x: tf.sparse.cross_hashed([sparse(x), tf.constant([[1], [2]])], 1000).values, "3", whole(0, 9), dtypes=("int64",), by_value=True),
    entry("RaggedCross", lambda x: tf.ragged.cross([tf.RaggedTensor.from_row_lengths(x, [2, 0, 1]), [[1], [2], [3]]]).values, "3", whole(0, 9), dtypes=("int64",), by_value=True),
    entry("DenseCountSparseOutput", lambda x: tf.sparse.bincount(x, axis=-1).values, "a", whole(0, 9), dtypes=("int64", "int32"), by_value=True),
    entry("SparseCountSparseOutput", lambda x: tf.sparse.bincount(sparse(x), axis=-1).values, "3", whole(0, 9), dtypes=("int64", "int32"), by_value=True),
    entry("RaggedCountSparseOutput", lambda x: tf.sparse.bincount(tf.RaggedTensor.from_row_lengths(x, [2, 0, 1]), axis=-1).values, "3", whole(0, 9), dtypes=("int64", "int32"), by_value=True),
    entry("RaggedFillEmptyRows", lambda x, d: tf.ragged_fill_empty_rows(tf.constant([0, 0, 2], tf.int64), x, 4, d[0])[1], "3, 1", dtypes=WIDE, by_value=True),
    entry("RaggedFillEmptyRowsGrad", lambda x: tf.ragged_fill_empty_rows_grad(tf.constant([0, 2], tf.int64), x), "3", dtypes=WIDE, order=0),
    entry("SparseSparseMaximum", lambda x, y: tf.sparse.maximum(sparse(x), sparse(y, OTHER_PLACES)).values, "3, 3", dtypes=WIDE, by_value=True),
    entry("SparseSparseMinimum", lambda x, y: tf.sparse.minimum(sparse(x), sparse(y, OTHER_PLACES)).values, "3, 3", dtypes=WIDE, by_value=True),
    entry("RaggedTensorToTensor", lambda x: tf.RaggedTensor.from_row_lengths(x, [2, 0, 1]).to_tensor(tf.cast(5, x.dtype)), "3a", dtypes=WIDE, by_value=True),
]  # fmt: skip

SEED = [1, 2]

RANDOM = [
    *[
        entry(op, lambda x, call=call: call(tf.shape(x)), "abc", dtypes=NONE, random=True)
        for op, call in (
            ("RandomStandardNormal", tf.random.normal),
            ("RandomUniform", tf.random.uniform),
            ("RandomUniformInt", lambda s: tf.random.uniform(s, 0, 9, tf.int32)),
            ("TruncatedNormal", tf.random.truncated_normal),
            ("StatelessRandomNormalV2", lambda s: tf.random.stateless_normal(s, SEED)),
            ("StatelessRandomUniformV2", lambda s: tf.random.stateless_uniform(s, SEED)),
            ("StatelessRandomUniformIntV2", lambda s: tf.random.stateless_uniform(s, SEED, 0, 9, tf.int32)),
            ("StatelessRandomUniformFullIntV2", lambda s: tf.random.stateless_uniform(s, SEED, None, None, tf.uint32)),
            ("StatelessTruncatedNormalV2", lambda s: tf.random.stateless_truncated_normal(s, SEED)),
        )
    ],
    entry("RandomShuffle", tf.random.shuffle, "abc", dtypes=ANY, random=True),
    entry("StatelessShuffle", lambda x: tf.random.experimental.stateless_shuffle(x, SEED), "abc", dtypes=ANY),
    entry("RandomGamma", lambda x: tf.random.gamma([2], x), "ab", positive, dtypes=WIDE, random=True, order=0),
    entry("RandomPoissonV2", lambda x: tf.random.poisson([2], x), "ab", positive, dtypes=WIDE, random=True, order=0),
    entry("Multinomial", lambda x: tf.random.categorical(x, 3), "aB", dtypes=WIDE, random=True),
    entry("StatelessMultinomial", lambda x: tf.random.stateless_categorical(x, 3, SEED), "aB", dtypes=WIDE),
    entry("StatelessRandomGammaV3", lambda x: tf.random.stateless_gamma(tf.concat([[2], tf.shape(x)], 0), SEED, x), "ab", positive, dtypes=WIDE, order=0),
    entry("StatelessRandomPoisson", lambda x: tf.random.stateless_poisson(tf.concat([[2], tf.shape(x)], 0), SEED, x), "ab", positive, dtypes=WIDE, order=0),
    entry("StatelessRandomBinomial", lambda x, p: tf.random.stateless_binomial(tf.shape(x), SEED, x, p), "ab, ab", positive, share, dtypes=WIDE, order=0),
    entry("StatelessParameterizedTruncatedNormal", lambda x, y: tf.random.stateless_parameterized_truncated_normal(tf.concat([[2], tf.shape(x)], 0), SEED, x, minvals=x - y, maxvals=x + 1), "ab, ab", real, positive, dtypes=WIDE, order=0, reason="numbers are accepted or not, so that they jump where their gradient says how quantiles move"),
    entry("StatelessRandomGetKeyCounter", raw("StatelessRandomGetKeyCounter"), "2", whole(0, 99), dtypes=NONE),
    entry("SobolSample", lambda x: tf.math.sobol_sample(3, 1 + tf.size(x), 5), "ab", dtypes=NONE, by_value=True),
    entry("StatelessRandomGetAlg", raw("StatelessRandomGetAlg", lambda x: ()), "a", dtypes=NONE),
]  # fmt: skip


def pushed(x, *more):
    """A list of tensors in which x was put."""
    empty = raw("EmptyTensorList", element_dtype=x.dtype)(tf.constant([2], tf.int32), tf.constant(-1))
    for item in (x, *more):
        empty = raw("TensorListPushBack")(empty, item)
    return empty


def stacked(handle, x):
    return raw("TensorListStack", element_dtype=x.dtype)(handle, tf.constant([2], tf.int32))


def reserved(x):
    return raw("TensorListReserve", element_dtype=x.dtype)(tf.constant([2], tf.int32), tf.constant(3))


def popped(x):
    return raw("TensorListPopBack", element_dtype=x.dtype)(pushed(x * 2.0, x * x), tf.constant([2], tf.int32))[1]


def item(x):
    handle = raw("TensorListFromTensor")(x * x, tf.constant([2], tf.int32))
    return raw("TensorListGetItem", element_dtype=x.dtype)(handle, tf.constant(1), tf.constant([2], tf.int32))


LISTS = [
    entry("TensorListPushBack", lambda x, y: stacked(pushed(x * x, y), x), "2, 2", dtypes=WIDE, by_value=True),
    entry("EmptyTensorList", lambda x: stacked(pushed(x), x), "2", dtypes=WIDE, by_value=True),
    entry("TensorListStack", lambda x, y: stacked(pushed(x, y), x), "2, 2", dtypes=WIDE, by_value=True),
    entry("TensorListPopBack", popped, "2", dtypes=WIDE),
    entry("TensorListGetItem", item, "32", dtypes=WIDE),
    entry("TensorListFromTensor", lambda x: stacked(raw("TensorListFromTensor")(x * x, tf.constant([2], tf.int32)), x), "a2", dtypes=WIDE, by_value=True),
    entry("TensorListReserve", lambda x: stacked(raw("TensorListSetItem")(reserved(x), tf.constant(1), x * x), x), "2", dtypes=WIDE, by_value=True),
    entry("TensorListResize", lambda x: stacked(raw("TensorListResize")(pushed(x, x * x, x), tf.constant(2)), x), "2", dtypes=WIDE, by_value=True),
    entry("TensorListSetItem", lambda x: stacked(raw("TensorListSetItem")(pushed(x, x), tf.constant(1), x * x), x), "2", dtypes=WIDE, by_value=True),
    entry("TensorListLength", lambda x: raw("TensorListLength")(pushed(x, x)), "2", dtypes=WIDE),
    entry("TensorListAdd", lambda x: stacked(raw("TensorListAdd")(pushed(x), pushed(x * x)), x), "2", dtypes=WIDE, by_value=True),
    entry("TensorListZerosLike", lambda x: stacked(raw("TensorListZerosLike")(pushed(x)), x), "2", dtypes=WIDE, by_value=True),
]  # fmt: skip

PLAIN = [
    entry("Assert", lambda x: [tf.debugging.Assert(tf.reduce_all(x < 9.0), [x]), tf.identity(x)][1], "ab", dtypes=WIDE),
    entry("PreventGradient", raw("PreventGradient"), dtypes=WIDE, order=0, reason="its gradient is an error, by intent"),
    entry("NoOp", lambda x: [tf.group(), tf.identity(x)][1], dtypes=WIDE),
    entry("PyFunc", lambda x: tf.numpy_function(lambda a: a * 2.0, [x], x.dtype), dtypes=WIDE, by_value=True),
    entry("OptionalFromValue", lambda x: tf.experimental.Optional.from_value(x * x).get_value(), dtypes=WIDE),
    entry("OptionalGetValue", lambda x: tf.experimental.Optional.from_value(x * x * x).get_value(), dtypes=WIDE),
    entry("EagerPyFunc", lambda x: tf.py_function(lambda a: a * a * a, [x], x.dtype), dtypes=WIDE, by_value=True, order=1, reason="TensorFlow has no gradient of its gradient"),
    entry("Const", lambda x: x + tf.cast(tf.constant(2.0), x.dtype), dtypes=WIDE),
    entry("Placeholder", tf.identity, dtypes=WIDE),
    entry("PartitionedCall", tf.function(lambda x: x * x * x, autograph=False), dtypes=WIDE),
]  # fmt: skip

ENTRIES = [*SPARSE, *RANDOM, *LISTS, *PLAIN]

_VARIABLES = "reads or writes a variable: tests/eager/test_variable.py"
_PRINTS = "prints: tests/ops/test_printing.py"
_GENERATOR = "moves a generator on: tests/ops/test_random.py"

# Ops without an entry: their effect, not their value, is what they are for.
WITHOUT_ENTRY = {
    **dict.fromkeys(
        ("ReadVariableOp", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp", "ResourceGather", "VariableShape",
         "ResourceStridedSliceAssign", "VarIsInitializedOp"),
        _VARIABLES,
    ),
    **dict.fromkeys(("RngReadAndSkip", "StatefulRandomBinomial"), _GENERATOR),
    "PrintV2": _PRINTS,
    "RaggedFormat": "makes text: tests/ops/test_printing.py",
    **dict.fromkeys(("TensorListSplit", "TensorListConcatV2"), "are TensorArray.split and concat: tests/control"),
    "Timestamp": "gives the time",
    "StatefulPartitionedCall": "is PartitionedCall with effects: tests/compile, tests/tracing",
    "CheckNumericsV2": "is put in by tf.debugging.enable_check_numerics: tests/ops/test_check_numerics.py",
    "FakeParam": "stands for what a branch does not save: tests/control",
    **dict.fromkeys(("IndexAt", "PutBack"), "is made by a pass of the compiler: tests/compile/test_passes.py"),
    **dict.fromkeys(("MutexLock", "ConsumeMutexLock"), "is a part of a critical section: tests/control"),
    **dict.fromkeys(("OptionalHasValue", "OptionalNone"), "tell that nothing is there: tests/oracle/programs"),
    "BatchFunction": "runs calls of several threads together: tests/control/test_batching.py",
    "EagerPyFuncGrad": "is the gradient of EagerPyFunc, tested with it",
}  # fmt: skip
