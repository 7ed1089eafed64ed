# make serve · make test · make build · make check · make stamp · make lint — each sets up what it needs.
SHELL := /bin/bash
PY := .venv/bin/python
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help serve build check stamp diagrams new-entry keys bugs explain verify pdf social offline wheel publish release-notes test test-all test-upstream bench lint hooks audit links properdocs lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.venv/site.stamp: locks/site.txt scripts/setup.sh
	@bash scripts/setup.sh site

.venv/pdf.stamp: locks/pdf.txt scripts/setup.sh
	@bash scripts/setup.sh pdf

.venv/test.stamp: locks/test.txt scripts/setup.sh
	@bash scripts/setup.sh test

.venv/upkeep.stamp: locks/upkeep.txt scripts/setup.sh
	@bash scripts/setup.sh upkeep

.venv-properdocs/properdocs.stamp: locks/properdocs.txt scripts/setup.sh
	@VENV=.venv-properdocs bash scripts/setup.sh properdocs

.venv/bench.stamp: locks/bench.txt scripts/setup.sh
	@bash scripts/setup.sh bench

.venv/wheel.stamp: locks/wheel.txt scripts/setup.sh
	@bash scripts/setup.sh wheel

.venv/publish.stamp: locks/publish.txt scripts/setup.sh
	@bash scripts/setup.sh publish

node_modules/lint.stamp: package.json package-lock.json scripts/node.sh
	@bash scripts/node.sh

serve: .venv/site.stamp ## the site in both languages at http://127.0.0.1:8000/; what is saved is there within seconds
	NO_MKDOCS_2_WARNING=1 $(PY) -m scripts.serve --port $(PORT)

build: .venv/site.stamp ## site/ with both languages, strict
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --clean --quiet

check: .venv/site.stamp ## content checks alone, a second or two
	$(PY) -m fieldguide validate

stamp: .venv/site.stamp ## say that the Chinese sections reflect the English as it is now
	$(PY) -m fieldguide stamp

keys: .venv/site.stamp ## a framework's keys from a local clone: FW=roll REPO=path [REV=tag]
	@$(PY) -m fieldguide keys "$(FW)" "$(REPO)" $(if $(REV),--rev "$(REV)") $(if $(MANY),--many)

new-entry: .venv/site.stamp ## asks for framework, id, topic and error, writes the stub of an entry in both languages
	@$(PY) -m fieldguide new-entry

diagrams: .venv/test.stamp ## draw the pictures of catalog/diagrams.yml anew (needs npm and a Chromium)
	$(PY) -m scripts.diagrams

bugs: .venv/site.stamp ## commits of a clone that look like fixes and that the bug ledger lacks: REPOS=folder of clones [FW=verl] [SINCE=2026-08-01]
	@$(PY) -m fieldguide bug-candidates "$(or $(REPOS),$(error give REPOS, the folder that holds the clones))" $(if $(FW),--framework "$(FW)") $(if $(SINCE),--since "$(SINCE)")

explain: .venv/site.stamp ## the known errors of a log, with their fixes: LOG=train.log [LANG_=zh]
	@$(PY) -m fieldguide explain $(if $(LANG_),--lang $(LANG_)) "$(or $(LOG),-)"

verify: .venv/upkeep.stamp ## what changed upstream, and what is in which release: REPOS=folder of clones [FIX=1 writes it into the catalog, OFFLINE=1]
	@$(PY) -m fieldguide verify $(if $(FIX),--fix) $(if $(OFFLINE),--offline) "$(or $(REPOS),$(error give REPOS, the folder that holds the clones))"

pdf: .venv/pdf.stamp ## dist/rl-fieldguide-en.pdf and -zh.pdf; FW=slime one framework's, TOPIC=memory one topic's
	$(PY) -m fieldguide.book $(if $(FW),--framework $(FW)) $(if $(TOPIC),--topic $(TOPIC))

# Commands that a node runs, on Python 3.10, too.
NODE := $(patsubst fieldguide/commands/%.py,%,$(wildcard fieldguide/commands/[a-z]*.py))

