"""Specs: what TensorFlow answers about tensors, variables, indexed slices, and specs of a user's own."""

import pickle

import numpy as np
import pytest

import graphlab as tf
from graphlab.core.specs import CompositeTensor, VariableSpec

T, R, V = tf.TensorSpec, tf.IndexedSlicesSpec, VariableSpec

# expression, what TensorFlow 2.21 answers (its repr, or the class of the error)
RECORDED = [
    ("T([2], tf.float32, 'x')", "TensorSpec(shape=(2,), dtype=tf.float32, name='x')"),
    ("T(None)", "TensorSpec(shape=<unknown>, dtype=tf.float32, name=None)"),
    ("T([None, 2], 'int32')", "TensorSpec(shape=(None, 2), dtype=tf.int32, name=None)"),
    ("T(3, float)", "TensorSpec(shape=(3,), dtype=tf.float32, name=None)"),
    ("T()", "TypeError"),
    ("T('a')", "TypeError"),
    ("T([2], 'foo')", "TypeError"),
    ("T([2], name='a') == T([2], name='b')", "False"),
    ("T(shape=[2], dtype=tf.int32) == T([2], tf.int32)", "True"),
    ("T([2]) == tf.constant([1., 2.])", "False"),
    ("T([2]) != T([3])", "True"),
    ("hash(T([2], name='a')) == hash(T([2], name='b'))", "True"),
    ("T([2]).shape, T([2]).dtype, T([2]).name", "(TensorShape([2]), tf.float32, None)"),
    ("T([2]).value_type is tf.Tensor", "True"),
    ("T.from_tensor(tf.constant([1., 2.]))", "TensorSpec(shape=(2,), dtype=tf.float32, name=None)"),
    ("T.from_tensor(tf.constant([1., 2.]), 'n')", "TensorSpec(shape=(2,), dtype=tf.float32, name='n')"),
    ("T.from_tensor([1])", "ValueError"),
    ("T.from_tensor(np.zeros(2))", "ValueError"),
    ("T.from_spec(T([2], name='q'), 'w')", "TensorSpec(shape=(2,), dtype=tf.float32, name='w')"),
    ("T.from_spec(T([2], name='q'))", "TensorSpec(shape=(2,), dtype=tf.float32, name='q')"),
    ("T.from_spec([1])", "AttributeError"),
    ("T([2]).is_compatible_with(tf.constant([1., 2.]))", "True"),
    ("T([2]).is_compatible_with(tf.constant([1., 2., 3.]))", "False"),
    ("T([2]).is_compatible_with(np.zeros(2, 'f4'))", "False"),
    ("T([2]).is_compatible_with(None)", "False"),
    ("T([2]).is_compatible_with(T([None]))", "True"),
    ("T([2]).is_compatible_with(T([2], tf.int32))", "False"),
    ("T([2], name='x').is_compatible_with(T([2], name='y'))", "True"),
    ("T([2]).is_subtype_of(T([None]))", "True"),
    ("T([2]).is_subtype_of(T([2], name='z'))", "False"),
    ("T([2], name='z').is_subtype_of(T([2]))", "True"),
    ("T([2], name='z').is_subtype_of(T([2], name='y'))", "False"),
    ("T([2]).is_subtype_of(T([3]))", "False"),
    ("T([2]).is_subtype_of(None)", "False"),
    ("T([2]).most_specific_common_supertype([T([3])])", "TensorSpec(shape=(None,), dtype=tf.float32, name=None)"),
    ("T([2], name='x').most_specific_common_supertype([T([3], name='y')])", "None"),
    ("T([2], name='x').most_specific_common_supertype([T([3])])", "None"),
    ("T([2]).most_specific_common_supertype([T([3], tf.int32)])", "None"),
    ("T([2]).most_specific_common_supertype([V([3])])", "None"),
    ("T([2]).most_specific_common_supertype([])", "TensorSpec(shape=(2,), dtype=tf.float32, name=None)"),
    ("T([2]).most_specific_compatible_type(T([3, 1]))", "TensorSpec(shape=<unknown>, dtype=tf.float32, name=None)"),
    ("T([2]).most_specific_compatible_type(T([3], tf.int32))", "ValueError"),
    ("T([2])._component_specs", "TensorSpec(shape=(2,), dtype=tf.float32, name=None)"),
    ("T([2], name='x')._serialize()", "(TensorShape([2]), tf.float32, 'x')"),
    ("T._deserialize(T([2])._serialize())", "TensorSpec(shape=(2,), dtype=tf.float32, name=None)"),
    ("tf.TypeSpec()", "TypeError"),
    ("R()", "IndexedSlicesSpec(TensorShape(None), tf.float32, tf.int64, None, TensorShape([None]))"),
    ("R() == R(), hash(R()) == hash(R())", "(True, True)"),
    ("R([1, 2]) != T([1])", "True"),
    ("R([1, 2], tf.float32, tf.int32).is_compatible_with(ROWS)", "True"),
    ("R(None, tf.float32, tf.int32).is_compatible_with(ROWS)", "True"),
    ("R().is_compatible_with(ROWS)", "False"),
    ("R([1, 2]).is_compatible_with(5)", "False"),
    ("R([1, 2]).is_compatible_with(None)", "False"),
    ("R([1, 2]).is_compatible_with(object())", "TypeError"),
    (
        "R([1, 2]).most_specific_common_supertype([R([3, 2])])",
        "IndexedSlicesSpec(TensorShape([None, 2]), tf.float32, tf.int64, None, TensorShape([None]))",
    ),
    ("R([1, 2]).most_specific_common_supertype([T([1])])", "None"),
    ("R([1, 2]).most_specific_compatible_type(T([1]))", "ValueError"),
    ("R([1, 2]).is_subtype_of(R([None, 2]))", "True"),
    ("R([1, 2]).is_subtype_of(R([None, 2], tf.int32))", "False"),
    ("R([1, 2]).is_subtype_of(T([1]))", "False"),
    ("R().value_type is tf.IndexedSlices", "True"),
    (
        "R([1, 2], dense_shape_dtype=tf.int32)._component_specs",
        (
            "(TensorSpec(shape=(None, 2), dtype=tf.float32, name=None), "
            "TensorSpec(shape=(None,), dtype=tf.int64, name=None), TensorSpec(shape=(2,), dtype=tf.int32, name=None))"
        ),
    ),
    ("ROWS._type_spec", "IndexedSlicesSpec(TensorShape([None, 2]), tf.float32, tf.int32, None, TensorShape([1]))"),
    (
        "SHAPED._type_spec",
        "IndexedSlicesSpec(TensorShape([3, 2]), tf.float32, tf.int32, tf.int32, TensorShape([1]))",
    ),
    (
        "SHAPED._shape_invariant_to_type_spec(tf.TensorShape([5, 2]))",
        "IndexedSlicesSpec(TensorShape([None, 2]), tf.float32, tf.int32, tf.int32, TensorShape([5]))",
    ),
    ("SHAPED.shape, ROWS.shape, ROWS.dtype", "(TensorShape([3, 2]), TensorShape(None), tf.float32)"),
    (
        "str(ROWS)",
        (
            "'IndexedSlices(indices=tf.Tensor([0], shape=(1,), dtype=int32), "
            "values=tf.Tensor([[1. 2.]], shape=(1, 2), dtype=float32))'"
        ),
    ),
    ("(-ROWS).values.numpy().tolist()", "[[-1.0, -2.0]]"),
    ("ROWS + 1", "TypeError"),
    ("V([2])", "VariableSpec(shape=(2,), dtype=tf.float32, trainable=True, alias_id=None)"),
    ("V([2]) == V([2])", "True"),
    ("V([2], trainable=False).is_subtype_of(V([2]))", "False"),
    ("V([2]).is_subtype_of(V([None]))", "True"),
    ("V([2], alias_id=1).is_subtype_of(V([2], alias_id=2))", "False"),
    (
        "V([2]).most_specific_common_supertype([V([3])])",
        "VariableSpec(shape=(None,), dtype=tf.float32, trainable=True, alias_id=None)",
    ),
    ("V([2], alias_id=1).most_specific_common_supertype([V([3], alias_id=2)])", "None"),
    ("V([2])._serialize()", "(TensorShape([2]), tf.float32, True, None)"),
    ("tf.NoneTensorSpec() == tf.NoneTensorSpec()", "True"),
    ("tf.NoneTensorSpec()", "NoneTensorSpec()"),
    ("tf.NoneTensorSpec().is_compatible_with(None)", "True"),
    ("tf.NoneTensorSpec().most_specific_compatible_type(T([]))", "ValueError"),
    ("tf.type_spec_from_value(tf.constant([1.]))", "TensorSpec(shape=(1,), dtype=tf.float32, name=None)"),
    ("tf.type_spec_from_value(np.zeros((2, 3)))", "TensorSpec(shape=(2, 3), dtype=tf.float64, name=None)"),
    ("tf.type_spec_from_value(np.float64(3))", "TensorSpec(shape=(), dtype=tf.float64, name=None)"),
    ("tf.type_spec_from_value([1, 2])", "TensorSpec(shape=(2,), dtype=tf.int32, name=None)"),
    ("tf.type_spec_from_value((1, 2.))", "TensorSpec(shape=(2,), dtype=tf.float32, name=None)"),
    ("tf.type_spec_from_value(3.)", "TensorSpec(shape=(), dtype=tf.float32, name=None)"),
    ("tf.type_spec_from_value(True)", "TensorSpec(shape=(), dtype=tf.bool, name=None)"),
    ("tf.type_spec_from_value(1j)", "TensorSpec(shape=(), dtype=tf.complex128, name=None)"),
    ("tf.type_spec_from_value('a')", "TensorSpec(shape=(), dtype=tf.string, name=None)"),
    ("tf.type_spec_from_value(None)", "NoneTensorSpec()"),
    ("tf.type_spec_from_value([[1], [2, 3]])", "TypeError"),
    ("tf.type_spec_from_value({'a': 1})", "TypeError"),
    ("tf.type_spec_from_value(T([1]))", "TypeError"),
    ("tf.type_spec_from_value(tf.float32)", "TypeError"),
]


