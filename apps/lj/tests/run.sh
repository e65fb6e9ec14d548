#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs lj and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--edge 5 --steps 20 --repeat 1 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    # A gas, in which most cells are empty.
    expect 0 "all good" --edge 2 --density 0.02 --steps 30 --repeat 1 --check --device "$1"
    expect 0 "all good" --edge 3 --cutoff 1.6 --steps 0 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--edge 0:" --edge 0
    expect 2 "--dt 0.02:" --dt 0.02
    expect 2 "--density 2:" --density 2
    expect 2 "a third of the box at most" --edge 3
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/atoms.png" --csv "$folder/table.csv"
    check_png "$folder/atoms.png"
    grep -q '^cpu,.*,500,20,1,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case picture --edge 5 --steps 1
