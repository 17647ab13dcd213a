"""Text: splitting, joining, cleaning, codes, hashes, tables of words, in branches and loops."""

from tests.oracle.program import Sheet, program, raised
from tests.oracle.under_test import tf


@program
def word_counts():
    """The words of a text, each with how often it comes, by unique and sorting."""

    @tf.function
    def f(text):
        words = (
            tf.strings.split(tf.strings.lower(text)).values
            if text.shape.rank
            else tf.strings.split(tf.strings.lower(text))
        )
        unique, index, counts = tf.unique_with_counts(words)
        order = tf.argsort(counts, direction="DESCENDING", stable=True)
        return tf.gather(unique, order), tf.gather(counts, order), index

    return f(tf.constant("the cat and the dog and the bird")), f(tf.constant("")), f(tf.constant("One one ONE"))


@program
def palindromes_by_a_loop():
    """A loop that compares characters from both ends, with an early end."""

    @tf.function
    def is_palindrome(text):
        letters = tf.strings.unicode_split(text, "UTF-8")
        i, j = tf.constant(0), tf.size(letters) - 1
        same = tf.constant(True)
        while same and i < j:
            same = letters[i] == letters[j]
            i += 1
            j -= 1
        return same, i

    return [is_palindrome(tf.constant(word)) for word in ("level", "lever", "", "été", "ab")]


@program
def splitting_by_other_separators():
    """A separator, an empty one, several in a row, at most so many parts."""

    @tf.function
    def f(text):
        a = tf.strings.split(text, sep=",")
        b = tf.strings.split(text, sep=",", maxsplit=1)
        c = tf.strings.split(text)
        return a, b, c, tf.size(a)

    return f(tf.constant("a,b,,c")), f(tf.constant(" x  y ")), f(tf.constant(""))


@program
def ragged_words_of_many_lines():
    """Splitting a vector of lines gives rows of different lengths."""

    @tf.function
    def f(lines):
        words = tf.strings.split(lines)
        lengths = words.row_lengths()
        first = words[0]
        return words.values, lengths, first, words.to_tensor("?")

    return f(tf.constant(["one two", "", "three"])), f(tf.constant([" a  b c "]))


@program
def joining_along_axes():
    """reduce_join over axes, with a separator, keepdims, and of nothing."""

    @tf.function
    def f(x):
        rows = tf.strings.reduce_join(x, axis=1, separator="-")
        columns = tf.strings.reduce_join(x, axis=0, keepdims=True)
        everything = tf.strings.reduce_join(x)
        return rows, columns, everything, tf.strings.reduce_join([rows, rows], 0)

    return f(tf.constant([["a", "b"], ["c", "d"]])), f(tf.zeros([0, 2], tf.string))


@program
def cases_of_letters():
    """upper and lower of ASCII and of other letters, with and without an encoding."""

    @tf.function
    def f(text):
        a = tf.strings.upper(text)
        b = tf.strings.upper(text, encoding="utf-8")
        c = tf.strings.lower(b, encoding="utf-8")
        return a, b, c, c == text

    return f(tf.constant("straße é")), f(tf.constant(["abC", "ÀÉ"])), raised(tf.strings.upper, "a", "latin")


@program
def comparing_strings():
    """== and != of strings broadcast; < is refused; where chooses by them."""

    @tf.function
    def f(a, b):
        same = a == b
        other = tf.not_equal(a, b)
        chosen = tf.where(same, a, "?")
        return same, other, chosen, tf.reduce_any(same)

    def less():
        return tf.constant("a") < tf.constant("b")

    return (
        f(tf.constant(["a", "b", "c"]), tf.constant(["a", "x", "c"])),
        f(tf.constant(["a", "b"]), tf.constant("b")),
        raised(less),
    )


