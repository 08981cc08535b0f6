#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel that is locked down after boot, as Secure Boot does it from the start: what can still be
# read, what can still be set, and what doctor says when the module is refused. Lockdown cannot be
# taken back: a guest of its own.
# lab: alone kernels=7.3
set -euo pipefail
. "$(dirname "$0")/../lib/lib.sh"

lockdown=/sys/kernel/security/lockdown

# Heating writes to a port, which is no longer allowed
restore_machine() { unload pwrctl; }

first_line() { head -n 1 <<<"$1"; }

lock_down() {
	[ -e "$lockdown" ] || mount -t securityfs securityfs /sys/kernel/security
	[ -e "$lockdown" ] || skip "a kernel without lockdown"
	echo confidentiality >"$lockdown"
	grep -qF '[confidentiality]' "$lockdown"
}

test_loaded_before() {
	local f said
	modprobe pwrctl
	lock_down
	for f in summary cpus stats domains/policy0/average; do
		[ -n "$(cat "$debug/pwrctl/$f")" ] || fail "$f cannot be read"
	done
	if cat "$debug/pwrctl/decay_ms" 2>/dev/null; then
		fail "lockdown does not hide what can be written"
	fi
	pwrctl set decay_ms 500
	[[ $(pwrctl get decay_ms) == *500* ]] || fail "a setting was not taken"
	said=$(pwrctl doctor)
	expect verdict "$(first_line "$said")" 'working, nobody consumes hints on this kernel'
	grep -qE '^note +lockdown +confidentiality: only read-only files of debugfs' <<<"$said"
}

# dkms signs with a key that this kernel does not know
test_refused() {
	local said rc=0
	if modprobe pwrctl 2>/dev/null; then fail "a locked down kernel took the module"; fi
	said=$(pwrctl doctor) || rc=$?
	say "$(first_line "$said")"
	expect status "$rc" 3
	[[ $said == 'not loaded: lockdown (confidentiality): this kernel refuses modules'* ]] ||
		fail "doctor says '$(first_line "$said")'"
	[[ $said == *'mokutil --import /var/lib/dkms/mok.pub'* ]] || fail "no line to enrol the key"
	rc=0
	said=$(pwrctl show 2>&1) || rc=$?
	expect "status of show" "$rc" 3
}

run_tests loaded_before refused
