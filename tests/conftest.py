"""What all tests share: where the browser is, and what happens to the tests that need one when there is none.

A test marked `browser` drives JupyterLab in Debian's Chromium. All of them run in one process, one after another, also
when pytest has several. Without Chromium they are skipped, and the summary says so in one line; with the option
`--require-browser`, which continuous integration sets where it can install one, a skipped browser test is a failure.
"""

import gc
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

NO_BROWSER = "browser tests need chromium, and there is none (make test installs it when it is run by root)"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-browser", action="store_true", help="fail where a browser test would be skipped")


# Programs that measure other frameworks; they run in those frameworks' own Python.
collect_ignore_glob = ["bench/rivals_*.py"]


def find_chromium() -> Path | None:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    return Path(found) if found else None


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Return the browser's path, to be given to playwright as `executable_path`."""
    found = find_chromium()
    if found is None:
        pytest.skip(NO_BROWSER)
    return found


_starts: dict[int, tuple[np.random.Generator, Any]] = {}


@pytest.fixture(autouse=True)
def _own_random_numbers(request: pytest.FixtureRequest) -> None:
    """A test meets neither the seed nor the place in a sequence of random numbers that another left.

    So it sees the same numbers whichever tests ran before it in its process: a module's generators start again.
    """
    seeds = sys.modules.get("graphlab.ops.random_seed")
    if seeds is not None:
        seeds.set_seed(None)
    for value in vars(getattr(request, "module", None) or object).values():
        if isinstance(value, np.random.Generator):
            value.bit_generator.state = _starts.setdefault(id(value), (value, value.bit_generator.state))[1]


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group("browser"))


def pytest_collection_finish() -> None:
    """What was collected stays to the end: the garbage collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") and find_chromium() is None:
        pytest.skip(NO_BROWSER)  # always from this line, so that the summary has one line for all


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if skipped and item.get_closest_marker("browser") and item.config.getoption("require_browser"):
        report.outcome = "failed"
        report.longrepr = f"a browser test may not be skipped here (--require-browser): {report.longrepr}"
    return report
