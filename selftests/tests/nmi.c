// SPDX-License-Identifier: GPL-2.0-only
/*
 * lab: kernels=7.3-debug seconds=900
 *
 * Hints are read in non-maskable interrupts on every CPU while caps change as fast as they can.
 * No read hangs, none sees what no cap so far allows. What sends them is pwrctl_test_nmi.ko.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../lib/harness.h"
#include "../lib/nl.h"
#include "../lib/sys.h"

#define COUNTS		SYS_DEBUGFS "/pwrctl_test_nmi/counts"
#define POLICIES	2
#define WRITES		10000

static const char *const names[POLICIES] = { "policy0", "policy2" };

static int set_max(const char *policy, unsigned int khz)
{
	char path[128];

	snprintf(path, sizeof(path), SYS_CPUFREQ "/%s/scaling_max_freq", policy);
	return sys_write(path, "%u", khz);
}

TEST(reads_through_writes)
{
	static const unsigned int percent[] = { 80, 40, 60 };
	unsigned long handled = 0, inside = 0, wrong = 0, i;
	unsigned long writes = sys_option("lab.writes", WRITES);
	struct nl_domain domain;
	char text[128] = "";
	unsigned int p;
	struct nl nl;
	int ret = 0;

	ASSERT_EQ(0, sys_insert("pwrctl"));
	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_set_one(&nl, NULL, PWRCTL_A_SET_COUNT, 1u << PWRCTL_CAUSE_USER));
	ASSERT_EQ(0, nl_domain(&nl, names[0], &domain));
	/* from a settled average on: 20 to 60 percent are missing at any time */
	for (p = 0; p < POLICIES; p++)
		ASSERT_EQ(0, set_max(names[p], domain.reference / 100 * 80));
	ASSERT_EQ(0, nl_set_one(&nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_INSTANT));
	ASSERT_EQ(0, nl_set_one(&nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_DECAY));
	ASSERT_EQ(0, nl_set_one(&nl, NULL, PWRCTL_A_SET_DECAY_MS, 2));
	snprintf(text, sizeof(text), "least=%u most=%u", PWRCTL_SCALE * 20 / 100 - 1,
		 PWRCTL_SCALE * 60 / 100 + 1);
	ASSERT_EQ(0, sys_insert_test_module("pwrctl_test_nmi", text));

	for (i = 0; i < writes && !ret; i++)
		ret = set_max(names[i % POLICIES], domain.reference / 100 * percent[i % 3]);
	EXPECT_EQ(0, ret);
	EXPECT_LT(0, sys_read(COUNTS, text, sizeof(text)));
	TH_LOG("%s", text);
	EXPECT_EQ(3, sscanf(text, "handled %lu inside %lu wrong %lu", &handled, &inside, &wrong));
	EXPECT_LT(0, handled);
	EXPECT_EQ(0, wrong);

	EXPECT_EQ(0, sys_remove("pwrctl_test_nmi"));
	for (p = 0; p < POLICIES; p++)
		EXPECT_EQ(0, set_max(names[p], domain.reference));
	nl_close(&nl);
	EXPECT_EQ(0, sys_remove("pwrctl"));
	sys_count("nmi_reads", handled);
	sys_count("nmi_inside", inside);
	sys_count("caps", i);
}

TEST_HARNESS_MAIN
