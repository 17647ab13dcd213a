"""Shapes: what TensorFlow answers, for every public method, and the functions on raw shapes."""

import pickle

import numpy as np
import pytest

import graphlab as tf
from graphlab.core import shape as shapes

S = tf.TensorShape

# expression, what TensorFlow 2.21 answers (its repr, or the class of the error)
RECORDED = [
    ("S(None)", "TensorShape(None)"),
    ("S([])", "TensorShape([])"),
    ("S([1, None, 3])", "TensorShape([1, None, 3])"),
    ("S(3)", "TensorShape([3])"),
    ("S(S([1]))", "TensorShape([1])"),
    ("S(np.array([1, 2]))", "TensorShape([1, 2])"),
    ("S((np.int64(3),))", "TensorShape([3])"),
    ("S(range(3))", "TensorShape([0, 1, 2])"),
    ("S(x for x in (1, 2))", "TensorShape([1, 2])"),
    ("S([2**70])", "TensorShape([1180591620717411303424])"),
    ("S([3.0])", "TypeError"),
    ("S([-1])", "ValueError"),
    ("S(-1)", "ValueError"),
    ("S(['3'])", "TypeError"),
    ("S('3')", "TypeError"),
    ("S([[1]])", "TypeError"),
    ("str(S(None)), str(S([])), str(S([1])), str(S([None, 2]))", "('<unknown>', '()', '(1,)', '(None, 2)')"),
    ("f'{S([1])}'", "'(1,)'"),
    ("S(None).rank, S([]).rank, S([1]).ndims", "(None, 0, 1)"),
    ("S(None).dims, S([1, None]).dims", "(None, [Dimension(1), Dimension(None)])"),
    ("S(None).as_list()", "ValueError"),
    ("S([1, None]).as_list()", "[1, None]"),
    ("len(S(None))", "ValueError"),
    ("len(S([1, 2]))", "2"),
    ("bool(S(None)), bool(S([])), bool(S([None]))", "(False, True, True)"),
    ("list(S(None))", "ValueError"),
    ("list(S([1, None]))", "[1, None]"),
    ("list(reversed(S([1, 2])))", "[2, 1]"),
    ("1 in S([1, 2])", "True"),
    ("S(None)[0]", "None"),
    ("S(None)[1:3]", "TensorShape([None, None])"),
    ("S(None)[1:]", "TensorShape(None)"),
    ("S(None)[:3]", "TensorShape([None, None, None])"),
    ("S(None)[:-1]", "TensorShape(None)"),
    ("S(None)[::2]", "ValueError"),
    ("S(None)[3:1]", "TensorShape([])"),
    ("S([1, 2, 3])[1:]", "TensorShape([2, 3])"),
    ("S([1, 2, 3])[-1]", "3"),
    ("S([1, 2, 3])[5]", "IndexError"),
    ("S([1, 2, 3])[::2]", "TensorShape([1, 3])"),
    ("S([1, 2, 3])['a']", "TypeError"),
    ("S([1, 2]) == [1, 2]", "True"),
    ("S([1, 2]) == (1, 2)", "True"),
    ("S([1, None]) == [1, None]", "True"),
    ("S([1, None]) == S([1, None])", "True"),
    ("S([None, 1]) == S([2, 1])", "False"),
    ("S(None) == S(None)", "True"),
    ("S(None) == None", "True"),
    ("S([1]) == None", "False"),
    ("S([3]) == 3", "True"),
    ("S([3]) == [3.0]", "False"),
    ("S([1]) == 'a'", "False"),
    ("S([1]) == [-1]", "False"),
    ("S([1]) != [1]", "False"),
    ("S([1]) != 'a'", "True"),
    ("S(None) != [1]", "True"),
    ("np.zeros((2, 1)).shape == S([2, 1])", "True"),
    ("hash(S([1, 2])) == hash((1, 2))", "True"),
    ("S([1, 2]) in {S([1, 2]): 1}", "True"),
    ("S([1]) + [2]", "TensorShape([1, 2])"),
    ("S([1]) + (2,)", "TensorShape([1, 2])"),
    ("[1] + S([2])", "TensorShape([1, 2])"),
    ("(1,) + S([2])", "TensorShape([1, 2])"),
    ("S([1]) + 3", "TensorShape([1, 3])"),
    ("S([1]) + None", "TensorShape(None)"),
    ("S(None) + [1]", "TensorShape(None)"),
    ("S([1]).concatenate(2)", "TensorShape([1, 2])"),
    ("S([1]).concatenate(S(None))", "TensorShape(None)"),
    ("S([1, None]).merge_with([None, 2])", "TensorShape([1, 2])"),
    ("S([1, None]).merge_with(None)", "TensorShape([1, None])"),
    ("S(None).merge_with([1])", "TensorShape([1])"),
    ("S([1, 3]).merge_with([None, 2])", "ValueError"),
    ("S([1, 3]).merge_with([1])", "ValueError"),
    ("[s.num_elements() for s in (S([1, 3]), S([1, None]), S(None), S([]))]", "[3, None, None, 1]"),
    ("S([1]).with_rank(2)", "ValueError"),
    ("S(None).with_rank(2)", "TensorShape([None, None])"),
    ("S(None).with_rank(None)", "TensorShape(None)"),
    ("S([1]).with_rank(1)", "TensorShape([1])"),
    ("S([1, 2]).with_rank_at_least(3)", "ValueError"),
    ("S([1, 2]).with_rank_at_least(1)", "TensorShape([1, 2])"),
    ("S(None).with_rank_at_least(3)", "TensorShape(None)"),
    ("S([1, 2]).with_rank_at_most(1)", "ValueError"),
    ("S([1, 2]).with_rank_at_most(2)", "TensorShape([1, 2])"),
    ("S([1, None]).is_compatible_with([1, 5])", "True"),
    ("S([1, None]).is_compatible_with([2, 5])", "False"),
    ("S([1]).is_compatible_with(None)", "True"),
    ("S([1]).is_compatible_with([1, 2])", "False"),
    ("S([1]).is_compatible_with('a')", "TypeError"),
    ("S([1, 2]).most_specific_compatible_shape([1, 3])", "TensorShape([1, None])"),
    ("S([1, 2]).most_specific_compatible_shape([1])", "TensorShape(None)"),
    ("S([1, 2]).most_specific_compatible_shape(None)", "TensorShape(None)"),
    ("S([1, 2]).most_specific_common_supertype([S([1, 3])])", "TensorShape([1, None])"),
    ("S([1, 2]).most_specific_common_supertype([3])", "None"),
    ("S([1, 2]).is_subtype_of(S([1, None]))", "True"),
    ("S([1, None]).is_subtype_of(S([1, 2]))", "False"),
    ("S([1]).is_subtype_of(S(None))", "True"),
    ("S(None).is_subtype_of(S(None))", "True"),
    ("S([1]).is_subtype_of([None])", "False"),
    ("S([1]).assert_has_rank(2)", "ValueError"),
    ("S(None).assert_has_rank(1)", "None"),
    ("S([1]).assert_same_rank([1, 2])", "ValueError"),
    ("S([1]).assert_same_rank([2])", "None"),
    ("S([1]).assert_is_compatible_with([2])", "ValueError"),
    ("S([1]).assert_is_compatible_with([1])", "None"),
    ("S([None]).assert_is_fully_defined()", "ValueError"),
    ("S([1]).assert_is_fully_defined()", "None"),
    ("[s.is_fully_defined() for s in (S(None), S([None]), S([]))]", "[False, False, True]"),
    ("S([1, 2]) < S([3])", "TypeError"),
    ("np.zeros(S([2, 1])).shape", "(2, 1)"),
]


