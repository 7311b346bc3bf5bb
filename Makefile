# restbench. Each target first installs what it needs: `make bench` or `make test` is enough to begin.
#
#   make bench FRAMEWORKS="python/falcon rust/*" SUITES=hello PROFILE=full TARGET=docker

# Variables count only on make's command line. Variables of the environment may belong to another program: a shell that
# is set up for cross-compiling has a TARGET.
given  = $(if $(filter command,$(origin $1)),$($1))
quoted = '$(subst ','\'',$1)'
comma := ,
names  = $(subst $(comma), ,$(call given,$1))

# FRAMEWORK means the same as FRAMEWORKS, and reads better with one entry: make verify FRAMEWORK=python/falcon
## FRAMEWORKS=go,php  names such as go/gin, languages, all or baselines
entries     := $(foreach name,$(call names,FRAMEWORKS) $(call names,FRAMEWORK),$(call quoted,$(name)))
## SUITES=hello,solr  suites; all by default
suites      := $(foreach name,$(call names,SUITES),--suite=$(call quoted,$(name)))
## PROFILE=full  how long to measure: smoke, quick (by default), pr, full
profile     := $(if $(call given,PROFILE),--profile=$(call quoted,$(PROFILE)))
## TARGET=docker  where apps run: native, docker, or auto (by default)
target      := $(if $(call given,TARGET),--target=$(call quoted,$(TARGET)))
## PORT=8080  the first port of native apps; free ones by default
port        := $(if $(call given,PORT),--port=$(call quoted,$(PORT)))
## OUT=folder  where bench, board and links write a run; out by default
out         := $(if $(call given,OUT),--out=$(call quoted,$(OUT)))
measured    := $(if $(call given,OUT),$(call quoted,$(OUT)/results))
## RESUME=1  bench, board and links continue an interrupted run
resume      := $(if $(filter 1,$(call given,RESUME)),--resume)
## REPLACE=1  board and links replace figures of another machine or of a larger profile
replace     := $(if $(filter 1,$(call given,REPLACE)),--replace)
## SINCE=main  verify names what changed outside of the entries
since       := $(if $(call given,SINCE),--since=$(call quoted,$(SINCE)))
## BASE=main  compare takes a commit or a folder to compare with
base        := $(call quoted,$(call given,BASE))
## INTO=folder  new writes the entry there, outside of the checkout
into        := $(if $(call given,INTO),--into=$(call quoted,$(INTO)))
## INSTALL=0  install no system packages; say which are missing
no_install  := $(if $(filter 0,$(call given,INSTALL)),--no-install)
## UPGRADE=1  lock takes the newest versions
## COVERAGE=1  test measures how many lines it runs, as test-all does, and fails if too few
coverage    := $(if $(filter 1,$(call given,COVERAGE)),--cov --cov-report=term)
## THOROUGH=1  test adds slow tests, as test-all does
thorough    := $(if $(filter 1,$(call given,THOROUGH)),,and not thorough)

# Python reads and writes UTF-8 in every locale.
export PYTHONUTF8 := 1

# restbench prints commands as they were called, so it has to know which target calls it.
RESTBENCH  = RESTBENCH_MAKE_TARGET=$@ .venv/bin/restbench
PYTEST    := .venv/bin/python -m pytest $(if $(call given,NOTED),--note-durations=$(call quoted,$(NOTED)))
# Three test files run at a time, because slow tests wait about half of their time. The tests of a file stay in one
# process, because they share what the file starts.
BESIDE    := --numprocesses=3 --dist=loadfile --no-loadscope-reorder
TOUCHED   := PYTHONPATH=scripts:. .venv/bin/python -m tests.touched
READY     := .venv/.restbench-ready
DEV_READY := .venv/.restbench-dev-ready
# what a resumed run needs was prepared before its first round
PREPARED  := $(if $(resume),$(READY),prepare)

# These targets work on one entry, and say so before anything is made.
ifneq ($(filter serve new warm-up,$(MAKECMDGOALS)),)
$(if $(entries),,$(error name an entry: make $(MAKECMDGOALS) FRAMEWORK=$(if $(filter new,$(MAKECMDGOALS)),python/apiflask,python/falcon)))
endif

