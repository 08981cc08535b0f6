// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks, never touches: doctor must not load or change what it is to diagnose. The verdict comes
 * first, then every finding with what to do about it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../module/version.h"
#include "client.h"
#include "host.h"
#include "out.h"
#include "phantom.h"
#include "tool.h"

#define FINDINGS_MAX	64

struct finding {
	const char *state;
	const char *name;
	char text[1024];
};

struct doctor {
	struct pwrctl_host host;
	struct pwrctl_client *client;
	struct pwrctl_fault fault;
	struct pwrctl_stats stats;
	bool have_stats;
	struct pwrctl_domain *domains;
	size_t count;
	const char *state;
	char verdict[512];
	struct finding findings[FINDINGS_MAX];
	size_t n_findings;
};

/* How serious a finding is. */
static const char good[] = "ok";
static const char note[] = "note";
static const char warning[] = "warning";

__attribute__((format(printf, 4, 5)))
static void find(struct doctor *doctor, const char *state, const char *name,
		 const char *format, ...)
{
	struct finding *finding;
	va_list arguments;

	if (doctor->n_findings == FINDINGS_MAX)
		return;
	finding = &doctor->findings[doctor->n_findings++];
	finding->state = state;
	finding->name = name;
	va_start(arguments, format);
	vsnprintf(finding->text, sizeof(finding->text), format, arguments);
	va_end(arguments);
}

__attribute__((format(printf, 3, 4)))
static void conclude(struct doctor *doctor, const char *state, const char *format, ...)
{
	va_list arguments;

	doctor->state = state;
	va_start(arguments, format);
	vsnprintf(doctor->verdict, sizeof(doctor->verdict), format, arguments);
	va_end(arguments);
}

/* --- when the module is not there -------------------------------------------------------- */

static void look_at_dkms(struct doctor *doctor)
{
	char text[900];
	int error = pwrctl_host_dkms(&doctor->host, text, sizeof(text));

	if (error == -ENOENT)
		find(doctor, warning, "dkms", "dkms is not installed: make install installs it");
	else if (error)
		find(doctor, warning, "dkms", "dkms status failed (%s)", strerror(-error));
	else if (!*text)
		find(doctor, warning, "dkms", "dkms does not know pwrctl: run make install");
	else
		find(doctor, strstr(text, doctor->host.release) ? good : warning, "dkms", "%s",
		     text);
}

/* Who refuses a module whose signature the kernel does not know. */
enum gate { GATE_OPEN, GATE_SECURE_BOOT, GATE_LOCKDOWN, GATE_ENFORCED };

static enum gate gate_of(struct doctor *doctor, int secure)
{
	static const char enforce[] = "/sys/module/module/parameters/sig_enforce";
	char text[128];

	if (secure == 1)
		return GATE_SECURE_BOOT;
	if (pwrctl_host_lockdown(&doctor->host, text, sizeof(text)) == 1)
		return GATE_LOCKDOWN;
	if (!pwrctl_host_read(&doctor->host, text, sizeof(text), enforce) && !strcmp(text, "Y"))
		return GATE_ENFORCED;
	return GATE_OPEN;
}

/* What to do with the key that dkms signs with; the second place is Ubuntu's. */
static const char *enrol(struct doctor *doctor)
{
	if (pwrctl_host_exists(&doctor->host, "/var/lib/dkms/mok.pub"))
		return "mokutil --import /var/lib/dkms/mok.pub";
	if (pwrctl_host_exists(&doctor->host, "/var/lib/shim-signed/mok/MOK.der"))
		return "mokutil --import /var/lib/shim-signed/mok/MOK.der";
	return "make install (dkms makes a key), then mokutil --import /var/lib/dkms/mok.pub";
}

static void look_at_signatures(struct doctor *doctor, int secure)
{
	char text[128];

	if (secure == 1)
		find(doctor, warning, "Secure Boot",
		     "on: the kernel takes only modules with a known signature; run %s, reboot, "
		     "enrol the key, and then modprobe pwrctl", enrol(doctor));
	else if (!secure)
		find(doctor, good, "Secure Boot", "off");
	else
		find(doctor, note, "Secure Boot", "the firmware does not tell");
	if (gate_of(doctor, 0) == GATE_LOCKDOWN &&
	    pwrctl_host_lockdown(&doctor->host, text, sizeof(text)) == 1)
		find(doctor, warning, "signatures", "lockdown (%s): without Secure Boot, the "
		     "kernel argument lockdown= turns it on", text);
}

