# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What the applications' tests/run.sh share: each is called as run.sh PROGRAM CASE, runs the program, and looks at what
# it prints and how it ends. Exit code 77: the device is not here.
set -uo pipefail
# shellcheck disable=SC2034 # case: for the scripts that source this
program=$1 case=$2
name=$(basename "$program")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "run.sh: $*" >&2
    cat "$folder/out" "$folder/err" >&2
    exit 1
}

# expect CODE TEXT OPTION...: the exit code, and a text that must be in the output.
expect() {
    local code=$1 text=$2 got
    shift 2
    "$program" "$@" >"$folder/out" 2>"$folder/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "$name $*: exit code $got instead of $code"
    grep -qF -- "$text" "$folder/out" "$folder/err" || fail "$name $*: \"$text\" is not in its output"
    echo "$name $*: $code, $text"
}

# skip_without_opencl OPTION...: a small job; from here on PoCL counts as a device.
skip_without_opencl() {
    export SKELRT_OPENCL_ON_CPU=1 MALLOC_PERTURB_=0 # see meson.build
    "$program" "$@" --repeat 1 --device opencl >"$folder/out" 2>"$folder/err" && return
    grep -q 'no such device\|no stencils yet' "$folder/err" || fail "$name --device opencl does not run"
    echo "no OpenCL device here"
    exit 77
}

# What every application refuses.
check_common_errors() {
    expect 2 "--device gpu:" --device gpu
    expect 2 "--repeat" --repeat 0
    expect 2 "--nonsense" --nonsense
    expect 2 "there is no folder" --csv "$folder/nowhere/x.csv"
    STARPU_NCUDA=0 expect 2 "--device cuda: there is no such device" --device cuda
    expect 0 "Exit codes" --help
}

# run_case LAST OPTION...: the case that was asked for, by the script's check_good DEVICE, check_errors and check_LAST.
# The options are a small job, which shows whether there is OpenCL.
run_case() {
    local last=$1
    shift
    case $case in
        cpu | hybrid) check_good "$case" ;;
        opencl) skip_without_opencl "$@" && check_good opencl ;;
        errors) check_errors ;;
        "$last") "check_$last" ;;
        *) fail "no such case: $case" ;;
    esac
}

# check_png FILE
check_png() {
    [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] || fail "$1 is no PNG file"
}