.DEFAULT_GOAL := help
.PHONY: help setup prepare build bench board links verify compare serve new solr list doctor tools workflow-tools test test-all test-native test-browser test-files test-extended test-workflows test-touched test-faults test-images test-without test-fast golden lint format schema render charts warm-up trust benchmark-publish benchmark-growth benchmark-site job-times board-minutes lock clean

# Elsewhere, and in WSL 1, scripts/setup says each time what to use. A container may have set this folder up.
ifneq ($(shell uname -s)$(filter %-Microsoft,$(shell uname -r)),Linux)
.PHONY: $(READY) $(DEV_READY)
endif

##@ Begin

bench: $(PREPARED) ## measure, and write the results to out/
	@$(RESTBENCH) bench $(entries) $(suites) $(profile) $(target) $(port) $(out) $(resume)

test: $(DEV_READY) lint ## test the harness, the contract and the default entries
	@$(RESTBENCH) prepare --target=native $(no_install)
	-@$(RESTBENCH) build --target=native
	@$(PYTEST) $(BESIDE) -m "not extended $(thorough)" $(coverage)

compare: prepare ## compare entries with how they were: BASE=main
	@$(RESTBENCH) compare $(base) $(entries) $(suites) $(profile) $(target) $(out)

list: $(READY) ## list the entries
	@$(RESTBENCH) list $(entries)

doctor: $(READY) ## print what this machine has and lacks
	@$(RESTBENCH) doctor

setup: prepare ## install restbench, and what FRAMEWORKS and SUITES need

prepare: $(READY)
	@$(RESTBENCH) prepare $(entries) $(suites) $(profile) $(target) $(no_install)

$(READY): requirements.txt pyproject.toml scripts/setup
	@scripts/setup requirements.txt $@ $(no_install)

$(DEV_READY): requirements-dev.txt requirements.txt pyproject.toml scripts/setup
	@scripts/setup requirements-dev.txt $@ $(no_install)
	@touch $(READY)

tools: $(READY) ## download oha, or build it with cargo, which takes minutes
	@.venv/bin/python scripts/install-oha

clean: ## remove environments, caches and the last run
	rm -rf .venv .venv.new .restbench out

help: ## print this list
	@awk -v columns="$$(tput cols 2>/dev/null)" -f scripts/help.awk $(MAKEFILE_LIST)

##@ Add an entry

new: $(READY) ## write an entry that passes hello: FRAMEWORK=python/apiflask
	@$(RESTBENCH) new $(entries) $(into)

verify: prepare ## verify that apps keep the contract: FRAMEWORK=python/falcon
	@$(RESTBENCH) verify $(entries) $(suites) $(target) $(port) $(since)

serve: prepare ## run one app with its backend: FRAMEWORK=python/falcon
	@$(RESTBENCH) serve $(entries) $(target) $(port)

solr: $(READY) ## run Solr and its cache without an app, to develop an entry
	@$(RESTBENCH) prepare --suite=solr $(target) $(no_install)
	@$(RESTBENCH) solr $(target) $(port)

build: prepare ## build environments or images, and start nothing
	@$(RESTBENCH) build $(entries) $(target)

lock: $(READY) ## lock all dependencies, or one entry's: FRAMEWORK=go/gin
	@scripts/lock $(entries)

##@ Publish a board

board: $(PREPARED) ## measure, and update results/ and README.md
	@$(RESTBENCH) bench $(entries) $(suites) $(profile) $(target) $(port) $(out) $(resume)
	@$(RESTBENCH) merge $(measured) $(replace)
	@$(RESTBENCH) render

links: $(READY) ## measure all baselines together, and update results/links/
	@$(RESTBENCH) prepare baselines $(suites) $(target) $(no_install)
	@$(RESTBENCH) bench baselines $(suites) --profile=links $(target) $(port) $(out) $(resume)
	@$(RESTBENCH) merge $(measured) $(replace)
	@$(RESTBENCH) render

render: $(READY) ## rewrite README.md from results/
	@$(RESTBENCH) render

charts: ## draw README.md's pictures, to look at them in out/charts/
	@scripts/render-charts README.md out/charts

