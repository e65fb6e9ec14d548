#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ends.sh SECONDS CODE TEXT COMMAND...: the command ends within that time, with exit code 0 (CODE is 0) or another
# (CODE is 1), and its output has this text. No sanitizer says anything.
set -uo pipefail
seconds=$1 code=$2 text=$3
shift 3
output=$(timeout --kill-after=5 "$seconds" "$@" 2>&1)
got=$?
problem=
if [ "$SECONDS" -ge "$seconds" ]; then
    problem="it has not ended within $seconds s"
elif [ "$code" -eq 0 ] && [ "$got" -ne 0 ]; then
    problem="exit code $got"
elif [ "$code" -ne 0 ] && [ "$got" -eq 0 ]; then
    problem="exit code 0"
elif grep -qE 'Sanitizer: |runtime error: ' <<<"$output"; then
    problem="a sanitizer has found something"
elif ! grep -qF -- "$text" <<<"$output"; then
    problem="no such text: $text"
fi
[ -z "$problem" ] && exit 0
printf '%s\n--- %s; it said:\n%s\n' "$*" "$problem" "$output"
exit 1
