"""From a FuncGraph to a Python function on arrays."""

from graphlab.compile.executable import Executable, executable

__all__ = ["Executable", "executable"]
