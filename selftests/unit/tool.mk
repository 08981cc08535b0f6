# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of the command's own arithmetic. Make finds its sources beside the tests.
.DEFAULT_GOAL := all
PROGRAMS += test_stats test_energy
TOOL := $(abspath ../../tool)

test_stats: test_stats.c $(TOOL)/stats.c $(TOOL)/stats.h tap.h
	$(CC) $(UNIT_CFLAGS) -D_GNU_SOURCE -I$(TOOL) $(shell pkg-config --cflags gsl) -o $@ \
		test_stats.c $(TOOL)/stats.c $(shell pkg-config --libs gsl) -lm

test_energy: test_energy.c $(TOOL)/energy.c $(TOOL)/energy.h tap.h
	$(CC) $(UNIT_CFLAGS) -I$(TOOL) -o $@ test_energy.c $(TOOL)/energy.c
