#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# shown.sh PRINTERS PROGRAM LIBRARY: gdb finds the printers with the library, and shows each container by its elements.
set -euo pipefail
printers=$1 program=$2 library=$(realpath "$3")
command -v gdb >/dev/null || { echo "no gdb here"; exit 77; }
gdb -batch -ex 'python print("has Python")' 2>/dev/null | grep -q 'has Python' || { echo "this gdb has no Python"; exit 77; }

# As an installed system has it: a folder that gdb looks in, with the library's path below.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder$(dirname "$library")"
cp "$printers" "$folder$library-gdb.py"

export DEBUGINFOD_URLS=
shown=$(gdb -nx -batch -iex "set auto-load scripts-directory $folder" -iex "set auto-load safe-path $folder" \
    -ex 'set breakpoint pending on' -ex 'break stop_here' -ex run -ex up \
    -ex 'print x' -ex 'print m' -ex 'print t' -ex 'print s' -ex 'print none' -ex 'print odd' -ex 'print block' -ex 'print range' -ex 'print back' \
    -ex 'print h' -ex 'print rows' -ex continue -ex up -ex 'print by_tasks' -ex kill "$program" 2>&1 </dev/null) || true
if grep -q 'ptrace: Operation not permitted\|Could not trace' <<<"$shown"; then echo "gdb may not trace here"; exit 77; fi

failures=0
wanted() {
    grep -qF -- "$1" <<<"$shown" || { echo "gdb does not show: $1"; failures=1; }
}
wanted '= sk::vector<float> of 4 elements = {5, 2, 3, 4}'
wanted '= sk::matrix<int> of 2 x 3 elements = {{7, 7, 7}, {7, 7, 7}}'
wanted '= sk::tensor<double, 3> of 2 x 1 x 2 elements = {{{0.5, 0.5}}, {{0.5, 0.5}}}'
wanted '= 42'
wanted '= sk::vector<float>, empty'
wanted 'of 2 elements = {7, 7}'
wanted 'of 2 x 2 elements = {{7, 7}, {7, 7}}'
wanted 'of 2 elements = {2, 3}'
wanted 'of 4 elements = {4, 3, 2, 5}'
wanted '= sk::host_vector<float> of 4 elements = {5, 2, 3, 4}'
wanted '= sk::host_matrix<int const> of 2 x 3 elements = {{7, 7, 7}, {7, 7, 7}}'
wanted 'of 4 elements, as they were last on the host (open an sk::host_read to be sure) = {9, 2, 2, 2}'
[ "$failures" -eq 0 ] || printf '%s\n' "$shown"
exit "$failures"