@pytest.fixture(scope="module")
def names():
    rows = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]))
    shaped = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]), tf.constant([3, 2]))
    return {"T": T, "R": R, "V": V, "tf": tf, "np": np, "ROWS": rows, "SHAPED": shaped}


@pytest.mark.parametrize(("expression", "expected"), RECORDED, ids=[row[0] for row in RECORDED])
def test_specs_answer_as_tensorflow(expression, expected, names):
    try:
        answer = repr(eval(expression, names))
    except (TypeError, ValueError, AttributeError) as error:
        answer = type(error).__name__
    assert answer == expected


@pytest.mark.parametrize("spec", [T([2], name="x"), R([1, 2]), V([2], tf.int8, False, 3), tf.NoneTensorSpec()], ids=str)
def test_a_spec_survives_pickling(spec):
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_indexed_slices_are_taken_apart_and_put_together(names):
    for value in (names["ROWS"], names["SHAPED"]):
        spec = value._type_spec
        again = spec._from_components(spec._to_components(value))
        assert (again.values, again.indices, again.dense_shape) == (value.values, value.indices, value.dense_shape)


class Pair(CompositeTensor):
    def __init__(self, first, second, label):
        self.first, self.second, self.label = first, second, label

    @property
    def _type_spec(self):
        return PairSpec(T.from_tensor(self.first), T.from_tensor(self.second), {"label": self.label})


