/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's kselftest harness, with time for machines that emulate theirs. */
#ifndef SELFTESTS_HARNESS_H
#define SELFTESTS_HARNESS_H

#include "kselftest_harness.h"

/* Seconds. A limit against hanging for ever: nothing is measured by it. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	500

#endif /* SELFTESTS_HARNESS_H */
