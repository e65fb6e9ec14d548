#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# same_bits.sh MPIRUN.SH MPIRUN PROGRAM ELEMENTS RANKS...: what the program prints is the same for each of these numbers
# of ranks.
set -euo pipefail
run=$1 mpirun=$2 program=$3 elements=$4
shift 4
wanted=$(SKELRT_CLUSTER=off "$program" "$elements")
for ranks in "$@"; do
    got=$("$run" "$mpirun" "$ranks" "$program" "$elements")
    if [ "$got" != "$wanted" ]; then
        echo "$ranks ranks:"
        diff <(echo "$wanted") <(echo "$got") || true
        exit 1
    fi
done
