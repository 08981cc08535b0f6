# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# What is built from this tree for the guests, in the chroots: the module by the real dkms, the
# command, tests and test modules. Each result lies in the cache under a hash of its sources.
. "$vm/layers.bash"

module_sources='module uapi Kbuild dkms.conf'
tool_sources='module uapi tool'
test_sources='module uapi selftests/lib selftests/tests selftests/modules selftests/bpf'

have_module() { [ -f "$top/Kbuild" ] && [ -f "$top/dkms.conf" ]; }

built_path() { # KIND NAME SOURCES...
	local kind=$1 name=$2
	shift 2
	echo "$cache/built/$kind-$name-$(project_tar "$@" | short_hash)"
}

# unpack_into ROOT DIR PATH...: a copy of those sources in the chroot
unpack_into() {
	local root=$1 dir=$2
	shift 2
	chroot_owner rm -rf "$root$dir"
	chroot_owner mkdir -p "$root$dir"
	project_tar "$@" | chroot_owner tar -C "$root$dir" -x
}

# module_ready KERNEL: what dkms installed, as a folder with pwrctl.ko* and Module.symvers
module_ready() {
	local out
	# shellcheck disable=SC2086 # a list
	out=$(built_path module "$lab_arch-$(kernel_release "$1")" $module_sources)
	[ -d "$out" ] || with_lock "dkms-$(kernel_suite "$1")" make_module "$1" "$out"
	echo "$out"
}

make_module() {
	[ ! -d "$2" ] || return 0
	say "dkms install for $1"
	mkdir -p "$2.new"
	arch_dkms "$1" "$2.new"
	mv "$2.new" "$2"
}

# dkms_install KERNEL DIR: for kernels whose chroot can run dkms on them
dkms_install() {
	local root release version src
	root=$(chroot_path "$(kernel_suite "$1")")
	release=$(kernel_release "$1")
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$top/dkms.conf")
	src=/usr/src/pwrctl-$version
	chroot_owner rm -rf "$root/var/lib/dkms/pwrctl" "$root/lib/modules/$release/updates/dkms"
	# shellcheck disable=SC2086
	unpack_into "$root" "$src" $module_sources
	quietly "dkms-$lab_arch-$1" chroot_run "$root" env ${arch_cross:+CROSS_COMPILE=$arch_cross} \
		dkms install "pwrctl/$version" -k "$release" || {
		find "$root/var/lib/dkms/pwrctl" -name make.log -exec tail -n 60 {} + >&2
		die "dkms cannot install the module for $1"
	}
	find "$root/var/lib/dkms/pwrctl/" -name make.log -exec cp {} "$2/make.log" \;
	cp "$(log_file "dkms-$lab_arch-$1")" "$2/dkms.log"
	if grep -iE 'deprecat|warning|not executable' "$2/dkms.log" "$2/make.log" >&2; then
		die "dkms or the compiler warns"
	fi
	cp "$root/lib/modules/$release/updates/dkms"/pwrctl.ko* "$2/"
	cp "$root/var/lib/dkms/pwrctl/$version/$release/x86_64/module/Module.symvers" "$2/"
}

# tool_ready SUITE: a folder with the command
tool_ready() {
	local out root
	# shellcheck disable=SC2086
	out=$(built_path tool "$lab_arch-$1" $tool_sources)
	[ -d "$out" ] || with_lock "tool-$1" make_tool "$1" "$out"
	echo "$out"
}

make_tool() {
	local root
	[ ! -d "$2" ] || return 0
	say "building the command for $1"
	root=$(chroot_path "$1")
	# shellcheck disable=SC2086
	unpack_into "$root" /usr/src/lab-tool $tool_sources
	# shellcheck disable=SC2046
	quietly "tool-$lab_arch-$1" chroot_run "$root" make -C /usr/src/lab-tool/tool -j2 $(arch_make_args) ||
		die "the command does not build on $1"
	mkdir -p "$2.new"
	cp "$root/usr/src/lab-tool/tool/pwrctl" "$2.new/"
	mv "$2.new" "$2"
}

# tests_ready KERNEL: a folder with "layer.cpio", which brings /selftests and the libraries they
# need into the guest, and "list", the tests' names
tests_ready() {
	local out
	# shellcheck disable=SC2086
	out=$(built_path tests "$lab_arch-$(kernel_release "$1")" $test_sources \
		"selftests/vm/guest/run-tests" selftests/vm/build.bash)
	[ -d "$out" ] || with_lock "tests-$(kernel_suite "$1")" make_tests "$1" "$out"
	echo "$out"
}

