#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs lbm and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size "203,91" --steps 60 --repeat 1 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --size 3,1 --steps 5 --repeat 1 --check --device "$1"
    expect 0 "all good" --size 64,301 --steps 1 --speed 0.05 --reynolds 20 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--size 0:" --size 0
    expect 2 "--size, columns 2:" --size 2
    expect 2 "--speed 0.5:" --speed 0.5
    expect 2 "--reynolds 0:" --reynolds 0
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/curl.png" --csv "$folder/table.csv"
    check_png "$folder/curl.png"
    grep -q '^cpu,.*,203,91,60,1,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case picture --size 4 --steps 1
