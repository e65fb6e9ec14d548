#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs blur and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--size "203,151" --repeat 2 --check)

check_good() {
    for form in separable dense; do
        expect 0 "all good" "${small[@]}" --times 3 --form $form --device "$1"
        expect 0 "all good" --size 1 --times 2 --form $form --repeat 1 --check --device "$1" # smaller than the reach
        expect 0 "all good" --size 5,301 --times 2 --sigma 30 --form $form --repeat 1 --check --device "$1"
    done
}

check_errors() {
    echo "no picture" >"$folder/bad.png"
    expect 2 "bad.png: cannot be read as a PNG file" --input "$folder/bad.png"
    expect 2 "nowhere.png: cannot be read" --input "$folder/nowhere.png"
    expect 2 "--size 0:" --size 0
    expect 2 "--form other:" --form other
    expect 2 "--sigma 0:" --sigma 0
    expect 2 "--times 0:" --times 0
    expect 2 "--shrink 0:" --shrink 0
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/card.png" --csv "$folder/table.csv" --halves
    check_png "$folder/card.png"
    grep -q '^cpu,.*,203,151,separable,3,9,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
    expect 0 "203 x 151 pixels" --input "$folder/card.png" --times 1 --repeat 1 --check --device cpu
}

run_case picture --size 2
