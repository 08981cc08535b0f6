#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# debugfs: what there is and with which mode, that it shows what holds and sets what can be set,
# and that the folders of domains come and go with them.
set -eu
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

top=/sys/kernel/debug/pwrctl
patience=60 # seconds: a limit against hanging, nothing is measured by it

modes() { (cd "$1" && find . -mindepth 1 -maxdepth 1 -type f -exec stat -c '%a %n' {} + 2>/dev/null | sort -k 2 | xargs); }

global_files() {
	[ "$(modes $top)" = "644 ./count 444 ./cpus 644 ./decay_ms 444 ./error 644 ./fall_ms \
644 ./mode 644 ./outlet 644 ./pelt_shift 644 ./quantum 444 ./stats 444 ./summary" ]
}

domain_files() {
	[ "$(modes "$dir")" = "444 ./average 444 ./cap_khz 444 ./caps 444 ./cause 444 ./cpus \
644 ./decay_ms 444 ./door 644 ./fall_ms 644 ./mode 644 ./pelt_shift 444 ./pressure 444 ./reference \
644 ./reference_khz 444 ./since 444 ./stats" ]
}

every_policy() {
	[ "$(ls $top/domains)" = "$(cd /sys/devices/system/cpu/cpufreq && ls -d policy*)" ]
}

all_readable() {
	local file
	while read -r file; do
		cat "$file" >/dev/null || return 1
	done < <(find $top -type f)
}

# sets FILE VALUE: reads back, and the command says the same
sets() {
	echo "$2" >"$top/$1" && [ "$(cat "$top/$1")" = "$2" ]
}

settings_are_set() {
	sets mode pelt && sets decay_ms 125 && sets fall_ms 60000 && sets pelt_shift 10 &&
		sets count user,injected && sets count none && sets quantum 256 && sets outlet none &&
		grep -qx 'decay_ms 125' $top/summary && grep -qx 'count none' $top/summary
}

settings_back() {
	sets mode decay && sets decay_ms 250 && sets fall_ms 0 && sets pelt_shift 0 &&
		sets count thermal,hw,other,injected && sets quantum 16 && sets outlet auto
}

domain_is_set_and_unset() {
	sets "domains/$domain/decay_ms" 500 && sets decay_ms 125 &&
		[ "$(cat "$dir/decay_ms")" = 500 ] && grep -qx "$domain/decay_ms 500" $top/summary &&
		echo global >"$dir/decay_ms" && [ "$(cat "$dir/decay_ms")" = 125 ] &&
		! grep -q "^$domain/" $top/summary && sets decay_ms 250
}

white_space_is_no_value() {
	printf '  126 \n' >$top/decay_ms && [ "$(cat $top/decay_ms)" = 126 ] &&
		! printf '127\0000' 2>/dev/null >$top/decay_ms &&
		! printf '\n' 2>/dev/null >$top/decay_ms &&
		[ "$(cat $top/decay_ms)" = 126 ] && sets decay_ms 250
}

error_is_text() {
	! printf 'a\033[31mb\001c\377' 2>/dev/null >$top/mode &&
		[ "$(cat $top/error)" = "mode=a?[31mb?c?: mode must be off, instant, pelt or decay" ] &&
		! echo 0 2>/dev/null >"$dir/decay_ms" &&
		[ "$(cat $top/error)" = "$domain/decay_ms=0: decay_ms must be 1 to 60000 ms" ]
}

# In hundredths of a second, as /proc/uptime has it
uptime_cs() { local up rest; read -r up rest </proc/uptime && echo "${up/./}"; }

