# make serve · make test · make build · make check · make stamp · make lint — each sets up what it needs.
SHELL := /bin/bash
PY := .venv/bin/python
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help serve build check stamp test lint lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.venv/site.stamp: locks/site.txt scripts/setup.sh
	@bash scripts/setup.sh site

.venv/test.stamp: locks/test.txt scripts/setup.sh
	@bash scripts/setup.sh test

serve: .venv/site.stamp ## the site in both languages at http://127.0.0.1:8000/, rebuilt on every change
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs serve --dev-addr 127.0.0.1:$(PORT)

build: .venv/site.stamp ## site/ with both languages, strict
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --clean --quiet

check: .venv/site.stamp ## content checks alone, a second or two
	$(PY) -m fieldguide check

stamp: .venv/site.stamp ## say that the Chinese sections reflect the English as it is now
	$(PY) -m fieldguide stamp

test: .venv/test.stamp ## every check and test, the browser included
	$(PY) -m fieldguide check
	$(PY) -m pytest

lint: .venv/test.stamp ## ruff and mypy
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

lock: ## compile the lock files anew from pyproject.toml (needs uv)
	bash scripts/lock.sh

clean: ## remove what was built, keep .venv
	rm -rf site dist .pytest_cache .mypy_cache .ruff_cache
