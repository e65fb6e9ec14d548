#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# models.sh SKELRT PROGRAM [opencl]: models, calibration, plans and tuning, as a user types them; OpenCL
# on the CPU stands for a GPU.
set -euo pipefail
# shellcheck source=tests/tool/expect.sh
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
skelrt=$(realpath "$1") program=$(realpath "$2") gpu=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

export SKELRT_MODELS=$folder/models STARPU_HOSTNAME=testnode SKELRT_DEVICES=cpu${gpu:+,$gpu} SKELRT_OPENCL_ON_CPU=1 SKELRT_TILES=8
export SKELRT_INLINE_US=0 # models learn from tasks
models=$SKELRT_MODELS/testnode.json

expect 1 'no models yet' "$skelrt" models list
expect 0 '^total 2408000$' "$program"
expect 0 'testnode.json: [0-9]+ codelet' "$skelrt" models list
expect 0 '^reduce \(sk::plus, first at .*tuned.cpp:30\) ' "$skelrt" models list
expect 0 'runs? .*of .* elements' "$skelrt" models list
python3 -m json.tool "$models" >/dev/null || { echo "the models are not JSON"; failures=$((failures + 1)); }

expect 0 'codelet' "$skelrt" models plot --output "$folder/all.png"
expect 0 '1 of 1 codelet' "$skelrt" models plot 'sk::plus' -o "$folder/one.png"
head -c 8 "$folder/one.png" | grep -q PNG || { echo "models plot made no picture"; failures=$((failures + 1)); }
expect 1 'no codelet is called "nobody"' "$skelrt" models plot nobody

expect 0 'kept.json' "$skelrt" models export "$folder/kept.json"
expect 0 '1 codelet forgotten' "$skelrt" models forget 'sk::plus'
touch "$models.99999.0.new" # somebody was killed
expect 0 'forgotten, 0 left' "$skelrt" models forget
[ ! -e "$models.99999.0.new" ] || { echo "a half-written file stays"; failures=$((failures + 1)); }
expect 1 'no models yet' "$skelrt" models list
expect 0 'added to' "$skelrt" models import "$folder/kept.json"
expect 0 '^reduce \(sk::plus, first at .*tuned.cpp:30\) ' "$skelrt" models list
sed 's/"skelrt_models": 2/"skelrt_models": 9/' "$folder/kept.json" >"$folder/newer.json"
expect 1 'newer.json: it has version 9 .* reads version 2' "$skelrt" models import "$folder/newer.json"
expect 1 'no such file' "$skelrt" models import "$folder/nothing.json"
cp "$models" "$folder/own.json" && cp "$folder/newer.json" "$models"
expect 0 'models are not saved: .*testnode.json: it has version 9' "$program" # nor is it moved away
cmp "$models" "$folder/newer.json" || { echo "another version's models are gone"; failures=$((failures + 1)); }
mv "$folder/own.json" "$models"
echo '{"skelrt_mod' >"$models"
expect 0 'testnode.json is not used: .* kept as .*\.bad$' "$program"
echo '{"skelrt_mod' >"$models"
expect 0 'testnode.json is not used: .* kept as .*\.bad2$' "$program"
expect 0 '^reduce \(sk::plus, first at .*tuned.cpp:30\) ' "$skelrt" models list

expect 0 'memory +[0-9.e+]+ GB/s \(assumed\)' "$skelrt" machine
before=$(cat "$models")
expect 0 'memory +[0-9.e+]+ GB/s \(measured\)' "$skelrt" calibrate
[ "$(cat "$models")" = "$before" ] || { echo "calibrate left models of its own kernels"; failures=$((failures + 1)); }
expect 0 'a small call +[0-9.e+]+ us \(measured\)' "$skelrt" machine
expect 0 'memory +[0-9.e+]+ GB/s \(measured\)' "$skelrt" machine
[ -z "$gpu" ] || expect 0 'link to it +[0-9.e+]+ GB/s \(measured\)' "$skelrt" machine
expect 0 '"memory_bytes_per_us"' "$skelrt" machine --json
expect 1 'SKELRT_MODELS is none' env SKELRT_MODELS=none "$skelrt" calibrate

# What was measured goes along, beside the models.
expect 0 'kept.machine.json: what skelrt calibrate measured' "$skelrt" models export "$folder/kept.json"
cmp "$SKELRT_MODELS/testnode.machine.json" "$folder/kept.machine.json" || failures=$((failures + 1))
other=$folder/other
expect 0 'memory +[0-9.e+]+ GB/s \(assumed\)' env SKELRT_MODELS="$other" "$skelrt" machine
expect 0 'measured of machine testnode added to' env SKELRT_MODELS="$other" "$skelrt" models import "$folder/kept.json"
expect 0 'memory +[0-9.e+]+ GB/s \(measured\)' env SKELRT_MODELS="$other" "$skelrt" machine
sed -i '/"memory_bytes_per_us"/{n;s/[0-9]/9&/}' "$folder/kept.machine.json" # another one is many times as fast
expect 0 'measured of machine testnode added to' env SKELRT_MODELS="$other" "$skelrt" models import "$folder/kept.json"
cmp "$SKELRT_MODELS/testnode.machine.json" "$other/testnode.machine.json" || { echo "import replaced what was measured here"; failures=$((failures + 1)); }
echo '{"skelrt_mach' >"$folder/kept.machine.json"
expect 1 'kept.machine.json: it is no file about a machine' env SKELRT_MODELS="$folder/third" "$skelrt" models import "$folder/kept.json"
[ ! -e "$folder/third/testnode.json" ] || { echo "models were imported beside a bad file"; failures=$((failures + 1)); }

# Only what gains in the whole program is kept, of a program that is slower with a plan nothing.
cp "$folder/kept.json" plan.json # an old one does not stay
expect 0 '^plan.json: changes nothing' "$skelrt" tune --budget 8 -o plan.json "$program" loses
expect 0 '^loses 2408000$' env SKELRT_PLAN=plan.json "$program" loses
! grep -q shares plan.json || { echo "what loses is kept"; failures=$((failures + 1)); }
SKELRT_DEVICES=cpu SKELRT_PLAN=missing.json "$skelrt" tune --budget 60 -o plan.json "$program" gains 'two words' >said 2>steps
expect 0 'the whole program: automatic 0' cat said
expect 0 "^plan.json: use it with SKELRT_PLAN=plan.json $program gains 'two words'\$" cat said
expect 0 'in turns with automatic' cat steps
expect 0 '"device": "cpu"' cat plan.json
expect 0 '^total 2408000$' env SKELRT_PLAN="$folder/plan.json" "$program"
expect 0 'nothing was tried, .*--budget [0-9]+' "$skelrt" tune --budget 0.1 "$program"
expect 1 'cannot be written to .: name another' "$skelrt" tune -o . "$program"
expect 106 'APP' "$skelrt" tune
expect 1 'exit code 127; .* works is tuned. It said:' "$skelrt" tune "$folder/nothing"
expect 1 'called no skeleton' "$skelrt" tune true
echo '{"skelrt_plan": 1, "ranges": [{"shares": [{"device": "cuda 5"}]}]}' >"$folder/plan.json"
expect 134 'execution plan asks for cuda 5' env SKELRT_PLAN="$folder/plan.json" "$program"
expect 134 'nothing.json: there is no such file' env SKELRT_PLAN="$folder/nothing.json" "$program"

[ "$failures" -eq 0 ]
