#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# On a bare Debian 12: installs what is missing, builds skelrt, and runs all tests.
# Arguments go to meson test, e.g. tools/test.sh --suite cuda
set -euo pipefail
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

setup_build
say "tests (log: build/meson-logs/testlog.txt)"
status=0
meson test -C "$build" --no-rebuild --print-errorlogs "$@" 2>&1 | tee "$logs/test.log" || status=$?

# meson's summary: "Ok: 12", "Expected Fail: 0", "Fail: 0", "Unexpected Pass: 0", "Skipped: 1", "Timeout: 0"
count() { awk -F ': *' -v what="$1" '$1 == what { n = $2 } END { print n + 0 }' "$logs/test.log"; }
passed=$(($(count 'Ok') + $(count 'Expected Fail')))
failed=$(($(count 'Fail') + $(count 'Unexpected Pass') + $(count 'Timeout')))
skipped=$(count 'Skipped')
[ "$skipped" -eq 0 ] || say "$skipped skipped: a device or tool that they need is not here (the log says which)"
if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$passed" -eq 0 ]; }; then
    say "meson test failed before it came to a test, or there was none to run" # never a pass
    failed=1
fi
# Once more at the end, where whoever sees only the last lines finds them.
if [ "$failed" -ne 0 ] && [ -f "$build/meson-logs/testlog.json" ]; then
    python3 - "$build/meson-logs/testlog.json" <<'END'
import json, sys
failed = [t for t in map(json.loads, open(sys.argv[1])) if t["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]
for test in failed[:10]:
    printed = (test.get("stdout", "") + test.get("stderr", "")).splitlines()
    print("==", test["name"], test["result"], *printed[-40:], sep="\n")
END
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
