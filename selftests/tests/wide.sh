#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lab: kernels=7.3-debug alone seconds=1200 --smp 64 --domain 1 --mem 3G
#
# 64 CPUs, each a frequency domain of its own: all of them are there, each has the cap and the
# settings that were meant for it and no other, dumps bring every one once, and all of it goes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null # from the kernel's source
. "$here/../kselftest/ktap_helpers.sh"

cpus=$(nproc)
# names OBJECT: what "show" lists, one name a line
names() { pwrctl show "$1" | awk 'NR > 1 { print $1 }' | sort -u; }

all_there() { [ "$(names domain | wc -l)" = "$cpus" ] && [ "$(names cpu | wc -l)" = "$cpus" ]; }

# Every domain's own cap, in MHz 1300 and its number: what policy7 says is not what policy8 says
inject_all() {
	local n
	for ((n = 0; n < cpus; n++)); do
		pwrctl inject "policy$n" "$((1300 + n))MHz" ttl 3600s || return
	done
}

own_caps() {
	local n
	for ((n = 0; n < cpus; n++)); do
		[ "$(head -n 1 "/sys/kernel/debug/pwrctl/domains/policy$n/cap_khz")" = "$(((1300 + n) * 1000))" ] || {
			echo "# policy$n: $(cat "/sys/kernel/debug/pwrctl/domains/policy$n/cap_khz")"
			return 1
		}
	done
}

own_settings() {
	pwrctl set policy63 decay_ms 77 && [ "$(pwrctl get policy63 decay_ms | grep -c 77)" = 1 ] &&
		[ "$(pwrctl get policy62 decay_ms | grep -c 77)" = 0 ]
}

half_offline() {
	local n
	for ((n = 1; n < cpus; n += 2)); do echo 0 >"/sys/devices/system/cpu/cpu$n/online"; done
	own_caps || return
	for ((n = 1; n < cpus; n += 2)); do echo 1 >"/sys/devices/system/cpu/cpu$n/online"; done
	all_there && own_caps
}

clear_all() {
	local n
	for ((n = 0; n < cpus; n++)); do pwrctl inject "policy$n" clear || return; done
}

gone() { rmmod pwrctl && [ ! -e /sys/kernel/debug/pwrctl ] && modprobe pwrctl && all_there && rmmod pwrctl; }

ktap_print_header
[ "$cpus" = 64 ] || {
	ktap_skip_all "64 CPUs are wanted, here are $cpus"
	exit "$KSFT_SKIP"
}
modprobe pwrctl
ktap_set_plan 7
ktap_test_result "64 domains and 64 CPUs" all_there
ktap_test_result "a cap for each" inject_all
ktap_test_result "each has its own cap" own_caps
ktap_test_result "each has its own settings" own_settings
ktap_test_result "half of the CPUs off and on" half_offline
ktap_test_result "all caps cleared" clear_all
ktap_test_result "the module goes and comes back" gone
echo "# count hotplugs $cpus"
ktap_finished
