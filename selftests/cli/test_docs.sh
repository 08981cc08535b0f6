#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The manual and the completion know what the command knows.
# shellcheck disable=SC2016 # for eval, quoted on purpose
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

manual=$top/tool/pwrctl.8
mapfile -t verbs < <("$fake" --list verbs)
mapfile -t keys < <("$fake" --list keys)
mapfile -t domain_keys < <("$fake" --list domain-keys)
mapfile -t causes < <("$fake" --list count)
mapfile -t words < <("$fake" --list mode; "$fake" --list outlet)

manual_has()
{
	local rc=0

	grep -qE -- "$1" "$manual" || rc=1
	result "$rc" "$2"
}

# Completion asks "pwrctl": let that be the one under test.
# shellcheck source=/dev/null
. "$top/tool/pwrctl.bash"
ask()
{
	"$fake" "$@"
}

# completes LINE...: what is offered for the last word.
completes()
{
	COMP_WORDS=(pwrctl "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	(
		# shellcheck disable=SC2317 # called by the completion
		pwrctl()
		{
			ask "$@"
		}
		_pwrctl
		[ "${#COMPREPLY[@]}" -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
	)
}

# offers WORD LINE...: the word is among what is offered.
offers()
{
	local word=$1 offered

	shift
	offered=$(completes "$@")
	grep -qxF -- "$word" <<<"$offered"
}

plan $((3 * ${#verbs[@]} + 4 * ${#keys[@]} + ${#causes[@]} + ${#words[@]} + 6 + 13))

for verb in "${verbs[@]}"; do
	ok eval 'sed "/^.Sh DESCRIPTION/q" "$manual" | grep -x ".Cm $verb"' "synopsis of $verb"
	manual_has "^\\.It Cm $verb\$" "description of $verb"
	ok offers "$verb" '' "completion of $verb"
done
for key in "${keys[@]}"; do
	manual_has "^\\.It Cm $key\$" "description of $key"
	for verb in get unset; do
		if [[ " ${domain_keys[*]} " == *" $key "* ]]; then
			ok offers "$key" "$verb" policy0 '' "completion of $key after $verb policy0"
		else
			ok eval '! offers "$key" "$verb" policy0 ""' "no $key after $verb policy0"
		fi
	done
	ok offers "$key" set '' "completion of $key after set"
done
for cause in "${causes[@]}"; do
	manual_has "^\\.(It )?Cm $cause" "cause $cause"
done
for word in "${words[@]}"; do
	manual_has "^\\.Cm $word|[( ]${word}[), ]" "value $word"
done
for status in 0 1 2 3 4 125; do
	manual_has "^\\.It $status\$" "exit status $status"
done
ok offers pelt set mode '' 'values of mode'
ok offers hw_pressure set policy0 mode off outlet '' 'values behind a domain and other keys'
ok offers -t monitor - 'options'
ok offers -j show - 'options of everybody'
ok offers stats show '' 'objects of show'
ok offers ttl inject policy0 1GHz '' 'ttl'
ok eval '[ "$(completes show s)" = stats ]' 'only what begins so'
ok completes nothing '' 'an unknown verb does no harm'
ok bash -n "$top/tool/pwrctl.bash" 'the completion is bash'
# The manual's examples are understood: none of them is a usage error.
sed -n 's/^\(pwrctl [^|]*\).*/\1/p' "$manual" >"$scratch/examples"
ok [ "$(wc -l <"$scratch/examples")" -ge 7 ] 'there are examples'
rc=0
while read -r _ line; do
	# shellcheck disable=SC2086
	pwrctl $line
	[ "$status" -ne 2 ] || rc=1
done <"$scratch/examples"
result "$rc" 'every example is understood'
for section in SYNOPSIS FILES; do
	manual_has "^\\.Sh $section\$" "section $section"
done
finish
