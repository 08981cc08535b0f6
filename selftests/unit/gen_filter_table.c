// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints module/filter_table.h. The numbers are computed with nothing but + - * / on 128-bit
 * floats (113 bits of mantissa), so that every machine and every libm prints the same ones.
 */
#include <linux/types.h>
#include <stdio.h>

#define real __typeof__(1.0f128)

static const real ln2 = 0.6931471805599453094172321214581765680755f128;

/* e^-z for 0 <= z < 1 by its series; 40 terms leave less than 2^-150 */
static real exp_minus(real z)
{
	real term = 1, sum = 1;

	for (int k = 1; k < 40; k++) {
		term *= -z / k;
		sum += term;
	}
	return sum;
}

/* log2(c) for 1 <= c < 2 by 2 atanh((c - 1) / (c + 1)), whose argument is below 1/3 */
static real log2_of(real c)
{
	real q = (c - 1) / (c + 1), term = q, sum = 0;

	for (int k = 1; k < 100; k += 2) {
		sum += term / k;
		term *= q * q;
	}
	return 2 * sum / ln2;
}

static real pow2(int n)
{
	real v = 1;

	while (n-- > 0)
		v *= 2;
	return v;
}

static __u64 nearest(real v)
{
	return (__u64)(v + 0.5f128);
}

/* 2^31 / the middle of the i-th of 64 slices of [1, 2) */
static __u64 log_recip(int i)
{
	return nearest(pow2(31) / (1 + (i + 0.5f128) / 64));
}

static void print_table(const char *what, const char *type, const char *name, int n,
			__u64 (*entry)(int))
{
	int wide = type[3] == '6';
	int per_line = wide ? 4 : 6;

	printf("\n/* %s */\nstatic const %s %s[%d] = {", what, type, name, n);
	for (int i = 0; i < n; i++) {
		printf(i % per_line ? " " : "\n\t");
		if (wide)
			printf("0x%016llxULL,", (unsigned long long)entry(i));
		else
			printf("0x%08lxU,", (unsigned long)entry(i));
	}
	printf("\n};\n");
}

static __u64 exp_coarse(int i)
{
	return nearest(pow2(63) * exp_minus(ln2 * i / 32));
}

static __u64 exp_fine(int i)
{
	return nearest(pow2(64) * (1 - exp_minus(ln2 * i / 1024)));
}

static __u64 log_value(int i)
{
	return nearest(pow2(32) * log2_of(pow2(31) / log_recip(i)));
}

/* as Documentation/scheduler/sched-pelt.c does it: cut off, not rounded */
static __u64 pelt_inv(int i)
{
	return (__u64)((pow2(32) - 1) * exp_minus(ln2 * i / 32));
}

static void print_const(const char *name, real v)
{
	printf("#define %s\t0x%016llxULL\n", name, (unsigned long long)nearest(v));
}

int main(void)
{
	printf("/* %s-License-Identifier: GPL-2.0-only */\n", "SPDX");
	puts("/* Made by the generator among the unit tests, one of which compares the two. */");

	puts("\n/* 2^-y = 1 - y (C1 - y (C2 - y (C3 - y C4))), Q64: ln2^k / k! */");
	print_const("EXP_C1", pow2(64) * ln2);
	print_const("EXP_C2", pow2(64) * ln2 * ln2 / 2);
	print_const("EXP_C3", pow2(64) * ln2 * ln2 * ln2 / 6);
	print_const("EXP_C4", pow2(64) * ln2 * ln2 * ln2 * ln2 / 24);

	puts("\n/* log2(1 + u) = u (C1 - u C2), Q30: 1 / (k ln2) */");
	print_const("LOG_C1", pow2(30) / ln2);
	print_const("LOG_C2", pow2(30) / ln2 / 2);

	puts("\n/* 2^83 / 10^6: makes a reciprocal of milliseconds one of nanoseconds */");
	print_const("RECIP_MS", pow2(83) / 1000000);

	print_table("2^-(i/32), Q63", "__u64", "exp_coarse", 32, exp_coarse);
	print_table("1 - 2^-(i/1024), Q64", "__u64", "exp_fine", 32, exp_fine);
	print_table("1 / (1 + (i + 1/2)/64), Q31", "__u32", "log_recip", 64, log_recip);
	print_table("log2(1 / log_recip[i]), Q32", "__u32", "log_value", 64, log_value);
	print_table("the kernel's runnable_avg_yN_inv: 2^-(i/32), Q32", "__u32", "pelt_inv", 32,
		    pelt_inv);
	return 0;
}
