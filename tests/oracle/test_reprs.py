"""Texts are TensorFlow's, letter by letter."""

import functools
import json
from pathlib import Path

import pytest

from tests.oracle.reprs.texts import GROUPS

RECORDED = Path(__file__).parent / "recorded" / "reprs"


def recorded(group: str) -> dict[str, str]:
    record: dict[str, str] = json.loads((RECORDED / f"{group}.json").read_text(encoding="utf-8"))
    del record["header"]
    return record


@functools.cache
def seen(group: str) -> dict[str, str]:
    return dict(GROUPS[group]())


@pytest.mark.parametrize(("group", "name"), [(group, name) for group in GROUPS for name in recorded(group)])
def test_text(group: str, name: str) -> None:
    assert seen(group)[name] == recorded(group)[name]
