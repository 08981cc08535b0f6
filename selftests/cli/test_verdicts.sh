#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What sweep makes of runs whose times are made up: the table, the statistics, verdicts and notes.
# shellcheck disable=SC2016 # for eval, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

export PWRCTL_FAKE=heating

# times REPEAT POINTS A B POINT...: Python expressions, in ms, of n (counted from 0) and noise (of
# sd 1), in the order in which the sweep makes its runs.
times()
{
	python3 - "$@" <<'PYTHON'
import random, sys
repeat = int(sys.argv[1])
arms, points = sys.argv[2:4], sys.argv[4:]
noise = random.Random(7).gauss
def ms(expression, n):
    return eval(expression, {"n": n, "noise": noise(0, 1)})
runs = []
for n in range(repeat):
    runs += [ms(arm, n) for arm in (arms if n % 2 == 0 else arms[::-1])]
for n in range(repeat):
    runs += [ms(point, n) for point in (points if n % 2 == 0 else points[::-1])]
print(*("%.6f" % run for run in runs))
PYTHON
}

# sweep REPEAT A B POINT...: as times; the settings are off and as many half-lives as needed
sweep()
{
	local count=$(($# - 4)) lives
	lives=$(seq -s , 100 100 $((100 * count)))

	PWRCTL_FAKE_TIMES=$(times "$@")
	export PWRCTL_FAKE_TIMES
	pwrctl "${json[@]}" sweep decay_ms "$lives" repeat "$1" warmup 0 -- true
}

plan 28

json=(-j)
sweep 10 '1000 + 10 * noise' '1000 + 10 * noise' '1000 + 10 * noise' '1030 + 10 * noise'
status_is 0 'ten runs on a made-up clock'
json_is 'd["settings"][1]["verdict"] == "worse"' '3 % more are found'
json_is '1 < d["settings"][1]["difference_percent"] < 5' 'and about 3 % they are'
json_is 'abs(d["control"]["difference_percent"]) < 3 and d["control"]["p"] > 0.01' \
	'the control is told'
json_is 'd["notes"] == []' 'there is nothing to warn of'
json_is '[x["mean_pressure"] for x in d["domains"] if x["domain"] == "policy4"] == [0.25, 0.25]' \
	'with what was done to each domain'
sweep 10 '1000 + 10 * noise' '1000 + 10 * noise' '1000 + 10 * noise' '970 + 10 * noise'
json_is 'd["settings"][1]["verdict"] == "better"' '3 % less are found'
sweep 10 '1000 + 10 * noise' '1000 + 10 * noise' '1000 + 10 * noise' '1000 + 10 * noise'
json_is 'd["settings"][1]["verdict"] == "no difference can be shown"' 'nothing is not found'

# By hand: of 0.9 and 1.1 the mean is 1, the standard deviation 0.1 * sqrt(2), and the 95 % interval
# 12.7062 * 0.1. Of 1.9 and 2.1 likewise.
times2=('1000' '1000' '900 + 200 * n' '2100 - 200 * n')
sweep 2 "${times2[@]}"
json_is 'abs(d["settings"][0]["wall_s"] - 1) < 1e-9' 'the mean, by hand'
json_is 'abs(d["settings"][0]["wall_sd_s"] - .1 * 2 ** .5) < 1e-9' 'the standard deviation'
json_is 'abs(d["settings"][0]["wall_half_95_s"] - 1.27062) < 1e-5' 'the interval'
json_is 'd["settings"][0]["runs_s"] == [.9, 1.1] and d["settings"][1]["runs_s"] == [2.1, 1.9]' \
	'each run, in the order of its rounds'
json_is 'abs(d["settings"][1]["difference_percent"] - 100) < 1e-6' 'the difference from off'
json=()
sweep 2 "${times2[@]}"
out_has ' # off
   0.9000 (-0.1000) ##########
   1.1000 (+0.1000) ##########
   1.0000 +- 0.1414 seconds ( +- 14.14% )' 'the table of runs is that of perf stat --table'
out_has '1.0000 +- 1.2706' 'then the interval'
out_has '+100.00 %' 'and the difference'

# Five settings: the smallest p counts five times (Holm).
json=(-j)
sweep 3 '1000 + 10 * noise' '1000 + 10 * noise' '1000 + 10 * noise' '1012 + 10 * noise' \
	'1000 + 10 * noise' '1000 + 10 * noise' '1000 + 10 * noise' '1000 + 10 * noise'
json_is 'len(d["settings"]) == 6 and (lambda s: abs(min(x["p_corrected"] for x in s) -
	min(1, 5 * min(x["p"] for x in s))) < 1e-9)(d["settings"][1:])' \
	'p is corrected for the number of settings'
json_is 'all(x["p_corrected"] >= x["p"] for x in d["settings"][1:])' 'never to less'

sweep 6 '1000 + noise' '1000 + noise' '1000 + noise' '1000 + noise + 400 * (n % 2)'
json_is 'any("decay 100 ms fall into two groups" in x for x in d["notes"])' 'two groups are told'
sweep 6 '1000 + noise' '1000 + noise + 400 * (n % 2)' '1000 + noise' '1000 + noise'
json_is 'any("the control fall into two groups" in x for x in d["notes"])' \
	'so they are in the control'
sweep 6 '1000 + 10 * noise' '1100 + 10 * noise' '1000 + 10 * noise' '1030 + 10 * noise'
json_is 'any("not steady" in x for x in d["notes"])' 'a control that differs from itself'
json_is 'any("spread" in x and "larger than every difference" in x for x in d["notes"])' \
	'and by more than the effects'
sweep 6 '1000 + 60 * noise' '1000 + 60 * noise' '1000 + noise' '1010 + noise'
json_is '["larger than every difference" in x for x in d["notes"]] == [True]' 'a spread may be wide without a difference'
sweep 1 1000 1000 1000 2000
json_is '(d["settings"][1]["verdict"], d["settings"][1]["p"],
	d["settings"][1]["wall_half_95_s"]) == ("too few runs", None, None)' 'one run has no spread'
sweep 3 1000 1000 1000 1000
json_is '(d["settings"][1]["verdict"],
	d["settings"][1]["difference_percent"]) == ("no difference can be shown", 0)' 'runs that are all alike'
sweep 3 1000 1000 1000 2000
json_is 'd["settings"][1]["verdict"] in ("worse", "too few runs")' \
	'runs that are all alike but for the setting'

# 40 settings on a screen of 24 lines, into a pipe: every one has its row.
json=()
unset PWRCTL_FAKE_TIMES
pwrctl sweep decay_ms 50:2000:50 repeat 1 warmup 0 -- true
ok [ "$(grep -c '^decay [0-9]* ms .*too few runs' "$scratch/out")" -eq 40 ] 'more settings than lines'
ok eval '! grep -q "$(printf "\033\\|\r")" "$scratch/out" "$scratch/err"' 'and no progress in a pipe'

finish
