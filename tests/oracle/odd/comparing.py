"""Where graphlab's answer to an odd call is another than TensorFlow's: on purpose (`KINDS`), or not yet mended.

`python -m tests.oracle.odd.comparing` prints what differs; with `--write` it brings `not_yet.json` up to date, which
lists the calls that still differ for no good reason.  It is to become shorter, never longer.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.oracle.odd.recording import CRASHES
from tests.oracle.odd.running import ARGUMENTS, calls_of, message, outcome

FOLDER = Path(__file__).parent
RECORD = FOLDER.parent / "recorded" / "odd" / "calls.json"
NOT_YET = FOLDER / "not_yet.json"

# What TensorFlow's own Python code raises where it meets something that it does not expect.
INSIDE = {
    "AttributeError",
    "IndexError",
    "KeyError",
    "AssertionError",
    "UnboundLocalError",
    "MemoryError",
    "RuntimeError",
    "OverflowError",
    "AbortedError",
    "InternalError",
}
REFUSED = {"TypeError", "ValueError", "InvalidArgumentError"}
SYMBOLIC = {"TypeError", "OperatorNotAllowedInGraphError", "NotImplementedError"}
NO_KERNEL = {"NotFoundError", "UnimplementedError"}
# Functions with a row of their own in docs/differences.md, and whether TensorFlow gives a value there.
OWN_ROW = {
    "random.set_seed": True,
    "boolean_mask": False,
    "math.cumulative_logsumexp": True,
    "strings.format": True,
    "unravel_index": True,
    "ensure_shape": False,
    "numpy_function": True,
    "TensorArray.unstack": True,
    "function.get_concrete_function": True,
    "GradientTape.gradient": True,
}
STRICTER = {
    "random.set_seed",
    "unravel_index",
    "numpy_function",
    "TensorArray.unstack",
    "function.get_concrete_function",
    "GradientTape.gradient",
}
UP_TO_SIGN = {"linalg.eigh", "linalg.svd"}


def is_value(answer: str) -> bool:
    return not answer.endswith("Error") and answer != CRASHES


class Kind(NamedTuple):
    """A way of differing on purpose; each has a row in `docs/differences.md`."""

    name: str
    why: str
    example: tuple[str, str]  # a function and a call that differs so
    fits: Callable[[str, str, str], bool]  # function, TensorFlow's answer, ours
    odd: str | tuple[str, ...] = ""  # the argument that it is about, if it is one

    def covers(self, function: str, call: str, theirs: str, ours: str) -> bool:
        return call.endswith(self.odd) and self.fits(function, theirs, ours)


KINDS = [
    Kind(
        "inside",
        "An exception out of TensorFlow's own code says nothing to a user: we say what is wrong with the argument.",
        ("linalg.eig", "eager 0: None"),
        lambda function, theirs, ours: theirs in INSIDE and ours in REFUSED | {"OverflowError"},
    ),
    Kind(
        "works",
        "TensorFlow's own code stumbles over an argument that makes sense: ours takes it.",
        ("broadcast_static_shape", "eager ordinary"),
        lambda function, theirs, ours: theirs in INSIDE - {"OverflowError"} and is_value(ours),
    ),
    Kind(
        "symbolic",
        "A tensor of a graph stands where a Python value is needed: always a TypeError (of which"
        " OperatorNotAllowedInGraphError is one).",
        ("nn.softmax", "traced 1: scalar"),
        lambda function, theirs, ours: {theirs, ours} <= SYMBOLIC,
    ),
    Kind(
        "kernel",
        "A dtype for which TensorFlow has no kernel is refused like every other dtype that does not fit, or works.",
        ("realdiv", "eager 0: int32"),
        lambda function, theirs, ours: (
            (theirs in NO_KERNEL and (ours in REFUSED or is_value(ours)))
            # A graph's error is InvalidArgumentError, and our NoKernelError is both.
            or (theirs, ours) == ("InvalidArgumentError", "NotFoundError")
        ),
    ),
    Kind(
        "dict",
        "A dict is neither a tensor nor a list: TensorFlow takes an empty one for False (while tracing) or for [].",
        ("logical_not", "traced 0: {}"),
        lambda function, theirs, ours: (
            ours in {"TypeError", "ValueError"}
            and (is_value(theirs) or function in ("where", "reduce_any", "reduce_all"))
        ),
        odd=": {}",
    ),
    Kind(
        "empty",
        "An empty tensor where an axis is needed: TensorFlow asks whether it is another one than the default.",
        ("nn.softmax_cross_entropy_with_logits", "eager 2: [0]"),
        lambda function, theirs, ours: (
            function == "nn.softmax_cross_entropy_with_logits" and is_value(theirs) and ours == "ValueError"
        ),
        odd=(": [0]", ": [0, 3]"),
    ),
    Kind(
        "large",
        "Numbers that float32 is too small to reckon with: TensorFlow's result is NaN or has the wrong sign.",
        ("math.betainc", "eager 0: 2**70"),
        lambda function, theirs, ours: (
            function in ("math.betainc", "math.polygamma") and is_value(theirs) and is_value(ours)
        ),
        odd=": 2**70",
    ),
    Kind(
        "sign",
        "Eigenvectors and singular vectors are determined up to their sign.",
        ("linalg.eigh", "eager ordinary"),
        lambda function, theirs, ours: (
            function in UP_TO_SIGN and is_value(ours) and theirs.replace("-", "") == ours.replace("-", "")
        ),
    ),
    Kind(
        "row",
        "The function has a row of its own in docs/differences.md.",
        ("boolean_mask", "eager 2: -1"),
        lambda function, theirs, ours: (
            is_value(theirs) == OWN_ROW.get(function) and (is_value(ours) or (ours in REFUSED and function in STRICTER))
        ),
    ),
]


def recorded() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return {name: found[name] for name in ARGUMENTS if name in found}


def not_yet() -> dict[str, list[str]]:
    """For each function the calls that differ: `eager 1: [0, 5]`."""
    found: dict[str, list[str]] = json.loads(NOT_YET.read_text(encoding="utf-8"))
    return found


def example(kind: Kind) -> tuple[str, str]:
    """What TensorFlow and we answer to a kind's example."""
    function, wanted = kind.example
    for call, theirs, mode, arguments, named in comparisons(function, recorded()[function]):
        if call == wanted:
            return theirs, outcome(function, arguments, named, mode == "traced")
    raise LookupError(f"{function} has no call {wanted}")


