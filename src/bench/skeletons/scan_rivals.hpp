// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace bench
{

class rival_team;

/// x[i] of the scans: whole numbers whose sum over a period is 0, so that every running sum is exact in a float. The
/// period is no divisor of a tile's or block's size.
inline constexpr std::size_t scan_period = 1021;
constexpr float scan_value(std::size_t i)
{
    return static_cast<float>(i % scan_period) - static_cast<float>(scan_period / 2);
}

/// Somebody who computes the inclusive sums of n floats into a second array.
class scan_entrant
{
public:
    virtual ~scan_entrant() = default;
    /// Starts a scan; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the result in host memory.
    virtual void look(const std::function<void(const float*)>& see) = 0;
};

/// Two passes over a contiguous part for each thread: its sum, then its running sums. plain: as the loop stands.
/// inscan: the compiler's vectorised scan (OpenMP 5). Construct and use it inside the team.
enum class openmp_scan { plain, inscan };
std::unique_ptr<scan_entrant> make_openmp_scan(openmp_scan how, std::size_t n, rival_team& team);

/// cub: cub::DeviceScan::InclusiveSum. copy: cudaMemcpyAsync on the device, which moves as many bytes. Null without
/// nvcc.
enum class cuda_scan { cub, copy };
std::unique_ptr<scan_entrant> make_cuda_scan(cuda_scan how, std::size_t n);

} // namespace bench
