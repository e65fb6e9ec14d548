#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs ode and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size 40 --end 0.5 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    # One cell: an ordinary equation.
    expect 0 "all good" --size 1 --end 20 --tolerance 1e-8 --repeat 1 --check --device "$1"
    expect 0 "all good" --size 7 --end 4 --tolerance 1e-3 --repeat 1 --check --device "$1"
    grep -Eq "[0-9]+ steps, and [1-9][0-9]* refused" "$folder/out" || fail "no step was refused"
    expect 0 "1 steps, and 0 refused" --size 9 --end 1e-6 --repeat 1 --check --device "$1"
    expect 0 "all good" --problem bruss2d-row "${small[@]}" --device "$1"
    expect 0 "all good" --problem bruss2d-row --size 1 --end 20 --repeat 1 --check --device "$1"
    # The inflow ends at t = 5.
    expect 0 "all good" --problem medakzo --size 20 --end 5.5 --repeat 1 --check --device "$1"
    expect 0 "all good" --problem medakzo --size 2 --end 3 --repeat 1 --check --device "$1"
    expect 0 "all good" --problem medakzo --size 1 --end 6 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--size 0:" --size 0
    expect 2 "--end 0:" --end 0
    expect 2 "--tolerance 1:" --tolerance 1
    expect 2 "--problem bruss: it is one of" --problem bruss
    expect 2 "--picture: it shows a square" --problem medakzo --picture "$folder/x.png"
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/u.png" --csv "$folder/table.csv"
    check_png "$folder/u.png"
    grep -q '^cpu,.*,bruss2d-mix,40,0.5,1e-05,' "$folder/table.csv" || fail "table.csv lacks the problem"
    expect 0 "200 places, to t = 0.1" --problem medakzo --end 0.1 --repeat 1 --device cpu --csv "$folder/table.csv"
    grep -q '^cpu,.*,medakzo,200,0.1,1e-05,' "$folder/table.csv" || fail "table.csv lacks the problem"
    expect 0 "picture:" --problem bruss2d-row "${small[@]}" --device cpu --picture "$folder/row.png"
    check_png "$folder/row.png"
}

run_case picture --size 4 --end 0.01
