"""Devices of operations: what ``with tf.device(...)`` blocks say together, and whether there are such devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphlab.core.device_spec import DeviceSpec, Placement, absent, refusal
from graphlab.core.errors import InvalidArgumentError


def device_entry(given: Any) -> Any:
    """What a block says: a DeviceSpec, a function, or None.  TypeError or ValueError for what is no name."""
    if given is None or callable(given):
        return given
    if isinstance(given, DeviceSpec):
        return given
    if not isinstance(given, str):
        raise TypeError(f"A device is named by a string, a tf.DeviceSpec or None, not {given!r:.100}.")
    return DeviceSpec.from_string(given)


def placed(entries: Sequence[Any], node: Any) -> str:
    """The device of a node made inside these blocks.  The innermost comes first; the others fill in what it leaves."""
    spec = DeviceSpec()
    for entry in reversed(entries):
        if entry is None:
            break
        if isinstance(entry, DeviceSpec):
            spec = entry.make_merged_spec(spec)
            continue
        node.device = spec.to_string()  # a function may look at it
        answer = entry(node)
        if not isinstance(answer, str):
            raise TypeError(f"A device function gives a string, not {answer!r:.100}.")
        spec = DeviceSpec.from_string(answer)
    if spec.job or spec.replica or spec.task or spec.device_index or spec.device_type not in (None, "CPU"):
        Placement.asked = True
    return spec.to_string()


def check_placement(graph: Any) -> None:
    """InvalidArgumentError if an operation of the graph or of a body in it is to run where there is nothing."""
    if not Placement.asked:
        return
    for op in graph.ops:
        if op.device and absent(DeviceSpec.from_string(op.device)):
            where = op.where()
            raise InvalidArgumentError(
                None, None, f"Cannot assign a device for operation {op.name}: {refusal(op.device)}\n{where}".rstrip()
            )
        for value in op.attrs.values():
            for body in value if isinstance(value, (list, tuple)) else (value,):
                if hasattr(body, "ops") and hasattr(body, "parameters"):
                    check_placement(body)
