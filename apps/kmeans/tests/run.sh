#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs kmeans and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--points 20011 --repeat 1 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --points 1 --clusters 1 --iterations 2 --repeat 1 --check --device "$1"
    expect 0 "all good" "${small[@]}" --dimensions 3 --clusters 5 --device "$1"
    expect 0 "all good" "${small[@]}" --dimensions 8 --iterations 3 --device "$1"
}

check_errors() {
    expect 2 "--points 0:" --points 0
    expect 2 "--dimensions 9:" --dimensions 9
    expect 2 "--clusters 17: 1 to 16" --points 16 --clusters 17
    expect 2 "--iterations 0:" --iterations 0
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/clusters.png" --csv "$folder/table.csv"
    check_png "$folder/clusters.png"
    grep -q '^cpu,.*,20011,2,16,10,1,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case picture --points 100
