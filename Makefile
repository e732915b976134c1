# All targets work in a fresh clone and need only Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
# Windows keeps the programs of a virtual environment elsewhere.
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
PROGRAM := $(BIN)/python.exe
else
BIN := $(VENV)/bin
PROGRAM := $(BIN)/python
endif

INSTALL := $(BIN)/python -m pip install --disable-pip-version-check $(PIP_OPTIONS)

.DEFAULT_GOAL := help
.PHONY: help demo demo4 test test-slow oldest fuzz lint types types-here types-darwin types-win32 js chromium gallery docs \
	pages bench mutants dist lock locked format clean

help:  ## list these targets
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(PROGRAM):
	@$(PYTHON) -c 'import sys; sys.exit("quoridor-net needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)

# The stamps depend only on the files that pip reads, because the project is installed as editable.
$(VENV)/.run-stamp: pyproject.toml setup.py | $(PROGRAM)
	$(INSTALL) -e .
	@touch $@

$(VENV)/.dev-stamp: pyproject.toml setup.py | $(PROGRAM)
	$(INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/.run-stamp $(VENV)/.docs-stamp

$(VENV)/.docs-stamp: pyproject.toml setup.py | $(PROGRAM)
	$(INSTALL) -e '.[docs]'
	@touch $@ $(VENV)/.run-stamp

$(VENV)/.release-stamp: pyproject.toml setup.py | $(PROGRAM)
	$(INSTALL) -e '.[release]'
	@touch $@

demo: $(VENV)/.run-stamp  ## watch two move servers play a complete game
	$(BIN)/quoridor demo

demo4: $(VENV)/.run-stamp  ## watch four move servers play
	$(BIN)/quoridor demo --players 4

test: $(VENV)/.dev-stamp  ## run the tests
	$(BIN)/python -m tests.support.kernels
	$(BIN)/python -m pytest -n auto --dist worksteal

test-slow: $(VENV)/.dev-stamp  ## run only the deep and long tests
	$(BIN)/python -m pytest -n auto --timeout 0 -m 'slow and not hours'

# An environment of its own, with the oldest supported Python, because newer ones lack the oldest versions.
OLDEST := $(VENV)-oldest
oldest: $(VENV)/.release-stamp  ## run the tests with the oldest allowed versions of all dependencies
	$(BIN)/uv venv --quiet --clear --python "$$(.ci/oldest-python)" $(OLDEST)
	$(BIN)/uv pip install --quiet --python $(OLDEST) --resolution lowest-direct -e '.[distributed,docs,test]'
	$(OLDEST)/bin/python -m tests.support.kernels
	$(OLDEST)/bin/python -m pytest -n auto --dist worksteal

fuzz: $(VENV)/.dev-stamp  ## fuzz all parsers of external text for ten minutes
	$(BIN)/python -m benchmarks.fuzz --seconds 600

# Only the checks of the web pages and one example need node. Without it, everything else still works.
JS_TOOLS := node_modules/.package-lock.json
$(JS_TOOLS): package.json package-lock.json
	@if ! command -v npm > /dev/null; then echo "Skipping the checks of the JavaScript: node is not installed."; \
	elif npm ci --no-audit --no-fund --loglevel error; then touch $@; \
	else echo "Skipping the checks of the JavaScript: npm could not install its tools."; fi

# `make test` runs the tests of the JavaScript.
js: $(JS_TOOLS)  ## check the JavaScript of the web pages, and the TypeScript of the examples
	@if [ -e $(JS_TOOLS) ]; then npm run --silent lint && npm run --silent types \
	&& echo "The JavaScript passed all checks."; fi

# The shell has no windows to show, so it takes less processor time. Not every release has it.
chromium:  ## install Debian's Chromium for the tests of the web pages (as root)
	@if command -v chromium-headless-shell > /dev/null || command -v chromium > /dev/null; then echo "Chromium is installed."; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	apt-get update -q && { apt-get install -q -y --no-install-recommends chromium-headless-shell \
	|| apt-get install -q -y --no-install-recommends chromium; } \
	|| echo "Chromium could not be installed, so the web pages are not tested."; \
	else echo "Chromium is missing, so the web pages are not tested. On Debian: sudo make chromium"; fi

lint: $(VENV)/.dev-stamp  ## check the code with ruff, the wording of texts, and the files of the forge
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python .ci/check-prose
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows $(wildcard .github/workflows/*.yml)
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff

format: $(VENV)/.dev-stamp  ## rewrite the sources in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The installed packages are also checked for other systems. Each system needs its own cache, because a shared
# one would be discarded each time.
OTHER_SYSTEMS := types-darwin types-win32
types: types-here $(OTHER_SYSTEMS)  ## check types with mypy --strict

types-here: $(VENV)/.dev-stamp
	$(BIN)/mypy

$(OTHER_SYSTEMS): types-%: $(VENV)/.dev-stamp
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* -p quoridor_net -p server -p client

docs: $(VENV)/.docs-stamp  ## build the documentation into docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b man -d docs/_build/html/.doctrees docs docs/_build/man
	@echo "The documentation is in docs/_build/html/index.html, the manual page in docs/_build/man/quoridor.1."

pages: $(VENV)/.run-stamp  ## rewrite the pictures and the generated parts of the documentation
	$(BIN)/python -m docs.generate

gallery: $(VENV)/.dev-stamp  ## save pictures of all web pages in docs/_build/gallery
	$(BIN)/python -m docs.diagrams.gallery

dist: $(VENV)/.release-stamp  ## build the sdist and the wheel of the last commit, and try the wheel
	$(BIN)/python .ci/build-dist
	$(BIN)/twine check --strict dist/*
	.ci/try-dist $(BIN)/python

lock: $(VENV)/.release-stamp  ## pin the newest allowed versions of all development tools, with hashes
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	--extra dev --extra release --custom-compile-command "make lock" --output-file requirements-dev.txt pyproject.toml

locked: requirements-dev.txt | $(PROGRAM)  ## install exactly the versions that requirements-dev.txt pins
	$(INSTALL) --require-hashes -r requirements-dev.txt
	$(INSTALL) --no-deps -e .
	@touch $(foreach stamp,run dev docs release,$(VENV)/.$(stamp)-stamp)

bench: $(VENV)/.dev-stamp  ## run the benchmarks and print their tables
	$(BIN)/python -m benchmarks

# ROOM is a folder of quoridor_net, or server or client; TESTS replaces the tests of the same name.
N ?= 60
SEED ?= 1
mutants: $(VENV)/.dev-stamp  ## list changes of a package that its tests do not notice: ROOM=rules N=60 SEED=1
	$(BIN)/python -m benchmarks.mutants $(ROOM) --number $(N) --seed $(SEED) $(TESTS:%=--tests %)

clean:  ## remove everything installed or built
	rm -rf $(VENV) $(OLDEST) dist docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
