#include "src/data/moved.hpp"

#include "src/data/managed.hpp"

#include <utility>

namespace skelrt::detail
{

void moved_tiles::add(const move& m) noexcept
{
    std::lock_guard lock(guard_);
    moves_.push_back(m);
    any_.store(true, std::memory_order_release);
}

std::vector<moved_tiles::move> moved_tiles::take() noexcept
{
    if (!any_.load(std::memory_order_acquire)) return {};
    std::lock_guard lock(guard_);
    any_.store(false, std::memory_order_relaxed);
    return std::exchange(moves_, {});
}

void settle_moves(managed_state& m) noexcept
{
    for (const moved_tiles::move& move : m.moved->take())
        if (move.version == m.version && move.tile < m.valid.size())
            m.valid[move.tile] = (m.valid[move.tile] & ~move.lost) | move.gained;
}

} // namespace skelrt::detail
