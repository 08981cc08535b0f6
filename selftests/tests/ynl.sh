#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# lab: --layer python
#
# The kernel's own netlink client drives every command through uapi/pwrctl.yaml.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

skip() {
	printf 'TAP version 13\n1..0 # SKIP %s\n' "$1"
	exit 4
}

# first_of PATH...: that is there, beside the tests in a guest or in the kernel's source and ours
first_of() {
	local path
	for path in "$@"; do
		[ ! -e "$path" ] || {
			echo "$path"
			return
		}
	done
}

ynl=$(first_of "$here/../ynl" "${KSELFTEST:-$here}/../../net/ynl")
spec=$(first_of "$here/../ynl/pwrctl.yaml" "$here/../../uapi/pwrctl.yaml")
command -v python3 >/dev/null || skip "no python3 here"
python3 -c 'import yaml' 2>/dev/null || skip "python3 has no yaml here"
[ -d "$ynl/pyynl" ] || skip "the kernel's ynl is not here"
modprobe pwrctl
rc=0
python3 "$here/ynl.py" "$ynl" "$spec" || rc=$?
rmmod pwrctl
exit "$rc"
