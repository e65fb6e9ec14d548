#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ranks.sh UNDER_MPIRUN MPIRUN TRACED SKELRT: each of two ranks writes a file, and `skelrt trace` shows both together.
set -euo pipefail
under_mpirun=$1 mpirun=$2 traced=$3 skelrt=$4
# shellcheck source=tests/tool/expect.sh
source "$(dirname "$0")/../tool/expect.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SKELRT_TRACE=$folder/run.json "$under_mpirun" "$mpirun" 2 "$traced" calls
expect 0 '^  2 of 2 ranks' "$skelrt" trace "$folder/run.0.json" "$folder/run.1.json" --png "$folder/run.png" -o "$folder/both.json"
expect 0 'rank 1: ' "$skelrt" trace "$folder/run.0.json" "$folder/run.1.json"
expect 0 '^  1 of 2 ranks' "$skelrt" trace "$folder/run.1.json"
[ -s "$folder/both.json" ] && [ "$(head -c 4 "$folder/run.png" | tail -c 3)" = PNG ]
expect 1 'cannot be read' "$skelrt" trace "$folder/run.2.json"
[ "$failures" -eq 0 ]
