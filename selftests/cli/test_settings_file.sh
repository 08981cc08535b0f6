#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# save and restore: one file, all or none.
# shellcheck disable=SC2016 # for eval, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

export PWRCTL_FAKE_LOG=$scratch/log
export PWRCTL_FAKE_STATE=$scratch/state
file=$scratch/settings

# restore_text TEXT: the file holds just that.
restore_text()
{
	printf '%b' "$1" >"$file"
	: >"$PWRCTL_FAKE_LOG"
	pwrctl restore "$file"
}

# refused LINE REASON DESCRIPTION: after restore_text.
refused()
{
	local rc=0

	[ "$status" -eq 1 ] && holds "$err" "settings:$1: " && holds "$err" "$2" &&
		[ ! -s "$PWRCTL_FAKE_LOG" ] || rc=1
	result "$rc" "$3"
}

plan 27

pwrctl save "$file"
status_is 0 'save'
ok grep -qx '#global decay_ms 250' "$file" 'a default is there as a comment'
ok grep -qx 'policy4 fall_ms 100' "$file" "a domain's own value"
ok [ "$(find "$scratch" -name 'settings*' | wc -l)" -eq 1 ] 'nothing else is left behind'
pwrctl save "$file"
status_is 1 'save does not overwrite'
err_has '--force' 'and says what would'
pwrctl save --force "$file"
status_is 0 '--force does'
pwrctl save -
out_has 'policy4 fall_ms 100' '- is the standard output'
pwrctl save /dev/full
status_is 1 'no device is a place for settings'
pwrctl restore "$file"
status_is 0 'restore of what was saved'
ok [ ! -s "$PWRCTL_FAKE_LOG" ] 'changes nothing'

restore_text 'global decay_ms 125\nglobal mode pelt # why\npolicy0 mode instant\n'
status_is 0 'restore'
ok grep -q '^mode 2 decay_ms 125 .* own 0 ' "$PWRCTL_FAKE_STATE" \
	'sets what is named, unsets what is not'
ok [ "$(grep -c '^set' "$PWRCTL_FAKE_LOG")" -eq 3 ] 'in one message a scope'

restore_text 'global decay_ms 125\nglobal frobs 1\n'
refused 2 'no key frobs' 'an unknown key'
restore_text 'global decay_ms 0\n'
refused 1 '1 to 60000' 'a value out of range'
restore_text 'policy0 quantum 4\n'
refused 1 'global only' 'a global key in a domain'
restore_text 'global reference_khz 4\n'
refused 1 'domains only' "a domain's key as global"
restore_text 'global mode off\nglobal mode off\n'
refused 2 'twice' 'a key twice'
restore_text 'global mode\n'
refused 1 'KEY VALUE' 'a value that is missing'
restore_text 'global mode off'
refused 1 'cut off' 'a file that is cut off'
restore_text '\0001\0377\n'
refused 1 'no text' 'a file that is no text'
restore_text 'elsewhere mode off\n'
refused 1 'neither global nor a domain' 'a place that is none'
restore_text '\npolicy99 mode off\n'
refused 2 'no domain policy99' 'a domain that is not there, with its line'
restore_text 'global decay_ms 125\npolicy0 mode instant\n'
printf 'global decay_ms 100\npolicy0 mode instant\n' >"$file"
PWRCTL_FAKE=refuses-domains pwrctl restore "$file"
status_is 1 'a scope that is refused'
ok grep -q '^mode 3 decay_ms 250 .* own 0x8 fall_ms 100$' "$PWRCTL_FAKE_STATE" \
	'takes back what was set before it'
PWRCTL_FAKE=absent pwrctl restore "$file"
status_is 3 'no module'

finish
