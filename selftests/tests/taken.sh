#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module's start fails where no lack of memory makes it fail: its family's name is taken, its
# CPU hotplug state or its cpufreq notifier is refused. It then leaves nothing behind, and the next try works.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null # from the kernel's source
. "$here/../kselftest/ktap_helpers.sh"

# clean: nothing of the module is there
clean() {
	! grep -q '^pwrctl ' /proc/modules && [ ! -e /sys/kernel/debug/pwrctl ] &&
		! grep -q 'pwrctl:online' /sys/devices/system/cpu/hotplug/states
}

# refused_with PLANT: with that in its way the module does not start, without it it does
refused_with() {
	local status=0
	insmod "$here/../modules/pwrctl_test_planted.ko" plant="$1" || return 1
	modprobe pwrctl || status=$?
	clean || status=0
	rmmod pwrctl_test_planted
	[ "$status" -ne 0 ] || return 1
	modprobe pwrctl && pwrctl show && rmmod pwrctl && clean
}

ktap_print_header
ktap_set_plan 3
for plant in family state notifier; do
	if refused_with "$plant" >&2; then
		ktap_test_pass "start refused cleanly: $plant"
	else
		ktap_test_fail "start refused cleanly: $plant"
	fi
done
ktap_finished
