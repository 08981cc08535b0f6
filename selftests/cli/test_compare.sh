#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# compare: numbers by hand, results that cannot be compared, and files that are hostile.
# shellcheck disable=SC2016 # for Python, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# result FILE [STATEMENTS]: a made-up result: two settings, three runs each of 2 s and 100 J; the
# statements change "head" (a dictionary), "runs" and "end" before they are written.
result_file()
{
	python3 - "$scratch/$1" "${2:-}" <<'PYTHON'
import json, sys
head = dict(type="pwrctl-result", version=1, date="2026-01-01T00:00:00Z", pwrctl="0.1.0",
            kernel="7.3", kind="sweep", command="load", points=["off", "decay 100 ms"],
            metrics=[dict(name=n, title=t, unit=u, less_is_better=True) for n, t, u in (
                ("wall_s", "wall time", "s"), ("joules", "energy", "J"))])
runs = [dict(event="run", point=p, round=r + 1, control="", values=dict(wall_s=2 + .01 * r,
             joules=50 * (2 + .01 * r)), domains=[dict(domain="policy0", mean_cap_khz=1e6,
             mean_pressure=.5)]) for r in range(3) for p in head["points"]]
end = dict(event="end", runs=None)
exec(sys.argv[2])
if end and end.get("runs", 0) is None:
    end["runs"] = len(runs)
with open(sys.argv[1], "w") as f:
    for line in [head] + runs + ([end] if end else []):
        f.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
PYTHON
}

# refused STATEMENTS REASON DESCRIPTION: a result of another shape
refused()
{
	local rc=0

	result_file other "$1"
	pwrctl compare "$scratch/base" "$scratch/other"
	[ "$status" -eq 1 ] && holds "$err" "cannot compare" && holds "$err" "$2" && [ -z "$out" ] ||
		rc=1
	result "$rc" "$3"
}

# hostile LINE STATEMENTS REASON DESCRIPTION: no result at all
hostile()
{
	local rc=0

	result_file other "$2"
	pwrctl compare "$scratch/other" "$scratch/base"
	[ "$status" -eq 1 ] && holds "$err" "other:$1: " && holds "$err" "$3" && [ -z "$out" ] || rc=1
	result "$rc" "$4"
}

plan 42

result_file base
pwrctl compare "$scratch/base"
status_is 2 'one result is none to compare'
# half the time, a tenth more power: 1 s at 55 W
result_file faster 'for r in runs:
    r["values"]["wall_s"] /= 2
    r["values"]["joules"] *= .55'
pwrctl -j compare "$scratch/base" "$scratch/faster"
status_is 0 'two results'
json_is '[x["metric"] for x in d] == ["wall_s", "wall_s", "joules", "joules", "watts", "watts",
	"per_watt", "per_watt"]' 'a row for each metric and setting'
json_is 'abs(d[0]["baseline"] - 2.01) < 1e-9 and abs(d[0]["others"][0]["mean"] - 1.005) < 1e-9' 'means'
json_is 'all(abs(x["others"][0]["difference_percent"] + 50) < 1e-6 for x in d[:2])' 'difference'
json_is '[x["others"][0]["verdict"] for x in d[::2]] == ["better", "better", "worse", "better"]' \
	'verdicts know what is better'
json_is 'abs(d[4]["baseline"] - 50) < 1e-9 and abs(d[4]["others"][0]["mean"] - 55) < 1e-9' \
	'power is energy / time'
json_is '(lambda s: abs(d[6]["baseline"] - sum(100 / x / 50 for x in s) / 3) < 1e-9)([2, 2.01, 2.02])' \
	'performance per watt is 100 / seconds / watts'
json_is '(lambda p: abs(p - (2 / 1.1 - 1) * 100) < 1e-6)(d[6]["others"][0]["difference_percent"])' \
	'and its difference'