@pytest.mark.parametrize(("expression", "expected"), RECORDED, ids=[row[0] for row in RECORDED])
def test_tensorshape_answers_as_tensorflow(expression, expected):
    try:
        answer = repr(eval(expression, {"S": S, "np": np}))
    except (TypeError, ValueError, IndexError) as error:
        answer = type(error).__name__
    assert answer == expected


def test_a_shape_survives_pickling():
    for shape in (S(None), S([1, None])):
        assert pickle.loads(pickle.dumps(shape)) == shape


def test_a_contradiction_names_the_axis():
    with pytest.raises(ValueError, match="axis 1 is 3 in one and 2 in the other"):
        S([1, 3]).merge_with([None, 2])
    with pytest.raises(ValueError, match="their ranks are 2 and 1"):
        S([1, 3]).merge_with([1])


# operands, result: as TensorFlow infers the shape of an addition
BROADCASTS = [
    ((), (), ()),
    ((2,), (), (2,)),
    ((2, 1), (3,), (2, 3)),
    ((1, 3), (2, 1), (2, 3)),
    ((None,), (3,), (3,)),
    ((None,), (1,), (None,)),
    ((None,), (None,), (None,)),
    ((None, 2), (None, None), (None, 2)),
    ((0,), (1,), (0,)),
    ((2, None), None, None),
    (None, None, None),
]


@pytest.mark.parametrize(("a", "b", "result"), BROADCASTS)
def test_broadcasting_of_raw_shapes(a, b, result):
    assert shapes.broadcast(a, b) == result == shapes.broadcast(b, a)
    assert shapes.broadcast_all([a, b]) == result


def test_shapes_that_do_not_broadcast_say_where():
    with pytest.raises(ValueError, match="axis -2 has size 2 in one and 3 in the other"):
        shapes.broadcast((2, 1), (3, 5))


def test_dimensions_are_integers_that_may_be_unknown():
    two, unknown = shapes.Dimension(2), shapes.Dimension(None)
    assert (two + 1, two * two, 7 - two, two // 2, 5 % two) == (3, 4, 5, 1, 1)
    assert (two + unknown).value is None
    assert (two == unknown) is None
    assert (two < 3, two >= 3, two != 2) == (True, False, False)
    assert two.merge_with(None) == 2
    assert two.is_compatible_with(unknown)
    assert not two.is_compatible_with(3)
    assert (repr(two), str(unknown), int(two), [10, 20, 30][two]) == ("Dimension(2)", "?", 2, 30)
    with pytest.raises(ValueError, match="not compatible"):
        two.assert_is_compatible_with(3)
    with pytest.raises(TypeError):
        int(unknown)
