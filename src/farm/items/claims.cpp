// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/items/claims.hpp"

#include "src/farm/grain.hpp"

#include <algorithm>

namespace skelrt::detail
{

std::size_t item_claims::size_of_next(std::size_t left, unsigned threads) const noexcept
{
    const std::size_t fair = left / (std::size_t{2} * std::max(threads, 1u));
    return std::clamp<std::size_t>(fair, 1, grain());
}

item_claims::piece item_claims::peek(unsigned threads) const noexcept
{
    const std::size_t begin = next_.load(), limit = limit_.load();
    if (begin >= limit) return {};
    return {begin, begin + size_of_next(limit - begin, threads)};
}

bool item_claims::claim_up_to(piece p) noexcept { return next_.compare_exchange_strong(p.begin, p.end); }

item_claims::piece item_claims::claim(unsigned threads) noexcept
{
    for (piece p = peek(threads); !p.empty(); p = peek(threads))
        if (claim_up_to(p)) return p;
    return {};
}

std::size_t item_claims::close() noexcept { return next_.fetch_or(closed) & ~closed; }

void item_claims::learn(piece p, double us) noexcept
{
    constexpr std::size_t most = 1 << 16;
    const std::size_t n = p.size(), now = grain();
    if (n != now && us <= long_piece_us) return; // it says nothing of pieces of this size
    grain_.store(next_grain(std::min(n, now), us, most), std::memory_order_relaxed);
}

} // namespace skelrt::detail
