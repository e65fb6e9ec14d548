#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# doctor.sh SKELRT ICD MPI: `skelrt doctor` where all is well, and where it is not. ICD, a driver that fails, and MPI,
# libskelrt-mpi: - where skelrt is built without.
set -euo pipefail
skelrt=$1 icd=$2 mpi=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# finds EXIT_CODE [VARIABLE=VALUE...] [-OPTION...] : PATTERN...: one run in that environment, whose lines have all of
# these extended regular expressions.
finds() {
    local wanted=$1 status=0 said pattern environment=() options=()
    shift
    for (( ; ; )); do
        case $1 in
            :) break ;;
            *=*) environment+=("$1") ;;
            *) options+=("$1") ;;
        esac
        shift
    done
    shift
    said=$(env "${environment[@]}" "$skelrt" doctor "${options[@]}" 2>&1 3>&-) || status=$?
    if [ "$status" -ne "$wanted" ]; then
        printf '%s: exit code %s instead of %s\n%s\n' "${environment[*]}" "$status" "$wanted" "$said"
        failures=$((failures + 1))
    fi
    for pattern in "$@"; do
        grep -qE -- "$pattern" <<<"$said" && continue
        printf '%s: nothing like "%s" in:\n%s\n' "${environment[*]}" "$pattern" "$said"
        failures=$((failures + 1))
    done
}

unset SKELRT_MODELS SKELRT_LOG SKELRT_TILES SKELRT_CHECK STARPU_NCPU STARPU_HOME
export XDG_CACHE_HOME=$folder/home SKELRT_DEVICES=cpu STARPU_HOSTNAME=testnode
cpu_is_right='^ok +cpu +.*: a map and a reduction are right; the first call took '

# ---- where all is well

finds 0 : '^ok +environment +.*SKELRT_DEVICES=cpu' "$cpu_is_right" '^ok +kernels +.*/home/skelrt/kernels: ' \
    '^ok +runtime +starts with cpu \([0-9]+ cores?\), policy skelrt$' '^[0-9]+ ok, [0-9]+ warnings?, 0 wrong$' \
    '^warning +calibration +this machine was never measured.*; way out: skelrt calibrate'
"$skelrt" calibrate >/dev/null
finds 0 : '^ok +calibration +.*/testnode.machine.json knows this machine'
"$skelrt" doctor --json | python3 -c '
import json, sys
said = json.load(sys.stdin)
found = said["findings"]
assert said["wrong"] == 0 and said["ok"] + said["warnings"] == len(found), said
assert all((f["verdict"] == "ok") == (f["way_out"] == "") for f in found), found
about = {f["about"] for f in found}
assert {"environment", "kernels", "models", "runtime", "cores", "cuda", "opencl", "cpu", "mpi"} <= about, about
' || failures=$((failures + 1))

# ---- caches and files

touch "$folder/file"
finds 1 SKELRT_CACHE="$folder/file/kernels" : \
    '^wrong +kernels +.*/file: Not a directory; each run builds its kernels anew; way out: set SKELRT_CACHE'
mkdir -m 777 "$folder/open"
finds 1 SKELRT_CACHE="$folder/open" : '^wrong +kernels +others may write to .*/open \(chmod go-w'
finds 1 HOME= XDG_CACHE_HOME= STARPU_HOME= : '^wrong +kernels +there is no folder' \
    '^wrong +models +there is no folder' '^wrong +starpu +there is no folder' "$cpu_is_right"
finds 1 XDG_CACHE_HOME="$folder/file" : '^wrong +starpu +.*/file: Not a directory' "$cpu_is_right"
finds 0 SKELRT_MODELS=none SKELRT_CACHE=none : '^warning +models +SKELRT_MODELS=none.*; way out: unset SKELRT_MODELS' \
    '^warning +kernels +SKELRT_CACHE=none, so each run builds its kernels anew; way out: unset SKELRT_CACHE'
echo '{"skelrt_mod' >"$folder/home/skelrt/models/testnode.json"
finds 0 : '^warning +models +.*/testnode.json: .*; way out: '

