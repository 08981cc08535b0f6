// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two writers change their requests on one policy at the same moment, again and again: what the
 * module says afterwards is the aggregate, every time. The race itself is in pwrctl_test_race.ko.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../lib/harness.h"
#include "../lib/nl.h"
#include "../lib/sys.h"

#define POLICY	"policy0"
#define RUN	SYS_DEBUGFS "/pwrctl_test_race/run"
#define ROUNDS	100000

TEST(final_cap_is_the_aggregate)
{
	unsigned long rounds = 0, wrong = 0, overlapped = 0;
	struct nl_domain domain;
	char text[256] = "";
	struct nl nl;

	ASSERT_EQ(0, sys_insert("pwrctl"));
	ASSERT_EQ(0, sys_insert_test_module("pwrctl_test_race", ""));
	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_set_one(&nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_INSTANT));
	ASSERT_EQ(0, nl_domain(&nl, POLICY, &domain));

	EXPECT_EQ(0, sys_write(RUN, "0 %u %u", domain.reference, ROUNDS));
	EXPECT_LT(0, sys_read(RUN, text, sizeof(text)));
	TH_LOG("%s", text);
	EXPECT_EQ(3, sscanf(text, "rounds %lu wrong %lu overlapped %lu", &rounds, &wrong,
			    &overlapped));
	EXPECT_EQ(ROUNDS, rounds);
	EXPECT_EQ(0, wrong);
	/* one that never overlaps shows nothing */
	EXPECT_LT(ROUNDS / 100, overlapped);

	/* both requests are gone: so is their cap */
	EXPECT_EQ(0, nl_domain(&nl, POLICY, &domain));
	EXPECT_EQ(0, domain.cap);
	EXPECT_EQ(0, domain.average);

	nl_close(&nl);
	EXPECT_EQ(0, sys_remove("pwrctl_test_race"));
	EXPECT_EQ(0, sys_remove("pwrctl"));
}

TEST_HARNESS_MAIN
