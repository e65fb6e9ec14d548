// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/program/error.hpp"
#include "measure.hpp"

#include <algorithm>

#include <fmt/format.h>

/// Rivals: hand-written CUDA programs of the same algorithm, to measure skelrt against. They know nothing of skelrt and
/// get plain memory of the same layout; an application's rival.cu has one, with the help of rival.cuh.
namespace apps::rival
{

/// Whether nvcc was there when this program was built; otherwise the functions that rival.cu should have are missing,
/// and must not be named outside of `if constexpr (is_built)`.
inline constexpr bool is_built = APPS_HAVE_RIVALS;

/// Name of the GPU that rivals use. In rival.cuh.
const char* gpu_name();

/// The row of a rival. `run(untimed, repeat, seconds)` fills seconds[0..repeat) and returns null, or what went wrong.
/// Throws input_error then, and where there is no rival.
template <class Run>
measurement measure(const common_options& o, const Run& run)
{
    measurement result{"rival", "", std::vector<double>(static_cast<std::size_t>(o.repeat)), {}};
    if constexpr (is_built) {
        if (const char* error = run(o.untimed, o.repeat, result.seconds.data()))
            throw input_error(fmt::format("--rival: {}", error));
        result.hardware = fmt::format("hand-written CUDA, {}", gpu_name());
        std::ranges::sort(result.seconds);
    } else {
        throw input_error("--rival: this program was built without nvcc, so it has no rival");
    }
    return result;
}

} // namespace apps::rival
