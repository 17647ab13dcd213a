"""Asks TensorFlow for the values in `recorded/conv.json`.

GRAPHLAB_ORACLE_MODULE=tensorflow python -m tests.ops.record_conv
"""

from pathlib import Path
from typing import Any

from tests.ops.conv_cases import CASES, ERRORS
from tests.oracle.ops.recording import missing, record_dtype
from tests.oracle.program import Raised
from tests.oracle.recording import write
from tests.oracle.under_test import tf


def raised(call: Any) -> str:
    """The class of what a call raises."""
    try:
        call(tf)
    except Exception as error:  # noqa: BLE001, since its class is the result
        return Raised(error).classes[0]
    raise ValueError("TensorFlow raises nothing")


def main() -> None:
    """Writes the record."""
    data: dict[str, Any] = {}
    for case in CASES:
        absent = {}
        for dtype in case.dtypes:
            results = record_dtype(case, dtype)
            if missing(results):
                absent[dtype] = missing(results)
            else:
                data[f"{case.name} {dtype}"] = results
        if absent:
            data[f"{case.name} missing"] = absent
    for name, call in ERRORS.items():
        data[f"error: {name}"] = [
            raised(call),
            raised(lambda tf, call=call: tf.function(lambda: call(tf), autograph=False)()),
        ]
    write(Path(__file__).parent / "recorded" / "conv.json", data)
    print(len(data))


if __name__ == "__main__":
    main()
