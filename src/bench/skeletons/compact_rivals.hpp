// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace bench
{

class rival_team;

/// x[i] of filters and histograms: numbers in [0, 1) without a pattern that a branch predictor could learn.
constexpr float compact_value(std::size_t i)
{
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull; // splitmix64 (Steele, Lea, Flood 2014)
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24f;
}
constexpr bool compact_keeps(float v) { return v < 0.5f; }

enum class compact_task {
    filter,    ///< the numbers that compact_keeps(), in their order; done when the host knows how many there are
    histogram, ///< counts in equal bins of [0, 1)
};

/// Somebody who does one of these on n floats.
class compact_entrant
{
public:
    virtual ~compact_entrant() = default;
    /// Starts; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the result in host memory: floats of a filter, 32-bit counts of a histogram.
    virtual void look(const std::function<void(const void*, std::size_t)>& see) = 0;
};

/// Loops as one writes them: a contiguous part for each thread. Filter: each counts, then writes behind the others.
/// Histogram: each counts in bins of its own, which are added up. Construct and use it inside the team.
std::unique_ptr<compact_entrant> make_openmp_compact(compact_task what, std::size_t n, std::size_t bins,
                                                     rival_team& team);

/// cub::DeviceSelect::If, whose count is copied to the host, and cub::DeviceHistogram::HistogramEven. Null without
/// nvcc.
std::unique_ptr<compact_entrant> make_cuda_compact(compact_task what, std::size_t n, std::size_t bins);

} // namespace bench
