#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Plants the fault that lab.plant= on the kernel's command line names. No test of its own: the
# look at the machine that follows every test on the debug kernel has to find it.
set -euo pipefail
plant=$(sed -n 's/.*\blab\.plant=\([a-z]*\).*/\1/p' /proc/cmdline)
[ -n "$plant" ] || {
	echo '1..0 # SKIP nothing to plant'
	exit 4
}
echo 1..1
insmod ../modules/pwrctl_test_planted.ko plant="$plant"
rmmod pwrctl_test_planted
echo "ok 1 planted $plant"
