// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/user_program.hpp"

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <cmath>

namespace bench
{
namespace
{

namespace sk = skelrt;

// clang-format off
SKELRT_SHARED(
    struct program_body { float x, y, z, mass; };
    struct program_pull { float x, y, z; };
    struct program_place { float x, y; };
)
// clang-format on

/// Bodies that attract each other, all pairs.
double bodies(std::size_t n, stopwatch& rounds)
{
    const auto pull = SKELRT_FN((program_body a, program_body b) {
        float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
        float far = x * x + y * y + z * z + 1e-3f, strength = b.mass / (far * sqrt(far));
        program_pull p;
        p.x = strength * x;
        p.y = strength * y;
        p.z = strength * z;
        return p;
    });
    const auto add = SKELRT_FN((program_pull a, program_pull b) {
        a.x += b.x;
        a.y += b.y;
        a.z += b.z;
        return a;
    });
    const auto pulls_on_all = sk::map_pairs_reduce(pull, add, program_pull{0, 0, 0});
    const auto kick = sk::map(SKELRT_FN((program_pull v, program_pull p) {
        v.x += 1e-4f * p.x;
        v.y += 1e-4f * p.y;
        v.z += 1e-4f * p.z;
        return v;
    }));
    const auto drift = sk::map(SKELRT_FN((program_body b, program_pull v) {
        b.x += 1e-2f * v.x;
        b.y += 1e-2f * v.y;
        b.z += 1e-2f * v.z;
        return b;
    }));
    const auto place = sk::map(SKELRT_FN((sk::random r) {
        program_body b;
        b.x = r.uniform();
        b.y = r.uniform();
        b.z = r.uniform();
        b.mass = 1.0f;
        return b;
    }));
    sk::vector<program_body> all = place(sk::shape(n), sk::random_seed{3});
    sk::vector<program_pull> speeds(n, program_pull{0, 0, 0}), pulls(n);
    rounds.begin();
    for (int k = 0; k < 10; ++k) {
        pulls = pulls_on_all(all, all);
        speeds = kick(speeds, pulls);
        all = drift(all, speeds);
    }
    const double where = static_cast<double>(sk::host_read(all)[n / 2].x);
    rounds.end();
    return where;
}

/// Positions at random, and what is in a circle.
double pi(std::size_t n, stopwatch& rounds)
{
    const auto inside = sk::map(SKELRT_FN((sk::random r) {
        float x = r.uniform(), y = r.uniform();
        return x * x + y * y < 1.0f ? 1l : 0l;
    }));
    long hits = 0;
    rounds.begin();
    for (unsigned k = 0; k < 5; ++k) {
        const long more = sk::reduce(sk::plus, 0l)(inside(sk::shape(n), sk::random_seed{42 + k}));
        hits += more;
    }
    rounds.end();
    return 4.0 * static_cast<double>(hits) / (5.0 * static_cast<double>(n));
}

/// Prices of options whose terms change a little each round.
double options(std::size_t n, stopwatch& rounds)
{
    const auto price = sk::map(SKELRT_FN((float spot, float strike, float years) {
        float spread = 0.3f * sqrt(years);
        float d1 = (log(spot / strike) + (0.02f + 0.045f) * years) / spread, d2 = d1 - spread;
        float n1 = 0.5f * erfc(-d1 * 0.70710678f), n2 = 0.5f * erfc(-d2 * 0.70710678f);
        return spot * n1 - strike * exp(-0.02f * years) * n2;
    }));
    const auto ramp = sk::generate(SKELRT_FN((sk::index1 at) { return 50.0f + (float)(at.i % 1000) * 0.1f; }));
    sk::vector<float> spot = ramp(sk::shape(n)), strike(n, 100.0f), years(n, 1.5f), prices(n);
    double sum = 0;
    rounds.begin();
    for (int k = 0; k < 10; ++k) {
        prices = price(spot, strike, years);
        years = years + 0.1f;
        sum += sk::reduce(sk::plus, 0.0)(sk::cast<double>(prices));
    }
    rounds.end();
    return sum;
}

/// Lloyd's iterations with 16 centres.
double centres(std::size_t n, stopwatch& rounds)
{
    constexpr std::size_t k = 16;
    const auto scatter = sk::map(SKELRT_FN((sk::random r) {
        int heap = (int)(r.bits() % 16u);
        program_place p;
        p.x = (float)(heap % 4) + 0.3f * r.normal();
        p.y = (float)(heap / 4) + 0.3f * r.normal();
        return p;
    }));
    const auto nearest = sk::map(SKELRT_FN((program_place p, sk::vec<program_place> all) {
        int best = 0;
        float least = 1e30f;
        for (int c = 0; c < (int)all.size(); ++c) {
            float far = (p.x - all[c].x) * (p.x - all[c].x) + (p.y - all[c].y) * (p.y - all[c].y);
            best = far < least ? c : best;
            least = far < least ? far : least;
        }
        return best;
    }));
    const auto add_up = sk::for_each(SKELRT_FN((program_place p, int c, sk::accumulator<double> sums) {
        sums.add(3 * c, (double)p.x);
        sums.add(3 * c + 1, (double)p.y);
        sums.add(3 * c + 2, 1.0);
    }));
    const auto mean = sk::map(SKELRT_FN((sk::index1 at, program_place old, sk::vec<double> sums) {
        int first = 3 * (int)at.i;
        if (sums[first + 2] == 0.0) return old;
        program_place p;
        p.x = (float)(sums[first] / sums[first + 2]);
        p.y = (float)(sums[first + 1] / sums[first + 2]);
        return p;
    }));
    const sk::vector<program_place> points = scatter(sk::shape(n), sk::random_seed{5});
    sk::vector<program_place> all(k);
    sk::copy(points.range(0, k), all);
    sk::vector<double> sums(3 * k, 0.0);
    rounds.begin();
    for (int round = 0; round < 20; ++round) {
        sums = 0.0 * sums;
        add_up(points, nearest(points, all), sums);
        all = mean(all, sums);
    }
    double seen = 0;
    for (const auto& p : sk::host_read(all)) seen += static_cast<double>(p.x + p.y);
    rounds.end();
    return seen;
}

constexpr user_program all[] = {
    {"bodies", "bodies that attract each other, all pairs, 10 steps", {1000, 10'000, 50'000}, &bodies},
    {"pi", "positions at random in a circle, five sums", {100'000, 5'000'000, 50'000'000}, &pi},
    {"options", "Black and Scholes, a sum looked at each round", {50'000, 2'000'000, 20'000'000}, &options},
    {"centres", "k-means with 16 centres, 20 rounds", {20'000, 1'000'000, 10'000'000}, &centres},
};

} // namespace

std::span<const user_program> particle_programs() { return all; }

} // namespace bench
