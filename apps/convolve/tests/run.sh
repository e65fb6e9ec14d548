#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs convolve and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"

check_good() {
    expect 0 "all good" --size 1,203 --width 1,3,9,27 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--size 0:" --size 4,0
    expect 2 "--width 4:" --width 4
    expect 2 "--width 65:" --width 65
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_table() {
    expect 0 "all good" --size 64,90 --width 3,5 --repeat 1 --check --device cpu --csv "$folder/table.csv"
    [ "$(wc -l <"$folder/table.csv")" -eq 5 ] || fail "table.csv has not five lines"
    grep -q '^cpu,.*,90,5,1,' "$folder/table.csv" || fail "table.csv lacks the measurement"
    expect 0 "all good" --size 64,90 --width 3,5 --repeat 1 --check --device cpu --picture "$folder/card.png"
    grep -q "^picture: " "$folder/out" || fail "no picture was written"
    check_png "$folder/card.png"
}

run_case table --size 4 --width 3
