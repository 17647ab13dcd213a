# Each target does the set-up it needs, in .venv, and says what it is waiting for. Nothing is done twice: a set of
# packages is installed again when pyproject.toml has changed, the extension is built again when its sources have.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
NOTEBOOK := notebooks/en/01_graphs_and_functions.ipynb
TUTORIALS := $(foreach source,$(basename $(notdir $(wildcard notebooks/source/*.md))),\
    notebooks/$(subst .,,$(suffix $(source)))/$(basename $(source)).ipynb)

# Options: make lab LAB_ARGS=--no-browser, make test TESTS=tests/core PYTEST_ARGS="-k shape", make bench BENCH_ARGS=eager
LAB_ARGS ?=
TESTS ?= tests graphlab notebooks
PYTEST_ARGS ?=
BENCH_ARGS ?=

# Two threads of a BLAS on a busy machine are slower than one.
export OPENBLAS_NUM_THREADS ?= 1
export PATH := $(CURDIR)/$(BIN):$(PATH)

IS_ROOT := $(filter 0,$(shell id -u))

.DELETE_ON_ERROR:
.PHONY: help lab demo test soak check check-extension check-index check-format check-style check-types check-imports format bench docs notebooks wheel setup extension catalogues browser clean

help:
	@echo "make lab      open the first tutorial in JupyterLab"
	@echo "make demo     run it without a browser and write build/demo.html"
	@echo "make test     run all tests; TESTS=… names some, PYTEST_ARGS=… adds options of pytest"
	@echo "make soak     eight threads and Ctrl-C at random, for a minute; GRAPHLAB_SOAK_SECONDS=… says for how long"
	@echo "make check    check format, style, types and the imports between packages"
	@echo "make format   put the format right, and the style where a tool can"
	@echo "make bench    measure speed against NumPy"
	@echo "make docs     build the documentation into build/docs"
	@echo "make notebooks run the tutorials, written in notebooks/source, and save them"
	@echo "make wheel    build a wheel into dist"
	@echo "make setup    everything above needs, installed in .venv"
	@echo "make clean    remove what was built; .venv stays"

# Nothing stands before the first panel: no question about news (a default in tools/lab, which the user's own settings
# override), and no doubt whether the tutorials are to be trusted.
lab: $(VENV)/.lab $(VENV)/.trusted extension
	@echo "graphlab: opening JupyterLab; Ctrl-C ends it …"
	@JUPYTER_CONFIG_PATH="$(CURDIR)/tools/lab$${JUPYTER_CONFIG_PATH:+:$$JUPYTER_CONFIG_PATH}" $(BIN)/jupyter lab $(if $(IS_ROOT),--allow-root) --ServerApp.root_dir=notebooks \
	    --LabApp.default_url=/lab/tree/$(NOTEBOOK:notebooks/%=%) $(LAB_ARGS)

demo: $(VENV)/.lab catalogues
	@echo "graphlab: running the tutorial's cells …"
	@mkdir -p build
	@$(BIN)/jupyter nbconvert --log-level=ERROR --to html --output-dir build --output demo \
	    --execute --ExecutePreprocessor.extra_arguments=--IPKernelApp.log_level=ERROR $(NOTEBOOK)
	@echo "graphlab: wrote build/demo.html"

# After a change of their texts, or of what a panel shows; the tests compare what is saved with a new run.
notebooks: $(VENV)/.test catalogues
	@$(BIN)/python tools/build_notebooks.py

test: $(VENV)/.test extension browser
	@$(BIN)/python tools/extension.py test
	@echo "graphlab: running the tests …"
	@$(BIN)/python -m pytest --numprocesses=2 --dist=loadgroup --doctest-modules --nbval \
	    $(TESTS) $(PYTEST_ARGS)

soak: export GRAPHLAB_SOAK_SECONDS ?= 60
soak: $(VENV)/.test
	@echo "graphlab: working in eight threads, failing and being interrupted at random …"
	@$(BIN)/python -m pytest -q -s tests/soak $(PYTEST_ARGS)

# Parts of their own, so that `make --keep-going check` says all that is wrong.
check: check-extension check-index check-format check-style check-types check-imports

check-extension: $(VENV)/.build
	@$(BIN)/python tools/extension.py check

check-index: $(VENV)/.dev
	@echo "graphlab: checking the index of names …"
	@$(BIN)/python tools/generate_index.py --check

check-format: $(VENV)/.dev
	@echo "graphlab: checking the format …"
	@$(BIN)/ruff format --check --output-format=concise .

check-style: $(VENV)/.dev
	@echo "graphlab: checking the style …"
	@$(BIN)/ruff check --output-format=concise .

check-types: $(VENV)/.dev
	@echo "graphlab: checking the types …"
	@$(BIN)/mypy

check-imports: $(VENV)/.dev
	@echo "graphlab: checking who imports whom …"
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/.bench
	@$(BIN)/python -m tests.bench $(BENCH_ARGS)

docs: $(VENV)/.docs
	@echo "graphlab: building the documentation …"
	@$(BIN)/sphinx-build -q -W --keep-going docs build/docs
	@echo "graphlab: wrote build/docs/index.html"

wheel: $(VENV)/.build
	@echo "graphlab: building the wheel …"
	@$(PIP) wheel -qq --no-build-isolation --no-deps --wheel-dir dist .

setup: $(VENV)/.lab $(VENV)/.test $(VENV)/.docs $(VENV)/.dev extension

# ------------------------------------------------------------------------------------------------------------- set-up

extension: $(VENV)/.build catalogues
	@$(BIN)/python tools/extension.py link

catalogues: $(VENV)/.build
	@$(BIN)/python tools/catalogues.py

browser:
	@sh tools/install_browser.sh

$(VENV)/.python:
	@echo "graphlab: making a Python environment in $(VENV) …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "graphlab needs Python 3.11 or later; name one with make PYTHON=…")'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# What the build needs stays in the environment, so that an editable install takes two seconds and not twenty.
$(VENV)/.build: pyproject.toml | $(VENV)/.python
	@echo "graphlab: installing what the build needs …"
	@$(PIP) install -qq $$($(BIN)/python tools/build_requirements.py)
	@touch $@

$(VENV)/.bench: pyproject.toml $(VENV)/.build
	@echo "graphlab: installing graphlab …"
	@$(PIP) install -qq --no-build-isolation --editable .
	@touch $@

$(VENV)/.lab: pyproject.toml $(VENV)/.build
	@echo "graphlab: installing graphlab and JupyterLab (a minute) …"
	@$(PIP) install -qq --no-build-isolation --editable ".[lab]"
	@touch $@

$(VENV)/.trusted: $(TUTORIALS) | $(VENV)/.lab
	@$(BIN)/jupyter trust $(TUTORIALS) >/dev/null
	@touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.build
	@echo "graphlab: installing graphlab, JupyterLab and what the tests need (a minute) …"
	@$(PIP) install -qq --no-build-isolation --editable ".[test]"
	@touch $@

$(VENV)/.docs: pyproject.toml $(VENV)/.build
	@echo "graphlab: installing Sphinx …"
	@$(PIP) install -qq --no-build-isolation --editable ".[docs]"
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.build
	@echo "graphlab: installing graphlab, JupyterLab and the checkers (a minute) …"
	@$(PIP) install -qq --no-build-isolation --editable ".[dev]"
	@touch $@

clean:
	rm -rf build dist extension/labextension extension/lib
	find graphlab -name '*.mo' -delete
