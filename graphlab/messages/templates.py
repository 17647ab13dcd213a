"""Every sentence and word that graphlab shows, in English: the source of the catalogues.

To add one, add an id here and run `python -m graphlab.messages.catalogues update`; the tests say what still needs a
translation.

- `{name}` is a value. In backticks it is code and stays verbatim; outside them a number gets the language's digits,
  and a list becomes
  code names joined by the language's "and".
- A `Plural` has one form per grammatical number; `by` names the value that counts. A sentence with two counts takes
  the second as a value that
  is itself a message (`{calls}` = `message("count.for_calls", n=6)`).
- Marks: `` `code` `` and `**strong**`. The fact is strong, the fix never stands inside it. One fact per sentence;
  present or plain past.
"""

from typing import Final

from graphlab.messages.advice_templates import RULE_HEADINGS, RULE_WORDS, RULES
from graphlab.messages.explore_templates import EXPLORE
from graphlab.messages.gradient_templates import GRADIENT
from graphlab.messages.graph_templates import GRAPH, GRAPH_WORDS
from graphlab.messages.lab_templates import LAB
from graphlab.messages.plural import Plural
from graphlab.messages.run_templates import RUN_PANEL_WORDS, RUN_USAGE, RUN_WORDS, RUNS

_LISTS: Final[dict[str, str | Plural]] = {
    "list.comma": ", ",
    "list.and": " and ",
    "count.times": Plural("once", "{n} times"),
    "count.for_calls": Plural("for {n} call", "for {n} calls"),
    "count.traces": Plural("{n} trace", "{n} traces"),
    "count.calls": Plural("{n} call", "{n} calls"),
    "count.operations": Plural("{n} operation", "{n} operations"),
}

# The sentence that opens the panel.
_LEDE: Final[dict[str, str | Plural]] = {
    "lede.uncalled": "**`{f}` is defined, not called yet.** It is traced at its first call, not now.",
    "lede.first": "**First trace of `{f}`,** made for `{signature}`. The next call of this kind reuses it.",
    "lede.first.no_arguments": "**First trace of `{f}`,** made for a call without arguments. The next call reuses it.",
    "lede.first.reused": Plural(
        "**`{f}` was traced once {calls}.** {n} call reused the trace.",
        "**`{f}` was traced once {calls}.** {n} calls reused the trace.",
    ),
    "lede.hit": Plural(
        "**No new trace for {n} call.** `{f}` reused {traces}.",
        "**No new trace for {n} calls.** `{f}` reused {traces}.",
    ),
    "lede.retraced": "**`{f}` was traced {times} {calls}.**",
    "lede.retraced.one_signature": "**`{f}` was traced {times} {calls}.** One signature would serve them all.",
    "lede.retraced.earlier": "**`{f}` was traced {times} {calls},** beside the traces it had. The list says why.",
    "lede.many": "**`{f}` was traced on each of its {n} calls:** {reason}",
    "lede.many.mostly": "**`{f}` was traced {times} {calls}:** {reason}",
    "lede.error": "**Tracing of `{f}` stopped at line {l}:** {error}",
    "lede.error.elsewhere": "**Tracing of `{f}` stopped in `{place}`:** {error}",
    "lede.error.nowhere": "**Tracing of `{f}` stopped:** {error}",
    "lede.eager": "**`{f}` ran eagerly {calls}.** While functions run eagerly, nothing is traced.",
    "lede.functions": "**{functions}, {traces}.** {list}.",
    "lede.functions.count": Plural("{n} function", "{n} functions"),
    "lede.functions.item": Plural("`{f}` traced once", "`{f}` traced {n} times"),
    "lede.functions.untraced": "`{f}` not traced",
    "lede.nothing": "**No traced function was defined or called in this cell.**",
    "lede.broken": (
        "graphlab could not make this panel (`{error}`). That is no fault of the cell; the traceback is in the "
        "kernel's log."
    ),
    "lede.unwatched": (
        "Calls were not recorded: only those in a watched cell are (`%tf_watch on` or `%%tf_function`)."
    ),
    "note.earlier_traces": Plural(
        "It had {n} trace from before this cell.", "It had {n} traces from before this cell."
    ),
    "note.coroutine": "`{f}` is a coroutine and stays as it is: a graph cannot wait.",
    "note.generator": (
        "`{f}` is a generator and stays as it is: a graph cannot pause. A helper called by a traced function "
        "may be one."
    ),
    "note.cut": Plural(
        "{n} line was left out to keep the notebook small.", "{n} lines were left out to keep the notebook small."
    ),
    "note.cut.calls": Plural("{n} further call is not shown.", "{n} further calls are not shown."),
    "error.kept": "No trace was kept; earlier traces still work.",
    "error.kept.none": "No trace was kept.",
}

