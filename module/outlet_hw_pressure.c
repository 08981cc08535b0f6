// SPDX-License-Identifier: GPL-2.0-only
/*
 * Outlet: the kernel's own scheduler, by the one call it has for that ("the door"):
 * topology_update_hw_pressure(), before 6.10 topology_update_thermal_pressure().
 *
 * The scheduler averages what it is given once more, with PELT, whose half-life k is 33.554 ms.
 * While our average is a = in + d * 2^(-t/H), what makes the scheduler's average follow it is
 *
 *	fed = in + d * (1 - k/H) * 2^(-t/H) = in + (a - in) * (1 - k/H)
 *
 * for H > k: put fed into x' = (fed - x) * ln2/k and x = a solves it. With H at or below k the
 * scheduler cannot be made to follow: it is fed the input and averages that by itself.
 *
 * That holds for a fed value without steps and a scheduler that looks all the time. Ours stands
 * still until the average has moved by a quantum, so it is made for the middle of that time: half
 * a quantum ahead. The scheduler looks at ticks and takes what it finds for all the time since the
 * last one, so a jump counts from up to a tick too early: after an event the fed value goes half
 * of its jump, d * k/H, and the other half with the next push. Since that comes when the average
 * has moved by a quantum, the missing half costs at most quantum/2, whatever d and H are; and a
 * tick of length T costs d/2 * k/H * (1 - 2^(-T/k)) in place of twice that.
 *
 * The last writer wins there. What somebody else writes is known from source_hw; what stands in
 * the door is always the larger of the two, and when we leave, his.
 */
#include <linux/acpi.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/of.h>
#include <linux/sched/topology.h>
#include <linux/spinlock.h>
#include <linux/topology.h>

#include "compat.h"
#include "pwrctl.h"

/* PELT's half-life: 32 periods of 1024 * 1024 ns */
#define PELT_HALF_NS	(32ULL << 20)

/* A foreign writer that keeps writing while we leave does not keep us for ever. */
#define RELEASE_TRIES	64

static unsigned int kernel_shift;
module_param(kernel_shift, uint, 0444);
MODULE_PARM_DESC(kernel_shift,
		 "before 6.10: the kernel's boot option sched_thermal_decay_shift (default 0)");

/* Doors that lead somewhere; changed with pwrctl_attach_mutex held. */
static unsigned int alive;

#ifdef PWRCTL_DOOR

/*
 * The kernel rounds capacity down: the least frequency that gives the pressure exactly, since a
 * reference has more steps than a capacity.
 */
static void write_door(struct pwrctl_door *door, u32 pressure)
{
	u64 left = (u64)(door->capacity - pressure) * door->reference;
	unsigned long limit = div_u64(left + door->capacity - 1, door->capacity);

	lockdep_assert_held(&door->lock);

	if (!pressure)
		limit = door->reference;
	/* interrupts are off: whatever is written on this CPU now is ours */
	pwrctl_source_hw_mute(true);
	pwrctl_update_hw_pressure(door->cpus, limit * PWRCTL_DOOR_KHZ);
	pwrctl_source_hw_mute(false);
	door->pushed = pressure;
	door->pushed_ns = pwrctl_now();
	door->pushes++;
}

/* The frequency at which this kernel starts to see pressure; 0 where the door leads nowhere. */
static u32 find_reference(const struct pwrctl_domain *domain)
{
	unsigned int cpu = cpumask_first(domain->cpus);
	u32 khz = pwrctl_arch_freq_ref(cpu);
	struct device_node *node;
	bool found;

	if (PWRCTL_DOOR_KHZ == 1)
		return khz > 1 ? khz : 0;
	/* Here it is cpuinfo.max_freq, taken over only along with the tree's capacities. */
	node = acpi_disabled ? of_get_cpu_node(cpu, NULL) : NULL;
	found = of_find_property(node, "capacity-dmips-mhz", NULL);
	of_node_put(node);
	return found ? domain->policy->cpuinfo.max_freq / PWRCTL_DOOR_KHZ : 0;
}

#else

static void write_door(struct pwrctl_door *door, u32 pressure)
{
}

static u32 find_reference(const struct pwrctl_domain *domain)
{
	return 0;
}

#endif

