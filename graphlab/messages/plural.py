"""A template that depends on a count."""

from typing import NamedTuple


class Plural(NamedTuple):
    """A template that depends on a count: its forms, and the name of the value that counts."""

    one: str
    other: str
    by: str = "n"
