// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/stencils/stencil_rivals.hpp"

#include <utility>

namespace bench
{
namespace
{

class openmp_stencil : public stencil_entrant
{
public:
    openmp_stencil(std::size_t n, rival_team& team)
        : team_(team), n_(n), ld_(n + 2), now_(make_host_array<float>(ld_ * ld_)),
          next_(make_host_array<float>(ld_ * ld_))
    {
        team_.run([this] {
            float *const a = now_.get(), *const b = next_.get();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t r = 0; r < ld_; ++r)
                for (std::size_t c = 0; c < ld_; ++c) {
                    const bool edge = r == 0 || c == 0 || r > n_ || c > n_;
                    a[r * ld_ + c] = edge ? 0 : stencil_value(r - 1, c - 1);
                    b[r * ld_ + c] = 0;
                }
        });
    }

    void steps(int n) override
    {
        team_.run([this, n] {
            for (int k = 0; k < n; ++k) {
                const float* const __restrict u = now_.get();
                float* const __restrict v = next_.get();
                const std::size_t last = n_, ld = ld_;
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
                for (std::size_t r = 1; r <= last; ++r) {
#pragma omp simd
                    for (std::size_t c = 1; c <= last; ++c)
                        v[r * ld + c] =
                            0.25f * (u[(r - 1) * ld + c] + u[(r + 1) * ld + c] + u[r * ld + c - 1] + u[r * ld + c + 1]);
                }
                std::swap(now_, next_);
            }
        });
    }
    void wait() override {}
    void look(std::size_t r, const std::function<void(const float*)>& see) override
    {
        see(now_.get() + (r + 1) * ld_ + 1);
    }

private:
    rival_team& team_;
    std::size_t n_, ld_;
    host_array<float> now_, next_;
};

} // namespace

std::unique_ptr<stencil_entrant> make_openmp_stencil(std::size_t n, rival_team& team)
{
    return std::make_unique<openmp_stencil>(n, team);
}

} // namespace bench
