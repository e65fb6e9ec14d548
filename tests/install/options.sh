#!/usr/bin/env bash
# The sanitizers, and a build without CUDA, OpenCL and MPI, configure.
# shellcheck source=tests/install/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

for options in -Db_sanitize=address,undefined -Db_sanitize=thread '-Dcuda=disabled -Dopencl=disabled -Dmpi=disabled -Dcpu=x86-64-v3'; do
    rm -rf build
    # shellcheck disable=SC2086 # several options
    if ! meson setup $options build "$source_root" >log 2>&1; then
        cat log
        fail "meson setup $options"
    fi
    echo "ok: $options"
done
