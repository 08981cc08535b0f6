/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums a counter of energy that wraps, from samples; says when the sum cannot be known. */
#ifndef PWRCTL_TOOL_ENERGY_H
#define PWRCTL_TOOL_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

/* More than any package draws: what would take more than this did not happen. */
#define PWRCTL_ENERGY_MOST_WATTS	2000

/* Counters move in steps: what was drawn may show so much later. */
#define PWRCTL_ENERGY_GRAIN_US		10000

/**
 * struct pwrctl_energy - one counter
 * @range_uj: it goes from here back to 0; 0 when that is not known
 * @last_uj: at the last sample
 * @last_ns: time of the last sample
 * @total_uj: since the first sample
 * @samples: how many
 * @lost: the total cannot be known any more
 */
struct pwrctl_energy {
	uint64_t range_uj;
	uint64_t last_uj;
	uint64_t last_ns;
	uint64_t total_uj;
	uint64_t samples;
	bool lost;
};

void pwrctl_energy_begin(struct pwrctl_energy *energy, uint64_t range_uj);
void pwrctl_energy_add(struct pwrctl_energy *energy, uint64_t ns, uint64_t uj);
void pwrctl_energy_lose(struct pwrctl_energy *energy);
bool pwrctl_energy_known(const struct pwrctl_energy *energy);

#endif
