#!/usr/bin/env bash
# same_bits.sh MPIRUN.SH MPIRUN PROGRAM RANKS...: what the program prints is the same for each of these numbers of ranks.
set -euo pipefail
run=$1 mpirun=$2 program=$3
shift 3
wanted=$(SKELRT_CLUSTER=off "$program")
for ranks in "$@"; do
    got=$("$run" "$mpirun" "$ranks" "$program")
    if [ "$got" != "$wanted" ]; then
        echo "$ranks ranks:"
        diff <(echo "$wanted") <(echo "$got") || true
        exit 1
    fi
done
