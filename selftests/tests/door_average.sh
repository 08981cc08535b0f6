#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=7.3
#
# The kernel's own number: what the run queues average from what the door is fed, sampled where the
# scheduler computes it, against the module's average in closed form. All times are the guest's.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

tracing=/sys/kernel/tracing
settings=$debug/pwrctl
busy=()

prepare() {
	unload pwrctl_test_hw pwrctl
	loaded pwrctl_test_cpufreq || test_module pwrctl_test_cpufreq
	modprobe pwrctl
	echo 0 >"$tracing/tracing_on"
	[ -d "$tracing/events/pw" ] || echo 't:pw/hw pelt_hw_tp cpu=rq->cpu load=rq->avg_hw.load_avg' \
		>"$tracing/dynamic_events"
	echo boot >"$tracing/trace_clock"
	echo 8192 >"$tracing/buffer_size_kb"
	echo 1 >"$tracing/events/pw/hw/enable"
	echo 1 >"$tracing/events/pwrctl/pwrctl_cap/enable"
}

keep_busy() {
	local cpu
	for cpu in 2 3; do
		taskset -c "$cpu" bash -c 'while :; do :; done' &
		busy+=($!)
	done
}

# record TIME: a step up for that many seconds and down for as many
record() {
	# from rest: what the last step left behind is in no trace
	echo instant >"$settings/mode"
	wait_domain policy2 average 0
	echo decay >"$settings/mode"
	sleep 1
	echo >"$tracing/trace"
	echo 1 >"$tracing/tracing_on"
	nlq inject policy2 400000 600000 >/dev/null
	sleep "$1"
	nlq inject policy2 clear >/dev/null
	sleep "$1"
	echo 0 >"$tracing/tracing_on"
}

# judge HALF_MS REST_S: "SAMPLES WORST WORST-AT-REST" of both big CPUs; a domain is at rest REST_S
# seconds after a step
judge() {
	awk -v half="$1" -v rest="$2" '
	function model(t) { return at + (from - at) * exp(-(t - since) * 1000 / half * log(2)) }
	function value(key, i) {
		for (i = 1; i <= NF; i++) if (index($i, key "=") == 1) return substr($i, length(key) + 2)
	}
	/ pwrctl_cap: / && value("domain") == "policy2" {
		t = value("clock_ns") / 1e9
		from = model(t); since = t
		at = value("cap_khz") > 0 ? 1024 * (1 - value("cap_khz") / value("reference_khz")) : 0
		steps++
	}
	/ hw: / && (value("cpu") == 2 || value("cpu") == 3) && steps {
		for (i = 1; i <= NF; i++) if ($i == "hw:") break
		t = $(i - 1) + 0; cpu = value("cpu")
		gap = t - last[cpu]; last[cpu] = t
		if (gap > .008) next
		samples++
		error = value("load") - model(t); if (error < 0) error = -error
		if (error > worst) worst = error
		if (t - since > rest && error > quiet) quiet = error
	}
	BEGIN { since = at = from = 0 }
	END { printf "%d %.1f %.1f\n", samples, worst, quiet }' "$tracing/trace"
}

# measure HALF_MS: sets samples, worst and quiet
measure() {
	local seconds rest
	echo "$1" >"$settings/decay_ms"
	seconds=$(awk -v h="$1" 'BEGIN { s = 4 * h / 1000; print s < 1 ? 1 : s }')
	rest=1e9
	[ "$1" -gt 125 ] || { seconds=3; rest=2; }
	record "$seconds"
	read -r samples worst quiet < <(judge "$1" "$rest")
}

test_follows() {
	local half
	prepare
	keep_busy
	trap 'kill "${busy[@]}"' EXIT
	for half in 125 250 500 1000; do
		measure "$half"
		say "decay $half: $samples samples, at most $worst of 1024 away, at rest $quiet"
		[ "$samples" -ge 200 ] || fail "only $samples samples"
		awk -v w="$worst" -v q="$quiet" 'BEGIN { exit !(w <= 24 && q <= 4) }' ||
			fail "decay $half: $worst away, at rest $quiet"
	done
}

test_needs_compensation() {
	local half
	prepare
	echo none >"$settings/outlet"
	test_module pwrctl_test_hw feed=1
	keep_busy
	trap 'kill "${busy[@]}"' EXIT
	for half in 125 250 500; do
		measure "$half"
		say "decay $half fed as it is: $samples samples, up to $worst of 1024 away"
		awk -v w="$worst" 'BEGIN { exit !(w > 24) }' || fail "decay $half: only $worst away"
	done
}

run_tests follows needs_compensation
