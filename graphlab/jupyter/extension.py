"""What `%load_ext graphlab` installs in the shell, and takes away again."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from graphlab.inspect.predict import Prediction
from graphlab.inspect.subject import place_names
from graphlab.jupyter import cell as cells
from graphlab.jupyter import failure
from graphlab.jupyter.magics import GraphlabMagics
from graphlab.jupyter.options import FLAGS, VIEWS, Options, parse, usage
from graphlab.jupyter.page import Page
from graphlab.jupyter.watch import CellRun, name_cell
from graphlab.messages import LANGUAGES, Message, message
from graphlab.tracing import function as tf_function

_MAGICS: Final = ("tf_traces", "tf_signatures", "tf_code", "tf_graph", "tf_lint", "tf_step", "tf_compare")
STOPS: Final = ("nan", "inf", "error", '"line ', '"op ==')
"""How a place to stop at begins."""
_LOGGER: Final = logging.getLogger("graphlab")


class Session:
    """graphlab in one shell: its transformers, hooks and the run of the present cell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.watching = True  # a cell that traces shows it by itself; %tf_watch off ends that
        self.run: CellRun | None = None
        self._decorate = cells.Decorate()
        self._eagerly_before: bool | None = None
        self._page = Page(shell)
        # Whether the shell counts a cell before it tells of it (new versions of IPython do) is learnt from the first.
        self._counter = shell.execution_count
        self._ahead = 1
        self._guess: Prediction | None = None
        self._hinted = False

    # --------------------------------------------------------------------------------------------- installing, removing

    def install(self) -> None:
        """Puts everything in its place."""
        shell = self.shell
        transformers = shell.input_transformers_cleanup
        # Before IPython's own, which would make an ordinary cell magic of the cell.
        names = [getattr(item, "__name__", "") for item in transformers]
        transformers.insert(names.index("cell_magic") if "cell_magic" in names else len(names), cells.transform)
        shell.ast_transformers.append(self._decorate)
        shell.push({cells.MARK: self.mark, cells.DECORATOR: self.trace, cells.SHOW: self.show}, interactive=False)
        shell.events.register("pre_run_cell", self.before)
        shell.events.register("post_run_cell", self.after)
        magics = GraphlabMagics(shell)
        magics.session = self
        shell.register_magics(magics)
        for name in _MAGICS:
            if name != "tf_step":
                shell.set_hook("complete_command", self.complete_name, str_key=f"%{name}")
        shell.set_hook("complete_command", self.complete_step, str_key="%tf_step")
        shell.set_hook("complete_command", self.complete_option, str_key=cells.MAGIC)
        for name in ("tf_watch", "tf_eager"):
            shell.set_hook("complete_command", _complete(("on", "off")), str_key=f"%{name}")
        shell.set_hook("complete_command", _complete((*LANGUAGES, "auto")), str_key="%tf_lang")
        for module, name in failure.SHOWN:  # what is shown is made when it is shown: there it may fail too
            shell.display_formatter.mimebundle_formatter.for_type_by_name(module, name, self.bundle)
        _LOGGER.addFilter(self.warning)
        self._page.open()

    def remove(self) -> None:
        """Takes everything away, as far as the shell can."""
        shell = self.shell
        with suppress(ValueError):
            shell.input_transformers_cleanup.remove(cells.transform)
        with suppress(ValueError):
            shell.ast_transformers.remove(self._decorate)
        for event, hook in (("pre_run_cell", self.before), ("post_run_cell", self.after)):
            with suppress(ValueError):
                shell.events.unregister(event, hook)
        for kind in ("line", "cell"):
            for name in [name for name in shell.magics_manager.magics[kind] if name.startswith("tf_")]:
                del shell.magics_manager.magics[kind][name]
        for module, name in failure.SHOWN:
            shell.display_formatter.mimebundle_formatter.pop(f"{module}.{name}", None)
        _LOGGER.removeFilter(self.warning)
        if self.run is not None:
            self.run.end()
            self.run = None

    # ----------------------------------------------------------------------------------------------------- a prediction

    def guess(self, prediction: Prediction) -> None:
        """Begins to count for a prediction; a cell with nothing after it leaves that to the next."""
        if self._guess is not None:
            self._guess.__exit__(None, None, None)
        self._guess = prediction.__enter__()

    def _answer(self, source: str) -> None:
        """Shows how a prediction came out, at the end of the cell it is about."""
        guess = self._guess
        if guess is None or _only_magics(source):
            return
        self._guess = None
        guess.__exit__(None, None, None)
        self.shell.display_pub.publish(data={"text/html": guess._repr_html_(), "text/plain": str(guess)})

    # ---------------------------------------------------------------------------------------------------- around a cell

    def before(self, info: Any) -> None:
        """A cell begins."""
        source = info.raw_cell or ""
        with self._kept_apart(source):
            self._page.listen()
            self._counter = self.shell.execution_count
            filename = self._name(info, self._counter - self._ahead)
            marked = cells.magic_line(source) is not None
            if self.run is None and (marked or self.watching):
                self.run = CellRun(source, filename, marked=marked)
                try:
                    self.run.begin()
                except Exception as error:  # noqa: BLE001 - told once, at the end
                    self.run.failed(error)

    def after(self, result: Any) -> None:
        """A cell ends, well or not."""
        run, self.run = self.run, None
        source = "" if result.info is None else result.info.raw_cell or ""
        if self._eagerly_before is not None:
            tf_function.run_functions_eagerly(self._eagerly_before)
            self._eagerly_before = None
        with self._kept_apart(source):
            self._answer(source)
        with self._kept_apart(source, None if run is None else run.options.lang):
            try:
                if result.execution_count is not None:
                    self._ahead = self._counter - result.execution_count
                    filename = self._name(result.info, result.execution_count)
                    if run is not None:
                        run.filename = filename
            finally:
                if run is not None:
                    run.end()
            if run is not None:
                run.show(self.shell.display_pub.publish, result.execution_count, ended=result.success)

    def warning(self, record: logging.LogRecord) -> bool:
        """A warning is logged: names its cell; the first one beside which nothing is shown says how to see more."""
        name_places(record)
        if self.run is None and not self._hinted and isinstance(record.args, tuple):
            self._hinted = True
            record.msg, record.args = f"{record.msg}\n%s", (*record.args, message("warn.watch"))
        return True

    @contextmanager
    def _kept_apart(self, source: str, lang: str | None = None) -> Iterator[None]:
        """Keeps a failure of graphlab's own out of the user's cell, but for one line."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, the cell is the user's
            failure.tell(error, self.shell.display_pub.publish, source, lang)

    def _name(self, info: Any, count: int) -> str:
        """The file name a cell's code is compiled under, which is shown as `In[count]` from now on."""
        source = info.raw_cell or ""
        filename: str = self.shell.compile.get_code_name(source, info.transformed_cell or source, count)
        name_cell(filename, count)
        return filename

    # ----------------------------------------------------------------------------------------- what a marked cell calls

    def mark(self, line: str) -> None:
        """The first line of a marked cell: reads its options.

        Raises:
            UsageError: They cannot be read.
        """
        if self.run is not None:
            cells.written(self.run.filename, line)
        options = parse(line)
        if self.run is None:
            return
        self.run.options = options
        if options.eager:
            self._eagerly_before = tf_function.functions_run_eagerly()
            tf_function.run_functions_eagerly(True)
        defined = {node.name for node in _functions(self.run.source)}
        for name in options.signatures:
            if name not in defined:
                raise usage("usage.signature_function", name=name)

    def trace(self, function: Any) -> Any:
        """What stands on each function of a marked cell: makes it traced, unless it is already or cannot be."""
        run = self.run
        if isinstance(function, tf_function.Function):
            if run is not None:
                run.defined.append(function)
            return function
        left = cells.kind_left_alone(function)
        if left is not None or not callable(function):
            if run is not None and left is not None:
                run.notes.append(message(f"note.{left}", f=getattr(function, "__name__", "?")))
            return function
        options = run.options if run is not None else Options()
        made = tf_function.function(
            function,
            input_signature=options.signatures.get(getattr(function, "__name__", "")),
            autograph=options.autograph,
            reduce_retracing=options.reduce_retracing,
        )
        if run is not None:
            run.defined.append(made)
        return made

    def show(self, value: Any) -> Any:
        """Shows what a magic gave on a line that is not the cell's last."""
        if value is None or self.shell.ast_node_interactivity == "all":  # which shows it itself
            return value
        data, metadata = self.shell.display_formatter.format(value)
        if data:
            self.shell.display_pub.publish(data=data, metadata=metadata)
        return None

    @staticmethod
    def bundle(view: Any, include: Any = None, exclude: Any = None) -> dict[str, Any]:  # IPython's names
        """A view as it is shown; the line that says so when it cannot be made."""
        try:
            if hasattr(view, "_repr_mimebundle_"):
                return dict(view._repr_mimebundle_(include, exclude))
            return {"text/html": view._repr_html_(), "text/plain": str(view)}
        except Exception as error:  # noqa: BLE001 - whatever it is, it is not the user's
            return failure.line(error)

    # ------------------------------------------------------------------------------------------------------- completion

    def names(self) -> list[str]:
        """The names of the traced functions the user has."""
        found = list(self.shell.user_ns.items())
        return sorted(
            name for name, value in found if isinstance(value, tf_function.Function) and not name.startswith("_")
        )

    def complete_name(self, shell: Any, event: Any) -> list[str]:  # IPython's signature
        """Completes the name of a traced function."""
        return self.names()

    def complete_step(self, shell: Any, event: Any) -> list[str]:  # IPython's signature
        """Completes the function of `%tf_step`, its option, or where to stop."""
        words = re.split(r"\s+", event.line)
        if "--stop" in words[:-1]:
            return list(STOPS)
        return ["--stop"] if event.symbol.startswith("-") or ")" in event.line else self.names()

    def complete_option(self, shell: Any, event: Any) -> list[str]:
        """Completes an option of %%tf_function, or its value."""
        words = re.split(r"\s+", event.line)
        before = words[-2] if len(words) > 1 else ""
        if before == "--lang":
            return list(LANGUAGES)
        if before == "--show":
            return ["traces", *VIEWS[1:]]
        return list(FLAGS)


