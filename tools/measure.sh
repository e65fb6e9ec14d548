#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests and figures of a node with a GPU, from programs that are built already: each output in a file of its own, its
# command on the first line.
#
#   tools/measure.sh PROGRAMS OUT [STEP...]
#
#   PROGRAMS   a folder below which the programs are: build, or where they were copied to
#   OUT        a folder for the outputs, and for figures.csv: lines for docs/benchmarks/MACHINE.csv
#   STEP       tests memory opencl skeletons apps solvers hybrid programs first residency farms algorithms transpose
#              irregular kernels tuning policies backends peers; all of them in this order if none is named
#
#   COMMIT          the commit that is measured (default: that of this checkout)
#   STEP_SECONDS    no command may take longer (default 600; 3600 for tuning, policies and backends)
#   HYBRID_BUDGET   seconds for each way to run each point of the step hybrid (default 0.1)
#
# Exit status 1 if a test failed. A figure that misses its bar is said so in its file.
# shellcheck disable=SC2317 # steps are called by name
set -uo pipefail

programs=${1:?see the comment at the top} out=${2:?see the comment at the top}
shift 2
all=(tests memory opencl skeletons apps solvers hybrid programs first residency farms algorithms transpose irregular kernels tuning policies backends peers)
[ $# -gt 0 ] || set -- "${all[@]}"
gpus=$(nvidia-smi --list-gpus 2>/dev/null | wc -l)
limit=${STEP_SECONDS:-600}
commit=${COMMIT:-$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --short HEAD 2>/dev/null || echo unknown)}
failed=0
mkdir -p "$out"
[ -e "$out/figures.csv" ] || echo date,commit,figure,value,command,versions >"$out/figures.csv"

program() {
    local found
    # Some examples have applications' names.
    found=$(find -L "$programs" -name examples -prune -o -name "$1" -type f -perm -u+x -print -quit)
    [ -n "$found" ] || echo "measure.sh: $1 is not below $programs" >&2
    echo "$found"
}

