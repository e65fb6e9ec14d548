#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs canny and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size "203,151" --repeat 2 --check)

# expect_edges OPTION...: all good, and there are edges to be wrong about.
expect_edges() {
    expect 0 "all good" "$@"
    grep -q '[1-9][0-9]* on edges' "$folder/out" || fail "$name $*: no edges"
}

check_good() {
    expect_edges "${small[@]}" --device "$1"
    expect 0 "all good" --size 1 --repeat 1 --check --device "$1"
    # Much may be an edge, and little is: long ways to grow.
    expect_edges "${small[@]}" --sure 40 --maybe 0.5 --device "$1"
}

check_errors() {
    echo "no picture" >"$folder/bad.png"
    expect 2 "--size 0:" --size 0
    expect 2 "--maybe 31:" --maybe 31
    expect 2 "bad.png: cannot be read as a PNG file" --input "$folder/bad.png"
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/edges.png" --csv "$folder/table.csv"
    check_png "$folder/edges.png"
    grep -q '^cpu,.*,203,151,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
    expect 0 "all good" --input "$folder/edges.png" --repeat 1 --check --device cpu
}

run_case picture --size 20