# Why a call made a trace. `{path}` is the argument's path, `{was}` what the closest trace takes, `{now}` what came.
_RETRACE: Final[dict[str, str | Plural]] = {
    "retrace.first": "First call: there was no trace yet.",
    "retrace.python_number.value": "`{path}` is a Python number, and every new number makes a new trace.",
    "retrace.python_number.type": "`{path}` is a Python number of another type: `{was_type}` became `{now_type}`.",
    "retrace.python_bool.value": "`{path}` is a Python bool, and each of the two has its own trace.",
    "retrace.python_string.value": "`{path}` is a Python string, and every new string makes a new trace.",
    "retrace.python_value.value": "`{path}` is a Python value, and every new value makes a new trace.",
    "retrace.python_value.type": "`{path}` has another Python type: `{was_type}` became `{now_type}`.",
    "retrace.none_to_value": "`{path}` used to be `None`; now it is given.",
    "retrace.value_to_none": "`{path}` used to be given; now it is `None`.",
    "retrace.default.given": "`{path}` had its default `{was}`; now the call gives `{now}`.",
    "retrace.default.omitted": "`{path}` was `{was}`; now the call leaves it out, so it has its default `{now}`.",
    "retrace.kind.number_to_tensor": "`{path}` used to be a Python number; now it is a tensor.",
    "retrace.kind.tensor_to_number": "`{path}` used to be a tensor; now it is a Python number.",
    "retrace.kind.value_to_tensor": "`{path}` used to be a Python value; now it is a tensor.",
    "retrace.kind.tensor_to_value": "`{path}` used to be a tensor; now it is a Python value.",
    "retrace.kind.variable_to_tensor": "`{path}` used to be a variable; now it is a tensor.",
    "retrace.kind.tensor_to_variable": "`{path}` used to be a tensor; now it is a variable.",
    "retrace.kind.other": "`{path}` is of another kind: `{was}` became `{now}`.",
    "retrace.tensor.dtype": "`{path}` has another dtype: `{was}` became `{now}`.",
    "retrace.tensor.shape": "`{path}` has another shape: axis {axis} went from {a} to {b}.",
    "retrace.tensor.rank": "`{path}` has another number of axes: {a} became {b}.",
    "retrace.variable.dtype": "`{path}` is a variable of another dtype: `{was}` became `{now}`.",
    "retrace.variable.shape": "`{path}` is a variable of another shape: `{was}` became `{now}`.",
    "retrace.variable.trainable": "`{path}` is a variable whose `trainable` went from `{was}` to `{now}`.",
    "retrace.variable.same": "`{path}` and `{other}` are now one and the same variable.",
    "retrace.variable.apart": "`{path}` and `{other}` used to be one variable; now they are two.",
    "retrace.object.another": "`{path}` is another object: an object counts by identity, not by what it holds.",
    "retrace.object.method": "`{path}` is a new method object: `.{name}` makes one each time it is written.",
    "retrace.object.lambda": "`{path}` is a new function object: a `lambda` makes one each time it runs.",
    "retrace.spec": "`{path}` has another type: `{was}` became `{now}`.",
    "retrace.structure.key_added": "`{path}` has another structure: key `{key}` was added.",
    "retrace.structure.key_removed": "`{path}` has another structure: key `{key}` is gone.",
    "retrace.structure.length": "`{path}` has another structure: its length went from {was} to {now}.",
    "retrace.structure.type": "`{path}` has another structure: a `{was}` became a `{now}`.",
    "retrace.structure.class": "`{path}` is of another class: `{was}` became `{now}`.",
    "retrace.structure.kind": "`{path}` has another structure: `{was}` became `{now}`.",
    "retrace.arguments.count": "`{path}` took {now} arguments; before, it took {was}.",
    "retrace.arguments.keyword_added": "The argument `{key}` is given now; before, it was not.",
    "retrace.arguments.keyword_removed": "The argument `{key}` is not given now; before, it was.",
    "retrace.variables_created": Plural(
        "The first trace created {count} variable, so a second one was made that uses it.",
        "The first trace created {count} variables, so a second one was made that uses them.",
        by="count",
    ),
    "retrace.generalised": (
        "`{path}` had different shapes, so `reduce_retracing` left axis {axis} open: one trace for every size."
    ),
    "retrace.generalised.rank": "`{path}` had different numbers of axes, so `reduce_retracing` left its shape open.",
    "retrace.requested": "`get_concrete_function` asked for this signature.",
    "retrace.context": "The call was made in another context (`{what}`), and each has its own traces.",
    "retrace.same": "The arguments are like those of an earlier trace, which no longer exists.",
}

