#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# mpirun.sh MPIRUN RANKS PROGRAM ARGUMENT...: a program as several ranks that share few cores.
set -euo pipefail
mpirun=$1 ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
# meson fills freed memory. mpirun itself reads such memory at its end, once in some hundred runs; the ranks must not.
ranks_only=()
if [ -n "${MALLOC_PERTURB_-}" ]; then
    ranks_only=(-x "MALLOC_PERTURB_=$MALLOC_PERTURB_")
    unset MALLOC_PERTURB_
fi
export STARPU_NCPU=1 STARPU_WORKERS_NOBIND=1 STARPU_MPI_NOBIND=1 STARPU_WORKERS_GETBIND=0
exec "$mpirun" --oversubscribe --bind-to none "${ranks_only[@]}" -n "$ranks" "$@"