/* The module is there: why is it not in the kernel? */
static void conclude_built(struct doctor *doctor, int secure)
{
	static const char state[] = "not loaded";
	char text[128];

	switch (gate_of(doctor, secure)) {
	case GATE_SECURE_BOOT:
		conclude(doctor, state, "not loaded: Secure Boot is on and refuses modules it "
			 "does not know: run %s", enrol(doctor));
		break;
	case GATE_LOCKDOWN:
		pwrctl_host_lockdown(&doctor->host, text, sizeof(text));
		conclude(doctor, state, "not loaded: lockdown (%s): this kernel refuses modules "
			 "whose signature it does not know: run %s", text, enrol(doctor));
		break;
	case GATE_ENFORCED:
		conclude(doctor, state, "not loaded: this kernel enforces signatures "
			 "(module.sig_enforce) and refuses modules it does not know: run %s",
			 enrol(doctor));
		break;
	case GATE_OPEN:
		conclude(doctor, state, "not loaded: it is built for this kernel: run "
			 "modprobe pwrctl");
		break;
	}
}

static void diagnose_absence(struct doctor *doctor)
{
	struct pwrctl_host *host = &doctor->host;
	bool headers = pwrctl_host_exists(host, "/lib/modules/%s/build", host->release);
	int secure = pwrctl_host_secure_boot(host);
	char path[512], text[16];
	bool built;

	built = pwrctl_host_module_file(host, path, sizeof(path));
	if (pwrctl_host_exists(host, "/sys/module/pwrctl"))
		conclude(doctor, "hidden", "loaded, but its interface cannot be seen from here: it "
			 "is in the initial network namespace");
	else if (!pwrctl_host_read(host, text, sizeof(text), "/proc/sys/kernel/modules_disabled") &&
		 !strcmp(text, "1"))
		conclude(doctor, "not loaded", "not loaded: this kernel takes no modules any more "
			 "(kernel.modules_disabled is 1)");
	else if (!built && !headers)
		conclude(doctor, "not loaded", "not loaded: it is not built for kernel %s, whose "
			 "headers are missing: install linux-headers-%s, then run dkms autoinstall",
			 host->release, host->release);
	else if (!built)
		conclude(doctor, "not loaded", "not loaded: it is not built for kernel %s: run "
			 "dkms autoinstall, or make install in its sources", host->release);
	else
		conclude_built(doctor, secure);
	find(doctor, built ? good : warning, "module file", "%s", built ? path :
	     "none for this kernel");
	look_at_dkms(doctor);
	if (headers)
		find(doctor, good, "headers", "of kernel %s are there", host->release);
	else
		find(doctor, warning, "headers", "of kernel %s are missing: install "
		     "linux-headers-%s", host->release, host->release);
	look_at_signatures(doctor, secure);
}

/* --- when it is -------------------------------------------------------------------------- */

static void look_at_versions(struct doctor *doctor)
{
	bool same = !strcmp(doctor->stats.version, PWRCTL_VERSION);

	find(doctor, same ? good : warning, "versions", "module %s, pwrctl %s%s",
	     doctor->stats.version, PWRCTL_VERSION,
	     same ? "" : ": they understand each other, but one was not updated");
	if (doctor->stats.attach_errors)
		find(doctor, warning, "policies", "%" PRIu64 " could not be watched: see dmesg",
		     doctor->stats.attach_errors);
	if (doctor->stats.lost_events)
		find(doctor, warning, "events", "%" PRIu64 " could not be sent: no memory",
		     doctor->stats.lost_events);
}

static const char *door_of(struct doctor *doctor)
{
	static const char symbols[] = "/proc/kallsyms";

	if (pwrctl_host_word_in(&doctor->host, symbols, "topology_update_hw_pressure") == 1)
		return "topology_update_hw_pressure";
	if (pwrctl_host_word_in(&doctor->host, symbols, "topology_update_thermal_pressure") == 1)
		return "topology_update_thermal_pressure";
	return NULL;
}

