# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# The kernels of the lab and the Debian release that carries each. flavours.bash has those that are
# built here or fetched when asked for: a kernel with "-debug" or "-rt" behind it.
# shellcheck disable=SC2154 # "vm" is set by whoever sources this
. "$vm/flavours.bash"

all_kernels='6.1 6.12 7.3'

kernel_suite() {
	case ${1%-*} in
	6.1) echo bookworm ;;
	6.12 | 7.3) echo trixie ;;
	*) die "no kernel '$1' (there are: $all_kernels)" ;;
	esac
}

# suite_kernels SUITE: lines "KERNEL APT-SUITE" of what that chroot carries
suite_kernels() {
	case $1 in
	bookworm) echo '6.1 bookworm' ;;
	trixie) printf '%s\n' '6.12 trixie' '7.3 trixie-backports' ;;
	esac
}

# kernel_release KERNEL: what uname -r will say
kernel_release() {
	local root f
	if is_debug "$1"; then
		debug_release "$1"
		return
	fi
	if is_rt "$1"; then
		rt_release "$1"
		return
	fi
	root=$(chroot_path "$(kernel_suite "$1")")
	for f in "$root/lib/modules/$1".*; do
		[ -d "$f/kernel" ] && [[ $f != *-debug-* && $f != *-rt-* ]] || continue
		echo "${f##*/}"
		return
	done
	die "no kernel $1 in $root"
}

kernel_image() { echo "$(chroot_path "$(kernel_suite "$1")")/boot/vmlinuz-$(kernel_release "$1")"; }
