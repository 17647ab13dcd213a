"""Variables and modules."""

from __future__ import annotations

import copy
import inspect
import pickle
import threading
from typing import Any, NamedTuple

import numpy as np
import pytest

import graphlab as tf

# expression on a fresh v = tf.Variable([1., 2.]) → repr, as TensorFlow 2.21 gives it
REPRS = [
    ("v", "<tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"),
    ("v.assign([3., 4.])", "<tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([3., 4.], dtype=float32)>"),
    ("v.assign_sub([1., 1.])", "<tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([0., 1.], dtype=float32)>"),
    ("v[0]", "<tf.Tensor: shape=(), dtype=float32, numpy=1.0>"),
    ("v[1:].assign([9.])", "<tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([1., 9.], dtype=float32)>"),
    ("v + 1", "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 3.], dtype=float32)>"),
    ("2 * v", "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>"),
    ("v == v", "<tf.Tensor: shape=(2,), dtype=bool, numpy=array([ True,  True])>"),
    ("v.shape", "TensorShape([2])"),
    ("v.dtype", "tf.float32"),
    ("v.assign([1., 1.], read_value=False)", "None"),
    ("v.is_initialized()", "<tf.Tensor: shape=(), dtype=bool, numpy=True>"),
    ("tf.Variable(3, name='w')", "<tf.Variable 'w:0' shape=() dtype=int32, numpy=3>"),
    ("tf.Variable('a')", "<tf.Variable 'Variable:0' shape=() dtype=string, numpy=b'a'>"),
    ("tf.Variable(lambda: tf.ones(1))", "<tf.Variable 'Variable:0' shape=(1,) dtype=float32, numpy=array([1.], dtype=float32)>"),
    ("tf.Variable(1.0, shape=tf.TensorShape(None))", "<tf.Variable 'Variable:0' shape=<unknown> dtype=float32, numpy=1.0>"),
    ("v.scatter_nd_update([[0]], [5.])", "<tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([5., 2.], dtype=float32)>"),
    ("v.scatter_add(tf.IndexedSlices([7.], [1]))", "<tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([1., 9.], dtype=float32)>"),
    ("v.sparse_read([1])", "<tf.Tensor: shape=(1,), dtype=float32, numpy=array([2.], dtype=float32)>"),
    ("np.asarray(v).tolist()", "[1.0, 2.0]"),
    ("[float(x) for x in v]", "[1.0, 2.0]"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "expected"), REPRS, ids=[r[0] for r in REPRS])
def test_repr(expression: str, expected: str) -> None:
    v = tf.Variable([1.0, 2.0])
    assert repr(eval(expression, {"v": v, "tf": tf, "np": np})) == expected


ERRORS = [
    ("v.assign([1.])", ValueError, "Shape mismatch"),
    ("v.assign(['a'])", TypeError, "float32"),
    ("v.assign(tf.constant([1, 2]))", ValueError, "int32"),
    ("v.assign_add(1.)", tf.errors.InvalidArgumentError, "does not broadcast"),
    ("tf.Variable()", ValueError, "initial value"),
    ("hash(v)", TypeError, "ref()"),
    ("len(v)", TypeError, "len"),
    ("tf.convert_to_tensor(v, tf.int32)", ValueError, "int32"),
    ("v.scatter_add([1.])", TypeError, "IndexedSlices"),
    ("v.scatter_nd_update([[7]], [5.])", tf.errors.InvalidArgumentError, "7"),
    ("v.op", AttributeError, "eager"),
]


@pytest.mark.parametrize(("expression", "kind", "words"), ERRORS, ids=[e[0] for e in ERRORS])
def test_errors(expression: str, kind: type[Exception], words: str) -> None:
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(kind, match=words):
        eval(expression, {"v": v, "tf": tf})
    assert v.numpy().tolist() == [1.0, 2.0]


def test_tensors_read_earlier_keep_their_values() -> None:
    v = tf.Variable([1.0, 2.0])
    before = v.value()
    for change in (lambda: v.assign_add([1.0, 1.0]), lambda: v[0].assign(5.0), lambda: v.scatter_nd_add([[0]], [1.0])):
        change()
    assert before.numpy().tolist() == [1.0, 2.0]
    assert v.numpy().tolist() == [6.0, 3.0]


def test_numpy_gives_an_array_of_the_callers_own() -> None:
    v = tf.Variable([1.0, 2.0])
    array = v.numpy()
    array[0] = 100.0
    assert v.numpy().tolist() == [1.0, 2.0]


def test_the_initial_array_is_copied() -> None:
    array = np.ones(2, np.float32)
    v = tf.Variable(array)
    array[0] = 5.0
    assert v.numpy().tolist() == [1.0, 1.0]


