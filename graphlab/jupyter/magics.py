"""The `%tf_…` magics."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand

from graphlab import inspect as views
from graphlab.inspect import stops
from graphlab.jupyter import failure
from graphlab.jupyter.options import language, said, usage
from graphlab.messages import language as current_language
from graphlab.messages import message, set_language
from graphlab.tracing import function as tf_function

if TYPE_CHECKING:
    from graphlab.jupyter.extension import Session


@magics_class
class GraphlabMagics(Magics):
    """Magics that show what tf.function does."""

    session: Session

    # --------------------------------------------------------------------------------------------------- the cell magic

    @cell_magic
    def tf_function(self, line: str, cell: str) -> Any:
        """Make every function defined at the top level of this cell a tf.function, and show what was traced.

        %%tf_function [--signature "NAME: SPECS"] [--eager] [--no-autograph] [--reduce-retracing]
                      [--show VIEWS] [--lang LANG]

          --signature "walk: float32[None], int32[]"   fix a function's input_signature; may be given once per function
          --eager                                      run the functions as plain Python in this cell
          --no-autograph                               leave Python's if, while and for as they are
          --reduce-retracing                           trace once for a general shape when shapes change
          --show graph,code                            the views to show: traces, signatures, code, graph, advice
          --lang fa                                    the language of this panel: en, es, fa, it, ru, zh

        It has to be the first line of the cell. A function that is a tf.function already stays as it is; coroutines and
        generators are left alone, and the panel says so. Apart from that the cell is an ordinary one.
        """
        del line, cell
        # The cell itself is run by the input transformer; this is reached only where that cannot work.
        raise usage("usage.first_line")

    # --------------------------------------------------------------------------------------------------------- watching

    @line_magic
    def tf_watch(self, line: str) -> None:
        """Show the panel after each cell that traced, without %%tf_function: on from the beginning.

        %tf_watch off    from the next cell on no longer
        %tf_watch on     again
        %tf_watch        say which of the two it is
        """
        value = self._on_off("tf_watch", line)
        if value is None:
            self._say("magic.state.watch", value="on" if self.session.watching else "off")
            return
        self.session.watching = value
        self._say("magic.watch.on" if value else "magic.watch.off")

    @line_magic
    def tf_eager(self, line: str) -> None:
        """Run traced functions as plain Python, as tf.config.run_functions_eagerly does.

        %tf_eager on     every tf.function runs its Python function
        %tf_eager off    they are traced again
        %tf_eager        say which of the two it is
        """
        from graphlab.core.state import Modes

        value = self._on_off("tf_eager", line)
        if value is None:
            self._say("magic.state.eager", value="on" if Modes.functions_eagerly else "off")
            return
        tf_function.run_functions_eagerly(value)
        self._say("magic.eager.on" if value else "magic.eager.off")

    @line_magic
    def tf_lang(self, line: str) -> None:
        """Choose the language of panels and messages.

        %tf_lang fa      Persian; there are en, es, fa, it, ru, zh
        %tf_lang auto    JupyterLab's language again
        %tf_lang         say which it is
        """
        value = line.strip()
        if value:
            set_language(None if value == "auto" else language(value))
        self._say("magic.lang", value=current_language())

    # ------------------------------------------------------------------------------------------------------------ views

    @line_magic
    def tf_traces(self, line: str) -> Any:
        """Show why a function was traced: each trace with its reason and the line to write instead.

        %tf_traces NAME
        """
        function, _ = self._function("tf_traces", line)
        return self._view(lambda: views.explain(function))

    @line_magic
    def tf_signatures(self, line: str) -> Any:
        """Show the signatures a function was traced for, and the one that would serve all calls, if there is one.

        %tf_signatures NAME
        """
        function, _ = self._function("tf_signatures", line)
        return self._view(lambda: views.signatures(function))

    @line_magic
    def tf_code(self, line: str) -> Any:
        """Show a function's source beside the code that AutoGraph made of it.

        %tf_code NAME
        """
        function, _ = self._function("tf_code", line)
        return self._view(lambda: views.code(function))

    @line_magic
    def tf_graph(self, line: str) -> Any:
        """Show the graph of a function's last trace, or of the trace with a number.

        %tf_graph NAME [NUMBER]
        """
        function, rest = self._function("tf_graph", line, more=1)
        traces = function.traces.log.traces
        number = None
        if rest:
            number = int(rest[0].lstrip("Tt")) if rest[0].lstrip("Tt").isdecimal() else 0
            if all(record.number != number for record in traces):
                total = message("count.traces", n=len(traces))
                raise usage("usage.trace_number", f=function.name, n=rest[0], traces=total)
        if not traces:
            raise usage("usage.not_traced", f=function.name)
        return self._view(lambda: views.graph(function, number))

    @line_magic
    def tf_lint(self, line: str) -> Any:
        """Say what could be done better: each piece of advice with the line to write instead.

        %tf_lint NAME    about one traced function
        %tf_lint         about all traced functions, and the rest of the code of the last cell
        """
        if line.strip():
            function, _ = self._function("tf_lint", line)
            return self._view(lambda: views.lint(function))
        functions = [self.session.shell.user_ns[name] for name in self.session.names()]
        return self._view(lambda: views.lint_code(self._last_cell(), functions, space=self.session.shell.user_ns))

    # ------------------------------------------------------------------------------------------------------------- runs

    @no_var_expand  # braces in arguments are dicts
    @line_magic
    def tf_step(self, line: str) -> Any:
        """Run a call node by node and iteration by iteration, and show what each gave and where NaN or Inf began.

        %tf_step f(arguments) [--stop WHERE]

          --stop "line 12"                the view begins at the first operation of a line
          --stop nan                      where the first NaN is; also inf, error
          --stop "x > 3"                  where a variable of the function gets such a value, in any element
          --stop "op == 'Mul' and value.max() > 3"
                                          value, op, line and iteration are those of the operation

        In the panel ⇥ goes on to the next such operation.
        """
        call, stop = _stop(line)
        function, args, kwargs = self._call("tf_step", call)
        function.get_concrete_function(*args, **kwargs)  # what the user's own program raises is told as ever

        def run() -> Any:
            steps = views.step(function, *args, **kwargs)
            try:
                return steps if stop is None else steps.stop_at(stop, self.session.shell.user_ns)
            except ValueError as error:  # a name that is nowhere
                raise UsageError(str(error)) from None

        return self._view(run)

    @no_var_expand  # braces in arguments are dicts
    @line_magic
    def tf_compare(self, line: str) -> Any:
        """Run a call eagerly and as a graph, with the same seeds, and show what differs and why.

        %tf_compare f(arguments)
        """
        function, args, kwargs = self._call("tf_compare", line)
        return self._view(lambda: views.compare(function, *args, **kwargs))

    @line_magic
    def tf_predict(self, line: str) -> None:
        """Guess how many traces a cell makes and how many lines Python prints while tracing; its end has the answer.

        %tf_predict traces=2 lines=3    about this cell, or about the next one if nothing follows
        %%tf_predict traces=2 lines=3   the same about this cell
        %tf_predict                     ask the question
        """
        example = "%tf_predict traces=2 lines=3"
        if not line.strip():
            self._say("predict.ask", example=example)
            return
        guesses: dict[str, int] = {}
        for part in line.replace(",", " ").split():
            name, _, value = part.partition("=")
            if name not in ("traces", "lines") or not value.isdecimal():
                raise usage("usage.predict", example=example, value=line.strip())
            guesses[name] = int(value)
        self.session.guess(views.predict(**guesses))
        self._say("predict.noted")

    def _call(self, magic: str, line: str) -> tuple[Any, list[Any], dict[str, Any]]:
        """The traced function and the arguments of a call that a line writes."""
        example = f"{next(iter(self.session.names()), 'f')}(…)"
        try:
            call = ast.parse(line.strip(), mode="eval").body
        except SyntaxError:
            raise usage("usage.call", magic=magic, example=example) from None
        if not isinstance(call, ast.Call):
            raise usage("usage.call", magic=magic, example=example)
        function = self._lookup(ast.unparse(call.func))
        space = {**self.session.shell.user_ns, "__graphlab_arguments__": lambda *args, **kwargs: (args, kwargs)}
        call.func = ast.copy_location(ast.Name("__graphlab_arguments__", ast.Load()), call.func)
        code = compile(ast.Expression(call), "<graphlab arguments>", "eval")
        args, kwargs = eval(code, space)  # noqa: S307 - what the user wrote in a cell
        return function, list(args), kwargs

    def _view(self, make: Callable[[], Any]) -> Any:
        """What a view is made of; one line instead when graphlab itself fails."""
        try:
            return make()
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is not the user's
            failure.tell(error, self.session.shell.display_pub.publish)
            return None

    # ---------------------------------------------------------------------------------------------------------- reading

    def _last_cell(self) -> str:
        """The source of the cell before this one."""
        history = self.session.shell.history_manager.input_hist_raw[:-1]
        cells = [
            text for text in history if any(not line.startswith("%tf_") for line in text.split("\n") if line.strip())
        ]
        return cells[-1] if cells else ""

    def _say(self, id_: str, **values: Any) -> None:
        sys.stdout.write(said(message(id_, **values)) + "\n")

    @staticmethod
    def _on_off(magic: str, line: str) -> bool | None:
        value = line.strip().lower()
        if value in ("on", "off", ""):
            return None if not value else value == "on"
        raise usage("usage.on_off", magic=magic, value=line.strip())

    def _function(self, magic: str, line: str, more: int = 0) -> tuple[Any, list[str]]:
        """The traced function that a line names, and what follows it."""
        try:
            words = shlex.split(line)
        except ValueError:
            raise usage("usage.quotes", value=line) from None
        if not words:
            raise usage("usage.name_missing", magic=magic, example=next(iter(self.session.names()), "f"))
        name, *rest = words
        if len(rest) > more:
            raise usage("usage.too_much", magic=magic, value=" ".join(rest[more:]))
        return self._lookup(name), rest

    def _lookup(self, name: str) -> Any:
        parts = name.split(".")
        user = self.session.shell.user_ns
        if not all(part.isidentifier() for part in parts) or parts[0] not in user:
            raise usage("usage.undefined", name=name)
        value = user[parts[0]]
        for part in parts[1:]:
            try:
                value = getattr(value, part)
            except AttributeError:
                raise usage("usage.undefined", name=name) from None
        if not isinstance(value, tf_function.Function):
            raise usage("usage.not_function", name=name)
        return value


_STOP: Final = re.compile(r"""(?:^|\s)--stop(?:=|\s+|$)(?P<where>"[^"]*"|'[^']*'|.*)\s*$""", re.DOTALL)


def _stop(line: str) -> tuple[str, str | None]:
    """The call on a line of `%tf_step`, and where to stop; what is in quotes may hold the other kind of them.

    Raises:
        UsageError: There is no place after `--stop`, or it cannot be read.
    """
    found = _STOP.search(line)
    if found is None:
        return line, None
    where = found["where"].strip()
    if len(where) > 1 and where[0] == where[-1] and where[0] in "\"'":
        where = where[1:-1]
    if not where.strip():
        raise usage("usage.option_value", option="--stop", example='--stop "line 12"')
    try:
        stops.parse(where)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return line[: found.start()], where


__all__ = ["GraphlabMagics", "UsageError"]
