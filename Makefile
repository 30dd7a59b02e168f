# Every target sets up .venv by itself: all it needs is make, git, gcc and a Python with venv.
PYTHON ?= python3
PORT ?= 8000
UV := 0.13.9
LOCKED_PYTHONS := 3.11 3.12 3.13

TAG := $(shell $(PYTHON) -c 'import sys; print("py%d%d" % sys.version_info[:2])' 2>/dev/null || echo none)
RUN := .venv/bin/python -m
PIP := $(RUN) pip --quiet --disable-pip-version-check --no-input

.PHONY: help setup html test browser-tools shots check bench labs measure mark audit live wheel lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

setup: .venv/ready ## only create or refresh .venv (PYTHON=python3.12 for another Python)

html: .venv/ready ## build the site (SPHINXOPTS="-j 2" adds options)
	@$(RUN) sphinx -nW --keep-going -b html -d docs/_build/doctrees $(SPHINXOPTS) docs docs/_build/html
	@echo "The site: $$PWD/docs/_build/html/index.html"

test: .venv/ready ## run the tests (TESTOPTS="-k series" adds options)
	@$(RUN) pytest --numprocesses auto --dist loadgroup $(TESTOPTS)

browser-tools: .venv/ready ## fetch the HTML checker, 30 MB; Chromium and Java come by apt install chromium default-jre-headless
	@$(RUN) tests.browser.tools

shots: html ## pictures of ten pages, wide and narrow, light and dark (SHOTS=folder)
	@$(RUN) tests.browser.shots docs/_build/html $(or $(SHOTS),docs/_build/shots)

check: .venv/ready ## lint, formatting and types
	@$(RUN) ruff check
	@$(RUN) ruff format --check
	@$(RUN) mypy

bench: .venv/ready ## measure the extension, about a quarter of an hour (BENCHOPTS="--help" says how to measure less)
	@$(RUN) tests.bench $(BENCHOPTS)

labs: .venv/ready ## recompute the numbers and plots (LABS=infra/nccl for one note)
	@$(RUN) labs $(LABS)

measure: .venv/ready ## measure on this machine what the labs in LABS time
	@$(RUN) labs --measure $(LABS)

mark: .venv/ready ## draw the mark and the icons again, from docs/mark.py
	@.venv/bin/python docs/mark.py

audit: .venv/ready ## list the numbers in the prose that come from no lab and stand by no citation
	@$(RUN) sphinx -nqW --keep-going -b audit -D writing_preview=1 -d docs/_build/doctrees-live $(SPHINXOPTS) docs docs/_build/audit
	@cat docs/_build/audit/audit.txt

live: .venv/ready ## preview with drafts, rebuilt at each save (PORT=8000)
	@$(RUN) sphinx_autobuild -b html -d docs/_build/doctrees-live -D writing_preview=1 --port $(PORT) \
		--ignore docs/_build --re-ignore __pycache__ --watch ext $(SPHINXOPTS) docs docs/_build/live

wheel: .venv/ready ## build the extension's source archive and wheel into dist/
	@$(RUN) build --no-isolation

lock: ## pin the dependencies in pyproject.toml again (LOCKOPTS=--upgrade for newer versions)
	@$(PYTHON) -m venv .nox/lock
	@.nox/lock/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV)
	@for version in $(LOCKED_PYTHONS); do \
		.nox/lock/bin/python -m uv pip compile --quiet --no-config --no-python-downloads \
			--generate-hashes --no-emit-index-url --no-header --no-annotate $(LOCKOPTS) \
			--python-platform linux --python-version $$version --extra diagrams --extra math --extra search --group dev \
			--output-file ".locks/py$$(echo $$version | tr -d .).txt" pyproject.toml || exit 1; \
	done

clean: ## remove what was built (.venv stays)
	@rm -rf docs/_build dist .bench/work .nox .coverage .coverage.* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache

# .venv/locked holds the Python and the folder that .venv was made for; where either differs, it is made anew.
ifneq ($(shell cat .venv/locked 2>/dev/null),$(TAG) $(CURDIR))
.PHONY: .venv/locked
endif

.venv/locked: .locks/$(TAG).txt
	$(if $(shell $(PYTHON) -c 'import venv; from ensurepip import version' 2>/dev/null && echo yes),,$(error \
		$(PYTHON) has no venv module: sudo apt install $(notdir $(firstword $(PYTHON)))-venv))
	@echo "Setting up .venv with $(PYTHON), about a minute"
	@rm -f .venv/ready .venv/locked
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes --no-deps -r $<
	@echo "$(TAG) $$(pwd -P)" > $@

.venv/ready: .venv/locked pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.locks/%.txt:
	$(error $(PYTHON) is $(patsubst py3%,Python 3.%,$(patsubst none,missing,$*)), the locks are for Python \
		$(LOCKED_PYTHONS): install one of these, then make PYTHON=python$(lastword $(LOCKED_PYTHONS)))
