"""The output without script: what it says, and that nothing of the user's program can break out of it."""

import re
from html.parser import HTMLParser

import pytest

from graphlab.inspect import drawing, static_html
from graphlab.inspect.parts import Cell, Code, Delta, Details, Marked, Plain, Stack, Table, Tagged, Volatile
from graphlab.messages import LANGUAGES

# part → HTML, text
PARTS = [
    (Marked("**`f` ran** twice"), '<strong><code dir="ltr">f</code> ran</strong> twice', "f ran twice"),
    (Marked("`<b>` & **x"), '<code dir="ltr">&lt;b&gt;</code> &amp; <strong>x</strong>', "<b> & x"),
    (Plain("<a>"), "&lt;a&gt;", "<a>"),
    (Tagged("p", Plain("a")), "<p>a</p>", "a"),
    (Code("a < b"), '<code dir="ltr">a &lt; b</code>', "a < b"),
    (
        Code("x = 1", [[["", "x "], ["o", "="], ["", " "], ["n", "1"]]], block=True),
        '<pre dir="ltr"><code>x <span class="hl-o">=</span> <span class="hl-n">1</span></code></pre>', "x = 1",
    ),
    (
        Delta("x.shape", "(2,)", "(3,)"),
        '<code dir="ltr">x.shape</code>: <code dir="ltr"><del>(2,)</del></code> → <code dir="ltr"><ins>(3,)</ins></code>',
        "x.shape: (2,) → (3,)",
    ),
    (Delta("", "<", ">", right_to_left=True), '<code dir="ltr"><del>&lt;</del></code> ← <code dir="ltr"><ins>&gt;</ins></code>', "< ← >"),
    (Volatile("1.9 ms"), '<small data-volatile dir="ltr">1.9 ms</small>', ""),
    (Stack([Plain("a"), Plain("b")], gap="<br>"), "a<br>b", "a\nb"),
    (
        Table(["a", "bb"], [[Cell(Plain("1"), head=True), Cell(Plain("2"))], [Cell(Plain("333")), Cell(Plain(""))]]),
        (
            '<table><thead><tr><th scope="col">a</th><th scope="col">bb</th></tr></thead><tbody><tr><th scope="row">1</th>'
            "<td>2</td></tr><tr><td>333</td><td></td></tr></tbody></table>"
        ),
        "a    bb\n1    2\n333",
    ),
    (Details("More", Plain("inside"), open=True), "<details open><summary>More</summary>inside</details>", "More\n  inside"),
]  # fmt: skip


@pytest.mark.parametrize(("part", "html", "text"), PARTS)
def test_a_part_as_html_and_as_text(part, html, text):
    assert (part.html(), part.text()) == (html, text)


class Tags(HTMLParser):
    """Checks that tags nest, and collects them."""

    VOID = frozenset(("br", "path", "ellipse", "polygon"))

    def __init__(self, html):
        super().__init__()
        self.open, self.seen, self.words, self.attributes = [], set(), [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)


ALLOWED = frozenset(
    [
        "style",
        "div",
        "p",
        "strong",
        "code",
        "b",
        "span",
        "small",
        "details",
        "summary",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ins",
        "del",
        "pre",
        "br",
        "svg",
        "g",
        "path",
        "ellipse",
        "polygon",
        "text",
    ]
)


