#!/usr/bin/env bash
# Plays task graphs on made-up machines with 1, 2, 4 and 8 GPUs, under skelrt's own policy and under StarPU's dmdas, and prints
# how much sooner ours ends. Builds StarPU with SimGrid, once, and skelrt on it, in build-sim. Needs no GPU; docs/simulation.md.
#
#   tools/simulate.sh [OPTION...]     options of tools/machine.py, for every machine: --links 0.25, --cores 64
#   SKELRT_GPUS="1 8"                 which numbers of GPUs
#   SKELRT_POLICIES="skelrt heft-tm"  two policies: the second one's time over the first one's
set -euo pipefail
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

build=$root/build-sim
logs=$build/logs
made=$build/machines
mkdir -p "$logs" "$made/sampling/codelets/45"
read -ra gpus <<<"${SKELRT_GPUS:-1 2 4 8}"
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

# play MACHINE POLICY: "graph microseconds", one a line. Nothing of the caller's environment may change a simulation.
play() {
    env -i PATH="$PATH" HOME="$made" STARPU_HOME="$made" STARPU_PERF_MODEL_DIR="$made/sampling" STARPU_HOSTNAME="$1" STARPU_SCHED="$2" \
        SKELRT_MODELS="$made/models" STARPU_PERF_MODEL_HOMOGENEOUS_CUDA=1 STARPU_SILENT=1 \
        STARPU_SIMGRID_CUDA_MALLOC_COST=0 `# pinned memory is kept: it costs at a program's start only` \
        SKELRT_STEPS=1 `# one step of a stencil a pass for both policies` \
        "$build/src/simulate/skelrt-simulate" --log=root.thres:error
}

setup_packages
setup_simgrid
step "configure build-sim" configure "rm -rf build-sim starts from nothing" configure_simulation
step "build skelrt-simulate" build "mend what the log names" ninja -C "$build" -j "$(jobs_wanted)"

figures=()
for g in "${gpus[@]}"; do
    name=gpus-$g
    python3 "$root/tools/machine.py" "$root/perfmodels/h100-16cores" "$made" "$name" --gpus "$g" "$@"
    for p in "${policies[@]}"; do
        play "$name" "$p" >"$logs/$name-$p.txt"
        play "$name" "$p" >"$logs/$name-$p-again.txt"
        cmp "$logs/$name-$p.txt" "$logs/$name-$p-again.txt" ||
            fail "two simulations of one program differ ($g GPUs, $p)" /dev/null "find what depends on the clock, on addresses or on this machine"
    done
    printf '\n%s; simulated microseconds\n%-16s %12s %12s %8s\n' "$(head -n 1 "$logs/$name-${policies[0]}.txt")" graph "${policies[@]}" ratio
    paste -d ' ' <(tail -n +2 "$logs/$name-${policies[0]}.txt") <(tail -n +2 "$logs/$name-${policies[1]}.txt") |
        awk '$1 != $3 { exit 1 } { printf "%-16s %12.1f %12.1f %8.2f\n", $1, $2, $4, $4 / $2; sum += log($4 / $2) }
             END { if (NR == 0) exit 1; printf "%-16s %12s %12s %8.2f\n", "geometric mean", "", "", exp(sum / NR) }' | tee "$logs/table.txt"
    figures+=("figure: sim_${g}gpu_vs_${policies[1]} $(awk 'END { print $NF }' "$logs/table.txt")")
done
printf '\n'
printf '%s\n' "${figures[@]}"
