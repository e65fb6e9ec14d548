#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM CASE: runs dot and looks at what it prints and how it ends.
# shellcheck disable=SC2034 # for what comes
shown="x . y = "
# shellcheck source=apps/shared/tests/one_number.sh
source "$(dirname "$0")/../../shared/tests/one_number.sh"