def walk(run):
    return run(
        "wall = 1.5\n@tf.function\ndef walk(x, steps):\n    for i in tf.range(steps):\n"
        "        if tf.reduce_any(x > wall):\n            x = x * 0.5\n        else:\n            x = x + 1.0\n    return x\n"
        "walk(tf.zeros(2), 3)\nwalk(tf.zeros(2), 4)\nwalk(tf.zeros(3), tf.constant(4))\nwalk(tf.zeros(3), tf.constant(5))\n"
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_html_is_well_formed_without_script_and_in_the_languages_direction(run, lang):
    html = static_html.html(walk(run).panel(lang))
    tags = Tags(html)
    assert tags.seen <= ALLOWED
    assert not any(name.startswith("on") or name == "style" for _, name, _ in tags.attributes)
    assert ("div", "dir", "rtl" if lang == "fa" else "ltr") in tags.attributes
    assert len(re.findall("<style>", html)) == 1


def test_without_styles_classes_and_drawing_it_still_says_everything(run):
    html = static_html.html(walk(run).panel())
    stripped = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", html, flags=re.DOTALL)
    stripped = re.sub(r' (class|style|title)="[^"]*"', "", stripped)
    words = "".join(Tags(stripped).words)
    for sentence in (
        "walk was traced 3 times for 4 calls.",
        "steps is a Python number, and every new number makes a new trace.",
        "walk(tf.zeros(2), tf.constant(4))",
        "Call 4 made no trace: it reused T3.",
        "for i in tf.range(steps)",
        "├─ true:  Mul(x, 0.5)",
        "◆",
        "×",
    ):
        assert sentence in words
    assert "<del>int 3</del>" in stripped
    assert "<ins>int 4</ins>" in stripped


def test_times_are_marked_as_volatile_and_nowhere_else(run):
    ran = walk(run)
    first, second = (static_html.html(ran.panel()) for _ in range(2))
    hidden = re.sub(r"<small data-volatile[^>]*>[^<]*</small>", "", first)
    assert hidden != first
    assert " ms<" not in hidden
    assert first == second
    assert " ms" not in static_html.text(ran.panel())


HOSTILE = "</pre></code><script>alert(1)</script><img src=x onerror=alert(1)>`**\\"


def test_nothing_of_the_users_program_becomes_markup(run):
    program = (
        "@tf.function\ndef f(x, mode):\n    # " + HOSTILE + "\n    return x\n"
        f"f(tf.zeros(2), {HOSTILE!r})\nf(tf.zeros(2), {HOSTILE[::-1]!r})\nf(tf.zeros(2), {{{HOSTILE!r}: 1}})\n"
    )  # fmt: skip
    for lang in ("en", "fa"):
        html = static_html.html(run(program).panel(lang))
        tags = Tags(html)
        assert tags.seen <= ALLOWED
        assert "script" not in tags.seen
        assert "img" not in tags.seen
        assert any(HOSTILE in words for words in ["".join(tags.words)])


def test_hostile_names_do_not_break_a_drawing():
    node = {
        "id": "n1", "cluster": "c1", "title": '"<b>&\\', "label": None, "kind": "op", "line": 1, "change": "removed",
    }  # fmt: skip
    cluster = {"id": "c1", "parent": None, "kind": "loop", "label": '"<x>&', "line": 1, "open": True}
    graph = {"nodes": [node], "clusters": [cluster], "edges": [], "aria": '"><script>', "part": "traced"}
    svg = drawing.svg(graph)
    if svg is None:
        pytest.skip("no program draws graphs here")
    assert Tags(svg).seen <= ALLOWED
    assert "&lt;x&gt;&amp;" in svg
    assert "&lt;b&gt;&amp;" in svg


def test_a_drawing_has_labels_last_no_ids_and_the_way_back_in_a_gutter(run):
    (function,) = walk(run).panel()["functions"]
    svg = drawing.svg(function["graph"])
    if svg is None:
        pytest.skip("no program draws graphs here")
    assert " id=" not in svg
    assert svg.count('class="edge back"') == 1
    assert svg.rindex("for i in tf.range(steps)") > svg.rindex('class="node')
    assert 'role="img"' in svg


def test_without_a_program_that_draws_the_text_of_the_graph_is_open(run, monkeypatch):
    monkeypatch.setattr(drawing, "program", lambda: None)
    drawing._layout.cache_clear()
    try:
        html = static_html.html(walk(run).panel())
    finally:
        drawing._layout.cache_clear()
    assert "<svg" not in html
    assert "<details open><summary>The graph as text</summary>" in html


def test_the_style_names_nothing_outside_its_own_element():
    sheet = static_html.style()
    selectors = re.findall(r"([^{}]+)\{", re.sub(r"@media[^{]*\{", "", sheet))
    assert len(selectors) > 30
    assert all(".gl-static" in selector for selector in selectors)


def test_several_functions_are_told_apart(run):
    ran = run(
        "@tf.function\ndef f(x):\n    return x\n@tf.function\ndef g(x):\n    return x\nf(tf.zeros(1))\ng(tf.zeros(1))\ng(tf.zeros(2))"
    )
    html = static_html.html(ran.panel())
    assert "<strong>2 functions, 3 traces.</strong>" in html
    assert "<summary>f: 1 trace</summary>" in html
    assert "<summary>g: 2 traces</summary>" in html
    assert static_html.text(ran.panel()).startswith("2 functions, 3 traces. f traced once and g traced 2 times.")
