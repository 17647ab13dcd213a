# Each target does the set-up it needs in .venv and says what it waits for.

VENV := .venv
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check

.PHONY: check test

check: $(VENV)/.all
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

test: $(VENV)/.all
	$(VENV)/bin/pytest

$(VENV)/.all: pyproject.toml
	python3 -m venv $(VENV)
	$(PIP) install -qq -e ".[all,test,docs,dev]"
	touch $@
