# Written by tools/generate_index.py: do not edit.
from graphlab.ops.strings import as_string as as_string
from graphlab.ops.printing import string_format as format
from graphlab.ops.strings import join as join
from graphlab.ops.strings import length as length
from graphlab.ops.strings import lower as lower
from graphlab.ops.strings import reduce_join as reduce_join
from graphlab.ops.strings import regex_full_match as regex_full_match
from graphlab.ops.strings import regex_replace as regex_replace
from graphlab.ops.strings import strip as strip
from graphlab.ops.strings import substr as substr
from graphlab.ops.strings import to_hash_bucket as to_hash_bucket
from graphlab.ops.strings import to_hash_bucket_fast as to_hash_bucket_fast
from graphlab.ops.strings import to_hash_bucket_strong as to_hash_bucket_strong
from graphlab.ops.strings import to_number as to_number
from graphlab.ops.strings import upper as upper

__all__ = [
    "as_string",
    "format",
    "join",
    "length",
    "lower",
    "reduce_join",
    "regex_full_match",
    "regex_replace",
    "strip",
    "substr",
    "to_hash_bucket",
    "to_hash_bucket_fast",
    "to_hash_bucket_strong",
    "to_number",
    "upper",
]
