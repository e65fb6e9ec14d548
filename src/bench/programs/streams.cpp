// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/user_program.hpp"

#include <skelrt/skelrt.hpp>

#include <cstdint>

namespace bench
{
namespace
{

namespace sk = skelrt;

double total(const sk::vector<double>& x) { return sk::reduce(sk::plus, 0.0)(x); }

/// BabelStream's kernels in a row.
double stream(std::size_t n, stopwatch& rounds)
{
    sk::vector<double> a(n, 0.1), b(n, 0.2), c(n, 0.0);
    double dot = 0;
    rounds.begin();
    for (int k = 0; k < 30; ++k) {
        c = a;
        b = 0.4 * c;
        c = a + b;
        a = b + 0.4 * c;
        dot += sk::reduce(sk::plus, 0.0)(a * b);
    }
    rounds.end();
    return dot;
}

/// Some arithmetic for each element.
double polynomial(std::size_t n, stopwatch& rounds)
{
    const auto horner = sk::map(SKELRT_FN((float x) {
        float y = x;
        for (int k = 0; k < 64; ++k) y = y * 0.99f + x * 0.01f;
        return y;
    }));
    sk::vector<float> x =
        sk::generate(SKELRT_FN((sk::index1 at) { return (float)(at.i % 1000) * 0.001f; }))(sk::shape(n));
    rounds.begin();
    for (int k = 0; k < 20; ++k) x = horner(x);
    const sk::vector<double> wide = sk::cast<double>(x);
    const double sum = total(wide);
    rounds.end();
    return sum;
}

/// The host writes new numbers each round, and looks at what came out.
double updates(std::size_t n, stopwatch& rounds)
{
    const auto forward = sk::map(SKELRT_FN((double x, double dx) { return x + 0.5 * dx; }));
    sk::vector<double> x(n, 0.0), dx(n, 0.0);
    double seen = 0;
    rounds.begin();
    for (int k = 0; k < 5; ++k) {
        {
            auto values = sk::host_write(dx);
            for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>((i + static_cast<std::size_t>(k)) % 16);
        }
        x = forward(x, dx);
        seen += sk::host_read(x)[n / 3];
    }
    rounds.end();
    return seen;
}

/// Running sums, and those above a limit.
double running(std::size_t n, stopwatch& rounds)
{
    const auto sums = sk::scan(sk::plus);
    const auto above = sk::filter(SKELRT_FN((float x, float limit) { return x > limit; }));
    sk::vector<float> x(n, 1.0f);
    double kept = 0;
    rounds.begin();
    for (int k = 0; k < 10; ++k) {
        const sk::vector<float> s = sums(x * 0.001f);
        const sk::vector<float> high = above(s, 100.0f * static_cast<float>(k));
        kept += static_cast<double>(high.size());
    }
    rounds.end();
    return kept;
}

/// Keys at random, sorted.
double sorted(std::size_t n, stopwatch& rounds)
{
    const auto draw = sk::map(SKELRT_FN((sk::random r, unsigned salt) { return r.bits() ^ salt; }));
    double seen = 0;
    rounds.begin();
    for (unsigned k = 0; k < 5; ++k) {
        const sk::vector<unsigned> x = sk::sort(draw(sk::shape(n), sk::random_seed{7}, k));
        seen += sk::host_read(x)[n / 2];
    }
    rounds.end();
    return seen;
}

constexpr user_program all[] = {
    {"stream", "copy, scale, add, triad and a dot product, 30 rounds", {100'000, 3'000'000, 30'000'000}, &stream},
    {"polynomial", "128 operations an element, 20 rounds", {100'000, 3'000'000, 30'000'000}, &polynomial},
    {"updates", "new values from the host each round, one looked at", {100'000, 3'000'000, 50'000'000}, &updates},
    {"running", "running sums, and those above a limit", {100'000, 3'000'000, 30'000'000}, &running},
    {"sorted", "keys at random, sorted, one looked at", {100'000, 2'000'000, 20'000'000}, &sorted},
};

} // namespace

std::span<const user_program> stream_programs() { return all; }

} // namespace bench
