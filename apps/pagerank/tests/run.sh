#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs pagerank and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--scale 11 --repeat 1 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --scale 0 --degree 1 --repeat 1 --check --device "$1"
    # The instructor and the president lead; these are the ranks that others publish.
    expect 0 "all good" --karate --iterations 100 --repeat 1 --check --device "$1"
    [ "$(grep -A3 'vertex *rank' "$folder/out" | tail -3 | awk '{ print $1, $2 }' | paste -sd,)" = \
        "34 0.101,1 0.097,33 0.0717" ] || fail "the club has other leaders"
}

check_errors() {
    printf '# a comment\n1 2\n2 0\n' >"$folder/zero.txt"
    printf '1 2 3\n' >"$folder/three.txt"
    printf '# nothing\n' >"$folder/empty.txt"
    expect 2 "--scale 29:" --scale 29
    expect 2 "--degree 0:" --degree 0
    expect 2 "--damping 2:" --damping 2
    expect 2 "zero.txt:3: a vertex is a whole number from 1" --input "$folder/zero.txt"
    expect 2 "three.txt:1: an edge is two numbers" --input "$folder/three.txt"
    expect 2 "empty.txt: no edge" --input "$folder/empty.txt"
    expect 2 "nowhere.txt: cannot be read" --input "$folder/nowhere.txt"
    check_common_errors
}

check_table() {
    printf '1 2\n3 2\n' >"$folder/three.txt" # 2 points nowhere
    expect 0 "all good" --input "$folder/three.txt" --repeat 1 --check --device cpu --csv "$folder/table.csv" --top 1
    grep -q '^cpu,.*,3,2,20,1,' "$folder/table.csv" || fail "table.csv lacks the measurement"
    grep -Eq '^ +2 +0\.' "$folder/out" || fail "the highest is not 2"
}

run_case table --scale 4
