# SPDX-License-Identifier: GPL-2.0-only
#
# Lines "+ PERIOD SECONDS CAP_KHZ" as a table: for each period how often in it the cap changed, the part
# of the time without one and the mean of the caps in MHz, weighted with the time.

function flush() {
	if (n) printf "%-9s %18.1f %16.0f %18.0f\n", period, n * period / 1000 / last, 100 * free / last,
		held ? sum / held / 1000 : 0
	n = free = held = sum = last = 0
}

BEGIN { printf "%-9s %18s %16s %18s\n", "period ms", "changes a period", "% without a cap", "mean cap, MHz" }
$1 == "+" {
	if ($2 != period) { flush(); period = $2 }
	if (n++) {
		if (khz) { held += $3 - last; sum += khz * ($3 - last) } else free += $3 - last
	}
	last = $3; khz = $4
}
END { flush() }
