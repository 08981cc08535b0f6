#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What is understood, what is not, and what help says.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

mapfile -t verbs < <("$fake" --list verbs)
mapfile -t keys < <("$fake" --list keys)

# bad MESSAGE ARGS...: exit 2, nothing on stdout, the message on stderr, nothing changed.
bad()
{
	local message=$1 rc=0

	shift
	pwrctl "$@"
	[ "$status" -eq 2 ] && [ -z "$out" ] && holds "$err" "$message" &&
		[ ! -e "$scratch/log" ] || rc=1
	result "$rc" "refused: pwrctl $*"
}

plan $((3 * ${#verbs[@]} + 2 * ${#keys[@]} + 74))
export PWRCTL_FAKE_LOG=$scratch/log

pwrctl
status_is 2 'without a verb it is not understood'
out_is '' 'and prints nothing on stdout'
err_has 'Usage:' 'but tells the usage on stderr'
pwrctl -h
status_is 0 'help succeeds'
out_has 'pwrctl set [policyN] KEY VALUE [KEY VALUE]...' 'help has synopses'
ok [ -z "$err" ] 'help is on stdout'
for verb in "${verbs[@]}"; do
	out_has "pwrctl $verb" "help knows $verb"
done
for verb in "${verbs[@]}"; do
	pwrctl "$verb" -h
	status_is 0 "$verb -h succeeds"
	out_has "pwrctl $verb" "$verb -h tells its synopsis"
done
pwrctl set -h
for key in "${keys[@]}"; do
	out_has "$key" "set -h knows $key"
done
pwrctl --help
status_is 0 '--help is help'
pwrctl -h set
out_has 'Keys' '-h may stand before the verb'
pwrctl set mode off -h
out_has 'Keys' 'and behind operands'
ok [ ! -e "$scratch/log" ] 'and then nothing is done'
pwrctl --version
out_is 'pwrctl 0.1.0' 'the version'
ok grep -qF 'PWRCTL_VERSION "0.1.0"' "$top/module/version.h" 'is the one of the module'

pwrctl -j show
json_is 'len(d) == 2' '-j may stand before the verb'
pwrctl show -j cpu
json_is 'len(d) == 6' '-j may stand among operands'
pwrctl show cpu --json
json_is 'len(d) == 6' '--json is -j'
pwrctl monitor -jt
json_is 'l[0]["time"]' 'letters may be joined'

bad 'there is no verb shwo' shwo
bad 'there is no verb sho' sho
bad 'there is no verb SHOW' SHOW
bad 'there is no verb help' help
bad 'unknown option -x' show -x
bad 'unknown option --nothing' show --nothing
bad 'unknown option -t' show -t
bad 'unknown option --t' monitor --t
bad 'unknown option --root' show --root /
bad 'needs an argument' doctor --root
bad 'takes no command' show -- ls
bad 'cannot show cpus' show cpus
bad 'cannot show policy' show policy
bad 'too much: cpu' show stats cpu
bad 'there is no key nothing' get nothing
bad 'there is no key MODE' get MODE
bad 'there is no key cpu0' get cpu0 mode
bad 'count is global' get policy0 count
bad 'reference_khz belongs to a domain' get reference_khz
bad 'needs a key and a value' set
bad 'needs a key and a value' set policy0
bad 'mode needs a value: mode must be off, instant, pelt or decay' set mode
bad 'decay_ms needs a value' set mode off decay_ms
bad 'cannot set mode to on: mode must be' set mode on
bad 'cannot set mode to Off: mode must be' set mode Off
bad 'cannot set mode to 1: mode must be' set mode 1
bad 'cannot set decay_ms to : decay_ms must be 1 to 60000 ms' set decay_ms ''
bad 'cannot set decay_ms to -5: decay_ms must be 1 to 60000 ms' set decay_ms -5
bad 'cannot set decay_ms to 5GHz: decay_ms must be' set decay_ms 5GHz
bad 'cannot set decay_ms to 0.5: decay_ms must be' set decay_ms 0.5
bad 'cannot set decay_ms to 4294967297: decay_ms must be' set decay_ms 4294967297
bad 'cannot set count to heat: count must be a list of' set count heat
bad 'cannot set outlet to : outlet must be' set outlet ''
bad 'decay_ms is given twice' set decay_ms 1 decay_ms 2
bad 'count is global' set policy0 count none
bad 'reference_khz belongs to a domain' set reference_khz 0
bad 'there is no key nothing' set mode off nothing 1
bad 'needs a key' unset
bad 'needs a key' unset policy0
bad 'there is no key nothing' unset mode nothing
bad 'needs a domain and a frequency' inject
bad 'needs a domain and a frequency' inject policy0
bad 'cpu0 is no domain' inject cpu0 1GHz
bad 'cannot inject 0' inject policy0 0
bad 'cannot inject 1s' inject policy0 1s
bad 'cannot use for here' inject policy0 1GHz for 3s
bad 'cannot use ttl here' inject policy0 1GHz ttl
bad 'cannot use ttl here' inject policy0 clear ttl 3s
bad 'cannot inject for 3GHz' inject policy0 1GHz ttl 3GHz
bad 'too much: policy0' monitor policy0
bad 'cpu0 is no domain' try cpu0
bad 'too much: policy4' try policy0 policy4
bad 'too much: now' doctor now

pwrctl show $'\033[31mred\nline'
err_has '\x1b[31mred\x0aline' 'what the user typed is not sent to the terminal raw'
pwrctl set "decay_ms" "$(printf '9%.0s' {1..5000})"
status_is 2 'an absurdly long value is refused'
status=0
out='' err=$("$fake" show 2>&1 >/dev/full) || status=$?
status_is 1 'a full disk is a failure'
err_has 'cannot write' 'and is told'

for key in "${keys[@]}"; do
	pwrctl --list "$key"
	status_is 0 "completion can ask for the words of $key"
done
ok [ ! -e "$scratch/log" ] 'nothing of all this changed anything'
finish
