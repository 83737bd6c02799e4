# lcsim: `make` alone explains itself.
PYTHON ?= python3
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help run reference test test-slow lint format types golden bench constraints clean

help:  ## Show this list.
	@echo "usage: make TARGET [JOBS=2] [PYTHON=python3]"
	@echo
	@awk -F ':.*##' '/^[a-z-]+:.*##/ {printf "  %-12s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(READY)  ## Play both quickstarts; write reports/quickstart and reports/board-quickstart.
	$(BIN)/lcsim run experiments/quickstart.toml --out reports/quickstart --jobs $(JOBS)
	$(BIN)/lcsim run experiments/board-quickstart.toml --out reports/board-quickstart --jobs $(JOBS)

reference: $(READY)  ## Play every experiment anew and renew reports/reference (ten minutes or so).
	rm -rf reports/reference/sources && mkdir -p reports/reference/sources
	for file in experiments/*.toml; do \
	  folder=reports/reference/$$(basename $$file .toml); \
	  rm -rf $$folder && \
	  $(BIN)/lcsim run $$file --out $$folder --jobs $(JOBS) || exit 1; \
	  rm -rf $$folder/parts $$folder/forks $$folder/run.json $$folder/report.html \
	    $$folder/report.json $$folder/figures/*.png && \
	  mv -f $$folder/sources/*.py reports/reference/sources/ && rmdir $$folder/sources && \
	  sed -i 's#\bsources/\([a-z0-9-]*\.py\)#../sources/\1#g' $$folder/report.md || exit 1; \
	done

test: $(READY)  ## Run the fast tests (some five minutes on two cores).
	$(BIN)/python -m pytest -n $(JOBS)

test-slow: $(READY)  ## Run the tests that take minutes.
	$(BIN)/python -m pytest -n $(JOBS) -m slow

lint: $(READY)  ## Check style, format and the direction of imports; change nothing.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

format: $(READY)  ## Bring the code into form.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(READY)  ## Check the types of lcsim/.
	$(BIN)/mypy

golden: $(READY)  ## Renew the golden playthroughs and the texts of the commands; read the diff.
	LCSIM_GOLDEN=1 $(BIN)/python -m pytest -n $(JOBS) tests/test_golden.py tests/cli

bench: $(READY)  ## Measure, and renew the table in README.md (minutes; needs gcc and a quiet machine).
	$(BIN)/python tests/bench/measure.py

constraints: $(READY)  ## Pin the versions that are installed now, in constraints.txt.
	$(BIN)/python -m pip freeze --exclude lcsim --exclude-editable > constraints.txt

clean:  ## Remove the environment and what tools left behind; reports stay.
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "lcsim needs Python 3.11 or later; name one with: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt --editable '.[dev]'
	@touch $@
