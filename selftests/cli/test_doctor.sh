#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# doctor on made-up machines: a directory stands for the root of the file system.
# shellcheck disable=SC2016 # for eval, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

root=$scratch/root
release=6.12.99-test
cpufreq=$root/sys/devices/system/cpu/cpufreq

# put FILE TEXT: makes a file of the machine.
put()
{
	mkdir -p "$root${1%/*}"
	printf '%s\n' "$2" >"$root$1"
}

# machine: a bare one, in an empty root.
machine()
{
	rm -rf "$root"
	put /proc/sys/kernel/osrelease "$release"
	put /proc/mounts 'none /sys/kernel/debug debugfs rw 0 0'
	put /sys/kernel/security/lockdown '[none] integrity confidentiality'
	put /sys/devices/system/cpu/possible 0-5
}

# policies: of the made-up module, on that machine.
policies()
{
	local policy

	for policy in policy0 policy4; do
		put "/sys/devices/system/cpu/cpufreq/$policy/scaling_driver" acpi-cpufreq
		put "/sys/devices/system/cpu/cpufreq/$policy/scaling_max_freq" 1800000
		put "/sys/devices/system/cpu/cpufreq/$policy/cpuinfo_max_freq" 2400000
	done
}

secure_boot()
{
	mkdir -p "$root/sys/firmware/efi/efivars"
	printf '\6\0\0\0\1' \
		>"$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
}

# dkms TEXT: a dkms that says TEXT and notes how it was called.
dkms()
{
	mkdir -p "$root/usr/sbin"
	printf '#!/bin/sh\necho "$@" >"%s"\nprintf "%%s" "%s"\n' "$scratch/dkms-arguments" "$1" \
		>"$root/usr/sbin/dkms"
	chmod +x "$root/usr/sbin/dkms"
}

doctor()
{
	pwrctl doctor --root "$root" "$@"
}

verdict_is()
{
	local rc=0

	# A pattern, on purpose.
	# shellcheck disable=SC2053
	[[ ${out%%$'\n'*} == $1 ]] || rc=1
	result "$rc" "$2"
}

plan 74

machine
policies
doctor
status_is 0 'a machine where it works'
verdict_is 'working, nobody consumes hints on this kernel' 'the first line is the verdict'
out_has 'module 0.1.0, pwrctl 0.1.0' 'versions'
ok grep -E "^note +kernel +$release" "$scratch/out" 'the kernel'
out_has 'none: this kernel'"'"'s own scheduler cannot be told' 'no door'
out_has 'driver acpi-cpufreq, 2 policies' 'the driver'
out_has 'CPUs 4-5, reference 2.4 GHz from frequency table, cap 1.8 GHz' 'a domain and its reference'
out_has 'CPUs 0-3, reference 1.8 GHz from frequency table, no cap' 'and one without a cap'
out_has 'nobody: hints are kept and shown' 'nobody consumes'
out_has 'this machine counts no thermal_throttle events' 'no counters'
ok grep -E '^ok +phantom +no pressure without a cap$' "$scratch/out" 'a real cap is no phantom'
ok eval '! holds "$out" mokutil' 'a module that works needs no keys'
doctor -j
json_is 'd["verdict"].startswith("working") and d["state"] == "working"' 'as an object'
json_is '{"state", "name", "text"} == set(d["findings"][0])' 'findings'
PWRCTL_FAKE=mode-off doctor
out_has 'off for policy4: its hints always say full capacity' 'a setting that keeps hints at rest'
PWRCTL_FAKE=consumed doctor
verdict_is 'working, hints are consumed: 2 in the kernel, somebody listens*' 'consumers are named'
PWRCTL_FAKE=empty doctor
status_is 0 'no domains'
verdict_is 'working, but there is nothing to watch: no cpufreq policy' 'is the verdict'
PWRCTL_FAKE=older doctor
status_is 3 'another version'
verdict_is 'loaded, but not usable: the module is older' 'is the verdict'
PWRCTL_FAKE=broken doctor
status_is 1 'a module that fails'

