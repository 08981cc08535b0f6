#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# lab: alone seconds=1200 --icount
#
# The kernel's own number: what the run queues average from what the door is fed, sampled where the
# scheduler computes it, against the module's average in closed form. All times are the guest's,
# and the guest counts instructions: a host that is busy elsewhere stretches its time, so that it
# sees few late ticks. Those that it sees are told and not judged.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

tracing=/sys/kernel/tracing
settings=$debug/pwrctl
busy=()
# The scheduler's own half-life, in ms; before 6.10 a boot option makes it longer
kernel_half=$(awk -v old="$([ ! -d "$tracing/events/thermal_pressure" ] || echo 1)" '
	{ for (i = 1; i <= NF; i++) if (sub("^sched_thermal_decay_shift=", "", $i)) shift = $i }
	END { printf "%.6f\n", 33.554432 * (old ? 2 ^ shift : 1) }' /proc/cmdline)

prepare() {
	[ -r /sys/kernel/btf/vmlinux ] || skip "this kernel does not say where its run queues keep their average"
	unload pwrctl_test_hw pwrctl
	loaded pwrctl_test_cpufreq || test_module pwrctl_test_cpufreq
	modprobe pwrctl
	echo 0 >"$tracing/tracing_on"
	echo boot >"$tracing/trace_clock"
	echo 8192 >"$tracing/buffer_size_kb"
	echo 1 >"$tracing/events/pwrctl/pwrctl_cap/enable"
	echo 1 >"$tracing/events/pwrctl/pwrctl_hint/enable"
	trap 'kill "${busy[@]}"' EXIT
	"$here/pelt_trace" >/tmp/pelt_trace &
	busy+=($!)
	wait_for grep -qx tracing /tmp/pelt_trace
}

# keep_busy CPU...
keep_busy() {
	local cpu
	for cpu in "$@"; do
		taskset -c "$cpu" bash -c 'while :; do :; done' &
		busy+=($!)
	done
}

# record SECONDS: from rest, a step of 768 up for so long and down for as long
record() {
	local mode
	mode=$(cat "$settings/mode")
	# what the last step left behind is in no trace
	echo instant >"$settings/mode"
	wait_domain policy2 average 0
	echo "$mode" >"$settings/mode"
	sleep 1
	echo >"$tracing/trace"
	echo 1 >"$tracing/tracing_on"
	sleep 0.2
	nlq inject policy2 500000 600000 >/dev/null
	sleep "$1"
	nlq inject policy2 clear >/dev/null
	sleep "$1"
	echo 0 >"$tracing/tracing_on"
}

# What both judges need: the fields of a line, and the steps
# shellcheck disable=SC2016 # awk's
fields='
	function value(key, i) {
		for (i = 1; i <= NF; i++) if (index($i, key "=") == 1) return substr($i, length(key) + 2)
	}
	function pressure() {
		return value("cap_khz") > 0 ? 1024 * (1 - value("cap_khz") / value("reference_khz")) : 0
	}
	function when(i) {
		for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) return $i + 0
	}
	function abs(x) { return x < 0 ? -x : x }'

# judge HALF_MS CPU...: "SAMPLES WORST AT-REST WORST-AT-REST LATE PUSHES" over these CPUs. A domain is
# at rest when the module has told its last value and the scheduler has averaged that, six of its
# half-lives later. LATE samples are those whose predecessor is over 8 ms older and those within
# five of the scheduler's half-lives after that, or after a push that came later than a quantum and
# a half.
judge() {
	local half=$1
	shift
	awk -v half="$half" -v kernel="$kernel_half" -v wanted=" $* " "$fields"'
	function model(t) { return at + (from - at) * 2 ^ (-(t - since) * 1000 / half) }
	/ pwrctl_cap: / && value("domain") == "policy2" {
		t = value("clock_ns") / 1e9
		from = model(t); since = t; at = pressure(); told = 1e9
	}
	/ pwrctl_hint: / && value("domain") == "policy2" {
		t = value("clock_ns") / 1e9; pushes++
		if (t != since && abs(value("average") - pushed) > 24) late_until = t + .005 * kernel
		pushed = value("average")
		if (pushed == at) told = t
	}
	/ hw: / && index(wanted, " " value("cpu") " ") {
		t = when(); cpu = value("cpu")
		gap = t - last[cpu]; last[cpu] = t
		if (gap > .008) skip[cpu] = t + .005 * kernel
		if (t < skip[cpu] || t < late_until) { late++; next }
		samples++
		error = abs(value("load") - model(t))
		if (error > worst) worst = error
		if (t <= told + .006 * kernel) next
		quiet++
		if (error > quiet_worst) quiet_worst = error
	}
	BEGIN { since = -1e9; told = 1e9 }
	END { printf "%d %.1f %d %.1f %d %d\n", samples, worst, quiet, quiet_worst, late, pushes }' "$tracing/trace"
}

