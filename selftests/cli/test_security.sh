#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the command does not do: give anything to a shell, or name a file that another user could
# have put there first.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# needs_none PATTERN FILE: the program calls no library function of such a name
needs_none()
{
	local calls

	calls=$(nm -u --without-symbol-versions "$2" | sed 's/^ *[Uw] //')
	# one that shows nothing proves nothing
	grep -qx printf <<<"$calls" || grep -q '^__printf\|^fwrite\|^fputs' <<<"$calls" || return 1
	! grep -qxE "$1" <<<"$calls"
}

plan 3
ok needs_none 'system|popen|wordexp' "$OUTPUT/pwrctl" 'nothing goes to a shell'
ok needs_none 'mktemp|tmpnam|tmpnam_r|tempnam' "$OUTPUT/pwrctl" 'no temporary file has a name to guess'
# shellcheck disable=SC2016 # expanded by eval
ok eval '! needs_none "system|popen|wordexp|exit" "$OUTPUT/pwrctl"' 'a call that is there is found'
finish
