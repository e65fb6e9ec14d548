#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs summa and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"

check_good() {
    for shape in squares rows; do
        expect 0 "all good" --size 203 --tile 32 --shape "$shape" --repeat 2 --check --device "$1"
        expect 0 "all good" --size 1 --shape "$shape" --repeat 1 --check --device "$1"
        expect 0 "all good" --size 64 --tile 64 --shape "$shape" --repeat 1 --check --device "$1"
        expect 0 "all good" --size 65 --tile 7 --shape "$shape" --repeat 1 --check --device "$1"
    done
    expect 0 "all good" --size 203 --tile 32 --panel 40 --repeat 2 --check --device "$1"
}

check_errors() {
    expect 2 "--size 0:" --size 0
    expect 2 "--tile 0:" --tile 0
    expect 2 "--panel 999999999:" --panel 999999999
    expect 2 "--shape discs:" --shape discs
    expect 2 "--type half:" --type half
    check_common_errors
}

check_shapes() {
    for shape in squares rows; do
        expect 0 "all good" --size 200 --shape "$shape" --type float --repeat 2 --check --device cpu --csv "$folder/table.csv"
        grep -q "^cpu,.*,200,64,0,$shape,float,2," "$folder/table.csv" || fail "table.csv lacks the measurement"
    done
}

case $case in
    cpu | hybrid) check_good "$case" ;;
    opencl)
        skip_without_opencl --size 2
        check_good opencl
        check_good hybrid
        ;;
    errors) check_errors ;;
    shapes) check_shapes ;;
    *) fail "no such case: $case" ;;
esac
