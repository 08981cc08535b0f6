# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# One chroot for each Debian release: its compiler builds, its dkms installs, its programs fill
# the guest. It is named by a hash of its recipe, so a changed recipe makes a new one.

. "$vm/qemu.bash"

chroot_packages='gcc make dkms kmod libc6-dev pkg-config pahole clang llvm bpftool libbpf-dev
libnl-genl-3-dev libsmartcols-dev libmnl-dev libjson-c-dev libgsl-dev busybox-static strace
util-linux python3-yaml python3-jsonschema sparse'

# What is installed into it beside kernels
chroot_includes() {
	local qemu=''
	[ "$1" != "$qemu_suite" ] || qemu=$arch_qemu_package
	echo "$chroot_packages $qemu" | xargs
}

chroot_recipe() {
	echo "1 $1"
	chroot_includes "$1"
	suite_kernels "$1"
	arch_chroot_recipe "$1"
}

chroot_path() { echo "$cache/chroot/$1-$lab_arch-$(chroot_recipe "$1" | short_hash)"; }

# What it costs, measured on amd64: download, disk
chroot_size() {
	case $1 in
	bookworm) echo '300 MB to download, 1.4 GB on disk, about a minute' ;;
	*) echo '590 MB to download, 2.8 GB on disk, about two minutes' ;;
	esac
}

# In the name space that owns the chroots: root's, or for others the one mmdebstrap makes
chroot_owner() {
	if [ "$EUID" -eq 0 ]; then
		"$@"
	else
		mmdebstrap --unshare-helper "$@"
	fi
}

# chroot_run ROOT COMMAND...: with /proc, in a mount name space of its own
chroot_run() {
	local root=$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	chroot_owner unshare --mount sh -c 'mount -t proc proc "$1/proc" && root=$1 && shift &&
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive INITRD=No chroot "$root" "$@"' sh "$root" "$@"
}

# chroot_ready SUITE: makes it unless it is there
chroot_ready() {
	need mount util-linux # a minimal Debian 13 has no mount(8)
	[ -d "$(chroot_path "$1")" ] || with_lock "chroot-$1" chroot_make "$1"
}

chroot_make() {
	local suite=$1 path mirror sources=() line
	path=$(chroot_path "$suite")
	[ ! -d "$path" ] || return 0
	need mmdebstrap debian-archive-keyring
	mirror=$(mirror)
	mkdir -p "$cache/chroot"
	rm -rf --one-file-system "$path.new"
	say "making the $suite chroot ($(chroot_size "$suite")): $path"
	while read -r line; do
		sources+=("deb $mirror $line main")
	done < <(suite_kernels "$suite" | cut -d' ' -f2 | sort)
	quietly "chroot-$suite" mmdebstrap --variant=apt --aptopt='Acquire::Retries "3"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--include="$(chroot_includes "$suite" | tr ' ' ,)" \
		--customize-hook="PWRCTL_CACHE='$cache' '$vm/chroot-kernels' $lab_arch $suite \"\$1\"" \
		"$suite" "$path.new" "${sources[@]}" || die "cannot make the $suite chroot"
	mv "$path.new" "$path"
	say "made the $suite chroot"
}
