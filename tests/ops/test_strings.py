"""Strings beyond the recorded answers: hashes, regular expressions, Unicode, rows of different lengths.

Expected values are TensorFlow 2.21's.
"""

from __future__ import annotations

import numpy as np
import pytest

import graphlab as tf
from graphlab.ops import hashing

S = tf.strings
BAD = tf.errors.InvalidArgumentError


def plain(value):
    return value.to_list() if isinstance(value, tf.RaggedTensor) else np.asarray(value).tolist()


VALUES = [
    (lambda: S.join([["a", "b"], "z"], "-"), [b"a-z", b"b-z"]),
    (lambda: S.join([]), b""),
    (lambda: S.substr(["Hello", "World"], [1, -2], [2, 5]), [b"el", b"ld"]),
    (lambda: S.substr("héllo", 1, 2, unit="UTF8_CHAR"), "él".encode()),
    (lambda: S.substr("abc", 1, -1), b"bc"),
    (lambda: S.length(["é", ""], unit="UTF8_CHAR"), [1, 0]),
    (lambda: S.upper("aé"), "Aé".encode()),
    (lambda: S.upper("aé", encoding="utf-8"), "AÉ".encode()),
    (lambda: S.to_number(["1.5", " 2 ", "1e3", "-inf", "0x10"]), [1.5, 2.0, 1000.0, -np.inf, 16.0]),
    (lambda: S.to_number(["-3", "+4"], tf.int64), [-3, 4]),
    (lambda: S.as_string([1.5, 1e10]), [b"1.500000", b"10000000000.000000"]),
    (lambda: S.as_string(1.5, shortest=True, width=6), b"   1.5"),
    (lambda: S.as_string(5, width=4, fill="0"), b"0005"),
    (lambda: S.as_string([True, False]), [b"true", b"false"]),
    (lambda: S.as_string(1 + 2j), b"(1.000000,2.000000)"),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]]), b"abcd"),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]], [0, 1]), b"acbd"),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]], 0, keepdims=True, separator="+"), [[b"a+c", b"b+d"]]),
    (lambda: S.split("a b  c"), [b"a", b"b", b"c"]),
    (lambda: S.split("a,b,,c", sep=","), [b"a", b"b", b"", b"c"]),
    (lambda: S.split("a b c", maxsplit=1), [b"a", b"b c"]),
    (lambda: S.split(["a b", "", "c"]), [[b"a", b"b"], [], [b"c"]]),
    (lambda: S.split([["a b", "c"]]), [[[b"a", b"b"], [b"c"]]]),
    (lambda: S.bytes_split("hé"), [b"h", b"\xc3", b"\xa9"]),
    (lambda: S.unicode_split(["hé", ""], "UTF-8"), [[b"h", "é".encode()], []]),
    (lambda: S.unicode_decode("hé", "UTF-8"), [104, 233]),
    (lambda: S.unicode_decode(b"a\xffb", "UTF-8"), [97, 65533, 98]),
    (lambda: S.unicode_decode(b"a\xffb", "UTF-8", errors="ignore"), [97, 98]),
    (lambda: S.unicode_decode(b"\xe2\x82a\xed\xa0\x80z", "UTF-8"), [65533, 97, 65533, 65533, 65533, 122]),
    (lambda: S.unicode_decode(b"\x00a\x00b", "UTF-16-BE"), [97, 98]),
    (lambda: S.unicode_decode_with_offsets("hé€", "UTF-8")[1], [0, 1, 3]),
    (lambda: S.unicode_encode([[104, 233], [97, 98]], "UTF-16-BE"), [b"\x00h\x00\xe9", b"\x00a\x00b"]),
    (lambda: S.unicode_encode(tf.ragged.constant([[104], [97, 98]]), "UTF-8"), [b"h", b"ab"]),
    (lambda: S.unicode_encode([0x110000, 55296], "UTF-8"), "\ufffd\ufffd".encode()),
    (lambda: S.unicode_transcode(["hé", b"a\xff"], "UTF-8", "UTF-32-BE"),
     [b"\0\0\0h\0\0\0\xe9", b"\0\0\0a\0\0\xff\xfd"]),
    (lambda: S.unicode_script([65, 1078, 20013, 32, 1632, -1]), [25, 8, 17, 0, 2, -1]),
    (lambda: S.ngrams(["a", "b"], 3, pad_values=("l", "r"), padding_width=1), [b"l a b", b"a b r"]),
    (lambda: S.ngrams(tf.ragged.constant([["a", "b", "c"], ["d"]]), 2), [[b"a b", b"b c"], []]),
    (lambda: S.upper(S.split(["a b", "c"])), [[b"A", b"B"], [b"C"]]),
    (lambda: tf.io.decode_raw([b"\x01\x00", b"\x00\x01"], tf.int16), [[1], [256]]),
    (lambda: tf.io.decode_raw(b"\x01\x00", tf.int16, little_endian=False), [256]),
    (lambda: tf.io.decode_raw([b"a", b"bcd"], tf.uint8, fixed_length=2), [[97, 0], [98, 99]]),
    (lambda: tf.io.encode_base64([b"\xff\xfe\xfd", "ab"], pad=True), [b"__79", b"YWI="]),
    (lambda: tf.io.decode_base64(["YQ", "YQ=="]), [b"a", b"a"]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), VALUES)
