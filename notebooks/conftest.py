"""How nbval runs the notebooks: one after another inside, side by side as wholes."""

import pytest
from nbval.plugin import IPyNbCell


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, IPyNbCell):
            item.add_marker(pytest.mark.xdist_group(str(item.path)))