# Why an earlier trace could not be reused.
_REJECT: Final[dict[str, str | Plural]] = {
    "reject.both": "{first}; {second}",
    "reject.value": "`{path}` is `{now}`; this trace takes only `{was}`",
    "reject.kind": "`{path}` is `{now}`; this trace takes `{was}`, which is of another kind",
    "reject.dtype": "`{path}.dtype` is `{now}`; this trace takes only `{was}`",
    "reject.shape": "`{path}.shape` is `{now}`; this trace takes only `{was}`",
    "reject.rank": "`{path}.shape` is `{now}`; this trace takes only `{was}`",
    "reject.variable": "`{path}` is a variable with `{now}`; this trace takes `{was}`",
    "reject.aliasing": "`{path}` and `{other}` are one variable in one of the two calls only",
    "reject.object": "`{path}` is another object than the one this trace was made for",
    "reject.structure": "`{path}` is `{now}`; this trace takes `{was}`",
    "reject.key": "`{path}` has the key `{key}` in one of the two calls only",
    "reject.arguments": "`{path}` has {now} arguments; this trace takes {was}",
    "reject.keyword": "the argument `{key}` is given in one of the two calls only",
    "rejects.title.some": Plural(
        "Why the last {n} of {of} earlier did not fit", "Why the last {n} of {of} earlier did not fit"
    ),
    "rejects.title": Plural("Why the {n} earlier one did not fit", "Why the {n} earlier did not fit"),
    "signatures.reduced": "`reduce_retracing=True` would make {traces} instead of {n}: {groups}.",
    "signatures.reduced.group": "{traces} would be one for `{signature}`",
    "causes.more": Plural("It differs in {n} more place.", "It differs in {n} more places."),
}

# What several traces show together about a place.
_ADVICE: Final[dict[str, str | Plural]] = {
    "advice.place.function_again": Plural(
        "**The same code made `{name}` {count} time:** a new Function starts without traces. Make it once.",
        "**The same code made `{name}` {count} times:** a new Function starts without traces. Make it once.",
        by="count",
    ),
    "advice.place.method_each_call": Plural(
        "`{path}` was a new method object in {count} trace. Keep `.{name}` in a variable and pass that.",
        "`{path}` was a new method object in {count} traces. Keep `.{name}` in a variable and pass that.",
        by="count",
    ),
    "advice.place.lambda_each_call": Plural(
        "`{path}` was a new `lambda` in {count} trace. Define the function once and pass its name.",
        "`{path}` was a new `lambda` in {count} traces. Define the function once and pass its name.",
        by="count",
    ),
    "advice.argument.python_number": Plural(
        "`{path}` comes as a Python number: {count} value so far, and each made a trace.",
        "`{path}` comes as a Python number: {count} values so far, and each made a trace.",
        by="count",
    ),
    "advice.argument.shapes": Plural(
        "`{path}` came in {count} shape, and each made a trace.",
        "`{path}` came in {count} shapes, and each made a trace.",
        by="count",
    ),
}

# The line to write instead, and where.
_FIX: Final[dict[str, str | Plural]] = {
    "fix.in_line": "Write in line {line}",
    "fix.above_line": "Write above line {line}",
    "fix.in_place": "Write in `{place}`",
    "fix.above_place": "Write above `{place}`",
    "fix.above_function": "Write above the function",
    "fix.once_above": "Write once, above the function",
    "fix.write": "Write",
    "fix.out_of_loop": "Move out of the loop, above line {line}",
    "fix.out_of_loop.place": "Move out of the loop, above `{place}`",
    "fix.out_of_function": "Move out of the function, above line {line}",
    "fix.out_of_function.place": "Move out of the function, above `{place}`",
    "fix.first_line_of_loop": "Write as the first line of the loop",
    "fix.call_once": "Write once, before the calls",
    "keep.any_value": "Keep this. It serves every value of `{path}`.",
    "keep.generalised": "Keep this. It serves every size of the axes shown as `None`.",
    "keep.any_shape": "Keep this. It serves every shape of `{path}`.",
    "keep.once": "Nothing to change: this happens once.",
    "keep.each_value": "Nothing to change: there are only two values, so at most two traces.",
    "keep.each_type": "Nothing to change if both types are needed: each has its own trace.",
}

