"""A shell of IPython's in this process, with graphlab loaded and everything it displays kept."""

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from graphlab import messages
from graphlab.inspect.panel import MIME
from graphlab.jupyter.extension import load, unload
from graphlab.tracing import function as tf_function


class Shell:
    """Runs cells and says what each showed."""

    def __init__(self):
        self.shell = InteractiveShell(cache_size=0)
        self.shell.display_pub = CapturingDisplayPublisher()
        load(self.shell)
        assert self.run("import graphlab as tf").success

    def run(self, source):
        self.shell.display_pub.outputs.clear()
        with capture_output(display=False) as captured:
            result = self.shell.run_cell(source, store_history=True)
        self.out, self.err = captured.stdout, captured.stderr
        self.bundles = [output["data"] for output in self.shell.display_pub.outputs]
        return result

    @property
    def panel(self):
        (bundle,) = [bundle for bundle in self.bundles if MIME in bundle]
        return bundle[MIME]

    @property
    def panels(self):
        return [bundle[MIME] for bundle in self.bundles if MIME in bundle]

    def __getitem__(self, name):
        return self.shell.user_ns[name]


@pytest.fixture
def shell():
    shell = Shell()
    yield shell
    unload(shell.shell)
    shell.shell.atexit_operations = lambda: None
    shell.shell.history_manager.end_session()
    tf_function.run_functions_eagerly(False)
    messages.set_language(None)
