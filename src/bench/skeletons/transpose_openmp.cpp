// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/skeletons/transpose_rivals.hpp"

#include <algorithm>

namespace bench
{
namespace
{

constexpr std::size_t square = 32;

template <class T>
void transpose_square(T* to, const T* from, std::size_t n, std::size_t row, std::size_t col)
{
    const std::size_t last_row = std::min(n, row + square), last_col = std::min(n, col + square);
    for (std::size_t r = row; r < last_row; ++r)
        for (std::size_t c = col; c < last_col; ++c) to[r * n + c] = from[c * n + r];
}

template <class T>
class openmp_transpose : public transpose_entrant
{
public:
    openmp_transpose(std::size_t n, rival_team& team)
        : team_(team), n_(n), from_(make_host_array<T>(n * n)), to_(make_host_array<T>(n * n))
    {
        team_.run([this] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t i = 0; i < n_ * n_; ++i) {
                from_[i] = static_cast<T>(transpose_value(i));
                to_[i] = T{-1};
            }
        });
    }

    void launch() override
    {
        team_.run([this] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t r = 0; r < n_; r += square)
                for (std::size_t c = 0; c < n_; c += square) transpose_square(to_.get(), from_.get(), n_, r, c);
        });
    }
    void wait() override {}
    void look(const std::function<void(const std::function<double(std::size_t)>&)>& see) override
    {
        see([this](std::size_t i) { return static_cast<double>(to_[i]); });
    }

private:
    rival_team& team_;
    std::size_t n_;
    host_array<T> from_, to_;
};

} // namespace

template <class T>
std::unique_ptr<transpose_entrant> make_openmp_transpose(std::size_t n, rival_team& team)
{
    return std::make_unique<openmp_transpose<T>>(n, team);
}
template std::unique_ptr<transpose_entrant> make_openmp_transpose<float>(std::size_t, rival_team&);
template std::unique_ptr<transpose_entrant> make_openmp_transpose<double>(std::size_t, rival_team&);

} // namespace bench
