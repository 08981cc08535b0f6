#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# record and replay: what is in a trace, how recording ends, and what is made of hostile files.
# shellcheck disable=SC2016 # for eval, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

trace=$scratch/trace

# gone: neither the trace nor what it was until then is there.
gone()
{
	[ -z "$(find "$scratch" -name 'trace*')" ]
}

# trace_is EXPRESSION DESCRIPTION: as json_is, of the trace.
trace_is()
{
	cp "$trace" "$scratch/out"
	json_is "$1" "$2"
}

# A made-up trace: one domain, 1 s uncapped, 2 s at half, 1 s uncapped.
make_trace()
{
	python3 - "$1" <<'PYTHON'
import json, sys
one = 1 << 62
lines = [dict(type="pwrctl-trace", version=1, ns=10**9)]
lines.append(dict(event="settings", ns=10**9, domain=None, quantum=16))
lines.append(dict(event="settings", ns=10**9, domain="policy0", mode="instant", decay_ms=250,
                  fall_ms=0, pelt_shift=0))
def state(event, ns, cap, average):
    pressure = one // 2 if cap else 0
    return dict(event=event, ns=ns, domain="policy0", cpus="0", cause="thermal" if cap else "none",
                reference_khz=2000000, cap_khz=cap, since_ns=ns, changed_ns=ns,
                pressure_fine=pressure, average_fine=average)
lines.append(state("domain", 10**9, None, 0))
lines.append(state("cap", 2 * 10**9, 1000000, one // 2))
lines.append(state("cap", 4 * 10**9, None, 0))
lines.append(dict(event="a later invention", ns=0))
lines.append(dict(event="end", ns=5 * 10**9, status=None))
open(sys.argv[1], "w").write("".join(json.dumps(line) + "\n" for line in lines))
PYTHON
}

# make_late FILE OUT: the made-up trace with a half-life of 1 s, and of 250 ms from 3 s on, which is
# read at 3.5 s.
make_late()
{
	python3 - "$1" "$2" <<'PYTHON'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
lines[2].update(mode="decay", decay_ms=1000)
settings = dict(lines[2], ns=3500 * 10**6, decay_ms=250)
state = dict(lines[4], event="domain", ns=3500 * 10**6, set_ns=3 * 10**9, average_fine=7 << 58)
lines[3].update(set_ns=10**9)
lines[5:5] = [settings, state]
open(sys.argv[2], "w").write("".join(json.dumps(line) + "\n" for line in lines))
PYTHON
}

# hostile LINE SED REASON DESCRIPTION: the made-up trace, spoiled.
hostile()
{
	local rc=0

	sed "$2" "$scratch/good" >"$scratch/spoiled"
	pwrctl replay "$scratch/spoiled"
	[ "$status" -eq 1 ] && holds "$err" "spoiled:$1: " && holds "$err" "$3" && [ -z "$out" ] ||
		rc=1
	result "$rc" "$4"
}

plan 60

pwrctl record
status_is 2 'no file, no recording'
pwrctl record -o "$trace"
status_is 0 'record ends well on SIGINT'
trace_is 'l[0]["type"] == "pwrctl-trace" and l[0]["version"] == 1' 'the header comes first'
trace_is '[x["domain"] for x in l if x.get("event") == "domain"][:2] == ["policy0", "policy4"]' \
	'then a snapshot'
trace_is '[x for x in l if x.get("event") == "domain"][1]["cap_khz"] == 1800000' 'with caps'
trace_is 'any(x.get("event") == "cpus" and len(x["cpus"]) == 6 for x in l)' 'and capacities'
trace_is 'any(x.get("event") == "gone" and x["domain"] == "policy4" for x in l)' \
	'a domain that leaves'
trace_is 'l[-1]["event"] == "end" and l[-1]["status"] is None' 'the end comes last'
pwrctl replay "$trace"
status_is 0 'replay reads it'
out_has 'as recorded policy4' 'and has a row for it'
pwrctl record -o "$trace"
status_is 1 'record does not overwrite'
rm "$trace"
script -qec "stty cols 40; '$fake' record -o '$trace'" /dev/null </dev/null >"$scratch/terminal"
tr '\r' '\n' <"$scratch/terminal" | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' >"$scratch/lines"
ok grep -q ' [0-9]* changes' "$scratch/lines" 'on a terminal there is progress'
ok eval '[ "$(wc -L <"$scratch/lines")" -le 40 ]' 'that fits its 40 columns'
rm "$trace"
PWRCTL_FAKE=lost pwrctl record -o "$trace"
trace_is '[x.get("event") for x in l].count("resync") == 1' 'lost events are marked'
err_has 'resync' 'and told'
rm "$trace"
PWRCTL_FAKE=unloaded pwrctl record -o "$trace"
status_is 0 'a module that leaves'
err_has 'unloaded' 'is told'
rm "$trace"
PWRCTL_FAKE=unloaded pwrctl record -o "$trace" -- sh -c 'exit 7'
status_is 7 "the command's status passes through"
trace_is 'l[-1]["status"] == 7 and l[0]["command"] == ["sh", "-c", "exit 7"]' 'and is in the trace'
rm "$trace"
PWRCTL_FAKE=unloaded pwrctl record -o "$trace" -- sh -c 'kill -9 $$'
status_is 137 'so does a signal'
rm "$trace"
pwrctl record -o "$trace" -- "$scratch/absent"
status_is 127 'a command that is not there'
ok gone 'leaves nothing behind'
: >"$scratch/plain"
pwrctl record -o "$trace" -- "$scratch/plain"
status_is 126 'a command that cannot be run'
ok gone 'leaves nothing behind either'
PWRCTL_FAKE=absent pwrctl record -o "$trace"
status_is 3 'no module'
pwrctl record -o "$scratch/absent/trace"
status_is 1 'no such directory'

# The zone is there, one meter cannot be read.
mkdir -p "$scratch/sys/class/thermal/thermal_zone3" "$scratch/sys/class/powercap/intel-rapl:0"
echo soc >"$scratch/sys/class/thermal/thermal_zone3/type"
echo 45500 >"$scratch/sys/class/thermal/thermal_zone3/temp"
echo package-0 >"$scratch/sys/class/powercap/intel-rapl:0/name"
echo nonsense >"$scratch/sys/class/powercap/intel-rapl:0/energy_uj"
PWRCTL_FAKE=unloaded pwrctl record --root "$scratch" -o "$trace"
trace_is '([x for x in l if x.get("event") == "sensors"][0]["zones"][0] ==
	{"zone": "thermal_zone3", "kind": "soc", "celsius": 45.5})' 'temperatures'
trace_is '[x for x in l if x.get("event") == "sensors"][0]["energy"][0]["joules"] is None' \
	'energy that cannot be read is not there'

make_trace "$scratch/good"
pwrctl -j replay "$scratch/good" mode off,instant decay_ms 100:200:100 fall_ms 50
status_is 0 'replay of a made-up trace'
json_is '[x["setting"] for x in d] == ["as recorded", "off", "instant", "decay 100 ms, fall 50 ms",
	"decay 200 ms, fall 50 ms"]' 'rows'
