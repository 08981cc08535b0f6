#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Plants faults, one at a time, in a copy of the filter: each must make a unit test fail, or the
# tests prove nothing. Run by "make planted", which has built the tests before.
set -euo pipefail
cd "$(dirname "$0")"

module=../../module
work=build/planted
export UNIT_DIVIDE=20

# test that must fail: name of the fault, and below it the sed script that plants it
faults() {
	cat <<'END'
test_filter: to_1024 cuts off instead of rounding
	s/(q62 + (1ULL << (PELT_AVG_SHIFT - 1)))/(q62)/
test_filter: the fall's own half-life is ignored
	s/f->falling && f->fall_ms ? f->fall_ms : //
test_filter: a fold snaps to rest without waiting a half-life
	s/+ 1 - REST_DIST_LOG2 : 1;/+ 1 - REST_DIST_LOG2 : 0;/
test_filter: rest comes four half-lives early
	s/HALF_LIVES_TO_REST	20/HALF_LIVES_TO_REST	16/
test_filter: elapsed time is taken in microseconds
	s/return time >> 63 ? 0 : time;/return time >> 63 ? 0 : time \/ 1000 * 1000;/
test_filter: negative time is taken as elapsed
	s/(__s64)(now - stamp) > 0 ? now : stamp/now/
test_filter: a change of parameters restarts from the input
	s/avg = pwrctl_filter_read(&old, now);/avg = f->in;/
test_filter: leaving off does not start from 0
	s/FILTER_INSTANT ? f->in : 0;/FILTER_INSTANT ? f->in : f->rest;/
test_filter: a new half-life keeps the old reciprocal
	s/if (ms != f->half_ms)/if (!f->half_ms)/
test_filter: the polynomial lacks its last term
	s/e = EXP_C3 - mulhi(y, EXP_C4);/e = EXP_C3;/
test_filter: the reciprocal has 48 bits only
	s/(digit << 16) + .*, RECIP_MS);/digit << 16, RECIP_MS);/
test_filter: the fine table is off by one slot
	s/(f >> 54) \& 31\]/((f >> 54) + 1) \& 31]/
test_filter: mode off shows the input
	s/FILTER_INSTANT ? f->in : 0;/FILTER_OFF ? f->in : 0;/
test_filter_next: the next push is rounded down
	s/ + LOG_MARGIN;/ - LOG_MARGIN;/
test_filter_next: the next push is a half-life late
	s/ + LOG_MARGIN;/ + (1ULL << 32);/
test_filter_next: a settled filter wants to push for ever
	s/return !told_target(f, last);/return 1;/
test_filter_next: the last, exact value is never pushed
	s/return !told_target(f, last);/return 0;/
test_filter_next: pelt's level is one too far
	s/rest - steps : rest + steps/rest - steps + 1 : rest + steps - 1/
test_filter_next: pelt's next forgets the standstill of its period
	s/(pelt_first_boundary(f) - now) > 0/(pelt_first_boundary(f) - now) > 1LL << 62/
test_pelt: pelt divides by a whole period more
	s/f->load_sum \/ (PELT_MIN_DIVIDER/f->load_sum \/ (PELT_LOAD_AVG_MAX/
test_pelt: pelt forgets too early
	s/PELT_HALF_LIFE \* 63 + 1/PELT_HALF_LIFE * 8/
test_pelt: pelt averages before its period is over
	s/^	if (at < PELT_PERIOD) {/	if (0) {/
test_pelt: pelt ignores its shift
	s/now >> (f->pelt_shift \& 15)/now/
test_pelt: a new shift forgets the average
	s/f->load_sum = (__u64)f->load_avg \* PELT_MIN_DIVIDER;/f->load_sum = 0;/
END
}

mkdir -p "$work"
total=$(faults | grep -c "^[^[:blank:]]")
printf 'TAP version 13\n1..%d\n' "$total"

sanitize=(-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all)
cflags=(-O1 -std=gnu11 "${sanitize[@]}" -I"$module")
n=0
failed=0
while IFS= read -r title && IFS=$'\t' read -r script; do
	test=${title%%: *}
	name=${title#*: }
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
