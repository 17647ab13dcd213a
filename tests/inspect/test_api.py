"""What ``api_report`` says is so."""

from __future__ import annotations

from pathlib import Path

import graphlab as tf


def test_present_names_resolve_and_missing_ones_do_not() -> None:
    report = tf.api_report()
    for module, names in report.data.items():
        namespace: object = tf
        path = module.split(".")[1:]
        if names["present"]:
            for part in path:
                namespace = getattr(namespace, part)
            assert all(hasattr(namespace, name) for name in names["present"]), module
    assert "Dataset" not in report.data["tf.data"]["present"]
    assert report.present + sum(len(n["missing"]) for n in report.data.values()) == report.total


def test_the_core_modules_are_complete() -> None:
    data = tf.api_report().data
    for module in ("tf.autograph", "tf.bitwise", "tf.dtypes", "tf.errors", "tf.nest", "tf.version", "tf.math.special"):
        assert data[module]["missing"] == [], module


def test_the_text_is_a_table_with_totals() -> None:
    report = tf.api_report()
    lines = str(report).splitlines()
    assert lines[0].split() == ["module", "there", "of"]
    assert lines[-1].split() == [str(report.present), str(report.total)]


def test_the_documentation_has_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    assert tf.api_report().markdown() in page, "run: python tools/api_table.py"
