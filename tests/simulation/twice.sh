#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# twice.sh PROGRAM MACHINE POLICY [GRAPH...]: plays all graphs, or those named, twice. Each ends; both runs print the
# same, byte for byte; no codelet goes without a model of its own.
set -euo pipefail
# shellcheck source=tools/play.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../tools/play.sh"
program=$1 machine=$2 policy=$3
shift 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make_machine "$work" "$machine"

if [ $# -gt 0 ]; then wanted=("$@"); else mapfile -t wanted < <("$program" --list); fi
[ "${#wanted[@]}" -gt 0 ]
for run in first second; do
    if ! play "$program" "$work" "$machine" "$policy" "${wanted[@]}" >"$work/$run.txt" 2>"$work/$run.err"; then
        echo "the $run run failed"
        cat "$work/$run.txt" "$work/$run.err"
        exit 1
    fi
done

cat "$work/first.txt"
if [ -s "$work/first.err" ]; then
    cat "$work/first.err"
    echo "codelets without models: see docs/simulation.md"
    exit 1
fi
diff <(printf '%s\n' "${wanted[@]}") <(tail -n +2 "$work/first.txt" | cut -d ' ' -f 1) || { echo "these graphs did not end" && exit 1; }
if tail -n +2 "$work/first.txt" | awk '!($2 > 0) { bad = 1 } END { exit !bad }'; then echo "a graph took no time" && exit 1; fi
cmp "$work/first.txt" "$work/second.txt"
