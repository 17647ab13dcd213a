"""Which of TensorFlow's public names are there: ``graphlab.api_report()``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from graphlab.core.export import public, resolve


@dataclass(frozen=True)
class Module:
    """One module of TensorFlow's public interface.

    Attributes:
      name: ``"tf.math"``.
      present, missing: the names in it, sorted.
    """

    name: str
    present: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def share(self) -> float:
        """The part that is there, from 0 to 1."""
        return len(self.present) / max(1, len(self.present) + len(self.missing))


@dataclass(frozen=True)
class ApiReport:
    """What ``api_report`` found.  ``str()`` is a table; ``data`` is plain.

    Attributes:
      modules: one entry per module, in the order of their names.
    """

    modules: tuple[Module, ...]

    @property
    def present(self) -> int:
        """How many names are there."""
        return sum(len(m.present) for m in self.modules)

    @property
    def total(self) -> int:
        """How many names TensorFlow 2.21 has (Keras, raw_ops, compat and modules for single accelerators apart)."""
        return sum(len(m.present) + len(m.missing) for m in self.modules)

    @property
    def data(self) -> dict[str, dict[str, list[str]]]:
        """Module → ``{"present": names, "missing": names}``."""
        return {m.name: {"present": list(m.present), "missing": list(m.missing)} for m in self.modules}

    def __str__(self) -> str:
        width = max(len(m.name) for m in self.modules)
        lines = [f"{'module':{width}}  there  of", "-" * (width + 12)]
        lines += [f"{m.name:{width}}  {len(m.present):5}  {len(m.present) + len(m.missing):3}" for m in self.modules]
        lines += ["-" * (width + 12), f"{'':{width}}  {self.present:5}  {self.total:3}"]
        return "\n".join(lines)

    def markdown(self) -> str:
        """The table for the documentation, with the names that are missing."""
        rows = ["| module | there | of | not there |", "|---|---|---|---|"]
        for m in self.modules:
            names = ", ".join(f"`{name}`" for name in m.missing)
            rows.append(f"| `{m.name}` | {len(m.present)} | {len(m.present) + len(m.missing)} | {names} |")
        rows.append(f"| all | {self.present} | {self.total} | |")
        return "\n".join(rows)

    def __repr__(self) -> str:
        return str(self)


def _names() -> Iterator[str]:
    """TensorFlow's public names, without ``tf.``."""
    text = (files("graphlab.inspect") / "tensorflow_names.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        name = line.strip()
        if name.startswith("tf."):
            yield name[3:]


def _is_there(name: str) -> bool:
    try:
        resolve(name)
    except (KeyError, AttributeError):
        return name == "__version__"
    return True


@public("api_report")
def api_report() -> ApiReport:
    """Says which of TensorFlow 2.21's public names graphlab has, module by module.

    Printing the result gives a table; ``.data`` gives the names.

    >>> import graphlab as tf
    >>> report = tf.api_report()
    >>> "add" in report.data["tf.math"]["present"]
    True
    """
    modules: dict[str, tuple[list[str], list[str]]] = {}
    for name in _names():
        module, _, last = name.rpartition(".")
        present, missing = modules.setdefault("tf." + module if module else "tf", ([], []))
        (present if _is_there(name) else missing).append(last)
    return ApiReport(
        tuple(Module(name, tuple(sorted(p)), tuple(sorted(m))) for name, (p, m) in sorted(modules.items()))
    )
