// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/shared/timing.hpp"
#include "src/bench/streams/onepass_rivals.hpp"

namespace bench
{
namespace
{

template <int Steps>
void loop(std::size_t n, const float* __restrict x, float* __restrict y, int threads)
{
#pragma omp parallel for simd num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
        float s = y[i];
        for (int j = 0; j < Steps; ++j) s = s * 0.999f + x[i];
        y[i] = s;
    }
}

template <int Steps>
void blocked_loop(std::size_t n, const float* __restrict x, float* __restrict y, int threads)
{
    constexpr std::size_t width = 64;
    const std::size_t blocked = n / width * width;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t first = 0; first < blocked; first += width) {
        float s[width];
        for (std::size_t k = 0; k < width; ++k) s[k] = y[first + k];
        for (int j = 0; j < Steps; ++j)
            for (std::size_t k = 0; k < width; ++k) s[k] = s[k] * 0.999f + x[first + k];
        for (std::size_t k = 0; k < width; ++k) y[first + k] = s[k];
    }
    loop<Steps>(n - blocked, x + blocked, y + blocked, 1);
}

class onepass_openmp : public onepass_rival
{
public:
    onepass_openmp(openmp_way way, std::size_t n, rival_team& team)
        : way_(way), team_(team), n_(n), x_(make_host_array<float>(n)), y_(make_host_array<float>(n))
    {
        team_.run([&] {
            float *const x = x_.get(), *const y = y_.get();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n; ++i) {
                x[i] = 1;
                y[i] = 2;
            }
        });
    }

    double pass(int steps) override
    {
        double seconds = 0;
        team_.run_alone([&] {
            run(steps); // the threads of the last pass sleep: one pass to wake them
            const double start = now();
            run(steps);
            seconds = now() - start;
        });
        return seconds;
    }

private:
    template <int Steps>
    void run()
    {
        const auto pass = way_ == openmp_way::plain ? &loop<Steps> : &blocked_loop<Steps>;
        pass(n_, x_.get(), y_.get(), team_.threads());
    }

    void run(int steps)
    {
        switch (steps) {
        case 1:
            return run<1>();
        case 16:
            return run<16>();
        case 64:
            return run<64>();
        case 256:
            return run<256>();
        default:
            return run<1024>();
        }
    }

    openmp_way way_;
    rival_team& team_;
    std::size_t n_;
    host_array<float> x_, y_;
};

} // namespace

std::unique_ptr<onepass_rival> make_onepass_openmp(openmp_way way, std::size_t n, rival_team& team)
{
    return std::make_unique<onepass_openmp>(way, n, team);
}

} // namespace bench
