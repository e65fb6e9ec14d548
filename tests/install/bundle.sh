#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bundle.sh BUNDLE: which libraries are copied beside the installed one, and what their copies look for.
set -euo pipefail
bundle=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

expect() { # WANTED GOT WHAT
    [ "$1" = "$2" ] || { echo "FAILED: $3: '$2', not '$1'"; exit 1; }
}

library() { # FOLDER SONAME TEXT OPTION...
    mkdir -p "$1"
    echo "$3" | "${CXX:-g++}" -g -shared -fPIC -x c++ - -x none -o "$1/$2" "-Wl,-soname,$2" -Wl,--no-as-needed "${@:4}"
}
run_path() { readelf -d "$1" | sed -nE 's/.*R(UN)?PATH.*\[(.*)\]/\2/p'; }

library cuda libcudart.so.99 'int runtime() { return 1; }'
library other libother.so.1 'int other() { return 1; }'
library starpu libstarpu-1.4.so.9 'int runtime(), other(); int starpu() { return runtime() + other() + 1; }' \
    cuda/libcudart.so.99 other/libother.so.1 "-Wl,-rpath,$work/cuda:$work/other:/usr/lib:$work/nowhere"
library mpi libstarpumpi-1.4.so.3 'int starpu(); int mpi() { return starpu() + 1; }' starpu/libstarpu-1.4.so.9 "-Wl,-rpath,$work/starpu"

# CUDA's runtime library is found by the run path; what the package manager of a folder brings stays there.
expect "$(printf '%s\t%s\n' libstarpu-1.4.so.9 "$work/starpu/libstarpu-1.4.so.9" libstarpumpi-1.4.so.3 "$work/mpi/libstarpumpi-1.4.so.3" \
    libcudart.so.99 "$work/cuda/libcudart.so.99")" \
    "$("$bundle" list "$work/starpu/libstarpu-1.4.so.9" "$work/mpi/libstarpumpi-1.4.so.3")" "the list"
expect "" "$("$bundle" list /usr/lib/x86_64-linux-gnu/libstarpu-1.4.so "$work/cuda/libcudart.so.99")" "the list where StarPU is the system's"

mkdir copies
for name in starpu/libstarpu-1.4.so.9 mpi/libstarpumpi-1.4.so.3 cuda/libcudart.so.99; do
    "$bundle" copy "$work/$name" "copies/${name##*/}"
done
# shellcheck disable=SC2016 # the loader's own word
expect '$ORIGIN:'"$work/other" "$(run_path copies/libstarpu-1.4.so.9)" "the run path, with a folder that is still needed"
# shellcheck disable=SC2016
expect '$ORIGIN' "$(run_path copies/libstarpumpi-1.4.so.3)" "the run path"
expect "" "$(run_path copies/libcudart.so.99)" "the run path where there was none"

rm -r cuda starpu mpi
echo 'int mpi(); int main() { return mpi() == 4 ? 0 : 1; }' | "${CXX:-g++}" -x c++ - -x none -o program copies/libstarpumpi-1.4.so.3 \
    "-Wl,-rpath,$work/copies" "-Wl,-rpath-link,$work/copies:$work/other"
mv copies/libcudart.so.99 copies/moved
! ./program 2>missing || expect "an error" "none" "a copy that found what was not beside it"
grep -q libcudart.so.99 missing || { cat missing; exit 1; }
mv copies/moved copies/libcudart.so.99
./program
