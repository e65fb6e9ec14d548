#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# never_loses.sh PROGRAM MACHINE BAR [SIZE...]: plays all graphs, each side halved SIZE times, on all devices, on the
# cores alone, on one GPU and on all GPUs. Prints where all devices take more than 1.05 of the best of these, and the
# figures; the worst may not be over BAR.
set -euo pipefail
# shellcheck source=tools/play.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../tools/play.sh"
program=$1 machine=$2 bar=$3
shift 3
sizes=("${@:-0}")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make_machine "$work" "$machine"
make_machine "$work" 1gpu

# play_on NAME MACHINE SIZE
play_on() {
    play "$program" "$work" "$2" skelrt --halved "$3" 2>"$work/log.txt" | sed -n "s/^\([^ ]*\) \([0-9.]*\)$/\1 $3 $1 \2/p" || {
        cat "$work/log.txt" >&2
        exit 1
    }
}

for size in "${sizes[@]}"; do
    play_on all "$machine" "$size"
    SKELRT_DEVICES=cpu play_on cores "$machine" "$size"
    SKELRT_DEVICES=cuda play_on gpus "$machine" "$size"
    SKELRT_DEVICES=cuda play_on gpu 1gpu "$size"
done >"$work/times.txt"

awk -v machine="$machine" -v bar="$bar" '
    $3 == "all" { all[$1 ", sides / " 2 ^ $2] = $4; next }
    { work = $1 ", sides / " 2 ^ $2
      if (!(work in best) || $4 < best[work]) { best[work] = $4; who[work] = $3 } }
    END {
        for (work in all) {
            ratio = all[work] / best[work]
            sum += log(ratio)
            if (ratio > worst) worst = ratio
            if (ratio > 1.05) printf "%s: %.2f of %s\n", work, ratio, who[work] | "sort"
            ++count
        }
        close("sort")
        if (!count) exit 1
        printf "figure: sim_%s_vs_best_alone_mean %.3f\n", machine, exp(sum / count)
        printf "figure: sim_%s_vs_best_alone_worst %.2f\n", machine, worst
        exit worst > bar
    }' "$work/times.txt"
