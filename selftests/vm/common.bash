# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# What every script of the lab needs: messages, the cache, locks, missing packages, the mirror.
# Source it with "vm" set to the folder of this file.

# A function that fails in a $() fails the assignment
shopt -s inherit_errexit

top=$(cd "$vm/../.." && pwd)
if [ -n "${PWRCTL_CACHE:-}" ]; then
	cache=$PWRCTL_CACHE
elif [ "$EUID" -eq 0 ]; then
	cache=/var/cache/pwrctl
else
	cache=${XDG_CACHE_HOME:-$HOME/.cache}/pwrctl
fi

say() { printf '# %s\n' "$*" >&2; }

# 125: what the lab itself has to report, as env(1) and timeout(1) do
die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 125
}

# with_lock NAME COMMAND...: one at a time on this cache; says so when it has to wait.
# Descriptor 9 is not handed to COMMAND's children, or a daemon would keep the lock.
with_lock() {
	local name=$1
	shift
	mkdir -p "$cache/lock"
	(
		flock -n 9 || {
			say "waiting for another run that makes $name"
			flock 9
		}
		"$@" 9>&-
	) 9>"$cache/lock/${name//\//-}"
}

# need PACKAGE...: installs the missing ones, names and size first; nothing when none is missing
need() {
	local p plan missing=()
	for p in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$EUID" -eq 0 ] || die "missing packages; as root: apt-get install ${missing[*]}"
	apt-cache policy "${missing[@]}" | grep -q '^  Candidate: [^(]' ||
		apt-get update -qq >&2 || die "apt-get update failed"
	say "installing: ${missing[*]}"
	# --assume-no always fails; what it was about to do is what is wanted
	plan=$(LC_ALL=C apt-get install --no-install-recommends --assume-no "${missing[@]}" 2>/dev/null) ||
		[ -n "$plan" ] || die "apt cannot install ${missing[*]}"
	sed -n 's/^\(Need to get\|After this operation\)/# &/p' <<<"$plan" >&2
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
		"${missing[@]}" >"$(log_file apt)" 2>&1 || die "cannot install ${missing[*]}: see $(log_file apt)"
}

log_file() {
	mkdir -p "$cache/log"
	echo "$cache/log/$1.log"
}

# quietly NAME COMMAND...: output into a log that is shown when COMMAND fails
quietly() {
	local log
	log=$(log_file "$1")
	shift
	"$@" >"$log" 2>&1 </dev/null || {
		local rc=$?
		tail -n 40 "$log" >&2
		say "failed ($rc): $*; whole log: $log"
		return "$rc"
	}
}

# The mirror of the host's own Debian release; its other releases are there too.
mirror() {
	local codename uri
	if [ -n "${MIRROR:-}" ]; then
		echo "$MIRROR"
		return
	fi
	# shellcheck disable=SC1091
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	uri=$(apt_main "$codename")
	if [ -z "$uri" ] && [ "$EUID" -eq 0 ]; then
		apt-get update -qq >&2
		uri=$(apt_main "$codename")
	fi
	[ -n "$uri" ] || die "no Debian mirror in the apt configuration; name one with MIRROR="
	echo "$uri"
}

# shellcheck disable=SC2016 # the $() are apt's
apt_main() {
	apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(CODENAME) $(REPO_URI)' \
		'Created-By: Packages' | awk -v c="$1" '$1 == "Debian" && $2 == "main" && $3 == c { print $4; exit }'
}

# project_files PATH...: the sources below PATH (made things left out), for copying and hashing
project_files() {
	(cd "$top" && find "$@" -type f ! -name '.*' ! -name '*.o' ! -name '*.ko' ! -name '*.mod' \
		! -name '*.mod.c' ! -name '*.a' ! -name '*.cmd' ! -name Module.symvers \
		! -name modules.order ! -path tool/pwrctl -print | LC_ALL=C sort)
}

# project_tar PATH...: those files as a tar on stdout, the same bytes for the same contents
project_tar() {
	project_files "$@" | tar -C "$top" -c -T - --mtime=@0 --owner=0 --group=0 --numeric-owner
}

short_hash() { sha256sum | cut -c1-16; }
