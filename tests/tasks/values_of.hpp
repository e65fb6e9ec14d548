// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/host.hpp>
#include <skelrt/vector.hpp>

#include <vector>

/// What a container holds when all that was called is done.
inline std::vector<int> values_of(const skelrt::vector<int>& x)
{
    const auto h = skelrt::host_read(x);
    return {h.begin(), h.end()};
}
