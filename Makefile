# Kalends: every verb of the workflow. `make help` lists them.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
DEMO := .kalends/demo
LOCK := .lock/requirements.txt
FUZZED := parser-asciidoc parser-clippings parser-course parser-delimited parser-doc parser-docx parser-edgar \
          parser-eml parser-epub parser-gedcom parser-html parser-ics parser-jats parser-json_data parser-latex parser-markdown parser-mbox parser-mediawiki parser-msg \
          parser-notebook parser-odp parser-odt parser-ofx parser-org parser-pdf parser-ppt parser-pptx parser-qif parser-references \
          parser-rst parser-rtf parser-subtitles parser-text parser-vcard parser-workbooks parser-xlsx parser-xml_data choose temporal \
          temporal-compositions sql
SECONDS ?= 60

# Processes of tests load the product hundreds of times: without compiled modules each would compile it anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install demo test lint types contracts interfaces stages beside flows soak fuzz shots golden lock audit editor explorer clean

help: ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  \1	\2/' | expand -t 14

install: $(VENV)/.installed ## Make .venv and install Kalends in it (LOCKED=1: the tested set, by its hashes)

# torch first, and alone: asked for through another package, an index may answer with a build of several gigabytes.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25"
	$(BIN)/python -m pip install --quiet torch==2.13.0
ifdef LOCKED
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement $(LOCK)
	$(BIN)/python -m pip install --quiet --no-deps --editable .
else
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
endif
	touch $@

demo: install ## Ingest samples/, show what was made, answer a question with citations
	$(BIN)/kalends ingest samples --warehouse $(DEMO) || test $$? -eq 1 # two files are broken on purpose
	$(BIN)/kalends status --warehouse $(DEMO)
	$(BIN)/kalends ask "What was the revenue in the quarter ended June 30, 2025?" --warehouse $(DEMO)
	@echo
	@echo "Open the dashboard:   $(BIN)/kalends dashboard --warehouse $(DEMO)"
	@echo "Search:               $(BIN)/kalends search 'gross margin' --warehouse $(DEMO)"
	@echo "Stop the server:      $(BIN)/kalends down --warehouse $(DEMO)"

# Each process has the tests of one part of the tree: none collects, or loads the models for, those of another. Flows wait
# for Prefect half of their time. The three beside the first print what they have to say when they end.
test: install lint contracts ## Lint, types, import contracts and all fast tests
	@$(MAKE) --no-print-directory -j4 interfaces beside

beside: install
	@$(MAKE) --no-print-directory --output-sync stages flows types

lint: install ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install ## mypy, strict
	$(BIN)/mypy

contracts: install ## imports point one way
	$(BIN)/lint-imports

interfaces: install ## pytest, the tests of the dashboards and whatever the other two leave out
	$(BIN)/python -m pytest -m "not slow" --ignore tests/flows --ignore tests/tasks --ignore tests/warehouse --ignore-glob "tests/test_*.py"

stages: install ## pytest, the tests of the stages, of search and of the tree as a whole
	$(BIN)/python -m pytest -m "not slow" tests/tasks tests/warehouse/search tests/test_*.py

flows: install ## pytest, the tests of flows and of the rest of the warehouse
	$(BIN)/python -m pytest -m "not slow" tests/flows tests/warehouse --ignore tests/warehouse/search

soak: install ## The slow tests, and 25 times as many examples of each property
	$(BIN)/python -m pytest -m slow
	$(BIN)/python -m pytest -m "hypothesis and not slow" --hypothesis-profile soak -n 2 --dist loadfile

fuzz: install ## Fuzzing led by coverage, SECONDS=60 for each target
	for target in $(FUZZED); do $(BIN)/python -m tests.fuzz.guided $$target --seconds $(SECONDS) || exit 1; done

shots: demo ## Pictures of every page of the dashboard in .screenshots (needs chromium and chromium-driver)
	$(BIN)/python -m tests.dashboards.browser.shots $(DEMO)

golden: install ## Rewrite golden files and generated docs from what the code does now
	KALENDS_REWRITE_GOLDEN=1 $(BIN)/python -m pytest -m "not slow" -k "golden or docs"

# The versions are those that are installed and tested; torch has a build of its own for processors.
lock: install ## Write the lock file of the tested set
	$(BIN)/python -m pip freeze --exclude-editable | grep == | sed 's/+cpu//' > $(VENV)/tested.txt
	$(BIN)/uv pip compile pyproject.toml --extra dev --extra dask --extra s3 --extra login --quiet --upgrade \
	  --python-version 3.11 --python-platform x86_64-unknown-linux-gnu --constraint $(VENV)/tested.txt \
	  --generate-hashes --no-emit-package torch --no-annotate --custom-compile-command "make lock" --output-file $(LOCK)

audit: install ## What is known against the locked packages (asks the advisory service of PyPI)
	@$(BIN)/pip-audit --disable-pip --require-hashes --requirement $(LOCK) --progress-spinner off --timeout 20 \
	  > $(VENV)/audit.txt 2>&1; ended=$$?; if grep -qE "could not be audited|ConnectionError|ServiceError|Max retries|timed out" \
	  $(VENV)/audit.txt; then grep -v "could not be audited" $(VENV)/audit.txt; echo "The advisory service does not answer from here for all packages: this was no whole audit ($(VENV)/audit.txt)."; \
	  else cat $(VENV)/audit.txt; exit $$ended; fi

editor: ## Build the SQL editor of the dashboard anew (needs npm); the built file is kept in the tree
	npm --prefix dashboards/editor ci --ignore-scripts --no-audit --no-fund
	npm --prefix dashboards/editor run build

explorer: ## Copy the page of the HTTP API that tries requests anew (needs npm); the files are kept in the tree
	npm --prefix dashboards/explorer ci --ignore-scripts --no-audit --no-fund
	npm --prefix dashboards/explorer run build

clean: ## Remove what was built
	rm -rf $(VENV) build *.egg-info
