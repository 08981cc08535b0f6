# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# All that the lab has to know about amd64: how a kernel gets into the chroot, how the machine is
# put together, which modules make it a machine with frequencies and temperatures.

arch_host_packages='acpica-tools'
arch_qemu_package='qemu-system-x86'
arch_triplet=x86_64-linux-gnu
arch_cross=''
arch_smp='4'
arch_memory='1G'

# Loaded at boot in this order. Frequencies come last, and are left out by "lab.nocpufreq".
arch_modules='virtio_pci virtio_console processor thermal'
arch_cpufreq_modules='acpi-cpufreq'
arch_machine_modules=''
arch_bpf=''
# In the guest, not loaded
arch_more_modules='cpufreq_powersave cpufreq_ondemand cpufreq_conservative cpufreq_userspace msr dummy'

# The recipe's part of this architecture
arch_chroot_recipe() { echo "linux-image linux-headers"; }

# arch_install_kernel ROOT KERNEL APT-SUITE, from mmdebstrap's hook
arch_install_kernel() {
	local root=$1 kernel=$2 from=$3 release
	release=$(chroot "$root" apt-cache show -a linux-image-amd64 |
		sed -n "s/^Depends:.* linux-image-\($kernel\.[^ ,]*\).*/\1/p")
	[ -n "$release" ] || die "no linux-image of $kernel in $from"
	# INITRD: no initramfs is made for a kernel that boots with the lab's
	chroot "$root" env INITRD=No DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -t "$from" \
		"linux-image-$release" "linux-headers-$release"
}

# Where the guest's programs come from
arch_sysroot() { chroot_path "$1"; }

# arch_dkms KERNEL DIR: the module that dkms installed for this kernel
arch_dkms() { dkms_install "$@"; }

# Compilers and flags for kernel modules and programs, as make(1) arguments
arch_make_args() { :; }

# arch_cpus TOPOLOGY: how many CPUs a -smp argument makes
arch_cpus() {
	awk -v t="$1" 'BEGIN {
		k = split(t, p, ","); n = 1
		for (i = 1; i <= k; i++) {
			if (split(p[i], kv, "=") == 1) { print kv[1]; exit }
			if (kv[1] == "cpus") { print kv[2]; exit }
			if (kv[1] != "maxcpus") n *= kv[2]
		}
		print n
	}'
}

# arch_qemu DIR SMP MEMORY CPUS-PER-DOMAIN: sets "qemu"; leaves what it makes in DIR.
# COM2's and COM4's scratch registers are the machine's firmware limit and its thermometer, so
# those ports have to exist. acpi-cpufreq wants an Intel CPU; one as old as this one has a constant
# TSC for all the kernels, a newer one would make 7.3 give the TSC up at the first P-state change.
arch_qemu() {
	local dir=$1 cpus
	cpus=$(arch_cpus "$2")
	acpi_source "$cpus" "$4" <"$vm/lab-amd64.asl" >"$dir/ssdt.asl"
	iasl -p "$dir/ssdt" "$dir/ssdt.asl" >"$dir/iasl.log" 2>&1 || {
		cat "$dir/iasl.log" >&2
		die "iasl refuses the table"
	}
	qemu_program qemu-system-x86_64
	qemu=("${emulator[@]}" -accel "${accel:-tcg,thread=multi}"
		-cpu "max,vendor=GenuineIntel,family=6,model=58,stepping=9"
		-smp "$2" -m "$3" -acpitable "file=$dir/ssdt.aml")
}

# Repeats each line that says CPU or FIRST for every CPU, or for those of the first domain
acpi_source() {
	awk -v n="$1" -v per="$2" '
	/@CPU@/ || /@FIRST@/ {
		last = /@FIRST@/ && per < n ? per : n
		for (i = 0; i < last; i++) {
			line = $0
			gsub(/@(CPU|FIRST)@/, sprintf("C%03X", i), line)
			gsub(/@DOMAIN@/, int(i / per), line)
			gsub(/@COUNT@/, per, line)
			gsub(/@COMMA@/, i + 1 < last ? "," : "", line)
			print line
		}
		next
	}
	{ print }'
}

arch_console=ttyS0,115200
# Its clock source stays the one it booted with, however late a loaded host lets it read
arch_append='tsc=reliable'
# The ports after the console
arch_serials=(-serial null -serial null -serial null)
