// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/faults.hpp"

#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/program/as_item_error.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace skelrt::detail
{

namespace
{

bool is_told_elsewhere(const std::exception_ptr& what)
{
    try {
        std::rethrow_exception(what);
    } catch (const told_elsewhere&) {
        return true;
    } catch (...) {
        return false;
    }
}

} // namespace

void throw_together(peers& others, const std::exception_ptr& mine)
{
    constexpr std::byte well{0}, elsewhere{1}, here{2};
    const std::byte failed = !mine ? well : is_told_elsewhere(mine) ? elsewhere : here;
    const std::vector<std::byte> all = all_gather(others, {&failed, 1});
    auto first = std::ranges::find(all, here);
    if (first == all.end()) first = std::ranges::find(all, elsewhere);
    if (first == all.end()) return;
    const auto rank = static_cast<int>(first - all.begin());
    std::array<char, 1024> text{};
    if (rank == others.rank()) {
        const std::string said = text_of(mine);
        std::memcpy(text.data(), said.data(), std::min(said.size(), text.size() - 1));
    }
    broadcast(others, std::as_writable_bytes(std::span(text)), rank);
    if (rank == others.rank()) std::rethrow_exception(mine);
    throw error(fmt::format("rank {}: {}", rank, text.data()));
}

void tell_others(const std::exception_ptr& what) noexcept
{
    const running* const r = running::current();
    if (r && r->cluster) r->cluster->tell_failure(text_of(what));
}

} // namespace skelrt::detail
