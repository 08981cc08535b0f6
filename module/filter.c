// SPDX-License-Identifier: GPL-2.0-only
/*
 * The averaging filter.
 *
 * The input only changes at an event, so between events the average is a closed form and needs no
 * timer and no tick. With H the half-life, and the last event ("fold") at time t0:
 *
 *	 avg(t) = rest + (avg0 - rest) * 2^-((t - t0) / H)
 *
 *	 rest  - - - - - - - - - - -_____-------=========	avg(t) == rest, exactly, from
 *	                   ___------			|	rest_at on
 *	             ___---      dist * 2^-x		|
 *	 avg0  __----					|
 *	      |						|
 *	      t0: fold					rest_at
 *
 * 1. x = (t - t0) / H. Divisions are slow, so a fold that changes H stores a 64-bit reciprocal of
 *    it; x is then one multiplication. Its product has n = integer part of x (a shift) and f, the
 *    fraction of x in Q64.
 *
 * 2. 2^-f, cutting f into   | i: 5 bits | j: 5 bits | y: 54 bits |
 *
 *	2^-f = 2^-(i/32) * 2^-(j/1024) * 2^-y,   0 <= y < 2^-10
 *
 *    two table look-ups and a polynomial of degree 4, good to 2^-61. The fine table and the
 *    polynomial hold 1 - 2^-..., which is small, so that no factor ever has to be 1.0, which a
 *    64-bit fraction cannot be.
 *
 * 3. Distances are positive and always cut off, towards rest: an average can come no nearer than
 *    rest, and never moves away from it. They have 62 bits of fraction; a step of 1 ns at
 *    H = 60 s still moves a full-scale distance by 2^26 of these.
 *
 * rest_at is where the distance has shrunk to 2^-20 or less, but at least one half-life after the
 * fold: what cutting the tail off adds to the average is then halved before it can be added again,
 * and stays below 2^-19 whatever the events.
 *
 * pelt: PELT's sums (kernel/sched/pelt.c) for an input that is constant since the last fold, one
 * ___update_load_sum() + ___update_load_avg() for the whole time between. Only load_sum, load_avg,
 * period_contrib and last_update_time (here: stamp) of struct sched_avg are needed.
 */
#include "filter.h"
#include "filter_table.h"

#define NSEC_PER_MS		1000000ULL

#define HALF_LIVES_TO_REST	20
#define REST_DIST_LOG2		(63 - HALF_LIVES_TO_REST)	/* of a Q63 distance */

#define PELT_PERIOD		1024U				/* in units of 1024 ns << shift */
#define PELT_LOAD_AVG_MAX	47742U
#define PELT_MIN_DIVIDER	(PELT_LOAD_AVG_MAX - PELT_PERIOD)
#define PELT_HALF_LIFE		32				/* periods */
#define PELT_GONE		(PELT_HALF_LIFE * 63 + 1)	/* decay_load() is 0 from here on */
#define PELT_AVG_SHIFT		(PWRCTL_FILTER_SHIFT - 10)

#define LOG_MARGIN		2048	/* Q32: above the error of two log2_q32() */

static inline __u64 mulhi(__u64 a, __u64 b)
{
	return (__u64)(((__uint128_t)a * b) >> 64);
}

static inline __u64 distance(__u64 a, __u64 b)
{
	return a > b ? a - b : b - a;
}

/* Time between two readings of the clock; going backwards counts as no time. */
static inline __u64 elapsed(__u64 from, __u64 to)
{
	__u64 time = to - from;

	return time >> 63 ? 0 : time;
}

static inline unsigned int floor_log2(__u64 v)
{
	return 63 - __builtin_clzll(v);
}

/* 2^-(f / 2^64) in Q63; see 2. above */
static inline __u64 exp2_minus(__u64 f)
{
	__u64 y = f & (~0ULL >> 10);
	__u64 v = exp_coarse[f >> 59];
	__u64 e;

	v -= mulhi(v, exp_fine[(f >> 54) & 31]);
	e = EXP_C3 - mulhi(y, EXP_C4);
	e = EXP_C2 - mulhi(y, e);
	e = EXP_C1 - mulhi(y, e);
	e = mulhi(y, e);
	return v - mulhi(v, e);
}

