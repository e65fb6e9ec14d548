#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# sizes.sh PROGRAM MACHINE [--renew]: plays all graphs in six sizes, each side half of the last one's, and compares with
# sizes/MACHINE.txt how many calls of each went to the cores, to one GPU, to several, and to cores and GPUs together.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tools/play.sh
source "$here/../../tools/play.sh"
program=$1 machine=$2
golden=$here/sizes/$machine.txt

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make_machine "$work" "$machine"

# A graph's name and time come after its decisions.
count_places() {
    awk -v size="$1" '
        / decision: / {
            sub(/.* -> /, "")
            ++calls[/cpu:/ ? 1 : 0, gsub(/cuda [0-9]+:/, "")]
            next
        }
        /^[^ ]+ [0-9.]+$/ {
            printf "%s, sides / %d:", $1, 2 ^ size
            for (gpus = 0; gpus <= 8; ++gpus)
                for (cores = 1; cores >= 0; --cores)
                    if (calls[cores, gpus])
                        printf " %d on %s%s%s;", calls[cores, gpus], cores ? "cores" : "", cores && gpus ? " and " : "",
                            (gpus > 1 ? gpus " GPUs" : gpus ? "a GPU" : "")
            print ""
            split("", calls)
        }'
}

for size in 0 1 2 3 4 5; do
    SKELRT_LOG=debug play "$program" "$work" "$machine" skelrt --halved "$size" >"$work/log.txt" 2>&1 || {
        cat "$work/log.txt"
        exit 1
    }
    count_places "$size" <"$work/log.txt"
done >"$work/sizes.txt"
[ -s "$work/sizes.txt" ]
if [ "${3:-}" = --renew ]; then
    mkdir -p "$here/sizes"
    cp "$work/sizes.txt" "$golden"
    exit
fi
diff "$golden" "$work/sizes.txt"
