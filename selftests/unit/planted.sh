#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Plants faults, one at a time, in a copy of the filter: each must make a unit test fail, or the
# tests prove nothing. Run by "make planted", which has built the tests before.
set -euo pipefail
cd "$(dirname "$0")"

module=../../module
work=build/planted
export UNIT_DIVIDE=20

# name | test that must fail | sed script
faults() {
	cat <<-'END'
		to_1024 cuts off instead of rounding|test_filter|s/(q62 + (1ULL << (PELT_AVG_SHIFT - 1)))/(q62)/
		the fall's own half-life is ignored|test_filter|s/f->falling && f->fall_ms ? f->fall_ms : //
		a fold snaps to rest without waiting a half-life|test_filter|s/+ 1 - REST_DIST_LOG2 : 1;/+ 1 - REST_DIST_LOG2 : 0;/
		rest comes four half-lives early|test_filter|s/HALF_LIVES_TO_REST	20/HALF_LIVES_TO_REST	16/
		elapsed time is taken in microseconds|test_filter|s/to - from : 0;/(to - from) \/ 1000 * 1000 : 0;/
		negative time is taken as elapsed|test_filter|s/(__s64)(now - stamp) > 0 ? now : stamp/now/
		a change of parameters restarts from the input|test_filter|s/avg = pwrctl_filter_read(&old, now);/avg = f->in;/
		leaving off does not start from 0|test_filter|s/FILTER_INSTANT ? f->in : 0;/FILTER_INSTANT ? f->in : f->rest;/
		a new half-life keeps the old reciprocal|test_filter|s/if (ms != f->half_ms)/if (!f->half_ms)/
		the polynomial lacks its last term|test_filter|s/e = EXP_C3 - mulhi(y, EXP_C4);/e = EXP_C3;/
		the reciprocal has 48 bits only|test_filter|s/(digit << 16) + .*, RECIP_MS);/digit << 16, RECIP_MS);/
		the fine table is off by one slot|test_filter|s/(f >> 54) \& 31\]/((f >> 54) + 1) \& 31]/
		mode off shows the input|test_filter|s/FILTER_INSTANT ? f->in : 0;/FILTER_OFF ? f->in : 0;/
		the next push is rounded down|test_filter_next|s/ + LOG_MARGIN;/ - LOG_MARGIN;/
		the next push is a half-life late|test_filter_next|s/ + LOG_MARGIN;/ + (1ULL << 32);/
		a settled filter wants to push for ever|test_filter_next|s/return !told_target(f, last);/return 1;/
		the last, exact value is never pushed|test_filter_next|s/return !told_target(f, last);/return 0;/
		pelt's level is one too far|test_filter_next|s/rest - steps : rest + steps/rest - steps + 1 : rest + steps - 1/
		pelt's next forgets the standstill of its period|test_filter_next|s/(pelt_first_boundary(f) - now) > 0/(pelt_first_boundary(f) - now) > 1LL << 62/
		pelt divides by a whole period more|test_pelt|s/PELT_MIN_DIVIDER + f->period_contrib)/PELT_LOAD_AVG_MAX + f->period_contrib)/
		pelt forgets too early|test_pelt|s/PELT_HALF_LIFE \* 63 + 1/PELT_HALF_LIFE * 8/
		pelt averages before its period is over|test_pelt|s/^	if (!periods) {/	if (0) {/
		pelt ignores its shift|test_pelt|s/now >> (f->pelt_shift \& 15)/now/
		a new shift forgets the average|test_pelt|s/f->load_sum = (__u64)f->load_avg \* PELT_MIN_DIVIDER;/f->load_sum = 0;/
	END
}

mkdir -p "$work"
total=$(faults | wc -l)
printf 'TAP version 13\n1..%d\n' "$total"

cflags=(-O1 -std=gnu11 -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all -I"$module")
n=0
failed=0
while IFS='|' read -r name test script; do
	n=$((n + 1))
	result="not ok"
	sed "$script" "$module/filter.c" >"$work/filter.c"
	if cmp -s "$module/filter.c" "$work/filter.c"; then
		echo "# this fault is no longer in the source: $script"
	elif ! "${CC:-cc}" "${cflags[@]}" -c -o "$work/filter.o" "$work/filter.c"; then
		echo "# does not compile"
	else
		objects=("build/$test.o" "$work/filter.o")
		[[ $test != test_pelt ]] || objects+=(build/pelt/pelt.o build/pelt/kernel_pelt.o)
		"${CC:-cc}" "${cflags[@]}" -o "$work/$test" "${objects[@]}" -lm
		rc=0
		"$work/$test" >"$work/out" 2>&1 || rc=$?
		if [[ $rc == 1 ]] && found=$(grep -m1 '^not ok' "$work/out"); then
			result=ok
			echo "# found by $test: ${found#not ok }"
		else
			echo "# $test ended with $rc and found nothing"
		fi
	fi
	[[ $result == ok ]] || failed=$((failed + 1))
	printf '%s %d - planted: %s\n' "$result" "$n" "$name"
done < <(faults)

echo "# $failed of $total faults not found"
[[ $failed == 0 && $n == "$total" ]]
