#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Sweeping on a machine whose kernel has no door: real caps are measured, nobody consumes the
# hints, and that is what it says. How long anything takes is nobody's business here.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

work=$(mktemp -d)

settings() { pwrctl -j get; pwrctl -j get policy0; pwrctl -j get policy2; }

load() {
	test_module pwrctl_test_qos
	modprobe pwrctl
	pwrctl set decay_ms 333
	pwrctl set policy2 mode instant fall_ms 44
	before=$(settings)
}

test_nobody_consumes() {
	load
	cap 0 1200000
	pwrctl sweep decay_ms 100,200 mode instant repeat 2 -o "$work/results" -- true >"$work/table"
	sed 's/^/# /' "$work/table"
	grep -q '^note: nobody consumed the hints' "$work/table" || fail "it is not said"
	! grep -q 'nothing was capped' "$work/table" || fail "the cap was not seen"
	expect "the settings afterwards" "$(settings)" "$before"
	expect "the number of runs" "$(grep -c '"event":"run"' "$work/results")" 12
	# whole nanoseconds are summed: of a short run the mean is a little off
	sed -n 's/.*"domain":"policy0","mean_cap_khz":\([0-9.]*\).*/\1/p' "$work/results" |
		awk '$1 < 1199000 || $1 > 1201000 { bad++ } END { exit bad != 0 || NR != 12 }' ||
		fail "the mean of the cap is wrong"
	pwrctl compare "$work/results" "$work/results" >/dev/null
}

test_nothing_capped() {
	load
	pwrctl sweep decay_ms 100 repeat 1 warmup 0 -- true >"$work/table"
	grep -q '^note: nothing was capped' "$work/table" || fail "it is not said"
	expect "the settings afterwards" "$(settings)" "$before"
}

# The settings come back whatever ends it.
test_ends() {
	local rc signal
	load
	for signal in INT TERM HUP; do
		rc=0
		# shellcheck disable=SC2016 # the command's own
		pwrctl sweep decay_ms 100 -- bash -c 'kill -'"$signal"' $PPID; exec sleep 1000' || rc=$?
		expect "the status after SIG$signal" "$rc" $((128 + $(kill -l "$signal")))
		expect "the settings after SIG$signal" "$(settings)" "$before"
	done
	rc=0
	pwrctl sweep decay_ms 100 -- bash -c 'exit 5' || rc=$?
	expect "the status" "$rc" 5
	expect "the settings after a failure" "$(settings)" "$before"
	rc=0
	pwrctl sweep decay_ms 100 repeat 1 warmup 0 -- pwrctl set pelt_shift 7 2>"$work/err" || rc=$?
	expect "the status" "$rc" 0
	grep -q 'changed by somebody else' "$work/err" || fail "it is not said"
	expect "what somebody else has set" "$(pwrctl get pelt_shift)" "pelt_shift 7"
	expect "what nobody else has set" "$(pwrctl get decay_ms)" "decay_ms 333"
}

# A disk that is full: an error, nothing left behind, and the settings as they were.
test_full_disk() {
	local disk=$work/disk rc words
	load
	mkdir -p "$disk"
	mount -t tmpfs -o size=4k tmpfs "$disk"
	# its only page
	echo mine >"$disk/other"
	for words in 'record -o' 'sweep decay_ms 100 mode instant repeat 2 warmup 0 -o'; do
		rc=0
		# shellcheck disable=SC2086 # words
		pwrctl $words "$disk/new" -- true >"$work/out" 2>"$work/err" || rc=$?
		expect "the status of ${words%% *}" "$rc" 125
		grep -q "cannot write $disk/new: No space left" "$work/err" || fail "$(cat "$work/err")"
	done
	! pwrctl save "$disk/new" 2>"$work/err" || fail "saved where no room is"
	grep -q 'No space left' "$work/err" || fail "$(cat "$work/err")"
	expect "what is there" "$(ls "$disk")" other
	umount "$disk"
	expect "the settings afterwards" "$(settings)" "$before"
}

run_tests nobody_consumes nothing_capped ends full_disk
