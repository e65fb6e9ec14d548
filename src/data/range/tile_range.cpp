// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/range/tile_range.hpp"

#include "src/data/range/device_pages.hpp"

#include <starpu.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace skelrt::detail
{

namespace
{

bool may_lie_on(unsigned node, std::size_t bytes, std::optional<std::size_t> least) noexcept
{
    const std::size_t page = page_bytes_of(node);
    return page > 0 && bytes >= least.value_or(page);
}

} // namespace

tile_range::tile_range(std::size_t bytes, std::size_t tile_bytes, std::optional<std::size_t> least)
    : bytes_(bytes), tile_bytes_(tile_bytes)
{
    on_node_.resize(starpu_memory_nodes_get_count());
    for (unsigned node = 0; node < on_node_.size(); ++node)
        if (may_lie_on(node, bytes, least))
            on_node_[node] = std::make_unique<mapped_range>(pages_of(node), bytes, tile_bytes);
}

std::uintptr_t tile_range::take(unsigned node, std::size_t tile) noexcept
{
    const std::lock_guard lock(guard_);
    return on_node_[node]->take(tile);
}

void tile_range::give_back(unsigned node, std::size_t tile) noexcept
{
    const std::lock_guard lock(guard_);
    on_node_[node]->give_back(tile, ended_.load(std::memory_order_relaxed) ? unused_pages::stay : unused_pages::go);
}

std::size_t tile_range::unused_bytes(unsigned node) const noexcept
{
    const std::lock_guard lock(guard_);
    return covers(node) ? on_node_[node]->unused_bytes() : 0;
}

namespace
{

using range_list = std::vector<std::unique_ptr<tile_range>>;

std::mutex unused_guard;
range_list& unused = *new range_list; ///< the oldest first; never destroyed: the runtime's end empties it
bool keeps_unused = false;

/// With the lock.
std::size_t unused_on(unsigned node) noexcept
{
    std::size_t bytes = 0;
    for (const auto& r : unused) bytes += r->unused_bytes(node);
    return bytes;
}

/// With the lock.
bool are_too_many() noexcept
{
    constexpr std::size_t part = 8;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node)
        if (const starpu_ssize_t all = starpu_memory_get_total(node);
            all > 0 && unused_on(node) > static_cast<std::size_t>(all) / part)
            return true;
    return false;
}

/// Of a range that nobody uses any more.
void keep_or_end(tile_range* r) noexcept
{
    range_list old; // ended without the lock: that takes its time
    old.emplace_back(r);
    const std::lock_guard lock(unused_guard);
    if (!keeps_unused) return;
    unused.push_back(std::move(old.front()));
    old.clear();
    while (!unused.empty() && are_too_many()) {
        old.push_back(std::move(unused.front()));
        unused.erase(unused.begin());
    }
}

std::unique_ptr<tile_range> take_unused(std::size_t bytes, std::size_t tile_bytes)
{
    const std::lock_guard lock(unused_guard);
    keeps_unused = true;
    const auto at = std::ranges::find_if(unused, [&](const auto& r) { return r->is_like(bytes, tile_bytes); });
    if (at == unused.end()) return nullptr;
    std::unique_ptr<tile_range> found = std::move(*at);
    unused.erase(at);
    found->begin_again();
    return found;
}

} // namespace

std::shared_ptr<tile_range> make_tile_range(std::size_t bytes, std::size_t tile_bytes, std::optional<std::size_t> least)
{
    bool somewhere = false;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node)
        somewhere = somewhere || may_lie_on(node, bytes, least);
    if (!somewhere) return nullptr;
    std::unique_ptr<tile_range> found = take_unused(bytes, tile_bytes);
    if (!found) found = std::make_unique<tile_range>(bytes, tile_bytes, least);
    return {found.release(), &keep_or_end};
}

std::size_t drop_unused_ranges(unsigned node) noexcept
{
    range_list old;
    {
        const std::lock_guard lock(unused_guard);
        const auto of_node =
            std::ranges::stable_partition(unused, [&](const auto& r) { return r->unused_bytes(node) == 0; });
        std::ranges::move(of_node, std::back_inserter(old));
        unused.erase(of_node.begin(), of_node.end());
    }
    std::size_t bytes = 0;
    for (const auto& r : old) bytes += r->unused_bytes(node);
    return bytes;
}

void drop_unused_ranges() noexcept
{
    range_list old;
    const std::lock_guard lock(unused_guard);
    keeps_unused = false;
    old.swap(unused);
}

} // namespace skelrt::detail