def test_copies_and_pickles_are_new_variables() -> None:
    v = tf.Variable([1.0], name="w")
    for twin in (copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        twin.assign([2.0])
        assert (twin.name, float(v[0])) == ("w:0", 1.0)


def test_concurrent_updates_are_not_lost() -> None:
    v = tf.Variable(0)
    f = tf.function(lambda: v.assign_add(1, read_value=False) and None)
    f()

    def work() -> None:
        for _ in range(200):
            f()
            v.assign_add(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert int(v) == 1 + 4 * 400


class Inner(tf.Module):
    def __init__(self) -> None:
        super().__init__(name="inner")
        self.w = tf.Variable(1.0, name="w")


class Outer(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.z = tf.Variable(0, name="z", trainable=False)
        self.parts = [Inner(), {"k": tf.Variable(2.0, name="k")}]

    @tf.Module.with_name_scope
    def build(self) -> Any:
        self.made = tf.Variable(3.0, name="made")
        return self.made.name


def test_modules_find_their_variables() -> None:
    module = Outer()
    assert module.name == "outer"
    assert module.build() == "outer/made:0"
    assert [v.name for v in module.variables] == ["outer/made:0", "k:0", "z:0", "w:0"]
    assert [v.name for v in module.trainable_variables] == ["outer/made:0", "k:0", "w:0"]
    assert [m.name for m in module.submodules] == ["inner"]
    with pytest.raises(ValueError, match="identifier"):
        tf.Module(name="two words")


def test_creators_see_how_variables_are_made() -> None:
    seen = []

    def outer(next_creator: Any, **kwargs: Any) -> Any:
        seen.append(("outer", kwargs["initial_value"], kwargs["name"]))
        return next_creator(**kwargs)

    def inner(next_creator: Any, **kwargs: Any) -> Any:
        seen.append(("inner", kwargs["initial_value"], kwargs["trainable"]))
        return next_creator(**{**kwargs, "initial_value": 7.0, "name": "seven"})

    class Own(tf.Variable):
        """A class of one's own is made as it says."""

    with tf.variable_creator_scope(outer):
        with tf.variable_creator_scope(inner):
            v = tf.Variable(2.0, False)
            Own(1.0)
        w = tf.Variable(3.0, name="w")
    tf.Variable(4.0)
    assert seen == [("inner", 2.0, False), ("outer", 7.0, "seven"), ("outer", 3.0, "w")]
    assert (v.name, float(v), v.trainable) == ("seven:0", 7.0, False)
    assert float(w) == 3.0


def test_the_signature_is_that_of_the_arguments() -> None:
    assert [*inspect.signature(tf.Variable).parameters][:3] == ["initial_value", "trainable", "validate_shape"]


def test_a_creator_may_give_another_object_or_fail() -> None:
    one = tf.Variable(1.0)
    with tf.variable_creator_scope(lambda next_creator, **kwargs: one):
        assert tf.Variable(2.0) is one

    def fails(next_creator: Any, **kwargs: Any) -> Any:
        raise KeyError("no variables here")

    with pytest.raises(KeyError), tf.variable_creator_scope(fails):
        tf.Variable(2.0)
    assert float(tf.Variable(2.0)) == 2.0


def test_creators_of_a_scope_around_a_traced_function() -> None:
    made: list[Any] = []

    @tf.function
    def f() -> Any:
        if not made:
            made.append(tf.Variable(3.0))
        return made[0] + 1.0

    with tf.variable_creator_scope(lambda make, **kwargs: make(**{**kwargs, "initial_value": 5.0})):
        assert float(f()) == 6.0
    assert float(f()) == 6.0


@pytest.mark.parametrize("method", ["DEFAULT", "ADD_N", "EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N"])
def test_every_aggregation_method_gives_the_same(method: str) -> None:
    @tf.function
    def f(x: Any) -> Any:
        y = x * 2.0
        return tf.gradients(y + y * y, [x], aggregation_method=getattr(tf.AggregationMethod, method))

    assert float(f(tf.constant(1.0))[0]) == 10.0


def test_an_aggregation_method_that_is_none() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.gradients(x * 2.0, [x], aggregation_method=3)

    with pytest.raises(ValueError, match="AggregationMethod"):
        f(tf.constant(1.0))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"])
def test_a_read_is_on_the_tape_whatever_the_dtype(dtype: str) -> None:
    v: Any = tf.Variable([1, 2], dtype=dtype)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v)
    gradient = tape.gradient(y, v)
    assert gradient.dtype == dtype
    assert gradient.numpy().tolist() == [2, 4]


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
@pytest.mark.parametrize(
    ("shape", "indices", "values", "expected"),
    [
        ([2, 3], [[0, 1], [2, 0]], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0, 0.0], [4.0, 0.0, 3.0]]),
        ([3], [1], [7.0], [0.0, 7.0, 0.0]),
        ([2, 2, 1], [[0], [1]], [[[1.0]], [[3.0]]], [[[1.0], [0.0]], [[0.0], [3.0]]]),
    ],
)
def test_batch_scatter_update(shape, indices, values, expected, traced):
    v = tf.Variable(tf.zeros(shape))

    def update(values, indices):
        v.batch_scatter_update(tf.IndexedSlices(values, indices))

    (tf.function(update) if traced else update)(tf.constant(values), tf.constant(indices))
    assert v.numpy().tolist() == expected


def test_paths_of_what_a_module_holds_lead_to_every_leaf() -> None:
    class Pair(NamedTuple):
        u: Any
        v: Any

    class Holder(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.many = {"k": tf.Variable(1.0), "n": [tf.Variable(2.0), {"z": tf.Variable(3.0)}]}
            self.both = Pair(tf.Variable(4.0), tf.Variable(5.0))
            self.inner = [Inner()]
            self.hidden = {Inner()}  # a set is a leaf

    found = dict(Holder()._flatten(with_path=True, predicate=lambda o: isinstance(o, (tf.Variable, tf.Module))))
    own = {("many", "k"), ("many", "n", 0), ("many", "n", 1, "z"), ("both", "u"), ("both", "v"), ("inner", 0)}
    assert {path for path in found if path[0] != "inner" or len(path) == 2} == own
    assert all(path[:2] == ("inner", 0) for path in set(found) - own)

    odd = tf.Module()
    odd.mixed = {1: tf.Variable(1.0), "x": tf.Variable(2.0)}
    with pytest.raises(ValueError, match="Error processing property 'mixed'"):
        _ = odd.variables