@program
def branches_on_text():
    """A chain of conditions on a string tensor, the values of which are strings again."""

    @tf.function
    def answer(question):
        if question == "name":
            reply = tf.constant("graph")
        elif tf.strings.regex_full_match(question, r"\d+"):
            reply = tf.strings.as_string(tf.strings.to_number(question, tf.int32) + 1)
        elif tf.strings.length(question) == 0:
            reply = tf.constant("say something")
        else:
            reply = "what is " + question + "?"
        return reply

    return [answer(tf.constant(q)) for q in ("name", "41", "", "tea")]


@program
def text_built_in_a_loop():
    """A string that a graph loop makes longer, with the numbers of the rounds in it."""

    @tf.function
    def countdown(n):
        text = tf.constant("")
        while n > 0:
            text += tf.strings.as_string(n)
            if n > 1:
                text += ", "
            n -= 1
        return text + "!", tf.strings.length(text)

    return countdown(tf.constant(4)), countdown(tf.constant(1)), countdown(tf.constant(0))


@program
def run_length_encoding():
    """Runs of equal letters counted in a loop over a TensorArray, and the text made of them."""

    @tf.function
    def encode(text):
        letters = tf.strings.bytes_split(text)
        result = tf.constant("")
        count = tf.constant(0)
        for i in tf.range(tf.size(letters)):
            count += 1
            last = i == tf.size(letters) - 1
            if last or letters[i] != letters[tf.minimum(i + 1, tf.size(letters) - 1)]:
                result += tf.strings.as_string(count) + letters[i]
                count = 0
        return result

    return [encode(tf.constant(text)) for text in ("aaabcc", "z", "")]


@program
def numbers_of_text():
    """to_number of floats, integers, exponents and wrong text."""

    @tf.function
    def f(text):
        single = tf.strings.to_number(text)
        double = tf.strings.to_number(text, tf.float64)
        total = tf.reduce_sum(double)
        return single, double, total

    return (
        f(tf.constant(["1.5", "-2e3", "inf", " 7 "])),
        tf.strings.to_number("12", tf.int64),
        raised(f, tf.constant(["one"])),
        raised(tf.strings.to_number, "1.5", tf.int32),
        raised(tf.strings.to_number, "99999999999", tf.int32),
    )


@program
def as_string_of_each_dtype():
    """Integers, floats, truth values and complex numbers as text."""

    @tf.function
    def f(x):
        text = tf.strings.as_string(x)
        lengths = tf.strings.length(text)
        joined = tf.strings.reduce_join(text, separator=" ")
        return text, lengths, joined

    values = [tf.constant([1, -20], tf.int8), tf.constant([2**40], tf.int64), tf.constant([True, False])]
    values += [tf.constant([0.1, 1e10, -3.0], d) for d in (tf.float32, tf.float64)]
    return [f(v) for v in values], tf.strings.as_string(tf.constant(1 + 2j))


@program
def padded_numbers():
    """Width, fill and precision make columns of equal length."""

    @tf.function
    def table(names, prices):
        left = tf.strings.as_string(prices, width=8, precision=2)
        zeros = tf.strings.as_string(tf.cast(prices, tf.int32), width=4, fill="0")
        lines = tf.strings.join([names, left, zeros], separator="|")
        return lines, tf.strings.length(lines)

    return table(tf.constant(["tea", "pie"]), tf.constant([1.5, 12.25])), raised(
        tf.strings.as_string, tf.constant(1), 2
    )


@program
def substrings_with_tensor_positions():
    """substr with a position and length for each element, negative positions, and too far ones."""

    @tf.function
    def f(text, start, length):
        part = tf.strings.substr(text, start, length)
        rest = tf.strings.substr(text, start, tf.zeros_like(start) + 99)
        return part, rest, part == rest

    texts = tf.constant(["hello", "world"])
    return (
        f(texts, tf.constant([0, 1]), tf.constant([2, 3])),
        f(texts, tf.constant(-3), tf.constant(2)),
        raised(f, texts, tf.constant([9, 0]), tf.constant([1, 1])),
        tf.strings.substr("naïve", 2, 2, unit="UTF8_CHAR"),
    )


