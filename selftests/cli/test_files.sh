#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Files that are written: complete or not there, and nobody else's is overwritten. A disk that is
# full is made up with a limit on the size of files.
# shellcheck disable=SC2016 # for sh -c, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

export PWRCTL_FAKE_STATE=$scratch/state
target=$scratch/target.svg

# full KIB ARGS...: with so much room for every file; what it prints goes through pipes
full()
{
	local kib=$1

	shift
	status=0
	out=$(
		ulimit -f "$kib"
		LC_ALL=C.UTF-8 "$fake" "$@" 2>&1 </dev/null | cat
		exit "${PIPESTATUS[0]}"
	) || status=$?
	err=$out
}

# absent STATUS REASON DESCRIPTION: it failed, said why, and left nothing
absent()
{
	local rc=0

	[ "$status" -eq "$1" ] && holds "$err" "$2" &&
		[ -z "$(find "$scratch" -name 'target*')" ] || rc=1
	result "$rc" "$3"
}

restored()
{
	[ "$(<"$PWRCTL_FAKE_STATE")" = 'mode 3 decay_ms 250 fall_ms 0 pelt_shift 0 own 0x8 fall_ms 100' ]
}

plan 23

full 1 record -o "$target"
absent 1 "cannot write $target: File too large" 'record'
PWRCTL_FAKE=unloaded full 1 record -o "$target" -- sh -c 'exit 7'
absent 125 'File too large' 'record with a command: that it could not record is what counts'
PWRCTL_FAKE=heating full 1 sweep decay_ms 125 repeat 2 -o "$target" -- true
absent 125 "cannot write $target: File too large" 'sweep'
ok holds "$out" 'no difference can be shown' 'shows what it measured nevertheless'
ok restored 'and the settings come back'
PWRCTL_FAKE=heating full 4 sweep decay_ms 125 repeat 1 warmup 0 plot "$target" -- true
absent 125 "cannot draw $target: " 'its picture'
ok restored 'and the settings come back'
full 0 save "$target"
absent 1 "cannot write $target: " 'save'

pwrctl record -o "$scratch/trace"
PWRCTL_FAKE=heating pwrctl sweep decay_ms 125 repeat 1 warmup 0 -o "$scratch/results" -- true
full 4 replay "$scratch/trace" plot "$target"
absent 1 "cannot draw $target: " "replay's picture"
full 4 compare "$scratch/results" plot "$target"
absent 1 "cannot draw $target: " "compare's picture"
full 1 compare "$scratch/results" plot "$scratch/target.png"
absent 1 'cannot draw' 'a picture of the other kind'

# Nobody's file is overwritten, nor what is no file.
keep()
{
	[ "$(<"$target")" = mine ] && [ "$(find "$scratch" -name 'target*' | wc -l)" -eq 1 ]
}
echo mine >"$target"
for words in "record -o $target" "save $target" "replay $scratch/trace plot $target" \
	"compare $scratch/results plot $target"; do
	# shellcheck disable=SC2086 # words
	pwrctl $words
	status_is 1 "${words%% *} does not overwrite"
	ok keep 'and leaves what was there'
done
pwrctl sweep decay_ms 125 repeat 1 warmup 0 plot "$target" -- true
status_is 125 "nor does sweep's picture"
ok keep 'and that before anything was measured'
pwrctl compare --force "$scratch/results" plot "$target"
ok grep -q '</svg>' "$target" '--force replaces it'
pwrctl compare "$scratch/results" plot "$scratch"/absent/picture.svg
err_has 'No such file or directory' 'a folder that is not there'

finish
