# SPDX-License-Identifier: GPL-2.0-only
#
# Lines "= ROW MODE SECONDS MOVES SHARE..." as tables: means with 95 % intervals (Student's t) and,
# for each of the modes in "against" (off unless given), "<" where a mode's interval lies below that
# one's, ">" where it lies above; then the shares of the work time. "label" is what rows are. With
# -v data=FILE also "ROW MODE MEAN HALF" for a picture. Fails unless a mode beats off in some row.

function quantile(df) { return df > 30 ? 1.96 + 2.5 / df : t[df] }

BEGIN {
	n_against = split(against ? against : "off", base, " ")
	if (!label) label = "threads"
	split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 2.160 2.145 " \
	      "2.131 2.120 2.110 2.101 2.093 2.086 2.080 2.074 2.069 2.064 2.060 2.056 2.052 2.048 " \
	      "2.045 2.042", t, " ")
}

$1 == "cpus" { cpus = NF - 1; for (i = 2; i <= NF; i++) capacity[i - 2] = $i }
$1 == "speeds" { for (i = 2; i <= NF; i++) { speed[i - 2] = $i; capped += speed[i - 2] != capacity[i - 2] } }
$1 == "=" {
	if (!($2 in seen_n)) { seen_n[$2]; ns[++n_ns] = $2 }
	if (!($3 in seen_m)) { seen_m[$3]; ms[++n_ms] = $3 }
	k = $2 SUBSEP $3
	count[k]++; sum[k] += $4; square[k] += $4 * $4; moves[k] += $5
	for (i = 0; i < cpus; i++) share[k, i] += $(6 + i)
}

# compare KEY REFERENCE: how the intervals lie
function compare(k, r) {
	if (mean(k) + half(k) < mean(r) - half(r)) return "<"
	return mean(k) - half(k) > mean(r) + half(r) ? ">" : " "
}

function mean(k) { return sum[k] / count[k] }
function half(k, v) {
	if (count[k] < 2) return 1e9
	v = (square[k] - sum[k] * sum[k] / count[k]) / (count[k] - 1)
	return quantile(count[k] - 1) * sqrt(v > 0 ? v / count[k] : 0)
}

END {
	printf "Capacities:"
	for (i = 0; i < cpus; i++) printf " %d", capacity[i]
	if (capped) printf "; with the cap:"
	for (i = 0; capped && i < cpus; i++) printf " %d", speed[i]
	printf ". %d runs each.\n\nSeconds:\n\n%-9s", count[ns[1], ms[1]], label
	for (m = 1; m <= n_ms; m++) printf " %" (14 + n_against) "s", ms[m] sprintf("%*s", n_against, "")
	print ""
	for (n = 1; n <= n_ns; n++) {
		printf "%-9s", ns[n]
		for (m = 1; m <= n_ms; m++) {
			k = ns[n] SUBSEP ms[m]
			marks = ""
			for (b = 1; b <= n_against; b++) {
				mark = compare(k, ns[n] SUBSEP base[b])
				marks = marks mark
				beats[b] += mark == "<"
				worse[b] += mark == ">"
			}
			printf " %6.3f ± %.3f%s", mean(k), half(k), marks
			if (data) print ns[n], ms[m], mean(k), half(k) > data
		}
		print ""
	}
	printf "\nShares of the work time, %% on each CPU, and moves between CPUs a run:\n\n"
	for (n = 1; n <= n_ns; n++)
		for (m = 1; m <= n_ms; m++) {
			k = ns[n] SUBSEP ms[m]
			printf "%-9s %-10s", ns[n], ms[m]
			for (i = 0; i < cpus; i++) printf " %5.1f", 100 * share[k, i] / count[k]
			printf " %7.1f\n", moves[k] / count[k]
		}
	print ""
	for (b = 1; b <= n_against; b++)
		printf "Of %d cells %d beat %s, intervals apart; %d are worse.\n", n_ns * (n_ms - 1),
			beats[b], base[b], worse[b]
	exit !beats[1]
}
