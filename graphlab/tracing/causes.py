"""The causes of a trace: a stable id for each, and the names of its values.  A table for messages and tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_CHANGE: Final = ("path", "was", "now")

# id → names of its values.  The message catalogues have a template for each.
REASONS: Final[Mapping[str, tuple[str, ...]]] = {
    "retrace.first": (),
    # Python values
    "retrace.python_number.value": _CHANGE,
    "retrace.python_number.type": (*_CHANGE, "was_type", "now_type"),
    "retrace.python_bool.value": _CHANGE,
    "retrace.python_string.value": _CHANGE,
    "retrace.python_value.value": _CHANGE,
    "retrace.python_value.type": (*_CHANGE, "was_type", "now_type"),
    "retrace.none_to_value": _CHANGE,
    "retrace.value_to_none": _CHANGE,
    "retrace.default.given": _CHANGE,
    "retrace.default.omitted": _CHANGE,
    # one kind in place of another
    "retrace.kind.number_to_tensor": _CHANGE,
    "retrace.kind.tensor_to_number": _CHANGE,
    "retrace.kind.value_to_tensor": _CHANGE,
    "retrace.kind.tensor_to_value": _CHANGE,
    "retrace.kind.variable_to_tensor": _CHANGE,
    "retrace.kind.tensor_to_variable": _CHANGE,
    "retrace.kind.other": _CHANGE,
    # tensors
    "retrace.tensor.dtype": _CHANGE,
    "retrace.tensor.shape": (*_CHANGE, "axis", "a", "b"),
    "retrace.tensor.rank": (*_CHANGE, "a", "b"),
    # variables
    "retrace.variable.dtype": _CHANGE,
    "retrace.variable.shape": _CHANGE,
    "retrace.variable.trainable": _CHANGE,
    "retrace.variable.same": ("path", "other"),
    "retrace.variable.apart": ("path", "other"),
    # objects
    "retrace.object.another": _CHANGE,
    "retrace.object.method": ("path", "name"),
    "retrace.object.lambda": ("path",),
    "retrace.spec": _CHANGE,
    # structures
    "retrace.structure.key_added": ("path", "key"),
    "retrace.structure.key_removed": ("path", "key"),
    "retrace.structure.length": _CHANGE,
    "retrace.structure.type": _CHANGE,
    "retrace.structure.class": _CHANGE,
    "retrace.structure.kind": _CHANGE,
    # the call
    "retrace.arguments.count": _CHANGE,
    "retrace.arguments.keyword_added": ("key",),
    "retrace.arguments.keyword_removed": ("key",),
    # not a difference of two keys
    "retrace.variables_created": ("count",),
    "retrace.generalised": ("path", "axis", "shapes", "now"),
    "retrace.generalised.rank": ("path", "shapes", "now"),
    "retrace.requested": (),
    "retrace.context": ("what",),
    "retrace.same": (),
    # why an earlier trace does not take a call
    "reject.value": _CHANGE,
    "reject.kind": _CHANGE,
    "reject.dtype": _CHANGE,
    "reject.shape": (*_CHANGE, "axis", "a", "b"),
    "reject.rank": (*_CHANGE, "a", "b"),
    "reject.variable": _CHANGE,
    "reject.aliasing": ("path", "other"),
    "reject.object": _CHANGE,
    "reject.structure": _CHANGE,
    "reject.key": ("path", "key"),
    "reject.arguments": _CHANGE,
    "reject.keyword": ("key",),
    # about the place
    "advice.place.function_again": ("name", "count", "filename", "line"),
    "advice.place.method_each_call": ("path", "name", "count"),
    "advice.place.lambda_each_call": ("path", "count"),
    "advice.argument.python_number": ("path", "count", "seen"),
    "advice.argument.shapes": ("path", "count", "seen", "now"),
}

# why a trace was made → how an earlier trace says that it does not take the call
REJECTS: Final[Mapping[str, str]] = {
    "retrace.python_number.value": "reject.value",
    "retrace.python_number.type": "reject.value",
    "retrace.python_bool.value": "reject.value",
    "retrace.python_string.value": "reject.value",
    "retrace.python_value.value": "reject.value",
    "retrace.python_value.type": "reject.value",
    "retrace.none_to_value": "reject.value",
    "retrace.value_to_none": "reject.value",
    "retrace.default.given": "reject.value",
    "retrace.default.omitted": "reject.value",
    "retrace.kind.number_to_tensor": "reject.kind",
    "retrace.kind.tensor_to_number": "reject.kind",
    "retrace.kind.value_to_tensor": "reject.kind",
    "retrace.kind.tensor_to_value": "reject.kind",
    "retrace.kind.variable_to_tensor": "reject.kind",
    "retrace.kind.tensor_to_variable": "reject.kind",
    "retrace.kind.other": "reject.kind",
    "retrace.tensor.dtype": "reject.dtype",
    "retrace.tensor.shape": "reject.shape",
    "retrace.tensor.rank": "reject.rank",
    "retrace.variable.dtype": "reject.variable",
    "retrace.variable.shape": "reject.variable",
    "retrace.variable.trainable": "reject.variable",
    "retrace.variable.same": "reject.aliasing",
    "retrace.variable.apart": "reject.aliasing",
    "retrace.object.another": "reject.object",
    "retrace.object.method": "reject.object",
    "retrace.object.lambda": "reject.object",
    "retrace.spec": "reject.kind",
    "retrace.structure.key_added": "reject.key",
    "retrace.structure.key_removed": "reject.key",
    "retrace.structure.length": "reject.structure",
    "retrace.structure.type": "reject.structure",
    "retrace.structure.class": "reject.structure",
    "retrace.structure.kind": "reject.structure",
    "retrace.arguments.count": "reject.arguments",
    "retrace.arguments.keyword_added": "reject.keyword",
    "retrace.arguments.keyword_removed": "reject.keyword",
}
