#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs heat and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--grid "203,151" --steps 37 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --grid 1 --steps 3 --repeat 1 --check --device "$1"
    expect 0 "all good" --grid 64,301 --steps 0 --repeat 1 --check --device "$1"
    expect 0 "all good" --dimensions 3 --grid 33,20,17 --steps 23 --repeat 1 --check --device "$1"
    expect 0 "all good" --dimensions 3 --grid 5,3,70 --steps 8 --alpha 0.1 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--grid 0:" --grid 0
    expect 2 "--grid 4,4,4:" --grid 4,4,4
    expect 2 "--grid 4,4:" --dimensions 3 --grid 4,4
    expect 2 "--dimensions 4:" --dimensions 4
    expect 2 "--alpha 0.3:" --alpha 0.3
    expect 2 "--slice 8:" --dimensions 3 --grid 8 --slice 8
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/plate.png" --csv "$folder/table.csv"
    check_png "$folder/plate.png"
    grep -q '^cpu,.*,203,151,1,37,0.2,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case picture --grid 2 --steps 1
