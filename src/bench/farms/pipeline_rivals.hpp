// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/picture/image.hpp"

#include <cstddef>
#include <vector>

namespace bench
{

/// Values that go through four stages: a source, two that any thread may run, and one in the order of the source; each
/// works for so many rounds.
struct pipeline_work {
    std::size_t values;
    std::size_t window; ///< values alive at a time
    std::size_t rounds;
};

/// Seconds by tbb::parallel_pipeline; negative: not built in.
double tbb_pipeline_seconds(const pipeline_work& w);
/// The same, for the edges in frames by the application video's calls.
double tbb_film_seconds(const std::vector<apps::image>& frames, std::size_t window);

} // namespace bench
