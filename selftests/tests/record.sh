#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Recording and replaying: replay says of every moment what the module said then.
set -euo pipefail
# shellcheck source=../lib/lib.sh
. "$(dirname "$0")/../lib/lib.sh"

work=$(mktemp -d)

# What the recorded command does: caps come and go, and between them the module is asked for the
# average, with the clock it was taken at. However long each step takes: that clock tells. Many
# times at once, and by what needs no new process: on a busy host all would be at rest before it ran.
looks_at_once=20
make_looks() {
	cat >"$work/drive" <<-'END'
	set -euo pipefail
	look() {
		local i average clock
		for ((i = 0; i < $1 * looks_at_once; i++)); do
			read -r average clock <"$debug/pwrctl/domains/policy0/average"
			echo "policy0 ${clock#clock_ns=} $average"
		done >>"$work/live"
	}
	END
}

make_driver() {
	make_looks
	cat >>"$work/drive" <<-'END'
	look 1
	for khz in 600000 1500000; do
		pwrctl inject policy0 "$khz" ttl 1h
		look 2
		echo "0 1200000" >"$qos/cap"
		look 1
		pwrctl inject policy0 clear
		look 1
		echo "0 0" >"$qos/cap"
		look 2
	done
	END
}

# agree NAME ROWS LIMIT: each of the averages that were seen live is within LIMIT of 1024 of the
# replayed one
agree() {
	paste -d ' ' "$work/live" <(awk '{ print $(NF-2), $(NF-1), $NF }' "$2") | awk -v name="$1" -v limit="$3" '
		$1 != $4 || $2 != $5 { print "# not the same moment: " $0; bad++ }
		{ off = $3 - $6; off = off < 0 ? -off : off; if (off > most) most = off }
		off > limit { print "# " name ": live and replayed: " $0; bad++ }
		END { print "# " name ": " NR " averages, at most " most + 0 " of 1024 apart"
		      exit bad != 0 || NR == 0 }'
}

# record [SETTING]...: runs the driver; "rows" are the averages at the times it has looked at
record() {
	rm -f "$work/live"
	export work qos debug looks_at_once
	pwrctl record --force -o "$work/trace" -- bash "$work/drive"
	awk '{ print $1, $2 }' "$work/live" >"$work/times"
	pwrctl replay "$work/trace" --at "$work/times" "$@" >"$work/rows"
}

record_and_replay() {
	local samples moved
	test_module pwrctl_test_qos
	modprobe pwrctl
	pwrctl set "$@"
	make_driver
	# it begins in the middle of things
	nlq inject policy0 300000 3600000 >/dev/null
	record "$@"
	! grep -q '"event":"resync"' "$work/trace" || fail "events were lost"
	samples=$(wc -l <"$work/live")
	moved=$(awk '$3 > 0 { print $3 }' "$work/live" | sort -u | wc -l)
	expect "the number of looks" "$samples" $((13 * looks_at_once))
	[ "$moved" -ge 3 ] || fail "the average hardly moved"
	[ "$(grep -c '"event":"cap"' "$work/trace")" -ge 6 ] || fail "caps are missing in the trace"
	sed -n '/^as recorded/p' "$work/rows" >"$work/recorded"
	sed '1d; /^as recorded/d' "$work/rows" >"$work/named"
	agree "as recorded" "$work/recorded" 0 || fail "replay of what was recorded differs"
	agree "$*" "$work/named" 0 || fail "replay of the named setting differs"
}

test_decay() { record_and_replay decay_ms 250; }
test_decay_and_fall() { record_and_replay decay_ms 100 fall_ms 700; }
test_instant() { record_and_replay mode instant; }
# Evaluated in whole periods: those of the trace are the module's.
test_pelt() { record_and_replay mode pelt; }
test_pelt_slower() { record_and_replay mode pelt pelt_shift 3; }

