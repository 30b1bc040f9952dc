# `make` or `make help` lists what can be done here.
PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000
DEMO_CLIPS ?= 36
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run test lint bench docs browser clean

help:  ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: $(VENV)/.installed  ## Build the demo study and serve it (PORT=8000 DEMO_CLIPS=36)
	@$(BIN)/roadrater demo --port $(PORT) --clips $(DEMO_CLIPS)

test: $(VENV)/.installed-dev browser  ## Install what the tests need and run all of them
	@$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(VENV)/.installed-dev  ## Style, types and import contracts
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

bench: $(VENV)/.installed-dev  ## Run every benchmark and print its table
	@for file in bench/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

docs: $(VENV)/.installed  ## Write the pages of docs/ that are made from the code
	@$(BIN)/python docs/generate.py

browser:
	@command -v chromium >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } || { \
	  echo "The browser tests need Debian's chromium: sudo apt-get install chromium" >&2; exit 1; }

clean:  ## Remove the virtual environment and caches; ./data is kept
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info

$(VENV)/bin/python:
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Roadrater needs Python 3.11 or newer; set PYTHON=" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing Roadrater and what it stands on (once, about a minute) …"
	@$(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing Roadrater and what its tests need (once, a minute or two) …"
	@$(PIP) --editable '.[dev]'
	@# irrCAC pins an old scipy that it does not need; the cross-checks show that it works without.
	@$(PIP) --no-deps irrCAC==0.4.4
	@touch $@ $(VENV)/.installed
