"""The tables: at least one entry for each op, by family."""

from tests.properties.entry import Entry
from tests.properties.tables import arrays, elementwise, further, linear, networks, others, strings

ENTRIES: list[Entry] = [
    *elementwise.ENTRIES,
    *arrays.ENTRIES,
    *linear.ENTRIES,
    *networks.ENTRIES,
    *strings.ENTRIES,
    *others.ENTRIES,
    *further.ENTRIES,
]