put /proc/kallsyms "0000000000000000 T some_topology_update_hw_pressure_too
0000000000000000 T topology_update_hw_pressure
0000000000000000 t other	[module]"
put /sys/kernel/tracing/available_events 'sched:sched_switch
hw_pressure:hw_pressure_update
thermal:cdev_update'
put /sys/kernel/sched_ext/state disabled
put /sys/kernel/btf/vmlinux x
put /sys/kernel/debug/pwrctl/summary x
doctor
out_has 'topology_update_hw_pressure: this kernel'"'"'s own scheduler can be told' 'the door'
out_has 'hw_pressure_update there, cdev_update there' 'tracepoints'
out_has 'there, disabled' 'sched_ext'
ok grep -E '^ok +BTF +there$' "$scratch/out" 'BTF'
out_has '/sys/kernel/debug/pwrctl' 'debugfs'
put /proc/kallsyms '0000000000000000 T some_topology_update_hw_pressure_too'
put /sys/kernel/security/lockdown 'none [integrity] confidentiality'
put /proc/mounts 'proc /proc proc rw 0 0'
doctor
ok grep -E '^note +door +none' "$scratch/out" 'a longer name is not the door'
out_has 'only read-only files of debugfs can be read' 'lockdown'
out_has 'mount -t debugfs' 'debugfs that is not mounted'
put /proc/kallsyms '0000000000000000 T topology_update_thermal_pressure'
put /sys/kernel/tracing/available_events 'thermal_pressure:thermal_pressure_update'
doctor
out_has 'topology_update_thermal_pressure' 'the old door'
out_has 'hw_pressure_update there, cdev_update missing' 'the old tracepoint'
PWRCTL_FAKE=dead-door doctor
verdict_is 'working, nobody consumes hints on this kernel' 'a door that leads nowhere is no consumer'
ok test "$(grep -cE '^note +door +policy4: .*: nothing is told$' "$scratch/out")" = 1 'and has one line'

PWRCTL_FAKE=user-limit doctor
out_has 'policy4: its cap of 1.2 GHz (user) makes no pressure: user is not in count' 'a cap that does not count'
PWRCTL_FAKE=left-behind doctor
out_has 'no pressure without a cap' 'a writer may be right while something caps'
printf '%s\n' 2400000 >"$cpufreq/policy4/scaling_max_freq"
doctor
verdict_is 'working, but policy4 has pressure that no cap explains' 'phantom pressure is the verdict'
out_has 'policy4 has pressure 256, although nothing caps it' 'phantom pressure'
PWRCTL_FAKE=left-behind doctor
verdict_is 'working, but policy4 has pressure that no cap explains' 'what a writer left is the verdict'
ok grep -E '^warning +phantom +policy4: the scheduler still has pressure 300 from somebody who last told it 60 s ago' \
	"$scratch/out" 'and is told, with its age'
PWRCTL_FAKE=not-taken-back doctor
out_has 'policy4: the scheduler still has the pressure 44 that it was told' 'what this module left'
ok grep -E "^ok +consumers +the kernel's own scheduler$" "$scratch/out" 'the scheduler alone consumes'
PWRCTL_FAKE=injected doctor
out_has 'policy4 has pressure 256' 'an injected cap elsewhere explains nothing'
PWRCTL_FAKE=uncapped doctor
out_has 'no pressure without a cap' 'no pressure, no phantom'
put /sys/class/thermal/cooling_device0/type intel_powerclamp
put /sys/class/thermal/cooling_device0/cur_state 50
doctor
out_has 'policy4 has pressure 256' 'an idle injector caps no frequency'
put /sys/class/thermal/cooling_device1/type Processor
put /sys/class/thermal/cooling_device1/cur_state 3
doctor
out_has 'no pressure without a cap' 'an active cooling device is a reason'
put /sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count 3
put /sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count 4
put /sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count 0
doctor
out_has 'thermal_throttle: core 7, package 0: the processor throttles itself' 'throttling'
put /sys/devices/system/cpu/cpufreq/policy0/scaling_driver intel_pstate
doctor
out_has 'intel_pstate leaves the frequency to the processor' 'firmware that decides by itself'
put /sys/devices/system/cpu/possible 0-3
PWRCTL_FAKE=single doctor
out_has 'all CPUs share one domain' 'one domain'
rm -rf "$cpufreq"
doctor
out_has 'no cpufreq driver' 'no driver'