def test_values(call, expected):
    assert plain(call()) == expected
    assert plain(tf.function(call, autograph=False)()) == expected


REPLACED = [
    ("a", "b", b"bbxd"),
    ("(a)(b)", r"\2\1", b"baxd"),
    ("x*", "-", b"-a-b-d-"),
    ("$", "!", b"abxd!"),
    ("^", ">", b">abxd"),
    ("[[:alpha:]]+", "#", b"#"),
    ("[^a]", "x", b"axxx"),
    ("(?i)A", r"\0\0", b"aabxd"),
    ("a", r"\1", b"abxd"),  # there is no such group: nothing is replaced
    ("a", r"\\", b"\\bxd"),
]


@pytest.mark.parametrize(("pattern", "rewrite", "expected"), REPLACED)
def test_regular_expressions(pattern, rewrite, expected):
    assert S.regex_replace("abxd", pattern, rewrite).numpy() == expected
    assert S.regex_replace("abxd", tf.constant(pattern), tf.constant(rewrite)).numpy() == expected


def test_the_dollar_is_the_end_of_the_text():
    assert S.regex_full_match(["a", "a\n", "é"], "[[:lower:]]$").numpy().tolist() == [True, False, False]
    assert S.regex_replace("a\n", "$", "!").numpy() == b"a\n!"
    assert S.regex_full_match(["é"], ".").numpy().tolist() == [True]


# Lengths around every border of the algorithms.
WORDS = [bytes(range(n)) for n in (0, 1, 3, 4, 7, 8, 16, 17, 32, 33, 64, 65, 128, 129)]


@pytest.mark.parametrize(
    ("hashed", "expected"),
    [
        (lambda: S.to_hash_bucket_fast(WORDS, 2**62), [
            1936946117179621455, 4494688008148699988, 1486536572171691162, 198155675784242496,
            2513219638405408417, 3267946340606884760, 1080060857502750420, 4302810082142134044,
            1917831512995979081, 2915358112413471310, 3856493858525203531, 478270155923209662,
            2037963038260878803, 1048111057192683582,
        ]),
        (lambda: S.to_hash_bucket(WORDS, 2**62), [
            105434511174508091, 1950187560451231046, 3149149548962779049, 3114504891833525627,
            1936280922914974939, 502628180446468569, 2600588123549868653, 1362815619722030871,
            235957890591632321, 962007355768313100, 2192457456962414804, 2525959834624391444,
            739982330887139047, 2161695753874938689,
        ]),
        (lambda: S.to_hash_bucket_strong(WORDS, 2**62, [1, 2]), [
            443797209252341627, 4575515398581416406, 4206073253662418649, 1545138226142029648,
            3333933193260100754, 1097088638926215992, 1839200746584756174, 2992192046300716966,
            1655490203013107339, 2402286793273316593, 3342862793305436196, 3209810203499148325,
            565548761847910729, 3688994358476923180,
        ]),
    ],
)  # fmt: skip
def test_hash_buckets_never_change(hashed, expected):
    assert hashed().numpy().tolist() == expected


