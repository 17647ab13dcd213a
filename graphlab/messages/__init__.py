"""What graphlab says, in six languages: message ids, templates with named values, gettext catalogues.

A `Message` is an id and plain values, so records can keep it and tests can compare it; `render` turns it into a
sentence of a language.
The English templates stand in `templates.py` (add an id there); translations are in
`locale/<language>/LC_MESSAGES/graphlab.po`.
"""

from graphlab.messages.languages import LANGUAGES, digits, direction, language, set_frontend_language, set_language
from graphlab.messages.message import Message, data, message, render, word
from graphlab.messages.templates import TEMPLATES, Plural

__all__ = [
    "LANGUAGES",
    "TEMPLATES",
    "Message",
    "Plural",
    "data",
    "digits",
    "direction",
    "language",
    "message",
    "render",
    "set_frontend_language",
    "set_language",
    "word",
]
