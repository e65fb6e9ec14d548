#!/usr/bin/env bash
# mpirun.sh MPIRUN RANKS PROGRAM ARGUMENT...: a program as several ranks that share few cores.
set -euo pipefail
mpirun=$1 ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export STARPU_NCPU=1 STARPU_WORKERS_NOBIND=1 STARPU_MPI_NOBIND=1 STARPU_WORKERS_GETBIND=0
exec "$mpirun" --oversubscribe --bind-to none -n "$ranks" "$@"