json_is 'all(x["others"][0]["p_corrected"] >= x["others"][0]["p"] for x in d)' 'p is corrected'
pwrctl compare "$scratch/base" "$scratch/faster" "$scratch/base"
out_has 'baseline: ' 'the baseline is named'
out_has '(-50.00%)' 'a difference in percent'
out_has 'performance per watt (100/s/W), more is better' 'which way is better is told'
ok eval 'grep -q "B: .*/faster" "$scratch/out" && grep -q "C: .*/base" "$scratch/out"' \
	'the others have letters'
result_file dark 'for r in runs: r["values"]["joules"] = None'
pwrctl compare "$scratch/base" "$scratch/dark"
out_has 'not available' 'energy that is not there'
pwrctl -j compare "$scratch/dark" "$scratch/base"
json_is 'all(x["baseline"] is None for x in d if x["metric"] in ("joules", "watts", "per_watt"))' \
	'gives no power either'
pwrctl compare "$scratch/dark" "$scratch/dark"
out_has 'energy: not available' 'energy that nobody knows has no table'
result_file gap 'runs[0]["values"]["joules"] = None'
pwrctl -j compare "$scratch/gap" "$scratch/base"
json_is 'd[2]["baseline"] is None and d[3]["baseline"] is not None' \
	'a part of the runs says nothing of all of them'
result_file single 'runs = runs[:2]'
pwrctl -j compare "$scratch/base" "$scratch/single"
json_is 'd[0]["others"][0]["verdict"] == "too few runs"' 'one run shows nothing'
result_file reordered 'head["points"].reverse()'
pwrctl -j compare "$scratch/base" "$scratch/reordered"
json_is 'all(x["others"][0]["difference_percent"] in (0, None) for x in d)' \
	'settings are found by their names'

refused 'head["kind"] = "latency"' 'kind latency' 'another kind'
refused 'head["command"] = "other"' 'another command: other' 'another command'
refused 'head["metrics"].pop()' 'lacks the metric joules' 'a metric that is missing'
refused 'head["metrics"][0]["unit"] = "ms"' 'unit' 'another unit'
refused 'head["metrics"][1]["less_is_better"] = False' 'unit or sense' 'another sense'
refused 'head["points"].pop(); runs = runs[::2]' 'lacks the setting decay 100 ms' \
	'a setting that is missing'
refused 'head["points"].append("pelt")' 'more settings' 'a setting more'

hostile 1 'head["type"] = "pwrctl-trace"' 'no result' 'another file'
hostile 1 'head["version"] = 2' 'later version' 'a later version'
hostile 1 'head["points"][1] = "off"' 'twice' 'a setting twice'
hostile 1 'head["metrics"] *= 20' 'more than 16' 'more metrics than there is room for'
hostile 3 'runs[1] = "{\"event\":"' 'no JSON' 'broken JSON'
hostile 3 'runs[1] = "[" * 100 + "]" * 100' 'no JSON' 'deep nesting'
hostile 3 'runs[1]["values"]["wall_s"] = float("inf")' '' 'a number that is none'
hostile 2 'runs[0]["point"] = "pelt"' 'not one of those in line 1' 'a run of no setting'
hostile 4 'runs[2]["control"] = "C"' 'control' 'a control that is none'
hostile 2 'runs[0]["domains"][0]["mean_pressure"] = 2' 'no such cap or pressure' 'more than all lost'
hostile 7 'end["runs"] = None; head["x"] = "y"; runs.pop(); end["runs"] = 6' 'runs are missing' \
	'a line that is missing'
hostile 8 'end = None' 'cut off' 'no end'
hostile 9 'runs.append({"event": "end", "runs": 6})' 'behind the end' 'two ends'

# What gnuplot is told cannot be told by a file.
result_file odd 'n = "x\"\nEOD\n!touch '"$scratch"'/taken\nset output \"'"$scratch"'/taken\"\n"
head["points"][1] = n[:60]
head["command"] = "'"'"'" + n
for r in runs: r["point"] = head["points"][0 if r["point"] == "off" else 1]'
pwrctl compare "$scratch/odd" plot "$scratch/odd.svg"
ok grep -q '</svg>' "$scratch/odd.svg" 'one result alone can be drawn, whatever its names'
ok [ ! -e "$scratch/taken" ] 'and they give no orders'

finish