class PairSpec(tf.TypeSpec):
    def __init__(self, first, second, about):
        self.first, self.second, self.about = first, second, about

    value_type = Pair

    @property
    def _component_specs(self):
        return {"first": self.first, "second": self.second}

    def _to_components(self, value):
        return {"first": value.first, "second": value.second}

    def _from_components(self, components):
        return Pair(components["first"], components["second"], self.about["label"])

    def _serialize(self):
        return (self.first, [self.second], self.about)

    @classmethod
    def _deserialize(cls, serialization):
        first, (second,), about = serialization
        return cls(first, second, about)


def test_a_users_own_spec_compares_and_generalises_by_what_it_serializes():
    one, two = (PairSpec(T([2]), T([n]), {"label": "a"}) for n in (1, 2))
    other = PairSpec(T([2]), T([1]), {"label": "b"})
    assert one == PairSpec(T([2]), T([1]), {"label": "a"}) != two
    assert hash(one) == hash(PairSpec(T([2]), T([1]), {"label": "a"}))
    common = one.most_specific_common_supertype([two])
    assert common == PairSpec(T([2]), T([None]), {"label": "a"})
    assert one.is_subtype_of(common)
    assert not common.is_subtype_of(one)
    assert common.is_compatible_with(Pair(tf.constant([1.0, 2.0]), tf.constant([1.0]), "a"))
    assert one.most_specific_common_supertype([other]) is None
    assert not one.is_compatible_with(other)
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_composite_without_a_spec_says_what_is_missing():
    with pytest.raises(NotImplementedError, match="must define _type_spec"):
        CompositeTensor()._type_spec  # noqa: B018


def test_the_shape_of_slices_is_what_dense_shape_says() -> None:
    rows, places = tf.ones([1, 2]), tf.constant([0])
    bare = tf.IndexedSlices(rows, places)
    assert bare.shape.rank is None
    assert tf.type_spec_from_value(bare)._shape.as_list() == [None, 2]
    assert tf.IndexedSlices(1.0, 2).shape.rank is None
    assert bare.consumers() == []
    assert tf.IndexedSlices(1.0, 2).consumers() == []

    @tf.function
    def f(size: tf.Tensor) -> tf.Tensor:
        assert tf.IndexedSlices(rows, places, size).shape.as_list() == [None, None]
        assert tf.IndexedSlices(rows, places, tf.stack([size[0], 2])).shape.as_list() == [None, 2]
        values = size + 1
        doubled = values * 2
        assert tf.IndexedSlices(values, places).consumers() == [doubled.op]
        return doubled

    assert f(tf.constant([4, 2])).numpy().tolist() == [10, 6]
