// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/rivals.hpp"
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"

#include <algorithm>

namespace bench
{
namespace
{

constexpr std::size_t columns_at_once = 64; // their sums stay in registers

class openmp_convolution : public kernel_entrant<float>
{
public:
    openmp_convolution(std::size_t n, int width, rival_team& team)
        : team_(team), n_(n), width_(static_cast<std::size_t>(width)), ld_(n + width_ - 1 + columns_at_once),
          from_(make_host_array<float>((n + width_ - 1) * ld_)), to_(make_host_array<float>(n * n)),
          weights_(made<float>(width_ * width_, weight_value))
    {
        team_.run([this] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t r = 0; r < n_ + width_ - 1; ++r)
                for (std::size_t c = 0; c < ld_; ++c) from_[r * ld_ + c] = pixel_value(within(r) * n_ + within(c));
        });
    }
    void launch() override
    {
        team_.run([this] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t r = 0; r < n_; ++r)
                for (std::size_t c = 0; c < n_; c += columns_at_once) sum_up(r, c);
        });
    }
    void wait() override {}
    std::vector<float> result() override { return {to_.get(), to_.get() + n_ * n_}; }

private:
    /// Of a row or column of the frame: the picture's own, or the nearest.
    std::size_t within(std::size_t i) const { return std::clamp(i, width_ / 2, n_ - 1 + width_ / 2) - width_ / 2; }
    void sum_up(std::size_t r, std::size_t c)
    {
        float sum[columns_at_once] = {};
        for (std::size_t i = 0; i < width_; ++i)
            for (std::size_t j = 0; j < width_; ++j) {
                const float w = weights_[i * width_ + j];
                const float* const u = from_.get() + (r + i) * ld_ + c + j;
#pragma omp simd
                for (std::size_t k = 0; k < columns_at_once; ++k) sum[k] += w * u[k];
            }
        std::copy_n(sum, std::min(columns_at_once, n_ - c), to_.get() + r * n_ + c);
    }

    rival_team& team_;
    std::size_t n_, width_, ld_;
    host_array<float> from_, to_;
    std::vector<float> weights_;
};

} // namespace

std::unique_ptr<kernel_entrant<float>> make_openmp_convolution(std::size_t n, int width, rival_team& team)
{
    return std::make_unique<openmp_convolution>(n, width, team);
}

} // namespace bench
