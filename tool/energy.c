// SPDX-License-Identifier: GPL-2.0-only
#include "energy.h"

/**
 * pwrctl_energy_begin - start a sum
 * @energy: to fill in
 * @range_uj: where the counter wraps, 0 when that is not known
 */
void pwrctl_energy_begin(struct pwrctl_energy *energy, uint64_t range_uj)
{
	*energy = (struct pwrctl_energy) { .range_uj = range_uj };
}

/*
 * Is this step not to be believed? It is more than any machine draws in that time; or the time is
 * so long that the counter may have wrapped once more than was seen. One uJ a us is one watt.
 */
static bool doubtful(const struct pwrctl_energy *energy, uint64_t step_uj, uint64_t elapsed_ns)
{
	uint64_t most_uj;

	if (__builtin_mul_overflow(elapsed_ns / 1000 + PWRCTL_ENERGY_GRAIN_US,
				   PWRCTL_ENERGY_MOST_WATTS, &most_uj))
		return true;
	return most_uj < step_uj || (energy->range_uj && most_uj - step_uj >= energy->range_uj);
}

/**
 * pwrctl_energy_add - take a sample
 * @energy: the sum
 * @ns: when
 * @uj: what the counter says
 *
 * A counter that went down has wrapped, if its range is known. Samples so far apart that it may
 * have wrapped unseen, or jumps that no machine makes, leave the sum unknown.
 */
void pwrctl_energy_add(struct pwrctl_energy *energy, uint64_t ns, uint64_t uj)
{
	uint64_t step, elapsed = ns - energy->last_ns;

	if (energy->samples++ && !energy->lost) {
		step = uj - energy->last_uj;
		if (uj < energy->last_uj)
			step += energy->range_uj;
		if (ns < energy->last_ns ||
		    (uj < energy->last_uj && energy->last_uj > energy->range_uj) ||
		    doubtful(energy, step, elapsed) ||
		    __builtin_add_overflow(energy->total_uj, step, &energy->total_uj))
			energy->lost = true;
	}
	energy->last_uj = uj;
	energy->last_ns = ns;
}

/**
 * pwrctl_energy_lose - a sample could not be taken
 * @energy: the sum, unknown from here on
 */
void pwrctl_energy_lose(struct pwrctl_energy *energy)
{
	energy->lost = true;
}

/**
 * pwrctl_energy_known - is there a sum?
 * @energy: the sum
 *
 * A counter that did not move counts nothing: no machine runs on no energy.
 *
 * Return: whether total_uj is right.
 */
bool pwrctl_energy_known(const struct pwrctl_energy *energy)
{
	return !energy->lost && energy->samples > 1 && energy->total_uj;
}
