#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs jacobi and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size 203 --steps 37 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --size 3 --steps 5 --repeat 1 --check --device "$1" # a single point
    expect 0 "all good" --size 70 --steps 0 --repeat 1 --check --device "$1"
    # To the end: the difference to the exact solution becomes small.
    expect 0 "all good" --size 33 --until 1e-9 --check-every 50 --repeat 1 --check --device "$1"
    grep -Eq "exact solution [0-9.]+e-0[789]" "$folder/out" || fail "no small difference"
    # A limit to the steps ends the iteration, too.
    expect 0 "problem 2: 200 steps" --size 65 --until 1e-12 --steps 200 --problem 2 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--size 2:" --size 2
    expect 2 "--problem 3:" --problem 3
    expect 2 "--until 0:" --until 0
    expect 2 "--check-every 0:" --check-every 0
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/u.png" --csv "$folder/table.csv"
    check_png "$folder/u.png"
    grep -q '^cpu,.*,1,203,37,' "$folder/table.csv" || fail "table.csv lacks the first problem"
    grep -q '^cpu,.*,2,203,37,' "$folder/table.csv" || fail "table.csv lacks the second problem"
}

run_case picture --size 4 --steps 1
