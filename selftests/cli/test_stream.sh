#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# monitor and try: what they print, and how they end.
# shellcheck disable=SC2016 # for eval, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

export PWRCTL_FAKE_LOG=$scratch/log

# cleared: the last change was that the injected cap was cleared.
cleared()
{
	[ "$(tail -n 1 "$scratch/log")" = "inject $1 0 for 0" ]
}

plan 50

pwrctl monitor
status_is 0 'monitor ends well on SIGINT'
ok eval '[[ $(sed -n 1p "$scratch/out") == *" settings global mode decay decay_ms 250"* ]]' \
	'the first line is the settings'
ok eval '[[ $(sed -n 2p "$scratch/out") == "100.000000 snapshot policy0 cap - of 1.8 GHz"* ]]' \
	'then a snapshot'
out_has '100.000000 cap      policy4 cap 1.8 GHz of 2.4 GHz cause thermal pressure 256 average 200' \
	'a cap'
out_has ' hint     policy4 ' 'a hint'
out_has ' gone     policy4' 'a domain that leaves'
out_has ' new      policy4' 'a domain that comes'
PWRCTL_FAKE=terminated pwrctl monitor
status_is 0 'it ends well on SIGTERM'
pwrctl monitor -t
ok grep -qE '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{6}[+-][0-9]{4} [0-9]+\.[0-9]{6} cap ' \
	"$scratch/out" '-t puts local time before'
pwrctl monitor -j
json_is '[x["event"] for x in l] == ["settings", "snapshot", "snapshot", "cap", "hint",
	"settings", "gone", "new"]' 'one object a line'
json_is 'l[3]["name"] == "policy4" and l[3]["pressure"] == 256 and l[3]["event_ns"] == 10**11' \
	'an event is an object like that of show'
json_is '"time" not in l[0]' 'no local time'
pwrctl monitor -t -j
json_is 'all(x["time"] for x in l)' 'but with -t'
PWRCTL_FAKE=lost pwrctl monitor
out_has 'resync' 'lost events are told'
ok [ "$(grep -c snapshot "$scratch/out")" -eq 4 ] 'and the state follows anew'
PWRCTL_FAKE=lost pwrctl monitor -j
json_is '[x["event"] for x in l][6:10] == ["resync", "settings", "snapshot", "snapshot"]' \
	'in JSON, too'
PWRCTL_FAKE=unloaded pwrctl monitor
status_is 3 'a module that leaves ends it'
err_has 'was unloaded' 'and is told'
PWRCTL_FAKE=older pwrctl monitor
status_is 3 'another version'
PWRCTL_FAKE=empty pwrctl monitor -j
json_is '[x["event"] for x in l][1:3] == ["hint", "cap"]' 'no domains at first'
PWRCTL_FAKE=hostile pwrctl monitor -j
json_is 'len(l) == 8' 'hostile strings are valid JSON'
status=0
"$fake" monitor 2>"$scratch/err" >/dev/full || status=$?
err=$(<"$scratch/err")
status_is 1 'a full disk ends it'
err_has 'cannot' 'and is told'
set +o pipefail
"$fake" monitor 2>"$scratch/err" | true
status=${PIPESTATUS[0]}
set -o pipefail
status_is 0 'a reader that leaves ends it well'
ok [ ! -s "$scratch/err" ] 'and in silence'
ok [ ! -e "$scratch/log" ] 'monitor changes nothing'

pwrctl try
status_is 0 'try succeeds'
out_has 'policy0 (CPUs 0-3) is capped to 900 MHz, half of its reference' 'it says what it does'
ok grep -qx 'inject policy0 900000 for 15000' "$scratch/log" 'half of the reference is injected'
out_has '10.00 s      900 MHz       512      512' 'the average rises'
ok cleared policy0 'the cap is cleared'
out_has 'rose to 512 of 1024 and fell again' 'and falls, and that is said'
ok eval '[[ $(grep " s " "$scratch/out" | tail -n 1) == *" - "*" 0 "*" 0 |"* ]]' 'the last is 0'
rm -f "$scratch/log"
pwrctl try policy4 -j
status_is 0 'a named domain'
json_is 'max(x["average"] for x in l) == 512 and l[-1]["average"] == 0' 'one object a line'
json_is '[x["phase"] for x in l] == sorted((x["phase"] for x in l), reverse=True)' 'rise, then fall'
ok cleared policy4 'the cap is cleared'
rm -f "$scratch/log"
PWRCTL_FAKE_STOP=5 pwrctl try
status_is 4 'Ctrl-C in the rise: done in part'
ok cleared policy0 'and the cap is cleared'
PWRCTL_FAKE_STOP=45 pwrctl try
status_is 4 'Ctrl-C in the fall: done in part'
rm -f "$scratch/log"
set +o pipefail
"$fake" try 2>/dev/null | head -n 4 >/dev/null
set -o pipefail
ok cleared policy0 'a reader that leaves: the cap is cleared'
rm -f "$scratch/log"
PWRCTL_FAKE=replaced pwrctl try
ok eval '! cleared policy0' "another one's cap is left alone"
rm -f "$scratch/log"
PWRCTL_FAKE=injected pwrctl try
status_is 1 'an injected cap that is there already'
ok [ ! -e "$scratch/log" ] 'is not replaced'
PWRCTL_FAKE=mode-off pwrctl try
out_has 'mode is off: the average stays 0' 'it says when mode makes it invisible'
PWRCTL_FAKE=mode-instant pwrctl try
out_has 'mode is instant' 'or without a curve'
PWRCTL_FAKE=slow pwrctl try
out_has 'decay_ms is 60000' 'or decay_ms too slow'
PWRCTL_FAKE=uncounted pwrctl try
out_has 'count has no injected' 'or not counted'
PWRCTL_FAKE=deep pwrctl try policy4
out_has 'is capped below that already (thermal)' 'or hidden behind a deeper cap'
PWRCTL_FAKE=empty pwrctl try
status_is 1 'no domain to try'
finish
