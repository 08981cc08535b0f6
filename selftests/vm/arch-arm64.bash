# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # what the sourced files share
#
# All that the lab has to know about arm64, on a host of another architecture: the chroot is the
# host's and compiles across; the guest's programs lie in a folder of their own inside it and are
# never run there.

arch_qemu_package='qemu-system-arm'
arch_host_packages='device-tree-compiler binutils-aarch64-linux-gnu'
arch_triplet=aarch64-linux-gnu
arch_cross=aarch64-linux-gnu-
arch_smp=4
arch_memory=1G
arch_console=ttyAMA0
arch_append=''
# shellcheck disable=SC2034 # for lab
arch_serials=()

arch_modules='virtio_pci virtio_console'
# Frequencies and thermometer are those of test modules, which come along with the module
arch_cpufreq_modules=''
arch_machine_modules='pwrctl_test_cpufreq pwrctl_test_thermal'
# What the scheduler makes of the door is looked at by a program
arch_bpf='pelt_trace'
arch_more_modules='cpufreq_powersave cpufreq_ondemand cpufreq_conservative cpufreq_userspace dummy'

arch_sysroot_packages='bash busybox-static kmod util-linux strace coreutils grep sed mawk findutils
diffutils xz-utils libc-bin libc6-dev linux-libc-dev libnl-genl-3-dev libsmartcols-dev libmnl-dev
libjson-c-dev libgsl-dev libbpf-dev libelf-dev zlib1g-dev libzstd-dev python3-minimal python3-yaml'

arch_chroot_recipe() { echo "arm64 3 $arch_sysroot_packages"; }

# arch_install_kernel ROOT KERNEL APT-SUITE, from mmdebstrap's hook. Installing the packages would
# drag in a compiler that cannot run here: they are unpacked.
arch_install_kernel() {
	local root=$1 kernel=$2 from=$3 release p wanted=()
	[ -d "$root/arm64" ] || arm64_sysroot "$root"
	release=$(chroot "$root" apt-cache show -a linux-image-arm64:arm64 |
		sed -n "s/^Depends:.* linux-image-\($kernel\.[^ ,]*\).*/\1/p" | head -n 1)
	[ -n "$release" ] || die "no linux-image of $kernel in $from"
	for p in image base binary modules headers; do
		[ -z "$(chroot "$root" apt-cache show "linux-$p-$release:arm64" 2>/dev/null)" ] ||
			wanted+=("linux-$p-$release:arm64")
	done
	mkdir -p "$root/var/cache/arm64"
	chroot "$root" sh -c 'cd /var/cache/arm64 && apt-get -q download "$@"' sh "${wanted[@]}"
	for p in "$root"/var/cache/arm64/*.deb; do unpack_deb "$p" "$root"; done
	rm -rf "$root/var/cache/arm64"
	# newer packages leave this to their scripts
	[ ! -f "$root/lib/modules/$release/vmlinuz" ] ||
		ln -s "../lib/modules/$release/vmlinuz" "$root/boot/vmlinuz-$release"
	chroot "$root" depmod "$release"
	# what the headers name beside compilers: the common ones and kbuild's programs, for this host
	chroot "$root" apt-cache show "linux-headers-$release:arm64" | sed -n 's/^Depends: //p' | head -n 1 |
		tr ',' '\n' | sed 's/^ *//; s/ .*//' | grep -E '^linux-(headers-.*-common|kbuild)' |
		DEBIAN_FRONTEND=noninteractive xargs chroot "$root" apt-get install -q -y \
			--no-install-recommends -t "$from"
}

