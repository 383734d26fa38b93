# Every target wraps plain go commands; README.md shows them too.

MODULES := . osimagestream examples internal/benchmarks
# The versions of the tools that lint runs.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0
# How long make fuzz spends on each target.
FUZZTIME ?= 20s
# How often make bench measures everything.
RUNS ?= 1

# What make mutate breaks; empty is every package that decides something.
PACKAGES ?=

# How long make soak goes on.
SOAK ?= 10m

.PHONY: help test lint bench fuzz mutate soak compat demo cluster

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/'

# The seed of property tests; empty is a new one in each run.
SEED ?=
export SEED

# With all, the race detector watches the examples and the conformance kits too.
RACE ?=

test: ## Run the tests of every module, those that others import with the race detector
	@RACE=$(RACE) sh internal/scripts/test.sh $(MODULES)

lint: ## gofmt, vet, staticcheck, govulncheck (where its data can be had), go mod tidy
	@STATICCHECK=$(STATICCHECK) GOVULNCHECK=$(GOVULNCHECK) sh internal/scripts/lint.sh $(MODULES)

bench: ## Print each performance claim as a ratio; fail if one is over its limit
	go run -C internal/benchmarks . -runs $(RUNS)

# Which fuzz targets make fuzz runs, such as FuzzParse; empty is every one.
TARGET ?=
# How many of them run at a time; empty is one for each processor.
JOBS ?=

fuzz: ## Run every fuzz target, or TARGET, for FUZZTIME
	@FUZZTIME=$(FUZZTIME) TARGET='$(TARGET)' JOBS=$(JOBS) sh internal/scripts/fuzz.sh $(MODULES)

mutate: ## Break each condition of PACKAGES and see that a test notices
	go run ./internal/mutate $(PACKAGES)

soak: ## Work the reference apiserver hard for SOAK, killing it again and again, and see that it loses nothing and does not grow
	go run -C examples ./soak -for $(SOAK) $(if $(SEED),-seed=$(SEED))

compat: ## The newest API versions; what importing adds to what the operators vendor
	go run ./internal/compat

# Which chapters make demo tells, such as ^audit$$; empty is every one.
ONLY ?=

demo: ## The whole chain on a real API server and etcd, step by step
	@echo "walkthrough: building (the first build takes minutes: etcd and an API server are compiled) ..."
	go run -C examples ./walkthrough $(if $(ONLY),-only '$(ONLY)')

# Beginnings of User-Agents, such as oc/, whose Legacy counts as not given.
IGNORE_LEGACY_FROM ?=

cluster: ## Boot the same API server, keep it up and print its KUBECONFIG line
	@echo "cluster: building (the first build takes minutes: etcd and an API server are compiled) ..."
	go run -C examples ./walkthrough -stay $(if $(IGNORE_LEGACY_FROM),-ignore-legacy-from=$(IGNORE_LEGACY_FROM))
