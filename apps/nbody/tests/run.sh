#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs nbody and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--bodies 301 --steps 20 --repeat 1 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" --bodies 1 --steps 3 --repeat 1 --check --device "$1"
    expect 0 "all good" --bodies 1024 --steps 2 --dt 0.02 --softening 0.2 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--bodies 0:" --bodies 0
    expect 2 "--dt 0:" --dt 0
    expect 2 "--softening 0:" --softening 0
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/bodies.png" --csv "$folder/table.csv"
    check_png "$folder/bodies.png"
    grep -q '^cpu,.*,301,20,1,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case picture --bodies 20 --steps 1
