#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# For scripts that run a command as a user types it: counts what it says wrong in `failures`.
failures=0

# expect EXIT_CODE PATTERN COMMAND...: exit code, and an extended regular expression in stdout and stderr together.
expect() {
    local wanted=$1 pattern=$2 status=0 said
    shift 2
    said=$("$@" 2>&1) || status=$?
    if [ "$status" -ne "$wanted" ]; then
        printf '%s: exit code %s instead of %s\n%s\n' "$*" "$status" "$wanted" "$said"
    elif ! grep -qE -- "$pattern" <<<"$said"; then
        printf '%s: nothing like "%s" in:\n%s\n' "$*" "$pattern" "$said"
    else
        return 0
    fi
    failures=$((failures + 1))
}