json_is 'all(abs(x["seconds"] - 4) < 1e-6 for x in d)' 'the time that was followed'
json_is 'abs(d[2]["mean"] - 0.25) < 1e-9 and abs(d[0]["mean"] - 0.25) < 1e-9' 'mean of instant'
json_is 'd[1]["mean"] == 0 and d[1]["max"] == 0' 'mean of off'
json_is 'abs(d[3]["mean"] - (1 - .5 * .1 / math.log(2) * (1 - 2**-20) + .5 * .05 / math.log(2) *
	(1 - 2**-20)) / 4) < 1e-5' 'mean of a decay, by hand'
json_is 'abs(d[3]["lag_cap_s"] - .1 * math.log2(10)) < 1e-6 and d[3]["lag_cap_cut"] == 0' \
	'90 % of a step takes log2(10) half-lives'
json_is 'abs(d[3]["lag_release_s"] - .05 * math.log2(10)) < 1e-6' 'and on the way back'
json_is 'abs(d[3]["above_25"] - (2 - .1 + .05) / 4) < 1e-5' 'time above a level, by hand'
json_is '2 < d[4]["pushes"] <= 2 * (1024 / 16 + 2)' 'pushes: some, and no more than designed'

hostile 5 '5s/.*/{"event":/' 'no JSON' 'broken JSON'
hostile 5 '5s/.*/[]/' 'no JSON object' 'no object'
hostile 4 '4s/"ns": [0-9]*/"ns": -1/' 'ns must be' 'a negative time'
hostile 6 '6s/"ns": [0-9]*/"ns": 5/' 'time goes back' 'time that goes back'
hostile 5 '5s/"pressure_fine": [0-9]*/"pressure_fine": 9999999999999999999/' \
	'pressure_fine must be' 'more pressure than there is'
# of which json-c makes the largest number there is, from 0.17 on nothing
hostile 5 '5s/"pressure_fine": [0-9]*/"pressure_fine": 99999999999999999999/' 'spoiled:5: ' \
	'more than a number holds'
hostile 3 '3s/"instant"/"sideways"/' 'mode must be' 'an unknown mode'
hostile 3 3d "settings of policy0 are missing" "a missing line"
hostile 1 '1s/pwrctl-trace/other/' 'no trace' 'another file'
hostile 1 '1s/"version": 1/"version": 2/' 'later version' 'a later version'
hostile 8 '8d' 'cut off' 'no end'
# 1/4 at 3 s, and half of what is missing to 1/2 a half-life later
make_late "$scratch/good" "$scratch/late"
echo 'policy0 3250000000' >"$scratch/times"
pwrctl replay "$scratch/late" --at "$scratch/times"
out_has 'policy0 3250000000     384' 'settings count from when they changed, not from when they were read'

# The state of mode pelt, and when settings changed: nothing there is taken on trust.
pelt='"pelt": {"stamp": 5, "sum": 6, "avg": 7, "contrib": 8}'
sed -i '4s/"cpus"/'"$pelt"', "set_ns": 1000000000, "cpus"/' "$scratch/good"
pwrctl replay "$scratch/good" mode pelt
status_is 0 'a trace with the state of mode pelt'
hostile 4 '4s/"stamp": 5/"stamp": 1000000001/' 'pelt: stamp must be' 'a stamp in the future'
hostile 4 '4s/"sum": 6/"sum": 48887809/' 'pelt: sum must be' 'a sum that no load makes'
hostile 4 '4s/"avg": 7/"avg": 1025/' 'pelt: avg must be' 'an average above all'
hostile 4 '4s/"contrib": 8/"contrib": 1024/' 'pelt: contrib must be' 'more than a period'
hostile 4 '4s/, "contrib": 8//' 'pelt: contrib is missing' 'a part of the state'
hostile 4 '4s/"pelt": {[^}]*}/"pelt": 1/' 'pelt is no object' 'no state'
hostile 4 '4s/"set_ns": 1/"set_ns": 9/' 'set_ns must be' 'a change of settings in the future'
head -c 700 "$scratch/good" >"$scratch/spoiled"
pwrctl replay "$scratch/spoiled"
err_has 'cut off in this line' 'a file that is cut off'
pwrctl replay "$scratch/good" decay_ms 125,500 plot "$scratch/picture.svg"
ok grep -q '<svg' "$scratch/picture.svg" 'a picture'

finish
