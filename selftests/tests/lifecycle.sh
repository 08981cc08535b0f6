#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Lifecycle: policies, CPUs, drivers and the machine's sleep come and go while the module is
# loaded, and it leaves in every such state. Afterwards all is as it was before.
# lifecycle.sh [CASE]...
#
# lab: seconds=1200
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

policy_online() {
	local cpu
	for cpu in $(cpus_of "$1"); do cpu_online "$cpu" "$2"; done
}

domain_exists() { nlq get "$1" cap >/dev/null 2>&1; }

# Who watches what, before the module came
watchers() { cat "$qos/watchers"; }

load() {
	loaded pwrctl_test_qos || test_module pwrctl_test_qos
	watched=$(watchers)
	modprobe pwrctl
}

# Timers whose function has no name any more: it went with its module
orphan_timers() { grep -E '^ *#[0-9]+: <[^>]*>, 0x[0-9a-f]+, S:' /proc/timer_list; }

# leave [WATCHERS]: unload, and nothing is left
leave() {
	local should=${1:-$watched}
	rmmod pwrctl
	expect "who watches" "$(watchers)" "$should"
	! orphan_timers || fail "a timer is left"
	! grep -i pwrctl /sys/devices/system/cpu/hotplug/states || fail "a hotplug state is left"
	[ ! -e "$debug/pwrctl" ] || fail "debugfs is left"
}

# What the module heard of is announced again: nobody may be called any more
stir() {
	cap 0 1800000
	cap 0 0
	user policy0 1200000
	user policy0 "$(cat "$cpufreq/policy0/cpuinfo_max_freq")"
	cpu_online 1 0
	cpu_online 1 1
}

test_policy_offline_at_load() {
	test_module pwrctl_test_qos
	watched=$(watchers)
	policy_online policy2 0
	modprobe pwrctl
	! domain_exists policy2 || fail "policy2 is there while it is offline"
	policy_online policy2 1
	wait_for domain_exists policy2
	expect_domain policy2 cause none pressure 0
	cap 2 1200000
	expect_domain policy2 cause other cap 1200000 pressure 614
	cap 2 0
	leave
	stir
}

test_unload_while_a_policy_is_offline() {
	load
	cap 2 1200000
	policy_online policy2 0
	rmmod pwrctl
	policy_online policy2 1
	cap 2 0
	expect "who watches" "$(watchers)" "$watched"
	stir
}

test_capped_while_offline() {
	load
	cap 2 2400000
	expect_domain policy2 cap 2400000
	policy_online policy2 0
	cap 2 1200000
	policy_online policy2 1
	wait_domain policy2 cause other cap 1200000 pressure 614
	policy_online policy2 0
	cap 2 0
	policy_online policy2 1
	wait_domain policy2 cause none cap 0 pressure 0
	leave
}

# A domain goes on when its first CPU does not
test_first_cpu_goes() {
	load
	cap 2 1200000
	cpu_online 2 0
	expect_domain policy2 cap 1200000 pressure 614
	cap 2 1800000
	expect_domain policy2 cap 1800000 pressure 410
	cpu_online 2 1
	expect_domain policy2 cap 1800000 pressure 410
	leave
}

test_driver_comes_and_goes() {
	local i max
	load
	real_driver_out
	expect domains "$(nlq stats domains)" 0
	for ((i = 0; i < 20; i++)); do
		max=$((2000000 + i % 3 * 500000))
		test_module pwrctl_test_driver max_khz=$max
		expect_domain policy0 reference $max cause none pressure 0 average 0
		cap 0 $((max / 2))
		expect_domain policy0 cause other cap $((max / 2)) pressure 512
		expect_domain policy2 cause none pressure 0
		rmmod pwrctl_test_driver
		expect domains "$(nlq stats domains)" 0
	done
	real_driver_in
	expect_domain policy0 reference 3000000 cause none pressure 0
	expect attach_errors "$(nlq stats attach_errors)" 0
	leave
}

test_unload_without_a_driver() {
	load
	cap 0 1200000
	real_driver_out
	leave "$(grep cdev <<<"$watched")"
}

test_no_driver_at_all() {
	local cpu domain pressure average hint
	real_driver_out
	load
	expect domains "$(nlq stats domains)" 0
	while read -r cpu domain pressure average hint; do
		expect "cpu $cpu" "$domain $pressure $average" "- 0 0"
		[ "$hint" -gt 0 ] || fail "cpu $cpu has hint $hint"
	done < <(nlq cpus)
	leave
	real_driver_in
	stir
}

# suspend STATE [LEVEL]: the real thing, or one that turns back at that level. The real one is woken
# by a device of the tests' own a moment after all devices sleep.
suspend() {
	local level=${2:-none} slept was
	read -r was <"$qos/slept"
	echo 0 >/sys/module/suspend/parameters/pm_test_delay
	echo "$level" >/sys/power/pm_test
	case $level in
	none) echo 200 >"$qos/wake_ms" ;;
	*) echo 0 >"$qos/wake_ms" ;;
	esac
	echo "$1" >/sys/power/state
	echo none >/sys/power/pm_test
	read -r slept <"$qos/slept"
	case $level in
	freezer | devices) expect "times asleep" "$slept" "$was" ;;
	*) expect "times asleep" "$slept" $((was + 1)) ;;
	esac
}

