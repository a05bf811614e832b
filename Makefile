# Chores. Everything happens in .venv; only the tests ask for more, and install it where apt-get may be used.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
KERNEL := $(wildcard kernel/*.?pp kernel/tokenizers/*.hpp)
ENGINE_TESTS := $(addprefix tests/,adapters/test_arrow.py counting engines/test_added_up.py engines/test_arrow_strings.py engines/test_engines.py \
	engines/test_engines_chrf.py engines/test_engines_ter.py engines/test_flooding.py engines/test_interrupts.py engines/test_reentrance.py \
	engines/test_short_ngrams.py io/test_arrow_files.py scoring/test_pairs.py scoring/test_prepared.py)
BENCHES ?= speed chrf ter dropins_nltk dropins_sacrebleu dropins_torchmetrics identify compare startup throughput
FUZZ_SECONDS ?= 60
WASM := src/bleuprint/web/kernel.wasm
TESTS ?=
TAG ?=
PYTHONS ?= python3.11 python3.12 python3.13 python3.14 python3.14t python3.15 python3.15t
RELEASE := $(VENV)/release
RELEASE_BIN := $(RELEASE)/$(notdir $(BIN))
EXAMPLES := examples/candidate-a.txt examples/reference-1.txt examples/reference-2.txt

PIP := pip>=25.1
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The tests start Python hundreds of times: it keeps what it compiled, also where it is told elsewhere not to.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run serve site wasm test test-all test-extended check format bench scaling docs docs-site sanitize fuzz wheel wheels pure-wheel release-check lowest clean \
	compiler browser browsers java latex

# Tests wait for browsers and servers, so that one process more than there are cores keeps the cores at work.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))')

# All tests, or those in TESTS. A folder may have none that are selected (pytest then exits with 5).
pytest = @$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "$(1)" $(TESTS) || { code=$$?; [ -n "$(TESTS)" ] && [ $$code = 5 ]; }

help: ## list the chores
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

wasm: $(WASM) ## the kernel for browsers, which the static page counts with (brings its compiler from PyPI)

run: $(VENV)/installed ## set up, explain a first score, score the example corpus
	@$(BIN)/bleuprint explain "the cat is on mat" "the cat is on the mat" --recipe paper
	@echo
	@echo "The example corpus, $(EXAMPLES):"
	@$(BIN)/bleuprint score $(EXAMPLES)

serve: $(VENV)/served ## the page, on this machine: http://127.0.0.1:8765
	@$(BIN)/bleuprint serve --open

site: $(VENV)/installed $(WASM) ## the page as a static folder for any web host, in build/site (needs node and npm)
	@$(BIN)/bleuprint site build/site --force

test: compiler $(VENV)/tested-with ## install what the tests need, then run them; TESTS=tests/text selects files or folders
	$(call pytest,not extended)

test-all: browser $(VENV)/tested-all-with test test-extended ## all tests, also those that need other tools, browsers, Java and LaTeX

test-extended: export BLEUPRINT_WINDOWS = yes
test-extended: compiler $(VENV)/tested-all-with $(VENV)/releases/installed $(WASM) browser browsers java latex # the rest of test-all
	$(call pytest,extended)

check: $(VENV)/checked-with ## lint, strict types, import direction
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_layers.py

format: $(VENV)/checked-with ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/benched ## measure against other tools, beside them; takes half an hour, on a quiet machine
	@for part in $(BENCHES); do $(BIN)/python bench/$$part.py | tee bench/results/$$part.md; done

scaling: $(VENV)/tested-all-with java ## measure Arrow, Spark, cores and memory (10⁸ rows); takes some minutes, on a quiet machine
	$(BIN)/python bench/scaling.py | tee bench/results/scaling.md

docs: $(VENV)/tested-all-with ## write the generated parts of the documentation
	$(BIN)/python tools/make_docs.py
	$(BIN)/python tools/draw_throughput.py

docs-site: $(VENV)/tested-all-with $(WASM) ## the documentation as a static folder with the page beside it, in build/docs (needs node and npm)
	$(BIN)/python tools/docs_site/build.py build/docs

sanitize: $(VENV)/tested-all-with ## the engines' tests with every address and operation of the kernel watched
	@sh tools/run_sanitized.sh $(abspath $(BIN)/python) $(ENGINE_TESTS)

fuzz: ## feed the kernel odd bytes for FUZZ_SECONDS, against slow definitions (needs clang)
	@sh tools/run_fuzz.sh $(FUZZ_SECONDS)

wheel: $(BIN)/python ## build a wheel into dist/, and try it in a fresh environment
	@sh tools/try_wheel.sh $(abspath $(BIN)/python)

wheels: $(RELEASE)/installed $(WASM) ## wheels of this system for every Python, into dist/ (on Linux by Docker; else those of this machine, by PYTHONS)
	@$(RELEASE_BIN)/python tools/build_wheels.py $(PYTHONS)

pure-wheel: $(RELEASE)/installed $(WASM) ## the wheel without a kernel, for browsers and for systems that have no other, into dist/, and try it
	@rm -f dist/*-none-any.whl
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(RELEASE_BIN)/python -m build --wheel --no-isolation --outdir dist \
		--config-setting=wheel.cmake=false >/dev/null
	@sh tools/try_wheel.sh $(abspath $(RELEASE_BIN)/python) $(CURDIR)/dist/*-none-any.whl

lowest: compiler java $(RELEASE)/installed ## the tests that need other packages, with the lowest versions that pyproject.toml allows
	@sh tools/try_lowest.sh $(abspath $(RELEASE_BIN)) $(VENV)/lowest

release-check: $(RELEASE)/installed $(WASM) ## everything for a release but the upload, on a clean clone, offline once its tools are there; with TAG=v1.2.3 for that version
	@$(RELEASE_BIN)/python tools/release_check.py $(TAG)

compiler: # for the kernel and its own tests
	@sh tools/bring.sh "the kernel's tests" c++=g++ cmake

browser: # the page's tests drive a real Chromium, in the matrix one with windows, and build the static page with Node
	@sh tools/bring.sh "the page's tests" chromium-headless-shell chromium node=nodejs npm

browsers: # the page's journey goes through Firefox and WebKit, too, and through a machine without a network
	@sh tools/bring.sh "the page's journey" firefox-esr WebKitWebDriver=webkit2gtk-driver Xvfb=xvfb unshare=util-linux ip=iproute2

java: # real Spark, and the tokenizer of captions
	@sh tools/bring.sh "the tests of Spark and of captions" java=openjdk-17-jre-headless

latex: # tables are compiled as in a paper
	@sh tools/bring_latex.sh

clean: ## remove what the chores made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "bleuprint needs Python 3.11 or newer, and '$(PYTHON)' is older: make PYTHON=python3.11 ..." >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "No virtual environment could be made. On Debian: apt-get install python3-venv" >&2; exit 2; }
	@$(INSTALL) "$(PIP)"

$(VENV)/installed: pyproject.toml CMakeLists.txt $(KERNEL) | $(BIN)/python
	@echo "Setting up $(VENV) ..."
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/served: $(VENV)/installed
	@$(INSTALL) --editable '.[serve]'
	@touch $@

# A headless browser that is installed is tested with; nothing is installed for it but its driver.
$(VENV)/tested-with: pyproject.toml $(VENV)/installed
	@$(INSTALL) --group test $$(command -v chromium-headless-shell chromium >/dev/null && echo --group browser)
	@touch $@

$(VENV)/checked-with: $(VENV)/tested-with
	@$(INSTALL) --group check
	@touch $@

$(VENV)/tested-all-with: $(VENV)/checked-with
	@$(INSTALL) --group test-all
	@touch $@

# Each release in a folder of its own, without its dependencies, which the other tests have installed.
$(VENV)/releases/installed: $(VENV)/tested-all-with
	@for release in $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["tool"]["bleuprint"]["earlier-releases"])'); do \
		folder=$(VENV)/releases/$$(echo $$release | sed 's/==/-/'); \
		[ -d $$folder ] || { $(INSTALL) --no-deps --target $$folder.part $$release && mv $$folder.part $$folder; } || exit 1; \
	done
	@touch $@

$(VENV)/wasm-compiler: pyproject.toml | $(BIN)/python
	@$(INSTALL) --group wasm
	@touch $@

$(WASM): $(KERNEL) kernel/browser/border.cpp tools/build_wasm.sh $(VENV)/wasm-compiler
	@sh tools/build_wasm.sh $(abspath $(BIN)/python) $@

$(RELEASE)/installed: pyproject.toml | $(BIN)/python
	@$(BIN)/python -m venv $(RELEASE)
	@$(RELEASE_BIN)/python -m pip install --quiet --disable-pip-version-check "$(PIP)"
	@$(RELEASE_BIN)/python -m pip install --quiet --disable-pip-version-check --group release
	@$(RELEASE_BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
		>$(RELEASE)/dependencies.txt
	@$(RELEASE_BIN)/python -m pip download --quiet --disable-pip-version-check --dest $(RELEASE)/wheels --requirement $(RELEASE)/dependencies.txt
	@touch $@

$(VENV)/benched: $(VENV)/tested-all-with
	@$(INSTALL) --group bench
	@touch $@
