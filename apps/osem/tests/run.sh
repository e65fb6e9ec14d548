#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs osem and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size 20 --events 20000 --repeat 1 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --size 4 --events 1 --subsets 1 --repeat 1 --check --device "$1"
    expect 0 "all good" "${small[@]}" --subsets 3 --iterations 2 --device "$1"
}

check_errors() {
    expect 2 "--size 3:" --size 3
    expect 2 "--events 0:" --events 0
    expect 2 "--subsets 6: 1 to 5" --events 5 --subsets 6
    expect 2 "--iterations 0:" --iterations 0
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/slice.png" --csv "$folder/table.csv"
    check_png "$folder/slice.png"
    grep -q '^cpu,.*,20,20000,10,1,1,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case picture --events 100