def comparisons(
    function: str, answers: dict[str, list[str]]
) -> Iterator[tuple[str, str, str, tuple[Any, ...], dict[str, Any]]]:
    """The calls to make: what and how, TensorFlow's answer, arguments."""
    theirs = {what: answer for answer, calls in answers.items() for what in calls}
    for what, arguments, named in calls_of(function):
        if what not in theirs:
            continue
        pair = theirs[what].split(" | ")
        for mode, answer in zip(("eager", "traced"), pair * 2 if len(pair) == 1 else pair, strict=True):
            if answer != CRASHES:
                yield f"{mode} {what}", answer, mode, arguments, named


def differences(function: str, answers: dict[str, list[str]]) -> dict[str, str]:
    """The calls that differ for none of the reasons: what TensorFlow and we say."""
    found: dict[str, str] = {}
    for call, theirs, mode, arguments, named in comparisons(function, answers):
        ours = outcome(function, arguments, named, mode == "traced")
        if ours != theirs and not any(kind.covers(function, call, theirs, ours) for kind in KINDS):
            found[call] = f"{theirs} | {ours} {message(function, arguments, named, mode == 'traced')}"
    return found


def main() -> None:
    every: dict[str, list[str]] = {}
    for function, answers in recorded().items():
        found = differences(function, answers)
        for call, said in found.items():
            print(function, call, said, sep=" | ")
        if found:
            every[function] = sorted(found)
    print(sum(map(len, every.values())), "calls differ")
    if "--write" in sys.argv:
        lines = [f"{json.dumps(name)}: {json.dumps(calls)}" for name, calls in sorted(every.items())]
        NOT_YET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
