// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "apps/shared/report.hpp"

#include <cmath>

#include <fmt/format.h>

namespace nbody
{
namespace
{

using values = std::vector<double>;

values pulls_at(const values& x, const values& mass, double soft2)
{
    values a(x.size(), 0.0);
    for (std::size_t i = 0; i < mass.size(); ++i)
        for (std::size_t j = 0; j < mass.size(); ++j) {
            const double d[] = {x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + soft2;
            const double weight = mass[j] / (r2 * std::sqrt(r2));
            for (std::size_t k = 0; k < 3; ++k) a[3 * i + k] += weight * d[k];
        }
    return a;
}

void add(values& to, double factor, const values& from)
{
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

values copy_of(const skelrt::vector<vec3>& v)
{
    values result;
    for (const vec3& a : skelrt::host_read(v)) result.insert(result.end(), {a.x, a.y, a.z});
    return result;
}

} // namespace

reference::reference(const cluster& start, const options& o)
{
    values mass, v = copy_of(start.speeds());
    for (const body& b : skelrt::host_read(start.bodies())) {
        positions_.insert(positions_.end(), {b.x, b.y, b.z});
        mass.push_back(b.mass);
    }
    const double dt = o.dt, soft2 = static_cast<double>(o.softening) * o.softening;
    values a = pulls_at(positions_, mass, soft2);
    seconds_ = apps::seconds_of([&] {
        for (std::size_t k = 0; k < o.steps; ++k) {
            add(v, 0.5 * dt, a);
            add(positions_, dt, v);
            a = pulls_at(positions_, mass, soft2);
            add(v, 0.5 * dt, a);
        }
    });
}

apps::comparison reference::compare(const cluster& end, double drift) const
{
    apps::comparison result{1e-4};
    const auto got = skelrt::host_read(end.bodies());
    for (std::size_t i = 0; i < got.size(); ++i) {
        const float at[] = {got[i].x, got[i].y, got[i].z};
        for (std::size_t k = 0; k < 3; ++k)
            result.add(static_cast<double>(at[k]), positions_[3 * i + k], 3.0,
                       [&] { return fmt::format("axis {} of body {}", k, i); });
    }
    result.add(drift, 0.0, 10.0, [] { return std::string("the drift of the energy"); });
    return result;
}

} // namespace nbody
