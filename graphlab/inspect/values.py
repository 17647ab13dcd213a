"""A value in few words: its type, some of its numbers, its statistics. A large one is never written out whole."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from graphlab.tracing.reasons import tensor_text

SHOWN: Final = 6
MAP: Final = 16
"""A heat map has at most so many rows and columns."""

Json = dict[str, Any]


def value_data(array: Any) -> Json:
    """A value as the panel holds it: `spec`, `text`, and for numbers their least, greatest and mean, and a small map.

    >>> value_data(np.float32(1.5))["text"], value_data(np.arange(9.0))["text"]
    ('1.5', '[0, 1, 2, …, 8]')
    """
    if not isinstance(array, np.ndarray | np.generic):
        kind = type(array).__name__
        return {"spec": kind, "text": "", "stats": None, "map": None}
    found = np.asarray(array)
    return {
        "spec": tensor_text(_dtype(found), tuple(found.shape)),
        "text": _text(found),
        "stats": _stats(found),
        "map": _map(found),
    }


def _dtype(array: np.ndarray[Any, Any]) -> str:
    return "string" if array.dtype == object else array.dtype.name


def _text(array: np.ndarray[Any, Any]) -> str:
    if array.dtype == object and array.size and not isinstance(array.flat[0], bytes | str):
        return ""
    if array.ndim == 0:
        return _item(array.item())
    if array.ndim == 1:
        items = [_item(item.item() if hasattr(item, "item") else item) for item in array[:SHOWN]]
        if array.size > SHOWN:
            last = array[-1]
            items = [*items[:3], "…", _item(last.item() if hasattr(last, "item") else last)]
        return f"[{', '.join(items)}]"
    if array.ndim == 2 and array.shape[0] <= 3 and array.shape[1] <= SHOWN:
        return f"[{', '.join(_text(row) for row in array)}]"
    return ""


def _item(item: Any) -> str:
    if isinstance(item, bytes):
        text = item.decode(errors="replace")
        return repr(text if len(text) <= 40 else text[:39] + "…")
    if isinstance(item, float):
        return f"{item:.6g}"
    return str(item)


def _stats(array: np.ndarray[Any, Any]) -> Json | None:
    if array.size < 2 or array.dtype.kind not in "fiu":
        return None
    numbers = array.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return {
            "min": None,
            "max": None,
            "mean": None,
            "nan": int(np.isnan(numbers).sum()),
            "inf": int(np.isinf(numbers).sum()),
        }
    return {
        "min": _item(float(finite.min())),
        "max": _item(float(finite.max())),
        "mean": _item(float(finite.mean())),
        "nan": int(np.isnan(numbers).sum()),
        "inf": int(np.isinf(numbers).sum()),
    }


def _map(array: np.ndarray[Any, Any]) -> list[list[int | None]] | None:
    """A heat map of a matrix, 0 to 9 from least to greatest, None where a number is not finite; thinned when large."""
    if array.ndim not in (1, 2) or array.size < 8 or array.dtype.kind not in "fiu":
        return None
    rows = array.reshape(1, -1) if array.ndim == 1 else array
    steps = [max(1, -(-size // MAP)) for size in rows.shape]
    numbers = rows[:: steps[0], :: steps[1]].astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return None
    low, span = float(finite.min()), float(finite.max() - finite.min()) or 1.0
    return [[int((x - low) / span * 9) if np.isfinite(x) else None for x in row] for row in numbers]
