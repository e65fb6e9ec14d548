# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Of programs that compute one number of random ones, which they print behind $shown.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
small=(--elements 100003 --repeat 2 --check)

check_good() {
    expect 0 "all good" "${small[@]}" --device "$1"
    expect 0 "all good" "${small[@]}" --from-host --device "$1"
    expect 0 "all good" --elements 3000001 --repeat 1 --check --device "$1"
    expect 0 "all good" --elements 1 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--elements 0:" --elements 0
    expect 2 "--picture" --picture x.png
    check_common_errors
}

check_table() {
    # shellcheck disable=SC2154 # the script that sources this says it
    expect 0 "$shown" "${small[@]}" --device cpu --csv "$folder/table.csv"
    grep -q '^cpu,.*,100003,false,2,' "$folder/table.csv" || fail "table.csv lacks the measurement"
}

run_case table --elements 100
