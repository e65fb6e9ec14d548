#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The first program in a project that is built with CMake, from an installed folder that was moved.
# shellcheck source=tests/install/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
command -v cmake >/dev/null || exit 77

install_and_move

configure() { # COMPONENTS VERSION
    rm -rf build
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(user CXX)\n' >CMakeLists.txt
    block cmake | sed "s/^find_package(skelrt REQUIRED)\$/find_package(skelrt $2 REQUIRED $1)/" >>CMakeLists.txt
    grep -q "skelrt $2 REQUIRED $1" CMakeLists.txt || fail "the README does not say find_package(skelrt REQUIRED)"
    cmake -S . -B build -DCMAKE_PREFIX_PATH="$moved" >log 2>&1
}

configure "" "" || { cat log; fail "find_package(skelrt)"; }
cmake --build build
run_app build/app
configure "COMPONENTS schedulers" 0.2 || { cat log; fail "find_package with a component and a version"; }
echo "ok: component and version"
if configure "COMPONENTS sorcery" ""; then fail "a component that does not exist was found"; fi
grep -q "has no component sorcery" log || { cat log; fail "the message does not name the component"; }
if configure "" 0.1; then fail "a program for version 0.1 was given another"; fi
if configure "" 99; then fail "a version that does not exist was found"; fi
echo "ok: refusals"
