#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests under a sanitizer: those of two ranks, and of misuse, with every eighth conformance case; or those of tasks and
# farms, with random programs of both. Builds what they need in build-address or build-thread, with no devices but
# cores, and runs them. tests/README.md says more.
#
#   tools/sanitize.sh address|thread [ranks|tasks] [TEST...]   which tests, by their names; default: all of ranks
#   TEST_CASES=1/1                                             all conformance cases
set -euo pipefail
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

case ${1:-} in
    address) sanitizers=address,undefined ;;
    thread) sanitizers=thread ;;
    *) fail "$0: address or thread?" /dev/null "tools/sanitize.sh address" ;;
esac
build=$root/build-$1
logs=$build/logs
shift
subject=ranks
case ${1:-} in ranks | tasks) subject=$1 && shift ;; esac
mkdir -p "$logs"
export TEST_CASES=${TEST_CASES:-8/8}

targets_of_ranks() {
    echo libskelrt-mpi.so.0.2.0 tests/conformance/conformance tests/cluster/cluster_tests tests/cluster/misuse/misuse \
        tests/cluster/misuse/libwrong_{interface,version}.so \
        tests/cluster/{ranks,communicator,messages,soak,faults,farms,tasks} \
        tests/cluster/{partings,host_parts,stand_ins,products,files,traffic}
}

targets_of_tasks() {
    echo tests/tasks/{random_tasks,tasks_tests} tests/farm/{farm_tests,priorities,random_trees,run_episodes}
}

names_of_tasks() {
    meson test -C "$build" --list --suite tasks --suite farm 2>/dev/null | sed -n 's/^skelrt:[a-z]* \/ //p'
}

# Those of two ranks, and those that know no number.
names_of_ranks() {
    meson test -C "$build" --list --suite cluster 2>/dev/null | sed -n 's/^skelrt:cluster \/ //p' |
        grep -E ', 2$|^cluster, pure$|^misuse, |^many messages, |^conformance of 2 ranks'
}

configure_sanitized() {
    local path=$starpu_pkgconfig${PKG_CONFIG_PATH:+,$PKG_CONFIG_PATH} again=()
    [ ! -f "$build/build.ninja" ] || again=(--reconfigure)
    path=${path#,}
    meson setup "${again[@]}" "-Dpkg_config_path=${path//:/,}" -Db_sanitize=$sanitizers -Doptimization=1 \
        -Dcpp_args=-g1 -Dcuda=disabled -Dopencl=disabled -Dmpi=enabled -Dapps=false -Dtool=false -Dbenchmarks=false \
        "$build" "$root"
}

setup_packages
setup_starpu
step "configure $(basename "$build")" configure "rm -rf $build starts from nothing" configure_sanitized
# shellcheck disable=SC2046 # words
step "build (many minutes the first time)" build "mend what the log names" ninja -C "$build" -j "$(jobs_wanted)" \
    $(targets_of_$subject)
if [ "$#" -gt 0 ]; then tests=("$@"); else mapfile -t tests < <(names_of_$subject); fi
meson test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier 5 "${tests[@]}"
