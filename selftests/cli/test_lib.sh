#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every helper of lib.sh can fail, and a failure is seen.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# fails HELPER...: the helper prints "not ok" and counts it.
fails()
{
	local text

	text=$(
		failures=0
		"$@" 'as it must'
		echo "failures $failures"
	)
	holds "$text" 'not ok' && holds "$text" 'failures 1'
}

plan 12
pwrctl --version
# The empty line of the helper would be JSON's, so give it something that is not.
ok fails ok false 'ok can fail'
ok fails status_is 3 'status_is can fail'
ok fails out_has 'no such text' 'out_has can fail'
ok fails err_has 'no such text' 'err_has can fail'
ok fails out_is 'pwrctl' 'out_is can fail'
ok fails json_is 'True' 'json_is fails on what is no JSON'
pwrctl show -j
ok fails json_is 'd == []' 'json_is fails on another value'
ok fails json_is 'd[' 'json_is fails on a broken expression'
json_is 'len(d) == 2' 'json_is can succeed'
short_of_plan()
{
	(planned=2 count=1 failures=0 && finish)
}
ok eval '! short_of_plan' 'finish fails when tests are missing'
bad_end()
{
	(planned=1 count=1 failures=1 && finish)
}
ok eval '! bad_end' 'finish fails after a failure'
good_end()
{
	(planned=1 count=1 failures=0 && finish)
}
ok good_end 'finish succeeds otherwise'
finish