@program
def unicode_code_points():
    """Decoding to code points, shifting them, encoding again; offsets of characters."""

    @tf.function
    def f(text):
        points = tf.strings.unicode_decode(text, "UTF-8")
        capital = tf.where((points >= 97) & (points <= 122), points - 32, points)
        back = tf.strings.unicode_encode(capital, "UTF-8")
        letters, offsets = tf.strings.unicode_split_with_offsets(text, "UTF-8")
        return points, back, letters, offsets

    return f(tf.constant("héy 😀")), f(tf.constant("")), tf.strings.unicode_script([65, 1046, 12354])


@program
def bad_bytes_of_unicode():
    """Bytes that are no UTF-8: replaced, ignored, or an error."""

    @tf.function
    def f(text):
        replaced = tf.strings.unicode_decode(text, "UTF-8", errors="replace")
        ignored = tf.strings.unicode_decode(text, "UTF-8", errors="ignore")
        other = tf.strings.unicode_transcode(text, "UTF-8", "UTF-8", errors="replace", replacement_char=63)
        return replaced, ignored, other

    strict = tf.function(lambda text: tf.strings.unicode_decode(text, "UTF-8", errors="strict"))
    return f(tf.constant(b"a\xffb")), raised(strict, tf.constant(b"\xff")), strict(tf.constant("ok"))


@program
def transcoding():
    """UTF-8 to UTF-16 and back, with lengths in bytes and characters."""

    @tf.function
    def f(text):
        wide = tf.strings.unicode_transcode(text, "UTF-8", "UTF-16-BE")
        back = tf.strings.unicode_transcode(wide, "UTF-16-BE", "UTF-8")
        same = back == text
        return wide, same, tf.strings.length(wide), tf.strings.length(text, unit="UTF8_CHAR")

    return (
        f(tf.constant("añb")),
        f(tf.constant(["x", "😀"])),
        raised(tf.strings.unicode_transcode, "a", "UTF-8", "EBCDIC-9"),
    )


@program
def replacing_with_groups():
    """Groups, anchors, case-insensitive flags, and a pattern that is wrong."""

    @tf.function
    def f(text):
        dates = tf.strings.regex_replace(text, r"(\d{4})-(\d{2})-(\d{2})", r"\3.\2.\1")
        quiet = tf.strings.regex_replace(dates, r"(?i)hello", "bye")
        trimmed = tf.strings.regex_replace(quiet, r"^\s+|\s+$", "")
        return dates, quiet, trimmed, tf.strings.regex_replace(text, "", "-")

    return f(tf.constant([" HELLO on 2024-05-17 ", "none"])), raised(tf.strings.regex_replace, "a", "(", "b")


@program
def filtering_by_a_pattern():
    """A mask of the elements that match, and what boolean_mask leaves."""

    @tf.function
    def f(names, pattern):
        keep = tf.strings.regex_full_match(names, pattern)
        chosen = tf.boolean_mask(names, keep)
        count = tf.reduce_sum(tf.cast(keep, tf.int32))
        return keep, chosen, count

    names = tf.constant(["w:0", "b:0", "step", "w:12"])
    return f(names, r"[a-z]:\d+"), f(names, "w.*"), f(names, "nothing"), raised(f, names, "[")


@program
def stripping_and_measuring():
    """strip takes spaces of every kind; lengths before and after."""

    @tf.function
    def f(lines):
        clean = tf.strings.strip(lines)
        empty = tf.strings.length(clean) == 0
        kept = tf.boolean_mask(clean, ~empty)
        return clean, empty, kept, tf.size(kept)

    return f(tf.constant(["  a b ", "\t\n", "c\r\n", ""])), f(tf.constant(["x"]))


