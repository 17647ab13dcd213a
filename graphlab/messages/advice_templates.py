"""What the advice says, in English: a sentence or two for each rule (`inspect/advice`), by its stable id."""

from typing import Final

from graphlab.messages.plural import Plural

# The fact is strong; what to do follows where it is short.
RULES: Final[dict[str, str | Plural]] = {
    "advice.lede": Plural(
        "**{n} thing to change in `{f}`.**",
        "**{n} things to change in `{f}`.**",
    ),
    "advice.lede.none": "**Nothing to change in `{f}`.**",
    "advice.lede.cell": "**The rest of the code:**",
    "advice.lede.nothing": "**Nothing to change.**",
    "advice.evidence.times": "It ran {times} {calls}.",
    "advice.evidence.traces": "It ran {times} in all, always while tracing.",
    "advice.effect.print": "**`print` runs while tracing only.** `tf.print` prints at every call.",
    "advice.effect.mutation": (
        "**`{code}` runs while tracing only:** `{where}` is a Python object, and the graph does not touch it."
    ),
    "advice.effect.leak": (
        "**`{code}` is a tensor of the trace, and `{where}` keeps it.** Outside, it has no value: return it instead."
    ),
    "advice.effect.global": ("**`{code}` is assigned while tracing only.** A `tf.Variable` changes at every call."),
    "advice.effect.attribute": (
        "**The attribute `{code}` is assigned while tracing only.** A `tf.Variable` changes at every call."
    ),
    "advice.effect.list_in_loop": (
        "**`{name}` is a Python list, and the loop's body is traced once:** it gets one element. A "
        "`tf.TensorArray` grows in the graph."
    ),
    "advice.effect.time": ("**`{code}` is read while tracing only:** every call of the trace gets the same time."),
    "advice.effect.sleep": "**`time.sleep` waits while tracing only.** The graph does not wait.",
    "advice.effect.input": ("**`{code}` runs while tracing only.** `tf.py_function` calls Python from the graph."),
    "advice.frozen.random": "**`{code}` draws while tracing only:** every call gets the same numbers.",
    "advice.frozen.numpy": (
        "**`{code}` needs a value, and a tensor of the trace has none yet.** The function of the same "
        "kind in `tf` works in the graph."
    ),
    "advice.frozen.global": (
        "**`{name}` was `{was}` when it was traced, and is `{now}` now:** the graph keeps `{was}`. A "
        "`tf.Variable` is read at every call."
    ),
    "advice.frozen.attribute": (
        "**`{name}` was read as the Python value `{was}` while tracing; it is `{now}` now.** The graph "
        "keeps `{was}`. A `tf.Variable` is read at every call."
    ),
    "advice.frozen.tensor": (
        "**`{name}` was the tensor `{was}` when it was traced; now it is `{now}`.** The graph keeps the "
        "first. A `tf.Variable` is read at every call."
    ),
    "advice.frozen.default": "**`{name}` is not in `input_signature`,** so it is frozen at `{value}`.",
    "advice.frozen.seed": (
        "**`{op}` begins at the seeds `{seed}`,** which the trace keeps. `tf.random.set_seed` starts its "
        "numbers again, and functions with equal seeds draw equal numbers."
    ),
    "advice.argument.equal_numbers": (
        "**`{path}` came as `{was_type}` `{was}` and as `{now_type}` `{now}`:** equal in Python, of "
        "different types. Here each has its own trace; TensorFlow would run the first one's graph for "
        "both."
    ),
    "advice.argument.bound": (
        "**`{path}` is part of `T{trace}` as `{value}`.** This concrete function takes no other value."
    ),
    "advice.argument.attribute_lost": (
        "**`{name}` was set on another tensor:** the argument `{path}` of a trace is a new one, without "
        "it. Pass it as an argument of its own, or in a named tuple."
    ),
    "advice.argument.mutable_default": (
        "**`{code}` as a default is one object for all calls,** and it changes while tracing only."
    ),
    "advice.control.raise": (
        "**`raise` runs while tracing:** every branch is traced, so it raises at every call. "
        "`tf.debugging.Assert` checks while the graph runs."
    ),
    "advice.control.try": (
        "**`try` catches errors of tracing only.** `{error}` is raised when the graph runs: catch it around the call."
    ),
    "advice.control.is": (
        "**`is` compares objects,** and the tensors of a trace are new objects. `==` compares their values."
    ),
    "advice.control.recursion": (
        "**`{f}` calls itself where a tensor decides:** both branches are traced, so tracing cannot end. "
        "Write a loop, or let a Python number decide."
    ),
    "advice.control.not_number": "**`not {code}` needs a bool tensor;** `{code}` is `{dtype}`.",
    "advice.control.undefined_in_branch": (
        "**`{name}` has a value in one branch only** (line {line}), and is read afterwards. Give it one "
        "before the `if`."
    ),
    "advice.control.branch_dtype": (
        "**`{name}` is `{was}` in line {line} and `{now}` in line {other}.** The branches of a tensor "
        "condition must agree."
    ),
    "advice.control.return_dtype": (
        "**The value returned at line {line} is `{was}`, at line {other} it is `{now}`.** The branches of "
        "a tensor condition must agree."
    ),
    "advice.control.branch_structure": (
        "**The first value is a `{kind}` of length {a}, the other one of length {b}.** Both sides of a "
        "tensor condition need one structure."
    ),
    "advice.control.shape_unknown": (
        "**`{code}` is `None` in a trace that leaves axis {axis} open.** `tf.shape({name})[{axis}]` is "
        "its size when the graph runs."
    ),
    "advice.control.always_runs": (
        "**`{code}` stands before `tf.cond`, so it always runs.** What stands inside a branch runs only "
        "if that branch is taken."
    ),
    "advice.control.effects_ordered": (
        "**The effects of lines {a} and {b} run in the order of the source,** always. In TensorFlow, what "
        "a branch prints may come first."
    ),
    "advice.loop.shape_grows": (
        "**`{name}` has another shape after each iteration:** line {line} makes it longer. Say as the "
        "first line of the loop that its shape may change."
    ),
    "advice.loop.variable_after": (
        "**`{name}` has no value if the loop does not run once;** the graph then gives 0. Give it a value "
        "before the loop."
    ),
    "advice.loop.else": (
        "**`else` on a loop works here; TensorFlow does not convert it.** A bool that the loop sets works in both."
    ),
    "advice.loop.break": "**`{code}` becomes a bool value of the loop,** which every iteration tests.",
    "advice.loop.generator": (
        "**`{code}` contains `yield`, so AutoGraph runs it as plain Python.** A loop over the tensor "
        "itself becomes a loop of the graph."
    ),
    "advice.loop.unrolled": Plural(
        "**The loop was unrolled into {n} operation of the graph.** A loop over `tf.range` stays one loop.",
        "**The loop was unrolled into {n} operations of the graph.** A loop over `tf.range` stays one loop.",
    ),
    "advice.value.numpy": (
        "**`{code}.numpy()` needs a value, and a tensor of the trace has none yet.** Use the tensor "
        "itself, or read the value outside."
    ),
    "advice.value.python_number": (
        "**`{code}` needs a value, and a tensor of the trace has none yet.** `tf.cast` converts in the graph."
    ),
    "advice.value.unused_write": (
        "**The result of `{code}` is not used,** so what it writes is lost in the graph. Eagerly it would be kept."
    ),
    "advice.value.unused_result": "**The result of `{code}` is not used:** it changes nothing in place.",
    "advice.value.literal_mix": "**`{code}` is `{dtype}` and `{value}` is a float:** the two do not mix.",
    "advice.value.two_lambdas": (
        "**Two lambdas with the same parameters stand on one line.** Here the right one is found; "
        "TensorFlow would not convert either."
    ),
    "advice.value.not_converted": (
        "**`{f}` runs as plain Python:** it is marked `do_not_convert`. A tensor cannot decide in its `if` or loops."
    ),
    "advice.variable.created": (
        "**A `tf.Variable` is made at each trace.** The body is traced twice on first use, to tell "
        "creation from use. Make the variable once, outside."
    ),
    "advice.gradient.tape_spent": (
        "**`{name}` was spent in line {first}:** a tape that is not persistent gives one gradient."
    ),
    "advice.gradient.tape_reentered": "**`{name}` is recording already.** Open a second tape.",
    "advice.gradient.integer": ("**`{name}` is `{dtype}`, and integers have no gradient:** the result is `None`."),
    "advice.gradient.cast": (
        "**The chain is cut at the cast to `{dtype}` in line {line}:** an integer has no gradient, so the "
        "result is `None`."
    ),
    "advice.gradient.where_nan": (
        "**`{code}` is differentiated even where `tf.where` does not take it:** 0 · ∞ is NaN. Make its "
        "argument safe first."
    ),
    "advice.gradient.unwatched": (
        "**`{name}` is no variable, so `{tape}` does not watch it:** the gradient is `None`."
    ),
    "advice.gradient.stopped": (
        "**`tf.stop_gradient` is a node that lets no gradient through:** what goes into it counts as constant."
    ),
    "advice.gradient.unrecorded": (
        "**What runs under `stop_recording` is not on the tape:** a gradient through it is `None`."
    ),
    "advice.evidence.gradient": "Before `{call}`, ask `{code}`: it says why the gradient is `None`.",
    "advice.gradient.custom_variables": (
        "**The gradient function must take `variables`,** since {names} comes from outside; it then "
        "returns two results."
    ),
    "advice.gradient.branch": (
        "**The gradient repeats the condition `{code}`:** only the branch that ran is differentiated."
    ),
}

# Words of the advice's view.
RULE_WORDS: Final[dict[str, str | Plural]] = {
    "tab.advice": "Advice",
    "advice.note": "Good to know",
}

# Words that only the static output has.
RULE_HEADINGS: Final[dict[str, str | Plural]] = {
    "static.advice": "Advice: {n}",
}
