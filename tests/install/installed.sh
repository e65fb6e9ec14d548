#!/usr/bin/env bash
# The README's way: the first program, compiled against an installed library.
# shellcheck source=tests/install/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

meson install -C "$build_root" --no-rebuild --quiet --destdir "$work/image"
package=$(find "$work/image" -name skelrt.pc)
library=$(find "$work/image" -name libskelrt.so)

# The user knows neither StarPU nor CUDA: only our package is on the path. And it may be moved, as here.
export PKG_CONFIG_PATH=${package%/*}
# shellcheck disable=SC2046 # words
g++ -std=c++20 app.cpp $(pkg-config --cflags --libs skelrt)
run_app ./a.out

# shellcheck disable=SC2046
g++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only app.cpp $(pkg-config --cflags skelrt)

if grep -rlE '#include *<(starpu|cuda|nvrtc|CL/|fmt/|spdlog/|nlohmann/|xxhash)' "$work/image" --include='*.hpp'; then
    fail "these installed headers include what a user need not have"
fi
if readelf -d "$library" | grep -E 'NEEDED.*libcuda\.so'; then
    fail "libskelrt needs the driver's libcuda; it must load without one"
fi
