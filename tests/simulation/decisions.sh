#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# decisions.sh PROGRAM MACHINE [--renew]: plays all graphs with their decisions told, and compares with
# decisions/MACHINE.txt how often each situation led to each decision. Times may change with every model; who does what
# may not, unless somebody wants it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tools/play.sh
source "$here/../../tools/play.sh"
program=$1 machine=$2
golden=$here/decisions/$machine.txt

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make_machine "$work" "$machine"
SKELRT_LOG=debug play "$program" "$work" "$machine" skelrt >"$work/times.txt" 2>"$work/log.txt" || {
    cat "$work/log.txt"
    exit 1
}
# Where a function stands in its file is no part of a decision.
sed -n 's/^.*decision: //p' "$work/log.txt" | sed -E 's/:[0-9]+\)/)/g; s/; ([2-9]|[0-9]{2,}) before it/; some before it/' | sort | uniq -c >"$work/decisions.txt"
[ -s "$work/decisions.txt" ]
if [ "${3:-}" = --renew ]; then
    mkdir -p "$here/decisions"
    cp "$work/decisions.txt" "$golden"
    exit
fi
diff "$golden" "$work/decisions.txt"
