# Written by tools/generate_index.py: do not edit.
from graphlab.ops.strings import as_string as as_string
from graphlab.ops.strings_splitting import bytes_split as bytes_split
from graphlab.ops.printing import string_format as format
from graphlab.ops.strings import join as join
from graphlab.ops.strings import length as length
from graphlab.ops.strings import lower as lower
from graphlab.ops.strings_splitting import ngrams as ngrams
from graphlab.ops.strings import reduce_join as reduce_join
from graphlab.ops.strings_matching import regex_full_match as regex_full_match
from graphlab.ops.strings_matching import regex_replace as regex_replace
from graphlab.ops.strings_splitting import split as split
from graphlab.ops.strings import strip as strip
from graphlab.ops.strings import substr as substr
from graphlab.ops.strings_matching import to_hash_bucket as to_hash_bucket
from graphlab.ops.strings_matching import to_hash_bucket_fast as to_hash_bucket_fast
from graphlab.ops.strings_matching import to_hash_bucket_strong as to_hash_bucket_strong
from graphlab.ops.strings import to_number as to_number
from graphlab.ops.unicode import unicode_decode as unicode_decode
from graphlab.ops.unicode import unicode_decode_with_offsets as unicode_decode_with_offsets
from graphlab.ops.unicode import unicode_encode as unicode_encode
from graphlab.ops.unicode import unicode_script as unicode_script
from graphlab.ops.unicode import unicode_split as unicode_split
from graphlab.ops.unicode import unicode_split_with_offsets as unicode_split_with_offsets
from graphlab.ops.unicode import unicode_transcode as unicode_transcode
from graphlab.ops.strings_segments import unsorted_segment_join as unsorted_segment_join
from graphlab.ops.strings import upper as upper

__all__ = [
    "as_string",
    "bytes_split",
    "format",
    "join",
    "length",
    "lower",
    "ngrams",
    "reduce_join",
    "regex_full_match",
    "regex_replace",
    "split",
    "strip",
    "substr",
    "to_hash_bucket",
    "to_hash_bucket_fast",
    "to_hash_bucket_strong",
    "to_number",
    "unicode_decode",
    "unicode_decode_with_offsets",
    "unicode_encode",
    "unicode_script",
    "unicode_split",
    "unicode_split_with_offsets",
    "unicode_transcode",
    "unsorted_segment_join",
    "upper",
]
