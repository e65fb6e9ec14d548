#!/usr/bin/env bash
# The README's way: the first program, compiled against an installed library.
# shellcheck source=tests/install/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

meson install -C "$build_root" --no-rebuild --quiet --destdir "$work/image"
package=$(find "$work/image" -name skelrt.pc)
library=$(find "$work/image" -name libskelrt.so)

# The user knows neither StarPU nor CUDA: only our package is on the path. And it may be moved, as here.
export PKG_CONFIG_PATH=${package%/*}
eval "$(grep '^g++ .*skelrt' "$source_root/README.md")"
run_app ./a.out

# shellcheck disable=SC2046 # words
g++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only app.cpp $(pkg-config --cflags skelrt)

if grep -rlE '#include *<(starpu|cuda|nvrtc|CL/|fmt/|spdlog/|nlohmann/|xxhash)' "$work/image" --include='*.hpp'; then
    fail "these installed headers include what a user need not have"
fi
if readelf -d "$library" | grep -E 'NEEDED.*libcuda\.so'; then
    fail "libskelrt needs the driver's libcuda; it must load without one"
fi

# Several ranks: the plug-in is found beside the library, which needs no MPI itself.
if readelf -d "$library" | grep -E 'NEEDED.*lib(mpi|starpumpi)'; then
    fail "libskelrt needs MPI; it must load without"
fi
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
    printed=$("$source_root/tests/cluster/mpirun.sh" "$mpirun" 2 ./ranks)
    [ "$printed" = "2 ranks, last 1" ] || fail "two ranks printed '$printed'"
    echo "ok: $printed"
fi
