// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/rivals.hpp"
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"

#include <algorithm>

namespace bench
{
namespace
{

constexpr std::size_t edge_of_a_square = 32;

class openmp_transposed_sum : public kernel_entrant<double>
{
public:
    openmp_transposed_sum(std::size_t n, rival_team& team)
        : team_(team), n_(n), a_(make_host_array<double>(n * n)), b_(make_host_array<double>(n * n))
    {
    }
    void begin_anew() override
    {
        team_.run([this] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n_ * n_; ++i) a_[i] = added_value(i), b_[i] = 0;
        });
    }
    void launch() override
    {
        team_.run([this] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t r = 0; r < n_; r += edge_of_a_square)
                for (std::size_t c = 0; c < n_; c += edge_of_a_square) add_square(r, c);
            double* const a = a_.get();
#pragma omp parallel for simd num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n_ * n_; ++i) a[i] += 1.0;
        });
    }
    void wait() override {}
    std::vector<double> result() override { return {b_.get(), b_.get() + n_ * n_}; }

private:
    void add_square(std::size_t row, std::size_t col)
    {
        const std::size_t last_row = std::min(n_, row + edge_of_a_square);
        const std::size_t last_col = std::min(n_, col + edge_of_a_square);
        for (std::size_t r = row; r < last_row; ++r)
            for (std::size_t c = col; c < last_col; ++c) b_[r * n_ + c] += a_[c * n_ + r];
    }

    rival_team& team_;
    std::size_t n_;
    host_array<double> a_, b_;
};

} // namespace

std::unique_ptr<kernel_entrant<double>> make_openmp_transposed_sum(std::size_t n, rival_team& team)
{
    return std::make_unique<openmp_transposed_sum>(n, team);
}

} // namespace bench
