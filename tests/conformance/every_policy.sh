#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# every_policy.sh LIST CONFORMANCE [CG]: every policy that LIST prints runs some conformance cases, and an
# application. All are tried; those that stop, hang or compute something wrong are named. Exit code 77: the device is
# not here.
set -uo pipefail
list=$1 conformance=$2 cg=${3:-}
cases='temporaries may go*,two vectors that*,several threads with*,a grid replaced by its own stencil,scan in place,filter: in place\, and chained'
most=60 # seconds; each takes less than one, but others may be at work
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/log
export STARPU_HETEROPRIO_DATA_DIR=$folder # heteroprio's, by the program's name: others may run the same

# run POLICY PROGRAM OPTION...: false if it fails, which is noted.
run() {
    STARPU_SCHED=$1 timeout --kill-after=5 "$most" "${@:2}" >"$log" 2>&1
    local code=$?
    if [ "$code" -ne 0 ]; then
        echo "policy $1: $(basename "$2") ends with $code"
        tail -n 20 "$log"
    elif ! grep -q 'All tests passed\|all good' "$log"; then
        echo "policy $1: $(basename "$2") did not check anything"
    else
        return 0
    fi
    failed+=("$1")
    return 1
}

case $SKELRT_DEVICES in
    *opencl*)
        # Builds the kernels, too, which may take longer than a policy's run.
        SKELRT_TEST_DEVICE=opencl "$conformance" "$cases" >"$log" 2>&1
        [ $? -eq 77 ] && exit 77
        [ -n "$cg" ] && "$cg" --size 60 --steps 20 --repeat 1 --device opencl >"$log" 2>&1
        ;;
esac
policies=$("$list") || exit 1
failed=() tried=0
for policy in $policies; do
    run "$policy" "$conformance" "$cases" && [ -n "$cg" ] &&
        run "$policy" "$cg" --size 60 --steps 20 --repeat 1 --check --device hybrid
    # It goes on with what its last runs left in a file, which has room for a hundred codelets.
    [ "$policy" = heteroprio ] && run "$policy" "$conformance" '[async]' && run "$policy" "$conformance" '[async]'
    tried=$((tried + 1))
done
echo "$tried policies, of which fail: ${failed[*]:-none}"
[ "$tried" -gt 20 ] && [ ${#failed[@]} -eq 0 ]
