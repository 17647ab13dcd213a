"""``tf.config.optimizer``: which optimisations are made.

Options hold for graphs that are compiled from then on.
"""

from __future__ import annotations

from typing import Any, Final

from graphlab.core.export import public

_TOGGLES: Final = (
    "layout_optimizer", "constant_folding", "shape_optimization", "remapping", "arithmetic_optimization",
    "dependency_optimization", "loop_optimization", "function_optimization", "debug_stripper", "disable_model_pruning",
    "scoped_allocator_optimization", "pin_to_host_optimization", "implementation_selector", "auto_mixed_precision",
    "use_plugin_optimizers", "disable_meta_optimizer", "auto_mixed_precision_onednn_bfloat16",
    "auto_mixed_precision_mkl",
)  # fmt: skip

OURS: Final = (
    "inlining", "branch_folding", "redundancy", "simplification", "indexing", "common_subexpressions", "gates",
    "loop_invariants", "pruning", "buffer_reuse", "elementwise_chains", "whole_numbers", "parallel_branches",
)  # fmt: skip
"""One switch for each pass, and for each thing that the emitter does; TensorFlow's switch several at once."""

OPTIONS: Final[dict[str, Any]] = {"disable_model_pruning": False, "disable_meta_optimizer": False}
"""What was set, by option."""


class _Jit:
    mode = ""


@public("config.optimizer.set_experimental_options")
def set_experimental_options(options: dict[str, Any]) -> None:
    """Switches optimisations on or off for graphs that are compiled from now on.

    ``constant_folding`` (and branches whose condition is known), ``arithmetic_optimization`` (simplification and common
    subexpressions), ``dependency_optimization`` (casts, reshapes and transposes that do nothing),
    ``function_optimization`` (inlining), ``loop_optimization`` (what does not change in a loop is computed before it),
    ``remapping`` (expressions instead of kernel calls, arrays used again, whole numbers of loops as Python's),
    ``debug_stripper`` (off by default: removes assertions and checks), ``disable_model_pruning``,
    ``disable_meta_optimizer`` (all off) and ``min_graph_nodes`` (no passes on graphs with fewer operations).
    TensorFlow's other options are kept and have no effect.

    graphlab's own options switch one thing each, whatever the option says that switches several: ``inlining``,
    ``branch_folding``, ``redundancy``, ``simplification``, ``indexing``, ``common_subexpressions``, ``gates``,
    ``loop_invariants``, ``pruning``; ``buffer_reuse``, ``elementwise_chains``, ``whole_numbers`` and
    ``parallel_branches``.

    Args:
      options: option → bool; options not named stay as they are.

    >>> import graphlab as tf
    >>> tf.config.optimizer.set_experimental_options({"constant_folding": True})
    >>> tf.config.optimizer.get_experimental_options()["constant_folding"]
    True
    """
    for name, value in options.items():
        if name in _TOGGLES or name in OURS:
            OPTIONS[name] = bool(value)
        elif name == "min_graph_nodes":
            OPTIONS[name] = int(value)


@public("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict[str, Any]:
    """The options that were set, and those that TensorFlow always lists."""
    return {name: OPTIONS[name] for name in (*_TOGGLES, "min_graph_nodes", *OURS) if name in OPTIONS}


@public("config.optimizer.set_jit")
def set_jit(enabled: Any) -> None:
    """Asks for just-in-time compilation: True or ``"autoclustering"``; anything else turns it off.

    graphlab generates code for every graph.  With just-in-time compilation it does so with all that ``remapping``
    stands for, even where that option is off; results are the same either way.
    """
    _Jit.mode = "autoclustering" if enabled is True or enabled == "autoclustering" else ""


@public("config.optimizer.get_jit")
def get_jit() -> str:
    """``"autoclustering"`` if just-in-time compilation was asked for, else ``""``."""
    return _Jit.mode


def emits(name: str) -> bool:
    """True if the emitter may do one of the things that ``remapping`` stands for."""
    if name in OURS and name in OPTIONS:
        return bool(OPTIONS[name])
    return bool(OPTIONS.get("remapping", True)) or bool(_Jit.mode)
