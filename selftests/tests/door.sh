#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The door, on a device tree machine: what the scheduler is told, next to another writer.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

hw=$debug/pwrctl_test_hw
view=$debug/pwrctl/domains/policy2
settings=$debug/pwrctl

# What the kernel has for a big CPU
stands() { awk '$1 == 2 && NF == 2 { print $2 }' "$hw/stands"; }

# wait_stands VALUE: it will stand there, and more than 200 ms after it was written is told
wait_stands() {
	local now=0 last=0 first=0 written value=none
	while [ "$value" != "$1" ]; do
		read -r now last written < <(head -n 1 "$hw/stands")
		value=$(stands)
		# what is late on a machine that others keep busy is told; what never comes fails
		[ "$first" != 0 ] || first=$now
		[ "$last" -gt "$first" ] || last=$first
		[ $((now - last)) -lt 5000000000 ] ||
			fail "$value stands, should be $1, $(((now - last) / 1000000)) ms after $written kHz"
	done
	[ $((now - last)) -lt 200000000 ] || say "$1 stood after $(((now - last) / 1000000)) ms"
}

foreign() { echo "2 $1" >"$hw/write"; }
inject() { nlq inject policy2 "$1" 600000 >/dev/null; }
clear_injected() { nlq inject policy2 clear >/dev/null; }

prepare() {
	unload pwrctl_test_hw pwrctl
	loaded pwrctl_test_cpufreq || test_module pwrctl_test_cpufreq
	other_writer feed=0
	# what a case that failed left behind
	foreign 2000000
	modprobe pwrctl
	echo instant >"$settings/mode"
	expect standing "$(stands)" 0
}

door() { awk -v key="$1" '$1 == key { print $2 }' "$view/door"; }

test_told() {
	prepare
	expect state "$(door state)" open
	expect pushes "$(door pushes)" 0
	inject 1000000
	wait_stands 512
	expect pushed "$(door pushed)" 512
	clear_injected
	wait_stands 0
	expect foreign "$(door foreign)" unknown
	expect "foreign writes, our echoes" "$(door foreign_writes)" 0
}

test_larger_value() {
	prepare
	echo injected >"$settings/count"
	foreign 1500000
	wait_stands 256
	inject 1000000
	wait_stands 512
	foreign 1800000
	wait_stands 512
	foreign 500000
	wait_stands 768
	clear_injected
	wait_stands 768
	foreign 2000000
	wait_stands 0
}

test_cause() {
	prepare
	foreign 1000000
	wait_for grep -q '^hw *1000000' "$view/caps"
	expect cause "$(cat "$view/cause")" hw
	# what stands there when we come nobody tells: no cause, and nothing of ours to write over it
	rmmod pwrctl
	modprobe pwrctl
	expect "foreign, as it stood at load" "$(door foreign)" unknown
	expect "cause at load" "$(cat "$view/cause")" none
	expect "standing at load" "$(stands)" 512
	expect "pushes at load" "$(door pushes)" 0
	foreign 1000000
	wait_for grep -q '^hw *1000000' "$view/caps"
	foreign 2000000
	wait_for grep -q '^none' "$view/cause"
}

test_restores() {
	local how
	for how in 'echo off' 'echo none'; do
		prepare
		echo injected >"$settings/count"
		foreign 1600000
		inject 400000
		wait_stands 819
		case $how in
		'echo off') echo off >"$settings/mode" ;;
		*) echo none >"$settings/outlet" ;;
		esac
		wait_stands 205
		expect state "$(door state)" closed
		foreign 2000000
	done
	prepare
	echo injected >"$settings/count"
	foreign 1600000
	inject 400000
	wait_stands 819
	rmmod pwrctl
	expect "after unloading" "$(stands)" 205
	foreign 2000000
}

test_driver_goes_and_comes() {
	prepare
	inject 1000000
	wait_stands 512
	rmmod pwrctl_test_cpufreq
	expect "without a domain" "$(stands)" 0
	test_module pwrctl_test_cpufreq
	wait_for test -d "$view"
	inject 500000
	wait_for test "$(stands)" = 768
	cpu_online 3 0
	clear_injected
	wait_for test "$(awk '$1 == 3 { print $2 }' "$hw/stands")" = 0
	cpu_online 3 1
}

# larger INJECTED WRITTEN, in kHz: what should stand
larger() {
	local step=1
	# before 6.10 it reckons in MHz
	[ ! -d /sys/kernel/tracing/events/thermal_pressure ] || step=1000
	awk -v a="$1" -v b="$2" -v step="$step" 'BEGIN {
		b = int(b / step) * step
		# the module rounds to the nearest, the kernel up
		f = b >= 2000000 ? 0 : 1024 - int(1024 * b / 2000000)
		o = a >= 2000000 ? 0 : int((1 - a / 2000000) * 1024 + .5)
		print (f > o ? f : o)
	}'
}

# STORMS times 250 writes at random times, every other one in a hard interrupt
test_storm() {
	local storm written khz
	prepare
	echo injected >"$settings/count"
	for ((storm = 0; storm < ${STORMS:-40}; storm++)); do
		case $((RANDOM % 3)) in
		0) clear_injected; khz=2000000 ;;
		*) khz=$((RANDOM * 60 + 1000)); inject "$khz" ;;
		esac
		echo "2 250 $RANDOM" >"$hw/storm" &
		inject "$khz"
		wait $!
		read -r _ _ written < <(head -n 1 "$hw/stands")
		wait_stands "$(larger "$khz" "$written")"
	done
	say "$((storm * 250)) foreign writes"
	expect "foreign writes seen, none of them our own" "$(door foreign_writes)" $((storm * 250))
}

# CPUs, the driver and the module go while somebody else keeps writing
test_in_the_middle() {
	local what written injected
	for what in cpus driver unload; do
		prepare
		echo injected >"$settings/count"
		injected=900000
		inject "$injected"
		wait_stands "$(larger "$injected" 2000000)"
		echo "2 2000 $RANDOM" >"$hw/storm" &
		case $what in
		cpus)
			cpu_online 2 0
			cpu_online 3 0
			cpu_online 3 1
			cpu_online 2 1
			;;
		driver)
			rmmod pwrctl_test_cpufreq
			injected=2000000
			test_module pwrctl_test_cpufreq
			;;
		unload)
			rmmod pwrctl
			injected=2000000
			;;
		esac
		# the rest is only worth its name while he still writes
		kill -0 $! || fail "the storm was over before: $what"
		wait $!
		read -r _ _ written < <(head -n 1 "$hw/stands")
		wait_stands "$(larger "$injected" "$written")"
		foreign 2000000
	done
}

run_tests told larger_value cause restores driver_goes_and_comes storm in_the_middle
