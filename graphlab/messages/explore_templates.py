"""What the explorer of a function says; see `templates.py` for the rules."""

from __future__ import annotations

from typing import Final

from graphlab.messages.plural import Plural

EXPLORE: Final[dict[str, str | Plural]] = {
    "explore.title": "Explore `{f}`",
    "explore.about": "Moving a slider asks what a call would do. Only the buttons trace and run.",
    "explore.still": "This is how it stood. The sliders need a running kernel: run `{code}`.",
    "explore.kind": "Kind of `{path}`",
    "explore.kind.tensor": "tensor",
    "explore.dtype": "dtype of `{path}`",
    "explore.rank": "Axes of `{path}`",
    "explore.size": "Size of axis {n} of `{path}`",
    "explore.value": "Value of `{path}`",
    "explore.fixed": "`{path}` stays as it is:",
    "explore.no_arguments": "`{f}` takes no arguments.",
    "explore.arguments": "Arguments",
    "explore.call": "The call",
    "explore.traces": "Traces",
    "explore.traces.none": "There is no trace yet.",
    "explore.fits": "serves this call",
    "explore.trace": "Trace",
    "explore.run": "Run",
    "explore.mode": "Show",
    "explore.mode.both": "Side by side",
    "explore.times": "`{first}` the first time, `{again}` again",
    "explore.ran": "Ran for these arguments:",
    "explore.step": "Step through the graph",
    "explore.position": "Operation {n} of {total}",
    "explore.line": "line {line}",
    "explore.too_many": Plural(
        "These arguments have {n} element, more than a run here takes.",
        "These arguments have {n} elements, more than a run here takes.",
    ),
    "explore.refused": "**This call is not possible:** {error}",
    "explore.stopped": "**It stopped:** {error}",
    "explore.traced": "**`T{trace}` was made** in `{time}`.",
    "explore.traced.already": "`T{trace}` was there already.",
}
