// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "apps/shared/report.hpp"

#include <limits>
#include <span>

namespace kmeans
{
namespace
{

using floats = std::vector<float>;

std::size_t nearest(std::span<const float> p, const floats& centres)
{
    std::size_t best = 0;
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t first = 0; first < centres.size(); first += p.size()) {
        float far = 0;
        for (std::size_t d = 0; d < p.size(); ++d) {
            const float apart = p[d] - centres[first + d];
            far += apart * apart;
        }
        if (far < least) best = first, least = far;
    }
    return best;
}

void iterate(floats& centres, const floats& points, std::size_t dimensions)
{
    std::vector<double> sums(centres.size());
    std::vector<std::size_t> counts(centres.size() / dimensions);
    for (std::size_t first = 0; first < points.size(); first += dimensions) {
        const std::span p(&points[first], dimensions);
        const std::size_t to = nearest(p, centres);
        ++counts[to / dimensions];
        for (std::size_t d = 0; d < dimensions; ++d) sums[to + d] += static_cast<double>(p[d]);
    }
    for (std::size_t i = 0; i < centres.size(); ++i)
        if (const std::size_t count = counts[i / dimensions]; count > 0)
            centres[i] = static_cast<float>(sums[i] / static_cast<double>(count));
}

} // namespace

plain_result plain_kmeans(const floats& points, const options& o)
{
    const auto dimensions = static_cast<std::size_t>(o.dimensions);
    plain_result result;
    for (std::size_t k = 0; k < o.clusters; ++k) {
        const auto from = points.begin() + static_cast<std::ptrdiff_t>(k * (o.points / o.clusters) * dimensions);
        result.centres.insert(result.centres.end(), from, from + o.dimensions);
    }
    result.seconds = apps::seconds_of([&] {
        for (std::size_t i = 0; i < o.iterations; ++i) iterate(result.centres, points, dimensions);
    });
    return result;
}

} // namespace kmeans
