#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs quicksort and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--n 100000 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device cpu
    expect 0 "all good" "${small[@]}" --cutoff 1
    expect 0 "all good" --n 1 --repeat 1 --check
    expect 0 "all good" "${small[@]}" --cutoff 0
    expect 0 "all good" --n 3000000 --repeat 3 --check --cutoff 0
    STARPU_NCPU=1 expect 0 "all good" "${small[@]}"
}

check_inputs() {
    for input in random sorted equal; do
        expect 0 "all good" "${small[@]}" --input $input --csv "$folder/table.csv"
        grep -q "^cpu,.*,100000,$input,1024,2," "$folder/table.csv" || fail "table.csv lacks the measurement"
    done
}

check_errors() {
    expect 2 "--n 0:" --n 0
    expect 2 "--cutoff 9000000000:" --cutoff 9000000000
    expect 2 "--input odd:" --input odd
    expect 2 "for cores" --device hybrid
    check_common_errors
}

case $case in
    cpu) check_good ;;
    hybrid | opencl) expect 2 "--device $case:" --device "$case" ;;
    errors) check_errors ;;
    inputs) check_inputs ;;
    *) fail "no such case: $case" ;;
esac
