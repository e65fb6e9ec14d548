#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# conformance.sh MPIRUN.SH MPIRUN CONFORMANCE RANKS LIST [WRAPPER]: the conformance cases as they are, on several ranks,
# but for those in the list. TEST_CASES=2/8: the second of eight parts of them.
set -euo pipefail
run=$1 mpirun=$2 program=$3 ranks=$4 without=$5 wrapper=("${@:6}")
cases=$(mktemp)
trap 'rm -f "$cases"' EXIT
# Catch2 tells the number of names by its exit code, and takes a comma in a name for the end of a filter.
{ SKELRT_CLUSTER=off "$program" --list-test-names-only || true; } | grep -vxFf <(grep -v '^#' "$without") |
    awk -v part="${TEST_CASES:-1/1}" 'BEGIN { split(part, p, "/") } NR % p[2] == p[1] % p[2]' | sed 's/[][,]/\\&/g' > "$cases"
"$run" "$mpirun" "$ranks" "${wrapper[@]}" "$program" -f "$cases"
