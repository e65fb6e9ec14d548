#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Plays task graphs on made-up machines with 1, 2, 4 and 8 GPUs, with unequal ones and with slow links, under skelrt's
# own policy and under StarPU's dmdas, and prints how much sooner ours ends. Builds StarPU with SimGrid, once, and
# skelrt on it, in build-sim. Needs no GPU; docs/simulation.md.
#
#   tools/simulate.sh [OPTION...]     options of tools/machine.py, for every machine: --links 0.25, --cores 64
#   tools/simulate.sh --keys          writes the keys that codelets have now into perfmodels/h100-16cores; plays nothing
#   tools/simulate.sh --test          runs the tests: nobody loses, decisions are those that were wanted
#   SKELRT_MACHINES="1gpu 2gpu_unequal"  which machines: tools/play.sh
#   SKELRT_PLAY="apps/cg dot"       which graphs
#   SKELRT_POLICIES="skelrt heft-tm"  two policies: the second one's time over the first one's
set -euo pipefail
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
# shellcheck source=tools/play.sh
source "$root/tools/play.sh"

build=$root/build-sim
logs=$build/logs
made=$build/machines
program=$build/src/simulate/skelrt-simulate
mkdir -p "$logs"
read -ra machines <<<"${SKELRT_MACHINES:-1gpu 2gpu 4gpu 8gpu 2gpu_unequal 4gpu_unequal 1gpu_slow_links 4gpu_slow_links}"
read -ra graphs <<<"${SKELRT_PLAY:-}"
read -ra policies <<<"${SKELRT_POLICIES:-skelrt dmdas}"
[ "${#policies[@]}" -eq 2 ] || fail "policies" /dev/null "SKELRT_POLICIES names two: the one to judge, and its rival"

# ---- StarPU on SimGrid -----------------------------------------------------------------------------------------------

# The native build's limits; no CUDA: simulated GPUs need none. tools/machine.py knows maxnodes.
simgrid_options() {
    starpu_options "" | grep -v -e mpi -e fxt -e cuda$
    printf '%s\n' --enable-simgrid --enable-maxnodes=32 --disable-mpi --disable-opencl --without-fxt
}

build_simgrid_starpu() {
    local work=$1 prefix=$2 options
    mapfile -t options < <(simgrid_options)
    cd "$work"
    rm -rf "$prefix"
    ./configure --prefix="$prefix" --enable-silent-rules "${options[@]}"
    make -j"$(jobs_wanted)"
    make install
    touch "$prefix/.complete"
}

# Sets starpu_pkgconfig.
setup_simgrid() {
    local key work source prefix
    if ! there hdr:simgrid/actor.h; then
        step "packages: apt-get install libsimgrid-dev" packages-simgrid "as root: apt-get install libsimgrid-dev" install_packages libsimgrid-dev
    fi
    key=$({ simgrid_options && "${CC:-gcc}" -dumpfullversion && declare -f build_simgrid_starpu; } | sha256sum | cut -c 1-12)
    mkdir -p "$deps"
    exec 9>"$deps/lock"
    flock 9
    prefix=$deps/simulated-starpu-$key
    if [ ! -e "$prefix/.complete" ]; then
        work=$(mktemp -d "$deps/building.XXXXXX")
        # shellcheck disable=SC2064 # this folder, now
        trap "rm -rf '$work'" EXIT
        source=${SKELRT_STARPU_SOURCE:-$(cached_source || true)}
        if [ -z "$source" ]; then
            step "StarPU: source from Debian's sid" starpu-download "check the network and apt's mirror" download_starpu "$work/apt"
            source=$(cached_source)
        fi
        step "StarPU: unpack $(basename "$source")" starpu-unpack "name a release in SKELRT_STARPU_SOURCE" \
            unpack_starpu "$(realpath "$source")" "$work/src"
        step "StarPU with SimGrid: build (once for this machine, some minutes)" starpu-simgrid "mend what the log names" \
            build_simgrid_starpu "$work/src" "$prefix"
        rm -rf "$work"
        trap - EXIT
    fi
    exec 9>&-
    starpu_pkgconfig=$prefix/lib/pkgconfig
}

configure_simulation() {
    local again=()
    [ ! -f "$build/build.ninja" ] || again=(--reconfigure)
    meson setup "${again[@]}" -Dsimulation=true "-Dpkg_config_path=$starpu_pkgconfig" "$build" "$root"
}

# ---- playing ---------------------------------------------------------------------------------------------------------

# compare MACHINE: a table of both policies' times, loops first, and the figures.
compare() {
    local machine=$1 p pids=() pid
    for p in "${policies[@]}"; do
        play "$program" "$made" "$machine" "$p" "${graphs[@]}" >"$logs/$machine-$p.txt" 2>"$logs/$machine-$p.err" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || fail "skelrt-simulate ($machine)" <(cat "$logs/$machine"-*.err) "see these lines"
    done
    printf '\n%s: %s; simulated microseconds\n%-16s %12s %12s %8s\n' "$machine" "$(head -n 1 "$logs/$machine-${policies[0]}.txt")" graph "${policies[@]}" ratio
    paste -d ' ' <(tail -n +2 "$logs/$machine-${policies[0]}.txt") <(tail -n +2 "$logs/$machine-${policies[1]}.txt") |
        awk -v machine="$machine" -v rival="${policies[1]}" -v figures="$logs/figures.txt" '
            function mean(kind, name) {
                if (!count[kind]) return
                printf "%-16s %12s %12s %8.2f\n", "mean of " kind, "", "", exp(sum[kind] / count[kind])
                printf "figure: sim_%s_vs_%s %.2f\n", machine name, rival, exp(sum[kind] / count[kind]) >>figures
            }
            $1 != $3 { exit 1 }
            { printf "%-16s %12.1f %12.1f %8.2f\n", $1, $2, $4, $4 / $2
              kind = $1 ~ /^apps\// ? "apps" : "loops"; sum[kind] += log($4 / $2); ++count[kind] }
            END { if (NR == 0) exit 1; mean("loops", "_loops"); mean("apps", "") }'
}

setup_packages
setup_simgrid
step "configure build-sim" configure "rm -rf build-sim starts from nothing" configure_simulation
step "build skelrt-simulate" build "mend what the log names" ninja -C "$build" -j "$(jobs_wanted)" src/simulate/skelrt-simulate

if [ "${1:-}" = --test ]; then
    meson test -C "$build" --no-rebuild --print-errorlogs --suite simulation
    exit
fi

if [ "${1:-}" = --keys ]; then
    make_machine "$made" 1gpu
    rm "$made/models/1gpu.json" # each codelet tells its key
    play "$program" "$made" 1gpu skelrt 2>&1 | python3 "$root/tools/model_keys.py" "$root/perfmodels/h100-16cores/h100-16cores.json"
    exit
fi

: >"$logs/figures.txt"
for m in "${machines[@]}"; do
    make_machine "$made" "$m" "$@"
    compare "$m"
done
printf '\n'
cat "$logs/figures.txt"