# suspend_while_capped STATE [LEVEL]
suspend_while_capped() {
	[ -f /sys/power/pm_test ] || skip "no pm_test on this kernel"
	grep -qw "$1" /sys/power/state || skip "no $1 on this machine"
	load
	cap 0 1200000
	cap 2 1800000
	suspend "$@"
	wait_domain policy0 cause other cap 1200000 pressure 614
	wait_domain policy2 cause other cap 1800000 pressure 410
	# changed while everybody sleeps, and before anybody else is awake
	echo "0 2400000" >"$qos/on_resume"
	suspend "$@"
	wait_domain policy0 cause other cap 2400000 pressure 205
	echo "0 0" >"$qos/on_resume"
	suspend "$@"
	wait_domain policy0 cause none cap 0 pressure 0
	cap 0 1200000
	leave
	suspend "$@"
	stir
}

test_suspend_turns_back_at_the_freezer() { suspend_while_capped freeze freezer; }

test_suspend_turns_back_at_the_devices() { suspend_while_capped freeze devices; }

# The kernel takes all CPUs away but the first, as on its way into suspend to RAM
test_suspend_turns_back_without_cpus() { suspend_while_capped mem processors; }

test_suspend_to_idle() {
	suspend_while_capped freeze
	load
	cap 0 1200000
	# changed when every device sleeps
	echo "0 1800000" >"$qos/on_suspend"
	suspend freeze
	wait_domain policy0 cause other cap 1800000 pressure 410
	cap 0 0
	leave
}

# CPUs that a person took away before are no part of it, and caps change meanwhile
test_suspend_with_cpus_offline() {
	local cpu
	[ -f /sys/power/pm_test ] || skip "no pm_test on this kernel"
	grep -qw mem /sys/power/state || skip "no mem on this machine"
	load
	cap 0 1200000
	cap 2 1800000
	for cpu in 1 2 3; do cpu_online "$cpu" 0; done
	cap 2 2400000
	echo "0 2400000" >"$qos/on_resume"
	suspend mem freezer
	for cpu in 1 2 3; do cpu_online "$cpu" 1; done
	wait_domain policy0 cause other cap 2400000 pressure 205
	wait_domain policy2 cause other cap 2400000 pressure 205
	leave
	suspend mem freezer
	stir
}

test_unload_while_capped_and_moving() {
	load
	test_module pwrctl_test_consumer
	nlq set decay_ms 60000 quantum 1
	cap 0 300000
	cap 2 600000
	grep -qF '[pwrctl]' /proc/timer_list || fail "no timer"
	rmmod pwrctl_test_consumer
	leave
}

test_unload_with_an_injected_cap() {
	load
	nlq inject policy0 1000000 3600000
	expect_domain policy0 cause injected cap 1000000
	leave
	modprobe pwrctl
	expect_domain policy0 cause none cap 0 pressure 0
	leave
}

test_unload_is_refused_while_used() {
	load
	test_module pwrctl_test_consumer notifier=0
	! rmmod pwrctl 2>/dev/null || fail "it left while another module used it"
	expect_domain policy0 cause none
	rmmod pwrctl_test_consumer
	leave
}

# Caps come from two sides all the time while it comes and goes
test_unload_at_any_moment() {
	local i stirring
	load
	leave
	while :; do
		cap 0 1200000
		user policy2 1200000
		cap 0 0
		user policy2 3000000
	done &
	stirring=$!
	for ((i = 0; i < 6; i++)); do
		modprobe pwrctl
		rmmod pwrctl
	done
	kill "$stirring"
	wait "$stirring" || [ $? -gt 128 ]
	cap 0 0
	expect "who watches" "$(watchers)" "$watched"
}

# Objects in use, by size: "SIZE COUNT", one a line, of the slab caches where a domain, its CPUs or
# a policy's state would be
sizes='8 16 32 512 1k 2k'
objects() {
	local f
	for f in /sys/kernel/slab/*kmalloc*/shrink; do echo 1 >"$f"; done
	awk -v sizes="$sizes" '
		match($1, /kmalloc.*-/) { n[substr($1, RLENGTH + RSTART)] += $2 }
		END { k = split(sizes, s); for (i = 1; i <= k; i++) print s[i], n[s[i]] + 0 }' /proc/slabinfo
}

reload_ten_times() {
	local i
	for ((i = 0; i < 10; i++)); do
		modprobe pwrctl
		cap 0 1200000
		cap 0 0
		rmmod pwrctl
	done
}

# grown BEFORE AFTER: the sizes of which there are at least ten more
grown() {
	printf '%s\n' "$@" | awk '$1 in n { if ($2 - n[$1] >= 10) print $1; next } { n[$1] = $2 }'
}

# A leak is there every time; what others allocate meanwhile is not. Sizes are looked at one by
# one, because what is freed of one would hide what is left of another.
test_reloading_leaks_nothing() {
	local round before more suspects=$sizes
	load
	leave
	for ((round = 0; round < 5; round++)); do
		before=$(objects)
		reload_ten_times
		more=$(grown "$before" "$(objects)")
		say "10 times loaded and unloaded: more objects of size ${more//$'\n'/ }"
		suspects=$(grep -xF "${suspects// /$'\n'}" <<<"$more" | xargs) || return 0
	done
	fail "every load leaves objects of $suspects bytes behind"
}

[ $# -gt 0 ] || set -- policy_offline_at_load unload_while_a_policy_is_offline capped_while_offline \
	first_cpu_goes driver_comes_and_goes unload_without_a_driver no_driver_at_all \
	suspend_turns_back_at_the_freezer suspend_turns_back_at_the_devices \
	suspend_turns_back_without_cpus suspend_to_idle \
	suspend_with_cpus_offline unload_while_capped_and_moving \
	unload_with_an_injected_cap unload_is_refused_while_used unload_at_any_moment \
	reloading_leaks_nothing
run_tests "$@"
