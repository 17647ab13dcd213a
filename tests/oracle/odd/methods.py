"""One ordinary call of what is no function of one object: methods, constructors, control flow, `tf.function` itself.

Each entry makes the function that is called, outside of any trace (which is where a variable may be made), and has its
arguments, each of which is replaced in turn by something odd.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.odd.calls import B, C, I, M, S, V, X
from tests.oracle.under_test import tf

Maker = Callable[[], Callable[..., Any]]
ONE = np.array([1], np.int32)
TWO = np.array([5.0, 6.0], np.float32)
SPLITS = np.array([0, 2, 3], np.int32)
STATE = np.array([1, 2, 3], np.int64)
DELTA = np.array([7.0], np.float32)


def _on(make: Callable[[], Any], method: str) -> Maker:
    """A method of an object that is made first; of a variable also what is in it afterwards."""

    def maker() -> Callable[..., Any]:
        target = make()

        def call(*args: Any, **kwargs: Any) -> Any:
            result = getattr(target, method)(*args, **kwargs)
            return (result, target.read_value()) if isinstance(target, tf.Variable) else result

        return call

    return maker


def _plain(function: Callable[..., Any]) -> Maker:
    return lambda: function


def _variable() -> Any:
    return tf.Variable([0.5, 1.25, 0.75], name="v")


def _generator() -> Any:
    return tf.random.Generator.from_seed(3)


def _slices(method: str) -> Maker:
    """A scatter method, given the parts of its IndexedSlices."""

    def maker() -> Callable[..., Any]:
        variable = _variable()

        def call(values: Any, indices: Any, use_locking: Any = False, name: Any = None) -> Any:
            getattr(variable, method)(tf.IndexedSlices(values, indices), use_locking, name)
            return variable.read_value()

        return call

    return maker


def _array(method: str, *before: Any) -> Maker:
    """A method of a TensorArray with three elements, and what it then holds."""

    def call(*args: Any, **kwargs: Any) -> Any:
        array = tf.TensorArray(tf.float32, 3, clear_after_read=False, element_shape=[]).unstack(tf.constant(V))
        result = getattr(array, method)(*args, **kwargs)
        return result.stack() if isinstance(result, tf.TensorArray) else result

    return _plain(call)


def _made_array(*args: Any, **kwargs: Any) -> Any:
    return tf.TensorArray(*args, **kwargs).write(0, 1.5).stack()


def _split_array(*args: Any, **kwargs: Any) -> Any:
    array = tf.TensorArray(tf.float32, 3, infer_shape=False).split(*args, **kwargs)
    return array.concat()


def _operator(name: str) -> Maker:
    """A linear operator as a matrix."""
    return _plain(lambda *a, **k: getattr(tf.linalg, name)(*a, **k).to_dense())


def _ragged() -> Any:
    return tf.RaggedTensor.from_row_splits(tf.constant([1.0, 2.0, 3.0]), [0, 2, 3])


def _of_ragged(method: str) -> Maker:
    return _plain(lambda *args, **kwargs: getattr(_ragged(), method)(*args, **kwargs))


def _gradient(method: str) -> Maker:
    def call(*args: Any, **kwargs: Any) -> Any:
        x = tf.constant(M)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        return getattr(tape, method)(y, x, *args, **kwargs)

    return _plain(call)


def _gradient_of(target: Any, sources: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(sources)
    return tape.gradient(target, sources)


def _taped(persistent: Any, watch_accessed_variables: Any) -> Any:
    with tf.GradientTape(persistent, watch_accessed_variables) as tape:
        x = tf.constant(2.0)
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def _watched(tensor: Any) -> Any:
    with tf.GradientTape() as tape:
        return tape.watch(tensor)


def _functions(**fixed: Any) -> Maker:
    """`tf.function` with one option, and a call of what it makes."""

    def call(value: Any) -> Any:
        name = next(iter(fixed))
        return tf.function(lambda x: x + 1.0, **{name: value})(tf.constant(V))

    return _plain(call)


def _concrete(*args: Any, **kwargs: Any) -> Any:
    traced = tf.function(lambda x: x + 1.0, autograph=False)
    return traced.get_concrete_function(*args, **kwargs)(tf.constant(V))


def _in_scope(name: Any) -> Any:
    with tf.name_scope(name):
        return tf.constant(1.0) + 1.0


def _after(control_inputs: Any) -> Any:
    with tf.control_dependencies(control_inputs):
        return tf.constant(1.0) + 1.0


def _shaped(shape: Any) -> Any:
    x = tf.constant(M) + 0.0
    x.set_shape(shape)
    return x


def _custom(function: Any) -> Any:
    return tf.custom_gradient(function)(tf.constant(V))


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "r-": lambda x, y: y - x,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "**": lambda x, y: x**y,
    "@": lambda x, y: x @ y,
    "<": lambda x, y: x < y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
}

METHODS: dict[str, tuple[Maker, tuple[Any, ...]]] = {
    # tensors
    **{f"Tensor {sign}": (_plain(apply), (M, M.T.copy() if sign == "@" else V)) for sign, apply in OPERATORS.items()},
    "Tensor &": (_plain(lambda x, y: x & y), (B, B)),
    "Tensor []": (_plain(lambda x, key: x[key]), (M, 1)),
    "Tensor [:]": (_plain(lambda x, start, stop, step: x[start:stop:step]), (M, 0, 2, 1)),
    "Tensor [,]": (_plain(lambda x, first, second: x[first, second]), (M, 1, 2)),
    "Tensor.set_shape": (_plain(_shaped), ([2, 3],)),
    "TensorShape": (_plain(lambda dims: tf.TensorShape(dims).as_list() and 1), ([2, 3],)),
    "TensorSpec": (_plain(lambda *a, **k: tf.TensorSpec(*a, **k).dtype), ([2, 3], "float32", "x")),
    # variables
    "Variable": (
        _plain(
            lambda value, trainable, dtype, shape, **k: tf.Variable(
                value, trainable, dtype=dtype, shape=shape, **k
            ).read_value()
        ),
        (V, True, "float32", [3]),
    ),
    "Variable name": (_plain(lambda name: tf.Variable(1.5, name=name).read_value()), ("a",)),
    "Variable synchronization": (
        _plain(lambda how, then: tf.Variable(1.5, synchronization=how, aggregation=then).read_value()),
        (None, None),
    ),
    "Variable.assign": (_on(_variable, "assign"), (V, False, "a", True)),
    "Variable.assign_add": (_on(_variable, "assign_add"), (V, False, "a", True)),
    "Variable.assign_sub": (_on(_variable, "assign_sub"), (V, False, "a", True)),
    "Variable.sparse_read": (_on(_variable, "sparse_read"), (I, "a")),
    "Variable.gather_nd": (_on(_variable, "gather_nd"), (ONE, "a")),
    "Variable.scatter_nd_add": (_on(_variable, "scatter_nd_add"), ([[1]], DELTA, "a")),
    "Variable.scatter_nd_sub": (_on(_variable, "scatter_nd_sub"), ([[1]], DELTA, "a")),
    "Variable.scatter_nd_update": (_on(_variable, "scatter_nd_update"), ([[1]], DELTA, "a")),
    **{
        f"Variable.scatter_{kind}": (_slices(f"scatter_{kind}"), (DELTA, ONE))
        for kind in ("add", "sub", "max", "min", "mul", "div", "update")
    },
    "Variable.scatter_add whole": (_on(_variable, "scatter_add"), (V,)),
    "Variable.batch_scatter_update": (_slices("batch_scatter_update"), (DELTA, ONE)),
    "Variable []": (_on(_variable, "__getitem__"), (1,)),
    # other structures
    "TensorArray": (_plain(_made_array), ("float32", 1, True, True, "a")),
    "TensorArray element_shape": (
        _plain(lambda infer, shape: _made_array("float32", 1, infer_shape=infer, element_shape=shape)),
        (True, []),
    ),
    "TensorArray.write": (_array("write"), (1, X, "a")),
    "TensorArray.read": (_array("read"), (1, "a")),
    "TensorArray.unstack": (_array("unstack"), (V, "a")),
    "TensorArray.split": (_plain(_split_array), (V, np.array([1, 0, 2], np.int32), "a")),
    "TensorArray.scatter": (_array("scatter"), (I, V, "a")),
    "TensorArray.gather": (_array("gather"), (I, "a")),
    "TensorArray.stack": (_array("stack"), ("a",)),
    "RaggedTensor.from_row_splits": (_plain(lambda *a, **k: tf.RaggedTensor.from_row_splits(*a, **k)), (V, SPLITS)),
    "RaggedTensor.from_value_rowids": (
        _plain(lambda *a, **k: tf.RaggedTensor.from_value_rowids(*a, **k)),
        (V, np.array([0, 0, 1], np.int32), 3),
    ),
    "RaggedTensor.from_row_lengths": (
        _plain(lambda *a, **k: tf.RaggedTensor.from_row_lengths(*a, **k)),
        (V, np.array([2, 1], np.int32)),
    ),
    "RaggedTensor.from_row_starts": (
        _plain(lambda *a, **k: tf.RaggedTensor.from_row_starts(*a, **k)),
        (V, np.array([0, 2], np.int32)),
    ),
    "RaggedTensor.from_row_limits": (
        _plain(lambda *a, **k: tf.RaggedTensor.from_row_limits(*a, **k)),
        (V, np.array([2, 3], np.int32)),
    ),
    "RaggedTensor.from_uniform_row_length": (
        _plain(lambda *a, **k: tf.RaggedTensor.from_uniform_row_length(*a, **k)),
        (V, 3, 1),
    ),
    "RaggedTensor.from_tensor": (_plain(lambda *a, **k: tf.RaggedTensor.from_tensor(*a, **k)), (M, [2, 1], None, 1)),
    "RaggedTensor.to_tensor": (_of_ragged("to_tensor"), (X, None, [2, 3])),
    "RaggedTensor.bounding_shape": (_of_ragged("bounding_shape"), (1, None, "int32")),
    "RaggedTensor.merge_dims": (_of_ragged("merge_dims"), (0, 1)),
    "RaggedTensor.row_lengths": (_of_ragged("row_lengths"), (1, "a")),
    "RaggedTensor.with_values": (_of_ragged("with_values"), (V,)),
    "RaggedTensor []": (_of_ragged("__getitem__"), (1,)),
    "RaggedTensor +": (_of_ragged("__add__"), (X,)),
    "ragged.constant": (_plain(lambda *a, **k: tf.ragged.constant(*a, **k)), ([[1, 2], [3]], "int32", 1, None)),
    "ragged.range": (_plain(lambda *a, **k: tf.ragged.range(*a, **k)), (I, I + 2, 1)),
    "SparseTensor": (
        _plain(lambda *a, **k: tf.sparse.to_dense(tf.SparseTensor(*a, **k))),
        ([[0, 1], [1, 0]], TWO, [2, 3]),
    ),
    "IndexedSlices": (
        _plain(lambda *a, **k: tf.convert_to_tensor(tf.IndexedSlices(*a, **k))),
        (DELTA, ONE, np.array([3], np.int32)),
    ),
    # gradients
    "GradientTape": (_plain(_taped), (True, True)),
    "GradientTape.watch": (_plain(_watched), (V,)),
    "GradientTape.gradient": (_gradient("gradient"), (M, "none")),
    "GradientTape.gradient of": (_plain(_gradient_of), (V, V)),
    "GradientTape.jacobian": (_gradient("jacobian"), ("none", None, True)),
    "GradientTape.batch_jacobian": (_gradient("batch_jacobian"), ("none", None, True)),
    "custom_gradient": (_plain(_custom), (lambda x: (x * 2.0, lambda dy: dy * 3.0),)),
    # linear operators
    "LinearOperatorFullMatrix": (_operator("LinearOperatorFullMatrix"), (S, True, True, True, True, "a")),
    "LinearOperatorDiag": (_operator("LinearOperatorDiag"), (V, True, True, True, True, "a")),
    "LinearOperatorIdentity": (
        _operator("LinearOperatorIdentity"),
        (2, [1], "float32", True, True, True, True, True, "a"),
    ),
    "LinearOperatorScaledIdentity": (_operator("LinearOperatorScaledIdentity"), (2, X, True, True, True, True, "a")),
    "LinearOperatorZeros": (
        _operator("LinearOperatorZeros"),
        (2, 3, None, "float32", False, False, False, False, "a"),
    ),
    "LinearOperatorLowerTriangular": (
        _operator("LinearOperatorLowerTriangular"),
        (S, True, None, None, None, "a"),
    ),
    "LinearOperatorTridiag": (
        _operator("LinearOperatorTridiag"),
        (np.ones((3, 3), np.float32), "compact", True, True, None, None, "a"),
    ),
    "LinearOperatorCirculant": (_operator("LinearOperatorCirculant"), (C, "complex64", True, None, None, None, "a")),
    "LinearOperatorToeplitz": (_operator("LinearOperatorToeplitz"), (V, V, True, None, None, None, "a")),
    "LinearOperatorHouseholder": (_operator("LinearOperatorHouseholder"), (V, None, True, None, True, "a")),
    "LinearOperatorPermutation": (
        _operator("LinearOperatorPermutation"),
        (I, "float32", True, None, None, True, "a"),
    ),
    # generators
    "Generator.from_seed": (
        _plain(lambda *a, **k: tf.random.Generator.from_seed(*a, **k).state),
        (1, "philox"),
    ),
    "Generator.from_state": (_plain(lambda *a, **k: tf.random.Generator.from_state(*a, **k).state), (STATE, 1)),
    "Generator.from_key_counter": (
        _plain(lambda *a, **k: tf.random.Generator.from_key_counter(*a, **k).state),
        (3, [1, 2], 1),
    ),
    "Generator": (
        _plain(lambda copy, state, alg: tf.random.Generator(copy, state, alg).state),
        (None, STATE, 1),
    ),
    "Generator.normal": (_on(_generator, "normal"), ([2, 3], 0.0, 1.0, "float32", "a")),
    "Generator.truncated_normal": (_on(_generator, "truncated_normal"), ([2, 3], 0.0, 1.0, "float32", "a")),
    "Generator.uniform": (_on(_generator, "uniform"), ([2, 3], 0, 5, "int32", "a")),
    "Generator.uniform_full_int": (_on(_generator, "uniform_full_int"), ([2, 3], "uint64", "a")),
    "Generator.binomial": (_on(_generator, "binomial"), ([2, 3], V, 0.5, "int32", "a")),
    "Generator.make_seeds": (_on(_generator, "make_seeds"), (2,)),
    "Generator.skip": (_on(_generator, "skip"), (3,)),
    "Generator.split": (_on(_generator, "split"), (2,)),
    "Generator.reset": (_on(_generator, "reset"), (STATE,)),
    "Generator.reset_from_seed": (_on(_generator, "reset_from_seed"), (5,)),
    "Generator.reset_from_key_counter": (_on(_generator, "reset_from_key_counter"), (3, [1, 2])),
    "random.get_global_generator": (_plain(lambda: tf.random.get_global_generator() is not None), ()),
    # functions and control flow
    "function func": (_plain(lambda func: tf.function(func)(tf.constant(V))), (abs,)),
    "function input_signature": (_functions(input_signature=None), (None,)),
    "function autograph": (_functions(autograph=None), (False,)),
    "function reduce_retracing": (_functions(reduce_retracing=None), (True,)),
    "function.get_concrete_function": (_plain(_concrete), (V,)),
    "tf.cond": (_plain(lambda *a, **k: tf.cond(*a, **k)), (np.bool_(True), lambda: 1.0, lambda: 2.0, "a")),
    "case": (
        _plain(lambda pairs, default, exclusive, strict: tf.case(pairs, default, exclusive, strict)),
        ([(tf.constant(True), lambda: 1.0)], lambda: 2.0, False, False),
    ),
    "switch_case": (
        _plain(lambda *a, **k: tf.switch_case(*a, **k)),
        (ONE[0], [lambda: 1.0, lambda: 2.0], lambda: 3.0, "a"),
    ),
    "while_loop": (
        _plain(lambda *a, **k: tf.while_loop(*a, **k)),
        (lambda i: i < 3, lambda i: (i + 1,), (ONE[0],), None, 10, True, False, 7, "a"),
    ),
    "map_fn": (
        _plain(lambda *a, **k: tf.map_fn(*a, **k)),
        (abs, V, None, None, True, False, True, "a", "float32"),
    ),
    "scan": (
        _plain(lambda *a, **k: tf.scan(*a, **k)),
        (lambda a, x: a + x, V, X, 10, True, False, True, False, "a"),
    ),
    "foldl": (_plain(lambda *a, **k: tf.foldl(*a, **k)), (lambda a, x: a + x, V, X, 10, True, False, "a")),
    "foldr": (_plain(lambda *a, **k: tf.foldr(*a, **k)), (lambda a, x: a + x, V, X, 10, True, False, "a")),
    "py_function": (_plain(lambda *a, **k: tf.py_function(*a, **k)), (abs, [V], "float32", "a")),
    "numpy_function": (_plain(lambda *a, **k: tf.numpy_function(*a, **k)), (abs, [V], "float32", True, "a")),
    "name_scope": (_plain(_in_scope), ("a",)),
    "control_dependencies": (_plain(_after), ([V],)),
    "group": (_plain(lambda *a, **k: tf.group(*a, **k)), (V, V)),
    "tuple": (_plain(lambda *a, **k: tf.tuple(*a, **k)), ([V, V], None, "a")),
    "no_op": (_plain(lambda *a, **k: tf.no_op(*a, **k)), ("a",)),
}
