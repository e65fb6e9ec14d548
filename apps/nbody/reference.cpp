// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <cmath>

namespace nbody
{
namespace
{

using values = std::vector<double>;

void add(values& to, double factor, const values& from)
{
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

} // namespace

plain_cluster::plain_cluster(const cluster& start, double softening) : soft2_(softening * softening)
{
    for (const vec3& v : skelrt::host_read(start.speeds())) speeds_.insert(speeds_.end(), {v.x, v.y, v.z});
    for (const body& b : skelrt::host_read(start.bodies())) {
        positions_.insert(positions_.end(), {b.x, b.y, b.z});
        mass_.push_back(b.mass);
    }
}

void plain_cluster::find_pulls()
{
    pulls_.assign(positions_.size(), 0.0);
    for (std::size_t i = 0; i < pulls_.size(); i += 3)
        for (std::size_t j = 0; j < pulls_.size(); j += 3) {
            const double* const at = positions_.data();
            const double d[] = {at[j] - at[i], at[j + 1] - at[i + 1], at[j + 2] - at[i + 2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + soft2_;
            const double weight = mass_[j / 3] / (r2 * std::sqrt(r2));
            for (std::size_t k = 0; k < 3; ++k) pulls_[i + k] += weight * d[k];
        }
}

void plain_cluster::steps(std::size_t n, double dt)
{
    find_pulls();
    for (std::size_t k = 0; k < n; ++k) {
        add(speeds_, 0.5 * dt, pulls_);
        add(positions_, dt, speeds_);
        find_pulls();
        add(speeds_, 0.5 * dt, pulls_);
    }
}

} // namespace nbody
