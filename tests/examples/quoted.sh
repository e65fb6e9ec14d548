#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# quoted.sh GUIDE PROGRAM...: every piece of code of the guide stands in one of the programs that the tests compile and
# run: the lines of each ```cpp block in their order, and what ends with a semicolon between a table's backticks.
set -euo pipefail
guide=$1
shift

cat "$@" | awk '
function plain(line) { gsub(/^[ \t]+|[ \t]+$/, "", line); return line }
function quoted(text, where) {
    if (index(known, "\n" text)) { ++found; return }
    printf "%s: in no example:\n%s\n", where, text
    ++missing
}
BEGIN { known = "\n" }
FILENAME == "-" {
    if (plain($0) != "") known = known plain($0) "\n"
    next
}
/^```cpp/ { block = ""; start = FNR; next }
/^```/ { if (start) { quoted(block, FILENAME ":" start); start = 0 } next }
start { if (plain($0) != "") block = block plain($0) "\n"; next }
/^\|/ {
    n = split($0, part, "`")
    for (i = 2; i <= n; i += 2)
        if (part[i] ~ /;$/) quoted(part[i], FILENAME ":" FNR)
}
END {
    printf "%d pieces of code found, %d not\n", found, missing
    exit missing > 0 || found == 0
}' - "$guide"
