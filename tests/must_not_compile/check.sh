#!/usr/bin/env bash
# check.sh COMPILER INCLUDE: every program of this folder is refused, with the sentence of its first line in the message.
# A program that compiles without its mistake is in valid.cpp; if that is refused, the refusals mean nothing.
set -euo pipefail
compiler=$1 include=$2
here=$(dirname "$0")
failures=0

compile() { "$compiler" -std=c++20 -fopenmp-simd -fsyntax-only -I"$include" "$1" 2>&1; }

compile "$here/valid.cpp" || { echo "valid.cpp is refused"; exit 1; }
for program in "$here"/*.cpp; do
    [ "$program" != "$here/valid.cpp" ] || continue
    sentence=$(sed -n '1s,^// must say: ,,p' "$program")
    [ -n "$sentence" ] || { echo "$program: its first line has no 'must say:'"; exit 1; }
    if message=$(compile "$program"); then
        echo "compiles, but must not: $program"
    else
        pattern=$(sed 's/[][().*^$+?{}\\]/\\&/g' <<<"$sentence")
        ! grep -qE "$pattern" <<<"$message" || continue
        printf 'refused, but without "%s": %s\n%s\n' "$sentence" "$program" "$message"
    fi
    failures=$((failures + 1))
done
[ "$failures" -eq 0 ]
