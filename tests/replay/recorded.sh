#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# recorded.sh SKELRT PROGRAM NETWORK: a program's calls, written down and replayed.
set -euo pipefail
# shellcheck source=tests/tool/expect.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tool/expect.sh"
skelrt=$1 program=$2 network=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
calls=$folder/calls

plain=$("$program" 1000)
expect 0 "^$plain\$" env SKELRT_CALLS="$calls" "$program" 1000
[ "$(grep -c '"call":' "$calls")" -eq 18 ] || { echo "not 18 calls: $(grep -c '"call":' "$calls")"; failures=$((failures + 1)); }
expect 0 '"recipe":"filter"' cat "$calls"
expect 0 '"iteration":\[0,10\]' cat "$calls"
expect 0 '^18 calls, recorded on .*; network: 12.5 GB/s, 10 us a message, 2 us a value$' "$skelrt" replay "$calls" --network "$network"
expect 0 '^ +1 .* 1\.000 .* 0 +0\.00$' "$skelrt" replay "$calls"  --ranks 1
expect 0 '^ +1024 .*' "$skelrt" replay "$calls" --ranks 1,2,1024 --network "$network" --speed 10 --device cpu
expect 1 'it is on a part of a container' "$skelrt" replay "$calls" --ranks 4 --network "$network" --weak
expect 1 'has no time of it on cuda' "$skelrt" replay "$calls" --device cuda --ranks 1
expect 1 'there is no such file; SKELRT_CALLS=FILE records one' "$skelrt" replay "$folder/nothing"
expect 1 'nobody has measured the network' "$skelrt" replay "$calls" --ranks 2
expect 1 'there is no such file' "$skelrt" replay "$calls" --network "$folder/nothing"
expect 105 'ranks' "$skelrt" replay "$calls" --ranks 0
echo '{"skelrt_calls": 1}' >"$folder/bad"
expect 1 'no recording of calls: line' "$skelrt" replay "$folder/bad"
expect 0 'SKELRT_CALLS: .*nowhere' env SKELRT_CALLS=/proc/nowhere/calls "$program" 10
expect 134 'SKELRT_CALLS records a program that runs as one process' env SKELRT_CALLS="$calls" SKELRT_CLUSTER=mpi "$program" 10

[ "$failures" -eq 0 ]
