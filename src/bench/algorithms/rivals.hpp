// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace bench
{

class rival_team;

constexpr std::uint64_t mixed(std::size_t i)
{
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull; // splitmix64 (Steele, Lea, Flood 2014)
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// What the algorithms work on. Sums of these are exact, in whatever order.

/// Runs of equal keys have 16 elements on average, of all lengths: whether one begins here.
constexpr bool run_begins(std::size_t i) { return i == 0 || mixed(i) % 16 == 0; }
constexpr float small_value(std::size_t i) { return static_cast<float>(mixed(i) >> 62); }
/// In [0, 1), without an order.
constexpr float loose_value(std::size_t i) { return static_cast<float>(mixed(i) >> 40) * 0x1p-24f; }
constexpr bool goes_in_front(float v) { return v < 0.5f; }
/// Ascending; two of them of another `salt` have some in common.
constexpr int ascending_value(std::size_t i, std::size_t salt) { return static_cast<int>(3 * i + mixed(i + salt) % 3); }
constexpr std::size_t how_many_of_the_top = 1000;

/// value(i) at every place.
template <class T, class Value>
std::vector<T> made(std::size_t n, Value value)
{
    std::vector<T> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = value(i);
    return all;
}

enum class algorithm : std::uint8_t {
    reduce_by_key, ///< sums of runs: done when the host knows how many there are
    scan_by_key,   ///< running sums within runs
    unique,        ///< the keys once each
    partition,     ///< those that go in front, then the others; both in their order
    merge,         ///< two sorted halves
    top_k,
};

/// Somebody who does one of these on n elements.
class algorithm_entrant
{
public:
    virtual ~algorithm_entrant() = default;
    /// Starts; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the result in host memory: floats of reduce_by_key, scan_by_key, partition and top_k, else ints.
    virtual void look(const std::function<void(const void*, std::size_t)>& see) = 0;
};

/// Loops as one writes them: a contiguous part for each thread. Construct and use it inside the team.
std::unique_ptr<algorithm_entrant> make_openmp_algorithm(algorithm what, std::size_t n, rival_team& team);

/// The function of CUB; of top_k, which CUB has not, cub::DeviceRadixSort. Null without nvcc.
std::unique_ptr<algorithm_entrant> make_cuda_algorithm(algorithm what, std::size_t n);

} // namespace bench
