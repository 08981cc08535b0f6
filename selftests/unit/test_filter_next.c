// SPDX-License-Identifier: GPL-2.0-only
/* pwrctl_filter_next(): what it announces happens, not later than it need, and not too often. */
#include "filter_random.h"

#define QUANTUM(n)	((__u64)(n) << 52)
#define NEVER		PWRCTL_FILTER_NEVER

static __u64 distance(__u64 a, __u64 b)
{
	return a > b ? a - b : b - a;
}

/* Is there something to push? */
static int due(const struct pwrctl_filter *f, __u64 t, __u64 last, __u64 quantum)
{
	if (pwrctl_filter_settled(f, t))
		return last != pwrctl_filter_target(f) && last != f->in;
	return distance(pwrctl_filter_read(f, t), last) >= quantum;
}

/* By how much a time may be rounded up: 2^-20 half-lives, for pelt one of its units. */
static __u64 slack(const struct pwrctl_filter *f)
{
	if (f->mode == PWRCTL_FILTER_PELT)
		return 1024ULL << f->pelt_shift;
	return (f->half_ms * NSEC_PER_MS >> 20) + 3;
}

static struct pwrctl_filter random_filter(__u8 mode, __u64 *now)
{
	struct pwrctl_filter_params p = random_params(mode);
	struct pwrctl_filter f;
	__u64 half = mode == PWRCTL_FILTER_PELT ? 33554432ULL << p.pelt_shift :
						     p.decay_ms * NSEC_PER_MS;

	*now = rnd_magnitude(TEN_YEARS);
	pwrctl_filter_init(&f, &p, *now);
	for (int n = 1 + (int)rnd_below(3); n; n--) {
		*now += 1 + rnd_below(half * 2);
		pwrctl_filter_input(&f, *now, random_input(f.in));
	}
	return f;
}

static void crossing(const struct pwrctl_filter *f, __u64 now, __u64 last, __u64 quantum)
{
	__u64 t = pwrctl_filter_next(f, now, last, quantum);
	__u64 later;

	if (t == NEVER) {
		if (due(f, now + 1, last, quantum) || due(f, now + TEN_YEARS, last, quantum))
			tap_complain("never, but it is due (mode %u, last %.6f)", f->mode,
				     IN_1024(last));
		return;
	}
	if (t <= now) {
		tap_complain("not after now (mode %u)", f->mode);
		return;
	}
	if (!due(f, t, last, quantum))
		tap_complain("early: %.9f, last %.9f, rest %.9f, quantum %.3f (mode %u)",
			     IN_1024(pwrctl_filter_read(f, t)), IN_1024(last),
			     IN_1024(pwrctl_filter_target(f)), IN_1024(quantum), f->mode);
	/* Something may be due now that no longer is when the average passes @last. */
	if (t <= now + slack(f))
		return;
	/* pelt wobbles by one on its way: what it takes back at once needs no push */
	for (later = now + 1; later < t - slack(f); later += (t - now) / 3 + 1)
		if (f->mode == PWRCTL_FILTER_PELT ?
		    distance(pwrctl_filter_read(f, later), last) > quantum + QUANTUM(1) :
		    due(f, later, last, quantum))
			tap_complain("late: due %llu ns before %llu (mode %u)",
				     (unsigned long long)(t - later), (unsigned long long)(t - now),
				     f->mode);
	if (due(f, t - slack(f), last, quantum))
		tap_complain("late by more than %llu ns: %.9f, last %.9f (mode %u)",
			     (unsigned long long)slack(f), IN_1024(pwrctl_filter_read(f, t)),
			     IN_1024(last), f->mode);
}

static void crossings(__u8 mode, unsigned long rounds, const char *name)
{
	for (rounds = tap_rounds(rounds); rounds; rounds--) {
		__u64 now, last, quantum = QUANTUM(1 + rnd_below(256));
		struct pwrctl_filter f = random_filter(mode, &now);

		if (mode == PWRCTL_FILTER_DECAY && !rnd_below(4))
			quantum = 1 + rnd_magnitude(ONE);
		switch (rnd_below(4)) {
		case 0:
			last = random_input(f.in);
			break;
		case 1:
			last = pwrctl_filter_target(&f);
			break;
		default:
			last = pwrctl_filter_read(&f, now);
		}
		now += rnd_below(slack(&f) * 1000);
		crossing(&f, now, last, quantum);
	}
	tap_end(name);
}

