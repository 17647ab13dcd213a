"""A recorded graph with loops, without what TensorFlow adds to count their iterations.

Its `While` begins with a counter and a limit, which its condition and body take and give first, and which the body
counts up; AutoGraph works out a limit that nothing reads, and makes constants that nothing reads. What is left has the
numbers it would have without them.
"""

import re
from typing import Any

Nodes = list[list[Any]]

COUNTERS = re.compile(r"(?:.*/)?(?:loop_counter|maximum_iterations)(?:_1)?")
PURE = frozenset(("Const", "Sub", "FloorDiv", "FloorMod", "NotEqual", "Cast", "AddV2", "Maximum", "Shape"))
RESULT = re.compile(r"Identity(_\d+)?")


def source(name: str) -> str:
    """The node that an input names."""
    return name.lstrip("^").partition(":")[0]


def without_counters(graph: dict[str, Any]) -> dict[str, Any]:
    library = [_function(*function) for function in graph["library"]]
    return {"nodes": without_unused(_main(graph["nodes"]), []), "library": sorted(library)}


def _main(nodes: Nodes) -> Nodes:
    """Without the counters that are passed, and with the results of loops numbered from 0."""
    loops = {name for name, op, _ in nodes if op in ("While", "StatelessWhile")}

    def renamed(name: str) -> str:
        node, colon, index = name.rpartition(":")
        base = node.partition(":")[0]
        if colon and base in loops:
            number = int(index) - 2
            return f"{node}:{number}" if ":" in node or number else node
        found = re.fullmatch(r"(.*)/input_(\d+)", name)
        return f"{found[1]}/input_{int(found[2]) - 2}" if found and found[1] in loops else name

    return [
        [renamed(name), op, list(map(renamed, inputs[2:] if name in loops else inputs))]
        for name, op, inputs in nodes
        if not COUNTERS.fullmatch(name)
    ]


def _function(name: str, inputs: list[str], outputs: list[str], nodes: Nodes, ret: Nodes) -> list[Any]:
    nodes = _main(nodes)
    loop = re.search(r"_(body|cond)_#$", name)
    if loop and inputs and inputs[0].endswith(("loop_counter", "loop_counter_1")):
        inputs = inputs[2:]
        if loop[1] == "body":
            counted, limit = outputs[:2]
            outputs = outputs[2:]
            gone = {source(value) for key, value in ret if key in (counted, limit)}
            added = {source(inputs[0]) for node, _, inputs in nodes if node in gone}
            nodes = [n for n in nodes if n[0] not in gone and n[0] not in added]
            ret = [pair for pair in ret if pair[0] not in (counted, limit)]
            prefix = re.escape(counted.removesuffix("identity"))

            def renamed(text: str) -> str:
                """Results are counted without the two."""
                path = re.fullmatch(r"((?:.*/)?Identity)_(\d+)(:.*)?", text)
                argument = re.fullmatch(rf"({prefix}identity)_(\d+)", text)
                found = path or argument
                if found is None or (path and path[1] != identity):
                    return text
                number = int(found[2]) - 2
                return found[1] + (f"_{number}" if number else "") + ((path[3] or "") if path else "")

            identity = next((v.partition(":")[0].rpartition("_")[0] for k, v in ret if "/Identity_" in v), "")
            nodes = [[renamed(node), op, list(map(renamed, given))] for node, op, given in nodes]
            outputs = list(map(renamed, outputs))
            ret = sorted([renamed(key), renamed(value)] for key, value in ret)
    nodes = without_unused(nodes, [value for _, value in ret])
    return [name, inputs, outputs, nodes, ret]


def without_unused(nodes: Nodes, results: list[str]) -> Nodes:
    """Without pure ops that nothing reads; constants and shapes are numbered again."""
    while True:
        used = {source(name) for _, _, inputs in nodes for name in inputs} | set(map(source, results))
        kept = [n for n in nodes if n[0] in used or n[1] not in PURE]
        if len(kept) == len(nodes):
            break
        nodes = kept
    numbers: dict[str, int] = {}
    names: dict[str, str] = {}
    for name, _, _ in nodes:
        found = re.fullmatch(r"((?:.*/)?(?:Const|Shape))(?:_\d+)?", name)
        if found:
            number = numbers[found[1]] = numbers.get(found[1], -1) + 1
            names[name] = f"{found[1]}_{number}" if number else found[1]

    def renamed(name: str) -> str:
        return name.replace(source(name), names.get(source(name), source(name)))

    return [[renamed(name), op, list(map(renamed, inputs))] for name, op, inputs in nodes]