def name_places(record: logging.LogRecord) -> bool:
    """Lets warnings name a cell as `In[3]`, not by the temporary file it was compiled under; keeps every record."""
    if isinstance(record.args, tuple):
        record.args = tuple(_named(value) for value in record.args)
    return True


def _named(value: Any) -> Any:
    if isinstance(value, Message):
        return Message(value.id, {name: _named(part) for name, part in value.values.items()})
    return place_names.get(value, value) if isinstance(value, str) else value


def _only_magics(source: str) -> bool:
    """Whether a cell has line magics and comments only."""
    return all(line.lstrip().startswith(("%tf_", "#")) for line in source.split("\n") if line.strip())


def _complete(values: tuple[str, ...]) -> Any:
    def complete(shell: Any, event: Any) -> list[str]:  # IPython's signature
        return list(values)

    return complete


def _functions(source: str) -> list[Any]:
    import ast

    lines = source.lstrip("\n").split("\n")
    try:
        tree = ast.parse("\n".join(["", *("" if line.startswith(("%", "!")) else line for line in lines[1:])]))
    except SyntaxError:
        return []
    return [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


_sessions: dict[int, Session] = {}


def load(shell: Any) -> None:
    """Installs graphlab in a shell, once."""
    if id(shell) in _sessions:
        return
    session = Session(shell)
    session.install()
    _sessions[id(shell)] = session


def unload(shell: Any) -> None:
    """Removes graphlab from a shell."""
    session = _sessions.pop(id(shell), None)
    if session is not None:
        session.remove()
