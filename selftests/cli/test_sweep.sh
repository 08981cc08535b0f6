#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# sweep and compare: the order of the runs, what is said of them, and that settings come back.
# shellcheck disable=SC2016 # for eval and sh -c, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

export PWRCTL_FAKE_LOG=$scratch/log
export PWRCTL_FAKE_STATE=$scratch/state
results=$scratch/results
found='mode 3 decay_ms 250 fall_ms 0 pelt_shift 0 own 0x8 fall_ms 100'

# restored: the settings are those that were found.
restored()
{
	[ "$(<"$PWRCTL_FAKE_STATE")" = "$found" ]
}

# file_is EXPRESSION DESCRIPTION: as json_is, of the file of results.
file_is()
{
	cp "$results" "$scratch/out"
	json_is "$1" "$2"
}

plan 62

pwrctl sweep decay_ms 125
status_is 2 'no command'
pwrctl sweep decay_ms 125 repeat 0 -- true
status_is 2 'no runs'
pwrctl sweep decay_ms 5:1 -- true
status_is 2 'a range without a step'
pwrctl sweep decay_ms 1:60000:1 -- true
status_is 2 'more settings than anybody waits for'
pwrctl sweep decay_ms 125 decay_ms 250 -- true
status_is 2 'a list twice'

PWRCTL_FAKE=heating pwrctl sweep mode instant,pelt decay_ms 125,250 repeat 2 warmup 3 -o "$results" -- \
	sh -c 'echo run >>'"$scratch/warm"
status_is 0 'sweep'
ok restored 'restores the settings'
file_is 'l[0]["points"] == ["off", "instant", "pelt", "decay 125 ms", "decay 250 ms"]' \
	'off comes first, though nobody named it'
ok [ "$(grep -c . "$scratch/warm")" -eq 17 ] 'three runs to warm up, which count for nothing'
file_is '[x["control"] for x in l[1:5]] == ["A", "B", "B", "A"]' \
	'the control comes first, there and back'
file_is '[x["point"] for x in l[5:10]] == l[0]["points"]' 'the first round goes there'
file_is '[x["point"] for x in l[10:15]] == l[0]["points"][::-1]' 'the second one back'
file_is 'l[-1] == {"event": "end", "runs": 14} and len(l) == 16' 'and there is an end'
file_is 'all(x["values"]["joules"] is None for x in l[1:-1])' \
	'energy that is not there is not 0'
file_is 'l[1]["domains"][1] == {"domain": "policy4", "mean_cap_khz": 1800000,
	"mean_pressure": 0.25}' "means of caps come from the module's own counters"
file_is 'l[1]["domains"][0]["mean_cap_khz"] == 1800000' 'of a domain without caps, too'
PWRCTL_FAKE=heating pwrctl sweep decay_ms 125 repeat 2 -- true
out_has 'baseline' 'the table has a baseline'
out_has 'control: off against itself' 'the control is told'
out_has 'not available' 'so is energy that is not there'
ok eval '! holds "$out" nobody' 'hints that are consumed are not said not to be'
PWRCTL_FAKE=unconsumed pwrctl sweep decay_ms 125 repeat 2 -- true
out_has 'nobody consumed the hints' 'nobody consumes the hints'
PWRCTL_FAKE=idle pwrctl sweep decay_ms 125 repeat 2 -- true
out_has 'nothing was capped' 'nothing is capped'
pwrctl sweep decay_ms 125 repeat 1 warmup 0 -- true
out_has 'too few runs' 'one run shows nothing'
ok restored 'and the settings come back'
script -qec "stty cols 40; '$fake' sweep decay_ms 125 repeat 2 -- true" /dev/null </dev/null \
	>"$scratch/terminal"
ok eval 'tr "\r" "\n" <"$scratch/terminal" | grep -qx "VERDICT no difference can be shown"' \
	'on a terminal of 40 columns a row becomes a list'
ok grep -q '1 of 9 ' "$scratch/terminal" 'and there is progress'
ok grep -q ' left 0:0' "$scratch/terminal" 'with the time that is left'
pwrctl -j sweep decay_ms 125 repeat 2 -- sh -c 'echo noise; echo noise >&2'
json_is 'len(d["settings"]) == 2 and len(d["settings"][1]["runs_s"]) == 2' \
	'JSON, whatever the command prints'
json_is 'd["settings"][0]["verdict"] == "baseline" and d["settings"][1]["joules"] is None' \
	'with a verdict, and null for what is not available'

