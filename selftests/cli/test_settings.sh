#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# get, set, unset and inject against the made-up module.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

export PWRCTL_FAKE_LOG=$scratch/log

# changes N: how many changes reached the module since the last call.
changes()
{
	local lines=0

	[ ! -e "$scratch/log" ] || lines=$(wc -l <"$scratch/log")
	rm -f "$scratch/log"
	[ "$lines" -eq "$1" ]
}

plan 53

pwrctl get
status_is 0 'get succeeds'
out_is 'mode decay
decay_ms 250
fall_ms 0
pelt_shift 0
count thermal,hw,other,injected
quantum 16
outlet auto' 'all global keys and their values'
pwrctl get decay_ms mode
out_is 'mode decay
decay_ms 250' 'some keys'
pwrctl get policy4
out_is 'mode decay
decay_ms 250
fall_ms 100
pelt_shift 0
reference_khz 0' 'what is in force in a domain'
pwrctl get -j
json_is 'd["decay_ms"] == 250 and d["count"] == ["thermal", "hw", "other", "injected"]' 'as JSON'
json_is 'd["mode"] == "decay" and d["own"] == []' 'words are strings'
pwrctl get policy4 fall_ms -j
json_is 'd == {"fall_ms": 100, "own": ["fall_ms"]}' 'one key of a domain as JSON'
pwrctl get policy99
status_is 1 'a domain that is not there'
err_has 'no such domain' 'is told'
ok changes 0 'reading changes nothing'

pwrctl set decay_ms 500
status_is 0 'set succeeds'
out_is '' 'and is silent'
ok changes 1 'one change'
pwrctl set decay_ms 0.5s mode pelt count none quantum 256 -j
status_is 0 'several keys'
json_is 'd["decay_ms"] == 500 and d["mode"] == "pelt" and d["count"] == []' 'with -j what holds now'
ok changes 1 'several keys are one message'
pwrctl set policy0 reference_khz 1.2GHz fall_ms 1min -j
json_is 'd["reference_khz"] == 1200000 and d["fall_ms"] == 60000' 'units'
json_is 'sorted(d["own"]) == ["fall_ms", "reference_khz"]' 'and now they are its own'
ok changes 1 'one message'
pwrctl set count thermal,user -j
json_is 'd["count"] == ["thermal", "user"]' 'a list of causes'
ok changes 1 'one message'
pwrctl set decay_ms 0
status_is 1 'the module refuses what is out of range'
err_has 'cannot set decay_ms to 0: decay_ms must be 1 to 60000 ms' 'what, the value, what is allowed'
pwrctl set mode off decay_ms 2min fall_ms 3
status_is 1 'one of several is refused'
err_has 'cannot set decay_ms to 2min: decay_ms must be 1 to 60000 ms; nothing was changed' \
	'the one that is wrong is named as it was typed'
out_is '' 'nothing is printed'
pwrctl set quantum 257 -j
status_is 1 'with -j, too'
out_is '' 'and no JSON is begun'
ok changes 0 'a refusal changes nothing'
for args in 'set policy99 mode off' 'unset policy99 mode' 'get policy99'; do
	# shellcheck disable=SC2086
	pwrctl $args
	err_has "cannot ${args%% *} keys of policy99: there is no such domain" "the domain is named: $args"
done
status_is 1 'and it is a failure'
PWRCTL_FAKE=plain-user pwrctl set mode off
status_is 1 'a plain user may not'
err_has 'run it as root' 'and is told what to do'
ok changes 0 'nothing changed'
for args in 'set mode off' 'unset mode' 'get' 'inject policy0 1GHz' 'try' 'monitor'; do
	# shellcheck disable=SC2086
	PWRCTL_FAKE=absent pwrctl $args
	status_is 3 "without the module: $args"
done
PWRCTL_FAKE=older pwrctl set mode off
status_is 3 'another version'

pwrctl unset policy4 fall_ms -j
json_is 'd["fall_ms"] == 0 and d["own"] == []' 'unset: the global value holds again'
pwrctl unset mode decay_ms
out_is '' 'unset is silent'
ok changes 2 'one message each'

pwrctl inject policy0 900MHz ttl 0.5s
status_is 0 'inject succeeds'
out_is '' 'and is silent'
ok grep -qx 'inject policy0 900000 for 500' "$scratch/log" 'cap and time to live'
rm -f "$scratch/log"
pwrctl inject policy0 900000 -j
json_is 'd["cap_khz"] == 900000 and d["cause"] == "injected"' 'with -j the domain'
json_is 'd["caps"][2]["until_ns"] == d["clock_ns"] + 10**10' 'ten seconds when not told'
pwrctl inject policy0 clear
ok grep -qx 'inject policy0 0 for 10000' "$scratch/log" 'clear'
pwrctl inject policy0 1GHz ttl 2h
err_has 'cannot inject for 2h: the time to live must be 1 ms to 1 h' 'the refusal names the time'
finish
