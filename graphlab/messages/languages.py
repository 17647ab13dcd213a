"""Which language graphlab speaks, and how that language writes digits, lists and lines."""

import os
from typing import Final

LANGUAGES: Final = ("en", "es", "fa", "it", "ru", "zh")

_DIGITS: Final = {"fa": "۰۱۲۳۴۵۶۷۸۹"}
_RIGHT_TO_LEFT: Final = frozenset({"fa"})

# The choice of the user, then of the front end; one process speaks one language unless a call says otherwise.
_chosen: dict[str, str | None] = {"user": None, "frontend": None}


def match(name: str | None) -> str | None:
    """The catalogue for a language name in any common spelling, or None when there is none.

    >>> match("fa_IR.UTF-8"), match("zh-Hans-CN"), match("C"), match("default")
    ('fa', 'zh', None, None)
    """
    code = (name or "").replace("-", "_").split(".")[0].split("_")[0].lower()
    return code if code in LANGUAGES else None


def _from_environment() -> str | None:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            # The first variable that is set decides, as in gettext; LANGUAGE may list several.
            return next((found for part in value.split(":") if (found := match(part))), None)
    return None


def language() -> str:
    """The language graphlab speaks: the user's choice, else JupyterLab's, else the environment's, else English.

    Returns:
        A member of `LANGUAGES`.
    """
    return _chosen["user"] or _chosen["frontend"] or _from_environment() or "en"


def set_language(name: str | None) -> None:
    """Choose the language for this process; None gives the choice back to the front end and the environment.

    Args:
        name: A language such as `"fa"` or `"zh-CN"`.

    Raises:
        ValueError: There is no catalogue for that language.

    >>> set_language("it"); language()
    'it'
    >>> set_language(None)
    """
    if name is not None and match(name) is None:
        raise ValueError(f"no catalogue for language {name!r}; there is one for {', '.join(LANGUAGES)}")
    _chosen["user"] = match(name)


def set_frontend_language(name: str | None) -> None:
    """Note the language of the front end (JupyterLab tells it once); a name without a catalogue counts as none."""
    _chosen["frontend"] = match(name)


def digits(lang: str) -> str:
    """The ten digits of a language's prose, `"0123456789"` where it has no others.

    >>> digits("fa")[4]
    '۴'
    """
    return _DIGITS.get(lang, "0123456789")


def direction(lang: str) -> str:
    """`"rtl"` for a language written from right to left, else `"ltr"`."""
    return "rtl" if lang in _RIGHT_TO_LEFT else "ltr"


def localize_digits(text: str, lang: str) -> str:
    """`text` with its ASCII digits written as `lang` writes them in prose."""
    return text.translate(dict(zip(map(ord, "0123456789"), digits(lang), strict=True))) if lang in _DIGITS else text
