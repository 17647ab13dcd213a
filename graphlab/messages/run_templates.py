"""What stepping, comparing and predicting say, in English, by message id."""

from typing import Final

from graphlab.messages.plural import Plural

# Sentences about a run.
RUNS: Final[dict[str, str | Plural]] = {
    "count.iterations": Plural(
        "{n} iteration",
        "{n} iterations",
    ),
    "step.lede": Plural(
        "**`{f}` ran {n} operation.**",
        "**`{f}` ran {n} operations.**",
    ),
    "step.lede.loop": Plural(
        "**`{f}` ran {n} operation** in {iterations}.",
        "**`{f}` ran {n} operations** in {iterations}.",
    ),
    "step.where": "Step {n} of {total}:",
    "step.stopped": "**Stopped at step {n} of {total}:** `{stop}`",
    "step.stopped.never": "**Not stopped:** `{stop}` held nowhere.",
    "step.of": "iteration {n} of {total}",
    "step.iteration": "`{name}`, iteration {n}",
    "step.branch": "`{name}`",
    "step.loop": Plural(
        "`{name}`: {n} iteration",
        "`{name}`: {n} iterations",
    ),
    "step.nan": "**NaN begins at `{op}` in line {line}:** what it takes has none.",
    "step.nan.nowhere": "**NaN begins at `{op}`:** what it takes has none.",
    "step.inf": "**Infinity begins at `{op}` in line {line}:** what it takes is finite.",
    "step.inf.nowhere": "**Infinity begins at `{op}`:** what it takes is finite.",
    "step.error": "**`{op}` failed in line {line}:** {error}",
    "step.error.nowhere": "**`{op}` failed:** {error}",
    "step.cut": Plural(
        "{n} further operation ran and is not shown.",
        "{n} further operations ran and are not shown.",
    ),
    "compare.same": "**`{f}` does the same eagerly and as a graph,** {calls}.",
    "compare.differs": "**`{f}` differs eagerly and as a graph:** {what}.",
    "compare.what.result": "the result of call {n}",
    "compare.what.error": "the error of call {n}",
    "compare.what.output": "what call {n} prints",
    "compare.what.variable": "the variable `{name}`",
    "compare.what.python": "the Python object `{name}`",
    "compare.because": "Because of line {line}:",
    "compare.ahead": (
        "A call takes `{eager}` eagerly and `{graph}` as a graph; tracing takes `{tracing}` once. "
        "The graph is ahead from call {n} on."
    ),
    "compare.behind": (
        "A call takes `{eager}` eagerly and `{graph}` as a graph; tracing takes `{tracing}` once. "
        "The graph saves no time here."
    ),
    "cost.tracing": Plural(
        "Tracing took `{tracing}` here, a call of the graph `{run}`: as much as {n} call.",
        "Tracing took `{tracing}` here, a call of the graph `{run}`: as much as {n} calls.",
    ),
    "output.where.graph": "in the graph of `T{trace}`, line {line}",
    "predict.right": "**Right.** {facts}",
    "predict.wrong": "**Not quite.** {facts}",
    "predict.traces": Plural(
        "There was {n} trace; the guess was {guess}.",
        "There were {n} traces; the guess was {guess}.",
    ),
    "predict.lines": Plural(
        "While tracing, Python printed {n} line; the guess was {guess}.",
        "While tracing, Python printed {n} lines; the guess was {guess}.",
    ),
    "predict.both": "{first} {second}",
    "predict.ask": (
        "How many traces will it make, and how many lines will Python print while tracing? "
        "Answer with `{example}` and run the cell."
    ),
    "predict.noted": "Noted. The answer comes when the cell is done.",
}

# Words of the views.
RUN_WORDS: Final[dict[str, str | Plural]] = {
    "tab.step": "Step",
    "tab.compare": "Compare",
    "step.head.iteration": "Iteration",
    "step.head.branches": "Branches",
    "step.head.node": "Operation",
    "step.head.value": "Value",
    "step.nodes": "Node by node",
    "step.forward": "Forward",
    "step.backward": "Back",
    "compare.eager": "Eager",
    "compare.graph": "Graph",
    "compare.result": "Result",
    "compare.output": "Output",
    "compare.error": "Error",
    "compare.variable": "Variable",
    "compare.python": "Python object",
    "compare.time": "Time",
    "compare.running": "Graph, running",
    "compare.tracing": "Graph, tracing once",
    "compare.equal": "equal",
    "compare.different": "different",
}

# Words that only panels about a run hold.
RUN_PANEL_WORDS: Final[dict[str, str | Plural]] = {
    "step.stop": "Stop at",
    "step.stop.any": "any line",
    "step.stop.previous": "Back to a stop",
    "step.stop.next": "On to a stop",
    "step.stop.none": "There is no further one.",
    "step.when.any": "any value",
    "step.when.odd": "NaN or Inf",
    "step.when.above": "a value above",
    "step.when.below": "a value below",
}

# Errors of the magics.
RUN_USAGE: Final[dict[str, str | Plural]] = {
    "usage.call": "Write a call of a traced function, for example `%{magic} {example}`.",
    "usage.stop": "`{value}` is no place to stop at. Write for example {examples}.",
    "usage.stop_name": "There is no `{name}` to stop at in `{stop}`. There are: {names}.",
    "usage.predict": "Write for example `{example}`, not `{value}`.",
}