/* The distance (Q62) left at @now. The masks, here and below, only matter to a torn filter. */
static inline __u64 decay_dist(const struct pwrctl_filter *f, __u64 now)
{
	__uint128_t x = (__uint128_t)elapsed(f->stamp, now) * f->recip;
	unsigned int shift = f->recip_shift & 63;
	__u64 hi = (__u64)(x >> 64);
	__u64 frac = (hi << (-shift & 63)) | ((__u64)x >> shift);

	return mulhi(f->dist, exp2_minus(frac)) >> ((hi >> shift) & 63);
}

static inline __u64 away_from_rest(const struct pwrctl_filter *f, __u64 dist)
{
	return f->falling ? f->rest + dist : f->rest - dist;
}

/*
 * recip = 2^(64 + shift) / (ms * 10^6): 2^(63 + k) / ms, k = log2(ms) cut off, by long division
 * in two digits, times 2^83 / 10^6. Both factors have at least 62 significant bits.
 */
static void set_half_life(struct pwrctl_filter *f, __u32 ms)
{
	unsigned int k = floor_log2(ms);
	__u64 top = 1ULL << (k + 47);
	__u64 digit = top / ms;

	f->recip = mulhi((digit << 16) + ((top - digit * ms) << 16) / ms, RECIP_MS);
	f->recip_shift = (__u8)(k + 18);
	f->half_ms = ms;
}

/* Start a decay at @avg, now. */
static void decay_start(struct pwrctl_filter *f, __u64 now, __u64 avg)
{
	unsigned int lives = 0;
	__u32 ms;

	f->rest = f->in;
	f->falling = avg > f->rest;
	f->dist = (f->falling ? avg - f->rest : f->rest - avg) << 1;
	f->stamp = now;

	ms = f->falling && f->fall_ms ? f->fall_ms : f->decay_ms;
	if (ms != f->half_ms)
		set_half_life(f, ms);

	if (f->dist) {
		lives = floor_log2(f->dist);
		lives = lives > REST_DIST_LOG2 ? lives + 1 - REST_DIST_LOG2 : 1;
	}
	f->rest_at = now + lives * (ms * NSEC_PER_MS);
}

/* pelt.c: decay_load() */
static inline __u64 pelt_decay(__u64 val, __u64 n)
{
	if (n >= PELT_GONE)
		return 0;
	val >>= n / PELT_HALF_LIFE;
	return (__u64)(((__uint128_t)val * pelt_inv[n % PELT_HALF_LIFE]) >> 32);
}

/* load_sum after @periods > 0 more period boundaries and @d3 units since the last of them */
static inline __u64 pelt_sum_at(const struct pwrctl_filter *f, __u64 periods, __u32 d3)
{
	__u32 load = (__u32)(f->rest >> PELT_AVG_SHIFT);
	__u32 c1 = (__u32)pelt_decay(PELT_PERIOD - f->period_contrib, periods);
	__u32 c2 = PELT_MIN_DIVIDER - (__u32)pelt_decay(PELT_LOAD_AVG_MAX, periods);

	return pelt_decay(f->load_sum, periods) + (__u64)load * (c1 + c2 + d3);
}

/* Units of pelt's time since the last fold: 1024 ns << shift */
static inline __u64 pelt_elapsed(const struct pwrctl_filter *f, __u64 now)
{
	return elapsed(f->stamp, now >> (f->pelt_shift & 15)) >> 10;
}

/* pelt.c: ___update_load_sum() and ___update_load_avg(), with constant load since the last one */
static void pelt_update(struct pwrctl_filter *f, __u64 now)
{
	__u32 load = (__u32)(f->rest >> PELT_AVG_SHIFT);
	__u64 delta = pelt_elapsed(f, now);
	__u64 at = f->period_contrib + delta;

	f->stamp += delta << 10;
	if (at < PELT_PERIOD) {
		f->load_sum += load * delta;
		f->period_contrib = (__u32)at;
		return;
	}
	f->load_sum = pelt_sum_at(f, at / PELT_PERIOD, at % PELT_PERIOD);
	f->period_contrib = at % PELT_PERIOD;
	f->load_avg = (__u32)(f->load_sum / (PELT_MIN_DIVIDER + f->period_contrib));
}

