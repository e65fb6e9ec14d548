#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check.sh COMPILER INCLUDE: every program of this folder is refused; the message has the sentence of its second line.
# Where the third line is "// at most: N lines", the sentence stands in the first error, and g++ says fewer than N
# lines; clang++, which has three lines for each function on the way to a mistake, fewer than N + 10.
# A program with the line "// g++ only: WHY" is not given to clang++.
# A program that compiles without its mistake is in valid.cpp; if that is refused, the refusals mean nothing.
# The library's header is parsed once, for all that include it first.
set -euo pipefail
compiler=$1 include=$2
here=$(dirname "$0")
failures=0

parsed=$(mktemp -d)
trap 'rm -rf "$parsed"' EXIT
flags=(-std=c++20 -fopenmp-simd)
mkdir "$parsed/skelrt"
header=$parsed/skelrt/skelrt.hpp.gch # where g++ looks for it by itself
"$compiler" "${flags[@]}" -w -x c++-header "$include/skelrt/skelrt.hpp" -o "$header"

compile() # PROGRAM
{
    local parsed_before=()
    if [[ "$compiler" == *clang* ]] && ! grep -q '^#define' "$1"; then parsed_before=(-include-pch "$header"); fi
    "$compiler" "${flags[@]}" "${parsed_before[@]}" -fsyntax-only -I"$parsed" -I"$include" "$1" 2>&1
}

fail() # PROGRAM MISTAKE MESSAGE
{
    printf '%s: %s\n%s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
}

compile "$here/valid.cpp" || { echo "valid.cpp is refused"; exit 1; }
for program in "$here"/*.cpp; do
    [ "$program" != "$here/valid.cpp" ] || continue
    if [[ "$compiler" == *clang* ]] && grep -q '^// g++ only: ' "$program"; then continue; fi
    sentence=$(sed -n '2s,^// must say: ,,p' "$program")
    [ -n "$sentence" ] || { echo "$program: its second line has no 'must say:'"; exit 1; }
    if message=$(compile "$program"); then
        fail "$program" "compiles, but must not" ""
        continue
    fi
    lines=$(sed -n '3s,^// at most: \([0-9]*\) lines$,\1,p' "$program")
    [ -z "$lines" ] || [[ "$compiler" != *clang* ]] || lines=$((lines + 10))
    # g++ 14 quotes the source of each function on the way.
    message=$(awk '/:   required from/ { way = 1; print; next } !way || !/^ *[0-9]* *\|/ { way = 0; print }' <<<"$message")
    pattern=$(sed 's/[][().*^$+?{}\\]/\\&/g' <<<"$sentence")
    first=$(grep -m1 'error:' <<<"$message" || true)
    if ! grep -qE "$pattern" <<<"$message"; then
        fail "$program" "refused, but without \"$sentence\"" "$message"
    elif [ -n "$lines" ] && ! grep -qE "$pattern" <<<"$first"; then
        fail "$program" "the first error does not say \"$sentence\"" "$message"
    elif [ -n "$lines" ] && [ "$(wc -l <<<"$message")" -ge "$lines" ]; then
        fail "$program" "the compiler says $lines lines or more" "$message"
    fi
done
[ "$failures" -eq 0 ]
