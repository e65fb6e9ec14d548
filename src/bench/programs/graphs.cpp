// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/user_program.hpp"

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

namespace bench
{
namespace
{

namespace sk = skelrt;

/// Ranks of pages: each reads those of eight others.
double ranks(std::size_t n, stopwatch& rounds)
{
    const auto links = sk::map(SKELRT_FN((sk::random r, unsigned n) { return r.bits() % n; }));
    const auto collect = sk::map(SKELRT_FN((sk::index1 at, sk::vec<unsigned> from, sk::vec<float> rank, float n) {
        float sum = 0;
        for (int k = 0; k < 8; ++k) sum += rank[from[8 * at.i + k]];
        return 0.15f / n + 0.85f * sum / 8.0f;
    }));
    const sk::vector<unsigned> from = links(sk::shape(8 * n), sk::random_seed{11}, static_cast<unsigned>(n));
    sk::vector<float> rank(n, 1.0f / static_cast<float>(n)), next(n);
    rounds.begin();
    for (int k = 0; k < 30; ++k) {
        next = collect(from, rank, static_cast<float>(n));
        std::swap(rank, next);
    }
    const double sum = sk::reduce(sk::plus, 0.0)(sk::cast<double>(rank));
    rounds.end();
    return sum;
}

/// Floyd's and Warshall's shortest ways, a pivot after the other.
double ways(std::size_t n, stopwatch& rounds)
{
    const auto shorter = sk::map(SKELRT_FN((float d, float to, float on) { return fmin(d, to + on); }));
    sk::matrix<float> d = sk::generate(SKELRT_FN((sk::index2 at) {
        return at.row == at.col ? 0.0f : 1.0f + (float)((at.row * 31 + at.col * 17) % 101);
    }))(sk::shape(n, n));
    sk::vector<float> to(n), on(n);
    rounds.begin();
    for (std::size_t k = 0; k < n; ++k) {
        sk::copy(d.column(k), to);
        sk::copy(d.row(k), on);
        d = shorter(d, sk::per_row(to), sk::per_column(on));
    }
    const double sum = sk::reduce(sk::plus, 0.0)(sk::cast<double>(d));
    rounds.end();
    return sum;
}

/// How often each word occurs: numbers of words, sorted, counted by runs.
double words(std::size_t n, stopwatch& rounds)
{
    const auto draw = sk::map(SKELRT_FN((sk::random r) {
        float u = r.uniform();
        return (unsigned)(u * u * u * 50000.0f);
    }));
    const sk::vector<unsigned> text = draw(sk::shape(n), sk::random_seed{23});
    const sk::vector<unsigned> ones(n, 1u);
    double seen = 0;
    rounds.begin();
    for (int k = 0; k < 5; ++k) {
        const sk::vector<unsigned> sorted = sk::sort(text);
        auto [word, count] = sk::reduce_by_key(sorted, ones, sk::plus);
        seen += static_cast<double>(word.size()) + sk::host_read(count)[0];
    }
    rounds.end();
    return seen;
}

constexpr user_program all[] = {
    {"ranks", "each page reads the ranks of eight others, 30 rounds", {20'000, 500'000, 5'000'000}, &ranks},
    {"ways", "shortest ways between all pairs, a pivot after the other", {100, 500, 2000}, &ways},
    {"words", "words sorted and counted by runs, 5 rounds", {50'000, 1'000'000, 10'000'000}, &words},
};

} // namespace

std::span<const user_program> graph_programs() { return all; }

} // namespace bench