# The calls and traces of the panel, each with its place.
_NOW: Final[dict[str, str | Plural]] = {
    "now.trace": "**Call {call}**, line {line}: no trace fitted, so `T{trace}` was made.",
    "now.first": "**Call {call}**, line {line}: there was no trace yet, so `T{trace}` was made.",
    "now.hit": "**Call {call}**, line {line}: reused `T{trace}`.",
    "now.error": "**Call {call}**, line {line}: tracing stopped, no trace was kept.",
    "now.trace.elsewhere": "**Call {call}**, in `{place}`: no trace fitted, so `T{trace}` was made.",
    "now.first.elsewhere": "**Call {call}**, in `{place}`: there was no trace yet, so `T{trace}` was made.",
    "now.hit.elsewhere": "**Call {call}**, in `{place}`: reused `T{trace}`.",
    "now.error.elsewhere": "**Call {call}**, in `{place}`: tracing stopped, no trace was kept.",
    "trace.where": Plural(
        "call {call} · line {line} · serves {n} call", "call {call} · line {line} · serves {n} calls"
    ),
    "trace.where.elsewhere": Plural(
        "call {call} · `{place}` · serves {n} call", "call {call} · `{place}` · serves {n} calls"
    ),
    "trace.where.earlier": Plural(
        "from an earlier cell · serves {n} call here", "from an earlier cell · serves {n} calls here"
    ),
    "trace.where.unwatched": "line {line}",
    "trace.where.unwatched.elsewhere": "`{place}`",
    "fold.calls": Plural("{n} more", "{n} more"),
    "fold.traces": Plural("{n} more, for `{path}`", "{n} more, all for `{path}`"),
    "fold.traces.other": Plural("{n} more, for the same reason", "{n} more, for the same reason"),
    "fold.all.some": Plural("Show {n} of {of}", "Show {n} of {of}"),
    "fold.all": Plural("Show all {n}", "Show all {n}"),
    "fold.why": "same reason, so grouped",
    "reused": Plural(
        "Call {calls} made no trace: it reused {traces}.", "Calls {calls} made no trace: they reused {traces}."
    ),
    "badge.traces": Plural("{n} trace", "{n} traces"),
    "badge.retraces": Plural("{n} retrace", "{n} retraces"),
    "badge.calls": Plural("{n} call", "{n} calls"),
    "badge.no_new": "no new trace",
    "badge.uncalled": "not called yet",
    "badge.stopped": "Tracing stopped",
    "badge.broken": "panel failed",
    "badge.line": "line {line}",
    "badge.name": "`{f}`",
    "badge.functions": Plural("{n} function", "{n} functions"),
}

