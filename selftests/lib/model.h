/* SPDX-License-Identifier: GPL-2.0-only */
/* The average, in long double, written down from its definition and from nothing else. */
#ifndef SELFTESTS_MODEL_H
#define SELFTESTS_MODEL_H

#include <stdint.h>

/**
 * struct model - an average
 * @in: the input, 0 to 1
 * @avg: the average at @when
 * @when: time of the last step, ns
 * @rise: half-life while the average rises, ns; 0: it is the input at once
 * @fall: half-life while it falls, ns; the same
 */
struct model {
	long double in;
	long double avg;
	uint64_t when;
	long double rise;
	long double fall;
};

long double model_at(const struct model *model, uint64_t now);
void model_step(struct model *model, uint64_t now, long double in);
long double model_pressure(uint32_t cap_khz, uint32_t reference_khz);
long double model_pelt_half_life(unsigned int shift);

#endif /* SELFTESTS_MODEL_H */
