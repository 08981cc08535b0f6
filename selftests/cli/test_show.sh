#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What show prints, for people, for programs, on narrow terminals and into pipes.
# shellcheck disable=SC2016 # for eval, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# on_terminal COLUMNS ARGS...: the output on a terminal of that width, without carriage returns.
on_terminal()
{
	local columns=$1 command

	shift
	printf -v command '%q ' "$fake" "$@"
	status=0
	script -qec "stty cols $columns; $command" /dev/null </dev/null >"$scratch/out" || status=$?
	out=$(tr -d '\r' <"$scratch/out")
	err=
}

widest()
{
	awk '{ if (length > most) most = length } END { print most + 0 }' <<<"$out"
}

plan 58

pwrctl show
status_is 0 'show succeeds'
out_has 'DOMAIN' 'it has a heading'
out_has 'policy4 4-5    2.4 GHz 1.8 GHz thermal      256     200 decay' 'a capped domain'
out_has 'policy0 0-3    1.8 GHz       - none           0       0 decay' 'an uncapped domain'
before=$out
pwrctl show domain
out_is "$before" 'show domain is the same'

pwrctl show -j
json_is 'isinstance(d, list) and [x["name"] for x in d] == ["policy0", "policy4"]' 'a list'
json_is 'd[0]["cap_khz"] is None and d[0]["cause"] == "none"' 'what is absent is null'
json_is 'd[1]["cap_khz"] == 1800000 and d[1]["cause"] == "thermal"' 'numbers are numbers'
json_is 'd[0]["events"] == 2**64 - 1' 'large numbers are exact'
json_is 'd[1]["pressure_fine"] == 2**60' 'fine numbers are exact'
json_is 'd[1]["settings"]["fall_ms"] == 100 and d[1]["own"] == ["fall_ms"]' 'settings and own ones'
json_is 'd[1]["caps"][0] == {"cause": "thermal", "khz": 1800000, "until_ns": None}' 'caps by cause'
json_is 'd[0]["own"] == []' 'an empty list is []'
json_is '(d[0]["set_ns"], d[0]["pelt"]) == (10**9, None)' 'pelt has no state in another mode'
grep -oE 'PWRCTL_A_DOM_[A-Z_]+ = ' "$top/uapi/linux/pwrctl.h" | sed 's/PWRCTL_A_DOM_//; s/ = //' |
	grep -vE '^(UNSPEC|PAD)$' | tr '[:upper:]' '[:lower:]' >"$scratch/fields"
json_is "set(open('$scratch/fields').read().split()) <= set(d[0])" \
	'every attribute of a domain has its field'
PWRCTL_FAKE=mode-pelt pwrctl show -j
json_is 'd[0]["pelt"] == {"stamp": 10**9, "sum": 1024, "avg": 512, "contrib": 7}' \
	'the state of mode pelt'
pwrctl show policy4
status_is 0 'one domain'
out_has 'reference        2.4 GHz  (frequency table)' 'reference and origin'
out_has 'thermal  1.8 GHz' 'the cap of a cause'
out_has 'hw: not available on this kernel' 'a cause that the kernel does not tell'
out_has 'fall_ms       100  (set here)' 'a setting of its own'
out_has 'decay_ms      250  (global)' 'a setting that is global'
pwrctl show policy4 -j
json_is 'd["name"] == "policy4" and d["average"] == 200' 'one domain is one object'
pwrctl show policy99
status_is 1 'a domain that is not there'
err_has 'cannot show policy99: there is no such domain' 'is named'
out_is '' 'and nothing is printed'

pwrctl show cpu
status_is 0 'CPUs'
out_has '5 policy4     1024      256     200  824' 'a CPU'
pwrctl show cpu -j
json_is 'd[5] == {"cpu": 5, "domain": "policy4", "clock_ns": 10**11, "capacity": 1024,
	"pressure": 256, "average": 200, "hint": 824}' 'a CPU as an object'
pwrctl show stats
status_is 0 'stats'
out_has 'causes told apart       thermal,user,boost,other,injected' 'causes as a list of words'
pwrctl show stats -j
json_is 'd["version"] == "0.1.0" and d["listeners"] is False and d["causes"][0] == "thermal"' \
	'stats as an object'

export PWRCTL_FAKE=empty
pwrctl show
status_is 0 'no domains is no failure'
out_has 'no domains' 'and is said'
for what in domain cpu; do
	pwrctl show "$what" -j
	out_is '[]' "nothing of $what is []"
done
PWRCTL_FAKE=absent
pwrctl show
status_is 3 'without the module: 3'
err_has 'not loaded' 'and it is said'
out_is '' 'and nothing is printed'
pwrctl show -j
status_is 3 'with -j, too'
PWRCTL_FAKE=older
pwrctl show policy0
status_is 3 'another version: 3'
err_has 'the module is older' 'and which is older'
pwrctl show
status_is 3 'for the list, too'
PWRCTL_FAKE=broken
pwrctl show cpu
status_is 1 'another failure: 1'
PWRCTL_FAKE=hostile
pwrctl show policy0
out_has 'driver           bad\x1b[31m"\\xff\xc2\x9b' 'hostile strings are escaped'
ok eval '! grep -q "[[:cntrl:]]" "$scratch/out"' 'no control character reaches the terminal'
pwrctl show -j
json_is '"\x1b" in d[0]["driver"] and "\ufffd" in d[0]["driver"]' 'in JSON they are valid, too'

unset PWRCTL_FAKE
on_terminal 120 show
out_has 'policy4 4-5    2.4 GHz 1.8 GHz thermal' 'a wide terminal has the table'
on_terminal 40 show
status_is 0 'a terminal of 40 columns'
ok [ "$(widest)" -le 40 ] 'nothing is wider than it'
out_has 'CAP 1.8 GHz' 'and nothing is lost'
ok eval '! holds "$out" "policy4 4-5"' 'rows become descriptions'
on_terminal 40 show cpu
ok [ "$(widest)" -le 60 ] 'CPUs fit, too'
on_terminal 1 show
status_is 0 'a terminal of one column'
on_terminal 40 show -j
json_is 'len(d) == 2' 'JSON knows no width'
"$fake" show >"$scratch/out"
out=$(<"$scratch/out")
out_is "$before" 'into a pipe the table is whole'
status=0
err=$("$fake" show 2>&1 >/dev/full) || status=$?
status_is 1 'a full disk is a failure'
set +o pipefail
"$fake" show -j | true
rc=${PIPESTATUS[0]}
set -o pipefail
ok eval '[ "$rc" -eq 0 ] || [ "$rc" -eq 141 ]' 'a reader that leaves is no crash'
finish
