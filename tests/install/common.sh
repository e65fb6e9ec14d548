# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034 # for the tests beside it: SOURCE_ROOT BUILD_ROOT STARPU_PKGCONFIG [BUNDLED...]
set -euo pipefail
source_root=$1 build_root=$2
starpu_folder=$(dirname "$(dirname "$3")")
bundled=("${@:4}")
unset LD_LIBRARY_PATH # meson's: what is tested here must find its libraries by itself
export PKG_CONFIG_PATH=$3${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $*"
    exit 1
}

# block LANGUAGE: the first block of this kind in the README, so that it stays true.
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } /^```/ && on { exit } on' "$source_root/README.md" | grep . ||
        fail "the README has no block of kind $1"
}

block cpp >app.cpp
expected=$(sed -n 's/.*\/\/ prints: //p' app.cpp)
[ -n "$expected" ] || fail "the first program of the README does not say what it prints"

# run_app COMMAND...
run_app() {
    local printed
    printed=$("$@")
    [ "$printed" = "$expected" ] || fail "the program printed '$printed', the README says '$expected'"
    echo "ok: $printed"
}

# Installs into an empty folder, and moves what it finds there: $moved.
install_and_move() {
    local package prefix
    meson install -C "$build_root" --no-rebuild --quiet --destdir "$work/image"
    package=$(find "$work/image" -name skelrtConfig.cmake)
    prefix=$(realpath "${package%/*}/../../..")
    while [ ! -d "$prefix/include/skelrt" ]; do prefix=${prefix%/*}; done
    moved=$work/moved
    mv "$prefix" "$moved"
}
