#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The experiments of earlier libraries, each by its name, with the figures that were published: docs/experiments.md.
#
#   tools/experiments.sh [--small] [--programs FOLDER] [NAME...]
#
#   --small              problems of seconds on two cores, whose results are checked
#   --programs FOLDER    below it the programs are (default: build)
#   NAME                 convolve canny blur coulomb sor ode sum dot mandelbrot osem jacobi summa quicksort
#                        (default: all of them)
#
# What needs a GPU, or several, is left out without. Exit status 1 if a program failed; the others are run all the same.
# shellcheck disable=SC2317 # experiments are called by name
set -euo pipefail

all=(convolve canny blur coulomb sor ode sum dot mandelbrot osem jacobi summa quicksort)
programs=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build
small=false
names=()
while [ $# -gt 0 ]; do
    case $1 in
    --small) small=true ;;
    --programs) programs=${2:?a folder comes after --programs} && shift ;;
    --help) sed -n '3,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=("${all[@]}")
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

program() {
    local found
    # Some examples have applications' names.
    found=$(find -L "$programs" -name examples -prune -o -name "$1" -type f -perm -u+x -print -quit)
    [ -n "$found" ] || { echo "experiments.sh: $1 is not below $programs" >&2 && exit 2; }
    echo "$found"
}

# run [NAME=VALUE...] PROGRAM [OPTION...]
run() {
    local -a variables=()
    while [[ $1 == *=* ]]; do
        variables+=("$1")
        shift
    done
    local path
    path=$(program "$1")
    printf '\n$ %s\n' "${variables[*]}${variables:+ }$*"
    env "${variables[@]}" "$path" "${@:2}" || { failed=1 && echo "experiments.sh: $1 failed"; }
}

# app LARGE SMALL [NAME=VALUE...] PROGRAM [OPTION...]: LARGE or, with --small, SMALL are more options.
app() {
    local -a options
    if $small; then read -ra options <<<"$2 --check"; else read -ra options <<<"$1"; fi
    run "${@:3}" "${options[@]}"
}

# has DEVICE: whether programs find it
has() { "$(program mandelbrot)" --size 1 --iterations 8 --repeat 1 --device "$1" >/dev/null 2>&1; }
fastest_device() { if has cuda; then echo cuda; elif has opencl; then echo opencl; else echo cpu; fi; }

# on_gpus LARGE SMALL PROGRAM [OPTION...]: an application on one, two and four GPUs, as far as they are here
on_gpus() {
    local n there
    has cuda || return 0
    there=$({ nvidia-smi --list-gpus 2>/dev/null || echo one; } | wc -l)
    for n in 1 2 4; do
        [ "$n" -gt "$there" ] || app "$1" "$2" "STARPU_NCUDA=$n" "${@:3}" --device cuda
    done
}

published() {
    printf 'published: %s\n' "$1"
    shift
    [ $# -eq 0 ] || printf '           %s\n' "$@"
}

# ---- SkePU, by itself and on StarPU ----------------------------------------------------------------------------------

run_convolve() {
    published "mean of all widths, GFLOP/s: naive, by shared memory, by adaptive tiles" \
        "C2050, 4096 x 4096, widths 3 to 27: 50, 76, 274" \
        "2048 x 2048, widths 3 to 25: GTX 280 12, 41, 95; 8800 GT 1, 25, 59"
    app "" "--size 256 --width 3,9,27" convolve
    ! has cuda || run skelrt-bench kernels --device cuda --only convolve
}

run_blur() {
    published "19 values; one filtering: C1060 slower than 8 cores, for its copies; nine: faster"
    app "" "--size 512" blur --times 1
    app "" "--size 512" blur --times 9
}

run_coulomb() {
    published "cores and M2050 faster than the GPU alone; the third run seven times as fast as the first"
    app "" "--grid 32" coulomb
}

# sor_seconds [NAME=VALUE...] DEVICE: the median
sor_seconds() {
    local -a problem=(--size 4097)
    ! $small || problem=(--size 257 --repeat 3 --check)
    env "${@:1:$#-1}" "$(program sor)" "${problem[@]}" --device "${!#}" --csv "$scratch/sor.csv" >"$scratch/sor.txt" || return 1
    awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "median_s") behind = NF - i } END { print $(NF - behind) }' "$scratch/sor.csv"
}