warm-up: prepare ## measure and draw how an app warms up: FRAMEWORK=java/jooby
	@.venv/bin/python scripts/draw-warm-up $(entries)

trust: prepare ## measure copies and known slowdowns, for hours: PARTS=boards
	@PYTHONPATH=scripts:. .venv/bin/python -m tests.trust $(call given,PARTS) $(target)

benchmark-publish: $(DEV_READY) ## measure merging and rendering after ten years of results
	@.venv/bin/python scripts/benchmark-publish

benchmark-growth: $(DEV_READY) ## measure how main and gh-pages grow in a year (20 minutes)
	@.venv/bin/python scripts/simulate-growth

benchmark-site: $(DEV_READY) ## measure the site of ten years, and how soon it can be used
	@.venv/bin/python scripts/benchmark-site

job-times: ## print how long the jobs of a workflow took: LOG=act.log
	@scripts/job-times $(foreach name,$(call given,LOG),$(call quoted,$(name)))

board-minutes: $(READY) ## estimate the minutes of a whole board, with cached layers and without: RUNNERS=16
	@for cache in warm cold; do .venv/bin/python scripts/board-minutes --cache=$$cache \
	  | scripts/job-times --runners=$(or $(call given,RUNNERS),16) /dev/stdin | sed -n "\$$s/^/$$cache: /p"; done

##@ Develop restbench

test-fast: $(DEV_READY) ## run the tests that start no apps
	@$(PYTEST) $(BESIDE) -m "not slow and not docker"

test-all: ## make test, and the mutants, all entries, images, workflows
	@noted=$$(mktemp) && trap 'rm -f "$$noted"' EXIT && code=0; \
	for part in "test THOROUGH=1 COVERAGE=1" test-extended test-workflows test-without; do \
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

test-touched: $(DEV_READY) ## verify the entries that the newest commits touched
	@names=$$($(TOUCHED) natively) && $(RESTBENCH) prepare $$names --target=native $(no_install)
# Everything is built first, as above, natively and in images at once, because builds also wait for downloads.
	-@{ names=$$($(TOUCHED) natively 2>/dev/null); [ -z "$$names" ] || $(RESTBENCH) build $$names --target=native; } & \
	  names=$$($(TOUCHED) in-images); [ -z "$$names" ] || $(RESTBENCH) build $$names --target=docker; wait
	@$(PYTEST) $(BESIDE) --touched -m extended tests/end_to_end/test_catalogue.py tests/end_to_end/test_images.py

test-without: $(DEV_READY) ## run the tests without some programs: TOOLS="oha ssh" FAST=1
	@PYTHONPATH=scripts:. .venv/bin/python -m tests.without $(call given,TOOLS) -- $(PYTEST) $(BESIDE) \
	  -m "not extended $(if $(filter 1,$(call given,FAST)),and not slow)" --ignore=tests/end_to_end/test_catalogue.py

test-faults: $(DEV_READY) ## kill runs and fill disks at random: COUNT=20 REPEATS=3
	@$(PYTEST) -m random --fault-entries=$(or $(call given,COUNT),3) --fault-repeats=$(or $(call given,REPEATS),1)

test-images: $(DEV_READY) ## verify every entry in its image
	@$(PYTEST) -m images --every-image

golden: $(DEV_READY) ## rewrite the texts that tests expect: read the diff
	@$(PYTEST) -q tests/unit --rewrite-golden

lint: $(DEV_READY) ## check code, types, imports, workflows and generated files
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@output=$$(PYTHONPATH=scripts .venv/bin/lint-imports --no-logo --no-cache 2>&1) || { echo "$$output"; exit 1; }; \
	  echo "$$output" | tail -n 1
	@$(RESTBENCH) schema --check
	@$(RESTBENCH) render --check
	@scripts/lint-workflows

format: $(DEV_READY) ## format the code
	@.venv/bin/ruff check --fix .
	@.venv/bin/ruff format .

schema: $(READY) ## rewrite the JSON Schemas
	@$(RESTBENCH) schema

workflow-tools: ## build actionlint and act, which check and run workflows
	@scripts/install-workflow-tools
