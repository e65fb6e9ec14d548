#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ranges.sh TRACED LISTENER: a tool that listens to NVTX hears of calls, tasks, items and waits, each with its end;
# without one nothing is written.
set -euo pipefail
traced=$1 listener=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export NVTX_LISTENER=$folder/ranges

"$traced" items
[ ! -e "$folder/ranges" ] || { echo "ranges are told although nobody listens"; exit 1; }

NVTX_INJECTION64_PATH=$listener SKELRT_INLINE_US=0 "$traced" items
begins=$(grep -c '^begin skelrt: ' "$folder/ranges")
ends=$(grep -c '^end skelrt$' "$folder/ranges")
echo "$begins ranges begin, $ends end"
[ "$begins" -eq "$ends" ]
for what in 'map (.*traced.cpp:[0-9]*)' 'reduce (sk::plus' '.*studies' 'wait for'; do
    grep -q "^begin skelrt: $what" "$folder/ranges" || { echo "no range of: $what"; sort "$folder/ranges" | uniq -c; exit 1; }
done
