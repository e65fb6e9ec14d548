#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# edges.sh SAME_BITS MPIRUN.SH MPIRUN PROGRAM NETWORK: on a slow network stencils compute their edges first, and give
# the same bits; where nobody has measured it they do not.
set -euo pipefail
same_bits=$1 run=$2 mpirun=$3 program=$4 network=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SKELRT_MODELS=$folder STARPU_HOSTNAME=edges SKELRT_INLINE_US=0
cp "$network" "$folder/edges.machine.json"
for steps in 1 3; do
    SKELRT_STEPS=$steps "$same_bits" "$run" "$mpirun" "$program" 600 2 3 4
done
first() { SKELRT_LOG=debug SKELRT_STEPS=1 "$run" "$mpirun" 3 "$program" 600 2>&1 >/dev/null | grep -c 'edges first' || true; }
[ "$(first)" -gt 0 ] || { echo "no edges went first on a slow network"; exit 1; }
rm "$folder/edges.machine.json"
[ "$(first)" -eq 0 ] || { echo "edges went first on a network that nobody has measured"; exit 1; }