static void add(char *text, size_t size, const char *what)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? ", " : "", what);
}

/* Who takes the hints, as far as the module can know. */
static bool consumers(struct doctor *doctor, char *text, size_t size)
{
	const struct pwrctl_stats *stats = &doctor->stats;
	bool told = false;
	char modules[32];
	size_t i;

	*text = '\0';
	for (i = 0; i < doctor->count; i++)
		told |= doctor->domains[i].door.state == PWRCTL_DOOR_OPEN;
	snprintf(modules, sizeof(modules), "%u in the kernel", stats->notifiers);
	if (told)
		add(text, size, "the kernel's own scheduler");
	if (stats->notifiers)
		add(text, size, modules);
	if (stats->traced)
		add(text, size, "somebody traces pwrctl_hint");
	if (stats->listeners)
		add(text, size, "somebody listens to netlink events");
	return *text;
}

static void look_at_consumers(struct doctor *doctor)
{
	char text[256];

	if (consumers(doctor, text, sizeof(text)))
		find(doctor, good, "consumers", "%s", text);
	else
		find(doctor, note, "consumers", "nobody: hints are kept and shown, and nothing "
		     "acts on them");
}

static void look_at_door(struct doctor *doctor, const struct pwrctl_domain *domain)
{
	const struct pwrctl_door *door = &domain->door;

	if (door->state == PWRCTL_DOOR_DEAD)
		find(doctor, note, "door", "%s: the scheduler does not know its frequencies (ACPI, "
		     "or no capacity-dmips-mhz): nothing is told", domain->name);
	if (door->foreign_writes)
		find(doctor, note, "door", "%s: somebody else tells the scheduler, too: %u, %" PRIu64
		     " times; the larger value is kept in force", domain->name, door->foreign,
		     door->foreign_writes);
	if (door->flags & PWRCTL_DOOR_CANNOT_FOLLOW)
		find(doctor, note, "door", "%s: the scheduler's own average, of 33.6 ms half-life or "
		     "more, cannot follow so fast a one", domain->name);
}

static void look_at_bpf(struct doctor *doctor)
{
	size_t i;

	find(doctor, doctor->stats.kfuncs ? good : note, "kfuncs", "%s", doctor->stats.kfuncs ?
	     "BPF programs can ask for hints" :
	     "the module was built without BTF: BPF programs cannot ask for hints");
	for (i = 0; i < doctor->count; i++)
		look_at_door(doctor, &doctor->domains[i]);
	if (doctor->count && doctor->domains[0].door.flags & PWRCTL_DOOR_RELEASE_ONLY)
		find(doctor, note, "door", "this scheduler knows cpufreq's caps at once: what it is "
		     "told shapes their release, not their onset");
}

/* Settings that keep every hint at full capacity, or from the scheduler. */
static void look_at_settings(struct doctor *doctor)
{
	struct pwrctl_settings settings;
	size_t i;

	if (pwrctl_client_get_settings(doctor->client, NULL, &settings))
		return;
	if (settings.value[PWRCTL_A_SET_OUTLET] == PWRCTL_OUTLET_NONE)
		find(doctor, note, "outlet", "none: the kernel's own scheduler is told nothing");
	if (!settings.value[PWRCTL_A_SET_COUNT])
		find(doctor, warning, "count", "none: no cap makes pressure (pwrctl unset count)");
	for (i = 0; i < doctor->count; i++)
		if (!pwrctl_client_get_settings(doctor->client, doctor->domains[i].name,
						&settings) &&
		    settings.value[PWRCTL_A_SET_MODE] == PWRCTL_MODE_OFF)
			find(doctor, warning, "mode", "off for %s: its hints always say full "
			     "capacity (pwrctl set mode decay)", doctor->domains[i].name);
}

static const char *phantom_domain(struct doctor *doctor)
{
	char text[512];
	size_t i;

	for (i = 0; i < doctor->count; i++)
		if (pwrctl_phantom_tell(&doctor->host, &doctor->domains[i], text,
					sizeof(text)))
			return doctor->domains[i].name;
	return NULL;
}

