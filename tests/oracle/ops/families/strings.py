"""Strings: joining, cutting, cases, patterns, numbers, unicode, coding."""

from tests.oracle.ops.table import BOOL, COMPLEX, FLOATS, INTS, NONE, STRING, Case, each, given, op, unary, variants, x

WORDS = x(8)
TEXTS = {"vector": (x(6),), "matrix": (x(2, 3),), "scalar": (x(),), "empty": (x(0),)}


def texts(*values: str) -> tuple[object, ...]:
    return (given([value.encode() for value in values], "string"),)


def text(value: str | bytes) -> tuple[object, ...]:
    return (given(value.encode() if isinstance(value, str) else value, "string"),)


def ragged(tensor: object) -> tuple[object, object]:
    return tensor.flat_values, tensor.row_splits


SENTENCES = {
    "one": text("the quick  fox "),
    "comma": text("a,b,,c"),
    "blank": text(" "),
    "none": text(""),
    "utf8": text("ñ é"),
}

CASES: list[Case] = [
    *each(
        {
            "StringUpper": lambda tf, a: tf.strings.upper(a),
            "StringLower": lambda tf, a: tf.strings.lower(a),
            "StringStrip": lambda tf, a: tf.strings.strip(a),
            "StringLength": lambda tf, a: tf.strings.length(a),
            "string_length_utf8": lambda tf, a: tf.strings.length(a, unit="UTF8_CHAR"),
            "upper_utf8": lambda tf, a: tf.strings.upper(a, encoding="utf-8"),
            "lower_utf8": lambda tf, a: tf.strings.lower(a, encoding="utf-8"),
        },
        TEXTS,
        STRING,
    ),
    *variants(
        "StringJoin",
        {
            "plain": lambda tf, a, b: tf.strings.join([a, b]),
            "separator": lambda tf, a, b: tf.strings.join([a, b, a], separator=", "),
        },
        {
            "vectors": (x(3), x(3)),
            "scalar": (x(2), x()),
            "scalars": (x(), x()),
            "empty": (x(0), x(0)),
            "wrong": (x(2), x(3)),
        },
        STRING,
    ),
    *variants(
        "ReduceJoin",
        {
            "all": lambda tf, a: tf.strings.reduce_join(a),
            "last": lambda tf, a: tf.strings.reduce_join(a, axis=-1, separator="|"),
            "first": lambda tf, a: tf.strings.reduce_join(a, axis=0, keepdims=True),
        },
        TEXTS,
        STRING,
    ),
    *variants(
        "Substr",
        {
            "bytes": lambda tf, a: tf.strings.substr(a, 1, 2),
            "from_end": lambda tf, a: tf.strings.substr(a, -2, 2),
            "characters": lambda tf, a: tf.strings.substr(a, 1, 2, unit="UTF8_CHAR"),
            "each": lambda tf, a: tf.strings.substr(a, [0, 1], [1, 3]),
            "far": lambda tf, a: tf.strings.substr(a, 9, 1),
        },
        {"two": texts("hello", "ñandú"), "short": texts("ab", "xyz"), "none": texts("", "a"), "empty": (x(0),)},
        STRING,
    ),
    *variants(
        "StringSplitV2",
        {
            "space": lambda tf, a: tf.strings.split(a),
            "comma": lambda tf, a: tf.strings.split(a, sep=","),
            "once": lambda tf, a: tf.strings.split(a, maxsplit=1),
        },
        SENTENCES,
        STRING,
    ),
    op(
        "StringSplitV2",
        lambda tf, a: ragged(tf.strings.split(a, ",")),
        {"vector": texts("a,b", "", "c"), "empty": (x(0),)},
        STRING,
        "ragged",
    ),
    op("bytes_split", lambda tf, a: tf.strings.bytes_split(a), SENTENCES, STRING),
    op(
        "bytes_split",
        lambda tf, a: ragged(tf.strings.bytes_split(a)),
        {"vector": texts("ab", "", "ñ")},
        STRING,
        "ragged",
    ),
    *variants(
        "StringToNumber",
        {
            dtype: lambda tf, a, dtype=dtype: tf.strings.to_number(a, tf.as_dtype(dtype))
            for dtype in ("float32", "float64", "int32", "int64")
        },
        {
            "whole": texts("12", "-3", "0"),
            "fraction": texts("1.5", "-2.25"),
            "exponent": texts("1e3", "-1E-2"),
            "spaces": texts(" 7 "),
            "special": texts("nan", "inf", "-inf"),
            "word": texts("abc"),
            "none": texts(""),
            "large": texts("3000000000"),
            "empty": (x(0),),
        },
        STRING,
    ),
    op("AsString", lambda tf, a: tf.strings.as_string(a), unary(), INTS + FLOATS + BOOL + COMPLEX + STRING),
    *variants(
        "AsString",
        {
            "precision": lambda tf, a: tf.strings.as_string(a, precision=3),
            "scientific": lambda tf, a: tf.strings.as_string(a, scientific=True),
            "shortest": lambda tf, a: tf.strings.as_string(a, shortest=True),
            "wide": lambda tf, a: tf.strings.as_string(a, width=8),
            "zeros": lambda tf, a: tf.strings.as_string(a, width=8, fill="0"),
            "left": lambda tf, a: tf.strings.as_string(a, width=8, fill="-"),
        },
        {"vector": (x(5),), "special": (given([1.0 / 3.0, 1e10, -1e-7, 0.1], "float64"),)},
        ("float32", "float64", "int32"),
    ),
    *variants(
        "RegexReplace",
        {
            "all": lambda tf, a: tf.strings.regex_replace(a, "[a-e]+", "<\\0>"),
            "first": lambda tf, a: tf.strings.regex_replace(a, "[a-e]", "#", replace_global=False),
            "groups": lambda tf, a: tf.strings.regex_replace(a, "(\\w)(\\w)", "\\2\\1"),
            "wrong": lambda tf, a: tf.strings.regex_replace(a, "(", ""),
            "anchors": lambda tf, a: tf.strings.regex_replace(a, "^\\s+|\\s+$", "."),
        },
        TEXTS | {"sentences": texts("abc def", "  bead  ", "x")},
        STRING,
    ),
    *variants(
        "RegexFullMatch",
        {
            "letters": lambda tf, a: tf.strings.regex_full_match(a, "[a-zA-Z]+"),
            "number": lambda tf, a: tf.strings.regex_full_match(a, r"-?\d+(\.\d+)?"),
            "any": lambda tf, a: tf.strings.regex_full_match(a, ".*"),
            "wrong": lambda tf, a: tf.strings.regex_full_match(a, "["),
        },
        TEXTS,
        STRING,
    ),
    op("StringFormat", lambda tf, a: tf.strings.format("<{}>", a), unary(), INTS + FLOATS + STRING),
    op("StringFormat", lambda tf, a: tf.strings.format("<{}>", a), {"vector": (x(5),), "scalar": (x(),)}, BOOL, "bool"),
    op(
        "StringFormat",
        lambda tf, a: tf.strings.format("{} and {}", (a, a[:1])),
        {"vector": (x(9),), "matrix": (x(7, 7),)},
        ("int32", "float32", "string"),
        "two",
    ),
    op("StringFormat", lambda tf, a: tf.strings.format("no placeholder", a), {"vector": (x(2),)}, ("int32",), "wrong"),
    *variants(
        "UnicodeDecode",
        {
            "decode": lambda tf, a: tf.strings.unicode_decode(a, "UTF-8"),
            "split": lambda tf, a: tf.strings.unicode_split(a, "UTF-8"),
            "offsets": lambda tf, a: tf.strings.unicode_decode_with_offsets(a, "UTF-8"),
        },
        {
            "ascii": text("abc"),
            "utf8": text("naïve 日本"),
            "emoji": text("a😀"),
            "none": text(""),
            "broken": text(b"a\xffb"),
        },
        STRING,
    ),
    op(
        "UnicodeDecode",
        lambda tf, a: ragged(tf.strings.unicode_decode(a, "UTF-8")),
        {"vector": texts("ab", "", "é")},
        STRING,
        "ragged",
    ),
    op(
        "UnicodeEncode",
        lambda tf, a: tf.strings.unicode_encode(a, "UTF-8"),
        {"codes": (given([97, 233, 0x65E5]),), "rows": (given([[72, 105], [33, 0x1F600]]),), "empty": (given([]),)},
        NONE,
    ),
    op(
        "UnicodeTranscode",
        lambda tf, a: tf.strings.unicode_transcode(a, "UTF-8", "UTF-16-BE"),
        {"ascii": text("ab"), "utf8": text("é")},
        STRING,
    ),
    op("UnicodeScript", lambda tf, a: tf.strings.unicode_script(a), {"codes": (given([97, 0x65E5, 33]),)}, NONE),
    op(
        "EncodeBase64",
        lambda tf, a: (tf.io.encode_base64(a), tf.io.encode_base64(a, pad=True)),
        TEXTS | {"bytes": text(b"\x00\xff\xfe~")},
        STRING,
    ),
    op(
        "DecodeBase64",
        lambda tf, a: tf.io.decode_base64(a),
        {"good": texts("YWI", "", "w7E"), "padded": texts("YWI="), "wrong": texts("*")},
        STRING,
    ),
    *variants(
        "DecodeRaw",
        {
            dtype: lambda tf, a, dtype=dtype: tf.io.decode_raw(a, tf.as_dtype(dtype))
            for dtype in ("uint8", "int16", "int32", "float32", "bool")
        },
        {
            "eight": text(b"\x00\x01\x02\xff\x00\x00\x80\x3f"),
            "rows": (given([b"\x01\x00\x00\x00", b"\x00\x00\x01\x01"], "string"),),
            "three": text("abc"),
            "none": text(""),
            "uneven": texts("a", "abcd"),
        },
        STRING,
    ),
    op(
        "DecodeRaw",
        lambda tf, a: tf.io.decode_raw(a, tf.int16, little_endian=False),
        {"four": text(b"\x00\x01\x02\xff")},
        STRING,
        "big endian",
    ),
    op("StringToHashBucketFast", lambda tf, a: tf.strings.to_hash_bucket_fast(a, 1000), {"vector": (WORDS,)}, STRING),
    op(
        "StringToHashBucketStrong",
        lambda tf, a: tf.strings.to_hash_bucket_strong(a, 1000, [1, 2]),
        {"vector": (WORDS,)},
        STRING,
    ),
    op("StringNGrams", lambda tf, a: tf.strings.ngrams(a, 2), {"vector": texts("a", "b", "c")}, STRING),
    *variants(
        "string_operators",
        {"+": lambda tf, a: a + "!" + a, "==": lambda tf, a: a == "ab", "!=": lambda tf, a: "ab" != a},  # noqa: SIM300
        TEXTS,
        STRING,
    ),
]