# judge_plain: "SAMPLES WORST WHICH" of both big CPUs against the scheduler's own average of the pressure
# itself, each computed from the sample before, whose age does not matter. Time is the run queue's
# own: between its look at the clock and the trace event the machine may have run another CPU.
judge_plain() {
	awk -v kernel="$kernel_half" "$fields"'
	/ pwrctl_cap: / && value("domain") == "policy2" {
		before = at; at = pressure(); since = value("clock_ns") / 1e9
	}
	/ hw: / && (value("cpu") == 2 || value("cpu") == 3) {
		t = when(); cpu = value("cpu"); load = value("load"); clock = value("at") / 1e9
		if (cpu in last) {
			samples++
			fade = 2 ^ (-(clock - last[cpu]) * 1000 / kernel)
			least = most = at + (loads[cpu] - at) * fade
			# it may have looked before the cap, or before and after it
			if (t - since < .02) {
				other = before + (loads[cpu] - before) * fade
				if (other < least) least = other
				if (other > most) most = other
			}
			error = load < least ? least - load : load > most ? load - most : 0
			if (error > worst) {
				worst = error
				told = sprintf("CPU %d, %.6f s after a cap: %d, %.6f s before %d", cpu,
					       t - since, load, clock - last[cpu], loads[cpu])
			}
		}
		last[cpu] = clock; loads[cpu] = load
	}
	END { printf "%d %.1f %s\n", samples, worst, told }' "$tracing/trace"
}

# measure HALF_MS SECONDS CPU...: sets samples, worst, quiet, quiet_worst, late and pushes
measure() {
	local half=$1 seconds=$2
	shift 2
	echo "$half" >"$settings/decay_ms"
	record "$seconds"
	read -r samples worst quiet quiet_worst late pushes < <(judge "$half" "$@")
}

test_follows() {
	local half
	prepare
	keep_busy 2 3
	for half in 125 250 500 1000; do
		awk -v h="$half" -v k="$kernel_half" 'BEGIN { exit !(h > k) }' || {
			say "decay $half: the scheduler's own half-life is $kernel_half ms"
			continue
		}
		# 11.6 half-lives until the last value is told, and some time at rest
		measure "$half" "$(awk -v h="$half" 'BEGIN { print 11.6 * h / 1000 + .7 }')" 2 3
		say "decay $half: $samples samples ($late late), at most $worst of 1024 away; $quiet at rest," \
			"at most $quiet_worst away; $pushes pushes"
		[ "$samples" -ge 200 ] || fail "only $samples samples"
		[ "$quiet" -ge 100 ] || fail "only $quiet samples at rest"
		awk -v w="$worst" -v q="$quiet_worst" 'BEGIN { exit !(w <= 24 && q <= 4) }' ||
			fail "decay $half: $worst away, at rest $quiet_worst"
	done
}

test_needs_compensation() {
	local half
	prepare
	echo none >"$settings/outlet"
	# what it feeds is no cap
	echo injected >"$settings/count"
	other_writer feed=1
	keep_busy 2 3
	for half in 125 250 500; do
		measure "$half" 1 2 3
		say "decay $half fed as it is: $samples samples ($late late), up to $worst of 1024 away"
		awk -v w="$worst" 'BEGIN { exit !(w > 24) }' || fail "decay $half: only $worst away"
	done
}

test_plain_pelt() {
	local mode
	prepare
	keep_busy 2 3
	for mode in instant pelt; do
		echo "$mode" >"$settings/mode"
		record 1
		read -r samples worst which < <(judge_plain)
		say "$mode: $samples samples, at most $worst of 1024 from the kernel's average of the pressure"
		[ "$samples" -ge 200 ] || fail "only $samples samples"
		awk -v w="$worst" 'BEGIN { exit !(w <= 4) }' || fail "$mode: $worst away: $which"
	done
}

# What an idle CPU has is only told: the kernel applies to its whole sleep what stands at the end
test_idle_is_told() {
	prepare
	keep_busy 2
	measure 250 2 3
	say "decay 250, an idle CPU: $samples samples in time, $late others, at most $worst of 1024 away"
}

run_tests follows needs_compensation plain_pelt idle_is_told
