#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# program.cpp, built with other options than the library's: its values are right, and the sanitizers say nothing.
# run.sh SOURCE_ROOT LIBRARY_DIR STARPU_LIBDIR COMPILER OPTIONS
set -euo pipefail
source_root=$1 library=$2 starpu=$3 compiler=$4
shift 4
unset LD_LIBRARY_PATH # meson's
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo 'int main() {}' >"$work/empty.cpp"
"$compiler" "$@" "$work/empty.cpp" -o "$work/empty" || exit 77 # a sanitizer that is not installed

"$compiler" -std=c++20 -O0 "$@" -I"$source_root/include" "$source_root/tests/built_otherwise/program.cpp" -o "$work/program" \
    -L"$library" -lskelrt -Wl,-rpath,"$library:$starpu"
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 TSAN_OPTIONS=suppressions=$source_root/tests/tsan.supp
"$work/program"
SKELRT_INLINE_US=0 SKELRT_TILES=7 "$work/program"
SKELRT_INLINE_US=0 SKELRT_TILES=1 "$work/program" # all cores work on one tile
