"""Writes docs/api.md: which of TensorFlow's public names are there."""

from __future__ import annotations

from pathlib import Path

import graphlab as tf

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
TEXT = """# Names

Which of TensorFlow 2.21's public names graphlab has, module by module; Keras, `raw_ops`, `compat` and modules for
single accelerators are left out. `graphlab.api_report()` gives the same as a table and as data.

"""

if __name__ == "__main__":
    PAGE.write_text(TEXT + tf.api_report().markdown() + "\n", encoding="utf-8")
