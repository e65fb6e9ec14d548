#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs matmul and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"

check_good() {
    expect 0 "all good" --size 203,151,97 --repeat 2 --check --device "$1"
    expect 0 "all good" --size 1 --repeat 1 --check --device "$1"
    expect 0 "all good" --size 5,300,1 --repeat 1 --check --device "$1"
    expect 0 "all good" --size 300,3,500 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--size 0:" --size 0
    expect 2 "--size 4,4:" --size 4,4
    check_common_errors
}

check_csv() {
    expect 0 "GFLOP/s" --size 64 --repeat 2 --device cpu --csv "$folder/table.csv"
    grep -q '^cpu,.*,64,64,64,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case csv --size 2