static void look_for_phantoms(struct doctor *doctor)
{
	char text[512];
	size_t i;

	for (i = 0; i < doctor->count; i++)
		if (pwrctl_phantom_tell(&doctor->host, &doctor->domains[i], text,
					sizeof(text)))
			find(doctor, warning, "phantom", "%s", text);
	if (doctor->count && !phantom_domain(doctor))
		find(doctor, good, "phantom", "no pressure without a cap");
}

/* A cap whose cause is not in count lowers the frequency and makes no pressure. */
static void look_for_uncounted(struct doctor *doctor, const struct pwrctl_domain *domain)
{
	struct pwrctl_settings settings;
	size_t i;

	if (pwrctl_client_get_settings(doctor->client, NULL, &settings))
		return;
	for (i = 0; i < domain->n_caps; i++) {
		const struct pwrctl_cap *cap = &domain->caps[i];
		char khz[64];

		if (!cap->khz || cap->khz >= domain->reference_khz ||
		    settings.value[PWRCTL_A_SET_COUNT] & (1u << cap->cause))
			continue;
		find(doctor, note, "not counted", "%s: its cap of %s (%s) makes no pressure: "
		     "%s is not in count", domain->name,
		     pwrctl_out_unit(PWRCTL_UNIT_KHZ, cap->khz, khz, sizeof(khz)),
		     pwrctl_model_word(pwrctl_model_causes, cap->cause),
		     pwrctl_model_word(pwrctl_model_causes, cap->cause));
	}
}

static void look_at_domains(struct doctor *doctor)
{
	char possible[512], reference[64], cap[64];
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		const struct pwrctl_domain *domain = &doctor->domains[i];

		pwrctl_out_unit(PWRCTL_UNIT_KHZ, domain->cap_khz, cap, sizeof(cap));
		find(doctor, note, domain->name, "CPUs %s, reference %s from %s, %s%s, "
		     "pressure %u, average %u", domain->cpus,
		     pwrctl_out_unit(PWRCTL_UNIT_KHZ, domain->reference_khz, reference,
				     sizeof(reference)),
		     pwrctl_model_word(pwrctl_model_origins, domain->reference_origin),
		     domain->cap_khz ? "cap " : "no cap", domain->cap_khz ? cap : "",
		     domain->pressure, domain->average);
		look_for_uncounted(doctor, domain);
	}
	look_for_phantoms(doctor);
	if (doctor->count == 1 &&
	    !pwrctl_host_read(&doctor->host, possible, sizeof(possible),
			      "/sys/devices/system/cpu/possible") &&
	    strpbrk(possible, ",-") && !strcmp(possible, doctor->domains[0].cpus))
		find(doctor, note, "one domain", "all CPUs share one domain: a cap is the same "
		     "everywhere, hints cannot tell one CPU from another");
}

/* --- the machine ------------------------------------------------------------------------- */

static void look_at_kernel(struct doctor *doctor)
{
	const char *door = door_of(doctor);
	char text[64];

	find(doctor, note, "kernel", "%s", doctor->host.release);
	if (door)
		find(doctor, good, "door", "%s: this kernel's own scheduler can be told", door);
	else
		find(doctor, note, "door", "none: this kernel's own scheduler cannot be told (x86 "
		     "never can)");
	if (!pwrctl_host_read(&doctor->host, text, sizeof(text), "/sys/kernel/sched_ext/state"))
		find(doctor, good, "sched_ext", "there, %s", text);
	else
		find(doctor, note, "sched_ext", "not in this kernel");
	if (pwrctl_host_exists(&doctor->host, "/sys/kernel/btf/vmlinux"))
		find(doctor, good, "BTF", "there");
	else
		find(doctor, note, "BTF", "not in this kernel: BPF programs cannot use the module");
}

