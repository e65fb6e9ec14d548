#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs blackscholes and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"
small=(--contracts 100003 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "put-call parity holds to" --contracts 1 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--contracts 0:" --contracts 0
    check_common_errors
}

check_table() {
    expect 0 "volatility" "${small[@]}" --device cpu --show 3 --csv "$folder/table.csv"
    [ "$(grep -c '%.*%' "$folder/out")" -eq 3 ] || fail "not three contracts"
    grep -q '^cpu,.*,100003,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case table --contracts 100
