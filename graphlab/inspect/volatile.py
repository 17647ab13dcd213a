"""The one rule for what differs from run to run in a panel's output: times, numbers of runs.

In JSON it stands under a key `volatile`, in HTML in elements marked `data-volatile`; everything else is the same in
every run of the same program, so saved outputs can be compared whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

_MARKED: Final = re.compile(r"(<(\w+)\b[^<>]*\sdata-volatile\b[^<>]*>).*?(</\2>)", re.DOTALL)


def without_volatile(output: Any) -> Any:
    """What a cell displayed, of any mime type, with its volatile values emptied.

    Args:
        output: Text of any kind, or the plain data of a JSON type.

    Returns:
        A new value of the same form: marked elements are left without content, values under `volatile` are None.

    >>> without_volatile('T1<small data-volatile dir="ltr">3.4 ms</small>')
    'T1<small data-volatile dir="ltr"></small>'
    >>> without_volatile({"label": "T1", "volatile": {"ms": 3.4, "time": "3.4 ms"}})
    {'label': 'T1', 'volatile': {'ms': None, 'time': None}}
    """
    if isinstance(output, str):
        return _MARKED.sub(r"\1\3", output)
    if isinstance(output, Mapping):
        return {
            key: dict.fromkeys(value) if key == "volatile" and isinstance(value, Mapping) else without_volatile(value)
            for key, value in output.items()
        }
    if isinstance(output, Sequence):
        return [without_volatile(item) for item in output]
    return output
