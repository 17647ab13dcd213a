"""Asks TensorFlow, in a process of its own, which is started again where TensorFlow takes it down."""

import json
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.oracle.odd.running import ARGUMENTS, calls_of, outcome

WORKER = "from tests.oracle.odd.recording import work; work()"
CRASHES = "crashes"  # or never comes back; is not compared
PATIENCE = 30  # seconds


def work() -> None:
    """Answers lines of JSON, [function, index of the call], until there are no more."""
    for line in sys.stdin:
        name, index = json.loads(line)
        _, arguments, named = list(calls_of(name))[index]
        answer = [outcome(name, arguments, named, traced) for traced in (False, True)]
        print("answer " + json.dumps(answer), flush=True)


class Worker:
    """The process; `ask` starts it anew if it died."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def ask(self, name: str, index: int) -> list[str]:
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", WORKER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, index]) + "\n")
        self.process.stdin.flush()
        while select.select([self.process.stdout], [], [], PATIENCE)[0]:
            line = self.process.stdout.readline()
            if not line:
                break
            if line.startswith("answer "):
                answer: list[str] = json.loads(line.removeprefix("answer "))
                return answer
        self.process.kill()
        self.process.wait()
        self.process = None
        return [CRASHES, CRASHES]

    def close(self) -> None:
        if self.process is not None:
            self.process.communicate()


def record(folder: Path, write: Callable[..., None], names: list[str]) -> int:
    """Writes, for each function, which calls had which pair of outcomes (one, if both are the same)."""
    path = folder / "calls.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    data = {name: data[name] for name in ARGUMENTS if name in data}
    worker = Worker()
    for name in names or ARGUMENTS:
        found: dict[str, list[str]] = {}
        for index, (what, *_) in enumerate(calls_of(name)):
            eager, traced = worker.ask(name, index)
            found.setdefault(eager if eager == traced else f"{eager} | {traced}", []).append(what)
        data[name] = found
    worker.close()
    write(path, {name: data[name] for name in ARGUMENTS if name in data})
    print(f"{len(data)} functions")
    return 0
