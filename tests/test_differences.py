"""The table of differences from TensorFlow names, in each row, the test that holds it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "differences.md"


def rows() -> list[str]:
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    return lines[2:]  # below the heading and the rule


@pytest.mark.parametrize("row", rows())
def test_a_row_has_four_columns_and_names_tests_that_exist(row: str) -> None:
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
    assert len(cells) == 4, row
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", cells[3])
    assert tests, f"the last column names no test, as in `tests/tracing/test_signature.py::test_what_it_holds`: {row}"
    for path, name in tests:
        file = ROOT / path
        assert file.is_file(), f"{path} does not exist: {row}"
        assert f"def {name}(" in file.read_text(encoding="utf-8"), f"{path} has no {name}: {row}"