_VIEWS: Final[dict[str, str | Plural]] = {
    "signatures.lede.one": Plural(
        "**{n} signature; one would do.** They differ only where underlined.",
        "**{n} signatures; one would do.** They differ only where underlined.",
    ),
    "signatures.lede.only": "**One signature.** It serves every call of this kind.",
    "signatures.lede.differ": Plural(
        "**{n} signature.** No single one serves all the calls; they differ where underlined.",
        "**{n} signatures.** No single one serves all the calls; they differ where underlined.",
    ),
    "signatures.lede.fixed": "**`input_signature` fixes the signature,** so there is one trace for every call.",
    "signatures.all": "One for all",
    "code.lede.trace_only": "**{names} ran only while tracing:** {times} {calls}. The rest runs in the graph.",
    "code.lede.trace_only.each": "**Ran only while tracing, {calls}:** {names}. The rest runs in the graph.",
    "code.lede.item": "`{name}` {times}",
    "code.lede.trace_only.uncounted": Plural(
        "**{names} runs only while tracing.** The rest runs in the graph.",
        "**{names} run only while tracing.** The rest runs in the graph.",
    ),
    "code.lede.converted": "**AutoGraph rewrote this function.** Every call runs its graph.",
    "code.lede.stopped": "**Tracing of `{f}` stopped:** there is no graph to run.",
    "code.lede.unchanged": "**AutoGraph had nothing to change here.** Every call runs the graph.",
    "code.lede.off": "**AutoGraph is off for this function:** Python `if` and loops run while tracing only.",
    "code.lede.no_source": (
        "**The source of `{f}` is not at hand,** so it runs as it is: Python `if` and loops run while tracing only."
    ),
    "code.count": "{n}×",
    "code.place": "`{place}`",
    "code.helper": "`{f}` · {place}",
    "code.helper.times": "`{f}` · {place} · ran {times} while tracing",
    "code.helper.around": "`{f}` · {place} · around the function, in Python at each call",
    "code.helpers.more": Plural(
        "{n} more function ran while tracing; its lines are left out.",
        "{n} more functions ran while tracing; their lines are left out.",
    ),
    "output.where": "`T{trace}`, line {line}",
    "output.where.place": "`T{trace}`, `{place}`",
    "output.where.graph.place": "in the graph of `T{trace}`, `{place}`",
    "output.where.stopped": "tracing that stopped, {place}",
    "output.where.nowhere": "`T{trace}`",
    "captured.number": "frozen number",
    "captured.value": "frozen value",
    "captured.tensor": "frozen tensor",
    "captured.variable": "variable, read at each call",
    "graph.lede": Plural("**{shape}** The graph has {n} operation.", "**{shape}** The graph has {n} operations."),
    "graph.until": Plural("Until then the graph had {n} operation.", "Until then the graph had {n} operations."),
    "graph.shape.straight": "A straight run, without loop or branch.",
    "graph.shape.loop": "A loop.",
    "graph.shape.branch": "A branch.",
    "graph.shape.loop_with_branch": "A loop with a branch inside.",
    "graph.shape.branch_with_loop": "A branch with a loop inside.",
    "graph.shape.nested_loops": "A loop inside a loop.",
    "graph.shape.several": "{loops} and {branches}.",
    "graph.shape.calls": Plural("{n} call of another traced function.", "{n} calls of other traced functions."),
    "count.loops": Plural("{n} loop", "{n} loops"),
    "count.branches": Plural("{n} branch", "{n} branches"),
    "count.arguments": Plural("{n} argument", "{n} arguments"),
    "count.results": Plural("{n} result", "{n} results"),
    "graph.aria": "Graph of {f}: {parts}",
    "graph.pick": "`{op}` is line {line}. It takes {inputs} and gives `{spec}`.",
    "graph.pick.no_inputs": "`{op}` is line {line}. It gives `{spec}`.",
    "graph.pick.no_output": "`{op}` is line {line}. It takes {inputs} and is there for its effect.",
    "graph.pick.effect_only": "`{op}` is line {line}. It is there for its effect.",
    "graph.pick.nowhere": "`{op}` takes {inputs} and gives `{spec}`.",
    "graph.pick.bare": "`{op}` gives `{spec}`.",
    "graph.pick.arg": "`{name}` is an argument. It is `{spec}`.",
    "graph.pick.capture": "`{name}` comes from outside the function. It is `{spec}`.",
    "graph.pick.loopvar": "`{name}` is a value of the loop. It is `{spec}`.",
    "graph.pick.next": "`{name}` goes into the next iteration.",
    "graph.pick.result": "`{name}` is a result. It is `{spec}`.",
    "graph.pick.collapsed": Plural("`{name}` holds {n} operation.", "`{name}` holds {n} operations."),
    "graph.aria.arg": "argument {name}",
    "graph.aria.capture": "{name}, from outside",
    "graph.aria.loopvar": "loop value {name}",
    "graph.aria.next": "{name} for the next iteration",
    "graph.aria.result": "result {name}",
    "graph.aria.op": "{name}",
    "graph.aria.line": "{what}, line {line}",
    "graph.node.next": "{name}, next iteration",
    "graph.node.return": "return {name}",
    "graph.node.collapsed": Plural("{n} op", "{n} ops"),
    "graph.cluster": "{what} · line {line}",
    "graph.cluster.loop": "loop",
    "graph.cluster.if": "if",
    "graph.cluster.true": "true",
    "graph.cluster.else": "else",
    "graph.cluster.case": "case {n}",
    "graph.cluster.call": "call of {name}",
    "graph.text.arguments": "arguments",
    "graph.text.captures": "from outside",
    "graph.text.result": "result",
    "graph.text.line": "line {line}",
    "graph.text.true": "true:",
    "graph.text.else": "else:",
    "static.retraces": "Traces: {traces}, {calls}",
    "static.signatures": "Signatures: {n}",
    "static.signatures.one_would_do": "Signatures: {n}, one would do",
    "static.code": "Code: what AutoGraph made of it",
    "static.graph": "Graph: {operations}",
    "static.mark.trace_only": "only while tracing",
    "static.mark.trace_only.times": Plural("only while tracing, {n} time", "only while tracing, {n} times"),
    "static.mark.graph": "in the graph",
    "static.mark.both": "while tracing, and in the graph",
    "static.mark.never": "not at all",
    "static.mark.both.times": Plural(
        "while tracing, {n} time, and in the graph", "while tracing, {n} times, and in the graph"
    ),
}

