# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # what the sourced files share
#
# Kernels that no package carries. KERNEL-debug is built from linux-source in the chroot, with
# debug.config and no more, and installed there like a packaged one, so that dkms and all the rest treat it
# as such. Its name ends in a hash of its recipe: another configuration is another kernel.

# Its build needs these in the chroot
debug_packages='flex bison bc libelf-dev xz-utils cpio rsync'

# KERNEL-rt is Debian's own with PREEMPT_RT, installed in the chroot when it is first asked for.
is_rt() { [[ $1 == *-rt ]]; }
is_debug() { [[ $1 == *-debug ]]; }

debug_tag() {
	local h
	h=$( (echo "1 $debug_packages" && cat "$vm/debug.config") | short_hash)
	echo "debug-${h:0:8}"
}

# debug_release KERNEL: what uname -r says there
debug_release() {
	local f
	for f in "$(chroot_path "$(kernel_suite "$1")")/lib/modules/${1%-debug}".*-"$(debug_tag)"; do
		[ -d "$f/kernel" ] || continue
		echo "${f##*/}"
		return
	done
	die "no kernel $1; lab prepare --kernel $1 makes it"
}

rt_release() {
	local f
	for f in "$(chroot_path "$(kernel_suite "$1")")/lib/modules/${1%-rt}".*-rt-amd64; do
		[ -d "$f/kernel" ] || continue
		echo "${f##*/}"
		return
	done
	die "no kernel $1; lab prepare --kernel $1 fetches it"
}

rt_there() {
	(rt_release "$1") >"$(log_file rt-there)" 2>&1
}

# dkms is called by the package of the headers: with its lock
rt_make() {
	local root
	! rt_there "$1" || return 0
	root=$(chroot_path "$(kernel_suite "$1")")
	say "fetching Debian's $1 kernel (120 MB to download, 500 MB on disk)"
	# shellcheck disable=SC2016 # for the shell in the chroot
	quietly "rt-kernel" chroot_run "$root" sh -ec 'apt-get update
		release=$(apt-cache show -a linux-image-rt-amd64 |
			sed -n "s/^Depends:.* linux-image-\($1\.[^ ,]*\).*/\1/p")
		apt-get install -y --no-install-recommends "linux-image-$release" "linux-headers-$release"
		apt-get clean
		rm -rf /var/lib/apt/lists/*' sh "${1%-rt}" || die "cannot install the kernel $1"
}

# flavour_ready KERNEL: builds or fetches it unless it is there; nothing to do for the usual ones
flavour_ready() {
	if is_rt "$1"; then
		[ "$lab_arch" = amd64 ] || die "the rt kernel is amd64 only"
		rt_there "$1" || with_lock "dkms-$(kernel_suite "$1")" rt_make "$1"
		return
	fi
	is_debug "$1" || return 0
	[ "$lab_arch" = amd64 ] || die "the debug kernel is amd64 only"
	debug_there "$1" || with_lock "debug-kernel" debug_make "$1"
}

debug_there() { # in its own shell: debug_release ends it when there is none
	(debug_release "$1") >"$(log_file debug-there)" 2>&1
}

debug_make() {
	local root tag src
	! debug_there "$1" || return 0
	root=$(chroot_path "$(kernel_suite "$1")")
	tag=$(debug_tag)
	src=/usr/src/linux-$tag
	# shellcheck disable=SC2016,SC2086 # for the shell in the chroot; a list
	quietly debug-packages chroot_run "$root" sh -ec 'dpkg -s "$@" >/dev/null 2>&1 || {
		apt-get update
		apt-get install -y --no-install-recommends "$@"
		apt-get clean
		rm -rf /var/lib/apt/lists/*
	}' sh $debug_packages || die "cannot install $debug_packages"
	if [ ! -f "$root$src/Makefile" ]; then
		say "fetching linux-source-${1%-debug} (140 MB to download, 3 GB on disk)"
		quietly debug-source chroot_run "$root" sh -ec "apt-get update
			rm -rf /tmp/debug $src $src.new
			mkdir -p /tmp/debug $src.new
			cd /tmp/debug
			apt-get download linux-source-${1%-debug}
			apt-get clean
			rm -rf /var/lib/apt/lists/*
			dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO --wildcards '*/linux-source-*.tar.xz' |
				tar -xJ -C $src.new --strip-components=1 --exclude='*/drivers/gpu/drm/*/*.[ch]' \
					--exclude='*/Documentation/*.rst'
			rm -rf /tmp/debug
			mv $src.new $src" || die "cannot fetch linux-source-${1%-debug}"
	fi
	chroot_owner cp "$vm/debug.config" "$root$src/debug.config"
	say "building the debug kernel (10 to 30 minutes); log: $(log_file debug-kernel)"
	quietly debug-config chroot_run "$root" sh -ec "cd $src
		echo 'CONFIG_LOCALVERSION=\"-$tag\"' | cat debug.config - >all.config
		make -s KCONFIG_ALLCONFIG=all.config allnoconfig" || die "the debug kernel cannot be configured"
	debug_check_config "$vm/debug.config" "$root$src/.config"
	quietly debug-kernel chroot_run "$root" sh -ec "cd $src
		make -j${DEBUG_JOBS:-2} bzImage modules
		make INSTALL_MOD_STRIP=1 modules_install
		release=\$(make -s kernelrelease)
		cp arch/x86/boot/bzImage /boot/vmlinuz-\$release
		cp System.map /boot/System.map-\$release
		cp .config /boot/config-\$release
		mkdir -p /lib/modules/\$release/kernel
		ln -sfn $src /lib/modules/\$release/build
		find . -name '*.o' ! -path './scripts/*' ! -path './tools/*' -delete
		rm -f vmlinux vmlinux.unstripped vmlinux.a .tmp_vmlinux*" || die "the debug kernel does not build"
	say "built $(debug_release "$1")"
}

# debug_check_config ASKED GOT: every option asked for is what it was asked to be
debug_check_config() {
	local line bad=0
	while read -r line; do
		case $line in
		CONFIG_*=*)
			grep -qxF "$line" "$2" || {
				echo "not in the .config: $line" >&2
				bad=1
			}
			;;
		'# CONFIG_'*' is not set')
			line=${line#\# } line=${line% is not set}
			! grep -q "^$line=" "$2" || {
				echo "set in the .config: $line" >&2
				bad=1
			}
			;;
		esac
	done <"$1"
	[ "$bad" = 0 ] || die "the debug kernel is not what debug.config asks for"
}