make_tests() {
	local root src=/usr/src/lab-tests kselftest module tree f
	[ ! -d "$2" ] || return 0
	say "building the guest's tests for $1"
	root=$(chroot_path "$(kernel_suite "$1")")
	kselftest=$("$vm/linux-source")/tools/testing/selftests
	module=$(module_ready "$1")
	# shellcheck disable=SC2086
	unpack_into "$root" "$src" $test_sources
	chroot_owner mkdir -p "$root$src/linux/tools/testing"
	chroot_owner cp -r "$kselftest" "$root$src/linux/tools/testing/"
	chroot_owner cp -r "$kselftest/../../include" "$root$src/linux/tools/"
	chroot_owner cp "$module/Module.symvers" "$root$src/"
	# shellcheck disable=SC2046
	quietly "tests-$lab_arch-$1" chroot_run "$root" make -j2 -C "$src/selftests/tests" \
		KSELFTEST="$src/linux/tools/testing/selftests" $(arch_make_args) ||
		die "the tests do not build for $1"
	# shellcheck disable=SC2046
	quietly "test-modules-$lab_arch-$1" chroot_run "$root" make -C "$src/selftests/modules" \
		KDIR="/lib/modules/$(kernel_release "$1")/build" KBUILD_EXTRA_SYMBOLS="$src/Module.symvers" \
		$(arch_make_args) modules || die "the test modules do not build for $1"
	make_bpf "$1" "$root" "$src"
	tree=$2.new/tree
	rm -rf "$2.new"
	new_tree "$tree"
	mkdir -p "$tree/selftests/modules"
	# shellcheck disable=SC2046 # a list
	chroot_run "$root" make -s -C "$src/selftests/tests" \
		KSELFTEST="$src/linux/tools/testing/selftests" $(arch_make_args) emit_tests | sed 's/^[^:]*://' >"$2.new/list"
	cp -r "$root$src/selftests/tests" "$root$src/selftests/lib" "$tree/selftests/"
	for f in "$root$src/selftests/modules"/*.ko; do
		# nobody reads their types, and a guest reads and relocates them at every load
		chroot_run "$root" "$arch_triplet-objcopy" --strip-debug -R .BTF -R .BTF.base "${f#"$root"}"
		cp "$f" "$tree/selftests/modules/"
	done
	cp -r "$kselftest"/{kselftest,cpufreq,cpu-hotplug} "$vm/guest/run-tests" "$tree/selftests/"
	mkdir "$tree/selftests/ynl"
	cp -r "$kselftest/../../net/ynl/pyynl" "$top/uapi/pwrctl.yaml" "$tree/selftests/ynl/"
	for f in "$tree/selftests/tests"/*; do
		[ ! -f "$f" ] || [ ! -x "$f" ] || add_libraries "$(arch_sysroot "$(kernel_suite "$1")")" "$tree" "$f"
	done
	pack "$tree" >"$2.new/layer.cpio"
	rm -rf "$tree"
	mv "$2.new" "$2"
}

# machine_ready KERNEL: a folder with the modules that belong to the architecture's machine
machine_ready() {
	local out
	out=$(built_path machine "$lab_arch-$(kernel_release "$1")" selftests/modules)
	[ -d "$out" ] || with_lock "machine-$(kernel_suite "$1")" make_machine "$1" "$out"
	echo "$out"
}

make_machine() {
	local root src=/usr/src/lab-machine
	[ ! -d "$2" ] || return 0
	root=$(chroot_path "$(kernel_suite "$1")")
	unpack_into "$root" "$src" selftests/modules
	# shellcheck disable=SC2046
	quietly "machine-$lab_arch-$1" chroot_run "$root" make -C "$src/selftests/modules" MACHINE=1 \
		KDIR="/lib/modules/$(kernel_release "$1")/build" $(arch_make_args) modules ||
		die "the machine's modules do not build for $1"
	mkdir -p "$2.new"
	cp "$root$src/selftests/modules"/*.ko "$2.new/"
	mv "$2.new" "$2"
}

# make_bpf KERNEL ROOT SOURCES: what the architecture's tests want of BPF, and the consumers, where
# the kernel's headers have its types
make_bpf() {
	local types program programs=$arch_bpf
	types=/usr/src/linux-headers-$(kernel_release "$1")/vmlinux
	[ ! -f "$2$types" ] || programs+=' scx_pwrctl'
	for program in $programs; do
		# shellcheck disable=SC2046
		quietly "bpf-$program-$lab_arch-$1" chroot_run "$2" make -C "$3/selftests/bpf" VMLINUX="$types" \
			$(arch_make_args) "$program" || die "$program does not build for $1"
		cp "$2$3/selftests/bpf/$program" "$2$3/selftests/tests/"
	done
}

# project_layer KERNEL: the archive with the guest's own commands and init and, unless without
# module, with the module and the command
project_layer() {
	local root release module='' tool='' machine='' key out
	root=$(chroot_path "$(kernel_suite "$1")")
	release=$(kernel_release "$1")
	if [ "$with_module" = 1 ]; then
		have_module || die "no Kbuild or dkms.conf here; --no-module goes without"
		module=$(module_ready "$1")
		tool=$(tool_ready "$(kernel_suite "$1")")
		[ -z "$arch_machine_modules" ] || machine=$(machine_ready "$1")
	fi
	key=$( (echo "$module $tool $machine $(base_layer "$1")" && cat "$top/tool/modprobe.conf" "$vm"/guest/init "$vm/guest/$lab_arch"/* \
		"$vm"/*.bash) | short_hash)
	out=$cache/layer/project-$lab_arch-$1-$key.cpio
	[ -f "$out" ] || make_project_layer "$1" "$module" "$tool" "$out" "$machine"
	touch "$out"
	echo "$out"
}

make_project_layer() {
	local tree root release
	root=$(chroot_path "$(kernel_suite "$1")")
	release=$(kernel_release "$1")
	tree=$(mktemp -d "$cache/layer/tree.XXXXXX")
	new_tree "$tree"
	mkdir -p "$tree/lab" "$tree/usr/local/bin"
	cp "$vm/guest/init" "$tree/init"
	cp "$vm/guest/$lab_arch"/* "$tree/usr/local/bin/"
	echo "$arch_modules" >"$tree/lab/modules"
	echo "$arch_cpufreq_modules ${5:+$arch_machine_modules}" >"$tree/lab/cpufreq-modules"
	if [ -n "$2" ]; then
		(cd "$tree" && cpio -i -d --quiet 'usr/lib/modules/*' <"$(base_layer "$1")")
		mkdir -p "$tree/usr/lib/modules/$release/updates/dkms"
		cp "$2"/pwrctl.ko* "$tree/usr/lib/modules/$release/updates/dkms/"
		[ -z "$5" ] || cp "$5"/*.ko "$tree/usr/lib/modules/$release/updates/"
		depmod_tree "$root" "$release" "$tree"
		grep -q '^updates/dkms/pwrctl' "$tree/usr/lib/modules/$release/modules.dep" ||
			die "depmod did not find the module"
		rm -rf "$tree/usr/lib/modules/$release/kernel"
		cp "$3/pwrctl" "$tree/usr/local/bin/"
		# as "make install" does: permanent settings
		mkdir -p "$tree/etc/modprobe.d"
		sed 's|@PREFIX@|/usr/local|' "$top/tool/modprobe.conf" >"$tree/etc/modprobe.d/pwrctl.conf"
		add_libraries "$(arch_sysroot "$(kernel_suite "$1")")" "$tree" "$3/pwrctl"
	fi
	# old ones go when nobody has used them for a day
	find "$cache/layer" -name 'project-*' -mmin +1440 -delete
	pack "$tree" >"$4.$$"
	rm -rf "$tree"
	mv "$4.$$" "$4"
}

# extra_layer NAME SUITE: more for a guest that asks for it
extra_layer() {
	local root tree out
	root=$(arch_sysroot "$2")
	out=$cache/layer/extra-$1-$(basename "$(chroot_path "$2")").cpio
	[ ! -f "$out" ] || {
		echo "$out"
		return
	}
	tree=$(mktemp -d "$cache/layer/tree.XXXXXX")
	new_tree "$tree"
	case $1 in
	python)
		add_program "$root" "$tree" /usr/bin/python3
		add_python "$root" "$tree"
		;;
	*) die "no layer '$1' (there is: python)" ;;
	esac
	pack "$tree" >"$out.$$"
	rm -rf "$tree"
	mv "$out.$$" "$out"
	echo "$out"
}

add_python() {
	local d so
	for d in "$1"/usr/lib/python3*; do
		mkdir -p "$2/usr/lib"
		cp -a "$d" "$2/usr/lib/"
	done
	find "$2/usr/lib" \( -name __pycache__ -o -name test -o -name 'config-3*' -o -name idlelib \) \
		-prune -exec rm -rf {} +
	while read -r so; do
		add_libraries "$1" "$2" "$so"
	done < <(find "$2/usr/lib/python3"* -name '*.so')
}