/* A domain's door is this outlet's alone, whoever hands us the domain. */
static struct pwrctl_door *door_of(const struct pwrctl_domain *domain)
{
	return (struct pwrctl_door *)&domain->door;
}

static u64 kernel_half_ns(void)
{
	bool stretched = PWRCTL_DOOR_KIND == PWRCTL_DOOR_KIND_THERMAL_PRESSURE;

	return PELT_HALF_NS << (stretched ? min(kernel_shift, 10U) : 0);
}

/* The half-life in force, in ns; 0 where the average does not lag behind the input. */
static u64 half_ns(const struct pwrctl_view *view)
{
	const struct pwrctl_filter_params *params = &view->params;
	u32 ms = params->decay_ms;

	switch (params->mode) {
	case PWRCTL_MODE_PELT:
		return PELT_HALF_NS << params->pelt_shift;
	case PWRCTL_MODE_DECAY:
		if (view->average > view->pressure && params->fall_ms)
			ms = params->fall_ms;
		return (u64)ms * NSEC_PER_MSEC;
	default:
		return 0;
	}
}

/* What to feed, in parts of PWRCTL_FILTER_ONE */
static u64 compensate(const struct pwrctl_view *view)
{
	u64 half = half_ns(view), kernel = kernel_half_ns();
	bool above = view->average > view->pressure;
	u64 away, lead, ahead;

	if (half <= kernel)
		return view->pressure;
	/* 1 - k/H in parts of 2^32: both are below 2^36 ns, halved twelve times they fit */
	lead = BIT_ULL(32) - div64_u64((kernel >> 12) << 32, half >> 12);
	away = above ? view->average - view->pressure : view->pressure - view->average;
	ahead = pwrctl_filter_fraction(pwrctl_settings_quantum(), 2 * PWRCTL_SCALE);
	away = mul_u64_u64_shr(away - min(away, ahead), lead, 32);
	return above ? view->pressure + away : view->pressure - away;
}

/*
 * The same, with only half of the way when the input has changed since the last push. One that is
 * at rest already is pushed just once.
 */
static u64 next_fed(struct pwrctl_door *door, const struct pwrctl_view *view)
{
	u64 fed = compensate(view);

	lockdep_assert_held(&door->lock);

	if (door->input != view->pressure && view->average != view->pressure &&
	    half_ns(view) > kernel_half_ns())
		fed = door->fed / 2 + fed / 2;
	door->input = view->pressure;
	door->fed = fed;
	return fed;
}

static bool setting_none(void)
{
	return pwrctl_settings_get(NULL, PWRCTL_A_SET_OUTLET) == PWRCTL_OUTLET_NONE;
}

/* Leave what the other writer says, or 0; while he goes on writing, what he says last. */
static void release(struct pwrctl_door *door, u8 state)
{
	struct pwrctl_foreign foreign;
	unsigned int tries = 0;
	u64 writes;

	lockdep_assert_held(&door->lock);

	door->state = state;
	door->input = 0;
	door->fed = 0;
	if (!door->told)
		return;
	door->told = false;
	do {
		pwrctl_source_hw_foreign(door->cpus, &foreign);
		writes = foreign.writes;
		write_door(door, min(foreign.pressure, door->capacity));
		pwrctl_source_hw_foreign(door->cpus, &foreign);
	} while (foreign.writes != writes && ++tries < RELEASE_TRIES);
}

static void door_push(const struct pwrctl_view *view)
{
	struct pwrctl_door *door = door_of(view->domain);
	unsigned int first = cpumask_first(view->domain->cpus);
	struct pwrctl_foreign foreign;
	unsigned long flags;
	u32 pressure;

	raw_spin_lock_irqsave(&door->lock, flags);
	if (!door->cpus || door->state == PWRCTL_DOOR_DEAD)
		goto unlock;
	if (setting_none() || view->params.mode == PWRCTL_MODE_OFF) {
		release(door, PWRCTL_DOOR_CLOSED);
		goto unlock;
	}
	door->state = PWRCTL_DOOR_OPEN;
	door->capacity = arch_scale_cpu_capacity(first);
	pressure = pwrctl_hint_scale(next_fed(door, view), first);
	if (door->capacity && (pressure || door->told)) {
		pwrctl_source_hw_foreign(door->cpus, &foreign);
		if (!foreign.cooling)
			pressure = max(pressure, foreign.pressure);
		door->told = true;
		write_door(door, min(pressure, door->capacity));
	}
unlock:
	raw_spin_unlock_irqrestore(&door->lock, flags);
}

