// SPDX-License-Identifier: GPL-2.0-only
/* The average, in long double; see model.h. */
#include <math.h>

#include "model.h"

/**
 * model_at() - the average
 * @model: model
 * @now: ns; before the last step counts as at the last step
 *
 * Return: 0 to 1
 */
long double model_at(const struct model *model, uint64_t now)
{
	long double half = model->avg > model->in ? model->fall : model->rise;
	uint64_t elapsed = now > model->when ? now - model->when : 0;

	if (half <= 0)
		return model->in;
	return model->in + (model->avg - model->in) * exp2l(-(long double)elapsed / half);
}

/**
 * model_step() - a new input holds from now on
 * @model: model
 * @now: ns
 * @in: 0 to 1
 */
void model_step(struct model *model, uint64_t now, long double in)
{
	model->avg = model_at(model, now);
	model->when = now;
	model->in = in;
}

/**
 * model_pressure() - what a cap takes away
 * @cap_khz: the cap, 0 for none
 * @reference_khz: full capacity
 *
 * Return: 0 to 1
 */
long double model_pressure(uint32_t cap_khz, uint32_t reference_khz)
{
	if (!cap_khz || cap_khz >= reference_khz)
		return 0;
	return 1 - (long double)cap_khz / reference_khz;
}

/**
 * model_pelt_half_life() - of mode pelt
 * @shift: pelt_shift
 *
 * Return: ns: 32 periods of 1024 times 1024 ns, doubled by each @shift
 */
long double model_pelt_half_life(unsigned int shift)
{
	return (long double)(32ULL * 1024 * 1024 << shift);
}