@program
def hashes_to_buckets():
    """Fast and strong hashes to buckets are the same in every run; equal words share a bucket."""

    @tf.function
    def f(words):
        fast = tf.strings.to_hash_bucket_fast(words, 10)
        strong = tf.strings.to_hash_bucket_strong(words, 10, key=[1, 2])
        same = fast[0] == fast[2]
        return fast, strong, same

    return f(tf.constant(["apple", "pear", "apple", ""])), f(tf.constant(["é", "long" * 20, "z"]))


@program
def text_to_bytes_to_numbers():
    """decode_raw to wider numbers in both byte orders, and of a length that does not fit."""

    @tf.function
    def f(data):
        small = tf.io.decode_raw(data, tf.uint8)
        wide = tf.io.decode_raw(data, tf.uint16)
        swapped = tf.io.decode_raw(data, tf.uint16, little_endian=False)
        return small, wide, swapped

    return (
        f(tf.constant(b"\x01\x00\x00\x01")),
        f(tf.constant([b"ab", b"cd"])),
        raised(tf.io.decode_raw, tf.constant(b"abc"), tf.int32),
    )


@program
def base64_of_many_lengths():
    """Encoding web-safe, with and without padding, and decoding what is wrong."""

    @tf.function
    def f(data):
        plain = tf.io.encode_base64(data)
        padded = tf.io.encode_base64(data, pad=True)
        back = tf.io.decode_base64(padded)
        return plain, padded, tf.reduce_all(back == data)

    return f(tf.constant([b"", b"a", b"ab", b"abc", b"\xff\xfe?"])), raised(tf.io.decode_base64, tf.constant("!"))


@program
def a_table_of_codes():
    """A dictionary of words by broadcasting comparison: indices, words not known, and the text decoded again."""

    @tf.function
    def encode(words, vocabulary):
        hits = words[:, None] == vocabulary[None, :]
        known = tf.reduce_any(hits, 1)
        ids = tf.where(known, tf.argmax(tf.cast(hits, tf.int32), 1, tf.int32), -1)
        again = tf.where(known, tf.gather(vocabulary, tf.maximum(ids, 0)), "[?]")
        return ids, tf.strings.reduce_join(again, separator=" ")

    vocabulary = tf.constant(["a", "is", "rose"])
    return encode(tf.constant(["a", "rose", "is", "red"]), vocabulary), encode(tf.constant(["x"]), vocabulary)


@program
def ngrams_of_words():
    """Bigrams by slices and by tf.strings.ngrams."""

    @tf.function
    def f(words):
        pairs = tf.strings.join([words[:-1], words[1:]], separator=" ")
        grams = tf.strings.ngrams(words, 2)
        same = tf.reduce_all(pairs == grams)
        return pairs, grams, same

    return f(tf.constant(["to", "be", "or", "not"])), f(tf.constant(["one", "two"]))


@program
def printing_text():
    """tf.print of strings, of nested values, with a separator and an end, in order."""
    sheet = Sheet()

    @tf.function
    def f(name, x):
        tf.print("hello", name, output_stream=sheet.stream)
        tf.print(x, [name, x], sep=" / ", end=".\n", output_stream=sheet.stream)
        if tf.reduce_sum(x) > 2:
            tf.print("large:", tf.reduce_sum(x), output_stream=sheet.stream)
        return name + "!"

    results = f(tf.constant("Ada"), tf.constant([1, 2])), f(tf.constant("Bob"), tf.constant([0, 1]))
    return results, sheet.lines()


@program
def formatting_of_tensors():
    """tf.strings.format of matrices, of long vectors, of text, with the wrong number of values."""

    @tf.function
    def f(x):
        a = tf.strings.format("x={}", x)
        b = tf.strings.format("{} and {}", (x, tf.constant("t")))
        c = tf.strings.format("first {}", tf.range(20), summarize=2)
        return a, b, c

    return (
        f(tf.constant([[1, 2], [3, 4]])),
        f(tf.constant(1.5)),
        f(tf.constant([True])),
        raised(tf.strings.format, "{} {}", (tf.constant(1),)),
    )