# Settings change under way, between looks: from that moment on the recorded row follows. Each is
# so much faster or slower than the one before that it tells, whatever time a step takes.
test_settings_change() {
	modprobe pwrctl
	make_looks
	cat >>"$work/drive" <<-'END'
	pwrctl inject policy0 300000 ttl 1h
	for set in 'mode pelt pelt_shift 3' 'pelt_shift 7' 'mode decay decay_ms 300' 'mode instant' \
		'mode decay decay_ms 5000'; do
		look 1
		pwrctl set $set
		look 1
		pwrctl inject policy0 2400000 ttl 1h
		look 1
		pwrctl inject policy0 300000 ttl 1h
	done
	pwrctl set policy0 mode off
	look 1
	END
	pwrctl set mode decay decay_ms 3000
	record
	grep -q '"event":"settings".*"domain":"policy0","mode":"off"' "$work/trace" ||
		fail "the domain's own setting is not in the trace"
	expect "the number of looks" "$(wc -l <"$work/live")" $((16 * looks_at_once))
	sed -n '/^as recorded/p' "$work/rows" >"$work/recorded"
	agree "as recorded" "$work/recorded" 0 || fail "replay of what was recorded differs"
}

test_unloaded_meanwhile() {
	local rc=0
	modprobe pwrctl
	pwrctl record --force -o "$work/trace" -- bash -c 'rmmod pwrctl; exit 3' 2>"$work/err" || rc=$?
	expect "the status" "$rc" 3
	grep -q unloaded "$work/err" || fail "it is not told"
	grep -q '"event":"gone"' "$work/trace" || fail "it is not in the trace"
}

test_save_and_restore() {
	local before
	modprobe pwrctl
	pwrctl set mode pelt pelt_shift 2 count thermal quantum 8
	pwrctl set policy2 decay_ms 100 reference_khz 2000000
	pwrctl save --force "$work/settings"
	before=$(pwrctl -j get; pwrctl -j get policy0; pwrctl -j get policy2)
	rmmod pwrctl
	modprobe pwrctl
	pwrctl set policy0 mode instant
	pwrctl restore --wait 10s "$work/settings"
	expect "what is restored" "$(pwrctl -j get; pwrctl -j get policy0; pwrctl -j get policy2)" \
		"$before"
	printf 'global mode off\npolicy0 reference_khz 1\npolicy99 mode off\n' >"$work/settings"
	! pwrctl restore "$work/settings" || fail "a domain that is not there was restored"
	expect "what is left after a refusal" \
		"$(pwrctl -j get; pwrctl -j get policy0; pwrctl -j get policy2)" "$before"
}

# Permanent settings: one file, applied whenever the module loads.
test_permanent() {
	local err=$work/err
	[ -e /etc/modprobe.d/pwrctl.conf ] || skip "what make install gives modprobe is not here"
	printf 'global decay_ms 77\npolicy2 mode instant\n' >/etc/pwrctl.conf
	modprobe pwrctl decay_ms=5 quantum=9
	expect "a global setting" "$(pwrctl get decay_ms)" "decay_ms 77"
	expect "a domain's" "$(pwrctl get policy2 mode)" "mode instant"
	expect "another domain's" "$(pwrctl get policy0 mode)" "mode decay"
	expect "what the file does not name" "$(pwrctl get quantum)" "quantum 16"
	rmmod pwrctl
	printf 'global decay_ms 77\nglobal quantum 0\n' >/etc/pwrctl.conf
	! modprobe pwrctl decay_ms=5 2>"$err" || fail "a bad file went unnoticed"
	grep -q '^pwrctl: /etc/pwrctl.conf:2: ' "$err" || fail "the line is not told: $(cat "$err")"
	expect "the module's own parameter" "$(pwrctl get decay_ms)" "decay_ms 5"
	rmmod pwrctl
	rm /etc/pwrctl.conf
	modprobe pwrctl quantum=9
	expect "without a file" "$(pwrctl get quantum)" "quantum 9"
}

run_tests decay decay_and_fall instant pelt pelt_slower settings_change unloaded_meanwhile save_and_restore \
	permanent
