"""Asks TensorFlow for the nodes of its graphs."""

from collections.abc import Callable
from pathlib import Path

from tests.oracle.graphdefs.functions import GRAPHS
from tests.oracle.graphdefs.table import KINDS, graph_of


def record(folder: Path, write: Callable[..., None], kinds: list[str]) -> int:
    for kind in kinds or KINDS:
        data = {case.name: graph_of(case) for case in GRAPHS if case.kind == kind}
        again = {case.name: graph_of(case) for case in GRAPHS if case.kind == kind}
        changed = [name for name in data if data[name] != again[name]]
        if changed:
            print(f"*** {kind}: other graphs at the second time: {changed}")
            return len(changed)
        write(folder / f"{kind}.json", data)
        print(f"{kind}: {len(data)} graphs")
    return 0
