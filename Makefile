# Every target works on a fresh machine with Python 3.11 or later and a package index.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: try test check bench format lock clean

try: $(STAMP)
	@$(BIN)/python -W error examples/try.py

test: $(STAMP)
	@$(BIN)/python -m pytest -n 2

check: $(STAMP)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: $(STAMP)
	@$(BIN)/vade-bench smoke
	@if [ -n "$(DATA)" ]; then \
	    $(BIN)/vade-bench run locomo-turn --data "$(DATA)" --recipe lexical; \
	    $(BIN)/vade-bench run locomo-turn --data "$(DATA)" --recipe fts5; \
	    $(BIN)/vade-bench speed --data "$(DATA)" --passages 10000; \
	else echo "Give DATA=folder with locomo/ and longmemeval/ for the real data sets."; fi

format: $(STAMP)
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

# Written by uv; installed by pip with the hashes checked.
lock: $(STAMP)
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
	    --no-header --no-emit-package vademecum --group dev pyproject.toml bench/pyproject.toml --output-file requirements.lock

$(STAMP): requirements.lock pyproject.toml bench/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed, this is " + sys.version)'
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . -e bench
	@touch $(STAMP)

clean:
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