@pytest.mark.parametrize(
    "call",
    [
        lambda: S.to_number("abc"),
        lambda: S.to_number("1_0"),
        lambda: S.to_number("1.5", tf.int32),
        lambda: S.to_number("99999999999", tf.int32),
        lambda: S.substr("Hello", 6, 1),
        lambda: S.join([["a"], ["c", "d"]]),
        lambda: S.regex_replace("a", "(", "b"),
        lambda: S.as_string(5, precision=2),
        lambda: S.as_string(1.0, fill="x"),
        lambda: S.length("a", unit="WORD"),
        lambda: S.unicode_decode(b"\xff", "UTF-8", errors="strict"),
        lambda: S.unicode_decode(b"a", "no such encoding"),
        lambda: S.unicode_encode([0x110000], "UTF-8", errors="strict"),
        lambda: S.unicode_transcode("a", "UTF-8", "latin1"),
        lambda: tf.io.decode_raw(b"abc", tf.int16),
        lambda: tf.io.decode_base64("+/8"),
    ],
)
def test_errors(call):
    with pytest.raises(BAD):
        call()


def test_siphash_of_the_paper():
    key = (0x0706050403020100, 0x0F0E0D0C0B0A0908)
    assert hashing.siphash(bytes(range(15)), key) == 0xA129CA6149BE45E5


ROWS = [[1, 2], [], [3]]


def test_ragged_tensors():
    r = tf.ragged.constant(ROWS)
    assert r.to_list() == ROWS
    assert r.shape.as_list() == [3, None]
    assert r.row_splits.numpy().tolist() == [0, 2, 2, 3]
    assert r.row_lengths().numpy().tolist() == [2, 0, 1]
    assert r.value_rowids().numpy().tolist() == [0, 0, 2]
    assert r.nrows().numpy() == 3
    assert r.bounding_shape().numpy().tolist() == [3, 2]
    assert r.to_tensor(-1).numpy().tolist() == [[1, 2], [-1, -1], [3, -1]]
    assert r.to_tensor(shape=[None, 1]).numpy().tolist() == [[1], [0], [3]]
    assert [row.numpy().tolist() for row in r] == ROWS
    assert r[0].numpy().tolist() == [1, 2]
    assert r[1:].to_list() == ROWS[1:]
    assert r[0, 1].numpy() == 2
    assert (r + 1).to_list() == [[2, 3], [], [4]]
    assert (2 - r * r).to_list() == [[1, -2], [], [-7]]
    assert repr(r) == "<tf.RaggedTensor [[1, 2], [], [3]]>"
    assert r.with_values(tf.constant([7, 8, 9])).to_list() == [[7, 8], [], [9]]
    deep = tf.ragged.constant([[[1], []], [[2, 3]]])
    assert deep.ragged_rank == 2
    assert deep.to_tensor().numpy().tolist() == [[[1, 0], [0, 0]], [[2, 3], [0, 0]]]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: tf.RaggedTensor.from_row_lengths([1, 2, 3], [1, 2]), [[1], [2, 3]]),
        (lambda: tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2]), ROWS),
        (lambda: tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 2, 3]), ROWS),
        (lambda: tf.RaggedTensor.from_tensor([[1, 0], [3, 4]], padding=0), [[1], [3, 4]]),
        (lambda: tf.ragged.constant([[], []]), [[], []]),
    ],
)
def test_making_ragged_tensors(make, expected):
    assert make().to_list() == expected


def test_ragged_tensors_pass_through_functions():
    @tf.function
    def f(r):
        return r * 2, r.to_tensor(), r.row_lengths()

    doubled, dense, lengths = f(tf.ragged.constant(ROWS))
    assert doubled.to_list() == [[2, 4], [], [6]]
    assert dense.numpy().tolist() == [[1, 2], [0, 0], [3, 0]]
    assert lengths.numpy().tolist() == [2, 0, 1]
    f(tf.ragged.constant([[4], [5, 6], []]))
    assert f.experimental_get_tracing_count() == 1  # rows of other lengths are no other type


def test_the_gradient_of_a_dense_copy():
    values = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(values)
        dense = tf.RaggedTensor.from_row_splits(values, [0, 2, 2, 3]).to_tensor()
        y = tf.reduce_sum(dense * [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert tape.gradient(y, values).numpy().tolist() == [1.0, 2.0, 5.0]


@pytest.mark.parametrize("splits", [[1, 2], [0, 2, 1, 2], [0, 1]])
def test_row_splits_must_fit(splits):
    with pytest.raises(BAD):
        tf.RaggedTensor.from_row_splits([1, 2], splits)


def test_scalars_must_be_equally_deep():
    with pytest.raises(ValueError, match="nesting depth"):
        tf.ragged.constant([[1], 2])
