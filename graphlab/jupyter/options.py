"""The options of `%%tf_function`, read from its line."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from typing import Any, Final

from IPython.core.error import UsageError

from graphlab.messages import LANGUAGES, Message, message, render
from graphlab.messages.languages import match
from graphlab.messages.message import plain

VIEWS: Final = ("retraces", "signatures", "code", "graph", "advice")
FLAGS: Final = {
    "--signature": '--signature "walk: float32[None], int32[]"',
    "--eager": "--eager",
    "--no-autograph": "--no-autograph",
    "--reduce-retracing": "--reduce-retracing",
    "--show": "--show graph,code",
    "--lang": "--lang fa",
}
"""The options of `%%tf_function`, each with an example."""

_WITH_VALUE: Final = frozenset(("--signature", "--show", "--lang"))


def usage(id_: str, **values: Any) -> UsageError:
    """A UsageError in the reader's language."""
    return UsageError(said(message(id_, **values)))


def said(sentence: Message) -> str:
    """A message as plain text in the current language."""
    return plain(render(sentence))


@dataclass(slots=True)
class Options:
    """What the line of a `%%tf_function` cell asks for."""

    signatures: dict[str, list[Any]] = field(default_factory=dict)
    eager: bool = False
    autograph: bool = True
    reduce_retracing: bool = False
    views: tuple[str, ...] = VIEWS
    lang: str | None = None


def parse(line: str) -> Options:
    """The options on a line.

    Raises:
        UsageError: An option is unknown or lacks its value, or a value cannot be read.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        raise usage("usage.quotes", value=line) from None
    options = Options()
    rest = iter(words)
    for item in rest:
        option, equals, value = item.partition("=")
        if option not in FLAGS:
            raise usage("usage.option", option=item, magic="tf_function", options=list(FLAGS))
        if option in _WITH_VALUE:
            given = value if equals else next(rest, "")
            if not given or (not equals and given in FLAGS):
                raise usage("usage.option_value", option=option, example=FLAGS[option])
            _set_value(options, option, given)
        elif option == "--eager":
            options.eager = True
        elif option == "--no-autograph":
            options.autograph = False
        else:
            options.reduce_retracing = True
    return options


def _set_value(options: Options, option: str, value: str) -> None:
    if option == "--signature":
        name, specs = signature(value)
        options.signatures[name] = specs
    elif option == "--lang":
        options.lang = language(value)
    else:
        views = tuple(part.strip() for part in value.split(",") if part.strip())
        aliases = {"traces": "retraces"}
        views = tuple(aliases.get(view, view) for view in views)
        unknown = [view for view in views if view not in VIEWS]
        if unknown or not views:
            raise usage("usage.show", value=unknown[0] if unknown else value, views=["traces", *VIEWS[1:]])
        options.views = tuple(view for view in VIEWS if view in views)


def language(value: str) -> str:
    """A language by any of its names.

    Raises:
        UsageError: There is no catalogue for it.
    """
    found = match(value)
    if found is None:
        raise usage("usage.language", value=value, languages=list(LANGUAGES))
    return found


_EXAMPLE: Final = "walk: float32[None], int32[]"
_SPEC: Final = re.compile(r"\s*(\w+)\s*\[\s*([^\]]*)\]\s*")


def signature(text: str) -> tuple[str, list[Any]]:
    """A function's name and its specs, from `walk: float32[None], int32[]`; `[...]` leaves the number of axes open.

    Raises:
        UsageError: The text is no signature.
    """
    from graphlab.core import dtypes
    from graphlab.core.specs import TensorSpec

    name, colon, rest = text.partition(":")
    name = name.strip()
    if not colon or not name.isidentifier():
        raise usage("usage.signature", value=text, example=_EXAMPLE)
    specs: list[Any] = []
    position = 0
    while position < len(rest) and rest.strip():
        found = _SPEC.match(rest, position)
        if found is None:
            raise usage("usage.signature", value=text, example=_EXAMPLE)
        try:
            specs.append(TensorSpec(_shape(found.group(2)), dtypes.as_dtype(found.group(1))))
        except (TypeError, ValueError):
            raise usage("usage.signature", value=text, example=_EXAMPLE) from None
        position = found.end()
        if position < len(rest):
            if rest[position] != ",":
                raise usage("usage.signature", value=text, example=_EXAMPLE)
            position += 1
    return name, specs


def _shape(text: str) -> list[int | None] | None:
    text = text.strip()
    if text == "...":
        return None
    return [None if part.strip() == "None" else int(part) for part in text.split(",") if part.strip()]
