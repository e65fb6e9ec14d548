#pragma once

#include "src/data/parting/axis_split.hpp"

#include <skelrt/detail/storage.hpp>

#include <vector>

namespace skelrt::detail
{

/// What ranks have of a container's content beside their parts: runs of elements that calls brought there. They serve
/// later calls until the content changes. All ranks know it of all, from the order of the calls alone; but for `here`.
struct known_copies {
    std::vector<position_run> of_rank;
    storage_ref here; ///< this rank's; null: it has none, or holds these elements anyhow

    bool has(unsigned rank, const position_run& wanted) const noexcept
    {
        return !of_rank.empty() && wanted.first >= of_rank[rank].first && wanted.end() <= of_rank[rank].end();
    }
};

} // namespace skelrt::detail