/* Follows one transition from event to rest, as the module's timer does. */
static void transition(const struct pwrctl_filter *f, __u64 now, unsigned int quantum)
{
	__u64 q = QUANTUM(quantum);
	int pelt = f->mode == PWRCTL_FILTER_PELT;
	__u64 last = pwrctl_filter_read(f, now), t = now;
	unsigned int pushes = 0;

	while ((t = pwrctl_filter_next(f, t, last, q)) != NEVER) {
		__u64 v = pwrctl_filter_tell(f, t);

		/*
		 * How far the average moves while a time is rounded up. pelt's stands still until
		 * its period ends, and then makes up for it: up to 1024 (1 - 2^-1/32).
		 */
		__u64 extra = pelt ? QUANTUM(pushes ? 1 : 23) : ONE >> 20;

		if (++pushes > 1024 / quantum + 2) {
			tap_complain("more than 1024/%u + 2 pushes (mode %u)", quantum, f->mode);
			return;
		}
		if (distance(v, last) > q + extra + PWRCTL_FILTER_SETTLED)
			tap_complain("a push of %.6f, quantum %u (mode %u)",
				     IN_1024(distance(v, last)), quantum, f->mode);
		last = v;
	}
	if (last != pwrctl_filter_target(f))
		tap_complain("the last push tells %.9f, not %.9f (mode %u)", IN_1024(last),
			     IN_1024(pwrctl_filter_target(f)), f->mode);
}

static void transitions(void)
{
	static const __u8 modes[] = {
		PWRCTL_FILTER_DECAY, PWRCTL_FILTER_PELT, PWRCTL_FILTER_INSTANT, PWRCTL_FILTER_OFF,
	};

	for (unsigned long i = tap_rounds(20000); i; i--) {
		__u64 now;
		struct pwrctl_filter f = random_filter(modes[rnd_below(8) % 4], &now);

		transition(&f, now, 1 + (unsigned int)rnd_below(rnd_below(2) ? 256 : 16));
	}
	tap_end("a transition takes at most 1024/quantum + 2 pushes, the last one exact");
}

static void at_rest(void)
{
	struct pwrctl_filter_params p = { .decay_ms = 250 };
	struct pwrctl_filter f;

	for (p.mode = 0; p.mode <= PWRCTL_FILTER_DECAY; p.mode++) {
		__u64 in = ONE / 3, now = 1000;
		__u64 want = p.mode == PWRCTL_FILTER_OFF ? 0 : in;

		pwrctl_filter_init(&f, &p, now);
		if (pwrctl_filter_next(&f, now, 0, QUANTUM(16)) != NEVER)
			tap_complain("something to tell about nothing (mode %u)", p.mode);
		pwrctl_filter_input(&f, now, in);
		now += 3600000 * NSEC_PER_MS;
		if (pwrctl_filter_next(&f, now, want, QUANTUM(16)) != NEVER)
			tap_complain("something to tell at rest (mode %u)", p.mode);
		if (pwrctl_filter_next(&f, now, pwrctl_filter_target(&f), QUANTUM(16)) != NEVER)
			tap_complain("the target is not the last thing to tell (mode %u)", p.mode);
		if (pwrctl_filter_next(&f, now, ONE, QUANTUM(16)) != now + 1)
			tap_complain("what was pushed is wrong, and that can wait (mode %u)",
				     p.mode);
		if (pwrctl_filter_next(&f, now, want + 5, QUANTUM(16)) != now + 1)
			tap_complain("settled, but never told exactly (mode %u)", p.mode);
	}
	tap_end("at rest there is nothing to tell, once the exact value is told");
}

/*
 * pelt's average stands still until the period of the last event is over. A cap that came and went
 * within it shows only then.
 */
static void standstill(void)
{
	struct pwrctl_filter_params p = { .mode = PWRCTL_FILTER_PELT };
	__u64 now = 5000, last = 0, t;
	struct pwrctl_filter f;

	pwrctl_filter_init(&f, &p, now);
	pwrctl_filter_input(&f, now, ONE);
	now += 900 << 10;
	pwrctl_filter_input(&f, now, 0);
	t = pwrctl_filter_next(&f, now, last, QUANTUM(16));
	if (t != 5000 + (1024 << 10))
		tap_complain("told %lld ns after its period", (long long)(t - 5000 - (1024 << 10)));
	last = pwrctl_filter_read(&f, t);
	t = pwrctl_filter_next(&f, t, last, QUANTUM(16));
	if (last < QUANTUM(16) || t == NEVER || pwrctl_filter_read(&f, t + 1000000000))
		tap_complain("and not taken back: %.3f", IN_1024(last));
	tap_end("pelt: a cap within one period is told when that is over");
}

int main(void)
{
	tap_plan(5);
	at_rest();
	standstill();
	transitions();
	crossings(PWRCTL_FILTER_DECAY, 2000000, "decay: a crossing is met, to 2^-20 half-lives");
	crossings(PWRCTL_FILTER_PELT, 200000, "pelt: a crossing is met, to a unit of pelt's time");
	return tap_exit();
}
