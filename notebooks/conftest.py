"""How nbval runs the notebooks: one after another inside, side by side as wholes; every output is compared, whole.

What differs from run to run is emptied on both sides by one rule, the same for all mime types.
"""

from typing import Any

import pytest
from nbval.kernel import RunningKernel
from nbval.plugin import IPyNbCell

from graphlab.inspect.volatile import without_volatile


def execute_as_a_reader_does(self: RunningKernel, cell_input: str, allow_stdin: bool | None = None) -> Any:
    """nbval's own does not count the cells: all of them would be In[1]."""
    return self.kc.execute(cell_input, allow_stdin=allow_stdin, stop_on_error=False)


RunningKernel.execute_cell_input = execute_as_a_reader_does


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, IPyNbCell):
            item.sanitize = without_volatile  # nbval's own is for text only
            item.parent.skip_compare = ()  # by itself nbval leaves out errors, metadata, pictures, the cells' numbers
            item.add_marker(pytest.mark.xdist_group(str(item.path)))
