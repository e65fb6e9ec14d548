// SPDX-License-Identifier: BSD-3-Clause
#include "sequential.hpp"

#include <algorithm>

using namespace test;

/// Algorithms that are wavefronts, against plain loops.

namespace
{

const auto synchronized =
    sk::wavefront(SKELRT_FN((sk::before2<double> d) { return d.above() + d.left() - d.diagonal(); }));

const auto levenshtein = sk::wavefront(SKELRT_FN((sk::index2 at, sk::before2<int> d, sk::vec<char> a, sk::vec<char> b) {
    int best = d.diagonal();
    if (a[at.row] != b[at.col]) best = best + 1;
    if (d.left() + 1 < best) best = d.left() + 1;
    if (d.above() + 1 < best) best = d.above() + 1;
    return best;
}));

/// The same of letters that come one per row and one per column.
const auto levenshtein_of_sides = sk::wavefront(SKELRT_FN((sk::before2<int> d, char a, char b) {
    int best = a == b ? d.diagonal() : d.diagonal() + 1;
    if (d.left() + 1 < best) best = d.left() + 1;
    if (d.above() + 1 < best) best = d.above() + 1;
    return best;
}));

const auto smith_waterman = sk::wavefront(SKELRT_FN((sk::before2<int> d, char a, char b, int match, int gap) {
                                              int best = d.diagonal() + (a == b ? match : -1);
                                              if (d.left() - gap > best) best = d.left() - gap;
                                              if (d.above() - gap > best) best = d.above() - gap;
                                              return best > 0 ? best : 0;
                                          }),
                                          sk::border::constant(0));

const auto longest_common = sk::wavefront(SKELRT_FN((sk::before2<unsigned short> d, char a, char b) {
                                              if (a == b) return (unsigned short)(d.diagonal() + 1);
                                              return d.left() > d.above() ? d.left() : d.above();
                                          }),
                                          sk::border::constant(0));

const auto least_path = sk::wavefront(SKELRT_FN((sk::before2<float> d, float cost) {
                                          float least = d.left();
                                          if (d.above() < least) least = d.above();
                                          if (d.diagonal() < least) least = d.diagonal();
                                          return least + cost;
                                      }),
                                      sk::border::constant(0));

std::size_t distance(std::size_t r, std::size_t c) { return r + c; }

} // namespace

TEST_CASE("the synchronization of the Parallel Research Kernels", "[algorithms]")
{
    const auto [rows, cols] = matrices();
    CAPTURE(rows, cols);
    const auto outside = [](std::size_t r, std::size_t c) { return static_cast<double>(distance(r, c)); };
    const sk::matrix<double> a = synchronized(edges_of<double>(rows, cols, outside));
    REQUIRE(a.rows() == rows);
    REQUIRE(a.cols() == cols);
    check_equal(a, expected(rows * cols, [&](std::size_t i) { return 2.0 + double(i / cols) + double(i % cols); }));
}

TEST_CASE("Levenshtein's distance", "[algorithms]")
{
    const auto [rows, cols] = matrices();
    CAPTURE(rows, cols);
    const auto a = letters(rows, 3), b = letters(cols, 8);
    const auto outside = [](std::size_t r, std::size_t c) { return static_cast<int>(distance(r, c)); };
    const auto want = sequential<int>(
        rows, cols,
        [&](std::size_t r, std::size_t c, int left, int above, int diagonal) {
            return std::min({left + 1, above + 1, diagonal + (a[r] != b[c] ? 1 : 0)});
        },
        outside);
    const auto first = vector_of(a), second = vector_of(b);
    const auto around = edges_of<int>(rows, cols, outside);
    sk::matrix<int> table = levenshtein(around, first, second);
    check_equal(table, want);
    table = levenshtein_of_sides(around, sk::per_row(first), sk::per_column(second));
    check_equal(table, want);
}

TEST_CASE("Smith and Waterman's local alignment", "[algorithms]")
{
    const auto [rows, cols] = matrices();
    CAPTURE(rows, cols);
    const auto a = letters(rows, 5), b = letters(cols, 6);
    const auto want = sequential<int>(
        rows, cols,
        [&](std::size_t r, std::size_t c, int left, int above, int diagonal) {
            return std::max({0, left - 2, above - 2, diagonal + (a[r] == b[c] ? 3 : -1)});
        },
        [](std::size_t, std::size_t) { return 0; });
    const auto first = vector_of(a), second = vector_of(b);
    const sk::matrix<int> scores = smith_waterman(sk::per_row(first), sk::per_column(second), 3, 2);
    check_equal(scores, want);
    if (rows * cols == 0) return;
    const int best = sk::reduce(SKELRT_FN((int x, int y) { return x > y ? x : y; }))(scores);
    REQUIRE(best == *std::ranges::max_element(want));
}

TEST_CASE("the longest common subsequence", "[algorithms]")
{
    const auto [rows, cols] = matrices();
    CAPTURE(rows, cols);
    const auto a = letters(rows, 1), b = letters(cols, 2);
    using number = unsigned short;
    const auto want = sequential<number>(
        rows, cols,
        [&](std::size_t r, std::size_t c, number left, number above, number diagonal) {
            return a[r] == b[c] ? static_cast<number>(diagonal + 1) : std::max(left, above);
        },
        [](std::size_t, std::size_t) { return number{0}; });
    const auto first = vector_of(a), second = vector_of(b);
    const sk::matrix<number> lengths = longest_common(sk::per_row(first), sk::per_column(second));
    check_equal(lengths, want);
}

TEST_CASE("the cheapest path through costs, also in their place", "[algorithms]")
{
    const auto [rows, cols] = matrices();
    CAPTURE(rows, cols);
    const auto costs = numbers<float>(rows * cols, 9);
    const auto want = sequential<float>(
        rows, cols,
        [&, n = cols](std::size_t r, std::size_t c, float left, float above, float diagonal) {
            return std::min({left, above, diagonal}) + costs[r * n + c];
        },
        [](std::size_t, std::size_t) { return 0.0f; });
    sk::matrix<float> m = matrix_of(rows, cols, costs), sums;
    sums = least_path(m);
    check_equal(sums, want);
    check_equal(m, costs);
    m = least_path(m);
    check_equal(m, want);
}
