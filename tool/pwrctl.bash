# SPDX-License-Identifier: GPL-2.0-only
# Completion for pwrctl. Verbs, keys and words are asked from the command itself, so they are
# always those of the installed version.

_pwrctl_domains()
{
	local path
	for path in /sys/devices/system/cpu/cpufreq/policy*; do
		[[ -d $path ]] && printf '%s\n' "${path##*/}"
	done
}

# Keys that were not given yet, or the words of the key before the cursor.
_pwrctl_keys()
{
	local cur=$1 verb=$2 domain=$3 list=keys previous=${COMP_WORDS[COMP_CWORD-1]}

	[[ $domain ]] && list="domain-keys"
	if [[ $verb == set ]] && pwrctl --list keys 2>/dev/null | grep -xF -- "$previous" >/dev/null; then
		mapfile -t COMPREPLY < <(compgen -W "$(pwrctl --list "$previous" 2>/dev/null)" -- "$cur")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$(pwrctl --list "$list" 2>/dev/null)" -- "$cur")
}

# The words of replay and sweep: lists of settings, and what else they take. Files otherwise.
_pwrctl_lists()
{
	local cur=$1 verb=$2 operands=$3 previous=${COMP_WORDS[COMP_CWORD-1]}
	local words='mode decay_ms fall_ms pelt_shift plot'

	case $verb in
	replay)
		words+=' quantum'
		if ((!operands)); then
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi
		;;
	sweep) words+=' repeat warmup cooldown' ;;
	esac
	case $previous in
	mode) mapfile -t COMPREPLY < <(compgen -W "$(pwrctl --list mode 2>/dev/null)" -- "$cur") ;;
	plot | -o) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	decay_ms | fall_ms | pelt_shift | quantum | repeat | warmup) ;;
	cooldown) mapfile -t COMPREPLY < <(compgen -W below -- "$cur") ;;
	*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
	esac
}

_pwrctl()
{
	local cur=${COMP_WORDS[COMP_CWORD]} verb='' domain='' word i operands=0

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		[[ $word == -* ]] && continue
		if [[ -z $verb ]]; then
			verb=$word
		else
			[[ $word == policy* ]] && domain=$word
			operands=$((operands + 1))
		fi
	done
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(pwrctl --list "options-$verb" 2>/dev/null)" -- "$cur")
		return
	fi
	case $verb in
	'')
		mapfile -t COMPREPLY < <(compgen -W "$(pwrctl --list verbs 2>/dev/null)" -- "$cur")
		;;
	show)
		((operands)) || mapfile -t COMPREPLY < <(compgen -W "domain cpu stats $(_pwrctl_domains)" -- "$cur")
		;;
	get | set | unset)
		_pwrctl_keys "$cur" "$verb" "$domain"
		((operands)) || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$(_pwrctl_domains)" -- "$cur")
		;;
	inject)
		case $operands in
		0) mapfile -t COMPREPLY < <(compgen -W "$(_pwrctl_domains)" -- "$cur") ;;
		1) mapfile -t COMPREPLY < <(compgen -W "clear" -- "$cur") ;;
		2) mapfile -t COMPREPLY < <(compgen -W "ttl" -- "$cur") ;;
		esac
		;;
	replay | sweep)
		_pwrctl_lists "$cur" "$verb" "$operands"
		;;
	try)
		((operands)) || mapfile -t COMPREPLY < <(compgen -W "$(_pwrctl_domains)" -- "$cur")
		;;
	*)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		;;
	esac
}

complete -F _pwrctl pwrctl