static void look_at_tracepoints(struct doctor *doctor)
{
	static const char *const files[] = { "/sys/kernel/tracing/available_events",
					     "/sys/kernel/debug/tracing/available_events" };
	const char *file = files[0];
	int pressure, cooling;

	pressure = pwrctl_host_word_in(&doctor->host, file, "hw_pressure_update");
	if (pressure < 0) {
		file = files[1];
		pressure = pwrctl_host_word_in(&doctor->host, file, "hw_pressure_update");
	}
	if (pressure < 0) {
		find(doctor, note, "tracepoints", "tracefs cannot be read (%s)",
		     pressure == -EACCES ? "needs root" : "not mounted");
		return;
	}
	if (!pressure)
		pressure = pwrctl_host_word_in(&doctor->host, file, "thermal_pressure_update");
	cooling = pwrctl_host_word_in(&doctor->host, file, "cdev_update");
	find(doctor, pressure == 1 && cooling == 1 ? good : note, "tracepoints",
	     "hw_pressure_update %s, cdev_update %s", pressure == 1 ? "there" : "missing",
	     cooling == 1 ? "there" : "missing");
}

static void look_at_cpufreq(struct doctor *doctor)
{
	static const char policies[] = "/sys/devices/system/cpu/cpufreq";
	char driver[64] = "";
	unsigned int count, cpu;

	pwrctl_host_sum(&doctor->host, policies, "policy", "scaling_max_freq", &count);
	for (cpu = 0; cpu < 4096 && count && !*driver; cpu++)
		pwrctl_host_read(&doctor->host, driver, sizeof(driver),
				 "%s/policy%u/scaling_driver", policies, cpu);
	if (!count) {
		find(doctor, warning, "cpufreq", "no cpufreq driver: there is no domain, and "
		     "pressure stays 0");
		return;
	}
	find(doctor, good, "cpufreq", "driver %s, %u %s", *driver ? driver : "unknown", count,
	     count == 1 ? "policy" : "policies");
	if (!strncmp(driver, "intel_pstate", 12) || !strncmp(driver, "amd-pstate", 10))
		find(doctor, note, "firmware", "%s leaves the frequency to the processor: what it "
		     "does against heat by itself is no cap, and pressure stays 0 meanwhile",
		     driver);
}

static void look_at_throttling(struct doctor *doctor)
{
	static const char cpus[] = "/sys/devices/system/cpu";
	unsigned int cores, packages;
	uint64_t core, package;

	core = pwrctl_host_sum(&doctor->host, cpus, "cpu", "thermal_throttle/core_throttle_count",
			       &cores);
	package = pwrctl_host_sum(&doctor->host, cpus, "cpu",
				  "thermal_throttle/package_throttle_count", &packages);
	if (!cores && !packages)
		find(doctor, note, "throttling", "this machine counts no thermal_throttle events");
	else
		find(doctor, core || package ? warning : good, "throttling",
		     "thermal_throttle: core %" PRIu64 ", package %" PRIu64 "%s", core, package,
		     core || package ? ": the processor throttles itself, which no cap shows" : "");
}

static void look_at_debugfs(struct doctor *doctor)
{
	char text[128];

	if (pwrctl_host_word_in(&doctor->host, "/proc/mounts", "debugfs") != 1)
		find(doctor, note, "debugfs", "not mounted: mount -t debugfs none "
		     "/sys/kernel/debug");
	else if (pwrctl_host_exists(&doctor->host, "/sys/kernel/debug/pwrctl/summary"))
		find(doctor, good, "debugfs", "/sys/kernel/debug/pwrctl");
	else
		find(doctor, note, "debugfs", "mounted; no pwrctl directory that this user can "
		     "see");
	switch (pwrctl_host_lockdown(&doctor->host, text, sizeof(text))) {
	case 0:
		find(doctor, good, "lockdown", "none");
		break;
	case 1:
		find(doctor, note, "lockdown", "%s: only read-only files of debugfs can be read; "
		     "pwrctl set works", text);
		break;
	default:
		find(doctor, note, "lockdown", "the kernel does not tell");
		break;
	}
}

/* --- putting it together ----------------------------------------------------------------- */

static void conclude_working(struct doctor *doctor)
{
	const char *phantom = phantom_domain(doctor);
	char text[256];

	if (!doctor->count)
		conclude(doctor, "working", "working, but there is nothing to watch: no cpufreq "
			 "policy");
	else if (phantom)
		conclude(doctor, "working", "working, but %s has pressure that no cap explains",
			 phantom);
	else if (consumers(doctor, text, sizeof(text)))
		conclude(doctor, "working", "working, hints are consumed: %s", text);
	else
		conclude(doctor, "working", "working, nobody consumes hints on this kernel");
}

