# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# The guest's file system is an initramfs in layers: cpio archives one after the other.
# base: the programs and modules of the distribution, cached for each kernel. project: what was
# built here. Then what a run asks for: --layer NAME, --copy, and its command.

base_programs='bash sh busybox kmod setpriv unshare nsenter taskset strace nproc stat timeout
stdbuf sort grep sed awk find xargs date mktemp dd tr cut id env chmod mkdir ldd xz diff cmp'

# A layer is a folder until it is packed
pack() { (cd "$1" && find . -mindepth 1 | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet); }

# new_tree DIR: the merged-usr links, in every layer: a folder in a later one would replace the link
new_tree() {
	mkdir -p "$1"/usr/{bin,sbin,lib,lib64} "$1"/{proc,sys,dev,run,tmp,root,etc}
	local d
	for d in bin sbin lib lib64; do ln -sfn "usr/$d" "$1/$d"; done
}

# add_file SYSROOT DIR PATH: the file and, for a link, what it leads to (inside the root, and left
# in "added")
add_file() {
	local from to=$3 n=0
	while [ -L "$1$to" ] && [ $((n += 1)) -lt 10 ]; do
		mkdir -p "$2${to%/*}"
		cp -a "$1$to" "$2$to"
		from=$(readlink "$1$to")
		case $from in
		/*) to=$from ;;
		*) to=${to%/*}/$from ;;
		esac
	done
	[ -f "$1$to" ] || die "no $3 in $1"
	mkdir -p "$2${to%/*}"
	cp -a "$1$to" "$2$to"
	added=$to
}

# add_program SYSROOT DIR PATH: with the libraries it names, found by their names, so that
# programs of another architecture can be added too
add_program() {
	add_file "$1" "$2" "$3"
	add_libraries "$1" "$2" "$1$added"
}

add_libraries() {
	local lib d
	for lib in $(LC_ALL=C readelf -ld "$3" 2>/dev/null |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p; s/.*interpreter: \(.*\)\]/\1/p'); do
		for d in "/usr/lib/$arch_triplet" "/lib/$arch_triplet" /usr/lib /lib64 ''; do
			[ -e "$1$d/${lib#/}" ] || continue
			[ -e "$2$d/${lib#/}" ] || {
				add_file "$1" "$2" "$d/${lib#/}"
				add_libraries "$1" "$2" "$1$added"
			}
			continue 2
		done
		die "no library $lib for $3"
	done
}

find_program() {
	local d
	for d in /usr/bin /usr/sbin /bin /sbin; do
		[ ! -e "$1$d/$2" ] && [ ! -L "$1$d/$2" ] || {
			echo "$d/$2"
			return
		}
	done
	die "no program $2 in $1"
}

# base_layer KERNEL: prints the path of the cached archive
base_layer() {
	local key out
	key=$( (
		kernel_release "$1"
		echo "$base_programs $arch_modules $arch_cpufreq_modules $arch_more_modules"
		chroot_path "$(kernel_suite "$1")"
		cat "$vm/layers.bash"
	) | short_hash)
	out=$cache/layer/base-$lab_arch-$1-$key.cpio
	[ -f "$out" ] || with_lock "base-$lab_arch-$1" make_base_layer "$1" "$out"
	echo "$out"
}

make_base_layer() {
	local root release tree p
	[ ! -f "$2" ] || return 0
	say "making the guest's base for $1"
	root=$(arch_sysroot "$(kernel_suite "$1")")
	release=$(kernel_release "$1")
	tree=$cache/layer/tree-$lab_arch-$1
	rm -rf "$tree"
	new_tree "$tree"
	for p in $base_programs; do add_program "$root" "$tree" "$(find_program "$root" "$p")"; done
	add_file "$root" "$tree" /usr/libexec/coreutils/libstdbuf.so # for stdbuf, found by that path
	printf 'root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:user:/tmp:/bin/bash\n' >"$tree/etc/passwd"
	printf 'root:x:0:\nuser:x:1000:\n' >"$tree/etc/group"
	for p in insmod rmmod modprobe lsmod depmod modinfo; do ln -sf ../bin/kmod "$tree/usr/sbin/$p"; done
	make_modules "$(chroot_path "$(kernel_suite "$1")")" "$release" "$tree"
	mkdir -p "$cache/layer"
	rm -f "$cache/layer/base-$lab_arch-$1-"*
	pack "$tree" >"$2.new"
	rm -rf "$tree"
	mv "$2.new" "$2"
}

# make_modules ROOT RELEASE DIR: the kernel modules of this machine with those they need
make_modules() {
	local m f
	for m in $arch_modules $arch_cpufreq_modules $arch_more_modules; do
		chroot_run "$1" modprobe -S "$2" --show-depends "$m" || die "no module $m in $2"
	done | awk '$1 == "insmod" { print $2 }' | sort -u | while read -r f; do
		mkdir -p "$3/usr${f%/*}"
		cp "$1$f" "$3/usr$f"
	done
	cp "$1/lib/modules/$2"/modules.{builtin,builtin.modinfo,order} "$3/usr/lib/modules/$2/"
	depmod_tree "$1" "$2" "$3"
}

# depmod_tree ROOT RELEASE DIR: with the chroot's own depmod, which knows the compression
depmod_tree() {
	local stage
	stage=$(mktemp -d "$1/tmp/depmod.XXXXXX")
	mkdir -p "$stage/lib/modules"
	cp -a "$3/usr/lib/modules/$2" "$stage/lib/modules/"
	chroot_run "$1" depmod -b "${stage#"$1"}" "$2"
	cp "$stage/lib/modules/$2"/modules.* "$3/usr/lib/modules/$2/"
	rm -rf "$stage"
}
