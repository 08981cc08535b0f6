#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1 --capacities none,none,none,none
#
# A door that leads nowhere: before 6.10 the scheduler learns its frequencies along with the device
# tree's capacities, or not at all.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

hw=$debug/pwrctl_test_hw
door() { awk -v key="$1" '$1 == key { print $2 }' "$debug/pwrctl/domains/policy0/door"; }

test_nothing_is_told() {
	other_writer feed=0
	modprobe pwrctl
	echo instant >"$debug/pwrctl/mode"
	expect state "$(door state)" dead
	nlq inject policy0 1000000 600000 >/dev/null
	wait_domain policy0 average 512
	expect pushes "$(door pushes)" 0
	expect "what stands" "$(awk 'NF == 2 && $2' "$hw/stands")" ""
	nlq inject policy0 clear >/dev/null
}

test_doctor_says_so() {
	modprobe pwrctl
	pwrctl doctor >/tmp/doctor
	expect "doctor's lines" "$(grep -c 'door .*policy0: .*: nothing is told$' /tmp/doctor)" 1
}

run_tests nothing_is_told doctor_says_so