static bool door_wanted(void)
{
	return READ_ONCE(alive) && !setting_none();
}

static void close_domain(struct pwrctl_door *door, u8 state)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&door->lock, flags);
	if (door->cpus && door->state != PWRCTL_DOOR_DEAD)
		release(door, state);
	raw_spin_unlock_irqrestore(&door->lock, flags);
}

/* With none nobody is pushed to any more: this is the last word. */
static void door_settings(const struct pwrctl_domain *domain)
{
	struct pwrctl_domain *each;

	if (domain || !setting_none())
		return;
	list_for_each_entry(each, &pwrctl_domains, list)
		close_domain(&each->door, PWRCTL_DOOR_CLOSED);
}

static void door_domain(const struct pwrctl_domain *domain, bool came)
{
	struct pwrctl_door *door = door_of(domain);

	if (!pwrctl_door_present())
		return;
	if (!came)
		close_domain(door, PWRCTL_DOOR_CLOSED);
	raw_spin_lock_irq(&door->lock);
	door->cpus = came ? domain->cpus : NULL;
	if (came) {
		door->reference = find_reference(domain);
		door->capacity = arch_scale_cpu_capacity(cpumask_first(domain->cpus));
		door->state = door->reference && door->capacity ?
			PWRCTL_DOOR_CLOSED : PWRCTL_DOOR_DEAD;
	}
	raw_spin_unlock_irq(&door->lock);
	if (door->state != PWRCTL_DOOR_DEAD)
		WRITE_ONCE(alive, came ? alive + 1 : alive - 1);
}

/**
 * pwrctl_door_present() - has this kernel a call by which its scheduler is told?
 *
 * Context: Any.
 * Return: true if so; it may yet lead nowhere for some domains
 */
bool pwrctl_door_present(void)
{
	return PWRCTL_DOOR_KIND != PWRCTL_DOOR_KIND_NONE;
}

/**
 * pwrctl_door_kind() - which call that is
 *
 * Context: Any.
 * Return: enum pwrctl_door_kind
 */
u32 pwrctl_door_kind(void)
{
	return PWRCTL_DOOR_KIND;
}

/**
 * pwrctl_door_init() - prepare a domain's door, which stays shut until the domain is shown
 * @domain: the domain
 *
 * Context: Any.
 */
void pwrctl_door_init(struct pwrctl_domain *domain)
{
	raw_spin_lock_init(&domain->door.lock);
}

/**
 * pwrctl_door_view() - what a domain's CPUs were told
 * @view: the domain
 * @door_view: filled in
 *
 * Context: Any but NMI.
 */
void pwrctl_door_view(const struct pwrctl_view *view, struct pwrctl_door_view *door_view)
{
	struct pwrctl_door *door = door_of(view->domain);
	u64 half = half_ns(view);
	unsigned long flags;

	*door_view = (struct pwrctl_door_view) { .state = PWRCTL_DOOR_NONE };
	if (!pwrctl_door_present())
		return;
	raw_spin_lock_irqsave(&door->lock, flags);
	door_view->state = door->state;
	door_view->pushed = door->pushed;
	door_view->pushed_ns = door->pushed_ns;
	door_view->pushes = door->pushes;
	raw_spin_unlock_irqrestore(&door->lock, flags);
	pwrctl_source_hw_foreign(view->domain->cpus, &door_view->foreign);
	if (view->params.mode == PWRCTL_MODE_INSTANT || (half && half < kernel_half_ns()))
		door_view->flags |= PWRCTL_DOOR_CANNOT_FOLLOW;
	if (PWRCTL_DOOR_KIND == PWRCTL_DOOR_KIND_HW_PRESSURE)
		door_view->flags |= PWRCTL_DOOR_RELEASE_ONLY;
}

const struct pwrctl_outlet pwrctl_outlet_hw_pressure = {
	.name = "hw_pressure",
	.confirm = true,
	.wanted = door_wanted,
	.push = door_push,
	.settings = door_settings,
	.domain = door_domain,
};
