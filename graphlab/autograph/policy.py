"""Which functions are converted, and why others are not."""

from __future__ import annotations

import sys
from types import CodeType
from typing import Final

CO_GENERATOR: Final = 0x20
CO_COROUTINE: Final = 0x80 | 0x100 | 0x200

FROZEN_MODULES: Final = frozenset(
    {
        "graphlab",
        *sys.stdlib_module_names,
        # Libraries without anything for AutoGraph to convert, or that must not change.
        *(
            "IPython",
            "ipykernel",
            "jax",
            "keras",
            "matplotlib",
            "ml_dtypes",
            "mock",
            "numpy",
            "pandas",
            "PIL",
            "pkg_resources",
        ),
        *("psutil", "pybind11_abseil", "pytest", "_pytest", "scipy", "tensorboard", "tensorflow", "tqdm", "wrapt"),
    }
) - {"__main__", "test", "this", "antigravity"}
"""First names of modules whose functions are called as they are."""


def is_frozen(module: str | None) -> bool:
    """True for the name of a module whose functions are called as they are."""
    return module is not None and module.partition(".")[0] in FROZEN_MODULES


def reason_for_code(code: CodeType) -> tuple[str, str] | None:
    """Why a function of this code is run as plain Python, as an id and a clause; None if nothing speaks against it."""
    if code.co_flags & CO_COROUTINE:
        return "coroutine", "is a coroutine"
    if code.co_flags & CO_GENERATOR:
        return "generator", "contains yield"
    return None
