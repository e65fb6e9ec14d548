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

void throw_together(peers& others, const std::exception_ptr& mine)
{
    const std::byte failed{mine != nullptr};
    const std::vector<std::byte> all = all_gather(others, {&failed, 1});
    const auto first = std::ranges::find(all, std::byte{1});
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
