"""Asks TensorFlow for the values in `recorded/sparse.json`.

GRAPHLAB_ORACLE_MODULE=tensorflow python -m tests.ops.record_sparse
"""

from pathlib import Path

from tests.ops.sparse_cases import DENSE_GRADIENTS, GRADIENTS, VALUES, slope, value
from tests.oracle.recording import write
from tests.oracle.under_test import tf


def main() -> None:
    """Writes the record."""
    data = {f"value: {text}": value(text, tf) for text in VALUES}
    data |= {f"gradient: {text}": slope(text, "a", tf) for text in GRADIENTS}
    data |= {f"dense gradient: {text}": slope(text, "d", tf) for text in DENSE_GRADIENTS}
    write(Path(__file__).parent / "recorded" / "sparse.json", data)
    print(len(data))


if __name__ == "__main__":
    main()
