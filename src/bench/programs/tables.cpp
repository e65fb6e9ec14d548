// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/user_program.hpp"

#include <skelrt/skelrt.hpp>

namespace bench
{
namespace
{

namespace sk = skelrt;

sk::vector<char> text(std::size_t n, unsigned seed)
{
    const auto draw = sk::map(SKELRT_FN((sk::random r) { return (char)(97 + (int)(r.bits() % 4u)); }));
    return draw(sk::shape(n), sk::random_seed{seed});
}

/// Levenshtein's distance of two texts.
double distance(std::size_t n, stopwatch& rounds)
{
    const auto distances = sk::wavefront(SKELRT_FN((sk::before2<int> d, char a, char b) {
        int best = a == b ? d.diagonal() : d.diagonal() + 1;
        if (d.left() + 1 < best) best = d.left() + 1;
        if (d.above() + 1 < best) best = d.above() + 1;
        return best;
    }));
    const sk::vector<int> edge = sk::generate(SKELRT_FN((sk::index1 at) { return (int)at.i + 1; }))(sk::shape(n));
    const sk::vector<char> one = text(n, 1), other = text(n, 2);
    sk::matrix<int> table(n, n);
    double seen = 0;
    rounds.begin();
    for (int k = 0; k < 5; ++k) {
        table = distances(sk::edges(edge, edge, 0), sk::per_row(one), sk::per_column(other));
        seen += sk::host_read(table)(n - 1, n - 1);
    }
    rounds.end();
    return seen;
}

/// The cheapest way through a grid, downwards or to the right.
double cheapest(std::size_t n, stopwatch& rounds)
{
    const auto ways = sk::wavefront(
        SKELRT_FN((sk::before2<float> d, float cost) { return cost + fmin(d.diagonal(), fmin(d.left(), d.above())); }),
        sk::border::constant(0.0f));
    const sk::matrix<float> costs = sk::generate(
        SKELRT_FN((sk::index2 at) { return (float)((at.row * 7 + at.col * 11) % 13) * 0.01f; }))(sk::shape(n, n));
    sk::matrix<float> least(n, n);
    rounds.begin();
    for (int k = 0; k < 10; ++k) least = ways(k == 0 ? costs : costs + 0.5f * least);
    const double end = static_cast<double>(sk::host_read(least)(n - 1, n - 1));
    rounds.end();
    return end;
}

constexpr user_program all[] = {
    {"distance", "Levenshtein's distance of two texts, 5 times", {256, 2000, 10'000}, &distance},
    {"cheapest", "the cheapest way through a grid, 10 times", {256, 2000, 6000}, &cheapest},
};

} // namespace

std::span<const user_program> table_programs() { return all; }

} // namespace bench
