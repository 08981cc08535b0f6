# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the benches need of the lab. Source it with "here" set to the folder "selftests".
# shellcheck disable=SC2154 # "here" is set by whoever sources this
vm=$here/vm
. "$vm/common.bash"
. "$vm/kernels.bash"
. "$vm/chroot.bash"
. "$vm/build.bash"

bench_needs() { need valgrind gcc make libc6-dev; }

# bench_run KERNEL SCRIPT: runs SCRIPT in a guest that counts instructions, with the tests there
bench_run() {
	local built
	lab_arch=amd64
	. "$vm/arch-$lab_arch.bash"
	"$vm/lab" prepare --kernel "$1"
	built=$(tests_ready "$1")
	"$vm/lab" run --kernel "$1" --icount --layer "$built/layer.cpio" \
		--copy "$2:/root/bench" -- bash /root/bench
}
