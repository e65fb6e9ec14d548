#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs cholesky and looks at what it prints and how it ends.
# shellcheck source=apps/shared/tests/expect.sh
source "$(dirname "$0")/../../shared/tests/expect.sh"

check_good() {
    expect 0 "all good" --size 203 --block 32 --repeat 2 --check --device "$1"
    expect 0 "all good" --size 1 --repeat 1 --check --device "$1"
    expect 0 "all good" --size 64 --block 64 --repeat 1 --check --device "$1"
    expect 0 "all good" --size 65 --block 7 --repeat 1 --check --device "$1"
}

check_errors() {
    expect 2 "--size 0:" --size 0
    expect 2 "--block 0:" --block 0
    expect 2 "--type half:" --type half
    check_common_errors
}

check_types() {
    for type in double float; do
        expect 0 "all good" --size 300 --block 64 --repeat 2 --check --device cpu --type "$type" --csv "$folder/table.csv"
        grep -q "^cpu,.*,300,64,$type,2," "$folder/table.csv" || fail "table.csv lacks the measurement"
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
    types) check_types ;;
    *) fail "no such case: $case" ;;
esac
