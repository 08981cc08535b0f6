#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lab: kernels=7.3-debug alone seconds=900
#
# The kernel's own selftests of CPU hotplug and of cpufreq, unmodified, with the module loaded and
# a cap in force. They must pass, and afterwards the module must know every domain it knew before.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null # from the kernel's source
. "$here/../kselftest/ktap_helpers.sh"

# passes FOLDER COMMAND...: its own output as comments
passes() {
	local folder=$here/../$1 status=0
	shift
	(cd "$folder" && "$@") >/tmp/kernels_own.out 2>&1 || status=$?
	tail -n 15 /tmp/kernels_own.out | sed 's/^/# /'
	[ "$status" = 0 ]
}

domains() { pwrctl show domain | awk 'NR > 1 { print $1 }' | sort; }

same_domains() { [ "$(domains)" = "$before" ]; }

ktap_print_header
[ -d "$here/../cpufreq" ] || {
	ktap_skip_all "the kernel's own selftests are not here"
	exit "$KSFT_SKIP"
}
modprobe pwrctl
before=$(domains)
pwrctl inject policy0 1.5GHz ttl 3600s
ktap_set_plan 3
ktap_test_result "the kernel's cpu-hotplug selftest" passes cpu-hotplug ./cpu-on-off-test.sh -a
ktap_test_result "the kernel's cpufreq selftest" passes cpufreq ./main.sh
ktap_test_result "the same domains as before" same_domains
pwrctl inject policy0 clear
rmmod pwrctl
ktap_finished
