#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs coulomb and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--grid "20,13,9" --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    # A system and grid of other sizes, through the same kernel: a single point, and more atoms than a tile of anything.
    expect 0 "all good" --grid 1 --repeat 1 --check --device "$1"
    expect 0 "all good" --grid 33,8,5 --replicate 2,1,2 --repeat 1 --check --device "$1"
}

check_errors() {
    printf 'title\n 2\n%s\n%s\n' '    1SOL     OW    1   0.230   0.628   0.113' \
        '    1SOL    HW1    2   0.1x7   0.626   0.150' >"$folder/bad.gro"
    printf 'ATOM 1 O WAT 1 0.0 0.0 0.0 -0.8\n' >"$folder/bad.pqr"
    printf 'ATOM 1 O WAT 1 0.0 0.0 0.0 -0.8 1.5\n' >"$folder/good.pqr"
    touch "$folder/bad.xyz"
    expect 2 "bad.gro:4: the x coordinate should be a number" --input "$folder/bad.gro"
    expect 2 "bad.pqr:1: an atom has 10 or 11 words" --input "$folder/bad.pqr"
    expect 2 "nowhere.gro: cannot be read" --input "$folder/nowhere.gro"
    expect 2 "a .gro or a .pqr file" --input "$folder/bad.xyz"
    expect 2 "no rectangular box" --input "$folder/good.pqr" --replicate 2
    expect 2 "--grid 0:" --grid 0
    expect 2 "--grid 4,4:" --grid 4,4
    expect 2 "--grid -3:" --grid=-3
    expect 2 "--grid, points 68719476736:" --grid 4096
    expect 2 "--slice -1:" --slice=-1
    expect 2 "--slice 8:" --grid 8 --slice 8
    expect 2 "there is no folder" --picture "$folder/nowhere/x.png"
    check_common_errors
    expect 0 "all good" --input "$folder/good.pqr" "${small[@]}" --device cpu
}

check_picture() {
    expect 0 "picture:" "${small[@]}" --device cpu --picture "$folder/slice.png" --csv "$folder/table.csv" --slice 3
    check_png "$folder/slice.png"
    [ "$(wc -l <"$folder/table.csv")" -eq 2 ] || fail "table.csv has not two lines"
    grep -q '^cpu,.*,20,13,9,648,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

case $case in
    cpu | hybrid) check_good "$case" ;;
    opencl) skip_without_opencl --grid 2 && check_good opencl ;;
    all) skip_without_opencl --grid 2 && expect 0 "figure: coulomb_hybrid_vs_gpu" "${small[@]}" ;;
    errors) check_errors ;;
    picture) check_picture ;;
    *) fail "no such case: $case" ;;
esac