/* The load_avg that pelt_update() would leave */
static inline __u64 pelt_read(const struct pwrctl_filter *f, __u64 now)
{
	__u64 at = f->period_contrib + pelt_elapsed(f, now);
	__u32 d3 = at % PELT_PERIOD;

	if (at < PELT_PERIOD)
		return f->load_avg;
	return pelt_sum_at(f, at / PELT_PERIOD, d3) / (PELT_MIN_DIVIDER + d3);
}

/* Rounds the input to the 0..1024 the kernel calculates with, and says when all else is gone. */
static void pelt_rest(struct pwrctl_filter *f)
{
	f->rest = (__u64)pwrctl_filter_to_1024(f->in) << PELT_AVG_SHIFT;
	f->rest_at = (f->stamp + ((__u64)(PELT_GONE + 1) << 20)) << f->pelt_shift;
}

static void pelt_start(struct pwrctl_filter *f, __u64 now, __u64 avg)
{
	f->load_avg = pwrctl_filter_to_1024(avg);
	f->load_sum = (__u64)f->load_avg * PELT_MIN_DIVIDER;
	f->period_contrib = 0;
	f->stamp = now >> f->pelt_shift;
	pelt_rest(f);
}

/* Take up @f->mode with the average at @avg. */
static void start(struct pwrctl_filter *f, __u64 now, __u64 avg)
{
	switch (f->mode) {
	case PWRCTL_FILTER_DECAY:
		decay_start(f, now, avg);
		return;
	case PWRCTL_FILTER_PELT:
		pelt_start(f, now, avg);
		return;
	default:
		f->rest = f->mode == PWRCTL_FILTER_INSTANT ? f->in : 0;
		f->rest_at = now;
		f->stamp = now;
		f->dist = 0;
	}
}

static void take_params(struct pwrctl_filter *f, const struct pwrctl_filter_params *p)
{
	f->mode = p->mode > PWRCTL_FILTER_DECAY ? PWRCTL_FILTER_OFF : p->mode;
	f->pelt_shift = p->pelt_shift < PWRCTL_FILTER_MAX_SHIFT ?
			p->pelt_shift : PWRCTL_FILTER_MAX_SHIFT;
	f->decay_ms = p->decay_ms < PWRCTL_FILTER_MAX_MS ? p->decay_ms : PWRCTL_FILTER_MAX_MS;
	if (!f->decay_ms)
		f->decay_ms = 1;
	f->fall_ms = p->fall_ms < PWRCTL_FILTER_MAX_MS ? p->fall_ms : PWRCTL_FILTER_MAX_MS;
}

/**
 * pwrctl_filter_init() - start a filter
 * @f: filter, whatever is in it
 * @p: parameters; values out of range are taken as the nearest one in range
 * @now: time (ns)
 *
 * Input and average are 0.
 *
 * Context: any; the caller is the only user of @f.
 */
void pwrctl_filter_init(struct pwrctl_filter *f, const struct pwrctl_filter_params *p, __u64 now)
{
	f->in = 0;
	f->half_ms = 0;
	f->recip = 0;
	f->recip_shift = 1;
	f->falling = 0;
	take_params(f, p);
	start(f, now, 0);
}

/* A time before the last event is the time of the last event. */
static __u64 not_before(const struct pwrctl_filter *f, __u64 now)
{
	__u64 stamp = f->mode == PWRCTL_FILTER_PELT ? f->stamp << f->pelt_shift : f->stamp;

	return (__s64)(now - stamp) > 0 ? now : stamp;
}

