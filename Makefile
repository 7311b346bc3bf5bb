# restbench. Each target first installs what it needs: `make bench` or `make test` is enough to begin.
#
#   make bench FRAMEWORKS="python/falcon rust/*" SUITES=hello PROFILE=full TARGET=docker

# Variables count only on make's command line. Variables of the environment may belong to another program: a shell that
# is set up for cross-compiling has a TARGET.
given  = $(if $(filter command,$(origin $1)),$($1))
quoted = '$(subst ','\'',$1)'

# FRAMEWORK means the same as FRAMEWORKS, and reads better with one entry: make verify FRAMEWORK=python/falcon
entries     := $(foreach name,$(call given,FRAMEWORKS) $(call given,FRAMEWORK),$(call quoted,$(name)))
suites      := $(foreach name,$(call given,SUITES),--suite=$(call quoted,$(name)))
profile     := $(if $(call given,PROFILE),--profile=$(call quoted,$(PROFILE)))
target      := $(if $(call given,TARGET),--target=$(call quoted,$(TARGET)))
# measures which lines of restbench `make test` runs, and fails below the minimum of pyproject.toml
coverage    := $(if $(filter 1,$(call given,COVERAGE)),--cov --cov-report=term)
replace     := $(if $(filter 1,$(call given,REPLACE)),--replace)
# make test leaves thorough tests out, and make test-all and .ci/run do not
thorough    := $(if $(filter 1,$(call given,THOROUGH)),,and not thorough)
no_install  := $(if $(filter 0,$(call given,INSTALL)),--no-install)

RESTBENCH := .venv/bin/restbench
PYTEST    := .venv/bin/python -m pytest $(if $(call given,NOTED),--note-durations=$(call quoted,$(NOTED)))
# Three test files run at a time, because slow tests wait about half of their time. The tests of a file stay in one
# process, because they share what the file starts.
BESIDE    := --numprocesses=3 --dist=loadfile --no-loadscope-reorder
READY     := .venv/.restbench-ready
DEV_READY := .venv/.restbench-dev-ready

.DEFAULT_GOAL := help
.PHONY: help setup prepare build bench board links verify serve new solr list doctor tools workflow-tools test test-all test-native test-browser test-files test-extended test-workflows test-touched test-faults test-images test-without test-fast golden lint format schema render charts warm-up trust benchmark-publish benchmark-growth benchmark-site job-times lock clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  Variables: FRAMEWORKS="python/falcon rust/*"  SUITES="hello issue-tracker"'
	@echo '             PROFILE=smoke|quick|pr|full|links  TARGET=auto|native|docker'
	@echo '             REPLACE=1 has board and links replace figures of another machine or of a larger profile'
	@echo '             INSTALL=0 installs no system packages, and says which are missing'
	@echo '             COVERAGE=1 has make test measure which lines of restbench it runs, THOROUGH=1 adds slow tests'

setup: prepare ## install restbench, and the programs that FRAMEWORKS and SUITES need

prepare: $(READY)
	@$(RESTBENCH) prepare $(entries) $(suites) $(target) $(no_install)

$(READY): requirements.txt pyproject.toml scripts/setup
	@scripts/setup requirements.txt $@ $(no_install)

$(DEV_READY): requirements-dev.txt requirements.txt pyproject.toml scripts/setup
	@scripts/setup requirements-dev.txt $@ $(no_install)
	@touch $(READY)

bench: prepare ## measure, and write the results to out/
	@$(RESTBENCH) bench $(entries) $(suites) $(profile) $(target)

board: prepare ## measure, and update results/ and README.md
	@$(RESTBENCH) bench $(entries) $(suites) $(profile) $(target)
	@$(RESTBENCH) merge $(replace)
	@$(RESTBENCH) render

links: $(READY) ## measure the baselines of all languages together, and update results/links/ and README.md
	@$(RESTBENCH) prepare baselines $(suites) $(target) $(no_install)
	@$(RESTBENCH) bench baselines $(suites) --profile=links $(target)
	@$(RESTBENCH) merge $(replace)
	@$(RESTBENCH) render

build: prepare ## build environments or images, and start nothing: FRAMEWORKS="rust/*" TARGET=docker
	@$(RESTBENCH) build $(entries) $(target)

verify: prepare ## verify that apps keep the contract: FRAMEWORK=python/falcon SINCE=main
	@$(RESTBENCH) verify $(entries) $(suites) $(target) $(if $(call given,SINCE),--since=$(call quoted,$(SINCE)))

serve: prepare ## start one app, with its backend, until Ctrl-C: FRAMEWORK=python/falcon PORT=8080
	@$(RESTBENCH) serve $(entries) $(target) $(if $(call given,PORT),--port=$(call quoted,$(PORT)))

solr: $(READY) ## start Solr and its cache without an app, to develop an entry
	@$(RESTBENCH) prepare --suite=solr $(target) $(no_install)
	@$(RESTBENCH) solr $(target)

new: $(READY) ## write a new entry that passes the first suite: FRAMEWORK=python/apiflask
	@$(RESTBENCH) new $(entries)

list: $(READY) ## list what is on the board
	@$(RESTBENCH) list $(entries)

doctor: $(READY) ## print what this machine has and lacks
	@$(RESTBENCH) doctor

tools: $(READY) ## download oha, or build it with cargo, which takes some minutes
	@.venv/bin/python scripts/install-oha

workflow-tools: ## build actionlint and act with go, to check and to run the workflows here
	@scripts/install-workflow-tools

