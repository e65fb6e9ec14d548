// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/range/mapped_range.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// Where a container's tiles follow each other on devices, as they do in the host's memory: one kernel then goes
/// through several of them, and functions see the whole in one piece without a copy of it.
///
/// Lifetime: shared by the container and its tiles' handles; what StarPU has allocated for a handle goes before it.
/// The memory of ranges whose containers have gone is kept for the next ones of their size, up to an eighth of a
/// device's. When a handle finds none, all goes that no tile lies in: drop_unused_memory(). Not only that of containers
/// that have gone, for a call far down the queue may have its result's while the ones before it have none.
/// Thread-safe. Drivers are called under its lock, by who may hold StarPU's.
class tile_range
{
public:
    /// On nodes for whose pages it is large enough: see make_tile_range().
    tile_range(std::size_t bytes, std::size_t tile_bytes, std::optional<std::size_t> least);

    /// Whether the tiles' memory on that node lies in the range.
    bool covers(unsigned node) const noexcept { return node < on_node_.size() && on_node_[node]; }
    bool is_like(std::size_t bytes, std::size_t tile_bytes) const noexcept
    {
        return bytes == bytes_ && tile_bytes == tile_bytes_;
    }

    /// On nodes that it covers; see mapped_range.
    std::uintptr_t take(unsigned node, std::size_t tile) noexcept;
    void give_back(unsigned node, std::size_t tile) noexcept;

    /// Its container goes: from now on memory stays, for the next one.
    void end() noexcept { ended_.store(true, std::memory_order_relaxed); }
    /// For another container. Nobody uses it.
    void begin_again() noexcept { ended_.store(false, std::memory_order_relaxed); }
    std::size_t unused_bytes(unsigned node) const noexcept;
    std::size_t drop_unused(unsigned node) noexcept;
    bool has_unused() const noexcept;

private:
    std::size_t bytes_, tile_bytes_;
    mutable std::mutex guard_;
    std::vector<std::unique_ptr<mapped_range>> on_node_; ///< null: memory of this node does not come in pages
    std::atomic<bool> ended_{false};
};

/// For a container of so many bytes whose tiles have so many, if it has at least so many as `least` says, or, where
/// that says nothing, a page of a device's. Null: it lies in no range.
std::shared_ptr<tile_range> make_tile_range(std::size_t bytes, std::size_t tile_bytes,
                                            std::optional<std::size_t> least);

/// Gives back memory of a node that no tile lies in, of containers that have gone, or are going, or are to come; so
/// many bytes.
std::size_t drop_unused_memory(unsigned node) noexcept;
/// All ranges that nobody uses. Before StarPU ends; ranges that still live give theirs back when they go.
void drop_unused_ranges() noexcept;

} // namespace skelrt::detail
