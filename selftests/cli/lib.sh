# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests of the command have in common: TAP, and one way to run the command.
#
#   plan N            first
#   pwrctl ARGS...    runs the command with the made-up module; fills $status, $out and $err
#   ok, out_has, err_has, out_is, status_is, json_is    one test each, description last
#   finish            last

export LC_ALL=C
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
top=$(cd -- "$here/../.." && pwd)
OUTPUT=${OUTPUT:-$top/build/cli}
make -s -C "$here" OUTPUT="$OUTPUT" all >&2
fake=$OUTPUT/pwrctl-fake
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

planned=0
count=0
failures=0
status=0
out=
err=

plan()
{
	planned=$1
	printf 'TAP version 13\n1..%d\n' "$planned"
}

# result STATUS DESCRIPTION: one line of TAP, with what the command said when it is a failure.
result()
{
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d %s\n' "$count" "$2"
		return 0
	fi
	failures=$((failures + 1))
	printf 'not ok %d %s\n' "$count" "$2"
	printf '# status: %s\n' "$status"
	printf '%s\n' "$out" | sed 's/^/# out: /'
	printf '%s\n' "$err" | sed 's/^/# err: /'
}

# ok COMMAND... DESCRIPTION: the command succeeds.
ok()
{
	local description=${*: -1} rc=0

	"${@:1:$#-1}" >/dev/null 2>&1 || rc=1
	result "$rc" "$description"
}

# The locale of a person with a terminal; the environment of the test passes through.
pwrctl()
{
	status=0
	LC_ALL=C.UTF-8 "$fake" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
	out=$(<"$scratch/out")
	err=$(<"$scratch/err")
}

status_is()
{
	local rc=0

	[ "$status" -eq "$1" ] || rc=1
	result "$rc" "$2"
}

holds()
{
	case $1 in
	*"$2"*) return 0 ;;
	esac
	return 1
}

out_has()
{
	local rc=0

	holds "$out" "$1" || rc=1
	result "$rc" "$2"
}

err_has()
{
	local rc=0

	holds "$err" "$1" || rc=1
	result "$rc" "$2"
}

out_is()
{
	local rc=0

	[ "$out" = "$1" ] || rc=1
	result "$rc" "$2"
}

# json_is EXPRESSION DESCRIPTION: the output is JSON, one object a line when it is no single
# document; the expression is Python's, of d (the document) or l (the list of lines).
json_is()
{
	local rc=0

	python3 - "$scratch/out" "$1" <<'PYTHON' >/dev/null 2>&1 || rc=1
import json, math, sys
def strict(name):
    raise ValueError(name)
text = open(sys.argv[1], encoding="utf-8").read()
try:
    d = json.loads(text, parse_constant=strict)
    l = [d]
except ValueError:
    l = [json.loads(line, parse_constant=strict) for line in text.splitlines()]
    d = None
sys.exit(0 if eval(sys.argv[2]) else 1)
PYTHON
	result "$rc" "$2"
}

finish()
{
	if [ "$count" -ne "$planned" ]; then
		printf '# planned %d tests, ran %d\n' "$planned" "$count"
		exit 1
	fi
	[ "$failures" -eq 0 ]
}