test: $(DEV_READY) lint ## test the harness, the contract, and the default entries from end to end
	@$(RESTBENCH) prepare --target=native $(no_install)
	-@$(RESTBENCH) build --target=native
	@$(PYTEST) $(BESIDE) -m "not extended $(thorough)" $(coverage)

test-all: ## make test, and also what is slow: the mutants, every entry, images, the workflows, and a minimal machine
	@noted=$$(mktemp) && trap 'rm -f "$$noted"' EXIT && code=0; \
	for part in "test THOROUGH=1" test-extended test-workflows test-without; do \
	  $(MAKE) --no-print-directory $$part NOTED="$$noted" || { code=$$?; break; }; \
	done; \
	echo "the slowest tests:" && sort --numeric-sort --reverse "$$noted" | head -n 10; exit $$code

test-native: $(DEV_READY) ## run the tests of make test that start apps
	@$(RESTBENCH) prepare --target=native $(no_install)
	-@$(RESTBENCH) build --target=native
	@$(PYTEST) $(BESIDE) -m "slow and not extended" --ignore=tests/browser

test-browser: $(DEV_READY) ## test the site in Chromium
	@$(PYTEST) -m "not extended" tests/browser

test-files: $(DEV_READY) ## run the tests that read documents and entries
	@$(PYTEST) -m files

test-extended: $(DEV_READY) ## test every entry natively, and images
	@$(RESTBENCH) prepare all --target=native $(no_install)
# Everything is built first, so that compilers take no CPU time from tests with time limits. An entry that cannot be
# built fails its tests.
	-@$(RESTBENCH) build all reference/nginx --target=native
	@$(PYTEST) $(BESIDE) -m "extended and not images and not alone and not random"
	@$(PYTEST) -m images

test-workflows: $(DEV_READY) ## run the workflows with act: FILE=test_week
	@$(PYTEST) -m alone $(foreach name,$(call given,FILE),$(call quoted,tests/workflows/$(name).py))

test-touched: $(DEV_READY) ## verify the entries that the newest commits touched, also in images, and one of each other language
	@names=$$(PYTHONPATH=scripts:. .venv/bin/python -m tests.touched) && $(RESTBENCH) prepare $$names --target=native $(no_install)
	@$(PYTEST) --touched -m extended tests/end_to_end/test_catalogue.py tests/end_to_end/test_images.py

test-without: $(DEV_READY) ## run tests with the programs of a minimal Debian alone, or without some: TOOLS="oha ssh" FAST=1
	@PYTHONPATH=scripts:. .venv/bin/python -m tests.without $(call given,TOOLS) -- $(PYTEST) $(BESIDE) \
	  -m "not extended $(if $(filter 1,$(call given,FAST)),and not slow)" --ignore=tests/end_to_end/test_catalogue.py

test-faults: $(DEV_READY) ## test runs with kill -9, Ctrl-C, a full disk and more at random moments: COUNT=20 REPEATS=3
	@$(PYTEST) -m random --fault-entries=$(or $(call given,COUNT),3) --fault-repeats=$(or $(call given,REPEATS),1)

test-images: $(DEV_READY) ## verify every entry in its image; test-all does so for one entry per Dockerfile
	@$(PYTEST) -m images --every-image

golden: $(DEV_READY) ## rewrite the texts that tests expect: read the diff
	@$(PYTEST) -q tests/unit --rewrite-golden

test-fast: $(DEV_READY) ## run the tests that start no apps
	@$(PYTEST) $(BESIDE) -m "not slow and not docker"

lint: $(DEV_READY) ## check the code, its types and imports, the workflows, and that generated files are current
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@said=$$(PYTHONPATH=scripts .venv/bin/lint-imports --no-logo --no-cache 2>&1) || { echo "$$said"; exit 1; }; \
	  echo "$$said" | tail -n 1
	@$(RESTBENCH) schema --check
	@$(RESTBENCH) render --check
	@scripts/lint-workflows

format: $(DEV_READY) ## format the code
	@.venv/bin/ruff check --fix .
	@.venv/bin/ruff format .

schema: $(READY) ## rewrite the JSON Schemas
	@$(RESTBENCH) schema

render: $(READY) ## rewrite README.md from results/
	@$(RESTBENCH) render

charts: ## draw the pictures of README.md here, to look at them in out/charts/
	@scripts/render-charts README.md out/charts

warm-up: prepare ## measure and draw how an app warms up: FRAMEWORK=java/jooby
	@.venv/bin/python scripts/draw-warm-up $(entries)

trust: prepare ## measure identical apps, two boards and known slowdowns (takes hours): PARTS=boards TARGET=docker
	@PYTHONPATH=scripts:. .venv/bin/python -m tests.trust $(call given,PARTS) $(target)

benchmark-publish: $(DEV_READY) ## measure how long merging and rendering take after ten years of results
	@.venv/bin/python scripts/benchmark-publish

benchmark-growth: $(DEV_READY) ## measure by how much main and gh-pages grow in a year, which takes twenty minutes
	@.venv/bin/python scripts/simulate-growth

benchmark-site: $(DEV_READY) ## measure how large the site of ten years is, and how soon its pages can be used
	@.venv/bin/python scripts/benchmark-site

job-times: ## print how long the jobs of a workflow took: LOG=act.log, or GitHub's answer about a run
	@scripts/job-times $(foreach name,$(call given,LOG),$(call quoted,$(name)))

lock: $(READY) ## lock all dependencies again, or one entry's: FRAMEWORK=python/falcon
	@scripts/lock $(entries)

clean: ## remove environments, caches and the last run
	rm -rf .venv .venv.new .restbench out