run_sor() {
    local static row seconds first
    local -a machine=()
    static=$(fastest_device)
    [ "$static" != cuda ] || machine=(STARPU_NCUDA=1)
    [ "$(nproc)" -le 4 ] || machine+=(STARPU_NCPU=4)
    published "M2050 and 4 cores; speed-ups over static CUDA of 1.38, 1.38, 2.08 and 2.13, here as times"
    first=$(sor_seconds "${machine[@]}" "$static") || { failed=1 && return 0; }
    printf '\n%-16s %10s %12s %10s\n' sor seconds "over static" published
    printf '%-16s %10.4f %12.2f %10s\n' "static, $static" "$first" 1 1.00
    for row in heft-tm:0.72 heft-tm-pr:0.72 heft-tmdp:0.48 heft-tmdp-pr:0.47 skelrt:; do
        if seconds=$(sor_seconds "${machine[@]}" "STARPU_SCHED=${row%:*}" hybrid); then
            printf '%-16s %10.4f %12.2f %10s\n' "${row%:*}" "$seconds" "$(awk "BEGIN { print $seconds / $first }")" "${row#*:}"
        else
            failed=1 && echo "experiments.sh: sor failed under ${row%:*}"
        fi
    done
}

run_ode() {
    local problem
    published "BRUSS2D-MIX, 250 to 1000 cells an edge, to t = 4: C1060 almost ten times as fast as a sequential program;" \
        "CUDA by hand with CUBLAS about 10 % faster than skeletons"
    for problem in bruss2d-mix bruss2d-row medakzo; do app "" "--size 40 --end 0.5" ode --problem "$problem"; done
    ! has cuda || run skelrt-bench ode --device cuda --sizes 250,500,750,1000
}

run_sum() {
    published "one core or more with the M2050 faster than the GPU alone, copies included"
    app "" "--elements 1000000" sum --from-host
    app "" "--elements 1000000" sum
}

# ---- SkelCL ----------------------------------------------------------------------------------------------------------

run_dot() {
    published "no time; 12 lines of code, set-up included"
    app "" "--elements 1000000" dot --from-host
    app "" "--elements 1000000" dot
}

run_mandelbrot() {
    local groups=32,64,96,128,160,192,256,384,512,1024 small_problem="--size 512 --iterations 200"
    published "T10, 4096 x 3072: CUDA 18 s, OpenCL 25 s, SkelCL 26 s; speed-up 1.5 on two, 2.2 on four" \
        "the slowest size of work-groups takes 1.44 of the time of the fastest, 160"
    app "" "$small_problem" mandelbrot
    on_gpus "" "$small_problem" mandelbrot
    if has cuda; then app "" "$small_problem" mandelbrot --device cuda --groups "$groups"; fi
    if STARPU_NCUDA=0 has opencl; then # a GPU is CUDA's or OpenCL's
        app "" "$small_problem" STARPU_NCUDA=0 mandelbrot --device opencl --groups "$groups"
    fi
}

run_osem() {
    published "T10, a subset of 10^6 events: CUDA 3.03 s, OpenCL and SkelCL 3.66 s: 0.33 and 0.27 Mevents/s" \
        "speed-up on four: 3.15, 3.24, 3.1"
    app "--events 4000000 --subsets 4" "--size 32 --events 100000 --subsets 4" osem
    on_gpus "--events 4000000 --subsets 4" "--size 32 --events 100000 --subsets 4" osem
}

run_canny() {
    published "no time"
    app "" "--size 512" canny
}

# ---- clusters and tasks ----------------------------------------------------------------------------------------------

run_jacobi() {
    published "4001 x 4001 points, 50 steps, SkePU on MPI, one core and 4 nodes by 4 threads:" \
        "problem 1 84.9 s and 11.6 s, problem 2 232.0 s and 20.8 s"
    app "" "--size 401" jacobi
}

run_summa() {
    local shape tile
    published "2048 x 2048 doubles in tiles of 64, 8 cores: SMPSs 10.7 s by squares, 35.0 s by rows; UPC 9.0 s by rows"
    for shape in squares rows; do
        for tile in 32 64 128 256; do app "" "--size 256" summa --device cpu --shape "$shape" --tile "$tile"; done
    done
}

# A farm's tasks that make tasks: nothing was published.
run_quicksort() {
    local input
    published "none"
    for input in random sorted equal; do app "" "--n 100000" quicksort --device cpu --input "$input"; done
}

for name in "${names[@]}"; do
    if ! declare -F "run_$name" >/dev/null; then
        echo "experiments.sh: no experiment $name: ${all[*]}" >&2
        exit 2
    fi
    printf '\n==== %s\n' "$name"
    "run_$name"
done
exit "$failed"