# ---- the environment

finds 1 SKELRT_TILE=3 STARPU_NCPUU=3 : \
    '^wrong +environment +SKELRT_TILE is not a variable.*; way out: did you mean SKELRT_TILES\?' \
    '^wrong +environment +StarPU 1.4 does not read STARPU_NCPUU; way out: did you mean STARPU_NCPU\?'
finds 1 SKELRT_TILES=none STARPU_NCUDA=x SKELRT_CHECK=nothing SKELRT_PLAN=/nowhere/plan.json : \
    '^wrong +environment +SKELRT_TILES=none makes no sense; way out: allowed is a whole number' \
    '^wrong +environment +STARPU_NCUDA=x makes no sense' '^wrong +environment +SKELRT_CHECK=nothing makes no sense' \
    '^wrong +environment +SKELRT_PLAN=/nowhere/plan.json: ' "$cpu_is_right" # as if they were not set
finds 1 STARPU_SCHED=nobody : '^wrong +environment +STARPU_SCHED=nobody: there is no such policy' \
    '^wrong +runtime +STARPU_SCHED=nobody was asked for, and [a-z]+ runs' "$cpu_is_right"
finds 0 STARPU_SCHED=heft-tm : '^ok +runtime +.*policy heft-tm$' "$cpu_is_right"

# ---- cores

finds 1 STARPU_NCPU="$(($(nproc) * 2 + 1))" : \
    '^wrong +cores +StarPU takes [0-9]+ workers, and [0-9]+ cores? may be used'
finds 0 OMP_PROC_BIND=true OMP_NUM_THREADS=1 : '^warning +cores +OMP_PROC_BIND=true'

# ---- devices

finds 1 STARPU_NCPU=0 : '^wrong +environment +STARPU_NCPU=0 with SKELRT_DEVICES=cpu' '^wrong +runtime +sk::runtime: '
finds 1 SKELRT_DEVICES=opencl OCL_ICD_VENDORS=/nowhere : '^wrong +runtime +.*none of the devices in SKELRT_DEVICES is '
if [ "$icd" != - ]; then
    mkdir "$folder/vendors"
    echo "$icd" >"$folder/vendors/bad.icd"
    finds 1 OCL_ICD_VENDORS="$folder/vendors" : '^wrong +opencl +.*it crashed \(signal 6: ' "$cpu_is_right"
    finds 1 OCL_ICD_VENDORS="$folder/vendors" SKELRT_DEVICES=cpu,opencl : \
        '^wrong +runtime +sk::runtime does not start: it crashed \(signal 6: ' "$cpu_is_right" \
        '^wrong +runtime +with SKELRT_DEVICES=opencl and no other driver: it crashed' \
        '^ok +runtime +with SKELRT_DEVICES=cpu and no other driver it starts'
    finds 1 OCL_ICD_VENDORS="$folder/vendors" BAD_ICD=hang --limit 4 : '^wrong +opencl +.*no answer within 4 s' \
        '^wrong +runtime +sk::runtime does not start: no answer within 4 s'
    if "$skelrt" info | grep -q 'a CPU: used if'; then
        finds 0 SKELRT_DEVICES=cpu,opencl SKELRT_OPENCL_ON_CPU=1 : "$cpu_is_right" \
            '^ok +opencl 0 +.*: a map and a reduction are right.* link to it ' '^ok +opencl +.*: a CPU, used'
    fi
fi

# ---- ranks

finds 1 SKELRT_CLUSTER_LIBRARY=/nowhere/lib.so : '^wrong +mpi +/nowhere/lib.so cannot be loaded: '
if [ "$mpi" != - ]; then
    finds 0 SKELRT_CLUSTER_LIBRARY="$mpi" : "^(ok|warning) +mpi +$mpi (and|is there)"
    [ "$(OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 "$skelrt" doctor)" = '' ] || failures=$((failures + 1))
fi
finds 105 --limit none : 'limit'
finds 1 --answer cuda : 'nobody listens'

[ "$failures" -eq 0 ]
