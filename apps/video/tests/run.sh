#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs video and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size "203,151" --frames 12 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    grep -q '^[1-9][0-9]* pixels .* on edges' "$folder/out" || fail "$name: no edges to be wrong about"
    expect 0 "all good" --size 1 --frames 1 --repeat 1 --check --device "$1"
    expect 0 "all good" --size 5,301 --frames 20 --window 1 --repeat 1 --check --device "$1"
}

check_errors() {
    mkdir "$folder/empty" "$folder/bad"
    echo "no picture" >"$folder/bad/1.png"
    expect 2 "--size 0:" --size 0
    expect 2 "--frames 0:" --frames 0
    expect 2 "there is no folder" --input "$folder/nowhere"
    expect 2 "no PNG file is in it" --input "$folder/empty"
    expect 2 "1.png: cannot be read as a PNG file" --input "$folder/bad"
    expect 2 "there is no folder" --output "$folder/nowhere"
    check_common_errors
}

check_folders() {
    mkdir "$folder/first" "$folder/second"
    expect 0 "pictures:" "${small[@]}" --device cpu --output "$folder/first" --csv "$folder/table.csv"
    check_png "$folder/first/edges-00011.png"
    grep -q '^cpu,.*,203,151,12,0,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
    expect 0 "12 frames of 203 x 151" --input "$folder/first" --output "$folder/second" --repeat 1 --check --device cpu
    check_png "$folder/second/edges-00000.png"
}

run_case folders --size 20 --frames 2
