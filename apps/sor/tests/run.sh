#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs sor and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size 123 --sweeps 40 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" "${small[@]}" --problem 1 --device "$1"
    expect 0 "all good" --size 3 --sweeps 5 --repeat 1 --check --device "$1"
    # To the end: the difference to the exact solution becomes small, as the grid's own solution is exact.
    expect 0 "all good" --size 65 --until 1e-10 --check-every 20 --repeat 1 --check --device "$1"
    grep -Eq "exact solution [0-9.]+e-(0[89]|1[0-9])" "$folder/out" || fail "no small difference"
    expect 0 "after 30 sweeps" --size 129 --until 1e-12 --sweeps 30 --check-every 7 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--size 2:" --size 2
    expect 2 "--problem 3:" --problem 3
    expect 2 "--sweeps 0:" --sweeps 0
    expect 2 "--until 0:" --until 0
    expect 2 "--check-every 0:" --check-every 0
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/u.png" --csv "$folder/table.csv"
    check_png "$folder/u.png"
    grep -q '^cpu,.*,2,123,40,' "$folder/table.csv" || fail "table.csv lacks the problem"
}

run_case picture --size 4 --sweeps 1
