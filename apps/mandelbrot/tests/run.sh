#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs mandelbrot and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size "203,151" --iterations 200 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --size 1 --repeat 1 --check --device "$1"
    expect 0 "all good" --size 64,301 --x=-0.745 --y 0.11 --width 0.01 --iterations 1000 --repeat 1 --check --device "$1"
    [ "$1" != opencl ] || check_groups
}

# A row for each size, with the one that skelrt takes by itself above.
check_groups() {
    expect 0 "all good" "${small[@]}" --device opencl --groups 32,96,1024
    for row in "opencl  " "opencl 32 " "opencl 96 " "opencl 1024 "; do
        grep -q "^$row.*good" "$folder/out" || fail "no row $row"
    done
}

check_errors() {
    expect 2 "--size 0:" --size 0
    expect 2 "--size 4,4,4:" --size 4,4,4
    expect 2 "--width 0:" --width 0
    expect 2 "single precision" --width 1e-5
    expect 2 "--iterations 0:" --iterations 0
    expect 2 "--shrink 0:" --shrink 0
    expect 2 "--groups 48:" --groups 64,48
    expect 2 "--groups 2048:" --groups 2048
    expect 2 "--groups:" --groups 64 --device cpu
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/set.png" --csv "$folder/table.csv" --shrink 2
    check_png "$folder/set.png"
    grep -q '^cpu,.*,203,151,-0.75,0,3.5,200,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case picture --size 2