clock_is_told() {
	local file value clock before after
	for file in average pressure since; do
		before=$(uptime_cs)
		read -r value clock <"$dir/$file"
		after=$(uptime_cs)
		clock=$((${clock#clock_ns=} / 10000000))
		[ "$value" -ge 0 ] && [ "$before" -le "$clock" ] && [ "$clock" -le "$after" ] || return 1
	done
}

one_clock_per_domain() {
	[ "$(awk 'NR > 1 { print $2, $7 }' $top/cpus | sort -u | wc -l)" = \
		"$(find $top/domains -mindepth 1 -maxdepth 1 | wc -l)" ] &&
		[ "$(awk 'NR > 1' $top/cpus | wc -l)" = "$(nproc --all)" ]
}

cap_is_shown() {
	local reference half value
	sets mode instant
	read -r reference value <"$dir/reference"
	half=$((reference / 2))
	pwrctl inject "$domain" "${half}kHz" ttl 1h
	[ "$(cat "$dir/cap_khz")" = "$half" ] && [ "$(cat "$dir/cause")" = injected ] &&
		grep -q "^injected $half until_ns=" "$dir/caps" &&
		grep -qx 'hw  *not available' "$dir/caps" &&
		[ "$(cut -d' ' -f1 "$dir/pressure")" = 512 ] && [ "$(cut -d' ' -f1 "$dir/average")" = 512 ] &&
		awk -v d="$domain" 'NR > 1 && $2 == d && ($4 != $5 || $3 != $5 + $6) { exit 1 }' $top/cpus
	value=$?
	pwrctl inject "$domain" clear
	[ "$value" = 0 ] && [ "$(cat "$dir/cap_khz")" = none ] && [ "$(cat "$dir/cause")" = none ] &&
		sets mode decay
}

wait_until() {
	local end=$((SECONDS + patience))
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

no_folders() { [ -z "$(ls $top/domains)" ]; }

# An open file of a domain that is gone fails to be read; it neither hangs nor shows anything.
folders_come_and_go() {
	local file status=0
	echo 500 >"$dir/decay_ms"
	exec {file}<"$dir/average"
	rmmod acpi_cpufreq && wait_until no_folders || status=1
	! cat <&"$file" 2>/dev/null || status=1
	exec {file}<&-
	! cat "$dir/average" 2>/dev/null || status=1
	[ "$(awk 'NR > 1' $top/cpus | wc -l)" = 0 ] || status=1
	modprobe acpi_cpufreq && wait_until every_policy && wait_until domain_files || status=1
	# what was set for a domain outlives it
	[ "$(cat "$dir/decay_ms")" = 500 ] && echo global >"$dir/decay_ms" || status=1
	return "$status"
}

goes_with_the_module() {
	rmmod pwrctl && [ ! -e $top ] && modprobe pwrctl && global_files && every_policy
}

ktap_print_header
modprobe pwrctl
domain=$(basename "$(find $top/domains -mindepth 1 -maxdepth 1 | sort | head -n 1)")
dir=$top/domains/$domain

ktap_set_plan 14
ktap_test_result "global files and their modes" global_files
ktap_test_result "a domain's files and their modes" domain_files
ktap_test_result "a folder for every policy" every_policy
ktap_test_result "every file can be read" all_readable
ktap_test_result "settings are set" settings_are_set
ktap_test_result "settings are set back" settings_back
ktap_test_result "a domain's setting is set and unset" domain_is_set_and_unset
ktap_test_result "white space and hidden ends" white_space_is_no_value
ktap_test_result "error says what and why, in plain text" error_is_text
ktap_test_result "an average tells its clock" clock_is_told
ktap_test_result "one moment for all CPUs of a domain" one_clock_per_domain
if command -v pwrctl >/dev/null; then
	ktap_test_result "an injected cap is shown everywhere" cap_is_shown
else
	ktap_test_skip "an injected cap is shown everywhere: no command pwrctl"
fi
if grep -q '^acpi_cpufreq ' /proc/modules; then
	ktap_test_result "folders come and go with their domains" folders_come_and_go
else
	ktap_test_skip "folders come and go with their domains: no driver that can be removed"
fi
ktap_test_result "the tree goes with the module" goes_with_the_module
rmmod pwrctl
ktap_finished
