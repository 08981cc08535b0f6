#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel's own netlink client drives every command through uapi/pwrctl.yaml. YNL: its folder,
# tools/net/ynl of a kernel's source; SPEC: the specification.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ynl=${YNL:-$here/ynl}
spec=${SPEC:-$here/pwrctl.yaml}
[ -e "$spec" ] || spec=$here/../../uapi/pwrctl.yaml

skip() {
	printf 'TAP version 13\n1..0 # SKIP %s\n' "$1"
	exit 4
}

command -v python3 >/dev/null || skip "no python3 here"
python3 -c 'import yaml' 2>/dev/null || skip "python3 has no yaml here"
[ -d "$ynl/pyynl" ] || skip "no YNL in $ynl"
modprobe pwrctl
exec python3 "$here/ynl.py" "$ynl" "$spec"