export PWRCTL_FAKE=absent
machine
doctor
status_is 3 'not loaded: 3'
verdict_is "not loaded: *$release*headers are missing: install linux-headers-$release*" 'no headers'
out_has 'dkms is not installed' 'no dkms'
mkdir -p "$root/lib/modules/$release/build"
dkms ''
doctor
verdict_is "not loaded: it is not built for kernel $release*" 'not built'
out_has 'dkms does not know pwrctl' 'dkms does not know it'
ok [ "$(<"$scratch/dkms-arguments")" = 'status -m pwrctl' ] 'dkms is only asked'
dkms 'pwrctl/0.1.0, 5.10.0-test, x86_64: installed\n'
doctor
ok grep -E '^warning +dkms +pwrctl/0.1.0, 5.10.0-test' "$scratch/out" 'built for another kernel'
put "/lib/modules/$release/updates/dkms/pwrctl.ko.xz" x
dkms "pwrctl/0.1.0, $release, x86_64: installed"
doctor
verdict_is 'not loaded: it is built for this kernel: run modprobe pwrctl' 'built and not loaded'
ok grep -E "^ok +dkms +pwrctl/0.1.0, $release" "$scratch/out" 'dkms agrees'
out_has "/lib/modules/$release/updates/dkms/pwrctl.ko.xz" 'where the module is'
ok eval '! holds "$out" "$scratch"' 'the made-up root is not told'
put /sys/module/module/parameters/sig_enforce Y
doctor
verdict_is 'not loaded: this kernel enforces signatures (module.sig_enforce)*make install*' 'signatures are enforced'
put /sys/module/module/parameters/sig_enforce N
put /sys/kernel/security/lockdown 'none [integrity] confidentiality'
put /var/lib/dkms/mok.pub x
doctor
verdict_is 'not loaded: lockdown (integrity): this kernel refuses*mokutil --import /var/lib/dkms/mok.pub' 'lockdown'
ok grep -E '^warning +signatures +lockdown \(integrity\)' "$scratch/out" 'and what turned it on'
put /sys/kernel/security/lockdown '[none] integrity confidentiality'
secure_boot
doctor
verdict_is 'not loaded: Secure Boot is on*mokutil --import /var/lib/dkms/mok.pub' 'Secure Boot'
out_has 'mokutil --import /var/lib/dkms/mok.pub, reboot, enrol the key' 'the exact line'
rm "$root/var/lib/dkms/mok.pub"
put /var/lib/shim-signed/mok/MOK.der x
doctor
verdict_is 'not loaded: Secure Boot is on*mokutil --import /var/lib/shim-signed/mok/MOK.der' "Ubuntu's key"
put /proc/sys/kernel/modules_disabled 1
doctor
verdict_is 'not loaded: this kernel takes no modules any more*' 'modules are disabled'
mkdir -p "$root/sys/module/pwrctl"
doctor
verdict_is 'loaded, but its interface cannot be seen from here*' 'another network namespace'
printf '#!/bin/sh\nexit 1\n' >"$root/usr/sbin/dkms"
doctor
out_has 'dkms status failed' 'a dkms that fails'
printf '#!/bin/sh\nyes pwrctl | head -n 100000\n' >"$root/usr/sbin/dkms"
doctor
status_is 3 'a dkms that does not stop talking'
printf '#!/bin/sh\nprintf "\\033[31m%%s" red\n' >"$root/usr/sbin/dkms"
doctor
out_has '\x1b[31mred' 'its words are escaped'
doctor -j
json_is 'd["state"] == "hidden"' 'as an object'
rm -rf "$root"
doctor
status_is 3 'a machine without any file'
ok grep -E '^note +kernel +unknown' "$scratch/out" 'is not understood, and that is said'
finish
