#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Causes: who caps is told apart, within a second and a half, whoever hides behind whom.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

with_user=0x6e

load() {
	modprobe pwrctl
	expect_domain policy0 cause none pressure 0
}

# ACPI's cooling device; on 6.1 it was registered before cpufreq and has no states
acpi_cooling() {
	processor=$(cooling_device Processor)
	[ "$(cat "$processor/max_state")" -gt 0 ] || skip "the Processor cooling device has no states here"
}

cooling_state() { echo "$1" >"$processor/cur_state"; }
is_cooling() { [ "$(cat "$processor/cur_state")" -gt 0 ]; }
is_not_cooling() { [ "$(cat "$processor/cur_state")" -eq 0 ]; }

test_governor_heats_and_cools() {
	acpi_cooling
	load
	heat 95
	wait_for is_cooling
	soon policy0 cause thermal
	[ "$(nlq get policy0 pressure)" -gt 0 ] || fail "heat makes no pressure"
	heat 20
	wait_for is_not_cooling
	soon policy0 cause none pressure 0
}

test_cooling_state_from_user_space() {
	acpi_cooling
	load
	cooling_state 2
	soon policy0 cause thermal cap 1800000 thermal 1800000 pressure 410
	cooling_state 3
	soon policy0 cause thermal cap 1200000 pressure 614
	cooling_state 0
	soon policy0 cause none cap 0 thermal 0 pressure 0
}

test_heat_behind_a_user_limit_user_leaves_first() {
	acpi_cooling
	load
	user policy0 1200000
	soon policy0 user 1200000 cause none pressure 0
	cooling_state 2
	soon policy0 cause thermal cap 1800000 user 1200000 pressure 410
	user policy0 3000000
	soon policy0 cause thermal cap 1800000 user 0
	cooling_state 0
	soon policy0 cause none pressure 0
}

test_heat_behind_a_user_limit_heat_leaves_first() {
	acpi_cooling
	load
	user policy0 1200000
	cooling_state 2
	soon policy0 cause thermal cap 1800000
	cooling_state 0
	soon policy0 cause none pressure 0 user 1200000 thermal 0
	user policy0 3000000
	soon policy0 cause none user 0
}

test_user_behind_heat() {
	acpi_cooling
	load
	nlq set count "$with_user"
	cooling_state 3
	user policy0 1800000
	soon policy0 cause thermal cap 1200000 user 1800000
	cooling_state 0
	soon policy0 cause user cap 1800000 thermal 0
	cooling_state 3
	soon policy0 cause thermal cap 1200000
	user policy0 3000000
	soon policy0 cause thermal cap 1200000 user 0
	cooling_state 0
	soon policy0 cause none cap 0
}

test_user_limit_is_no_pressure_unless_it_counts() {
	load
	user policy0 1200000
	soon policy0 user 1200000
	expect_domain policy0 cause none cap 0 pressure 0
	nlq set count "$with_user"
	soon policy0 cause user cap 1200000 pressure 614
	nlq reset
	soon policy0 cause none cap 0 pressure 0 user 1200000
}

test_drivers_request_is_other() {
	test_module pwrctl_test_qos
	load
	cap 0 1500000
	soon policy0 cause other cap 1500000 user 0 pressure 512
	user policy0 2400000
	soon policy0 cause other cap 1500000 user 2400000
	cap 0 0
	soon policy0 cause none cap 0 other 0 user 2400000
}

bios_limit_is() { [ "$(cat "$cpufreq/policy0/bios_limit")" = "$1" ]; }

test_firmware_limit_is_other() {
	type ppc >/dev/null 2>&1 || skip "the machine's firmware cannot be asked for a limit"
	load
	ppc 1
	wait_for bios_limit_is 2400000
	soon policy0 cause other cap 2400000 other 2400000 thermal 0 user 0
	ppc 0
	wait_for bios_limit_is 3000000
	soon policy0 cause none cap 0 other 0
}

# As on device tree machines: nobody announces a state written from user space
test_cooling_device_of_the_policy() {
	real_driver_out
	test_module pwrctl_test_driver cooling=1
	load
	processor=$(cooling_device pwrctl_test_cpu0)
	cooling_state 2
	soon policy0 cause thermal cap 1800000 pressure 410
	cooling_state 0
	soon policy0 cause none thermal 0 pressure 0
	user policy0 1200000
	soon policy0 user 1200000
	cooling_state 1
	soon policy0 cause thermal cap 2400000 user 1200000
	user policy0 3000000
	soon policy0 cause thermal cap 2400000 user 0
	cooling_state 0
	soon policy0 cause none pressure 0
}

[ $# -gt 0 ] || set -- governor_heats_and_cools cooling_state_from_user_space \
	heat_behind_a_user_limit_user_leaves_first heat_behind_a_user_limit_heat_leaves_first \
	user_behind_heat user_limit_is_no_pressure_unless_it_counts drivers_request_is_other \
	firmware_limit_is_other cooling_device_of_the_policy
run_tests "$@"