# add_figures COMMAND <OUTPUT: the figures of what a command printed, as lines of figures.csv
add_figures() {
    awk -v date="$(date -u +%F)" -v commit="$commit" -v command="$1" '
        function quoted(text) { gsub(/"/, "\"\"", text); return "\"" text "\"" }
        /^versions: / { versions = $0; sub(/^versions: */, "", versions) }
        /^gpu: .*driver/ { gpu = $0; sub(/^gpu: .*driver /, ", driver ", gpu); sub(/ \(.*/, "", gpu) }
        /^figure: / && $3 ~ /^-?[0-9]/ { print date "," commit "," $2 "," $3 "," quoted(command) "," quoted(versions gpu) }
    ' >>"$out/figures.csv"
}

# record FILE [NAME=VALUE...] PROGRAM [ARGUMENT...]: the command, its output, and its status on a line
record() {
    local file=$out/$1.txt start=$SECONDS status from
    shift
    local -a variables=()
    while [[ $1 == *=* ]]; do
        variables+=("$1")
        shift
    done
    local name=$1 path
    path=$(program "$1")
    shift
    echo "\$ ${variables[*]} $name $*" >>"$file"
    from=$(wc -c <"$file")
    env "${variables[@]}" timeout "$limit" stdbuf -oL "$path" "$@" >>"$file" 2>&1
    status=$?
    tail -c "+$((from + 1))" "$file" | add_figures "${variables[*]}${variables:+ }$name $*"
    printf '### status %d, %d s: %s\n\n' "$status" $((SECONDS - start)) "$name" >>"$file"
    printf '%-10s status %d, %3d s: %s %s\n' "$(basename "$file" .txt)" "$status" $((SECONDS - start)) "${variables[*]}" "$name $*"
    [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || failed=1
}

bench() { record "$1" skelrt-bench "${@:2}"; }

# bench_each COMMAND: on a GPU if there is one, and on the cores
bench_each() {
    [ "$gpus" -eq 0 ] || bench "$1-cuda" "$1" --device cuda
    bench "$1-cpu" "$1" --device cpu
}

tasks=SKELRT_INLINE_US=0

step_tests() {
    local tiles
    for tiles in 1 7 64; do
        record tests "$tasks" SKELRT_TEST_DEVICE=cuda SKELRT_DEVICES=cpu,cuda STARPU_NCPU=4 "SKELRT_TILES=$tiles" conformance
    done
    record tests "$tasks" SKELRT_TEST_DEVICE=cuda SKELRT_DEVICES=cpu,cuda STARPU_NCPU=4 conformance
    record tests "$tasks" SKELRT_TEST_DEVICE=all SKELRT_DEVICES=cpu,cuda STARPU_NCPU=4 SKELRT_TILES=7 conformance
    for policy in dmda smpss heft-tmdp-pr static-device; do
        record tests "$tasks" SKELRT_TEST_DEVICE=all SKELRT_DEVICES=cpu,cuda STARPU_NCPU=4 SKELRT_TILES=7 "STARPU_SCHED=$policy" conformance
    done
    record tests test_cuda_run
    record tests random_programs 10000 0 --restart 500
}

step_memory() { record memory STARPU_LIMIT_CUDA_MEM=64 SKELRT_TEST_DEVICE=cuda SKELRT_DEVICES=cpu,cuda STARPU_NCPU=1 beyond_memory; }

# NVIDIA's OpenCL on the same GPU.
step_opencl() { record opencl "$tasks" STARPU_NCUDA=0 SKELRT_TEST_DEVICE=opencl SKELRT_DEVICES=cpu,opencl STARPU_NCPU=4 SKELRT_TILES=7 conformance; }

step_skeletons() {
    local command
    for command in stream scan stencil wavefront matmul compact sort; do
        bench skeletons-cuda "$command" --device cuda
        bench skeletons-cpu "$command" --device cpu
    done
    bench onepass onepass
    bench overhead overhead
    bench overhead trace
}

step_apps() {
    record apps blur --device cuda --rival
    record apps mandelbrot --device cuda --rival
    record apps coulomb --device cuda --rival --grid 256
    record apps farm --size 1000
}

step_solvers() {
    local command
    for command in ode cg sor; do
        bench solvers-cuda "$command" --device cuda
        bench solvers-cpu "$command" --device cpu
    done
}

step_hybrid() { bench hybrid hybrid --csv "$out/hybrid.csv" --plot "$out/hybrid.png" --budget "${HYBRID_BUDGET:-0.1}"; }

step_programs() {
    bench programs programs --picture "$out/programs.png" --explain 5
    bench applications programs --applications --size 2 --explain 5
}

step_first() { bench first first; }

step_residency() {
    bench residency residency
    bench residency outofcore
}

step_farms() {
    local command
    for command in farm mixes divide pipeline tasks cholesky summa; do bench farms "$command"; done
}

step_algorithms() { bench_each algorithms; }
step_transpose() { bench_each transpose; }
step_irregular() { bench_each irregular; }
step_kernels() { bench_each kernels; }

step_tuning() {
    local limit=${STEP_SECONDS:-3600}
    bench_each tuning
}

step_policies() {
    local limit=${STEP_SECONDS:-3600}
    bench policies policies
}

# Both ways to the same GPU.
step_backends() {
    local limit=${STEP_SECONDS:-3600}
    [ "$gpus" -eq 0 ] || bench backends backends
}

step_peers() { [ "$gpus" -lt 2 ] || bench peers peers; }

for step; do
    if ! declare -F "step_$step" >/dev/null; then
        echo "measure.sh: no step $step: ${all[*]}" >&2
        exit 2
    fi
    "step_$step"
done
grep -h '^figure:' "$out"/*.txt
exit "$failed"
