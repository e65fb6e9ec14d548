// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace bench
{

class rival_team;

/// x[i] of the sorts: floats all over [-1, 1), in no order.
inline float sort_value(std::size_t i)
{
    std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15u; // Steele, Lea and Flood's SplitMix64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return static_cast<float>((z ^ z >> 31) >> 40) * 0x1p-23f - 1.0f;
}

/// Somebody who sorts n floats into a second array.
class sort_entrant
{
public:
    virtual ~sort_entrant() = default;
    /// Starts a sort; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the result in host memory.
    virtual void look(const std::function<void(const float*)>& see) = 0;
};

/// A copy, and then libstdc++'s parallel mode: std::sort (multiway merge sort) or std::stable_sort; or tasks: a plain
/// OpenMP merge sort, std::stable_sort of a part for each thread and merges in pairs, split between the two halves'
/// threads.
enum class openmp_sort { parallel, parallel_stable, merge };
std::unique_ptr<sort_entrant> make_openmp_sort(openmp_sort how, std::size_t n, rival_team& team);

/// cub::DeviceRadixSort::SortKeys. Null without nvcc.
std::unique_ptr<sort_entrant> make_cuda_sort(std::size_t n);

} // namespace bench