@program
def text_does_not_compute():
    """Arithmetic with strings, casts of strings and conversion of a mixture are errors."""

    @tf.function
    def f(x):
        y = x + "b"
        z = y + x
        long = z + z
        return y, z, long

    return (
        f(tf.constant("a")),
        raised(lambda: tf.constant("a") * 2),
        raised(lambda: tf.constant("a") - tf.constant("b")),
        raised(tf.cast, tf.constant("1"), tf.int32),
        raised(tf.constant, ["a", 1]),
        raised(tf.reduce_sum, tf.constant(["a"])),
        raised(lambda: 1 + tf.constant("a")),
    )


@program
def strings_in_variables():
    """A string variable is assigned and appended to in a function."""
    log = tf.Variable("start")
    slots = tf.Variable(["-", "-", "-"])

    @tf.function
    def note(text, place):
        log.assign(log + ";" + text)
        slots.scatter_nd_update([[place]], [text])
        return tf.strings.length(log)

    lengths = [note(tf.constant("one"), tf.constant(0)), note(tf.constant("two"), tf.constant(2))]
    return lengths, log, slots


@program
def vigenere_cipher():
    """A key that is repeated along the text; decoding with the same function and the opposite sign."""

    @tf.function
    def shift(text, key, sign):
        t = tf.cast(tf.io.decode_raw(text, tf.uint8), tf.int32) - 97
        k = tf.cast(tf.io.decode_raw(key, tf.uint8), tf.int32) - 97
        n = tf.size(t)
        repeated = tf.tile(k, [n // tf.size(k) + 1])[:n]
        shifted = (t + sign * repeated) % 26 + 97
        return tf.strings.unicode_encode(shifted, "UTF-8")

    secret = shift(tf.constant("attackatdawn"), tf.constant("lemon"), 1)
    return secret, shift(secret, tf.constant("lemon"), -1)


@program
def edit_distance_by_loops():
    """Levenshtein's distance of two words by nested loops over rows of a matrix."""

    @tf.function
    def distance(a, b):
        a, b = tf.strings.bytes_split(a), tf.strings.bytes_split(b)
        row = tf.range(tf.size(b) + 1)
        for i in tf.range(tf.size(a)):
            new = tf.TensorArray(tf.int32, size=tf.size(b) + 1)
            left = i + 1
            new = new.write(0, left)
            for j in tf.range(tf.size(b)):
                cost = tf.cast(a[i] != b[j], tf.int32)
                left = tf.minimum(tf.minimum(left, row[j + 1]) + 1, row[j] + cost)
                new = new.write(j + 1, left)
            row = tf.ensure_shape(new.stack(), [None])
        return row[-1]

    pairs = [("kitten", "sitting"), ("", "abc"), ("same", "same")]
    return [distance(tf.constant(a), tf.constant(b)) for a, b in pairs]


@program
def parsing_lines_of_numbers():
    """A small table as text: lines, cells, numbers, sums by column."""

    @tf.function
    def parse(text):
        lines = tf.strings.split(tf.strings.strip(text), "\n")
        cells = tf.strings.split(lines, ",").to_tensor("0")
        numbers = tf.strings.to_number(cells, tf.float64)
        return numbers, tf.reduce_sum(numbers, 0), tf.shape(cells)

    return parse(tf.constant("1,2,3\n4,5,6\n")), parse(tf.constant("1\n2,2.5")), raised(parse, tf.constant("a,b"))


@program
def bytes_on_both_sides_of_numpy():
    """numpy() of strings gives bytes and object arrays; Python text comes in as UTF-8."""

    @tf.function
    def f(x):
        y = x + "é"
        return y, tf.strings.length(y)

    scalar, vector = tf.constant("añ"), tf.constant(["a", "bc"])
    first, size = f(scalar)
    return (
        scalar.numpy(),
        first.numpy().decode("utf-8"),
        size,
        vector.numpy().tolist(),
        [item.decode() for item in f(vector)[0].numpy()],
        scalar == "añ",
    )