/**
 * pwrctl_filter_input() - a new input holds from now on
 * @f: filter
 * @now: time (ns); before the last event counts as at the last event
 * @in: input (Q62); more than PWRCTL_FILTER_ONE counts as that
 *
 * An input equal to the one that holds already is no event and changes nothing.
 *
 * Context: any; the caller serialises all changes of @f.
 */
void pwrctl_filter_input(struct pwrctl_filter *f, __u64 now, __u64 in)
{
	__u64 avg;

	if (in > PWRCTL_FILTER_ONE)
		in = PWRCTL_FILTER_ONE;
	if (in == f->in)
		return;

	now = not_before(f, now);
	if (f->mode == PWRCTL_FILTER_PELT) {
		pelt_update(f, now);
		f->in = in;
		pelt_rest(f);
		return;
	}
	avg = pwrctl_filter_read(f, now);
	f->in = in;
	start(f, now, avg);
}

/**
 * pwrctl_filter_set() - change the parameters
 * @f: filter
 * @now: time (ns); before the last event counts as at the last event
 * @p: parameters; values out of range are taken as the nearest one in range
 *
 * The average goes on from where it is: a change moves it by at most 1/1024, and not at all when
 * the mode stays. The exception is by definition: off is 0 and instant is the input.
 *
 * Context: any; the caller serialises all changes of @f.
 */
void pwrctl_filter_set(struct pwrctl_filter *f, __u64 now, const struct pwrctl_filter_params *p)
{
	struct pwrctl_filter old = *f;
	__u64 avg;

	now = not_before(f, now);
	take_params(f, p);
	if (f->mode == old.mode) {
		if (f->mode == PWRCTL_FILTER_DECAY ?
		    f->decay_ms == old.decay_ms && f->fall_ms == old.fall_ms :
		    f->mode != PWRCTL_FILTER_PELT || f->pelt_shift == old.pelt_shift)
			return;
	}
	avg = pwrctl_filter_read(&old, now);
	if (f->mode != old.mode)
		f->half_ms = 0;		/* recip may have been a load_avg */
	start(f, now, avg);
}

/**
 * pwrctl_filter_read() - the average
 * @f: filter
 * @now: time (ns); before the last event counts as at the last event
 *
 * Return: the average at @now (Q62). Between two events it moves towards its target only.
 * Context: any, NMI included; pure. A torn copy of a filter gives a meaningless number.
 */
__u64 pwrctl_filter_read(const struct pwrctl_filter *f, __u64 now)
{
	if ((__s64)(now - f->rest_at) >= 0)
		return f->rest;
	if (f->mode == PWRCTL_FILTER_PELT)
		return pelt_read(f, now) << PELT_AVG_SHIFT;
	return away_from_rest(f, decay_dist(f, now));
}

/**
 * pwrctl_filter_tell() - the average as it is pushed
 * @f: filter
 * @now: time (ns)
 *
 * Return: the average at @now, or its target once it has settled (Q62).
 * Context: any, NMI included; pure.
 */
__u64 pwrctl_filter_tell(const struct pwrctl_filter *f, __u64 now)
{
	__u64 avg = pwrctl_filter_read(f, now);

	return distance(avg, f->rest) <= PWRCTL_FILTER_SETTLED ? f->rest : avg;
}

/**
 * pwrctl_filter_target() - where the average comes to rest
 * @f: filter
 *
 * Return: what a read gives once the filter is at rest (Q62): the input; for off 0; for pelt,
 * which is given whole 1024ths, the input rounded to one.
 * Context: any, NMI included; pure.
 */
__u64 pwrctl_filter_target(const struct pwrctl_filter *f)
{
	return f->rest;
}

/**
 * pwrctl_filter_settled() - has the average arrived?
 * @f: filter
 * @now: time (ns)
 *
 * Return: 1 if the average at @now is within 1/4096 of its target, so that a push can tell the
 * target itself, else 0.
 * Context: any, NMI included; pure.
 */
int pwrctl_filter_settled(const struct pwrctl_filter *f, __u64 now)
{
	return distance(pwrctl_filter_read(f, now), f->rest) <= PWRCTL_FILTER_SETTLED;
}