# explain_call: what a call would do.
_EXPLAIN: Final[dict[str, str | Plural]] = {
    "explain.hit": "**This call would reuse `T{trace}`.** No trace is made.",
    "explain.trace": "**This call would make a trace.** {reason}",
    "explain.eager": "**This call would run eagerly:** `run_functions_eagerly` is on.",
    "explain.summary": "**`{f}` has {traces}.**",
}

# What the views themselves write: tabs, buttons, headings, keys, accessible names. Sent whole to the extension, so
# without values.
_WORDS: Final[dict[str, str | Plural]] = {
    "tab.retraces": "Traces",
    "tab.signatures": "Signatures",
    "tab.code": "Code",
    "tab.graph": "Graph",
    "panel.label": "graphlab panel",
    "panel.show": "Show panel",
    "panel.hide": "Hide panel",
    "panel.wide": "Open wide",
    "panel.narrow": "Back to the side",
    "panel.functions": "Functions in this cell",
    "panel.views": "Views",
    "matrix.call": "Call",
    "matrix.line": "line",
    "matrix.tracing": "Tracing",
    "matrix.caption": "Calls and traces",
    "key.traced": "traced, then ran",
    "key.hit": "reused this trace",
    "key.no": "did not fit",
    "key.blank": "blank: no such trace yet",
    "key.blank_cell": "no such trace yet",
    "key.trace_only": "ran only while tracing",
    "key.graph": "runs in the graph",
    "key.both": "ran while tracing, and runs in the graph",
    "key.never": "did not run",
    "key.same": "unchanged",
    "goto.signature": "Show that signature",
    "copy": "Copy",
    "copied": "Copied",
    "signatures.trace": "Trace",
    "signatures.result": "Result",
    "signatures.calls": "Calls",
    "signatures.ops": "Ops",
    "code.lines": "Line by line",
    "code.generated": "Generated",
    "code.yours": "Yours",
    "code.output": "Lines of the output",
    "code.captured": "Read from outside",
    "code.helpers": "Functions that ran with it",
    "code.name": "Name",
    "code.when_traced": "When traced",
    "code.now": "Now",
    "graph.shapes": "Shapes",
    "graph.control": "Control edges",
    "graph.zoom_in": "Zoom in",
    "graph.zoom_out": "Zoom out",
    "graph.fit": "Fit",
    "graph.text": "The graph as text",
    "graph.drawing": "Drawing the graph…",
    "graph.failed": "The graph could not be drawn. Here it is as text.",
    "graph.key.back": "next iteration",
    "graph.key.predicate": "what decides",
    "graph.key.control": "must run before",
    "graph.key.oval": "argument, loop value, result",
    "error.show_graph": "Show the graph up to there",
    "state.edited": "From the last run. The cell was edited since; run it to renew.",
    "badge.edited": "cell edited since",
    "badge.tracing": "running…",
}

_STATIC_WORDS: Final[dict[str, str | Plural]] = {
    "static.why": "Why",
    "static.write": "Write",
    "static.line": "Line",
    "static.before_after": "Before → after",
    "static.your_code": "Your code",
    "static.ran": "Runs",
    "static.generated": "Generated code:",
}

