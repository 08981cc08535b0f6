#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Who may do what: everyone reads and listens; to write takes CAP_NET_ADMIN in the initial user
# name space. What a plain user asks for loads no module.
set -eu
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

debugfs=/sys/kernel/debug/pwrctl
user=(setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all)
container=(unshare --user --map-root-user)
# an event comes or it does not: nothing is measured by this limit
patience=300

# rc COMMAND...: prints how it ended
rc() {
	local status=0
	"$@" >/dev/null 2>&1 || status=$?
	echo "$status"
}

reads() {
	[ "$(rc "$@" pwrctl show)" = 0 ] && [ "$(rc "$@" pwrctl show cpu)" = 0 ] &&
		[ "$(rc "$@" pwrctl show stats)" = 0 ] && [ "$(rc "$@" pwrctl get)" = 0 ] &&
		[ "$(rc "$@" pwrctl get "$domain")" = 0 ]
}

state() {
	cat "$debugfs"/{mode,decay_ms,fall_ms,pelt_shift,count,quantum,outlet} \
		"$debugfs/domains/$domain"/{mode,decay_ms,reference_khz,caps}
}

# refused WHO...: every command that writes fails, for want of permission, and changes nothing
refused() {
	local before words
	before=$(state)
	for words in "set decay_ms 777" "set $domain decay_ms 777" "unset decay_ms" \
		"inject $domain 1GHz ttl 600s" "inject $domain clear"; do
		# shellcheck disable=SC2086 # words
		[ "$(rc "$@" pwrctl $words)" = 1 ] || {
			ktap_print_msg "$* pwrctl $words ended with $(rc "$@" pwrctl $words)"
			return 1
		}
	done
	[ "$(state)" = "$before" ]
}

allowed() {
	[ "$(rc "$@" pwrctl set decay_ms 333)" = 0 ] && [ "$(cat $debugfs/decay_ms)" = 333 ] &&
		[ "$(rc "$@" pwrctl unset decay_ms)" = 0 ]
}

listens() {
	local line events pid heard=1
	exec {events}< <(exec "${user[@]}" pwrctl monitor)
	pid=$!
	# it starts with what holds now: from then on it listens
	read -r -t "$patience" -u "$events" line || return 1
	pwrctl set decay_ms 777
	while read -r -t "$patience" -u "$events" line; do
		case $line in
		*777*)
			heard=0
			break
			;;
		esac
	done
	kill "$pid"
	exec {events}<&-
	pwrctl unset decay_ms
	return "$heard"
}

has_all_capabilities() {
	[ "$("$@" sed -n 's/^CapEff:\s*//p' /proc/self/status)" = \
		"$(sed -n 's/^CapBnd:\s*//p' /proc/self/status)" ]
}

invisible() { [ "$(rc "$@" pwrctl show)" = 3 ] && [ "$(rc "$@" pwrctl set decay_ms 777)" = 3 ]; }

hidden() { ! "${user[@]}" ls "$debugfs" >/dev/null 2>&1; }

loads_nothing() { [ "$(rc "$@" pwrctl show)" = 3 ] && ! loaded pwrctl; }

no_alias() { ! modinfo -F alias pwrctl | grep -q 'net-pf\|family'; }

ktap_print_header
command -v pwrctl >/dev/null || {
	ktap_skip_all "no command pwrctl here"
	exit "$KSFT_SKIP"
}
modprobe pwrctl
domain=$(basename "$(find $debugfs/domains -mindepth 1 -maxdepth 1 | sort | head -n 1)")

ktap_set_plan 14
ktap_test_result "a user reads" reads "${user[@]}"
ktap_test_result "a user listens" listens
ktap_test_result "a user does not write" refused "${user[@]}"
ktap_test_result "a user does not see debugfs" hidden
ktap_test_result "root of a container has every capability" \
	has_all_capabilities "${user[@]}" "${container[@]}"
ktap_test_result "root of a container reads" reads "${user[@]}" "${container[@]}"
ktap_test_result "root of a container does not write" refused "${user[@]}" "${container[@]}"
ktap_test_result "root's own container does not write" refused "${container[@]}"
ktap_test_result "a container with its own network sees nothing" invisible "${container[@]}" --net
ktap_test_result "root without CAP_NET_ADMIN does not write" \
	refused setpriv --bounding-set=-net_admin --inh-caps=-net_admin
ktap_test_result "a user with CAP_NET_ADMIN writes" allowed setpriv --reuid=1000 --regid=1000 \
	--clear-groups --inh-caps=+net_admin --ambient-caps=+net_admin
rmmod pwrctl
ktap_test_result "what a user asks for loads nothing" loads_nothing "${user[@]}"
ktap_test_result "what root asks for loads nothing" loads_nothing
ktap_test_result "the module has no alias for its family" no_alias
ktap_finished
