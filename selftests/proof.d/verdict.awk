# SPDX-License-Identifier: GPL-2.0-only
#
# Lines "PERIOD MODE MEAN HALF" as sentences: how many cells differ, intervals apart.

{ mean[$1, $2] = $3; half[$1, $2] = $4 }
!($1 in seen) { seen[$1]; periods[++n_periods] = $1 }
!($2 in known) { known[$2]; modes[++n_modes] = $2 }

# count PATTERN REFERENCE: sets cells, faster and slower of these modes against that one
function count(pattern, reference, p, m, k, r) {
	cells = faster = slower = 0
	for (p = 1; p <= n_periods; p++)
		for (m = 1; m <= n_modes; m++) {
			if (modes[m] !~ pattern || modes[m] == reference) continue
			k = periods[p] SUBSEP modes[m]; r = periods[p] SUBSEP reference
			cells++
			faster += mean[k] + half[k] < mean[r] - half[r]
			slower += mean[k] - half[k] > mean[r] + half[r]
		}
}

# overall MODE: its time over all periods, each as a part of that of off
function overall(mode, p, sum) {
	for (p = 1; p <= n_periods; p++) sum += mean[periods[p], mode] / mean[periods[p], "off"]
	return sum / n_periods
}

END {
	count("^(pelt|decay)", "off")
	printf "- Averages against `off`: of %d cells %d are faster, %d slower.\n", cells, faster, slower
	count("^instant", "off")
	printf "- `instant` against `off`: of %d cells %d are faster, %d slower.\n", cells, faster, slower
	count("^(pelt|decay)", "instant")
	printf "- Averages against `instant`: of %d cells %d are faster, %d slower.\n", cells, faster, slower
	count("^decay", "decay-250")
	printf "- Other decays against 250 ms: of %d cells %d are faster, %d slower.\n", cells, faster, slower
	# each period counts alike
	printf "- Time over all periods as a part of that of `off`:"
	for (m = 1; m <= n_modes; m++) printf "%s `%s` %.3f", (m > 1 ? "," : ""), modes[m], overall(modes[m])
	print "."
}
