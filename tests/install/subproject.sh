#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# skelrt inside another meson project, without CUDA, OpenCL and MPI. By more files at once than is usual: what does not
# clash then does not clash with any devices. Nobody debugs it, and debug information takes a quarter of the time.
# shellcheck source=tests/install/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir subprojects
for part in include src codelets schedulers packaging meson.build meson_options.txt; do
    mkdir -p subprojects/skelrt
    cp -r "$source_root/$part" subprojects/skelrt/
done
echo "project('user', 'cpp', default_options: ['cpp_std=c++20'])" >meson.build
block meson >>meson.build
meson setup build -Doptimization=0 -Ddebug=false -Dskelrt:optimization=0 -Dskelrt:debug=false --force-fallback-for=skelrt -Dskelrt:cuda=disabled -Dskelrt:opencl=disabled -Dskelrt:mpi=disabled -Dskelrt:files_at_once=24
cd build
ninja app
library=$(find subprojects/skelrt -type f -name 'libskelrt.so.*.*.*')
[ -n "$library" ] || fail "it built no library"
! readelf -d "$library" | grep -E 'NEEDED.*(cuda|nvrtc|OpenCL|mpi)' || fail "it needs what it was built without"
run_app ./app
