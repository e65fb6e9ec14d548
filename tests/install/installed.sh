#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The README's way: the first program, compiled against an installed library that was moved. Then it runs where there is
# nothing else: no caches, no build folder, no CUDA toolkit.
# shellcheck source=tests/install/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/install/command.sh
source "$source_root/tests/install/command.sh"

install_and_move
library=$(find "$moved" -name libskelrt.so)
skelrt=$(find "$moved" -name skelrt -path '*/bin/*' | grep .)

# ---- what is installed ----

mapfile -t binaries < <(find "$moved" -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' sh {} \; -print)
[ "${#binaries[@]}" -ge 3 ] || fail "the library, the schedulers and the command are not all installed: ${binaries[*]}"
for name in "${bundled[@]}"; do
    [ -s "${library%/*}/skelrt/$name" ] || fail "$name is not installed beside the library"
done
if [ "${#bundled[@]}" -gt 0 ]; then
    for binary in "${binaries[@]}"; do
        # shellcheck disable=SC2016 # the loader's own word
        if readelf -d "$binary" | sed -nE 's/.*R(UN)?PATH.*\[(.*)\]/\2/p' | tr : '\n' | grep -v '^\$ORIGIN'; then
            fail "$binary looks for libraries outside of the installed folder"
        fi
    done
    here=("$source_root" "$build_root" "$starpu_folder")
    if grep -rIF "${here[@]/#/--regexp=}" "$moved"; then
        fail "what is installed names folders of this machine"
    fi
fi
if grep -rlE '#include *<(starpu|cuda|nvrtc|CL/|fmt/|spdlog/|nlohmann/|xxhash)' "$moved" --include='*.hpp'; then
    fail "these installed headers include what a user need not have"
fi
if readelf -d "${binaries[@]}" | grep -E 'NEEDED.*lib(cuda\.so|nvrtc|cublas|cusparse|cusolver)'; then
    fail "more of CUDA than its runtime library is needed; all must load without the driver and the toolkit"
fi
# Several ranks: the plug-in is found beside the library, which needs no MPI itself.
if readelf -d "$library" | grep -E 'NEEDED.*lib(mpi|starpumpi)'; then
    fail "libskelrt needs MPI; it must load without"
fi
printf 'ok: %s without StarPU and CUDA, %s with\n' "$(du -sh --apparent-size --exclude='lib*/skelrt' "$moved" | cut -f 1)" \
    "$(du -sh --apparent-size "$moved" | cut -f 1)"
echo "figure: install_mb $(du -sm --apparent-size --exclude='lib*/skelrt' "$moved" | cut -f 1)"
for text in LICENSE README.md docs/skeletons.md; do
    [ -s "$moved/share/doc/skelrt/$text" ] || fail "$text is not installed"
done
check_command "$skelrt"

# ---- programs ----

# The user knows neither StarPU nor CUDA: only our package is on the path.
package=$(find "$moved" -name skelrt.pc)
export PKG_CONFIG_PATH=${package%/*}
eval "$(grep '^g++ .*skelrt' "$source_root/README.md")"
# shellcheck disable=SC2046 # words
g++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only app.cpp $(pkg-config --cflags skelrt)

alone=("$source_root/tests/install/alone.sh" "$starpu_folder" "$build_root" --)
export HOME=$work/home XDG_CACHE_HOME=$work/home/cache STARPU_HOME=$work/home
if [ "${#bundled[@]}" -gt 0 ] && "${alone[@]}" true; then
    # With a GPU and its driver, and without NVRTC, programs say so; here they are to run.
    export SKELRT_DEVICES=cpu
    "${alone[@]}" "$skelrt" info >facts || fail "skelrt info"
    grep -qE '^  cpu  ' facts || { cat facts; fail "skelrt info finds no cores"; }
    if ! grep -A 1 '^CUDA' facts | grep -q 'built without it'; then
        grep -q 'NVRTC .*none: NVRTC.*cannot be opened.*CUDA_PATH' facts || { cat facts; fail "skelrt info does not say what is missing"; }
        if SKELRT_CHECK_CUDA=sm_80 "${alone[@]}" ./a.out 2>refusal; then fail "kernels were compiled without NVRTC"; fi
        grep -q 'NVRTC.*cannot be opened.*CUDA_PATH' refusal || { cat refusal; fail "the message does not say that NVRTC is missing"; }
    fi
    echo "ok: alone on the machine"
else
    echo "not checked: a machine without caches and CUDA toolkit (nothing is bundled, or namespaces of mounts are not allowed)"
    alone=()
fi
run_app "${alone[@]}" ./a.out 2>warnings
! grep -F "$starpu_folder" warnings || fail "a program is told of a folder that is not there"

if [ -e "${library%/*}/libskelrt-mpi.so.0" ] && mpirun=$(command -v mpirun); then
    cat >ranks.cpp <<'END'
#include <skelrt/skelrt.hpp>

#include <cstdio>

int main()
{
    const skelrt::runtime rt;
    const int of_last = skelrt::agree(skelrt::rank(), skelrt::ranks() - 1);
    if (skelrt::rank() == 0) std::printf("%d ranks, last %d\n", skelrt::ranks(), of_last);
}
END
    # shellcheck disable=SC2046
    g++ -std=c++20 ranks.cpp -o ranks $(pkg-config --cflags --libs skelrt)
    printed=$("${alone[@]}" "$source_root/tests/cluster/mpirun.sh" "$mpirun" 2 ./ranks)
    [ "$printed" = "2 ranks, last 1" ] || fail "two ranks printed '$printed'"
    echo "ok: $printed"
fi
