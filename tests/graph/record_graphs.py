"""Records, with TensorFlow, graphs in their binary form and what they give: ``python -m tests.graph.record_graphs``.

It is run in the environment of the oracle (tests/oracle/README.md); the tests read ``recorded/graphs.json``.
"""

from __future__ import annotations

import base64
import importlib
import json
import sys
from pathlib import Path
from typing import Any

PLACE = Path(__file__).parent / "recorded" / "graphs.json"


def record(tf: Any) -> list[dict[str, Any]]:
    """For each case its graph, the names of its arguments and results, its values and its results."""
    sys.modules["graphlab"] = tf
    cases = importlib.import_module("tests.graph.import_cases").CASES
    found = []
    for function, specs, values in cases:
        concrete = tf.function(function).get_concrete_function(*specs)
        results = tf.nest.flatten(concrete(*[tf.constant(value) for value in values]))
        plain = [result.numpy().tolist() for result in results]
        found.append(
            {
                "name": function.__name__,
                "graph": base64.b64encode(concrete.graph.as_graph_def().SerializeToString(deterministic=True)).decode(),
                "inputs": [tensor.name for tensor in concrete.inputs],
                "outputs": [tensor.name for tensor in concrete.outputs],
                "values": [value.tolist() if hasattr(value, "tolist") else value for value in values],
                "dtypes": [spec.dtype.name for spec in specs],
                "results": json.loads(json.dumps(plain, default=bytes.decode)),
            }
        )
    return found


if __name__ == "__main__":
    PLACE.parent.mkdir(exist_ok=True)
    PLACE.write_text(json.dumps(record(importlib.import_module("tensorflow")), indent=1) + "\n", encoding="utf-8")