/* log2(@v) of v > 0, Q32, to 2^-22: 1 + u = mantissa / middle of its slice, |u| < 2^-7 */
static inline __u64 log2_q32(__u64 v)
{
	unsigned int lead = __builtin_clzll(v);
	__u64 mant = v << lead;				/* 1 <= mantissa < 2, Q63 */
	unsigned int i = (mant >> 57) & 63;
	__s64 u = (__s64)(mulhi(mant, (__u64)log_recip[i] << 32) - (1ULL << 62)) >> 26;
	__s64 p = (__s64)LOG_C1 - ((u * (__s64)LOG_C2) >> 36);	/* u: Q36, p: Q30 */

	return ((__u64)(63 - lead) << 32) + log_value[i] + (__u64)((u * p) >> 34);
}

/*
 * Time at which the distance has come down to @want (Q62, > 0). Rounding up by more than the error
 * of the logarithms, and by 1 ns for that of the distance itself, makes sure that it really has.
 */
static inline __u64 decay_time_of(const struct pwrctl_filter *f, __u64 want)
{
	__u64 half = f->half_ms * NSEC_PER_MS;
	__u64 lives;

	if (f->dist <= want << 1)
		return f->stamp;
	lives = log2_q32(f->dist) - log2_q32(want << 1) + LOG_MARGIN;
	return f->stamp + (__u64)(((__uint128_t)lives * half) >> 32) + 1;
}

/* Has pelt's average come to @level after @periods periods and @d3 units? */
static inline int pelt_reached(const struct pwrctl_filter *f, __u32 level, int up, __u32 periods,
			       __u32 d3)
{
	__u64 avg = pelt_sum_at(f, periods, d3) / (PELT_MIN_DIVIDER + d3);

	return up ? avg >= level : avg <= level;
}

/*
 * Time at which pelt's average has come to @level (0..1024), which lies between where it is and
 * where it goes. The period is found by bisection, as the average moves one way only, around what
 * the closed form of an exact PELT says. Within the period the average is load_sum / divider, both
 * growing with d3: solved for d3.
 */
static __u64 pelt_time_of(const struct pwrctl_filter *f, __u32 level, int up)
{
	__u32 load = (__u32)(f->rest >> PELT_AVG_SHIFT);
	__u32 before = 0, at = PELT_GONE, d3 = PELT_PERIOD - 1;
	__u64 from = distance(f->load_sum, (__u64)load * (PELT_MIN_DIVIDER + f->period_contrib));
	__u64 to = (up ? load - level : level + 1 - load) * (__u64)PELT_MIN_DIVIDER;
	__s64 lack, gain;

	if (to && from > to) {
		__u32 guess = (__u32)((log2_q32(from) - log2_q32(to)) >> (32 - 5));

		if (guess + 1 < at && pelt_reached(f, level, up, guess + 1, PELT_PERIOD - 1))
			at = guess + 1;
		if (guess > 1 && !pelt_reached(f, level, up, guess - 1, PELT_PERIOD - 1))
			before = guess - 1;
	}
	while (at - before > 1) {
		__u32 mid = (before + at) / 2;

		if (pelt_reached(f, level, up, mid, PELT_PERIOD - 1))
			at = mid;
		else
			before = mid;
	}

	/* up: sum + load d3 >= level (divider + d3); down: sum + load d3 < (level + 1) (...) */
	if (!up)
		level++;
	lack = (__s64)((__u64)level * PELT_MIN_DIVIDER) - (__s64)pelt_sum_at(f, at, 0);
	gain = (__s64)load - (__s64)level;
	if (!up) {
		lack = 1 - lack;
		gain = -gain;
	}
	if (lack <= 0)
		d3 = 0;
	else if (gain > 0 && lack < gain * (__s64)d3)
		d3 = (__u32)(((__u64)lack + (__u64)gain - 1) / (__u64)gain);

	return (f->stamp + (((__u64)at * PELT_PERIOD + d3 - f->period_contrib) << 10))
	       << (f->pelt_shift & 15);
}

