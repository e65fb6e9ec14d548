// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: Conway's game of life on a torus: a stencil of integers with a cyclic border.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <fstream>

namespace sk = skelrt;

int main(int argc, char** argv)
{
    const sk::runtime rt;
    const std::size_t size = 160;

    sk::matrix<int> cells(size, size, 0);
    {
        auto set = sk::host(cells); // five cells, the R-pentomino
        set(79, 80) = set(79, 81) = set(80, 79) = set(80, 80) = set(81, 80) = 1;
    }

    const auto next = sk::stencil(SKELRT_FN((sk::hood2<int> c) {
                                      const int near = c(-1, -1) + c(-1, 0) + c(-1, 1) + c(0, -1) + c(0, 1) + c(1, -1) +
                                                       c(1, 0) + c(1, 1);
                                      return near == 3 || (near == 2 && c(0, 0) == 1) ? 1 : 0;
                                  }),
                                  sk::border::cyclic());
    cells = next.iterate(200, cells);

    const auto sum = sk::reduce(sk::plus, 0);
    const int alive = sum(cells);
    std::printf("after 200 generations %d cells live\n", alive);

    if (argc < 2) return 0;
    const auto seen = sk::host_read(cells);
    std::ofstream picture(argv[1], std::ios::binary);
    picture << "P5 " << size << ' ' << size << " 255\n";
    for (const int cell : seen) picture.put(static_cast<char>(cell ? 0 : 255));
}
