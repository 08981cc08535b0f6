# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # what the sourced files share
#
# QEMU is Debian 13's, run from that release's chroot, whatever the host has. Before 8.1 a virtual
# CPU could translate code while another one wrote it: it then ran the int3 of a static branch that
# the kernel had long finished patching, and the guest died of "Oops: int3".

qemu_suite=trixie

qemu_ready() { chroot_ready "$qemu_suite"; }

# qemu_program NAME: sets "emulator", the command with the libraries and firmware beside it
qemu_program() {
	local root loader
	root=$(chroot_path "$qemu_suite")
	for loader in "$root"/usr/lib*/ld-linux-*.so.*; do [ -x "$loader" ] && break; done
	[ -x "$root/usr/bin/$1" ] && [ -x "$loader" ] || die "no $1 in $root"
	emulator=("$loader" --library-path "$(printf '%s:' "$root"/usr/lib/*-linux-gnu)"
		"$root/usr/bin/$1" -L "$root/usr/share/qemu" -L "$root/usr/share/seabios")
}
