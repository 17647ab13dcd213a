"""Why a gradient is None: what `explain_gradient` says, in English, by message id."""

from __future__ import annotations

from typing import Final

from graphlab.messages.plural import Plural

GRADIENT: Final[dict[str, str | Plural]] = {
    "gradient.connected": "**`{target}` has a gradient for `{source}`.** It goes through {path}.",
    "gradient.same": "**`{target}` is `{source}` itself.** Its gradient is 1.",
    "gradient.none": "**The gradient of `{target}` for `{source}` is None.** {cause}",
    "gradient.spent": "**The tape has been used already,** and what it recorded is gone.",
    "gradient.source_not_tensor": "`{source}` is a Python object of type `{type}`, which no tape can watch.",
    "gradient.target_not_tensor": "`{target}` is a Python object of type `{type}`, which no tape has recorded.",
    "gradient.target_list": "`{target}` is a Python `{type}`: ask for one of its tensors, or for their sum.",
    "gradient.target_dict": "`{target}` is a Python `{type}`: ask for one of its values, or for their sum.",
    "gradient.target_none": "`{target}` is None: what should have given it returned nothing.",
    "gradient.target_function": (
        "`{target}` is a function that was not called: its result has a gradient, not the function."
    ),
    "gradient.source_integer": "`{source}` is `{dtype}`, and only floating-point numbers have gradients.",
    "gradient.target_integer": "`{target}` is `{dtype}`, and only floating-point numbers have gradients.",
    "gradient.unwatched": "`{source}` is a tensor, and the tape was not told to watch it.",
    "gradient.untrainable": "`{source}` is a variable that is not trainable, and a tape watches only trainable ones.",
    "gradient.unread": "`{source}` was not read while the tape recorded.",
    "gradient.rebound": "In line {line} `{source}` became the name of a new tensor, which the tape does not watch.",
    "gradient.outside": "Line {line} is not under the tape, which has not seen what it computes.",
    "gradient.paused": "Line {line} is under `stop_recording`.",
    "gradient.stopped": "`{op}` lets no gradient through.",
    "gradient.no_gradient": "`{op}` has no gradient: its result does not change with small changes of what it takes.",
    "gradient.to_integer": "`{op}` gives `{dtype}`, and only floating-point numbers have gradients.",
    "gradient.left": "`{op}` takes the value out as a Python or NumPy number, which the tape cannot follow.",
    "gradient.copied": "`{op}` makes a new value of it, which does not depend on anything.",
    "gradient.assigned": "`{op}` stores the value; what is read later depends on the variable only.",
    "gradient.python": "`{op}` runs a Python function, which the tape cannot follow.",
    "gradient.custom": "The gradient that the program defines for `{op}` gives None.",
    "gradient.missing": "`{op}` has no gradient here, and asking for one raises LookupError.",
    "gradient.unused": "Nothing that the tape recorded leads from `{source}` to `{target}`.",
    "gradient.line": "Line {line}:",
    "gradient.line.function": "In `{f}`, line {line}:",
}
