#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Boost: a frequency that a machine reaches now and then is not its full capacity. With it as the
# reference, a machine that nobody caps would seem capped for ever.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

# Every CPU of every domain, by every view
expect_nothing() {
	local cpu domain pressure average hint count=0
	while read -r cpu domain pressure average hint; do
		[ "$pressure $average" = "0 0" ] ||
			fail "cpu $cpu of $domain: pressure $pressure, average $average, hint $hint"
		count=$((count + 1))
	done < <(nlq cpus)
	[ "$count" -gt 1 ] || fail "$count CPUs"
	for domain in policy0 policy2; do
		expect_domain "$domain" cause none cap 0 pressure 0 average 0 reference 3000000 origin 2
	done
}

test_module_after_driver() {
	real_driver_out
	test_module pwrctl_test_driver boost_khz=4200000
	expect cpuinfo_max_freq "$(cat "$cpufreq/policy0/cpuinfo_max_freq")" 4200000
	modprobe pwrctl
	expect_nothing
}

test_driver_after_module() {
	real_driver_out
	modprobe pwrctl
	test_module pwrctl_test_driver boost_khz=4200000
	expect_nothing
}

test_caps_count_from_the_reference() {
	real_driver_out
	test_module pwrctl_test_driver boost_khz=4200000
	test_module pwrctl_test_qos
	modprobe pwrctl
	cap 0 3500000
	expect_domain policy0 cause none cap 0 pressure 0
	cap 0 1500000
	expect_domain policy0 cause other cap 1500000 pressure 512
	cap 0 0
	expect_domain policy0 cause none pressure 0
}

# Asked-for boost-off is a wish: no heat, no pressure
test_boost_switch() {
	local on
	real_driver_out
	test_module pwrctl_test_driver boost_khz=4200000 boost_switch=1
	modprobe pwrctl
	expect_nothing
	for on in 1 0 1 0; do
		echo "$on" >"$cpufreq/boost"
		# the kernel leaves the maximum where it is when boost goes off again
		[ "$on" = 0 ] || wait_for maximum_is 4200000
		wait_domain policy0 cause none pressure 0 thermal 0
		expect_nothing
	done
}

maximum_is() {
	local max
	read -r max <"$cpufreq/policy0/scaling_max_freq"
	[ "$max" = "$1" ]
}

[ $# -gt 0 ] || set -- module_after_driver driver_after_module caps_count_from_the_reference boost_switch
run_tests "$@"
