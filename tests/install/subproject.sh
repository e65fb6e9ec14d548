#!/usr/bin/env bash
# skelrt inside another meson project, and without CUDA, OpenCL and MPI.
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
ninja -C build
run_app build/app