pwrctl sweep decay_ms 125 -o "$results" -- true
status_is 125 'sweep does not overwrite'
ok [ "$(find "$scratch" -name 'results*' | wc -l)" -eq 1 ] 'and leaves nothing behind'
rm "$results"
pwrctl sweep decay_ms 125 -o "$results" -- sh -c 'exit 9'
status_is 9 'a command that fails ends it with its status'
ok restored 'the settings come back'
ok [ ! -e "$results" ] 'and there are no results'
pwrctl sweep decay_ms 125 -- "$scratch/absent"
status_is 127 'a command that is not there'
ok restored 'the settings come back'
pwrctl sweep decay_ms 125 -- "$scratch"
status_is 126 'a command that cannot be run'
pwrctl sweep decay_ms 125 -- sh -c 'kill -SEGV $$'
status_is 139 'a command that is killed'
for signal in INT TERM HUP; do
	pwrctl sweep decay_ms 125 -o "$results" -- \
		sh -c 'kill -'"$signal"' "$PPID"; exec sleep 1000'
	status_is $((128 + $(kill -l "$signal"))) "SIG$signal ends it"
	ok restored 'the settings come back'
	ok [ ! -e "$results" ] 'and there are no results'
done
PWRCTL_FAKE=meddled pwrctl sweep decay_ms 125 repeat 1 -- true
err_has 'changed by somebody else' 'settings that somebody else made are told'
ok grep -q 'decay_ms 777 .* fall_ms 100$' "$PWRCTL_FAKE_STATE" 'and stay; the others come back'
pwrctl sweep decay_ms 125 repeat 1 -- sh -c 'sleep 1000 & echo $! >>'"$scratch/left"
out_has 'left processes behind' 'a command that forks away is told'
while read -r pid; do kill "$pid"; done <"$scratch/left"
PWRCTL_FAKE=plain-user pwrctl sweep decay_ms 125 -- true
status_is 125 'not permitted'

# Each run heats the zone; from the first one on, which warms up, a helper cools it as soon as it is
# hot: no other run may begin before.
hot=$scratch/hot/sys/class/thermal/thermal_zone0
mkdir -p "$hot"
echo soc >"$hot/type"
echo 80000 >"$hot/temp"
while sleep 0.05; do
	[ ! -s "$hot/began" ] || [ "$(<"$hot/temp")" != 80000 ] || { echo 50000 >"$hot/new" && mv "$hot/new" "$hot/temp"; }
done &
cooler=$!
export hot
PWRCTL_FAKE=heating pwrctl sweep --root "$scratch/hot" decay_ms 125 repeat 1 cooldown below 60 -- \
	sh -c 'cat "$hot/temp" >>"$hot/began"; echo 80000 >"$hot/hotter"; mv "$hot/hotter" "$hot/temp"'
kill "$cooler"
ok [ "$(uniq -c "$hot/began" | xargs)" = '1 80000 4 50000' ] 'every run waits until it is cool enough'
pwrctl sweep decay_ms 125 cooldown warm -- true
status_is 2 'a cool-down that is none'
pwrctl sweep decay_ms 125 cooldown below -- true
status_is 2 'nor one below nothing'
pwrctl sweep --root "$scratch/absent" decay_ms 125 cooldown below 60 -- true
err_has 'no thermal zone can be read' 'without a zone there is none'
# A machine whose counter of energy wraps under way, once a run, and then is gone.
power=$scratch/root/sys/class/powercap/intel-rapl:0
zone=$scratch/root/sys/class/thermal/thermal_zone0
mkdir -p "$power" "$zone"
echo package-0 >"$power/name"
echo 262143328850 >"$power/max_energy_range_uj"
echo 0 >"$power/energy_uj"
echo 41000 >"$zone/temp"
echo soc >"$zone/type"
wrap='v=$(cat energy_uj); echo $(((v + 262143000000) % 262143328850)) >energy_uj'
PWRCTL_FAKE=heating pwrctl sweep --root "$scratch/root" decay_ms 125 repeat 2 cooldown below 60 \
	-o "$results" -- sh -c "cd '$power'; $wrap"
status_is 0 'sweep on a made-up machine'
file_is 'all(x["values"]["joules"] is None for x in l[1:-1])' \
	'more energy than any machine uses is a counter gone wrong'
step='v=$(cat energy_uj); echo $(((v + 1500000) % 262143328850)) >energy_uj'
echo 262140000000 >"$power/energy_uj"
pwrctl sweep --force --root "$scratch/root" decay_ms 125 repeat 2 -o "$results" -- \
	sh -c "cd '$power'; $step"
file_is 'all(abs(x["values"]["joules"] - 1.5) < 1e-9 for x in l[1:-1])' \
	'a counter that wraps is summed right'
file_is 'all(x["values"]["celsius"] == 41 for x in l[1:-1])' 'the highest temperature'
pwrctl compare "$results" "$results"
out_has 'performance per watt' 'compare derives power where energy is known'
pwrctl -j compare "$results" "$results"
json_is 'all(x["others"][0]["difference_percent"] in (0, None) for x in d)' \
	'a result does not differ from itself'
head -c 900 "$results" >"$scratch/short"
pwrctl compare "$results" "$scratch/short"
err_has 'short:2: the file is cut off' 'a result that is cut off'

finish
