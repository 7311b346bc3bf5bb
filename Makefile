# restbench. Everything sets itself up: `make bench` and `make test` are all that is needed to begin.
#
#   make bench FRAMEWORKS="python/falcon rust/*" SUITES=hello PROFILE=full TARGET=docker

# Variables count where make's command line gives them. Those of the environment are somebody else's: a shell that is set
# up for cross-compiling holds TARGET.
given  = $(if $(filter command,$(origin $1)),$($1))
quoted = '$(subst ','\'',$1)'

# one entry reads better in the singular: make verify FRAMEWORK=python/falcon
entries     := $(foreach name,$(call given,FRAMEWORKS) $(call given,FRAMEWORK),$(call quoted,$(name)))
suites      := $(foreach name,$(call given,SUITES),--suite=$(call quoted,$(name)))
profile     := $(if $(call given,PROFILE),--profile=$(call quoted,$(PROFILE)))
target      := $(if $(call given,TARGET),--target=$(call quoted,$(TARGET)))
# which lines of restbench the tests of make test run, with a floor
coverage    := $(if $(filter 1,$(call given,COVERAGE)),--cov --cov-report=term)
no_install  := $(if $(filter 0,$(call given,INSTALL)),--no-install)

RESTBENCH := .venv/bin/restbench
PYTEST    := .venv/bin/python -m pytest
# three files of tests at a time: slow tests wait about half of their time, and what a file starts stays with it
BESIDE    := --numprocesses=3 --dist=loadfile --no-loadscope-reorder
READY     := .venv/.restbench-ready
DEV_READY := .venv/.restbench-dev-ready

.DEFAULT_GOAL := help
.PHONY: help setup prepare build bench board verify serve new checklist solr list doctor tools workflow-tools test test-all test-faults test-without test-fast golden lint format schema render trust benchmark-publish lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  Variables: FRAMEWORKS="python/falcon rust/*"  SUITES="hello issue-tracker"'
	@echo '             PROFILE=smoke|quick|pr|full  TARGET=auto|native|docker'
	@echo '             INSTALL=0 installs no system packages, and says which are missing'
	@echo '             COVERAGE=1 has make test measure which lines of restbench it runs'

setup: prepare ## restbench itself, and the programs that FRAMEWORKS and SUITES need

prepare: $(READY)
	@$(RESTBENCH) prepare $(entries) $(suites) $(target) $(no_install)

$(READY): requirements.txt pyproject.toml scripts/setup
	@scripts/setup requirements.txt $@ $(no_install)

$(DEV_READY): requirements-dev.txt requirements.txt pyproject.toml scripts/setup
	@scripts/setup requirements-dev.txt $@ $(no_install)
	@touch $(READY)

bench: prepare ## measure, and show the results in out/
	@$(RESTBENCH) bench $(entries) $(suites) $(profile) $(target)

board: prepare ## measure, and publish: results/ and README.md
	@$(RESTBENCH) bench $(entries) $(suites) $(profile) $(target)
	@$(RESTBENCH) merge
	@$(RESTBENCH) render

build: prepare ## environments or images, and nothing is started: FRAMEWORKS="rust/*" TARGET=docker
	@$(RESTBENCH) build $(entries) $(target)

verify: prepare ## verify that apps keep the contract: FRAMEWORK=python/falcon
	@$(RESTBENCH) verify $(entries) $(suites) $(target)

serve: prepare ## one app with what it needs, until Ctrl-C: FRAMEWORK=python/falcon PORT=8080
	@$(RESTBENCH) serve $(entries) $(target) $(if $(call given,PORT),--port=$(call quoted,$(PORT)))

solr: $(READY) ## Solr and the cache in front of it alone, for developing an entry
	@$(RESTBENCH) prepare --suite=solr $(target) $(no_install)
	@$(RESTBENCH) solr $(target)

new: $(READY) ## a new entry that passes the first suite: FRAMEWORK=python/apiflask
	@$(RESTBENCH) new $(entries)

checklist: $(DEV_READY) ## what a framework's pull request needs: FRAMEWORK=python/apiflask SINCE=main
	@$(RESTBENCH) checklist $(entries) --since $(call quoted,$(or $(call given,SINCE),main))

list: $(READY) ## what is on the board
	@$(RESTBENCH) list $(entries)

doctor: $(READY) ## what this machine has and lacks
	@$(RESTBENCH) doctor

tools: ## oha, by cargo: takes some minutes
	@scripts/install-oha

workflow-tools: ## actionlint and act, by go: to check and to run the workflows here
	@scripts/install-workflow-tools

test: $(DEV_READY) lint ## the harness, the contract, and the default entries from end to end
	@$(RESTBENCH) prepare --target=native $(no_install)
	-@$(RESTBENCH) build --target=native
	@$(PYTEST) $(BESIDE) -m "not extended" $(coverage)

test-all: test ## and every entry, in images too, and the workflows
	@$(RESTBENCH) prepare all --target=native $(no_install)
# compilers would take the CPUs from apps whose time limits are tested; what cannot be built fails the tests of it
	-@$(RESTBENCH) build all reference/nginx --target=native
	@$(PYTEST) $(BESIDE) -m "extended and not alone and not random"
	@$(PYTEST) -m alone

test-without: $(DEV_READY) ## what uses tools, as on a machine without some: TOOLS="oha docker java mvn"
	@PYTHONPATH=scripts:. .venv/bin/python -m tests.without $(call given,TOOLS) -- $(PYTEST) $(BESIDE) \
	  tests/end_to_end tests/workflows tests/unit/test_workflows.py --ignore=tests/end_to_end/test_catalogue.py

test-faults: $(DEV_READY) ## kill -9, Ctrl-C, a full disk and more at random moments of runs: COUNT=20 REPEATS=3
	@$(PYTEST) -m random --fault-entries=$(or $(call given,COUNT),3) --fault-repeats=$(or $(call given,REPEATS),1)

golden: $(DEV_READY) ## write the help texts and errors that tests expect anew: read the diff
	@$(PYTEST) -q tests/unit/test_golden.py --rewrite-golden

test-fast: $(DEV_READY) ## the tests that start no apps
	@$(PYTEST) $(BESIDE) -m "not slow and not docker"

lint: $(DEV_READY) ## ruff, mypy, imports, the workflows, and whether generated files are current
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

schema: $(READY) ## write the JSON Schemas anew
	@$(RESTBENCH) schema

render: $(READY) ## write README.md anew from results/
	@$(RESTBENCH) render

trust: prepare ## are the figures right: identical apps, known slowdowns, ratios in two ways (takes hours; PARTS=identical)
	@$(RESTBENCH) trust $(call given,PARTS)

benchmark-publish: $(DEV_READY) ## how long merging and rendering a board of ten years take
	@.venv/bin/python scripts/benchmark-publish

lock: $(READY) ## lock all dependencies anew, or one entry's: FRAMEWORK=python/falcon
	@scripts/lock $(entries)

clean: ## remove environments, caches and the last run
	rm -rf .venv .restbench out
