# Kalends: every verb of the workflow. `make help` lists them.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
DEMO := .kalends/demo

.DEFAULT_GOAL := help
.PHONY: help install demo test lint types contracts unit soak shots golden clean

help: ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  \1	\2/' | expand -t 14

install: $(VENV)/.installed ## Make .venv and install Kalends in it

# torch first, and alone: asked for through another package, an index may answer with a build of several gigabytes.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25"
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: install ## Ingest samples/, show what was made, answer a question with citations
	$(BIN)/kalends ingest samples --warehouse $(DEMO)
	$(BIN)/kalends status --warehouse $(DEMO)
	$(BIN)/kalends ask "What was the revenue in the quarter ended June 30, 2025?" --warehouse $(DEMO)
	@echo
	@echo "Open the dashboard:   $(BIN)/kalends dashboard --warehouse $(DEMO)"
	@echo "Search:               $(BIN)/kalends search 'gross margin' --warehouse $(DEMO)"
	@echo "Stop the server:      $(BIN)/kalends down --warehouse $(DEMO)"

test: install lint types contracts unit ## Lint, types, import contracts and all fast tests

lint: install ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install ## mypy, strict
	$(BIN)/mypy

contracts: install ## imports point one way
	$(BIN)/lint-imports

unit: install ## pytest
	$(BIN)/python -m pytest -m "not slow" -n 2 --dist loadfile --no-loadscope-reorder

soak: install ## The slow tests
	$(BIN)/python -m pytest -m slow

shots: demo ## Pictures of every page of the dashboard in .screenshots (needs chromium and chromium-driver)
	$(BIN)/python -m tests.dashboard.browser.shots $(DEMO)

golden: install ## Rewrite golden files and generated docs from what the code does now
	KALENDS_REWRITE_GOLDEN=1 $(BIN)/python -m pytest -m "not slow" -k "golden or docs"

clean: ## Remove what was built
	rm -rf $(VENV) build *.egg-info
