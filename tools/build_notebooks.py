"""Write the tutorials, notebooks/<language>/*.ipynb, from their sources in notebooks/source.

    python tools/build_notebooks.py              # all languages: runs the cells and saves their outputs
    python tools/build_notebooks.py fa ru        # these languages
    python tools/build_notebooks.py --check      # only says what is not as its source says; runs nothing

`<name>.en.md` holds the English text and, once for all languages, the code. Parts begin with a line of their own:

    <!-- text: walk -->     the text above the code cell `walk`
    <!-- code: walk -->     the code, between fences

The other languages have the same texts, no code, and at the end `<!-- comments -->`: lines `- English = translation`
for the comments in the code. Nothing else of the code differs, but for the language after `%tf_lang`.

The result is the same at every run: cells have ids from the source, and what varies is emptied in the outputs by the
rule with which nbval compares them (`graphlab.inspect.volatile`).
"""

from __future__ import annotations

import io
import json
import platform
import re
import sys
import tokenize
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from graphlab.inspect.panel import MIME
from graphlab.inspect.volatile import without_volatile
from graphlab.messages import LANGUAGES, direction

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
SOURCES = NOTEBOOKS / "source"

_PART = re.compile(r"^<!-- (text|code|comments)(?:: ([a-z]+))? -->$", re.MULTILINE)
_FENCE = re.compile(r"^```python\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_LANGUAGE = re.compile(r"^%tf_lang \w+$", re.MULTILINE)


class Part(NamedTuple):
    """A cell, or the translations of comments."""

    kind: str
    id: str
    text: str


class SourceError(Exception):
    """A source that no notebook can be made of."""


def names() -> list[str]:
    """The tutorials there are."""
    return sorted(path.name.removesuffix(".en.md") for path in SOURCES.glob("*.en.md"))


def read(name: str, lang: str) -> list[Part]:
    """The parts of one source file, in order."""
    text = (SOURCES / f"{name}.{lang}.md").read_text("utf-8")
    marks = list(_PART.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    parts = []
    for mark, end in zip(marks, ends, strict=True):
        body = text[mark.end() : end].strip()
        if mark[1] == "code":
            fence = _FENCE.fullmatch(body)
            if fence is None:
                raise SourceError(f"{name}.{lang}: code {mark[2]} is not between two fences")
            body = fence[1]
        parts.append(Part(mark[1], mark[2] or "", body))
    return parts


def comments(name: str, lang: str) -> dict[str, str]:
    """The translations of the comments in the code."""
    lines = [line for part in read(name, lang) if part.kind == "comments" for line in part.text.splitlines()]
    return {english: here for line in lines for english, _, here in [line.removeprefix("- ").partition(" = ")]}


def split_comments(code: str) -> tuple[str, list[str]]:
    r"""Code without its comments, and these; lines of magics stay as they are.

    >>> split_comments("%load_ext graphlab\nx = '#'  # a sign")
    ("%load_ext graphlab\nx = '#'", ['a sign'])
    """
    lines = code.split("\n")
    python = "\n".join("" if line.startswith("%") else line for line in lines)
    found = []
    for token in tokenize.generate_tokens(io.StringIO(python).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
            found.append(token.string.removeprefix("#").strip())
    return "\n".join(lines), found


def translate_code(code: str, lang: str, known: dict[str, str]) -> str:
    """Code for a language: its comments, and the language of the panel."""
    _, found = split_comments(code)
    for comment in found:
        code = code.replace(f"# {comment}", f"# {known.get(comment, comment)}")
    return _LANGUAGE.sub(f"%tf_lang {lang}", code)


def right_to_left(text: str, lang: str) -> str:
    """Markdown for a language written from right to left; code, in lines and in blocks, goes from left to right."""
    blocks = re.split(r"(^```.*?^```$)|\n\n+", text, flags=re.MULTILINE | re.DOTALL)
    found = [_block(block.strip()) for block in blocks if block and block.strip()]
    return "\n\n".join([f'<div dir="rtl" lang="{lang}">', *found, "</div>"])


def _block(block: str) -> str:
    if block.startswith("```"):
        return f'<div dir="ltr">\n\n{block}\n\n</div>'
    is_paragraph = not re.match(r"[#<-]|\d+\. ", block)
    block = re.sub(r"`([^`]+)`", lambda found: f'<code dir="ltr">{escape(found[1])}</code>', block)
    if not is_paragraph:
        return block
    # Jupyter's style sheets put every paragraph to the left; that cannot be undone in Markdown.
    block = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", block)
    block = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", block)
    return f'<p dir="rtl" style="text-align: right">{block}</p>'


def make(name: str, lang: str) -> nbformat.NotebookNode:
    """A notebook without outputs.

    Raises:
        SourceError: The parts of the language are not those of the English source.
    """
    english = [part for part in read(name, "en") if part.kind != "comments"]
    texts = {part.id: part.text for part in read(name, lang) if part.kind == "text"}
    wanted = [part.id for part in english if part.kind == "text"]
    if list(texts) != wanted:
        raise SourceError(f"{name}.{lang}: the texts are {list(texts)}, not {wanted}")
    known = comments(name, lang)
    there = {comment for part in english if part.kind == "code" for comment in split_comments(part.text)[1]}
    if unknown := set(known) - there:
        raise SourceError(f"{name}.{lang}: no such comments in the code: {sorted(unknown)}")
    cells = []
    for part in english:
        if part.kind == "text":
            text = texts[part.id]
            source = right_to_left(text, lang) if direction(lang) == "rtl" else text
            cells.append(nbformat.v4.new_markdown_cell(source, id=f"{part.id}-text"))
        else:
            cells.append(nbformat.v4.new_code_cell(translate_code(part.text, lang, known), id=part.id))
    metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        # What JupyterLab writes when it opens a notebook with this Python: one that is only looked at is not changed.
        "language_info": {
            "codemirror_mode": {"name": "ipython", "version": 3},
            "file_extension": ".py",
            "mimetype": "text/x-python",
            "name": "python",
            "nbconvert_exporter": "python",
            "pygments_lexer": "ipython3",
            "version": platform.python_version(),
        },
    }
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def run(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """The same notebook with the outputs of its cells, as they are saved."""
    from nbclient import NotebookClient

    done = nbformat.from_dict(json.loads(json.dumps(notebook)))
    NotebookClient(
        done,
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    ).execute()
    for cell in done.cells:
        if cell.cell_type == "code":
            cell.outputs = settled(cell.outputs)
    done.metadata = notebook.metadata
    return done


def settled(outputs: list[Any]) -> list[Any]:
    """A cell's outputs without what the machine's speed decides: volatile values, the pieces printed text is cut in."""
    found: list[Any] = []
    printed = {"stdout": "", "stderr": ""}
    for output in outputs:
        if output.output_type == "stream":
            printed[output.name] += output.text
            continue
        kept = nbformat.from_dict(output)
        if "data" in kept:
            kept.data = nbformat.from_dict({mime: without_volatile(value) for mime, value in kept.data.items()})
        found.append(kept)
    streams = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in printed.items() if text]
    return [*streams, *found]


def write(notebook: nbformat.NotebookNode, path: Path) -> None:
    """Saves a notebook as Jupyter does, but a panel's data on one line: nobody reads it, and it is a third as large."""
    nbformat.validate(notebook)
    content = json.loads(nbformat.writes(notebook))
    panels = []
    for cell in content["cells"]:
        for output in cell.get("outputs", []):
            if MIME in output.get("data", {}):
                panels.append(json.dumps(output["data"][MIME], ensure_ascii=False, sort_keys=True))
                output["data"][MIME] = f"panel {len(panels) - 1}"
    text = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True)
    text = re.sub(rf'(?<="{re.escape(MIME)}": )"panel (\d+)"', lambda found: panels[int(found[1])], text)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", "utf-8")


def differences(name: str, lang: str) -> list[str]:
    """Where a saved notebook is not what its source says, outputs aside."""
    path = NOTEBOOKS / lang / f"{name}.ipynb"
    if not path.exists():
        return [f"{path.relative_to(NOTEBOOKS)}: is missing"]
    wanted, saved = make(name, lang), nbformat.read(path, 4)
    cells = {cell.id: cell for cell in saved.cells}
    found = [
        f"cell {cell.id}"
        for cell in wanted.cells
        if (cell.cell_type, cell.source)
        != ((there.cell_type, there.source) if (there := cells.get(cell.id)) else (None, None))
    ]
    if [cell.id for cell in wanted.cells] != [cell.id for cell in saved.cells]:
        found.append("its cells, or their order")
    saved.metadata.language_info.version = wanted.metadata.language_info.version  # of the Python that it was built with
    if wanted.metadata != saved.metadata:
        found.append("its metadata")
    return [f"{path.relative_to(NOTEBOOKS)}: {what} is not as in the source" for what in found]


def main(arguments: list[str]) -> int:
    """The command line."""
    check = "--check" in arguments
    languages = [argument for argument in arguments if argument != "--check"] or list(LANGUAGES)
    if unknown := set(languages) - set(LANGUAGES):
        print(f"graphlab: no language {', '.join(sorted(unknown))}; there are {', '.join(LANGUAGES)}", file=sys.stderr)
        return 2
    wrong = []
    for name in names():
        for lang in languages:
            if check:
                wrong += differences(name, lang)
                continue
            path = NOTEBOOKS / lang / f"{name}.ipynb"
            print(f"graphlab: running {path.relative_to(NOTEBOOKS.parent)} …", flush=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            write(run(make(name, lang), path.parent), path)
    for line in wrong:
        print(f"graphlab: {line}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
