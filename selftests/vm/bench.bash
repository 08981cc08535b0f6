# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the benches need of the lab. Source it with "here" set to the folder "selftests".
# shellcheck disable=SC2154 # "here" is set by whoever sources this
vm=$here/vm
. "$vm/common.bash"
. "$vm/kernels.bash"
. "$vm/chroot.bash"
. "$vm/layers.bash"
. "$vm/build.bash"

bench_needs() { need valgrind gcc make libc6-dev; }

# bench_run [--arch ARCH] KERNEL SCRIPT [OPTION of "lab run"]...: runs SCRIPT in a guest, with the
# tests there
bench_run() {
	local kernel script built
	lab_arch=amd64
	if [ "$1" = --arch ]; then
		lab_arch=$2
		shift 2
	fi
	kernel=$1 script=$2
	shift 2
	. "$vm/arch-$lab_arch.bash"
	"$vm/lab" prepare --arch "$lab_arch" --kernel "$kernel"
	built=$(tests_ready "$kernel")
	"$vm/lab" run --arch "$lab_arch" --kernel "$kernel" "$@" --layer "$built/layer.cpio" \
		--copy "$script:/root/bench" -- bash /root/bench
}
