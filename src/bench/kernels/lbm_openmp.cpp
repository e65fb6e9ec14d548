// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/rivals.hpp"
#include "src/bench/shared/host_array.hpp"
#include "src/bench/shared/race/rival_team.hpp"

namespace bench
{
namespace
{

/// In floats: the planes' places in caches differ then, also if n is a power of 2.
constexpr std::size_t lines_between = std::size_t{17} * 16;

struct densities {
    float f[directions];
};

/// What cells with such a density and velocity tend to.
inline densities settled(float density, float x, float y)
{
    const float side = density / 9.0f, diagonal = density / 36.0f, base = 1.0f - 1.5f * (x * x + y * y);
    const float up = x + y, down = x - y;
    const auto along = [base](float v) { return base + 4.5f * v * v; };
    return {{4 * side * base, side * (along(x) + 3 * x), side * (along(y) + 3 * y), side * (along(x) - 3 * x),
             side * (along(y) - 3 * y), diagonal * (along(up) + 3 * up), diagonal * (along(down) - 3 * down),
             diagonal * (along(up) - 3 * up), diagonal * (along(down) + 3 * down)}};
}

class openmp_lattice : public kernel_entrant<float>
{
public:
    openmp_lattice(std::size_t n, rival_team& team)
        : team_(team), n_(n), plane_(n * n + lines_between), channel_(channel_of(n))
    {
        for (auto& planes : planes_) planes = make_host_array<float>(directions * plane_);
        team_.run([this] {
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
            for (std::size_t r = 0; r < n_; ++r) {
                const densities wind = settled(1, r > n_ / 2 ? 1.02f * channel_.speed : channel_.speed, 0);
                for (std::size_t c = 0; c < n_; ++c)
                    for (std::size_t k = 0; k < directions; ++k)
                        for (auto& planes : planes_) planes[k * plane_ + r * n_ + c] = wind.f[k];
            }
        });
    }
    void launch() override
    {
        team_.run([this] {
            for (int step = 0; step < lattice_steps; ++step) {
                const float* const from = planes_[step == 0 ? 0 : 2 - step % 2].get();
                float* const to = planes_[1 + step % 2].get();
#pragma omp parallel for num_threads(team_.threads()) schedule(static)
                for (std::size_t r = 0; r < n_; ++r) {
                    step_inside(from, to, r);
                    step_at_ends(from, to, r);
                }
            }
        });
    }
    void wait() override {}
    std::vector<float> result() override
    {
        const float* const last = planes_[2 - lattice_steps % 2].get();
        std::vector<float> all;
        all.reserve(directions * n_ * n_);
        for (std::size_t k = 0; k < directions; ++k)
            all.insert(all.end(), last + k * plane_, last + k * plane_ + n_ * n_);
        return all;
    }

private:
    /// Takes what comes to each cell of a row, and collides; the cylinder's own cells turn it round instead.
    void step_inside(const float* __restrict from, float* __restrict to, std::size_t row) const
    {
        const std::size_t n = n_, plane = plane_, below = (row + n - 1) % n * n, above = (row + 1) % n * n,
                          here = row * n;
        const float *const f0 = from + here, *const f1 = from + plane + here - 1, *const f2 = from + 2 * plane + below,
                           *const f3 = from + 3 * plane + here + 1, *const f4 = from + 4 * plane + above,
                           *const f5 = from + 5 * plane + below - 1, *const f6 = from + 6 * plane + below + 1,
                           *const f7 = from + 7 * plane + above + 1, *const f8 = from + 8 * plane + above - 1;
        float* const t = to + here;
        const float middle = channel_.x, rate = channel_.rate, square = channel_.radius * channel_.radius;
        const float dy = static_cast<float>(row) - channel_.y;
        const int last = static_cast<int>(n) - 1;
#pragma omp simd
        for (int c = 1; c < last; ++c) {
            const float a0 = f0[c], a1 = f1[c], a2 = f2[c], a3 = f3[c], a4 = f4[c];
            const float a5 = f5[c], a6 = f6[c], a7 = f7[c], a8 = f8[c];
            const float density = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8;
            const float x = (a1 - a3 + a5 - a6 - a7 + a8) / density, y = (a2 - a4 + a5 + a6 - a7 - a8) / density;
            const densities goal = settled(density, x, y);
            const float dx = static_cast<float>(c) - middle;
            const bool solid = dx * dx + dy * dy < square;
            t[c] = solid ? a0 : a0 + rate * (goal.f[0] - a0);
            t[1 * plane + c] = solid ? a3 : a1 + rate * (goal.f[1] - a1);
            t[2 * plane + c] = solid ? a4 : a2 + rate * (goal.f[2] - a2);
            t[3 * plane + c] = solid ? a1 : a3 + rate * (goal.f[3] - a3);
            t[4 * plane + c] = solid ? a2 : a4 + rate * (goal.f[4] - a4);
            t[5 * plane + c] = solid ? a7 : a5 + rate * (goal.f[5] - a5);
            t[6 * plane + c] = solid ? a8 : a6 + rate * (goal.f[6] - a6);
            t[7 * plane + c] = solid ? a5 : a7 + rate * (goal.f[7] - a7);
            t[8 * plane + c] = solid ? a6 : a8 + rate * (goal.f[8] - a8);
        }
    }
    /// Wind enters at the left, and leaves at the right.
    void step_at_ends(const float* from, float* to, std::size_t row) const
    {
        const densities wind = settled(1, channel_.speed, 0);
        for (std::size_t k = 0; k < directions; ++k) {
            const std::size_t first = k * plane_ + row * n_;
            to[first] = wind.f[k];
            to[first + n_ - 1] = from[first + n_ - 2];
        }
    }

    rival_team& team_;
    std::size_t n_, plane_;
    channel channel_;
    host_array<float> planes_[3]; ///< the start, which stays, and two that steps go between
};

} // namespace

std::unique_ptr<kernel_entrant<float>> make_openmp_lattice(std::size_t n, rival_team& team)
{
    return std::make_unique<openmp_lattice>(n, team);
}

} // namespace bench