# Help and errors of the magics.
_MAGICS: Final[dict[str, str | Plural]] = {
    "usage.not_function": (
        "`{name}` is not a traced function. Decorate it with `@tf.function`, or put `%%tf_function` above its cell."
    ),
    "usage.undefined": "There is no `{name}`. Give the name of a traced function.",
    "usage.name_missing": "Which function? For example: `%{magic} {example}`",
    "usage.on_off": "Write `%{magic} on` or `%{magic} off`, not `{value}`.",
    "usage.option": "`{option}` is not an option of `%%{magic}`. There are: {options}.",
    "usage.option_value": "`{option}` needs a value, for example `{example}`.",
    "usage.signature": "`{value}` is no signature. Write for example `{example}`.",
    "usage.signature_function": (
        "`--signature` names `{name}`, but this cell defines no function of that name at its top level. "
    ),
    "usage.language": "There is no catalogue for `{value}`. There is one for: {languages}.",
    "usage.trace_number": "`{f}` has no trace {n}. It has {traces}.",
    "usage.not_traced": "`{f}` has not been traced yet. Call it once.",
    "usage.show": "`{value}` is no view. There are: {views}.",
    "usage.too_much": "`%{magic}` has no use for `{value}`.",
    "usage.first_line": "`%%tf_function` has to be the first line of the cell.",
    "usage.quotes": "A quotation mark is not closed in `{value}`.",
    "magic.watch.on": "Watching: every cell that traces shows its panel.",
    "magic.watch.off": "No longer watching.",
    "magic.eager.on": "Traced functions now run as plain Python.",
    "magic.eager.off": "Traced functions are traced again.",
    "magic.lang": "Language: {value}",
    "magic.state.watch": "Watching is `{value}`.",
    "magic.state.eager": "Eager running is `{value}`.",
}

# The command line.
_CLI: Final[dict[str, str | Plural]] = {
    "cli.about": "See in JupyterLab what `tf.function` does: why it traces, what it generates, what runs.",
    "cli.help.help": "show this help",
    "cli.help.version": "show the version",
    "cli.help.tutorial": "Copy the tutorial notebooks to this folder and open them in JupyterLab.",
    "cli.help.lang": "the language: {languages}; by default the system's",
    "cli.help.force": "replace changed notebooks too",
    "cli.help.no_open": "copy only, without opening JupyterLab",
    "cli.copied": "`{file}` was copied.",
    "cli.replaced": "`{file}` was replaced.",
    "cli.same": "`{file}` is here already.",
    "cli.kept": "`{file}` was changed, so it was kept. `--force` replaces it.",
    "cli.opening": "Opening JupyterLab; Ctrl-C ends it.",
    "cli.language": "There is no tutorial in `{value}`. There is one in: {languages}.",
    "cli.no_lab": "JupyterLab is not installed. It comes with the extra `{extra}`.",
    "cli.no_notebooks": "This installation has no notebooks. Install graphlab again.",
    "cli.not_written": "`{file}` cannot be written: {error}",
}

# Warnings in the log.
_WARNINGS: Final[dict[str, str | Plural]] = {
    "warn.retraced": (
        "`{f}` (`{place}:{l}`) made a new trace in {n} of its last {calls} calls. "
        "Tracing is slow. The last time: {reason}"
    ),
    "warn.unrolled": (
        "The Python loop at `{place}:{l}` runs while the graph is built: its {n} iterations so far made {ops} "
        "operations. If it should be a loop of the graph, go over a tensor, `for i in tf.range(n)`, or make what its "
        "condition tests a tensor."
    ),
    "warn.watch": "`%tf_watch on` shows beside each cell why it traced.",
    "warn.function_again": (
        "The code at `{place}:{l}` made `{f}` {n} times, and each was traced anew. Make it once, outside the loop or "
        "function that makes it now."
    ),
}

__all__ = ["TEMPLATES", "WORDS", "Plural"]

TEMPLATES: Final[dict[str, str | Plural]] = {
    **_LISTS,
    **_LEDE,
    **_RETRACE,
    **_REJECT,
    **_ADVICE,
    **RULES,
    **RUNS,
    **EXPLORE,
    **_FIX,
    **_NOW,
    **_VIEWS,
    **GRAPH,
    **GRADIENT,
    **_EXPLAIN,
    **_WORDS,
    **RULE_WORDS,
    **RUN_WORDS,
    **RUN_PANEL_WORDS,
    **GRAPH_WORDS,
    **_STATIC_WORDS,
    **RULE_HEADINGS,
    **LAB,
    **_MAGICS,
    **RUN_USAGE,
    **_CLI,
    **_WARNINGS,
}

WORDS: Final = (*_WORDS, *RULE_WORDS, *RUN_WORDS, *GRAPH_WORDS)
"""The ids of the words a panel carries."""
