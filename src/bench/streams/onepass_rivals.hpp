// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

namespace bench
{

class rival_team;

/// The multiply-adds per element that onepass knows.
inline constexpr int onepass_steps[] = {1, 16, 64, 256, 1024};

/// A rival on its own host arrays: y[i] = K times (y * 0.999 + x[i]).
class onepass_rival
{
public:
    virtual ~onepass_rival() = default;
    /// Seconds of one pass, from host memory to host memory.
    virtual double pass(int steps) = 0;
};

/// plain: the loop as it stands. blocked: 64 elements take each step together, so that the latency of one hides behind
/// the others; what a CPU can do if somebody helps its compiler.
enum class openmp_way { plain, blocked };
std::unique_ptr<onepass_rival> make_onepass_openmp(openmp_way way, std::size_t n, rival_team& team);
/// Pinned memory, pieces on three streams, so that copies both ways and kernels overlap. Null without nvcc.
std::unique_ptr<onepass_rival> make_onepass_cuda(std::size_t n);

} // namespace bench
