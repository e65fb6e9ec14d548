#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What a test cannot build in passing configures: the sanitizers, and programs to carry elsewhere.
# shellcheck source=tests/install/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

for options in -Db_sanitize=address,undefined -Db_sanitize=thread -Dcpu=x86-64-v3; do
    rm -rf build
    if ! meson setup "$options" build "$source_root" >log 2>&1; then
        cat log
        fail "meson setup $options"
    fi
    echo "ok: $options"
done
