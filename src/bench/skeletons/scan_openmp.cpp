// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/skeletons/scan_rivals.hpp"

#include <algorithm>
#include <vector>

#include <omp.h>

namespace bench
{
namespace
{

void plain_sums(std::size_t n, const float* x, float* y, float sum)
{
    for (std::size_t i = 0; i < n; ++i) y[i] = sum += x[i];
}

void inscan_sums(std::size_t n, const float* x, float* y, float sum)
{
#pragma omp simd reduction(inscan, + : sum)
    for (std::size_t i = 0; i < n; ++i) {
        sum += x[i];
#pragma omp scan inclusive(sum)
        y[i] = sum;
    }
}

float sum_of(std::size_t n, const float* x)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i) sum += x[i];
    return sum;
}

class openmp_entrant : public scan_entrant
{
public:
    openmp_entrant(openmp_scan how, std::size_t n, rival_team& team)
        : team_(team), n_(n), x_(make_host_array<float>(n)), y_(make_host_array<float>(n)),
          sums_(static_cast<std::size_t>(team.threads())),
          sums_of_(how == openmp_scan::plain ? &plain_sums : &inscan_sums)
    {
        team_.run([this] {
            float *const x = x_.get(), *const y = y_.get();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n_; ++i) {
                x[i] = scan_value(i);
                y[i] = -1e9f;
            }
        });
    }

    void launch() override
    {
        team_.run([this] { two_passes(); });
    }
    void wait() override {}
    void look(const std::function<void(const float*)>& see) override { see(y_.get()); }

private:
    void two_passes()
    {
#pragma omp parallel num_threads(team_.threads())
        {
            const auto threads = static_cast<std::size_t>(omp_get_num_threads()),
                       t = static_cast<std::size_t>(omp_get_thread_num());
            const auto begin_of = [&](std::size_t k) { return n_ / threads * k + std::min(k, n_ % threads); };
            const std::size_t begin = begin_of(t), count = begin_of(t + 1) - begin;
            sums_[t].value = sum_of(count, x_.get() + begin);
#pragma omp barrier
            float front = 0;
            for (std::size_t k = 0; k < t; ++k) front += sums_[k].value;
            sums_of_(count, x_.get() + begin, y_.get() + begin, front);
        }
    }

    struct alignas(64) line {
        float value;
    };
    rival_team& team_;
    std::size_t n_;
    host_array<float> x_, y_;
    std::vector<line> sums_;
    void (*sums_of_)(std::size_t, const float*, float*, float);
};

} // namespace

std::unique_ptr<scan_entrant> make_openmp_scan(openmp_scan how, std::size_t n, rival_team& team)
{
    return std::make_unique<openmp_entrant>(how, n, team);
}

} // namespace bench