/* The kernel leaves load_avg alone until the period of the last update is over: at this time. */
static inline __u64 pelt_first_boundary(const struct pwrctl_filter *f)
{
	return (f->stamp + ((__u64)(PELT_PERIOD - f->period_contrib) << 10))
	       << (f->pelt_shift & 15);
}

/* @last tells where all this ends. */
static inline int told_target(const struct pwrctl_filter *f, __u64 last)
{
	return last == f->rest || last == f->in;
}

/* Is there something to push, the average being @avg? */
static inline int due(const struct pwrctl_filter *f, __u64 avg, __u64 last, __u64 quantum)
{
	if (distance(avg, f->rest) <= PWRCTL_FILTER_SETTLED)
		return !told_target(f, last);
	return distance(avg, last) >= quantum;
}

/**
 * pwrctl_filter_next() - when is there something to push?
 * @f: filter
 * @now: time (ns)
 * @last: what was pushed last (Q62)
 * @quantum: movement that is worth a push (Q62, > 0)
 *
 * Return: the first time after @now, rounded up, at which the average differs from @last by
 * @quantum or more, or has settled (pwrctl_filter_settled()) at something else than @last;
 * PWRCTL_FILTER_NEVER if, without a new event, that will not be.
 * Context: any, NMI included; pure.
 */
__u64 pwrctl_filter_next(const struct pwrctl_filter *f, __u64 now, __u64 last, __u64 quantum)
{
	__u64 avg = pwrctl_filter_read(f, now);
	__s64 want;
	__u64 t;
	int up;

	if (due(f, avg, last, quantum))
		return now + 1;
	if (f->mode == PWRCTL_FILTER_PELT && (__s64)(pelt_first_boundary(f) - now) > 0) {
		now = pelt_first_boundary(f);
		avg = pwrctl_filter_read(f, now);
		if (due(f, avg, last, quantum))
			return now;
	}
	if (told_target(f, last))
		return PWRCTL_FILTER_NEVER;

	/* how far from rest the average is once it has passed @last by @quantum */
	up = avg < f->rest;
	want = (__s64)((up ? f->rest - last : last - f->rest) - quantum);

	if (f->mode == PWRCTL_FILTER_PELT) {
		/* whole 1024ths: the last one that is no farther from rest than @want */
		__u32 steps = want > 0 ? (__u32)((__u64)want >> PELT_AVG_SHIFT) : 0;
		__u32 rest = (__u32)(f->rest >> PELT_AVG_SHIFT);

		t = pelt_time_of(f, up ? rest - steps : rest + steps, up);
	} else {
		if (want < (__s64)PWRCTL_FILTER_SETTLED)
			want = PWRCTL_FILTER_SETTLED;
		t = decay_time_of(f, (__u64)want);
	}
	return (__s64)(t - now) > 0 ? t : now + 1;
}

/**
 * pwrctl_filter_to_1024() - a fraction in the scheduler's unit
 * @q62: fraction (Q62)
 *
 * Return: the nearest of 0..1024.
 * Context: any; pure.
 */
__u32 pwrctl_filter_to_1024(__u64 q62)
{
	if (q62 >= PWRCTL_FILTER_ONE)
		return 1024;
	return (__u32)((q62 + (1ULL << (PELT_AVG_SHIFT - 1))) >> PELT_AVG_SHIFT);
}

/**
 * pwrctl_filter_fraction() - a ratio as a fraction
 * @part: numerator
 * @whole: denominator, in the same unit
 *
 * Return: @part / @whole (Q62), cut off; PWRCTL_FILTER_ONE if @part is no less than @whole, and 0
 * if @whole is 0.
 * Context: any; pure.
 */
__u64 pwrctl_filter_fraction(__u32 part, __u32 whole)
{
	__u64 high, low;

	if (!whole)
		return 0;
	if (part >= whole)
		return PWRCTL_FILTER_ONE;
	high = ((__u64)part << 32) / whole;		/* two digits of a long division */
	low = (((__u64)part << 32) - high * whole) << 30;
	return (high << 30) + low / whole;
}
