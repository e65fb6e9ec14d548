// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "apps/shared/report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pagerank
{

reference::reference(std::size_t vertices, const edges& all, const options& o)
    : ranks_(vertices, 1 / static_cast<double>(vertices))
{
    const auto edge = skelrt::host_read(all);
    const auto n = static_cast<double>(vertices), damping = static_cast<double>(o.damping);
    std::vector<double> links(vertices), next(vertices);
    for (const unsigned long e : edge) ++links[e & 0xffffffff];
    seconds_ = apps::seconds_of([&] {
        for (std::size_t i = 0; i < o.iterations; ++i) {
            double lost = 0;
            for (std::size_t v = 0; v < vertices; ++v) lost += links[v] > 0 ? 0 : ranks_[v];
            std::ranges::fill(next, (1 - damping) / n + damping * lost / n);
            for (const unsigned long e : edge)
                next[e >> 32] += damping * ranks_[e & 0xffffffff] / links[e & 0xffffffff];
            std::swap(ranks_, next);
        }
    });
}

apps::comparison reference::compare(const skelrt::vector<float>& ranks) const
{
    apps::comparison result{1e-4};
    const double largest = *std::ranges::max_element(ranks_);
    const auto got = skelrt::host_read(ranks);
    for (std::size_t v = 0; v < ranks_.size(); ++v)
        result.add(static_cast<double>(got[v]), ranks_[v], largest, [&] { return fmt::format("vertex {}", v + 1); });
    return result;
}

} // namespace pagerank
