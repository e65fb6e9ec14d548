// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/release.hpp"

#include "src/data/managed.hpp"
#include "src/data/memory/kept.hpp"
#include "src/data/memory/memory.hpp"
#include "src/data/range/tile_range.hpp"
#include "src/runtime/order/ended.hpp"

#include <atomic>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

namespace
{

std::mutex graveyard_guard;
std::vector<storage*> graveyard;
std::atomic<bool> graveyard_used{false};

} // namespace

void bury(storage* s) noexcept
{
    std::lock_guard lock(graveyard_guard);
    graveyard.push_back(s);
    graveyard_used.store(true, std::memory_order_release);
}

void reap() noexcept
{
    let_ended_go();
    end_late_accesses();
    if (!graveyard_used.load(std::memory_order_acquire)) return;
    std::vector<storage*> dead;
    {
        std::lock_guard lock(graveyard_guard);
        dead.swap(graveyard);
        graveyard_used.store(false, std::memory_order_release);
    }
    for (storage* s : dead) destroy_storage(s);
}

void release_all_managed() noexcept
{
    reap();
    drop_kept_storages();
    for (managed_state* m : take_all_managed()) bring_home(*m);
    drop_unused_ranges();
    drop_kept_blocks();
}

} // namespace skelrt::detail
