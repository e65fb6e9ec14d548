#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Plays task graphs on a made-up machine. Sourced by tools/simulate.sh and by tests/simulation.

root=${root:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}

# The machine's words are options of tools/machine.py; unequal GPUs, and links to the host of a quarter of the rate, are
# what placement finds hardest.
machine_options() {
    case $1 in
    [1-8]gpu) echo "--gpus ${1%gpu}" ;;
    2gpu_unequal) echo "--gpus 2 --speeds 1,0.5" ;;
    4gpu_unequal) echo "--gpus 4 --speeds 1,1,0.5,0.5" ;;
    [1-8]gpu_slow_links) echo "--gpus ${1%gpu_slow_links} --links 0.25" ;;
    *) echo "no machine is called $1: 1gpu ... 8gpu, 2gpu_unequal, 4gpu_unequal, 1gpu_slow_links ... 8gpu_slow_links" >&2 && return 1 ;;
    esac
}

# make_machine FOLDER MACHINE [OPTION...]
make_machine() {
    local made=$1 name=$2 options
    shift 2
    read -ra options <<<"$(machine_options "$name")"
    [ "${#options[@]}" -gt 0 ] || return 1
    # StarPU fetches a task's data in the order of addresses, which are others in the run that has to make its folder.
    mkdir -p "$made/sampling/codelets/45" "$made/.starpu/sampling"
    python3 "$root/tools/machine.py" "$root/perfmodels/h100-16cores" "$made" "$name" "${options[@]}" "$@"
}

# play PROGRAM FOLDER MACHINE POLICY [GRAPH...]: "graph microseconds", one a line. Nothing of the caller's environment
# may change a simulation.
play() {
    local program=$1 made=$2 machine=$3 policy=$4
    shift 4
    env -i PATH="$PATH" HOME="$made" STARPU_HOME="$made" STARPU_PERF_MODEL_DIR="$made/sampling" STARPU_HOSTNAME="$machine" \
        STARPU_SCHED="$policy" SKELRT_MODELS="$made/models" STARPU_PERF_MODEL_HOMOGENEOUS_CUDA=1 STARPU_SILENT=1 \
        ${SKELRT_LOG:+"SKELRT_LOG=$SKELRT_LOG"} ${SKELRT_DEVICES:+"SKELRT_DEVICES=$SKELRT_DEVICES"} \
        STARPU_SIMGRID_CUDA_MALLOC_COST=0 `# pinned memory is kept: it costs at a program's start only` \
        SKELRT_STEPS=1 `# one step of a stencil a pass for both policies` \
        "$program" "$@" --log=root.thres:error
}
