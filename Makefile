# make serve · make test · make build · make check · make stamp · make lint — each sets up what it needs.
SHELL := /bin/bash
PY := .venv/bin/python
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help serve build check stamp explain verify pdf social offline test bench lint lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.venv/site.stamp: locks/site.txt scripts/setup.sh
	@bash scripts/setup.sh site

.venv/pdf.stamp: locks/pdf.txt scripts/setup.sh
	@bash scripts/setup.sh pdf

.venv/test.stamp: locks/test.txt scripts/setup.sh
	@bash scripts/setup.sh test

.venv/bench.stamp: locks/bench.txt scripts/setup.sh
	@bash scripts/setup.sh bench

serve: .venv/site.stamp ## the site in both languages at http://127.0.0.1:8000/, rebuilt on every change
	FIELDGUIDE_LIVE=1 NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs serve --dev-addr 127.0.0.1:$(PORT)

build: .venv/site.stamp ## site/ with both languages, strict
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --clean --quiet

check: .venv/site.stamp ## content checks alone, a second or two
	$(PY) -m fieldguide check

stamp: .venv/site.stamp ## say that the Chinese sections reflect the English as it is now
	$(PY) -m fieldguide stamp

explain: .venv/site.stamp ## the known errors of a log, with their fixes: LOG=train.log [LANG_=zh]
	@$(PY) -m fieldguide explain $(if $(LANG_),--lang $(LANG_)) "$(or $(LOG),-)"

verify: .venv/site.stamp ## what changed upstream since the stamps: REPOS=folder of clones [FIX=1 moves the stamps that hold]
	@$(PY) -m fieldguide verify $(if $(FIX),--fix) "$(or $(REPOS),$(error give REPOS, the folder that holds the clones))"

pdf: .venv/pdf.stamp ## dist/rl-fieldguide-en.pdf and -zh.pdf; FW=slime one framework's, TOPIC=memory one topic's
	$(PY) -m fieldguide.pdf $(if $(FW),--framework $(FW)) $(if $(TOPIC),--topic $(TOPIC))

test: .venv/test.stamp ## every check and test, the browser included
	$(PY) -m fieldguide check
	$(PY) -m pytest

bench: .venv/bench.stamp ## search and log reading measured against other engines; BENCH="--write-readme" keeps the table
	$(PY) -m bench $(BENCH)

social: .venv/pdf.stamp ## dist/social/, pictures that chats show beside a link; then: SOCIAL_CARDS=dist/social make build
	$(PY) -m fieldguide.social dist/social

offline: .venv/site.stamp ## dist/rl-fieldguide-offline.zip, the site that opens from a folder by double-click
	SITE_DIR=dist/.site NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --clean --quiet
	$(PY) -m fieldguide offline dist/.site dist/rl-fieldguide-offline.zip
	rm -rf dist/.site

lint: .venv/test.stamp ## ruff and mypy
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

lock: ## compile the lock files anew from pyproject.toml (needs uv)
	bash scripts/lock.sh

clean: ## remove what was built, keep .venv
	rm -rf site dist .pytest_cache .mypy_cache .ruff_cache
