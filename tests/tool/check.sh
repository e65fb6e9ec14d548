#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check.sh SKELRT VERSION: the command, as a user types it.
set -euo pipefail
# shellcheck source=tests/tool/expect.sh
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
skelrt=$1 version=$2

unset SKELRT_TILES SKELRT_LOG
export SKELRT_DEVICES=cpu

expect 0 "^skelrt ${version//./\\.}\$" "$skelrt" --version
expect 0 'info' "$skelrt" --help
expect 106 'subcommand' "$skelrt"
expect 106 "subcommand" "$skelrt" frobnicate

expect 0 "^skelrt ${version//./\\.}\$" "$skelrt" info
expect 0 '^  cpu +.*[0-9]+ cores?$' "$skelrt" info
expect 0 '^  version +1\.4\.' "$skelrt" info
expect 0 'buffers per task' "$skelrt" info
expect 0 '^  kernels +/' env SKELRT_CACHE=/nowhere/kernels "$skelrt" info
expect 0 'SKELRT_DEVICES=cpu' "$skelrt" info
expect 0 '^  OpenBLAS +our own kernels: /nowhere/libopenblas' env SKELRT_BLAS=/nowhere "$skelrt" info
expect 1 'SKELRT_BLAS=maybe makes no sense' env SKELRT_BLAS=maybe "$skelrt" info
expect 0 'did you mean SKELRT_TILES' env SKELRT_TILE=3 "$skelrt" info
expect 1 'SKELRT_TILES=none makes no sense' env SKELRT_TILES=none "$skelrt" info
expect 0 '"kind": "cpu"' "$skelrt" info --json
expect 0 '"SKELRT_DEVICES": "cpu"' "$skelrt" info --json
# What is set is what the user set, not what the runtime sets for StarPU.
variables=$(env -i HOME="$HOME" SKELRT_DEVICES=cpu "$skelrt" info | sed -n 's/^  set  *//p')
if [ "$variables" != SKELRT_DEVICES=cpu ]; then
    echo "with SKELRT_DEVICES alone, info says that these are set: $variables"
    failures=$((failures + 1))
fi
"$skelrt" info --json | python3 -m json.tool >/dev/null || { echo "info --json is not JSON"; failures=$((failures + 1)); }

expect 0 '^  SKELRT_TILES +tiles' "$skelrt" env
expect 0 '^  STARPU_SCHED ' "$skelrt" env
expect 0 "heft-tmdp-pr, static-device" "$skelrt" env
expect 0 "^  policy +skelrt$" "$skelrt" info
expect 0 "^  policy +heft-tm$" env STARPU_SCHED=heft-tm "$skelrt" info
expect 0 "policy nobody is known neither to skelrt \(skelrt, smpss" env STARPU_SCHED=nobody "$skelrt" info
expect 0 'now: cpu \(default: all there are\)' "$skelrt" env
expect 1 'SKELRT_DEVIECS is not a variable of skelrt; did you mean SKELRT_DEVICES\?' env SKELRT_DEVIECS=cpu "$skelrt" env

[ "$failures" -eq 0 ]
