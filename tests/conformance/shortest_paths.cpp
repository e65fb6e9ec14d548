// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>

using namespace test;

namespace
{

constexpr int no_way = 1'000'000;

const auto shorter = sk::map(SKELRT_FN((int a, int b) { return b < a ? b : a; }));
const auto shortest_by = sk::all_pairs(sk::plus, sk::minimum);

/// A fifth of the ways are there.
std::vector<int> lengths_of_ways(std::size_t n)
{
    return expected(n * n, [&](std::size_t i) {
        const std::size_t mixed = i * 7919 % 1009;
        if (i / n == i % n) return 0;
        return mixed < 200 ? static_cast<int>(mixed % 50) + 1 : no_way;
    });
}

/// Floyd and Warshall's loops.
std::vector<int> plain_paths(std::vector<int> d, std::size_t n)
{
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
    return d;
}

/// Of a tile on the diagonal: by each of its nodes.
void close(sk::matrix<int>& pivot)
{
    for (std::size_t k = 0; k < pivot.rows(); ++k) {
        const sk::vector<int> to = sk::eval(pivot.column(k) + 0), from = sk::eval(pivot.row(k) + 0);
        pivot = shorter(pivot, sk::per_row(to) + sk::per_column(from));
    }
}

/// Tile by tile: what leads to the pivot and away from it, then all that goes by its nodes.
void go_by(sk::matrix<int>& d, std::size_t begin, std::size_t nodes, std::size_t side)
{
    const std::size_t n = d.rows();
    sk::matrix<int> pivot = sk::eval(d.sub(begin, begin, nodes, nodes) + 0);
    close(pivot);
    const sk::matrix<int> away = shortest_by(pivot, sk::transpose(d.sub(begin, 0, nodes, n)));
    const sk::matrix<int> to = shortest_by(d.sub(0, begin, n, nodes), sk::transpose(pivot));
    for (std::size_t i = 0; i < n; i += side)
        for (std::size_t j = 0; j < n; j += side) {
            const std::size_t rows = std::min(side, n - i), cols = std::min(side, n - j);
            const sk::matrix<int> by =
                shortest_by(to.sub(i, 0, rows, nodes), sk::transpose(away.sub(0, j, nodes, cols)));
            d.sub(i, j, rows, cols) = shorter(d.sub(i, j, rows, cols), by);
        }
}

} // namespace

TEST_CASE("Floyd and Warshall's shortest paths, tile by tile", "[all_pairs][paths]")
{
    const std::size_t n = GENERATE(1, 37, 80), side = GENERATE(16, 80);
    const auto a = lengths_of_ways(n);
    sk::matrix<int> d = matrix_of(n, n, a);
    for (std::size_t k = 0; k < n; k += side) go_by(d, k, std::min(side, n - k), side);
    check_equal(d, plain_paths(a, n));
}
