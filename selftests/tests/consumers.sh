#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.12,7.3
#
# Consumers by BPF: programs that ask for hints, and a sched_ext scheduler that follows them.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

settings=$debug/pwrctl

prepare() {
	[ -x "$here/scx_pwrctl" ] || skip "not built: the kernel's headers have no BTF"
	if [ "$(uname -m)" = aarch64 ]; then
		loaded pwrctl_test_cpufreq || test_module pwrctl_test_cpufreq
	fi
	modprobe pwrctl
	echo instant >"$settings/mode"
	expect kfuncs "$(awk '$1 == "kfuncs" { print $2 }' "$settings/stats")" 1
}

# A program that ended lets go of the module a grace period later
leave() { wait_for rmmod pwrctl 2>/dev/null; }

scx() { "$here/scx_pwrctl" "$@"; }
inject() { nlq inject policy2 "$1" 600000 >/dev/null; }
reference() { awk '{ print $1 }' "$debug/pwrctl/domains/policy2/reference"; }

test_ask() {
	prepare
	inject $(($(reference) / 2))
	expect "capacity and pressure of CPU 3" "$(scx ask | awk '$1 == 3 { print $2, $3 }')" "512 512"
	expect "hints of all CPUs" "$(scx ask | awk '$1 < 64 { print $1, $2 }')" \
		"$(awk '$1 ~ /^[0-9]+$/ { print $1, $6 }' "$settings/cpus")"
	expect "CPUs that cannot exist" "$(scx ask | awk '$1 >= 64 { print $2, $3 }' | sort -u)" "0 0"
	leave
}

test_sees_hints() {
	local seen
	prepare
	scx hints 20000 >/tmp/seen &
	wait_for grep -qx 'traced 1' "$settings/stats"
	inject $(($(reference) / 2))
	wait $!
	read -r seen </tmp/seen
	[ "$seen" -ge 1 ] || fail "no event seen"
	leave
}

# The part of the work that the second domain's CPUs did
share() { scx run 2 2000 | awk '{ all += $2; if ($1 > 1) capped += $2 } END { printf "%.3f\n", capped / all }'; }

# What it should be by the hints
hinted() { awk '$1 ~ /^[0-9]+$/ { all += $6; if ($1 > 1) capped += $6 } END { printf "%.3f\n", capped / all }' "$settings/cpus"; }

test_scheduler_follows() {
	local free capped
	prepare
	[ -d /sys/kernel/sched_ext ] || skip "no sched_ext in this kernel"
	free="$(hinted) $(share)"
	inject $(($(reference) / 4))
	capped="$(hinted) $(share)"
	say "the second domain's part, as hinted and as worked: free $free, capped $capped"
	awk -v f="${free#* }" -v c="${capped#* }" -v h="${capped% *}" \
		'BEGIN { d = c - h; exit !(c < f && d < .1 && d > -.1) }' || fail "the hints are not followed"
	leave
}

test_holds_the_module() {
	prepare
	[ -d /sys/kernel/sched_ext ] || skip "no sched_ext in this kernel"
	scx run 1 2000 >/tmp/work &
	wait_for grep -qx enabled /sys/kernel/sched_ext/state
	if rmmod pwrctl; then fail "unloaded under its scheduler"; fi
	wait $!
	leave
}

run_tests ask sees_hints scheduler_follows holds_the_module
