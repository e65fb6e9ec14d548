#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# skelrt inside another meson project, and without CUDA, OpenCL and MPI. What these change is compiled anew; all else is
# taken from the build that is there, for it would be the same.
# shellcheck source=tests/install/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir subprojects
for part in include src codelets schedulers packaging meson.build meson_options.txt; do
    mkdir -p subprojects/skelrt
    cp -r "$source_root/$part" subprojects/skelrt/
done
echo "project('user', 'cpp', default_options: ['cpp_std=c++20'])" >meson.build
block meson >>meson.build
meson setup build -Doptimization=0 -Dskelrt:optimization=0 --force-fallback-for=skelrt -Dskelrt:cuda=disabled -Dskelrt:opencl=disabled -Dskelrt:mpi=disabled
cd build

# Sources that look at what there is, themselves or by a header.
depends_on_devices() {
    local headers
    headers=$(grep -rlE 'SKELRT_HAVE_' --include=*.hpp ./*)
    grep -rlE "SKELRT_HAVE_|\"(${headers//$'\n'/|})\"" --include=*.cpp ./* | sed 's,^\./,,; s,/,_,g'
}
changed=$(cd ../subprojects/skelrt && depends_on_devices)
folder=subprojects/skelrt/libskelrt_core.a.p
wanted=()
for object in $(ninja -t inputs subprojects/skelrt/libskelrt_core.a | grep '\.o$'); do
    name=${object##*/}
    if grep -qxF "${name%.o}" <<<"$changed" || [ ! -e "$build_root/libskelrt_core.a.p/$name" ]; then
        wanted+=("$object")
    else
        mkdir -p "$folder"
        cp "$build_root/libskelrt_core.a.p/$name" "$object"
    fi
done
[ "${#wanted[@]}" -gt 0 ] || fail "no source depends on CUDA or OpenCL"
ninja "${wanted[@]}"

made() { eval "$(ninja -t commands "$1" | tail -n 1)"; } # as ninja would, but for what is there
made subprojects/skelrt/libskelrt_core.a
library=$(ninja -t targets all | sed -n 's,^\(subprojects/skelrt/libskelrt\.so[^:]*\): cpp_LINKER.*,\1,p')
made "$library"
ninja app.p/app.cpp.o
made app
! readelf -d "$library" | grep -E 'NEEDED.*(cuda|nvrtc|OpenCL|mpi)' || fail "it needs what it was built without"
run_app ./app
