"""How the answers are asked for and written down; `record.py` starts it with TensorFlow as the module under test."""

import importlib
import json
import traceback
from pathlib import Path
from typing import Any

from tests.oracle import programs, table
from tests.oracle.program import Program
from tests.oracle.under_test import tf
from tests.oracle.values import differences, encode

RECORDED = Path(__file__).parent / "recorded"
# A program is asked this often: what varies from run to run must not become a record.
RUNS = 4


def write(path: Path, data: dict[str, Any]) -> None:
    """Writes a record with one line for each of its entries, so that a change of one shows as a change of one line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {"tensorflow": tf.__version__}
    lines = [
        f"{json.dumps(key, ensure_ascii=False)}: "
        + json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
        for key, value in {"header": header, **data}.items()
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def run_eagerly(program: Program) -> Any:
    tf.config.run_functions_eagerly(True)
    try:
        return program.function()
    finally:
        tf.config.run_functions_eagerly(False)


def record_program(program: Program) -> Any:
    result = encode(program.function())
    for _ in range(RUNS - 1):
        again = encode(program.function())
        if again != result:
            raise ValueError("\n  ".join(["TensorFlow itself gives varying results:", *differences(again, result)]))
    if program.eager:
        found = list(differences(encode(run_eagerly(program)), result))
        if found:
            raise ValueError("\n  ".join(["means something else eagerly, mark it with eager=False:", *found]))
    return result


def record_programs(names: list[str]) -> int:
    """Records the named modules, or all; returns how many programs could not be recorded."""
    failed = 0
    for name in names or programs.modules():
        recorded = {}
        for program in programs.of_module(name):
            try:
                recorded[program.name] = record_program(program)
            except Exception as error:  # noqa: BLE001, the next programs can be recorded
                traceback.print_exception(error, limit=-4)
                print(f"*** {name}, {program.name}: {type(error).__name__}: {error}")
                failed += 1
        write(RECORDED / "programs" / f"{name}.json", recorded)
        print(name, len(recorded))
    table.update()
    return failed


def main(arguments: list[str]) -> None:
    """Records all, or one part, or some modules of it."""
    tf.get_logger().setLevel("ERROR")
    what = arguments[0] if arguments else "all"
    failed = record_programs(arguments[1:]) if what in ("programs", "all") else 0
    for part in ("ops", "graphdefs", "reprs", "odd"):
        if what in (part, "all"):
            module = importlib.import_module(f"tests.oracle.{part}.recording")
            failed += module.record(RECORDED / part, write, arguments[1:])
    if failed:
        raise SystemExit(f"{failed} could not be recorded")