# Two processes: the browser of the one works while the other reads.
PYTEST := $(PY) -m pytest -n 2

test: .venv/test.stamp ## the checks, the units, the built site and a reader's ways in a browser; FAST=1: no browser, no site
	$(PY) -m fieldguide validate
	$(PYTEST) -m "not whole$(if $(FAST), and not made and not slow)"

test-all: .venv/test.stamp ## every test: also each page, the book, the offline copy, hostile input, weights, the live server
	$(PY) -m fieldguide validate
	$(PYTEST)

test-upstream: .venv/test.stamp ## the programs that bring errors about, run with the packages they name (needs uv, gigabytes): RUN="ray-2.49.2 --record"
	$(PY) -m tests.upstream.errors $(RUN)

bench: .venv/bench.stamp ## search and log reading measured against other engines; BENCH="--write-readme" keeps the table
	$(PY) -m bench $(BENCH)

social: .venv/pdf.stamp ## dist/social/, pictures that chats show beside a link; then: SOCIAL_CARDS=dist/social make build
	$(PY) -m fieldguide.site.social dist/social

offline: .venv/site.stamp ## dist/rl-fieldguide-offline.zip, the site that opens from a folder by double-click
	SITE_DIR=dist/.site NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --clean --quiet
	$(PY) -m fieldguide offline dist/.site dist/rl-fieldguide-offline.zip
	rm -rf dist/.site

wheel: .venv/wheel.stamp ## dist/rl_fieldguide-*.whl with its checksum: what `pip install rl-fieldguide` brings to a node
	@$(PY) -m scripts.wheel

publish: .venv/publish.stamp ## the wheel in dist/ to the package index, as the publisher that it trusts (CI)
	.venv/bin/uv publish --trusted-publishing always dist/*.whl

lint: .venv/test.stamp node_modules/lint.stamp ## ruff and mypy; ESLint and TypeScript for the scripts of the browser (needs npm)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m mypy --python-version 3.10 --follow-imports silent -p fieldguide.runtime $(patsubst %,-m fieldguide.commands.%,$(NODE))
	@npm run --silent lint

release-notes: .venv/site.stamp ## dist/release-notes.md, if this commit is ready to be released: TAG=v0.1.0
	@mkdir -p dist
	$(PY) -m fieldguide release-notes "$(or $(TAG),$(error give TAG, such as v0.1.0))" > dist/release-notes.md

audit: .venv/upkeep.stamp ## known vulnerabilities of what locks/ pins (asks PyPI)
	$(PY) -m pip_audit --strict --require-hashes --disable-pip --progress-spinner off $(patsubst %,-r %,$(wildcard locks/*.txt))

links: .venv/upkeep.stamp ## links out of the offline copy that `make offline` made: which lead nowhere (asks every site)
	rm -rf dist/.links
	$(PY) -m zipfile -e dist/rl-fieldguide-offline.zip dist/.links
	$(PY) -m linkcheck --check-extern --no-status --no-warnings --timeout 30 --ignore-url '$(or $(SITE_URL),http://127.0.0.1:8000/)' \
		dist/.links/rl-fieldguide-offline/index.html

properdocs: .venv/site.stamp .venv-properdocs/properdocs.stamp ## the same pages and ids from ProperDocs as from MkDocs?
	SITE_DIR=dist/.mkdocs NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --clean --quiet
	SITE_DIR=dist/.properdocs .venv-properdocs/bin/python -m properdocs build -f mkdocs.yml --strict --clean --quiet
	$(PY) -m scripts.compare_sites dist/.mkdocs dist/.properdocs
	rm -rf dist/.mkdocs dist/.properdocs

hooks: .venv/test.stamp ## run the checks of CI before each commit, its tests before each push
	.venv/bin/pre-commit install

lock: ## compile the lock files anew from pyproject.toml and package.json (needs uv and npm)
	bash scripts/lock.sh

clean: ## remove what was built, keep the environments
	rm -rf site dist .pytest_cache .mypy_cache .ruff_cache
