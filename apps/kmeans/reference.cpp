// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

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

floats plain_centres(const floats& points, std::size_t dimensions, std::size_t clusters, std::size_t iterations)
{
    floats centres;
    for (std::size_t k = 0; k < clusters; ++k) {
        const float* const from = &points[k * (points.size() / dimensions / clusters) * dimensions];
        centres.insert(centres.end(), from, from + dimensions);
    }
    for (std::size_t i = 0; i < iterations; ++i) iterate(centres, points, dimensions);
    return centres;
}

} // namespace kmeans
