# SPDX-License-Identifier: GPL-2.0-only
# "make help" says what there is. What the kernel's build system reads is in Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build
KERNELS ?=
TESTS ?=
ARCH ?=
SELF := selftests

# A kernel build that was handed this folder as M= comes through Kbuild, not through here.
.DEFAULT_GOAL := all

all: tool module ## build the command, and the module if the running kernel's headers are there

help: ## this list
	@printf 'pwrctl: frequency caps as averaged pressure\n\n'
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24
	@printf '\n  KERNELS="6.1 6.12 7.3" and TESTS="name..." choose for vm, TESTS for unit,\n'
	@printf '  SUITE=bookworm|trixie for check-fresh; MIRROR= and PWRCTL_CACHE= say where packages\n'
	@printf '  come from and where the lab keeps its kernels.\n'

tool: ## the command alone
	$(MAKE) -C tool

module: ## the module alone, for the kernel whose headers are in KDIR
ifneq ($(wildcard $(KDIR)/Makefile),)
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules
else
	@echo "no kernel headers in $(KDIR): the module is not built"
endif

demo: ## the main job in a guest, live, with a picture: demo.svg
	@$(SELF)/vm/demo

check: ## unit, lint and vm: everything that can be shown on any machine
	@$(SELF)/check unit lint vm

unit: ## native tests of filter and command
	@$(SELF)/run-unit $(TESTS)

lint: ## checkpatch, sparse, kernel-doc, shellcheck and their like
	@$(SELF)/lint

vm: ## the guest tests on stock Debian kernels under QEMU
	@$(SELF)/vm/run-tests $(addprefix --kernel ,$(KERNELS)) $(TESTS)

check-debug: ## the guest tests, storms and fuzzers on a debug kernel, SEED=n; FULL=1 takes hours
	@$(SELF)/vm/check-debug $(addprefix --seed ,$(SEED)) $(if $(FULL),--full) $(TESTS)

fuzz: ## libFuzzer on the command's parsers, RUNS=n SEED=n
	@$(MAKE) -C $(SELF)/fuzz

bench: ## what a read, a push and a cap change cost
	@$(SELF)/bench

docs-session: ## the session of docs/choosing-a-decay.md in a guest, again: docs/session
	@$(SELF)/vm/docs-session

proof: ## what hints change on a big.LITTLE machine, in figures; minutes to hours, SHORT=1 for less
	@$(SELF)/proof $(addprefix --arch ,$(ARCH)) $(addprefix --kernel ,$(KERNELS)) $(if $(SHORT),--short) $(PROOF)

mutants: ## planted faults, each of which a test must find
	@$(SELF)/mutants

check-fresh: ## README's commands in a new minimal Debian, SUITE=bookworm|trixie, SHORT=1, FULL=1
	@$(SELF)/vm/check-fresh $(SUITE)

consumer-check: ## an outside module and an outside program build from installed files
	@$(SELF)/vm/consumer-check

clang-check: ## dkms builds for a kernel that clang built, from linux-source: 10 minutes
	@$(SELF)/vm/clang-check

install: ## build through dkms, install everything, load the module (as root)
	@module/install install

uninstall: ## take all of that away (as root)
	@module/install uninstall

clean: ## remove what was built here (the lab's cache stays)
	$(MAKE) -C tool clean
	$(MAKE) -C $(SELF) clean
	rm -f demo.svg
	find . -path ./.git -prune -o \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' \
		-o -name '.*.cmd' -o -name Module.symvers -o -name modules.order \) -exec rm -f {} +

.PHONY: all help tool module demo docs-session check unit lint vm bench proof mutants check-fresh \
	consumer-check clang-check install uninstall clean
