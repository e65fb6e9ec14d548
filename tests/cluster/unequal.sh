#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# unequal.sh PROGRAM ARGUMENT...: a rank of a program whose ranks cut their containers into other numbers of tiles each.
set -euo pipefail
tiles=(1 7 2 13 5 3 4 11)
export SKELRT_INLINE_US=0 SKELRT_TILES=${tiles[OMPI_COMM_WORLD_RANK % 8]}
exec "$@"
