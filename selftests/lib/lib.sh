# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the shell tests share. A test sources this, names its cases as functions test_NAME, and
# ends with "run_tests NAME...". A case fails by calling fail or by a command that fails.
#
# nlq is a client of its own: the command that is tested elsewhere is not relied on here.

here=$(cd "$(dirname "$0")" && pwd)
for dir in "$here/../kselftest" "${KSELFTEST:-$here/../linux}/kselftest"; do
	[ -f "$dir/ktap_helpers.sh" ] || continue
	# shellcheck disable=SC1091 # of the kernel's source
	. "$dir/ktap_helpers.sh"
	break
done

cpufreq=/sys/devices/system/cpu/cpufreq
thermal=/sys/class/thermal
debug=/sys/kernel/debug
qos=$debug/pwrctl_test_qos

say() { printf '# %s\n' "$*"; }

fail() {
	say "FAIL: $*"
	exit 1
}

skip() {
	say "SKIP: $*"
	exit 4
}

nlq() { "$here/nlq" "$@"; }

# expect WHAT IS SHOULD
expect() { [ "$2" = "$3" ] || fail "$1 is '$2', should be '$3'"; }

# expect_domain POLICY FIELD VALUE...: now, without waiting
expect_domain() {
	nlq is "$@" || fail "not so: $*"
}

# wait_domain POLICY FIELD VALUE...: until it is so
wait_domain() { nlq wait "$@" >/dev/null || fail "did not come: $*"; }

# soon POLICY FIELD VALUE...: within 1.5 s of this machine's own time. What the waits in between
# came late by is what the machine withheld from everybody.
soon() {
	local took late
	read -r took late < <(nlq wait "$@") || fail "did not come: $*"
	say "$* after $took ms (waits came late by $late ms altogether)"
	[ "$took" -le $((1500 + late)) ] || fail "$* took $took ms"
}

# wait_for COMMAND...: until it succeeds; generous, for what has no time limit of its own
wait_for() {
	local end=$((SECONDS + 60))
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || fail "did not come: $*"
		sleep 0.05
	done
}

# test_module NAME [PARAMETER]...: loads one of the tests' own modules
test_module() {
	local dir name=$1
	shift
	for dir in "$here/modules" "$here/../modules"; do
		[ -f "$dir/$name.ko" ] || continue
		insmod "$dir/$name.ko" "$@"
		return
	done
	fail "no module $name"
}

# other_writer PARAMETER...: the module that writes and reads the kernel's hardware pressure
other_writer() {
	local away=''
	if ! grep -qE ' (hw|thermal)_pressure$' /proc/kallsyms; then
		away=$("$here/pelt_trace" away cpu_scale thermal_pressure) ||
			fail "this kernel does not tell where its pressure stands"
	fi
	test_module pwrctl_test_hw ${away:+"away=$away"} "$@"
}

loaded() { [ -d "/sys/module/$1" ]; }

unload() {
	local m
	for m in "$@"; do
		if loaded "$m"; then rmmod "$m"; fi
	done
}

# The machine's own cpufreq driver
real_driver_out() { unload acpi_cpufreq; }
real_driver_in() { [ "$HOSTTYPE" != x86_64 ] || loaded acpi_cpufreq || modprobe acpi-cpufreq; }

# cap CPU KHZ: a driver's request on that CPU's policy, 0 drops it
cap() { echo "$1 $2" >"$qos/cap"; }

# user POLICY KHZ: a person's limit
user() { echo "$2" >"$cpufreq/$1/scaling_max_freq"; }

cpu_online() { echo "$2" >"/sys/devices/system/cpu/cpu$1/online"; }

# cpus_of POLICY: its CPUs, offline ones included. A policy that is wholly offline does not tell.
declare -A policy_cpus
for dir in "$cpufreq"/policy*; do
	[ ! -d "$dir" ] || policy_cpus[${dir##*/}]=$(cat "$dir/related_cpus")
done
cpus_of() { echo "${policy_cpus[$1]}"; }

# cooling_device TYPE: the folder of the first one of that type
cooling_device() {
	local d type
	for d in "$thermal"/cooling_device*; do
		read -r type <"$d/type"
		[ "$type" = "$1" ] || continue
		echo "$d"
		return
	done
	fail "no cooling device '$1'"
}

cool_down() {
	local d type
	if type heat >/dev/null 2>&1 && { [ "$HOSTTYPE" = x86_64 ] || loaded pwrctl_test_thermal; }; then heat 20; fi
	if type ppc >/dev/null 2>&1; then ppc 0; fi
	for d in "$thermal"/cooling_device*; do
		[ -e "$d/type" ] || continue
		read -r type <"$d/type"
		case $type in
		Processor | pwrctl_test_*) echo 0 >"$d/cur_state" ;;
		esac
	done
}

# Everything as at boot; runs after every case, whatever became of it
restore_machine() {
	local cpu p is max
	for cpu in /sys/devices/system/cpu/cpu[0-9]*/online; do
		read -r is <"$cpu"
		[ "$is" = 1 ] || echo 1 >"$cpu"
	done
	cool_down
	unload pwrctl_test_hw pwrctl_test_consumer pwrctl_test_race pwrctl_test_qos pwrctl pwrctl_test_driver
	real_driver_in
	for p in "$cpufreq"/policy*; do
		[ -e "$p" ] || continue
		read -r max <"$p/cpuinfo_max_freq"
		echo "$max" >"$p/scaling_max_freq"
	done
}

# Neither subshell may stand in a condition: there "set -e" would do nothing, and a command that
# fails would go unseen.
run_one_test() {
	local rc put_back
	(
		set -euo pipefail
		"test_$1"
	)
	rc=$?
	(
		set -euo pipefail
		restore_machine
	)
	put_back=$?
	if [ "$put_back" -ne 0 ]; then
		say "the machine could not be put back"
		[ "$rc" -ne 0 ] || rc=1
	fi
	case $rc in
	0) ktap_test_pass "$1" ;;
	4) ktap_test_skip "$1" ;;
	*) ktap_test_fail "$1" ;;
	esac
}

run_tests() {
	local t start
	ktap_print_header
	ktap_set_plan $#
	set +e
	for t in "$@"; do
		start=$SECONDS
		run_one_test "$t"
		say "$t took $((SECONDS - start)) s"
	done
	ktap_finished
}