unpack_deb() { dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"; }

# arm64_sysroot ROOT: programs, libraries and headers, with all that they depend on, and the
# compilers that use them
arm64_sysroot() {
	local root=$1 d p options
	chroot "$root" dpkg --add-architecture arm64
	chroot "$root" apt-get -q update
	chroot "$root" apt-get install -q -y --no-install-recommends gcc-aarch64-linux-gnu
	mkdir -p "$root/arm64"/usr/{bin,sbin,lib} "$root/arm64/archives/partial"
	for d in bin sbin lib; do ln -s "usr/$d" "$root/arm64/$d"; done
	options='-o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State::status=/dev/null
		-o Dir::Cache::archives=/arm64/archives'
	# shellcheck disable=SC2086 # lists
	chroot "$root" apt-get -q -y $options --no-install-recommends --download-only install \
		$arch_sysroot_packages
	for p in "$root"/arm64/archives/*.deb; do unpack_deb "$p" "$root/arm64"; done
	rm -rf "$root/arm64/archives"
	arm64_alternatives "$root/arm64"
	printf '#!/bin/sh\nexec aarch64-linux-gnu-gcc --sysroot=/arm64 "$@"\n' >"$root/usr/bin/arm64-gcc"
	cat >"$root/usr/bin/arm64-pkg-config" <<'END'
#!/bin/sh
# The compiler knows where the packages are: no search paths are needed
PKG_CONFIG_LIBDIR=/arm64/usr/lib/aarch64-linux-gnu/pkgconfig:/arm64/usr/share/pkgconfig
PKG_CONFIG_SYSROOT_DIR=/arm64
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
exec pkg-config "$@"
END
	chmod +x "$root/usr/bin/arm64-gcc" "$root/usr/bin/arm64-pkg-config"
}

# What the packages' scripts would have linked, and libraries' links that start at the root
arm64_alternatives() {
	local link
	find "$1/usr/lib/aarch64-linux-gnu" -maxdepth 1 -lname '/lib/aarch64-linux-gnu/*' | while read -r link; do
		ln -sf "$(basename "$(readlink "$link")")" "$link"
	done
	[ -e "$1/usr/bin/awk" ] || ln -s mawk "$1/usr/bin/awk"
	[ -e "$1/usr/bin/sh" ] || ln -s bash "$1/usr/bin/sh"
	[ -e "$1/usr/lib/ld-linux-aarch64.so.1" ] ||
		ln -s aarch64-linux-gnu/ld-linux-aarch64.so.1 "$1/usr/lib/ld-linux-aarch64.so.1"
}

arch_sysroot() { echo "$(chroot_path "$1")/arm64"; }

arch_make_args() {
	echo "ARCH=arm64 CROSS_COMPILE=$arch_cross CC=arm64-gcc PKG_CONFIG=arm64-pkg-config"
}

arch_cpus() { echo "${1%%,*}"; }

# arch_qemu DIR SMP MEMORY CPUS-PER-DOMAIN: sets "qemu"; leaves what it makes in DIR.
# The capacities say which CPUs form a cluster and thus a domain: those in a row that are equal.
arch_qemu() {
	local dir=$1 list=$capacities
	local -a machine=(-M virt -cpu cortex-a57 -smp "$2" -m "$3")
	[ -n "$list" ] || list=$(arm64_capacities "$(arch_cpus "$2")" "$4")
	qemu_program qemu-system-aarch64
	"${emulator[@]}" -nodefaults "${machine[@]}" -M dumpdtb="$dir/virt.dtb" >"$dir/dtb.log" 2>&1
	{
		dtc -q -I dtb -O dts "$dir/virt.dtb"
		arm64_device_tree "$list" "${cooled:-all}"
	} >"$dir/lab.dts"
	dtc -q -I dts -O dtb -o "$dir/lab.dtb" "$dir/lab.dts" || die "dtc refuses the device tree"
	# shellcheck disable=SC2034 # for lab
	qemu=("${emulator[@]}" -accel "${accel:-tcg,thread=multi}" "${machine[@]}" -dtb "$dir/lab.dtb")
}

# arm64_capacities CPUS PER-DOMAIN: the first half little, the second big; domains of one capacity
# each differ by one part
arm64_capacities() {
	awk -v n="$1" -v per="$2" 'BEGIN {
		for (i = 0; i < n; i++) {
			big = i >= int(n / 2 / per) * per && n > per
			d = int(i / per)
			printf "%s%d", i ? "," : "", (big || n <= per ? 1024 : 400) - d % 2 * (n > 2 * per)
		}
	}'
}

# arm64_device_tree CAPACITIES all|big: what is added to QEMU's own tree: capacities, clusters, and a
# thermal zone that caps all or the big CPUs and whose sensor is a test module
arm64_device_tree() {
	awk -v list="$1" -v cooled="$2" 'BEGIN {
		n = split(list, c, ",")
		for (i = 1; i <= n; i++) if (c[i] + 0 > big) big = c[i] + 0
		print "/delete-node/ &{/cpus/cpu-map};"
		for (i = 0; i < n; i++)
			printf "&{/cpus/cpu@%x} { %s #cooling-cells = <2>; };\n", i,
				c[i + 1] == "none" ? "" : sprintf("capacity-dmips-mhz = <%d>;", c[i + 1])
		print "&{/cpus} { cpu-map {"
		for (i = 0; i < n; i++) {
			if (i == 0 || c[i] != c[i + 1]) {
				if (i) print "};"
				printf "cluster%d {\n", cluster++
				core = 0
			}
			printf "core%d { cpu = <&{/cpus/cpu@%x}>; };\n", core++, i
			if (core == 1) first[cluster] = i
		}
		print "}; }; };"
		print "/ {"
		print "sensor: pwrctl-test-sensor { compatible = \"pwrctl,test-sensor\"; #thermal-sensor-cells = <0>; };"
		print "thermal-zones { pwrctl-test {"
		print "polling-delay-passive = <50>; polling-delay = <50>;"
		print "thermal-sensors = <&sensor>; sustainable-power = <1500>;"
		print "trips { on: on { temperature = <60000>; hysteresis = <1000>; type = \"passive\"; };"
		print "target: target { temperature = <70000>; hysteresis = <1000>; type = \"passive\"; }; };"
		print "cooling-maps {"
		for (k = 1; k <= cluster; k++) if (cooled == "all" || c[first[k] + 1] + 0 == big)
			printf "map%d { trip = <&target>; cooling-device = <&{/cpus/cpu@%x} 0xffffffff 0xffffffff>; };\n", k, first[k]
		print "}; }; }; };"
	}'
}

# arch_dkms KERNEL DIR: the kernel's headers name the architecture themselves, and new ones the
# compiler
arch_dkms() { dkms_install "$@"; }
