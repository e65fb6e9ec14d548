#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# app.sh MPIRUN.SH MPIRUN RANKS RUN.SH PROGRAM CASE: an application's own tests/run.sh, each run on several ranks.
set -euo pipefail
ranks=("$1" "$2" "$3") run=$4 program=$5 case=$6
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
started=$folder/$(basename "$program")
printf '#!/usr/bin/env bash\nexec %s "$@"\n' "$(printf '%q ' "${ranks[@]}" "$program")" >"$started"
chmod +x "$started"
"$run" "$started" "$case"
