/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every setting, once. The module's validation, netlink policy, debugfs files and parameters
 * and the command's parser, help, manual check and completion are made from this table.
 *
 * PWRCTL_SETTING(ID, name, kind, least, most, default, unit, scope, refusal, help)
 *   ID       PWRCTL_A_SET_<ID> of uapi/linux/pwrctl.h
 *   kind     NUMBER, MODE, OUTLET (one word) or CAUSES (a list of words with commas)
 *   unit     what a bare number counts: "ms", "kHz" or ""
 *   scope    GLOBAL, DOMAIN or BOTH
 *   refusal  the sentence of a refusal, constant, because not every channel can format
 */
PWRCTL_SETTING(MODE, mode, MODE, PWRCTL_MODE_OFF, PWRCTL_MODE_DECAY, PWRCTL_MODE_DECAY, "", BOTH,
	       "mode must be off, instant, pelt or decay",
	       "how pressure is averaged: off, instant, pelt or decay")
PWRCTL_SETTING(DECAY_MS, decay_ms, NUMBER, 1, 60000, 250, "ms", BOTH,
	       "decay_ms must be 1 to 60000 ms",
	       "half-life of the average while pressure rises, 1 to 60000 ms")
PWRCTL_SETTING(FALL_MS, fall_ms, NUMBER, 0, 60000, 0, "ms", BOTH,
	       "fall_ms must be 0 (as decay_ms) to 60000 ms",
	       "half-life while pressure falls, 1 to 60000 ms, or 0 for decay_ms")
PWRCTL_SETTING(PELT_SHIFT, pelt_shift, NUMBER, 0, 10, 0, "", BOTH,
	       "pelt_shift must be 0 to 10",
	       "half-life of mode pelt: 33.554 ms << pelt_shift, 0 to 10")
PWRCTL_SETTING(COUNT, count, CAUSES, 0, 0x7e, 0x66, "", GLOBAL,
	       "count must be a list of thermal, hw, user, boost, other and injected, or none",
	       "causes that make pressure: thermal,hw,user,boost,other,injected, or none")
PWRCTL_SETTING(QUANTUM, quantum, NUMBER, 1, 256, 16, "", GLOBAL,
	       "quantum must be 1 to 256 (of 1024)",
	       "movement of the average worth telling consumers, 1 to 256 of 1024")
PWRCTL_SETTING(REFERENCE_KHZ, reference_khz, NUMBER, 0, 100000000, 0, "kHz", DOMAIN,
	       "reference_khz must be 0 (automatic) to 100000000 kHz",
	       "frequency of full capacity in kHz, or 0 for automatic")
PWRCTL_SETTING(OUTLET, outlet, OUTLET, PWRCTL_OUTLET_AUTO, PWRCTL_OUTLET_HW_PRESSURE,
	       PWRCTL_OUTLET_AUTO, "", GLOBAL,
	       "outlet must be auto, none or hw_pressure",
	       "what the kernel's own scheduler is told: auto, none or hw_pressure")
