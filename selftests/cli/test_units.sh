#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The parts written in C, under their harnesses and the sanitizers. Each prints its own TAP; the
# plan of this script counts the programs.
set -euo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

plan 2
for unit in unit_parse unit_client; do
	rc=0
	"$OUTPUT/$unit" >"$scratch/tap" 2>&1 || rc=$?
	sed 's/^/    /' "$scratch/tap"
	if [ "$rc" -eq 4 ]; then
		count=$((count + 1))
		printf 'ok %d %s # SKIP %s\n' "$count" "$unit" "$(sed -n 's/.*SKIP //p' "$scratch/tap")"
	else
		result "$rc" "$unit"
	fi
done
finish
