// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/range/tile_range.hpp"

#include "src/data/range/device_pages.hpp"

#include <starpu.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>
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

std::size_t tile_range::drop_unused(unsigned node) noexcept
{
    const std::lock_guard lock(guard_);
    return covers(node) ? on_node_[node]->drop_unused() : 0;
}

bool tile_range::has_unused() const noexcept
{
    for (unsigned node = 0; node < on_node_.size(); ++node)
        if (unused_bytes(node) > 0) return true;
    return false;
}

namespace
{

using range_list = std::vector<std::unique_ptr<tile_range>>;

/// Never destroyed: containers may end late. Its lock goes before a range's.
struct range_table {
    std::mutex guard;
    std::unordered_set<tile_range*> used; ///< by containers and handles
    range_list unused;                    ///< with memory, the oldest first
    bool keeps_unused = false;
};
range_table& all_ranges = *new range_table;
constexpr std::size_t most_unused = 256; ///< all are looked at for each container

/// With the lock.
std::size_t unused_on(unsigned node) noexcept
{
    std::size_t bytes = 0;
    for (const auto& r : all_ranges.unused) bytes += r->unused_bytes(node);
    return bytes;
}

/// With the lock.
bool are_too_many() noexcept
{
    constexpr std::size_t part = 8;
    if (all_ranges.unused.size() > most_unused) return true;
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
    const std::lock_guard lock(all_ranges.guard);
    all_ranges.used.erase(r);
    if (!all_ranges.keeps_unused || !r->has_unused()) return;
    all_ranges.unused.push_back(std::move(old.front()));
    old.clear();
    while (!all_ranges.unused.empty() && are_too_many()) {
        old.push_back(std::move(all_ranges.unused.front()));
        all_ranges.unused.erase(all_ranges.unused.begin());
    }
}

/// With the lock.
std::unique_ptr<tile_range> take_unused(std::size_t bytes, std::size_t tile_bytes)
{
    const auto at =
        std::ranges::find_if(all_ranges.unused, [&](const auto& r) { return r->is_like(bytes, tile_bytes); });
    if (at == all_ranges.unused.end()) return nullptr;
    std::unique_ptr<tile_range> found = std::move(*at);
    all_ranges.unused.erase(at);
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
    const std::lock_guard lock(all_ranges.guard);
    all_ranges.keeps_unused = true;
    std::unique_ptr<tile_range> made = take_unused(bytes, tile_bytes);
    if (!made) made = std::make_unique<tile_range>(bytes, tile_bytes, least);
    all_ranges.used.insert(made.get());
    return {made.release(), &keep_or_end};
}

std::size_t drop_unused_memory(unsigned node) noexcept
{
    range_list old;
    std::size_t bytes = 0;
    const std::lock_guard lock(all_ranges.guard);
    for (tile_range* const r : all_ranges.used) bytes += r->drop_unused(node);
    for (const auto& r : all_ranges.unused) bytes += r->drop_unused(node);
    const auto empty = std::ranges::stable_partition(all_ranges.unused, [](const auto& r) { return r->has_unused(); });
    std::ranges::move(empty, std::back_inserter(old));
    all_ranges.unused.erase(empty.begin(), empty.end());
    return bytes;
}

void drop_unused_ranges() noexcept
{
    range_list old;
    const std::lock_guard lock(all_ranges.guard);
    all_ranges.keeps_unused = false;
    old.swap(all_ranges.unused);
}

} // namespace skelrt::detail
