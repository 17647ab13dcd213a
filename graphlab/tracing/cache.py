"""The cache of a Function: from keys to concrete functions, exact matches first, then the most specific that fits."""

from __future__ import annotations

from typing import Any

from graphlab.tracing.signature import Key

_MAX_FITS = 1000


class Cache:
    """Concrete functions by key.

    ``find`` gives the entry of that very key, else the most specific entry whose key is a supertype of it.  The second
    kind of answer is remembered, for a key that fits once fits always (keys of objects that died never come again).
    """

    __slots__ = ("_entries", "_fits")

    def __init__(self) -> None:
        self._entries: dict[Key, Any] = {}
        self._fits: dict[Key, Any] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def values(self) -> list[Any]:
        """The concrete functions, in the order in which they were made."""
        return list(self._entries.values())

    def keys(self) -> list[Key]:
        """Their keys, in the same order."""
        return list(self._entries)

    def find(self, key: Key) -> Any:
        """The concrete function for a call of this key, or None."""
        found = self._entries.get(key)
        if found is None:
            found = self._fits.get(key)
            if found is None:
                found = self._search(key)
        return found

    def _search(self, key: Key) -> Any:
        best: Key | None = None
        for candidate in tuple(self._entries):
            if key.is_subtype_of(candidate) and (best is None or candidate.is_subtype_of(best)):
                best = candidate
        if best is None:
            return None
        if len(self._fits) >= _MAX_FITS:
            self._fits.clear()
        found = self._fits[key] = self._entries[best]
        return found

    def add(self, key: Key, concrete: Any) -> Any:
        """Keeps a concrete function, unless there is one for that key already; returns the one that is kept."""
        kept = self._entries.setdefault(key, concrete)
        self._fits.clear()  # the new one may be a more specific fit
        return kept

    def generalise(self, key: Key) -> tuple[Key, list[Key]]:
        """The most specific key that ``key`` and every compatible entry are subtypes of; and those entries' keys."""
        general = key
        used = []
        for other in self._entries:
            common = general.common_supertype(other)
            if common is not None:
                general = common
                used.append(other)
        return general, used
