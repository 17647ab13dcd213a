"""The language that JupyterLab names with each cell it sends."""

import pytest

from graphlab import messages
from graphlab.jupyter.extension import load, unload

CELL = "%%tf_function\ndef f(x):\n    return x + 1\n\nf(tf.zeros(2))"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield
    messages.set_frontend_language(None)


def request(**metadata):
    return {"header": {"msg_type": "execute_request"}, "metadata": metadata, "content": {}}


def test_the_cell_that_loads_graphlab_says_it_first(shell):
    unload(shell.shell)
    shell.shell.parent_header = request(cellId="1", graphlab={"language": "fa_IR"})
    load(shell.shell)
    shell.shell.parent_header = request(cellId="2")  # another front end, which says nothing
    shell.run(CELL)
    assert (shell.panel["lang"], shell.panel["dir"]) == ("fa", "rtl")


def test_each_cell_speaks_the_language_it_was_sent_with(shell):
    seen = []
    for language in ("ru", "zh-CN", "ru", None, "de", "it_IT", 7):
        shell.shell.parent_header = request(graphlab={"language": language})
        shell.run(CELL)
        seen.append(shell.panel["lang"])
    assert seen == ["ru", "zh", "ru", "en", "en", "it", "en"]


def test_what_the_user_chose_wins(shell):
    shell.shell.parent_header = request(graphlab={"language": "ru"})
    shell.run("%tf_lang es")
    shell.run(CELL)
    assert shell.panel["lang"] == "es"


@pytest.mark.parametrize(
    "parent", [None, {}, {"metadata": None}, request(graphlab=None), request(graphlab=["language"]), request()]
)
def test_requests_that_name_none_change_nothing(shell, parent):
    messages.set_frontend_language("it")
    shell.shell.parent_header = parent
    shell.run(CELL)
    assert shell.panel["lang"] == "it"