static void diagnose_presence(struct doctor *doctor)
{

	if (pwrctl_client_get_stats(doctor->client, &doctor->stats) ||
	    pwrctl_client_get_domains(doctor->client, &doctor->domains, &doctor->count)) {
		doctor->fault = *pwrctl_client_fault(doctor->client);
		conclude(doctor, doctor->fault.kind == PWRCTL_FAULT_VERSION ? "version" : "failing",
			 "loaded, but not usable: %s", doctor->fault.text);
		return;
	}
	doctor->have_stats = true;
	conclude_working(doctor);
	look_at_versions(doctor);
}

static void examine(struct doctor *doctor)
{
	doctor->client = pwrctl_client_open(&doctor->fault);
	if (doctor->client)
		diagnose_presence(doctor);
	else if (doctor->fault.kind == PWRCTL_FAULT_ABSENT)
		diagnose_absence(doctor);
	else
		conclude(doctor, "failing", "cannot ask the kernel: %s", doctor->fault.text);
	look_at_kernel(doctor);
	look_at_tracepoints(doctor);
	look_at_cpufreq(doctor);
	if (doctor->have_stats) {
		look_at_domains(doctor);
		look_at_settings(doctor);
		look_at_consumers(doctor);
		look_at_bpf(doctor);
	}
	look_at_throttling(doctor);
	look_at_debugfs(doctor);
}

static void print(struct doctor *doctor, bool json)
{
	struct pwrctl_out *out = pwrctl_out_open(stdout, json);
	size_t i;

	pwrctl_out_say(out, "%s", doctor->verdict);
	if (json) {
		pwrctl_out_object(out, NULL, NULL);
		pwrctl_out_string(out, "verdict", NULL, doctor->verdict);
		pwrctl_out_string(out, "state", NULL, doctor->state);
	}
	pwrctl_out_list(out, "findings", NULL, NULL);
	for (i = 0; i < doctor->n_findings; i++) {
		pwrctl_out_object(out, NULL, NULL);
		pwrctl_out_string(out, "state", "STATE", doctor->findings[i].state);
		pwrctl_out_string(out, "name", "WHAT", doctor->findings[i].name);
		pwrctl_out_prose(out, "text", "FINDING", doctor->findings[i].text);
		pwrctl_out_object_end(out);
	}
	pwrctl_out_list_end(out);
	if (json)
		pwrctl_out_object_end(out);
	pwrctl_out_close(out);
}

static int run_doctor(struct pwrctl_run *run)
{
	const struct pwrctl_option *root = pwrctl_main_option(run, "root");
	struct doctor *doctor;
	int status = PWRCTL_EXIT_OK;

	if (run->argc)
		return pwrctl_main_usage(run, "too much: %s", run->argv[0]);
	doctor = calloc(1, sizeof(*doctor));
	if (!doctor) {
		pwrctl_out_error("out of memory");
		return PWRCTL_EXIT_FAILED;
	}
	pwrctl_host_open(&doctor->host, root ? root->value : "");
	examine(doctor);
	print(doctor, run->json);
	if (doctor->fault.kind == PWRCTL_FAULT_ABSENT || doctor->fault.kind == PWRCTL_FAULT_VERSION)
		status = PWRCTL_EXIT_MODULE;
	else if (doctor->fault.kind)
		status = PWRCTL_EXIT_FAILED;
	free(doctor->domains);
	pwrctl_client_close(doctor->client);
	free(doctor);
	return status;
}

/* --root is for the tests: a made-up machine. */
static const char *const options[] = { "root=", NULL };

const struct pwrctl_verb pwrctl_verb_doctor = {
	.name = "doctor",
	.synopsis = "",
	.summary = "tell whether it works here, and if not, why",
	.help =
"The first line is the verdict. Then: versions of module and command; what this kernel offers;\n"
"cpufreq driver and domains, with their reference and its origin; why pressure may stay 0;\n"
"pressure that no cap explains; who consumes hints; debugfs and lockdown; when the module is not\n"
"loaded, what dkms, the kernel headers, Secure Boot and lockdown have to do with it. Loads\n"
"nothing and changes nothing. Exit status 3 when the module is not loaded or of another version.\n",
	.options = options,
	.run = run_doctor,
};
