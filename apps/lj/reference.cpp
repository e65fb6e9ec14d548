// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "apps/shared/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lj
{

reference::reference(const fluid& start, const options& o)
    : edge_(start.box().edge), cutoff_(o.cutoff), time_(static_cast<double>(o.steps) * o.dt),
      along_(static_cast<std::size_t>(start.box().along)), at_(start.atoms().size()), speed_(at_.size()),
      pull_(at_.size())
{
    for (const atom& a : skelrt::host_read(start.atoms())) {
        at_[a.number] = {a.at.x, a.at.y, a.at.z};
        speed_[a.number] = {a.speed.x, a.speed.y, a.speed.z};
    }
    find_pulls();
    const double dt = o.dt;
    seconds_ = apps::seconds_of([&] {
        for (std::size_t n = 0; n < o.steps; ++n) {
            for (std::size_t i = 0; i < at_.size(); ++i)
                for (std::size_t k = 0; k < 3; ++k) {
                    speed_[i][k] += 0.5 * dt * pull_[i][k];
                    at_[i][k] += dt * speed_[i][k];
                    at_[i][k] -= edge_ * std::floor(at_[i][k] / edge_);
                }
            find_pulls();
            for (std::size_t i = 0; i < at_.size(); ++i)
                for (std::size_t k = 0; k < 3; ++k) speed_[i][k] += 0.5 * dt * pull_[i][k];
        }
    });
}

void reference::find_pulls()
{
    const std::size_t m = along_;
    const auto cell_at = [&](double x) {
        return std::min(static_cast<std::size_t>(x / edge_ * static_cast<double>(m)), m - 1);
    };
    std::vector<std::vector<std::size_t>> members(m * m * m);
    for (std::size_t i = 0; i < at_.size(); ++i)
        members[(cell_at(at_[i][2]) * m + cell_at(at_[i][1])) * m + cell_at(at_[i][0])].push_back(i);
    for (std::size_t i = 0; i < at_.size(); ++i) {
        pull_[i] = {0, 0, 0};
        const std::size_t x = cell_at(at_[i][0]) + m, y = cell_at(at_[i][1]) + m, z = cell_at(at_[i][2]) + m;
        for (std::size_t cz = z - 1; cz <= z + 1; ++cz)
            for (std::size_t cy = y - 1; cy <= y + 1; ++cy)
                for (std::size_t cx = x - 1; cx <= x + 1; ++cx)
                    for (const std::size_t j : members[(cz % m * m + cy % m) * m + cx % m])
                        if (j != i) add_pull(i, j);
    }
}

void reference::add_pull(std::size_t i, std::size_t j)
{
    vec d;
    double r2 = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        d[k] = at_[i][k] - at_[j][k];
        d[k] -= edge_ * std::round(d[k] / edge_);
        r2 += d[k] * d[k];
    }
    if (r2 >= cutoff_ * cutoff_) return;
    const double r6 = 1 / (r2 * r2 * r2);
    for (std::size_t k = 0; k < 3; ++k) pull_[i][k] += (48 * r6 * r6 - 24 * r6) / r2 * d[k];
}

apps::comparison reference::compare(const fluid& end, double drift) const
{
    apps::comparison result{1e-3};
    result.add(drift, 0, 10, [] { return std::string("the drift of the energy"); });
    if (time_ > 1) return result;
    for (const atom& a : skelrt::host_read(end.atoms())) {
        const double at[] = {a.at.x, a.at.y, a.at.z};
        for (std::size_t k = 0; k < 3; ++k) {
            const double off = at[k] - at_[a.number][k]; // the box is periodic
            result.add(off - edge_ * std::round(off / edge_), 0, 1,
                       [&] { return fmt::format("axis {} of atom {}, too far by", k, a.number); });
        }
    }
    return result;
}

} // namespace lj
