#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs farm and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--count 3 --size 61 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --count 1 --size 1 --repeat 1 --check --device "$1"
    SKELRT_SEQUENTIAL=1 expect 0 "all good" "${small[@]}" --device "$1"
}

check_errors() {
    expect 2 "--count 0:" --count 0
    expect 2 "--size 0:" --size 0
    check_common_errors
}

check_ways() {
    expect 0 "figure: farm_speedup" "${small[@]}" --device cpu --csv "$folder/table.csv"
    for way in calls farms; do
        grep -q "^cpu,.*,$way,3,61,2," "$folder/table.csv" || fail "table.csv lacks the measurement of $way"
    done
}

case $case in
    cpu | hybrid) check_good "$case" ;;
    opencl)
        skip_without_opencl --count 1 --size 20
        check_good opencl
        check_good hybrid
        ;;
    errors) check_errors ;;
    ways) check_ways ;;
    *) fail "no such case: $case" ;;
esac
