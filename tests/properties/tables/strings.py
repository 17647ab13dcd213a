"""Ops on strings."""

import numpy as np

import graphlab as tf
from tests.properties.drawing import text, whole, words
from tests.properties.entry import ANY, NONE, REAL, STRING, entry, raw

NUMBERS = text(b"1", b"-2.5", b"3e2", b"inf")
BYTES = text(b"abcd", b"\0\1\2\3")

ENTRIES = [
    entry("AsString", tf.strings.as_string, dtypes=(*REAL, "bool", "complex64")),
    entry("StringLength", lambda x: tf.strings.length(x), dtypes=STRING, numpy=np.vectorize(len, otypes=[int])),
    entry("StringLength", lambda x: tf.strings.length(x, "UTF8_CHAR"), dtypes=STRING, variant="characters"),
    entry("StringLower", tf.strings.lower, dtypes=STRING),
    entry("StringUpper", tf.strings.upper, dtypes=STRING),
    entry("StringStrip", tf.strings.strip, dtypes=STRING),
    entry("StringJoin", lambda x, y: tf.strings.join([x, y], "-"), "*, *", dtypes=STRING),
    entry("StringJoin", lambda x, y: tf.strings.join([x, y]), "*, ", dtypes=STRING, variant="scalar"),
    entry("ReduceJoin", lambda x: tf.strings.reduce_join(x, 0, separator=","), "abc", dtypes=STRING),
    entry("ReduceJoin", lambda x: tf.strings.reduce_join(x, [-1, 0], keepdims=True), "abc", dtypes=STRING, variant="axes"),
    entry("RegexFullMatch", lambda x, p: tf.strings.regex_full_match(x, p), "*, ", words, text(b"a.*", b"[0-9]+"), dtypes=STRING),
    entry("StaticRegexFullMatch", lambda x: tf.strings.regex_full_match(x, "a.*"), dtypes=STRING),
    entry("RegexReplace", lambda x, p: tf.strings.regex_replace(x, p, "<\\0>"), "*, ", words, text(b"a", b"[0-9]+"), dtypes=STRING),
    entry("StaticRegexReplace", lambda x: tf.strings.regex_replace(x, "a", "b"), dtypes=STRING),
    entry("Substr", lambda x, i, n: tf.strings.substr(x, i, n), "*, , ", text(b"abc", b"defgh"), whole(-3, 3), whole(0, 4), dtypes=STRING),
    entry("Substr", lambda x, i, n: tf.strings.substr(x, i, n), "*, *, *", text(b"abc", b"defgh"), whole(-3, 3), whole(0, 4), dtypes=STRING, variant="each"),
    entry("StringSplit", raw("StringSplit"), "a,", words, text(b" ", b""), dtypes=STRING, by_value=True),
    entry("StringSplitV2", lambda x: tf.strings.split(x).values, "a", dtypes=STRING, by_value=True, known="ranks"),
    entry("StringNGrams", lambda x: tf.strings.ngrams(x, 2), "a", dtypes=STRING, by_value=True, known="ranks"),
    entry("StringFormat", lambda x: tf.strings.format("{} there", x), dtypes=ANY),
    entry("StringToHashBucket", lambda x: tf.strings.to_hash_bucket(x, 7), dtypes=STRING),
    entry("StringToHashBucketFast", lambda x: tf.strings.to_hash_bucket_fast(x, 7), dtypes=STRING),
    entry("StringToHashBucketStrong", lambda x: tf.strings.to_hash_bucket_strong(x, 7, [1, 2]), dtypes=STRING),
    entry("StringToNumber", lambda x: tf.strings.to_number(x, tf.float64), "...", NUMBERS, dtypes=STRING, numpy=lambda x: x.astype(float)),
    entry("DecodeBase64", lambda x: tf.io.decode_base64(tf.io.encode_base64(x)), dtypes=STRING),
    entry("EncodeBase64", tf.io.encode_base64, dtypes=STRING),
    entry("DecodeRaw", lambda x: tf.io.decode_raw(x, tf.int16), "...", BYTES, dtypes=STRING, by_value=True),
    entry("DecodePaddedRaw", lambda x: tf.io.decode_raw(x, tf.int16, fixed_length=6), "...", BYTES, dtypes=STRING, by_value=True),
    entry("UnicodeDecode", lambda x: tf.strings.unicode_decode(x, "UTF-8").values, "a", dtypes=STRING, by_value=True, known="ranks"),
    entry("UnicodeDecodeWithOffsets", lambda x: tf.strings.unicode_decode_with_offsets(x, "UTF-8")[1].values, "a", dtypes=STRING, by_value=True, known="ranks"),
    entry("UnicodeEncode", lambda x: tf.strings.unicode_encode(x, "UTF-16-BE"), "ab", whole(97, 120), dtypes=NONE, known="ranks"),
    entry("UnicodeScript", tf.strings.unicode_script, "...", whole(60, 2000), dtypes=NONE),
    entry("UnicodeTranscode", lambda x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE"), dtypes=STRING),
]  # fmt: skip
