"""Asks TensorFlow for its texts."""

from collections.abc import Callable
from pathlib import Path

from tests.oracle.reprs.texts import GROUPS


def record(folder: Path, write: Callable[..., None], groups: list[str]) -> int:
    failed = 0
    for group in groups or GROUPS:
        texts, again = dict(GROUPS[group]()), dict(GROUPS[group]())
        for name, text in texts.items():
            if text != again[name] or text.startswith("raised "):
                print(f"*** {group}, {name}: {text!r}, then {again[name]!r}")
                failed += 1
        write(folder / f"{group}.json", texts)
        print(f"{group}: {len(texts)} texts")
    return failed
