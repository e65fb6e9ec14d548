// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

/// Tiles of one container that tasks left elsewhere than was noted when they were planned, because the policy moved
/// them. Workers add, the next call that plans with the container settles.
class moved_tiles
{
public:
    struct move {
        std::size_t tile;
        std::uint64_t version;      ///< of the container, from which on this holds
        std::uint64_t lost, gained; ///< memory nodes, as in managed_state::valid
    };
    void add(const move& m) noexcept;
    std::vector<move> take() noexcept;

private:
    std::mutex guard_;
    std::atomic<bool> any_{false};
    std::vector<move> moves_;
};

} // namespace skelrt::detail
