#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# surroundings.sh STARTS SKELRT WHAT: what a process finds around it: homes, others' folders, bad files, variables.
# Each run must end in time, with the right value or an error of the library's in one sentence, and never by a signal.
starts=$(realpath "$1")
skelrt=$(realpath "$2")
what=$3
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
failed=0

wrong()
{
    echo "FAILED: $1"
    sed 's/^/    /' "$here/said"
    failed=1
}

# run CODE NAME...: with the environment of NAME=VALUE...
run()
{
    code=$1
    shift
    timeout 60 env "$@" "$starts" > "$here/said" 2>&1
    result=$?
    [ "$result" = "$code" ] || wrong "$* ended with $result instead of $code"
}

# says N TEXT: so many lines of the last run have it
says()
{
    n=$(grep -c "$2" "$here/said")
    [ "$n" = "$1" ] || wrong "'$2' was said $n times instead of $1"
}

unset STARPU_HOME XDG_CACHE_HOME STARPU_PERF_MODEL_DIR SKELRT_CACHE SKELRT_MODELS
export SKELRT_INLINE_US=0 TMPDIR="$here/tmp"
mkdir -p "$here/tmp" "$here/home" "$here/work"
cd "$here/work" || exit 1 # some values become names of files

nothing_left()
{
    [ -z "$(ls -A "$here/tmp")" ] || wrong "something was left in TMPDIR: $(ls -A "$here/tmp")"
}

case $what in
home)
    run 0 -u HOME
    says 1 "warning: neither HOME nor"
    says 1 "warning"
    nothing_left
    : > "$here/file"
    run 0 HOME="$here/file" # no folder can be made there, whoever asks
    says 1 "warning.*$here/file"
    says 1 "warning"
    run 0 HOME=/dev/null/nowhere
    says 1 "warning"
    run 0 HOME="$here/home" XDG_CACHE_HOME="$here/file"
    says 1 "warning"
    run 0 HOME="$here/home" STARPU_PERF_MODEL_DIR="$here/file/models"
    says 1 "warning"
    nothing_left
    run 0 HOME="$here/home" XDG_CACHE_HOME= STARPU_HOME=
    says 0 "warning"
    [ -d "$here/home/.starpu/sampling/bus" ] || wrong "the usual home was not used"
    ;;
disk)
    mkdir "$here/full"
    mount -t tmpfs -o size=64k none "$here/full" 2> /dev/null || exit 77
    head -c 100000 /dev/zero > "$here/full/rest" 2> /dev/null
    run 0 HOME="$here/full"
    says 1 "warning.*space"
    says 1 "warning"
    umount "$here/full"
    nothing_left
    ;;
damaged)
    run 0 HOME="$here/home"
    bus=$here/home/.starpu/sampling/bus
    for kind in config affinity latency bandwidth; do
        for damage in "" "garbage" "0	x	y" "-3" "4	1	2	3"; do
            for file in "$bus"/*."$kind"; do
                : > "$file"
                if [ "$kind" = affinity ]; then printf '# GPU\tNUMA0\t\n' > "$file"; fi
                printf '%s\n' "$damage" >> "$file"
            done
            run 0 HOME="$here/home"
            case "$kind,$damage" in
            affinity, | latency,-3 | bandwidth,-3 | latency,4* | bandwidth,4*) ;; # StarPU copes
            *) says 1 "warning.*damaged" ;;
            esac
        done
    done
    for file in "$bus"/*.config; do rm "$file" && mkdir "$file"; done
    run 0 HOME="$here/home"
    says 1 "warning.*damaged"
    ;;
others)
    mkdir -p "$here/home/.starpu/sampling/bus"
    chmod 777 "$here/home/.starpu"
    run 0 HOME="$here/home"
    says 1 "warning.*others may write"
    chmod 700 "$here/home/.starpu"
    run 0 HOME="$here/home"
    says 0 "warning"
    mkdir -p "$here/home/.cache/skelrt/models"
    chmod 777 "$here/home/.cache/skelrt/models"
    run 0 HOME="$here/home"
    says 1 "warning: models.*others may write"
    says 1 "warning"
    if chown 12345 "$here/home/.starpu" 2> /dev/null; then
        run 0 HOME="$here/home"
        says 1 "warning.*belongs to another user"
    fi
    ;;
one_core)
    command -v taskset > /dev/null || exit 77
    timeout 100 taskset -c 0 env HOME="$here/home" "$starts" > "$here/said" 2>&1 || wrong "on one core: ended with $?"
    says 1 right
    timeout 200 taskset -c 0 env HOME="$here/home" SKELRT_OPENCL_ON_CPU=1 SKELRT_INLINE_US=0 "$starts" > "$here/said" 2>&1 ||
        wrong "on one core, with OpenCL: ended with $?"
    says 1 right
    ;;
variables)
    export HOME="$here/home" SKELRT_LOG=off
    run 0 A=b
    for name in $("$skelrt" env | grep -oE '^ *(SKELRT|STARPU)_[A-Z_]+' | sort -u); do
        case $name in # not read by programs, or any text is right
        SKELRT_DEPS | SKELRT_STARPU_SOURCE | SKELRT_JOBS | SKELRT_TEST_DEVICE) continue ;;
        esac
        for value in "" x -1 99999999999999999999 1.5; do
            timeout 60 env "$name=$value" "$starts" > "$here/said" 2>&1
            result=$?
            [ $result = 0 ] || [ $result = 3 ] || wrong "$name=$value ended with $result"
            [ $result = 3 ] || continue
            grep -q "^error: .*$name" "$here/said" || wrong "$name=$value: the error does not name it"
        done
    done
    for bad in STARPU_NCPU=x STARPU_NCPU=-1 STARPU_NCUDA=1.5 STARPU_CALIBRATE=y STARPU_LIMIT_CUDA_0_MEM=a STARPU_SCHED_ALPHA=b \
        STARPU_WORKERS_CPUID=x STARPU_HOSTNAME=a/b STARPU_BACKOFF_MIN=-2; do
        run 3 "$bad"
        says 1 "error: environment: ${bad%%=*}"
    done
    ;;
esac
exit $failed
