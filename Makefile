# Everything a person or CI runs here. `make help` lists it; each target installs what it needs into
# .venv, and installs again when pyproject.toml changes.

# The first Python on the PATH that is new enough; say PYTHON=… for another.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$name"; break; }; done)
VENV ?= .venv
# More arguments for the installation of torch, such as an index that has CPU builds.
TORCH_ARGS ?=
# More arguments for pytest, and for `make torture`, `make soak` and `make bench`.
ARGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-quick check lint types docs docs-write install-size torture soak bench clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

# --- what people run ---------------------------------------------------------------------------

demo: $(VENV)/.base ## install vmem and ask the sample vault a question
	@echo '$$ vmem --vault vault recall "NVDA risk" --max-tokens 2000'
	@$(BIN)/vmem --vault vault recall "NVDA risk" --max-tokens 2000

test: $(VENV)/.test-embed ## install what the tests need, and run them all
	$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

test-quick: $(VENV)/.dev ## the tests that need no model, so no torch
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'not embedder' $(ARGS)

check: lint types docs install-size ## lint, types, docs, and the size of an installation

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/python -m pytest -q tests/test_docs*.py

docs-write: $(VENV)/.dev ## write anew the pages of docs/ that the program writes itself
	$(BIN)/python tools/make_docs.py --write

install-size: $(VENV)/.dev
	$(BIN)/python tools/check_install.py

torture: $(VENV)/.dev ## kill writers for a while and look for what was lost
	$(BIN)/python -m tests.torture $(ARGS)

soak: $(VENV)/.dev ## let everyone work on one vault for five minutes, kill them, and look for what was lost
	$(BIN)/python -m tests.soak $(ARGS)

bench: $(VENV)/.base ## measure on synthetic vaults
	$(BIN)/vmem bench $(ARGS)

clean: ## remove the environment, builds and caches
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

# --- what they stand on: a stamp for each thing installed ---------------------------------------

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo 'vault-memory needs Python 3.11 or newer, and none is on the PATH; say PYTHON=/path/to/python3' >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11) and "vault-memory needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0] + ", say PYTHON=/path/to/a/newer/one")'
	"$(PYTHON)" -m venv $(VENV) || { rm -f $@; exit 1; }

$(VENV)/.base: pyproject.toml | $(BIN)/python
	@echo 'installing vault-memory into $(VENV) (about 30 MB to download the first time)'
	$(PIP) install --editable .
	@touch $@

# pip reads dependency groups from 25.1 on.
$(VENV)/.dev: $(VENV)/.base
	@echo 'installing the test tools (about 30 MB to download the first time)'
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --group dev
	@touch $@

# torch goes first and alone: only so is the build taken that this machine's pip prefers for the exact
# release, where others of the group would pull the newest one.
$(VENV)/.test-embed: $(VENV)/.dev
	@echo 'installing torch (CPU) and sentence-transformers for the embedder tests: about 340 MB to download the first time, 1.3 GB on disk'
	@echo '(several GB where pip finds only CUDA builds of torch: TORCH_ARGS="--index-url URL" names an index with CPU builds, make test-quick does without)'
	$(PIP) install $(TORCH_ARGS) --group torch
	$(PIP) install --group test-embed
	@touch $@
