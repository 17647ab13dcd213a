"""The table of programs by topic in `README.md`: `python -m tests.oracle.table` writes it anew."""

import re
from pathlib import Path

from tests.oracle import programs

README = Path(__file__).parent / "README.md"
PLACE = re.compile(r"(?<=<!-- programs -->\n).*?(?=<!-- end of programs -->)", re.DOTALL)


def text() -> str:
    """The table, as Markdown."""
    rows = []
    total = sum(len(programs.of_topic(topic)) for topic in programs.TOPICS)
    for topic in programs.TOPICS:
        of_topic = programs.of_topic(topic)
        modules = [f"`{name}`" for name in programs.modules() if programs.topic_of(name) == topic]
        eager = sum(program.eager for program in of_topic)
        share = 100 * len(of_topic) / total
        rows.append(f"| {topic.replace('_', ' ')} | {', '.join(modules)} | {len(of_topic)} | {eager} | {share:.1f} % |")
    eager = sum(program.eager for topic in programs.TOPICS for program in programs.of_topic(topic))
    head = ["| topic | modules | programs | run eagerly too | share |", "|---|---|---:|---:|---:|"]
    return "\n".join([*head, *rows, f"| **all** | | **{total}** | **{eager}** | |"]) + "\n"


def current() -> bool:
    """Whether the README has this table."""
    found = PLACE.search(README.read_text(encoding="utf-8"))
    return found is not None and found.group() == text()


def update() -> None:
    """Writes the table into the README."""
    table = text()
    README.write_text(PLACE.sub(lambda _: table, README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    update()
