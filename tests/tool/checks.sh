#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# checks.sh SKELRT CHECKED: `skelrt check`, on any machine.
set -euo pipefail
# shellcheck source=tests/tool/expect.sh
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
skelrt=$1 checked=$2

unset SKELRT_DEVICES SKELRT_CHECK SKELRT_CHECK_CUDA SKELRT_LOG

expect 0 '^sum 2000$' "$skelrt" check "$checked"
expect 0 '^  map \(.*checked\.cpp:18\) +(yes|-) +(yes|translates|-)$' "$skelrt" check "$checked"
expect 0 '^  CUDA: (NVRTC [0-9.]+ for sm_80|no NVRTC here)$' "$skelrt" check "$checked"
expect 0 '^  OpenCL: ' "$skelrt" check "$checked"
expect 7 'sum 2000' "$skelrt" check "$checked" fails
expect 1 '^  map \(.*checked\.cpp:19\) +(no|-) +no$' "$skelrt" check "$checked" refused
expect 1 'OpenCL: .*checked\.cpp:19: .*only_here' "$skelrt" check "$checked" refused
expect 1 'sum 3000' "$skelrt" check "$checked" refused
expect 0 'sum 3000' "$skelrt" check "$checked" insists
# The program itself, without the command, and without any platform.
expect 0 'map .*checked\.cpp:19' env SKELRT_CHECK=devices OCL_ICD_VENDORS=/nowhere "$checked" refused
expect 0 'no platform here, so translated only|built without OpenCL' env SKELRT_CHECK=devices OCL_ICD_VENDORS=/nowhere "$checked"
expect 1 'ended without an sk::runtime' "$skelrt" check true
expect 127 'nobody-has-this' "$skelrt" check nobody-has-this
expect 106 'APP' "$skelrt" check
if [ "$("$skelrt" check "$checked" refused 2>&1 | awk '{ if (length > n) n = length } END { print n }')" -gt 100 ]; then
    echo "the table is wider than 100 columns"
    failures=$((failures + 1))
fi

[ "$failures" -eq 0 ]
